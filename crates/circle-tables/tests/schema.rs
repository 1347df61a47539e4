//! The descriptions keep the promises that their readers rely on.

use circle_tables::{CIRCLE, DefaultValue, Element, Kind, SchemaDef, TFLITE, TableDef};

fn both(check: impl Fn(&'static SchemaDef)) {
    check(&CIRCLE);
    check(&TFLITE);
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> bool {
    items.is_sorted_by(|a, b| a < b)
}

#[test]
fn everything_that_is_searched_is_sorted() {
    both(|schema| {
        assert!(sorted(schema.tables.iter().map(|table| table.name)));
        assert!(sorted(schema.enums.iter().map(|def| def.name)));
        assert!(sorted(schema.unions.iter().map(|def| def.name)));
        for table in schema.tables {
            assert!(sorted(table.fields.iter().map(|field| field.slot)), "{}", table.name);
            assert_eq!(schema.table(table.name), Some(*table));
        }
        for def in schema.enums {
            assert!(sorted(def.values.iter().map(|&(_, number)| number)), "{}", def.name);
            for &(name, number) in def.values {
                assert_eq!((def.name_of(number), def.value_of(name)), (Some(name), Some(number)));
                assert!(def.base.holds(number), "{}.{name}", def.name);
            }
        }
        for def in schema.unions {
            assert!(sorted(def.members.iter().map(|&(tag, _)| tag)), "{}", def.name);
            for &(tag, table) in def.members {
                assert_eq!((def.table(tag), def.tag(table)), (Some(table), Some(tag)));
            }
        }
    });
}

#[test]
fn slots_are_filled_without_gaps() {
    both(|schema| {
        for table in schema.tables {
            let mut next = 0;
            for field in table.fields {
                // The tag of a union takes the slot before its value.
                next += u16::from(matches!(field.kind, Kind::Union(_)));
                assert_eq!(field.slot, next, "{}.{}", table.name, field.name);
                assert_eq!(table.field_at(next).map(|found| found.name), Some(field.name));
                next += 1;
            }
            assert_eq!(table.slots(), next);
            assert!(table.field_at(next).is_none());
        }
    });
}

/// Reading, writing and parsing recurse along the schema, so it must have an end.
#[test]
fn no_table_contains_itself() {
    fn depth(table: &'static TableDef, above: &mut Vec<&'static str>) -> usize {
        assert!(!above.contains(&table.name), "{above:?} leads back to {}", table.name);
        above.push(table.name);
        let inside = table.fields.iter().flat_map(|field| match field.kind {
            Kind::Table(table) | Kind::Vector(Element::Table(table)) => vec![table],
            Kind::Union(def) => def.members.iter().map(|&(_, table)| table).collect(),
            _ => Vec::new(),
        });
        let deepest = inside.map(|table| depth(table, above)).max().unwrap_or(0);
        above.pop();
        deepest + 1
    }
    both(|schema| assert_eq!(depth(schema.root, &mut Vec::new()), 6, "{}", schema.name));
}

/// The places where the two schemas disagree, each of which has misled a tool before.
#[test]
fn circle_and_tflite_differ_where_they_are_known_to() {
    let slot = |schema: &SchemaDef, table: &str, field: &str| {
        schema.table(table).and_then(|table| table.field(field)).map(|field| field.slot)
    };
    assert_eq!(slot(&CIRCLE, "Tensor", "compression_type"), Some(10));
    assert_eq!(slot(&TFLITE, "Tensor", "external_buffer"), Some(10));
    assert_eq!(slot(&CIRCLE, "SubGraph", "debug_metadata_index"), Some(6));
    assert_eq!(slot(&TFLITE, "SubGraph", "debug_metadata_index"), Some(5));
    assert_eq!(slot(&CIRCLE, "Operator", "builtin_options"), Some(4));
    assert_eq!(slot(&CIRCLE, "Operator", "builtin_options_2"), Some(12));

    let tag = |schema: &SchemaDef, tag| {
        schema.union("QuantizationDetails").and_then(|def| def.table(tag)).map(|table| table.name)
    };
    assert_eq!((tag(&CIRCLE, 2), tag(&CIRCLE, 3)), (Some("MXQuantization"), Some("BlockwiseQuantization")));
    assert_eq!(
        (tag(&TFLITE, 2), tag(&TFLITE, 3)),
        (Some("BlockwiseQuantization"), Some("MultiAxisQuantization"))
    );

    let uint4 = |schema: &SchemaDef| schema.enumeration("TensorType").and_then(|def| def.value_of("UINT4"));
    assert_eq!((uint4(&CIRCLE), uint4(&TFLITE)), (Some(-1), Some(20)));
}

#[test]
fn defaults_other_than_zero_are_there() {
    let default = |table: &str, field: &str| {
        CIRCLE.table(table).and_then(|table| table.field(field)).map(|field| field.default)
    };
    assert_eq!(default("Conv2DOptions", "dilation_w_factor"), Some(DefaultValue::Int(1)));
    assert_eq!(default("AddOptions", "pot_scale_int16"), Some(DefaultValue::Bool(true)));
    assert_eq!(default("UniqueOptions", "idx_out_type"), Some(DefaultValue::Int(2)));
    assert_eq!(default("Operator", "debug_metadata_index"), Some(DefaultValue::Int(-1)));
    assert_eq!(default("SoftmaxOptions", "beta"), Some(DefaultValue::F32(0.0)));
    assert_eq!(default("Model", "subgraphs"), Some(DefaultValue::Absent));
    let deprecated =
        CIRCLE.table("SubGraph").and_then(|table| table.field_at(5)).map(|field| field.deprecated);
    assert_eq!(deprecated, Some(true));
}
