//! Chains of operators that passes take together, one after the other: what each step takes and what the result stands
//! for must not grow with the chain, or all of it grows with the square.

use std::fmt::Write as _;

use circle_format::lineage::export::export;
use circle_format::lineage::import::Basis;
use circle_format::write::{WriteOptions, number, write};
use circle_metadata::lineage;
use circle_passes::{Settings, o1};

use crate::directed::{bounded, load};
use crate::guard::alone;
use crate::targets::{a_run, written};

/// The file of a model in which each of `length` operators reads the one before it and a constant of its own: RESHAPEs
/// behind an EXP, or ADDs of constants, with an ADD of the graph's input at the end.
fn chain(length: usize, fold: bool) -> Vec<u8> {
    let mut text = format!("subgraph sg0 \"\" (%0) -> (%{})\n  %0: f32[1,4] \"x\"\n", 2 * length + 2);
    let ones = "[1.0, 1.0, 1.0, 1.0]";
    let mut operators = if fold {
        let _ = writeln!(text, "  %1: f32[1,4] \"k\" = {ones}");
        String::new()
    } else {
        text += "  %1: f32[1,4] \"k\"\n";
        "  op0 EXP (%0) -> %1\n".to_owned()
    };
    let first = usize::from(!fold);
    for index in 0..length {
        let (own, result) = (2 * index + 2, 2 * index + 3);
        let before = if index == 0 { 1 } else { result - 2 };
        let wide = fold || index % 2 == 1;
        let shape = if wide { "1,4" } else { "2,2" };
        let _ = if fold {
            writeln!(text, "  %{own}: f32[1,4] \"c{index}\" = {ones}")
        } else {
            writeln!(text, "  %{own}: i32[2] \"c{index}\" = [{}]", if wide { "1, 4" } else { "2, 2" })
        };
        let _ = writeln!(text, "  %{result}: f32[{shape}] \"a{index}\"");
        let kind = if fold { "ADD" } else { "RESHAPE" };
        let _ = writeln!(operators, "  op{} {kind} (%{before}, %{own}) -> %{result}", index + first);
    }
    // The number after the last of the constants is free.
    let (last, free) = (2 * length + 1, 2 * length + 2);
    let _ = writeln!(text, "  %{free}: f32[1,4] \"y\"");
    let _ = writeln!(operators, "  op{} ADD (%{last}, %0) -> %{free}", length + first);
    let model = circle_ir::text::parse(&(text + &operators)).unwrap_or_else(|error| panic!("{error}"));
    let mut bytes = Vec::new();
    write(&model, &[], &number(&model), &[], WriteOptions::default(), &mut bytes).expect("a model");
    bytes
}

/// What comes out of the chain: the bytes of the file and the members of all sets of its lineage.
fn sizes(length: usize, fold: bool, verify_each: bool) -> (usize, usize) {
    let bytes = chain(length, fold);
    let (file, lineage) = bounded(bytes.len(), || {
        let mut model = load(&bytes).unwrap_or_else(|error| panic!("{error}")).model;
        let settings =
            Settings { fixed_point: true, verify_each, stop_after_patch: None, log: false, run: a_run() };
        let report = circle_passes::run(&mut model, &&bytes[..], &o1::passes(), &settings)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(report.refused, [""; 0]);
        // A constant that holds much of a chain can hold no more, while whole runs of RESHAPEs leave.
        assert_eq!(report.full() > 0, fold, "{}", report.full());
        assert_eq!(model.operator_count() > length / 10, fold, "{} are left", model.operator_count());
        let lineage = export(&model, &number(&model), None).unwrap_or_else(|error| panic!("{error}")).lineage;
        (written(&model, &bytes).expect("nothing overlaps"), lineage)
    });
    let again = load(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.basis, Basis::Lineage, "{:?} {:?}", again.stale, again.problems);
    let Ok(lineage::Decoded::Known(known)) = lineage::decode(&lineage) else { panic!("a lineage") };
    let claims = known.claim_sets.iter().map(Vec::len).sum::<usize>();
    (file.len(), claims + known.tensor_sets.iter().map(Vec::len).sum::<usize>())
}

#[test]
fn chains_that_shrink_leave_no_more_behind_than_they_are_long() {
    let _alone = alone();
    for (fold, verify_each) in [(false, false), (true, false), (true, true)] {
        let (bytes, members) = sizes(1_000, fold, verify_each);
        let (more_bytes, more_members) = sizes(4_000, fold, verify_each);
        assert!(more_bytes < 5 * bytes, "{bytes} bytes, and {more_bytes}; fold: {fold}");
        assert!(more_members < 5 * members, "{members} members, and {more_members}; fold: {fold}");
    }
}
