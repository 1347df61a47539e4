//! Orders the vertices of each layer so that few segments cross: barycentre sweeps, the best order found is kept.

use super::proper::Proper;

/// Largest number of sweeps over all layers; large graphs get fewer.
const SWEEPS: usize = 24;
/// Work that sweeps may take, in vertices looked at.
const WORK: usize = 600_000;

/// Returns the vertices of each layer from left to right.
pub(super) fn reduce_crossings(proper: &Proper) -> Vec<Vec<u32>> {
    let mut rows = first_order(proper);
    let mut place = vec![0_u32; proper.vertices.len()];
    number(&rows, &mut place);
    let mut best = rows.clone();
    let mut fewest = crossings(proper, &rows, &place);
    let sweeps = (WORK / proper.vertices.len().max(1)).clamp(2, SWEEPS);
    let mut idle = 0;
    for sweep in 0..sweeps {
        if fewest == 0 || idle >= 6 {
            break;
        }
        let down = sweep % 2 == 0;
        for step in 1..rows.len() {
            let layer = if down { step } else { rows.len() - 1 - step };
            sort_row(proper, &mut rows[layer], &mut place, down);
        }
        let now = crossings(proper, &rows, &place);
        if now < fewest {
            fewest = now;
            best.clone_from(&rows);
            idle = 0;
        } else {
            idle += 1;
        }
    }
    best
}

/// Depth-first order from the top: branches start side by side instead of interleaved.
fn first_order(proper: &Proper) -> Vec<Vec<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); proper.layers];
    let mut seen = vec![false; proper.vertices.len()];
    let mut stack: Vec<u32> = Vec::new();
    for root in 0..proper.vertices.len() as u32 {
        if !proper.above.of(root).is_empty() {
            continue;
        }
        stack.push(root);
        while let Some(vertex) = stack.pop() {
            if std::mem::replace(&mut seen[vertex as usize], true) {
                continue;
            }
            rows[proper.vertices[vertex as usize].layer as usize].push(vertex);
            for &segment in proper.below.of(vertex).iter().rev() {
                let lower = proper.segments[segment as usize].lower;
                if !seen[lower as usize] {
                    stack.push(lower);
                }
            }
        }
    }
    rows
}

fn number(rows: &[Vec<u32>], place: &mut [u32]) {
    for row in rows {
        for (position, vertex) in row.iter().enumerate() {
            place[*vertex as usize] = position as u32;
        }
    }
}

/// Sorts a row by the mean place of its neighbours above or below; a vertex without any keeps about its place.
fn sort_row(proper: &Proper, row: &mut [u32], place: &mut [u32], down: bool) {
    let mut keyed: Vec<(f64, u32)> = row
        .iter()
        .map(|&vertex| {
            let near = if down { proper.above.of(vertex) } else { proper.below.of(vertex) };
            let sum: u64 = near
                .iter()
                .map(|&segment| {
                    let segment = proper.segments[segment as usize];
                    u64::from(place[if down { segment.upper } else { segment.lower } as usize])
                })
                .sum();
            let key = if near.is_empty() {
                f64::from(place[vertex as usize])
            } else {
                sum as f64 / near.len() as f64
            };
            (key, vertex)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (position, (slot, (_, vertex))) in row.iter_mut().zip(&keyed).enumerate() {
        *slot = *vertex;
        place[*vertex as usize] = position as u32;
    }
}

/// Number of crossing pairs of segments, by counting inversions with a binary indexed tree.
fn crossings(proper: &Proper, rows: &[Vec<u32>], place: &[u32]) -> u64 {
    let mut total = 0_u64;
    let mut tree: Vec<u32> = Vec::new();
    let mut ends: Vec<u32> = Vec::new();
    for (layer, row) in rows.iter().enumerate() {
        let Some(next) = rows.get(layer + 1) else { break };
        tree.clear();
        tree.resize(next.len() + 1, 0);
        let mut inserted = 0_u64;
        for &vertex in row {
            ends.clear();
            ends.extend(
                proper.below.of(vertex).iter().map(|&s| place[proper.segments[s as usize].lower as usize]),
            );
            ends.sort_unstable();
            for &end in &ends {
                // Segments from further left that end further right cross this one.
                let mut not_right = 0_u64;
                let mut at = end as usize + 1;
                while at > 0 {
                    not_right += u64::from(tree[at]);
                    at &= at - 1;
                }
                total += inserted - not_right;
            }
            for &end in &ends {
                let mut at = end as usize + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
                inserted += 1;
            }
        }
    }
    total
}
