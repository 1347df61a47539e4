//! Origin groups: operators that stand for the same originals, and the colour number of each group.

use crate::scene::{EdgeSource, EdgeTarget, SubgraphScene};
use std::collections::BTreeMap;

/// Groups of one subgraph.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Group of each node; `None` where the origin is unknown.
    pub(crate) of: Vec<Option<u32>>,
    /// Colour number of each group, for [`category`](crate::palette::category).
    pub(crate) colour: Vec<u32>,
}

/// Groups the nodes by their set of origin ids and gives groups that touch in the graph, or whose operators follow
/// each other in execution order, different colours (greedily, the most connected first: Welsh and Powell's method).
pub(crate) fn group(subgraph: &SubgraphScene) -> Groups {
    let mut numbers: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    let mut groups = Groups::default();
    for node in &subgraph.nodes {
        if node.is_unknown() {
            groups.of.push(None);
            continue;
        }
        let mut ids: Vec<u32> = node.origins.iter().map(|origin| origin.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let next = numbers.len() as u32;
        groups.of.push(Some(*numbers.entry(ids).or_insert(next)));
    }

    let at = |node: u32| groups.of.get(node as usize).copied().flatten();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut touch = |a: Option<u32>, b: Option<u32>| {
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            pairs.push((a, b));
            pairs.push((b, a));
        }
    };
    for edge in &subgraph.edges {
        if let (EdgeSource::Node(from), EdgeTarget::Node(to)) = (edge.from, edge.to) {
            touch(at(from), at(to));
        }
    }
    for pair in groups.of.windows(2) {
        touch(pair[0], pair[1]);
    }
    pairs.sort_unstable();
    pairs.dedup();

    let count = numbers.len();
    let mut starts = vec![0_usize; count + 1];
    for (group, _) in &pairs {
        starts[*group as usize + 1] += 1;
    }
    for group in 0..count {
        starts[group + 1] += starts[group];
    }
    let neighbours = |group: usize| &pairs[starts[group]..starts[group + 1]];
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|group| std::cmp::Reverse(neighbours(*group).len()));
    let mut colour: Vec<Option<u32>> = vec![None; count];
    // Colours in use around a group are marked with the group's number, so that nothing has to be cleared.
    let mut taken: Vec<usize> = Vec::new();
    for group in order {
        for (_, other) in neighbours(group) {
            if let Some(used) = colour[*other as usize] {
                if taken.len() <= used as usize {
                    taken.resize(used as usize + 1, usize::MAX);
                }
                taken[used as usize] = group;
            }
        }
        let free = |candidate: usize| taken.get(candidate).is_none_or(|by| *by != group);
        // Starting from the group's own number spreads the seven base colours over the picture.
        let base = (0..7).map(|step| (group + step) % 7).find(|candidate| free(*candidate));
        let chosen = base.or_else(|| (7..=7 + taken.len()).find(|candidate| free(*candidate)));
        colour[group] = chosen.map(|chosen| chosen as u32);
    }
    groups.colour = colour.into_iter().map(|colour| colour.unwrap_or(0)).collect();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Edge, Node, OriginRef};

    fn node(ids: &[u32]) -> Node {
        Node {
            origins: ids.iter().map(|id| OriginRef { id: *id, ..OriginRef::default() }).collect(),
            ..Node::default()
        }
    }

    fn edge(from: u32, to: u32) -> Edge {
        Edge {
            from: EdgeSource::Node(from),
            to: EdgeTarget::Node(to),
            tensor: String::new(),
            label: String::new(),
        }
    }

    #[test]
    fn equal_sets_are_one_group_in_any_order() {
        let subgraph = SubgraphScene {
            nodes: vec![node(&[1, 2]), node(&[2, 1, 1]), node(&[1]), node(&[])],
            ..SubgraphScene::default()
        };
        let groups = group(&subgraph);
        assert_eq!(groups.of, [Some(0), Some(0), Some(1), None]);
    }

    #[test]
    fn neighbours_differ_even_in_a_clique() {
        let count = 40;
        let nodes = (0..count).map(|k| node(&[k])).collect();
        let edges = (0..count).flat_map(|a| (a + 1..count).map(move |b| edge(a, b))).collect();
        let subgraph = SubgraphScene { nodes, edges, ..SubgraphScene::default() };
        let groups = group(&subgraph);
        let mut colours = groups.colour.clone();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len(), count as usize);
    }

    #[test]
    fn a_hub_differs_from_all_its_readers() {
        let nodes = (0..500).map(|k| node(&[k])).collect();
        let edges = (1..500).map(|k| edge(0, k)).collect();
        let groups = group(&SubgraphScene { nodes, edges, ..SubgraphScene::default() });
        assert!((1..500).all(|k| groups.colour[k] != groups.colour[0]));
        assert!(groups.colour.iter().all(|colour| *colour < 7), "seven colours are enough here");
    }
}
