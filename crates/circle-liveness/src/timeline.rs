//! When operators run: one line of ticks for all subgraphs.
//!
//! An operator takes a tick. One that calls subgraphs (`WHILE`, `IF`, `CALL_ONCE`, and whatever else names subgraphs in
//! its options) is followed by a tick for each operator of each of them, in the order of the options: of `WHILE` the
//! condition and then the body, of `IF` both branches though only one runs. The operator lasts until the end of the last
//! of them. A subgraph without operators takes one tick, in which its inputs become its outputs.
//!
//! Subgraphs that none calls begin anew: the first one at tick 0, others, which signatures reach, behind one another. A
//! subgraph that is called in several places runs in each of them; its tensors have one address for all, so they are
//! taken to live from its first run to its last.

use circle_ir::{Model, Operator, Subgraph, SubgraphId};
use circle_tables::Kind;

use crate::error::{LivenessError, Place};
use crate::names::{Numbers, operator_name, operator_place, subgraph_place};

/// Timelines are shorter than this, so that no sum of two ticks overflows and each fits into a signed number.
const MOST_TICKS: u64 = 1 << 62;

/// From when to when an operator runs, in ticks from the start of its subgraph; the end is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// One subgraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// By position of the operator.
    pub(crate) spans: Vec<Span>,
    /// Ticks from its start to its end.
    pub(crate) length: u64,
    /// The tick at which it starts for the first time, and for the last.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// Whether no other subgraph calls it.
    pub(crate) entry: bool,
    /// Positions of operators that call, ascending, and the subgraphs that they call, in order.
    calls: Vec<(u32, usize)>,
}

/// All subgraphs.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    pub(crate) courses: Vec<Course>,
    pub(crate) ticks: u64,
    /// Subgraphs in an order in which each comes after all that it calls.
    pub(crate) callees_first: Vec<usize>,
}

impl Timeline {
    pub(crate) fn new(model: &Model) -> Result<Self, LivenessError> {
        let count = model.subgraphs().count();
        let mut courses = Vec::with_capacity(count);
        let mut called = vec![false; count];
        for (id, sg) in model.subgraphs() {
            let mut calls = Vec::new();
            for (position, (_, op)) in (0..).zip(sg.operators()) {
                let numbers = called_by(op);
                for number in numbers {
                    let callee = usize::try_from(number).ok().filter(|&callee| callee < count);
                    let Some(callee) = callee else {
                        let place = operator_place(id, sg, position, op);
                        return Err(LivenessError::NoSubgraph { place, number, count });
                    };
                    calls.push((position, callee));
                    if let Some(called) = called.get_mut(callee) {
                        *called = true;
                    }
                }
            }
            courses.push(Course { calls, ..Course::default() });
        }
        for (index, (course, called)) in courses.iter_mut().zip(called).enumerate() {
            course.entry = index == 0 || !called;
        }
        let order = callees_first(model, &courses)?;
        for &index in &order {
            measure(model, &mut courses, index)?;
        }
        let ticks = place(model, &mut courses, &order)?;
        Ok(Self { courses, ticks, callees_first: order })
    }

    /// What runs at each tick, from tick 0 on, as far as `most` names of together `bytes` bytes go.
    pub(crate) fn names(&self, model: &Model, numbers: &[Numbers], most: usize, bytes: usize) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut left = bytes;
        // Subgraph, position of the next operator, and how many of its calls were entered.
        let mut stack: Vec<(usize, usize, usize)> = Vec::new();
        for (entry, _) in self.courses.iter().enumerate().filter(|(_, course)| course.entry) {
            stack.push((entry, 0, 0));
            while let Some((index, position, entered)) = stack.pop() {
                if names.len() >= most {
                    return names;
                }
                let Some(course) = self.courses.get(index) else { continue };
                if entered == 0 {
                    let sg = model.subgraph(SubgraphId::from_number(index as u32));
                    let id = numbers.get(index).and_then(|n| n.operators.get(position));
                    let op = sg.zip(id).and_then(|(sg, &id)| Some((sg, sg.operator(id)?)));
                    let name = op.map_or_else(|| format!("subgraph {index}"), |(sg, op)| label(sg, op));
                    let Some(rest) = left.checked_sub(name.len()) else { return names };
                    left = rest;
                    names.push(name);
                }
                match course.calls(position).get(entered) {
                    Some(&(_, callee)) => {
                        stack.push((index, position, entered + 1));
                        stack.push((callee, 0, 0));
                    }
                    None if position + 1 < course.spans.len() => stack.push((index, position + 1, 0)),
                    None => {}
                }
            }
        }
        names
    }
}

impl Course {
    /// The calls of the operator at a position.
    pub(crate) fn calls(&self, position: usize) -> &[(u32, usize)] {
        let from = self.calls.partition_point(|call| (call.0 as usize) < position);
        let rest = self.calls.get(from..).unwrap_or(&[]);
        let count = rest.iter().take_while(|call| call.0 as usize == position).count();
        rest.get(..count).unwrap_or(&[])
    }
}

/// The name of an operator, or its kind if it has none.
fn label(sg: &Subgraph, op: &Operator) -> String {
    match operator_name(sg, op) {
        "" => op.code().name(),
        name => name.to_owned(),
    }
}

/// The subgraphs that an operator names in its options, in the order of the fields. Numbers that mean none are left
/// out.
fn called_by(op: &Operator) -> Vec<i64> {
    let Some(options) = op.options() else { return Vec::new() };
    let names_one = |name: &str| name == "subgraph" || name.ends_with("subgraph_index");
    let fields = options.def().fields.iter().filter(|field| names_one(field.name));
    let integers = fields.filter(|field| matches!(field.kind, Kind::Scalar(scalar) if scalar.is_integer()));
    integers.map(|field| options.int(field.name)).filter(|&number| number >= 0).collect()
}

/// Subgraphs in an order in which each comes after all that it calls.
fn callees_first(model: &Model, courses: &[Course]) -> Result<Vec<usize>, LivenessError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Open,
        Done,
    }
    let mut seen = vec![Seen::Not; courses.len()];
    let mut order = Vec::with_capacity(courses.len());
    for root in 0..courses.len() {
        // Subgraph, and how many of its calls were followed.
        let mut stack = vec![(root, 0usize)];
        while let Some((index, followed)) = stack.pop() {
            let (Some(state), Some(course)) = (seen.get_mut(index), courses.get(index)) else { continue };
            if followed == 0 {
                match *state {
                    Seen::Not => *state = Seen::Open,
                    // Entered again while it is open: found before it was pushed.
                    Seen::Open | Seen::Done => continue,
                }
            }
            let Some(&(position, callee)) = course.calls.get(followed) else {
                *state = Seen::Done;
                order.push(index);
                continue;
            };
            stack.push((index, followed + 1));
            match seen.get(callee) {
                Some(Seen::Open) => {
                    return Err(LivenessError::Recursion { place: at(model, index, position) });
                }
                Some(Seen::Not) => stack.push((callee, 0)),
                _ => {}
            }
        }
    }
    Ok(order)
}

fn at(model: &Model, index: usize, position: u32) -> Place {
    let id = SubgraphId::from_number(index as u32);
    let Some(sg) = model.subgraph(id) else { return Place::default() };
    match sg.operators().nth(position as usize) {
        Some((_, op)) => operator_place(id, sg, position, op),
        None => subgraph_place(id, sg),
    }
}

/// Spans of the operators of a subgraph whose callees have been measured.
fn measure(model: &Model, courses: &mut [Course], index: usize) -> Result<(), LivenessError> {
    let id = SubgraphId::from_number(index as u32);
    let Some(sg) = model.subgraph(id) else { return Ok(()) };
    let mut spans = Vec::with_capacity(sg.operator_count());
    let mut now = 0u64;
    for position in 0..sg.operator_count() {
        let start = now;
        now += 1;
        let callees = courses.get(index).map_or(&[][..], |course| course.calls(position));
        for &(_, callee) in callees {
            now = now.saturating_add(courses.get(callee).map_or(0, |course| course.length));
        }
        if now >= MOST_TICKS {
            return Err(LivenessError::TooLong { place: subgraph_place(id, sg) });
        }
        spans.push(Span { start, end: now });
    }
    if let Some(course) = courses.get_mut(index) {
        course.spans = spans;
        course.length = now.max(1);
    }
    Ok(())
}

/// Gives each subgraph its first and last start; the ticks of all.
fn place(model: &Model, courses: &mut [Course], order: &[usize]) -> Result<u64, LivenessError> {
    let mut ticks = 0u64;
    for (index, course) in courses.iter_mut().enumerate() {
        if course.entry {
            (course.first, course.last) = (ticks, ticks);
            ticks = ticks.saturating_add(course.length);
        } else {
            (course.first, course.last) = (u64::MAX, 0);
        }
        if ticks >= MOST_TICKS {
            return Err(LivenessError::TooLong { place: at(model, index, u32::MAX) });
        }
    }
    // Callers before callees.
    for &index in order.iter().rev() {
        let Some(course) = courses.get(index) else { continue };
        let (first, last) = (course.first, course.last);
        // Where the next call of the same operator starts.
        let (mut of, mut next) = (None, 0);
        let mut calls = Vec::with_capacity(course.calls.len());
        for &(position, callee) in &course.calls {
            if of != Some(position) {
                of = Some(position);
                next = course.spans.get(position as usize).map_or(0, |span| span.start + 1);
            }
            calls.push((next, callee));
            next += courses.get(callee).map_or(0, |course| course.length);
        }
        for (start, callee) in calls {
            if let Some(course) = courses.get_mut(callee) {
                course.first = course.first.min(first + start);
                course.last = course.last.max(last + start);
            }
        }
    }
    Ok(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Subgraph `sg0` runs `main`; `sg1` doubles, `sg2` decides.
    fn model(main: &str, more: &str) -> Model {
        let text = format!(
            "subgraph sg0 \"main\" (%0) -> (%2)\n%0: f32[1] \"a\"\n%1: f32[1] \"b\"\n%2: f32[1] \"c\"\n{main}\n{more}"
        );
        circle_ir::text::parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
    }

    fn body(number: u32) -> String {
        format!(
            "subgraph sg{number} \"body\" (%0) -> (%2)\n%0: f32[1] \"x{number}\"\n%1: f32[1] \"y{number}\"\n\
             %2: f32[1] \"z{number}\"\nop0 ABS (%0) -> %1\nop1 NEG (%1) -> %2\n"
        )
    }

    fn spans(course: &Course) -> Vec<(u64, u64)> {
        course.spans.iter().map(|span| (span.start, span.end)).collect()
    }

    #[test]
    fn an_operator_takes_a_tick() {
        let model = model("op0 ABS (%0) -> %1\nop1 NEG (%1) -> %2", "");
        let line = Timeline::new(&model).unwrap();
        assert_eq!(line.ticks, 2);
        assert_eq!(spans(&line.courses[0]), [(0, 1), (1, 2)]);
        assert_eq!(line.names(&model, &Numbers::of(&model), 9, 99), ["b", "c"]);
        assert_eq!(line.names(&model, &Numbers::of(&model), 1, 99), ["b"]);
        assert_eq!(line.names(&model, &Numbers::of(&model), 9, 1), ["b"]);
    }

    #[test]
    fn a_body_runs_within_its_caller() {
        let main = "op0 WHILE {cond_subgraph_index=1, body_subgraph_index=2} (%0) -> %1\nop1 NEG (%1) -> %2";
        let model = model(main, &(body(1) + &body(2)));
        let line = Timeline::new(&model).unwrap();
        assert_eq!(line.ticks, 6);
        assert_eq!(spans(&line.courses[0]), [(0, 5), (5, 6)]);
        assert_eq!((line.courses[1].first, line.courses[2].first), (1, 3));
        assert!(!line.courses[1].entry);
        let names = line.names(&model, &Numbers::of(&model), 9, 99);
        assert_eq!(names, ["b", "y1", "z1", "y2", "z2", "c"]);
    }

    #[test]
    fn a_body_that_is_called_twice_lives_from_the_first_call_to_the_last() {
        let call = "{then_subgraph_index=1, else_subgraph_index=1}";
        let model = model(&format!("op0 IF {call} (%0) -> %1\nop1 IF {call} (%1) -> %2"), &body(1));
        let line = Timeline::new(&model).unwrap();
        assert_eq!(line.ticks, 10);
        assert_eq!((line.courses[1].first, line.courses[1].last), (1, 8));
        assert_eq!(line.names(&model, &Numbers::of(&model), 99, 99).len(), 10);
    }

    #[test]
    fn subgraphs_that_none_calls_follow_one_another() {
        let model = model("op0 ABS (%0) -> %1\nop1 NEG (%1) -> %2", &body(1));
        let line = Timeline::new(&model).unwrap();
        assert_eq!((line.ticks, line.courses[1].first, line.courses[1].entry), (4, 2, true));
    }

    #[test]
    fn a_subgraph_that_calls_itself_is_refused() {
        let main = "op0 IF {then_subgraph_index=1, else_subgraph_index=1} (%0) -> %1\nop1 NEG (%1) -> %2";
        let looped = body(1).replace("op1 NEG", "op1 IF {then_subgraph_index=1, else_subgraph_index=1}");
        let error = Timeline::new(&model(main, &looped)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "subgraph 1 \"body\" operator 1 \"IF z1\": its subgraph calls itself, so no plan can hold it"
        );
    }

    #[test]
    fn a_subgraph_that_is_not_there_is_refused() {
        let main = "op0 IF {then_subgraph_index=7, else_subgraph_index=0} (%0) -> %1\nop1 NEG (%1) -> %2";
        let error = Timeline::new(&model(main, "")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "subgraph 0 \"main\" operator 0 \"IF b\": calls subgraph 7, there are 1"
        );
    }

    #[test]
    fn bodies_that_call_bodies_twice_each_do_not_take_forever() {
        let mut text = String::new();
        for level in 1..70 {
            let next = level + 1;
            text += &body(level)
                .replace("NEG", &format!("IF {{then_subgraph_index={next}, else_subgraph_index={next}}}"));
        }
        text += &body(70);
        let main = "op0 IF {then_subgraph_index=1, else_subgraph_index=1} (%0) -> %1\nop1 NEG (%1) -> %2";
        let error = Timeline::new(&model(main, &text)).unwrap_err();
        assert!(matches!(error, LivenessError::TooLong { .. }), "{error}");
    }
}
