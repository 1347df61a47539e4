//! Runs of whole models.
//!
//! A run notes a hash of every tensor whenever an operator is about to read it and has written it, and of every output of the
//! graph at the end. The run that a plan is held against has bytes of its own for each tensor; a plan is wrong where its notes
//! differ for the first time. What is not to be read any more is overwritten with garbage at once, but for bytes that a
//! living tensor has, and so is memory that nothing has been written to. `WHILE` goes around twice, `IF` takes both branches.

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::{Entity, Model, Operator, Subgraph, SubgraphId, Value, ValueId};
use circle_tables::opcode as op;

use crate::kernels::{self, Operand, Stop};
use crate::layout::{Arena, Layout, Place, Tensor, is_constant, mix};

/// What a run saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    hashes: Vec<u64>,
    /// What may be read until the end of the run.
    pub(crate) work: u64,
    /// Inputs and outputs of one operator that lie in the same place, that are views of one another, and that share bytes
    /// otherwise; tensors in two pieces.
    pub(crate) in_place: usize,
    pub(crate) views: usize,
    pub(crate) rings: usize,
    pub(crate) wrapped: usize,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A tensor is not what it should be.
    Differs(String),
    /// A tensor that is read or written has no place.
    NoPlace(String),
    /// As [`Stop::Cut`], or a tensor that a caller gives or takes lies in two pieces.
    Cut(String),
    /// The model is too large.
    TooMuch,
}

/// Runs a model by itself, each tensor in bytes of its own.
pub(crate) fn alone(model: &Model, layout: &Layout, work: u64) -> Result<Notes, Fault> {
    run(model, &layout.apart(), None, work)
}

/// Runs a model as a plan says, and compares with a run by itself.
pub(crate) fn planned(model: &Model, layout: &Layout, due: &Notes) -> Result<Notes, Fault> {
    let found = run(model, layout, Some(due), u64::MAX)?;
    assert_eq!(found.hashes.len(), due.hashes.len());
    Ok(found)
}

fn run(model: &Model, layout: &Layout, due: Option<&Notes>, work: u64) -> Result<Notes, Fault> {
    let notes = Notes { work, ..Notes::default() };
    let arena = Arena::new(layout.size());
    let mut run =
        Run { model, layout, due, arena, notes, living: BTreeSet::new(), last: BTreeMap::new(), depth: 0 };
    let mut called = BTreeSet::new();
    for (id, sg) in model.subgraphs() {
        sg.operators().for_each(|(_, operator)| called.extend(calls(operator)));
        for (v, value) in sg.values() {
            if value.is_variable() || is_constant(model, value) {
                run.begin((id.number(), v), mix(7, value.buffer().index() as u64));
            }
        }
        let mut last = BTreeMap::new();
        for (position, (_, operator)) in sg.operators().enumerate() {
            last.extend(operator.inputs().iter().flatten().map(|&v| (v, position)));
        }
        run.last.insert(id.number(), last);
    }
    for (id, sg) in model.subgraphs().filter(|(id, _)| id.number() == 0 || !called.contains(&id.number())) {
        for &v in sg.inputs() {
            run.begin((id.number(), v), mix(11, u64::from(v.number())));
        }
        run.subgraph(id.number())?;
        for &v in sg.outputs() {
            run.whole(&[(id.number(), v)], "the graph")?;
            run.note((id.number(), v), "as an output of the graph")?;
        }
        run.leave(id.number());
    }
    Ok(run.notes)
}

/// Numbers of the subgraphs that an operator runs, in order.
fn calls(operator: &Operator) -> Vec<u32> {
    let of = |names: &[&str]| {
        names.iter().filter_map(|name| u32::try_from(operator.option(name)).ok()).collect::<Vec<_>>()
    };
    match operator.code().builtin {
        op::WHILE => of(&["cond_subgraph_index", "body_subgraph_index"]),
        op::IF => of(&["then_subgraph_index", "else_subgraph_index"]),
        op::CALL => of(&["subgraph"]),
        op::CALL_ONCE => of(&["init_subgraph_index"]),
        _ => Vec::new(),
    }
}

struct Run<'a> {
    model: &'a Model,
    layout: &'a Layout,
    due: Option<&'a Notes>,
    arena: Arena,
    notes: Notes,
    /// Tensors that have been written and are to be read yet.
    living: BTreeSet<Tensor>,
    /// By subgraph, where each tensor is read for the last time.
    last: BTreeMap<u32, BTreeMap<ValueId, usize>>,
    depth: usize,
}

impl<'a> Run<'a> {
    fn sg(&self, number: u32) -> &'a Subgraph {
        self.model.subgraph(SubgraphId::from_number(number)).expect("a subgraph")
    }

    fn operand(&self, (sg, v): Tensor) -> Result<Operand<'a>, Fault> {
        let value = self.sg(sg).value(v).expect("a tensor");
        // A tensor with a dimension of 0 has nothing to read or write, a constant is where it always was.
        let held = value.def().is_none() && !value.is_input() && !value.is_variable();
        let nothing = value.elements() == Some(0);
        let place = self.layout.place((sg, v)).ok_or(mix(13, value.buffer().index() as u64));
        if place.is_err() && !held && !nothing {
            return Err(Fault::NoPlace(format!("{sg}:{v} {}", value.name())));
        }
        Ok(Operand { value, place })
    }

    /// Gives a tensor that nothing computes what it begins with.
    fn begin(&mut self, tensor: Tensor, seed: u64) {
        if let Some(place) = self.layout.place(tensor) {
            self.arena.fill(&place, 0, place.size(), seed);
            self.living.insert(tensor);
        }
    }

    fn note(&mut self, (sg, v): Tensor, when: &str) -> Result<(), Fault> {
        let Some(place) = self.layout.place((sg, v)) else { return Ok(()) };
        let hash = self.arena.digest(&place);
        if self.due.is_some_and(|due| due.hashes.get(self.notes.hashes.len()) != Some(&hash)) {
            return Err(Fault::Differs(format!("{sg}:{v}, {when}, is not what it should be")));
        }
        self.notes.hashes.push(hash);
        Ok(())
    }

    /// Destroys tensors that are not needed any more.
    fn drop(&mut self, tensors: &[Tensor]) {
        for tensor in tensors {
            self.living.remove(tensor);
        }
        let dead: Vec<Place> = tensors.iter().filter_map(|&tensor| self.layout.place(tensor)).collect();
        if dead.is_empty() {
            return;
        }
        let living: Vec<Place> = self.living.iter().filter_map(|&tensor| self.layout.place(tensor)).collect();
        dead.iter().for_each(|place| self.arena.destroy_but(place, &living));
    }

    /// Whether a tensor is needed behind the operator at a position.
    fn is_needed(&self, (sg, v): Tensor, position: Option<usize>) -> bool {
        let value = self.sg(sg).value(v).expect("a tensor");
        let last = self.last.get(&sg).and_then(|last| last.get(&v)).copied();
        self.stays(value)
            || value.is_output()
            || last.map(|last| last + 1) > position.map_or(Some(0), |p| Some(p + 1))
    }

    /// Whether a tensor is needed for good.
    fn stays(&self, value: &Value) -> bool {
        value.is_variable() || is_constant(self.model, value)
    }

    /// Ends a subgraph whose outputs have been taken.
    fn leave(&mut self, number: u32) {
        let of = |tensor: &&Tensor| {
            tensor.0 == number && !self.sg(number).value(tensor.1).is_some_and(|value| self.stays(value))
        };
        let tensors: Vec<Tensor> = self.living.iter().filter(of).copied().collect();
        self.drop(&tensors);
    }

    /// Runs a subgraph whose inputs have been given.
    fn subgraph(&mut self, number: u32) -> Result<(), Fault> {
        self.depth += 1;
        assert!(self.depth < 64, "subgraphs call one another");
        let sg = self.sg(number);
        for (v, value) in sg.values() {
            if value.def().is_none() && !value.is_input() && !self.stays(value) {
                self.begin((number, v), mix(13, value.buffer().index() as u64));
            }
        }
        let unread = |v: &ValueId| !self.is_needed((number, *v), None);
        let unread: Vec<Tensor> = sg.inputs().iter().filter(|v| unread(v)).map(|&v| (number, v)).collect();
        self.drop(&unread);
        for (position, (_, operator)) in sg.operators().enumerate() {
            self.operator(number, position, operator)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn operator(&mut self, number: u32, position: usize, operator: &'a Operator) -> Result<(), Fault> {
        let name = format!("operator {number}:{position} {}", operator.code().name());
        let tensor = |&v: &ValueId| (number, v);
        let read: Vec<Tensor> = operator.inputs().iter().flatten().map(tensor).collect();
        let written: Vec<Tensor> = operator.outputs().iter().map(tensor).collect();
        for &tensor in &read {
            self.note(tensor, &format!("read by {name}"))?;
        }
        self.count(operator, &read, &written);
        let scratch = self.layout.scratch((number, position as u32)).to_vec();
        scratch.iter().for_each(|place| self.arena.destroy(place, 0, place.size()));
        let called = calls(operator);
        if called.is_empty() {
            self.compute((number, position), operator)?;
        } else {
            self.call(operator, &called, &read, &written)?;
        }
        self.living.extend(written.iter().copied().filter(|&tensor| self.layout.place(tensor).is_some()));
        scratch.iter().for_each(|place| self.arena.destroy(place, 0, place.size()));
        for &tensor in &written {
            self.note(tensor, &format!("written by {name}"))?;
        }
        let both = read.iter().chain(&written).copied();
        let dead: Vec<Tensor> = both.filter(|&tensor| !self.is_needed(tensor, Some(position))).collect();
        self.drop(&dead);
        Ok(())
    }

    fn count(&mut self, operator: &Operator, read: &[Tensor], written: &[Tensor]) {
        let views =
            [op::RESHAPE, op::SQUEEZE, op::EXPAND_DIMS, op::BITCAST].contains(&operator.code().builtin);
        let mut seen = BTreeSet::new();
        for to in written.iter().filter_map(|&tensor| self.layout.place(tensor)) {
            self.notes.wrapped += usize::from(to.is_wrapped());
            for &tensor in read.iter().filter(|&&tensor| seen.insert(tensor)) {
                match self.layout.place(tensor) {
                    Some(from) if from == to && views => self.notes.views += 1,
                    Some(from) if from == to => self.notes.in_place += 1,
                    Some(from) if from.overlaps(&to) => self.notes.rings += 1,
                    _ => {}
                }
            }
        }
    }

    fn compute(&mut self, (number, position): (u32, usize), operator: &Operator) -> Result<(), Fault> {
        let seed = mix(u64::from(number), position as u64);
        let of = |v: ValueId| self.operand((number, v));
        let inputs = operator.inputs().iter().map(|v| v.map(of).transpose());
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let outputs = operator.outputs().iter().map(|&v| of(v)).collect::<Result<Vec<_>, _>>()?;
        let sg = self.sg(number);
        let stopped =
            kernels::run(sg, operator, seed, &inputs, &outputs, &mut self.arena, &mut self.notes.work);
        stopped.map_err(|stop| match stop {
            Stop::Cut => Fault::Cut(format!("operator {number}:{position} {}", operator.code().name())),
            Stop::TooMuch => Fault::TooMuch,
        })?;
        // Operators that keep a state change it in place.
        for (number, input) in inputs.iter().flatten().enumerate() {
            if let Some(place) = input.place.ok().filter(|_| input.value.is_variable()) {
                let hash = self.arena.digest(&place);
                self.arena.fill(&place, 0, place.size(), mix(mix(seed, hash), number as u64));
            }
        }
        Ok(())
    }

    /// Gives tensors to others, one after another, as far as there are any.
    fn give(&mut self, from: &[Tensor], to: &[Tensor]) -> Result<(), Fault> {
        for (&from, &to) in from.iter().zip(to) {
            let (source, target) = (self.operand(from)?, self.operand(to)?);
            match (source.place, target.place) {
                (Ok(source), Ok(target)) if source.size() == target.size() => {
                    self.arena.copy(&source, &target)
                }
                (Ok(source), Ok(target)) => {
                    self.arena.fill(&target, 0, target.size(), self.arena.digest(&source))
                }
                (Err(seed), Ok(target)) => self.arena.fill(&target, 0, target.size(), seed),
                (_, Err(_)) => continue,
            }
            self.living.insert(to);
        }
        Ok(())
    }

    /// Whether callers find each of some tensors in one piece.
    fn whole(&self, tensors: &[Tensor], who: &str) -> Result<(), Fault> {
        let mut places = tensors.iter().filter_map(|&tensor| self.layout.place(tensor));
        if places.any(|place| place.is_wrapped()) { Err(Fault::Cut(who.to_owned())) } else { Ok(()) }
    }

    fn call(
        &mut self,
        operator: &Operator,
        called: &[u32],
        read: &[Tensor],
        written: &[Tensor],
    ) -> Result<(), Fault> {
        let ends = |number: u32, list: &[ValueId]| list.iter().map(|&v| (number, v)).collect::<Vec<_>>();
        let sides = |sg: &Subgraph, number| (ends(number, sg.inputs()), ends(number, sg.outputs()));
        let is_while = operator.is(op::WHILE);
        self.whole(&[read, written].concat(), "a call")?;
        if is_while {
            self.give(read, written)?;
        }
        for _ in 0..if is_while { 2 } else { 1 } {
            for (place, &number) in called.iter().enumerate() {
                let (inputs, outputs) = sides(self.sg(number), number);
                let given = match operator.code().builtin {
                    op::WHILE => written,
                    op::IF => read.get(1..).unwrap_or(&[]),
                    _ => read,
                };
                self.whole(&[&inputs[..], &outputs].concat(), "a body")?;
                self.give(given, &inputs)?;
                self.subgraph(number)?;
                for &tensor in &outputs {
                    self.note(tensor, "as an output of a body")?;
                }
                if !(is_while && place == 0) {
                    self.give(&outputs, written)?;
                }
                self.leave(number);
            }
        }
        Ok(())
    }
}
