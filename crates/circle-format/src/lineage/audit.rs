//! What a file's own entries say, held against each other: what would be written for the lineage is computed once more
//! and compared with what is there.

use std::fmt;

use circle_ir::import::Draft;
use circle_metadata::one::OneTables;
use circle_metadata::{hex, lineage as blob, origin_id};

use super::from_blob::Taken;
use super::import::payload;
use super::{binding, export};
use crate::read::{self, Loaded, ONE_OP_TABLE, ONE_SOURCE_TABLE, ORIGIN_ID};
use crate::write;

/// Entries that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discord {
    /// The sort: `stale`, `tables`, `digest`.
    pub code: &'static str,
    /// The entry, and where in it.
    pub place: String,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for Discord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// How many differences of one table are listed one by one.
const LISTED: usize = 10;

/// Everything in which the entries of the file `bytes`, read as `loaded`, contradict each other or its operators. A
/// file without a readable lineage of ours has nothing to contradict.
pub fn audit(bytes: &[u8], loaded: &Loaded) -> Vec<Discord> {
    let own = &loaded.own;
    let Some(Ok(blob::Decoded::Known(lineage))) = payload(bytes, &own.lineage).map(blob::decode) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let there = Tables {
        source: payload(bytes, &own.source_table).unwrap_or(&[]),
        op: payload(bytes, &own.op_table).unwrap_or(&[]),
    };
    binding(&lineage, &loaded.draft, there, &mut found);
    if let Some(line) = payload(bytes, &own.origin_id)
        && let (Some(id), _) = origin_id::decode(line)
        && !lineage.files.iter().any(|file| file.md5 == id.md5)
    {
        let text = format!("md5 {} is that of no file of the lineage", hex::encode(&id.md5));
        found.push(Discord { code: "digest", place: ORIGIN_ID.into(), text });
    }
    found
}

#[derive(Clone, Copy)]
struct Tables<'a> {
    source: &'a [u8],
    op: &'a [u8],
}

/// Whether the lineage is that of these operators, and if not, in what they differ.
fn binding(lineage: &blob::Lineage, draft: &Draft, there: Tables<'_>, found: &mut Vec<Discord>) {
    let mut report =
        |code, place: &str, text: String| found.push(Discord { code, place: place.to_owned(), text });
    if !Taken::fits(lineage, draft) {
        report("stale", read::LINEAGE, sizes(lineage, draft));
        return;
    }
    let whole = binding::of_draft(draft, there.source, there.op) == lineage.binding;
    let due = draft.clone().adopt(Taken::new(lineage).complete(lineage)).ok().and_then(|model| {
        let entries = export::export(&model, &write::number(&model), None);
        entries.map_err(|error| report("tables", ONE_OP_TABLE, error.to_string())).ok()
    });
    let Some(due) = due else { return };
    let due_tables = Tables { source: &due.source_table, op: &due.op_table };
    if !whole {
        // With the tables as they should be, the digest tells whether the operators are those that it was made for.
        let same = binding::of_draft(draft, due_tables.source, due_tables.op) == lineage.binding;
        let text = match same {
            true => "the operators are those it was written for, and ONE's tables were changed since",
            false => "operators or their tensors were changed or renumbered since it was written",
        };
        report("stale", read::LINEAGE, text.into());
        if !same {
            // How the tables of a changed model compare says nothing.
            return;
        }
    }
    differences(there, due_tables, draft, &mut report);
}

fn sizes(lineage: &blob::Lineage, draft: &Draft) -> String {
    if lineage.subgraphs.len() != draft.subgraphs.len() {
        let (was, is) = (lineage.subgraphs.len(), draft.subgraphs.len());
        return format!("it was written for {was} subgraphs, and there are {is}");
    }
    let mut pairs = lineage.subgraphs.iter().zip(&draft.subgraphs).enumerate();
    let differ = pairs.find_map(|(index, (was, is))| {
        let (operators, tensors) = (was.operators.len(), was.tensors.len());
        ((operators, tensors) != (is.operators.len(), is.values.len())).then(|| {
            format!(
                "it was written for {operators} operators and {tensors} tensors in subgraph {index}, \
                 and there are {} and {}",
                is.operators.len(),
                is.values.len()
            )
        })
    });
    differ.unwrap_or_default()
}

fn differences(
    there: Tables<'_>,
    due: Tables<'_>,
    draft: &Draft,
    report: &mut impl FnMut(&'static str, &str, String),
) {
    if (there.source, there.op) == (due.source, due.op) {
        return;
    }
    let operators = draft.subgraphs.first().map_or(0, |sg| sg.operators.len());
    let decode = |tables: Tables<'_>| {
        let entries = [(ONE_SOURCE_TABLE, tables.source), (ONE_OP_TABLE, tables.op)];
        let entries = entries.map(|(name, bytes)| (name.as_bytes(), Some(bytes)));
        OneTables::decode(entries, operators).0.unwrap_or_default()
    };
    let (there, due) = (decode(there), decode(due));
    let mut count = 0;
    let mut one = |place: &str, text: String| {
        count += 1;
        if count <= LISTED {
            report("tables", place, text);
        }
    };
    let ids = |set: Option<&std::collections::BTreeSet<u32>>| match set {
        Some(set) => format!("{set:?}"),
        None => "nothing".into(),
    };
    let keys: std::collections::BTreeSet<_> = there.operators.keys().chain(due.operators.keys()).collect();
    for key in keys.into_iter().filter(|key| there.operators.get(key) != due.operators.get(key)) {
        let (is, ought) = (ids(there.operators.get(key)), ids(due.operators.get(key)));
        one(ONE_OP_TABLE, format!("operator {key}: says {is}, and the lineage {ought}"));
    }
    let keys: std::collections::BTreeSet<_> = there.sources.keys().chain(due.sources.keys()).collect();
    for key in keys.into_iter().filter(|key| there.sources.get(key) != due.sources.get(key)) {
        let text = |name: Option<&circle_metadata::name::Name>| match name {
            Some(name) => format!("{:?}", name.lossy()),
            None => "nothing".into(),
        };
        let (is, ought) = (text(there.sources.get(key)), text(due.sources.get(key)));
        one(ONE_SOURCE_TABLE, format!("source {key}: says {is}, and the lineage {ought}"));
    }
    if count == 0 {
        report("tables", ONE_OP_TABLE, "says the same as the lineage in other bytes".into());
    } else if count > LISTED {
        report("tables", ONE_OP_TABLE, format!("and {} more differences", count - LISTED));
    }
}
