//! Reading and writing without passes changes nothing.

use circle_format::write::{Extra, Layout};
use circle_schema::verify;
use circle_tables::{CIRCLE, Record, circle};
use flatbuffers::FlatBufferBuilder;

use crate::common::{below, load, models, rewritten, sound, written};
use crate::compare::{assert_same, picture};

/// A circle file of a model given in the text form of its tables.
pub(crate) fn circle_file(text: &str) -> Vec<u8> {
    let record: Record = circle_tables::parse(&circle::MODEL, text).unwrap_or_else(|error| panic!("{error}"));
    let mut builder = FlatBufferBuilder::new();
    let root = circle_schema::emit::emit(&mut builder, &record).expect("a small record");
    builder.finish(root, Some(CIRCLE.file_identifier));
    builder.finished_data().to_vec()
}

#[test]
fn everything_stays_and_the_second_time_every_byte() {
    for path in sound() {
        let name = path.display().to_string();
        let before = std::fs::read(&path).expect("a model");
        let after = rewritten(&before);
        assert_same(&name, &before, &after);
        let again = rewritten(&after);
        assert!(after == again, "{name}: the second rewrite differs");
        assert_eq!(load(&before).frame().layout, load(&after).frame().layout, "{name}");
    }
}

/// Fields at their defaults, empty vectors, codes and buffers that nothing uses, two codes of one meaning, a buffer
/// of two tensors, foreign metadata in the middle, quantization that refers to tensors.
const ODD: &str = r#"{version=0, operator_codes=[
    {deprecated_builtin_code=0, version=1, builtin_code=0},
    {deprecated_builtin_code=32, custom_code="Unused", builtin_code=32},
    {deprecated_builtin_code=0, version=1, builtin_code=0},
    {deprecated_builtin_code=-5, builtin_code=-5},
    {deprecated_builtin_code=32, custom_code="Erf", version=2}],
  subgraphs=[
    {tensors=[
      {shape=[2], type=FLOAT32, buffer=0, name="x", is_variable=false},
      {shape=[2], type=FLOAT32, buffer=4, name="a"},
      {shape=[2], type=FLOAT32, buffer=4, name="b"},
      {shape=[2], type=FLOAT32, name="y"},
      {shape=[4], type=UINT8, buffer=1, name="blocks", quantization={details=BlockwiseQuantization{scales=1, zero_points=-1, block_size=2}}},
      {shape=[], name="z"}],
     inputs=[0], outputs=[3, 5], operators=[
      {opcode_index=0, inputs=[0, 1], outputs=[3], builtin_options=AddOptions{fused_activation_function=NONE}, intermediates=[]},
      {opcode_index=4, inputs=[], outputs=[5], custom_options=x"010203", mutating_variable_inputs=[]}],
     name="main"},
    {tensors=[{name="only"}], inputs=[], outputs=[0], operators=[]}],
  description="odd", buffers=[{}, {data=x"01020304"}, {data=x"0909"}, {data=x""}, {data=x"000000000000803f"}, {data=x"07"}, {}],
  metadata_buffer=[5],
  metadata=[{name="first", buffer=5}, {name="second", buffer=0}, {name="first", buffer=3}],
  signature_defs=[
    {inputs=[{name="in", tensor_index=0}], outputs=[{name="out", tensor_index=3}], signature_key="serve", subgraph_index=0},
    {outputs=[], signature_key="none", subgraph_index=1}]}"#;

#[test]
fn odd_models_stay_as_they_are() {
    let before = circle_file(ODD);
    let after = rewritten(&before);
    assert_same("odd", &before, &after);
    assert!(after == rewritten(&after));
    // That two files are told apart where they differ is what the comparison is worth.
    for (find, replace) in [
        ("version=2", "version=3"),
        ("buffer=4, name=\"b\"", "buffer=3, name=\"b\""),
        ("data=x\"0909\"", "data=x\"0908\""),
        ("intermediates=[]}", "}"),
        ("inputs=[], outputs=[5]", "outputs=[5]"),
        ("scales=1", "scales=2"),
        ("tensor_index=3", "tensor_index=5"),
        ("is_variable=false", "type=FLOAT32"),
        ("metadata_buffer=[5]", "metadata_buffer=[2]"),
        ("name=\"second\", buffer=0", "name=\"second\", buffer=6"),
    ] {
        let text = ODD.replacen(find, replace, 1).replace(", }", "}").replace(", type=FLOAT32}", "}");
        assert_ne!(text, ODD, "{find}");
        let other = circle_file(&text);
        assert!(picture(&before) != picture(&other), "{find}");
    }
}

#[test]
fn our_own_metadata_comes_last_with_a_buffer_for_each_entry() {
    let before = circle_file(ODD);
    let long = vec![5; 100];
    let extra = [
        Extra { name: "ONE_op_table", payload: &[1, 2, 3] },
        Extra { name: "circle_lineage", payload: &long },
    ];
    let after = written(&load(&before), &before, Layout::Keep, &extra);
    assert_same("odd with our own", &before, &after);
    let (_, root) = verify(&after).expect("a model");
    let entries: Vec<(String, u64)> = root
        .tables("metadata")
        .expect("metadata")
        .map(|entry| {
            let entry = entry.expect("an entry");
            (
                entry.str("name").expect("a name").unwrap_or("").to_owned(),
                entry.uint("buffer").expect("a buffer"),
            )
        })
        .collect();
    let own = [("ONE_op_table".to_owned(), 7), ("circle_lineage".to_owned(), 8)];
    assert_eq!(&entries[3..], own.as_slice());
    let buffers = root.tables("buffers").expect("buffers");
    assert_eq!(buffers.len(), 9);
    let range =
        buffers.get(8).expect("it").expect("a buffer").byte_range("data").expect("data").expect("data");
    assert_eq!(&after[range.start as usize..range.end as usize], long.as_slice());
    // Reading takes the entries out again, so that they do not pile up.
    let again = written(&load(&after), &after, Layout::Keep, &extra);
    assert!(after == again);
}

#[test]
fn a_model_without_buffers_gets_the_empty_one_before_our_own() {
    let before = circle_file("{subgraphs=[{tensors=[], outputs=[]}, {}]}");
    // The reader wants an output of the main subgraph, so the draft comes from text.
    assert!(circle_format::read::read(&before, Default::default()).is_err());
    let model =
        circle_ir::text::parse("subgraph sg0 \"main\" (%0) -> (%0)\n  %0: f32[1] \"x\"\n").expect("a model");
    let file = written(&model, &[], Layout::Keep, &[Extra { name: "circle_origin_id", payload: b"x" }]);
    assert_eq!(picture(&file).buffers, [None]);
    assert_eq!(load(&file).buffers().count(), 1);
}

#[test]
fn codes_of_tflite_are_stated_by_the_rule_of_circle() {
    for path in below(&models()).into_iter().filter(|path| path.extension().is_some_and(|e| e == "tflite")) {
        let file = rewritten(&std::fs::read(&path).expect("a model"));
        assert_eq!(&file[4..8], b"CIR0");
        let (_, root) = verify(&file).expect("a model");
        assert_eq!(root.int("version").expect("version"), 0);
        for code in root.tables("operator_codes").expect("codes") {
            let code = code.expect("a code");
            let (short, full) = (code.int("deprecated_builtin_code"), code.int("builtin_code"));
            let full = full.expect("a code") as i32;
            assert_eq!(circle_tables::opcode::encode(full), (short.expect("a code") as i8, full));
        }
    }
}
