use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::tools::schema;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    #[schemars(length(min = 1))]
    endpoint: String,
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(default = "ten")]
    maxrec: u32,
    #[serde(default)]
    #[schemars(range(min = -90.0, max = 90.0))]
    dec: Option<f64>,
    #[serde(default)]
    mode: Mode,
    #[serde(default)]
    wavebands: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Sync,
    #[default]
    Auto,
}

fn ten() -> u32 {
    10
}

fn decoded(arguments: Value) -> Result<Args, String> {
    let Value::Object(object) = arguments else {
        panic!("the test's arguments are an object")
    };
    decode(&schema::input::<Args>(), object).map_err(|error| error.message)
}

fn args(maxrec: u32, dec: Option<f64>) -> Args {
    Args {
        endpoint: "e".into(),
        maxrec,
        dec,
        mode: Mode::Auto,
        wavebands: Vec::new(),
    }
}

#[test]
fn what_models_send_is_understood() {
    let cases = [
        (json!({"endpoint": "e"}), args(10, None)),
        (
            json!({"endpoint": "e", "maxrec": null, "dec": null, "mode": null, "wavebands": null}),
            args(10, None),
        ),
        (
            json!({"endpoint": "e", "maxrec": "25", "dec": " -12.5 "}),
            args(25, Some(-12.5)),
        ),
        (
            json!({"endpoint": "e", "maxrec": 25.0, "dec": 12}),
            args(25, Some(12.0)),
        ),
    ];
    for (given, expected) in cases {
        assert_eq!(decoded(given.clone()), Ok(expected), "{given}");
    }
}

#[test]
fn what_is_wrong_is_named_by_its_path() {
    let cases = [
        (json!({}), "`endpoint`: missing"),
        (
            json!({"endpoint": null}),
            "`endpoint`: must be a string, not null",
        ),
        (json!({"endpoint": "  "}), "`endpoint`: must not be empty"),
        (
            json!({"endpoint": 5}),
            "`endpoint`: must be a string, not 5",
        ),
        (
            json!({"endpoint": "e", "maxrec": 0}),
            "`maxrec`: 0 is below the minimum 1",
        ),
        (
            json!({"endpoint": "e", "maxrec": 100_001}),
            "`maxrec`: 100001 is above the maximum 100000",
        ),
        (
            json!({"endpoint": "e", "maxrec": "many"}),
            "`maxrec`: must be a whole number, not \"many\"",
        ),
        (
            json!({"endpoint": "e", "maxrec": 1.5}),
            "`maxrec`: must be a whole number, not 1.5",
        ),
        (
            json!({"endpoint": "e", "maxrec": true}),
            "`maxrec`: must be a whole number, not true",
        ),
        (
            json!({"endpoint": "e", "dec": "NaN"}),
            "`dec`: must be a number, not \"NaN\"",
        ),
        (
            json!({"endpoint": "e", "dec": -90.5}),
            "`dec`: -90.5 is below the minimum -90",
        ),
        (
            json!({"endpoint": "e", "mode": "fast"}),
            "`mode`: \"fast\" is not one of \"sync\", \"auto\"",
        ),
        (
            json!({"endpoint": "e", "wavebands": "radio"}),
            "`wavebands`: must be a list, not \"radio\"",
        ),
        (
            json!({"endpoint": "e", "wavebands": ["radio", 5]}),
            "`wavebands[1]`: must be a string, not 5",
        ),
        (
            json!({"endpoint": "e", "limit": 5}),
            "`limit`: unknown argument; known are endpoint, maxrec, dec, mode, wavebands",
        ),
        (
            json!({"maxrec": 0, "dec": 100}),
            "`maxrec`: 0 is below the minimum 1; `dec`: 100 is above the maximum 90; `endpoint`: missing",
        ),
    ];
    for (given, expected) in cases {
        assert_eq!(decoded(given.clone()), Err(expected.to_owned()), "{given}");
    }
}

#[test]
fn schemas_are_slim() {
    let text = Value::Object(schema::input::<Args>()).to_string();
    for noise in [
        "$schema",
        "$ref",
        "$defs",
        "anyOf",
        "oneOf",
        "\"format\"",
        "[\"",
        "\"title\"",
    ] {
        let listed = text
            .replace("\"enum\":[\"", "")
            .replace("\"required\":[\"", "");
        assert!(!listed.contains(noise), "{noise} in {text}");
    }
    assert!(text.contains("\"additionalProperties\":false"), "{text}");
}
