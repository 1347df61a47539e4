//! Passes in any order keep structure, lineage and results.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use circle_ir::text::{Show, parse, print};
use circle_passes::registry::{PASSES, find};
use circle_passes::{Pass, o1};
use common::{MODELS, Random, check_history, eval, run_all};

/// Random sequences for each model. Each is named by its number when it fails.
const SEQUENCES: u64 = 60;

fn names(passes: &[Pass]) -> String {
    passes.iter().map(Pass::name).collect::<Vec<_>>().join(" ")
}

#[test]
fn random_sequences_keep_structure_lineage_and_results() {
    let mut fired: BTreeMap<&str, u64> = BTreeMap::new();
    for &(name, text) in MODELS {
        let before = parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        for sequence in 0..SEQUENCES {
            let mut random = Random(sequence);
            let passes: Vec<Pass> =
                (0..1 + random.below(16)).map(|_| PASSES[random.below(PASSES.len())]).collect();
            let context = format!("{name}, sequence {sequence}: {}", names(&passes));
            let mut model = before.clone();
            // Each to its own fixed point: together they may undo each other's work.
            for &pass in &passes {
                let report = run_all(&mut model, &[pass], random.below(2) == 0, &context);
                *fired.entry(pass.name()).or_default() += report.patches;
            }
            check_history(&model, &context);
            eval::compare(&before, &model, sequence % 3).unwrap_or_else(|e| {
                let none: &[u8] = &[];
                panic!("{context}: {e}\n{}", print(&model, &none, Show::Lineage))
            });
        }
    }
    let idle: Vec<&str> =
        MODELS_FIRE.iter().copied().filter(|name| fired.get(name).is_none_or(|&n| n == 0)).collect();
    assert_eq!(idle, [""; 0], "these passes had nothing to do in any sequence");
}

/// Passes for which the models above are made.
const MODELS_FIRE: &[&str] = &[
    "decompose_hardswish",
    "decompose_softmax",
    "dead_code",
    "forward_transpose_op",
    "fuse_activation_function",
    "fuse_add_with_conv",
    "fuse_add_with_fully_connected",
    "fuse_batchnorm_with_conv",
    "fuse_batchnorm_with_dwconv",
    "fuse_mean_with_mean",
    "fuse_mul_with_conv",
    "fuse_mul_with_fullyconnected",
    "fuse_rsqrt",
    "remove_unnecessary_add",
    "replace_sub_with_add",
    "substitute_padv2_to_pad",
    "substitute_squeeze_to_reshape",
    "transform_sqrt_div_to_rsqrt_mul",
];

#[test]
fn the_group_comes_to_an_end_and_the_same_one_each_time() {
    for &(name, text) in MODELS {
        let before = parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let none: &[u8] = &[];
        let mut outcomes = BTreeSet::new();
        for _ in 0..2 {
            let mut model = before.clone();
            let report = run_all(&mut model, &o1::passes(), true, name);
            assert!(report.operators_after <= report.operators_before, "{name}: --O1 adds operators");
            eval::compare(&before, &model, 1).unwrap_or_else(|e| panic!("{name}: {e}"));
            outcomes.insert(print(&model, &none, Show::Lineage));
            let again = run_all(&mut model, &o1::passes(), true, name);
            assert_eq!(again.patches, 0, "{name}: --O1 has not come to its fixed point");
        }
        assert_eq!(outcomes.len(), 1, "{name}: the outcome differs from run to run");
    }
}

#[test]
fn every_pass_of_the_list_exists() {
    assert!(MODELS_FIRE.iter().all(|name| find(name).is_some()));
}
