//! Every case of the shared list that needs no network: by `parse` alone, or by `verdict` with the
//! case's own DNS answers.

use std::path::Path;

use serde_json::Value;

use super::door_with;
use crate::http::{Dns, Settings, parse_list};

const CASES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../shared/ssrf_cases.json"
);

fn cases(name: &str) -> Option<Vec<Value>> {
    if !Path::new(CASES).exists() {
        println!("skipped: {name} needs ../shared");
        return None;
    }
    Some(serde_json::from_str(&std::fs::read_to_string(CASES).unwrap()).unwrap())
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// The settings a case's `setup` asks for.
fn apply(settings: &mut Settings, case: &Value) {
    let setup = &case["setup"];
    settings.allowed_hosts = parse_list(&strings(&setup["allowed_hosts"]).join(",")).unwrap();
    settings.nat64 = strings(&setup["nat64_prefixes"]).join(",").parse().unwrap();
    let answers = setup["dns"].as_object().into_iter().flatten();
    settings.dns = Dns::Static(
        answers
            .map(|(name, list)| {
                (
                    name.clone(),
                    strings(list).iter().map(|a| a.parse().unwrap()).collect(),
                )
            })
            .collect(),
    );
}

#[test]
fn parse_cases_of_the_shared_list() {
    let Some(cases) = cases("parse_cases_of_the_shared_list") else {
        return;
    };
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases.iter().filter(|case| case["stage"] == "parse") {
        count += 1;
        let door = door_with(|settings| apply(settings, case));
        let outcome = door.parse(case["url"].as_str().unwrap());
        if outcome.is_ok() != (case["verdict"] == "allow") {
            wrong.push(format!(
                "{}: {:?} ({})",
                case["id"], outcome, case["reason"]
            ));
        }
    }
    assert!(count > 200, "only {count} cases");
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[tokio::test]
async fn verdicts_on_the_shared_list() {
    let Some(cases) = cases("verdicts_on_the_shared_list") else {
        return;
    };
    let mut wrong = Vec::new();
    let with_answers = |case: &&Value| {
        case["stage"] == "parse"
            || (case["stage"] == "resolve" && case["setup"]["dns_delay_s"].is_null())
    };
    for case in cases.iter().filter(with_answers) {
        let door = door_with(|settings| apply(settings, case));
        let verdict = door.verdict(case["url"].as_str().unwrap()).await;
        if case["verdict"] != verdict.word() {
            wrong.push(format!("{}: {verdict:?} ({})", case["id"], case["reason"]));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
