//! How long `--O1` takes on a graph of many operators: `cargo run --release --example large_graph [OPERATORS]`.
//!
//! The graph is made of blocks as converters from channels-first frameworks write them: convolutions between
//! transposes, a scale and an offset, an activation, a sum with what came before, and now and then a copy of a
//! constant, an operator that changes nothing, and one whose result nobody reads.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use circle_ir::lineage::history::Run;
use circle_ir::text::parse;
use circle_passes::{Settings, o1, run};

/// Writes the text of a model, numbering tensors and operators.
struct Graph {
    tensors: String,
    operators: String,
    values: usize,
    ops: usize,
}

impl Graph {
    fn tensor(&mut self, ty_and_shape: &str, content: &str) -> usize {
        let number = self.values;
        let _ = writeln!(self.tensors, "  %{number}: {ty_and_shape} \"t{number}\"{content}");
        self.values += 1;
        number
    }

    fn op(&mut self, code: &str, inputs: &[usize], shape: &str) -> usize {
        let output = self.tensor(shape, "");
        let inputs: Vec<String> = inputs.iter().map(|i| format!("%{i}")).collect();
        let _ = writeln!(self.operators, "  op{} {code} ({}) -> %{output}", self.ops, inputs.join(", "));
        self.ops += 1;
        output
    }

    /// Eleven operators, of which four are needed.
    fn block(&mut self, x: usize) -> usize {
        let nchw = "f32[1,2,4,4]";
        let nhwc = "f32[1,4,4,2]";
        let to_nhwc = self.tensor("i32[4]", " = [0, 2, 3, 1]");
        let to_nchw = self.tensor("i32[4]", " = [0, 3, 1, 2]");
        let weights = self.tensor("f32[2,1,1,2]", " = [0.5, 0.25, -0.5, 1.0]");
        let bias = self.tensor("f32[2]", " = [0.0]");
        let scale = self.tensor("f32[1,2,1,1]", " = [1.5, 0.5]");
        let offset = self.tensor("f32[1,2,1,1]", " = [0.1, -0.1]");
        let zero = self.tensor("f32[]", " = [0.0]");
        let t = self.op("TRANSPOSE", &[x, to_nhwc], nhwc);
        let conv = self.op("CONV_2D {stride_w=1, stride_h=1}", &[t, weights, bias], nhwc);
        let back = self.op("TRANSPOSE", &[conv, to_nchw], nchw);
        let mul = self.op("MUL", &[back, scale], nchw);
        let add = self.op("ADD", &[mul, offset], nchw);
        let relu = self.op("RELU", &[add], nchw);
        let same = self.op("ADD", &[relu, zero], nchw);
        let gate = self.op("LOGISTIC", &[same], nchw);
        let gated = self.op("MUL", &[same, gate], nchw);
        self.op("NEG", &[gated], nchw);
        self.op("ADD", &[gated, x], nchw)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: usize = std::env::args().nth(1).map_or(Ok(100_000), |n| n.parse())?;
    let mut graph = Graph { tensors: String::new(), operators: String::new(), values: 0, ops: 0 };
    let input = graph.tensor("f32[1,2,4,4]", "");
    let mut x = input;
    while graph.ops < wanted {
        x = graph.block(x);
    }
    let text = format!("subgraph sg0 \"\" (%{input}) -> (%{x})\n{}{}", graph.tensors, graph.operators);
    let mut model = parse(&text)?;
    let word = |w: &str| Arc::from(w);
    let entry = Run { tool: word("large_graph"), version: word("0"), options: word("--O1") };
    let settings = Settings { fixed_point: true, verify_each: false, stop_after_patch: None, run: entry };
    let none: &[u8] = &[];
    let start = Instant::now();
    let report = run(&mut model, &none, &o1::passes(), &settings)?;
    let time = start.elapsed();
    for pass in report.passes.iter().filter(|pass| pass.time.as_millis() > 0) {
        println!("{:40} {:8} patches {:8.1} ms", pass.name, pass.fired, pass.time.as_secs_f64() * 1e3);
    }
    println!("{} operators to {} in {time:.2?}", report.operators_before, report.operators_after);
    assert!(report.refused.is_empty(), "refused: {:?}", report.refused.first());
    Ok(())
}
