//! The history: an append-only graph of steps, shared by everything the steps made. An operator points at its last
//! step and never owns a copy of the chain, so a thousand passes cost what they changed and no more.

use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use foldhash::fast::RandomState;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeRef, IntoNeighbors, Reversed};

use crate::entity::{ClaimSetId, EventId, PassId, RunId};

/// How the names of steps begin that infer lineage by comparison; the strategy follows.
pub const REBASE: &str = "rebase:";

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Took over what an earlier tool had recorded.
    Import,
    /// Rewrote one operator as one.
    Replace,
    /// Rewrote several operators as one.
    Fuse,
    /// Rewrote one operator as several.
    Split,
    /// Made a second copy.
    Clone,
    /// Computed operators away into a constant.
    Fold,
    /// Dropped an operator in favour of an equal one.
    Merge,
    /// Dropped an operator that changed nothing or that nothing used.
    Retire,
    /// Added an operator that has no counterpart.
    Insert,
    /// Changed the place of an operator among the others.
    Move,
    /// Changed the number format.
    Quantise,
    /// Attached measurements.
    Attach,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 12] = [
        Self::Import,
        Self::Replace,
        Self::Fuse,
        Self::Split,
        Self::Clone,
        Self::Fold,
        Self::Merge,
        Self::Retire,
        Self::Insert,
        Self::Move,
        Self::Quantise,
        Self::Attach,
    ];
    /// The name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Replace => "replace",
            Self::Fuse => "fuse",
            Self::Split => "split",
            Self::Clone => "clone",
            Self::Fold => "fold",
            Self::Merge => "merge",
            Self::Retire => "retire",
            Self::Insert => "insert",
            Self::Move => "move",
            Self::Quantise => "quantise",
            Self::Attach => "attach",
        }
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The run of a tool in which it happened.
    pub run: RunId,
    /// The pass that did it.
    pub pass: PassId,
    /// What it did.
    pub action: Action,
    /// The origins of everything that it took.
    pub took: ClaimSetId,
}

/// A run of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Name of the tool.
    pub tool: Arc<str>,
    /// Version of the tool.
    pub version: Arc<str>,
    /// The options that shaped the result. No paths, no times.
    pub options: Arc<str>,
}

/// The step graph; edges lead from an earlier step to one that took something it had made.
#[derive(Clone, Debug, Default)]
pub struct History {
    graph: DiGraph<Event, (), u32>,
}

impl History {
    /// Adds a step. `parents` are the last steps of what it takes; unknown ones are ignored.
    pub fn push(&mut self, event: Event, parents: impl IntoIterator<Item = EventId>) -> EventId {
        let node = self.graph.add_node(event);
        let mut parents: Vec<EventId> = parents.into_iter().collect();
        parents.sort_unstable();
        parents.dedup();
        for parent in parents {
            if (parent.number() as usize) < node.index() {
                self.graph.add_edge(NodeIndex::new(parent.number() as usize), node, ());
            }
        }
        EventId::from_number(node.index() as u32)
    }
    /// The step `id`.
    pub fn get(&self, id: EventId) -> Option<&Event> {
        self.graph.node_weight(NodeIndex::new(id.number() as usize))
    }
    /// The steps that `id` built on, ascending.
    pub fn parents(&self, id: EventId) -> Vec<EventId> {
        let node = NodeIndex::new(id.number() as usize);
        let mut parents: Vec<EventId> = self
            .graph
            .edges_directed(node, petgraph::Direction::Incoming)
            .map(|edge| EventId::from_number(edge.source().index() as u32))
            .collect();
        parents.sort_unstable();
        parents
    }
    /// All steps that led to `id`, itself included, in the order in which they happened.
    pub fn ancestry(&self, id: EventId) -> Vec<EventId> {
        let start = NodeIndex::new(id.number() as usize);
        if self.graph.node_weight(start).is_none() {
            return Vec::new();
        }
        // What was seen is kept as a set: an array over all steps would cost as much as the whole history each time.
        let mut seen = HashSet::<_, RandomState>::default();
        let mut walk = vec![start];
        let mut found = Vec::new();
        let back = Reversed(&self.graph);
        while let Some(node) = walk.pop() {
            if seen.insert(node) {
                found.push(EventId::from_number(node.index() as u32));
                walk.extend(back.neighbors(node));
            }
        }
        found.sort_unstable();
        found
    }
    /// The latest steps that led to `id`, itself included, oldest first, and whether there are earlier ones. At most
    /// `most` of them; their number bounds the work, however long or wide the history is.
    pub fn latest(&self, id: EventId, most: usize) -> (Vec<EventId>, bool) {
        let start = NodeIndex::new(id.number() as usize);
        if self.graph.node_weight(start).is_none() {
            return (Vec::new(), false);
        }
        let mut seen = HashSet::from([start]);
        // Parents stand before their children, so the largest number is always the latest step.
        let mut walk = BinaryHeap::from([start]);
        let (mut found, mut more) = (Vec::new(), false);
        let back = Reversed(&self.graph);
        while found.len() < most
            && let Some(node) = walk.pop()
        {
            found.push(EventId::from_number(node.index() as u32));
            // Neighbours come in the reverse of the order in which they were added: the latest first.
            for parent in petgraph::visit::IntoNeighbors::neighbors(back, node) {
                if seen.len() > most.saturating_mul(4) {
                    more = true;
                    break;
                }
                if seen.insert(parent) {
                    walk.push(parent);
                }
            }
        }
        found.reverse();
        (found, more || !walk.is_empty())
    }
    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.graph.node_count()
    }
    /// The latest step.
    pub fn last(&self) -> Option<&Event> {
        self.graph.node_weight(NodeIndex::new(self.len().checked_sub(1)?))
    }
    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// All steps, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (EventId, &Event)> {
        self.graph.node_weights().enumerate().map(|(i, event)| (EventId::from_number(i as u32), event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestry_is_chronological_and_shared() {
        let mut history = History::default();
        let event = |pass: u32| Event {
            run: RunId::from_number(0),
            pass: PassId::from_number(pass),
            action: Action::Fuse,
            took: ClaimSetId::from_number(0),
        };
        let a = history.push(event(0), []);
        let b = history.push(event(1), [a]);
        let c = history.push(event(2), [a]);
        let d = history.push(event(3), [c, b, c]);
        assert_eq!(history.ancestry(d), [a, b, c, d]);
        assert_eq!(history.ancestry(b), [a, b]);
        assert_eq!(history.latest(d, 9), (vec![a, b, c, d], false));
        assert_eq!(history.latest(d, 2), (vec![c, d], true));
        assert_eq!(history.latest(EventId::from_number(99), 9), (vec![], false));
        assert_eq!(history.parents(d), [b, c]);
        assert_eq!(history.ancestry(EventId::from_number(99)), []);
    }
}
