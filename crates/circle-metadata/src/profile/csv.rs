//! Our own form: comma separated values, one measurement a line.
//!
//! ```text
//! # model_sha256=ab12..., producer=fpga-sim 0.3
//! subgraph,op_index,metric,unit,value
//! 0,3,time,us,71.5
//! 0,3,dram_read,KiB,40
//! ```
//!
//! The heading is required; columns may stand in any order. Further columns: `instr_id` (the instruction or
//! kernel), `count` (how many measurements are behind the value), `parent` (`subgraph:op_index`, or `op_index`
//! of the same subgraph, of the operator whose value contains this one), `opcode` (kind of the operator, to be
//! checked when joined), `backend`. Lines before the heading that start with `#` hold `key=value`, several by commas
//! or spaces. Lines may end in CR LF, and a byte order mark may stand first. Lines that agree in all but
//! value, count and place are runs of one measurement: they become one row with the lower median.

use std::collections::BTreeMap;

use super::error::{ProfileFault, ValueFault, shown};
use super::row::{Form, Profile, Row, Statistic, Value, lower_median};
use super::unit::Unit;
use super::{Faulty, lines};
use crate::decimal::{exact, number};

/// Columns that must be there.
const NEEDED: [&str; 5] = ["subgraph", "op_index", "metric", "unit", "value"];

/// Columns that may be there.
const FURTHER: [&str; 5] = ["instr_id", "count", "parent", "opcode", "backend"];

/// Whether the first line that is neither empty nor a comment is our heading.
pub(super) fn is_csv(bytes: &[u8]) -> bool {
    let heading = bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#"));
    heading.and_then(|line| std::str::from_utf8(line).ok()).is_some_and(|line| {
        let mut columns = line.split(',').map(|column| column.trim().trim_matches('"'));
        let [subgraph, operator, ..] = NEEDED;
        columns.clone().any(|column| column == subgraph) && columns.any(|column| column == operator)
    })
}

pub(super) fn read(text: &str) -> Faulty<Profile> {
    let mut profile = Profile::new(Form::Csv);
    // Behind the heading every line is a row.
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        match line.trim_start().strip_prefix('#') {
            Some(comment) => pairs(comment, &mut profile.header),
            None if line.trim().is_empty() => {}
            None => break,
        }
        begin += line.len();
    }
    let mut reader = ::csv::ReaderBuilder::new()
        .flexible(true)
        .has_headers(false)
        .trim(::csv::Trim::All)
        .from_reader(text.as_bytes().get(begin..).unwrap_or_default());
    let mut record = ::csv::StringRecord::new();
    let mut columns = None;
    let mut rows: BTreeMap<Key, usize> = BTreeMap::new();
    let mut lines = LineNumbers { text, at: 0, line: 1 };
    while next(&mut reader, &mut record)? {
        let line =
            record.position().map_or(0, |position| lines.of(position.byte().saturating_add(begin as u64)));
        match &columns {
            None => columns = Some(Columns::new(&record, line, &mut profile)?),
            Some(columns) => add(&mut profile, &mut rows, &columns.cells(&record, line)?)?,
        }
    }
    if columns.is_none() {
        return Err((lines::count(text.as_bytes()) + 1, ProfileFault::Missing { field: "heading" }));
    }
    for row in &mut profile.rows {
        // One line is a value as written; several are samples.
        if row.samples.len() > 1
            && let Some(median) = lower_median(&row.samples)
        {
            row.value = Value::Integer(median);
            row.statistic = Statistic::Median;
        }
    }
    Ok(profile)
}

fn next(reader: &mut ::csv::Reader<&[u8]>, record: &mut ::csv::StringRecord) -> Faulty<bool> {
    reader.read_record(record).map_err(|error| {
        let line = error.position().map_or(0, ::csv::Position::line);
        (line, ProfileFault::Csv { text: error.to_string() })
    })
}

/// Lines of records. The parser's own count leaves out what it skips, so offsets are counted instead.
struct LineNumbers<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl LineNumbers<'_> {
    /// The line of the record that the parser says starts at `byte`: it may point at skipped lines before it.
    fn of(&mut self, byte: u64) -> u64 {
        let bytes = self.text.as_bytes();
        let mut start = usize::try_from(byte).unwrap_or(usize::MAX).min(bytes.len());
        loop {
            let rest = bytes.get(start..).unwrap_or_default();
            let end = rest.iter().position(|&byte| byte == b'\n');
            let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            match end {
                Some(end) if line.trim_ascii().is_empty() => start += end + 1,
                _ => break,
            }
        }
        self.line += lines::count(bytes.get(self.at..start).unwrap_or_default());
        self.at = self.at.max(start);
        self.line
    }
}

/// Adds `key=value` pairs of a comment. A word without `=` belongs to the value before it.
fn pairs(comment: &str, header: &mut Vec<(String, String)>) {
    for part in comment.split(',') {
        let mut open = false;
        for word in part.split_ascii_whitespace() {
            match word.split_once('=') {
                Some((key, value)) if !key.is_empty() => {
                    header.push((key.to_owned(), value.to_owned()));
                    open = true;
                }
                _ => {
                    if let Some((_, value)) = header.last_mut().filter(|_| open) {
                        value.push(' ');
                        value.push_str(word);
                    }
                }
            }
        }
    }
}

/// Where each column stands.
struct Columns {
    needed: [usize; 5],
    further: [Option<usize>; 5],
    width: usize,
}

impl Columns {
    fn new(heading: &::csv::StringRecord, line: u64, profile: &mut Profile) -> Faulty<Self> {
        for name in heading {
            if !NEEDED.contains(&name) && !FURTHER.contains(&name) {
                profile.problem(line, format!("column \"{}\" has no meaning here", shown(name)));
            }
        }
        let place = |field: &'static str| {
            let mut places = heading.iter().enumerate().filter(|(_, name)| *name == field);
            let first = places.next().map(|(place, _)| place);
            match places.next() {
                None => Ok(first),
                Some(_) => Err((line, ProfileFault::Twice { field })),
            }
        };
        let mut columns = Self { needed: [0; 5], further: [None; 5], width: heading.len() };
        for (field, column) in NEEDED.iter().zip(&mut columns.needed) {
            *column = place(field)?.ok_or((line, ProfileFault::Missing { field }))?;
        }
        for (field, column) in FURTHER.iter().zip(&mut columns.further) {
            *column = place(field)?;
        }
        Ok(columns)
    }

    fn cells<'a>(&self, record: &'a ::csv::StringRecord, line: u64) -> Faulty<Cells<'a>> {
        if record.len() > self.width {
            let text = format!("{} cells under {} headings", record.len(), self.width);
            return Err((line, ProfileFault::Csv { text }));
        }
        let mut cells = Cells { needed: [""; 5], further: [""; 5], line };
        for ((cell, &column), field) in cells.needed.iter_mut().zip(&self.needed).zip(NEEDED) {
            *cell = record.get(column).unwrap_or_default();
            if cell.is_empty() {
                if record.get(0).is_some_and(|cell| cell.starts_with('#')) {
                    let text = format!("no cell of {field}; comments stand before the heading");
                    return Err((line, ProfileFault::Csv { text }));
                }
                return Err((line, ProfileFault::value(field, "", ValueFault::Empty)));
            }
        }
        for (cell, column) in cells.further.iter_mut().zip(&self.further) {
            *cell = column.and_then(|column| record.get(column)).unwrap_or_default();
        }
        Ok(cells)
    }
}

/// The cells of one line by column; those of absent columns are empty.
struct Cells<'a> {
    needed: [&'a str; 5],
    further: [&'a str; 5],
    line: u64,
}

/// What lines must share to be runs of one measurement.
type Key = (u32, u32, String, Unit, [String; 4]);

fn add(profile: &mut Profile, rows: &mut BTreeMap<Key, usize>, cells: &Cells<'_>) -> Faulty<()> {
    let line = cells.line;
    let [subgraph, operator, metric, unit, value] = cells.needed;
    let [instruction, count, parent, opcode, backend] = cells.further;
    let fail = |field, text: &str, fault| (line, ProfileFault::value(field, text, fault));
    let index = |field, text: &str| {
        // 2^32 - 1 is what "no operator" looks like elsewhere.
        let index = text.parse::<u32>().ok().filter(|&index| index != u32::MAX);
        index.ok_or_else(|| fail(field, text, ValueFault::NotAnIndex))
    };
    let (subgraph, operator) = (index("subgraph", subgraph)?, index("op_index", operator)?);
    let (unit, scale) = Unit::parse(unit).ok_or_else(|| fail("unit", unit, ValueFault::NotAUnit))?;
    let (value, sample) = match unit {
        Unit::Percent | Unit::Ratio => {
            number(value).map_err(|fault| fail("value", value, fault))?;
            (Value::Decimal(value.to_owned()), None)
        }
        Unit::Label => (Value::Text(value.to_owned()), None),
        _ => {
            let exact = exact(value, scale).map_err(|fault| fail("value", value, fault))?;
            (Value::Integer(exact), Some(exact))
        }
    };
    let count = match count {
        "" => 1,
        text => exact(text, 1).map_err(|fault| fail("count", text, fault))?.unsigned_abs(),
    };
    let parent = match parent {
        "" => None,
        text => Some(match text.split_once(':') {
            Some((subgraph, operator)) => (index("parent", subgraph)?, index("parent", operator)?),
            None => (subgraph, index("parent", text)?),
        }),
    };
    let key = (
        subgraph,
        operator,
        metric.to_owned(),
        unit,
        [instruction, opcode, backend, cells.further[2]].map(str::to_owned),
    );
    let optional = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    match (rows.get(&key).and_then(|&row| profile.rows.get_mut(row)), sample) {
        (Some(row), Some(sample)) => {
            row.samples.push(sample);
            row.count = row.count.saturating_add(count);
        }
        (Some(row), None) => {
            let before = row.line;
            profile
                .problem(line, format!("{metric} of the operator stands in line {before} already; ignored"));
        }
        (None, _) => {
            rows.insert(key, profile.rows.len());
            profile.rows.push(Row {
                subgraph,
                operator,
                kind: optional(opcode),
                metric: metric.to_owned(),
                unit,
                value,
                statistic: Statistic::AsWritten,
                count,
                samples: sample.into_iter().collect(),
                backend: optional(backend),
                instruction: optional(instruction),
                parent,
                line,
            });
        }
    }
    Ok(())
}
