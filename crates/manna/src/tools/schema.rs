//! The JSON Schemas a client sees, slim: plain types, bounds, defaults and one line a parameter. No `$schema`,
//! `$ref`, `anyOf`, `format` or type lists: each costs tokens on every turn, and some hosts refuse them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// A JSON object, as schemas and arguments are.
pub type Object = Map<String, Value>;

/// The keys every error result has (contract section 3).
const ERROR_KEYS: [(&str, &str); 6] = [
    ("error_class", "string"),
    ("message", "string"),
    ("retry_strategy", "string"),
    ("request_id", "string"),
    ("hint", "string"),
    ("retry_after_seconds", "integer"),
];

/// The input schema of the arguments `A`.
pub(super) fn input<A: JsonSchema>() -> Object {
    let settings = SchemaSettings::draft2020_12().with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<A>();
    let mut value = schema.to_value();
    slim(&mut value);
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

/// The output schema of a tool: the top-level keys of all its shapes with their plain types, the keys of an
/// error among them. A key that may be null has no type (`""`).
pub(super) fn output(keys: &[(&str, &str)]) -> Object {
    let mut properties = Object::new();
    for (name, kind) in keys.iter().chain(&ERROR_KEYS) {
        let schema = if kind.is_empty() {
            json!({})
        } else {
            json!({"type": kind})
        };
        properties.entry(*name).or_insert(schema);
    }
    let mut object = Object::new();
    object.insert("type".into(), "object".into());
    object.insert("properties".into(), Value::Object(properties));
    object
}

fn slim(schema: &mut Value) {
    let Value::Object(object) = schema else {
        return;
    };
    for noise in ["$schema", "title", "format"] {
        object.remove(noise);
    }
    // `Option<T>` is "T or null" to schemars. Null is accepted for every optional parameter, so the type alone
    // is said.
    if let Some(Value::Array(kinds)) = object.get("type") {
        let plain = kinds
            .iter()
            .find(|kind| kind.as_str() != Some("null"))
            .cloned();
        if let Some(kind) = plain {
            object.insert("type".into(), kind);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(slim);
    }
    if let Some(items) = object.get_mut("items") {
        slim(items);
    }
}
