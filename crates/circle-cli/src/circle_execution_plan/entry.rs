//! The metadata entry that holds a plan.

use circle_ir::Model as Graph;
use circle_liveness::offline::{from_offline, to_offline};
use circle_liveness::table::{from_table_with, to_table, unread};
use circle_liveness::{Arena, Liveness, Options as Lifetimes};
use circle_metadata::{offline_memory, plan_table};

use super::model::sayable;
use super::unsaid::unsaid;
use super::{Metadata, Mode, Options};

/// What ONE's table cannot tell of a plan: of bodies, and of outputs that nothing reads. Nothing of a model whose nodes have
/// no numbers, which gets no table.
pub(super) fn left_out(graph: &Graph, planned: &Planned<'_>, options: &Options) -> LeftOut {
    let Planned { liveness, arenas, wanted } = *planned;
    let key = plan_table::KEY;
    let elsewhere = liveness.items.iter().filter(|item| item.subgraph.number() != 0).count();
    let bodies = (elsewhere > 0).then(|| {
        format!(
            "{key} tells of the main subgraph only: the places of {elsewhere} tensors of other subgraphs are not in it"
        )
    });
    let unread = unread(graph, liveness).unwrap_or_default();
    let unread = unread.first().map(|first| {
        let more = match unread.len() - 1 {
            0 => String::new(),
            1 => ", and 1 more output".to_owned(),
            more => format!(", and {more} more outputs"),
        };
        format!("{key} has no entry for what nothing reads, though kernels write it: {first}{more}")
    });
    let read = to_table(graph, liveness, arenas, options.style()).ok();
    let read = read.and_then(|table| from_table_with(graph, &table, wanted).ok());
    let unsaid = read.and_then(|read| unsaid(liveness, arenas, &read)).map(|text| {
        format!("{key} has no entry of this runtime for some of what was planned: the places of {text} are not in it")
    });
    LeftOut { bodies, unread, unsaid }
}

/// What is to be said of it.
#[derive(Default)]
pub(super) struct LeftOut {
    bodies: Option<String>,
    /// Of outputs that nothing reads.
    pub(super) unread: Option<String>,
    /// Of what this runtime has no entry for.
    unsaid: Option<String>,
}

impl LeftOut {
    pub(super) fn told(&self) -> impl Iterator<Item = &String> {
        self.unread.iter().chain(&self.unsaid).chain(&self.bodies)
    }
}

/// A plan and what it is of.
pub(super) struct Planned<'a> {
    pub(super) liveness: &'a Liveness,
    pub(super) arenas: &'a [Arena],
    pub(super) wanted: &'a Lifetimes,
}

/// The metadata entry, read back and held against the model before it is believed.
pub(super) fn payload(
    graph: &Graph,
    Planned { liveness, arenas, wanted }: &Planned<'_>,
    metadata: Metadata,
    options: &Options,
) -> Result<Vec<u8>, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let back = |error: &dyn std::fmt::Display| format!("the plan that was written does not fit: {error}");
    let alignment = options.settings(16).alignment;
    let aligned = |offset: u64| match offset.is_multiple_of(alignment) {
        true => Ok(()),
        false => Err(back(&format!("offset {offset} is no multiple of {alignment}"))),
    };
    match metadata {
        Metadata::One => {
            let unwritable = |error: &dyn std::fmt::Display| {
                // A plan for that list has fewer blocks; where this one fits in, so does that.
                let takes_options = options.allocating_mode == Mode::Common
                    && sayable(&super::model::wanted(options, Metadata::Tflm)).is_ok();
                let other = takes_options && to_offline(graph, liveness, arenas).is_ok();
                let advice = if other { "; --metadata tflm may do" } else { "" };
                format!("the plan cannot be written as {}: {error}{advice}", plan_table::KEY)
            };
            let table = to_table(graph, liveness, arenas, options.style()).map_err(|e| unwritable(&e))?;
            let bytes = plan_table::encode(&table).map_err(|e| text(&e))?;
            let read = plan_table::decode(&bytes).0;
            read.values().flat_map(|entry| &entry.offsets).try_for_each(|&at| aligned(at.into()))?;
            from_table_with(graph, &read, wanted).map_err(|e| back(&e))?;
            Ok(bytes)
        }
        Metadata::Tflm => {
            let unwritable = |error: &dyn std::fmt::Display| {
                format!("the plan cannot be written as {}: {error}", offline_memory::KEY)
            };
            let list = to_offline(graph, liveness, arenas).map_err(|e| unwritable(&e))?;
            let bytes = offline_memory::encode(&list).map_err(|e| text(&e))?;
            let read = offline_memory::decode(&bytes)
                .0
                .ok_or_else(|| "the plan that was written is none".to_owned())?;
            read.offsets.iter().flatten().try_for_each(|&at| aligned(at.into()))?;
            from_offline(graph, &read).map_err(|e| back(&e))?;
            Ok(bytes)
        }
    }
}
