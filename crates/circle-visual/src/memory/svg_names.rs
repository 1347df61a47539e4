//! Names inside blocks.

use super::cells::Drawn;
use super::chart::{Chart, Panel};
use super::names::block_name;
use super::options::Names;
use super::svg_lines::{Lines, Rect};
use crate::text::{shorten, xml};
use crate::text_metrics::{Weight, fit, width};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Font sizes of names, in pixels.
const USUAL: f64 = 10.5;
const SMALL: f64 = 4.0;

/// Signs that part names.
pub(super) const PARTS: [char; 6] = ['/', '.', '_', ':', '-', ' '];

/// Places that are tried for a name on either side of the middle of its block, in each direction.
const TRIES: i32 = 4;

/// By so much two blocks have to lie on one another, in pixels.
const EDGE: f64 = 0.01;

/// Writes names into the blocks of panel `number` that are drawn one by one, beside `lines` and not under their labels.
pub(super) fn write(
    out: &mut String,
    chart: &Chart<'_>,
    number: usize,
    drawn: &[(Drawn, f64)],
    lines: &Lines,
) {
    let all = match chart.options.names {
        Names::None => return,
        Names::All => true,
        Names::Auto => false,
    };
    let Some(panel) = chart.panels.get(number) else { return };
    let none = BTreeMap::new();
    let origins = chart.origins.get(panel.plan).unwrap_or(&none);
    let left = uncovered(panel, drawn);
    for ((d, _), room) in drawn.iter().zip(left) {
        let Some(block) = panel.segment.blocks.get(d.block) else { continue };
        let Some(class) = chart.paint.get(chart.paint.class(number, d.block)) else { continue };
        let name = block_name(block, panel.place(d.block), origins);
        let name = match (&block.wrap, d.piece) {
            (None, _) => name.into_owned(),
            (Some(_), 0) => format!("↻ {name} (1/2)"),
            (Some(_), _) => format!("↻ {name} (2/2)"),
        };
        let flat = (room - 6.0, d.height - 2.0);
        let upright = (d.height - 6.0, room - 2.0);
        // The colour says how the name begins.
        let rest = class.label.strip_suffix('…').and_then(|label| name.split_once(label));
        let rest = rest.map(|(before, rest)| format!("{before}…{}", rest.trim_start_matches(PARTS)));
        let tails = if rest.as_deref().is_some_and(|rest| !tells(rest)) { tails(&name) } else { Vec::new() };
        let rest = rest.filter(|rest| tails.is_empty() || rest.chars().any(char::is_alphanumeric));
        let candidates: Vec<&str> = tails.iter().chain(rest.as_ref()).map(String::as_str).collect();
        let Some((text, size, turned)) = fitted(&name, &candidates, flat, upright, all) else { continue };
        let Some((x, y, crossed)) =
            place(d, room, width(&text, size, Weight::Regular), size, turned, lines, all)
        else {
            continue;
        };
        let turn = if turned {
            format!("transform=\"translate({:.2} {y:.2}) rotate(-90)\"", x + size * 0.36)
        } else {
            format!("x=\"{x:.2}\" y=\"{:.2}\"", y + size * 0.36)
        };
        let halo = if class.hatched || crossed || !panel.marks.is_empty() {
            format!(" stroke=\"{}\" stroke-width=\"2.5\" paint-order=\"stroke\"", class.colour)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "<text {turn} font-size=\"{size}\" text-anchor=\"middle\" fill=\"{}\"{halo}>{}</text>",
            class.colour.ink(),
            xml(&text)
        );
    }
}

/// The middle of a name of so many pixels: as near to the middle of its block as it can be read, and whether a line goes
/// through it nevertheless. `None` where nothing but a label's place is left, and the name need not be there.
fn place(
    d: &Drawn,
    room: f64,
    long: f64,
    size: f64,
    turned: bool,
    lines: &Lines,
    all: bool,
) -> Option<(f64, f64, bool)> {
    let (wide, high) = if turned { (size, long) } else { (long, size) };
    let middle = (d.x + room / 2.0, d.y + d.height / 2.0);
    // How far it can be moved.
    let (dx, dy) = ((room - wide - 4.0).max(0.0) / 2.0, (d.height - high - 3.0).max(0.0) / 2.0);
    let mut places: Vec<(f64, f64)> = Vec::new();
    for i in -TRIES..=TRIES {
        for j in -TRIES..=TRIES {
            places.push((dx * f64::from(i) / f64::from(TRIES), dy * f64::from(j) / f64::from(TRIES)));
        }
    }
    places.sort_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)));
    let rect = |(x, y): (f64, f64)| {
        let (x, y) = (middle.0 + x, middle.1 + y);
        Rect { x: x - wide / 2.0, y: y - high / 2.0, right: x + wide / 2.0, low: y + high / 2.0 }
    };
    let seen = |at: &(f64, f64)| !lines.cover(&rect(*at));
    let free = places.iter().find(|at| seen(at) && !lines.cross(&rect(**at)));
    let (x, y) = match free.or_else(|| places.iter().find(|at| seen(at))) {
        Some(at) => *at,
        None if all => (0.0, 0.0),
        None => return None,
    };
    Some((middle.0 + x, middle.1 + y, free.is_none()))
}

/// Width of each block up to where a later block lies on it, of its space or by fault: there its name can be read.
fn uncovered(panel: &Panel<'_>, drawn: &[(Drawn, f64)]) -> Vec<f64> {
    let mut left: Vec<f64> = drawn.iter().map(|(d, _)| d.width).collect();
    // Where nothing is at fault, blocks of different spaces do not meet.
    let faulty = panel.marks.iter().any(|mark| !mark.warning);
    let mut spaces: BTreeMap<Option<u32>, Vec<usize>> = BTreeMap::new();
    for (position, (d, _)) in drawn.iter().enumerate() {
        let space = panel.segment.blocks.get(d.block).and_then(|block| block.space).filter(|_| !faulty);
        if faulty || space.is_some() {
            spaces.entry(space).or_default().push(position);
        }
    }
    for positions in spaces.values() {
        for (at, position) in positions.iter().enumerate() {
            let Some((d, _)) = drawn.get(*position) else { continue };
            // Blocks are few enough to be drawn one by one: see `cells`.
            let over =
                positions[at + 1..].iter().filter_map(|later| drawn.get(*later)).map(|(over, _)| over).find(
                    |over| {
                        // Sides that meet are rounded.
                        over.x + EDGE < d.x + d.width
                            && over.y + EDGE < d.y + d.height
                            && d.y + EDGE < over.y + over.height
                    },
                );
            if let (Some(over), Some(left)) = (over, left.get_mut(*position)) {
                *left = (over.x - d.x).clamp(0.0, d.width);
            }
        }
    }
    left
}

/// Whether what is left of a name says more than a number does.
fn tells(rest: &str) -> bool {
    rest.chars().filter(|c| c.is_alphabetic()).count() > 2
}

/// Ends of a name that say something, from long to short: each begins behind a sign that parts names.
fn tails(name: &str) -> Vec<String> {
    const MOST: usize = 12;
    let parts = name.char_indices().filter(|(_, c)| PARTS.contains(c));
    let ends = parts.filter_map(|(at, c)| name.get(at + c.len_utf8()..));
    let ends = ends.filter(|end| tells(end) && !end.starts_with(PARTS)).map(|end| format!("…{end}"));
    let all: Vec<String> = ends.collect();
    all.into_iter().rev().take(MOST).rev().collect()
}

/// The name with font size and whether it stands upright; `None` where too little of it could be read. `shorter` are
/// texts that may stand for it, those first that say more.
fn fitted(
    name: &str,
    shorter: &[&str],
    flat: (f64, f64),
    upright: (f64, f64),
    all: bool,
) -> Option<(String, f64, bool)> {
    let sizes: &[f64] = if all { &[USUAL, 9.0, 7.5, 6.0, 5.0, SMALL] } else { &[USUAL, 9.0] };
    for size in sizes {
        for text in std::iter::once(&name).chain(shorter) {
            let whole = shorten(text, 120);
            for ((along, across), turned) in [(flat, false), (upright, true)] {
                if across >= *size && !whole.is_empty() && width(&whole, *size, Weight::Regular) <= along {
                    return Some((whole, *size, turned));
                }
            }
        }
    }
    // Shortened, if enough of it is left.
    let size = if all { SMALL } else { 9.0 };
    let least = if all { 1 } else { 9 };
    let ((along, across), turned) = if flat.0 >= upright.0 { (flat, false) } else { (upright, true) };
    if (across < size && !all) || along <= size {
        return None;
    }
    let text = fit(shorter.last().copied().unwrap_or(name), size, Weight::Regular, along);
    (text.chars().count() >= least).then_some((text, size, turned))
}
