//! The report for people: aligned, readable at 100 columns, long names shortened in the middle.

use std::fmt::Write as _;

use super::{Equation, OriginCost, Report, TableRows};

/// Columns of a line.
const WIDTH: usize = 100;

/// Columns of a name at the least, however wide the numbers are.
const NAME: usize = 16;

/// The text.
pub fn to_text(report: &Report) -> String {
    let mut out = String::new();
    for (index, table) in report.tables.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        write_table(&mut out, table);
    }
    if report.tables.is_empty() {
        out.push_str("nothing was measured that adds up\n");
    }
    out
}

/// Control characters escaped, so that no name can break a line or drive a terminal; at most `most` characters, the
/// middle left out.
fn shorten(text: &str, most: usize) -> String {
    let mut quoted = String::new();
    // Writing to a string cannot fail.
    let _ = circle_tables::quote(&mut quoted, text);
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("").replace("\\\"", "\"");
    let letters: Vec<char> = inner.chars().collect();
    if letters.len() <= most {
        return inner;
    }
    let kept = most.saturating_sub(1);
    let (head, tail) = letters.split_at(kept.div_ceil(2).min(letters.len()));
    let tail = tail.get(tail.len().saturating_sub(kept / 2)..).unwrap_or_default();
    head.iter().chain(&['…']).chain(tail).collect()
}

/// `part` of `whole` in hundredths with one digit, for reading only; `-` where there is no whole.
fn percent(part: i128, whole: i128) -> String {
    let tenths =
        part.checked_mul(1000).filter(|_| whole > 0).map(|part| (part + whole / 2).div_euclid(whole));
    tenths.map_or_else(
        || "-".into(),
        |tenths| {
            let sign = if tenths < 0 { "-" } else { "" };
            format!("{sign}{}.{}", tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10)
        },
    )
}

/// Widths of the columns of numbers.
struct Widths {
    value: usize,
    low: usize,
    high: usize,
}

impl Widths {
    fn new(table: &TableRows) -> Self {
        let digits = |value: i128| value.to_string().len();
        let of = |column: fn(&OriginCost) -> i128, least: usize| {
            table.rows.iter().map(|row| digits(column(row))).max().unwrap_or(0).max(least)
        };
        let rest = table.rest.iter().map(|rest| digits(rest.value)).max().unwrap_or(0);
        Self {
            value: of(|row| row.share, "share".len()).max(rest),
            low: of(|row| row.low, 3),
            high: of(|row| row.high, 4),
        }
    }
}

fn write_table(out: &mut String, table: &TableRows) {
    let Equation { originals, total, .. } = table.equation;
    let unit = shorten(&table.unit, 12);
    let _ = writeln!(
        out,
        "{} in {unit} from {}; costs of several originals shared out by weights: {}",
        shorten(&table.metric, 20),
        shorten(&table.profile, 24),
        shorten(&table.weights, 16)
    );
    let _ = writeln!(
        out,
        "{total} {unit}: {} % measured for one original alone, {} % shared out, {} % for no original\n",
        percent(table.exact, total),
        percent(originals - table.exact, total),
        percent(total - originals, total)
    );
    let widths = Widths::new(table);
    let Widths { value, low, high } = widths;
    let _ = writeln!(out, "{:>value$}  {:>5}  {:>low$}  {:>high$}     original", "share", "%", "low", "high");
    for row in &table.rows {
        let mark = match (row.helper != 0, row.inferred != 0) {
            (false, false) => " ",
            (true, _) => "h",
            (false, true) => "?",
        };
        let share = percent(row.share, total);
        let head =
            format!("{:>value$}  {share:>5}  {:>low$}  {:>high$}  {mark}  ", row.share, row.low, row.high);
        let id = format!("@{} {} ", row.id, shorten(&row.opcode, 24));
        let room = WIDTH.saturating_sub(head.chars().count() + id.chars().count()).max(NAME);
        let _ = writeln!(out, "{}", format!("{head}{id}{}", shorten(&row.name, room)).trim_end());
    }
    for rest in &table.rest {
        let head = format!("{:>value$}  {:>5}  ", rest.value, percent(rest.value, total));
        let head = format!("{head}{}: ", rest.kind);
        let room = WIDTH.saturating_sub(head.chars().count()).max(NAME);
        let text = match rest.id {
            Some(id) => format!("{}  @{id} {} {}", rest.reason, rest.opcode, rest.name),
            None => rest.reason.clone(),
        };
        let _ = writeln!(out, "{head}{}", shorten(text.trim_end(), room));
    }
    legend(out, table);
    equation(out, &table.equation, &unit);
}

fn legend(out: &mut String, table: &TableRows) {
    let any = |column: fn(&OriginCost) -> i128| table.rows.iter().any(|row| column(row) != 0);
    if any(|row| row.helper) {
        out.push_str("h: part of it was measured on operators that only serve the original\n");
    }
    if any(|row| row.inferred) {
        out.push_str("?: part of it rests on relations that no pass has recorded\n");
    }
    if table.unmeasured > 0 {
        let _ = writeln!(out, "originals without a value: {}", table.unmeasured);
    }
}

/// The equation, in as many lines as it takes.
fn equation(out: &mut String, sums: &Equation, unit: &str) {
    let Equation { originals, unattributed, retired, overhead, overlap, total, holds } = sums;
    let mut terms = vec![format!("originals {originals}"), format!("+ unattributed {unattributed}")];
    let optional = [("retired", retired), ("overhead", overhead), ("overlap", overlap)];
    for (name, value) in optional {
        if *value != 0 {
            terms.push(format!("+ {name} {value}"));
        }
    }
    terms.push(format!("{} {total} {unit}", if *holds { "=" } else { "IS NOT" }));
    let mut line = String::new();
    for term in terms {
        if !line.is_empty() && line.chars().count() + term.chars().count() + 1 > WIDTH {
            let _ = writeln!(out, "{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&term);
    }
    let _ = writeln!(out, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_safe_and_short() {
        assert_eq!(shorten("abcdefghij", 7), "abc…hij");
        assert_eq!(shorten("abcdefghij", 6), "abc…ij");
        assert_eq!(shorten("a\nb\"\u{202e}", 40), "a\\nb\"\\u{202e}");
        assert_eq!(shorten("short", 5), "short");
    }

    #[test]
    fn hundredths_are_rounded_for_reading() {
        assert_eq!(percent(1, 3), "33.3");
        assert_eq!(percent(2, 3), "66.7");
        assert_eq!(percent(-1, 3), "-33.3");
        assert_eq!(percent(5, 0), "-");
        assert_eq!(percent(i128::MAX, 1), "-");
    }
}
