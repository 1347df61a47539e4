//! A plan as ONE's execution plan table, and back.

mod nodes;
mod read;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use circle_ir::{Model, OpId, ValueId};
use circle_metadata::plan_table::{Entry, KEY, PlanTable};

use crate::error::Place;
use crate::lifetimes::{Liveness, What};
use crate::luci::{Node, NumberingError};
use crate::offline::{RING, has_rings, placed};
use crate::plan::{Arena, bases};

use nodes::Nodes;
pub use read::{Read, from_table, from_table_with, table_as_it_is};

/// Whom the table is for, which decides on the nodes that are in it and on what their order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// All nodes, in the order in which they run.
    LuciInterpreter,
    /// All but constants and stand-ins for inputs left out. First come the inputs, then the nodes that compute outputs,
    /// then all others in the order in which they run.
    OnertMicro,
    /// The same with three arenas: one for inputs, one for outputs, which lie at nodes of their own, and one for all
    /// others but what computes the outputs.
    OnertMicroSplit,
}

/// Why a plan cannot be written as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The nodes of the model have no numbers.
    Numbering(NumberingError),
    /// An offset exceeds the table's 32 bits.
    Offset {
        /// The node.
        node: usize,
        /// The offset.
        offset: u64,
    },
    /// Tensors run around a ring.
    Ring,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbering(error) => error.fmt(f),
            Self::Offset { node, offset } => {
                write!(f, "node {node}: offset {offset}, the most in {KEY} is {}", u32::MAX)
            }
            Self::Ring => f.write_str(RING),
        }
    }
}

impl std::error::Error for TableError {}

/// The table of a plan of the first subgraph. Several arenas lie behind one another, but for those of
/// [`Style::OnertMicroSplit`]. Nodes without planned memory get offset 0, as upstream writes it. What is [`unread`] has no
/// entry.
///
/// # Errors
/// When nodes have no numbers, an offset is too large, or tensors run around a ring.
pub fn to_table(
    model: &Model,
    liveness: &Liveness,
    arenas: &[Arena],
    style: Style,
) -> Result<PlanTable, TableError> {
    let Some(nodes) = Nodes::new(model).map_err(TableError::Numbering)? else { return Ok(PlanTable::new()) };
    if has_rings(liveness, arenas) {
        return Err(TableError::Ring);
    }
    let mut tensors: HashMap<ValueId, u64> = HashMap::new();
    let mut scratch: HashMap<OpId, BTreeMap<u32, u64>> = HashMap::new();
    let apart = if style == Style::OnertMicroSplit { bases(arenas) } else { Vec::new() };
    for (item, arena, offset) in placed(liveness, arenas).filter(|(item, ..)| item.subgraph.number() == 0) {
        let offset = offset.saturating_sub(apart.get(arena).copied().unwrap_or(0));
        match item.what {
            What::Tensor(v) => _ = tensors.insert(v, offset),
            What::Scratch(op, piece) => _ = scratch.entry(op).or_default().insert(piece, offset),
        }
    }
    let mut table = PlanTable::new();
    for (position, (&node, order)) in nodes.list.iter().zip(nodes.orders(style)).enumerate() {
        let (Some(order), Ok(key)) = (order, u32::try_from(position)) else { continue };
        let fits =
            |offset: u64| u32::try_from(offset).map_err(|_| TableError::Offset { node: position, offset });
        let place = nodes.shown(node).and_then(|v| tensors.get(&v).copied()).unwrap_or(0);
        let mut offsets = vec![fits(place)?];
        if let Node::Operator(op) = node {
            for &offset in scratch.get(&op).into_iter().flat_map(BTreeMap::values) {
                offsets.push(fits(offset)?);
            }
        }
        table.insert(key, Entry { order, offsets });
    }
    Ok(table)
}

/// An output with a place that no entry of a table can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Where its operator stands.
    pub operator: Place,
    /// Which of its outputs.
    pub output: u32,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operator, output } = self;
        write!(f, "{operator}: nothing reads its output {output}, for which luci numbers no node")
    }
}

/// Outputs of operators of several that nothing reads. luci makes nodes of them, but a traversal from the outputs of the
/// graph does not come by, so that they have no number. Their operators write them all the same.
///
/// # Errors
/// When nodes have no numbers.
pub fn unread(model: &Model, liveness: &Liveness) -> Result<Vec<Unread>, NumberingError> {
    let Some(nodes) = Nodes::new(model)? else { return Ok(Vec::new()) };
    let planned: HashSet<ValueId> = (liveness.items.iter())
        .filter(|item| item.subgraph.number() == 0)
        .filter_map(|item| match item.what {
            What::Tensor(v) => Some(v),
            What::Scratch(..) => None,
        })
        .collect();
    Ok(nodes.unread(|v| planned.contains(&v)))
}
