//! Tensors that run around a ring.

use circle_ir::Model;
use circle_liveness::offline::to_offline;
use circle_liveness::table::{Style, to_table};
use circle_liveness::{Choice, Liveness, Options, Settings, lifetimes, plan, to_memory};
use circle_memory::check::{CheckOptions, check};
use circle_memory::{Memory, Places, SpaceReason};

use crate::common::model;

fn ringed(model: &Model, rings: Option<u64>) -> Liveness {
    let options = Options { inplace: true, rings, ..Options::default() };
    lifetimes(model, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Size and starts of the units that are rings.
fn rings(model: &Model) -> Vec<(u64, Vec<u64>)> {
    let units = ringed(model, Some(16)).units;
    units.into_iter().filter(circle_liveness::Unit::is_ring).map(|unit| (unit.size, unit.starts)).collect()
}

const CONV: &str = "CONV_2D {padding=SAME, stride_w=1, stride_h=1}";

/// An input, then convolutions of 3 x 3 by so many channels, then an operator that reads the last and cannot write over it.
fn convolutions(channels: &[u32], last: &str) -> Model {
    let mut tensors = vec!["f32[1,16,16,4]".to_owned()];
    let mut text = String::new();
    let mut deep = 4;
    for (number, channels) in channels.iter().enumerate() {
        let before = tensors.len() - 1 - usize::from(number > 0);
        tensors.push(format!("f32[1,16,16,{channels}]"));
        tensors.push(format!("f32[{channels},3,3,{deep}] = [1]"));
        let last = tensors.len() - 1;
        text += &format!("op{number} {CONV} (%{before}, %{last}) -> %{}\n", last - 1);
        deep = *channels;
    }
    tensors.push(format!("i8[1,16,16,{}]", channels.last().unwrap_or(&4)));
    let (count, end) = (channels.len(), tensors.len() - 1);
    text += &format!("op{count} {last} (%{}) -> %{end}", end - 2);
    let tensors: Vec<&str> = tensors.iter().map(String::as_str).collect();
    model(&format!("(%0) -> (%{end})"), &tensors, &text)
}

#[test]
fn rows_of_windows_run_around() {
    // 16 rows of 256 bytes each; the output may come so near that it writes over the row above the window.
    let (row, size) = (256, 4096);
    let found = rings(&convolutions(&[4, 4, 4], "CAST"));
    assert_eq!(found, [(size + 2 * row, vec![0, size, size - 2 * row])]);
    // What reads the last one takes it in one piece: it stays outside.
    assert_eq!(rings(&convolutions(&[4, 4, 4], "SUM")), [(size + 2 * row, vec![0, size])]);
    assert_eq!(rings(&convolutions(&[4, 4], "SUM")), []);
    // Outputs of the model lie in one piece, too, and inputs are not for us to write over.
    assert_eq!(rings(&convolutions(&[4], "CAST")), []);
    assert_eq!(
        ringed(&convolutions(&[4, 4, 4], "CAST"), None).units.iter().filter(|u| u.is_ring()).count(),
        0
    );
}

/// What is read from its first byte to its last may lie in two pieces, what is read otherwise must not, by the same operator
/// at another slot.
#[test]
fn each_slot_says_whether_its_tensor_may_run_around() {
    // 1 and 7 are filters, 4 the last of three convolutions in a row; 5, 6 and 8 are as large as it, twice as large, and of
    // another width; 9 is a shape.
    let tensors = [
        "f32[1,16,16,4]",
        "f32[4,3,3,4] = [1]",
        "f32[1,16,16,4]",
        "f32[1,16,16,4]",
        "f32[1,16,16,4]",
        "f32[1,16,16,4]",
        "f32[2,16,16,4]",
        "f32[4,3,3,4] = [1]",
        "i8[1,16,16,4]",
        "i32[4] = [1]",
    ];
    let conv = |rest: &str| format!("{CONV} {rest}");
    let readers = [
        (true, "CAST (%4) -> %8".to_owned()),
        (true, "LESS (%4, %0) -> %8".to_owned()),
        (true, "LESS (%0, %4) -> %8".to_owned()),
        (true, conv("(%4, %7) -> %5")),
        // Stretched over an output of two pictures, whichever operand it is.
        (false, "ADD (%4, %6) -> %6".to_owned()),
        (false, "LESS (%6, %4) -> %6".to_owned()),
        // Filters and biases, also of an operator that reads the same tensor in order at its first slot.
        (false, conv("(%0, %4) -> %5")),
        (false, conv("(%0, %7, %4) -> %5")),
        (false, conv("(%4, %4) -> %5")),
        (false, "DEPTHWISE_CONV_2D {padding=SAME, stride_w=1, stride_h=1} (%0, %4) -> %5".to_owned()),
        (false, "PRELU (%0, %4) -> %5".to_owned()),
        (false, "RESHAPE (%0, %4) -> %5".to_owned()),
        // Two pictures at once: no rule says how far rows are apart.
        (false, conv("(%4, %7) -> %6")),
        (false, "SUM (%4, %9) -> %5".to_owned()),
    ];
    for (may, reader) in readers {
        let end = reader.rsplit('%').next().unwrap();
        // Read and written by one operator it is no model: a second tensor of the same kind takes its place.
        let reader = reader.replacen("%6)", "%10)", 1).replacen("(%6,", "(%10,", 1);
        let tensors: Vec<&str> = tensors.into_iter().chain(["f32[2,16,16,4]"]).collect();
        let text = format!(
            "op0 {CONV} (%0, %1) -> %2\nop1 {CONV} (%2, %1) -> %3\nop2 {CONV} (%3, %1) -> %4\nop3 {reader}"
        );
        let model = model(&format!("(%0, %10) -> (%{end})"), &tensors, &text);
        let members = rings(&model).first().map(|(_, starts)| starts.len());
        assert_eq!(members, Some(if may { 3 } else { 2 }), "{reader}");
    }
}

/// Kernels compute the shape of their output from the window; where the file has another one, nothing is known of its rows.
#[test]
fn shapes_that_do_not_follow_from_the_window_make_no_ring() {
    let conv = |padding: &str, strides: (i32, i32), dilations: (i32, i32)| {
        format!(
            "CONV_2D {{padding={padding}, stride_h={}, stride_w={}, dilation_h_factor={}, dilation_w_factor={}}} (%1, %4)",
            strides.0, strides.1, dilations.0, dilations.1
        )
    };
    let deep = |multiplier: u32| {
        format!(
            "DEPTHWISE_CONV_2D {{padding=SAME, stride_h=1, stride_w=1, depth_multiplier={multiplier}}} (%1, %4)"
        )
    };
    let pool = |strides: (i32, i32), filter: (i32, i32)| {
        format!(
            "MAX_POOL_2D {{padding=VALID, stride_h={}, stride_w={}, filter_height={}, filter_width={}}} (%1)",
            strides.0, strides.1, filter.0, filter.1
        )
    };
    let (whole, filter, one) = ("f32[1,16,16,4]", "f32[4,3,3,4] = [1]", "f32[1,3,3,4] = [1]");
    let cases = [
        (true, conv("SAME", (1, 1), (1, 1)), whole, filter),
        (true, conv("SAME", (3, 3), (1, 1)), "f32[1,6,6,4]", filter),
        (false, conv("SAME", (3, 3), (1, 1)), "f32[1,5,6,4]", filter),
        (false, conv("SAME", (3, 3), (1, 1)), "f32[1,6,7,4]", filter),
        (false, conv("SAME", (3, 3), (1, 1)), whole, filter),
        (true, conv("VALID", (1, 1), (1, 1)), "f32[1,14,14,4]", filter),
        (false, conv("VALID", (1, 1), (1, 1)), "f32[1,15,14,4]", filter),
        (false, conv("VALID", (1, 1), (1, 1)), "f32[1,13,14,4]", filter),
        (false, conv("VALID", (1, 1), (1, 1)), "f32[1,14,16,4]", filter),
        (true, conv("VALID", (2, 1), (4, 2)), "f32[1,4,12,4]", filter),
        (false, conv("VALID", (2, 1), (4, 2)), "f32[1,7,14,4]", filter),
        // No row of the output is whole.
        (false, conv("VALID", (1, 1), (8, 1)), "f32[1,1,14,4]", filter),
        (true, conv("VALID", (1, 1), (7, 1)), "f32[1,2,14,4]", filter),
        // Neither is a stride or dilation of 0 one of 1.
        (false, conv("SAME", (0, 1), (1, 1)), whole, filter),
        (false, conv("SAME", (1, 0), (1, 1)), whole, filter),
        (false, conv("SAME", (1, 1), (0, 1)), whole, filter),
        (false, conv("SAME", (1, 1), (1, -1)), whole, filter),
        (false, "CONV_2D (%1, %4)".to_owned(), whole, filter),
        // Channels are as many as there are filters; each sees all or a group of those of the input.
        (false, conv("SAME", (1, 1), (1, 1)), "f32[1,16,16,3]", filter),
        (false, conv("SAME", (1, 1), (1, 1)), whole, "f32[4,3,3,3] = [1]"),
        (true, conv("SAME", (1, 1), (1, 1)), whole, "f32[4,3,3,2] = [1]"),
        (false, conv("SAME", (1, 1), (1, 1)), whole, "f32[4,3,3] = [1]"),
        (true, deep(1), whole, one),
        (false, deep(1), whole, filter),
        (true, deep(2), "f32[1,16,16,8]", "f32[1,3,3,8] = [1]"),
        (false, deep(2), "f32[1,16,16,6]", "f32[1,3,3,6] = [1]"),
        (true, pool((2, 2), (2, 2)), "f32[1,8,8,4]", filter),
        (false, pool((2, 2), (2, 2)), "f32[1,8,8,3]", filter),
        (false, pool((2, 2), (2, 2)), "f32[1,9,8,4]", filter),
        (false, pool((2, 2), (0, 2)), "f32[1,8,8,4]", filter),
        (false, pool((2, 2), (2, 17)), "f32[1,8,1,4]", filter),
    ];
    for (may, operator, to, filter) in cases {
        let last = to.replace("f32", "i8");
        let text = format!("op0 ABS (%0) -> %1\nop1 {operator} -> %2\nop2 CAST (%2) -> %3");
        let model = model("(%0) -> (%3)", &[whole, whole, to, &last, filter], &text);
        assert_eq!(rings(&model).len(), usize::from(may), "{operator} {to} {filter}");
    }
}

#[test]
fn elements_of_other_widths_run_around() {
    let tensors = ["f32[64]", "f32[64]", "i8[64]", "i8[64]", "f32[64]", "i8[64]"];
    let text = "op0 EXP (%0) -> %1\nop1 CAST (%1) -> %2\nop2 ABS (%2) -> %3\nop3 CAST (%3) -> %4\nop4 CAST (%4) -> %5";
    let model = model("(%0) -> (%5)", &tensors, text);
    // 256 bytes, 64 in their place, the same again, 256 behind those and around the end; the output outside.
    assert_eq!(rings(&model), [(256, vec![0, 0, 0, 64])]);
    let liveness = ringed(&model, Some(16));
    let arenas = plan::common(&liveness, &Settings::default()).unwrap();
    let memory = to_memory(&model, &liveness, &arenas, None);
    let pieces: Vec<_> = memory.segments[0].blocks.iter().map(|b| (b.size, b.wrap.map(|p| p.size))).collect();
    assert!(pieces.contains(&(256, Some(64))), "{pieces:?}");
    assert_eq!(memory.segments[0].spaces[0].reason, SpaceReason::Wrapped);
}

fn sound(memory: &Memory) -> u64 {
    assert_eq!(check(memory, &Places::default(), CheckOptions::default()).findings, []);
    // What is planned has 64 bits.
    circle_memory::analysis::figures(&memory.segments[0]).peak.try_into().expect("64 bits")
}

#[test]
fn every_planner_plans_rings_and_no_runtime_is_told_of_them() {
    let model = convolutions(&[2, 8, 8, 8, 8, 2, 2], "SUM");
    let (plain, ringed) = (ringed(&model, None), ringed(&model, Some(16)));
    for planner in Choice::all() {
        let settings = Settings { planner, ..Settings::default() };
        let of = |liveness: &Liveness| {
            let arenas = plan::common(liveness, &settings).unwrap();
            let peak = sound(&to_memory(&model, liveness, &arenas, None));
            assert_eq!(peak, arenas[0].peak, "{planner}");
            assert!(peak >= arenas[0].lower_bound, "{planner}");
            (peak, arenas)
        };
        let ((without, _), (with, arenas)) = (of(&plain), of(&ringed));
        assert!(with < without || planner.name() == "bump", "{planner}: {with}, {without}");
        assert!(to_table(&model, &ringed, &arenas, Style::OnertMicro).is_err());
        let error = to_offline(&model, &ringed, &arenas).unwrap_err().to_string();
        assert!(error.starts_with("tensors run around a ring"), "{error}");
    }
}

#[test]
fn planners_are_found_by_name() {
    for choice in Choice::all() {
        assert_eq!(choice.name().parse(), Ok(choice));
    }
    let error = "wrap".parse::<Choice>().unwrap_err().to_string();
    assert!(error.contains("known are best,") && error.contains("aidge_max_hole_max_lifetime"), "{error}");
}
