//! Gives layers their height and folds a tall picture into columns that are read like those of a newspaper.

use super::proper::Proper;
use super::{LAYER_GAP, LAYER_GAP_MAX, Size};

/// Width by height that a folded picture aims at.
const ASPECT: f64 = 1.55;
/// A picture up to this height is never folded, in pixels.
const TALL: f64 = 1500.0;
/// A picture is folded where it is this many times as tall as wide.
const SLENDER: f64 = 1.7;
/// Space between a column and the first line that continues beside, above or below it, in pixels.
pub(super) const LANE_START: f64 = 16.0;
/// Space to the right of the last continuing line, in pixels.
const GUTTER: f64 = 30.0;

/// Where the layers lie.
#[derive(Debug)]
pub(super) struct Folded {
    /// Column of each layer.
    pub(super) column: Vec<usize>,
    /// Upper edge of each layer, in pixels.
    pub(super) top: Vec<f64>,
    /// Lower edge of each layer, in pixels.
    pub(super) bottom: Vec<f64>,
    /// What is added to a vertex's place to bring it into its column, by column.
    pub(super) shift: Vec<f64>,
    /// Right edge of each column, in pixels.
    pub(super) right: Vec<f64>,
    /// Distance of continuing lines behind each column, in pixels.
    pub(super) lane: Vec<f64>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Folds the layers, given the order of their vertices and the centres `x`.
pub(super) fn fold(boxes: &[Size], proper: &Proper, rows: &[Vec<u32>], x: &[f64]) -> Folded {
    let layers = rows.len();
    let mut height = vec![0.0_f64; layers];
    let mut extent = vec![(f64::INFINITY, f64::NEG_INFINITY); layers];
    for (layer, row) in rows.iter().enumerate() {
        for &vertex in row {
            let v = &proper.vertices[vertex as usize];
            if let Some(node) = v.node {
                height[layer] = height[layer].max(boxes[node as usize].height);
            }
            extent[layer].0 = extent[layer].0.min(x[vertex as usize] - v.half);
            extent[layer].1 = extent[layer].1.max(x[vertex as usize] + v.half);
        }
    }
    let mut cut = vec![0_u32; layers];
    let mut gap = vec![LAYER_GAP; layers];
    for segment in &proper.segments {
        let layer = proper.vertices[segment.upper as usize].layer as usize;
        cut[layer] += 1;
        let sideways = (x[segment.upper as usize] - x[segment.lower as usize]).abs();
        gap[layer] = gap[layer].max((20.0 + sideways * 0.06).min(LAYER_GAP_MAX));
    }

    let step: Vec<f64> = height.iter().zip(&gap).map(|(height, gap)| height + gap).collect();
    let starts = breaks(&step, &cut, columns(&step, &extent));
    let mut folded = Folded {
        column: vec![0; layers],
        top: vec![0.0; layers],
        bottom: vec![0.0; layers],
        shift: Vec::new(),
        right: Vec::new(),
        lane: Vec::new(),
        width: 0.0,
        height: 0.0,
    };
    let lanes = |end: usize| if end < layers { f64::from(cut[end - 1]) } else { 0.0 };
    let spacing = |count: f64| (170.0 / count.max(1.0)).clamp(0.5, 7.0);
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([layers]).collect();
    // Room above all columns for the lines that come from the column before.
    let head = ends
        .iter()
        .filter(|end| **end < layers)
        .map(|end| LANE_START + lanes(*end) * spacing(lanes(*end)))
        .fold(0.0, f64::max);
    let mut left = 0.0;
    for (column, (&start, &end)) in starts.iter().zip(&ends).enumerate() {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut y = head;
        for layer in start..end {
            low = low.min(extent[layer].0);
            high = high.max(extent[layer].1);
            folded.column[layer] = column;
            folded.top[layer] = y.round();
            folded.bottom[layer] = (y + height[layer]).round();
            y += step[layer];
        }
        let count = lanes(end);
        let spacing = spacing(count);
        let foot = if count > 0.0 { LANE_START + count * spacing } else { 0.0 };
        folded.height = folded.height.max(folded.bottom[end - 1] + foot);
        folded.shift.push((left - low).round());
        let right = (left + high - low).round();
        folded.right.push(right);
        folded.lane.push(spacing);
        folded.width = right;
        left = right + if end < layers { LANE_START + count * spacing + GUTTER } else { 0.0 };
    }
    folded
}

/// How many columns bring the picture near to the wished proportions.
fn columns(step: &[f64], extent: &[(f64, f64)]) -> usize {
    let height: f64 = step.iter().sum();
    let mut widths: Vec<f64> = extent.iter().map(|(low, high)| high - low).collect();
    widths.sort_by(f64::total_cmp);
    let widest = widths.last().copied().unwrap_or(0.0);
    let usual = widths.get(widths.len() * 9 / 10).copied().unwrap_or(widest) + LANE_START + GUTTER;
    if height <= TALL || height <= widest * SLENDER {
        return 1;
    }
    (ASPECT * height / usual).sqrt().round().max(1.0) as usize
}

/// First layer of each column. Near the wished height a column ends where the fewest lines have to continue.
fn breaks(step: &[f64], cut: &[u32], columns: usize) -> Vec<usize> {
    let mut starts = vec![0];
    if columns < 2 {
        return starts;
    }
    let target = step.iter().sum::<f64>() / columns as f64;
    let mut height = 0.0;
    let mut best: Option<(u32, f64, usize)> = None;
    let mut layer = 0;
    while layer + 1 < step.len() {
        height += step[layer];
        if height >= target * 0.85 {
            let candidate = (cut[layer], (height - target).abs(), layer + 1);
            if best.is_none_or(|best| (candidate.0, candidate.1) < (best.0, best.1)) {
                best = Some(candidate);
            }
        }
        if height >= target * 1.1
            && let Some((_, _, next)) = best.take()
        {
            starts.push(next);
            // The layers behind the chosen break belong to the next column.
            height = 0.0;
            layer = next;
            continue;
        }
        layer += 1;
    }
    starts
}
