//! What is no problem, and faults of plans.
#![allow(clippy::unwrap_used, reason = "a test may fail here")]

use circle_plan::bound::{lower_bound, max_live};
use circle_plan::check::{Fault, MOST_FINDINGS, check};
use circle_plan::problem::MOST_BYTES;
use circle_plan::{Block, Plan, Problem};

fn refusal(blocks: Vec<Block>, capacity: Option<u64>) -> String {
    Problem::new(blocks, capacity).expect_err("a problem that is wrong").to_string()
}

fn fixed(id: &str, lower: u64, upper: u64, size: u64, offset: u64) -> Block {
    Block { fixed: Some(offset), ..Block::new(id, lower, upper, size) }
}

#[test]
fn faults_of_blocks_are_located() {
    let good = Block::new("good", 0, 1, 1);
    let then = |block| vec![good.clone(), block];
    let cases = [
        (then(Block::new("x", 3, 3, 1)), "block 1 `x`: lifetime 3..3 is empty or reversed"),
        (then(Block::new("x", 3, 2, 1)), "block 1 `x`: lifetime 3..2 is empty or reversed"),
        (
            then(Block { alignment: 0, ..Block::new("x", 0, 1, 1) }),
            "block 1 `x`: alignment 0, must be at least 1",
        ),
        (then(good.clone()), "block 1: id `good` is that of block 0"),
        (
            then(Block { alignment: 8, ..fixed("x", 0, 1, 1, 12) }),
            "block 1 `x`: fixed offset 12 is no multiple of 8",
        ),
        (then(fixed("x", 0, 1, 20, 90)), "block 1 `x`: fixed, ends at 110, beyond the capacity of 100"),
        (
            vec![fixed("x", 0, 2, 10, 0), fixed("y", 1, 3, 10, 9)],
            "block 1 `y`: fixed, overlaps fixed block `x` in time and address",
        ),
    ];
    for (blocks, message) in cases {
        assert_eq!(refusal(blocks, Some(100)), message);
    }
}

#[test]
fn sums_beyond_the_bound_are_refused() {
    let half = MOST_BYTES / 2;
    assert!(Problem::new(vec![Block::new("x", 0, 1, half), Block::new("y", 0, 1, half)], None).is_ok());
    let huge = [
        vec![Block::new("x", 0, 1, half), Block::new("y", 0, 1, half + 2)],
        vec![Block::new("y", 0, 1, u64::MAX)],
        vec![Block { alignment: u64::MAX, ..Block::new("y", 0, 1, 1) }],
        vec![fixed("y", 0, 1, 1, u64::MAX)],
    ];
    for blocks in huge {
        assert!(refusal(blocks, None).contains("`y`: sizes with alignment add up to more than"));
    }
}

#[test]
fn the_largest_problem_is_planned_without_overflow() {
    let block = |id, size| Block { alignment: 1 << 20, ..Block::new(id, 0, u64::MAX, size) };
    let problem = Problem::new(vec![block("x", MOST_BYTES / 2), block("y", MOST_BYTES / 3)], None).unwrap();
    let outcome = circle_plan::search::best(&problem, &circle_plan::search::Options::default());
    assert_eq!(check(&problem, &outcome.plan), []);
    assert!(outcome.is_optimal());
}

#[test]
fn every_kind_of_fault_is_found() {
    let aligned = Block { alignment: 4, ..Block::new("aligned", 0, 9, 4) };
    let blocks = vec![aligned, fixed("fixed", 0, 9, 4, 8), Block::new("free", 5, 6, 10)];
    let problem = Problem::new(blocks, Some(20)).unwrap();
    let of = |offsets: [u64; 3]| {
        check(&problem, &Plan::new(&problem, offsets.to_vec()))
            .iter()
            .map(Fault::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(of([0, 8, 12]), ["block `free`: ends at 22, beyond the capacity of 20"]);
    assert_eq!(of([4, 0, 10]), ["block `fixed`: offset 0, fixed at 8"]);
    assert_eq!(of([2, 8, 0])[0], "block `aligned`: offset 2 is no multiple of 4");
    assert_eq!(
        of([0, 8, 3]),
        [
            "blocks `aligned` and `free` overlap in time and address",
            "blocks `fixed` and `free` overlap in time and address",
        ]
    );
    let over = of([0, 8, u64::MAX - 3]);
    assert!(
        over[0].starts_with("block `free`: offset 18446744073709551612 plus size 10 exceeds"),
        "{over:?}"
    );
    let wrong = Plan { offsets: vec![0, 8], peak: 12 };
    assert_eq!(check(&problem, &wrong)[0].to_string(), "2 offsets for 3 blocks");
    let wrong = Plan { offsets: vec![4, 8, 12], peak: 1 };
    assert!(check(&problem, &wrong).contains(&Fault::Peak { stated: 1, actual: 22 }));
}

#[test]
fn blocks_that_follow_each_other_do_not_overlap() {
    let blocks = vec![Block::new("a", 0, 5, 10), Block::new("b", 5, 9, 10), Block::new("nothing", 0, 9, 0)];
    let problem = Problem::new(blocks, Some(10)).unwrap();
    assert_eq!(check(&problem, &Plan::new(&problem, vec![0, 0, 5])), []);
    assert_eq!(max_live(&problem), 10);
}

#[test]
fn a_heap_of_overlaps_is_cut_short() {
    let blocks: Vec<Block> = (0..20_000).map(|i| Block::new(i.to_string(), 0, 10, 5)).collect();
    let problem = Problem::new(blocks, None).unwrap();
    let faults = check(&problem, &Plan::new(&problem, vec![3; 20_000]));
    assert_eq!(faults.len(), MOST_FINDINGS);
}

#[test]
fn the_bound_knows_alignment_and_fixed_blocks() {
    let block = |id, size| Block { alignment: 16, ..Block::new(id, 0, 1, size) };
    // Rounded to 16, 16 and 32: the last one on top leaves out at most 15 bytes.
    let problem = Problem::new(vec![block("a", 1), block("b", 1), block("c", 17)], None).unwrap();
    assert_eq!(max_live(&problem), 19);
    assert_eq!(lower_bound(&problem), 49);
    let problem = Problem::new(vec![Block::new("a", 0, 1, 5), fixed("b", 3, 4, 2, 100)], None).unwrap();
    assert_eq!(lower_bound(&problem), 102);
}
