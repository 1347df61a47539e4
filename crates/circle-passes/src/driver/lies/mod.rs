//! Passes that lie, and what is said of each: that no pass of ours is found out proves something only if one that lies
//! would be.
//!
//! - [`words`]: rules that say what is not so, through the same doors as honest ones;
//! - [`engine`], [`tensors`]: honest rules whose patch is applied by an engine with a fault. By rules alone these lies cannot
//!   be told; see the tests of `circle-ir` that do not compile.
//!
//! Each lie is told in a small model, where everything is looked at after each patch, and again as one patch of many in a
//! long one, where that is done now and then only.

mod engine;
mod tensors;
mod words;

use std::sync::Arc;

use circle_ir::lineage::history::Run;
use circle_ir::patch::{Applied, Patch, PatchBuilder};
use circle_ir::text::parse;
use circle_ir::{Model, OpId, SubgraphId, ValueId, View};
use circle_tables::opcode;

use super::{Context, DriverError, Report, Settings, run};
use crate::rule::{Change, ModelPass, Pass, PassInfo, Rule};

/// A pass that lies, once.
struct Lie {
    info: &'static PassInfo,
    /// What it does to the ADD of the link that its lie is about.
    lies: fn(OpId, &View<'_>) -> Option<Patch>,
    /// What the engine does to that patch.
    damage: fn(&mut Model, &Applied),
}

/// A description for a pass that makes that kind of change.
const fn info(change: Change) -> PassInfo {
    let (summary, lineage) = ("lies", "untrue");
    PassInfo { name: "lying", summary, change, lineage, before: "", after: "" }
}
static FUSE: PassInfo = info(Change::Fuse);
static REPLACE: PassInfo = info(Change::Replace);
static REMOVE: PassInfo = info(Change::Remove);
static FOLD: PassInfo = info(Change::Fold);

const SG: SubgraphId = SubgraphId::from_number(0);

/// Operators of a link: EXP, ADD of a constant, RELU, NEG.
const LINK: u32 = 4;

/// A chain of links, with a graph output behind each. Operator `4 k` is the EXP of link `k`.
fn chain(links: u32) -> Model {
    let mut text = format!("%0: f32[2] \"x\"\n%{}: f32[2] \"c\" = [1.0, 2.0]\n", LINK * links + 1);
    for op in 0..LINK * links {
        text += &format!("%{}: f32[2] \"t{op}\"\n", op + 1);
    }
    for (op, code) in (0..LINK * links).zip(["EXP", "ADD", "RELU", "NEG"].into_iter().cycle()) {
        let second = if code == "ADD" { format!(", %{}", LINK * links + 1) } else { String::new() };
        text += &format!("op{op} {code} (%{op}{second}) -> %{}\n", op + 1);
    }
    let mut lines: Vec<&str> = text.lines().collect();
    lines[..=(LINK * links + 1) as usize].sort_by_key(|line| {
        line.trim_start_matches('%').split(':').next().and_then(|number| number.parse::<u32>().ok())
    });
    let text = format!("subgraph sg0 \"\" (%0) -> (%{})\n{}\n", LINK * links, lines.join("\n"));
    parse(&text).unwrap_or_else(|e| panic!("{e} in\n{text}"))
}

/// Fuses the RELU behind the ADD `at` into it; truly, if `patch` goes on to say nothing else.
fn fused(at: OpId, view: &View<'_>) -> Option<(OpId, circle_ir::OpSpec)> {
    let relu = view.only_user(*view.op(at)?.outputs().first()?)?;
    let relu_op = view.op_is(relu, opcode::RELU)?;
    let mut spec = view.op(at)?.spec().with("fused_activation_function", 1);
    spec.outputs = relu_op.outputs().to_vec();
    Some((relu, spec))
}

fn honest(at: OpId, view: &View<'_>) -> Option<Patch> {
    let (relu, spec) = fused(at, view)?;
    let mut patch = PatchBuilder::new(view, "lying");
    patch.fuse(relu, &[at], spec);
    Some(patch.finish())
}

fn no_damage(_: &mut Model, _: &Applied) {}

/// The link in which the lie is told: the last but one, if there are several.
fn place(model: &Model) -> u32 {
    let outputs = model.subgraph(SG).and_then(|sg| sg.outputs().first()).map_or(0, |v| v.number());
    (outputs / LINK).saturating_sub(2)
}

/// The ADD of that link.
fn victim(model: &Model) -> OpId {
    OpId::from_number(LINK * place(model) + 1)
}

impl Rule for Lie {
    fn info(&self) -> &'static PassInfo {
        self.info
    }
    fn anchors(&self) -> &'static [i32] {
        &[opcode::ADD]
    }
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch> {
        if at == victim(view.model()) {
            (self.lies)(at, view)
        } else if self.info.change == Change::Fuse {
            honest(at, view)
        } else {
            None
        }
    }
}

impl ModelPass for Lie {
    fn info(&self) -> &'static PassInfo {
        self.info
    }
    fn run(&self, context: &mut Context<'_>) {
        let number = if self.info.change == Change::Fuse { place(context.model()) + 1 } else { 1 };
        context.after_apply = Some((u64::from(number), self.damage));
        context.sweep(self);
    }
}

/// What is said of the pass on a model of so many links, if no more patches than that are applied.
fn told_until(lie: &'static Lie, links: u32, stop_after_patch: Option<u64>) -> Result<Report, DriverError> {
    let word = |w: &str| Arc::from(w);
    let entry = Run { tool: word("test"), version: word("0"), options: word("") };
    let settings =
        Settings { fixed_point: false, verify_each: true, stop_after_patch, log: false, run: entry };
    let none: &[u8] = &[];
    run(&mut chain(links), &none, &[Pass::Model(lie)], &settings)
}

fn told(lie: &'static Lie, links: u32) -> Option<DriverError> {
    told_until(lie, links, None).err()
}

/// Tells the lie, in a model of one link and in one of a hundred, and holds the error against what it must say: the
/// finding with the line that draws it. In that, `{k}` is the number of the k-th operator of the link, `{new}` that of the
/// one that the patch adds, `{constant}` that of what the ADD adds and `{made}` that of a tensor that the patch makes.
#[track_caller]
fn caught(lie: Lie, expected: &[&str]) {
    let lie: &'static Lie = Box::leak(Box::new(lie));
    for links in [1, 100] {
        let model = chain(links);
        let (place, operators) = (place(&model), LINK * links);
        let number = if lie.info.change == Change::Fuse { place + 1 } else { 1 };
        let mut want: Vec<String> = Vec::new();
        for text in expected {
            let mut text = text.to_string();
            for k in 0..LINK {
                text = text.replace(&format!("{{{k}}}"), &(LINK * place + k).to_string());
            }
            text = text.replace("{new}", &(operators + number - 1).to_string());
            text = text.replace("{constant}", &(operators + 1).to_string());
            text = text.replace("{made}", &(operators + 2).to_string());
            want.push(text);
        }
        let error = told(lie, links).unwrap_or_else(|| panic!("of {links} links: not found"));
        let text = error.to_string();
        assert!(text.starts_with(&format!("after pass lying (patch {number}, sg0 ")), "{text}");
        // What the note says works.
        let stopped = told_until(lie, links, Some(u64::from(number) - 1));
        assert_eq!(stopped.map(|report| report.patches), Ok(u64::from(number) - 1));
        want.push(format!("note: run with --stop_after_patch {} to keep", number - 1));
        for want in want {
            assert!(text.contains(&want), "of {links} links: {want:?} is not in\n{text}");
        }
    }
}

#[test]
fn an_honest_pass_is_not_found_fault_with() {
    static HONEST: Lie = Lie { info: &FUSE, lies: honest, damage: no_damage };
    for links in [1, 2, 100] {
        assert!(told(&HONEST, links).is_none());
    }
    let long = chain(100);
    assert_eq!(long.operator_count(), 400);
    assert_eq!((victim(&long), victim(&chain(1))), (OpId::from_number(393), OpId::from_number(1)));
}
