//! The driver: the only owner of a model that changes. It asks rules, applies their patches, counts, and checks.

mod error;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant};

use circle_ir::lineage::history::{Action, Run};
use circle_ir::patch::{Applied, Patch};
use circle_ir::verify::lineage::{Balance, balance};
use circle_ir::verify::step::{self, Before};
use circle_ir::verify::{Finding, Subject, lineage, structure};
use circle_ir::{Bytes, Model, RunId, SubgraphId, View};

pub use error::{Drawn, DriverError, When};

use crate::registry::find;
use crate::rule::{Pass, Rule};

/// How a pipeline is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Repeat the passes in order until none fires any more, instead of running each once.
    pub fixed_point: bool,
    /// Check structure and lineage after each patch, not only at the end.
    pub verify_each: bool,
    /// Apply no more than this many patches.
    pub stop_after_patch: Option<u64>,
    /// Keep one line for each patch in the report.
    pub log: bool,
    /// The run, as it is entered in the history.
    pub run: Run,
}

/// How often the passes may be repeated. Each round of a fixed-point pipeline must make some pass fire that lowers
/// the number of operators or moves one in one direction, so real models end after a handful.
const MAX_ROUNDS: usize = 100;

/// What one pass did over all rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassReport {
    /// The pass.
    pub name: &'static str,
    /// How many patches it applied.
    pub fired: u64,
    /// Time spent in it.
    pub time: Duration,
}

/// What a pipeline did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The passes in the order in which they were first run.
    pub passes: Vec<PassReport>,
    /// Operators before.
    pub operators_before: usize,
    /// Operators after.
    pub operators_after: usize,
    /// Patches that did not fit the graph and were left out, with the reason. Each is a fault of the rule that made
    /// it, and harmless: the graph is as if the rule had not matched.
    pub refused: Vec<String>,
    /// How many patches were applied.
    pub patches: u64,
    /// One line for each patch, in order, where the settings ask for it.
    pub log: Vec<String>,
}

/// What a pass works with: the model to read, and the door through which patches go.
pub struct Context<'a> {
    model: &'a mut Model,
    bytes: &'a dyn Bytes,
    run: RunId,
    settings: &'a Settings,
    start: Balance,
    report: Report,
    fired: u64,
    broken: Option<DriverError>,
    /// Does damage that no patch can do, to see that it is found.
    #[cfg(test)]
    after_apply: Option<fn(&mut Model)>,
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
        let (rule, action) = (patch.rule(), patch.action());
        // Most runs want no text, and writing it takes longer than many a patch.
        let text = (self.settings.log || self.settings.verify_each).then(|| patch.to_string());
        let before = self.settings.verify_each.then(|| Before::new(self.model, &patch));
        match self.model.apply(patch, self.run) {
            Ok(applied) => {
                self.report.patches += 1;
                self.fired += 1;
                #[cfg(test)]
                if let Some(damage) = self.after_apply {
                    damage(self.model);
                }
                if let Some(before) = &before {
                    let mut findings = self.findings();
                    findings.extend(step::check(before, self.model, &applied));
                    findings.extend(illegal_step(rule, action));
                    if !findings.is_empty() {
                        let number = self.report.patches;
                        let draw = |finding| Drawn::new(finding, self.model, Some((before, number)));
                        let findings = findings.into_iter().map(draw).collect();
                        let text = text.clone().unwrap_or_default();
                        let when = When::Patch { rule, number, text };
                        self.broken = Some(DriverError::Broken { when, findings });
                    }
                }
                self.report.log.extend(text.filter(|_| self.settings.log));
                Some(applied)
            }
            Err(refused) => {
                self.report.refused.push(refused.to_string());
                None
            }
        }
    }
    /// Whether no more patches will be applied.
    pub fn is_over(&self) -> bool {
        self.broken.is_some() || self.settings.stop_after_patch.is_some_and(|n| self.report.patches >= n)
    }
    fn findings(&self) -> Vec<Finding> {
        let mut findings = structure::check(self.model);
        findings.extend(lineage::check(self.model, &self.start));
        findings
    }

    /// Asks `rule` about each operator once, in execution order, those it adds on the way included.
    fn sweep(&mut self, rule: &dyn Rule) {
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
                let live = |op: &OpIdOption| op.filter(|&op| sg.operator(op).is_some());
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

    fn run_pass(&mut self, pass: &Pass) -> u64 {
        let name = pass.name();
        let start = Instant::now();
        self.fired = 0;
        if self.idle.get(name) != Some(&self.report.patches) {
            match pass {
                Pass::Rule(rule) => self.sweep(*rule),
                Pass::Model(job) => job.run(self),
            }
            if self.fired == 0 {
                self.idle.insert(name, self.report.patches);
            }
        }
        let time = start.elapsed();
        match self.report.passes.iter_mut().find(|p| p.name == name) {
            Some(report) => {
                report.fired += self.fired;
                report.time += time;
            }
            None => self.report.passes.push(PassReport { name, fired: self.fired, time }),
        }
        self.fired
    }
}

type OpIdOption = Option<circle_ir::OpId>;

/// A step that no pass of that kind may take.
fn illegal_step(rule: &'static str, action: Action) -> Option<Finding> {
    let change = find(rule)?.info().change;
    let legal = change.actions().contains(&action);
    let text = || format!("a pass that is to {} must not {}", change.name(), action.name());
    (!legal).then(|| Finding { subject: Subject::Other, place: rule.into(), text: text() })
}

/// Runs `passes` over `model`. The lineage is checked against the law at the end, always.
///
/// # Errors
/// When passes undo each other without end, or a check finds something; the model must then not be used.
pub fn run(
    model: &mut Model,
    bytes: &dyn Bytes,
    passes: &[Pass],
    settings: &Settings,
) -> Result<Report, DriverError> {
    let start = balance(model);
    let operators_before = model.operator_count();
    let run = model.enter_run(settings.run.clone());
    let report = Report {
        passes: Vec::new(),
        operators_before,
        operators_after: operators_before,
        refused: Vec::new(),
        patches: 0,
        log: Vec::new(),
    };
    let mut context = Context {
        model,
        bytes,
        run,
        settings,
        start,
        report,
        fired: 0,
        broken: None,
        #[cfg(test)]
        after_apply: None,
        codes: None,
        idle: BTreeMap::new(),
    };
    if settings.verify_each {
        let findings = context.findings();
        if !findings.is_empty() {
            return Err(broken(When::Before, findings, context.model));
        }
    }
    for round in 0.. {
        let mut fired = Vec::new();
        for pass in passes {
            if context.run_pass(pass) > 0 {
                fired.push(pass.name());
            }
            if context.is_over() {
                break;
            }
        }
        if fired.is_empty() || !settings.fixed_point || context.is_over() {
            break;
        }
        if round == MAX_ROUNDS {
            return Err(DriverError::NoEnd { passes: fired });
        }
    }
    if let Some(broken) = context.broken {
        return Err(broken);
    }
    if !passes.is_empty() {
        context.model.sweep_values(run, "dead_code");
    }
    context.model.leave_run(run);
    let findings = context.findings();
    if !findings.is_empty() {
        return Err(broken(When::End, findings, context.model));
    }
    let mut report = context.report;
    report.operators_after = model.operator_count();
    Ok(report)
}

fn broken(when: When, findings: Vec<Finding>, model: &Model) -> DriverError {
    let draw = |finding| Drawn::new(finding, model, None);
    DriverError::Broken { when, findings: findings.into_iter().map(draw).collect() }
}
