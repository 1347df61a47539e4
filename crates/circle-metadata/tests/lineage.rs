//! The lineage blob as a whole: what goes in comes out, it is small, and damage is noticed.

mod common;

use circle_metadata::lineage::{
    Action, Claim, DecodeError, Decoded, EncodeError, Event, FileRecord, Format, JsonError, LedgerRecord,
    Lineage, MetricKind, MetricRecord, NoteRecord, NoteValue, OperatorRecord, Reason, Role, Run,
    SourceRecord, SubgraphRecord, TensorNotes, TensorRecord, TensorSource, Version, decode, encode,
    from_json, to_json,
};
use common::Random;

fn known(bytes: &[u8]) -> Lineage {
    match decode(bytes) {
        Ok(Decoded::Known(lineage)) => *lineage,
        other => panic!("{other:?}"),
    }
}

#[test]
fn random_lineages_come_back_from_blob_and_json() {
    for seed in 0..400 {
        let lineage = common::lineage(seed);
        let bytes = encode(&lineage).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(known(&bytes), lineage, "seed {seed}");
        let json = to_json(&lineage);
        let read = from_json(json.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(to_json(&read), json, "seed {seed}");
        assert_eq!(encode(&read).unwrap(), bytes, "seed {seed}: blob -> JSON -> blob");
    }
}

#[test]
fn an_empty_lineage_comes_back() {
    let lineage = Lineage::new([7; 32]);
    assert_eq!(known(&encode(&lineage).unwrap()), lineage);
}

/// A graph of `count` operators with one output tensor each, names of about twelve bytes, every operator
/// imported in a step of its own.
fn chain(count: u32) -> Lineage {
    let mut lineage = Lineage::new([1; 32]);
    lineage.files.push(FileRecord {
        name: "in.circle".into(),
        format: Format::Circle,
        bytes: 1,
        md5: [2; 16],
        sha256: Some([3; 32]),
    });
    lineage.runs.push(Run { tool: "circle2circle".into(), version: "0.1.0".into(), options: "".into() });
    lineage.passes.push("import".into());
    lineage.claim_sets.push(vec![]);
    lineage.tensor_sets.push(vec![]);
    let mut subgraph = SubgraphRecord::default();
    let opcodes = ["CONV_2D", "RELU", "ADD", "TRANSPOSE", "RESHAPE"];
    for id in 0..count {
        let name = format!("net/l{id:06}x");
        lineage.sources.push(SourceRecord {
            id,
            file: Some(0),
            subgraph: 0,
            operator: Some(id),
            opcode: opcodes[id as usize % opcodes.len()].into(),
            name: name.as_str().into(),
        });
        lineage.tensor_sources.push(TensorSource {
            file: Some(0),
            subgraph: 0,
            tensor: id,
            name: name.into(),
        });
        lineage.claim_sets.push(vec![Claim { source: id, role: Role::Primary, part: None }]);
        lineage.tensor_sets.push(vec![id]);
        lineage.events.push(Event { run: 0, pass: 0, action: Action::Import, took: id + 1, parents: vec![] });
        subgraph.operators.push(OperatorRecord {
            claims: id + 1,
            event: Some(id),
            unknown: None,
            notes: vec![],
        });
        subgraph.tensors.push(TensorRecord {
            sources: id + 1,
            claims: id + 1,
            event: Some(id),
            unknown: None,
        });
    }
    lineage.subgraphs.push(subgraph);
    lineage
}

#[test]
fn a_hundred_thousand_operators_take_less_than_45_bytes_each() {
    let lineage = chain(100_000);
    let bytes = encode(&lineage).unwrap();
    assert!(bytes.len() < 45 * 100_000, "{} bytes", bytes.len());
    assert_eq!(known(&bytes), lineage);
}

/// What was taken over from ONE's tables names no file, no operator index and no SHA-256.
#[test]
fn what_is_not_known_stays_unknown() {
    let mut lineage = chain(3);
    lineage.files[0].bytes = 0;
    lineage.files[0].sha256 = None;
    lineage.sources[1].file = None;
    lineage.sources[1].operator = None;
    lineage.tensor_sources[2].file = None;
    let bytes = encode(&lineage).unwrap();
    assert_eq!(known(&bytes), lineage);
    let json = to_json(&lineage);
    assert!(!json.contains("sha256") && !json.contains("null"), "{json}");
    assert_eq!(from_json(json.as_bytes()), Ok(lineage));
}

/// A name given to an operator and to its output is stored once.
#[test]
fn equal_names_share_their_bytes() {
    let mut lineage = chain(50);
    let shared = encode(&lineage).unwrap().len();
    for tensor in &mut lineage.tensor_sources {
        tensor.name = format!("{}y", tensor.name).into();
    }
    assert!(encode(&lineage).unwrap().len() >= shared + 50 * 3);
}

/// What a name has in common with the start of the one before is not stored again.
#[test]
fn common_starts_of_names_are_stored_once() {
    let mut lineage = chain(50);
    let short = encode(&lineage).unwrap().len();
    for (source, tensor) in lineage.sources.iter_mut().zip(&mut lineage.tensor_sources) {
        source.name = format!("{}{}", "layer/".repeat(20), source.name).into();
        tensor.name = source.name.clone();
    }
    let bytes = encode(&lineage).unwrap();
    assert!(bytes.len() < short + 50 * 10 + 200, "{} and {short} bytes", bytes.len());
    assert_eq!(known(&bytes), lineage);
}

#[test]
fn other_files_are_told_apart() {
    assert_eq!(decode(b"CLIN"), Err(DecodeError::TooShort { bytes: 4 }));
    let mut bytes = encode(&chain(1)).unwrap();
    bytes[4..8].copy_from_slice(b"CIR0");
    assert_eq!(decode(&bytes).unwrap_err().to_string(), "file identifier \"CIR0\", \"CLIN\" is due");
}

/// Position of `major` in a blob that starts with the root offset.
fn major_at(bytes: &[u8]) -> usize {
    let word = |at: usize| i32::from_le_bytes(*bytes[at..].first_chunk().expect("within the blob"));
    let table = word(0) as usize;
    let vtable = (table as i32 - word(table)) as usize;
    table + usize::from(u16::from_le_bytes([bytes[vtable + 4], bytes[vtable + 5]]))
}

#[test]
fn versions_are_respected() {
    let lineage = chain(3);
    let mut bytes = encode(&lineage).unwrap();
    let at = major_at(&bytes);
    assert_eq!(bytes[at], 1);
    bytes[at] = 2;
    assert_eq!(decode(&bytes), Ok(Decoded::Opaque(Version { major: 2, minor: 0 })));

    let mut newer = lineage.clone();
    newer.version.minor = 9;
    let refused = EncodeError::Version { found: newer.version, due: Version { major: 1, minor: 0 } };
    assert_eq!(encode(&newer), Err(refused));
    assert_eq!(from_json(to_json(&newer).as_bytes()), Ok(newer.clone()));
    newer.version.major = 2;
    assert_eq!(from_json(to_json(&newer).as_bytes()), Err(JsonError::Version(newer.version)));
}

#[test]
fn truncations_and_flips_are_errors_or_valid_lineages_and_never_panics() {
    let mut random = Random(1);
    let mut survivors = 0;
    for seed in 0..40 {
        let bytes = encode(&common::lineage(seed)).unwrap();
        for _ in 0..150 {
            let mut bad = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bad.len());
                bad[at] ^= 1 << random.below(8);
            }
            if random.below(4) == 0 {
                bad.truncate(random.below(bad.len()));
            }
            if let Ok(Decoded::Known(lineage)) = decode(&bad) {
                survivors += 1;
                // Whatever was believed obeys the rules and can be written.
                let mut lineage = *lineage;
                lineage.version = lineage.least_version();
                let again = encode(&lineage).unwrap();
                assert_eq!(known(&again), lineage);
            }
        }
    }
    assert!(survivors > 0, "flips within names leave a lineage valid");
}

#[test]
fn every_prefix_is_refused() {
    let bytes = encode(&common::lineage(3)).unwrap();
    for cut in 0..bytes.len() {
        assert!(decode(&bytes[..cut]).is_err(), "{cut} of {} bytes", bytes.len());
    }
}

#[test]
fn broken_rules_are_located() {
    let refused = |change: fn(&mut Lineage), message: &str| {
        let mut lineage = chain(3);
        change(&mut lineage);
        assert_eq!(encode(&lineage).unwrap_err().to_string(), message);
        assert_eq!(from_json(to_json(&lineage).as_bytes()).unwrap_err().to_string(), message);
    };
    refused(|l| l.files[0].name = "a/b".into(), "files row 0: \"a/b\" is not the base name of a file");
    refused(|l| l.sources[1].id = 0, "sources row 1: id 0 is not in ascending order below 4294967295");
    refused(
        |l| l.sources[2].id = u32::MAX,
        "sources row 2: id 4294967295 is not in ascending order below 4294967295",
    );
    refused(|l| l.sources[1].file = Some(1), "sources row 1: file 1 does not exist (1 there)");
    refused(|l| l.tensor_sources[0].file = Some(4), "tensor_sources row 0: file 4 does not exist (1 there)");
    refused(|l| l.claim_sets[1][0].source = 3, "claim_sets row 1: source 3 does not exist");
    refused(
        |l| {
            let claim = l.claim_sets[2][0];
            l.claim_sets[2].push(claim);
        },
        "claim_sets row 2: source 1 is not in ascending order",
    );
    refused(|l| l.claim_sets[2] = l.claim_sets[1].clone(), "claim_sets row 2: an equal set stands before it");
    refused(|l| l.claim_sets.push(vec![]), "claim_sets row 4: the empty set stands only in row 0");
    refused(
        |l| {
            l.claim_sets[1][0].part = Some(circle_metadata::lineage::Part { index: 3, of: 2 });
        },
        "claim_sets row 1: part 3 of 2 does not exist",
    );
    refused(|l| l.tensor_sets[1] = vec![1, 0], "tensor_sets row 1: tensor source 0 stands after 1");
    refused(|l| l.tensor_sets[1] = vec![0, 3], "tensor_sets row 1: tensor source 3 does not exist (3 there)");
    refused(|l| l.events[1].parents = vec![0, 1], "events row 1: parent 1 does not stand before it");
    refused(|l| l.events[0].took = 4, "events row 0: claim set 4 does not exist (4 there)");
    refused(
        |l| {
            l.ledger.push(LedgerRecord {
                claims: 0,
                tensors: 4,
                reason: Reason::Dead,
                pass: 0,
                event: 0,
                notes: vec![],
            })
        },
        "ledger row 0: tensor set 4 does not exist (4 there)",
    );
    refused(
        |l| l.subgraphs[0].operators[2].claims = 0,
        "operators row 2: neither an origin nor a reason for having none",
    );
    refused(
        |l| l.subgraphs[0].operators[0].unknown = Some(0),
        "operators row 0: reason 0 does not exist (0 there)",
    );
    refused(|l| l.subgraphs[0].tensors[1].event = Some(3), "tensors row 1: event 3 does not exist (3 there)");
}

#[test]
fn ratios_that_are_no_numbers_are_refused() {
    let mut lineage = (0..).map(common::lineage).find(|lineage| !lineage.notes.is_empty()).unwrap();
    lineage.notes[0].value = NoteValue::Decimal("NaN".into());
    assert_eq!(encode(&lineage).unwrap_err().to_string(), "notes row 0: \"NaN\" is not a decimal number");
}

#[test]
fn json_says_where_it_is_wrong() {
    let json = to_json(&chain(1)).replace("\"primary\"", "\"prime\"");
    let Err(JsonError::Syntax { line, text, .. }) = from_json(json.as_bytes()) else { panic!() };
    assert_eq!(json.lines().nth(line as usize - 1).map(str::trim), Some("\"role\": \"prime\""));
    assert!(text.contains("\"prime\" is not one of primary absorbed"), "{text}");
    assert!(from_json(b"").is_err());
    assert!(from_json(&[b'['; 100_000]).is_err());
}

/// A digest of blobs as they were when tensors could have no values: those of lineages in which none has any must stay
/// what they were, to the byte.
#[test]
fn blobs_without_values_of_tensors_are_what_they_were() {
    // FNV-1a, 64 bits.
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for seed in 0..100 {
        let mut lineage = common::lineage(seed);
        lineage.tensor_notes.clear();
        lineage.version = lineage.least_version();
        let bytes = encode(&lineage).unwrap();
        for byte in bytes {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    assert_eq!(digest, 18_166_248_906_790_820_784);
}

/// What is untraced makes a lineage one of version 1.2, which readers of that version give back as it was.
#[test]
fn what_is_untraced_needs_a_later_version() {
    let mut lineage = (0..).map(common::lineage).find(|lineage| !lineage.ledger.is_empty()).unwrap();
    assert!(lineage.version.minor < 2);
    lineage.ledger[0].reason = Reason::Untraced;
    assert!(encode(&lineage).is_err(), "its version has no place for it");
    lineage.version = lineage.least_version();
    assert_eq!((lineage.version.major, lineage.version.minor), (1, 2));
    assert_eq!(decode(&encode(&lineage).unwrap()).unwrap(), Decoded::Known(Box::new(lineage.clone())));
    assert_eq!(from_json(to_json(&lineage).as_bytes()).unwrap(), lineage);
}

/// A lineage of three tensors, the second and third of which have a value each and two.
fn noted() -> Lineage {
    let mut lineage = chain(3);
    lineage.metrics.push(MetricRecord {
        name: "read".into(),
        unit: "bytes".into(),
        kind: MetricKind::Additive,
    });
    lineage.notes = (0..3)
        .map(|n| NoteRecord {
            metric: 0,
            value: NoteValue::Integer(1 << n),
            over: 0,
            from: "reads.csv:1".into(),
        })
        .collect();
    lineage.tensor_notes.push(TensorNotes { subgraph: 0, tensor: 1, notes: vec![1] });
    lineage.tensor_notes.push(TensorNotes { subgraph: 0, tensor: 2, notes: vec![0, 2] });
    lineage.version = lineage.least_version();
    lineage
}

#[test]
fn values_of_tensors_come_back_in_a_later_version() {
    let lineage = noted();
    assert_eq!(lineage.version, Version { major: 1, minor: 1 });
    let bytes = encode(&lineage).unwrap();
    assert_eq!(known(&bytes), lineage);
    assert_eq!(from_json(to_json(&lineage).as_bytes()), Ok(lineage.clone()));
    // Without them it is of the version that had no place for them, and says nothing of them.
    let mut without = lineage.clone();
    without.tensor_notes.clear();
    let refused = EncodeError::Version { found: lineage.version, due: Version { major: 1, minor: 0 } };
    assert_eq!(encode(&without), Err(refused));
    without.version.minor = 0;
    assert!(encode(&without).unwrap().len() < bytes.len());
    assert!(!to_json(&without).contains("tensor_notes"));
    let mut old = lineage;
    old.version.minor = 0;
    assert_eq!(encode(&old).unwrap_err().to_string(), "lineage of version 1.0, 1.1 is written");
}

#[test]
fn values_of_tensors_that_lead_nowhere_are_refused() {
    let refused = |change: fn(&mut Vec<TensorNotes>), message: &str| {
        let mut lineage = noted();
        change(&mut lineage.tensor_notes);
        assert_eq!(encode(&lineage).unwrap_err().to_string(), message);
        assert_eq!(from_json(to_json(&lineage).as_bytes()).unwrap_err().to_string(), message);
    };
    refused(|n| n[1].tensor = 3, "tensor_notes row 1: tensor 3 does not exist (3 there)");
    refused(|n| n[1].tensor = u32::MAX, "tensor_notes row 1: tensor 4294967295 does not exist (3 there)");
    refused(|n| n[1].subgraph = 1, "tensor_notes row 1: subgraph 1 does not exist (1 there)");
    refused(|n| n[1].tensor = 1, "tensor_notes row 1: tensor 1 of subgraph 0 is not in ascending order");
    refused(|n| n.swap(0, 1), "tensor_notes row 1: tensor 1 of subgraph 0 is not in ascending order");
    refused(|n| n[0].notes = vec![3], "tensor_notes row 0: note 3 does not exist (3 there)");
    refused(|n| n[0].notes = vec![1, 1], "tensor_notes row 0: note 1 stands after 1");
    refused(|n| n[0].notes.clear(), "tensor_notes row 0: no value is named");
}
