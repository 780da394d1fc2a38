//! The product's tools: rules that hold for all of them, and what `run_adql_query` answers against the embedded
//! archive.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::time::Duration;

use manna::notes::{Archives, Sources};
use manna::shape::Caps;
use manna::tools::{Context, Object, Tools};
use manna_skybox::{Config, Running, Skybox};
use manna_vo::http::{Door, Settings};
use serde_json::{Value, json};

async fn skybox() -> Running {
    Skybox::start(Config {
        sources: 5_000,
        ..Config::default()
    })
    .await
    .unwrap()
}

fn tools(skybox: &Running, caps: Caps) -> Tools {
    let mut settings = Settings::default();
    settings.trusted_hosts = vec![format!("127.0.0.1:{}", skybox.port()).parse().unwrap()];
    let door = Door::new(settings).unwrap();
    let sesame = vec![door.parse(&skybox.sesame_url()).unwrap()];
    Tools::new(Context {
        door,
        archives: Archives::load(&Sources::default()),
        sesame,
        sync_timeout: Duration::from_secs(20),
        caps,
        max_calls: 64,
    })
}

const CAPS: Caps = Caps {
    rows: 200,
    bytes: 49_152,
};

async fn query(tools: &Tools, arguments: Value) -> (Value, bool) {
    let answer = tools
        .call("run_adql_query", arguments.as_object().unwrap().clone())
        .await;
    (answer.content, answer.is_error)
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

fn schemas(value: &Value, found: &mut Vec<Object>) {
    if let Value::Object(object) = value {
        found.push(object.clone());
        object.values().for_each(|inner| schemas(inner, found));
    }
}

#[tokio::test]
async fn every_tool_keeps_the_rules() {
    let skybox = skybox().await;
    let tools = tools(&skybox, CAPS);
    let names: Vec<&str> = tools.list().iter().map(|tool| tool.about.name).collect();
    assert_eq!(
        names,
        ["list_archives", "resolve_target_name", "run_adql_query"]
    );
    let mut paid = 0;
    for tool in tools.list() {
        let about = &tool.about;
        let own = about.description.split("\nKnown traps:").next().unwrap();
        assert!(own.chars().count() <= 700, "{}", about.name);
        assert!(
            !about.title.is_empty() && about.title.len() <= 60,
            "{}",
            about.name
        );
        assert!(about.read_only, "{}", about.name);
        assert_eq!(about.open_world, about.name != "list_archives");
        let input = Value::Object(tool.input_schema.clone());
        paid += about.name.len()
            + about.title.len()
            + about.description.len()
            + input.to_string().len();
        assert_eq!(
            input["additionalProperties"],
            json!(false),
            "{}",
            about.name
        );
        for (name, property) in input["properties"].as_object().unwrap() {
            let said = property["description"].as_str().unwrap();
            assert!(
                (1..=120).contains(&said.chars().count()),
                "{}.{name}",
                about.name
            );
            assert!(property["type"].is_string(), "{}.{name}", about.name);
        }
        let output = Value::Object(tool.output_schema.clone());
        let mut all = Vec::new();
        schemas(&input, &mut all);
        schemas(&output, &mut all);
        for noise in ["$schema", "$ref", "$defs", "anyOf", "oneOf", "format"] {
            assert!(
                all.iter().all(|schema| !schema.contains_key(noise)),
                "{}: {noise}",
                about.name
            );
        }
        assert_eq!(
            keys(&output),
            BTreeSet::from(["type", "properties"]),
            "{}",
            about.name
        );
    }
    assert!(paid < 15_000, "{paid} bytes on every turn");
}

#[tokio::test]
async fn a_result_has_the_keys_of_the_contract_and_of_its_schema() {
    let skybox = skybox().await;
    let tools = tools(&skybox, CAPS);
    let calls = [
        (
            "run_adql_query",
            json!({"endpoint": skybox.tap_url(), "adql": "SELECT TOP 1 ra FROM synth.gaia_like"}),
            "archive columns hints next_steps row_count rows truncated truncation_reason",
        ),
        (
            "run_adql_query",
            json!({"endpoint": skybox.tap_url(), "adql": "SELECT nothing FROM nowhere"}),
            "error_class hint message request_id retry_strategy",
        ),
        (
            "run_adql_query",
            json!({"endpoint": "http://10.0.0.1/tap", "adql": "SELECT 1"}),
            "error_class message request_id retry_strategy",
        ),
        (
            "resolve_target_name",
            json!({"name": "no such thing"}),
            "message name resolved",
        ),
        (
            "resolve_target_name",
            json!({"name": "M 87"}),
            "aliases dec frame name object_type ra resolved source unit",
        ),
        ("list_archives", json!({}), "archives count"),
        (
            "list_archives",
            json!({"waveband": "no such band"}),
            "archives count hint",
        ),
    ];
    for (name, arguments, expected) in calls {
        let answer = tools
            .call(name, arguments.as_object().unwrap().clone())
            .await
            .content;
        assert_eq!(
            keys(&answer),
            expected.split(' ').collect(),
            "{name} {arguments}: {answer}"
        );
        let schema = &tools.find(name).unwrap().output_schema["properties"];
        for (key, value) in answer.as_object().unwrap() {
            let kind = schema
                .get(key)
                .unwrap_or_else(|| panic!("{name}: {key} is not in the schema"));
            let fits = match kind.get("type").and_then(Value::as_str) {
                Some("string") => value.is_string(),
                Some("array") => value.is_array(),
                Some("boolean") => value.is_boolean(),
                Some("integer") => value.is_u64(),
                Some("number") => value.is_number(),
                _ => true,
            };
            assert!(fits, "{name}: {key} is {value}");
        }
    }
}

#[tokio::test]
async fn wide_integers_travel_as_text_and_types_are_votable_s() {
    let skybox = skybox().await;
    let tools = tools(&skybox, CAPS);
    let adql =
        "SELECT TOP 3 source_id, ra, phot_g_mean_mag FROM synth.gaia_like ORDER BY source_id";
    let (found, is_error) =
        query(&tools, json!({"endpoint": skybox.tap_url(), "adql": adql})).await;
    assert!(!is_error, "{found}");
    let columns = found["columns"].as_array().unwrap();
    assert_eq!(columns[0]["type"], "long");
    assert_eq!(columns[0]["encoding"], "string");
    assert_eq!(columns[1]["type"], "double");
    assert_eq!(columns[1]["unit"], "deg");
    assert!(columns[1].get("encoding").is_none());
    for row in found["rows"].as_array().unwrap() {
        assert!(row[0].as_str().unwrap().parse::<i64>().unwrap() > 1 << 53);
        assert!(row[1].is_f64());
    }
}

#[tokio::test]
async fn a_cut_result_says_so_and_why() {
    let skybox = skybox().await;
    let small = Caps {
        rows: 20,
        bytes: 49_152,
    };
    let tools = tools(&skybox, small);
    let all = "SELECT ra FROM synth.gaia_like";
    let cases = [
        // Exactly as many as can be shown is not cut.
        (
            json!({"adql": "SELECT TOP 20 ra FROM synth.gaia_like"}),
            20,
            Value::Null,
        ),
        (
            json!({"adql": "SELECT TOP 20 ra FROM synth.gaia_like", "mode": "sync", "maxrec": 20}),
            20,
            Value::Null,
        ),
        (
            json!({"adql": all, "maxrec": 5}),
            5,
            json!("maxrec_exceeded"),
        ),
        (
            json!({"adql": all, "maxrec": 5, "mode": "sync"}),
            5,
            json!("maxrec_exceeded"),
        ),
        (json!({"adql": all}), 20, json!("inline_cap_exceeded")),
        (
            json!({"adql": "SELECT ra FROM synth.gaia_like WHERE ra < -1"}),
            0,
            Value::Null,
        ),
    ];
    for (mut arguments, rows, reason) in cases {
        arguments["endpoint"] = skybox.tap_url().into();
        let (found, is_error) = query(&tools, arguments.clone()).await;
        assert!(!is_error, "{arguments}: {found}");
        assert_eq!(found["row_count"], json!(rows), "{arguments}");
        assert_eq!(found["rows"].as_array().unwrap().len(), rows, "{arguments}");
        assert_eq!(found["truncation_reason"], reason, "{arguments}");
        assert_eq!(found["truncated"], json!(!reason.is_null()), "{arguments}");
        assert_eq!(
            found["next_steps"].as_array().unwrap().is_empty(),
            reason.is_null(),
            "{arguments}"
        );
    }
    let arguments = json!({"endpoint": skybox.tap_url(), "adql": all, "mode": "sync"});
    let (refused, is_error) = query(&tools, arguments).await;
    assert!(is_error);
    assert_eq!(refused["error_class"], "validation_error");
    assert_eq!(refused["retry_strategy"], "fix_and_retry");
}

#[tokio::test]
async fn the_envelope_stays_within_its_bytes() {
    let skybox = skybox().await;
    for bytes in [4_096, 12_000, 49_152] {
        let tools = tools(&skybox, Caps { rows: 200, bytes });
        let arguments = json!({"endpoint": skybox.tap_url(), "adql": "SELECT source_id, designation, ra, dec FROM synth.gaia_like"});
        let (found, is_error) = query(&tools, arguments).await;
        assert!(!is_error, "{found}");
        let length = found.to_string().len();
        assert!(length <= bytes, "{length} of {bytes}");
    }
}

#[tokio::test]
async fn errors_say_what_to_do_and_nothing_of_the_inside() {
    let skybox = skybox().await;
    let tools = tools(&skybox, CAPS);
    let tap = skybox.tap_url();
    let cases = [
        (
            json!({"endpoint": tap, "adql": "SELECT garbage FROM nowhere"}),
            "tap_query_error",
            "fix_and_retry",
        ),
        (
            json!({"endpoint": "http://169.254.169.254/tap", "adql": "SELECT 1"}),
            "validation_error",
            "abandon",
        ),
        (
            json!({"endpoint": "ftp://archive.example.com/", "adql": "SELECT 1"}),
            "validation_error",
            "fix_and_retry",
        ),
        (
            json!({"endpoint": tap, "adql": "  "}),
            "validation_error",
            "fix_and_retry",
        ),
        (
            json!({"endpoint": tap, "adql": "SELECT 1", "mode": "async"}),
            "validation_error",
            "fix_and_retry",
        ),
        (
            json!({"endpoint": format!("{}/nothing", skybox.base_url()), "adql": "SELECT 1"}),
            "archive_error",
            "wait_and_retry",
        ),
    ];
    let mut ids = BTreeSet::new();
    for (arguments, class, retry) in cases {
        let (error, is_error) = query(&tools, arguments.clone()).await;
        assert!(is_error, "{arguments}");
        assert_eq!(error["error_class"], class, "{arguments}: {error}");
        assert_eq!(error["retry_strategy"], retry, "{arguments}: {error}");
        assert!(
            ids.insert(error["request_id"].as_str().unwrap().to_owned()),
            "{error}"
        );
        let text = error["message"].as_str().unwrap();
        for inside in ["169.254", "10.0.0", "os error", "Error {", "::", "src/"] {
            assert!(!text.contains(inside), "{inside} in {text}");
        }
    }
}
