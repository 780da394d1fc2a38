//! A server with a tool that panics, behind the product's own handler and transports: what `tests/clients/panic.py`
//! drives real clients against. The product has no such tool.
//!
//! `panicking` serves HTTP on a free port of 127.0.0.1 and prints `{"url": "..."}` on one line; `panicking --stdio`
//! speaks the protocol on standard input and output.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use manna::mcp::http::{self, HttpSettings};
use manna::mcp::{Server, serve_stdio};
use manna::notes::{Archives, Sources};
use manna::shape::Caps;
use manna::tools::{About, Context, Tool, ToolError, Tools};
use manna_vo::http::{Door, Settings};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Word {
    /// What comes back.
    word: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context {
        door: Door::new(Settings::default())?,
        archives: Archives::load(&Sources::default()),
        sesame: Vec::new(),
        sync_timeout: Duration::from_secs(1),
        caps: Caps {
            rows: 1,
            bytes: 1024,
        },
        max_calls: 8,
    };
    let server = Server::new(Arc::new(Tools::with(context, vec![panicking(), echo()])));
    if std::env::args().any(|argument| argument == "--stdio") {
        return Ok(serve_stdio(server).await?);
    }
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let url = format!("http://{}/mcp", listener.local_addr()?);
    writeln!(std::io::stdout(), "{}", json!({"url": url}))?;
    let settings = HttpSettings::default();
    let app = http::router(move || server.clone(), &settings);
    Ok(http::serve(listener, app, settings.shutdown).await?)
}

fn about(
    name: &'static str,
    description: &str,
    output: &'static [(&'static str, &'static str)],
) -> About {
    About {
        name,
        title: name,
        description: description.to_owned(),
        read_only: true,
        open_world: false,
        output,
    }
}

fn panicking() -> Tool {
    Tool::new(about("panic", "Panics.", &[]), |_, _: Nothing| async {
        panic_on_purpose()
    })
}

#[expect(clippy::panic, reason = "it is what this server is for")]
fn panic_on_purpose() -> Result<Value, ToolError> {
    panic!("on purpose")
}

fn echo() -> Tool {
    let about = about("echo", "Returns its word.", &[("word", "string")]);
    Tool::new(about, |_, args: Word| async move {
        Ok(json!({"word": args.word}))
    })
}
