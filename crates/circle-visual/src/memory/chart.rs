//! What stands where in a picture: plans cut to the segments and ticks that are asked for, with their figures.

use super::axis::end;
use super::names::origin_names;
use super::options::Options;
use super::paint::Paint;
use super::plan::{Mark, Plan};
use crate::error::Error;
use circle_memory::analysis::{Alive, Comparison, Figures, alive_at, compare, figures};
use circle_memory::{Memory, Part, Positions, Segment, Space, TickUnit};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One segment of one plan, with axes of its own.
#[derive(Debug)]
pub(super) struct Panel<'a> {
    pub(super) plan: usize,
    pub(super) memory: &'a Memory,
    /// Position of the segment in its plan.
    pub(super) at: usize,
    /// The segment with the blocks that are alive within the ticks shown.
    pub(super) segment: Cow<'a, Segment>,
    /// Where the blocks and spaces of `segment` stand in the plan; `None` if nothing was left out.
    places: Option<Positions>,
    pub(super) unit: TickUnit,
    pub(super) figures: Figures,
    /// Who holds what at the peak tick.
    pub(super) alive: Alive,
    pub(super) marks: Vec<&'a Mark>,
    /// Ticks that the time axis spans, at least one.
    pub(super) ticks: Range<u64>,
    /// The address at which the address axis begins: 0, but where all blocks lie far above it.
    pub(super) base: u64,
    /// The address up to which the address axis reaches, at least 1.
    pub(super) reach: u128,
    /// Whether nothing has a place in the plot: no byte is in use, and no block is at fault.
    pub(super) empty: bool,
}

impl Panel<'_> {
    /// The lower bound, where the addresses that the plan uses can hold it; blocks that overlap may be more bytes.
    pub(super) fn bound(&self) -> Option<u128> {
        let room = self.figures.peak.saturating_sub(ground(&self.segment));
        Some(self.figures.lower_bound).filter(|bound| *bound <= room)
    }

    /// Whether the time axis says something: a panel in which nothing lives has that of the others, or that asked for.
    pub(super) fn is_timed(&self, options: &Options) -> bool {
        self.figures.first_tick.is_some() || options.ticks.is_some() || self.ticks != (0..1)
    }

    /// Where a block of the panel's segment stands in the plan.
    pub(super) fn place(&self, block: usize) -> usize {
        self.places.as_ref().and_then(|places| places.blocks.get(block).copied()).unwrap_or(block)
    }

    /// A space of the panel's segment as it is in the plan: its life is not cut.
    pub(super) fn whole_space(&self, space: usize) -> Option<&Space> {
        let place = self.places.as_ref().and_then(|places| places.spaces.get(space).copied());
        self.memory.segments.get(self.at)?.spaces.get(place.unwrap_or(space))
    }
}

/// A segment before and after, with its panels.
pub(super) type Pair = (Comparison, Option<usize>, Option<usize>);

/// Everything that a picture shows.
#[derive(Debug)]
pub(super) struct Chart<'a> {
    pub(super) plans: &'a [Plan],
    pub(super) options: &'a Options,
    pub(super) panels: Vec<Panel<'a>>,
    /// What is wrong with the plans as a whole, by their numbers.
    pub(super) marks: Vec<(usize, &'a Mark)>,
    /// Names of origins by id, for each plan.
    pub(super) origins: Vec<BTreeMap<u32, String>>,
    pub(super) paint: Paint,
    /// Where two plans are compared: segment by segment, with the panels before and after.
    pub(super) pairs: Option<Vec<Pair>>,
}

impl<'a> Chart<'a> {
    /// # Errors
    /// [`Error::Segment`] where a segment is asked for that no plan has, [`Error::Ticks`] where there are no ticks.
    pub(super) fn new(plans: &'a [Plan], options: &'a Options) -> Result<Chart<'a>, Error> {
        check(plans, options)?;
        let part = part(options);
        let (mut panels, mut of_files) = (Vec::new(), Vec::new());
        for (number, plan) in plans.iter().enumerate() {
            let mut marks: BTreeMap<usize, Vec<&Mark>> = BTreeMap::new();
            for mark in &plan.marks {
                match mark.segment {
                    Some(segment) => marks.entry(segment).or_default().push(mark),
                    None => of_files.push((number, mark)),
                }
            }
            for (at, segment) in plan.memory.segments.iter().enumerate() {
                if part.has(segment) {
                    let marks = marks.remove(&at).unwrap_or_default();
                    panels.push(panel(number, plan, (at, segment), &part, marks));
                }
            }
        }
        let pairs = match plans {
            [before, after] if options.compare => Some(pair(before, after, &panels, &part)),
            _ => None,
        };
        scale(&mut panels, pairs.as_deref(), options);
        let origins: Vec<_> = plans.iter().map(|plan| origin_names(&plan.memory)).collect();
        let paint = Paint::new(&panels, &origins, options);
        Ok(Chart { plans, options, panels, marks: of_files, origins, paint, pairs })
    }

    /// Whether all panels count time in one unit, so that one axis serves all.
    pub(super) fn one_unit(&self) -> bool {
        self.panels.windows(2).all(|two| two[0].unit == two[1].unit)
    }
}

/// What of the plans is asked for.
fn part(options: &Options) -> Part {
    Part { ticks: options.ticks.clone(), segments: options.segments.clone() }
}

/// [`Error::Segment`] where a segment is asked for and none of these names is its.
pub fn missing_segment<'a>(part: &Part, names: impl Iterator<Item = &'a str> + Clone) -> Option<Error> {
    let wanted = part.missing(names.clone())?.to_owned();
    let mut known: Vec<String> = Vec::new();
    for name in names.take(1000) {
        if known.len() < 20 && !known.iter().any(|known| known == name) {
            known.push(name.to_owned());
        }
    }
    Some(Error::Segment { wanted, known })
}

/// Refuses what cannot be drawn.
pub(super) fn check(plans: &[Plan], options: &Options) -> Result<(), Error> {
    let segments = plans.iter().flat_map(|plan| &plan.memory.segments);
    if let Some(missing) = missing_segment(&part(options), segments.map(|segment| segment.name.as_str())) {
        return Err(missing);
    }
    match &options.ticks {
        Some(ticks) if ticks.is_empty() => Err(Error::Ticks { from: ticks.start, till: ticks.end }),
        _ => Ok(()),
    }
}

fn panel<'a>(
    number: usize,
    plan: &'a Plan,
    (at, segment): (usize, &'a Segment),
    part: &Part,
    marks: Vec<&'a Mark>,
) -> Panel<'a> {
    let (cut, places) = match &part.ticks {
        Some(_) => {
            let (cut, places) = part.within(at, segment);
            (Cow::Owned(cut), Some(places))
        }
        None => (Cow::Borrowed(segment), None),
    };
    let figures = figures(&cut);
    let alive = figures.peak_tick.map(|tick| alive_at(&cut, tick)).unwrap_or_default();
    Panel {
        plan: number,
        memory: &plan.memory,
        at,
        places,
        unit: plan.memory.tick_of(segment).unit,
        figures,
        alive,
        marks,
        ticks: 0..1,
        base: 0,
        reach: 1,
        empty: false,
        segment: cut,
    }
}

/// The differences of two plans over what is shown of them.
fn pair(before: &Plan, after: &Plan, panels: &[Panel<'_>], part: &Part) -> Vec<Pair> {
    let (old, new) = (part.shown(&before.memory), part.shown(&after.memory));
    // Panels stand plan by plan.
    let begin = panels.partition_point(|panel| panel.plan == 0);
    let number = |plan: usize, at: usize| {
        let position = if plan == 0 { at } else { begin + at };
        panels.get(position).filter(|panel| panel.plan == plan).map(|_| position)
    };
    compare(&old, &new)
        .into_iter()
        .map(|c| {
            let (a, b) = (c.before_at.and_then(|at| number(0, at)), c.after_at.and_then(|at| number(1, at)));
            (c, a, b)
        })
        .collect()
}

/// The end of the highest faulty block.
fn faulty_end(panel: &Panel<'_>) -> u128 {
    if panel.marks.is_empty() {
        return 0;
    }
    let marked: BTreeSet<usize> = panel.marks.iter().flat_map(|mark| mark.blocks()).collect();
    let blocks = panel.segment.blocks.iter().enumerate();
    let faulty = blocks.filter(|(at, _)| marked.contains(&panel.place(*at)));
    faulty.flat_map(|(_, b)| b.pieces()).map(end).max().unwrap_or(0)
}

/// The lowest address of a block or a space; 0 where there is none.
fn lowest(panel: &Panel<'_>) -> u64 {
    let blocks = panel.segment.blocks.iter().flat_map(|b| b.pieces()).map(|piece| piece.offset);
    blocks.chain(panel.segment.spaces.iter().map(|space| space.offset)).min().unwrap_or(0)
}

/// The lowest address of what has bytes and lives; 0 where there is none.
fn ground(segment: &Segment) -> u128 {
    let blocks = segment.blocks.iter().filter(|block| block.alive_from < block.alive_till);
    let pieces = blocks.flat_map(|block| block.pieces()).filter(|piece| piece.size > 0);
    let spaces = segment.spaces.iter().filter(|s| !s.open && s.size > 0 && s.alive_from < s.alive_till);
    let lowest = pieces.map(|piece| piece.offset).chain(spaces.map(|space| space.offset)).min();
    lowest.unwrap_or(0).into()
}

/// Where an address axis begins. Holes below the blocks are part of a plan, so that is 0, but where the blocks would
/// have less than a fifth of the axis: there the offsets are addresses of a device, whose memory begins at some
/// 0x20000000, and the axis begins at a round address (a multiple of at least a sixteenth of what is shown) below them.
fn base(low: u64, reach: u128) -> u64 {
    // A span that 64 bits do not hold is more than a fifth of whatever lies below it.
    let Ok(span) = u64::try_from(reach.saturating_sub(low.into()).max(1)) else { return 0 };
    if low / 4 < span {
        return 0;
    }
    let step = 1_u64 << (span / 8).max(1).ilog2();
    low - low % step
}

/// Chooses what the axes span. Panels that count in one unit share their time axis, but for operators and steps of two
/// plans that are compared: a fused model has fewer, which says nothing about time. Compared segments share their
/// address axis.
fn scale(panels: &mut [Panel<'_>], pairs: Option<&[Pair]>, options: &Options) {
    let mut spans: BTreeMap<(u8, usize), Range<u64>> = BTreeMap::new();
    let key = |panel: &Panel<'_>| {
        let own = pairs.is_some() && !matches!(panel.unit, TickUnit::Cycle | TickUnit::Ns);
        (panel.unit as u8, if own { panel.plan + 1 } else { 0 })
    };
    for panel in panels.iter() {
        if let (Some(first), Some(end)) = (panel.figures.first_tick, panel.figures.end_tick) {
            let span = spans.entry(key(panel)).or_insert(first..end);
            *span = span.start.min(first)..span.end.max(end);
        }
    }
    for panel in panels.iter_mut() {
        let span = options.ticks.clone().filter(|ticks| spans.values().all(|span| span.end >= ticks.end));
        let own = spans.get(&key(panel)).cloned().unwrap_or(0..1);
        // Plans begin at 0, but for clocks that began long before.
        let from =
            if own.start <= (own.end - own.start) / 4 && options.ticks.is_none() { 0 } else { own.start };
        panel.ticks = span.unwrap_or(from..own.end);
        // Faulty blocks are seen even where none is alive.
        panel.reach = panel.figures.peak.max(faulty_end(panel));
        panel.empty = panel.reach == 0;
        panel.reach = panel.reach.max(1);
        // The end of the memory is shown where it is near enough to say something.
        if let Some(size) =
            panel.segment.size.map(u128::from).filter(|size| *size <= panel.reach.saturating_mul(2))
        {
            panel.reach = panel.reach.max(size);
        }
    }
    for (_, a, b) in pairs.unwrap_or_default() {
        if let (Some(a), Some(b)) = (*a, *b) {
            let reach = panels[a].reach.max(panels[b].reach);
            panels[a].reach = reach;
            panels[b].reach = reach;
        }
    }
    let bases: Vec<u64> = panels.iter().map(|panel| base(lowest(panel), panel.reach)).collect();
    for (panel, base) in panels.iter_mut().zip(bases) {
        panel.base = base;
    }
    for (_, a, b) in pairs.unwrap_or_default() {
        if let (Some(a), Some(b)) = (*a, *b) {
            let low = lowest(&panels[a]).min(lowest(&panels[b]));
            let base = base(low, panels[a].reach);
            panels[a].base = base;
            panels[b].base = base;
        }
    }
}
