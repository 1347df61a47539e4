//! A seeded generator of lineages that obey all rules.

use std::collections::BTreeSet;

use circle_metadata::lineage::{
    Action, Claim, Event, FileRecord, Format, LedgerRecord, Lineage, MetricKind, MetricRecord, NoteRecord,
    NoteValue, OperatorRecord, Part, Reason, Role, Run, SourceRecord, SubgraphRecord, TensorNotes,
    TensorRecord, TensorSource,
};
use circle_metadata::name::Name;

/// A small generator of numbers (splitmix64): the same seed gives the same test on any machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn index(&mut self, bound: usize) -> u32 {
        self.below(bound) as u32
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn maybe(&mut self, bound: usize) -> Option<u32> {
        (bound > 0 && self.chance(2)).then(|| self.index(bound))
    }

    fn set(&mut self, bound: usize) -> Vec<u32> {
        if bound == 0 {
            return vec![];
        }
        let count = self.below(4);
        (0..count).map(|_| self.index(bound)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn name(&mut self) -> Name {
        let odd: [&[u8]; 6] =
            [b"", b"\xff\xfe", b"a\0b", b"</script>\"'", "gr\u{fc}n\u{202e}".as_bytes(), b"\n;\\"];
        match self.below(8) {
            at @ 0..6 => odd[at].into(),
            6 => vec![b'x'; self.below(300)].into(),
            _ => format!("layer{}/conv", self.below(9)).into(),
        }
    }

    fn text(&mut self) -> String {
        self.name().lossy().into_owned()
    }
}

/// A lineage of random size and content that obeys every rule.
pub(crate) fn lineage(seed: u64) -> Lineage {
    let mut random = Random(seed);
    let r = &mut random;
    let mut bytes = [0; 32];
    for byte in &mut bytes {
        *byte = r.next() as u8;
    }
    let mut lineage = Lineage::new(bytes);
    let size = 1 + r.below(12);
    for n in 0..1 + r.below(3) {
        lineage.files.push(FileRecord {
            name: format!("in{n} \u{e9}.circle").into(),
            format: r.pick(Format::ALL),
            bytes: r.next(),
            md5: [n as u8; 16],
            sha256: (!r.chance(3)).then_some([0xa0 | n as u8; 32]),
        });
    }
    let files = lineage.files.len();
    let mut id = 0;
    for _ in 0..size {
        let gap = if r.chance(5) { 1 << 24 } else { 2 };
        id += 1 + r.index(gap);
        lineage.sources.push(SourceRecord {
            id,
            file: r.maybe(files),
            subgraph: r.index(3),
            operator: (!r.chance(4)).then(|| r.next() as u32),
            opcode: r.text().as_str().into(),
            name: r.name(),
        });
    }
    for _ in 0..r.below(12) {
        let tensor = r.next() as u32;
        let name = r.name();
        lineage.tensor_sources.push(TensorSource { file: r.maybe(files), subgraph: 0, tensor, name });
    }
    let mut claim_sets = vec![vec![]];
    for _ in 0..size {
        let ids = r.set(lineage.sources.len());
        let set: Vec<Claim> = ids
            .into_iter()
            .map(|at| Claim {
                source: lineage.sources[at as usize].id,
                role: r.pick(Role::ALL),
                part: r.chance(3).then(|| {
                    let of = 1 + r.index(1000);
                    Part { index: 1 + r.index(of as usize), of }
                }),
            })
            .collect();
        if !claim_sets.contains(&set) {
            claim_sets.push(set);
        }
    }
    lineage.claim_sets = claim_sets;
    let mut tensor_sets = vec![vec![]];
    for _ in 0..size {
        let set = r.set(lineage.tensor_sources.len());
        if !tensor_sets.contains(&set) {
            tensor_sets.push(set);
        }
    }
    lineage.tensor_sets = tensor_sets;
    for n in 0..1 + r.below(3) {
        let (tool, options) = (r.text().into(), r.text().into());
        lineage.runs.push(Run { tool, version: format!("0.{n}").into(), options });
        lineage.passes.push(format!("pass_{n}").into());
        lineage.reasons.push(r.text().into());
    }
    let (runs, sets) = (lineage.runs.len(), lineage.claim_sets.len());
    for own in 0..1 + r.below(20) {
        lineage.events.push(Event {
            run: r.index(runs),
            pass: r.index(runs),
            action: r.pick(Action::ALL),
            took: r.index(sets),
            parents: if own == 0 { vec![] } else { (0..r.below(3)).map(|_| r.index(own)).collect() },
        });
    }
    for n in 0..1 + r.below(3) {
        let kind = r.pick(MetricKind::ALL);
        lineage.metrics.push(MetricRecord { name: format!("m{n}").into(), unit: "ns".into(), kind });
    }
    for _ in 0..r.below(9) {
        let value = match r.below(3) {
            0 => NoteValue::Integer(r.next().cast_signed() >> r.below(64)),
            1 => NoteValue::Decimal(format!("{}.{}0", r.below(200), r.below(90)).into()),
            _ => NoteValue::Text(r.text().into()),
        };
        let (metric, over) = (r.index(lineage.metrics.len()), r.index(sets));
        lineage.notes.push(NoteRecord { metric, value, over, from: r.text().into() });
    }
    let (events, notes) = (lineage.events.len(), lineage.notes.len());
    for _ in 0..r.below(4) {
        let mut subgraph = SubgraphRecord::default();
        for _ in 0..r.below(20) {
            let claims = r.index(sets);
            let unknown = if claims == 0 { Some(0) } else { r.maybe(runs) };
            subgraph.operators.push(OperatorRecord {
                claims,
                event: r.maybe(events),
                unknown,
                notes: r.set(notes),
            });
        }
        for _ in 0..r.below(20) {
            subgraph.tensors.push(TensorRecord {
                sources: r.index(lineage.tensor_sets.len()),
                claims: r.index(sets),
                event: r.maybe(events),
                unknown: r.maybe(runs),
            });
        }
        lineage.subgraphs.push(subgraph);
    }
    for _ in 0..r.below(6) {
        // But the last, which came later than the digest of all that is made here.
        let reason = r.pick(&Reason::ALL[..9]);
        let (claims, pass, event) = (r.index(sets), r.index(runs), r.index(events));
        let tensors = r.index(lineage.tensor_sets.len());
        lineage.ledger.push(LedgerRecord { claims, tensors, reason, pass, event, notes: r.set(notes) });
    }
    for (subgraph, record) in (0..).zip(&lineage.subgraphs) {
        for tensor in 0..record.tensors.len() as u32 {
            let notes = r.set(notes);
            if r.chance(4) && !notes.is_empty() {
                lineage.tensor_notes.push(TensorNotes { subgraph, tensor, notes });
            }
        }
    }
    lineage.version = lineage.least_version();
    lineage
}
