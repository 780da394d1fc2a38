//! Runs the cases inside the namespace and judges what was seen.

use std::collections::HashSet;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::process::Command;

use manna_vo::http::{Door, Request, Settings, parse_list};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::world::World;
use super::{ONE_CASE, archive, dns, support};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../shared/ssrf_cases.json"
);

/// A public address that the namespace's interface has: rule 11.
pub(crate) const OWN_ADDRESS: &str = "93.184.216.99";

/// Where [`ONE_CASE`] finds the authority's certificate.
const CA_PEM: &str = "MANNA_EGRESS_CA_PEM";

/// The addresses the cases' archives live at; a case that is refused before a connection may reach none.
const ARCHIVES: &[&str] = &["93.184.216.34", "2606:2800:220:1::1"];

pub(crate) fn are_there() -> bool {
    Path::new(FILE).exists()
}

/// All cases but those about documents, which no door sees, and some of our own.
fn all() -> Vec<Value> {
    let mut cases: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    cases.retain(|case| case["stage"] != "document");
    cases.extend(own());
    cases
}

/// What the shared list has no case for.
fn own() -> Vec<Value> {
    let dns = json!({"archive.example.com": ["93.184.216.34"], "own.example.com": [OWN_ADDRESS],
        "tap.example.com": ["10.3.2.1"]});
    let case = |id: &str, stage: &str, url: &str, verdict: &str, more: Value| {
        let mut setup = json!({"dns": dns});
        setup
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({"id": id, "group": "own", "stage": stage, "url": url, "verdict": verdict, "setup": setup})
    };
    let to = |location: &str| json!({"redirects": [{"status": 302, "location": location}]});
    let trusted = json!({"trusted": "tap.example.com", "expect": "10.3.2.1"});
    let pinned = json!({"resolve": "pin.corp:443=10.7.7.7:8443", "expect": "10.7.7.7"});
    let slow = json!({"dns": {}, "dns_delay_s": 60, "redirects": []});
    vec![
        case(
            "own-01",
            "resolve",
            &format!("http://{OWN_ADDRESS}/"),
            "block",
            json!({}),
        ),
        case(
            "own-02",
            "resolve",
            "http://own.example.com/",
            "block",
            json!({}),
        ),
        case(
            "own-03",
            "redirect",
            "http://archive.example.com/",
            "block",
            to("http://own.example.com/"),
        ),
        case(
            "own-04",
            "resolve",
            "http://tap.example.com/",
            "block",
            json!({}),
        ),
        case(
            "own-05",
            "resolve",
            "http://tap.example.com/",
            "allow",
            trusted.clone(),
        ),
        case(
            "own-06",
            "resolve",
            "https://tap.example.com/",
            "allow",
            trusted.clone(),
        ),
        case(
            "own-07",
            "resolve",
            "http://tap.example.com:8080/",
            "block",
            trusted,
        ),
        case(
            "own-08",
            "resolve",
            "https://pin.corp/",
            "allow",
            pinned.clone(),
        ),
        case(
            "own-09",
            "resolve",
            "https://pin.corp:8080/",
            "block",
            pinned,
        ),
        case(
            "own-10",
            "redirect",
            "https://archive.example.com/",
            "allow",
            to("http://archive.example.com/x"),
        ),
        case(
            "own-11",
            "redirect",
            "https://archive.example.com/",
            "block",
            to("http://own.example.com/"),
        ),
        case(
            "own-12",
            "resolve",
            "https://nowhere.example.com/",
            "block",
            slow,
        ),
        case(
            "own-13",
            "resolve",
            "https://93.184.216.34/",
            "block",
            json!({"why": "the certificate names no address", "tls": true}),
        ),
    ]
}

pub(crate) fn run_all() {
    let runtime = Runtime::new().unwrap();
    let world = World::default();
    let cases = all();
    let (tls, ca_pem) = support::tls_server(names(&cases));
    runtime.block_on(async {
        dns::serve(world.clone()).await;
        archive::serve(world.clone(), tls).await;
    });
    let (mut wrong, mut wrong_cases) = (Vec::new(), 0);
    for case in &cases {
        let before = wrong.len();
        let methods: &[&str] = match (&case["stage"], &case["id"]) {
            // The rule is about a body.
            (_, id) if id == "redirect-21" => &["POST"],
            (stage, _) if stage == "redirect" || stage == "connect" => &["GET", "POST"],
            _ => &["GET"],
        };
        for method in methods {
            world.reset(&case["setup"]);
            let outcomes = if needs_own_process(case) {
                run_elsewhere(case, method, &ca_pem)
            } else {
                runtime.block_on(fetch(case, method, &ca_pem))
            };
            if let Err(why) = judge(case, &outcomes, &world) {
                wrong.push(format!(
                    "{} {method} {}: {why}",
                    case["id"],
                    shortened(&case["url"])
                ));
            }
        }
        wrong_cases += usize::from(wrong.len() > before);
    }
    println!("egress: {} cases, {wrong_cases} wrong", cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One case, under an environment that only a process of its own can have.
pub(crate) fn run_one(id: &str) {
    let (id, method) = id.split_once(' ').unwrap();
    let case = all().into_iter().find(|case| case["id"] == id).unwrap();
    let ca_pem = std::env::var(CA_PEM).unwrap();
    for outcome in Runtime::new()
        .unwrap()
        .block_on(fetch(&case, method, &ca_pem))
    {
        println!(
            "outcome: {}",
            outcome.map_or_else(|error| error, |()| "document".to_owned())
        );
    }
}

fn needs_own_process(case: &Value) -> bool {
    !case["setup"]["env"].is_null() || !case["setup"]["netrc"].is_null()
}

fn run_elsewhere(case: &Value, method: &str, ca_pem: &str) -> Vec<Result<(), String>> {
    let home = tempfile::tempdir().unwrap();
    if let Some(netrc) = case["setup"]["netrc"].as_str() {
        std::fs::write(home.path().join(".netrc"), netrc).unwrap();
    }
    let env = case["setup"]["env"].as_object().into_iter().flatten();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "one_case", "--nocapture"])
        .env_remove(super::INSIDE)
        .env(
            ONE_CASE,
            format!("{} {method}", case["id"].as_str().unwrap()),
        )
        .env(CA_PEM, ca_pem)
        .env("HOME", home.path())
        .envs(env.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let outcomes = text
        .lines()
        .filter_map(|line| line.strip_prefix("outcome: "));
    outcomes
        .map(|text| {
            if text == "document" {
                Ok(())
            } else {
                Err(text.to_owned())
            }
        })
        .collect()
}

/// What the door makes of a case: one outcome a request. A case with a sequence of answers makes as many
/// requests, one of a client's habits makes two.
async fn fetch(case: &Value, method: &str, ca_pem: &str) -> Vec<Result<(), String>> {
    let setup = &case["setup"];
    let mut settings = Settings::default();
    let joined = |value: &Value| {
        let items = value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        items.collect::<Vec<_>>().join(",")
    };
    settings.allowed_hosts = parse_list(&joined(&setup["allowed_hosts"])).unwrap();
    settings.nat64 = joined(&setup["nat64_prefixes"]).parse().unwrap();
    settings.trusted_hosts = parse_list(setup["trusted"].as_str().unwrap_or_default()).unwrap();
    settings.resolve = parse_list(setup["resolve"].as_str().unwrap_or_default()).unwrap();
    settings.extra_roots_pem = Some(ca_pem.as_bytes().to_vec());
    let door = Door::new(settings).unwrap();
    let answers = setup["dns_seq"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(_, lists)| lists.as_array().unwrap().len());
    let requests = match (
        case["stage"].as_str().unwrap(),
        case["group"].as_str().unwrap(),
    ) {
        ("connect", "client") => 2,
        ("connect", _) => answers.max().unwrap_or(1),
        _ => 1,
    };
    let mut outcomes = Vec::new();
    for _ in 0..requests {
        outcomes.push(fetch_once(&door, case["url"].as_str().unwrap(), method).await);
    }
    outcomes
}

async fn fetch_once(door: &Door, raw: &str, method: &str) -> Result<(), String> {
    let url = door.parse(raw).map_err(|refusal| refusal.log())?;
    let request = match method {
        "POST" => Request::post_form(url, vec![("QUERY".into(), "SELECT 1".into())]),
        _ => Request::get(url),
    };
    let mut answer = door.send(request).await.map_err(|error| error.log())?;
    let text = answer.text(1000).await.map_err(|error| error.log())?;
    match answer.status {
        200 if text == archive::DOCUMENT => Ok(()),
        status => Err(format!("status {status}")),
    }
}

fn judge(case: &Value, outcomes: &[Result<(), String>], world: &World) -> Result<(), String> {
    let state = world.lock();
    if let Some(((name, _), _)) = state
        .asked
        .iter()
        .find(|((name, _), _)| name.ends_with(dns::TRAP))
    {
        return Err(format!("asked for {name}"));
    }
    for secret in ["authorization", "cookie", "referer", "proxy-", "upgrade"] {
        let carried = |line: &str| line.starts_with(secret);
        if state.requests.iter().any(|head| head.lines().any(carried)) {
            return Err(format!("sent {secret}"));
        }
    }
    let Some((last, before)) = outcomes.split_last() else {
        return Err("no outcome".to_owned());
    };
    let connections = &state.connections;
    if case["verdict"] == "allow" {
        if let Some(error) = outcomes.iter().find_map(|outcome| outcome.as_ref().err()) {
            return Err(format!("not fetched: {error}"));
        }
        return match expected(case) {
            all if connections.is_empty() => Err(format!("no connection seen, expected {all:?}")),
            all => nothing_but(connections, &all),
        };
    }
    if last.is_ok() {
        return Err(format!("fetched from {connections:?}"));
    }
    if case["group"] == "client" {
        return Ok(());
    }
    // What comes before the case's point must work, or the point proves nothing.
    if case["stage"] == "connect" && before.iter().any(Result::is_err) {
        return Err(format!("failed too early: {before:?}"));
    }
    let is_early = matches!(case["stage"].as_str(), Some("parse" | "resolve"))
        && case["setup"]["tls"].is_null();
    let allowed = if is_early { Vec::new() } else { archives() };
    nothing_but(connections, &allowed)
}

fn nothing_but(connections: &[SocketAddr], allowed: &[IpAddr]) -> Result<(), String> {
    match connections.iter().find(|one| !allowed.contains(&one.ip())) {
        Some(one) => Err(format!("connected to {one}")),
        None => Ok(()),
    }
}

fn archives() -> Vec<IpAddr> {
    ARCHIVES.iter().map(|one| one.parse().unwrap()).collect()
}

/// Where an allowed case's document must come from: the literal, or the archives.
fn expected(case: &Value) -> Vec<IpAddr> {
    if let Some(one) = case["setup"]["expect"].as_str() {
        return vec![one.parse().unwrap()];
    }
    let url = url::Url::parse(case["url"].as_str().unwrap()).unwrap();
    match url.host().unwrap() {
        url::Host::Domain(_) => archives(),
        url::Host::Ipv4(address) => vec![address.into()],
        url::Host::Ipv6(address) => vec![address.into()],
    }
}

/// Every name a certificate can have that a case may ask for.
fn names(cases: &[Value]) -> Vec<String> {
    let mut names: HashSet<String> = HashSet::from(["pin.corp".to_owned()]);
    for case in cases {
        for answers in [&case["setup"]["dns"], &case["setup"]["dns_seq"]] {
            names.extend(
                answers
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.clone()),
            );
        }
    }
    let plain = |name: &String| {
        name.contains('.')
            && name.split('.').all(|label| {
                !label.is_empty()
                    && label
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b == b'-')
            })
    };
    names.into_iter().filter(plain).collect()
}

fn shortened(url: &Value) -> String {
    format!(
        "{:?}",
        url.as_str().unwrap().chars().take(80).collect::<String>()
    )
}
