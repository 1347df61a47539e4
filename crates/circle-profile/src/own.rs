//! What an operator cost by itself in one run of the model. An operator that runs subgraphs is measured with
//! everything that ran inside it; its own part is the rest. A body that ran several times in one run of the model
//! cost all those times together.

use std::collections::BTreeMap;
use std::fmt;

use circle_metadata::profile::{Form, OtherReason, Profile, Row, Unit, Value, lower_median};

/// A value beyond 63 bits, which no annotation can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The metric.
    pub metric: String,
    /// The value.
    pub value: i128,
    /// Line of the row.
    pub line: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { metric, value, line } = self;
        write!(f, "line {line}: {metric} of one run is {value}, which does not fit 63 bits")
    }
}

impl std::error::Error for TooLarge {}

/// The own cost of each row of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnValues {
    /// By row: the value without what is nested inside, in one run of the model; `None` for ratios and labels. Of
    /// several runs it is the lower median, taken after the subtraction.
    pub values: Vec<Option<i64>>,
    /// Rows whose nested rows add up to more than themselves: their value is below 0. It is kept as it is, so that
    /// the sum over all rows stays the time that passed.
    pub overlaps: Vec<usize>,
    /// Rows that were not measured equally often in each run of the model, as the branches of an IF: their value
    /// is the mean over the runs, rounded down.
    pub uneven: Vec<usize>,
    /// How many runs of the model the profile holds; 0 if that does not show.
    pub runs: usize,
}

/// What a row cost, run by run.
enum PerRun {
    Each(Vec<i128>),
    /// The same for every run, there being one value only.
    Same(i128),
}

/// What is nested inside a row.
#[derive(Default)]
struct Nested {
    each: Vec<i128>,
    same: i128,
}

impl Nested {
    fn add(&mut self, cost: &PerRun) {
        match cost {
            PerRun::Same(value) => self.same = self.same.saturating_add(*value),
            PerRun::Each(values) => {
                self.each.resize(self.each.len().max(values.len()), 0);
                for (sum, value) in self.each.iter_mut().zip(values) {
                    *sum = sum.saturating_add(*value);
                }
            }
        }
    }
}

/// Computes the own values of all rows.
///
/// # Errors
/// When the value of a row does not fit 63 bits.
pub fn own_values(profile: &Profile) -> Result<OwnValues, TooLarge> {
    let runs = runs(profile);
    let mut own = OwnValues { runs, ..OwnValues::default() };
    let mut callers: BTreeMap<(u32, u32, &str, Unit), usize> = BTreeMap::new();
    for (index, row) in profile.rows.iter().enumerate() {
        callers.entry((row.subgraph, row.operator, row.metric.as_str(), row.unit)).or_insert(index);
    }
    let mut costs = Vec::with_capacity(profile.rows.len());
    let mut nested: BTreeMap<usize, Nested> = BTreeMap::new();
    for (index, row) in profile.rows.iter().enumerate() {
        let cost = per_run(profile.form, row, runs);
        if let Some((_, true)) = cost {
            own.uneven.push(index);
        }
        let cost = cost.map(|(cost, _)| cost);
        let caller = row.parent.filter(|&parent| parent != (row.subgraph, row.operator)).and_then(
            |(subgraph, operator)| callers.get(&(subgraph, operator, row.metric.as_str(), row.unit)),
        );
        if let (Some(&caller), Some(cost)) = (caller, &cost) {
            nested.entry(caller).or_default().add(cost);
        }
        costs.push(cost);
    }
    for (index, (row, cost)) in profile.rows.iter().zip(costs).enumerate() {
        let Some(cost) = cost else {
            own.values.push(None);
            continue;
        };
        let value = without(row, cost, nested.remove(&index).unwrap_or_default())?;
        if value < 0 {
            own.overlaps.push(index);
        }
        own.values.push(Some(value));
    }
    Ok(own)
}

/// How many runs of the model a profile holds: how often its main subgraph ran, or else the smallest number of
/// measurements of an operator outside all others.
fn runs(profile: &Profile) -> usize {
    let main = profile
        .other
        .iter()
        .find(|other| other.reason == OtherReason::Subgraph && other.subgraph == Some(0))
        .map(|other| other.samples.len());
    let outermost = || {
        let rows = profile.rows.iter().filter(|row| row.parent.is_none() && !row.samples.is_empty());
        rows.map(|row| row.samples.len()).min()
    };
    main.filter(|&runs| runs > 0).or_else(outermost).unwrap_or(0)
}

/// The cost of a row run by run, and whether the runs measured it unequally often. `None` if it is no number of
/// units.
fn per_run(form: Form, row: &Row, runs: usize) -> Option<(PerRun, bool)> {
    let Value::Integer(value) = row.value else { return None };
    let samples = || row.samples.iter().map(|&sample| i128::from(sample));
    let count = row.samples.len();
    if count == runs && runs > 0 {
        return Some((PerRun::Each(samples().collect()), false));
    }
    // Only in a trace is each sample one execution; elsewhere samples are repeated measurements of the whole.
    if form != Form::ChromeTrace || count == 0 || runs == 0 {
        return Some((PerRun::Same(value.into()), false));
    }
    if count.is_multiple_of(runs) {
        let each = row.samples.chunks(count / runs);
        let each = each.map(|samples| samples.iter().map(|&sample| i128::from(sample)).sum());
        return Some((PerRun::Each(each.collect()), false));
    }
    Some((PerRun::Same(samples().sum::<i128>().div_euclid(runs as i128)), true))
}

/// The lower median of cost less what is nested.
fn without(row: &Row, cost: PerRun, nested: Nested) -> Result<i64, TooLarge> {
    let fit = |value: i128| {
        let too_large = |_| TooLarge { metric: row.metric.clone(), value, line: row.line };
        i64::try_from(value).map_err(too_large)
    };
    let (cost, runs) = match &cost {
        PerRun::Same(value) if nested.each.is_empty() => return fit(value.saturating_sub(nested.same)),
        PerRun::Same(value) => (vec![*value; nested.each.len()], nested.each.len()),
        PerRun::Each(values) => (values.clone(), values.len()),
    };
    let inside = nested.each.into_iter().chain(std::iter::repeat(0));
    let own = cost.into_iter().zip(inside).take(runs);
    let own: Vec<i64> = own
        .map(|(cost, inside)| fit(cost.saturating_sub(inside).saturating_sub(nested.same)))
        .collect::<Result<_, _>>()?;
    // There is at least one run: vectors of none are never made.
    Ok(lower_median(&own).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(rows: &str) -> Profile {
        let text = format!("subgraph,op_index,metric,unit,value,parent\n{rows}");
        circle_metadata::profile::read("p.csv", text.as_bytes()).unwrap()
    }

    #[test]
    fn the_part_of_a_caller_is_what_is_left() {
        let own =
            own_values(&csv("0,0,time,ns,100,\n1,0,time,ns,30,0:0\n1,1,time,ns,25,0:0\n0,1,time,ns,7,\n"));
        assert_eq!(own.unwrap().values, [45, 30, 25, 7].map(Some));
    }

    #[test]
    fn more_inside_than_around_is_kept_as_an_overlap() {
        let own = own_values(&csv("0,0,time,ns,50,\n1,0,time,ns,30,0:0\n1,1,time,ns,25,0:0\n")).unwrap();
        assert_eq!((own.values, own.overlaps), ([-5, 30, 25].map(Some).to_vec(), vec![0]));
    }

    #[test]
    fn metrics_stay_apart_and_nothing_is_inside_itself() {
        let rows = "0,0,time,ns,50,0:0\n0,0,read,bytes,9,\n1,0,time,ns,30,0:0\n0,0,util,percent,5,\n";
        assert_eq!(own_values(&csv(rows)).unwrap().values, [Some(20), Some(9), Some(30), None]);
    }

    #[test]
    fn runs_are_subtracted_one_by_one() {
        let own = own_values(&csv("0,0,time,ns,100,\n0,0,time,ns,90,\n0,0,time,ns,500,\n\
                                   1,0,time,ns,10,0:0\n1,0,time,ns,60,0:0\n1,0,time,ns,20,0:0\n"));
        // 90, 30 and 480 are left; the median of the differences is not the difference of the medians.
        assert_eq!(own.unwrap().values, [90, 20].map(Some));
    }

    /// Two runs; the body runs three times in each, the branch once in both together.
    #[test]
    fn a_body_costs_all_its_rounds() {
        let mut events = Vec::new();
        let mut event = |name: &str, subgraph: u32, start: u32, end: u32| {
            for (ph, ts) in [("B", start), ("E", end)] {
                events.push(format!(
                    r#"{{"name":"{name}","pid":"0","tid":"$0 sess, ${subgraph} subg","ph":"{ph}","ts":"{ts}",
                       "args":{{"session":"0","subgraph":"{subgraph}"}}}}"#
                ));
            }
        };
        for start in [0, 1000] {
            event("$0 subg", 0, start, start + 100);
            event("@0 While", 0, start + 10, start + 90);
            for round in 0..3 {
                event("@0 Add", 1, start + 20 + 10 * round, start + 25 + 10 * round);
            }
        }
        event("@1 Mul", 1, 60, 67);
        let text = format!("{{\"traceEvents\":[{}]}}", events.join(",\n"));
        let profile = circle_metadata::profile::read("t.json", text.as_bytes()).unwrap();
        let own = own_values(&profile).unwrap();
        let kinds: Vec<_> = profile.rows.iter().map(|row| row.kind.as_deref().unwrap()).collect();
        assert_eq!(kinds, ["While", "Add", "Mul"]);
        // 80 us less 15 of the body and 3.5 of the branch, which ran in one of two runs.
        assert_eq!(own.values, [61_500, 15_000, 3_500].map(Some));
        assert_eq!((own.uneven, own.runs), (vec![2], 2));
    }
}
