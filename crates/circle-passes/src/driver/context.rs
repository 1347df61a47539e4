//! What a pass works with: the model to read, and the door through which patches go.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Instant;

use circle_ir::patch::{Applied, Patch, PatchError};
use circle_ir::{Bytes, Model, OpId, RunId, SubgraphId, View};

use super::each::{Each, Fault};
use super::{PassReport, Report, Settings};
use crate::rule::{Pass, Rule};

/// What a test does to a model behind the back of everything.
#[cfg(test)]
type Damage = fn(&mut Model, &Applied);

/// What a pass works with: the model to read, and the door through which patches go.
pub struct Context<'a> {
    pub(super) model: &'a mut Model,
    pub(super) bytes: &'a dyn Bytes,
    pub(super) run: RunId,
    pub(super) settings: &'a Settings,
    pub(super) report: Report,
    pub(super) fired: u64,
    /// Patches of the pass that is running that were left out since something would stand for too much.
    full: u64,
    /// What is kept beside the model to check each patch.
    pub(super) each: Option<Each<'a>>,
    /// What these checks have found; no more patches are applied then.
    pub(super) fault: Option<Fault>,
    /// Does damage that no patch can do, after the patch of that number, to see that it is found.
    #[cfg(test)]
    pub(super) after_apply: Option<(u64, Damage)>,
    /// The codes that operators have, as of so many patches.
    codes: Option<(u64, BTreeSet<i32>)>,
    /// The passes that found nothing to do, and as of how many patches: asked again before another patch, they would
    /// find nothing again.
    idle: BTreeMap<&'static str, u64>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context({} patches)", self.report.patches)
    }
}

impl<'a> Context<'a> {
    /// A context for passes of `run` over `model`, to which `patches` have been applied already.
    pub(super) fn new(
        model: &'a mut Model,
        bytes: &'a dyn Bytes,
        run: RunId,
        settings: &'a Settings,
        patches: u64,
    ) -> Self {
        let operators = model.operator_count();
        let report = Report {
            passes: Vec::new(),
            operators_before: operators,
            operators_after: operators,
            refused: Vec::new(),
            patches,
            log: Vec::new(),
        };
        Self {
            model,
            bytes,
            run,
            settings,
            report,
            fired: 0,
            full: 0,
            each: None,
            fault: None,
            #[cfg(test)]
            after_apply: None,
            codes: None,
            idle: BTreeMap::new(),
        }
    }
}

impl Context<'_> {
    /// The model as it is now.
    pub fn model(&self) -> &Model {
        self.model
    }
    /// A look at subgraph `id` as it is now.
    pub fn view(&self, id: SubgraphId) -> Option<View<'_>> {
        View::new(self.model, id, self.bytes)
    }
    /// The subgraphs.
    pub fn subgraphs(&self) -> Vec<SubgraphId> {
        self.model.subgraphs().map(|(id, _)| id).collect()
    }
    /// Applies a patch. Nothing when it was refused or the pipeline has come to its end; the graph is then as it
    /// was.
    pub fn commit(&mut self, patch: Patch) -> Option<Applied> {
        if self.is_over() {
            return None;
        }
        // Most runs want no text, and writing it takes longer than many a patch.
        let text = self.settings.log.then(|| patch.to_string());
        let before = match &mut self.each {
            None => None,
            Some(each) => match each.before(self.model, &patch, self.report.patches) {
                Ok(before) => Some(before),
                Err(fault) => {
                    self.fault = Some(fault);
                    return None;
                }
            },
        };
        match self.model.apply(patch, self.run) {
            Ok(applied) => {
                self.report.patches += 1;
                self.fired += 1;
                #[cfg(test)]
                if let Some((_, damage)) = self.after_apply.filter(|(at, _)| *at == self.report.patches) {
                    damage(self.model, &applied);
                }
                if let (Some(each), Some(before)) = (&mut self.each, before) {
                    self.fault = each.after(self.model, before, &applied, self.report.patches);
                }
                self.report.log.extend(text);
                Some(applied)
            }
            Err(refused) if refused.error == PatchError::Full => {
                self.full += 1;
                None
            }
            Err(refused) => {
                self.report.refused.push(refused.to_string());
                None
            }
        }
    }
    /// Whether no more patches will be applied.
    pub fn is_over(&self) -> bool {
        self.fault.is_some() || self.settings.stop_after_patch.is_some_and(|n| self.report.patches >= n)
    }

    /// Asks `rule` about each operator once, in execution order, those it adds on the way included.
    pub(super) fn sweep(&mut self, rule: &dyn Rule) {
        let anchors = rule.anchors();
        let codes = self.codes();
        if !anchors.iter().any(|code| codes.contains(code)) {
            return;
        }
        for id in self.subgraphs() {
            let mut at = self.model.subgraph(id).and_then(|sg| sg.order().first());
            while let (Some(op), false) = (at, self.is_over()) {
                let Some(sg) = self.model.subgraph(id) else { break };
                let (previous, next) = (sg.order().previous(op), sg.order().next(op));
                let matches = sg.operator(op).is_some_and(|o| anchors.contains(&o.code().builtin));
                let patch = matches.then(|| self.view(id)).flatten().and_then(|view| rule.rewrite(op, &view));
                let applied = patch.and_then(|patch| self.commit(patch));
                let Some(sg) = self.model.subgraph(id) else { break };
                let live = |op: &Option<OpId>| op.filter(|&op| sg.operator(op).is_some());
                at = match applied {
                    None => next,
                    // Go on at the first operator that was added, or at what stood next to the erased one.
                    Some(applied) => applied
                        .added
                        .first()
                        .copied()
                        .or_else(|| live(&next))
                        .or_else(|| live(&previous).and_then(|op| sg.order().next(op)))
                        .or_else(|| live(&previous).is_none().then(|| sg.order().first()).flatten()),
                };
            }
        }
    }

    /// The codes of all operators there are now.
    fn codes(&mut self) -> &BTreeSet<i32> {
        let patches = self.report.patches;
        let known = self.codes.take().filter(|(as_of, _)| *as_of == patches);
        let (_, codes) = self.codes.insert(known.unwrap_or_else(|| {
            let operators = self.model.subgraphs().flat_map(|(_, sg)| sg.operators());
            (patches, operators.map(|(_, op)| op.code().builtin).collect())
        }));
        codes
    }

    /// Runs `pass` once and returns how many patches it applied.
    pub(super) fn run_pass(&mut self, pass: Pass) -> u64 {
        let name = pass.name();
        let start = Instant::now();
        self.fired = 0;
        let mut full = None;
        if self.idle.get(name) != Some(&self.report.patches) {
            self.full = 0;
            match pass {
                Pass::Rule(rule) => self.sweep(rule),
                Pass::Model(job) => job.run(self),
            }
            if self.fired == 0 {
                self.idle.insert(name, self.report.patches);
            }
            full = Some(self.full);
        }
        let time = start.elapsed();
        match self.report.passes.iter_mut().find(|p| p.name == name) {
            Some(report) => {
                report.fired += self.fired;
                report.full = full.unwrap_or(report.full);
                report.time += time;
            }
            None => {
                let (fired, full) = (self.fired, full.unwrap_or(0));
                self.report.passes.push(PassReport { name, fired, full, time });
            }
        }
        self.fired
    }
}
