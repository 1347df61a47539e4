//! Times of reading, checking and writing our own form: `forms [BLOCKS]`, 100,000 by default. Each time is the median of
//! five runs.

#![allow(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::error::Error;
use std::time::Instant;

use circle_memory::read::read;
use circle_memory::write::to_json;
use circle_memory::{Block, CheckOptions, Kind, Memory, Origin, Segment, check};

/// Rows of blocks that follow one another, each with a name of its own.
fn made_up(blocks: u64) -> Memory {
    let block = |at: u64| Block {
        id: Some(format!("b{at}")),
        name: Some(format!("layer{at}/conv")),
        offset: at % 1_000 * 64,
        size: 64,
        alive_from: at / 1_000 * 8,
        alive_till: at / 1_000 * 8 + 8,
        kind: Some(Kind::Activation),
        origins: vec![0],
        ..Block::default()
    };
    let segment =
        Segment { name: "S".into(), blocks: (0..blocks).map(block).collect(), ..Segment::default() };
    let origin = Origin { name: "conv".into(), ..Origin::default() };
    Memory { segments: vec![segment], origins: vec![origin], ..Memory::default() }
}

/// Median of five runs in milliseconds.
fn time<T>(run: impl Fn() -> T) -> f64 {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let began = Instant::now();
            drop(run());
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let blocks = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    let memory = made_up(blocks);
    let json = to_json(&memory);
    let document = read(json.as_bytes(), "made up")?;
    assert_eq!(document.memory, memory);
    let reading = time(|| read(json.as_bytes(), "made up"));
    let checking = time(|| check(&memory, &document.places, CheckOptions::default()));
    let writing = time(|| to_json(&memory));
    println!("{blocks} blocks, {} bytes of JSON", json.len());
    println!("read {reading:.1} ms, checked {checking:.1} ms, written {writing:.1} ms");
    Ok(())
}
