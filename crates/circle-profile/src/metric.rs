//! How the values of a profile's metric combine. Profiles state a name and a unit; the kind follows from them.

use std::sync::Arc;

use circle_ir::lineage::annotation::{Metric, MetricKind};
use circle_metadata::profile::Unit;

/// Words in the name of a size that say that it is the highest level reached and not an amount that adds up.
const LEVELS: [&str; 9] = ["peak", "max", "maximum", "hwm", "rss", "pss", "footprint", "arena", "resident"];

/// Names of sizes that are levels as a whole; in longer names (`memory_read`) the word says nothing.
const WHOLE: [&str; 2] = ["memory", "mem"];

/// How values of the metric combine: times, cycles, energies and counts add up, and so do sizes unless their name
/// says that they are levels (`peak_sram`, `memory`). Percentages and quotients are ratios, texts are labels.
///
/// ```
/// use circle_ir::lineage::annotation::MetricKind;
/// use circle_metadata::profile::Unit;
/// use circle_profile::metric::kind;
/// assert_eq!(kind("dram_read", Unit::Bytes), MetricKind::Additive);
/// assert_eq!(kind("peak_sram", Unit::Bytes), MetricKind::Max);
/// ```
pub fn kind(name: &str, unit: Unit) -> MetricKind {
    match unit {
        Unit::Nanoseconds | Unit::Cycles | Unit::Nanojoules | Unit::Count => MetricKind::Additive,
        Unit::Bytes if is_level(name) => MetricKind::Max,
        Unit::Bytes => MetricKind::Additive,
        Unit::Percent | Unit::Ratio => MetricKind::Ratio,
        Unit::Label => MetricKind::Label,
    }
}

fn is_level(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    WHOLE.contains(&name.as_str()) || words.any(|word| LEVELS.contains(&word))
}

/// The metric of that name and unit. Labels have no unit.
pub fn metric(name: &str, unit: Unit) -> Metric {
    let symbol = if unit == Unit::Label { "" } else { unit.symbol() };
    Metric { name: Arc::from(name), unit: Arc::from(symbol), kind: kind(name, unit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_levels_only_when_their_name_says_so() {
        for (name, level) in [
            ("memory", true),
            ("Peak SRAM", true),
            ("arena_size", true),
            ("memory_read", false),
            ("maxpool_traffic", false),
            ("bytes", false),
        ] {
            assert_eq!(kind(name, Unit::Bytes) == MetricKind::Max, level, "{name}");
        }
        assert_eq!(kind("peak_time", Unit::Nanoseconds), MetricKind::Additive);
        assert_eq!(kind("util", Unit::Percent), MetricKind::Ratio);
        assert_eq!(&*metric("backend", Unit::Label).unit, "");
    }
}
