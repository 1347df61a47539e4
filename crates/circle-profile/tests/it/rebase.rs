//! Rebasing where the truth is known: a model is optimised with its lineage, which is then taken away, and what rebase
//! infers is held against what was carried.
#![allow(clippy::print_stdout, reason = "the table is what the test is run for")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use circle_format::lineage::identity::identify;
use circle_format::read::{ReadOptions, read};
use circle_format::write::{WriteOptions, number, write};
use circle_ir::Model;
use circle_ir::import::{Draft, ImportedLineage};
use circle_ir::lineage::claims::Role;
use circle_ir::lineage::history::Run;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_passes::{Settings, o1};
use circle_profile::rebase::{Rebased, Report, rebase};

fn run_entry(tool: &str) -> Run {
    Run { tool: Arc::from(tool), version: Arc::from("0"), options: Arc::from("") }
}

pub(crate) fn draft(bytes: &[u8]) -> Draft {
    read(bytes, ReadOptions::default()).unwrap().draft
}

pub(crate) fn fresh(bytes: &[u8]) -> Model {
    let file = OriginFile {
        name: Arc::from("raw.circle"),
        format: FileFormat::Circle,
        bytes: bytes.len() as u64,
        md5: [7; 16],
        sha256: None,
    };
    let draft = draft(bytes);
    let lineage = ImportedLineage::fresh(&draft, file);
    draft.adopt(lineage).unwrap()
}

/// By subgraph and operator, the ids of the originals it claims, helpers left out.
pub(crate) fn claims(model: &Model) -> Vec<BTreeSet<u32>> {
    let store = model.store();
    let of = |op: &circle_ir::Operator| {
        let claims = store.claim_sets.get(op.lineage().claims()).iter();
        claims.filter(|claim| claim.role != Role::Helper).map(|claim| claim.origin.number()).collect()
    };
    model.subgraphs().flat_map(|(_, sg)| sg.operators()).map(|(_, op)| of(op)).collect()
}

pub(crate) fn infer(now: &[u8], earlier: &[u8]) -> Rebased {
    rebase(draft(now), &now, &fresh(earlier), &earlier, run_entry("rebase")).unwrap()
}

/// The raw model's optimised form without metadata, and what its operators truly claim.
fn optimised(raw: &[u8]) -> (Vec<u8>, Vec<BTreeSet<u32>>) {
    let mut model = fresh(raw);
    let settings = Settings {
        fixed_point: true,
        verify_each: false,
        stop_after_patch: None,
        log: false,
        run: run_entry("test"),
    };
    circle_passes::run(&mut model, &raw, &o1::passes(), &settings).unwrap();
    let mut bytes = Vec::new();
    write(&model, raw, &number(&model), &[], WriteOptions::default(), &mut bytes).unwrap();
    (bytes, claims(&model))
}

#[derive(Default)]
pub(crate) struct Score {
    pub(crate) truth: usize,
    pub(crate) inferred: usize,
    pub(crate) right: usize,
}

impl Score {
    pub(crate) fn of(truth: &[BTreeSet<u32>], inferred: &[BTreeSet<u32>]) -> Self {
        assert_eq!(truth.len(), inferred.len());
        let pairs = truth.iter().zip(inferred);
        Self {
            truth: truth.iter().map(BTreeSet::len).sum(),
            inferred: inferred.iter().map(BTreeSet::len).sum(),
            right: pairs.map(|(a, b)| a.intersection(b).count()).sum(),
        }
    }
    pub(crate) fn add(&mut self, other: &Self) {
        self.truth += other.truth;
        self.inferred += other.inferred;
        self.right += other.right;
    }
    fn line(&self, name: &str, report: &Report) {
        let percent = |part: usize, whole: usize| {
            if whole == 0 { "-".into() } else { format!("{:.1}", part as f64 * 100.0 / whole as f64) }
        };
        println!(
            "{name:32} {:5} {:6} {:8} {:6} {:>9} {:>7} {:9} {:7}",
            report.operators,
            self.truth,
            self.inferred,
            self.right,
            percent(self.right, self.inferred),
            percent(self.right, self.truth),
            report.ambiguous,
            report.unknown
        );
    }
}

const HEAD: &str =
    "model                            ops   truth inferred  right precision recall ambiguous unknown";

pub(crate) fn corpus(folder: &str) -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else { return Vec::new() };
    let folder = PathBuf::from(corpus).join("models/circle").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// The same model with other names.
fn renamed(mut draft: Draft) -> Draft {
    for sg in &mut draft.subgraphs {
        for (index, value) in sg.values.iter_mut().enumerate() {
            value.record.set("name", format!("n{index}").as_str()).unwrap();
        }
    }
    draft
}

/// The same model with results named by counting them, as exporters do.
fn counted(mut draft: Draft) -> Draft {
    for sg in &mut draft.subgraphs {
        for (index, value) in sg.values.iter_mut().enumerate() {
            value.record.set("name", format!("c{index}").as_str()).unwrap();
        }
        for (index, v) in sg.operators.iter().flat_map(|op| &op.outputs).enumerate() {
            let value = sg.values.get_mut(v.number() as usize).unwrap();
            value.record.set("name", format!("t{index}").as_str()).unwrap();
        }
    }
    draft
}

/// The file `raw` after `change`.
pub(crate) fn rewritten(raw: &[u8], change: impl Fn(Draft) -> Draft) -> Vec<u8> {
    let draft = change(draft(raw));
    let lineage = ImportedLineage::fresh(&draft, identify("changed", None, raw));
    let model = draft.adopt(lineage).unwrap();
    let mut bytes = Vec::new();
    write(&model, raw, &number(&model), &[], WriteOptions::default(), &mut bytes).unwrap();
    bytes
}

/// Prints a table over all raw models, after `before`, of what `rebase` finds in their optimised form, after `change`,
/// and sums it up.
fn measure(title: &str, before: impl Fn(Draft) -> Draft, change: impl Fn(Draft) -> Draft) -> Option<Score> {
    let files = corpus("tico_raw");
    if files.is_empty() {
        return None;
    }
    println!("\n{title}\n{HEAD}");
    let mut total = Score::default();
    let mut all = Report::default();
    for path in files {
        let raw = rewritten(&std::fs::read(&path).unwrap(), &before);
        let (now, truth) = optimised(&raw);
        let now_draft = change(draft(&now));
        let rebased =
            rebase(now_draft, &now.as_slice(), &fresh(&raw), &raw.as_slice(), run_entry("rebase")).unwrap();
        let inferred = claims(&rebased.model);
        let score = Score::of(&truth, &inferred);
        score.line(&name(&path), &rebased.report);
        if std::env::var_os("SHOW").is_some() {
            show(&rebased.model, &truth, &inferred);
        }
        total.add(&score);
        all.operators += rebased.report.operators;
        all.ambiguous += rebased.report.ambiguous;
        all.unknown += rebased.report.unknown;
    }
    total.line("total", &all);
    Some(total)
}

#[test]
fn what_is_inferred_about_our_own_optimiser_is_true() {
    let Some(total) = measure("names kept", |draft| draft, |draft| draft) else { return };
    assert!(total.right * 100 >= total.inferred * 99, "precision is below 99 %");
    assert!(total.right * 100 >= total.truth * 95, "recall is below 95 %");
}

#[test]
fn without_names_less_is_inferred_and_all_of_it_is_true() {
    let Some(total) = measure("names gone", |draft| draft, renamed) else { return };
    assert!(total.right * 100 >= total.inferred * 99, "precision is below 99 %");
    assert!(total.right * 100 >= total.truth * 20, "recall is below 20 %");
}

/// Names that are given by counting are given to others by the next tool that counts.
#[test]
fn counted_names_are_not_believed() {
    let Some(total) = measure("names counted twice", counted, counted) else { return };
    assert!(total.right * 100 >= total.inferred * 99, "precision is below 99 %");
    assert!(total.right * 100 >= total.truth * 20, "recall is below 20 %");
}

/// What another optimiser, which keeps most names, has made of the same models. The truth is not known; what is found
/// must at least be where each operator that kept its name and kind comes from.
#[test]
fn another_optimisers_models_find_their_operators() {
    let files = corpus("tico_o1_of_raw");
    if files.is_empty() {
        return;
    }
    println!("\nanother optimiser               ops joined ambiguous unknown");
    let mut joined = 0;
    let mut total = Report::default();
    for path in files {
        let now = std::fs::read(&path).unwrap();
        let raw = path.parent().unwrap().with_file_name("tico_raw").join(path.file_name().unwrap());
        let raw = std::fs::read(raw).unwrap();
        let rebased = infer(&now, &raw);
        let inferred = claims(&rebased.model);
        let here = inferred.iter().filter(|claims| !claims.is_empty()).count();
        let Report { operators, ambiguous, unknown, .. } = rebased.report;
        println!("{:29} {operators:5} {here:6} {ambiguous:9} {unknown:7}", name(&path));
        let origins = &rebased.model.store().origins;
        let ops = rebased.model.subgraphs().flat_map(|(_, sg)| sg.operators().map(move |(_, op)| (sg, op)));
        for ((sg, op), claims) in ops.zip(&inferred) {
            let name = op.outputs().first().and_then(|&v| sg.value(v)).map_or("", |v| v.name());
            let same: Vec<u32> = origins
                .operators
                .iter()
                .filter(|(_, origin)| *origin.name == *name && *origin.opcode == *op.code().name())
                .map(|(id, _)| id.number())
                .collect();
            if let [only] = same[..] {
                assert!(claims.contains(&only), "{}: {name} does not claim @{only}", path.display());
            }
        }
        joined += here as u64;
        total.operators += rebased.report.operators;
    }
    println!("{joined} of {} operators joined", total.operators);
    assert!(joined * 100 >= total.operators * 90, "fewer than 90 % were joined");
}

fn show(model: &Model, truth: &[BTreeSet<u32>], inferred: &[BTreeSet<u32>]) {
    let ops = model.subgraphs().flat_map(|(_, sg)| sg.operators().map(move |(_, op)| (sg, op)));
    for ((index, (sg, op)), (truth, inferred)) in ops.enumerate().zip(truth.iter().zip(inferred)) {
        if truth != inferred {
            let name = op.outputs().first().and_then(|&v| sg.value(v)).map_or("", |v| v.name());
            let names = |ids: &BTreeSet<u32>| -> Vec<String> {
                let origins = &model.store().origins;
                let show = |&id: &u32| {
                    let origin = origins.operator(circle_ir::OriginId::from_number(id)).unwrap();
                    format!("@{id} {}", origin.opcode)
                };
                ids.iter().map(show).collect()
            };
            let reason = op.lineage().unknown().map(|r| model.store().reason_text(r));
            println!(
                "  {index} {} {name}\n     truth {:?}\n     got   {:?} {reason:?} {:?}",
                op.code().name(),
                names(truth),
                names(inferred),
                model.store().pass_chain(op.lineage().event()),
            );
        }
    }
}
