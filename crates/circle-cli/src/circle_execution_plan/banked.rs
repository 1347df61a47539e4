//! Planning problems and memory plans in several memories.
//!
//! Blocks are given to banks as those of models are; spaces stay whole. What all segments of a memory plan hold is given
//! out anew.

use circle_liveness::banks::{Assignment, assign};
use circle_liveness::plan::problem;
use circle_liveness::{Liveness, Unit};
use circle_memory::read::{ReadOptions, read_with};
use circle_memory::{Form, Memory, Producer, Segment, Tick};
use circle_plan::{Plan, Problem, csv};
use serde_json::Value;

use super::report::{Report, Segment as Told, no_place, summary};
use super::whole::save_plan;
use super::{Options, problem};
use crate::failure::{FAILED, Failure};
use crate::model::Input;
use crate::moved::{self, units};
use crate::{output, progress};

/// Key of the alignment of a block that is not that of all.
const ALIGNMENT: &str = "alignment";

pub(super) fn run(options: &Options, input: &Input, form: Form) -> Result<(), Failure> {
    problem::models_only(options, input, form)?;
    if options.output.is_some() && !(form == Form::PlanCsv && options.banks.len() == 1) {
        return Err(Failure::usage(
            "the output has no place for the name of a bank, the form of planning problems has none; --save_plan FILE.json \
             writes a segment for each bank",
        ));
    }
    let at = |error: &dyn std::fmt::Display| Failure::at(input.name(), error);
    let document = read_with(input.bytes(), input.name(), &ReadOptions::default())
        .map_err(|error| Failure::new(error.to_string()))?;
    let mut memory = document.memory;
    let mut pool = pooled(&mut memory).map_err(|error| at(&error))?;
    let moved = units(&pool).map_err(|error| at(&error))?;
    let (liveness, alignment) = liveness(&pool, &moved, options.settings(1).alignment);
    let settings = circle_liveness::Settings { alignment, ..options.settings(1) };
    // Faults of the blocks come first, whichever bank they would lie in.
    let all: Vec<usize> = (0..moved.len()).collect();
    let blocks = problem(&liveness, &all, alignment, None).map_err(|error| at(&error))?;
    progress::step("planning");
    let touches: Vec<u64> = moved.iter().map(|unit| touches(&pool, unit)).collect();
    let found = assign(&liveness, &options.banks, &touches, &settings).map_err(|error| at(&error))?;
    let explain = |homeless| circle_liveness::banks::explain(&liveness, &options.banks, homeless);
    let homeless: Vec<String> = found.homeless.iter().map(explain).collect();
    let told: Vec<Told<'_>> = found.arenas.iter().map(Told::of).collect();
    if let Some(path) = &options.report {
        let mut report = Report::new(&told);
        report.assignment(&homeless, found.proof.as_ref());
        output::write_text(path, &output::json_text(&report)?)?;
    }
    if !homeless.is_empty() {
        return Err(no_place(input, &homeless, found.proof.as_ref()));
    }
    if let Some(path) = &options.output {
        output::write_text(path, &solved(&blocks, &found)?)?;
    }
    if let Some(path) = &options.save_plan {
        move_all(&mut pool, &moved, &found);
        share_out(&mut memory, pool, &moved, &found, alignment);
        save_plan(path, &memory)?;
    }
    let outputs = [&options.output, &options.report, &options.save_plan];
    if options.common.quiet || outputs.iter().any(|path| path.as_deref() == Some("-")) {
        return Ok(());
    }
    output::print(&summary(&told)).map_err(|_| Failure::silent(FAILED))
}

/// All that lies in the segments, as if it lay in one; spaces are numbered anew.
fn pooled(memory: &mut Memory) -> Result<Segment, String> {
    let tick = |segment: &Segment| segment.tick.clone().unwrap_or_else(|| memory.tick.clone());
    let ticks: Vec<Tick> = memory.segments.iter().map(tick).collect();
    if let Some(pair) = ticks.windows(2).find(|pair| pair.first() != pair.last()) {
        let unit = |tick: Option<&Tick>| tick.map(|tick| tick.unit).unwrap_or_default();
        return Err(format!(
            "its segments count time differently ({:?}, {:?}), so that nothing is known of what lives together",
            unit(pair.first()),
            unit(pair.last())
        ));
    }
    if let Some(tick) = ticks.into_iter().next() {
        memory.tick = tick;
    }
    let mut pool = Segment::default();
    for mut segment in std::mem::take(&mut memory.segments) {
        // Faults of spaces are named as the file has them.
        units(&segment)
            .map_err(|error| format!("segment {}: {error}", crate::failure::shown(&segment.name)))?;
        let first = pool.spaces.len();
        let number = |at: usize| u32::try_from(first.saturating_add(at)).unwrap_or(u32::MAX);
        let numbers: std::collections::HashMap<u32, u32> =
            segment.spaces.iter().enumerate().map(|(at, space)| (space.id, number(at))).collect();
        for space in &mut segment.spaces {
            space.id = numbers.get(&space.id).copied().unwrap_or_default();
        }
        for block in &mut segment.blocks {
            block.space = block.space.and_then(|id| numbers.get(&id).copied());
            if let Some(bytes) = segment.alignment {
                block.extra.entry(ALIGNMENT).or_insert(Value::from(bytes));
            }
        }
        pool.spaces.append(&mut segment.spaces);
        pool.blocks.append(&mut segment.blocks);
    }
    Ok(pool)
}

/// What is planned, and what all alignments are multiples of.
fn liveness(pool: &Segment, moved: &[moved::Unit], alignment: u64) -> (Liveness, u64) {
    let mut common = 0;
    let unit = |unit: &moved::Unit| {
        let blocks = || unit.blocks.iter().filter_map(|&at| pool.blocks.get(at));
        let own = blocks().filter_map(|block| block.extra.get(ALIGNMENT)?.as_u64()).max();
        let own = own.unwrap_or(alignment);
        common = greatest_common(common, own);
        let id = blocks().next().and_then(|block| block.id.clone()).filter(|_| unit.space.is_none());
        Unit {
            id: Some(id.unwrap_or_else(|| unit.name.clone())),
            alignment: Some(own),
            size: unit.size,
            from: unit.from,
            till: unit.till,
            ..Unit::default()
        }
    };
    let units = moved.iter().map(unit).collect();
    (Liveness { units, ..Liveness::default() }, common.max(1))
}

fn greatest_common(mut one: u64, mut other: u64) -> u64 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// How often a unit is written or read: twice where nothing is known.
fn touches(pool: &Segment, unit: &moved::Unit) -> u64 {
    let blocks = unit.blocks.iter().filter_map(|&at| pool.blocks.get(at));
    let of = |block: &circle_memory::Block| match u64::from(block.written_by.is_some())
        + block.read_by.len() as u64
    {
        0 => 2,
        touches => touches,
    };
    blocks.map(of).sum()
}

/// The solution of a problem in one bank.
fn solved(blocks: &Problem, found: &Assignment) -> Result<String, Failure> {
    let mut offsets = vec![0; blocks.blocks().len()];
    for (&unit, &offset) in found.arenas.iter().flat_map(|arena| arena.units.iter().zip(&arena.offsets)) {
        if let Some(slot) = offsets.get_mut(unit) {
            *slot = offset;
        }
    }
    let plan = Plan::new(blocks, offsets);
    match circle_plan::check::check(blocks, &plan).first() {
        Some(fault) => Err(Failure::new(format!("the plan is faulty and was not written: {fault}"))),
        None => Ok(csv::write(blocks, Some(&plan))),
    }
}

fn move_all(pool: &mut Segment, moved: &[moved::Unit], found: &Assignment) {
    for (&unit, &offset) in found.arenas.iter().flat_map(|arena| arena.units.iter().zip(&arena.offsets)) {
        if let Some(unit) = moved.get(unit) {
            unit.move_to(offset, pool);
        }
    }
}

/// Makes a segment of each bank.
fn share_out(memory: &mut Memory, pool: Segment, moved: &[moved::Unit], found: &Assignment, alignment: u64) {
    let mut blocks: Vec<_> = pool.blocks.into_iter().map(Some).collect();
    let mut spaces: Vec<_> = pool.spaces.into_iter().map(Some).collect();
    // Where all have one alignment, their segments say so.
    let all = blocks.iter().flatten().all(|block| {
        let own = block.extra.get(ALIGNMENT).and_then(Value::as_u64);
        own.is_none_or(|own| own == alignment)
    });
    for arena in &found.arenas {
        let mut segment = Segment {
            name: arena.name.clone(),
            size: arena.capacity,
            alignment: Some(alignment).filter(|&bytes| bytes > 1),
            ..Segment::default()
        };
        let mut positions: Vec<usize> = Vec::new();
        for unit in arena.units.iter().filter_map(|&unit| moved.get(unit)) {
            positions.extend(&unit.blocks);
            segment.spaces.extend(unit.space.and_then(|at| spaces.get_mut(at)?.take()));
        }
        positions.sort_unstable();
        segment.spaces.sort_by_key(|space| space.id);
        let taken = positions.into_iter().filter_map(|at| blocks.get_mut(at)?.take());
        segment.blocks = taken.collect();
        if all {
            segment.blocks.iter_mut().for_each(|block| _ = block.extra.shift_remove(ALIGNMENT));
        }
        memory.segments.push(segment);
    }
    let mut planners: Vec<&str> = found.arenas.iter().map(|arena| arena.planner.as_str()).collect();
    planners.sort_unstable();
    planners.dedup();
    memory.producer = Some(Producer {
        name: Some("circle-lineage".into()),
        version: Some(env!("CARGO_PKG_VERSION").into()),
        created: None,
        planner: Some(planners.join(", ")),
    });
}
