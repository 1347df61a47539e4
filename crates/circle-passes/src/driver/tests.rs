//! What the driver says when something is wrong. Nothing that a rule can do gets past the checks of patches, so the
//! models and passes here are broken in ways that only this module can bring about.

use std::sync::Arc;

use circle_ir::import::ImportedLineage;
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::history::Run;
use circle_ir::lineage::origin::{FileFormat, Origin, OriginFile};
use circle_ir::text::parse;
use circle_ir::{FileId, OriginId};

use circle_ir::lineage::history::Action;

use super::each::{illegal_step, period};
use super::*;
use crate::registry::find;
use crate::rule::{Change, ModelPass, PassInfo};

const BEFORE: &str = r#"
subgraph sg0 "" (%0) -> (%4)
  %0: f32[2] "x"
  %1: f32[2] "c" = [1.0, 2.0]
  %2: f32[2] "power"
  %3: f32[2] "sum"
  %4: f32[2] "clipped"
  op0 EXP (%0) -> %2
  op1 ADD (%2, %1) -> %3
  op2 RELU (%3) -> %4
"#;

fn settings(stop_after_patch: Option<u64>) -> Settings {
    let word = |w: &str| Arc::from(w);
    let run = Run { tool: word("test"), version: word("0"), options: word("") };
    Settings { fixed_point: false, verify_each: true, stop_after_patch, log: true, run }
}

/// The model in `text`, whose operators claim the originals `claims` of the model `BEFORE`.
fn claiming(text: &str, claims: &[&[u32]]) -> Model {
    let draft = parse(text).unwrap().to_draft().unwrap();
    let word = |w: &str| Arc::from(w);
    let file =
        OriginFile { name: word("m"), format: FileFormat::Other, bytes: 0, md5: [0; 16], sha256: None };
    let mut lineage = ImportedLineage::fresh(&draft, file);
    for (number, (opcode, name)) in
        [("EXP", "power"), ("ADD", "sum"), ("RELU", "clipped")].into_iter().enumerate()
    {
        let (opcode, name) = (word(opcode), word(name));
        let origin = Origin {
            file: Some(FileId::from_number(0)),
            subgraph: 0,
            operator: Some(number as u32),
            opcode,
            name,
        };
        let id = OriginId::from_number(number as u32);
        lineage.store.origins.operators.insert(id, origin);
        // A store only grows: sets that the model had before keep their numbers.
        lineage.store.claim_sets.intern(&[Claim { origin: id, role: Role::Primary, part: None }]);
    }
    for (op, claims) in lineage.operators[0].iter_mut().zip(claims) {
        let claim =
            |&number: &u32| Claim { origin: OriginId::from_number(number), role: Role::Primary, part: None };
        let claims: Vec<Claim> = claims.iter().map(claim).collect();
        op.claims = lineage.store.claim_sets.intern(&claims);
    }
    draft.adopt(lineage).unwrap()
}

/// Fuses the RELU, and then forgets where it came from.
struct Forgetful;

const INFO: PassInfo = PassInfo {
    name: "forgetful",
    summary: "loses an origin",
    change: Change::Fuse,
    lineage: "wrong on purpose",
    before: BEFORE,
    after: "",
};

impl ModelPass for Forgetful {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, context: &mut Context<'_>) {
        let Pass::Rule(rule) = find("fuse_activation_function").unwrap() else { panic!("it is a rule") };
        context.after_apply = Some((1, |model, _| {
            let after = r#"
subgraph sg0 "" (%0) -> (%3)
  %0: f32[2] "x"
  %1: f32[2] "c" = [1.0, 2.0]
  %2: f32[2] "power"
  %3: f32[2] "clipped"
  op0 EXP (%0) -> %2
  op1 ADD {fused_activation_function=RELU} (%2, %1) -> %3
"#;
            *model = claiming(after, &[&[0], &[1]]);
        }));
        context.sweep(rule);
    }
}

#[test]
fn a_patch_that_loses_an_origin_is_named_with_the_operator() {
    let none: &[u8] = &[];
    let mut model = parse(BEFORE).unwrap();
    let error = run(&mut model, &none, &[Pass::Model(&Forgetful)], &settings(None)).unwrap_err();
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0]
            .starts_with("after pass fuse_activation_function (patch 1, sg0 fuse_activation_function: fuse"),
        "{text}"
    );
    let drawn = "  sg0 op2 RELU (%3) -> %4  ; @2 primary
  ^~~ @2: \"clipped\" is carried by nothing and is not in the ledger
      it was last on op2 RELU, which patch 1 erased\n";
    assert!(text.contains(drawn), "{text}");
    assert_eq!(
        *lines.last().unwrap(),
        "note: run with --stop_after_patch 0 to keep the model as it was before"
    );
    // What the note says works.
    let mut model = parse(BEFORE).unwrap();
    let report = run(&mut model, &none, &[Pass::Model(&Forgetful)], &settings(Some(0))).unwrap();
    assert_eq!((report.patches, model.operator_count()), (0, 3));
}

#[test]
fn a_model_that_comes_in_broken_is_not_blamed_on_a_pass() {
    let none: &[u8] = &[];
    let mut model = claiming(BEFORE, &[&[0], &[1], &[1]]);
    let passes = [find("fuse_activation_function").unwrap()];
    let error = run(&mut model, &none, &passes, &settings(None)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "before the first patch: 1 problem\n  \
         @2: \"clipped\" is carried by nothing and is not in the ledger\n\
         note: the model came in like that; no pass has touched it"
    );
    let late = Settings { verify_each: false, ..settings(None) };
    let error = run(&mut claiming(BEFORE, &[&[0], &[1], &[1]]), &none, &passes, &late).unwrap_err();
    assert!(error.to_string().ends_with("to see which patch brought it about"), "{error}");
}

#[test]
fn a_step_that_is_not_of_the_kind_of_the_pass_is_found() {
    assert_eq!(illegal_step("fold_mul", Action::Fold), None);
    let finding = illegal_step("fold_mul", Action::Merge).unwrap();
    assert_eq!(finding.to_string(), "fold_mul: a pass that is to fold must not merge");
    assert_eq!(illegal_step("no such pass", Action::Merge), None);
}

#[test]
fn everything_is_looked_at_as_often_as_the_model_allows() {
    let model = |operators: u32| {
        let mut text = format!("subgraph sg0 \"\" (%0) -> (%{operators})\n");
        (0..=operators).for_each(|v| text += &format!("%{v}: f32[1] \"\"\n"));
        (0..operators).for_each(|op| text += &format!("op{op} NEG (%{op}) -> %{}\n", op + 1));
        parse(&text).unwrap()
    };
    let periods = [0, 1, 64, 127, 128, 6400].map(|operators| period(&model(operators)));
    assert_eq!(periods, [1, 1, 1, 1, 2, 100]);
}
