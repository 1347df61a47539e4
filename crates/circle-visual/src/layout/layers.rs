//! Gives every box a layer so that links lead downwards.

use super::Link;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

/// Layers by longest path, with a bound on the boxes in one layer so that a graph of unconnected boxes becomes a
/// block and not an endless row. Returns the layer of each box and, for each link, whether it is left out because it
/// closes a cycle.
pub(super) fn assign(boxes: usize, links: &[Link]) -> (Vec<u32>, Vec<bool>) {
    let mut graph: DiGraph<(), usize> = DiGraph::with_capacity(boxes, links.len());
    for _ in 0..boxes {
        graph.add_node(());
    }
    let mut back = vec![false; links.len()];
    for (position, link) in links.iter().enumerate() {
        if link.from == link.to {
            back[position] = true;
        } else {
            graph.add_edge(NodeIndex::new(link.from as usize), NodeIndex::new(link.to as usize), position);
        }
    }
    let order = match toposort(&graph, None) {
        Ok(order) => order,
        Err(_) => {
            let closing = cycle_closers(&graph);
            for (edge, closes) in graph.edge_indices().zip(&closing) {
                if let (true, Some(position)) = (*closes, graph.edge_weight(edge)) {
                    back[*position] = true;
                }
            }
            graph
                .retain_edges(|graph, edge| graph.edge_weight(edge).is_some_and(|position| !back[*position]));
            // Nothing closes a cycle any more, so that this order always exists.
            toposort(&graph, None).unwrap_or_else(|_| graph.node_indices().collect())
        }
    };

    let bound = (2.0 * (boxes as f64).sqrt()).max(24.0) as u32;
    let mut layers = Filling::new(bound);
    let mut layer_of = vec![0_u32; boxes];
    for &node in &order {
        let earliest = graph
            .edges_directed(node, petgraph::Direction::Incoming)
            .map(|edge| layer_of[edge.source().index()] + 1)
            .max()
            .unwrap_or(0);
        layer_of[node.index()] = layers.take(earliest);
    }
    // Boxes that feed more than they read sit next to their first reader: their lines get shorter.
    for &node in order.iter().rev() {
        let incoming = graph.edges_directed(node, petgraph::Direction::Incoming).count();
        let mut outgoing = 0;
        let mut latest = u32::MAX;
        for edge in graph.edges(node) {
            outgoing += 1;
            latest = latest.min(layer_of[edge.target().index()].saturating_sub(1));
        }
        let at = layer_of[node.index()];
        if outgoing > incoming && latest > at && latest != u32::MAX && layers.move_one(at, latest) {
            layer_of[node.index()] = latest;
        }
    }
    close_gaps(&mut layer_of);
    (layer_of, back)
}

/// For each edge, whether it leads back to a node that a depth-first walk has entered and not left: without these
/// edges there is no cycle. The walk keeps its own stack, since a cycle may be as long as the graph.
fn cycle_closers(graph: &DiGraph<(), usize>) -> Vec<bool> {
    let mut closing = vec![false; graph.edge_count()];
    let (mut entered, mut left) = (vec![false; graph.node_count()], vec![false; graph.node_count()]);
    let mut stack = Vec::new();
    for root in graph.node_indices() {
        if std::mem::replace(&mut entered[root.index()], true) {
            continue;
        }
        stack.push((root, graph.edges(root)));
        while let Some((node, edges)) = stack.last_mut() {
            let Some(edge) = edges.next() else {
                left[node.index()] = true;
                stack.pop();
                continue;
            };
            let target = edge.target();
            if !std::mem::replace(&mut entered[target.index()], true) {
                stack.push((target, graph.edges(target)));
            } else if !left[target.index()] {
                closing[edge.id().index()] = true;
            }
        }
    }
    closing
}

/// Counts boxes per layer and finds the next layer with room (union-find over full layers).
struct Filling {
    bound: u32,
    used: Vec<u32>,
    next: Vec<u32>,
}

impl Filling {
    fn new(bound: u32) -> Self {
        Filling { bound, used: Vec::new(), next: Vec::new() }
    }

    fn reach(&mut self, layer: u32) {
        while self.next.len() <= layer as usize {
            self.next.push(self.next.len() as u32);
            self.used.push(0);
        }
    }

    /// Takes a place in the first layer from `layer` on that has room.
    fn take(&mut self, layer: u32) -> u32 {
        let mut at = layer;
        self.reach(at);
        while self.next[at as usize] != at {
            let further = self.next[at as usize];
            self.reach(further);
            // Path halving keeps the search short.
            self.next[at as usize] = self.next[further as usize];
            at = self.next[at as usize];
            self.reach(at);
        }
        self.used[at as usize] += 1;
        if self.used[at as usize] >= self.bound {
            self.next[at as usize] = at + 1;
            self.reach(at + 1);
        }
        at
    }

    /// Moves one box between layers, unless the new one is full.
    fn move_one(&mut self, from: u32, to: u32) -> bool {
        self.reach(from.max(to));
        if self.used[to as usize] >= self.bound {
            return false;
        }
        self.used[from as usize] = self.used[from as usize].saturating_sub(1);
        self.used[to as usize] += 1;
        true
    }
}

/// Renumbers layers so that none is empty.
fn close_gaps(layer_of: &mut [u32]) {
    let count = layer_of.iter().max().map_or(0, |last| *last as usize + 1);
    let mut number = vec![0_u32; count];
    for layer in layer_of.iter() {
        number[*layer as usize] = 1;
    }
    let mut seen = 0;
    for entry in &mut number {
        let present = *entry;
        *entry = seen;
        seen += present;
    }
    for layer in layer_of.iter_mut() {
        *layer = number[*layer as usize];
    }
}
