//! Logs: JSON lines on standard error. Standard output belongs to answers, and over stdio to the protocol.

use tracing_subscriber::EnvFilter;

/// Starts logging at `level` (`error`, `warn`, `info`, `debug`, `trace`) for our own crates. The libraries below
/// log at `warn`, or at `level` if that says less: their details hold addresses and queries.
pub(super) fn start(level: &str) {
    let below = if level == "error" { "error" } else { "warn" };
    let filter = format!(
        "{below},manna={level},manna_vo={level},manna_votable={level},manna_skybox={level}"
    );
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("warn"));
    // A second start (tests in one process) changes nothing.
    let _ = tracing_subscriber::fmt()
        .json()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .try_init();
}
