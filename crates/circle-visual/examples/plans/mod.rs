//! Made-up memory plans, for the examples and the tests.

#![allow(dead_code, reason = "not every program draws all of them")]

use circle_memory::{
    Block, Kind, Memory, OperatorRef, Origin, Piece, Producer, Segment, Space, SpaceReason, TensorRef, Tick,
    TickUnit,
};
use circle_visual::memory::{Mark, Plan};

/// A plan of `count` blocks without faults, deterministic: towers of blocks that are put on one another for a while.
pub(crate) fn made_up(count: u64) -> Plan {
    let mut state = 0x9e37_79b9_u64;
    let mut random = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let lanes = (count as f64).sqrt().ceil().max(1.0) as u64;
    let mut segment = Segment { name: "SRAM".into(), alignment: Some(16), ..Segment::default() };
    let mut offsets = Vec::new();
    let mut at = 0;
    for _ in 0..lanes {
        let size = 64 << random(10);
        offsets.push((at, size));
        at += size;
    }
    let mut clocks = vec![0_u64; offsets.len()];
    for k in 0..count {
        let lane = (k % lanes) as usize;
        let (offset, room) = offsets[lane];
        let from = clocks[lane] + random(3);
        let till = from + 1 + random(40);
        clocks[lane] = till;
        let size = (room - random(room / 3 + 1)).next_multiple_of(16).min(room);
        segment.blocks.push(Block {
            name: Some(format!("layer_{}/part_{}/out_{k}", lane % 12, k % 7)),
            offset,
            size,
            alive_from: from,
            alive_till: till,
            kind: Some([Kind::Activation, Kind::Scratch, Kind::Constant][(k % 11 / 5) as usize]),
            origins: if k % 17 == 3 { vec![] } else { vec![(k / 2) as u32] },
            ..Block::default()
        });
    }
    let origins = (0..count.div_ceil(2))
        .map(|id| Origin {
            id: id as u32,
            name: format!("layer_{}/part_{}", id % 12, id % 7),
            ..Origin::default()
        })
        .collect();
    let memory = Memory {
        tick: Tick { unit: TickUnit::Cycle, names: Vec::new() },
        origins,
        segments: vec![segment],
        ..Memory::default()
    };
    Plan { title: format!("{count} blocks"), memory, marks: Vec::new() }
}

fn block(name: &str, offset: u64, size: u64, alive_from: u64, alive_till: u64) -> Block {
    Block { name: Some(name.into()), offset, size, alive_from, alive_till, ..Block::default() }
}

/// Two segments with everything that the form knows: an in-place space, a ring, several origins, a fault.
pub(crate) fn small() -> Plan {
    let kib = 1024;
    let mut sram =
        Segment { name: "SRAM".into(), size: Some(64 * kib), alignment: Some(64), ..Segment::default() };
    sram.spaces = vec![
        Space {
            id: 0,
            offset: 0,
            size: 16 * kib,
            alive_from: 1,
            alive_till: 4,
            reason: SpaceReason::InPlace,
            open: false,
        },
        Space {
            id: 1,
            offset: 24 * kib,
            size: 24 * kib,
            alive_from: 3,
            alive_till: 9,
            reason: SpaceReason::Wrapped,
            open: false,
        },
    ];
    let mut conv = block("conv1", 0, 16 * kib, 1, 4);
    conv.kind = Some(Kind::Activation);
    conv.space = Some(0);
    conv.origins = vec![0];
    conv.tensor = Some(TensorRef {
        index: Some(4),
        name: Some("conv1".into()),
        dtype: Some("f32".into()),
        shape: Some(vec![1, 16, 16, 16]),
        ..TensorRef::default()
    });
    conv.written_by =
        Some(OperatorRef { index: Some(1), opcode: Some("CONV_2D".into()), ..OperatorRef::default() });
    let mut relu = block("relu1", 0, 16 * kib, 2, 4);
    relu.space = Some(0);
    relu.kind = Some(Kind::Activation);
    relu.origins = vec![0, 1, 2];
    let mut ring_a = block("ring_a", 24 * kib, 20 * kib, 3, 7);
    ring_a.space = Some(1);
    ring_a.origins = vec![3];
    let mut ring_b = block("ring_b", 44 * kib, 16 * kib, 5, 9);
    ring_b.wrap = Some(Piece { offset: 24 * kib, size: 12 * kib });
    ring_b.space = Some(1);
    ring_b.origins = vec![4];
    let mut input = block("image", 48 * kib, 12 * kib, 0, 2);
    input.kind = Some(Kind::Input);
    let mut scratch = block("im2col", 16 * kib, 5 * kib + 7, 1, 2);
    scratch.kind = Some(Kind::Scratch);
    scratch.origins = vec![0];
    let mut output = block("scores", 0, 4 * kib, 8, 12);
    output.kind = Some(Kind::Output);
    output.stays = true;
    output.origins = vec![5];
    let fault = block("late", 60 * kib, 8 * kib, 9, 11);
    sram.blocks = vec![conv, relu, ring_a, ring_b, input, scratch, output, fault];
    let mut dram = Segment { name: "DRAM".into(), ..Segment::default() };
    let mut weights = block("weights", 0, 3 << 20, 0, 12);
    weights.kind = Some(Kind::Constant);
    dram.blocks = vec![weights, block("state", 4 << 20, 1 << 20, 0, 12)];
    let names = ["conv1", "bn1", "relu1", "block/a", "block/b", "fc"];
    let origins = names
        .iter()
        .zip(0..)
        .map(|(name, id)| Origin { id, name: (*name).into(), ..Origin::default() })
        .collect();
    let memory = Memory {
        producer: Some(Producer {
            name: Some("example".into()),
            planner: Some("by hand".into()),
            ..Producer::default()
        }),
        tick: Tick { unit: TickUnit::Operator, names: Vec::new() },
        origins,
        segments: vec![sram, dram],
        ..Memory::default()
    };
    let marks = vec![Mark {
        segment: Some(0),
        block: Some(7),
        other: None,
        message: "segment \"SRAM\", block 7 \"late\": ends at 69632, beyond the segment's size of 65536"
            .into(),
        ..Default::default()
    }];
    Plan { title: "small.circle".into(), memory, marks }
}

/// Names that try to be markup, to turn text or to be too long.
pub(crate) fn hostile() -> Plan {
    let names = [
        "</script><script>window.hacked = 1</script>",
        "<img src=x onerror=\"window.hacked = 2\">",
        "nul\0bell\u{7}escape\u{1b}",
        "\u{202e}turned\u{2066}\u{2028}",
        "__proto__",
        "constructor",
        "<!-- ]]> -->&amp;\"'",
        "",
    ];
    let mut segment = Segment { name: "<b onclick=x>seg\u{202e}</b>".into(), ..Segment::default() };
    let long = "x".repeat(10_000);
    for (k, name) in names.iter().copied().chain([long.as_str()]).enumerate() {
        let k = k as u64;
        let mut b = block(name, 1024 * k, 1024, k, k + 8);
        b.origins = vec![k as u32];
        segment.blocks.push(b);
    }
    let mut origins: Vec<Origin> = names
        .iter()
        .zip(0..)
        .map(|(name, id)| Origin { id, name: (*name).into(), ..Origin::default() })
        .collect();
    origins.push(Origin { id: 8, name: long, ..Origin::default() });
    let memory = Memory {
        tick: Tick { unit: TickUnit::Operator, names: names.iter().map(|name| (*name).into()).collect() },
        origins,
        segments: vec![segment],
        ..Memory::default()
    };
    let marks = vec![Mark {
        segment: Some(0),
        block: Some(1),
        other: None,
        message: "<img src=x onerror=\"window.hacked = 3\">".into(),
        ..Default::default()
    }];
    Plan { title: "</title><script>window.hacked = 4</script>".into(), memory, marks }
}
