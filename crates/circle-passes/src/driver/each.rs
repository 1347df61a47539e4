//! `verify_each`: every patch is checked, and every pass that has fired is run once more, alone, on a copy of the model
//! whose operators have an original and a cost each.
//!
//! After a patch only what it took and added is looked at. Everything is looked at after so many patches that this does
//! not cost more than they do, and at the end of each pass. What is then found was done by one of several patches: the
//! pass is repeated on a copy of the model as it was before, to ever closer ends, until it is known which.

use circle_ir::lineage::history::Action;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::patch::{Applied, Patch};
use circle_ir::verify::lineage::{Balance, balance};
use circle_ir::verify::step::{self, Before};
use circle_ir::verify::watch::Watch;
use circle_ir::verify::{Finding, Subject, structure};
use circle_ir::{Bytes, Model, RunId};

use super::error::{Drawn, DriverError, When};
use super::{Context, Settings, findings};
use crate::proof::originify;
use crate::registry::find;
use crate::rule::Pass;

/// A model of up to so many operators is looked at after each patch, one of twice as many after every second, and so on.
const LOOKS: usize = 64;

/// What the checks have found, as of a patch.
pub(super) struct Fault {
    /// How many patches there had been.
    number: u64,
    findings: Vec<Finding>,
    /// If the patch was looked at: its rule, itself in one line, and the findings drawn.
    drawn: Option<(&'static str, String, Vec<Drawn>)>,
}

/// What is kept beside a model to check each patch.
pub(super) struct Each<'a> {
    /// What the model amounted to when the pipeline began.
    start: Balance,
    watch: Watch,
    /// The model as it was before the pass that is running, with the number of patches there had been; once it fires.
    before: Option<(Model, u64)>,
    /// Patches since everything was looked at.
    unseen: u64,
    /// Everything is looked at after so many.
    period: u64,
    /// The patch that is to be drawn.
    draw: Option<u64>,
    /// The planted model as it was before the pass that is repeated on it.
    planted: Option<(&'a Model, Pass)>,
}

/// A patch before it is applied.
pub(super) struct Step {
    before: Before,
    rule: &'static str,
    action: Action,
    /// The patch in one line, if it is to be drawn.
    text: Option<String>,
}

/// After how many patches everything is looked at.
pub(super) fn period(model: &Model) -> u64 {
    (model.operator_count() / LOOKS).max(1) as u64
}

impl<'a> Each<'a> {
    /// For passes over `model`, which amounted to `start` when the pipeline began.
    pub(super) fn new(model: &Model, start: Balance) -> Self {
        let (watch, period) = (Watch::new(model), period(model));
        Self { start, watch, before: None, unseen: 0, period, draw: None, planted: None }
    }

    /// Whether the pass that is running is itself a repetition.
    fn is_repetition(&self) -> bool {
        self.period == u64::MAX
    }

    /// Looks at what `patch` is about, before it is applied to `model` after `patches` others.
    pub(super) fn before(&mut self, model: &Model, patch: &Patch, patches: u64) -> Result<Step, Fault> {
        if self.before.is_none() && !self.is_repetition() {
            self.before = Some((model.clone(), patches));
        }
        let findings = self.watch.astray(model, patch);
        if !findings.is_empty() {
            return Err(Fault { number: patches, findings, drawn: None });
        }
        let drawn = self.draw == patches.checked_add(1);
        Ok(Step {
            before: Before::new(model, patch, drawn),
            rule: patch.rule(),
            action: patch.action(),
            text: drawn.then(|| patch.to_string()),
        })
    }

    /// Checks the patch that was applied as number `number`.
    pub(super) fn after(
        &mut self,
        model: &Model,
        step: Step,
        applied: &Applied,
        number: u64,
    ) -> Option<Fault> {
        let Step { before, rule, action, text } = step;
        let mut findings = structure::check_operators(model, before.subgraph(), &applied.added);
        findings.extend(step::check(&before, model, applied));
        findings.extend(illegal_step(rule, action));
        self.watch.follow(model, &before, applied);
        self.unseen += 1;
        if text.is_some() || self.unseen >= self.period {
            findings.extend(
                self.scan(model).into_iter().filter(|new| !findings.contains(new)).collect::<Vec<_>>(),
            );
        }
        if findings.is_empty() {
            return None;
        }
        let drawn = text.map(|text| {
            let last = Some((&before, &self.watch, number));
            (rule, text, Drawn::all(&findings, model, last))
        });
        Some(Fault { number, findings, drawn })
    }

    /// Looks at everything.
    fn scan(&mut self, model: &Model) -> Vec<Finding> {
        self.unseen = 0;
        let mut findings = findings(model, &self.start);
        findings.extend(self.watch.scan(model));
        if let Some((before, pass)) = self.planted {
            findings.extend(originify::check(before, model, pass.info()));
        }
        findings
    }
}

/// A step that no pass of that kind may take.
pub(super) fn illegal_step(rule: &'static str, action: Action) -> Option<Finding> {
    let change = find(rule)?.info().change;
    let legal = change.actions().contains(&action);
    let text = || format!("a pass that is to {} must not {}", change.name(), action.name());
    (!legal).then(|| Finding { subject: Subject::Other, place: rule.into(), text: text() })
}

/// A pass and the model that it is run on again.
struct Again<'a> {
    model: &'a Model,
    bytes: &'a dyn Bytes,
    run: RunId,
    settings: &'a Settings,
    pass: Pass,
    /// How many patches there had been before it.
    patches: u64,
    start: Balance,
    planted: bool,
}

impl Again<'_> {
    /// Runs the pass on a copy until there have been `last` patches, and looks at everything then. How many there have
    /// been, or nothing where some were left out for the lineage's sake; and what is found, drawn if `draw`.
    fn until(&self, last: u64, draw: bool) -> (Option<u64>, Option<Fault>) {
        let mut copy = self.model.clone();
        let settings = Settings { stop_after_patch: Some(last), log: false, ..self.settings.clone() };
        let each = Each {
            start: self.start.clone(),
            watch: Watch::new(&copy),
            before: None,
            unseen: 0,
            period: u64::MAX,
            draw: draw.then_some(last),
            planted: self.planted.then_some((self.model, self.pass)),
        };
        let mut context = Context::new(&mut copy, self.bytes, self.run, &settings, self.patches);
        context.each = Some(each);
        context.run_pass(self.pass);
        let (patches, mut fault) = (context.report.patches, context.fault.take());
        if let (None, Some(each)) = (&fault, &mut context.each) {
            let findings = each.scan(context.model);
            fault = (!findings.is_empty()).then_some(Fault { number: patches, findings, drawn: None });
        }
        ((context.report.full() == 0).then_some(patches), fault)
    }

    /// The error for what was found, naming the patch after which it does not hold while it held before.
    fn blame(&self, fault: Fault) -> DriverError {
        let (mut sound, mut broken, mut found) = (self.patches, fault.number, fault.findings);
        while broken > sound + 1 {
            let middle = sound + (broken - sound) / 2;
            match self.until(middle, false).1 {
                None => sound = middle,
                Some(fault) => {
                    // What is found at once is found at an earlier patch than the last.
                    (broken, found) = (fault.number.clamp(sound + 1, middle), fault.findings);
                }
            }
        }
        let drawn = (broken > sound).then(|| self.until(broken, true).1).flatten();
        if let Some(Fault { number, drawn: Some((rule, text, findings)), .. }) = drawn {
            let planted = self.planted;
            return DriverError::Broken { when: When::Patch { rule, number, text, planted }, findings };
        }
        let when = When::Pass { name: self.pass.name(), first: sound + 1, last: broken.max(sound + 1) };
        DriverError::Broken { when, findings: Drawn::all(&found, self.model, None) }
    }
}

/// What was planted lies in no file.
fn no_file() -> OriginFile {
    let name = "planted".into();
    OriginFile { name, format: FileFormat::Other, bytes: 0, md5: [0; 16], sha256: None }
}

/// Looks at everything after `pass`, if it has fired, and proves it on a planted copy of the model as it was before.
///
/// # Errors
/// When something is found, then or after one of its patches.
pub(super) fn prove(context: &mut Context<'_>, pass: Pass) -> Result<(), DriverError> {
    let Some(each) = &mut context.each else { return Ok(()) };
    // Without a copy it has applied no patch.
    let Some((before, patches)) = each.before.take() else { return Ok(()) };
    let last = context.report.patches;
    let full = context.report.passes.iter().any(|report| report.name == pass.name() && report.full > 0);
    if context.fault.is_none() && each.unseen > 0 {
        let findings = each.scan(context.model);
        context.fault = (!findings.is_empty()).then_some(Fault { number: last, findings, drawn: None });
    }
    each.period = period(context.model);
    let (bytes, settings) = (context.bytes, context.settings);
    let again = Again {
        model: &before,
        bytes,
        run: context.run,
        settings,
        pass,
        patches,
        planted: false,
        start: each.start.clone(),
    };
    if let Some(fault) = context.fault.take() {
        return Err(again.blame(fault));
    }
    if last == patches {
        return Ok(());
    }
    let mut planted = originify::plant_anew(before, no_file());
    let (start, run) = (balance(&planted), planted.enter_run(settings.run.clone()));
    let again = Again { model: &planted, bytes, run, settings, pass, patches, planted: true, start };
    match again.until(last, false) {
        (_, Some(fault)) => Err(again.blame(fault)),
        // How much an operator stands for is the one thing in a lineage on which patches depend.
        (Some(there), None) if there != last && !full => {
            let fired = |count: u64| count.saturating_sub(patches);
            let text = format!(
                "patches applied: {}, and {} to the same graph with other lineage, on which they must not depend",
                fired(last),
                fired(there)
            );
            let finding = Finding { subject: Subject::Other, place: pass.name().into(), text };
            let when = When::Pass { name: pass.name(), first: patches + 1, last };
            Err(DriverError::broken(when, vec![finding], context.model))
        }
        _ => Ok(()),
    }
}
