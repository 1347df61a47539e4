//! What is told of a plan, to people and to programs.

use circle_liveness::Arena;
use circle_liveness::banks::Proof;
use circle_liveness::order::Reordered;
use serde_json::{Map, Value, json};

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

/// The report: what each memory takes.
pub(super) fn segments_json(segments: &[Segment<'_>]) -> Value {
    let list: Vec<Value> = segments
        .iter()
        .map(|segment| {
            json!({
                "name": segment.name, "size": segment.size, "lower_bound": segment.lower_bound,
                "optimal": segment.optimal(), "planner": segment.planner, "blocks": segment.blocks,
                "capacity": segment.capacity, "alignment": segment.alignment,
            })
        })
        .collect();
    json!({ "schema_version": 1, "segments": list })
}

/// Whether every block has a bank: `found`, proven to be `impossible`, or `not_found`; why, and which blocks have none.
pub(super) fn assignment_json(homeless: &[String], proof: Option<&Proof>) -> Map<String, Value> {
    // JSON's own numbers end at 64 bits here.
    let number = |bytes: u128| u64::try_from(bytes).map_or_else(|_| bytes.to_string().into(), Value::from);
    let assignment = match proof {
        _ if homeless.is_empty() => json!({ "result": "found" }),
        None => json!({ "result": "not_found", "reason": NOT_FOUND }),
        Some(proof) => {
            let details = match proof {
                Proof::Block { name } => json!({ "kind": "block", "block": name }),
                Proof::Tick { tick, bytes, room } => {
                    json!({ "kind": "tick", "tick": tick, "bytes": number(*bytes), "room": number(*room) })
                }
                Proof::Exhausted => json!({ "kind": "exhausted" }),
            };
            json!({ "result": "impossible", "reason": proof.to_string(), "proof": details })
        }
    };
    let mut members = Map::new();
    members.insert("assignment".into(), assignment);
    if !homeless.is_empty() {
        members.insert("without_place".into(), homeless.into());
    }
    members
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

/// What a search for a better order came to.
pub(super) fn reordered_json(found: &Reordered) -> Value {
    json!({
        "before": found.before, "after": found.after, "optimal": found.optimal,
        "subgraphs": found.orders.iter().filter(|order| order.is_some()).count(),
    })
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
