//! Few groups of many names, by how the names begin: `layer_0_attn_query` and `layer_0_norm1` belong to `layer_0…`.

use super::mass::Mass;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Groups that are told apart by colour: three shades of the palette's seven colours, less one.
pub(super) const MOST: usize = 20;
/// Parts of a name that are looked at; what follows is one part.
const PARTS: usize = 10;

/// Names in groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Group of each name.
    pub(super) of: Vec<usize>,
    /// What each group is called. Groups are in the order of their first names.
    pub(super) labels: Vec<String>,
}

#[derive(Debug, Default)]
struct Node<'a> {
    /// The part that leads here, and the name up to its end.
    part: &'a str,
    prefix: &'a str,
    children: BTreeMap<&'a str, usize>,
    /// Names that end here.
    names: Vec<usize>,
    weight: Mass,
}

/// The name cut before each separator.
fn parts(name: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut cuts: Vec<usize> = name
        .char_indices()
        .filter(|(at, c)| *at > 0 && matches!(c, '/' | '.' | '_' | ':' | '-' | ';' | ' ' | '+'))
        .map(|(at, _)| at)
        .take(PARTS - 1)
        .collect();
    cuts.push(name.len());
    let mut from = 0;
    cuts.into_iter().map(move |till| (std::mem::replace(&mut from, till), till))
}

fn is_number(part: &str) -> bool {
    let digits = part.trim_start_matches(|c: char| !c.is_alphanumeric());
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Groups names with weights. At most [`MOST`] groups, unless more names have nothing in common at all.
pub(super) fn group(names: &[(&str, Mass)]) -> Groups {
    let mut nodes = vec![Node::default()];
    for (index, (name, weight)) in names.iter().enumerate() {
        let mut at = 0;
        nodes[0].weight += *weight;
        for (from, till) in parts(name) {
            let next = nodes.len();
            let child = *nodes[at].children.entry(&name[from..till]).or_insert(next);
            if child == next {
                nodes.push(Node { part: &name[from..till], prefix: &name[..till], ..Node::default() });
            }
            at = child;
            nodes[at].weight += *weight;
        }
        nodes[at].names.push(index);
    }

    // Sets of nodes that are opened together, the heaviest first: numbered siblings and what is below them, so that the
    // parts of one layer are not told apart while those of the next are left together.
    let mut waiting: BinaryHeap<(Mass, Reverse<Vec<usize>>)> = BinaryHeap::new();
    let mut closed: Vec<(usize, bool)> = Vec::new();
    let mut open = 1;
    waiting.push((nodes[0].weight, Reverse(vec![0])));
    while let Some((_, Reverse(set))) = waiting.pop() {
        let inside: usize = set
            .iter()
            .map(|node| nodes[*node].children.len() + usize::from(!nodes[*node].names.is_empty()))
            .sum();
        let leaves = set.iter().all(|node| nodes[*node].children.is_empty());
        let fits = open - set.len() + inside <= MOST;
        if leaves || !(fits || set == [0]) {
            closed.extend(set.into_iter().map(|node| (node, true)));
            continue;
        }
        open = open - set.len() + inside;
        let (mut numbers, mut words) = (Vec::new(), Vec::new());
        for node in &set {
            if !nodes[*node].names.is_empty() {
                closed.push((*node, false));
            }
            for child in nodes[*node].children.values() {
                if is_number(nodes[*child].part) { numbers.push(*child) } else { words.push(*child) }
            }
        }
        let mut push = |set: Vec<usize>| {
            let mut weight = Mass::default();
            set.iter().for_each(|child| weight += nodes[*child].weight);
            if !set.is_empty() {
                waiting.push((weight, Reverse(set)));
            }
        };
        push(numbers);
        if set.len() > 1 {
            push(words);
        } else {
            words.into_iter().for_each(|word| push(vec![word]));
        }
    }
    collect(names.len(), &nodes, &closed)
}

/// Numbers the groups: `closed` has nodes, and whether what is below belongs to them.
fn collect(count: usize, nodes: &[Node<'_>], closed: &[(usize, bool)]) -> Groups {
    let mut found: Vec<(usize, String, Vec<usize>)> = Vec::new();
    for (node, deep) in closed {
        let mut members = nodes[*node].names.clone();
        let mut below: Vec<usize> =
            if *deep { nodes[*node].children.values().copied().collect() } else { Vec::new() };
        let mut label = nodes[*node].prefix.to_owned();
        if !below.is_empty() {
            label.push('…');
        }
        while let Some(next) = below.pop() {
            members.extend(&nodes[next].names);
            below.extend(nodes[next].children.values());
        }
        if let Some(first) = members.iter().min() {
            found.push((*first, label, members));
        }
    }
    found.sort_unstable_by_key(|(first, ..)| *first);
    let mut groups = Groups { of: vec![0; count], labels: Vec::with_capacity(found.len()) };
    for (number, (_, label, members)) in found.into_iter().enumerate() {
        groups.labels.push(label);
        for member in members {
            groups.of[member] = number;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Vec<String> {
        let weighted: Vec<(&str, Mass)> = names.iter().map(|name| (*name, Mass::from(1))).collect();
        let groups = group(&weighted);
        assert_eq!(groups.of.len(), names.len());
        for (name, of) in names.iter().zip(&groups.of) {
            assert!(name.starts_with(groups.labels[*of].trim_end_matches('…')), "{name}");
        }
        groups.labels
    }

    #[test]
    fn layers_of_a_transformer_are_groups() {
        let mut names = vec!["emb_patch".to_owned(), "emb_add".to_owned()];
        for layer in 0..12 {
            for part in ["norm1", "attn_query", "attn_key", "mlp_fc1", "mlp_fc2"] {
                names.push(format!("layer_{layer}_{part}"));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let labels = labels(&names);
        assert_eq!(labels.len(), 14);
        assert_eq!(labels[..3], ["emb_patch", "emb_add", "layer_0…"]);
        assert_eq!(labels[13], "layer_11…");
    }

    #[test]
    fn few_names_are_groups_of_their_own() {
        assert_eq!(labels(&["conv1", "relu1", "fc"]), ["conv1", "relu1", "fc"]);
        assert_eq!(labels(&["a", "a/b", "a/c", ""]), ["a", "a/b", "a/c", ""]);
        assert_eq!(labels(&[]), Vec::<String>::new());
    }

    #[test]
    fn names_without_anything_in_common_stay_apart() {
        let names: Vec<String> = (0..50).map(|k| format!("node{k}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(labels(&names).len(), 50);
    }

    #[test]
    fn many_parts_and_many_names_are_no_trouble() {
        let deep = "a/".repeat(5000);
        let names: Vec<String> = (0..2000).map(|k| format!("{}x_{k}_y", &deep[..(k % 40)])).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(labels(&names).len() <= 2000);
        assert_eq!(labels(&[&deep]).len(), 1);
    }
}
