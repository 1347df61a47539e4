//! Measured values onto operators.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use circle_ir::lineage::annotation::{Metric, MetricKind, NoteValue};
use circle_ir::lineage::attach::AnnotateError;
use circle_ir::{MetricId, Model};
use circle_metadata::lineage::MAX_WORDS;
use circle_metadata::profile::{Profile, Unit, Value};

use crate::join::Join;
use crate::metric;
use crate::own::{OwnValues, TooLarge, own_values};

/// Name of the label that says what an operator ran on.
pub const BACKEND: &str = "backend";

/// What was attached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attached {
    /// How many values were put on operators.
    pub added: usize,
    /// How many values of an earlier measurement of the same name were taken back for it.
    pub replaced: usize,
    /// The values of all rows without what is nested in them.
    pub own: OwnValues,
}

/// A profile that cannot be attached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachError {
    /// A value is too large.
    TooLarge(TooLarge),
    /// An operator does not take the value.
    Refused {
        /// Line of the row.
        line: u64,
        /// Why not.
        error: AnnotateError,
    },
    /// The model has been measured in as many metrics as a lineage can hold.
    Metrics {
        /// Line of the first row of one more.
        line: u64,
        /// How many it can hold.
        most: usize,
    },
}

impl fmt::Display for AttachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(error) => error.fmt(f),
            Self::Refused { line, error } => write!(f, "line {line}: {error}"),
            Self::Metrics { line, most } => {
                write!(f, "line {line}: one metric more than {most}, which are the most of a model")
            }
        }
    }
}

impl std::error::Error for AttachError {}

/// The base name under which values of a profile are kept: no folders, for they are nobody else's business.
pub fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Puts the values of joined rows on their operators, over the origins that these have now.
///
/// Additive values are those of one run of the model without what is nested inside (see [`crate::own`]), so that
/// the sum over all operators counts nothing twice. Where a row names what the operator ran on, that becomes a
/// label. Each value keeps the profile's base name and its line.
///
/// A profile is known by its base name: attaching one again replaces what it brought before of the same metrics,
/// wherever it has got to since, and doubles nothing.
///
/// # Errors
/// When a value does not fit, a metric is known to combine otherwise, or there are too many. The model is then attached to in part and
/// has to be dropped.
pub fn attach(
    model: &mut Model,
    name: &str,
    profile: &Profile,
    join: &Join,
) -> Result<Attached, AttachError> {
    let name = base_name(name);
    let own = own_values(profile).map_err(AttachError::TooLarge)?;
    let rows = join.joined.iter().filter_map(|joined| Some((joined, profile.rows.get(joined.row)?)));
    let mut metrics: BTreeSet<Metric> =
        rows.clone().map(|(_, row)| metric::metric(&row.metric, row.unit)).collect();
    metrics.insert(metric::metric(BACKEND, Unit::Label));
    let replaced = model.withdraw(name, &metrics);
    let mut ids = Ids::default();
    let mut backends = BTreeSet::new();
    let mut added = 0;
    for (joined, row) in rows {
        let (subgraph, operator) = (joined.subgraph, joined.operator);
        let from = format!("{name}:{}", row.line);
        let mut put = |name, unit, value: NoteValue| {
            added += 1;
            let metric = ids.of(model, name, unit, row.line)?;
            let refused = |error| AttachError::Refused { line: row.line, error };
            model.annotate(subgraph, operator, metric, value, &from).map_err(refused)
        };
        let additive = metric::kind(&row.metric, row.unit) == MetricKind::Additive;
        let own = own.values.get(joined.row).copied().flatten().filter(|_| additive);
        put(
            &row.metric,
            row.unit,
            match (&row.value, own) {
                (_, Some(own)) => NoteValue::Integer(own),
                (Value::Integer(value), None) => NoteValue::Integer(*value),
                (Value::Decimal(value), None) => NoteValue::Decimal(Arc::from(value.as_str())),
                (Value::Text(value), None) => NoteValue::Text(Arc::from(value.as_str())),
            },
        )?;
        if let Some(text) = &row.backend
            && backends.insert((subgraph, operator, text))
        {
            put(BACKEND, Unit::Label, NoteValue::Text(Arc::from(text.as_str())))?;
        }
    }
    Ok(Attached { added, replaced, own })
}

/// Numbers of metrics in a model, each asked for once.
#[derive(Default)]
struct Ids<'p>(BTreeMap<(&'p str, Unit), MetricId>);

impl<'p> Ids<'p> {
    /// The number of a metric that the row in `line` gives; it is added if it is new and there is room for it.
    fn of(
        &mut self,
        model: &mut Model,
        name: &'p str,
        unit: Unit,
        line: u64,
    ) -> Result<MetricId, AttachError> {
        if let Some(&id) = self.0.get(&(name, unit)) {
            return Ok(id);
        }
        let metric = metric::metric(name, unit);
        let known = &model.store().metrics;
        if known.len() >= MAX_WORDS && !known.contains(&metric) {
            return Err(AttachError::Metrics { line, most: MAX_WORDS });
        }
        let id = model.metric(&metric).map_err(|error| AttachError::Refused { line, error })?;
        self.0.insert((name, unit), id);
        Ok(id)
    }
}
