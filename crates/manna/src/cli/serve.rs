//! `manna serve` and `manna --stdio`: the server itself.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{Failure, Outcome, SettingFlags, setup};
use crate::config::Mode;
use crate::mcp::http::{self, HttpSettings};
use crate::mcp::{Server, serve_stdio};
use crate::tools::Tools;

#[derive(Debug, Default, Args)]
pub(super) struct Flags {
    /// Address to listen at; above MANNA_HOST.
    #[arg(long, value_name = "ADDRESS")]
    host: Option<String>,
    /// Port to listen at, 0 for a free one; above MANNA_PORT.
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
}

pub(super) fn run(settings: &SettingFlags, flags: Flags) -> Outcome {
    let mut settings = settings.clone();
    settings
        .set
        .extend(flags.host.map(|host| format!("MANNA_HOST={host}")));
    settings
        .set
        .extend(flags.port.map(|port| format!("MANNA_PORT={port}")));
    let config = setup::config(&settings, Mode::Http)?;
    let server = Server::new(Arc::new(Tools::new(setup::context(&config)?)));
    let http = HttpSettings {
        allowed_hosts: config.public_hosts.clone(),
        allowed_origins: config.allowed_origins.clone(),
        ..HttpSettings::default()
    };
    setup::block_on(serve(
        server,
        SocketAddr::new(config.host, config.port),
        http,
    ))?
}

async fn serve(server: Server, address: SocketAddr, http: HttpSettings) -> Outcome {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Failure::new(format!(
            "cannot listen at {address} ({error}); choose another with --port or MANNA_PORT"
        ))
    })?;
    let address = listener.local_addr()?;
    tracing::info!(%address, url = format!("http://{address}/mcp"), "listening");
    listen(listener, server, http).await
}

/// Serves MCP on `listener` until a signal comes and the calls in flight have ended.
pub(super) async fn listen(listener: TcpListener, server: Server, http: HttpSettings) -> Outcome {
    let shutdown = http.shutdown.clone();
    tokio::spawn(cancel_on_signal(shutdown.clone()));
    let app = http::router(move || server.clone(), &http);
    http::serve(listener, app, shutdown).await?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn stdio(settings: &SettingFlags) -> Outcome {
    let config = setup::config(settings, Mode::Stdio)?;
    let server = Server::new(Arc::new(Tools::new(setup::context(&config)?)));
    setup::block_on(serve_stdio(server))?.map_err(Failure::new)?;
    Ok(ExitCode::SUCCESS)
}

/// Cancels `shutdown` at the first SIGINT or SIGTERM.
async fn cancel_on_signal(shutdown: CancellationToken) {
    let (Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        // Without handlers the signals keep their usual effect, which is to end the process.
        return;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    tracing::info!("stopping: calls in flight may end");
    shutdown.cancel();
}
