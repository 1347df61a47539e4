//! Whatever passes make of a model between measurements, everything measured is accounted for.

use circle_profile::attribute::{Rest, attribute};
use circle_profile::report;
use circle_profile::weights::Weights;

use crate::common::{attach_times, chain, fuse, operators, retire, run};

/// A small generator of numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }
}

#[test]
fn nothing_measured_is_lost_or_made_up() {
    let mut retired_some = 0;
    let mut shared_some = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let count = 2 + random.below(12) as usize;
        let mut model = chain(&vec!["RELU"; count]);
        let run = run(&mut model);
        let mut totals = std::collections::BTreeMap::new();
        for round in 0..3 {
            for _ in 0..random.below(4) {
                let at = random.below(count as u64) as usize;
                if random.below(4) == 0 {
                    retire(&mut model, at, run);
                } else {
                    fuse(&mut model, at, run);
                }
            }
            let size = if random.below(5) == 0 { i64::MAX as u64 } else { 1000 };
            let times: Vec<(usize, i64)> = (0..operators(&model).len())
                .filter(|_| random.below(5) > 0)
                .collect::<Vec<_>>()
                .into_iter()
                .map(|at| (at, random.below(size) as i64))
                .collect();
            if times.is_empty() {
                continue;
            }
            let name = format!("{round}.csv");
            totals.insert(name.clone(), times.iter().map(|&(_, time)| i128::from(time)).sum::<i128>());
            attach_times(&mut model, &name, &times);
        }
        for weights in [
            Weights::Equal,
            Weights::PerOrigin {
                name: "made up".into(),
                weights: model.store().origins.operators.keys().map(|&id| (id, random.below(3))).collect(),
            },
        ] {
            let tables = attribute(&model, &weights, &[]);
            let found = tables.iter().map(|table| (table.file.clone(), table.total)).collect();
            assert_eq!(totals, found, "seed {seed}");
            for table in &tables {
                table.check().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                let parts = table.shared() + table.rest.values().sum::<i128>();
                assert_eq!(parts, totals[&table.file], "seed {seed}");
                assert!(table.exact() <= table.shared());
                retired_some += usize::from(table.rest_of(Rest::Retired) > 0);
                shared_some += usize::from(table.exact() < table.shared());
            }
            // In CSV the column of shares adds up to the total.
            let csv = report::to_csv(&report::rows(&model, &tables)).unwrap();
            let mut sums = std::collections::BTreeMap::new();
            for record in csv::Reader::from_reader(csv.as_bytes()).records() {
                let record = record.unwrap();
                let sign = if &record[3] == "total" { -1 } else { 1 };
                *sums.entry(record[2].to_owned()).or_insert(0) += sign * record[11].parse::<i128>().unwrap();
            }
            assert!(sums.values().all(|&sum| sum == 0), "seed {seed}: {sums:?}");
        }
    }
    assert!(retired_some > 0 && shared_some > 0, "{retired_some} {shared_some}");
}

/// A value measured before a fusion is still that of its original alone.
#[test]
fn fusing_does_not_blur_what_was_measured_before() {
    let mut model = chain(&["RELU", "TANH"]);
    attach_times(&mut model, "p.csv", &[(0, 10), (1, 20)]);
    let run = run(&mut model);
    fuse(&mut model, 0, run);
    assert_eq!(operators(&model).len(), 1);
    let tables = attribute(&model, &Weights::Equal, &[]);
    let shares: Vec<_> = tables[0].shares.values().map(|s| (s.low, s.share, s.high)).collect();
    assert_eq!(shares, [(10, 10, 10), (20, 20, 20)]);
}

#[test]
fn negative_rests_of_callers_are_an_overlap_and_no_share() {
    let mut model = chain(&["RELU", "TANH"]);
    let text = "subgraph,op_index,metric,unit,value,parent\n0,0,time,ns,5,\n0,1,time,ns,8,0:0\n";
    let profile = crate::common::profile("p.csv", text);
    let join = circle_profile::join::join(&model, &profile);
    let attached = circle_profile::attach::attach(&mut model, "p.csv", &profile, &join).unwrap();
    assert_eq!(attached.own.overlaps, [0]);
    let tables = attribute(&model, &Weights::Equal, &[]);
    tables[0].check().unwrap();
    assert_eq!((tables[0].total, tables[0].shared(), tables[0].rest_of(Rest::Overlap)), (5, 8, -3));
}
