//! Reports on inputs that have much of one thing: they are made in linear time, and bounded where a list would say the
//! same again and again.

use std::fmt::Write as _;

use circle_metadata::profile;
use circle_profile::attach::attach;
use circle_profile::attribute::attribute;
use circle_profile::join::join;
use circle_profile::report::rows;
use circle_profile::weights::Weights;

use crate::directed::{bounded, load};
use crate::guard::alone;
use crate::large::Large;

#[test]
fn profiles_of_many_metrics() {
    let _alone = alone();
    let table = |rows: usize, metrics: usize| {
        let mut text = "subgraph,op_index,metric,unit,value\n".to_owned();
        for i in 0..rows {
            let _ = writeln!(text, "0,{},metric_{},us,1", i / metrics, i % metrics);
        }
        text
    };
    let many = table(100_000, 100_000);
    let error = bounded(many.len(), || profile::read("m.csv", many.as_bytes())).expect_err("a refusal");
    assert_eq!(
        error.to_string(),
        "m.csv line 4098: one metric more than 4096, which are the most of a profile"
    );
    // As many as there may be, on as many operators: each row looks for its metric, and each table for its originals.
    let text = table(100_000, 4_000);
    let bytes = Large { chain: 2_000, ..Large::default() }.build();
    let mut model = load(&bytes).unwrap_or_else(|error| panic!("{error}")).model;
    let rows = bounded(bytes.len() + text.len(), || {
        let profile = profile::read("m.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let joined = join(&model, &profile);
        attach(&mut model, "m.csv", &profile, &joined).unwrap_or_else(|error| panic!("{error}"));
        let report = rows(&model, &attribute(&model, &Weights::Equal, &[]));
        report.tables.iter().map(|table| table.rows.len()).sum::<usize>()
    });
    assert_eq!(rows, 100_000);
}
