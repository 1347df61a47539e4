//! Models that another writer has written once more, without changing what they say.

use std::path::Path;

use super::super::support::model::{Entry, assemble, unaware, with_entries, words};
use super::super::support::{CIRCLE2CIRCLE, PROFILE, folder, run, testdata};

/// Fields that hold their defaults, and a list without elements, are there.
const FULL: &str = r#"subgraph sg0 "main" (%0) -> (%3)
  %0: f32[1,4,4,1] "x"
  %1: f32[1,3,3,1] "w" = [0.5]
  %2: f32[1,4,4,1] "conv"
  %3: f32[4,4] "y"
  op0 CONV_2D {padding=SAME, stride_w=1, stride_h=1, fused_activation_function=NONE, dilation_w_factor=1, dilation_h_factor=1} (%0, %1, _) -> %2
  op1 SQUEEZE {squeeze_dims=[]} (%2) -> %3
"#;

/// The same as most writers write it, who leave such fields out.
const SHORT: &str = r#"subgraph sg0 "main" (%0) -> (%3)
  %0: f32[1,4,4,1] "x"
  %1: f32[1,3,3,1] "w" = [0.5]
  %2: f32[1,4,4,1] "conv"
  %3: f32[4,4] "y"
  op0 CONV_2D {stride_w=1, stride_h=1} (%0, %1, _) -> %2
  op1 SQUEEZE {} (%2) -> %3
"#;

fn write(folder: &Path, name: &str, text: &str, entries: &[Entry]) {
    std::fs::write(folder.join(name), assemble(text, entries).expect("a model")).expect("a file");
}

/// Whether `verify` with these arguments finds nothing.
fn holds(folder: &Path, args: &[&str]) -> bool {
    let args = [&["verify", "--format", "json"], args].concat();
    let ran = run(folder, PROFILE, &args);
    match ran.code {
        0 => true,
        _ if ran.stdout.is_empty() => false,
        _ => ran.json()["holds"] == true,
    }
}

/// Defaults that are written or left out are no change, neither to the lineage inside nor to the sidecar.
#[test]
fn defaults_that_another_writer_leaves_out_are_no_change() {
    for (first, then) in [(FULL, SHORT), (SHORT, FULL)] {
        let folder = folder();
        let folder = folder.path();
        write(folder, "a.circle", first, &[]);
        run(folder, CIRCLE2CIRCLE, &["-p", "--sidecar", "b.json", "a.circle", "b.circle"]).expect(0);
        let kept = unaware(&std::fs::read(folder.join("b.circle")).expect("a file")).1;
        write(folder, "c.circle", then, &kept);
        assert!(holds(folder, &["c.circle", "--against", "a.circle"]));
        write(folder, "d.circle", then, &[]);
        assert!(holds(folder, &["d.circle", "--sidecar", "b.json", "--against", "a.circle"]));
        // Another value of such a field is a change.
        for (field, other) in
            [("stride_w=1", "stride_w=2"), ("stride_h=1", "stride_h=1, dilation_h_factor=2")]
        {
            let changed = then.replace(", dilation_h_factor=1", "").replace(field, other);
            write(folder, "e.circle", &changed, &kept);
            assert!(!holds(folder, &["e.circle"]), "{other}");
            write(folder, "f.circle", &changed, &[]);
            assert!(!holds(folder, &["f.circle", "--sidecar", "b.json"]), "{other}");
        }
    }
}

/// A pass took an original out, and another operator computes what bore its name: of ONE's tables alone nothing
/// contradicts that, and nothing is said to have been renumbered.
#[test]
fn the_name_of_an_original_that_has_left_is_no_contradiction() {
    let folder = folder();
    let folder = folder.path();
    let model = r#"subgraph sg0 "main" (%0) -> (%2)
  %0: f32[4] "x"
  %1: f32[4] "neg"
  %2: f32[4] "y"
  op0 NEG (%0) -> %1
  op1 ABS (%1) -> %2
"#;
    let name = |id: u32, name: &str| [words(&[id, name.len() as u32]), name.as_bytes().to_vec()].concat();
    let sources = [words(&[3]), name(0, "neg\0"), name(1, "abs\0"), name(2, "y\0")].concat();
    let tables = |op_table: &[u32]| {
        let op_table = ("ONE_op_table".to_owned(), words(op_table));
        [("ONE_source_table".to_owned(), sources.clone()), op_table]
    };
    write(folder, "a.circle", model, &tables(&[2, 0, 1, 0, 1, 1, 1]));
    assert!(holds(folder, &["a.circle"]));
    write(folder, "b.circle", model, &tables(&[2, 0, 1, 2, 1, 1, 1]));
    assert!(!holds(folder, &["b.circle"]));
}

/// Recovered lineage knows that passes had made constants, so that these are not held against the origin's.
#[test]
fn constants_that_passes_had_made_are_known_as_such_after_a_rebase() {
    let folder = folder();
    let folder = folder.path();
    std::fs::copy(testdata().join("models/cnn_conv_bn_relu.circle"), folder.join("a.circle"))
        .expect("a copy");
    run(folder, CIRCLE2CIRCLE, &["--O1", "-p", "a.circle", "b.circle"]).expect(0);
    let stripped = with_entries(&std::fs::read(folder.join("b.circle")).expect("a file"), &[]);
    std::fs::write(folder.join("c.circle"), stripped).expect("a file");
    run(folder, PROFILE, &["rebase", "c.circle", "--from", "b.circle", "-o", "d.circle"]).expect(0);
    for file in ["b.circle", "d.circle"] {
        assert!(holds(folder, &[file, "--against", "a.circle"]), "{file}");
    }
}
