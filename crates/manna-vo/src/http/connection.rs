//! One HTTP/1.1 connection to one checked address: opened here, and used for one exchange at a time.
//!
//! The connection is made by us, address in hand, and not by a client library that asks a resolver: so the
//! address connected to is the address that was checked, for names and literals alike.

#![expect(
    clippy::disallowed_types,
    reason = "this is the one door: the only file that makes connections"
)]

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;

use super::clock::Clock;
use super::error::{FetchError, Phase};
use super::host::Host;
use super::limits::Limits;
use super::service_url::ServiceUrl;
use super::wire::{HeadBudget, Stream, Wire};

/// How long one address may stay silent before the next one is tried beside it (RFC 8305 section 5).
const NEXT_ADDRESS_AFTER: Duration = Duration::from_millis(250);

/// Interim answers may cost this many times the head's own limit.
const INTERIM_FACTOR: usize = 4;

/// The HTTP reader's buffer; it holds a whole head, and is the most that is read ahead of a body's reader.
const BUFFER_BYTES: usize = 64 << 10;

/// An open connection. Dropping it closes the socket at once, whatever is still under way.
#[derive(Debug)]
pub(super) struct Connection {
    sender: http1::SendRequest<Full<Bytes>>,
    driver: JoinHandle<()>,
    head_budget: Arc<HeadBudget>,
    address: SocketAddr,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// A request that brought no answer.
pub(super) struct SendFailure {
    pub(super) error: FetchError,
    /// Nobody can have acted on it: nothing was written.
    pub(super) unsent: bool,
    /// The peer closed the connection instead of answering.
    pub(super) closed: bool,
}

impl Connection {
    /// Connects to one of the addresses and, for `https`, agrees on TLS with the URL's host.
    pub(super) async fn open(
        url: &ServiceUrl,
        addresses: &[SocketAddr],
        tls: &TlsConnector,
        limits: &Limits,
        clock: &Clock,
    ) -> Result<Self, FetchError> {
        let host = url.host();
        let (tcp, address) = clock
            .wait(host, Phase::Connect, limits.connect, dial(addresses))
            .await?
            .map_err(|error| FetchError::Connect {
                host: host.clone(),
                log: error.to_string().into(),
            })?;
        // Requests are small and written whole; waiting for more to send only delays them.
        let _ = tcp.set_nodelay(true);
        let stream = if url.is_https() {
            let handshake = tls.connect(server_name(host)?, tcp);
            let session = clock.wait(host, Phase::Tls, limits.tls, handshake).await?;
            Stream::Tls(Box::new(session.map_err(|error| tls_error(host, &error))?))
        } else {
            Stream::Plain(tcp)
        };
        Self::start(stream, address, host, limits).await
    }

    async fn start(
        stream: Stream,
        address: SocketAddr,
        host: &Host,
        limits: &Limits,
    ) -> Result<Self, FetchError> {
        let head_budget = Arc::new(HeadBudget::default());
        head_budget.stop();
        let wire = TokioIo::new(Wire::new(stream, Arc::clone(&head_budget)));
        let (sender, connection) = http1::Builder::new()
            .max_buf_size(limits.max_head_bytes.max(BUFFER_BYTES))
            .max_header_size(limits.max_head_bytes)
            .max_headers(limits.max_headers)
            .handshake(wire)
            .await
            .map_err(|error| protocol_error(host, "no HTTP/1.1 connection", &error))?;
        let driver = tokio::spawn(async move {
            // What goes wrong here reaches the exchange under way; between two of them nobody minds.
            let _ = connection.await;
        });
        Ok(Self {
            sender,
            driver,
            head_budget,
            address,
        })
    }

    /// The address this connection goes to.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Sends one request and waits for the head of its answer.
    pub(super) async fn exchange(
        &mut self,
        host: &Host,
        request: http::Request<Full<Bytes>>,
        limits: &Limits,
        clock: &Clock,
    ) -> Result<http::Response<Incoming>, SendFailure> {
        let waiting = async {
            self.sender.ready().await.map_err(|error| (error, true))?;
            self.head_budget
                .start(limits.max_head_bytes.saturating_mul(INTERIM_FACTOR));
            let answer = self.sender.try_send_request(request).await;
            answer.map_err(|mut failure| {
                let unsent = failure.take_message().is_some();
                (failure.into_error(), unsent)
            })
        };
        let outcome = clock
            .wait(host, Phase::FirstByte, limits.first_byte, waiting)
            .await;
        let spent = self.head_budget.is_spent();
        self.head_budget.stop();
        match outcome {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err((error, unsent))) => Err(SendFailure {
                closed: error.is_incomplete_message()
                    || error.is_closed()
                    || io_kind(&error).is_some(),
                unsent,
                error: head_error(host, &error, spent),
            }),
            Err(error) => Err(SendFailure {
                error,
                unsent: false,
                closed: false,
            }),
        }
    }
}

/// Tries the addresses in turn, each next one when the one before failed or stays silent; the first
/// that answers wins.
async fn dial(addresses: &[SocketAddr]) -> io::Result<(TcpStream, SocketAddr)> {
    let mut waiting = FuturesUnordered::new();
    let mut rest = addresses.iter().copied();
    let mut last_error = io::Error::new(io::ErrorKind::AddrNotAvailable, "no address");
    loop {
        match rest.next() {
            Some(address) => waiting.push(async move {
                TcpStream::connect(address)
                    .await
                    .map(|stream| (stream, address))
            }),
            None if waiting.is_empty() => return Err(last_error),
            None => {}
        }
        let patience = if rest.len() == 0 {
            Duration::MAX
        } else {
            NEXT_ADDRESS_AFTER
        };
        match tokio::time::timeout(patience, waiting.next()).await {
            Ok(Some(Ok(connected))) => return Ok(connected),
            Ok(Some(Err(error))) => last_error = error,
            Ok(None) | Err(_) => {}
        }
    }
}

fn server_name(host: &Host) -> Result<ServerName<'static>, FetchError> {
    match host {
        Host::V4(address) => Ok(ServerName::from(std::net::IpAddr::from(*address))),
        Host::V6(address) => Ok(ServerName::from(std::net::IpAddr::from(*address))),
        Host::Name(name) => {
            ServerName::try_from(name.to_string()).map_err(|error| FetchError::Tls {
                host: host.clone(),
                log: error.to_string().into(),
            })
        }
    }
}

fn tls_error(host: &Host, error: &io::Error) -> FetchError {
    FetchError::Tls {
        host: host.clone(),
        log: error.to_string().into(),
    }
}

fn protocol_error(host: &Host, what: &'static str, error: &hyper::Error) -> FetchError {
    FetchError::Protocol {
        host: host.clone(),
        what,
        log: chain(error).into(),
    }
}

/// What an error before the head of the answer means.
fn head_error(host: &Host, error: &hyper::Error, budget_spent: bool) -> FetchError {
    if budget_spent {
        return protocol_error(host, "too many interim answers", error);
    }
    if error.is_parse() {
        return protocol_error(host, "its head is malformed or too long", error);
    }
    FetchError::Cut {
        host: host.clone(),
        log: chain(error).into(),
    }
}

/// What an error within the body means. Broken chunks come as `InvalidInput` or `InvalidData`, an early end
/// as anything else.
pub(super) fn body_error(host: &Host, error: &hyper::Error) -> FetchError {
    match io_kind(error) {
        Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => {
            protocol_error(host, "its body is malformed", error)
        }
        _ => FetchError::Cut {
            host: host.clone(),
            log: chain(error).into(),
        },
    }
}

fn io_kind(error: &hyper::Error) -> Option<io::ErrorKind> {
    let source = std::error::Error::source(error)?;
    source.downcast_ref::<io::Error>().map(io::Error::kind)
}

/// hyper names the stage and leaves the cause to `source`.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}
