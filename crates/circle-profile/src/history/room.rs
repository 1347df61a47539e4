//! How much of a history is told. Steps share their originals and originals share their names, so that a report of
//! all there is may be the square of a lineage; what is not listed is counted.

use std::collections::BTreeMap;

use circle_ir::lineage::Store;
use circle_ir::lineage::claims::Claim;
use circle_ir::{ClaimSetId, EventId};

use super::{Original, RunRow, Step};

/// How many ids a list of a step or value holds at most.
pub const IDS: usize = 256;

/// Bytes of names and numbers after which a list of a report ends.
pub const BYTES: usize = 1 << 20;

/// What an entry costs beside its texts, in bytes: its numbers and what stands around them.
const ENTRY: usize = 64;

/// What is left of one list of a report.
pub(super) struct Room(usize);

impl Room {
    pub(super) fn new() -> Self {
        Self(BYTES)
    }

    /// Whether one more entry is listed, whose texts and ids come to `bytes`. The first always is, however long.
    pub(super) fn takes(&mut self, bytes: usize) -> bool {
        let room = self.0 > 0;
        self.0 = self.0.saturating_sub(bytes.saturating_add(ENTRY));
        room
    }

    /// The entries that there is room for, and how many there are besides. None is made after the first without room.
    pub(super) fn list<T>(
        &mut self,
        entries: impl ExactSizeIterator<Item = T>,
        mut bytes: impl FnMut(&T) -> usize,
    ) -> (Vec<T>, u64) {
        let count = entries.len();
        let listed: Vec<T> = entries.take_while(|entry| self.takes(bytes(entry))).collect();
        let more = count.saturating_sub(listed.len()) as u64;
        (listed, more)
    }
}

impl Original {
    /// Bytes of its texts.
    pub(super) fn bytes(&self) -> usize {
        let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.opcode.len() + self.name.len() + optional(&self.file) + optional(&self.md5)
    }
}

impl Step {
    /// Bytes of its texts and ids.
    fn bytes(&self) -> usize {
        let run = self.run.tool.len() + self.run.version.len() + self.run.options.len();
        self.pass.len() + run + 8 * (self.took.len() + self.after.len())
    }
}

/// The first originals of a set, and how many there are besides.
pub(super) fn ids(store: &Store, set: ClaimSetId) -> (Vec<u32>, u64) {
    let claims = store.claim_sets.get(set);
    let listed = claims.iter().take(IDS).map(|claim: &Claim| claim.origin.number()).collect();
    (listed, claims.len().saturating_sub(IDS) as u64)
}

/// Steps as rows. Each is made once, for many operators may share it.
pub(super) struct Steps<'s> {
    store: &'s Store,
    made: BTreeMap<EventId, Step>,
}

impl<'s> Steps<'s> {
    pub(super) fn new(store: &'s Store) -> Self {
        Self { store, made: BTreeMap::new() }
    }

    /// The row of a step, if there is such a step and room for it.
    pub(super) fn row(&mut self, id: EventId, room: &mut Room) -> Option<Step> {
        if !self.made.contains_key(&id) {
            self.made.insert(id, step(self.store, id)?);
        }
        let step = self.made.get(&id)?;
        room.takes(step.bytes()).then(|| step.clone())
    }

    /// The latest of `events` that there is room for, oldest first, and how many there are besides.
    pub(super) fn latest(&mut self, events: &[EventId], room: &mut Room) -> (Vec<Step>, u64) {
        let mut listed = Vec::new();
        for &event in events.iter().rev() {
            let Some(step) = self.row(event, room) else { break };
            listed.push(step);
        }
        listed.reverse();
        let more = events.len().saturating_sub(listed.len()) as u64;
        (listed, more)
    }
}

fn step(store: &Store, id: EventId) -> Option<Step> {
    let event = store.history.get(id)?;
    let run = store.runs.get(event.run.number() as usize);
    let text = |text: Option<&std::sync::Arc<str>>| text.map_or_else(String::new, |text| text.to_string());
    let (took, took_more) = ids(store, event.took);
    let mut after: Vec<u32> = store.history.parents(id).into_iter().map(EventId::number).collect();
    let after_more = after.len().saturating_sub(IDS) as u64;
    after.truncate(IDS);
    Some(Step {
        step: id.number(),
        pass: store.pass_name(event.pass).to_owned(),
        action: event.action.name(),
        run: RunRow {
            run: event.run.number(),
            tool: text(run.map(|run| &run.tool)),
            version: text(run.map(|run| &run.version)),
            options: text(run.map(|run| &run.options)),
        },
        took,
        took_more,
        after,
        after_more,
    })
}
