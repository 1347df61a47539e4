//! Two plans in words: by how much the peak changed, and which original layers made the difference.

use std::fmt::Write as _;

use circle_memory::Memory;
use circle_memory::analysis::{Comparison, Figures, OriginChange, compare};
use serde::Serialize;

use super::{Options, part};
use crate::failure::{Failure, shown};
use crate::output;

/// So many layers are listed, unless more is asked for; the others are added up.
const LISTED: usize = 20;

/// Prints the comparison of two plans, or of the parts of them that are asked for, as text or JSON.
pub(super) fn print(
    options: &Options,
    before: (&str, &Memory),
    after: (&str, &Memory),
    as_json: bool,
) -> Result<(), Failure> {
    // A picture on standard output is not to be mixed with text.
    if options.output.as_deref() == Some("-") || options.common.quiet && !as_json {
        return Ok(());
    }
    if as_json {
        return output::print(&json(options, before, after)?);
    }
    let comparisons = compare(before.1, after.1);
    let most = if options.common.verbose > 0 { usize::MAX } else { LISTED };
    let mut out = String::new();
    if let Some(ticks) = &options.cycles {
        let _ = writeln!(out, "only {}: figures, too, are of these\n", part::words(ticks));
    }
    for comparison in &comparisons {
        let _ = writeln!(out, "segment {}", heading(comparison, after.1));
        table(&mut out, (before.0, after.0), comparison, most);
        let all = |memory: &Memory, at: Option<usize>| {
            let blocks = at.and_then(|at| memory.segments.get(at)).map(|segment| segment.blocks.as_slice());
            blocks.unwrap_or_default().iter().map(|block| i128::from(block.size)).sum::<i128>()
        };
        let (old, new) = (all(before.1, comparison.before_at), all(after.1, comparison.after_at));
        let [old, new, change] = [grouped(old), grouped(new), signed(new - old)];
        let _ = writeln!(
            out,
            "  all blocks together, were none to share memory: {old} bytes, {new} after ({change})\n"
        );
    }
    output::print(&out)
}

/// The comparison as JSON.
///
/// # Errors
/// None that is known of.
pub(super) fn json(
    options: &Options,
    before: (&str, &Memory),
    after: (&str, &Memory),
) -> Result<String, Failure> {
    let comparisons = compare(before.1, after.1);
    let ticks = options
        .cycles
        .as_ref()
        .map(|ticks| TicksJson { from: ticks.start, till: Some(ticks.end).filter(|end| *end < u64::MAX) });
    let report = Report {
        schema_version: 1,
        ticks,
        before: before.0,
        after: after.0,
        segments: comparisons.iter().map(SegmentJson::of).collect(),
    };
    output::json_text(&report)
}

/// The name of a segment, and what has to be known of it: that it is called something else after, or is in one plan only.
fn heading(comparison: &Comparison, after: &Memory) -> String {
    let name = shown(&comparison.segment);
    let other = comparison.after_at.and_then(|at| after.segments.get(at));
    match (comparison.before_at, other) {
        (Some(_), Some(other)) if other.name != comparison.segment => {
            format!("{name}, called {} after", shown(&other.name))
        }
        (Some(_), Some(_)) => name,
        (Some(_), None) => format!("{name}, which is only before: no segment after has its name"),
        (None, _) => format!("{name}, which is only after: no segment before has its name"),
    }
}

/// A whole number with its thousands apart.
fn grouped(number: i128) -> String {
    let digits = grouped_bytes(number.unsigned_abs());
    if number < 0 { format!("-{digits}") } else { digits }
}

/// The same of a number without a sign.
fn grouped_bytes(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn signed(number: i128) -> String {
    if number > 0 { format!("+{}", grouped(number)) } else { grouped(number) }
}

fn table(out: &mut String, names: (&str, &str), comparison: &Comparison, most: usize) {
    let Comparison { before, after, layers, .. } = comparison;
    for (name, figures) in [(names.0, before), (names.1, after)] {
        let _ = writeln!(out, "  {name}: {}", peak(figures));
    }
    let change = comparison.change();
    // Tenths of a percent, without a float; halves go to the even one, as in the picture.
    let share = match before.peak {
        0 => String::new(),
        peak => {
            let scaled = change.unsigned_abs() * 1000;
            let (low, rest) = (scaled / peak, scaled % peak * 2);
            let sign = match change {
                0 => "",
                ..0 => "-",
                _ => "+",
            };
            let tenths = low + u128::from(rest > peak || (rest == peak && low % 2 == 1));
            format!(" ({}{}.{} %)", sign, tenths / 10, tenths % 10)
        }
    };
    let _ = writeln!(out, "  difference: {} bytes{share}\n", signed(change));
    let row = |out: &mut String, [before, after, change]: [String; 3], name: &str| {
        let _ = writeln!(out, "  {before:>14} {after:>14} {change:>14}  {name}");
    };
    row(out, ["before".into(), "after".into(), "difference".into()], "bytes at the peak, by original layer");
    let changed = layers.iter().filter(|layer| layer.change() != 0).count();
    // Where nothing changed, the largest ones say what the memory is used for.
    let mut layers: Vec<&OriginChange> = layers.iter().collect();
    if changed == 0 {
        layers.sort_by_key(|layer| std::cmp::Reverse(layer.before));
    }
    let told = if changed == 0 { layers.len() } else { changed };
    let listed = if told <= most.saturating_add(1) { told } else { most };
    let columns = |before: u128, after: u128, change: i128| {
        [before as i128, after as i128].map(grouped).into_iter().chain([signed(change)]).collect::<Vec<_>>()
    };
    let mut put = |before: u128, after: u128, name: &str| {
        let change = after as i128 - before as i128;
        if let Ok(columns) = <[String; 3]>::try_from(columns(before, after, change)) {
            row(out, columns, name);
        }
    };
    for layer in layers.iter().take(listed) {
        let name = layer.layer.as_deref().map_or_else(|| "(origin not known)".to_owned(), shown);
        put(layer.before, layer.after, &name);
    }
    let rest = layers.get(listed..).unwrap_or_default();
    if !rest.is_empty() {
        let sum = |of: fn(&OriginChange) -> u128| rest.iter().map(|layer| of(layer)).sum::<u128>();
        let name = match rest.len() {
            1 => "1 other layer".to_owned(),
            count => format!("{count} other layers"),
        };
        put(sum(|layer| layer.before), sum(|layer| layer.after), &name);
    }
    if before.reserved_at_peak > 0 || after.reserved_at_peak > 0 {
        let name = "reserved by spaces, taken by no block";
        put(before.reserved_at_peak, after.reserved_at_peak, name);
    }
    put(before.gaps_at_peak(), after.gaps_at_peak(), "not in use (fragmentation)");
    put(before.peak, after.peak, "peak");
    out.push('\n');
}

fn peak(figures: &Figures) -> String {
    let without = match figures.without_lifetime {
        0 => String::new(),
        count => format!(", {count} without lifetime"),
    };
    let tick = figures.peak_tick.map_or(String::new(), |tick| format!(" at tick {tick}"));
    format!(
        "peak {} bytes{tick}, lower bound {} bytes, {} block{}{without}",
        grouped_bytes(figures.peak),
        grouped_bytes(figures.lower_bound),
        figures.blocks,
        if figures.blocks == 1 { "" } else { "s" }
    )
}

/// The comparison of two plans. Numbers of bytes are whole numbers, exact also where 64 bits do not hold them.
#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    /// The only ticks that it is about, where not all are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks: Option<TicksJson>,
    before: &'a str,
    after: &'a str,
    segments: Vec<SegmentJson<'a>>,
}

#[derive(Serialize)]
struct TicksJson {
    from: u64,
    /// None where the range has no end.
    till: Option<u64>,
}

#[derive(Serialize)]
struct SegmentJson<'a> {
    segment: &'a str,
    before: FiguresJson,
    after: FiguresJson,
    difference: i128,
    reserved_difference: i128,
    fragmentation_difference: i128,
    layers: Vec<LayerJson<'a>>,
}

#[derive(Serialize)]
struct FiguresJson {
    peak: u128,
    peak_tick: Option<u64>,
    lower_bound: u128,
    reserved: u128,
    fragmentation: u128,
    blocks: usize,
    /// Those of them that never live.
    without_lifetime: usize,
}

#[derive(Serialize)]
struct LayerJson<'a> {
    layer: Option<&'a str>,
    before: u128,
    after: u128,
    difference: i128,
}

impl FiguresJson {
    fn of(figures: &Figures) -> Self {
        Self {
            peak: figures.peak,
            peak_tick: figures.peak_tick,
            lower_bound: figures.lower_bound,
            reserved: figures.reserved_at_peak,
            fragmentation: figures.gaps_at_peak(),
            blocks: figures.blocks,
            without_lifetime: figures.without_lifetime,
        }
    }
}

impl<'a> SegmentJson<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        let layers = comparison.layers.iter().map(|layer| LayerJson {
            layer: layer.layer.as_deref(),
            before: layer.before,
            after: layer.after,
            difference: layer.change(),
        });
        Self {
            segment: &comparison.segment,
            before: FiguresJson::of(&comparison.before),
            after: FiguresJson::of(&comparison.after),
            difference: comparison.change(),
            reserved_difference: comparison.reserved_change(),
            fragmentation_difference: comparison.gap_change(),
            layers: layers.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(-999), "-999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(signed(12_345_678), "+12,345,678");
        assert_eq!(signed(-12_345_678), "-12,345,678");
    }
}
