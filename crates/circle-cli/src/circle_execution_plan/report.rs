//! What is told of a plan, to people and to programs.

use circle_liveness::Arena;
use circle_liveness::banks::Proof;
use circle_liveness::order::Reordered;
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::model::Input;

/// So many blocks without a place are told one by one.
const LISTED: usize = 20;

/// What is said of a search that ended without an assignment and without a proof.
const NOT_FOUND: &str = "no assignment was found in which all fit; that there is none is not proven";

/// A memory and what it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'a> {
    pub(super) name: &'a str,
    pub(super) size: u64,
    pub(super) capacity: Option<u64>,
    pub(super) lower_bound: u64,
    pub(super) planner: &'a str,
    pub(super) blocks: usize,
    pub(super) alignment: Option<u64>,
}

impl<'a> Segment<'a> {
    pub(super) fn of(arena: &'a Arena) -> Self {
        Self {
            name: &arena.name,
            size: arena.peak,
            capacity: arena.capacity,
            lower_bound: arena.lower_bound,
            planner: &arena.planner,
            blocks: arena.units.len(),
            alignment: arena.alignment,
        }
    }

    fn optimal(&self) -> bool {
        self.size <= self.lower_bound
    }
}

/// The report: what each memory takes, and what else there is to tell. Numbers of bytes are whole numbers, exact also where
/// 64 bits do not hold them.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    schema_version: u32,
    segments: Vec<SegmentJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reorder: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<&'a String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assignment: Option<Assignment<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    without_place: &'a [String],
}

#[derive(Serialize)]
struct SegmentJson<'a> {
    name: &'a str,
    size: u64,
    lower_bound: u64,
    optimal: bool,
    planner: &'a str,
    blocks: usize,
    capacity: Option<u64>,
    alignment: Option<u64>,
}

/// Whether every block has a bank, and why not.
#[derive(Serialize)]
struct Assignment<'a> {
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofJson<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ProofJson<'a> {
    Block { block: &'a str },
    Tick { tick: u64, bytes: u128, room: u128 },
    Exhausted,
}

impl<'a> Report<'a> {
    pub(super) fn new(segments: &[Segment<'a>]) -> Self {
        let list = segments.iter().map(|segment| SegmentJson {
            name: segment.name,
            size: segment.size,
            lower_bound: segment.lower_bound,
            optimal: segment.optimal(),
            planner: segment.planner,
            blocks: segment.blocks,
            capacity: segment.capacity,
            alignment: segment.alignment,
        });
        Self {
            schema_version: 1,
            segments: list.collect(),
            reorder: None,
            left_out: Vec::new(),
            assignment: None,
            without_place: &[],
        }
    }

    /// Tells what a search for a better order came to.
    pub(super) fn reordered(&mut self, found: &Reordered) {
        self.reorder = Some(json!({
            "before": found.before, "after": found.after, "optimal": found.optimal,
            "subgraphs": found.orders.iter().filter(|order| order.is_some()).count(),
        }));
    }

    /// Tells what was left out.
    pub(super) fn left_out(&mut self, texts: Vec<&'a String>) {
        self.left_out = texts;
    }

    /// Tells whether every block has a bank: `found`, proven to be `impossible`, or `not_found`; why, and which have none.
    pub(super) fn assignment(&mut self, homeless: &'a [String], proof: Option<&'a Proof>) {
        let (result, reason, proof) = match proof {
            _ if homeless.is_empty() => ("found", None, None),
            None => ("not_found", Some(NOT_FOUND.to_owned()), None),
            Some(proof) => {
                let details = match proof {
                    Proof::Block { name } => ProofJson::Block { block: name },
                    Proof::Tick { tick, bytes, room } => {
                        ProofJson::Tick { tick: *tick, bytes: *bytes, room: *room }
                    }
                    Proof::Exhausted => ProofJson::Exhausted,
                };
                ("impossible", Some(proof.to_string()), Some(details))
            }
        };
        self.assignment = Some(Assignment { result, reason, proof });
        self.without_place = homeless;
    }
}

/// Blocks that lie in no bank, and why some must not.
pub(super) fn no_place(input: &Input, homeless: &[String], proof: Option<&Proof>) -> Failure {
    let mut told = homeless.iter();
    let mut failure = Failure::at(input.name(), told.next().map_or("", |first| first));
    for text in told.by_ref().take(LISTED - 1) {
        failure = failure.because(text);
    }
    failure = match told.len() {
        0 => failure,
        more => failure.because(format!("and {more} more blocks; the report lists them all")),
    };
    match proof {
        Some(proof) => failure.because(proof),
        None => failure.because(NOT_FOUND),
    }
}

/// A line for each memory.
pub(super) fn summary(segments: &[Segment<'_>]) -> String {
    let mut text = String::new();
    for segment in segments {
        let capacity = segment.capacity.map(|bytes| format!(" of {bytes}")).unwrap_or_default();
        let proof = match segment.size.saturating_sub(segment.lower_bound) {
            0 => "optimal".to_owned(),
            _ => format!("lower bound {}", segment.lower_bound),
        };
        text += &format!(
            "{}: {} bytes{capacity}, {proof}, {} block{}, {}\n",
            crate::failure::shown(segment.name),
            segment.size,
            segment.blocks,
            if segment.blocks == 1 { "" } else { "s" },
            segment.planner
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_beyond_64_bits_are_whole_numbers() {
        let proof = Proof::Tick { tick: 3, bytes: 3 << 63, room: (1 << 64) + 1 };
        let homeless = ["a".to_owned()];
        let mut report = Report::new(&[]);
        report.assignment(&homeless, Some(&proof));
        let text = crate::output::json_text(&report).unwrap();
        for due in
            ["\"kind\": \"tick\"", "\"bytes\": 27670116110564327424,", "\"room\": 18446744073709551617\n"]
        {
            assert!(text.contains(due), "{due} is not in {text}");
        }
        assert!(text.ends_with("\"without_place\": [\n    \"a\"\n  ]\n}\n"), "{text}");
    }
}
