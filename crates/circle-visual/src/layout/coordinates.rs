//! Horizontal places: each vertex near its neighbours, without overlaps.
//!
//! For a row in a given order, the places that are nearest to the wished ones in least squares, under the condition
//! that neighbours keep their distance, are an isotonic regression; pooling adjacent violators solves it in linear
//! time. Sweeping down and up with wishes taken from the neighbouring rows straightens the lines.

use super::proper::Proper;

/// Sweeps in each direction, for small and for large graphs.
const SWEEPS: (usize, usize) = (24, 7);
/// From this number of vertices on a graph is large.
const LARGE: usize = 20_000;

/// Returns the centre of each vertex, in pixels, on an axis whose origin has no meaning.
pub(super) fn place(proper: &Proper, rows: &[Vec<u32>]) -> Vec<f64> {
    let mut x = vec![0.0; proper.vertices.len()];
    for row in rows {
        let width: f64 = row.iter().map(|v| 2.0 * proper.vertices[*v as usize].half).sum();
        let mut at = -width / 2.0;
        for &vertex in row {
            let half = proper.vertices[vertex as usize].half;
            x[vertex as usize] = at + half;
            at += 2.0 * half;
        }
    }
    let mut pool = Pool::default();
    let sweeps = if proper.vertices.len() < LARGE { SWEEPS.0 } else { SWEEPS.1 };
    for sweep in 0..sweeps {
        let last = sweep + 3 >= sweeps;
        for row in rows.iter().skip(1) {
            adjust(proper, row, &mut x, true, last, &mut pool);
        }
        for row in rows.iter().rev().skip(1) {
            adjust(proper, row, &mut x, last, true, &mut pool);
        }
    }
    x
}

/// How strongly a segment pulls its ends together. Passing lines are kept straight first, then the trunk of a network;
/// skips and boxes that only feed a constant to their one reader give way to it.
fn pull(proper: &Proper, upper: u32, lower: u32) -> f64 {
    match (proper.vertices[upper as usize].node, proper.vertices[lower as usize].node) {
        (None, None) => 8.0,
        (Some(_), Some(_)) if proper.above.of(upper).is_empty() => 0.1,
        (Some(_), Some(_)) => 1.0,
        _ => 0.4,
    }
}

fn adjust(proper: &Proper, row: &[u32], x: &mut [f64], above: bool, below: bool, pool: &mut Pool) {
    pool.clear();
    let mut offset = 0.0;
    let mut before = 0.0;
    for &vertex in row {
        let half = proper.vertices[vertex as usize].half;
        let (mut sum, mut weight) = (0.0, 0.0);
        if above {
            for &segment in proper.above.of(vertex) {
                let other = proper.segments[segment as usize].upper;
                let pull = pull(proper, other, vertex);
                sum += pull * x[other as usize];
                weight += pull;
            }
        }
        if below {
            for &segment in proper.below.of(vertex) {
                let other = proper.segments[segment as usize].lower;
                let pull = pull(proper, vertex, other);
                sum += pull * x[other as usize];
                weight += pull;
            }
        }
        // A vertex that nothing pulls yields to all others.
        let (wish, weight) = if weight > 0.0 { (sum / weight, weight) } else { (x[vertex as usize], 0.05) };
        offset += before + half;
        pool.push(wish - offset, weight);
        before = half;
    }
    let mut offset = 0.0;
    let mut before = 0.0;
    for (&vertex, value) in row.iter().zip(pool.values()) {
        let half = proper.vertices[vertex as usize].half;
        offset += before + half;
        x[vertex as usize] = value + offset;
        before = half;
    }
}

/// Blocks of pooled neighbours: weighted sum, weight, number of members.
#[derive(Default)]
struct Pool {
    blocks: Vec<(f64, f64, usize)>,
}

impl Pool {
    fn clear(&mut self) {
        self.blocks.clear();
    }

    fn push(&mut self, wish: f64, weight: f64) {
        let mut block = (wish * weight, weight, 1);
        while let Some(&(sum, weight, members)) = self.blocks.last() {
            if sum / weight < block.0 / block.1 {
                break;
            }
            block = (block.0 + sum, block.1 + weight, block.2 + members);
            self.blocks.pop();
        }
        self.blocks.push(block);
    }

    /// The solution, one value a member.
    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.blocks.iter().flat_map(|(sum, weight, members)| std::iter::repeat_n(sum / weight, *members))
    }
}
