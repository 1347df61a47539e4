//! A segment of the page's data, as columns.

use super::chart::{Chart, Panel};
use super::html_strings::Strings;
use super::names::{KINDS, block_name, reason_name};
use circle_memory::{Block, OperatorRef, Segment, Space, TensorRef, TickUnit};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The largest integer that the page can count with as a plain number.
const EXACT: u64 = (1 << 53) - 1;

/// A segment. Columns have one entry a block, by beginning of life; those without any value are left out.
#[derive(Debug, Default, Serialize)]
pub(super) struct SegmentData<'a> {
    name: &'a str,
    size: Option<String>,
    /// Left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    alignment: Option<u64>,
    /// The numbers of a segment some of which exceed [`EXACT`], or whose bytes do together; those below are then left empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    wide: Option<Wide>,
    unit: Option<TickUnit>,
    tick_names: &'a [String],
    /// Added to all ticks.
    base: String,
    /// Position in the file.
    at: Vec<u64>,
    /// Differences to the block before.
    from: Vec<u64>,
    offset: Vec<i64>,
    /// Ticks of life.
    life: Vec<u64>,
    size_of: Vec<u64>,
    name_of: Vec<u32>,
    group: Vec<u32>,
    #[serde(skip_serializing_if = "none")]
    kind: Vec<i32>,
    #[serde(skip_serializing_if = "none")]
    space: Vec<i64>,
    #[serde(skip_serializing_if = "none")]
    tensor: Vec<i32>,
    #[serde(skip_serializing_if = "none")]
    writer: Vec<i32>,
    #[serde(skip_serializing_if = "none")]
    readers: Vec<i32>,
    #[serde(skip_serializing_if = "none")]
    ident: Vec<i32>,
    /// Origins of each block as positions in the plan's list, how many and which.
    origin_count: Vec<u32>,
    origins: Vec<i64>,
    /// Entry, offset and size of second pieces.
    wraps: Vec<(usize, u64, u64)>,
    /// Entries of blocks that stay.
    stays: Vec<usize>,
    /// Id, offset, size, beginning and ticks of life, reason, whether it is open.
    spaces: Vec<(u32, u64, u64, u64, u64, &'static str, bool)>,
    /// What is wrong, each once.
    marks: Vec<Marked<'a>>,
    /// What has to be known of it and is neither fault nor odd.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// What is odd and no fault, in words, and how many each stands for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<(&'a str, usize)>,
    /// Peak, its tick less the base, lower bound, gaps at the peak, what spaces have reserved then and no block takes.
    figures: (String, String, String, String, String),
}

/// Entry (-1 for the segment), what is wrong, and the entry of the other block that has part in it. Where one stands for
/// many: -1 instead, how many they are, the entries of their blocks, and whether there may be more of them.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Marked<'a> {
    One(i64, &'a str),
    Pair(i64, &'a str, i64),
    Many(i64, &'a str, i64, usize, Vec<i64>, bool),
}

/// Numbers as texts, exact however large they are. Ticks are less the base, which a space may begin before; offsets are no
/// differences.
#[derive(Debug, Default, Serialize)]
struct Wide {
    #[serde(skip_serializing_if = "Option::is_none")]
    alignment: Option<String>,
    from: Vec<String>,
    life: Vec<String>,
    offset: Vec<String>,
    size_of: Vec<String>,
    wraps: Vec<(usize, String, String)>,
    spaces: Vec<(u32, String, String, String, String, &'static str, bool)>,
}

impl Wide {
    fn push(&mut self, entry: usize, block: &Block, base: u64) {
        self.from.push(block.alive_from.saturating_sub(base).to_string());
        self.life.push(block.alive_till.saturating_sub(block.alive_from).to_string());
        self.offset.push(block.offset.to_string());
        self.size_of.push(block.size.to_string());
        self.wraps.extend(block.wrap.map(|piece| (entry, piece.offset.to_string(), piece.size.to_string())));
    }
}

/// Whether plain numbers do for all of a segment, with `base` taken off its ticks.
fn is_plain<'b>(
    segment: &Segment,
    blocks: impl Iterator<Item = &'b Block>,
    mut spaces: impl Iterator<Item = &'b Space> + Clone,
    base: u64,
) -> bool {
    let within = |from: u64, till: u64| from >= base && from.max(till) - base <= EXACT;
    let ends = |offset: u64, size: u64| offset.checked_add(size).is_some_and(|end| end <= EXACT);
    // What is added up: the bytes of blocks and those that spaces reserve.
    let mut bytes: u128 = spaces.clone().map(|space| u128::from(space.size)).sum();
    let mut plain = |block: &Block| {
        bytes += u128::from(block.size);
        within(block.alive_from, block.alive_till)
            && ends(block.offset, block.size)
            && block.wrap.is_none_or(|piece| ends(piece.offset, piece.size))
            && bytes <= u128::from(EXACT)
    };
    let mut blocks = blocks;
    blocks.all(&mut plain)
        && spaces.all(|s| ends(s.offset, s.size) && within(s.alive_from, s.alive_till))
        && segment.size.unwrap_or(0) <= EXACT
        && segment.alignment.unwrap_or(1) <= EXACT
}

fn none<T: Copy + Into<i64>>(column: &[T]) -> bool {
    column.iter().all(|value| (*value).into() < 0)
}

/// The columns of panel `number`.
pub(super) fn segment<'a>(
    chart: &Chart<'a>,
    number: usize,
    panel: &Panel<'a>,
    strings: &mut Strings,
) -> SegmentData<'a> {
    let Some(whole) = panel.memory.segments.get(panel.at) else { return SegmentData::default() };
    let none = BTreeMap::new();
    let names = chart.origins.get(panel.plan).unwrap_or(&none);
    let positions: BTreeMap<u32, i64> = names.keys().zip(0..).map(|(id, position)| (*id, position)).collect();
    // Blocks as they are in the file: their lives are not cut to the ticks that were asked for.
    let block = |k: usize| whole.blocks.get(panel.place(k));
    let first = (0..panel.segment.blocks.len()).filter_map(block).map(|b| b.alive_from).min().unwrap_or(0);
    let last = (0..panel.segment.blocks.len()).filter_map(block).map(|b| b.alive_till).max().unwrap_or(0);
    let base = if last > EXACT { first } else { 0 };
    // As are the spaces that blocks or ticks shown have part in; the others are left out.
    let spaces = || (0..panel.segment.spaces.len()).filter_map(|k| panel.whole_space(k));
    let plain = is_plain(whole, (0..panel.segment.blocks.len()).filter_map(block), spaces(), base);
    let tick = panel.memory.tick_of(whole);
    let f = &panel.figures;
    let mut data = SegmentData {
        name: &whole.name,
        size: whole.size.map(|size| size.to_string()),
        alignment: whole.alignment.filter(|&alignment| plain && alignment > 1),
        wide: (!plain).then(|| Wide {
            alignment: whole
                .alignment
                .filter(|&alignment| alignment > 1)
                .map(|alignment| alignment.to_string()),
            ..Wide::default()
        }),
        unit: Some(tick.unit),
        tick_names: &tick.names,
        base: base.to_string(),
        figures: (
            f.peak.to_string(),
            f.peak_tick.map(|tick| tick.saturating_sub(base).to_string()).unwrap_or_default(),
            f.lower_bound.to_string(),
            f.gaps_at_peak().to_string(),
            f.reserved_at_peak.to_string(),
        ),
        ..SegmentData::default()
    };
    let blocks = (0..panel.segment.blocks.len()).filter_map(|k| Some((block(k)?.alive_from, k)));
    let mut order: Vec<(u64, usize)> = blocks.collect();
    order.sort_unstable();
    let mut entries: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut tick_before, mut offset_before) = (base, 0);
    for (entry, (_, k)) in order.iter().enumerate() {
        let Some(b) = block(*k) else { continue };
        let place = panel.place(*k);
        if !panel.marks.is_empty() {
            entries.insert(place, entry);
        }
        data.at.push(place as u64);
        match &mut data.wide {
            Some(wide) => wide.push(entry, b, base),
            None => {
                data.from.push(b.alive_from - tick_before);
                tick_before = b.alive_from;
                data.offset.push(b.offset as i64 - offset_before);
                offset_before = b.offset as i64;
                // A life that ends before it begins is none.
                data.life.push(b.alive_till.saturating_sub(b.alive_from));
                data.size_of.push(b.size);
                data.wraps.extend(b.wrap.map(|piece| (entry, piece.offset, piece.size)));
            }
        }
        data.name_of.push(strings.number(&block_name(b, place, names)));
        data.group.push(chart.paint.class(number, *k));
        data.kind
            .push(b.kind.and_then(|kind| KINDS.iter().position(|k| *k == kind)).map_or(-1, |k| k as i32));
        data.space.push(b.space.map_or(-1, i64::from));
        data.tensor.push(strings.optional(b.tensor.as_ref().map(tensor)));
        data.writer.push(strings.optional(b.written_by.as_ref().map(operator)));
        let readers: Vec<String> = b.read_by.iter().take(50).map(operator).collect();
        data.readers.push(strings.optional(Some(readers.join(", "))));
        data.ident.push(strings.optional(b.id.clone()));
        data.origin_count.push(b.origins.len() as u32);
        // An origin that is not listed is given by its id, below zero.
        let origin = |id: &u32| positions.get(id).copied().unwrap_or(-1 - i64::from(*id));
        data.origins.extend(b.origins.iter().map(origin));
        if b.stays {
            data.stays.push(entry);
        }
    }
    for s in spaces() {
        let life = s.alive_till.saturating_sub(s.alive_from);
        match &mut data.wide {
            Some(wide) => {
                let from = i128::from(s.alive_from) - i128::from(base);
                let [offset, size, life] = [s.offset, s.size, life].map(|number| number.to_string());
                let from = from.to_string();
                wide.spaces.push((s.id, offset, size, from, life, reason_name(s.reason), s.open));
            }
            None => {
                let (from, reason) = (s.alive_from - base, reason_name(s.reason));
                data.spaces.push((s.id, s.offset, s.size, from, life, reason, s.open));
            }
        }
    }
    if circle_memory::is_unplanned(whole) {
        data.note = Some("offsets are not planned yet: all blocks are drawn from address 0 on");
    }
    for mark in &panel.marks {
        if mark.warning {
            data.warnings.push((&mark.message, mark.count()));
            continue;
        }
        let mut known = mark.blocks().filter_map(|block| entries.get(&block)).map(|entry| *entry as i64);
        if mark.further > 0 {
            let entries = known.collect();
            data.marks.push(Marked::Many(-1, &mark.message, -1, mark.count(), entries, mark.at_least));
            continue;
        }
        let entry = known.next().unwrap_or(-1);
        data.marks.push(match known.next() {
            Some(other) => Marked::Pair(entry, &mark.message, other),
            None => Marked::One(entry, &mark.message),
        });
    }
    data
}

/// A tensor in words.
fn tensor(tensor: &TensorRef) -> String {
    let mut text = tensor.dtype.clone().unwrap_or_default();
    if let Some(shape) = &tensor.shape {
        let shape: Vec<String> = shape.iter().map(i64::to_string).collect();
        // Writing to a string does not fail, here and below.
        let _ = write!(text, "[{}]", shape.join(","));
    }
    for word in [
        tensor.name.clone(),
        tensor.index.map(|index| format!("(tensor {index} of subgraph {})", tensor.subgraph)),
    ] {
        if let Some(word) = word.filter(|word| !word.is_empty()) {
            let _ = write!(text, "{}{word}", if text.is_empty() { "" } else { " " });
        }
    }
    text
}

/// An operator in words.
fn operator(operator: &OperatorRef) -> String {
    let mut text = String::new();
    let place = operator.index.map(|index| format!("(operator {index} of subgraph {})", operator.subgraph));
    let output = operator.output.map(|output| format!("output {output}"));
    for word in [operator.opcode.clone(), operator.name.clone(), place, output].into_iter().flatten() {
        let _ = write!(text, "{}{word}", if text.is_empty() { "" } else { " " });
    }
    text
}
