//! Both walks for people: a tree in 100 columns, newest step first, since the reader comes from the present.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use circle_ir::lineage::claims::Role;
use circle_ir::lineage::ledger::Reason;

use super::whereabouts::{Departed, Whereabouts};
use super::why::{Claimed, Why};
use super::{Carrier, Original, RoleRow, RunRow, Step};
use crate::lines::{WIDTH, pad, safe, shorten, wrapped};

const BRANCH: &str = "├─ ";
const LAST: &str = "└─ ";
const TRUNK: &str = "│  ";
const BLANK: &str = "   ";
/// Columns of a role.
const ROLE: usize = 13;

/// Why an operator is as it is.
pub fn why_text(why: &Why) -> String {
    let mut out = carrier(&why.operator, "");
    let claimed = why.originals.iter().map(|claimed| &claimed.original);
    let known = labels(claimed.chain(&why.others));
    let sections =
        [!why.steps.is_empty(), !why.measured.is_empty(), why.unknown.is_some(), !why.originals.is_empty()];
    let last = sections.iter().rposition(|&there| there);
    let open = |section: usize, head: &str, out: &mut String| {
        let (mark, guide) = if last == Some(section) { (LAST, BLANK) } else { (BRANCH, TRUNK) };
        let _ = writeln!(out, "{mark}{head}");
        guide
    };
    if !why.steps.is_empty() {
        let guide = open(0, "steps, newest first", &mut out);
        steps(&mut out, guide, &why.steps, &known, &left(why.steps_more, "earlier steps"));
    }
    if !why.measured.is_empty() {
        let guide = open(1, "measured", &mut out);
        let more = left(why.measured_more, "values");
        for (mark, value) in marked(&why.measured, more.is_some()) {
            let over = value.over.iter().map(|id| format!("@{id}"));
            let over: Vec<String> = over.chain(more_text(value.over_more)).collect();
            let number = match &value.value {
                serde_json::Value::String(text) => shorten(text, 24),
                number => number.to_string(),
            };
            let unit = if value.unit.is_empty() { String::new() } else { format!(" {}", safe(&value.unit)) };
            let text = format!(
                "{} {number}{unit} over {} ({})",
                shorten(&value.name, 24),
                over.join(", "),
                safe(&value.from)
            );
            wrapped(&mut out, &format!("{guide}{mark}"), text.split(' '));
        }
        end(&mut out, guide, more.as_deref());
    }
    if let Some(reason) = &why.unknown {
        let guide = open(2, "unknown", &mut out);
        wrapped(&mut out, &format!("{guide}{LAST}"), safe(reason).split(' '));
    }
    if !why.originals.is_empty() {
        let guide = open(3, "stands for", &mut out);
        let mut numbers = BTreeMap::new();
        let mut files: Vec<Vec<&Claimed>> = Vec::new();
        for claimed in &why.originals {
            let file = (claimed.original.file.as_ref(), claimed.original.md5.as_ref());
            let number = *numbers.entry(file).or_insert(files.len());
            match files.get_mut(number) {
                Some(here) => here.push(claimed),
                None => files.push(vec![claimed]),
            }
        }
        let more = left(why.originals_more, "originals");
        for (mark, here) in marked(&files, more.is_some()) {
            let file = here.first().map(|claimed| &claimed.original);
            let name = file.and_then(|original| original.file.as_ref());
            let _ = writeln!(
                out,
                "{guide}{mark}{}",
                file_text(name, file.and_then(|original| original.md5.as_ref()))
            );
            let guide = format!("{guide}{}", if mark == LAST { BLANK } else { TRUNK });
            for (mark, claimed) in marked(here, false) {
                let head = format!("{guide}{mark}{} ", pad(&role_text(&claimed.role), ROLE));
                let place = match claimed.original.operator {
                    Some(operator) => format!("  sg{}:{operator}", claimed.original.subgraph),
                    None => String::new(),
                };
                let room = WIDTH.saturating_sub(head.chars().count() + place.chars().count());
                let _ = writeln!(out, "{head}{}{place}", original_text(&claimed.original, room));
            }
        }
        end(&mut out, guide, more.as_deref());
    }
    out
}

/// Where an original is now.
pub fn whereabouts_text(found: &Whereabouts) -> String {
    let mut out = format!("{}\n", original_text(&found.original, WIDTH));
    let place = match found.original.operator {
        Some(operator) => format!(", sg{}:{operator}", found.original.subgraph),
        None => String::new(),
    };
    let file = file_text(found.original.file.as_ref(), found.original.md5.as_ref());
    let _ = writeln!(out, "{TRUNK}{file}{place}");
    let known = labels(std::iter::once(&found.original));
    let more = [
        left(found.operators_more, "operators"),
        left(found.constants_more, "constants"),
        left(found.departures_more, "departures"),
    ];
    let listed = found.operators.len() + found.constants.len() + found.departures.len();
    let count = listed + more.iter().flatten().count();
    let mut index = 0;
    let mut next = || {
        index += 1;
        if index == count { (LAST, BLANK) } else { (BRANCH, TRUNK) }
    };
    for hit in &found.operators {
        let (mark, guide) = next();
        let head = format!("{mark}{} ", pad(&role_text(&hit.role), ROLE));
        out.push_str(&carrier(&hit.operator, &head));
        steps(&mut out, guide, &hit.steps, &known, &cut(hit.steps_cut));
    }
    for hit in &found.constants {
        let (mark, guide) = next();
        let head =
            format!("{mark}{} sg{} tensor {} ", pad(&role_text(&hit.role), ROLE), hit.subgraph, hit.tensor);
        let room = WIDTH.saturating_sub(head.chars().count());
        let _ = writeln!(out, "{head}{}", shorten(&hit.name, room.max(8)));
        steps(&mut out, guide, &hit.steps, &known, &cut(hit.steps_cut));
    }
    for Departed { reason, role, step } in &found.departures {
        let (mark, guide) = next();
        let _ = match (*reason == Reason::Untraced.name(), role.role == Role::Unknown.name()) {
            (true, _) => writeln!(out, "{mark}untraced: nothing tells whether it has left"),
            (false, true) => writeln!(out, "{mark}left: {reason}"),
            (false, false) => {
                writeln!(
                    out,
                    "{mark}{} until then {}",
                    pad(&format!("left: {reason}"), ROLE),
                    role_text(role)
                )
            }
        };
        steps(&mut out, guide, step.as_slice(), &known, &None);
    }
    for text in more.iter().flatten() {
        let _ = writeln!(out, "{}{text}", next().0);
    }
    if count == 0 {
        let _ = writeln!(out, "{LAST}nothing carries it, and the ledger does not know it");
    }
    out
}

/// Each with its mark; the last has that of the last unless something follows.
fn marked<T>(items: &[T], more: bool) -> impl Iterator<Item = (&'static str, &T)> {
    let last = items.len().saturating_sub(1);
    items.iter().enumerate().map(move |(i, item)| (if i == last && !more { LAST } else { BRANCH }, item))
}

/// What stands for `count` things that are not listed.
fn left(count: u64, what: &str) -> Option<String> {
    (count > 0).then(|| format!("and {count} more {what} that are not listed"))
}

fn cut(cut: bool) -> Option<String> {
    cut.then(|| "and earlier steps that are not listed".to_owned())
}

/// What stands at the end of a list of ids for `count` others.
fn more_text(count: u64) -> Option<String> {
    (count > 0).then(|| format!("and {count} more"))
}

fn end(out: &mut String, guide: &str, more: Option<&str>) {
    if let Some(more) = more {
        let _ = writeln!(out, "{guide}{LAST}{more}");
    }
}

/// What originals are called where a step took them. Made once, for each may stand at each step.
fn labels<'a>(originals: impl Iterator<Item = &'a Original>) -> BTreeMap<u32, String> {
    originals.map(|original| (original.id, original_text(original, 44))).collect()
}

fn carrier(operator: &Carrier, head: &str) -> String {
    let start =
        format!("{head}sg{}:{} {} ", operator.subgraph, operator.operator, shorten(&operator.opcode, 32));
    let room = WIDTH.saturating_sub(start.chars().count());
    format!("{}\n", format!("{start}{}", shorten(&operator.name, room.max(8))).trim_end())
}

fn role_text(role: &RoleRow) -> String {
    match (role.part, role.parts) {
        (Some(part), Some(parts)) => format!("{} {part}/{parts}", role.role),
        _ => role.role.to_owned(),
    }
}

fn file_text(name: Option<&String>, md5: Option<&String>) -> String {
    match (name, md5) {
        (Some(name), Some(md5)) => format!("{} md5 {md5}", shorten(name, 50)),
        _ => "a file that the lineage does not name".into(),
    }
}

fn original_text(original: &Original, room: usize) -> String {
    let opcode = shorten(&original.opcode, 32);
    let start = format!("@{} {opcode}{}", original.id, if opcode.is_empty() { "" } else { " " });
    let room = room.saturating_sub(start.chars().count());
    format!("{start}{}", shorten(&original.name, room.max(8)))
}

fn run_text(run: &RunRow) -> String {
    let text = format!("{} {} {}", safe(&run.tool), safe(&run.version), safe(&run.options));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn steps(
    out: &mut String,
    guide: &str,
    steps: &[Step],
    known: &BTreeMap<u32, String>,
    more: &Option<String>,
) {
    let last = steps.len().saturating_sub(1);
    for (index, step) in steps.iter().rev().enumerate() {
        let (mark, below) = if index == last && more.is_none() { (LAST, BLANK) } else { (BRANCH, TRUNK) };
        let more_steps = (step.after_more > 0).then(|| format!("{} more", step.after_more));
        let after = step.after.iter().map(|id| format!("step {id}")).chain(more_steps);
        let after = match after.collect::<Vec<_>>().join(" and ") {
            after if after.is_empty() => after,
            after => format!(", after {after}"),
        };
        let head = format!("step {} {} ({}){after}", step.step, safe(&step.pass), step.action);
        wrapped(out, &format!("{guide}{mark}"), head.split(' '));
        let inner = format!("{guide}{below}");
        let took = step.took.iter().map(|id| known.get(id).cloned().unwrap_or_else(|| format!("@{id}")));
        let took: Vec<String> = took.chain(more_text(step.took_more)).collect();
        let last = took.len().saturating_sub(1);
        let took: Vec<String> =
            took.into_iter().enumerate().map(|(i, t)| if i == last { t } else { format!("{t},") }).collect();
        wrapped_with(out, &inner, "took ", took.iter().map(String::as_str));
        wrapped_with(out, &inner, "run ", run_text(&step.run).split(' '));
    }
    end(out, guide, more.as_deref());
}

/// Words after a guide and a head; the guide goes on in every line.
fn wrapped_with<'a>(out: &mut String, guide: &str, head: &str, words: impl Iterator<Item = &'a str>) {
    let mut text = String::new();
    wrapped(&mut text, &format!("{}{head}", " ".repeat(guide.chars().count())), words);
    let skip = guide.chars().count();
    for line in text.lines() {
        let rest: String = line.chars().skip(skip).collect();
        let _ = writeln!(out, "{guide}{rest}");
    }
}
