//! The page's data: columns instead of objects and every text once, since a graph may have 100,000 operators.

use crate::drawing::{Drawing, Panel};
use crate::layout::{Piece, Point};
use crate::options::Theme;
use crate::palette::{category, ramp, skin};
use crate::scene::{EdgeSource, FileLabel, MetricKind, MetricValue, Node};
use serde::Serialize;
use std::collections::BTreeMap;

/// Steps of the cost ramp that the page is given.
const RAMP: u32 = 128;
/// Largest integer that JSON readers keep exactly (2^53); larger ones are written as text.
const EXACT: u64 = 1 << 53;

/// All that the page knows. Texts are indices into `strings`, -1 where there is none.
#[derive(Debug, Serialize)]
pub(super) struct PageData<'a> {
    title: &'a str,
    files: &'a [FileLabel],
    notices: &'a [String],
    start: Start,
    metrics: Vec<Metric<'a>>,
    skins: Themes<SkinData>,
    ramps: Themes<Vec<String>>,
    categories: Themes<Vec<String>>,
    /// Id, name, file, subgraph, operator, opcode.
    sources: Vec<(u32, i64, i64, i64, i64, i64)>,
    /// Id, reason, pass.
    retired: Vec<(u32, i64, i64)>,
    graphs: Vec<Graph<'a>>,
    /// Lists of passes, each list once.
    histories: Vec<Vec<i64>>,
    strings: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct Start {
    /// The metric that colours mean at first, -1 for origin groups.
    metric: i64,
    /// The metric that stands in the boxes where colours mean origins, -1 for none.
    shown: i64,
    dark: bool,
}

#[derive(Debug, Serialize)]
struct Metric<'a> {
    name: &'a str,
    unit: &'a str,
    kind: MetricKind,
    operators: u64,
    low: String,
    high: String,
    sum: String,
}

#[derive(Debug, Serialize)]
struct Themes<T> {
    light: T,
    dark: T,
}

impl<T> Themes<T> {
    fn new(make: impl Fn(Theme) -> T) -> Self {
        Themes { light: make(Theme::Light), dark: make(Theme::Dark) }
    }
}

#[derive(Debug, Serialize)]
struct SkinData {
    background: String,
    text: String,
    faint: String,
    line: String,
    continuation: String,
    border: String,
    terminal: String,
    blank: String,
    hatch: String,
}

#[derive(Debug, Serialize)]
struct Graph<'a> {
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

/// Numbers each text once, in order of first use.
#[derive(Default)]
struct Strings<'a> {
    numbers: BTreeMap<&'a str, i64>,
    list: Vec<&'a str>,
}

impl<'a> Strings<'a> {
    fn number(&mut self, text: &'a str) -> i64 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.list.push(text);
            self.list.len() as i64 - 1
        })
    }

    fn optional(&mut self, text: Option<&'a str>) -> i64 {
        text.map_or(-1, |text| self.number(text))
    }
}

impl<'a> PageData<'a> {
    /// Collects the data of a drawing.
    pub(super) fn new(drawing: &'a Drawing<'a>, theme: Theme) -> PageData<'a> {
        let scene = drawing.scene;
        let mut strings = Strings::default();
        let mut histories: BTreeMap<&[String], i64> = BTreeMap::new();
        let mut history_list = Vec::new();
        let mut graphs = Vec::new();
        for panel in &drawing.panels {
            for node in &panel.subgraph.nodes {
                histories.entry(&node.history).or_insert_with(|| {
                    history_list.push(node.history.iter().map(|pass| strings.number(pass)).collect());
                    history_list.len() as i64 - 1
                });
            }
            graphs.push(graph(panel, &mut strings, &histories));
        }
        let place = |value: Option<u32>| value.map_or(-1, i64::from);
        let sources = scene
            .sources
            .iter()
            .map(|s| {
                let (name, opcode) = (strings.number(&s.name), strings.optional(s.opcode.as_deref()));
                (s.id, name, place(s.file), place(s.subgraph), place(s.operator), opcode)
            })
            .collect();
        let retired = scene
            .retired
            .iter()
            .map(|r| (r.source, strings.number(&r.reason), strings.number(&r.by)))
            .collect();
        let colours =
            drawing.panels.iter().flat_map(|p| &p.groups.colour).max().map_or(0, |most| *most as usize + 1);
        let first = drawing
            .totals
            .iter()
            .zip(&scene.metrics)
            .position(|(total, info)| total.is_some() && info.kind == MetricKind::Additive);
        let index = |metric: Option<usize>| metric.map_or(-1, |metric| metric as i64);
        PageData {
            title: &scene.title,
            files: &scene.files,
            notices: &scene.notices,
            start: Start {
                metric: index(drawing.metric.filter(|metric| drawing.totals[*metric].is_some())),
                shown: index(first),
                dark: theme == Theme::Dark,
            },
            metrics: scene
                .metrics
                .iter()
                .zip(&drawing.totals)
                .map(|(info, total)| Metric {
                    name: &info.name,
                    unit: &info.unit,
                    kind: info.kind,
                    operators: total.map_or(0, |total| total.operators),
                    low: total.map_or(0, |total| total.low).to_string(),
                    high: total.map_or(0, |total| total.high).to_string(),
                    sum: total.map_or(0, |total| total.sum).to_string(),
                })
                .collect(),
            skins: Themes::new(skin_data),
            ramps: Themes::new(|theme| {
                (0..RAMP).map(|step| ramp(f64::from(step) / f64::from(RAMP - 1), theme).to_string()).collect()
            }),
            categories: Themes::new(|theme| {
                (0..colours).map(|colour| category(colour, theme).to_string()).collect()
            }),
            sources,
            retired,
            graphs,
            histories: history_list,
            strings: strings.list,
        }
    }
}

fn skin_data(theme: Theme) -> SkinData {
    let s = skin(theme);
    SkinData {
        background: s.background.to_string(),
        text: s.text.to_string(),
        faint: s.faint.to_string(),
        line: s.line.to_string(),
        continuation: s.continuation.to_string(),
        border: s.border.to_string(),
        terminal: s.terminal.to_string(),
        blank: s.blank.to_string(),
        hatch: s.hatch.to_string(),
    }
}

fn graph<'a>(
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
    let mut terminals = |list: &'a [crate::scene::Terminal]| -> Vec<(i64, i64)> {
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
