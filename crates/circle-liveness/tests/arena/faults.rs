//! Plans with a fault are noticed.

use circle_ir::Model;
use circle_ir::text::parse;
use circle_liveness::{Choice, Options, Platform, Settings, lifetimes, plan, to_memory};
use circle_memory::{Block, Kind, Memory, Piece};
use circle_plan::planners::Planner;

use crate::layout::Layout;
use crate::nets::{Random, net};
use crate::run::{Fault, Notes, alone, planned};

/// A model of one subgraph; `tensors` are those from `%0` on.
fn model(signature: &str, tensors: &[&str], operators: &str) -> Model {
    let mut text = format!("subgraph sg0 \"s\" {signature}\n");
    for (number, tensor) in tensors.iter().enumerate() {
        let (ty, rest) = tensor.split_once(' ').unwrap_or((tensor, ""));
        text += &format!("%{number}: {ty} \"t{number}\" {rest}\n");
    }
    text += operators;
    parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// A plan in which nothing shares memory but what is told to.
fn spread(model: &Model, rings: Option<u64>) -> Memory {
    let options = Options { inplace: rings.is_some(), rings, ..Options::default() };
    let liveness = lifetimes(model, &options).unwrap_or_else(|error| panic!("{error}"));
    let settings = Settings { planner: Choice::Named(Planner::Bump), ..Settings::default() };
    let arenas = plan::common(&liveness, &settings).expect("a plan");
    to_memory(model, &liveness, &arenas, None)
}

fn block(memory: &mut Memory, tensor: u32) -> &mut Block {
    let blocks = &mut memory.segments[0].blocks;
    let is = |block: &&mut Block| block.tensor.as_ref().is_some_and(|t| t.index == Some(tensor));
    blocks.iter_mut().find(is).expect("its block")
}

fn run(model: &Model, memory: &Memory) -> Result<Notes, Fault> {
    let layout = Layout::of(model, memory);
    let due = alone(model, &layout, u64::MAX).expect("no place that is not its own");
    planned(model, &layout, &due)
}

/// Lays a tensor around the ring of its block, so many bytes further on.
fn shift(memory: &mut Memory, tensor: u32, bytes: u64) {
    let space = block(memory, tensor).space.expect("a ring");
    let space = memory.segments[0].spaces.iter().find(|s| s.id == space).expect("its space").clone();
    let block = block(memory, tensor);
    let start = (block.offset - space.offset + bytes) % space.size;
    let beyond = (start + block.size).saturating_sub(space.size);
    block.offset = space.offset + start;
    block.wrap = (beyond > 0).then_some(Piece { offset: space.offset, size: beyond });
}

/// One operator over the place of its input.
#[test]
fn only_operators_that_go_element_by_element_run_in_place() {
    let (small, large) = ("f32[1,1,1,4]", "f32[1,4,4,4]");
    let filter = "f32[4,3,3,4] = [1]";
    let conv = "{padding=SAME, stride_w=1, stride_h=1}";
    let pool = "{padding=SAME, stride_w=1, stride_h=1, filter_width=2, filter_height=2}";
    let cases = [
        (true, "EXP (%1)".to_owned(), large, large),
        (true, "RESHAPE (%1, %5)".to_owned(), large, "f32[64]"),
        (true, "ADD (%1, %4)".to_owned(), large, large),
        (true, "SUB (%4, %1)".to_owned(), large, large),
        (true, "LEAKY_RELU (%1)".to_owned(), small, small),
        (true, "CAST (%1)".to_owned(), large, "i32[1,4,4,4]"),
        // The other operand, which is stretched, is read again and again.
        (false, "ADD (%1, %4)".to_owned(), small, large),
        (false, "LESS (%4, %1)".to_owned(), small, "bool[1,4,4,4]"),
        (false, "CAST (%1)".to_owned(), "i8[1,4,4,4]", large),
        (false, "TRANSPOSE (%1, %5)".to_owned(), large, large),
        (false, "REVERSE_V2 (%1, %5)".to_owned(), large, large),
        (false, "STRIDED_SLICE (%1, %5, %5, %5)".to_owned(), large, "f32[1,2,4,4]"),
        (false, "RESIZE_BILINEAR (%1, %5)".to_owned(), large, "f32[1,8,8,4]"),
        (false, "MEAN (%1, %5)".to_owned(), large, small),
        (false, "SOFTMAX (%1)".to_owned(), large, large),
        (false, "CONCATENATION {axis=3} (%1, %4)".to_owned(), large, "f32[1,4,4,8]"),
        (false, "CONCATENATION {axis=3} (%4, %1)".to_owned(), large, "f32[1,4,4,8]"),
        (false, format!("CONV_2D {conv} (%1, %6)"), large, large),
        (false, format!("DEPTHWISE_CONV_2D {conv} (%1, %6)"), large, large),
        (false, format!("MAX_POOL_2D {pool} (%1)"), large, large),
        (false, "FULLY_CONNECTED (%1, %6)".to_owned(), large, large),
    ];
    for (may, operator, from, to) in cases {
        let tensors = [from, from, to, to, large, "i32[4] = [1]", filter];
        let text = format!("op0 ABS (%0) -> %1\nop1 {operator} -> %2\nop2 ABS (%2) -> %3\n");
        let model = model("(%0, %4) -> (%3)", &tensors, &text);
        let mut memory = spread(&model, None);
        assert_eq!(run(&model, &memory).map(|notes| notes.in_place + notes.views), Ok(0), "{operator}");
        // Behind all others, so that what is larger than its input writes over nothing else.
        let far = memory.segments[0].size.unwrap();
        for tensor in [1, 2] {
            block(&mut memory, tensor).offset = far;
        }
        let found = run(&model, &memory);
        match may {
            true => assert_eq!(found.map(|notes| notes.in_place + notes.views), Ok(1), "{operator}"),
            false => assert!(matches!(found, Err(Fault::Differs(_))), "{operator}: {found:?}"),
        }
    }
}

/// Rings are as small as they can be with tensors one behind the other: an output that comes nearer by one element writes over what is to be read yet.
#[test]
fn one_element_nearer_is_too_near() {
    let conv = |padding: &str, stride: u32, dilation: u32| {
        format!(
            "CONV_2D {{padding={padding}, stride_w=1, stride_h={stride}, dilation_w_factor=1, \
             dilation_h_factor={dilation}}} (%1, %4)"
        )
    };
    let pool = |padding: &str, rows: u32, stride: u32| {
        format!(
            "MAX_POOL_2D {{padding={padding}, stride_w=1, stride_h={stride}, filter_width=1, \
             filter_height={rows}}} (%1)"
        )
    };
    let whole = "f32[1,16,4,4]";
    let cases = [
        (conv("SAME", 1, 1), whole, whole, 4),
        (conv("SAME", 1, 2), whole, whole, 4),
        (conv("VALID", 1, 1), whole, "f32[1,14,2,4]", 4),
        (conv("VALID", 1, 3), whole, "f32[1,10,2,4]", 4),
        (conv("SAME", 2, 1), whole, "f32[1,8,4,8]", 4),
        (conv("SAME", 1, 1), "i8[1,16,4,4]", whole, 4),
        (conv("SAME", 1, 1), whole, "i8[1,16,4,4]", 1),
        (pool("SAME", 3, 1), whole, whole, 4),
        (pool("SAME", 4, 1), whole, whole, 4),
        (pool("VALID", 3, 1), whole, "f32[1,14,4,4]", 4),
        ("CAST (%1)".to_owned(), "i8[1,16,4,4]", whole, 4),
        ("DEQUANTIZE (%1)".to_owned(), "i16[1,16,4,4]", whole, 4),
        // Within the element that has been read it may lie anywhere.
        ("LESS (%1, %5)".to_owned(), whole, "bool[1,16,4,4]", 4),
    ];
    for (operator, from, to, width) in cases {
        let last = format!("i16{}", &to[to.find('[').unwrap()..]);
        let deep = to.trim_end_matches(']').rsplit(',').next().unwrap();
        let filter = format!("f32[{deep},3,3,4] = [1]");
        let tensors = [from, from, to, &last, &filter, from];
        let text = format!("op0 ABS (%0) -> %1\nop1 {operator} -> %2\nop2 CAST (%2) -> %3\n");
        let model = model("(%0, %5) -> (%3)", &tensors, &text);
        let mut memory = spread(&model, Some(16));
        assert_eq!(run(&model, &memory).map(|notes| notes.rings), Ok(1), "{operator} {from} {to}");
        shift(&mut memory, 2, width);
        let found = run(&model, &memory);
        assert!(matches!(found, Err(Fault::Differs(_))), "{operator} {from} {to}: {found:?}");
    }
}

/// Scratch memory is nobody else's while its operator runs, neither what it reads nor what it writes, nor what others need
/// later; and constants are needed for good.
#[test]
fn scratch_memory_and_constants_are_in_nobodys_way() {
    let tensors = [
        "f32[1,8,8,4]",
        "f32[4,3,3,4] = [1]",
        "f32[1,8,8,4]",
        "f32[1,8,8,4]",
        "f32[1,8,8,4]",
        "f32[1,8,8,4]",
    ];
    let conv = "CONV_2D {padding=SAME, stride_w=1, stride_h=1}";
    let text = format!(
        "op0 ABS (%0) -> %2\nop1 {conv} (%2, %1) -> %3\nop2 ADD (%3, %0) -> %4\nop3 {conv} (%4, %1) -> %5\n"
    );
    let model = model("(%0) -> (%5)", &tensors, &text);
    let options = Options { platform: Some(Platform::Linux), constants: true, ..Options::default() };
    let liveness = lifetimes(&model, &options).unwrap();
    let bump = Settings { planner: Choice::Named(Planner::Bump), ..Settings::default() };
    let plain = to_memory(&model, &liveness, &plan::common(&liveness, &bump).unwrap(), None);
    assert!(run(&model, &plain).is_ok());
    let is_scratch = |block: &Block| block.kind == Some(Kind::Scratch);
    assert_eq!(plain.segments[0].blocks.iter().filter(|block| is_scratch(block)).count(), 2);
    // What the first convolution reads, writes and leaves alone may be in use, what is written later is not.
    for (tensor, may) in [(0, false), (1, false), (2, false), (3, false), (4, true), (5, true)] {
        let mut memory = plain.clone();
        let place = block(&mut memory, tensor).offset;
        let scratch = memory.segments[0].blocks.iter_mut().find(|block| is_scratch(block)).unwrap();
        // No longer than any tensor, so that it is in the way of nothing else.
        (scratch.offset, scratch.size) = (place, 64);
        assert_eq!(run(&model, &memory).is_ok(), may, "scratch memory over {tensor}");
    }
    for (tensor, what) in [(2, "written over the filter"), (4, "written over the filter between its readers")]
    {
        let mut memory = plain.clone();
        let place = block(&mut memory, 1).offset;
        block(&mut memory, tensor).offset = place;
        assert!(run(&model, &memory).is_err(), "{what}");
    }
}

/// What lies over a tensor that is still read when it has been written is noticed, whatever the operators.
#[test]
fn tensors_that_live_at_once_share_nothing() {
    let mut noticed = 0;
    for seed in 0..150 {
        let model = net(seed);
        let plain = spread(&model, None);
        let blocks = &plain.segments[0].blocks;
        let mut random = Random::new(seed);
        for _ in 0..40 {
            let (one, other) = (random.below(blocks.len()), random.below(blocks.len()));
            let (old, new) = (&blocks[one], &blocks[other]);
            // `old` is read again after `new` has been written. A byte or two could be the same by chance.
            let both = old.alive_from < new.alive_from && new.alive_from + 1 < old.alive_till;
            if !both || old.size.min(new.size) < 8 {
                continue;
            }
            let mut memory = plain.clone();
            let far = memory.segments[0].size.unwrap();
            let meets = far + random.below(old.size as usize - 7) as u64;
            memory.segments[0].blocks[one].offset = far;
            memory.segments[0].blocks[other].offset = meets;
            let found = run(&model, &memory);
            assert!(matches!(found, Err(Fault::Differs(_))), "seed {seed}, {one} and {other}: {found:?}");
            noticed += 1;
        }
    }
    assert!(noticed > 100, "{noticed}");
}
