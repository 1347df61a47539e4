//! Whether claims are true: the constants of one original operator are changed, the same passes run, and what differs
//! in the result is held against what it claims.
//!
//! - **Recall**: an operator of the result that differs (in its constants' bytes, options or code) must claim an
//!   operator that reads the changed constant.
//! - **Precision**: an operator that claims the original as its own work, as absorbed, as duplicate or by a constant
//!   folded from it must differ. Of several parts or copies of it, one of them must; and a constant of nothing but
//!   zeros, in which no factor can show, need not.
//!
//! Many constants are changed in one run where no operator of the result claims the readers of two of them, so that a
//! model takes few runs. A constant is changed in all its elements and so that rounding cannot hide it
//! ([`perturb`]); where that makes the passes take another course (an addition of zeros is one no more, a constant no
//! longer equals another), all equal constants are changed alike, and where that does not help it is reported as
//! [`TruthReport::undecided`].
//!
//! Operators that read no numbers (a RELU, a TRANSPOSE) cannot be judged in this way. Tests judge them by the values of
//! tensors.

mod compare;
pub mod perturb;
mod report;
mod sets;

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::import::{Draft, ImportedLineage};
use circle_ir::lineage::claims::Role;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::{Bytes, Entity as _, Model, OriginId};

use self::perturb::{Unit, units};
use self::sets::independent;
use crate::driver::{Report, Settings, run};
use crate::rule::Pass;

pub use report::{Place, TruthError, TruthReport, Untrue};

/// What is the same in all runs.
struct Setting<'a> {
    draft: Draft,
    bytes: &'a dyn Bytes,
    passes: &'a [Pass],
    settings: &'a Settings,
    runs: u64,
}

impl Setting<'_> {
    /// The result of the passes on the model in which `units` are changed.
    fn result(&mut self, units: &[&Unit]) -> Result<(Model, Report), TruthError> {
        self.runs += 1;
        let mut draft = self.draft.clone();
        for unit in units {
            unit.apply(&mut draft, self.bytes);
        }
        let word = std::sync::Arc::from("model");
        let file = OriginFile { name: word, format: FileFormat::Other, bytes: 0, md5: [0; 16], sha256: None };
        let lineage = ImportedLineage::fresh(&draft, file);
        let mut model = draft.adopt(lineage).map_err(TruthError::Import)?;
        let report = run(&mut model, self.bytes, self.passes, self.settings).map_err(TruthError::Driver)?;
        Ok((model, report))
    }
}

/// What the claims of the unchanged result say, and what was seen of them.
struct Ledger {
    model: Model,
    /// By subgraph, how many operators there were.
    before: Vec<usize>,
    log: Vec<String>,
    /// What operators and constants claim.
    claims: BTreeMap<Place, BTreeMap<OriginId, Role>>,
    /// Readers of the changed constants that an operator was seen to depend on, by operator.
    seen: BTreeSet<(Place, OriginId)>,
    /// Operators that differed while no operator they claim had its constants changed, with the constant's reader.
    missing: BTreeSet<(Place, OriginId)>,
    /// Originals whose constants were changed, and with the passes on the same course.
    tried: BTreeSet<OriginId>,
}

/// Judges what the operators claim that `passes` make of `original`. The lineage that `original` has is left aside: its
/// operators are the originals.
///
/// # Errors
/// When the model is not as it was read, or the passes fail on it.
pub fn check(
    original: &Model,
    bytes: &dyn Bytes,
    passes: &[Pass],
    settings: &Settings,
) -> Result<TruthReport, TruthError> {
    let draft = original.to_draft().ok_or(TruthError::Changed)?;
    let settings = &Settings { log: true, ..settings.clone() };
    let mut setting = Setting { draft, bytes, passes, settings, runs: 0 };
    let (model, report) = setting.result(&[])?;
    let claims = compare::claims(&model);
    let (patches, log) = (report.patches, report.log);
    let mut ledger = Ledger {
        model,
        before: setting.draft.subgraphs.iter().map(|sg| sg.operators.len()).collect(),
        log,
        claims,
        seen: BTreeSet::new(),
        missing: BTreeSet::new(),
        tried: BTreeSet::new(),
    };
    let all = units(&setting.draft, bytes);
    let mut undecided = Vec::new();
    let mut late = Vec::new();
    for group in independent(&all, &ledger.claims) {
        late.extend(try_group(&mut setting, &mut ledger, group)?);
    }
    // Equal constants are changed alike where one alone changes the course.
    if !late.is_empty() {
        let mut classes: BTreeMap<(i8, u64), Vec<&Unit>> = BTreeMap::new();
        for unit in &all {
            classes.entry(unit.content(bytes)).or_default().push(unit);
        }
        let late: BTreeSet<(i8, u64)> = late.iter().map(|unit| unit.content(bytes)).collect();
        for class in late.iter().filter_map(|content| classes.get(content)) {
            let together = Unit::together(class);
            let failed = match class.as_slice() {
                [_] => vec![together],
                _ => try_group(&mut setting, &mut ledger, vec![&together])?,
            };
            undecided.extend(failed.iter().map(Unit::to_string));
        }
    }
    let readers: BTreeSet<OriginId> = all.iter().flat_map(|unit| unit.readers.iter().copied()).collect();
    let operators = setting.draft.subgraphs.iter().map(|sg| sg.operators.len()).sum::<usize>();
    let mut truth = ledger.judge(bytes);
    truth.undecided = undecided;
    truth.judged = readers.len();
    truth.without_numbers = operators - readers.len();
    truth.patches = patches;
    truth.runs = setting.runs;
    Ok(truth)
}

/// Changes all units of `group` in one run; halves the group where the passes take another course or where it is not
/// clear which unit a difference comes from. Returns the units with which they take another course.
fn try_group(
    setting: &mut Setting<'_>,
    ledger: &mut Ledger,
    group: Vec<&Unit>,
) -> Result<Vec<Unit>, TruthError> {
    let mut late = Vec::new();
    let mut waiting = vec![group];
    while let Some(group) = waiting.pop() {
        let (model, report) = match setting.result(&group) {
            Ok(result) => result,
            Err(TruthError::Driver(_)) if !group.is_empty() => {
                // A model that passes cannot cope with is another course, too.
                halve(group, &mut waiting, &mut late);
                continue;
            }
            Err(error) => return Err(error),
        };
        let differing = if report.log == ledger.log {
            compare::changed(&ledger.model, &model, setting.bytes)
        } else {
            None
        };
        let Some(differing) = differing else {
            halve(group, &mut waiting, &mut late);
            continue;
        };
        let surprise = |(&op, constants): (&Place, &BTreeSet<Place>)| {
            let claimed = |place: &Place| group.iter().any(|unit| ledger.is_claimed(*place, unit));
            (!claimed(&op) && !constants.iter().any(claimed)).then_some(op)
        };
        let surprises: Vec<Place> = differing.iter().filter_map(surprise).collect();
        if !surprises.is_empty() && group.len() > 1 {
            halve(group, &mut waiting, &mut late);
            continue;
        }
        for unit in group {
            ledger.tried.extend(&unit.readers);
            for &place in &surprises {
                ledger.missing.extend(unit.readers.first().map(|&reader| (place, reader)));
            }
            for &place in differing.keys().chain(differing.values().flatten()) {
                let Some(claims) = ledger.claims.get(&place) else { continue };
                let borne_out = unit.readers.iter().filter(|reader| claims.contains_key(reader));
                ledger.seen.extend(borne_out.map(|&reader| (place, reader)));
            }
        }
    }
    Ok(late)
}

fn halve<'a>(group: Vec<&'a Unit>, waiting: &mut Vec<Vec<&'a Unit>>, late: &mut Vec<Unit>) {
    match group.as_slice() {
        [] => {}
        [one] => late.push((*one).clone()),
        _ => {
            let (left, right) = group.split_at(group.len() / 2);
            waiting.push(right.to_vec());
            waiting.push(left.to_vec());
        }
    }
}

impl Ledger {
    fn is_claimed(&self, place: Place, unit: &Unit) -> bool {
        self.claims
            .get(&place)
            .is_some_and(|claims| unit.readers.iter().any(|reader| claims.contains_key(reader)))
    }

    /// Whether passes have made the operator at `place`; operators of the file come first.
    fn is_new(&self, place: Place) -> bool {
        match place {
            Place::Operator(sg, op) => self.before.get(sg.index()).is_some_and(|&count| op.index() >= count),
            Place::Constant(..) => false,
        }
    }

    /// Whether the step that made the operator at `place` made one of `rewritten`, too, which are new and were seen to
    /// depend on the original: what was one operator's work is done by both, and its constants are with one of them.
    fn is_shared(&self, place: Place, rewritten: &[Place]) -> bool {
        let history = &self.model.store().history;
        let Some(step) = compare::step(&self.model, place) else { return false };
        let mut steps = rewritten.iter().filter_map(|&other| compare::step(&self.model, other));
        steps.any(|other| history.ancestry(other).binary_search(&step).is_ok())
    }

    fn judge(self, bytes: &dyn Bytes) -> TruthReport {
        let mut report = TruthReport::default();
        let untrue = |place: Place, original: OriginId, claimed: bool| {
            let origin = self.model.store().origins.operator(original);
            Untrue {
                operator: compare::line(&self.model, place),
                original,
                code: origin.map_or_else(String::new, |o| o.opcode.to_string()),
                name: origin.map_or_else(String::new, |o| o.name.to_string()),
                claimed,
            }
        };
        report.untrue.extend(self.missing.iter().map(|&(place, original)| untrue(place, original, false)));
        let mut dependent: BTreeMap<OriginId, Vec<Place>> = BTreeMap::new();
        let mut rewritten: BTreeMap<OriginId, Vec<Place>> = BTreeMap::new();
        for &(place, original) in &self.seen {
            dependent.entry(original).or_default().push(place);
            if self.is_new(place) {
                rewritten.entry(original).or_default().push(place);
            }
        }
        for (&place, claims) in &self.claims {
            for (&original, &role) in claims.iter().filter(|(original, _)| self.tried.contains(original)) {
                let seen = self.seen.contains(&(place, original));
                if seen {
                    report.confirmed += 1;
                    report.confirmed_on_changed += u64::from(compare::is_changed(&self.model, place));
                } else if role == Role::Helper {
                    // It does none of the work.
                } else if (role == Role::Cloned && dependent.contains_key(&original))
                    || rewritten.get(&original).is_some_and(|others| self.is_shared(place, others))
                    || compare::is_zero(&self.model, place, bytes)
                {
                    report.untried += 1;
                } else {
                    report.untrue.push(untrue(place, original, true));
                }
            }
        }
        report
    }
}
