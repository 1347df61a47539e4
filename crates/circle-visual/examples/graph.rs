//! Draws a scene given as JSON, or a made-up one of a given number of operators:
//! `graph <scene.json | NUMBER | hostile> <OUT.svg | .png | .jpg | .html>... [--dark] [--origin] [--time]`.

#![allow(clippy::print_stdout, reason = "an example prints its measurements")]

mod scenes;

use circle_visual::{ColourBy, Options, Theme};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut files = Vec::new();
    let mut timed = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--dark" => options.theme = Theme::Dark,
            "--time" => timed = true,
            "--origin" => options.colour = ColourBy::Origin,
            _ => files.push(argument),
        }
    }
    let (input, outputs) =
        files.split_first().ok_or("usage: graph <scene.json | NUMBER | hostile> <OUT>...")?;
    let scene = match input.parse::<u32>() {
        Ok(count) => scenes::made_up(count),
        Err(_) if input == "hostile" => scenes::hostile(),
        Err(_) => serde_json::from_slice(&std::fs::read(input)?)?,
    };
    for output in outputs {
        let began = std::time::Instant::now();
        let bytes = match output.rsplit('.').next() {
            Some("svg") => circle_visual::svg(&scene, &options)?.into_bytes(),
            Some("png") => circle_visual::png(&scene, &options)?,
            Some("jpg" | "jpeg") => circle_visual::jpeg(&scene, &options)?,
            Some("html") => circle_visual::html(&scene, &options)?.into_bytes(),
            _ => return Err(format!("{output}: the ending names no picture format").into()),
        };
        if timed {
            println!("{output}: {} bytes in {:.3} s", bytes.len(), began.elapsed().as_secs_f64());
        }
        std::fs::write(output, bytes)?;
    }
    Ok(())
}
