//! A scene made ready for encoding: boxes measured, graphs laid out, colours decided.

use crate::card::{self, Card};
use crate::colour::Colour;
use crate::groups::{self, Groups};
use crate::layout::{Layout, Link, Size, lay_out};
use crate::options::{ColourBy, Theme};
use crate::palette::{category, ramp, ramp_place, skin};
use crate::scene::{EdgeSource, EdgeTarget, MetricInfo, MetricKind, Scene, SubgraphScene};
use std::collections::BTreeMap;

/// A scene with all that the encoders share.
#[derive(Debug)]
pub(crate) struct Drawing<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) panels: Vec<Panel<'a>>,
    /// The metric that colours mean; `None` for origin groups.
    pub(crate) metric: Option<usize>,
    /// Smallest, largest value and sum of each metric over all operators; `None` where no operator has one.
    pub(crate) totals: Vec<Option<Total>>,
    names: BTreeMap<u32, usize>,
}

/// What the values of a metric amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) sum: i128,
    pub(crate) operators: u64,
}

/// One graph. Boxes are the nodes, then the inputs, then the outputs.
#[derive(Debug)]
pub(crate) struct Panel<'a> {
    pub(crate) subgraph: &'a SubgraphScene,
    pub(crate) cards: Vec<Card>,
    pub(crate) layout: Layout,
    pub(crate) groups: Groups,
    pub(crate) nets: Vec<Net<'a>>,
}

/// A tensor with all its readers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Net<'a> {
    pub(crate) source: EdgeSource,
    pub(crate) tensor: &'a str,
    pub(crate) label: &'a str,
}

impl<'a> Drawing<'a> {
    /// Lays out all graphs of a scene that has been validated.
    pub(crate) fn new(scene: &'a Scene, colour: ColourBy) -> Drawing<'a> {
        let totals: Vec<Option<Total>> =
            (0..scene.metrics.len()).map(|metric| total(scene, metric)).collect();
        let first = scene
            .metrics
            .iter()
            .zip(&totals)
            .position(|(info, total)| info.kind == MetricKind::Additive && total.is_some());
        let metric = match colour {
            ColourBy::Auto => first,
            ColourBy::Cost { metric } => Some(metric).filter(|metric| *metric < totals.len()).or(first),
            ColourBy::Origin => None,
        };
        // The cost stands in the boxes also where colours mean something else.
        let shown = metric.or(first).and_then(|index| Some((index, scene.metrics.get(index)?)));
        Drawing {
            scene,
            panels: scene.subgraphs.iter().map(|subgraph| Panel::new(subgraph, shown)).collect(),
            metric,
            totals,
            names: scene.sources.iter().enumerate().map(|(at, source)| (source.id, at)).collect(),
        }
    }

    /// Name of an original, where it is listed.
    pub(crate) fn source_name(&self, id: u32) -> Option<String> {
        self.names.get(&id).map(|at| self.scene.sources[*at].name.clone())
    }

    /// Fill of an operator's box, and whether it is hatched.
    pub(crate) fn fill(&self, panel: &Panel<'_>, node: usize, theme: Theme) -> (Colour, bool) {
        let blank = skin(theme).blank;
        let Some(scene_node) = panel.subgraph.nodes.get(node) else { return (blank, false) };
        let unknown = scene_node.is_unknown();
        match self.metric {
            Some(metric) => match (scene_node.integer(metric), self.totals[metric]) {
                (Some(value), Some(total)) => {
                    (ramp(ramp_place(value, total.low, total.high), theme), unknown)
                }
                _ => (blank, unknown),
            },
            None => match panel.groups.of[node] {
                Some(group) => (category(panel.groups.colour[group as usize] as usize, theme), false),
                None => (blank, true),
            },
        }
    }
}

fn total(scene: &Scene, metric: usize) -> Option<Total> {
    let mut total: Option<Total> = None;
    for value in scene.subgraphs.iter().flat_map(|s| &s.nodes).filter_map(|node| node.integer(metric)) {
        let t = total.get_or_insert(Total { low: value, high: value, sum: 0, operators: 0 });
        t.low = t.low.min(value);
        t.high = t.high.max(value);
        t.sum += i128::from(value);
        t.operators += 1;
    }
    total
}

impl<'a> Panel<'a> {
    fn new(subgraph: &'a SubgraphScene, metric: Option<(usize, &MetricInfo)>) -> Panel<'a> {
        let width = card::common_width(&subgraph.nodes, metric);
        let cards = subgraph.nodes.iter().map(|node| card::card(node, metric, width)).collect();
        let (nodes, inputs) = (subgraph.nodes.len(), subgraph.inputs.len());
        let mut boxes = vec![Size { width, height: card::HEIGHT }; nodes];
        boxes.resize(nodes + inputs + subgraph.outputs.len(), Size { width, height: card::TERMINAL_HEIGHT });

        let mut numbers: BTreeMap<(EdgeSource, &str), u32> = BTreeMap::new();
        let mut nets: Vec<Net<'a>> = Vec::new();
        let mut links = Vec::with_capacity(subgraph.edges.len());
        for edge in &subgraph.edges {
            let net = *numbers.entry((edge.from, edge.tensor.as_str())).or_insert_with(|| {
                nets.push(Net { source: edge.from, tensor: &edge.tensor, label: &edge.label });
                nets.len() as u32 - 1
            });
            let from = match edge.from {
                EdgeSource::Node(node) => node,
                EdgeSource::Input(input) => nodes as u32 + input,
            };
            let to = match edge.to {
                EdgeTarget::Node(node) => node,
                EdgeTarget::Output(output) => (nodes + inputs) as u32 + output,
            };
            links.push(Link { from, to, net });
        }
        let layout = lay_out(&boxes, &links, nets.len());
        Panel { subgraph, cards, layout, groups: groups::group(subgraph), nets }
    }
}
