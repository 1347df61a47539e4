//! Tables whose numbers add up exactly: blocks alive at the peak, or differences by layer.

use super::axis::change;
use super::chart::{Chart, Panel};
use super::names::{block_name, layers, reason_name, tick_word};
use super::place::Area;
use super::svg_panel::percent;
use super::svg_side::{LINE, line, reserved_swatch, swatch, tailed};
use crate::palette::{Skin, skin};
use crate::text::{grouped, grouped_bytes, shorten, xml};
use crate::text_metrics::{Weight, fit, width};
use circle_memory::analysis::{AliveBlock, Comparison, OriginChange, ReservedSpace};
use circle_memory::is_unplanned;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Writes the tables of all panels, or of all pairs, one below the other.
pub(super) fn write(out: &mut String, chart: &Chart<'_>, area: Area) {
    let s = skin(chart.options.theme);
    let tables = match &chart.pairs {
        Some(pairs) => pairs.len(),
        None => chart.panels.len(),
    };
    // Each has a heading, a sum and room for a few lines; what is not shown is said.
    let least = 6.0 * LINE + 14.0;
    let shown = tables.min((area.height / least).max(1.0) as usize);
    let each = (area.height - if shown < tables { LINE } else { 0.0 }) / shown.max(1) as f64;
    let mut y = area.y;
    for number in 0..shown {
        // A table that needs less leaves its room to the next ones.
        let room = (area.y + each * (number + 1) as f64 - y).max(least);
        let part = Area { y, height: room, ..area };
        y = match &chart.pairs {
            Some(pairs) => pairs.get(number).map_or(y, |(c, ..)| differences(out, c, tables > 1, part, &s)),
            None => chart.panels.get(number).map_or(y, |panel| alive(out, chart, number, panel, part, &s)),
        };
    }
    if shown < tables {
        let text = format!("{} more segments have their tables in the page", tables - shown);
        line(out, area.x, y + 10.0, area.width, &text, false, &s);
    }
}

/// Lines of a table that fit into a height, besides heading, gaps and sum.
fn lines(height: f64, fixed: f64) -> usize {
    ((height - 14.0) / LINE - fixed).max(1.0) as usize
}

fn number(out: &mut String, right: f64, y: f64, text: &str, bold: bool, s: &Skin) {
    let style = if bold { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(
        out,
        "<text x=\"{right}\" y=\"{y}\" text-anchor=\"end\"{style} fill=\"{}\">{}</text>",
        s.text,
        xml(text)
    );
}

fn rule(out: &mut String, area: &Area, y: f64, s: &Skin) {
    let _ = writeln!(
        out,
        "<path d=\"M{} {y}h{}\" stroke=\"{}\" stroke-width=\"0.8\"/>",
        area.x, area.width, s.line
    );
}

/// A line of the table of what is alive.
enum Row {
    Block(AliveBlock),
    /// What a closed space has reserved and no block takes.
    Rest(ReservedSpace),
}

impl Row {
    fn bytes(&self) -> u64 {
        match self {
            Row::Block(held) => held.bytes,
            Row::Rest(rest) => rest.bytes,
        }
    }
}

/// What holds bytes at the peak, most first.
fn rows(panel: &Panel<'_>) -> Vec<Row> {
    let rests = panel.alive.reserved.iter().filter(|rest| rest.bytes > 0);
    let mut rows: Vec<Row> = panel.alive.blocks.iter().copied().map(Row::Block).collect();
    rows.extend(rests.copied().map(Row::Rest));
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytes()));
    rows
}

fn alive(
    out: &mut String,
    chart: &Chart<'_>,
    position: usize,
    panel: &Panel<'_>,
    area: Area,
    s: &Skin,
) -> f64 {
    let right = area.x + area.width;
    // Where blocks have no offsets yet, none holds any byte.
    let Some(at) = panel.figures.peak_tick.filter(|_| !is_unplanned(&panel.segment)) else { return area.y };
    let when = format!("{} {}", tick_word(panel.unit), grouped(at.into()));
    let mut heading = format!("alive at the peak, {when}");
    if chart.panels.len() > 1 {
        let title = chart.plans.get(panel.plan).map_or("", |plan| plan.title.as_str());
        let plan = if chart.plans.len() > 1 { format!("{} · ", shorten(title, 30)) } else { String::new() };
        let owner = format!("{plan}{}", shorten(&panel.segment.name, 30));
        // Whose table it is must be read; what it holds can be said in fewer words.
        let room = |tail: &str| area.width - 50.0 - width(tail, 11.0, Weight::Bold);
        let mut tail = format!(": {heading}");
        if width(&owner, 11.0, Weight::Bold) > room(&tail) {
            tail = format!(": peak, {when}");
        }
        heading = format!("{}{tail}", fit(&owner, 11.0, Weight::Bold, room(&tail)));
    }
    line(out, area.x, area.y + 10.0, area.width - 50.0, &heading, true, s);
    number(out, right, area.y + 10.0, "bytes", false, s);
    let mut y = area.y + LINE;
    rule(out, &area, y - 2.0, s);

    let none = BTreeMap::new();
    let origins = chart.origins.get(panel.plan).unwrap_or(&none);
    let rows = rows(panel);
    let most = lines(area.height, 4.0);
    let shown = if rows.len() > most { most.saturating_sub(1) } else { rows.len() };
    let sum_width = width(&grouped_bytes(panel.alive.top), 11.0, Weight::Bold) + 12.0;
    let room = area.width - 20.0 - sum_width;
    let labels: Vec<Option<Label>> = rows[..shown]
        .iter()
        .map(|row| {
            let Row::Block(held) = row else { return None };
            let block = panel.segment.blocks.get(held.block)?;
            let place = panel.place(held.block);
            let name = block_name(block, place, origins).into_owned();
            Some(Label::new((name, layers(block, origins)), place, room))
        })
        .collect();
    // Rows of several names that are cut to the same have their numbers.
    let mut whole: BTreeMap<&(String, String), BTreeSet<(&str, &str)>> = BTreeMap::new();
    for label in labels.iter().flatten() {
        whole.entry(&label.cut).or_default().insert((&label.name, &label.from));
    }
    for (row, label) in rows[..shown].iter().zip(&labels) {
        let (held, row) = match (row, label) {
            (Row::Block(held), Some(label)) => (held, label),
            (Row::Block(_), None) => continue,
            (Row::Rest(rest), _) => {
                if let Some(space) = panel.segment.spaces.get(rest.space) {
                    reserved_swatch(out, area.x, y + 1.0, s);
                    let name = format!("rest of space {}, {}", space.id, reason_name(space.reason));
                    line(out, area.x + 20.0, y + 10.0, room, &name, false, s);
                    number(out, right, y + 10.0, &grouped(rest.bytes.into()), false, s);
                }
                y += LINE;
                continue;
            }
        };
        let Some(block) = panel.segment.blocks.get(held.block) else { continue };
        if let Some(class) = chart.paint.get(chart.paint.class(position, held.block)) {
            swatch(out, area.x, y + 1.0, class, s);
        }
        let again = whole.get(&row.cut).is_some_and(|names| names.len() > 1);
        let tail = if again { format!(" #{}", row.place) } else { String::new() };
        tailed(out, (area.x + 20.0, y + 10.0), row.half, (&row.name, &tail), false, s);
        if !row.cut.1.is_empty() {
            let _ = writeln!(
                out,
                "<text x=\"{:.2}\" y=\"{}\" fill=\"{}\">{}</text>",
                area.x + 26.0 + row.half,
                y + 10.0,
                s.faint,
                xml(&row.cut.1)
            );
        }
        let text =
            if held.bytes == 0 && block.size > 0 { "shared".to_owned() } else { grouped(held.bytes.into()) };
        number(out, right, y + 10.0, &text, false, s);
        y += LINE;
    }
    let others = &rows[shown..];
    if !others.is_empty() {
        let sum: u128 = others.iter().map(|row| u128::from(row.bytes())).sum();
        let count = grouped(others.len() as i128);
        line(
            out,
            area.x + 20.0,
            y + 10.0,
            area.width,
            &format!("{count} other{}", if others.len() == 1 { "" } else { "s" }),
            false,
            s,
        );
        number(out, right, y + 10.0, &grouped_bytes(sum), false, s);
        y += LINE;
    }
    line(out, area.x + 20.0, y + 10.0, area.width, "gaps between them", false, s);
    number(out, right, y + 10.0, &grouped_bytes(panel.alive.gap_bytes()), false, s);
    y += LINE;
    rule(out, &area, y - 1.0, s);
    line(out, area.x + 20.0, y + 11.0, area.width, "peak", true, s);
    number(out, right, y + 11.0, &grouped_bytes(panel.alive.top), true, s);
    y + LINE + 14.0
}

/// What a block is called in the list: name and layers, whole and as they are cut.
struct Label {
    name: String,
    from: String,
    /// Room for the name.
    half: f64,
    cut: (String, String),
    /// Position of the block.
    place: usize,
}

impl Label {
    fn new((name, from): (String, String), place: usize, room: f64) -> Label {
        let wide = |text: &str| width(&shorten(text, 200), 11.0, Weight::Regular);
        let cut = |text: &str, room: f64| fit(text, 11.0, Weight::Regular, room);
        if from.is_empty() || from == name {
            return Label {
                cut: (cut(&name, room), String::new()),
                name,
                from: String::new(),
                half: room,
                place,
            };
        }
        // The name has half of the room at least, and what the layers leave.
        let half = wide(&name).min((room / 2.0).max(room - 8.0 - wide(&from)));
        Label { cut: (cut(&name, half), cut(&from, room - half - 8.0)), name, from, half, place }
    }
}

fn differences(out: &mut String, c: &Comparison, several: bool, area: Area, s: &Skin) -> f64 {
    let right = area.x + area.width;
    let columns = [right - 190.0, right - 100.0, right];
    let name = if several { format!("{}: ", shorten(&c.segment, 30)) } else { String::new() };
    let percent = if c.before.peak == 0 {
        String::new()
    } else {
        let sign = if c.change() < 0 { '−' } else { '+' };
        format!(" ({sign}{})", percent(c.change().unsigned_abs(), c.before.peak))
    };
    line(
        out,
        area.x,
        area.y + 10.0,
        area.width,
        &format!("{name}peak {}{percent}", change(c.change())),
        true,
        s,
    );
    let mut y = area.y + LINE;
    line(out, area.x, y + 10.0, area.width / 2.0, "bytes at each peak, by layer", false, s);
    for (column, text) in columns.iter().zip(["before", "after", "change"]) {
        number(out, *column, y + 10.0, text, false, s);
    }
    y += LINE;
    rule(out, &area, y - 2.0, s);
    let signed = |value: i128| if value > 0 { format!("+{}", grouped(value)) } else { grouped(value) };
    let mut row = |y: f64, name: &str, before: u128, after: u128, bold: bool| {
        // What a peak is made of has 65 bits.
        let [before, after] = [before, after].map(|bytes| i128::try_from(bytes).unwrap_or(i128::MAX));
        line(out, area.x, y + 10.0, columns[0] - area.x - 80.0, name, bold, s);
        for (column, text) in columns.iter().zip([grouped(before), grouped(after), signed(after - before)]) {
            number(out, *column, y + 10.0, &text, bold, s);
        }
    };
    let reserved = c.before.reserved_at_peak > 0 || c.after.reserved_at_peak > 0;
    let most = lines(area.height, if reserved { 6.0 } else { 5.0 });
    // Layers whose blocks are all overwritten in place have no bytes on either side.
    let layers: Vec<&OriginChange> =
        c.layers.iter().filter(|layer| layer.before > 0 || layer.after > 0).collect();
    let shown = if layers.len() > most { most.saturating_sub(1) } else { layers.len() };
    for layer in &layers[..shown] {
        let name = layer.layer.as_deref().unwrap_or("origin unknown");
        row(y, name, layer.before, layer.after, false);
        y += LINE;
    }
    let others = &layers[shown..];
    if !others.is_empty() {
        let sum = |of: fn(&OriginChange) -> u128| others.iter().map(|l| of(l)).sum();
        row(
            y,
            &format!("{} others", grouped(others.len() as i128)),
            sum(|l| l.before),
            sum(|l| l.after),
            false,
        );
        y += LINE;
    }
    if reserved {
        let (before, after) = (c.before.reserved_at_peak, c.after.reserved_at_peak);
        row(y, "reserved by spaces", before, after, false);
        y += LINE;
    }
    row(y, "gaps", c.before.gaps_at_peak(), c.after.gaps_at_peak(), false);
    y += LINE;
    row(y + 1.0, "peak", c.before.peak, c.after.peak, true);
    rule(out, &area, y - 1.0, s);
    y + LINE + 14.0
}
