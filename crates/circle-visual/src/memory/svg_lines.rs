//! Peak, lower bound, end of the memory and the tick of the peak: lines across the blocks, and their labels.

use super::axis::bytes;
use super::cells::Scale;
use super::chart::Panel;
use crate::palette::Skin;
use crate::text::xml;
use crate::text_metrics::{Weight, width};
use circle_memory::{TickUnit, is_unplanned};
use std::fmt::Write as _;

/// Height of a label, and what it keeps free of the sides of the plot.
const LABEL: f64 = 14.0;
const SIDE: f64 = 2.0;
/// Half the width of the triangle at the tick of the peak, its height, and what labels keep free of its tip.
const TRIANGLE: (f64, f64) = (4.5, 8.0);
const CLEAR: f64 = 8.0;

/// A rectangle from `x` to `right` and from `y` to `low`, in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) right: f64,
    pub(super) low: f64,
}

impl Rect {
    /// Whether both have a point in common.
    pub(super) fn meets(&self, other: &Rect) -> bool {
        self.x < other.right && other.x < self.right && self.y < other.low && other.y < self.low
    }
}

/// What lies across a plot.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Height and dashes of each line.
    across: Vec<(f64, &'static str)>,
    labels: Vec<(Rect, String)>,
    /// Where the tick of the peak meets the peak.
    peak: Option<(f64, f64)>,
    width: f64,
    height: f64,
}

impl Lines {
    pub(super) fn new(panel: &Panel<'_>, scale: &Scale) -> Self {
        let mut lines = Lines { width: scale.width, height: scale.height, ..Lines::default() };
        let f = &panel.figures;
        let Some(at) = f.peak_tick.filter(|_| !is_unplanned(&panel.segment)) else { return lines };
        let top = scale.y(f.peak);
        // Operators and steps are stretches, clocks are moments.
        let stretch = !matches!(panel.unit, TickUnit::Cycle | TickUnit::Ns);
        lines.peak = Some((scale.x(at) + if stretch { scale.per_tick / 2.0 } else { 0.0 }, top));

        let bound = panel.bound();
        // Neither is drawn below the axis, which may begin at an address far above 0.
        let shown = u128::from(panel.base)..=panel.reach;
        let end = panel.segment.size.map(u128::from).filter(|size| shown.contains(size));
        let peak = format!("peak {}", bytes(f.peak));
        let same = end.is_some() && end == bound;
        lines.across.push((top, ""));
        if bound == Some(f.peak) {
            lines.label(top, &format!("{peak} = lower bound"), false, false);
        } else {
            lines.label(top, &peak, false, false);
        }
        // A bound that lies below the axis stands in the heading only.
        if let Some(bound) = bound.filter(|bound| (panel.base.into()..f.peak).contains(bound)) {
            let y = scale.y(bound);
            lines.across.push((y, " stroke-dasharray=\"7 4\""));
            let also = if same { " = end of memory" } else { "" };
            lines.label(y, &format!("lower bound{also} {}", bytes(bound)), true, false);
        }
        if let Some(size) = end.filter(|_| !same) {
            let y = scale.y(size);
            lines.across.push((y, " stroke-dasharray=\"2 3\""));
            // Where there is no room for it, the heading says it.
            if (y - top).abs() >= 17.0 {
                lines.label(y, &format!("end of memory {}", bytes(size)), size < f.peak, true);
            }
        }
        lines
    }

    /// Puts a label to a line at `y`, above or below it, at its left or right end; beside the tick of the peak, if that
    /// would go through it; nowhere, where another label is.
    fn label(&mut self, y: f64, text: &str, below: bool, left: bool) {
        let wide = width(text, 11.0, Weight::Bold) + 8.0;
        if self.height <= 60.0 {
            return;
        }
        // What would not fit below its line stands above it, as what lies beside the plot is not written over.
        let below = below && y + 2.0 + LABEL <= self.height;
        let top = if below { y + 2.0 } else { y - 2.0 - LABEL };
        let at = |x: f64| Rect { x, y: top, right: x + wide, low: top + LABEL };
        let last = (self.width - SIDE - wide).max(0.0);
        let mut place = at(if left { SIDE.min(last) } else { last });
        if let Some((x, peak)) = self.peak {
            let mark = Rect { x: x - CLEAR, y: peak - TRIANGLE.1, right: x + CLEAR, low: self.height };
            if mark.meets(&place) {
                let (before, behind) = (x - CLEAR - wide, x + CLEAR);
                let moved = if left { [behind, before] } else { [before, behind] };
                if let Some(x) = moved.into_iter().find(|x| (0.0..=last).contains(x)) {
                    place = at(x);
                }
            }
        }
        if self.labels.iter().all(|(other, _)| !other.meets(&place)) {
            self.labels.push((place, text.to_owned()));
        }
    }

    /// Whether a name at `place` would be under a label.
    pub(super) fn cover(&self, place: &Rect) -> bool {
        self.labels.iter().any(|(label, _)| label.meets(place))
    }

    /// Whether a line would go through a name at `place`.
    pub(super) fn cross(&self, place: &Rect) -> bool {
        self.across.iter().any(|(y, _)| place.y < y + 1.0 && y - 1.0 < place.low)
            || self.peak.is_some_and(|(x, y)| place.x < x + 1.0 && x - 1.0 < place.right && y < place.low)
    }

    /// Writes the lines, with an edge in the colour of the background: they cross blocks of any colour.
    pub(super) fn strokes(&self, out: &mut String, s: &Skin) {
        let tick =
            self.peak.map(|(x, y)| (format!("M{x} {y}V{}", self.height), 1.2, " stroke-dasharray=\"2 3\""));
        let across = self.across.iter().rev().map(|(y, dash)| (format!("M0 {y}H{}", self.width), 1.6, *dash));
        for (path, wide, dash) in tick.into_iter().chain(across) {
            let _ = writeln!(
                out,
                "<path d=\"{path}\" stroke=\"{}\" stroke-opacity=\"0.6\" stroke-width=\"{}\"/>\
                 <path d=\"{path}\" stroke=\"{}\" stroke-width=\"{wide}\"{dash}/>",
                s.background,
                wide + 1.6,
                s.text
            );
        }
    }

    /// Writes the labels and the triangle at the tick of the peak.
    pub(super) fn captions(&self, out: &mut String, s: &Skin) {
        for (place, text) in &self.labels {
            let _ = writeln!(
                out,
                "<rect x=\"{:.2}\" y=\"{}\" width=\"{:.2}\" height=\"{LABEL}\" rx=\"3\" fill=\"{}\" fill-opacity=\"0.88\"/>\
                 <text x=\"{:.2}\" y=\"{}\" text-anchor=\"end\" font-weight=\"bold\" fill=\"{}\">{}</text>",
                place.x,
                place.y,
                place.right - place.x,
                s.background,
                place.right - 4.0,
                place.y + 11.0,
                s.text,
                xml(text)
            );
        }
        if let Some((x, y)) = self.peak {
            let (half, high) = TRIANGLE;
            let _ = writeln!(
                out,
                "<path d=\"M{} {}L{x} {y}L{} {}Z\" fill=\"{}\"/>",
                x - half,
                y - high,
                x + half,
                y - high,
                s.text
            );
        }
    }
}
