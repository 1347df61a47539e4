//! Large synthetic problems.

use circle_plan::Block;

/// Birth within a layer, ticks of life and KiB of the blocks of a decoder layer.
const LAYER: [(u64, u64, u64); 22] = [
    (0, 2, 2),
    (1, 2, 2),
    (2, 2, 4096),
    (3, 4, 2048),
    (4, 4, 2048),
    (5, 4, 512),
    (6, 7, 512),
    (7, 4, 2048),
    (9, 2, 16384),
    (10, 2, 16384),
    (11, 3, 8192),
    (13, 2, 2048),
    (14, 2, 2048),
    (15, 7, 2048),
    (16, 2, 4096),
    (17, 2, 2048),
    (18, 2, 5632),
    (19, 2, 5632),
    (20, 2, 5632),
    (21, 2, 2048),
    (21, 17, 2048),
    (21, 2, 4096),
];

/// A language model's decoder layers, with two caches of each layer that live to the end. `blocks` blocks, or up to
/// a layer more.
pub(crate) fn decoder(blocks: usize) -> Vec<Block> {
    let layers = blocks.div_ceil(LAYER.len() + 2) as u64;
    let mut list = Vec::new();
    for layer in 0..layers {
        let begin = layer * 22;
        for (number, (birth, life, size)) in LAYER.into_iter().enumerate() {
            let lower = begin + birth;
            list.push(Block::new(format!("{layer}.{number}"), lower, lower + life, size * 1024));
        }
        for (name, birth) in [("key", 8), ("value", 12)] {
            list.push(Block::new(format!("{layer}.{name}"), begin + birth, layers * 22 + 1, 512 * 1024));
        }
    }
    list
}

/// Ten copies of a problem, each of which begins when `part / of` of the length of the one before has passed. Sizes of
/// each block of each copy differ from the original by up to `percent`, in multiples of 16 bytes.
pub(crate) fn copies(blocks: &[Block], part: u64, of: u64, percent: u64) -> Vec<Block> {
    let length = blocks.iter().map(|b| b.upper).max().unwrap_or(0);
    let mut below = chance();
    let copy = |number: u64| {
        let shift = number * length * part / of;
        let block = |b: &Block| {
            let share = 100 - percent + below(2 * percent + 1);
            let size = if percent == 0 { b.size } else { (b.size * share / 1600).max(1) * 16 };
            let (id, lower, upper) = (format!("{number}.{}", b.id), b.lower + shift, b.upper + shift);
            Block { id, lower, upper, size, ..b.clone() }
        };
        blocks.iter().map(block).collect::<Vec<_>>()
    };
    (0..10).flat_map(copy).collect()
}

/// Numbers below a bound: a linear congruential generator (the constants are Knuth's MMIX); its high bits are good enough.
fn chance() -> impl FnMut(u64) -> u64 {
    let mut state = 1u64;
    move |bound| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    }
}

/// Sizes from 64 bytes to 64 KiB, most lives short, some of them through a great part of time.
pub(crate) fn random(blocks: usize) -> Vec<Block> {
    let mut below = chance();
    let ticks = blocks as u64;
    let block = |id: usize| {
        let lower = below(ticks);
        let life = if below(100) == 0 { below(ticks / 4 + 1) } else { below(40) };
        Block::new(id.to_string(), lower, lower + 1 + life, (1 + below(1024)) * 64)
    };
    (0..blocks).map(block).collect()
}

/// A training step: an activation of each layer that lives until its gradient, and two blocks that live for a moment.
pub(crate) fn training(blocks: usize) -> Vec<Block> {
    let layers = blocks as u64 / 3;
    let end = 2 * layers;
    let layer = |i: u64| {
        let size = (1 + (i * 7919) % 601) * 1024;
        [
            Block::new(format!("activation {i}"), i, end - i, size),
            Block::new(format!("gradient {i}"), end - i - 1, end - i + 1, size),
            Block::new(format!("scratch {i}"), i, i + 2, 2 * size),
        ]
    };
    (0..layers).flat_map(layer).collect()
}

fn lives(blocks: usize, life: impl Fn(u64) -> (u64, u64)) -> Vec<Block> {
    let block = |i: u64| {
        let ((lower, upper), size) = (life(i), 1 + i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 10_007);
        Block { alignment: 64, ..Block::new(i.to_string(), lower, upper, size) }
    };
    (0..blocks as u64).map(block).collect()
}

/// Each block lives for half of all ticks, one tick later than the one before.
pub(crate) fn stairs(blocks: usize) -> Vec<Block> {
    lives(blocks, |i| (i, i + blocks as u64 / 2))
}

/// Blocks that live from the first tick on, ever longer, and to the last, ever shorter.
pub(crate) fn fan(blocks: usize) -> Vec<Block> {
    lives(blocks, |i| if i % 2 == 0 { (0, i + 1) } else { (i, blocks as u64 + 1) })
}
