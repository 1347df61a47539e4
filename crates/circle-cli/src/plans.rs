//! Memory plans that a model carries: kept as long as they are true.

use circle_ir::{Buffer, Model};
use circle_liveness::offline::{from_offline, offline_as_it_is};
use circle_liveness::table::{from_table, from_table_with, table_as_it_is};
use circle_liveness::{Arena, Liveness, Options, Overlaps, Unplaced};
use circle_metadata::problem::{Problem, Severity};
use circle_metadata::{offline_memory, plan_table};

/// A plan that a model carries.
pub(crate) struct Carried {
    /// The metadata entry that holds it.
    pub(crate) key: &'static str,
    /// The lifetimes it is for.
    pub(crate) liveness: Liveness,
    /// The memories with their offsets.
    pub(crate) arenas: Vec<Arena>,
    /// What overlaps in them.
    pub(crate) overlaps: Option<Overlaps>,
}

impl Carried {
    /// What of the model it gives no place, such as what lies in bodies or is left to the runtime, if it tells of a part
    /// only.
    pub(crate) fn unplaced(&self) -> Option<Unplaced> {
        Some(Unplaced::new(&self.liveness, &self.arenas)).filter(|unplaced| unplaced.blocks > 0)
    }
}

/// The plans that the model carries, faults and all, that of ONE first; of one that has no place for each block, or is of
/// another model, which it is and why.
pub(crate) fn carried(model: &Model, input: &[u8]) -> Vec<Result<Carried, String>> {
    let unfit = |key| move |reason: String| format!("its {key} does not fit it: {reason}");
    let mut found = Vec::new();
    if let Some(payload) = payload(model, input, plan_table::KEY) {
        found.push(of_table(model, payload).map_err(unfit(plan_table::KEY)));
    }
    if let Some(payload) = payload(model, input, offline_memory::KEY) {
        let read = of_offline(model, payload).map_err(unfit(offline_memory::KEY));
        found.extend(read.transpose());
    }
    found
}

fn of_table(model: &Model, payload: &[u8]) -> Result<Carried, String> {
    let (table, problems) = plan_table::decode(payload);
    if let Some(damage) = damage(&problems) {
        return Err(damage);
    }
    let (read, overlaps) = table_as_it_is(model, &table).map_err(|misfit| misfit.to_string())?;
    Ok(Carried { key: plan_table::KEY, liveness: read.liveness, arenas: read.arenas, overlaps })
}

fn of_offline(model: &Model, payload: &[u8]) -> Result<Option<Carried>, String> {
    let (plan, problems) = offline_memory::decode(payload);
    if let Some(damage) = damage(&problems) {
        return Err(damage);
    }
    let Some(plan) = plan else { return Ok(None) };
    let ((liveness, arena), overlaps) =
        offline_as_it_is(model, &plan).map_err(|misfit| misfit.to_string())?;
    Ok(Some(Carried { key: offline_memory::KEY, liveness, arenas: vec![arena], overlaps }))
}

/// What the plans of a model are of, as it came.
#[derive(Debug)]
pub(crate) struct Plans {
    /// Of ONE's table: what was planned, or why it fits not even the model that it came with.
    table: Option<Result<Options, String>>,
}

impl Plans {
    /// Looks at the plans of a model before it is changed.
    pub(crate) fn new(model: &Model, input: &[u8]) -> Self {
        let table = payload(model, input, plan_table::KEY).map(|payload| {
            let (table, problems) = plan_table::decode(payload);
            match damage(&problems) {
                Some(damage) => Err(damage),
                None => from_table(model, &table).map(|read| read.options).map_err(|error| error.to_string()),
            }
        });
        Self { table }
    }

    /// Drops the plans that do not fit the model as it is now; what is to be said of each that was dropped.
    pub(crate) fn drop_stale(&self, model: &mut Model, input: &[u8]) -> Vec<String> {
        let table = self.table.as_ref().and_then(|planned| match planned {
            Err(reason) => Some(reason.clone()),
            Ok(options) => {
                let (table, _) = plan_table::decode(payload(model, input, plan_table::KEY)?);
                from_table_with(model, &table, options).err().map(|error| error.to_string())
            }
        });
        let offline = payload(model, input, offline_memory::KEY).and_then(|payload| {
            let (plan, problems) = offline_memory::decode(payload);
            let misfit = |plan| from_offline(model, &plan).err().map(|error| error.to_string());
            damage(&problems).or_else(|| plan.and_then(misfit))
        });
        let mut notes = Vec::new();
        for (key, misfit) in [(plan_table::KEY, table), (offline_memory::KEY, offline)] {
            if let Some(reason) = misfit
                && model.drop_metadata(key)
            {
                notes.push(format!(
                    "its {key} does not fit the model that is written and is dropped: {reason}"
                ));
            }
        }
        notes
    }
}

/// The payload of the last entry of a name.
fn payload<'a>(model: &'a Model, input: &'a [u8], key: &str) -> Option<&'a [u8]> {
    let entry = model.frame().metadata.iter().flatten().rfind(|entry| entry.name() == key)?;
    Some(match model.buffer(entry.buffer)? {
        Buffer::Source { range, .. } => {
            let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
            input.get(range).unwrap_or(&[])
        }
        Buffer::Owned(bytes) => bytes,
        Buffer::Empty { .. } => &[],
    })
}

fn damage(problems: &[Problem]) -> Option<String> {
    let worst = problems.iter().find(|problem| problem.severity == Severity::Error)?;
    Some(format!("{}: {}", worst.place(), worst.text))
}
