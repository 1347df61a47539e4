//! The search for an order of one subgraph.
//!
//! A beam: of all sets of operators that can have run after so many steps, those are kept that needed the fewest bytes so
//! far, and of equal ones those with the fewest alive. Two ways to one set leave the same alive, so only the better is
//! kept; a set that needs as much as the best order known is dropped. An operator that frees at least what it adds,
//! within the bytes needed so far, runs at once: later is never better. The beam gets wider until nothing had to be left
//! out of it, and then no order is better than the best one found.

use std::collections::HashMap;
use std::time::Instant;

use super::graph::Graph;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The order, if it is better than that of the file.
    pub(super) order: Option<Vec<usize>>,
    /// Most bytes alive at a step.
    pub(super) peak: u64,
    /// Whether no order needs less.
    pub(super) optimal: bool,
}

/// Widths of the beam, one after the other.
const WIDTHS: [usize; 6] = [1, 4, 32, 256, 2048, 16384];

/// Numbers that all states of a beam may hold together.
const MOST_NUMBERS: usize = 1 << 26;

pub(super) fn search(graph: &Graph, deadline: Option<Instant>) -> Found {
    let file: Vec<usize> = (0..graph.nodes.len()).collect();
    let mut found = Found { order: None, peak: peak_of(graph, &file), optimal: false };
    let least = least(graph);
    for width in WIDTHS {
        if found.peak <= least {
            found.optimal = true;
            break;
        }
        let numbers = graph.nodes.len() + graph.tensors.len();
        if width > 1 && width.saturating_mul(numbers) > MOST_NUMBERS {
            break;
        }
        let beam = Beam { graph, width, below: found.peak, deadline };
        match beam.run() {
            Outcome::Order(order, whole) => {
                found.peak = peak_of(graph, &order);
                found.order = Some(order);
                found.optimal = whole;
            }
            Outcome::Nothing { whole } => found.optimal = whole,
            Outcome::Late => break,
        }
        if found.optimal {
            break;
        }
    }
    found
}

/// Bytes that every order needs: those of the operator that needs most, and of what is there before the first.
fn least(graph: &Graph) -> u64 {
    let size = |list: &[usize]| sum(graph, list);
    let nodes = graph.nodes.iter().map(|node| {
        let saved = node.overwrites.iter().filter_map(|&t| graph.tensors.get(t)).map(|t| t.size).max();
        let all = size(&node.reads).saturating_add(size(&node.writes)).saturating_add(node.extra);
        all.saturating_sub(saved.unwrap_or(0))
    });
    nodes.max().unwrap_or(0).max(size(&graph.first))
}

fn sum(graph: &Graph, list: &[usize]) -> u64 {
    let sizes = list.iter().filter_map(|&tensor| graph.tensors.get(tensor)).map(|tensor| tensor.size);
    sizes.fold(0, u64::saturating_add)
}

/// Most bytes alive at a step of an order.
pub(super) fn peak_of(graph: &Graph, order: &[usize]) -> u64 {
    // Which operators could run instead is of no interest here.
    let mut state = State { ready: Vec::new(), missing: Vec::new(), ..State::new(graph) };
    for &node in order {
        let step = state.step(graph, node);
        state.take(graph, node, &step);
    }
    state.peak
}

/// Operators that have run, and what follows from that.
#[derive(Clone, Debug)]
struct State {
    /// By tensor, how many operators have still to read it.
    unread: Vec<u32>,
    /// By operator, how many others have still to run before it.
    missing: Vec<u32>,
    /// Operators that can run, ascending.
    ready: Vec<usize>,
    live: u64,
    peak: u64,
    /// Tells sets of operators apart.
    hash: u128,
    /// The last step on the way here.
    step: Option<usize>,
}

/// What an operator would do.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Bytes alive while it runs, and afterwards.
    during: u64,
    after: u64,
}

impl State {
    fn new(graph: &Graph) -> Self {
        let missing: Vec<u32> = graph.nodes.iter().map(|node| node.after.len() as u32).collect();
        let ready =
            missing.iter().enumerate().filter(|(_, missing)| **missing == 0).map(|(i, _)| i).collect();
        let live = sum(graph, &graph.first);
        Self {
            unread: graph.tensors.iter().map(|tensor| tensor.readers.len() as u32).collect(),
            missing,
            ready,
            live,
            peak: live,
            hash: 0,
            step: None,
        }
    }

    /// Whether operator `node`, which reads it, is the last that does, and nobody needs it afterwards.
    fn dies(&self, graph: &Graph, tensor: usize) -> bool {
        self.unread.get(tensor) == Some(&1) && graph.tensors.get(tensor).is_some_and(|t| !t.stays)
    }

    fn step(&self, graph: &Graph, node: usize) -> Step {
        let Some(node) = graph.nodes.get(node) else { return Step { during: self.live, after: self.live } };
        let size = |tensor: usize| graph.tensors.get(tensor).map_or(0, |tensor| tensor.size);
        let added = sum(graph, &node.writes);
        let taken = node.overwrites.iter().copied().find(|&tensor| self.dies(graph, tensor)).map_or(0, size);
        let during = self.live.saturating_add(added).saturating_add(node.extra).saturating_sub(taken);
        let freed = node.reads.iter().copied().filter(|&t| self.dies(graph, t)).map(size);
        let unread = node.writes.iter().copied();
        let unread =
            unread.filter(|&t| graph.tensors.get(t).is_some_and(|t| t.readers.is_empty() && !t.stays));
        let freed = freed.chain(unread.map(size)).fold(0u64, u64::saturating_add);
        Step { during, after: self.live.saturating_add(added).saturating_sub(freed) }
    }

    fn take(&mut self, graph: &Graph, node: usize, step: &Step) {
        self.peak = self.peak.max(step.during);
        self.live = step.after;
        self.hash ^= mark(node);
        let Some(found) = graph.nodes.get(node) else { return };
        for &read in &found.reads {
            if let Some(unread) = self.unread.get_mut(read) {
                *unread = unread.saturating_sub(1);
            }
        }
        if let Ok(at) = self.ready.binary_search(&node) {
            self.ready.remove(at);
        }
        for &next in &found.before {
            if let Some(missing) = self.missing.get_mut(next) {
                *missing = missing.saturating_sub(1);
                if *missing == 0 {
                    let at = self.ready.partition_point(|&ready| ready < next);
                    self.ready.insert(at, next);
                }
            }
        }
    }
}

/// A random number for each operator; sets are told apart by the exclusive or of those of their members.
fn mark(node: usize) -> u128 {
    let mix = |seed: u64| {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    let node = node as u64 + 1;
    u128::from(mix(node)) << 64 | u128::from(mix(node.wrapping_add(1 << 40)))
}

struct Beam<'a> {
    graph: &'a Graph,
    width: usize,
    /// Only orders that need less are of interest.
    below: u64,
    deadline: Option<Instant>,
}

enum Outcome {
    /// A better order; whether the beam held everything.
    Order(Vec<usize>, bool),
    /// None; whether the beam held everything, so that there is none.
    Nothing {
        /// Whether it did.
        whole: bool,
    },
    /// Time was up.
    Late,
}

/// A way to go on from a state.
struct Next {
    peak: u64,
    live: u64,
    from: usize,
    node: usize,
    step: Step,
}

impl Beam<'_> {
    fn run(&self) -> Outcome {
        let graph = self.graph;
        let mut trace: Vec<(Option<usize>, usize)> = Vec::new();
        let mut states = vec![State::new(graph)];
        let mut whole = true;
        for _ in 0..graph.nodes.len() {
            let mut best: HashMap<u128, usize> = HashMap::new();
            let mut list: Vec<Next> = Vec::new();
            for (from, state) in states.iter().enumerate() {
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return Outcome::Late;
                }
                for (node, step) in self.ways(state) {
                    let peak = state.peak.max(step.during);
                    if peak >= self.below {
                        continue;
                    }
                    let next = Next { peak, live: step.after, from, node, step };
                    let at = *best.entry(state.hash ^ mark(node)).or_insert(list.len());
                    match list.get_mut(at) {
                        Some(known) if peak < known.peak => *known = next,
                        Some(_) => {}
                        None => list.push(next),
                    }
                }
            }
            if list.is_empty() {
                return Outcome::Nothing { whole };
            }
            list.sort_by_key(|next| (next.peak, next.live, next.from, next.node));
            whole &= list.len() <= self.width;
            list.truncate(self.width);
            states = list
                .iter()
                .filter_map(|next| {
                    let mut state = states.get(next.from)?.clone();
                    trace.push((state.step, next.node));
                    state.take(graph, next.node, &next.step);
                    state.step = Some(trace.len() - 1);
                    Some(state)
                })
                .collect();
        }
        let mut order = Vec::with_capacity(graph.nodes.len());
        let mut at = states.first().and_then(|state| state.step);
        while let Some(&(before, node)) = at.and_then(|at| trace.get(at)) {
            order.push(node);
            at = before;
        }
        order.reverse();
        Outcome::Order(order, whole)
    }

    /// The operators that are worth a try.
    fn ways(&self, state: &State) -> Vec<(usize, Step)> {
        let mut ways = Vec::with_capacity(state.ready.len());
        for &node in &state.ready {
            let step = state.step(self.graph, node);
            if step.during <= state.peak && step.after <= state.live {
                return vec![(node, step)];
            }
            ways.push((node, step));
        }
        ways
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Node, Tensor};
    use super::*;

    /// Operators by what they read; each computes one tensor of the size given. Tensor `i` is that of operator `i`.
    fn graph(operators: &[(&[usize], u64)]) -> Graph {
        let nodes = operators.iter().enumerate().map(|(i, (reads, _))| Node {
            reads: reads.to_vec(),
            writes: vec![i],
            after: reads.to_vec(),
            ..Node::default()
        });
        let tensors = operators.iter().map(|&(_, size)| Tensor { size, ..Tensor::default() });
        Graph::made(nodes.collect(), tensors.collect(), vec![])
    }

    /// The least peak of all orders, by trying each.
    fn by_force(graph: &Graph) -> u64 {
        fn go(graph: &Graph, state: &State, best: &mut u64) {
            if state.ready.is_empty() {
                *best = (*best).min(state.peak);
            }
            for &node in &state.ready {
                let mut next = state.clone();
                let step = next.step(graph, node);
                next.take(graph, node, &step);
                go(graph, &next, best);
            }
        }
        let mut best = u64::MAX;
        go(graph, &State::new(graph), &mut best);
        best
    }

    #[test]
    fn branches_run_one_after_another() {
        // Two branches that blow up and shrink again; the file runs them side by side.
        let graph = graph(&[(&[], 1), (&[0], 100), (&[0], 100), (&[1], 1), (&[2], 1), (&[3, 4], 1)]);
        let file: Vec<usize> = (0..6).collect();
        assert_eq!(peak_of(&graph, &file), 201);
        let found = search(&graph, None);
        assert_eq!((found.peak, found.optimal), (102, true));
        assert_eq!(peak_of(&graph, &found.order.unwrap()), 102);
    }

    #[test]
    fn nothing_better_keeps_the_order_of_the_file() {
        let graph = graph(&[(&[], 5), (&[0], 7), (&[1], 3)]);
        assert_eq!(search(&graph, None), Found { order: None, peak: 12, optimal: true });
    }

    #[test]
    fn random_graphs_get_the_least_peak_of_all_orders() {
        let mut random = 12345u64;
        let mut draw = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let mut better = 0;
        for _ in 0..150 {
            let count = 3 + draw(5) as usize;
            let mut lists: Vec<(Vec<usize>, u64)> = Vec::new();
            for i in 0..count {
                let mut reads: Vec<usize> = (0..i).filter(|_| draw(3) == 0).collect();
                reads.dedup();
                lists.push((reads, 1 + draw(20)));
            }
            let operators: Vec<(&[usize], u64)> =
                lists.iter().map(|(reads, size)| (&reads[..], *size)).collect();
            let graph = graph(&operators);
            let found = search(&graph, None);
            assert_eq!((found.peak, found.optimal), (by_force(&graph), true), "{lists:?}");
            better += usize::from(found.order.is_some());
        }
        assert!(better > 30, "{better}");
    }

    #[test]
    fn time_that_is_up_keeps_the_order_of_the_file() {
        let graph = graph(&[(&[], 1), (&[0], 100), (&[0], 100), (&[1], 1), (&[2], 1), (&[3, 4], 1)]);
        assert_eq!(search(&graph, Some(Instant::now())), Found { order: None, peak: 201, optimal: false });
    }
}
