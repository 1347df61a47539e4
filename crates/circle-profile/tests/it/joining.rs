//! Which rows find an operator, and what is said of the others.

use circle_ir::lineage::annotation::{MetricKind, NoteValue};
use circle_metadata::profile::OtherReason;
use circle_metadata::profile::kinds::Fit;
use circle_profile::attach::{AttachError, attach};
use circle_profile::attribute::{Rest, attribute};
use circle_profile::join::{Reason, RowRef, join};
use circle_profile::outside::{What, outside};
use circle_profile::weights::Weights;

use crate::common::{MAIN, attach_times, chain, operators, profile};

#[test]
fn rows_are_joined_by_index_and_kind_and_the_others_are_listed() {
    let model = chain(&["RELU", "LOGISTIC", "TANH", "NEG"]);
    let text = "subgraph,op_index,metric,unit,value,opcode\n\
                0,0,time,ns,10,RELU\n\
                0,1,time,ns,20,CONV_2D\n\
                0,2,time,ns,30,\n\
                0,4,time,ns,40,Permute\n\
                0,4,time,ns,50,TANH\n\
                1,0,time,ns,60,RELU\n";
    let profile = profile("p.csv", text);
    let join = join(&model, &profile);
    let joined: Vec<_> = join.joined.iter().map(|j| (j.row, j.operator.number(), j.fit)).collect();
    assert_eq!(joined, [(0, 0, Some(Fit::Same)), (2, 2, None)]);
    let reasons: Vec<_> = join.unmatched.iter().map(|u| (u.row, u.line, u.reason.to_string())).collect();
    let row = RowRef::Operator;
    assert_eq!(
        reasons,
        [
            (row(1), 3, "\"CONV_2D\" does not fit LOGISTIC".into()),
            (row(3), 5, "\"Permute\" was put in by the runtime".into()),
            (row(4), 6, "no operator 4 (4 there)".into()),
            (row(5), 7, "no subgraph 1 (1 there)".into()),
        ]
    );
    let uncovered: Vec<_> = join.uncovered.iter().map(|(_, op)| op.number()).collect();
    assert_eq!(uncovered, [1, 3]);
    // What a runtime inserts is to be expected; the other three are not.
    assert_eq!(join.doubts(), 3);
}

#[test]
fn instructions_of_one_operator_add_up_and_other_repetitions_do_not() {
    let mut model = chain(&["RELU", "TANH"]);
    let text = "subgraph,op_index,metric,unit,value,instr_id\n\
                0,0,time,ns,10,i1\n\
                0,0,time,ns,20,i2\n\
                0,0,time,ns,90,\n\
                0,0,peak,bytes,7,i1\n\
                0,0,peak,bytes,9,i2\n\
                0,1,time,ns,5,\n\
                0,1,time,ns,6,i9\n";
    let profile = profile("p.csv", text);
    let join = join(&model, &profile);
    let rows: Vec<_> = join.joined.iter().map(|j| j.row).collect();
    assert_eq!(rows, [0, 1, 3, 5]);
    let repeated: Vec<_> = join.unmatched.iter().map(|u| (u.line, &u.reason)).collect();
    let first = |first| Reason::Repeated { first };
    assert_eq!(repeated, [(4, &first(2)), (6, &first(5)), (8, &first(7))]);

    let attached = attach(&mut model, "p.csv", &profile, &join).unwrap();
    assert_eq!(attached.added, 4);
    let tables = attribute(&model, &Weights::Equal, &outside("p.csv", &profile, &join, &attached.own));
    // Repetitions were paid for once, and a peak does not add up.
    assert_eq!(tables.len(), 1);
    assert_eq!((tables[0].total, tables[0].rest_of(Rest::Overhead)), (35, 0));
}

#[test]
fn rows_of_a_trace_that_are_no_operators_are_kept() {
    let mut model = chain(&["RELU"]);
    let event = |name: &str, at: u32, end: u32| {
        let one =
            |ph, ts| format!(r#"{{"name":"{name}","tid":"$0 sess, $0 subg, cpu","ph":"{ph}","ts":"{ts}"}}"#);
        format!("{},{}", one("B", at), one("E", end))
    };
    let text = format!(
        "{{\"traceEvents\":[{},{},{},{{}}]}}",
        event("$0 subg", 0, 100),
        event("@0 ReLU", 10, 60),
        event("@1 Permute", 70, 90)
    );
    let profile = profile("t.json", &text);
    let join = join(&model, &profile);
    assert_eq!(join.joined.len(), 1);
    let reasons: Vec<_> = join.unmatched.iter().map(|u| u.reason.clone()).collect();
    let inserted = Reason::Inserted { kind: "Permute".into() };
    assert_eq!(reasons, [inserted, Reason::NoOperatorRow(OtherReason::Subgraph)]);

    let attached = attach(&mut model, "some/folder/t.json", &profile, &join).unwrap();
    let outside = outside("some/folder/t.json", &profile, &join, &attached.own);
    let what: Vec<_> = outside.iter().map(|o| (o.what, o.value)).collect();
    assert_eq!(what, [(What::Wall, 100_000), (What::Inserted, 20_000)]);
    let tables = attribute(&model, &Weights::Equal, &outside);
    let [table] = &tables[..] else { panic!("{tables:?}") };
    table.check().unwrap();
    assert_eq!((table.total, table.shared(), table.file.as_str()), (100_000, 50_000, "t.json"));
    let rest: Vec<_> =
        table.rest.iter().map(|((kind, why, _), value)| (*kind, why.as_str(), *value)).collect();
    assert_eq!(
        rest,
        [(Rest::Overhead, "between operators", 30_000), (Rest::Overhead, "inserted by the runtime", 20_000)]
    );
    // What the operator ran on is a label, with the line of the row.
    let notes = model.subgraph(MAIN).unwrap().operators().flat_map(|(_, op)| op.notes());
    let notes: Vec<_> = notes.map(|note| (note.value.clone(), note.from.to_string())).collect();
    assert_eq!(
        notes,
        [(NoteValue::Integer(50_000), "t.json:1".into()), (NoteValue::Text("cpu".into()), "t.json:1".into())]
    );
}

#[test]
fn attaching_again_replaces_and_another_profile_stands_beside() {
    let mut model = chain(&["RELU", "TANH"]);
    assert_eq!(attach_times(&mut model, "a.csv", &[(0, 10), (1, 20)]).replaced, 0);
    assert_eq!(attach_times(&mut model, "b.csv", &[(0, 1)]).replaced, 0);
    assert_eq!(attach_times(&mut model, "x/a.csv", &[(0, 11), (1, 21)]).replaced, 2);
    let totals: Vec<_> =
        attribute(&model, &Weights::Equal, &[]).into_iter().map(|table| (table.file, table.total)).collect();
    assert_eq!(totals, [("a.csv".into(), 32), ("b.csv".into(), 1)]);
    assert_eq!(model.store().metrics.len(), 1);
    assert_eq!(model.store().metrics[0].kind, MetricKind::Additive);
}

#[test]
fn values_of_replaced_measurements_are_taken_back_wherever_they_are() {
    let mut model = chain(&["RELU", "TANH", "NEG"]);
    attach_times(&mut model, "a.csv", &[(0, 10), (1, 20), (2, 30)]);
    let run = crate::common::run(&mut model);
    crate::common::retire(&mut model, 1, run);
    assert_eq!(operators(&model).len(), 2);
    assert_eq!(attach_times(&mut model, "a.csv", &[(0, 9), (1, 8)]).replaced, 3);
    let tables = attribute(&model, &Weights::Equal, &[]);
    assert_eq!((tables[0].total, tables[0].rest_of(Rest::Retired)), (17, 0));
}

#[test]
fn a_value_that_nothing_can_hold_is_an_error_with_its_line() {
    let mut model = chain(&["RELU"]);
    let max = i64::MAX;
    let event = |at: i64, end: i64| {
        format!(
            r#"{{"name":"@0 ReLU","tid":"$0 sess, $0 subg","ph":"B","ts":"{at}"}},
               {{"name":"@0 ReLU","tid":"$0 sess, $0 subg","ph":"E","ts":"{end}"}}"#
        )
    };
    let graph = r#"{"name":"$0 subg","tid":"$0 sess, $0 subg","ph":"B","ts":"0"},
                   {"name":"$0 subg","tid":"$0 sess, $0 subg","ph":"E","ts":"1"}"#;
    let long = max / 1000;
    let text = format!("{{\"traceEvents\":[{graph},{},{}]}}", event(0, long), event(0, long));
    let profile = profile("t.json", &text);
    let join = join(&model, &profile);
    let error = attach(&mut model, "t.json", &profile, &join).unwrap_err();
    assert!(matches!(error, AttachError::TooLarge(_)));
    assert_eq!(
        error.to_string(),
        format!("line 2: time of one run is {}, which does not fit 63 bits", i128::from(long) * 2000)
    );
}

#[test]
fn a_model_takes_no_more_metrics_than_a_lineage_holds() {
    let mut model = chain(&["RELU"]);
    let table = |from: usize, to: usize| {
        let rows: String = (from..to).map(|i| format!("0,0,m{i},us,1\n")).collect();
        format!("subgraph,op_index,metric,unit,value\n{rows}")
    };
    let mut attached = |name: &str, text: &str| {
        let profile = profile(name, text);
        let joined = join(&model, &profile);
        attach(&mut model, name, &profile, &joined).map(|attached| attached.added)
    };
    assert_eq!(attached("a.csv", &table(0, 4096)), Ok(4096));
    // Those that are known take no room.
    assert_eq!(attached("b.csv", &table(96, 4096)), Ok(4000));
    let error = attached("c.csv", &table(4000, 4098)).unwrap_err();
    assert_eq!(error, AttachError::Metrics { line: 98, most: 4096 });
    assert_eq!(error.to_string(), "line 98: one metric more than 4096, which are the most of a model");
}

#[test]
fn a_kind_is_told_by_its_beginning() {
    let kind = "é".repeat(100_000);
    let text = format!("subgraph,op_index,metric,unit,value,opcode\n0,0,time,ns,10,{kind}\n");
    let join = join(&chain(&["RELU"]), &profile("p.csv", &text));
    let [row] = &join.unmatched[..] else { panic!("{:?}", join.joined) };
    assert_eq!(row.reason.to_string(), format!("\"{}…\" does not fit RELU", "é".repeat(64)));
}
