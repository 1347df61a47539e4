//! The page's data: columns instead of objects and every text once, since a graph may have 100,000 operators.

use super::html_graph::{Graph, graph};
use crate::drawing::Drawing;
use crate::options::Theme;
use crate::palette::{category, ramp, skin};
use crate::scene::{FileLabel, MetricKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Steps of the cost ramp that the page is given.
const RAMP: u32 = 128;

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
pub(crate) struct Themes<T> {
    light: T,
    dark: T,
}

impl<T> Themes<T> {
    pub(crate) fn new(make: impl Fn(Theme) -> T) -> Self {
        Themes { light: make(Theme::Light), dark: make(Theme::Dark) }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct SkinData {
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

/// Numbers each text once, in order of first use.
#[derive(Default)]
pub(crate) struct Strings<'a> {
    numbers: BTreeMap<&'a str, i64>,
    list: Vec<&'a str>,
}

impl<'a> Strings<'a> {
    /// The text's number.
    pub(crate) fn number(&mut self, text: &'a str) -> i64 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.list.push(text);
            self.list.len() as i64 - 1
        })
    }

    /// The number, or -1 where there is no text.
    pub(crate) fn optional(&mut self, text: Option<&'a str>) -> i64 {
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

pub(crate) fn skin_data(theme: Theme) -> SkinData {
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
