//! The page's data of one graph: its operators as columns, its geometry as numbers.

use super::html_data::Strings;
use crate::drawing::Panel;
use crate::layout::{Piece, Point};
use crate::scene::{EdgeSource, MetricValue, Node, Terminal};
use serde::Serialize;
use std::collections::BTreeMap;

/// Largest integer that JSON readers keep exactly (2^53); larger ones are written as text.
const EXACT: u64 = 1 << 53;

#[derive(Debug, Serialize)]
pub(super) struct Graph<'a> {
    index: u32,
    name: &'a str,
    width: f64,
    height: f64,
    operator: Vec<u32>,
    opcode: Vec<i64>,
    name_of: Vec<i64>,
    output: Vec<i64>,
    attributes: Vec<i64>,
    unknown: Vec<i64>,
    history: Vec<i64>,
    /// Four numbers an origin: id, role, k and n of "part k of n" (0 of 0 for the whole).
    origins: Vec<Vec<i64>>,
    /// Two entries a value: metric, value.
    metrics: Vec<Vec<Value>>,
    group: Vec<i64>,
    /// x, y, width, height of nodes, inputs, outputs.
    boxes: Vec<Number>,
    inputs: Vec<(i64, i64)>,
    outputs: Vec<(i64, i64)>,
    nets: Vec<NetData>,
    /// x, y, box, 1 for outgoing, boxes at the other ends.
    stubs: Vec<(Number, Number, u32, u8, Vec<u32>)>,
}

#[derive(Debug, Serialize)]
struct NetData {
    /// Box of the producer.
    source: usize,
    tensor: i64,
    label: i64,
    /// Kind (0 curve, 1 line, 2 continuation), then coordinates.
    pieces: Vec<Vec<Number>>,
    /// x, y, box, three numbers a reader.
    heads: Vec<Number>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Small(i64),
    Large(String),
    Text { t: i64 },
}

/// A coordinate; whole numbers are written without a fraction.
#[derive(Debug, Clone, Copy)]
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            to.serialize_i64(self.0 as i64)
        } else {
            to.serialize_f64((self.0 * 10.0).round() / 10.0)
        }
    }
}

/// Collects the columns of one graph.
pub(super) fn graph<'a>(
    panel: &Panel<'a>,
    strings: &mut Strings<'a>,
    histories: &BTreeMap<&[String], i64>,
) -> Graph<'a> {
    let nodes = &panel.subgraph.nodes;
    let mut column = |text: fn(&'a Node) -> &'a str| -> Vec<i64> {
        nodes.iter().map(|node| strings.number(text(node))).collect()
    };
    let opcode = column(|node| &node.opcode);
    let name_of = column(|node| &node.name);
    let output = column(|node| &node.output);
    let attributes = column(|node| &node.attributes);
    let unknown = nodes.iter().map(|node| strings.optional(node.unknown.as_deref())).collect();
    let origins = nodes
        .iter()
        .map(|node| {
            node.origins
                .iter()
                .flat_map(|origin| {
                    let (k, n) = origin.part.unwrap_or_default();
                    [i64::from(origin.id), strings.number(&origin.role), i64::from(k), i64::from(n)]
                })
                .collect()
        })
        .collect();
    let metrics = nodes
        .iter()
        .map(|node| {
            node.metrics
                .iter()
                .flat_map(|(metric, value)| {
                    let value = match value {
                        MetricValue::Integer(value) if value.unsigned_abs() <= EXACT => Value::Small(*value),
                        MetricValue::Integer(value) => Value::Large(value.to_string()),
                        MetricValue::Text(text) => Value::Text { t: strings.number(text) },
                    };
                    [Value::Small(i64::from(*metric)), value]
                })
                .collect()
        })
        .collect();
    let group = panel
        .groups
        .of
        .iter()
        .map(|group| group.map_or(-1, |group| i64::from(panel.groups.colour[group as usize])))
        .collect();
    let mut terminals = |list: &'a [Terminal]| -> Vec<(i64, i64)> {
        list.iter().map(|end| (strings.number(&end.name), strings.number(&end.label))).collect()
    };
    let inputs = terminals(&panel.subgraph.inputs);
    let outputs = terminals(&panel.subgraph.outputs);
    let layout = &panel.layout;
    let nets = panel
        .nets
        .iter()
        .zip(&layout.routes)
        .map(|(net, route)| NetData {
            source: match net.source {
                EdgeSource::Node(node) => node as usize,
                EdgeSource::Input(input) => nodes.len() + input as usize,
            },
            tensor: strings.number(net.tensor),
            label: strings.number(net.label),
            pieces: route.pieces.iter().map(piece).collect(),
            heads: route
                .heads
                .iter()
                .flat_map(|head| [Number(head.tip.x), Number(head.tip.y), Number(f64::from(head.target))])
                .collect(),
        })
        .collect();
    Graph {
        index: panel.subgraph.index,
        name: &panel.subgraph.name,
        width: layout.width,
        height: layout.height,
        operator: nodes.iter().map(|node| node.operator).collect(),
        opcode,
        name_of,
        output,
        attributes,
        unknown,
        history: nodes
            .iter()
            .map(|node| histories.get(node.history.as_slice()).copied().unwrap_or(-1))
            .collect(),
        origins,
        metrics,
        group,
        boxes: layout.boxes.iter().flat_map(|b| [b.x, b.y, b.width, b.height].map(Number)).collect(),
        inputs,
        outputs,
        nets,
        stubs: layout
            .stubs
            .iter()
            .map(|s| (Number(s.at.x), Number(s.at.y), s.owner, u8::from(s.outgoing), s.others.clone()))
            .collect(),
    }
}

fn piece(piece: &Piece) -> Vec<Number> {
    let flat = |kind: f64, points: &[Point]| {
        std::iter::once(Number(kind)).chain(points.iter().flat_map(|p| [Number(p.x), Number(p.y)])).collect()
    };
    match piece {
        Piece::Curve(a, b) => flat(0.0, &[*a, *b]),
        Piece::Line(points) => flat(1.0, points),
        Piece::Continuation(points) => flat(2.0, points),
    }
}
