//! `manna demo`: the real tools on an embedded archive, so that anybody can see what the server does without a
//! network. `manna demo --serve` keeps both up for a client. Only here, and in tests, is that made-up sky an
//! archive the server knows.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use manna_skybox::{Running, Skybox};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{Failure, Outcome, SettingFlags, say, serve, setup, table};
use crate::config::Mode;
use crate::mcp::http::HttpSettings;
use crate::mcp::{Server, serve_stdio};
use crate::notes::Archive;
use crate::tools::{Answer, Object, Tools};

/// The notes about the embedded archive; its address is filled in.
const NOTES: &str = include_str!("demo/skybox.toml");

#[derive(Debug, Default, Args)]
pub(super) struct Flags {
    /// Keep the archive and an MCP server over HTTP up, and say how to connect.
    #[arg(long)]
    serve: bool,
    /// Keep the archive up and serve MCP over standard input and output.
    #[arg(long = "stdio", id = "over_stdio", conflicts_with = "serve")]
    over_stdio: bool,
    /// Port of the MCP server, 0 for a free one.
    #[arg(long, default_value_t = 8000, requires = "serve")]
    port: u16,
}

pub(super) fn run(settings: &SettingFlags, flags: &Flags) -> Outcome {
    let mode = match flags {
        Flags {
            over_stdio: true, ..
        } => Mode::Stdio,
        Flags { serve: true, .. } => Mode::Http,
        _ => Mode::Command,
    };
    let config = setup::config(settings, mode)?;
    setup::block_on(async {
        let skybox = Skybox::start(manna_skybox::Config::default())
            .await
            .map_err(|error| {
                Failure::new(format!("the embedded archive does not start: {error}"))
            })?;
        let archive = archive(&skybox)?;
        let tools = Tools::new(setup::demo_context(
            &config,
            skybox.port(),
            archive,
            &skybox.sesame_url(),
        )?);
        let outcome = if flags.over_stdio {
            let server = Server::new(Arc::new(tools));
            serve_stdio(server)
                .await
                .map(|()| ExitCode::SUCCESS)
                .map_err(Failure::new)
        } else if flags.serve {
            keep_up(tools, &skybox, flags.port).await
        } else {
            tour(&tools, &skybox.tap_url()).await
        };
        skybox.shutdown().await;
        outcome
    })?
}

/// The embedded archive as a known one.
fn archive(skybox: &Running) -> Result<Archive, Failure> {
    let text = NOTES.replace("TAP_URL", &skybox.tap_url());
    Archive::parse("skybox.toml", &text).map_err(|error| Failure::new(error.to_string()))
}

async fn tour(tools: &Tools, tap: &str) -> Outcome {
    say("MANNA: a short tour through the real tools, on an archive embedded in this program.\n")?;

    say("1. Where is M87?   resolve_target_name {\"name\": \"M87\"}")?;
    let m87 = call(tools, "resolve_target_name", json!({"name": "M87"})).await?;
    let (ra, dec) = (number(&m87, "ra")?, number(&m87, "dec")?);
    let text = |key: &str| {
        m87.get(key)
            .and_then(Value::as_str)
            .unwrap_or("?")
            .to_owned()
    };
    say(&format!(
        "   ra {ra:.5} dec {dec:+.5} (ICRS, degrees), type {}, from {}\n",
        text("object_type"),
        text("source")
    ))?;

    let cone = format!("CONTAINS(POINT('ICRS', ra, dec), CIRCLE('ICRS', {ra}, {dec}, 0.5)) = 1");
    let count = format!("SELECT COUNT(*) AS n FROM synth.gaia_like WHERE {cone}");
    say(&format!(
        "2. How many sources within half a degree?\n   run_adql_query  {count}"
    ))?;
    let counted = call(
        tools,
        "run_adql_query",
        json!({"endpoint": tap, "adql": count}),
    )
    .await?;
    say(&format!("{}\n", indent(&table::render(&counted))))?;

    let brightest = format!(
        "SELECT TOP 5 source_id, ra, dec, phot_g_mean_mag, parallax FROM synth.gaia_like WHERE {cone} ORDER BY phot_g_mean_mag"
    );
    say(&format!(
        "3. The five brightest of them. Mind source_id: beyond 2^53, so it travels as text.\n   run_adql_query  {brightest}"
    ))?;
    let rows = call(
        tools,
        "run_adql_query",
        json!({"endpoint": tap, "adql": brightest}),
    )
    .await?;
    say(&format!("{}\n", indent(&table::render(&rows))))?;

    let inside = "http://169.254.169.254/latest/meta-data/";
    say(&format!(
        "4. An address inside the network the server stands in.\n   run_adql_query  endpoint {inside}"
    ))?;
    let refused = answer(
        tools,
        "run_adql_query",
        json!({"endpoint": inside, "adql": "SELECT 1"}),
    )
    .await;
    if !refused.is_error {
        return Err(Failure::new("the guard let an inner address through"));
    }
    let part = |key: &str| {
        refused
            .content
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    say(&format!(
        "   refused: {} ({}, {})\n",
        part("message"),
        part("error_class"),
        part("retry_strategy")
    ))?;
    say("Next: `manna demo --serve` keeps this archive and an MCP server up for your client.")
}

async fn answer(tools: &Tools, tool: &str, arguments: Value) -> Answer {
    let object = arguments.as_object().cloned().unwrap_or_else(Object::new);
    tools.call(tool, object).await
}

async fn call(tools: &Tools, tool: &str, arguments: Value) -> Result<Value, Failure> {
    let answer = answer(tools, tool, arguments).await;
    if answer.is_error {
        Err(Failure::new(format!("{tool} failed: {}", answer.content)))
    } else {
        Ok(answer.content)
    }
}

fn number(value: &Value, key: &str) -> Result<f64, Failure> {
    value
        .get(key)
        .and_then(Value::as_f64)
        .ok_or_else(|| Failure::new(format!("M87 has no {key}: {value}")))
}

fn indent(text: &str) -> String {
    text.lines()
        .map(|line| format!("   {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

async fn keep_up(tools: Tools, skybox: &Running, port: u16) -> Outcome {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port)))
        .await
        .map_err(|error| {
            Failure::new(format!(
                "port {port} cannot be used ({error}); try --port 0"
            ))
        })?;
    let address = listener.local_addr()?;
    say(&how_to_connect(
        &format!("http://{address}/mcp"),
        &skybox.tap_url(),
    ))?;
    serve::listen(
        listener,
        Server::new(Arc::new(tools)),
        HttpSettings::default(),
    )
    .await
}

fn how_to_connect(mcp: &str, tap: &str) -> String {
    format!(
        "MCP server:        {mcp}\n\
         embedded archive:  {tap}\n\n\
         Claude Code:  claude mcp add --transport http manna-demo {mcp}\n\
         Codex:        codex mcp add manna-demo --url {mcp}\n\
         HTTP client:  curl -s {mcp} -H 'content-type: application/json' \\\n\
        \x20               -H 'accept: application/json, text/event-stream' \\\n\
        \x20               -d '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{{}}}}'\n\n\
         Ask your client, for example: \"How many sources of synth.gaia_like lie within 0.5 degrees of M87?\"\n\
         Stop with Ctrl-C."
    )
}
