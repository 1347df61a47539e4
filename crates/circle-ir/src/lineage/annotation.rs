//! Annotations: measured values that travel with operators. A metric declares its kind, and the kind alone decides
//! how values merge and split; nothing is guessed.

use std::sync::Arc;

use crate::entity::{ClaimSetId, MetricId};

/// How values of a metric combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetricKind {
    /// Time, energy, bytes moved: two operators together cost the sum; parts share it out exactly.
    Additive,
    /// Peak memory: together the larger one; each part has the whole.
    Max,
    /// Utilisation: no value for the fusion follows from those of its members, so merging drops it, with a reason.
    Ratio,
    /// Text such as a backend's name: merging keeps each.
    Label,
}

impl MetricKind {
    /// The name that users and files see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Max => "max",
            Self::Ratio => "ratio",
            Self::Label => "label",
        }
    }
}

/// A measured quantity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Metric {
    /// For instance `time`.
    pub name: Arc<str>,
    /// For instance `ns`; empty for labels.
    pub unit: Arc<str>,
    /// How values combine.
    pub kind: MetricKind,
}

/// A value. Additive and max-like metrics hold integers only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteValue {
    /// In the metric's unit.
    Integer(i64),
    /// A decimal number as it was written, for ratios.
    Decimal(Arc<str>),
    /// A label.
    Text(Arc<str>),
}

/// One measured value on an operator or a constant.
///
/// `over` are the claims of the operator *on which it was measured*. It stays when that operator is fused with
/// others, so that a measurement of one original is still credited to that original alone. A note on a constant is over
/// the claims of the constant, which are empty unless operators were folded into it; what it was measured on is told by
/// where it is, since it never leaves that constant but for the ledger (see [`Subgraph::notes`](crate::Subgraph::notes)).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Note {
    /// What was measured.
    pub metric: MetricId,
    /// The claims of the operator it was measured on.
    pub over: ClaimSetId,
    /// The value.
    pub value: NoteValue,
    /// Where it comes from: file base name and line.
    pub from: Arc<str>,
}

/// Splits `total` over `weights` in integers: the shares add up to `total` exactly, units that do not divide go to
/// the largest fractional parts, ties to the lower index. All-zero weights count as equal.
///
/// This is the largest-remainder method on `i128`, so neither overflow nor rounding can lose a unit.
pub fn share_out(total: i64, weights: &[u64]) -> Vec<i64> {
    if weights.is_empty() {
        return Vec::new();
    }
    let equal = weights.iter().all(|&w| w == 0);
    let weight = |i: usize| if equal { 1 } else { i128::from(weights[i]) };
    let sum: i128 = (0..weights.len()).map(weight).sum();
    let (sign, magnitude) = if total < 0 { (-1, -i128::from(total)) } else { (1, i128::from(total)) };
    let mut shares: Vec<i128> = (0..weights.len()).map(|i| magnitude * weight(i) / sum).collect();
    let mut by_remainder: Vec<usize> = (0..weights.len()).collect();
    by_remainder.sort_by_key(|&i| (std::cmp::Reverse(magnitude * weight(i) % sum), i));
    let left = magnitude - shares.iter().sum::<i128>();
    for &i in by_remainder.iter().take(usize::try_from(left).unwrap_or(0)) {
        shares[i] += 1;
    }
    // Each share is at most |total|, which fits.
    shares.into_iter().map(|share| i64::try_from(sign * share).unwrap_or(i64::MAX)).collect()
}

/// Merges the notes of several operators into those of one. Returns the notes that cannot be carried on.
///
/// Additive values measured over different claims stay apart (their sum is the operator's value); those over equal
/// claims and from one place are added up.
pub fn merge(metrics: &[Metric], parts: Vec<Vec<Note>>) -> (Vec<Note>, Vec<Note>) {
    let several = parts.iter().filter(|notes| !notes.is_empty()).count() > 1;
    let mut all: Vec<Note> = parts.into_iter().flatten().collect();
    if !several {
        return (all, Vec::new());
    }
    all.sort();
    let mut kept: Vec<Note> = Vec::with_capacity(all.len());
    let mut dropped = Vec::new();
    for note in all {
        let kind = metrics.get(note.metric.number() as usize).map_or(MetricKind::Ratio, |m| m.kind);
        let last = kept.last_mut().filter(|last| last.metric == note.metric);
        match (kind, last, &note.value) {
            (MetricKind::Ratio, ..) => dropped.push(note),
            (MetricKind::Additive, Some(last), NoteValue::Integer(more))
                if last.over == note.over && last.from == note.from =>
            {
                match &last.value {
                    NoteValue::Integer(value) if value.checked_add(*more).is_some() => {
                        last.value = NoteValue::Integer(value + more);
                    }
                    _ => kept.push(note),
                }
            }
            (MetricKind::Max, Some(last), NoteValue::Integer(other)) => {
                if matches!(last.value, NoteValue::Integer(value) if value < *other) {
                    *last = note;
                }
            }
            (MetricKind::Label, Some(last), _) if *last == note => {}
            _ => kept.push(note),
        }
    }
    (kept, dropped)
}

/// Splits the notes of one operator over `count` parts: additive ones exactly, the others are copied.
pub fn split(metrics: &[Metric], notes: &[Note], count: usize) -> Vec<Vec<Note>> {
    let mut parts = vec![Vec::with_capacity(notes.len()); count];
    for note in notes {
        let kind = metrics.get(note.metric.number() as usize).map(|m| m.kind);
        match (kind, &note.value) {
            (Some(MetricKind::Additive), NoteValue::Integer(total)) => {
                for (part, share) in parts.iter_mut().zip(share_out(*total, &vec![1; count])) {
                    part.push(Note { value: NoteValue::Integer(share), ..note.clone() });
                }
            }
            _ => parts.iter_mut().for_each(|part| part.push(note.clone())),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_ties_go_to_the_lower_index() {
        assert_eq!(share_out(1000, &[90, 0, 0]), [1000, 0, 0]);
        assert_eq!(share_out(1000, &[60, 20, 20]), [600, 200, 200]);
        assert_eq!(share_out(100, &[0, 0, 0]), [34, 33, 33]);
        assert_eq!(share_out(-100, &[1, 1, 1]), [-34, -33, -33]);
        assert_eq!(share_out(i64::MAX, &[u64::MAX, 1]).iter().sum::<i64>(), i64::MAX);
        assert_eq!(share_out(5, &[]), []);
    }

    fn note(metric: u32, over: u32, value: i64) -> Note {
        Note {
            metric: MetricId::from_number(metric),
            over: ClaimSetId::from_number(over),
            value: NoteValue::Integer(value),
            from: Arc::from("p.csv:1"),
        }
    }

    fn metrics() -> Vec<Metric> {
        [MetricKind::Additive, MetricKind::Max, MetricKind::Ratio]
            .map(|kind| Metric { name: Arc::from(kind.name()), unit: Arc::from("ns"), kind })
            .into()
    }

    #[test]
    fn kinds_decide_how_notes_merge() {
        let parts = vec![
            vec![note(0, 1, 5), note(1, 1, 7), note(2, 1, 1)],
            vec![note(0, 1, 6), note(0, 2, 8), note(1, 2, 9)],
        ];
        let (kept, dropped) = merge(&metrics(), parts);
        assert_eq!(kept, [note(0, 1, 11), note(0, 2, 8), note(1, 2, 9)]);
        assert_eq!(dropped, [note(2, 1, 1)]);
    }

    #[test]
    fn splitting_shares_additive_values_and_copies_others() {
        let parts = split(&metrics(), &[note(0, 1, 10), note(1, 1, 7)], 3);
        let values: Vec<Vec<&NoteValue>> =
            parts.iter().map(|p| p.iter().map(|n| &n.value).collect()).collect();
        let int = |v| NoteValue::Integer(v);
        assert_eq!(values, [[&int(4), &int(7)], [&int(3), &int(7)], [&int(3), &int(7)]]);
    }
}
