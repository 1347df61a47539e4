//! Two plans in words: by how much the peak changed, and which original layers made the difference.

use std::fmt::Write as _;

use circle_memory::Memory;
use circle_memory::analysis::{Comparison, Figures, OriginChange, compare};
use serde_json::{Value, json};

use super::Options;
use crate::failure::{Failure, shown};
use crate::output;

/// So many layers are listed, unless more is asked for; the others are added up.
const LISTED: usize = 20;

/// Prints the comparison of two plans, as text or JSON.
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
        return output::print(&json(before, after));
    }
    let comparisons = compare(before.1, after.1);
    let most = if options.common.verbose > 0 { usize::MAX } else { LISTED };
    let mut out = String::new();
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
pub(super) fn json(before: (&str, &Memory), after: (&str, &Memory)) -> String {
    let comparisons = compare(before.1, after.1);
    let segments: Vec<Value> = comparisons.iter().map(segment_json).collect();
    let report = json!({
        "schema_version": 1,
        "before": before.0,
        "after": after.0,
        "segments": segments,
    });
    format!("{report:#}\n")
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
    let digits = number.unsigned_abs().to_string();
    let mut out = String::from(if number < 0 { "-" } else { "" });
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
            let (peak, scaled) = (u128::from(peak), change.unsigned_abs() * 1000);
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
        put(layer.before.into(), layer.after.into(), &name);
    }
    let rest = layers.get(listed..).unwrap_or_default();
    if !rest.is_empty() {
        let sum = |of: fn(&OriginChange) -> u64| rest.iter().map(|layer| u128::from(of(layer))).sum::<u128>();
        let name = match rest.len() {
            1 => "1 other layer".to_owned(),
            count => format!("{count} other layers"),
        };
        put(sum(|layer| layer.before), sum(|layer| layer.after), &name);
    }
    if before.reserved_at_peak > 0 || after.reserved_at_peak > 0 {
        let name = "reserved by spaces, taken by no block";
        put(before.reserved_at_peak.into(), after.reserved_at_peak.into(), name);
    }
    put(before.gaps_at_peak().into(), after.gaps_at_peak().into(), "not in use (fragmentation)");
    put(before.peak.into(), after.peak.into(), "peak");
    out.push('\n');
}

fn peak(figures: &Figures) -> String {
    let bound = i128::try_from(figures.lower_bound).unwrap_or(i128::MAX);
    let tick = figures.peak_tick.map_or(String::new(), |tick| format!(" at tick {tick}"));
    format!(
        "peak {} bytes{tick}, lower bound {} bytes, {} block{}",
        grouped(figures.peak.into()),
        grouped(bound),
        figures.blocks,
        if figures.blocks == 1 { "" } else { "s" }
    )
}

fn segment_json(comparison: &Comparison) -> Value {
    let figures = |figures: &Figures| {
        json!({
            "peak": figures.peak,
            "peak_tick": figures.peak_tick,
            "lower_bound": figures.lower_bound.to_string().parse::<u64>().ok(),
            "reserved": figures.reserved_at_peak,
            "fragmentation": figures.gaps_at_peak(),
            "blocks": figures.blocks,
        })
    };
    let number = |number: i128| i64::try_from(number).ok();
    let layers = comparison.layers.iter().map(|layer| {
        json!({
            "layer": layer.layer,
            "before": layer.before,
            "after": layer.after,
            "difference": number(layer.change()),
        })
    });
    json!({
        "segment": comparison.segment,
        "before": figures(&comparison.before),
        "after": figures(&comparison.after),
        "difference": number(comparison.change()),
        "reserved_difference": number(comparison.reserved_change()),
        "fragmentation_difference": number(comparison.gap_change()),
        "layers": layers.collect::<Vec<Value>>(),
    })
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
