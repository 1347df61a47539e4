//! Orders of operators that need less memory.
//!
//! What an order is worth is the most bytes that are alive at a tick: no plan needs less, and plans that need no more
//! are nearly always found. The search is for each subgraph, bodies before their callers, and exact where few operators
//! can run at one time; see `order/search.rs`. What operators do beside computing their outputs stays in order: those that hold
//! state, draw random numbers, call subgraphs, or are not known keep their order among one another.

mod graph;
mod search;

use std::fmt;
use std::time::{Duration, Instant};

use circle_ir::patch::OrderError;
use circle_ir::{Entity, Model, OpId, SubgraphId};
use circle_plan::{ProblemError, bound};

use crate::LivenessError;
use crate::lifetimes::{Item, Liveness, Options, lifetimes};
use crate::plan::problem;
use crate::timeline::Timeline;

use graph::Graph;

/// What a search for better orders came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reordered {
    /// By subgraph, the new order, where there is one.
    pub orders: Vec<Option<Vec<OpId>>>,
    /// Most bytes alive at a tick in the order that was.
    pub before: u64,
    /// Most bytes alive at a tick in the new order; never more.
    pub after: u64,
    /// Whether no legal order of the operators of any subgraph needs less.
    pub optimal: bool,
}

/// Why there is no order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReorderError {
    /// The model has no lifetimes.
    Lifetimes(LivenessError),
    /// Sizes add up to more than can be planned.
    Problem(ProblemError),
    /// An order that was found does not work in the model.
    Order(OrderError),
}

impl fmt::Display for ReorderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lifetimes(error) => error.fmt(f),
            Self::Problem(error) => error.fmt(f),
            Self::Order(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReorderError {}

/// Most bytes alive at a tick.
///
/// # Errors
/// When sizes add up to more than can be planned.
pub fn peak(liveness: &Liveness) -> Result<u64, ProblemError> {
    let units: Vec<usize> = (0..liveness.units.len()).collect();
    Ok(bound::max_live(&problem(liveness, &units, 1, None)?))
}

/// Lets the operators of a model run in orders that need less memory, if there are any: where nothing is gained, the
/// model is as it was. Searches that end within the time limit always come to the same.
///
/// # Errors
/// When the model has no lifetimes.
pub fn reorder(model: &mut Model, options: &Options, limit: Duration) -> Result<Reordered, ReorderError> {
    let deadline = Instant::now().checked_add(limit);
    let liveness = lifetimes(model, options).map_err(ReorderError::Lifetimes)?;
    let before = peak(&liveness).map_err(ReorderError::Problem)?;
    let timeline = Timeline::new(model).map_err(ReorderError::Lifetimes)?;
    let count = timeline.courses.len();
    let mut found = Reordered { orders: vec![None; count], before, after: before, optimal: true };
    let mut peaks = vec![0u64; count];
    // Items stand subgraph by subgraph.
    let mut items: Vec<&[Item]> = vec![&[]; count];
    for part in liveness.items.chunk_by(|a, b| a.subgraph == b.subgraph) {
        let index = part.first().map_or(0, |item| item.subgraph.index());
        if let Some(slot) = items.get_mut(index) {
            *slot = part;
        }
    }
    for &index in &timeline.callees_first {
        let id = SubgraphId::from_number(index as u32);
        let items = items.get(index).copied().unwrap_or(&[]);
        let graph = Graph::new(model, id, items, &timeline, options, &peaks);
        let result = search::search(&graph, deadline);
        if let Some(peak) = peaks.get_mut(index) {
            *peak = result.peak;
        }
        found.optimal &= result.optimal;
        if let (Some(order), Some(slot)) = (result.order, found.orders.get_mut(index)) {
            let ids = graph.ids();
            *slot = Some(order.iter().filter_map(|&op| ids.get(op).copied()).collect());
        }
    }
    let old: Vec<Vec<OpId>> =
        model.subgraphs().map(|(_, sg)| sg.operators().map(|(id, _)| id).collect()).collect();
    let set = |model: &mut Model, index: usize, order: &[OpId]| {
        model.reorder(SubgraphId::from_number(index as u32), order).map_err(ReorderError::Order)
    };
    for (index, order) in found.orders.iter().enumerate() {
        if let Some(order) = order {
            set(model, index, order)?;
        }
    }
    let after = lifetimes(model, options).map_err(ReorderError::Lifetimes)?;
    found.after = peak(&after).map_err(ReorderError::Problem)?;
    if found.after >= before {
        // What is better for one subgraph need not be for all.
        for (index, order) in old.iter().enumerate() {
            if found.orders.get(index).is_some_and(Option::is_some) {
                set(model, index, order)?;
            }
        }
        found.orders = vec![None; count];
        found.after = before;
    }
    Ok(found)
}
