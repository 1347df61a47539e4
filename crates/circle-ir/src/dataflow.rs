//! petgraph's view of a subgraph: operators are nodes, an edge leads from the operator that computes a tensor to
//! each that reads it. No second copy of the graph; all of `petgraph::algo` runs on it.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use petgraph::{Directed, Direction, visit};

use crate::entity::{Entity, OpId};
use crate::subgraph::Subgraph;

impl visit::GraphBase for Subgraph {
    type NodeId = OpId;
    type EdgeId = (OpId, u32);
}

impl visit::GraphProp for Subgraph {
    type EdgeType = Directed;
}

impl visit::NodeCount for Subgraph {
    fn node_count(&self) -> usize {
        self.operator_count()
    }
}

impl visit::NodeIndexable for Subgraph {
    fn node_bound(&self) -> usize {
        self.operator_bound()
    }
    fn to_index(&self, op: OpId) -> usize {
        op.index()
    }
    fn from_index(&self, index: usize) -> OpId {
        OpId::new(index as u32)
    }
}

impl visit::Visitable for Subgraph {
    type Map = HashSet<OpId, RandomState>;
    fn visit_map(&self) -> Self::Map {
        HashSet::default()
    }
    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
    }
}

impl visit::IntoNodeIdentifiers for &Subgraph {
    type NodeIdentifiers = std::vec::IntoIter<OpId>;
    fn node_identifiers(self) -> Self::NodeIdentifiers {
        self.order().iter().collect::<Vec<_>>().into_iter()
    }
}

impl visit::IntoNeighbors for &Subgraph {
    type Neighbors = std::vec::IntoIter<OpId>;
    fn neighbors(self, op: OpId) -> Self::Neighbors {
        visit::IntoNeighborsDirected::neighbors_directed(self, op, Direction::Outgoing)
    }
}

impl visit::IntoNeighborsDirected for &Subgraph {
    type NeighborsDirected = std::vec::IntoIter<OpId>;
    fn neighbors_directed(self, op: OpId, direction: Direction) -> Self::NeighborsDirected {
        let Some(operator) = self.operator(op) else { return Vec::new().into_iter() };
        let found: Vec<OpId> = match direction {
            Direction::Outgoing => operator
                .outputs()
                .iter()
                .filter_map(|&v| self.value(v))
                .flat_map(|v| v.uses().iter().map(|&(user, _)| user))
                .collect(),
            Direction::Incoming => operator
                .inputs()
                .iter()
                .flatten()
                .filter_map(|&v| self.value(v)?.def())
                .map(|(def, _)| def)
                .collect(),
        };
        found.into_iter()
    }
}
