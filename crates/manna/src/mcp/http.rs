//! Streamable HTTP without sessions: any replica can answer any request. This module mounts an MCP handler at
//! `/mcp` and `/mcp/` beside `/health` and `/ready`; which handler it is, it does not know, so that the fixture
//! server of the conformance run stands on the same stack as the product.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long calls in flight may go on after the server was told to stop: one tool call's own deadline.
const DRAIN: Duration = Duration::from_secs(55);

/// Who may talk to the server over HTTP, and how much it may say.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// `Host` values that are answered, beside the loopback names. Anything else gets 403: a web page that
    /// rebinds its own name to this machine must not reach the tools.
    pub allowed_hosts: Vec<String>,
    /// `Origin` values (`scheme://host:port`, port `*` for any) that are answered, beside the loopback ones.
    /// A request without `Origin` does not come from a browser and is answered.
    pub allowed_origins: Vec<String>,
    /// Largest request body in bytes; more is 413.
    pub max_body_bytes: usize,
    /// Ends the streams and lets [`serve`] return.
    pub shutdown: CancellationToken,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            max_body_bytes: 1 << 20,
            shutdown: CancellationToken::new(),
        }
    }
}

/// The routes of a server whose MCP requests are answered by what `handler` makes.
pub fn router<H, F>(handler: F, settings: &HttpSettings) -> Router
where
    H: ServerHandler,
    F: Fn() -> H + Send + Sync + 'static,
{
    let service = StreamableHttpService::new(
        move || Ok(handler()),
        Arc::new(NeverSessionManager::default()),
        transport_config(settings),
    );
    Router::new()
        .route_service("/mcp", service.clone())
        .route_service("/mcp/", service)
        .layer(from_fn(name_parse_errors))
        .route("/health", get(|| async { "ok\n" }))
        .route("/ready", get(|| async { "ready\n" }))
        .fallback(unknown_path)
}

/// Serves `app` on `listener` until `shutdown` is cancelled and the calls in flight have ended, or the drain
/// time is over.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let stop = shutdown.clone();
    let served =
        axum::serve(listener, app).with_graceful_shutdown(async move { stop.cancelled().await });
    let drained = async {
        shutdown.cancelled().await;
        tokio::time::sleep(DRAIN).await;
    };
    tokio::select! {
        result = served => result,
        () = drained => Ok(()),
    }
}

fn transport_config(settings: &HttpSettings) -> StreamableHttpServerConfig {
    let hosts = ["localhost", "127.0.0.1", "::1"].map(String::from);
    let origins = ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts.into_iter().chain(settings.allowed_hosts.clone()))
        .with_allowed_origins(origins.chain(settings.allowed_origins.clone()))
        .enforce_origin_validation()
        .with_max_request_body_bytes(settings.max_body_bytes)
        .with_cancellation_token(settings.shutdown.child_token())
}

/// The SDK answers a body that is no JSON-RPC message (bad JSON, a batch) with 415 and bare text; JSON-RPC 2.0
/// section 5.1 and the MCP transport want an error object, which clients can show.
async fn name_parse_errors(request: Request, next: Next) -> Response {
    let said_json = request.method() == Method::POST
        && request
            .headers()
            .get(header::CONTENT_TYPE)
            .is_some_and(is_json);
    let response = next.run(request).await;
    if !said_json || response.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return response;
    }
    let error = json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {"code": -32700, "message": "the body must be one JSON-RPC 2.0 message; batches are not accepted"},
    });
    (StatusCode::BAD_REQUEST, axum::Json(error)).into_response()
}

fn is_json(value: &HeaderValue) -> bool {
    value.to_str().is_ok_and(|text| {
        text.split(';')
            .next()
            .is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
    })
}

async fn unknown_path() -> Response {
    let text =
        "nothing is here: MCP is served at /mcp, the state of the server at /health and /ready\n";
    (StatusCode::NOT_FOUND, text).into_response()
}
