//! luci's numbering, and the tables made with it.

use circle_ir::Model;
use circle_liveness::luci::{Node, nodes};
use circle_liveness::plan::{self, Choice};
use circle_liveness::table::{Style, from_table, from_table_with, table_as_it_is, to_table, unread};
use circle_liveness::{Options, Platform, Settings, lifetimes};
use circle_metadata::plan_table::{Entry, PlanTable};
use circle_plan::planners::Planner;

use crate::common::{model, parse, placed, subgraph};

/// Nodes in short: `x0` an input, `c1` a constant, `op2`, `op2.1` an output of it, `-2.3` input 3 of it left out, `y0` an
/// output of the graph.
fn numbered(model: &Model) -> String {
    let short = |node: &Node| match *node {
        Node::Input(v) => format!("x{}", v.number()),
        Node::Constant(v) => format!("c{}", v.number()),
        Node::Shape(op) => format!("shape{}", op.number()),
        Node::Excluded(op, slot) => format!("-{}.{slot}", op.number()),
        Node::Operator(op) => op.to_string(),
        Node::Out(op, port) => format!("{op}.{port}"),
        Node::Output(position) => format!("y{position}"),
    };
    let nodes = nodes(model).unwrap_or_else(|error| panic!("{error}"));
    nodes.iter().map(short).collect::<Vec<_>>().join(" ")
}

fn refused(model: &Model) -> String {
    nodes(model).expect_err("it has no numbers").to_string()
}

#[test]
fn arguments_come_first_in_their_order() {
    let tensors = ["f32[1,4,4,2]", "f32[2,1,1,2] = [1]", "f32[2] = [0]", "f32[1,4,4,2]", "f32[1,4,4,2]"];
    let ops = "op0 CONV_2D (%0, %1, %2) -> %3\nop1 ADD (%3, %0) -> %4";
    assert_eq!(numbered(&model("(%0) -> (%4)", &tensors, ops)), "x0 c1 c2 op0 op1 y0");
    // What is left out stands for itself, once for each place.
    let ops = ops.replace("%2)", "_)");
    assert_eq!(numbered(&model("(%0) -> (%4)", &tensors, &ops)), "x0 c1 -0.2 op0 op1 y0");
}

#[test]
fn the_last_output_comes_first_and_what_reaches_none_is_left_out() {
    let tensors = ["f32[1]", "f32[1]", "f32[1]", "f32[1]", "f32[1]"];
    let ops = "op0 ABS (%0) -> %1\nop1 NEG (%0) -> %2\nop2 EXP (%0) -> %3";
    assert_eq!(numbered(&model("(%0, %4) -> (%1, %2)", &tensors, ops)), "x0 op1 y1 op0 y0");
}

#[test]
fn outputs_of_several_are_nodes_and_those_unread_are_none() {
    let tensors = ["f32[4]", "i32[] = [0]", "f32[2]", "f32[2]", "f32[2]"];
    let ops = "op0 SPLIT {num_splits=2} (%1, %0) -> %2, %3\nop1 ABS (%3) -> %4";
    assert_eq!(numbered(&model("(%0) -> (%4)", &tensors, ops)), "c1 x0 op0 op0.1 op1 y0");
    let custom = "op0 CUSTOM:Any (%0) -> %2\nop1 ABS (%2) -> %4";
    assert_eq!(numbered(&model("(%0) -> (%4)", &tensors, custom)), "x0 op0 op0.0 op1 y0");
}

#[test]
fn what_luci_adds_is_numbered() {
    let tensors = ["f32[1,4,4,2]", "i32[4] = [1, 4, 4, 2]", "f32[2,1,1,2] = [1]", "f32[1,4,4,2]", "f32[32]"];
    let ops = "op0 TRANSPOSE_CONV (%1, %2, %0) -> %3\nop1 RESHAPE {new_shape=[32]} (%3) -> %4";
    assert_eq!(numbered(&model("(%0) -> (%4)", &tensors, ops)), "c1 c2 x0 -0.3 op0 shape1 op1 y0");
}

#[test]
fn what_is_not_known_is_refused_by_name() {
    let one = |tensors: &[&str], ops: &str| refused(&model("(%0) -> (%2)", tensors, ops));
    let plain = ["f32[1]", "f32[1]", "f32[1]"];
    assert_eq!(
        one(&plain, "op0 SIGN (%0) -> %2"),
        "subgraph 0 \"s0\" operator 0 \"SIGN t2\": it is not known which nodes luci makes of such an operator"
    );
    assert_eq!(
        one(&plain, "op0 ADD (%0, %1) -> %2"),
        "subgraph 0 \"s0\" tensor 1 \"t1\": has no data and nothing computes it"
    );
    assert_eq!(
        one(&plain, "op0 FULLY_CONNECTED (%0, %0) -> %2"),
        "subgraph 0 \"s0\" operator 0 \"FULLY_CONNECTED t2\": luci takes another number of inputs of such an operator"
    );
    let variable = ["f32[1]", "f32[1] {is_variable=true}", "f32[1]"];
    assert!(one(&variable, "op0 ADD (%0, %1) -> %2").contains("is a variable"));
    let twice = model("(%0, %0) -> (%1)", &plain, "op0 ABS (%0) -> %1");
    assert!(refused(&twice).contains("a tensor is an input twice"));
}

fn planned(model: &Model, style: Style) -> PlanTable {
    let apart = style == Style::OnertMicroSplit;
    let liveness = lifetimes(model, &Options { apart, ..Options::default() }).expect("lifetimes");
    let settings = Settings { planner: Choice::Named(Planner::Wic), ..Settings::default() };
    let arenas = if apart { plan::split(&liveness, &settings) } else { plan::common(&liveness, &settings) };
    to_table(model, &liveness, &arenas.expect("a plan"), style).expect("a table")
}

fn words(table: &PlanTable) -> Vec<(u32, u32, u32)> {
    table.iter().map(|(&node, entry)| (node, entry.order, entry.offsets[0])).collect()
}

/// Nodes 0 `x0`, 1 `c1`, 2 `op0`, 3 `op1`, 4 `y0`.
fn small() -> Model {
    let tensors = ["f32[8]", "f32[8] = [1]", "f32[8]", "f32[8]"];
    model("(%0) -> (%3)", &tensors, "op0 ADD (%0, %1) -> %2\nop1 ABS (%2) -> %3")
}

#[test]
fn each_runtime_gets_the_nodes_and_orders_it_reads() {
    let small = small();
    // %0 lives 0..1, %2 0..2, %3 1..2; each takes 32 bytes.
    assert_eq!(
        words(&planned(&small, Style::LuciInterpreter)),
        [(0, 0, 0), (1, 1, 0), (2, 2, 32), (3, 3, 0), (4, 4, 0)]
    );
    // Input, then the producer of the output, then the others.
    assert_eq!(words(&planned(&small, Style::OnertMicro)), [(0, 0, 0), (2, 2, 32), (3, 1, 0), (4, 3, 0)]);
    // The producer of the output has no entry, its node has.
    assert_eq!(words(&planned(&small, Style::OnertMicroSplit)), [(0, 0, 0), (2, 2, 0), (4, 1, 0)]);
}

#[test]
fn orders_follow_the_file_where_it_runs_otherwise() {
    // luci numbers op1 before op0, the file runs op0 first.
    let tensors = ["f32[1]", "f32[1]", "f32[1]", "f32[1]"];
    let model =
        model("(%0) -> (%3)", &tensors, "op0 ABS (%0) -> %1\nop1 NEG (%0) -> %2\nop2 ADD (%2, %1) -> %3");
    assert_eq!(numbered(&model), "x0 op1 op0 op2 y0");
    let orders: Vec<u32> =
        planned(&model, Style::LuciInterpreter).values().map(|entry| entry.order).collect();
    assert_eq!(orders, [0, 2, 1, 3, 4]);
}

#[test]
fn tables_of_another_model_do_not_fit() {
    let small = small();
    for style in [Style::LuciInterpreter, Style::OnertMicro, Style::OnertMicroSplit] {
        let table = planned(&small, style);
        assert_eq!(from_table(&small, &table).map(|read| read.style), Ok(style));
    }
    let table = planned(&small, Style::LuciInterpreter);
    let misfit = |change: fn(&mut PlanTable)| {
        let mut table = table.clone();
        change(&mut table);
        from_table(&small, &table).expect_err("it does not fit").to_string()
    };
    let overlap = misfit(|table| table.get_mut(&2).expect("a node").offsets[0] = 16);
    assert!(overlap.contains("overlap in time and address"), "{overlap}");
    // Inputs at 0 may lie anywhere else, unless it is known that they were planned.
    let mut unplanned = table.clone();
    unplanned.get_mut(&2).expect("a node").offsets[0] = 0;
    assert!(!from_table(&small, &unplanned).unwrap().options.inputs);
    assert!(from_table_with(&small, &unplanned, &Options::default()).is_err());
    let order = misfit(|table| table.get_mut(&2).expect("a node").order = 9);
    assert_eq!(order, "node 2 is number 9 in the plan, and 2 in the model");
    let more = misfit(|table| _ = table.insert(9, Entry::default()));
    assert!(more.starts_with("the plan is of 6 nodes"), "{more}");
    let scratch = misfit(|table| table.get_mut(&2).expect("a node").offsets.push(64));
    assert_eq!(scratch, "the plan has scratch memory as no known platform asks for");
    let missing = misfit(|table| table.get_mut(&2).expect("a node").offsets.clear());
    assert_eq!(missing, "node 2 of the plan has no offset");
}

/// What a table leaves open is tried before anything is said to be at fault, and then taken so that the least is.
#[test]
fn faults_of_a_table_are_as_few_as_can_be() {
    let tensors = ["f32[8]"; 4];
    let model = model("(%0) -> (%3)", &tensors, "op0 ABS (%0) -> %1\nop1 NEG (%1) -> %2\nop2 EXP (%2) -> %3");
    let read = |offsets: [u32; 4]| {
        let places = offsets.iter().chain(offsets.last());
        let entries = (0..).zip(places).map(|(at, &offset)| (at, Entry { order: at, offsets: vec![offset] }));
        let table: PlanTable = entries.collect();
        let (read, overlaps) = table_as_it_is(&model, &table).unwrap();
        assert_eq!(from_table(&model, &table).is_ok(), overlaps.is_none());
        let offsets: Vec<u64> =
            placed(&read.liveness, &read.arenas).into_iter().map(|(_, offset, _)| offset).collect();
        (read.options.inputs, offsets, overlaps.map_or(0, |overlaps| overlaps.count))
    };
    // %1 and %2 share their place, which is in the way of %3, and of %0 if that was planned.
    assert_eq!(read([0, 16, 16, 32]), (false, vec![16, 16, 32], 1));
    assert_eq!(read([4, 16, 16, 32]), (true, vec![4, 16, 16, 32], 2));
    assert_eq!(read([0, 32, 32, 48]), (true, vec![0, 32, 32, 48], 1));
    assert_eq!(read([0, 16, 16, 48]), (false, vec![16, 16, 48], 0));
    assert_eq!(read([0, 32, 32, 64]), (true, vec![0, 32, 32, 64], 0));
}

#[test]
fn bodies_have_no_entries() {
    let text = subgraph(
        0,
        "(%0) -> (%1)",
        &["f32[8]", "f32[8]"],
        "op0 IF {then_subgraph_index=1, else_subgraph_index=1} (%0) -> %1",
    ) + &subgraph(1, "(%0) -> (%1)", &["f32[8]", "f32[8]"], "op0 ABS (%0) -> %1");
    let model = parse(&text);
    let table = planned(&model, Style::LuciInterpreter);
    assert_eq!(table.len(), 4);
    let read = from_table(&model, &table).unwrap();
    assert_eq!(read.arenas[0].units.len(), 2);
}

/// Of tensors that could share memory, some do and some do not, so units are counted anew when the table is read.
#[test]
fn every_block_comes_back_from_a_split_plan() {
    let tensors = ["f32[8]", "f32[8]", "f32[8]", "f32[8]"];
    let model = model("(%0) -> (%3)", &tensors, "op0 ABS (%0) -> %1\nop1 NEG (%1) -> %2\nop2 EXP (%2) -> %3");
    for inplace in [false, true] {
        let options = Options { inplace, apart: true, ..Options::default() };
        let liveness = lifetimes(&model, &options).unwrap();
        let settings = Settings { planner: Choice::Named(Planner::GreedyBySize), ..Settings::default() };
        let arenas = plan::split(&liveness, &settings).unwrap();
        let table = to_table(&model, &liveness, &arenas, Style::OnertMicroSplit).unwrap();
        let read = from_table(&model, &table).unwrap();
        let found = placed(&read.liveness, &read.arenas);
        assert_eq!(found, placed(&liveness, &arenas));
        let names: Vec<&str> = found.iter().map(|(arena, ..)| arena.as_str()).collect();
        assert_eq!(names, ["inputs", "arena", "arena", "outputs"]);
    }
}

/// A tensor and its view that lie at one offset in different memories share nothing; scratch memory lies with the tensors
/// between.
#[test]
fn what_lies_in_different_memories_comes_back_apart() {
    let view = model(
        "(%0) -> (%3)",
        &["f32[8]", "i32[1] = [1]", "f32[8]", "f32[8]"],
        "op0 RESHAPE {new_shape=[8]} (%0, %1) -> %2\nop1 ABS (%2) -> %3",
    );
    let conv = model(
        "(%0) -> (%4)",
        &["f32[1,8,8,3]", "f32[4,3,3,3] = [1]", "f32[4] = [1]", "f32[1,6,6,4]", "f32[1,6,6,4]"],
        "op0 CONV_2D {stride_w=1, stride_h=1} (%0, %1, %2) -> %3\nop1 ABS (%3) -> %4",
    );
    for (model, platform, due) in [
        (view, None, &[("inputs", 0), ("arena", 0), ("outputs", 0)][..]),
        (conv, Some(Platform::Linux), &[("inputs", 0), ("arena", 0), ("outputs", 0), ("arena", 576)]),
    ] {
        let options = Options { platform, apart: true, ..Options::default() };
        let liveness = lifetimes(&model, &options).unwrap();
        let settings = Settings { planner: Choice::Named(Planner::GreedyBySize), ..Settings::default() };
        let arenas = plan::split(&liveness, &settings).unwrap();
        let found = placed(&liveness, &arenas);
        let table = to_table(&model, &liveness, &arenas, Style::OnertMicroSplit).unwrap();
        let read = from_table(&model, &table).unwrap();
        let back = placed(&read.liveness, &read.arenas);
        assert_eq!(back, found);
        assert_eq!(back.iter().map(|(arena, offset, _)| (arena.as_str(), *offset)).collect::<Vec<_>>(), due);
    }
}

/// A runtime writes all outputs of an operator, wherever the table says; luci numbers only those that something reads.
#[test]
fn outputs_that_nothing_reads_have_no_entry_and_that_is_said() {
    let tensors = ["f32[4]", "i32[] = [0]", "f32[2]", "f32[2]", "f32[2]"];
    let split = |text: &str, outputs: &str| {
        let model = model(&format!("(%0) -> ({outputs})"), &tensors, text);
        let liveness = lifetimes(&model, &Options::default()).unwrap();
        let found = unread(&model, &liveness).unwrap();
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        split("op0 SPLIT {num_splits=2} (%1, %0) -> %2, %3\nop1 ABS (%3) -> %4", "%4"),
        [
            "subgraph 0 \"s0\" operator 0 \"SPLIT t2\": nothing reads its output 0, for which luci numbers no node"
        ]
    );
    let none: [String; 0] = [];
    assert_eq!(split("op0 SPLIT {num_splits=2} (%1, %0) -> %2, %3\nop1 ADD (%3, %2) -> %4", "%4"), none);
    assert_eq!(split("op0 SPLIT {num_splits=2} (%1, %0) -> %2, %3\nop1 ABS (%3) -> %4", "%4, %2"), none);
    // What reaches no output does not run there at all.
    assert_eq!(split("op0 SPLIT {num_splits=2} (%1, %0) -> %2, %3\nop1 ABS (%2) -> %4", "%0"), none);
}
