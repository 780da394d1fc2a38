//! The transports: streamable HTTP without sessions on a real socket, and the built binary over standard input and
//! output. A tool that panics is that call's `internal_error` on both, and the next call works.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use manna::mcp::Server;
use manna::mcp::http::{self, HttpSettings};
use manna::notes::{Archives, Sources};
use manna::shape::Caps;
use manna::tools::{About, Context, Tool, ToolError, Tools};
use manna_vo::http::{Door, Settings};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// How many calls of `hang` are at work.
static HANGING: AtomicUsize = AtomicUsize::new(0);

struct AtWork;

impl Drop for AtWork {
    fn drop(&mut self) {
        HANGING.fetch_sub(1, Ordering::SeqCst);
    }
}

fn about(name: &'static str) -> About {
    About {
        name,
        title: name,
        description: name.to_owned(),
        read_only: true,
        open_world: false,
        output: &[("word", "string")],
    }
}

fn fall_over() -> Result<Value, ToolError> {
    panic!("a secret cause")
}

fn server(max_calls: usize) -> Server {
    let context = Context {
        door: Door::new(Settings::default()).unwrap(),
        archives: Archives::load(&Sources::default()),
        sesame: Vec::new(),
        sync_timeout: Duration::from_secs(1),
        caps: Caps {
            rows: 1,
            bytes: 1024,
        },
        max_calls,
    };
    let panics = Tool::new(about("panics"), |_, _: Nothing| async { fall_over() });
    let works = Tool::new(about("works"), |_, _: Nothing| async {
        Ok(json!({"word": "done"}))
    });
    let hangs = Tool::new(about("hangs"), |_, _: Nothing| async {
        HANGING.fetch_add(1, Ordering::SeqCst);
        let _at_work = AtWork;
        tokio::time::sleep(Duration::from_secs(40)).await;
        Ok(json!({"word": "late"}))
    });
    Server::new(Arc::new(Tools::with(context, vec![panics, works, hangs])))
}

async fn listening(max_calls: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = server(max_calls);
    let settings = HttpSettings::default();
    let app = http::router(move || server.clone(), &settings);
    tokio::spawn(http::serve(listener, app, settings.shutdown));
    port
}

/// One request on a connection of its own: status and body.
async fn post(port: u16, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut head = format!(
        "POST {path} HTTP/1.1\r\ncontent-length: {}\r\nconnection: close\r\n",
        body.len()
    );
    let usual = [
        ("host", "localhost"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ];
    for (name, value) in usual
        .iter()
        .filter(|(name, _)| headers.iter().all(|(own, _)| own != name))
        .chain(headers)
    {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // A server that has refused already may close before it has read everything.
    let _ = stream
        .write_all(format!("{head}\r\n{body}").as_bytes())
        .await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer
        .get(9..12)
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0);
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, body.to_owned())
}

fn call(tool: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}).to_string()
}

async fn called(port: u16, tool: &str) -> Value {
    let (status, body) = post(port, "/mcp", &[], &call(tool)).await;
    assert_eq!(status, 200, "{body}");
    // The body may be chunked: the message is the one line that is JSON.
    let line = body
        .lines()
        .find(|line| line.starts_with('{'))
        .unwrap_or_else(|| panic!("{body}"));
    serde_json::from_str(line).unwrap()
}

#[tokio::test]
async fn no_session_is_needed_and_both_paths_serve() {
    let port = listening(8).await;
    for path in ["/mcp", "/mcp/"] {
        for _ in 0..2 {
            let (status, body) = post(port, path, &[], &call("works")).await;
            assert_eq!(status, 200, "{body}");
            assert!(
                body.contains(r#""structuredContent":{"word":"done"}"#),
                "{body}"
            );
        }
    }
    let (status, _) = post(port, "/elsewhere", &[], "{}").await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn a_modern_peer_gets_what_2026_07_28_asks_for() {
    let port = listening(8).await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let request = |method: &str, params: Value| {
        let mut params = params;
        params["_meta"] = meta.clone();
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    };
    let list = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/list"),
    ];
    let (status, body) = post(port, "/mcp", &list, &request("tools/list", json!({}))).await;
    assert_eq!(status, 200, "{body}");
    for part in [
        r#""resultType":"complete""#,
        r#""ttlMs":3600000"#,
        r#""cacheScope":"public""#,
        "io.modelcontextprotocol/serverInfo",
    ] {
        assert!(body.contains(part), "{part} in {body}");
    }
    let works = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "works"),
    ];
    let (status, body) = post(
        port,
        "/mcp",
        &works,
        &request("tools/call", json!({"name": "works", "arguments": {}})),
    )
    .await;
    assert_eq!(status, 200, "{body}");
    assert!(
        body.contains(r#""resultType":"complete""#) && body.contains(r#""name":"manna""#),
        "{body}"
    );
    // A header that says something else than the body.
    let (status, body) = post(
        port,
        "/mcp",
        &works,
        &request("tools/call", json!({"name": "hangs", "arguments": {}})),
    )
    .await;
    assert_eq!(status, 400, "{body}");
    assert!(body.contains("-32020"), "{body}");
}

#[tokio::test]
async fn hosts_and_origins_that_are_not_ours_are_refused() {
    let port = listening(8).await;
    let own = format!("localhost:{port}");
    let cases: [(&[(&str, &str)], u16); 9] = [
        (&[("host", "localhost")], 200),
        (&[("host", &own)], 200),
        (&[("host", "[::1]:80")], 200),
        (&[("host", "evil.example.com")], 403),
        (&[("host", "localhost.evil.example.com")], 403),
        (&[("origin", "http://localhost:3000")], 200),
        (&[("origin", "http://127.0.0.1:6274")], 200),
        (&[("origin", "https://evil.example.com")], 403),
        (&[("origin", "null")], 403),
    ];
    for (headers, expected) in cases {
        let (status, body) = post(port, "/mcp", headers, &call("works")).await;
        assert_eq!(status, expected, "{headers:?}: {body}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_named() {
    let port = listening(8).await;
    let large = format!(
        "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"x\", \"params\": {{\"pad\": \"{}\"}}}}",
        "x".repeat(2 << 20)
    );
    let cases = [
        ("{not json", 400, "-32700"),
        (
            "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]",
            400,
            "-32700",
        ),
        (large.as_str(), 413, ""),
    ];
    for (body, expected, part) in cases {
        let (status, answer) = post(port, "/mcp", &[], body).await;
        assert_eq!(status, expected, "{answer}");
        assert!(answer.contains(part), "{answer}");
    }
    let unknown = called(port, "no_such_tool").await;
    let error = unknown.get("error").unwrap();
    assert_eq!(error["code"], -32602);
    assert!(
        error["message"].as_str().unwrap().contains("works"),
        "{error}"
    );
}

#[tokio::test]
async fn a_panic_is_an_internal_error_and_the_next_call_works() {
    let port = listening(8).await;
    for _ in 0..2 {
        let panicked = called(port, "panics").await;
        let result = &panicked["result"];
        assert_eq!(result["isError"], true, "{panicked}");
        assert_eq!(result["structuredContent"]["error_class"], "internal_error");
        assert_eq!(result["structuredContent"]["retry_strategy"], "abandon");
        assert!(result["structuredContent"]["request_id"].is_string());
        assert!(!panicked.to_string().contains("secret"), "{panicked}");
        assert_eq!(
            called(port, "works").await["result"]["structuredContent"]["word"],
            "done"
        );
    }
}

#[tokio::test]
async fn a_client_that_goes_stops_its_call_and_a_full_server_says_that_it_is_busy() {
    let port = listening(1).await;
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let body = call("hangs");
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n";
    stream
        .write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes())
        .await
        .unwrap();
    wait_until(|| HANGING.load(Ordering::SeqCst) == 1).await;

    let busy = called(port, "works").await["result"]["structuredContent"].clone();
    assert_eq!(busy["error_class"], "archive_error");
    assert_eq!(busy["retry_strategy"], "wait_and_retry");
    assert!(busy["retry_after_seconds"].is_u64(), "{busy}");

    drop(stream);
    wait_until(|| HANGING.load(Ordering::SeqCst) == 0).await;
    assert_eq!(
        called(port, "works").await["result"]["structuredContent"]["word"],
        "done"
    );
}

async fn wait_until(holds: impl Fn() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it did not come to hold within 10 s");
}

/// The built binary on pipes.
struct Piped {
    child: Child,
}

impl Piped {
    fn start(arguments: &[&str]) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_manna"))
            .args(arguments)
            .env("MANNA_LOG_LEVEL", "trace")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child }
    }

    /// Writes `lines`, closes the input, and returns what came, line by line.
    fn say(mut self, lines: &[String]) -> Vec<Value> {
        let mut input = self.child.stdin.take().unwrap();
        for line in lines {
            writeln!(input, "{line}").unwrap();
        }
        drop(input);
        let output = BufReader::new(self.child.stdout.take().unwrap());
        let messages = output
            .lines()
            .map(|line| line.unwrap())
            .map(|line| {
                serde_json::from_str(&line).unwrap_or_else(|_| panic!("not the protocol: {line}"))
            })
            .collect();
        assert!(self.child.wait().unwrap().success());
        messages
    }
}

#[test]
fn standard_output_carries_the_protocol_and_nothing_else() {
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let call = |id: u8, name: &str, arguments: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}).to_string()
    };
    let lines = [
        initialize.to_string(),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string(),
        call(2, "resolve_target_name", json!({"name": "M87"})),
        call(
            3,
            "run_adql_query",
            json!({"endpoint": "http://127.0.0.1/tap", "adql": "SELECT 1"}),
        ),
        call(4, "no_such_tool", json!({})),
        json!({"jsonrpc": "2.0", "id": 5, "method": "no/such/method"}).to_string(),
    ];
    let messages = Piped::start(&["demo", "--stdio"]).say(&lines);
    let answer = |id: u8| {
        messages
            .iter()
            .find(|message| message["id"] == json!(id))
            .unwrap_or_else(|| panic!("no answer to {id}"))
    };
    assert_eq!(answer(0)["result"]["serverInfo"]["name"], "manna");
    assert_eq!(answer(1)["result"]["tools"].as_array().unwrap().len(), 3);
    assert_eq!(answer(2)["result"]["structuredContent"]["resolved"], true);
    assert_eq!(
        answer(3)["result"]["structuredContent"]["error_class"],
        "validation_error"
    );
    assert_eq!(answer(3)["result"]["isError"], true);
    assert!(answer(4)["error"].is_object() && answer(5)["error"].is_object());
}
