//! Cuts links into segments between neighbouring layers, with an invisible vertex in every layer that a net passes.

use super::{BOX_GAP, LINE_GAP, Link, Size};

/// A box, or the place where a net passes a layer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub(super) layer: u32,
    /// The box; `None` for a passing line.
    pub(super) node: Option<u32>,
    /// Half of the space that is kept free, in pixels.
    pub(super) half: f64,
}

/// A part of a net from one layer to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) upper: u32,
    pub(super) lower: u32,
    pub(super) net: u32,
}

/// A graph whose segments join neighbouring layers only. The first vertices are the boxes, in their order.
#[derive(Debug)]
pub(super) struct Proper {
    pub(super) vertices: Vec<Vertex>,
    pub(super) segments: Vec<Segment>,
    /// Links that are drawn as stubs.
    pub(super) jumps: Vec<u32>,
    pub(super) layers: usize,
    /// Segments grouped by lower vertex.
    pub(super) above: Groups,
    /// Segments grouped by upper vertex.
    pub(super) below: Groups,
}

/// Lists of numbers, one list per key, in one allocation.
#[derive(Debug)]
pub(super) struct Groups {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Groups {
    /// Groups `0..keys.len()` by key, in ascending order.
    pub(super) fn new(groups: usize, keys: impl Iterator<Item = u32> + Clone) -> Self {
        let mut starts = vec![0_u32; groups + 1];
        let mut count = 0;
        for key in keys.clone() {
            starts[key as usize + 1] += 1;
            count += 1;
        }
        for group in 0..groups {
            starts[group + 1] += starts[group];
        }
        let mut at = starts.clone();
        let mut items = vec![0_u32; count];
        for (item, key) in keys.enumerate() {
            items[at[key as usize] as usize] = item as u32;
            at[key as usize] += 1;
        }
        Groups { starts, items }
    }

    pub(super) fn of(&self, group: u32) -> &[u32] {
        &self.items[self.starts[group as usize] as usize..self.starts[group as usize + 1] as usize]
    }
}

/// Builds the segments. Links marked in `back` become jumps, as do the longest ones if there would otherwise be more
/// than about four passing lines a box: a tensor that is read across a whole model of 100,000 operators is one line,
/// but many such tensors would be a quadratic number of vertices, and unreadable.
pub(super) fn build(boxes: &[Size], links: &[Link], nets: usize, layer_of: &[u32], back: &[bool]) -> Proper {
    let span = |link: &Link| layer_of[link.to as usize].saturating_sub(layer_of[link.from as usize]);
    let by_net = Groups::new(nets, links.iter().map(|link| link.net));
    let budget = 4 * boxes.len() as u64 + 20_000;
    let mut limit = u32::MAX;
    loop {
        let mut vertices = 0_u64;
        for net in 0..nets as u32 {
            let spans =
                by_net.of(net).iter().filter(|l| !back[**l as usize]).map(|l| span(&links[*l as usize]));
            vertices += u64::from(spans.filter(|span| *span <= limit).max().unwrap_or(0));
        }
        if vertices <= budget || limit == 1 {
            break;
        }
        let longest = links.iter().map(&span).max().unwrap_or(1);
        limit = (limit.min(longest) / 2).max(1);
    }

    let mut vertices: Vec<Vertex> = boxes
        .iter()
        .zip(layer_of)
        .enumerate()
        .map(|(node, (size, layer))| Vertex {
            layer: *layer,
            node: Some(node as u32),
            half: (size.width + BOX_GAP) / 2.0,
        })
        .collect();
    let mut segments: Vec<Segment> = Vec::with_capacity(links.len());
    let mut jumps = Vec::new();
    let mut near: Vec<u32> = Vec::new();
    for net in 0..nets as u32 {
        near.clear();
        for &position in by_net.of(net) {
            let length = span(&links[position as usize]);
            if back[position as usize] || length == 0 || length > limit {
                jumps.push(position);
            } else {
                near.push(position);
            }
        }
        near.sort_by_key(|position| {
            let link = &links[*position as usize];
            (layer_of[link.to as usize], link.to)
        });
        // The net runs down one chain of passing places; each reader branches off in the layer above its own.
        let mut last = None;
        let mut end: Option<(u32, u32)> = None;
        for &position in &near {
            let link = links[position as usize];
            if last == Some(link.to) {
                continue;
            }
            last = Some(link.to);
            let (mut at, mut layer) = end.unwrap_or((link.from, layer_of[link.from as usize]));
            while layer + 1 < layer_of[link.to as usize] {
                let passing = vertices.len() as u32;
                layer += 1;
                vertices.push(Vertex { layer, node: None, half: LINE_GAP / 2.0 });
                segments.push(Segment { upper: at, lower: passing, net });
                at = passing;
            }
            segments.push(Segment { upper: at, lower: link.to, net });
            end = Some((at, layer));
        }
    }
    let above = Groups::new(vertices.len(), segments.iter().map(|segment| segment.lower));
    let below = Groups::new(vertices.len(), segments.iter().map(|segment| segment.upper));
    let layers = layer_of.iter().max().map_or(0, |last| *last as usize + 1);
    Proper { vertices, segments, jumps, layers, above, below }
}
