//! Memory plans that a model carries: kept as long as they are true.

use circle_ir::{Buffer, Model};
use circle_liveness::offline::{from_offline, misaligned, offline_as_it_is};
use circle_liveness::table::{from_table, from_table_with, table_as_it_is};
use circle_liveness::{Arena, Liveness, Options, Overlaps, Unplaced};
use circle_metadata::offline_memory::OfflineMemory;
use circle_metadata::problem::{Problem, Severity};
use circle_metadata::{offline_memory, plan_table};

/// So many remarks of a plan are told one by one; the others are counted.
const TOLD: usize = 100;

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
    /// What is odd about the entry, though it can be read.
    pub(crate) remarks: Vec<Remark>,
}

/// Something about the entry that holds a plan.
#[derive(Debug)]
pub(crate) struct Remark {
    /// Whether the plan is at fault by it.
    pub(crate) fault: bool,
    /// What it is about, for programs.
    pub(crate) code: &'static str,
    /// Numbers of the subgraph and of the tensor that it is about.
    pub(crate) tensor: Option<(u32, u32)>,
    pub(crate) text: String,
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
    let remarks = odd(&problems).collect();
    Ok(Carried { key: plan_table::KEY, liveness: read.liveness, arenas: read.arenas, overlaps, remarks })
}

fn of_offline(model: &Model, payload: &[u8]) -> Result<Option<Carried>, String> {
    let (plan, problems) = offline_memory::decode(payload);
    if let Some(damage) = damage(&problems) {
        return Err(damage);
    }
    let Some(plan) = plan else { return Ok(None) };
    let ((liveness, arena), overlaps) =
        offline_as_it_is(model, &plan).map_err(|misfit| misfit.to_string())?;
    let remarks = of_list(model, &plan, &problems);
    Ok(Some(Carried { key: offline_memory::KEY, liveness, arenas: vec![arena], overlaps, remarks }))
}

/// What is odd about a list that can be read: a version that nobody has said the meaning of, offsets that the runtime takes
/// but its kernels may not.
fn of_list(model: &Model, plan: &OfflineMemory, problems: &[Problem]) -> Vec<Remark> {
    let unknown = !plan.has_known_version();
    let mut remarks: Vec<Remark> = odd(problems).collect();
    if let Some(version) = remarks.first_mut().filter(|_| unknown) {
        (version.fault, version.code) = (true, "version");
    }
    let misaligned = misaligned(model, plan);
    let left = misaligned.len().saturating_sub(TOLD);
    remarks.extend(misaligned.iter().take(TOLD).map(|misaligned| Remark {
        fault: misaligned.element.is_some(),
        code: "alignment",
        tensor: Some((plan.subgraph, misaligned.tensor)),
        text: misaligned.to_string(),
    }));
    if left > 0 {
        let fault = misaligned.iter().skip(TOLD).any(|misaligned| misaligned.element.is_some());
        let text = format!("{left} more findings of this kind (alignment)");
        remarks.push(Remark { fault, code: "alignment", tensor: None, text });
    }
    remarks
}

/// What was noticed about an entry that is not damaged.
fn odd(problems: &[Problem]) -> impl Iterator<Item = Remark> {
    let odd = problems.iter().filter(|problem| problem.severity == Severity::Warning);
    odd.map(|problem| Remark {
        fault: false,
        code: "text",
        tensor: None,
        text: format!("byte {}: {}", problem.at_byte, problem.text),
    })
}

/// What the plans of a model are of, as it came.
#[derive(Debug)]
pub(crate) struct Plans {
    /// Of ONE's table: what was planned, or why it fits not even the model that it came with.
    table: Option<Result<Options, String>>,
    /// What is odd about TensorFlow Lite Micro's list.
    list: Vec<Remark>,
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
        let list = payload(model, input, offline_memory::KEY).and_then(|payload| {
            let (plan, problems) = offline_memory::decode(payload);
            // What is damaged is dropped, and that is told.
            plan.filter(|_| damage(&problems).is_none()).map(|plan| of_list(model, &plan, &problems))
        });
        Self { table, list: list.unwrap_or_default() }
    }

    /// What is odd about the plans that the model came with, though they can be read.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = String> + '_ {
        self.list.iter().map(|remark| format!("its {}: {}", offline_memory::KEY, remark.text))
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
