//! Two generators, flatc and `schema/describe.py`, read the same schema. They must agree.

use crate::common;
use std::collections::BTreeMap;

use circle_tables::{CIRCLE, Kind, SchemaDef, TFLITE};

/// The slots that the generated accessors of a schema use: table, then field in capitals.
fn accessors(schema: &SchemaDef) -> BTreeMap<String, BTreeMap<String, u16>> {
    let path = common::root().join(format!("crates/circle-schema/src/generated/{}.rs", schema.name));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut tables: BTreeMap<String, BTreeMap<String, u16>> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines().map(str::trim) {
        if let Some((name, _)) = line.strip_prefix("impl<'a> ").and_then(|rest| rest.split_once("<'a> {")) {
            current = name.to_owned();
            tables.entry(current.clone()).or_default();
        }
        let Some(constant) = line.strip_prefix("pub const VT_") else { continue };
        let (name, rest) = constant.split_once(':').expect("a constant has a type");
        let offset =
            rest.rsplit('=').next().and_then(|value| value.trim_end_matches(';').trim().parse::<u16>().ok());
        let slot = (offset.expect("an offset in the vtable") - 4) / 2;
        // flatc appends a line to names that are words of Rust.
        tables.entry(current.clone()).or_default().insert(name.trim_end_matches('_').to_owned(), slot);
    }
    tables
}

#[test]
fn slots_are_those_of_the_generated_accessors() {
    for schema in [&CIRCLE, &TFLITE] {
        let accessors = accessors(schema);
        let mut compared = 0;
        for table in schema.tables {
            let found = accessors.get(table.name).unwrap_or_else(|| panic!("no accessors of {}", table.name));
            let mut described = BTreeMap::new();
            for field in table.fields {
                let name = field.name.to_ascii_uppercase();
                if let Kind::Union(_) = field.kind {
                    described.insert(format!("{name}_TYPE"), field.slot - 1);
                }
                // Deprecated fields have no accessor.
                if !field.deprecated {
                    described.insert(name, field.slot);
                }
            }
            assert_eq!(&described, found, "{}", table.name);
            compared += described.len();
        }
        assert!(compared > 300, "{compared}");
    }
}
