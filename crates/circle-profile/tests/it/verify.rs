//! What verify finds in lineages that are wrong on purpose.

use std::sync::Arc;

use circle_format::lineage::audit::audit;
use circle_format::lineage::export::export;
use circle_format::lineage::identity::identify;
use circle_format::lineage::import::import;
use circle_format::read::{LINEAGE, ONE_OP_TABLE, ONE_SOURCE_TABLE, ReadOptions, read};
use circle_format::write::{Extra, WriteOptions, number, write};
use circle_ir::import::{Draft, ImportedLineage};
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::history::{Action, Event, Run};
use circle_ir::lineage::origin::{Origin, OriginFile};
use circle_ir::{FileId, Model, OriginId};
use circle_profile::coverage::Coverage;
use circle_profile::verify::law::{check, nothing_known, originals, remarks, unconfirmed};
use circle_profile::verify::{
    Compared, Finding,
    against::{Start, against},
};

const TEXT: &str = "subgraph sg0 \"main\" (%0) -> (%3)
  %0: f32[8] \"x\"
  %1: f32[8] \"a\"
  %2: f32[8] \"b\"
  %3: f32[8] \"y\"
  op0 RELU (%0) -> %1
  op1 ABS (%1) -> %2
  op2 NEG (%2) -> %3
";

fn bytes_of(model: &Model, entries: bool) -> Vec<u8> {
    let numbering = number(model);
    let entries = entries.then(|| export(model, &numbering, None).unwrap());
    let mut extra = Vec::new();
    if let Some(entries) = &entries {
        extra.push(Extra { name: ONE_SOURCE_TABLE, payload: &entries.source_table });
        extra.push(Extra { name: ONE_OP_TABLE, payload: &entries.op_table });
        extra.push(Extra { name: LINEAGE, payload: &entries.lineage });
    }
    let mut bytes = Vec::new();
    write(model, &[], &numbering, &extra, WriteOptions::default(), &mut bytes).unwrap();
    bytes
}

fn file() -> Vec<u8> {
    bytes_of(&circle_ir::text::parse(TEXT).unwrap(), false)
}

fn draft(bytes: &[u8]) -> Draft {
    read(bytes, ReadOptions::default()).unwrap().draft
}

/// The model of that file with its own operators as originals, after `change` of its lineage.
fn model(change: impl FnOnce(&mut ImportedLineage)) -> Model {
    let bytes = file();
    let draft = draft(&bytes);
    let mut lineage = ImportedLineage::fresh(&draft, identify("in.circle", None, &bytes));
    change(&mut lineage);
    draft.adopt(lineage).unwrap()
}

fn claim(origin: u32, role: Role) -> Claim {
    Claim { origin: OriginId::from_number(origin), role, part: None }
}

fn found(model: &Model) -> Vec<(&'static str, String, String)> {
    check(model).into_iter().map(|Finding { code, place, text }| (code, place, text)).collect()
}

fn finding(code: &'static str, place: &str, text: &str) -> (&'static str, String, String) {
    (code, place.into(), text.into())
}

#[test]
fn a_lineage_that_is_sound_has_no_findings() {
    let model = model(|_| {});
    assert_eq!(found(&model), []);
    let count = originals(&model);
    assert_eq!((count.all, count.live, count.lost), (3, 3, 0));
    assert_eq!(remarks(&model), []);
}

#[test]
fn an_original_that_nothing_carries_is_lost() {
    let model = model(|lineage| {
        lineage.operators[0][1].claims = lineage.store.claim_sets.intern(&[claim(0, Role::Primary)]);
    });
    assert_eq!(
        found(&model),
        [
            finding("conservation", "@1", "\"b\" is carried by nothing and is not in the ledger"),
            finding("history", "sg0:1", "is ABS and claims @0, a RELU, though no step is told of"),
        ]
    );
    assert_eq!(originals(&model).lost, 1);
}

/// The claims of operator 1, which no step has touched, and what is found besides the original that it leaves out.
#[test]
fn what_no_step_has_touched_is_its_original_in_every_way() {
    let check = |claims: &[Claim], change: &dyn Fn(&mut ImportedLineage)| {
        let model = model(|lineage| {
            lineage.operators[0][1].claims = lineage.store.claim_sets.intern(claims);
            change(lineage);
        });
        found(&model)
            .into_iter()
            .filter(|(code, ..)| *code == "history")
            .map(|(.., text)| text)
            .collect::<Vec<_>>()
    };
    let own = claim(1, Role::Primary);
    assert_eq!(check(&[own], &|_| {}), [""; 0]);
    let text = "claims @1 and @2, though no step is told of";
    assert_eq!(check(&[own, claim(2, Role::Absorbed)], &|_| {}), [text]);
    for role in Role::ALL.into_iter().filter(|&role| role != Role::Primary) {
        assert_eq!(
            check(&[claim(1, role)], &|_| {}),
            [format!("claims @1 as {role}, though no step is told of")]
        );
        let text = "is ABS and claims @2, a NEG, though no step is told of";
        assert_eq!(check(&[claim(2, role)], &|_| {}), [text], "{role}");
    }
    let origin = |lineage: &mut ImportedLineage, change: &dyn Fn(&mut Origin)| {
        change(lineage.store.origins.operators.get_mut(&OriginId::from_number(1)).unwrap());
    };
    // The name of no original may be that of one that has left, whose place the operator took.
    let renamed = |lineage: &mut ImportedLineage| origin(lineage, &|origin| origin.name = "c".into());
    assert_eq!(check(&[own], &renamed), [""; 0]);
    let exchanged = |lineage: &mut ImportedLineage| {
        let name = |number| OriginId::from_number(number);
        let operators = &mut lineage.store.origins.operators;
        let other = std::mem::replace(&mut operators.get_mut(&name(2)).unwrap().name, "b".into());
        operators.get_mut(&name(1)).unwrap().name = other;
    };
    let found = check(&[own], &exchanged);
    assert!(
        found.contains(&"computes \"b\" and claims @1 \"y\", though no step is told of".to_owned()),
        "{found:?}"
    );
    // Of what tables named, neither place nor kind is known.
    let by_name = |lineage: &mut ImportedLineage| {
        for origin in lineage.store.origins.operators.values_mut() {
            (origin.operator, origin.opcode, origin.name) = (None, "".into(), "c".into());
        }
    };
    assert_eq!(check(&[own, claim(2, Role::Absorbed)], &by_name), [""; 0]);
}

/// A tensor that no step has touched bears the name of one of the original tensors that it is said to be.
#[test]
fn a_tensor_that_no_step_has_touched_bears_its_original_s_name() {
    let rename = |lineage: &mut ImportedLineage| lineage.store.origins.tensors[2].name = "c".into();
    let text = "is called \"b\" and is said to be \"c\", though no step is told of";
    assert_eq!(found(&model(rename)), [finding("history", "sg0:%2", text)]);
    let known = model(|lineage| {
        rename(lineage);
        lineage.tensors[0][2].unknown = Some(lineage.store.reason("inferred"));
    });
    assert_eq!(found(&known), []);
}

#[test]
fn an_operator_that_is_there_was_not_taken_out_by_its_last_step() {
    let after = |action| {
        found(&model(|lineage| {
            let store = &mut lineage.store;
            let run = store.run(Run { tool: "test".into(), version: "0".into(), options: "".into() });
            let pass = store.pass("some_pass");
            let took = store.claim_sets.intern(&[claim(1, Role::Primary)]);
            let step = store.history.push(Event { run, pass, action, took }, []);
            lineage.operators[0][1].event = Some(step);
        }))
    };
    assert_eq!(after(Action::Move), []);
    let text = "its last step (by some_pass, step 0) took it out, and it is there";
    assert_eq!(after(Action::Retire), [finding("history", "sg0:1", text)]);
}

#[test]
fn a_lineage_in_which_everything_is_unknown_does_not_hold() {
    let of = |role: Role, unknown: bool, renamed: bool| {
        let model = model(|lineage| {
            if renamed {
                lineage.store.origins.operators.values_mut().for_each(|origin| origin.name = "c".into());
            }
            let reason = unknown.then(|| lineage.store.reason("lost on the way"));
            for (index, op) in lineage.operators[0].iter_mut().enumerate() {
                (op.claims, op.unknown) =
                    (lineage.store.claim_sets.intern(&[claim(index as u32, role)]), reason);
            }
        });
        let coverage = Coverage::of(&model);
        let text = |finding: Option<Finding>| finding.map(|finding| finding.code);
        (text(nothing_known(&coverage)), text(unconfirmed(&model, &coverage)))
    };
    assert_eq!(of(Role::Primary, false, true), (None, None));
    assert_eq!(of(Role::Helper, false, true), (None, None));
    assert_eq!(of(Role::Inferred, false, true), (None, None));
    assert_eq!(of(Role::Unknown, false, true), (None, Some("tables")));
    // Names confirm the table, which does not prove it.
    assert_eq!(of(Role::Unknown, false, false), (None, None));
    assert_eq!(of(Role::Primary, true, true), (Some("coverage"), None));
}

#[test]
fn an_operator_is_proven_if_all_its_claims_are() {
    let of = |role| {
        let claims = [claim(0, Role::Primary), claim(1, role)];
        let model = model(|lineage| {
            for op in &mut lineage.operators[0] {
                op.claims = lineage.store.claim_sets.intern(&claims);
            }
        });
        let Coverage { proven, inferred, .. } = Coverage::of(&model);
        (proven, inferred)
    };
    assert_eq!([Role::Absorbed, Role::Helper].map(of), [(3, 0); 2]);
    assert_eq!([Role::Inferred, Role::Unknown].map(of), [(0, 3); 2]);
}

#[test]
fn an_operator_claims_nothing_that_its_last_step_did_not_take() {
    let model = model(|lineage| {
        let store = &mut lineage.store;
        let run = store.run(Run { tool: "test".into(), version: "0".into(), options: "".into() });
        let pass = store.pass("fuse");
        let took = store.claim_sets.intern(&[claim(1, Role::Primary)]);
        let step = store.history.push(Event { run, pass, action: Action::Fuse, took }, []);
        let claims = [claim(1, Role::Primary), claim(2, Role::Absorbed)];
        lineage.operators[0][1].claims = store.claim_sets.intern(&claims);
        lineage.operators[0][1].event = Some(step);
    });
    let text = "claims @2, which its last step (fuse by fuse, step 0) did not take";
    assert_eq!(found(&model), [finding("history", "sg0:1", text)]);
}

#[test]
fn originals_without_a_place_are_looked_for_by_name() {
    let bytes = file();
    let without_places = |file: Option<FileId>, names: [&str; 3]| {
        model(|lineage| {
            lineage.store.origins.tensors.clear();
            lineage.store.tensor_sets = Default::default();
            for tensor in &mut lineage.tensors[0] {
                tensor.tensors = lineage.store.tensor_sets.empty();
            }
            for (origin, name) in lineage.store.origins.operators.values_mut().zip(names) {
                (origin.file, origin.operator, origin.name) = (file, None, name.into());
            }
        })
    };
    let compare = |model: &Model| {
        let mut findings = Vec::new();
        let start = Start {
            file: &identify("in.circle", None, &bytes),
            draft: &draft(&bytes),
            bytes: &bytes.as_slice(),
            carries_lineage: false,
        };
        let compared = against(model, NONE, start, &mut findings);
        let remarks = compared.remarks(model).into_iter().map(|f| f.text).collect::<Vec<_>>();
        let by_name =
            "3 of 3 operators were compared by name only: of their kind or place nothing was recorded";
        assert_eq!(remarks, [by_name, "no tensor has an origin: constants were not compared"]);
        (compared.operators, compared.by_name, findings.into_iter().map(|f| f.text).collect::<Vec<_>>())
    };
    let text = "@1: no operator of it computes a tensor called \"elsewhere\"";
    for file in [None, Some(FileId::from_number(0))] {
        assert_eq!(compare(&without_places(file, ["a", "b", "y"])), (3, 3, vec![]));
        assert_eq!(compare(&without_places(file, ["a", "elsewhere", "y"])), (3, 3, vec![text.to_owned()]));
    }
}

#[test]
fn claims_of_what_does_not_exist_are_found() {
    let model = model(|lineage| {
        let claims = [claim(1, Role::Primary), claim(77, Role::Absorbed)];
        lineage.operators[0][1].claims = lineage.store.claim_sets.intern(&claims);
    });
    assert_eq!(
        found(&model),
        [
            finding("conservation", "@77", "is claimed and does not exist"),
            finding("history", "sg0:1", "claims @1 and @77, though no step is told of"),
        ]
    );
}

#[test]
fn two_originals_cannot_be_one_operator_nor_lie_in_a_file_that_is_not_known() {
    let model = model(|lineage| {
        let operators = &mut lineage.store.origins.operators;
        operators.get_mut(&OriginId::from_number(2)).unwrap().operator = Some(0);
        operators.get_mut(&OriginId::from_number(1)).unwrap().file = Some(FileId::from_number(3));
    });
    assert_eq!(
        found(&model),
        [
            finding("target", "@1", "lies in file 3, and 1 are known"),
            finding("target", "@2", "is operator 0 of subgraph 0 of file 0, as @0 is already"),
        ]
    );
}

#[test]
fn an_operator_is_no_folded_constant() {
    let model = model(|lineage| {
        lineage.operators[0][2].claims = lineage.store.claim_sets.intern(&[claim(2, Role::FoldedConst)]);
    });
    assert_eq!(
        found(&model),
        [
            finding("role", "sg0:2", "claims @2 as folded-const, which only a constant can"),
            finding("history", "sg0:2", "claims @2 as folded-const, though no step is told of"),
        ]
    );
}

#[test]
fn helpers_and_operators_of_unknown_origin_do_not_cover() {
    let model = model(|lineage| {
        let helper = [claim(0, Role::Helper)];
        lineage.operators[0][1].claims = lineage.store.claim_sets.intern(&helper);
        lineage.operators[0][2].unknown = Some(lineage.store.reason("lost on the way"));
    });
    let coverage = Coverage::of(&model);
    let want = Coverage { operators: 3, proven: 1, inferred: 0, helper: 1, unknown: 1 };
    assert_eq!((coverage, coverage.percent().as_str()), (want, "50.00"));
    let text = "1 operator of unknown origin: lost on the way";
    assert_eq!(remarks(&model), [Finding::new("unknown", "sg0:2", text)]);
}

/// The file of models that hold their constants themselves.
const NONE: &&[u8] = &(&[] as &[u8]);

fn compare(
    model: &Model,
    file: &OriginFile,
    draft: &Draft,
    carries_lineage: bool,
) -> (Compared, Vec<String>) {
    let mut findings = Vec::new();
    let start = Start { file, draft, bytes: NONE, carries_lineage };
    let compared = against(model, NONE, start, &mut findings);
    (compared, findings.into_iter().map(|f| format!("[{}] {}: {}", f.code, f.place, f.text)).collect())
}

#[test]
fn the_origin_file_must_have_what_is_claimed() {
    let bytes = file();
    let (origin, there) = (identify("elsewhere/renamed.circle", None, &bytes), draft(&bytes));
    let (compared, findings) = compare(&model(|_| {}), &origin, &there, false);
    assert_eq!(findings, [""; 0]);
    assert_eq!((compared.operators, compared.tensors, compared.file), (3, 4, Some(0)));
    assert_eq!((compared.by_name, compared.remarks(&model(|_| {}))), (0, vec![]));
    let kindless = model(|lineage| {
        lineage.store.origins.operators.get_mut(&OriginId::from_number(1)).unwrap().opcode = Arc::from("");
    });
    let compared = compare(&kindless, &origin, &there, false).0;
    assert_eq!((compared.operators, compared.by_name), (3, 1));
    let text = "1 of 3 operators were compared by name only: of their kind or place nothing was recorded";
    assert_eq!(compared.remarks(&kindless), [Finding::new("against", "renamed.circle", text)]);

    let wrong = model(|lineage| {
        let operators = &mut lineage.store.origins.operators;
        operators.get_mut(&OriginId::from_number(0)).unwrap().opcode = Arc::from("TANH");
        operators.get_mut(&OriginId::from_number(1)).unwrap().name = Arc::from("c");
        operators.get_mut(&OriginId::from_number(2)).unwrap().operator = Some(9);
        lineage.store.origins.tensors[3].tensor = 4;
        lineage.store.origins.tensors[2].name = Arc::from("c");
    });
    assert_eq!(
        {
            let (compared, findings) = compare(&wrong, &origin, &there, false);
            // What is not there was not compared.
            assert_eq!(compared.operators, 2);
            findings
        },
        [
            "[target] renamed.circle: @0 subgraph 0, operator 0: is RELU there and TANH in the lineage",
            "[target] renamed.circle: @1 subgraph 0, operator 1: is called \"b\" there and \"c\" in the lineage",
            "[target] renamed.circle: @2 subgraph 0, operator 9: that subgraph has 3 operators",
            "[target] renamed.circle: @%2 subgraph 0, tensor 2: is called \"b\" there and \"c\" in the lineage",
            "[target] renamed.circle: @%3 subgraph 0, tensor 4: there is no such tensor",
        ]
    );
}

/// Claims that end in a file which itself came from another are findings, though every operator is there.
#[test]
fn claims_that_end_in_an_intermediate_file_are_found() {
    let middle = bytes_of(&model(|_| {}), true);
    let loaded = read(&middle, ReadOptions::default()).unwrap();
    assert!(loaded.own.lineage.is_some());
    let file = identify("middle.circle", Some(loaded.format), &middle);
    let lineage = ImportedLineage::fresh(&loaded.draft, file.clone());
    let model = loaded.draft.clone().adopt(lineage).unwrap();
    let findings = compare(&model, &file, &loaded.draft, true).1;
    assert_eq!(
        findings,
        ["[intermediate] middle.circle: it carries lineage itself, so that the claims end half way"]
    );
}

#[test]
fn a_file_with_another_digest_is_not_compared() {
    let bytes = file();
    let mut file = identify("in.circle", None, &bytes);
    let there = draft(&bytes);
    file.sha256 = Some([0; 32]);
    file.bytes += 1;
    let findings = compare(&model(|_| {}), &file, &there, false).1;
    assert_eq!(findings.len(), 2);
    assert!(findings[0].starts_with("[digest] in.circle: sha256 000000"), "{}", findings[0]);
    let want = format!("[digest] in.circle: has {} bytes, and {} in the lineage", file.bytes, bytes.len());
    assert_eq!(findings[1], want);
    file.md5 = [0; 16];
    let (compared, findings) = compare(&model(|_| {}), &file, &there, false);
    assert_eq!((compared.file, compared.operators, findings.len()), (None, 0, 1));
}

#[test]
fn entries_of_a_file_that_was_written_agree() {
    let bytes = bytes_of(&model(|_| {}), true);
    let loaded = read(&bytes, ReadOptions::default()).unwrap();
    assert_eq!(audit(&bytes, &loaded), []);
    let file = identify("out.circle", Some(loaded.format), &bytes);
    assert_eq!(found(&import(&bytes, loaded, file).unwrap().model), []);
}

#[test]
fn constants_that_nobody_changed_hold_what_they_held() {
    let text = |held: &str| {
        format!(
            "subgraph sg0 \"\" (%0) -> (%2)\n  %0: f32[2] \"x\"\n  %1: f32[2] \"c\"{held}\n  \
             %2: f32[2] \"y\"\n  op0 ADD (%0, %1) -> %2\n"
        )
    };
    let parse = |held| circle_ir::text::parse(&text(held)).unwrap();
    let before = parse(" = [1.0, 2.0]").to_draft().unwrap();
    let found = |after: &Model| {
        let file = after.store().origins.files[0].clone();
        let (compared, findings) = compare(after, &file, &before, false);
        (compared.constants, findings)
    };
    assert_eq!(found(&parse(" = [1.0, 2.0]")), (1, vec![]));
    for (held, what) in [(" = [1.0, 2.5]", "other bytes"), ("", "none")] {
        let (compared, findings) = found(&parse(held));
        assert_eq!((compared, findings.len()), (1, 1));
        let text = format!("sg0 %1 \"c\" is said to be subgraph 0, tensor 1, and holds {what}");
        assert!(findings[0].starts_with("[constant] ") && findings[0].ends_with(&text), "{}", findings[0]);
    }
}
