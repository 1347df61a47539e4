//! Layered layout of a directed graph of boxes, folded into columns where one column would be too tall to look at.
//!
//! The steps are those of Sugiyama, Tagawa and Toda's method: layers by longest path ([`layers`]), invisible vertices
//! where an edge passes a layer ([`proper`]), fewer crossings by barycentre sweeps ([`order`]), positions by least
//! squares ([`coordinates`]); then columns ([`fold`]) and lines ([`route`]). All steps are near-linear and have the
//! same result for the same input.

mod coordinates;
mod fold;
mod layers;
mod order;
mod proper;
mod route;

#[cfg(test)]
mod tests;

/// Width and height of a box, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A directed edge between two boxes. Links of one net have the same `from` and are drawn as one branching line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) net: u32,
}

/// A place in the picture, in pixels; y grows downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A placed box: upper left corner and size, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A part of a net's line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// An S-shaped curve that leaves and arrives vertically.
    Curve(Point, Point),
    /// Straight lines through the points.
    Line(Vec<Point>),
    /// A continuation from the foot of one column to the head of the next: straight lines through the points.
    Continuation(Vec<Point>),
}

/// An arrow head on a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Head {
    pub(crate) tip: Point,
    pub(crate) target: u32,
}

/// The end of an edge that is too long to draw: a short line with the other end's name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stub {
    /// Place on the box.
    pub(crate) at: Point,
    /// The box that it is attached to.
    pub(crate) owner: u32,
    /// Whether the edge leaves the owner.
    pub(crate) outgoing: bool,
    /// The boxes at the other ends, without repetition, in order.
    pub(crate) others: Vec<u32>,
}

/// The line of a net.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Route {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) heads: Vec<Head>,
}

/// A finished layout. `boxes` and `routes` are in the order of the boxes and nets given.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) boxes: Vec<Rect>,
    pub(crate) routes: Vec<Route>,
    pub(crate) stubs: Vec<Stub>,
}

/// Horizontal distance between neighbouring boxes of a layer, in pixels.
const BOX_GAP: f64 = 26.0;
/// Horizontal distance kept around a line that passes a layer, in pixels.
const LINE_GAP: f64 = 14.0;
/// Smallest vertical distance between layers, in pixels.
const LAYER_GAP: f64 = 24.0;
/// Largest vertical distance between layers, in pixels.
const LAYER_GAP_MAX: f64 = 90.0;

/// Lays out `boxes` joined by `links`, whose nets are below `nets`. Links that name no box are ignored.
///
/// Links within cycles, and the longest ones where drawing all would take more than a few lines a box, become
/// [`Stub`]s at both ends.
pub(crate) fn lay_out(boxes: &[Size], links: &[Link], nets: usize) -> Layout {
    let count = boxes.len() as u64;
    let links: Vec<Link> = links
        .iter()
        .copied()
        .filter(|l| u64::from(l.from) < count && u64::from(l.to) < count && (l.net as usize) < nets)
        .collect();
    if boxes.is_empty() {
        return Layout { routes: vec![Route::default(); nets], ..Layout::default() };
    }
    let (layer_of, back) = layers::assign(boxes.len(), &links);
    let proper = proper::build(boxes, &links, nets, &layer_of, &back);
    let rows = order::reduce_crossings(&proper);
    let x = coordinates::place(&proper, &rows);
    let folded = fold::fold(boxes, &proper, &rows, &x);
    route::route(boxes, &links, nets, &proper, &x, &folded)
}
