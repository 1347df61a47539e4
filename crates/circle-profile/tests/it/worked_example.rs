//! Four kernels over five originals, worked out by hand: conv 1000 with bn and relu in one kernel, 101 alone, 100 of
//! relu, add and mul together, and 7 of a kernel without an origin.

use std::collections::BTreeMap;
use std::sync::Arc;

use circle_ir::import::{Draft, DraftSubgraph, DraftValue, ImportedLineage, OperatorLineage, TensorLineage};
use circle_ir::lineage::Store;
use circle_ir::lineage::claims::{Claim, Role};
use circle_ir::lineage::origin::{FileFormat, Origin, OriginFile};
use circle_ir::{Buffer, BufferId, FileId, Model, OpSpec, OriginId, ValueId};
use circle_profile::attribute::{Rest, Share, Table, attribute};
use circle_profile::report;
use circle_profile::weights::Weights;
use circle_tables::{Record, circle, opcode};

use crate::common::{attach_times, chain};

const NAMES: [&str; 5] = ["conv", "bn", "relu", "add", "mul"];

/// A model of unary operators with the given origins.
fn kernels(origins: &[&[(u32, Role)]]) -> Model {
    let mut store = Store::default();
    store.origins.files.push(OriginFile {
        name: Arc::from("in.circle"),
        format: FileFormat::Circle,
        bytes: 1,
        md5: [7; 16],
        sha256: None,
    });
    for (id, name) in (0..).zip(NAMES) {
        let origin = Origin {
            file: Some(FileId::from_number(0)),
            subgraph: 0,
            operator: Some(id),
            opcode: Arc::from(name.to_uppercase()),
            name: Arc::from(name),
        };
        store.origins.operators.insert(OriginId::from_number(id), origin);
    }
    let lost = store.reason("lost by another tool");
    let mut operators = Vec::new();
    for claims in origins {
        let claims: Vec<Claim> = claims
            .iter()
            .map(|&(origin, role)| Claim { origin: OriginId::from_number(origin), role, part: None })
            .collect();
        let claims = store.claim_sets.intern(&claims);
        let unknown = (claims.number() == 0).then_some(lost);
        operators.push(OperatorLineage { claims, event: None, unknown, notes: vec![] });
    }
    let (tensors, claims) = (store.tensor_sets.empty(), store.claim_sets.empty());
    let tensor = TensorLineage { tensors, claims, event: None, unknown: None };
    let count = origins.len() as u32;
    let value = |_| DraftValue { record: Record::new(&circle::TENSOR), buffer: BufferId::from_number(0) };
    let relu = opcode::code("RELU").unwrap();
    let ids = |at: u32| [ValueId::from_number(at)];
    let draft = Draft {
        frame: chain(&["RELU"]).frame().clone(),
        subgraphs: vec![DraftSubgraph {
            record: Record::new(&circle::SUB_GRAPH),
            values: (0..=count).map(value).collect(),
            operators: (0..count).map(|at| OpSpec::builtin(relu, &ids(at), &ids(at + 1))).collect(),
            inputs: ids(0).to_vec(),
            outputs: ids(count).to_vec(),
        }],
        buffers: vec![Buffer::Empty { vector: false }],
    };
    let tensors = vec![vec![tensor; count as usize + 1]];
    draft.adopt(ImportedLineage { store, operators: vec![operators], tensors, tensor_notes: vec![] }).unwrap()
}

fn example() -> Model {
    use Role::{Absorbed, Primary};
    let mut model = kernels(&[
        &[(0, Primary), (1, Absorbed), (2, Absorbed)],
        &[(0, Primary)],
        &[(2, Absorbed), (3, Absorbed), (4, Primary)],
        &[],
    ]);
    attach_times(&mut model, "k.csv", &[(0, 1000), (1, 101), (2, 100), (3, 7)]);
    model
}

fn weights(name: &str, of: [u64; 5]) -> Weights {
    let weights: BTreeMap<_, _> = (0..).map(OriginId::from_number).zip(of).collect();
    Weights::PerOrigin { name: name.into(), weights }
}

fn bounds(table: &Table) -> Vec<(i128, i128, i128)> {
    table.shares.values().map(|&Share { low, share, high, .. }| (low, share, high)).collect()
}

#[test]
fn bytes_moved() {
    let model = example();
    // Moving 60, 20 and 20 bytes; relu, add and mul weigh the same.
    let tables = attribute(&model, &weights("bytes moved", [60, 20, 20, 20, 20]), &[]);
    let [table] = &tables[..] else { panic!("{tables:?}") };
    table.check().unwrap();
    assert_eq!(bounds(table), [(101, 701, 1101), (0, 200, 1000), (0, 234, 1100), (0, 33, 100), (0, 33, 100)]);
    assert_eq!(table.total, 1208);
    assert_eq!(table.rest, BTreeMap::from([((Rest::Unattributed, "lost by another tool".into(), None), 7)]));
}

#[test]
fn multiplications() {
    let model = example();
    // 90 multiplications in conv and none elsewhere: where all weigh nothing, all bear the same.
    let tables = attribute(&model, &weights("macs", [90, 0, 0, 0, 0]), &[]);
    let shares: Vec<_> = tables[0].shares.values().map(|share| share.share).collect();
    assert_eq!(shares, [1101, 0, 34, 33, 33]);
}

/// Ten originals in one operator: nothing is known of each but that it cost no more than all.
#[test]
fn one_operator_for_everything() {
    let mut model = kernels(&[&[0, 1, 2, 3, 4].map(|id| (id, Role::Absorbed))]);
    attach_times(&mut model, "k.csv", &[(0, 13)]);
    let tables = attribute(&model, &Weights::Equal, &[]);
    assert_eq!(bounds(&tables[0]), [(0, 3, 13), (0, 3, 13), (0, 3, 13), (0, 2, 13), (0, 2, 13)]);
}

#[test]
fn helpers_are_charged_to_what_they_serve_and_marked() {
    let mut model = kernels(&[&[(0, Role::Primary)], &[(0, Role::Helper)], &[(1, Role::Inferred)]]);
    attach_times(&mut model, "k.csv", &[(0, 10), (1, 4), (2, 3)]);
    let tables = attribute(&model, &Weights::Equal, &[]);
    let shares: Vec<_> = tables[0].shares.values().map(|s| (s.share, s.helper, s.inferred)).collect();
    assert_eq!(shares, [(14, 4, 0), (3, 0, 3)]);
}

#[test]
fn the_report_for_people() {
    let model = example();
    let tables = attribute(&model, &weights("bytes moved", [60, 20, 20, 20, 20]), &[]);
    let text = report::to_text(&report::rows(&model, &tables));
    let expected = "\
time in ns from k.csv; costs of several originals shared out by weights: bytes moved
1208 ns: 8.4 % measured for one original alone, 91.1 % shared out, 0.6 % for no original

share      %  low  high     original
  701   58.0  101  1101     @0 CONV conv
  234   19.4    0  1100     @2 RELU relu
  200   16.6    0  1000     @1 BN bn
   33    2.7    0   100     @3 ADD add
   33    2.7    0   100     @4 MUL mul
    7    0.6  unattributed: lost by another tool
originals 1201 + unattributed 7 = 1208 ns
";
    assert_eq!(text, expected);
}

#[test]
fn the_report_for_programs() {
    let model = example();
    let tables = attribute(&model, &Weights::Equal, &[]);
    let json: serde_json::Value =
        serde_json::from_str(&report::to_json(&report::rows(&model, &tables)).unwrap()).unwrap();
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["origin_files"][0]["md5"], "07".repeat(16));
    let table = &json["tables"][0];
    assert_eq!((&table["metric"], &table["unit"]), (&"time".into(), &"ns".into()));
    let row = serde_json::json!({
        "id": 0, "file": 0, "subgraph": 0, "operator": 0, "opcode": "CONV", "name": "conv",
        "low": 101, "share": 435, "high": 1101, "helper": 0, "inferred": 0, "values": 2,
    });
    assert_eq!(table["rows"][0], row);
    let equation = serde_json::json!({
        "originals": 1201, "unattributed": 7, "retired": 0, "overhead": 0, "overlap": 0, "total": 1208, "holds": true,
    });
    assert_eq!(table["equation"], equation);
}

/// A table that was tampered with does not pass, and says so in every form.
#[test]
fn an_equation_that_does_not_hold_is_noticed() {
    let model = example();
    let mut tables = attribute(&model, &Weights::Equal, &[]);
    tables[0].total += 1;
    let error = tables[0].check().unwrap_err();
    assert_eq!(error.to_string(), "time from k.csv: the parts add up to 1208 and 1209 was measured");
    let rows = report::rows(&model, &tables);
    assert!(!rows.tables[0].equation.holds);
    assert!(report::to_text(&rows).contains("IS NOT 1209 ns"));

    tables[0].total -= 1;
    tables[0].check().unwrap();
    tables[0].shares.values_mut().for_each(|share| share.low += 1000);
    let error = tables[0].check().unwrap_err();
    assert_eq!(error.to_string(), "time from k.csv: a share lies outside its bounds");
}

/// Lines stay within 100 columns and in one piece, whatever names and numbers there are.
#[test]
fn lines_stay_in_shape() {
    let model = example();
    let mut tables = attribute(&model, &Weights::Equal, &[]);
    tables[0].file = "x\n".repeat(60);
    tables[0].rest.insert((Rest::Retired, "\u{1b}[1m".repeat(40), None), i128::from(i64::MAX) * 3);
    tables[0].rest.insert((Rest::Overhead, "between operators".into(), None), i128::from(i64::MAX));
    let mut rows = report::rows(&model, &tables);
    rows.tables[0].rows[0].name = "layer/\r".repeat(2000);
    let text = report::to_text(&rows);
    assert_eq!(text.lines().map(|line| line.chars().count()).max(), Some(100), "{text}");
    assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()));
    assert_eq!(text.lines().filter(|line| line.contains('@')).count(), 5);
}
