//! Chrome trace events, as onert writes them with `TRACING_MODE=1`.
//!
//! ```text
//! { "traceEvents": [
//!     { "name": "@3 Conv2D", "pid": "0", "tid": "$0 sess, $0 subg, cpu", "ph": "B", "ts": "1200",
//!       "args": { "session": "0", "subgraph": "0" } },
//!     { "name": "@3 Conv2D", "pid": "0", "tid": "$0 sess, $0 subg, cpu", "ph": "E", "ts": "1950" },
//!     { } ] }
//! ```
//!
//! `@N` is the operator index, `$G subg` alone names an event of a whole subgraph; `ts` and `dur` are
//! microseconds. Values may be strings or numbers. The order of events is not that of time: onert writes one
//! subgraph after the other. `B` and `E` are paired per `pid`, `tid` and name, the last begun ended first,
//! which also holds when a backend that runs operators in parallel gives them all one `tid`. `X` events
//! bring their `dur`. An operator that ran several times has one row, with all times as samples.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::{ProfileFault, ValueFault, shown};
use super::lines::Lines;
use super::nesting::{Interval, parents};
use super::row::{Form, OtherReason, OtherRow, Profile, Row, Statistic, Value, lower_median};
use super::unit::Unit;
use super::{Faulty, kinds};
use crate::decimal::exact;

/// Nanoseconds in the microsecond of `ts` and `dur`.
const MICROSECOND: u64 = 1_000;

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow, rename = "traceEvents")]
    events: Vec<&'a RawValue>,
}

/// One event; every value may be a string or a number, so they are looked at later.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RawEvent<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    pid: Option<&'a RawValue>,
    tid: Option<&'a RawValue>,
    ph: Option<&'a RawValue>,
    ts: Option<&'a RawValue>,
    dur: Option<&'a RawValue>,
    args: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawArgs<'a> {
    #[serde(borrow)]
    session: Option<&'a RawValue>,
    model: Option<&'a RawValue>,
    subgraph: Option<&'a RawValue>,
}

pub(super) fn read(text: &str) -> Faulty<Profile> {
    let json =
        |error: serde_json::Error| (error.line() as u64, ProfileFault::Json { text: error.to_string() });
    let events = if text.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<&RawValue>>(text).map_err(json)?
    } else {
        serde_json::from_str::<Document<'_>>(text).map_err(json)?.events
    };
    let mut lines = Lines::new(text);
    let mut reader = Reader::default();
    for raw in events {
        reader.event(raw.get(), lines.of(raw.get()))?;
    }
    Ok(reader.finish())
}

/// A string, or the digits of a number; `None` for anything else.
fn scalar(raw: Option<&RawValue>) -> Option<String> {
    let text = raw?.get();
    match text.as_bytes().first()? {
        b'"' => serde_json::from_str(text).ok(),
        b'-' | b'0'..=b'9' => Some(text.to_owned()),
        _ => None,
    }
}

fn microseconds(field: &'static str, raw: Option<&RawValue>, line: u64) -> Faulty<i64> {
    let text = scalar(raw).ok_or((line, ProfileFault::Missing { field }))?;
    exact(&text, MICROSECOND).map_err(|fault| (line, ProfileFault::value(field, &text, fault)))
}

/// What an event is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Operator { subgraph: u32, operator: u32, kind: String, backend: Option<String> },
    Other { reason: OtherReason, name: String, subgraph: Option<u32> },
}

/// An event that has begun.
struct Begun {
    at: i64,
    line: u64,
}

/// All runs of one subject.
struct Runs {
    subject: Subject,
    samples: Vec<i64>,
    line: u64,
}

#[derive(Default)]
struct Reader {
    runs: Vec<Runs>,
    index: BTreeMap<Subject, usize>,
    open: BTreeMap<[String; 3], Vec<Begun>>,
    intervals: Vec<Interval>,
    session: Option<(String, String)>,
    problems: Vec<(u64, String)>,
}

impl Reader {
    fn event(&mut self, raw: &str, line: u64) -> Faulty<()> {
        if !raw.starts_with('{') {
            return Err((line, ProfileFault::expected_object(raw)));
        }
        let event: RawEvent<'_> = serde_json::from_str(raw).map_err(|error| {
            // The parser counts from the start of the event.
            (line + (error.line() as u64).saturating_sub(1), ProfileFault::Json { text: error.to_string() })
        })?;
        let Some(name) = scalar(event.name) else {
            // onert ends its list with an empty object.
            if raw.bytes().any(|byte| byte == b':') {
                self.problems.push((line, "event without a name".into()));
            }
            return Ok(());
        };
        let tid = scalar(event.tid).unwrap_or_default();
        let subject = self.subject(&name, &tid, event.args, line)?;
        let exact_time = matches!(
            subject,
            Subject::Operator { .. } | Subject::Other { reason: OtherReason::Subgraph, .. }
        );
        let phase = scalar(event.ph).unwrap_or_default();
        match phase.as_str() {
            "B" | "E" if !exact_time => self.other(subject, None, line),
            "B" => {
                let at = microseconds("ts", event.ts, line)?;
                let key = [scalar(event.pid).unwrap_or_default(), tid, name];
                self.open.entry(key).or_default().push(Begun { at, line });
            }
            "E" => {
                let end = microseconds("ts", event.ts, line)?;
                let key = [scalar(event.pid).unwrap_or_default(), tid, name];
                let Some(begun) = self.open.get_mut(&key).and_then(Vec::pop) else {
                    self.problems.push((line, format!("event \"{}\" ends but never began", shown(&key[2]))));
                    return Ok(());
                };
                if end < begun.at {
                    let event = shown(&key[2]);
                    return Err((line, ProfileFault::EndBeforeBegin { event }));
                }
                self.run(subject, begun.at, end, begun.line);
            }
            "X" if exact_time => {
                let at = microseconds("ts", event.ts, line)?;
                let duration = microseconds("dur", event.dur, line)?;
                let end = at.checked_add(duration).ok_or_else(|| {
                    let text = scalar(event.dur).unwrap_or_default();
                    (line, ProfileFault::value("dur", &text, ValueFault::TooLarge))
                })?;
                self.run(subject, at, end, line);
            }
            "X" => {
                // Nobody joins these, so digits beyond the nanosecond are no reason to refuse the file.
                let duration = scalar(event.dur).and_then(|text| exact(&text, MICROSECOND).ok());
                self.other(subject, duration, line);
            }
            _ => {
                let reason = OtherReason::NoDuration;
                self.other(Subject::Other { reason, name, subgraph: None }, None, line);
            }
        }
        Ok(())
    }

    /// What an event is about, from its name, its arguments and, for want of those, its `tid`.
    fn subject(&mut self, name: &str, tid: &str, args: Option<&RawValue>, line: u64) -> Faulty<Subject> {
        let foreign =
            || Subject::Other { reason: OtherReason::NoIndex, name: name.to_owned(), subgraph: None };
        let operator = name.strip_prefix('@').and_then(|rest| {
            let (index, kind) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((index.parse::<u32>().ok()?, kind))
        });
        let graph = graph_name(name);
        if operator.is_none() && graph.is_none() {
            return Ok(foreign());
        }
        let args = args.map(RawValue::get).filter(|args| args.starts_with('{'));
        let args: RawArgs<'_> = args.and_then(|args| serde_json::from_str(args).ok()).unwrap_or_default();
        let subgraph = match scalar(args.subgraph) {
            Some(text) => text
                .parse()
                .map_err(|_| (line, ProfileFault::value("subgraph", &text, ValueFault::NotAnIndex)))?,
            // The name of a subgraph's event says which; an operator's event has it in the `tid`.
            None => match graph.or_else(|| tid.split(", ").find_map(graph_name)) {
                Some(subgraph) => subgraph,
                None => return Ok(foreign()),
            },
        };
        let session = (scalar(args.session).unwrap_or_default(), scalar(args.model).unwrap_or_default());
        if *self.session.get_or_insert_with(|| session.clone()) != session {
            let reason = OtherReason::OtherSession;
            return Ok(Subject::Other { reason, name: name.to_owned(), subgraph: Some(subgraph) });
        }
        Ok(match operator {
            None => Subject::Other {
                reason: OtherReason::Subgraph,
                name: name.to_owned(),
                subgraph: Some(subgraph),
            },
            Some((operator, kind)) => {
                let backend = tid.rsplit(", ").next().filter(|part| !part.is_empty() && !part.contains('$'));
                let (kind, backend) = (kind.to_owned(), backend.map(str::to_owned));
                Subject::Operator { subgraph, operator, kind, backend }
            }
        })
    }

    fn runs(&mut self, subject: Subject, line: u64) -> (usize, &mut Runs) {
        let next = self.runs.len();
        let at = *self.index.entry(subject.clone()).or_insert(next);
        if at == next {
            self.runs.push(Runs { subject, samples: vec![], line });
        }
        // `at` is an index of a run that was pushed here or before.
        (at, &mut self.runs[at])
    }

    fn run(&mut self, subject: Subject, start: i64, end: i64, line: u64) {
        let key = match &subject {
            Subject::Operator { subgraph, operator, kind, .. } => {
                Some((*subgraph, *operator, kinds::runs_subgraphs(kind)))
            }
            Subject::Other { .. } => None,
        };
        let (at, runs) = self.runs(subject, line);
        runs.samples.push(end - start);
        // Samples are written at the end of an event, but the row stands where it first began.
        runs.line = runs.line.min(line);
        if let Some((subgraph, operator, calls)) = key {
            self.intervals.push(Interval { start, end, row: at, subgraph, operator, calls });
        }
    }

    fn other(&mut self, subject: Subject, duration: Option<i64>, line: u64) {
        self.runs(subject, line).1.samples.extend(duration);
    }

    fn finish(mut self) -> Profile {
        let mut profile = Profile::new(Form::ChromeTrace);
        for ([_, _, name], begun) in &self.open {
            for begun in begun {
                self.problems.push((begun.line, format!("event \"{}\" never ends", shown(name))));
            }
        }
        let (parents, unsure) = parents(self.intervals, self.runs.len());
        for row in unsure {
            if let Some(runs) = self.runs.get(row) {
                self.problems
                    .push((runs.line, "the operator ran inside several others; the first is kept".into()));
            }
        }
        self.problems.sort();
        for (line, text) in self.problems {
            profile.problem(line, text);
        }
        for (Runs { subject, samples, line }, parent) in self.runs.into_iter().zip(parents) {
            let median = lower_median(&samples);
            match (subject, median) {
                (Subject::Operator { subgraph, operator, kind, backend }, Some(median)) => {
                    profile.rows.push(Row {
                        subgraph,
                        operator,
                        kind: Some(kind).filter(|kind| !kind.is_empty()),
                        metric: "time".into(),
                        unit: Unit::Nanoseconds,
                        value: Value::Integer(median),
                        statistic: Statistic::Median,
                        count: samples.len() as u64,
                        samples,
                        backend,
                        instruction: None,
                        parent,
                        line,
                    });
                }
                (Subject::Operator { .. }, None) => {}
                (Subject::Other { reason, name, subgraph }, time) => {
                    profile.other.push(OtherRow { reason, name, subgraph, time, samples, line });
                }
            }
        }
        profile
    }
}

/// The subgraph of a phrase like `$2 subg` or `#0 model $2 subg`.
fn graph_name(phrase: &str) -> Option<u32> {
    let before = phrase.strip_suffix(" subg")?;
    before.rsplit(' ').next()?.strip_prefix('$')?.parse().ok()
}
