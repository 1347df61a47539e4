//! Blocks in pixels. What is smaller than a pixel, and what is too much to be drawn one by one, is merged into runs of
//! cells: the colour is that of the blocks with the largest part of the cell, the strength says how full it is. A cell
//! that a block touches is never empty.

use super::axis::end;
use super::chart::Panel;
use super::paint::Paint;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

/// Most blocks that are drawn one by one in a panel: the largest ones.
const WHOLE: usize = 5_000;
/// Most runs of cells in a panel; beyond, cells are larger.
const RUNS: usize = 60_000;
/// Steps of strength.
const LEVELS: f32 = 4.0;

/// A piece of a block, in pixels from the upper left corner of the plot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    pub(super) block: usize,
    /// 0 for the first piece, 1 for the second.
    pub(super) piece: usize,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Cells of one class and strength, as path data.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) class: u32,
    /// 0 to 1.
    pub(super) strength: f32,
    pub(super) path: String,
}

/// All blocks of a panel.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// One by one, in the order of drawing: by beginning of life.
    pub(super) whole: Vec<Drawn>,
    pub(super) runs: Vec<Run>,
}

/// From ticks and addresses to pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub(super) from: u64,
    pub(super) per_tick: f64,
    /// The address at the lower end.
    pub(super) base: u64,
    pub(super) per_byte: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Scale {
    pub(super) fn x(&self, tick: u64) -> f64 {
        // Exact differences: ticks may be large.
        let (later, ticks) = (tick >= self.from, tick.abs_diff(self.from) as f64 * self.per_tick);
        if later { ticks.min(self.width) } else { (-ticks).max(0.0) }
    }

    pub(super) fn y(&self, address: impl Into<u128>) -> f64 {
        // What lies below the axis, does so by less than all.
        (self.height - address.into().saturating_sub(self.base.into()) as f64 * self.per_byte).max(0.0)
    }
}

/// Places the blocks of panel number `number`.
pub(super) fn cells(panel: &Panel<'_>, number: usize, paint: &Paint, scale: &Scale) -> Cells {
    let mut all: Vec<Drawn> = Vec::new();
    for (block, b) in panel.segment.blocks.iter().enumerate().filter(|(_, b)| b.alive_from < b.alive_till) {
        let (left, right) = (scale.x(b.alive_from), scale.x(b.alive_till));
        for (piece, p) in b.pieces().enumerate().filter(|(_, p)| p.size > 0) {
            let (y, low) = (scale.y(end(p)), scale.y(p.offset));
            if right > left && low > y {
                all.push(Drawn { block, piece, x: left, y, width: right - left, height: low - y });
            }
        }
    }
    let area = |d: &Drawn| d.width * d.height;
    all.sort_by(|a, b| area(b).total_cmp(&area(a)));
    let (mut whole, mut fine): (Vec<Drawn>, Vec<Drawn>) =
        all.into_iter().partition(|d| d.width >= 1.0 && d.height >= 1.0);
    if whole.len() > WHOLE {
        fine.extend(whole.split_off(WHOLE));
    }
    let born = |d: &Drawn| panel.segment.blocks.get(d.block).map(|block| block.alive_from);
    whole.sort_by_key(|d| (born(d), d.block, d.piece));
    fine.sort_by_key(|d| (d.block, d.piece));
    let runs = [1.0, 2.0, 3.0, 4.0, 6.0].into_iter().find_map(|cell| {
        let grid = Grid::new(&fine, cell, scale, |block| paint.class(number, block));
        grid.runs(if cell < 6.0 { RUNS } else { usize::MAX })
    });
    Cells { whole, runs: runs.unwrap_or_default() }
}

struct Grid {
    cell: f64,
    columns: usize,
    rows: usize,
    /// For each cell the class that leads and by how much (the weighted vote of Boyer and Moore), and the part covered.
    cells: Vec<(u32, f32, f32)>,
}

/// Visits of cells, as a multiple of the cells there are. Only where very many blocks are long, or lie upon one
/// another, more would be needed: those that come then have a vote in [`FEW`] of their cells, and cover the others in
/// one go.
const VISITS: usize = 64;
/// A block that touches no more cells is always laid down cell by cell.
const FEW: usize = 16;

/// Blocks too many to be laid down cell by cell.
#[derive(Default)]
struct Heap {
    /// For each cell and one beyond in both directions, by how many more of them it is touched than the cells before.
    change: Vec<i32>,
    /// The largest of them, by which all are coloured where nothing else is.
    largest: Option<(f64, u32)>,
}

impl Grid {
    fn new(fine: &[Drawn], cell: f64, scale: &Scale, class: impl Fn(usize) -> u32) -> Grid {
        let count = |length: f64| (length / cell).ceil().max(1.0) as usize;
        let (columns, rows) = (count(scale.width), count(scale.height));
        let mut grid = Grid { cell, columns, rows, cells: Vec::new() };
        if fine.is_empty() {
            return grid;
        }
        grid.cells = vec![(0, 0.0, 0.0); columns * rows];
        let mut visits = VISITS.saturating_mul(grid.cells.len());
        let mut heap = Heap::default();
        for drawn in fine {
            let (across, down) = grid.touched(drawn);
            let cells = across.len() * down.len();
            match visits.checked_sub(cells) {
                _ if cells <= FEW => grid.add(drawn, class(drawn.block)),
                Some(left) => {
                    visits = left;
                    grid.add(drawn, class(drawn.block));
                }
                None => grid.heap(&mut heap, drawn, class(drawn.block)),
            }
        }
        grid.lay(&heap);
        grid
    }

    /// Columns and rows of the cells that a block touches.
    fn touched(&self, d: &Drawn) -> (Range<usize>, Range<usize>) {
        let range = |from: f64, to: f64, count: usize| {
            let end = ((to / self.cell).ceil() as usize).clamp(1, count);
            ((from / self.cell) as usize).min(count - 1).min(end - 1)..end
        };
        (range(d.x, d.x + d.width, self.columns), range(d.y, d.y + d.height, self.rows))
    }

    /// Notes a block for [`Grid::lay`].
    fn heap(&mut self, heap: &mut Heap, d: &Drawn, class: u32) {
        let line = self.columns + 1;
        heap.change.resize(line * (self.rows + 1), 0);
        let (across, down) = self.touched(d);
        for (column, row, by) in [
            (across.start, down.start, 1),
            (across.end, down.start, -1),
            (across.start, down.end, -1),
            (across.end, down.end, 1),
        ] {
            if let Some(change) = heap.change.get_mut(row * line + column) {
                *change += by;
            }
        }
        // Where it votes differs from block to block, so that every cell hears of its blocks.
        let area = d.width * d.height;
        let part = ((area / (self.cell * self.cell) / FEW as f64) as f32).max(f32::MIN_POSITIVE);
        let all = across.len() * down.len();
        for turn in 0..FEW {
            let at = (turn * all / FEW + d.block.wrapping_mul(7919)) % all.max(1);
            let (column, row) = (across.start + at / down.len().max(1), down.start + at % down.len().max(1));
            self.vote(row * self.columns + column, class, part);
        }
        if heap.largest.is_none_or(|(most, _)| area > most) {
            heap.largest = Some((area, class));
        }
    }

    /// Covers the cells that a heap touches; those that are coloured keep their colour.
    fn lay(&mut self, heap: &Heap) {
        let Some((_, class)) = heap.largest else { return };
        let line = self.columns + 1;
        let mut above = vec![0i32; line];
        for row in 0..self.rows {
            let mut before = 0;
            for column in 0..self.columns {
                before += heap.change.get(row * line + column).copied().unwrap_or(0);
                let Some(touching) = above.get_mut(column) else { continue };
                *touching += before;
                if let Some(cell) = self.cells.get_mut(row * self.columns + column).filter(|_| *touching > 0)
                {
                    if cell.2 <= 0.0 {
                        cell.0 = class;
                    }
                    cell.2 = cell.2.max(1.0);
                }
            }
        }
    }

    fn add(&mut self, d: &Drawn, class: u32) {
        let (left, right) = (d.x / self.cell, (d.x + d.width) / self.cell);
        let (top, low) = (d.y / self.cell, (d.y + d.height) / self.cell);
        let last = |end: f64, count: usize| (end.ceil() as usize).clamp(1, count);
        for column in (left as usize).min(self.columns - 1)..last(right, self.columns) {
            let wide = right.min(column as f64 + 1.0) - left.max(column as f64);
            for row in (top as usize).min(self.rows - 1)..last(low, self.rows) {
                let high = low.min(row as f64 + 1.0) - top.max(row as f64);
                // However small, it leaves a trace.
                let part = ((wide * high) as f32).max(f32::MIN_POSITIVE);
                self.vote(row * self.columns + column, class, part);
            }
        }
    }

    fn vote(&mut self, cell: usize, class: u32, part: f32) {
        let Some((leader, lead, covered)) = self.cells.get_mut(cell) else { return };
        *covered += part;
        if *leader == class {
            *lead += part;
        } else if *lead < part {
            (*leader, *lead) = (class, part - *lead);
        } else {
            *lead -= part;
        }
    }

    /// What a cell looks like: class and step of strength, from 1.
    fn look(&self, column: usize, row: usize) -> Option<(u32, u8)> {
        let (class, _, covered) = *self.cells.get(row * self.columns + column)?;
        (covered > 0.0).then(|| (class, (covered * LEVELS).ceil().clamp(1.0, LEVELS) as u8))
    }

    /// Runs of equal cells along the direction that gives fewer of them; `None` if there are more than `most`.
    fn runs(&self, most: usize) -> Option<Vec<Run>> {
        if self.cells.is_empty() {
            return Some(Vec::new());
        }
        let look = |down: bool, line: usize, at: usize| {
            if down { self.look(line, at) } else { self.look(at, line) }
        };
        let lines = |down: bool| if down { (self.columns, self.rows) } else { (self.rows, self.columns) };
        let count = |down: bool| -> usize {
            let (lines, length) = lines(down);
            let starts = |line: usize| {
                let mut before = None;
                (0..length)
                    .filter(|at| {
                        let now = look(down, line, *at);
                        std::mem::replace(&mut before, now) != now && now.is_some()
                    })
                    .count()
            };
            (0..lines).map(starts).sum()
        };
        let (down, across) = (count(true), count(false));
        if down.min(across) > most {
            return None;
        }
        let down = down <= across;
        let mut paths: BTreeMap<(u32, u8), String> = BTreeMap::new();
        let (lines, length) = lines(down);
        for line in 0..lines {
            let mut at = 0;
            while at < length {
                let Some(now) = look(down, line, at) else {
                    at += 1;
                    continue;
                };
                let mut end = at + 1;
                while end < length && look(down, line, end) == Some(now) {
                    end += 1;
                }
                let (x, y) = if down { (line, at) } else { (at, line) };
                let (width, height) = if down { (1, end - at) } else { (end - at, 1) };
                let [x, y, width, height] = [x, y, width, height].map(|n| n as f64 * self.cell);
                // Writing to a string does not fail.
                let _ = write!(paths.entry(now).or_default(), "M{x} {y}h{width}v{height}h-{width}z");
                at = end;
            }
        }
        let run = |((class, level), path): ((u32, u8), String)| {
            // The weakest step can still be seen.
            Run { class, strength: 0.25 + 0.75 * f32::from(level) / LEVELS, path }
        };
        Some(paths.into_iter().map(run).collect())
    }
}
