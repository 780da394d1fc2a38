//! The answer to a request: its head at once, its body as it comes, decoded and bounded.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::Instant;

use super::clock::Clock;
use super::coding::Coding;
use super::connection::{Connection, body_error};
use super::error::{FetchError, Phase};
use super::host::Host;
use super::pace::Pace;
use super::pool::{Key, Pool};
use super::service_url::ServiceUrl;

/// An answer whose body is still on its way. Dropping it aborts the transfer at once; reading the
/// body to its end gives the connection back to the pool.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The HTTP status of the last hop. Any status is an answer; redirects that were followed are not.
    pub status: u16,
    /// `Content-Type`, as sent.
    pub content_type: Option<String>,
    /// Where the answer came from, after redirects.
    pub final_url: ServiceUrl,
    /// `Retry-After`, at most 300 s.
    pub retry_after: Option<Duration>,
    /// All header fields of the last hop. They are the archive's words: data, not text of ours.
    pub headers: HeaderMap,
    pub(super) body: Body,
}

impl Answer {
    /// Whether the status is in the 200s.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A header field's first value, when it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The next piece of the body, decompressed, at most some 64 KiB; `None` at its end.
    ///
    /// # Errors
    /// See [`FetchError`]: a deadline, a body that is cut, too slow, malformed or longer than
    /// `max_bytes` (the bytes up to that limit are delivered first). After an error or the end,
    /// nothing more comes.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, FetchError> {
        self.body.next().await
    }

    /// The whole body as text; what is not UTF-8 becomes U+FFFD.
    ///
    /// # Errors
    /// As [`chunk`](Self::chunk), and [`FetchError::TooLarge`] beyond `max_bytes`.
    pub async fn text(&mut self, max_bytes: u64) -> Result<String, FetchError> {
        self.bytes(max_bytes)
            .await
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The whole body.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub async fn bytes(&mut self, max_bytes: u64) -> Result<Vec<u8>, FetchError> {
        let body = self.body.read(max_bytes).await?;
        if body.is_whole {
            Ok(body.bytes)
        } else {
            Err(self.body.too_large(max_bytes))
        }
    }

    /// The beginning of the body as text, at most `max_bytes` of it: for error documents, where the
    /// first words say what matters. A body that breaks off gives what came.
    pub async fn text_start(&mut self, max_bytes: u64) -> String {
        let mut start = Vec::new();
        while let Ok(Some(piece)) = self.body.next().await {
            start.extend_from_slice(&piece);
            if start.len() as u64 >= max_bytes {
                start.truncate(usize::try_from(max_bytes).unwrap_or(usize::MAX));
                break;
            }
        }
        String::from_utf8_lossy(&start).into_owned()
    }
}

/// What a coding may add to a body that does not compress.
const CODING_OVERHEAD: u64 = 64 << 10;

/// The body's way from the wire to the caller.
pub(super) struct Body {
    host: Host,
    /// Gone after the end or an error.
    source: Option<Source>,
    coding: Coding,
    pace: Pace,
    clock: Clock,
    delivered: u64,
    /// Bytes off the wire. A coding can take any number of them and give none.
    taken: u64,
    max_bytes: u64,
    /// The last piece was cut at the limit.
    is_over: bool,
    /// The document's end may still hold a piece after the wire's.
    is_wire_done: bool,
}

struct Source {
    incoming: Incoming,
    connection: Connection,
    pool: Arc<Pool>,
    key: Key,
}

struct ReadBody {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Body {
    pub(super) fn new(
        url: &ServiceUrl,
        incoming: Incoming,
        connection: Connection,
        pool: &Arc<Pool>,
        bounds: Bounds,
    ) -> Self {
        Self {
            host: url.host().clone(),
            source: Some(Source {
                incoming,
                connection,
                pool: Arc::clone(pool),
                key: Key::from(url),
            }),
            coding: Coding::new(),
            pace: bounds.pace,
            clock: bounds.clock,
            delivered: 0,
            taken: 0,
            is_over: false,
            max_bytes: bounds.max_bytes,
            is_wire_done: false,
        }
    }

    async fn next(&mut self) -> Result<Option<Bytes>, FetchError> {
        let piece = match self.next_decoded().await {
            Ok(Some(piece)) => self.deliver(piece).map(Some),
            other => other,
        };
        if piece.is_err() {
            self.close();
        }
        piece
    }

    /// Ends the transfer; nothing comes after.
    fn close(&mut self) {
        self.source = None;
        self.is_wire_done = true;
        self.is_over = false;
        self.taken = 0;
        self.coding = Coding::new();
    }

    async fn next_decoded(&mut self) -> Result<Option<Bytes>, FetchError> {
        loop {
            if self.is_over || self.taken > self.max_bytes.saturating_add(CODING_OVERHEAD) {
                return Err(self.too_large(self.max_bytes));
            }
            let decoded = self.coding.next();
            if let Some(piece) = decoded.map_err(|error| self.coding_error(&error))? {
                return Ok(Some(piece));
            }
            if self.is_wire_done {
                return Ok(None);
            }
            if let Some(frame) = self.next_frame().await? {
                self.coding.push(frame);
            } else {
                self.is_wire_done = true;
                let rest = self.coding.finish();
                return rest.map_err(|error| self.coding_error(&error));
            }
        }
    }

    /// The next bytes off the wire; at the end the connection goes back to the pool.
    async fn next_frame(&mut self) -> Result<Option<Bytes>, FetchError> {
        loop {
            let Some(source) = &mut self.source else {
                return Ok(None);
            };
            let patience = self.pace.patience();
            let is_pace_first = patience < self.clock.left();
            let begun = Instant::now();
            let frame = self
                .clock
                .wait(&self.host, Phase::Total, patience, source.incoming.frame())
                .await
                .map_err(|error| match is_pace_first {
                    true => FetchError::TooSlow {
                        host: self.host.clone(),
                    },
                    false => error,
                })?;
            let Some(frame) = frame else {
                if let Some(Source {
                    connection,
                    pool,
                    key,
                    ..
                }) = self.source.take()
                {
                    pool.put(key, connection);
                }
                return Ok(None);
            };
            let frame = frame.map_err(|error| body_error(&self.host, &error))?;
            // Trailers are not for us.
            if let Ok(data) = frame.into_data() {
                self.taken += data.len() as u64;
                self.pace.record(begun.elapsed(), data.len() as u64);
                return Ok(Some(data));
            }
        }
    }

    /// Counts what goes out, and cuts the piece that passes the limit at the limit; what is left of it is known
    /// to be too much when the next one is asked for.
    fn deliver(&mut self, mut piece: Bytes) -> Result<Bytes, FetchError> {
        let left = usize::try_from(self.max_bytes - self.delivered).unwrap_or(usize::MAX);
        if left == 0 {
            return Err(self.too_large(self.max_bytes));
        }
        self.is_over = piece.len() > left;
        piece.truncate(left);
        self.delivered += piece.len() as u64;
        Ok(piece)
    }

    async fn read(&mut self, max_bytes: u64) -> Result<ReadBody, FetchError> {
        let mut bytes = Vec::new();
        while let Some(piece) = self.next().await? {
            bytes.extend_from_slice(&piece);
            if bytes.len() as u64 > max_bytes {
                self.close();
                return Ok(ReadBody {
                    bytes,
                    is_whole: false,
                });
            }
        }
        Ok(ReadBody {
            bytes,
            is_whole: true,
        })
    }

    fn too_large(&self, max_bytes: u64) -> FetchError {
        FetchError::TooLarge {
            host: self.host.clone(),
            max_bytes,
        }
    }

    fn coding_error(&self, error: &std::io::Error) -> FetchError {
        let (host, log) = (self.host.clone(), error.to_string().into());
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => FetchError::Cut { host, log },
            _ => FetchError::Protocol {
                host,
                what: "its gzip coding is broken",
                log,
            },
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body")
            .field("host", &self.host)
            .field("delivered", &self.delivered)
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

/// What bounds a body.
pub(super) struct Bounds {
    pub(super) pace: Pace,
    pub(super) clock: Clock,
    pub(super) max_bytes: u64,
}
