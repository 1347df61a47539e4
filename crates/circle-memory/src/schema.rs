//! The JSON Schema of the form.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Value, json};

use crate::check::MOST;
use crate::form::{FORMAT, Memory, VERSIONS};

/// What the schema is called.
const TITLE: &str = "Memory allocation form";

/// The JSON Schema of the form (draft 2020-12), generated from its types. It ends with a line feed.
pub fn schema() -> String {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.root_schema_for::<Memory>();
    RecursiveTransform(bounded).transform(&mut schema);
    schema.insert("title".to_owned(), Value::from(TITLE));
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (key, word, value) in
            [("format", "const", json!(FORMAT)), ("schema_version", "enum", json!(VERSIONS))]
        {
            if let Some(property) = properties.get_mut(key).and_then(Value::as_object_mut) {
                property.insert(word.to_owned(), value);
            }
        }
    }
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Numbers end where their types do, those of 64 bits where the form says.
fn bounded(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str);
    let (least, most) = match format {
        Some("uint64") => (None, MOST),
        Some("uint32") => (None, u64::from(u32::MAX)),
        Some("int64") => (Some(i64::MIN), MOST),
        _ => return,
    };
    if let Some(least) = least {
        schema.insert("minimum".to_owned(), Value::from(least));
    }
    schema.insert("maximum".to_owned(), Value::from(most));
}
