//! Beside the plots: what colours and marks mean, what is alive at the peak or what differs, what is wrong.

use super::chart::Chart;
use super::mass::Mass;
use super::paint::Class;
use super::place::{Area, Place};
use super::svg_names::PARTS;
use super::svg_panel::alarm;
use super::svg_table;
use crate::palette::{Skin, skin};
use crate::text::{grouped, shorten, xml};
use crate::text_metrics::{Weight, fit, width as width_of};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Height of a line.
pub(super) const LINE: f64 = 16.0;
/// Most classes in the legend, in two columns.
const CLASSES: usize = 20;
/// Most faults that are listed.
const FAULTS: usize = 6;

/// Writes the side column.
pub(super) fn write(out: &mut String, chart: &Chart<'_>, place: &Place) {
    let s = skin(chart.options.theme);
    let Area { x, y, width, height } = place.side;
    let end = y + height;
    let mut y = y + 4.0;
    y = legend(out, chart, x, y, width, &s);
    y = signs(out, chart, x, y + 4.0, width, &s);
    y = faults(out, chart, false, (x, y), width, &s);
    y = faults(out, chart, true, (x, y), width, &s);
    svg_table::write(out, chart, Area { x, y: y + 8.0, width, height: end - y - 8.0 });
}

/// A line of text; `bold` for headings. What is cut in its middle to fit has all of it as a title, which viewers show where
/// the pointer rests.
pub(super) fn line(out: &mut String, x: f64, y: f64, room: f64, text: &str, bold: bool, s: &Skin) {
    tailed(out, (x, y), room, (text, ""), bold, s);
}

/// The same with a tail that is not cut.
pub(super) fn tailed(
    out: &mut String,
    (x, y): (f64, f64),
    room: f64,
    (text, tail): (&str, &str),
    bold: bool,
    s: &Skin,
) {
    let (weight, style) = if bold { (Weight::Bold, " font-weight=\"bold\"") } else { (Weight::Regular, "") };
    let shown = match tail {
        "" => fit(text, 11.0, weight, room),
        _ => format!("{}{tail}", fit(text, 11.0, weight, room - width_of(tail, 11.0, weight))),
    };
    written(out, (x, y), style, &shown, &shorten(text, usize::MAX), s);
}

/// Writes what is shown of a text, with all of it as a title where that is more.
fn written(out: &mut String, (x, y): (f64, f64), style: &str, shown: &str, whole: &str, s: &Skin) {
    let title = if shown == whole { String::new() } else { format!("<title>{}</title>", xml(whole)) };
    let _ =
        writeln!(out, "<text x=\"{x}\" y=\"{y}\"{style} fill=\"{}\">{title}{}</text>", s.text, xml(shown));
}

/// Labels cut to fit. Those that would be cut to the same are told apart by what follows their common beginning.
fn labels(names: &[&str], room: f64) -> Vec<String> {
    let cut = |text: &str| fit(text, 11.0, Weight::Regular, room);
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        alike.entry(cut(name)).or_default().push(name);
    }
    let label = |name: &&str| {
        let shown = cut(name);
        let others = alike.get(&shown).map_or(&[][..], Vec::as_slice);
        let common = |other: &&&str| name.char_indices().zip(other.chars()).find(|((_, a), b)| a != b);
        let differs = others.iter().filter_map(|other| common(&other)).map(|((at, _), _)| at).min();
        // From the last sign before that which parts names.
        let begin = differs.and_then(|at| name.get(..at)?.rfind(PARTS)).and_then(|at| name.get(at..));
        begin.map_or(shown, |rest| cut(&format!("…{}", rest.trim_start_matches(PARTS))))
    };
    names.iter().map(label).collect()
}

/// A patch of a class's colour.
pub(super) fn swatch(out: &mut String, x: f64, y: f64, class: &Class, s: &Skin) {
    let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"14\" height=\"10\" rx=\"2\"");
    let _ = write!(out, "{rect} fill=\"{}\" stroke=\"{}\" stroke-width=\"0.6\"/>", class.colour, s.border);
    if class.hatched {
        let _ = write!(out, "{rect} fill=\"url(#hatch)\"/>");
    }
}

/// A patch that looks like what is reserved of a space and taken by no block.
pub(super) fn reserved_swatch(out: &mut String, x: f64, y: f64, s: &Skin) {
    let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"14\" height=\"10\" fill=\"{}\"/>", s.blank);
    outline_swatch(out, x, y, "url(#reserved)", s);
}

fn outline_swatch(out: &mut String, x: f64, y: f64, fill: &str, s: &Skin) {
    let _ = write!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"14\" height=\"10\" fill=\"{fill}\" stroke=\"{}\" stroke-dasharray=\"3 2\"/>",
        s.text
    );
}

fn legend(out: &mut String, chart: &Chart<'_>, x: f64, y: f64, width: f64, s: &Skin) -> f64 {
    let paint = &chart.paint;
    let used: Vec<&Class> = paint.classes.iter().filter(|class| class.weight > Mass::default()).collect();
    if used.is_empty() {
        return y;
    }
    line(out, x, y + 10.0, width, paint.caption, true, s);
    let mut y = y + LINE;
    // The heaviest are named; they stand in their own order.
    let mut heavy: Vec<usize> = (0..used.len()).collect();
    heavy.sort_by_key(|k| std::cmp::Reverse(used[*k].weight));
    heavy.truncate(CLASSES);
    heavy.sort_unstable();
    let more = used.len() - heavy.len();
    let lines = heavy.len().div_ceil(2);
    let half = width / 2.0;
    let names: Vec<&str> = heavy.iter().map(|k| used[*k].label.as_str()).collect();
    let labels = labels(&names, half - 26.0);
    for (position, (k, label)) in heavy.into_iter().zip(labels).enumerate() {
        let (column, row) = (position / lines, position % lines);
        let (left, top) = (x + half * column as f64, y + LINE * row as f64);
        swatch(out, left, top + 1.0, used[k], s);
        let whole = shorten(&used[k].label, usize::MAX);
        written(out, (left + 20.0, top + 10.0), "", &label, &whole, s);
    }
    y += LINE * lines as f64;
    if more > 0 {
        line(
            out,
            x,
            y + 10.0,
            width,
            &format!("and {} more, each in its own colour", grouped(more as i128)),
            false,
            s,
        );
        y += LINE;
    }
    y
}

/// Marks that do not depend on colour, as far as there are any.
fn signs(out: &mut String, chart: &Chart<'_>, x: f64, mut y: f64, width: f64, s: &Skin) -> f64 {
    let segments = || chart.panels.iter().map(|panel| &panel.segment);
    let spaces = |open: bool| segments().any(|segment| segment.spaces.iter().any(|space| space.open == open));
    if spaces(false) {
        reserved_swatch(out, x, y + 1.0, s);
        let text = "space reserved for its blocks; striped where none lies";
        line(out, x + 20.0, y + 10.0, width - 20.0, text, false, s);
        y += LINE;
    }
    if spaces(true) {
        outline_swatch(out, x, y + 1.0, "none", s);
        let text = "open space: what its blocks leave is free for others";
        line(out, x + 20.0, y + 10.0, width - 20.0, text, false, s);
        y += LINE;
    }
    if segments().any(|segment| segment.blocks.iter().any(|block| block.wrap.is_some())) {
        let _ = write!(
            out,
            "<path d=\"M{0} {1}C{2} {1} {2} {3} {0} {3}\" fill=\"none\" stroke=\"{4}\" stroke-width=\"1.2\"/><circle cx=\"{0}\" cy=\"{1}\" r=\"1.8\" fill=\"{4}\"/><circle cx=\"{0}\" cy=\"{3}\" r=\"1.8\" fill=\"{4}\"/>",
            x + 11.0,
            y + 2.0,
            x + 2.0,
            y + 11.0,
            s.text
        );
        line(
            out,
            x + 20.0,
            y + 10.0,
            width - 20.0,
            "↻ one block in two pieces, around the end of its space",
            false,
            s,
        );
        y += LINE;
    }
    y
}

/// Tells the faults, or the warnings.
fn faults(
    out: &mut String,
    chart: &Chart<'_>,
    warnings: bool,
    (x, mut y): (f64, f64),
    width: f64,
    s: &Skin,
) -> f64 {
    // Where there are several, each with the name of its file or segment.
    let of_files = chart.marks.iter().map(|(plan, mark)| {
        let title = chart.plans.get(*plan).map_or("", |plan| plan.title.as_str());
        ((chart.plans.len() > 1).then_some(title), *mark)
    });
    let of_segments = chart.panels.iter().flat_map(|panel| {
        let name = (chart.panels.len() > 1).then_some(panel.segment.name.as_str());
        panel.marks.iter().map(move |mark| (name, *mark))
    });
    let marks: Vec<_> = of_files.chain(of_segments).filter(|(_, mark)| mark.warning == warnings).collect();
    if marks.is_empty() {
        return y;
    }
    let colour = alarm(chart.options.theme);
    y += 6.0;
    let total = marks.iter().fold(0usize, |sum, (_, mark)| sum.saturating_add(mark.count()));
    let least = if marks.iter().any(|(_, mark)| mark.at_least) { "at least " } else { "" };
    let count = match (total, warnings) {
        (1, false) => "one fault".to_owned(),
        (1, true) => "one warning".to_owned(),
        (_, false) => format!("{least}{} faults", grouped(total as i128)),
        (_, true) => format!("{least}{} warnings", grouped(total as i128)),
    };
    let colour = if warnings { s.text.to_string() } else { colour.to_owned() };
    let _ = writeln!(
        out,
        "<circle cx=\"{}\" cy=\"{}\" r=\"6.5\" fill=\"{colour}\"/><text x=\"{}\" y=\"{}\" font-size=\"10\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{}\">!</text>",
        x + 7.0,
        y + 6.0,
        x + 7.0,
        y + 9.7,
        s.background
    );
    line(out, x + 20.0, y + 10.0, width - 20.0, &count, true, s);
    y += LINE;
    for (name, mark) in marks.iter().take(FAULTS) {
        let mut text = shorten(&mark.message, 300);
        if let Some(name) = name.filter(|name| !mark.message.contains(name)) {
            text = format!("{}: {text}", shorten(name, 40));
        }
        for part in wrapped(&text, width) {
            line(out, x, y + 10.0, width, &part, false, s);
            y += LINE;
        }
    }
    let told = marks.iter().take(FAULTS).fold(0usize, |sum, (_, mark)| sum.saturating_add(mark.count()));
    if total > told {
        line(out, x, y + 10.0, width, &format!("and {} more", grouped((total - told) as i128)), false, s);
        y += LINE;
    }
    y
}

/// A text in at most three lines, broken at spaces; what does not fit is shortened when it is drawn.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let count = lines.len();
        let Some(last) = lines.last_mut() else { break };
        let longer = format!("{last}{}{word}", if last.is_empty() { "" } else { " " });
        if last.is_empty() || count == 3 || width_of(&longer, 11.0, Weight::Regular) <= room {
            *last = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
