//! Models for tests, and lifetimes in short.

use circle_ir::Model;
use circle_liveness::{Arena, Item, Liveness, Options, What, lifetimes};

/// A model of one subgraph. `tensors` are types by number, from `%0` on; their names are `t0`, `t1` and so on.
pub(crate) fn model(signature: &str, tensors: &[&str], operators: &str) -> Model {
    parse(&subgraph(0, signature, tensors, operators))
}

/// A subgraph in text form.
pub(crate) fn subgraph(number: u32, signature: &str, tensors: &[&str], operators: &str) -> String {
    let mut text = format!("subgraph sg{number} \"s{number}\" {signature}\n");
    for (number, tensor) in tensors.iter().enumerate() {
        let (ty, rest) = tensor.split_once(' ').unwrap_or((tensor, ""));
        text += &format!("%{number}: {ty} \"t{number}\" {rest}\n");
    }
    text + operators + "\n"
}

pub(crate) fn parse(text: &str) -> Model {
    circle_ir::text::parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// The lifetimes, one line a block: `0:%2 8 bytes 1..3`, those that share memory behind one another.
pub(crate) fn shown(model: &Model, options: &Options) -> Vec<String> {
    let liveness = lifetimes(model, options).unwrap_or_else(|error| panic!("{error}"));
    liveness
        .units
        .iter()
        .map(|unit| {
            let members = unit.members.iter().map(|&index| member(&liveness, index));
            members.collect::<Vec<_>>().join(" = ")
        })
        .collect()
}

fn member(liveness: &Liveness, index: usize) -> String {
    let item = &liveness.items[index];
    let what = match item.what {
        What::Tensor(v) => v.to_string(),
        What::Scratch(op, piece) => format!("{op}.{piece}"),
    };
    let stays = if item.stays { " stays" } else { "" };
    let sg = item.subgraph.number();
    format!("{sg}:{what} {} {}..{}{stays}", item.size, item.from, item.till)
}

/// What lies where: the name of its arena, the offset in it, and all that is known of the item, in a fixed order.
pub(crate) fn placed(liveness: &Liveness, arenas: &[Arena]) -> Vec<(String, u64, Item)> {
    let mut all = Vec::new();
    for arena in arenas {
        for (&unit, &offset) in arena.units.iter().zip(&arena.offsets) {
            let items = liveness.units[unit].members.iter().map(|&item| liveness.items[item].clone());
            all.extend(items.map(|item| (arena.name.clone(), offset, item)));
        }
    }
    all.sort_by_key(|(_, _, item)| match item.what {
        What::Tensor(v) => (item.subgraph.number(), 0, v.number(), 0),
        What::Scratch(op, piece) => (item.subgraph.number(), 1, op.number(), piece),
    });
    all
}
