//! Sidecars: nothing is lost on the way through JSON, and what belongs to another model is refused.

use circle_format::lineage::export::export;
use circle_format::lineage::identity::identify;
use circle_format::lineage::import::{Basis, import, import_with};
use circle_format::lineage::sidecar::{Fit, Sidecar, fit, make};
use circle_format::read::{Loaded, ReadOptions, read};
use circle_format::write::{Extra, WriteOptions, number, write};
use circle_ir::Model;
use circle_metadata::lineage::{Decoded, decode, encode};

fn text(second: &str) -> String {
    format!(
        "subgraph sg0 \"main\" (%0) -> (%2)\n  %0: f32[8] \"x\"\n  %1: f32[8] \"a\"\n  %2: f32[8] \"y\"\n  \
         op0 RELU (%0) -> %1\n  op1 {second} (%1) -> %2\n"
    )
}

/// The file of models that hold their constants themselves.
const NONE: &&[u8] = &(&[] as &[u8]);

fn bytes(model: &Model, extra: &[Extra<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(model, &[], &number(model), extra, WriteOptions::default(), &mut bytes)
        .expect("a model that can be written");
    bytes
}

fn loaded(bytes: &[u8]) -> Loaded {
    read(bytes, ReadOptions::default()).expect("a model that was just written")
}

#[test]
fn blob_to_sidecar_to_blob_gives_the_same_bytes() {
    let model = circle_ir::text::parse(&text("ABS")).unwrap();
    let blob = export(&model, &number(&model), None).unwrap().lineage;
    let file = identify("out.circle", None, &bytes(&model, &[]));
    let sidecar = make(&model, &number(&model), &file, NONE).unwrap();
    let json = sidecar.to_json();
    let back = Sidecar::from_json(json.as_bytes()).unwrap();
    assert_eq!(back, sidecar);
    assert_eq!(encode(&back.lineage).unwrap(), blob);
    let Ok(Decoded::Known(known)) = decode(&blob) else { panic!("a blob that was just written") };
    assert_eq!(*known, sidecar.lineage);
    assert_eq!(back.to_json(), json);
}

#[test]
fn a_sidecar_fits_by_file_or_by_structure_and_not_by_name() {
    let model = circle_ir::text::parse(&text("ABS")).unwrap();
    let whole = bytes(&model, &[]);
    let file = identify("out.circle", None, &whole);
    let sidecar = make(&model, &number(&model), &file, NONE).unwrap();
    let fits = |bytes: &[u8], name: &str| {
        let loaded = loaded(bytes);
        let file = identify(name, Some(loaded.format), bytes);
        fit(&sidecar, &loaded.draft, &file, &bytes).map_err(|error| error.text)
    };
    assert_eq!(fits(&whole, "other.circle"), Ok(Fit::File));
    let rewritten = bytes(&model, &[Extra { name: "note", payload: b"rewritten" }]);
    assert_eq!(fits(&rewritten, "out.circle"), Ok(Fit::Structure { same_constants: Some(true) }));
    let other = circle_ir::text::parse(&text("NEG")).unwrap();
    assert_eq!(fits(&bytes(&other, &[]), "out.circle"), Err("its operators or their tensors are others"));
    let changed = |from: &str, to: &str| {
        let changed = circle_ir::text::parse(&text("ABS").replace(from, to)).unwrap();
        fits(&bytes(&changed, &[]), "out.circle")
    };
    let others = Err("its operators or their tensors are others");
    assert_eq!(changed("\"a\"", "\"renamed\""), others);
    assert_eq!(changed("f32[8]", "i8[8]"), others);
    assert_eq!(changed("f32[8]", "f32[2,4]"), others);
    let longer = text("ABS").replace("-> (%2)", "-> (%3)") + "  %3: f32[8] \"z\"\n  op2 ABS (%2) -> %3\n";
    let longer = circle_ir::text::parse(&longer).unwrap();
    let another = "it has another number of operators or tensors";
    assert_eq!(fits(&bytes(&longer, &[]), "out.circle"), Err(another));
}

#[test]
fn a_sidecar_tells_whether_constants_are_the_same() {
    let text = |numbers: &str| {
        format!(
            "subgraph sg0 \"\" (%0) -> (%4)\n  %0: f32[2] \"x\"\n  %1: f32[2] \"c\" = {numbers}\n  \
             %2: f32[2] \"d\" = [3.0, 4.0]\n  %3: f32[2] \"a\"\n  %4: f32[2] \"y\"\n  \
             op0 ADD (%0, %1) -> %3\n  op1 MUL (%3, %2) -> %4\n"
        )
    };
    let parse = |numbers| circle_ir::text::parse(&text(numbers)).unwrap();
    let model = parse("[1.0, 2.0]");
    let file = identify("out.circle", None, &bytes(&model, &[]));
    let sidecar = make(&model, &number(&model), &file, NONE).unwrap();
    let same = |sidecar: &Sidecar, bytes: &[u8]| {
        let loaded = loaded(bytes);
        let file = identify("out.circle", Some(loaded.format), bytes);
        match fit(sidecar, &loaded.draft, &file, &bytes) {
            Ok(Fit::Structure { same_constants }) => same_constants,
            other => panic!("{other:?}"),
        }
    };
    let note = [Extra { name: "note", payload: b"rewritten" }];
    assert_eq!(same(&sidecar, &bytes(&model, &note)), Some(true));
    assert_eq!(same(&sidecar, &bytes(&parse("[1.0, 2.5]"), &[])), Some(false));
    // The numbers of two constants, exchanged.
    let exchanged = text("[3.0, 4.0]").replacen("\"d\" = [3.0, 4.0]", "\"d\" = [1.0, 2.0]", 1);
    let exchanged = circle_ir::text::parse(&exchanged).unwrap();
    assert_eq!(same(&sidecar, &bytes(&exchanged, &[])), Some(false));
    let old = Sidecar { constants: None, ..sidecar };
    let old = Sidecar::from_json(old.to_json().as_bytes()).unwrap();
    assert_eq!(same(&old, &bytes(&model, &note)), None);
}

#[test]
fn a_sidecar_brings_lineage_back_and_never_takes_the_place_of_what_is_sound() {
    let model = circle_ir::text::parse(&text("ABS")).unwrap();
    let bare = bytes(&model, &[]);
    let file = identify("bare.circle", None, &bare);
    let sidecar = make(&model, &number(&model), &file, NONE).unwrap();
    let back = import_with(&bare, loaded(&bare), file.clone(), Some(&sidecar)).unwrap();
    assert_eq!(back.basis, Basis::Sidecar);
    assert_eq!(back.model.store().origins, model.store().origins);
    assert_eq!(import(&bare, loaded(&bare), file).unwrap().basis, Basis::Fresh);

    let entries = export(&model, &number(&model), None).unwrap();
    let extra = [
        Extra { name: "ONE_source_table", payload: &entries.source_table },
        Extra { name: "ONE_op_table", payload: &entries.op_table },
        Extra { name: "circle_lineage", payload: &entries.lineage },
    ];
    let whole = bytes(&model, &extra);
    let file = identify("whole.circle", None, &whole);
    assert_eq!(import_with(&whole, loaded(&whole), file, Some(&sidecar)).unwrap().basis, Basis::Lineage);
}

#[test]
fn what_is_no_sidecar_is_refused_with_its_place() {
    let model = circle_ir::text::parse(&text("ABS")).unwrap();
    let file = identify("out.circle", None, &bytes(&model, &[]));
    let sidecar = make(&model, &number(&model), &file, NONE).unwrap();
    let error = |sidecar: &Sidecar| Sidecar::from_json(sidecar.to_json().as_bytes()).unwrap_err().to_string();
    let newer = Sidecar { sidecar_version: 2, ..sidecar.clone() };
    assert_eq!(error(&newer), "a sidecar of version 2, version 1 is known");
    let mut torn = sidecar.clone();
    torn.lineage.subgraphs[0].operators[1].claims = 99;
    assert_eq!(error(&torn), "operators row 1: claim set 99 does not exist (3 there)");
    let mut newer = sidecar;
    newer.lineage.version.major = 9;
    assert_eq!(error(&newer), "lineage of version 9.0, major version 1 is known");
    let short = Sidecar::from_json(b"[1,\n2").unwrap_err().to_string();
    assert!(short.starts_with("line "), "{short}");
}
