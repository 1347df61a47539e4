//! What patches have changed is written so: numbers close up, codes come and go, constants follow.

use std::sync::Arc;

use circle_format::write::{Extra, Layout};
use circle_ir::lineage::history::Run;
use circle_ir::patch::PatchBuilder;
use circle_ir::{ElementType, Entity, Model, OpId, OpSpec, SubgraphId, ValueId, ValueSpec, View};
use circle_schema::{Findings, verify};
use circle_tables::opcode;

use crate::common::{load, written};
use crate::rewrite::circle_file;

/// `y = -(x * a)`, beside a tensor quantised in blocks whose scales come last.
const BEFORE: &str = r#"{operator_codes=[
    {deprecated_builtin_code=18, builtin_code=18},
    {deprecated_builtin_code=101, builtin_code=101},
    {deprecated_builtin_code=59, builtin_code=59}],
  subgraphs=[{tensors=[
      {shape=[2], name="x"},
      {shape=[2], buffer=1, name="a"},
      {shape=[2], name="t"},
      {shape=[2], name="y"},
      {shape=[4], type=UINT8, buffer=3, name="q", quantization={details=BlockwiseQuantization{scales=5}}},
      {shape=[1], buffer=4, name="s"}],
     inputs=[0], outputs=[3, 4], operators=[
      {opcode_index=0, inputs=[0, 1], outputs=[2], builtin_options=MulOptions{}},
      {opcode_index=2, inputs=[2], outputs=[3]}]}],
  buffers=[{}, {data=x"0000803f00000040"}, {data=x"09"}, {data=x"01020304"}, {data=x"00000040"}, {data=x"05"}],
  metadata_buffer=[5], metadata=[{name="kept", buffer=5}],
  signature_defs=[{inputs=[{name="in"}], outputs=[{name="out", tensor_index=3}]}]}"#;

/// The same with `x - b` for the product: `a` and MUL are gone, SUB and `b` are new. ABS and buffer 2 were of no use
/// before either, and stay.
const AFTER: &str = r#"{operator_codes=[
    {deprecated_builtin_code=101, builtin_code=101},
    {deprecated_builtin_code=59, builtin_code=59},
    {deprecated_builtin_code=41, builtin_code=41, version=1}],
  subgraphs=[{tensors=[
      {shape=[2], name="x"},
      {shape=[2], name="t"},
      {shape=[2], name="y"},
      {shape=[4], type=UINT8, buffer=2, name="q", quantization={details=BlockwiseQuantization{scales=4}}},
      {shape=[1], buffer=3, name="s"},
      {shape=[2], type=FLOAT32, buffer=5, name="b"}],
     inputs=[0], outputs=[2, 3], operators=[
      {opcode_index=2, inputs=[0, 5], outputs=[1], builtin_options=SubOptions{}},
      {opcode_index=1, inputs=[1], outputs=[2]}]}],
  buffers=[{}, {data=x"09"}, {data=x"01020304"}, {data=x"00000040"}, {data=x"05"}, {data=x"0000003f0000003f"}],
  metadata_buffer=[4], metadata=[{name="kept", buffer=4}],
  signature_defs=[{inputs=[{name="in"}], outputs=[{name="out", tensor_index=2}]}]}"#;

fn changed(bytes: &[u8]) -> Model {
    let mut model = load(bytes);
    let tool = Run { tool: Arc::from("test"), version: Arc::from("1"), options: Arc::from("") };
    let run = model.enter_run(tool);
    let view = View::new(&model, SubgraphId::new(0), &bytes).expect("a subgraph");
    let mut patch = PatchBuilder::new(&view, "replace_mul");
    let spec = ValueSpec::new("b", ElementType::FLOAT32, &[2]);
    let b = patch.floats(spec, &[0.5, 0.5], &[ValueId::new(1)], &[]);
    patch.replace(OpId::new(0), OpSpec::builtin(opcode::SUB, &[ValueId::new(0), b], &[ValueId::new(2)]));
    let patch = patch.finish();
    model.apply(patch, run).expect("a patch that fits");
    assert_eq!(model.sweep_values(run, "dead_code"), 1);
    model
}

#[test]
fn numbers_close_up_behind_what_is_gone() {
    let before = circle_file(BEFORE);
    let file = written(&changed(&before), &before, Layout::Keep, &[]);
    let (_, root) = verify(&file).expect("a model");
    let record = root.to_record(&mut Findings::new()).expect("a record");
    let expected = circle_tables::parse(&circle_tables::circle::MODEL, AFTER).expect("a record");
    assert_eq!(record, expected);
}

#[test]
fn new_constants_go_where_the_layout_has_weights() {
    let before = circle_file(BEFORE);
    let extended = written(&load(&before), &before, Layout::Extended, &[]);
    let model = changed(&extended);
    let file = written(&model, &extended, Layout::Keep, &[Extra { name: "circle_lineage", payload: b"!" }]);
    let (_, root) = verify(&file).expect("a model");
    let buffers = root.tables("buffers").expect("buffers").map(|table| table.expect("a buffer"));
    let outside: Vec<bool> = buffers.map(|buffer| buffer.uint("offset").expect("offset") > 1).collect();
    // Buffer 4 is metadata, and so is the last.
    assert_eq!(outside, [false, true, true, true, false, true, false]);
    let inline = written(&model, &extended, Layout::Inline, &[]);
    assert!(inline == written(&changed(&before), &before, Layout::Keep, &[]));
}
