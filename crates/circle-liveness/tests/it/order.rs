//! Orders of operators that need less memory.

use std::time::Duration;

use circle_ir::{Model, OpId, SubgraphId, verify};
use circle_liveness::order::{peak, reorder};
use circle_liveness::{Options, lifetimes};

use crate::common::{model, parse, subgraph};

const LONG: Duration = Duration::from_secs(60);

fn order(model: &Model, subgraph: u32) -> Vec<u32> {
    let sg = model.subgraph(SubgraphId::from_number(subgraph)).expect("a subgraph");
    sg.operators().map(|(id, _): (OpId, _)| id.number()).collect()
}

/// Two branches side by side, of which each blows up and shrinks again.
const TENSORS: [&str; 6] = ["f32[1]", "f32[100]", "f32[100]", "f32[1]", "f32[1]", "f32[1]"];
const SIDE_BY_SIDE: &str = "op0 TILE (%0) -> %1\nop1 TILE (%0) -> %2\nop2 SUM (%1) -> %3\nop3 SUM (%2) -> %4\nop4 ADD (%3, %4) -> %5";

#[test]
fn branches_run_one_after_another() {
    let mut model = model("(%0) -> (%5)", &TENSORS, SIDE_BY_SIDE);
    let found = reorder(&mut model, &Options::default(), LONG).unwrap();
    assert_eq!((found.before, found.after, found.optimal), (804, 408, true));
    assert_eq!(order(&model, 0), [0, 2, 1, 3, 4]);
    assert_eq!(verify::structure::check(&model), []);
    let liveness = lifetimes(&model, &Options::default()).unwrap();
    assert_eq!(peak(&liveness), Ok(408));
    // What is best already stays.
    let again = reorder(&mut model, &Options::default(), LONG).unwrap();
    assert_eq!((again.before, again.after, again.orders), (408, 408, vec![None]));
}

#[test]
fn time_that_is_up_changes_nothing() {
    let mut model = model("(%0) -> (%5)", &TENSORS, SIDE_BY_SIDE);
    let found = reorder(&mut model, &Options::default(), Duration::ZERO).unwrap();
    assert_eq!((found.before, found.after, found.optimal), (804, 804, false));
    assert_eq!(order(&model, 0), [0, 1, 2, 3, 4]);
}

#[test]
fn what_holds_state_stays_in_order() {
    // The same with operators of which nobody knows what they do besides.
    let custom = SIDE_BY_SIDE.replace("TILE", "CUSTOM:Tile").replace("SUM", "CUSTOM:Sum");
    let mut unknown = model("(%0) -> (%5)", &TENSORS, &custom);
    let found = reorder(&mut unknown, &Options::default(), LONG).unwrap();
    assert_eq!((found.before, found.after, found.optimal), (804, 804, true));
    assert_eq!(order(&unknown, 0), [0, 1, 2, 3, 4]);
    // Only the second branch writes to the variable, and it still may run first.
    let tensors =
        ["f32[1]", "f32[100]", "f32[100]", "f32[1]", "f32[1]", "f32[1]", "f32[1] {is_variable=true}"];
    let text = SIDE_BY_SIDE.replace("SUM (%2)", "SVDF (%2, %6)").replace("SUM (%1)", "SVDF (%1, %6)");
    let mut variable = model("(%0) -> (%5)", &tensors, &text);
    reorder(&mut variable, &Options::default(), LONG).unwrap();
    let order = order(&variable, 0);
    let at = |op: u32| order.iter().position(|&o| o == op).unwrap();
    assert!(at(2) < at(3), "{order:?}");
}

#[test]
fn bodies_are_reordered_too_and_count_where_they_are_called() {
    let text = subgraph(
        0,
        "(%0) -> (%1)",
        &["f32[1]", "f32[1]"],
        "op0 IF {then_subgraph_index=1, else_subgraph_index=2} (%0) -> %1",
    ) + &subgraph(1, "(%0) -> (%5)", &TENSORS, SIDE_BY_SIDE)
        + &subgraph(2, "(%0) -> (%1)", &["f32[1]", "f32[1]"], "op0 ABS (%0) -> %1");
    let mut model = parse(&text);
    let found = reorder(&mut model, &Options::default(), LONG).unwrap();
    assert_eq!((found.before, found.after), (812, 416));
    assert_eq!((order(&model, 0), order(&model, 1)), (vec![0], vec![0, 2, 1, 3, 4]));
}

#[test]
fn what_is_written_in_place_counts_once() {
    let text = "op0 TILE (%0) -> %1\nop1 TILE (%0) -> %2\nop2 ABS (%1) -> %3\nop3 SUM (%3) -> %4\nop4 MUL (%2, %4) -> %5";
    let tensors = ["f32[1]", "f32[100]", "f32[10]", "f32[100]", "f32[1]", "f32[10]"];
    let options = Options { inplace: true, ..Options::default() };
    let mut model = model("(%0) -> (%5)", &tensors, text);
    let found = reorder(&mut model, &options, LONG).unwrap();
    // 400 for the large one, 4 for the input, 4 for the sum; the small one is made behind it.
    assert_eq!((found.before, found.after, found.optimal), (444, 408, true));
}
