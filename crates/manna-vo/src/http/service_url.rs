//! A URL that may be fetched, and the reading of raw text into one: rules 1 to 4 of the guard.
//!
//! Nothing is repaired. The text is judged byte by byte before any parser sees it, its authority is
//! read by rules of our own, and `url::Url` must then agree on host and port. Path and query are kept
//! exactly as they were written: dot segments and encodings are the archive's business.

use std::fmt;
use std::sync::Arc;

use super::error::Rule;
use super::host::Host;

/// The longest URL that is read from outside, in bytes.
pub(super) const MAX_LENGTH: usize = 2048;

/// A URL whose text passed the guard. Only [`Door`](super::Door) makes one out of text, and only a
/// `ServiceUrl` can be fetched. Its addresses are checked again each time it is.
///
/// Cheap to clone. The scheme and the host are lower case, a fragment is dropped.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ServiceUrl {
    /// `scheme://host[:port]/path[?query]`
    text: Arc<str>,
    /// Where the path begins in `text`.
    path_at: usize,
    host: Host,
    port: u16,
    https: bool,
}

impl ServiceUrl {
    /// Rules 1 to 4: the form, without any policy.
    pub(super) fn read(raw: &str) -> Result<Self, Rule> {
        check_characters(raw)?;
        let (https, rest) = split_scheme(raw).ok_or(Rule::Scheme)?;
        let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        if authority.is_empty() {
            return Err(Rule::NoHost);
        }
        if authority.contains('@') {
            return Err(Rule::UserInfo);
        }
        let (host, port) = split_port(authority)?;
        if host.is_empty() {
            return Err(Rule::NoHost);
        }
        let host = Host::read(host).ok_or(Rule::HostForm)?;
        let port = port.map(read_port).transpose()?;
        let tail = tail.split('#').next().unwrap_or_default();
        let url = Self::assemble(https, host, port, tail);
        if !url.agrees_with_whatwg(raw) {
            return Err(Rule::Ambiguous);
        }
        Ok(url)
    }

    pub(super) fn assemble(https: bool, host: Host, port: Option<u16>, tail: &str) -> Self {
        let scheme = if https { "https" } else { "http" };
        let mut text = match port {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        };
        let path_at = text.len();
        if !tail.starts_with('/') {
            text.push('/');
        }
        text.push_str(tail);
        let port = port.unwrap_or(if https { 443 } else { 80 });
        Self {
            text: text.into(),
            path_at,
            host,
            port,
            https,
        }
    }

    /// The whole URL, as it is fetched.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port, written or implied by the scheme.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        if self.https { "https" } else { "http" }
    }

    /// Whether the connection is TLS.
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// The path, never empty.
    pub fn path(&self) -> &str {
        self.path_and_query().split('?').next().unwrap_or_default()
    }

    /// The text after the first `?`, when there is one.
    pub fn query(&self) -> Option<&str> {
        self.path_and_query()
            .split_once('?')
            .map(|(_, query)| query)
    }

    /// The request target (RFC 9112 section 3.2.1).
    pub fn path_and_query(&self) -> &str {
        self.text.get(self.path_at..).unwrap_or("/")
    }

    /// `scheme://host[:port]`
    pub fn origin(&self) -> &str {
        self.text.get(..self.path_at).unwrap_or_default()
    }

    /// This URL with path segments below its path, and without its query: `.../tap` and `sync` give
    /// `.../tap/sync`, whether or not the base ends in a slash. Each segment is percent-encoded.
    #[must_use]
    pub fn child<S: AsRef<str>>(&self, segments: impl IntoIterator<Item = S>) -> Self {
        let mut path = self.path().trim_end_matches('/').to_owned();
        for segment in segments {
            path.push('/');
            super::query::push_encoded(&mut path, segment.as_ref());
        }
        self.with_path_and_query(&path)
    }

    /// This URL with the parameters set in its query: one that is there under the same name, in any
    /// case (DALI 1.1 section 2.1), is replaced, everything else stays as it was written.
    #[must_use]
    pub fn with_query<K: AsRef<str>, V: AsRef<str>>(&self, parameters: &[(K, V)]) -> Self {
        if parameters.is_empty() {
            return self.clone();
        }
        let query = super::query::merge(self.query().unwrap_or_default(), parameters);
        self.with_path_and_query(&format!("{}?{query}", self.path()))
    }

    /// The same origin with another target; `target` holds only URL characters.
    pub(super) fn with_path_and_query(&self, target: &str) -> Self {
        let slash = if target.starts_with('/') { "" } else { "/" };
        let text = format!("{}{slash}{target}", self.origin()).into();
        Self {
            text,
            ..self.clone()
        }
    }

    /// The same URL over TLS: an archive behind a TLS proxy writes `http` links to itself. The
    /// port of plain HTTP turns into that of HTTPS, any other stays.
    pub(super) fn upgraded(&self) -> Self {
        let port = (self.port != 80)
            .then_some(self.port)
            .filter(|&port| port != 443);
        Self::assemble(true, self.host.clone(), port, self.path_and_query())
    }

    /// The `Host` field (RFC 9110 section 7.2): the port only when it is not the scheme's own.
    pub(super) fn host_field(&self) -> String {
        match (self.https, self.port) {
            (true, 443) | (false, 80) => self.host.to_string(),
            _ => format!("{}:{}", self.host, self.port),
        }
    }

    /// Rule 4. `raw` and not our own text is compared, so that a parser that strips or repairs
    /// something on the way is noticed.
    fn agrees_with_whatwg(&self, raw: &str) -> bool {
        let Ok(theirs) = url::Url::parse(raw) else {
            return false;
        };
        let same_host = match (theirs.host(), &self.host) {
            (Some(url::Host::Domain(theirs)), Host::Name(ours)) => theirs == &**ours,
            (Some(url::Host::Ipv4(theirs)), Host::V4(ours)) => theirs == *ours,
            (Some(url::Host::Ipv6(theirs)), Host::V6(ours)) => theirs == *ours,
            _ => false,
        };
        same_host
            && theirs.port_or_known_default() == Some(self.port)
            && theirs.scheme() == self.scheme()
            && theirs.username().is_empty()
            && theirs.password().is_none()
    }
}

impl fmt::Display for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServiceUrl({})", self.text)
    }
}

/// Rule 1, before any parser.
pub(super) fn check_characters(raw: &str) -> Result<(), Rule> {
    if raw.len() > MAX_LENGTH {
        return Err(Rule::Length);
    }
    let bad = |b: u8| !b.is_ascii_graphic() || br#"\<>"{}|^`"#.contains(&b);
    if raw.bytes().any(bad) {
        Err(Rule::Character)
    } else {
        Ok(())
    }
}

/// Rule 2: the scheme and exactly `://`.
fn split_scheme(raw: &str) -> Option<(bool, &str)> {
    let (scheme, rest) = raw.split_once("://")?;
    if scheme.eq_ignore_ascii_case("https") {
        Some((true, rest))
    } else if scheme.eq_ignore_ascii_case("http") {
        Some((false, rest))
    } else {
        None
    }
}

/// Splits `host[:port]`; the colons of a bracketed host are its own.
pub(super) fn split_port(authority: &str) -> Result<(&str, Option<&str>), Rule> {
    let host_length = match authority.find(']') {
        Some(bracket) if authority.starts_with('[') => bracket + 1,
        _ => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, rest) = authority.split_at(host_length);
    match rest.strip_prefix(':') {
        Some(port) => Ok((host, Some(port))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err(Rule::HostForm),
    }
}

/// One to five digits without a leading zero.
pub(super) fn read_port(text: &str) -> Result<u16, Rule> {
    let digits = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !digits || text.starts_with('0') {
        return Err(Rule::PortForm);
    }
    text.parse().map_err(|_| Rule::PortForm)
}
