//! Arguments of a tool call: checked against the very schema the client was shown, so that what is promised and
//! what is enforced cannot differ, and decoded into the tool's own type. Every message names the argument by its
//! path (contract section 1).

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::ToolError;
use super::schema::Object;

/// Checks `arguments` against `schema` and decodes them.
///
/// A `null` for an optional parameter counts as absent, and a number written as a string as that number: models
/// send both.
///
/// # Errors
/// A `validation_error` that names every argument at fault.
pub(super) fn decode<A: DeserializeOwned>(
    schema: &Object,
    arguments: Object,
) -> Result<A, ToolError> {
    let mut value = Value::Object(arguments);
    let mut faults = Vec::new();
    check(schema, &mut value, "", &mut faults);
    if !faults.is_empty() {
        return Err(ToolError::validation(faults.join("; ")));
    }
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let cause = error.into_inner();
        ToolError::validation(if path == "." {
            cause.to_string()
        } else {
            format!("`{path}`: {cause}")
        })
    })
}

fn check(schema: &Object, value: &mut Value, path: &str, faults: &mut Vec<String>) {
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        if !allowed.contains(value) {
            let names: Vec<String> = allowed.iter().map(Value::to_string).collect();
            faults.push(format!(
                "`{path}`: {} is not one of {}",
                short(value),
                names.join(", ")
            ));
        }
        return;
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => check_object(schema, value, path, faults),
        Some("array") => check_array(schema, value, path, faults),
        Some("string") => check_string(schema, value, path, faults),
        Some(kind @ ("integer" | "number")) => check_number(kind, schema, value, path, faults),
        Some("boolean") if !value.is_boolean() => {
            faults.push(wrong_type(path, "true or false", value))
        }
        _ => {}
    }
}

fn check_object(schema: &Object, value: &mut Value, path: &str, faults: &mut Vec<String>) {
    let Value::Object(object) = value else {
        faults.push(wrong_type(path, "an object", value));
        return;
    };
    let nothing = Object::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&nothing);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    object.retain(|name, value| !value.is_null() || required.contains(&name.as_str()));
    for (name, value) in object.iter_mut() {
        let path = join(path, name);
        match properties.get(name).and_then(Value::as_object) {
            Some(schema) => check(schema, value, &path, faults),
            None => {
                let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                faults.push(format!(
                    "`{}`: unknown argument; known are {}",
                    clip(&path),
                    known.join(", ")
                ));
            }
        }
    }
    for name in required {
        if !object.contains_key(name) {
            faults.push(format!("`{}`: missing", join(path, name)));
        }
    }
}

fn check_array(schema: &Object, value: &mut Value, path: &str, faults: &mut Vec<String>) {
    let Value::Array(items) = value else {
        faults.push(wrong_type(path, "a list", value));
        return;
    };
    if let Some(schema) = schema.get("items").and_then(Value::as_object) {
        for (index, item) in items.iter_mut().enumerate() {
            check(schema, item, &format!("{path}[{index}]"), faults);
        }
    }
}

fn check_string(schema: &Object, value: &Value, path: &str, faults: &mut Vec<String>) {
    let Value::String(text) = value else {
        faults.push(wrong_type(path, "a string", value));
        return;
    };
    // `minLength: 1` is the schema's way to say that a value is needed; blanks are none.
    if schema.contains_key("minLength") && text.trim().is_empty() {
        faults.push(format!("`{path}`: must not be empty"));
    }
    let limit = schema.get("maxLength").and_then(Value::as_u64);
    if let Some(limit) = limit.filter(|limit| text.chars().count() as u64 > *limit) {
        faults.push(format!("`{path}`: longer than {limit} characters"));
    }
}

fn check_number(
    kind: &str,
    schema: &Object,
    value: &mut Value,
    path: &str,
    faults: &mut Vec<String>,
) {
    if let Some(number) = value.as_str().and_then(|text| read_number(text.trim())) {
        *value = number;
    }
    // 10.0 is a whole number in JSON Schema (draft 2020-12, 6.1.1).
    let whole = value
        .as_f64()
        .filter(|x| value.is_f64() && x.fract() == 0.0 && x.abs() < 9e15);
    if let Some(whole) = whole.filter(|_| kind == "integer") {
        *value = Value::from(whole as i64);
    }
    let fits = if kind == "integer" {
        value.is_i64() || value.is_u64()
    } else {
        value.is_number()
    };
    if !fits {
        faults.push(wrong_type(
            path,
            if kind == "integer" {
                "a whole number"
            } else {
                "a number"
            },
            value,
        ));
        return;
    }
    let number = value.as_f64().unwrap_or(f64::NAN);
    let bound = |name| schema.get(name).and_then(Value::as_f64);
    if let Some(least) = bound("minimum").filter(|least| number < *least) {
        faults.push(format!("`{path}`: {value} is below the minimum {least}"));
    }
    if let Some(most) = bound("maximum").filter(|most| number > *most) {
        faults.push(format!("`{path}`: {value} is above the maximum {most}"));
    }
}

fn read_number(text: &str) -> Option<Value> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .map(Value::from)
}

fn wrong_type(path: &str, wanted: &str, value: &Value) -> String {
    let path = if path.is_empty() { "arguments" } else { path };
    format!("`{}`: must be {wanted}, not {}", clip(path), short(value))
}

fn short(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        Value::String(text) => format!("{:?}", clip(text)),
        other => other.to_string(),
    }
}

/// What a caller sent is quoted back at most this long.
fn clip(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut clipped: String = text.chars().take(LONGEST).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

#[cfg(test)]
mod tests;
