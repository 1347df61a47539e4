//! The operator rows of the LiteRT table as JSON.
//!
//! ```text
//! { "runtime": "litert", "kernels": "builtin", "runs": 5,
//!   "operators": [ { "node_type": "CONV_2D", "avg_ms": 0.057, "times_called": 5,
//!                    "name": "[Builtin]:0", "index": 0 } ] }
//! ```
//!
//! `avg_ms` is read from its digits, never through a float. `index` must agree with the number at the end of
//! the name where both are there.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Faulty;
use super::error::ProfileFault;
use super::lines::Lines;
use super::litert::{MILLISECOND, Measured, index, operator_or_reason};
use super::row::{Form, OtherReason, OtherRow, Profile};
use super::unit::Unit;
use crate::decimal::exact;

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    operators: Vec<&'a RawValue>,
    #[serde(default)]
    runtime: Option<String>,
    #[serde(default)]
    kernels: Option<String>,
    #[serde(default)]
    runs: Option<u64>,
}

#[derive(Deserialize)]
struct Operator<'a> {
    node_type: String,
    #[serde(borrow)]
    avg_ms: &'a RawValue,
    #[serde(borrow, default)]
    times_called: Option<&'a RawValue>,
    #[serde(default)]
    name: String,
    #[serde(borrow, default)]
    index: Option<&'a RawValue>,
    #[serde(borrow, default)]
    subgraph: Option<&'a RawValue>,
}

pub(super) fn read(text: &str) -> Faulty<Profile> {
    let document: Document<'_> = serde_json::from_str(text)
        .map_err(|error| (error.line() as u64, ProfileFault::Json { text: error.to_string() }))?;
    let mut profile = Profile::new(Form::LitertJson);
    let runs = document.runs.map(|runs| runs.to_string());
    for (key, value) in [("runtime", document.runtime), ("kernels", document.kernels), ("runs", runs)] {
        profile.header.extend(value.map(|value| (key.to_owned(), value)));
    }
    let mut lines = Lines::new(text);
    for raw in document.operators {
        add(&mut profile, raw.get(), lines.of(raw.get()))?;
    }
    Ok(profile)
}

fn add(profile: &mut Profile, raw: &str, line: u64) -> Faulty<()> {
    if !raw.starts_with('{') {
        return Err((line, ProfileFault::expected_object(raw)));
    }
    let operator: Operator<'_> = serde_json::from_str(raw).map_err(|error| {
        (line + (error.line() as u64).saturating_sub(1), ProfileFault::Json { text: error.to_string() })
    })?;
    let scaled = |field: &'static str, raw: &RawValue, scale: u64| {
        exact(raw.get(), scale).map_err(|fault| (line, ProfileFault::value(field, raw.get(), fault)))
    };
    let time = scaled("avg_ms", operator.avg_ms, MILLISECOND)?;
    let calls = operator.times_called.map_or(Ok(1), |raw| scaled("times_called", raw, 1))?;
    let number = |field, raw: Option<&RawValue>| {
        raw.map(|raw| index(field, raw.get()).map_err(|fault| (line, fault))).transpose()
    };
    let subgraph = number("subgraph", operator.subgraph)?.unwrap_or(0);
    let given = number("index", operator.index)?;
    let by_name = operator_or_reason(&operator.node_type, &operator.name);
    let index = match (by_name, given) {
        (Ok(named), Some(given)) if named != given => {
            profile.problem(line, format!("index {given} contradicts the name, which ends in {named}"));
            Err(OtherReason::NoIndex)
        }
        (Err(OtherReason::NoIndex), Some(given)) => Ok(given),
        (by_name, _) => by_name,
    };
    match index {
        Ok(index) => {
            let node_type = &operator.node_type;
            let row = Measured { subgraph, operator: index, node_type, calls, line };
            profile.rows.push(row.row("time", Unit::Nanoseconds, time));
        }
        Err(reason) => profile.other.push(OtherRow {
            reason,
            name: format!("{} {}", operator.node_type, operator.name),
            subgraph: Some(subgraph),
            time: Some(time),
            samples: vec![],
            line,
        }),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Value;

    fn one(operator: &str) -> Faulty<Profile> {
        read(&format!("{{\"runs\": 5,\n\"operators\": [\n{operator}]}}"))
    }

    #[test]
    fn digits_are_read_exactly_in_any_notation() {
        let profile = one(r#"{"node_type":"ADD","avg_ms":1e-05,"name":"[a]:3","index":3}"#).unwrap();
        assert_eq!(profile.rows[0].value, Value::Integer(10));
        assert_eq!((profile.rows[0].operator, profile.rows[0].line), (3, 3));
        assert_eq!(profile.header, [("runs".to_owned(), "5".to_owned())]);
    }

    #[test]
    fn an_index_that_contradicts_the_name_is_not_believed() {
        let profile = one(r#"{"node_type":"ADD","avg_ms":1,"name":"[a]:3","index":4}"#).unwrap();
        assert!(profile.rows.is_empty());
        assert_eq!(profile.problems[0].text, "index 4 contradicts the name, which ends in 3");
    }

    #[test]
    fn faults_are_located() {
        let (line, fault) = one("{\"node_type\":\"ADD\",\n\"name\":\"x:1\"}").unwrap_err();
        assert_eq!(line, 4);
        assert!(fault.to_string().contains("missing field `avg_ms`"), "{fault}");
        let (line, fault) = one(r#"["ADD",1,5,"x:1"]"#).unwrap_err();
        assert_eq!(line, 3);
        assert!(fault.to_string().starts_with("expected an object, found ["), "{fault}");
        let (line, fault) = one(r#"{"node_type":"ADD","avg_ms":"fast","name":"x:1"}"#).unwrap_err();
        assert_eq!((line, fault.to_string()), (3, "avg_ms \"\\\"fast\\\"\" is not a decimal number".into()));
    }
}
