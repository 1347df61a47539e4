//! Places the boxes and draws the lines between them.

use super::fold::{Folded, LANE_START};
use super::proper::{Groups, Proper};
use super::{Head, Layout, Link, Piece, Point, Rect, Route, Size, Stub};

/// Largest distance of neighbouring line ends on a box, in pixels.
const PORT_STEP: f64 = 22.0;

/// Builds the finished layout.
pub(super) fn route(
    boxes: &[Size],
    links: &[Link],
    nets: usize,
    proper: &Proper,
    x: &[f64],
    folded: &Folded,
) -> Layout {
    let centre = |vertex: u32| {
        let layer = proper.vertices[vertex as usize].layer as usize;
        x[vertex as usize] + folded.shift[folded.column[layer]]
    };
    let rects: Vec<Rect> = boxes
        .iter()
        .enumerate()
        .map(|(node, size)| Rect {
            x: (centre(node as u32) - size.width / 2.0).round(),
            y: folded.top[proper.vertices[node].layer as usize],
            width: size.width,
            height: size.height,
        })
        .collect();
    let mut layout = Layout {
        width: folded.width,
        height: folded.height,
        boxes: rects,
        routes: vec![Route::default(); nets],
        stubs: Vec::new(),
    };
    let ports = Ports::new(links, nets, proper, x, &layout.boxes);
    layout.stubs = stubs(links, proper, &ports, &layout.boxes);

    let lanes = lanes(proper, folded, &centre);
    for (position, segment) in proper.segments.iter().enumerate() {
        let (upper, lower) =
            (&proper.vertices[segment.upper as usize], &proper.vertices[segment.lower as usize]);
        let (from, to) = (upper.layer as usize, lower.layer as usize);
        let net = &mut layout.routes[segment.net as usize];
        let foot = folded.bottom[from];
        let start = match upper.node {
            Some(node) => {
                let rect = layout.boxes[node as usize];
                let port = Point { x: ports.out[segment.net as usize], y: rect.y + rect.height };
                let foot = Point { x: port.x, y: foot };
                if foot.y > port.y {
                    net.pieces.push(Piece::Line(vec![port, foot]));
                }
                foot
            }
            None => Point { x: centre(segment.upper).round(), y: foot },
        };
        let end = Point {
            x: if lower.node.is_some() { ports.into[position] } else { centre(segment.lower).round() },
            y: folded.top[to],
        };
        let column = folded.column[from];
        if column == folded.column[to] {
            net.pieces.push(if start.x == end.x {
                Piece::Line(vec![start, end])
            } else {
                Piece::Curve(start, end)
            });
        } else {
            let (rank, of) = lanes[position];
            let spacing = folded.lane[column];
            let base = column_foot(folded, column);
            let down = base + LANE_START + spacing * f64::from(rank);
            let aside = folded.right[column] + LANE_START + spacing * f64::from(rank);
            let up = folded.top[to] - LANE_START - spacing * f64::from(of - 1 - rank);
            net.pieces.push(Piece::Continuation(vec![
                start,
                Point { x: start.x, y: down },
                Point { x: aside, y: down },
                Point { x: aside, y: up },
                Point { x: end.x, y: up },
                end,
            ]));
        }
        match lower.node {
            Some(target) => net.heads.push(Head { tip: end, target }),
            None if folded.bottom[to] > end.y => {
                net.pieces.push(Piece::Line(vec![end, Point { x: end.x, y: folded.bottom[to] }]));
            }
            None => {}
        }
    }
    layout
}

/// Lower edge of a column's last layer.
fn column_foot(folded: &Folded, column: usize) -> f64 {
    let next = folded.column.partition_point(|c| *c <= column);
    next.checked_sub(1).and_then(|last| folded.bottom.get(last)).copied().unwrap_or(0.0)
}

/// For segments between columns: rank of the lane and number of lanes. The rightmost segment takes the innermost
/// lane, so that lanes do not cross each other on their way.
fn lanes(proper: &Proper, folded: &Folded, centre: &dyn Fn(u32) -> f64) -> Vec<(u32, u32)> {
    let mut lanes = vec![(0, 1); proper.segments.len()];
    let mut crossing: Vec<(usize, f64, usize)> = Vec::new();
    for (position, segment) in proper.segments.iter().enumerate() {
        let from = folded.column[proper.vertices[segment.upper as usize].layer as usize];
        if from != folded.column[proper.vertices[segment.lower as usize].layer as usize] {
            crossing.push((from, centre(segment.upper), position));
        }
    }
    crossing.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    for group in crossing.chunk_by(|a, b| a.0 == b.0) {
        for (rank, (_, _, position)) in group.iter().enumerate() {
            lanes[*position] = (rank as u32, group.len() as u32);
        }
    }
    lanes
}

/// Where lines end on boxes.
struct Ports {
    /// Place of each net on its source's lower edge.
    out: Vec<f64>,
    /// Place of each segment on its target's upper edge.
    into: Vec<f64>,
    /// Place of the stub of incoming jumps, by box.
    jump_in: Vec<f64>,
    /// Place of the stub of outgoing jumps, by box.
    jump_out: Vec<f64>,
}

impl Ports {
    fn new(links: &[Link], nets: usize, proper: &Proper, x: &[f64], boxes: &[Rect]) -> Ports {
        let mut source = vec![None; nets];
        let mut reach = vec![(0.0, 0_u32); nets];
        for segment in &proper.segments {
            if let Some(node) = proper.vertices[segment.upper as usize].node {
                source[segment.net as usize] = Some(node);
                let reach = &mut reach[segment.net as usize];
                *reach = (reach.0 + x[segment.lower as usize], reach.1 + 1);
            }
        }
        let drawn: Vec<u32> = (0..nets as u32).filter(|net| source[*net as usize].is_some()).collect();
        let by_source = Groups::new(boxes.len(), drawn.iter().map(|net| source[*net as usize].unwrap_or(0)));
        let (mut has_in, mut has_out) = (vec![false; boxes.len()], vec![false; boxes.len()]);
        for jump in &proper.jumps {
            has_out[links[*jump as usize].from as usize] = true;
            has_in[links[*jump as usize].to as usize] = true;
        }
        let mut ports = Ports {
            out: vec![0.0; nets],
            into: vec![0.0; proper.segments.len()],
            jump_in: vec![0.0; boxes.len()],
            jump_out: vec![0.0; boxes.len()],
        };
        let mut order: Vec<(f64, u32)> = Vec::new();
        for (node, rect) in boxes.iter().enumerate() {
            order.clear();
            order.extend(by_source.of(node as u32).iter().map(|&at| {
                let net = drawn[at as usize];
                let (sum, count) = reach[net as usize];
                (sum / f64::from(count.max(1)), net)
            }));
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            let slots = order.len() + usize::from(has_out[node]);
            for (slot, (_, net)) in order.iter().enumerate() {
                ports.out[*net as usize] = port(rect, slot, slots);
            }
            ports.jump_out[node] = port(rect, order.len(), slots);

            order.clear();
            order.extend(
                proper
                    .above
                    .of(node as u32)
                    .iter()
                    .map(|&segment| (x[proper.segments[segment as usize].upper as usize], segment)),
            );
            order.sort_by(|a, b| a.0.total_cmp(&b.0));
            let slots = order.len() + usize::from(has_in[node]);
            for (slot, (_, segment)) in order.iter().enumerate() {
                ports.into[*segment as usize] = port(rect, slot, slots);
            }
            ports.jump_in[node] = port(rect, order.len(), slots);
        }
        ports
    }
}

/// The k-th of `slots` places on a box's edge, spread around its middle.
fn port(rect: &Rect, slot: usize, slots: usize) -> f64 {
    let step = (rect.width / (slots as f64 + 1.0)).min(PORT_STEP);
    (rect.x + rect.width / 2.0 + step * (slot as f64 - (slots as f64 - 1.0) / 2.0)).round()
}

fn stubs(links: &[Link], proper: &Proper, ports: &Ports, boxes: &[Rect]) -> Vec<Stub> {
    let mut ends: Vec<(u32, bool, u32)> = Vec::new();
    for jump in &proper.jumps {
        let link = links[*jump as usize];
        ends.push((link.from, true, link.to));
        ends.push((link.to, false, link.from));
    }
    ends.sort_unstable();
    ends.dedup();
    ends.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .map(|group| {
            let (owner, outgoing, _) = group[0];
            let rect = boxes[owner as usize];
            let at = if outgoing {
                Point { x: ports.jump_out[owner as usize], y: rect.y + rect.height }
            } else {
                Point { x: ports.jump_in[owner as usize], y: rect.y }
            };
            Stub { at, owner, outgoing, others: group.iter().map(|(_, _, other)| *other).collect() }
        })
        .collect()
}
