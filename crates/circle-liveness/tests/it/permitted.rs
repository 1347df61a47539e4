//! What may share memory does so only where that needs less.

use circle_ir::Model;
use circle_liveness::permitted::{Permitted, permitted, without};
use circle_liveness::{Choice, Options, Settings, lifetimes, plan};

use crate::common::model;

/// A small net: convolutions, pools and element-wise operators, some of which read tensors of earlier ones again.
fn net(seed: u64) -> Model {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut tensors = vec!["f32[1,16,16,4]".to_owned()];
    // Rows and channels of the tensors that are not constants, with their numbers.
    let mut shapes = vec![(16, 4)];
    let mut numbers = vec![0];
    let mut text = String::new();
    let count = 3 + below(5);
    for number in 0..count {
        // Mostly the one before.
        let mut at = shapes.len() - 1;
        if below(4) == 0 {
            at = below(shapes.len() as u64) as usize;
        }
        let ((rows, channels), read) = (shapes[at], numbers[at]);
        let (operator, shape) = match below(4) {
            0 | 1 => {
                let deep = 1 + below(9);
                tensors.push(format!("f32[{deep},3,3,{channels}] = [1]"));
                let filter = tensors.len() - 1;
                (
                    format!("CONV_2D {{padding=SAME, stride_w=1, stride_h=1}} (%{read}, %{filter})"),
                    (rows, deep),
                )
            }
            2 if rows >= 4 => {
                let options = "padding=VALID, stride_w=2, stride_h=2, filter_width=2, filter_height=2";
                (format!("MAX_POOL_2D {{{options}}} (%{read})"), (rows / 2, channels))
            }
            _ => (format!("EXP (%{read})"), (rows, channels)),
        };
        text += &format!("op{number} {operator} -> %{}\n", tensors.len());
        numbers.push(tensors.len());
        tensors.push(format!("f32[1,{},{},{}]", shape.0, shape.0, shape.1));
        shapes.push(shape);
    }
    let end = tensors.len();
    tensors.push("f32[1]".to_owned());
    text += &format!("op{count} SUM (%{}, _) -> %{end}", end - 1);
    let tensors: Vec<&str> = tensors.iter().map(String::as_str).collect();
    model(&format!("(%0) -> (%{end})"), &tensors, &text)
}

fn plain() -> Options {
    Options::default()
}

fn inplace() -> Options {
    Options { inplace: true, ..plain() }
}

fn ringed() -> Options {
    Options { rings: Some(16), ..inplace() }
}

fn found(model: &Model, asked: &Options, settings: &Settings) -> (Permitted, u64) {
    let of = |options: &Options| lifetimes(model, options).unwrap_or_else(|error| panic!("{error}"));
    let found = permitted(model, asked, of(asked), settings, plan::common);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.liveness, of(&found.options));
    let peak = found.arenas[0].peak;
    (found, peak)
}

#[test]
fn what_is_permitted_never_makes_the_best_plan_larger() {
    let settings = Settings::default();
    let (mut refused, mut used) = (0, 0);
    for seed in 0..400 {
        let model = net(seed);
        let [(rings, with_rings), (_, with_inplace), (_, without_any)] =
            [ringed(), inplace(), plain()].map(|asked| found(&model, &asked, &settings));
        assert!(with_rings <= with_inplace, "seed {seed}: {with_rings}, {with_inplace}");
        assert!(with_inplace <= without_any, "seed {seed}: {with_inplace}, {without_any}");
        used += usize::from(with_rings < with_inplace);
        if let Some(bytes) = rings.as_asked {
            assert!(bytes > with_rings, "seed {seed}");
            assert!(without(&rings.options, &ringed()).is_some(), "seed {seed}");
            refused += 1;
        }
    }
    // Else nothing was at stake.
    assert!(refused > 10 && used > 10, "{refused} refused, {used} used");
}

#[test]
fn a_named_planner_does_as_it_is_told_and_a_smaller_plan_is_told() {
    let mut told = 0;
    for seed in 0..400 {
        let model = net(seed);
        let settings =
            Settings { planner: "greedy_by_size".parse::<Choice>().unwrap(), ..Settings::default() };
        let (rings, peak) = found(&model, &ringed(), &settings);
        assert_eq!((rings.options, rings.as_asked), (ringed(), None), "seed {seed}");
        if let Some((options, bytes)) = rings.smaller {
            assert!(bytes < peak, "seed {seed}");
            assert_eq!(found(&model, &options, &settings).1, bytes, "seed {seed}");
            told += 1;
        }
    }
    assert!(told > 10, "{told}");
}
