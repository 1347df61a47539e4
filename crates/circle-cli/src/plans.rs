//! Memory plans that a model carries: kept as long as they are true.

use circle_ir::{Buffer, Model};
use circle_liveness::offline::from_offline;
use circle_liveness::table::from_table;
use circle_liveness::{Arena, Liveness};
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
}

/// The plan that the model carries.
///
/// # Errors
/// When it carries one that does not fit it: which, and why.
pub(crate) fn carried(model: &Model, input: &[u8]) -> Result<Option<Carried>, String> {
    let unfit = |key, reason: String| format!("its {key} does not fit it: {reason}");
    if let Some(payload) = payload(model, input, plan_table::KEY) {
        let key = plan_table::KEY;
        let (table, problems) = plan_table::decode(payload);
        if let Some(damage) = damage(&problems) {
            return Err(unfit(key, damage));
        }
        let read = from_table(model, &table).map_err(|misfit| unfit(key, misfit.to_string()))?;
        return Ok(Some(Carried { key, liveness: read.liveness, arenas: read.arenas }));
    }
    let key = offline_memory::KEY;
    let Some(payload) = payload(model, input, key) else { return Ok(None) };
    let (plan, problems) = offline_memory::decode(payload);
    if let Some(damage) = damage(&problems) {
        return Err(unfit(key, damage));
    }
    let Some(plan) = plan else { return Ok(None) };
    let (liveness, arena) = from_offline(model, &plan).map_err(|misfit| unfit(key, misfit.to_string()))?;
    Ok(Some(Carried { key, liveness, arenas: vec![arena] }))
}

/// Drops the plans that do not fit the model as it is now; what is to be said of each that was dropped.
pub(crate) fn drop_stale(model: &mut Model, input: &[u8]) -> Vec<String> {
    let mut notes = Vec::new();
    for key in [plan_table::KEY, offline_memory::KEY] {
        let Some(payload) = payload(model, input, key) else { continue };
        let misfit = match key {
            plan_table::KEY => {
                let (table, problems) = plan_table::decode(payload);
                damage(&problems).or_else(|| from_table(model, &table).err().map(|error| error.to_string()))
            }
            _ => {
                let (plan, problems) = offline_memory::decode(payload);
                let misfit = |plan| from_offline(model, &plan).err().map(|error| error.to_string());
                damage(&problems).or_else(|| plan.and_then(misfit))
            }
        };
        if let Some(reason) = misfit
            && model.drop_metadata(key)
        {
            notes.push(format!("its {key} does not fit any more and is dropped: {reason}"));
        }
    }
    notes
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
