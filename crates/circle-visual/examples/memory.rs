//! Draws memory plans of any form that circle-memory reads, or made-up ones of a given number of blocks:
//! `memory <FILE | NUMBER | small | hostile>... -o <OUT.svg | .png | .jpg | .html>... [--dark] [--kind | --size] [--names all|none]
//! [--compare] [--ticks A..B] [--segment NAME] [--width N] [--height N] [--time]`.

#![allow(clippy::print_stdout, reason = "an example prints its measurements")]

mod plans;

use circle_memory::CheckOptions;
use circle_visual::Theme;
use circle_visual::memory::{ColourBy, Names, Options, Plan, html, jpeg, png, svg};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let (mut timed, mut written) = (false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--dark" => options.theme = Theme::Dark,
            "--kind" => options.colour = ColourBy::Kind,
            "--size" => options.colour = ColourBy::Size,
            "--names" => options.names = if value()? == "all" { Names::All } else { Names::None },
            "--compare" => options.compare = true,
            "--ticks" => {
                let text = value()?;
                let (from, till) = text.split_once("..").ok_or("ticks are A..B")?;
                options.ticks = Some(from.parse()?..till.parse()?);
            }
            "--segment" => options.segments.push(value()?),
            "--width" => options.width = Some(value()?.parse()?),
            "--height" => options.height = Some(value()?.parse()?),
            "--time" => timed = true,
            "-o" => written = true,
            _ if written => outputs.push(argument),
            _ => inputs.push(argument),
        }
    }
    let mut list = Vec::new();
    for input in &inputs {
        list.push(match input.parse::<u64>() {
            Ok(count) => plans::made_up(count),
            Err(_) if input == "hostile" => plans::hostile(),
            Err(_) if input == "small" => plans::small(),
            Err(_) => {
                let document = circle_memory::read::read(&std::fs::read(input)?, input)?;
                let report =
                    circle_memory::check(&document.memory, &document.places, CheckOptions::default());
                let title = input.rsplit('/').next().unwrap_or(input);
                Plan::new(title, document.memory).with_findings(&report.findings)
            }
        });
    }
    for output in &outputs {
        let began = std::time::Instant::now();
        let bytes = match output.rsplit('.').next() {
            Some("svg") => svg(&list, &options)?.into_bytes(),
            Some("png") => png(&list, &options)?,
            Some("jpg" | "jpeg") => jpeg(&list, &options)?,
            Some("html") => html(&list, &options)?.into_bytes(),
            _ => return Err(format!("{output}: the ending names no picture format").into()),
        };
        if timed {
            println!("{output}: {} bytes in {:.1} ms", bytes.len(), began.elapsed().as_secs_f64() * 1e3);
        }
        std::fs::write(output, bytes)?;
    }
    Ok(())
}
