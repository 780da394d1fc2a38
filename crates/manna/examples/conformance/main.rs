//! The fixture server of the MCP conformance suite, on our own transports.
//!
//! The suite wants tools, prompts and resources with fixed names and fixed answers, which a product
//! has no business to offer. This handler offers them and nothing else; it is mounted on the stack
//! `manna serve` uses, so a check that passes here passes through our layers, and one that fails
//! here is a fault of ours and not a missing fixture. `tests/clients/conformance.py` runs it.
//!
//! `conformance [--port N]` serves HTTP on 127.0.0.1 and prints `{"url": "..."}` on one line;
//! `conformance --stdio` speaks the protocol on stdin and stdout.

mod answers;
mod input;
mod server;
mod tasks;

use std::io::Write as _;

use manna::mcp::http::{self, HttpSettings};
use rmcp::ServiceExt as _;

use crate::server::Fixture;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut port = 0;
    let mut stdio = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--stdio" => stdio = true,
            "--port" => port = arguments.next().ok_or("--port needs a number")?.parse()?,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    let fixture = Fixture::new();
    if stdio {
        let (input, output) = rmcp::transport::stdio();
        fixture.serve((input, output)).await?.waiting().await?;
        return Ok(());
    }
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    writeln!(
        std::io::stdout(),
        "{}",
        serde_json::json!({"url": format!("http://{}/mcp", listener.local_addr()?)})
    )?;
    let settings = HttpSettings::default();
    let app = http::router(move || fixture.clone(), &settings);
    http::serve(listener, app, settings.shutdown).await?;
    Ok(())
}
