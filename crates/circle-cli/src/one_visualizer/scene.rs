//! A model and its dump as a scene to draw.

use std::collections::HashMap;

use circle_ir::lineage::annotation;
use circle_ir::{Model, OpId, Subgraph, Value, ValueId};
use circle_profile::dump::{Dump, OperatorRow};
use circle_visual::{
    Edge, EdgeSource, EdgeTarget, FileLabel, MetricInfo, MetricKind, MetricValue, Node, OriginRef, Retired,
    Scene, SourceNode, SubgraphScene, Terminal,
};

/// The scene of `model`, whose rows are `dump`.
pub(super) fn build(model: &Model, dump: &Dump) -> Scene {
    let metrics: Vec<MetricInfo> = model.store().metrics.iter().map(metric).collect();
    let by_name: HashMap<(&str, &str), u32> =
        metrics.iter().enumerate().map(|(i, m)| ((m.name.as_str(), m.unit.as_str()), i as u32)).collect();
    let mut rows = dump.operators.iter();
    let mut subgraphs = Vec::new();
    for (id, sg) in model.subgraphs() {
        let mine: Vec<&OperatorRow> = rows.by_ref().take(sg.operator_count()).collect();
        subgraphs.push(subgraph(id.number(), sg, &mine, &by_name));
    }
    let problems = dump.problems.iter().map(|p| format!("{}: {}: {}", p.severity, p.place, p.text));
    let none = (dump.profile_data == "none")
        .then(|| "The file carries no profile data: origins are not known.".to_owned());
    Scene {
        title: dump.model.name.clone(),
        files: dump
            .origin_files
            .iter()
            .map(|f| FileLabel { name: f.known.name.clone(), md5: f.known.md5.clone() })
            .collect(),
        subgraphs,
        sources: dump
            .sources
            .iter()
            .map(|s| SourceNode {
                id: s.id,
                name: s.name.clone(),
                file: s.file,
                subgraph: Some(s.subgraph),
                operator: s.operator,
                opcode: Some(s.opcode.clone()).filter(|code| !code.is_empty()),
            })
            .collect(),
        retired: dump
            .retired
            .iter()
            .map(|r| Retired { source: r.id, reason: r.reason.to_owned(), by: r.by.clone() })
            .collect(),
        metrics,
        notices: none.into_iter().chain(problems).collect(),
    }
}

fn metric(metric: &annotation::Metric) -> MetricInfo {
    let kind = match metric.kind {
        annotation::MetricKind::Additive => MetricKind::Additive,
        annotation::MetricKind::Max => MetricKind::Max,
        annotation::MetricKind::Ratio => MetricKind::Ratio,
        annotation::MetricKind::Label => MetricKind::Label,
    };
    MetricInfo { name: metric.name.to_string(), unit: metric.unit.to_string(), kind }
}

/// Type and shape, `f32[1,8,8,4]`, open dimensions as `?`.
fn label(value: &Value) -> String {
    let signature = value.record().ints("shape_signature");
    let dim = |(i, d): (usize, &i64)| match signature.get(i) {
        Some(-1) => "?".to_owned(),
        _ => d.to_string(),
    };
    format!("{}[{}]", value.ty(), value.shape().iter().enumerate().map(dim).collect::<Vec<_>>().join(","))
}

fn terminal(sg: &Subgraph, v: ValueId) -> Terminal {
    let value = sg.value(v);
    Terminal { name: value.map_or("", Value::name).to_owned(), label: value.map(label).unwrap_or_default() }
}

fn subgraph(
    index: u32,
    sg: &Subgraph,
    rows: &[&OperatorRow],
    metrics: &HashMap<(&str, &str), u32>,
) -> SubgraphScene {
    let position: HashMap<OpId, u32> =
        sg.operators().enumerate().map(|(i, (op, _))| (op, i as u32)).collect();
    let input: HashMap<ValueId, u32> = sg.inputs().iter().enumerate().map(|(i, &v)| (v, i as u32)).collect();
    let from = |v: ValueId| match sg.value(v)?.def() {
        Some((op, _)) => position.get(&op).map(|&n| EdgeSource::Node(n)),
        None => input.get(&v).map(|&n| EdgeSource::Input(n)),
    };
    let edge = |v: ValueId, to: EdgeTarget| {
        let value = sg.value(v)?;
        Some(Edge { from: from(v)?, to, tensor: value.name().to_owned(), label: label(value) })
    };
    let mut edges = Vec::new();
    let mut nodes = Vec::new();
    for ((op, operator), row) in sg.operators().zip(rows) {
        let to = EdgeTarget::Node(position[&op]);
        edges.extend(operator.inputs().iter().flatten().filter_map(|&v| edge(v, to)));
        let outputs: Vec<String> =
            operator.outputs().iter().filter_map(|&v| sg.value(v)).map(label).collect();
        nodes.push(node(row, outputs.join(", "), operator.options().map(ToString::to_string), metrics));
    }
    for (i, &v) in sg.outputs().iter().enumerate() {
        edges.extend(edge(v, EdgeTarget::Output(i as u32)));
    }
    SubgraphScene {
        index,
        name: sg.name().to_owned(),
        nodes,
        edges,
        inputs: sg.inputs().iter().map(|&v| terminal(sg, v)).collect(),
        outputs: sg.outputs().iter().map(|&v| terminal(sg, v)).collect(),
    }
}

fn node(
    row: &OperatorRow,
    output: String,
    options: Option<String>,
    metrics: &HashMap<(&str, &str), u32>,
) -> Node {
    let origin = |o: &circle_profile::dump::OriginRow| OriginRef {
        id: o.id,
        role: o.role.to_owned(),
        part: o.part.zip(o.parts),
    };
    let value = |m: &circle_profile::dump::MetricRow| {
        let index = *metrics.get(&(m.name.as_str(), m.unit.as_str()))?;
        let value = match (m.value.as_i64(), &m.value) {
            (Some(value), _) => MetricValue::Integer(value),
            (None, serde_json::Value::String(text)) => MetricValue::Text(text.clone()),
            (None, value) => MetricValue::Text(value.to_string()),
        };
        Some((index, value))
    };
    Node {
        operator: row.operator,
        opcode: row.opcode.clone(),
        name: row.name.clone(),
        origins: row.origins.iter().map(origin).collect(),
        unknown: row.unknown.clone(),
        history: row.history.clone(),
        metrics: row.metrics.iter().filter_map(value).collect(),
        output,
        attributes: options.filter(|text| text != "{}").unwrap_or_default(),
    }
}
