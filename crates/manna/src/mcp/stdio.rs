//! MCP over standard input and output. Standard output is the protocol: nothing else may write to it.

use rmcp::{ServiceExt, transport::stdio_pipes};

use super::Server;

/// Serves `server` over standard input and output until the input ends.
///
/// # Errors
/// When the transport breaks before the client has said hello; the text is for the log.
pub async fn serve_stdio(server: Server) -> Result<(), String> {
    let running = match server.serve(stdio_pipes()).await {
        Ok(running) => running,
        // A client that closes before it says anything has left, not failed.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    running
        .waiting()
        .await
        .map(|_| ())
        .map_err(|error| error.to_string())
}
