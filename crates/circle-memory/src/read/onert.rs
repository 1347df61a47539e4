//! The log that onert's memory planners write (`ONERT_LOG_ENABLE=1`).
//!
//! ```text
//! [ WIC_PLANNER ] claim( %10): [12288sz]     [ FF_PLANNER ] claim(%10): [+0, 12288sz]     [ BP_PLANNER ] CLAIM(%10): 0, 12288
//! [ WIC_PLANNER ] release( %10)              [ FF_PLANNER ] release(10): [+0, 12288sz]    [ BP_PLANNER ] RELEASE(%10): NOTHING does
//! [ WIC_PLANNER ] alloc( %10): [+32768, 12288sz]
//! ```
//!
//! Only the order of the lines is time: each claim and each release is one step of its plan, at which a block begins to
//! live or no longer does. Blocks that are never released stay. `%K` is the number of an operand of onert's graph, not of a
//! tensor of the file. A plan ends where an operand is claimed again, or where one is claimed after addresses were given
//! out; then the next one begins, a segment of its own, and so does each planner. Other lines are passed over.

use std::collections::{BTreeMap, HashMap};

use super::builder::Builder;
use super::detect::contains;
use super::error::{Faulty, ReadFault, at};
use super::scan::Scan;
use super::text::numbered;
use super::{Document, Form, ReadOptions, UNNAMED};
use crate::form::{Block, Producer, Segment, TickUnit};

/// Whether a line is one of a planner.
pub(super) fn is_line(line: &[u8]) -> bool {
    contains(line, b"_PLANNER") && (contains(line, b"claim(") || contains(line, b"CLAIM("))
}

/// A plan in the making.
#[derive(Debug, Default)]
struct Plan {
    /// Steps so far.
    steps: u64,
    /// Blocks in order of their claims, each with its line; the offset is not known before it is allocated.
    blocks: Vec<(u64, Block, Option<u64>)>,
    /// Position of each operand's block.
    operands: HashMap<u64, usize>,
    /// Whether addresses were given out after the claims.
    allocated: bool,
}

pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Faulty<Document> {
    let mut plans: Vec<(&str, Plan)> = Vec::new();
    // The plan that each planner is at.
    let mut current: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, text) in numbered(text) {
        let Some((planner, event)) = event(text) else { continue };
        let event = Event::parse(line, event)?;
        let plan = current.get(planner).and_then(|&at| plans.get_mut(at));
        let plan = match (plan, &event) {
            (Some((_, plan)), Event::Claim { operand, .. })
                if plan.allocated || plan.operands.contains_key(operand) =>
            {
                None
            }
            (Some((_, plan)), _) => Some(plan),
            (None, _) => None,
        };
        match plan {
            Some(plan) => plan.take(line, event)?,
            None => {
                current.insert(planner, plans.len());
                let mut plan = Plan::default();
                plan.take(line, event)?;
                plans.push((planner, plan));
            }
        }
    }
    let mut builder = Builder::new(options, TickUnit::Step);
    let planner = plans.first().map(|(planner, _)| (*planner).to_owned());
    builder.memory.producer =
        Some(Producer { name: Some("onert".to_owned()), planner, ..Producer::default() });
    let alone = plans.len() == 1;
    for (number, (planner, plan)) in plans.into_iter().enumerate() {
        let line = plan.blocks.first().map_or(0, |(line, ..)| *line);
        let name = if alone { UNNAMED.to_owned() } else { format!("{planner} {number}") };
        builder.open(Segment { name, ..Segment::default() }, line);
        let prefix = if alone { String::new() } else { format!("{number}/") };
        plan.finish(&prefix, &mut builder)?;
    }
    Ok(builder.finish(Form::OnertPlanner))
}

/// The planner of a line, and what it says.
fn event(text: &str) -> Option<(&str, &str)> {
    let (tag, event) = text.split_once(']')?;
    let (_, tag) = tag.rsplit_once('[')?;
    let planner = tag.trim().strip_suffix("_PLANNER")?;
    let event = event.trim();
    let known = ["claim(", "CLAIM(", "release(", "RELEASE(", "alloc("];
    known.iter().any(|start| event.starts_with(start)).then_some((planner, event))
}

/// What a line says.
enum Event {
    Claim { operand: u64, size: u64, offset: Option<u64> },
    Release { operand: u64 },
    Alloc { operand: u64, size: u64, offset: u64 },
}

impl Event {
    fn parse(line: u64, text: &str) -> Faulty<Self> {
        let mut scan = Scan::new(line, text);
        let bump = scan.eat("CLAIM(");
        let claim = bump || scan.eat("claim(");
        let release = !claim && (scan.eat("release(") || scan.eat("RELEASE("));
        if !claim && !release {
            scan.need("alloc(")?;
        }
        scan.eat("%");
        let operand = scan.number("operand")?;
        scan.need(")")?;
        if release {
            return Ok(Self::Release { operand });
        }
        scan.need(":")?;
        if bump {
            let offset = scan.number("offset")?;
            scan.need(",")?;
            let size = scan.number("size")?;
            scan.end()?;
            return Ok(Self::Claim { operand, size, offset: Some(offset) });
        }
        scan.need("[")?;
        let offset = if scan.eat("+") {
            let offset = scan.number("offset")?;
            scan.need(",")?;
            Some(offset)
        } else {
            None
        };
        let size = scan.number("size")?;
        scan.need("sz]")?;
        scan.end()?;
        match (claim, offset) {
            (true, offset) => Ok(Self::Claim { operand, size, offset }),
            (false, Some(offset)) => Ok(Self::Alloc { operand, size, offset }),
            (false, None) => at(line, ReadFault::Missing(format!("offset of operand %{operand}"))),
        }
    }
}

impl Plan {
    fn take(&mut self, line: u64, event: Event) -> Faulty<()> {
        let claimed = |operand: u64, operands: &HashMap<u64, usize>| match operands.get(&operand) {
            Some(at) => Ok(*at),
            None => at(line, ReadFault::Sequence(format!("operand %{operand} was not claimed"))),
        };
        match event {
            Event::Claim { operand, size, offset } => {
                self.operands.insert(operand, self.blocks.len());
                let id = Some(format!("%{operand}"));
                let block = Block { id, size, alive_from: self.steps, stays: true, ..Block::default() };
                self.blocks.push((line, block, offset));
                self.steps += 1;
            }
            Event::Release { operand } => {
                let at = claimed(operand, &self.operands)?;
                if let Some((_, block, _)) = self.blocks.get_mut(at) {
                    if !block.stays {
                        let text = format!("operand %{operand} was released before");
                        return super::error::at(line, ReadFault::Sequence(text));
                    }
                    (block.stays, block.alive_till) = (false, self.steps);
                }
                self.steps += 1;
            }
            Event::Alloc { operand, size, offset } => {
                self.allocated = true;
                let at = claimed(operand, &self.operands)?;
                if let Some((first, block, place)) = self.blocks.get_mut(at) {
                    if block.size != size {
                        let one = format!("line {first} claims {} bytes for operand %{operand}", block.size);
                        let other = format!("{size} are allocated");
                        return super::error::at(line, ReadFault::Disagree { one, other });
                    }
                    if place.replace(offset).is_some() {
                        let text = format!("operand %{operand} was allocated before");
                        return super::error::at(line, ReadFault::Sequence(text));
                    }
                }
            }
        }
        Ok(())
    }

    /// Hands the blocks on. Those that were not released live until the end of the plan.
    fn finish(self, prefix: &str, builder: &mut Builder<'_>) -> Faulty<()> {
        let segment = builder.last();
        for (line, mut block, offset) in self.blocks {
            let id = format!("{prefix}{}", block.id.as_deref().unwrap_or_default());
            let Some(offset) = offset else {
                return at(
                    line,
                    ReadFault::Sequence(format!("operand {id} is claimed, and no address is given to it")),
                );
            };
            if block.stays {
                block.alive_till = self.steps;
            }
            (block.id, block.offset) = (Some(id), offset);
            builder.push(segment, block, line);
        }
        Ok(())
    }
}
