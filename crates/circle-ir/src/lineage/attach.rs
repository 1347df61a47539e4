//! How measured values come onto operators from outside. They can be added and, when a measurement is repeated,
//! taken back; nothing else of the lineage can be touched from here.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::entity::{MetricId, OpId, SubgraphId};
use crate::lineage::annotation::{Metric, MetricKind, Note, NoteValue};
use crate::model::Model;

/// A value that no operator can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnnotateError {
    /// There is no such operator.
    NoOperator {
        /// The subgraph.
        subgraph: SubgraphId,
        /// The operator.
        operator: OpId,
    },
    /// There is no such metric.
    NoMetric {
        /// The metric.
        metric: MetricId,
    },
    /// The metric is known under the same name and unit, but its values combine in another way.
    Kind {
        /// Name and unit of the metric.
        metric: String,
        /// How its values combine so far.
        known: MetricKind,
        /// How they were now said to combine.
        given: MetricKind,
    },
    /// The value is not of the sort that the kind of metric takes.
    Value {
        /// Name and unit of the metric.
        metric: String,
        /// The kind of the metric.
        kind: MetricKind,
        /// The value.
        value: String,
    },
}

impl fmt::Display for AnnotateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOperator { subgraph, operator } => {
                write!(f, "{subgraph} {operator}: there is no such operator")
            }
            Self::NoMetric { metric } => write!(f, "metric {}: there is no such metric", metric.number()),
            Self::Kind { metric, known, given } => {
                write!(f, "{metric}: known as {} and now given as {}", known.name(), given.name())
            }
            Self::Value { metric, kind, value } => {
                let due = match kind {
                    MetricKind::Additive | MetricKind::Max => "a whole number",
                    MetricKind::Ratio => "a number",
                    MetricKind::Label => "a text",
                };
                write!(f, "{metric}: {value} where {due} is due, the metric being {}", kind.name())
            }
        }
    }
}

impl std::error::Error for AnnotateError {}

fn shown(metric: &Metric) -> String {
    if metric.unit.is_empty() {
        metric.name.to_string()
    } else {
        format!("{} [{}]", metric.name, metric.unit)
    }
}

fn fits(kind: MetricKind, value: &NoteValue) -> bool {
    match kind {
        MetricKind::Additive | MetricKind::Max => matches!(value, NoteValue::Integer(_)),
        MetricKind::Ratio => matches!(value, NoteValue::Integer(_) | NoteValue::Decimal(_)),
        MetricKind::Label => matches!(value, NoteValue::Text(_)),
    }
}

/// The file that a note comes from: what stands in [`Note::from`] before the line.
pub fn file_of(from: &str) -> &str {
    from.rsplit_once(':').map_or(from, |(file, _)| file)
}

impl Model {
    /// The number of a metric, which is added if it is new. All known ones are looked at: whoever puts many values
    /// on operators asks once for each metric.
    ///
    /// # Errors
    /// When a metric of that name and unit combines its values in another way. Nothing has changed then.
    pub fn metric(&mut self, metric: &Metric) -> Result<MetricId, AnnotateError> {
        let same = |known: &&Metric| known.name == metric.name && known.unit == metric.unit;
        if let Some(known) = self.store.metrics.iter().find(same).filter(|known| known.kind != metric.kind) {
            let (known, given) = (known.kind, metric.kind);
            return Err(AnnotateError::Kind { metric: shown(metric), known, given });
        }
        Ok(self.store.metric(metric))
    }

    /// Puts a measured value on an operator, over the origins that the operator has now.
    ///
    /// `metric` is a number that [`metric`](Self::metric) has given; `from` is `<base name of the file>:<line>`.
    ///
    /// # Errors
    /// When there is no such operator or metric, or the value does not suit the kind of metric. Nothing has changed
    /// then.
    pub fn annotate(
        &mut self,
        subgraph: SubgraphId,
        operator: OpId,
        metric: MetricId,
        value: NoteValue,
        from: &str,
    ) -> Result<(), AnnotateError> {
        let Self { subgraphs, store, .. } = self;
        let slot = subgraphs
            .get_mut(subgraph.number() as usize)
            .and_then(|sg| sg.operators.get_mut(operator))
            .ok_or(AnnotateError::NoOperator { subgraph, operator })?;
        let id = metric;
        let metric = store.metrics.get(id.number() as usize).ok_or(AnnotateError::NoMetric { metric: id })?;
        if !fits(metric.kind, &value) {
            let value = match &value {
                NoteValue::Integer(value) => value.to_string(),
                NoteValue::Decimal(value) => value.to_string(),
                NoteValue::Text(value) => format!("{value:?}"),
            };
            return Err(AnnotateError::Value { metric: shown(metric), kind: metric.kind, value });
        }
        slot.notes.push(Note { metric: id, over: slot.lineage.claims(), value, from: Arc::from(from) });
        Ok(())
    }

    /// Takes back every value of `metrics` that came from the file `file` (a base name), those of constants among
    /// them, also of operators and constants that have left since. A repeated measurement replaces the one before in this way. Returns how many there
    /// were.
    pub fn withdraw(&mut self, file: &str, metrics: &BTreeSet<Metric>) -> usize {
        let Self { subgraphs, store, .. } = self;
        let withdrawn: Vec<bool> = store.metrics.iter().map(|metric| metrics.contains(metric)).collect();
        let mut count = 0;
        let mut sift = |notes: &mut Vec<Note>| {
            let before = notes.len();
            notes.retain(|note| {
                let concerned = withdrawn.get(note.metric.number() as usize).copied().unwrap_or(false);
                !(concerned && file_of(&note.from) == file)
            });
            count += before - notes.len();
        };
        for sg in subgraphs {
            sg.notes.values_mut().for_each(&mut sift);
            sg.notes.retain(|_, notes| !notes.is_empty());
            for id in sg.operators.keys().collect::<Vec<_>>() {
                if let Some(op) = sg.operators.get_mut(id) {
                    sift(&mut op.notes);
                }
            }
        }
        store.ledger.iter_mut().for_each(|departure| sift(&mut departure.notes));
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::ValueId;
    use crate::import::{ImportedLineage, TensorNotes};

    const TEXT: &str = "subgraph sg0 \"main\" (%0) -> (%1)
  %0: f32[1,8] \"x\"
  %1: f32[1,8] \"y\"
  op0 RELU (%0) -> %1
";

    fn metric(kind: MetricKind) -> Metric {
        Metric { name: Arc::from("time"), unit: Arc::from("ns"), kind }
    }

    fn values(model: &Model) -> Vec<NoteValue> {
        let ops = model.subgraphs().flat_map(|(_, sg)| sg.operators());
        ops.flat_map(|(_, op)| op.notes()).map(|note| note.value.clone()).collect()
    }

    #[test]
    fn values_are_put_over_present_claims_and_taken_back_by_file() {
        let mut model = crate::text::parse(TEXT).unwrap();
        let (sg, op) = (SubgraphId::from_number(0), OpId::from_number(0));
        let time = metric(MetricKind::Additive);
        for (value, from) in [(5, "a:b.csv:1"), (6, "a:b.csv:2"), (7, "c.csv:1")] {
            let time = model.metric(&time).unwrap();
            model.annotate(sg, op, time, NoteValue::Integer(value), from).unwrap();
        }
        let operator = model.subgraph(sg).unwrap().operator(op).unwrap();
        assert_eq!(operator.notes()[0].over, operator.lineage().claims());
        assert_eq!(model.withdraw("a:b.csv", &BTreeSet::from([metric(MetricKind::Max)])), 0);
        assert_eq!(model.withdraw("a:b.csv", &BTreeSet::from([time])), 2);
        assert_eq!(values(&model), [NoteValue::Integer(7)]);
    }

    #[test]
    fn values_of_constants_are_taken_in_and_back() {
        let text = "subgraph sg0 \"main\" (%0) -> (%2)
  %0: f32[2] \"x\"
  %1: f32[2] \"c\" = [1.0, 2.0]
  %2: f32[2] \"y\"
  op0 ADD (%0, %1) -> %2
";
        let file = crate::lineage::origin::OriginFile {
            name: Arc::from("in.circle"),
            format: crate::lineage::origin::FileFormat::Circle,
            bytes: 1,
            md5: [0; 16],
            sha256: None,
        };
        let noted = |subgraph: u32, tensor: u32| {
            let draft = crate::text::parse(text).unwrap().to_draft().unwrap();
            let mut lineage = ImportedLineage::fresh(&draft, file.clone());
            let metric = lineage.store.metric(&metric(MetricKind::Additive));
            let (over, value) = (lineage.store.claim_sets.empty(), NoteValue::Integer(5));
            let notes = vec![Note { metric, over, value, from: Arc::from("p.csv:1") }];
            let (subgraph, tensor) = (SubgraphId::from_number(subgraph), ValueId::from_number(tensor));
            lineage.tensor_notes.push(TensorNotes { subgraph, tensor, notes });
            draft.adopt(lineage)
        };
        let mut model = noted(0, 1).unwrap();
        let sg = SubgraphId::from_number(0);
        let on = |model: &Model, v: u32| model.subgraph(sg).unwrap().notes(ValueId::from_number(v)).len();
        assert_eq!([0, 1, 2].map(|v| on(&model, v)), [0, 1, 0]);
        let sums = |model: &Model| crate::verify::lineage::balance(model).additive.into_values().collect();
        let before: Vec<i128> = sums(&model);
        assert_eq!(before, [5]);
        assert_eq!(model.withdraw("q.csv", &BTreeSet::from([metric(MetricKind::Additive)])), 0);
        assert_eq!(model.withdraw("p.csv", &BTreeSet::from([metric(MetricKind::Additive)])), 1);
        assert_eq!((on(&model, 1), model.subgraph(sg).unwrap().noted().count()), (0, 0));
        // What leads nowhere is refused.
        for (subgraph, tensor) in [(0, 3), (1, 0)] {
            let text = format!("subgraph {subgraph}: noted tensor {tensor} does not exist");
            assert_eq!(noted(subgraph, tensor).unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_and_changes_nothing() {
        let mut model = crate::text::parse(TEXT).unwrap();
        let (sg, op) = (SubgraphId::from_number(0), OpId::from_number(0));
        let time = metric(MetricKind::Additive);
        let id = model.metric(&time).unwrap();
        let mut refused = |op: u32, metric, value| {
            let error = model.annotate(sg, OpId::from_number(op), metric, value, "p.csv:1").unwrap_err();
            (error.to_string(), values(&model).len(), model.store().metrics.len())
        };
        assert_eq!(
            refused(1, id, NoteValue::Integer(1)),
            ("sg0 op1: there is no such operator".into(), 0, 1)
        );
        let text = "time [ns]: \"x\" where a whole number is due, the metric being additive";
        assert_eq!(refused(0, id, NoteValue::Text(Arc::from("x"))), (text.into(), 0, 1));
        let text = "metric 1: there is no such metric";
        assert_eq!(refused(0, MetricId::from_number(1), NoteValue::Integer(1)), (text.into(), 0, 1));
        model.annotate(sg, op, id, NoteValue::Integer(1), "p.csv:1").unwrap();
        let error = model.metric(&metric(MetricKind::Max));
        assert_eq!(error.unwrap_err().to_string(), "time [ns]: known as additive and now given as max");
        assert_eq!(values(&model).len(), 1);
    }
}
