//! What must hold between the records of a lineage, whichever way it came.

use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;

use super::record::{Claim, Lineage, NoteValue};
use crate::decimal;
use crate::name::Text;

/// Records that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The list at fault, such as `claim_sets`.
    pub table: &'static str,
    /// Row in that list.
    pub row: u64,
    /// What is wrong, with the value and the bound.
    pub text: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} row {}: {}", self.table, self.row, self.text)
    }
}

impl std::error::Error for Invalid {}

/// The most passes, reasons and metrics of a lineage, each of them. There are some dozens of each.
pub const MAX_WORDS: usize = 4096;

/// The most bytes that the name of a pass or metric, its unit, or a reason has. They are a word or a sentence.
pub const MAX_WORD: usize = 1024;

/// A row that is being looked at.
#[derive(Clone, Copy)]
struct Place {
    table: &'static str,
    row: usize,
}

impl Place {
    fn fail<T>(self, text: String) -> Result<T, Invalid> {
        Err(Invalid { table: self.table, row: self.row as u64, text })
    }

    fn index(self, what: &str, index: u32, bound: usize) -> Result<(), Invalid> {
        if (index as usize) < bound {
            return Ok(());
        }
        self.fail(format!("{what} {index} does not exist ({bound} there)"))
    }

    fn maybe(self, what: &str, index: Option<u32>, bound: usize) -> Result<(), Invalid> {
        index.map_or(Ok(()), |index| self.index(what, index, bound))
    }

    fn ascending(self, what: &str, values: &[u32], bound: usize) -> Result<(), Invalid> {
        for pair in values.windows(2) {
            if let [before, after] = pair
                && before >= after
            {
                return self.fail(format!("{what} {after} stands after {before}"));
            }
        }
        values.last().map_or(Ok(()), |&last| self.index(what, last, bound))
    }
}

fn rows<'a, T>(table: &'static str, rows: &'a [T]) -> impl Iterator<Item = (Place, &'a T)> {
    rows.iter().enumerate().map(move |(row, value)| (Place { table, row }, value))
}

impl Lineage {
    /// Checks every index, order and uniqueness that readers rely on. Takes time in proportion to the
    /// size of the lineage, but for the look-up of source ids.
    ///
    /// # Errors
    /// The first record that breaks a rule.
    pub fn check(&self) -> Result<(), Invalid> {
        self.check_words()?;
        self.check_files()?;
        self.check_sources()?;
        self.check_sets()?;
        self.check_history()?;
        self.check_subgraphs()?;
        self.check_tensor_notes()?;
        self.check_notes()
    }

    /// Lists whose members are looked up by comparing and shown wherever they are used: they stay short.
    fn check_words(&self) -> Result<(), Invalid> {
        let words = |table, texts: &[Text]| {
            let at = Place { table, row: texts.len() };
            if texts.len() > MAX_WORDS {
                return at.fail(format!("{} of them, and {MAX_WORDS} are the most", texts.len()));
            }
            let long = rows(table, texts).find(|(_, text)| text.as_str().len() > MAX_WORD);
            long.map_or(Ok(()), |(at, text)| {
                at.fail(format!("a text of {} bytes, and {MAX_WORD} are the most", text.as_str().len()))
            })
        };
        words("passes", &self.passes)?;
        words("reasons", &self.reasons)?;
        if self.metrics.len() > MAX_WORDS {
            let at = Place { table: "metrics", row: self.metrics.len() };
            return at.fail(format!("{} of them, and {MAX_WORDS} are the most", self.metrics.len()));
        }
        for (at, metric) in rows("metrics", &self.metrics) {
            let len = metric.name.as_str().len().max(metric.unit.as_str().len());
            if len > MAX_WORD {
                return at.fail(format!("a text of {len} bytes, and {MAX_WORD} are the most"));
            }
        }
        Ok(())
    }

    fn check_files(&self) -> Result<(), Invalid> {
        for (at, file) in rows("files", &self.files) {
            let name = file.name.as_bytes();
            if name.is_empty() || name.contains(&b'/') || name.contains(&0) {
                return at.fail(format!("\"{}\" is not the base name of a file", file.name));
            }
        }
        Ok(())
    }

    fn check_sources(&self) -> Result<(), Invalid> {
        let mut least = 0_u64;
        for (at, source) in rows("sources", &self.sources) {
            if u64::from(source.id) < least || source.id == u32::MAX {
                return at.fail(format!("id {} is not in ascending order below {}", source.id, u32::MAX));
            }
            least = u64::from(source.id) + 1;
            at.maybe("file", source.file, self.files.len())?;
        }
        for (at, tensor) in rows("tensor_sources", &self.tensor_sources) {
            at.maybe("file", tensor.file, self.files.len())?;
        }
        Ok(())
    }

    fn check_sets(&self) -> Result<(), Invalid> {
        for (at, set) in rows("claim_sets", &self.claim_sets) {
            self.check_claims(at, set)?;
        }
        interned("claim_sets", &self.claim_sets)?;
        for (at, set) in rows("tensor_sets", &self.tensor_sets) {
            at.ascending("tensor source", set, self.tensor_sources.len())?;
        }
        interned("tensor_sets", &self.tensor_sets)
    }

    fn check_claims(&self, at: Place, set: &[Claim]) -> Result<(), Invalid> {
        let mut before = None;
        for claim in set {
            if before.is_some_and(|before| before >= claim.source) {
                return at.fail(format!("source {} is not in ascending order", claim.source));
            }
            before = Some(claim.source);
            if !self.has_source(claim.source) {
                return at.fail(format!("source {} does not exist", claim.source));
            }
            if let Some(part) = claim.part
                && !(1..=part.of).contains(&part.index)
            {
                return at.fail(format!("part {} of {} does not exist", part.index, part.of));
            }
        }
        Ok(())
    }

    fn has_source(&self, id: u32) -> bool {
        // Ids ascend and mostly leave no gaps: then the place follows from the id.
        let first = self.sources.first().map_or(0, |source| source.id);
        let guess = id.checked_sub(first).and_then(|at| self.sources.get(at as usize));
        guess.is_some_and(|source| source.id == id)
            || self.sources.binary_search_by_key(&id, |source| source.id).is_ok()
    }

    fn check_history(&self) -> Result<(), Invalid> {
        for (at, event) in rows("events", &self.events) {
            at.index("run", event.run, self.runs.len())?;
            at.index("pass", event.pass, self.passes.len())?;
            at.index("claim set", event.took, self.claim_sets.len())?;
            if let Some(parent) = event.parents.iter().find(|&&parent| parent as usize >= at.row) {
                return at.fail(format!("parent {parent} does not stand before it"));
            }
        }
        for (at, entry) in rows("ledger", &self.ledger) {
            at.index("claim set", entry.claims, self.claim_sets.len())?;
            at.index("tensor set", entry.tensors, self.tensor_sets.len())?;
            at.index("pass", entry.pass, self.passes.len())?;
            at.index("event", entry.event, self.events.len())?;
            at.ascending("note", &entry.notes, self.notes.len())?;
        }
        Ok(())
    }

    fn check_subgraphs(&self) -> Result<(), Invalid> {
        let origin = |at: Place, event: Option<u32>, unknown: Option<u32>| {
            at.maybe("event", event, self.events.len())?;
            at.maybe("reason", unknown, self.reasons.len())
        };
        let operators = self.subgraphs.iter().flat_map(|subgraph| &subgraph.operators);
        for (row, operator) in operators.enumerate() {
            let at = Place { table: "operators", row };
            at.index("claim set", operator.claims, self.claim_sets.len())?;
            origin(at, operator.event, operator.unknown)?;
            at.ascending("note", &operator.notes, self.notes.len())?;
            let claims = self.claim_sets.get(operator.claims as usize);
            if operator.unknown.is_none() && claims.is_none_or(Vec::is_empty) {
                return at.fail("neither an origin nor a reason for having none".into());
            }
        }
        let tensors = self.subgraphs.iter().flat_map(|subgraph| &subgraph.tensors);
        for (row, tensor) in tensors.enumerate() {
            let at = Place { table: "tensors", row };
            at.index("tensor set", tensor.sources, self.tensor_sets.len())?;
            at.index("claim set", tensor.claims, self.claim_sets.len())?;
            origin(at, tensor.event, tensor.unknown)?;
        }
        Ok(())
    }

    fn check_tensor_notes(&self) -> Result<(), Invalid> {
        let mut least = (0, 0);
        for (at, noted) in rows("tensor_notes", &self.tensor_notes) {
            let place = (noted.subgraph, u64::from(noted.tensor));
            if place < least {
                return at.fail(format!(
                    "tensor {} of subgraph {} is not in ascending order",
                    noted.tensor, noted.subgraph
                ));
            }
            least = (noted.subgraph, place.1 + 1);
            at.index("subgraph", noted.subgraph, self.subgraphs.len())?;
            let tensors = self.subgraphs.get(noted.subgraph as usize).map_or(0, |sg| sg.tensors.len());
            at.index("tensor", noted.tensor, tensors)?;
            if noted.notes.is_empty() {
                return at.fail("no value is named".into());
            }
            at.ascending("note", &noted.notes, self.notes.len())?;
        }
        Ok(())
    }

    fn check_notes(&self) -> Result<(), Invalid> {
        for (at, note) in rows("notes", &self.notes) {
            at.index("metric", note.metric, self.metrics.len())?;
            at.index("claim set", note.over, self.claim_sets.len())?;
            if let NoteValue::Decimal(value) = &note.value
                && decimal::number(value).is_err()
            {
                return at.fail(format!("{value:?} is not a decimal number"));
            }
        }
        Ok(())
    }
}

/// Every set stands once, the empty one only in front: then sets are equal if their indices are.
fn interned<T: Hash + Ord>(table: &'static str, sets: &[Vec<T>]) -> Result<(), Invalid> {
    if sets.is_sorted_by(|before, after| before < after) {
        // As after import: in ascending order no two are equal, and only the first can be empty.
        return Ok(());
    }
    let mut seen = HashSet::with_capacity(sets.len());
    for (at, set) in rows(table, sets) {
        if set.is_empty() && at.row > 0 {
            return at.fail("the empty set stands only in row 0".into());
        }
        if !seen.insert(&set[..]) {
            return at.fail("an equal set stands before it".into());
        }
    }
    Ok(())
}
