//! The door itself: parse, check, connect, ask, follow.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderValue, REFRESH,
    RETRY_AFTER, USER_AGENT,
};
use http::{HeaderMap, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Body as _, Incoming};
use tokio_rustls::TlsConnector;

use super::answer::{Answer, Body, Bounds};
use super::clock::Clock;
use super::connection::Connection;
use super::error::{FetchError, Refusal, Rule};
use super::limits::Limits;
use super::pace::Pace;
use super::policy::Policy;
use super::pool::{Key, Pool};
use super::redirect;
use super::request::Request;
use super::resolver::Names;
use super::retry_after::retry_after;
use super::service_url::ServiceUrl;
use super::settings::{Settings, SettingsError};
use super::tls;
use super::user_agent::user_agent;

/// The one way out to archives. Cheap to clone; clones share connections and answers of the DNS.
#[derive(Debug, Clone)]
pub struct Door {
    inner: Arc<Inner>,
}

struct Inner {
    policy: Policy,
    names: Names,
    pool: Arc<Pool>,
    tls: TlsConnector,
    user_agent: HeaderValue,
}

/// A URL and the addresses that may be connected to for it, now.
#[derive(Debug, Clone)]
pub struct Checked {
    addresses: Vec<SocketAddr>,
}

impl Checked {
    /// The addresses, in the order they are tried. For tests and the log; no message names one.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }
}

impl Door {
    /// A door with these settings.
    ///
    /// # Errors
    /// [`SettingsError::Roots`] when the extra trust roots do not read.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        for trusted in &settings.trusted_hosts {
            tracing::info!(host = %trusted, "trusted host: its address may be private");
        }
        for rule in &settings.resolve {
            tracing::info!(%rule, "the operator's own address for a host");
        }
        Ok(Self {
            inner: Arc::new(Inner {
                names: Names::new(&settings.dns),
                pool: Arc::default(),
                tls: tls::connector(settings.extra_roots_pem.as_deref())?,
                user_agent: user_agent(settings.purpose, settings.contact.as_ref()),
                policy: Policy::new(settings),
            }),
        })
    }

    /// The bounds of a request that sets none of its own.
    pub fn limits(&self) -> &Limits {
        &self.inner.policy.settings().limits
    }

    /// Reads a URL that came from a caller or a document: everything that can be judged without the
    /// network.
    ///
    /// # Errors
    /// The first rule that refuses it.
    pub fn parse(&self, raw: &str) -> Result<ServiceUrl, Refusal> {
        self.inner.policy.parse(raw).map_err(Refusal::from)
    }

    /// Reads a reference found in a document that came from `base`: absolute, or relative to it. A link
    /// from `https` to the same host's `http` becomes `https`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn resolve(&self, base: &ServiceUrl, reference: &str) -> Result<ServiceUrl, Refusal> {
        redirect::resolve(&self.inner.policy, base, reference).map_err(Refusal::from)
    }

    /// Resolves the host and judges every address of it.
    ///
    /// # Errors
    /// [`Rule::NotPublic`], whatever went wrong.
    pub async fn check(&self, url: &ServiceUrl) -> Result<Checked, Refusal> {
        self.check_within(url, self.limits()).await
    }

    async fn check_within(&self, url: &ServiceUrl, limits: &Limits) -> Result<Checked, Refusal> {
        let policy = &self.inner.policy;
        let pinned = policy.pinned(url);
        if !pinned.is_empty() {
            return Ok(Checked { addresses: pinned });
        }
        let answers = match (url.host().address(), url.host().name()) {
            (Some(literal), _) => vec![literal],
            (None, Some(name)) => self
                .inner
                .names
                .lookup(name, limits.dns)
                .await
                .map_err(|log| Refusal::with_log(Rule::NotPublic, log))?,
            (None, None) => Vec::new(),
        };
        policy.judge(url, &answers)?;
        let addresses = answers
            .into_iter()
            .map(|answer| SocketAddr::new(answer, url.port()))
            .collect();
        Ok(Checked { addresses })
    }

    /// Sends a request and follows its redirects, each hop through the whole guard.
    ///
    /// Any status is an `Ok`, also 401 and 407, which are never answered with credentials. What is on
    /// its way stops when the future or the [`Answer`] is dropped.
    ///
    /// # Errors
    /// See [`FetchError`].
    pub async fn send(&self, request: Request) -> Result<Answer, FetchError> {
        let ceiling = self.limits().max_bytes;
        let mut limits = request
            .limits
            .clone()
            .unwrap_or_else(|| self.limits().clone());
        limits.max_bytes = limits.max_bytes.min(ceiling);
        let clock = Clock::start(limits.total);
        let mut request = request;
        let mut hops = 0;
        loop {
            let host = request.url.host().clone();
            let refused = |refusal| FetchError::Refused {
                host: host.clone(),
                refusal,
            };
            let hop = Hop {
                door: self,
                limits: &limits,
                clock: &clock,
                request: &request,
            };
            let (response, connection) =
                hop.go().await.map_err(|error| as_redirect(error, hops))?;
            let status = response.status();
            if !redirect::is_redirect(status) {
                return hop.answer(response, connection);
            }
            hops += 1;
            if hops > self.max_hops(&limits) {
                return Err(refused(Rule::RedirectCount.into()));
            }
            if response.body().is_end_stream() {
                self.inner.pool.put(Key::from(&request.url), connection);
            }
            let headers = response.into_parts().0.headers;
            tracing::debug!(%host, status = status.as_u16(), "redirect");
            request =
                redirect::follow(&self.inner.policy, request, status, &headers).map_err(refused)?;
        }
    }

    fn max_hops(&self, limits: &Limits) -> usize {
        if cfg!(manna_guard_off) {
            20
        } else {
            limits.max_hops
        }
    }
}

/// A host that is refused after a redirect was not named by the caller: say so.
fn as_redirect(error: FetchError, hops: usize) -> FetchError {
    match error {
        FetchError::Refused { host, refusal } if hops > 0 => FetchError::Refused {
            host,
            refusal: Refusal::with_log(Rule::RedirectTarget, refusal.log()),
        },
        other => other,
    }
}

/// One request to one host.
struct Hop<'a> {
    door: &'a Door,
    limits: &'a Limits,
    clock: &'a Clock,
    request: &'a Request,
}

impl Hop<'_> {
    async fn go(&self) -> Result<(Response<Incoming>, Connection), FetchError> {
        let inner = &self.door.inner;
        let url = &self.request.url;
        let refused = |refusal| FetchError::Refused {
            host: url.host().clone(),
            refusal,
        };
        let checking = self.door.check_within(url, self.limits);
        let wait = self.clock.wait(
            url.host(),
            super::error::Phase::Total,
            self.limits.total,
            checking,
        );
        let checked = wait.await?.map_err(refused)?;
        if let Some(mut connection) = inner.pool.take(url, &checked.addresses) {
            match connection
                .exchange(url.host(), self.wire_request()?, self.limits, self.clock)
                .await
            {
                Ok(response) => return Ok((response, connection)),
                // The archive closed the idle connection as we took it. What nobody acted on, or may be
                // done twice (RFC 9110 section 9.2.2), goes over a fresh one.
                Err(failure)
                    if failure.unsent
                        || (failure.closed && self.request.method.is_idempotent()) => {}
                Err(failure) => return Err(failure.error),
            }
        }
        let mut connection =
            Connection::open(url, &checked.addresses, &inner.tls, self.limits, self.clock).await?;
        match connection
            .exchange(url.host(), self.wire_request()?, self.limits, self.clock)
            .await
        {
            Ok(response) => Ok((response, connection)),
            Err(failure) => Err(failure.error),
        }
    }

    /// The message as it goes out. There is nothing in it that was not put there here: no cookie, no
    /// credential, no referrer.
    fn wire_request(&self) -> Result<http::Request<Full<Bytes>>, FetchError> {
        let Request {
            method,
            url,
            accept,
            body,
            ..
        } = self.request;
        let mut builder = http::Request::builder()
            .method(method)
            .uri(url.path_and_query())
            .header(HOST, url.host_field())
            .header(USER_AGENT, &self.door.inner.user_agent)
            .header(ACCEPT, accept.unwrap_or("*/*"))
            .header(ACCEPT_ENCODING, "gzip");
        if let Some(body) = body {
            builder = builder.header(CONTENT_TYPE, &body.content_type);
        }
        let bytes = body
            .as_ref()
            .map(|body| body.bytes.clone())
            .unwrap_or_default();
        builder.body(Full::new(bytes)).map_err(|error| {
            self.protocol_error("the request cannot be written", &error.to_string())
        })
    }

    fn answer(
        &self,
        response: Response<Incoming>,
        connection: Connection,
    ) -> Result<Answer, FetchError> {
        let (head, incoming) = response.into_parts();
        self.check_head(head.status, &head.headers)?;
        let url = &self.request.url;
        let bounds = Bounds {
            pace: Pace::new(self.limits.pace_bytes, self.limits.pace_window),
            clock: *self.clock,
            max_bytes: self.limits.max_bytes,
        };
        tracing::debug!(host = %url.host(), status = head.status.as_u16(), "answer");
        let value = |name| head.headers.get(name);
        Ok(Answer {
            status: head.status.as_u16(),
            content_type: value(CONTENT_TYPE)
                .and_then(|v| v.to_str().ok())
                .map(str::to_owned),
            final_url: url.clone(),
            retry_after: value(RETRY_AFTER)
                .and_then(|v| retry_after(v.as_bytes(), SystemTime::now())),
            body: Body::new(url, incoming, connection, &self.door.inner.pool, bounds),
            headers: head.headers,
        })
    }

    /// What no archive has reason to send.
    fn check_head(&self, status: StatusCode, headers: &HeaderMap) -> Result<(), FetchError> {
        if status == StatusCode::SWITCHING_PROTOCOLS {
            return Err(self.protocol_error("it switches protocols", ""));
        }
        let codings: Vec<&[u8]> = headers
            .get_all(CONTENT_ENCODING)
            .iter()
            .map(HeaderValue::as_bytes)
            .collect();
        let known = |coding: &[u8]| {
            let coding = coding.trim_ascii();
            [&b"gzip"[..], b"x-gzip", b"identity", b""]
                .iter()
                .any(|name| coding.eq_ignore_ascii_case(name))
        };
        match *codings {
            [] => {}
            [one] if known(one) => {}
            _ => return Err(self.protocol_error("its content coding is not gzip", "")),
        }
        // A page that sends a browser on; following it is not HTTP, and what it shows is no document.
        if headers
            .get_all(REFRESH)
            .iter()
            .any(|value| names_a_url(value.as_bytes()))
        {
            return Err(self.protocol_error("it is a page that refers a browser elsewhere", ""));
        }
        Ok(())
    }

    fn protocol_error(&self, what: &'static str, log: &str) -> FetchError {
        FetchError::Protocol {
            host: self.request.url.host().clone(),
            what,
            log: log.into(),
        }
    }
}

fn names_a_url(refresh: &[u8]) -> bool {
    refresh
        .to_ascii_lowercase()
        .windows(4)
        .any(|four| four == b"url=")
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner")
            .field("policy", &self.policy)
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}
