//! Invariants of layouts: no overlap, every link attached, no cost that grows with the square.

use super::*;

/// A small generator with a fixed sequence (the 64-bit variant of Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

fn sizes(count: usize, random: &mut Random) -> Vec<Size> {
    (0..count)
        .map(|_| Size {
            width: 80.0 + random.below(120) as f64,
            height: 30.0 + random.below(3) as f64 * 12.0,
        })
        .collect()
}

/// A chain with skips and branches, one net an edge source.
fn random_graph(count: usize, seed: u64, cyclic: bool) -> (Vec<Size>, Vec<Link>) {
    let mut random = Random(seed);
    let boxes = sizes(count, &mut random);
    let mut links = Vec::new();
    for to in 1..count as u64 {
        for _ in 0..1 + random.below(2) {
            let from = if random.below(4) == 0 { random.below(to) } else { to - 1 - random.below(to.min(4)) };
            links.push(Link { from: from as u32, to: to as u32, net: from as u32 });
        }
        if cyclic && random.below(10) == 0 {
            let other = random.below(count as u64);
            links.push(Link { from: to as u32, to: other as u32, net: to as u32 });
        }
    }
    (boxes, links)
}

fn check(boxes: &[Size], links: &[Link], layout: &Layout) {
    assert_eq!(layout.boxes.len(), boxes.len());
    let mut sorted: Vec<(usize, Rect)> = layout.boxes.iter().copied().enumerate().collect();
    sorted.sort_by(|a, b| a.1.x.total_cmp(&b.1.x));
    for (k, (i, a)) in sorted.iter().enumerate() {
        assert!(
            a.x >= -0.5
                && a.y >= 0.0
                && a.x + a.width <= layout.width + 0.5
                && a.y + a.height <= layout.height,
            "box {i} outside: {a:?} of {} x {}",
            layout.width,
            layout.height
        );
        for (j, b) in &sorted[k + 1..] {
            if b.x >= a.x + a.width {
                break;
            }
            assert!(b.y >= a.y + a.height || a.y >= b.y + b.height, "boxes {i} and {j} overlap: {a:?} {b:?}");
        }
    }
    for link in links {
        let (from, to) = (layout.boxes[link.from as usize], layout.boxes[link.to as usize]);
        let jumped = |owner: u32, outgoing: bool, other: u32| {
            layout
                .stubs
                .iter()
                .any(|s| s.owner == owner && s.outgoing == outgoing && s.others.contains(&other))
        };
        if jumped(link.from, true, link.to) {
            assert!(jumped(link.to, false, link.from), "{link:?} has one stub only");
            continue;
        }
        let route = &layout.routes[link.net as usize];
        let head = route
            .heads
            .iter()
            .find(|head| head.target == link.to)
            .unwrap_or_else(|| panic!("{link:?} has no head"));
        assert!(
            head.tip.x >= to.x && head.tip.x <= to.x + to.width && head.tip.y == to.y,
            "{link:?} misses its target"
        );
        // Walk back from the head over touching pieces to the source.
        let ends = |piece: &Piece| match piece {
            Piece::Curve(a, b) => (*a, *b),
            Piece::Line(points) | Piece::Continuation(points) => (points[0], points[points.len() - 1]),
        };
        let mut at = head.tip;
        let mut steps = 0;
        while at.y != from.y + from.height || at.x < from.x || at.x > from.x + from.width {
            let piece = route
                .pieces
                .iter()
                .find(|p| ends(p).1 == at)
                .unwrap_or_else(|| panic!("{link:?} broken at {at:?}"));
            at = ends(piece).0;
            steps += 1;
            assert!(steps <= route.pieces.len(), "{link:?} runs in a circle");
        }
    }
}

#[test]
fn random_graphs_keep_the_invariants() {
    for seed in 1..=60 {
        let (boxes, links) = random_graph(3 + seed as usize * 3, seed * 7919, seed % 3 == 0);
        let layout = lay_out(&boxes, &links, boxes.len());
        check(&boxes, &links, &layout);
        assert_eq!(layout, lay_out(&boxes, &links, boxes.len()), "seed {seed} is not deterministic");
    }
}

#[test]
fn a_dag_of_moderate_size_has_no_stub() {
    let (boxes, links) = random_graph(150, 42, false);
    let layout = lay_out(&boxes, &links, boxes.len());
    assert!(layout.stubs.is_empty());
}

#[test]
fn a_long_chain_is_folded_into_a_picture_of_sensible_proportions() {
    let boxes = vec![Size { width: 170.0, height: 50.0 }; 300];
    let links: Vec<Link> = (0..299).map(|k| Link { from: k, to: k + 1, net: k }).collect();
    let layout = lay_out(&boxes, &links, 300);
    check(&boxes, &links, &layout);
    let aspect = layout.width / layout.height;
    assert!((1.0..2.5).contains(&aspect), "{} x {}", layout.width, layout.height);
    let continued =
        layout.routes.iter().flat_map(|r| &r.pieces).filter(|p| matches!(p, Piece::Continuation(_))).count();
    assert!((3..30).contains(&continued), "{continued} continuations");
}

#[test]
fn a_short_chain_stays_one_column() {
    let boxes = vec![Size { width: 170.0, height: 50.0 }; 8];
    let links: Vec<Link> = (0..7).map(|k| Link { from: k, to: k + 1, net: k }).collect();
    let layout = lay_out(&boxes, &links, 8);
    assert_eq!(layout.width, 170.0 + BOX_GAP);
    assert!(layout.boxes.iter().all(|b| b.x == layout.boxes[0].x), "a chain is straight");
}

#[test]
fn unconnected_boxes_become_a_block() {
    let boxes = vec![Size { width: 100.0, height: 40.0 }; 2000];
    let layout = lay_out(&boxes, &[], 0);
    check(&boxes, &[], &layout);
    assert!(layout.width < 12_000.0 && layout.height < 12_000.0, "{} x {}", layout.width, layout.height);
}

#[test]
fn cycles_and_loops_become_stubs() {
    let boxes = vec![Size { width: 100.0, height: 40.0 }; 3];
    let links = [(0, 1), (1, 2), (2, 0), (1, 1)].map(|(from, to)| Link { from, to, net: from });
    let layout = lay_out(&boxes, &links, 3);
    check(&boxes, &links, &layout);
    assert!(layout.stubs.iter().any(|stub| stub.owner == 1 && stub.others == [1]));
}

#[test]
fn empty_and_senseless_input_gives_an_empty_layout() {
    let layout = lay_out(&[], &[Link { from: 0, to: 1, net: 5 }], 2);
    assert_eq!((layout.boxes.len(), layout.routes.len()), (0, 2));
}

#[test]
fn a_large_graph_needs_few_vertices() {
    // One tensor read by all others, and every box read again 1,000 layers later: drawn in full this would be
    // twenty million passing places.
    let count = 20_000_u32;
    let boxes = vec![Size { width: 120.0, height: 40.0 }; count as usize];
    let mut links = Vec::new();
    for k in 1..count {
        links.push(Link { from: k - 1, to: k, net: k - 1 });
        links.push(Link { from: 0, to: k, net: 0 });
        if k + 1000 < count {
            links.push(Link { from: k, to: k + 1000, net: k });
        }
    }
    let layout = lay_out(&boxes, &links, count as usize);
    let pieces: usize = layout.routes.iter().map(|route| route.pieces.len()).sum();
    assert!(pieces < 12 * count as usize, "{pieces} pieces");
    assert!(!layout.stubs.is_empty());
}

#[test]
fn long_cycles_take_no_longer_than_chains() {
    let count = 30_000_u32;
    let boxes = vec![Size { width: 120.0, height: 40.0 }; count as usize];
    let links: Vec<Link> = (0..count)
        .flat_map(|k| [(k + 1) % count, k * 7919 % count].map(|to| Link { from: k, to, net: k }))
        .collect();
    let layout = lay_out(&boxes, &links, count as usize);
    assert_eq!(layout.boxes.len(), count as usize);
    assert!(!layout.stubs.is_empty());
}
