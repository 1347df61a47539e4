//! Every answer against one that looks at all blocks.

use super::{Occupancy, Taken};
use crate::problem::align_up;
use crate::random::Random;

/// Union of the addresses met, sorted.
fn spans(taken: &[Taken], from: usize, to: usize) -> Vec<(u64, u64)> {
    let met = taken.iter().filter(|t| t.from < to && from < t.to);
    let mut spans: Vec<(u64, u64)> = met.map(|t| (t.offset, t.end)).collect();
    spans.sort_unstable();
    let mut union: Vec<(u64, u64)> = Vec::new();
    for (offset, end) in spans {
        match union.last_mut() {
            Some(last) if offset <= last.1 => last.1 = last.1.max(end),
            _ => union.push((offset, end)),
        }
    }
    union
}

fn naive(taken: &[Taken], from: usize, to: usize, size: u64, alignment: u64, best: bool, least: u64) -> u64 {
    let union = spans(taken, from, to);
    let mut at = 0;
    let mut holes = Vec::new();
    for &(offset, end) in &union {
        holes.push((at, offset));
        at = end;
    }
    // The last hole does not end, so best fit takes it only for want of another.
    holes.push((at, u64::MAX));
    let place = |hole: &(u64, u64)| align_up(hole.0.max(least), alignment);
    let fits = holes.into_iter().filter(|hole| place(hole).saturating_add(size) <= hole.1);
    let chosen = if best { fits.min_by_key(|hole| hole.1 - hole.0) } else { fits.min() };
    place(&chosen.unwrap())
}

#[test]
fn places_are_those_found_by_looking_at_all_blocks() {
    for seed in 0..60u64 {
        let mut random = Random::new(seed);
        let sections = 1 + random.below(if seed % 3 == 0 { 400 } else { 40 });
        let longest = if seed % 2 == 0 { sections } else { 5.min(sections) };
        // Buckets and measures of holes follow from what is expected, answers do not.
        let lives: Vec<(usize, usize)> =
            (0..random.below(200)).map(|_| (random.below(sections), random.below(sections))).collect();
        let unit = [1, 2, 4][random.below(3)];
        let mut occupancy = Occupancy::new(sections, lives.into_iter(), unit);
        for round in 0..2 {
            let mut taken: Vec<Taken> = Vec::new();
            for turn in 0..150 {
                let from = random.below(sections);
                let to = (from + 1 + random.below(longest)).min(sections);
                let (size, alignment) = (1 + random.below(30) as u64, [1, 1, 4, 6][random.below(4)]);
                let found = occupancy.smallest(from, to, size, alignment);
                let wanted = naive(&taken, from, to, size, alignment, true, 0);
                assert_eq!(found, wanted, "seed {seed}, round {round}, turn {turn}, smallest");
                let least = if random.below(2) == 0 { 0 } else { random.below(200) as u64 };
                let found = occupancy.lowest(from, to, size, alignment, least);
                let wanted = naive(&taken, from, to, size, alignment, false, least);
                assert_eq!(found, wanted, "seed {seed}, round {round}, turn {turn}, lowest");
                // Anywhere, so that there are many holes, and spans that overlap.
                let offset = random.below(300) as u64;
                let new = Taken { from, to, offset, end: offset + size };
                occupancy.insert(new);
                taken.push(new);
            }
            occupancy.clear();
            assert_eq!(occupancy.smallest(0, sections, 1, 1), 0);
        }
    }
}
