//! Names to coordinates by Sesame, the resolver of the CDS, which asks SIMBAD, NED and VizieR in turn. Several
//! mirrors are tried, each with a short time of its own: the service is known to hang at random. "No such object"
//! is an answer of the service and ends the search; "cannot be reached" is not, and the next mirror is asked.

mod answer;

use std::time::Duration;

use crate::http::{Door, FetchError, Host, Limits, Refusal, Request, ServiceUrl};

use answer::Reading;
pub use answer::{Database, Resolution};

/// Longest name that is looked up, in bytes: the longest designations in SIMBAD have some 60.
pub const NAME_BYTES: usize = 200;

/// Longest answer that is read, in bytes; one name gives some two thousand.
const ANSWER_BYTES: u64 = 64 << 10;

/// How long to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For one mirror, whole answer.
    pub per_mirror: Duration,
    /// For all of them together.
    pub total: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            per_mirror: Duration::from_secs(8),
            total: Duration::from_secs(25),
        }
    }
}

/// Why no mirror gave an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SesameError {
    /// The name cannot be sent: empty, too long, or with control characters.
    #[error("{0}")]
    Name(&'static str),
    /// Every mirror failed; what each said, in order.
    #[error("no name resolver answered: {}", failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Down {
        /// One entry a mirror that was tried.
        failures: Vec<MirrorFailure>,
    },
}

/// What went wrong with one mirror.
#[derive(Debug, thiserror::Error)]
#[error("{host}: {cause}")]
pub struct MirrorFailure {
    /// The mirror's host.
    pub host: Host,
    /// What happened.
    pub cause: MirrorFault,
}

/// The kinds of trouble with a mirror.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MirrorFault {
    /// Its address is not allowed.
    #[error("its address is refused")]
    Refused(Refusal),
    /// It did not answer as HTTP should.
    #[error("{0}")]
    Fetch(FetchError),
    /// It answered with this HTTP status.
    #[error("HTTP status {0}")]
    Status(u16),
    /// What it sent is no Sesame answer.
    #[error("what it sent is not an answer of a name resolver")]
    NotSesame,
}

/// Looks `name` up at the first of `mirrors` that answers. A mirror is the address up to and with `nph-sesame`.
///
/// `Ok(None)`: the service knows no object of that name.
///
/// # Errors
/// [`SesameError::Down`] when no mirror answered in time, [`SesameError::Name`] when the name cannot be asked for.
pub async fn resolve(
    door: &Door,
    mirrors: &[ServiceUrl],
    name: &str,
    patience: Patience,
) -> Result<Option<Resolution>, SesameError> {
    let query = encode(name)?;
    let started = tokio::time::Instant::now();
    let mut failures = Vec::new();
    for mirror in mirrors {
        let left = patience.total.saturating_sub(started.elapsed());
        if left.is_zero() {
            break;
        }
        match ask(door, mirror, &query, left.min(patience.per_mirror)).await {
            Ok(answer) => return Ok(answer),
            Err(cause) => failures.push(MirrorFailure {
                host: mirror.host().clone(),
                cause,
            }),
        }
    }
    Err(SesameError::Down { failures })
}

async fn ask(
    door: &Door,
    mirror: &ServiceUrl,
    query: &str,
    wait: Duration,
) -> Result<Option<Resolution>, MirrorFault> {
    // `SNV`: SIMBAD, then NED, then VizieR, the first that knows the name. The plain form is the text format; the
    // XML one (`-ox`) carries the same facts in some ten times the bytes.
    let address = format!(
        "{}/SNV?{query}",
        mirror.as_str().trim_end_matches(['/', '?'])
    );
    let url = door.parse(&address).map_err(MirrorFault::Refused)?;
    let limits = Limits::default().within(wait).max_bytes(ANSWER_BYTES);
    let request = Request::get(url).accept("text/plain").limits(limits);
    let mut answer = door.send(request).await.map_err(MirrorFault::Fetch)?;
    if answer.status != 200 {
        return Err(MirrorFault::Status(answer.status));
    }
    let text = answer
        .text(ANSWER_BYTES)
        .await
        .map_err(MirrorFault::Fetch)?;
    match answer::read(&text) {
        Reading::Found(resolution) => Ok(Some(resolution)),
        Reading::NothingFound => Ok(None),
        Reading::NotSesame => Err(MirrorFault::NotSesame),
    }
}

/// The name as the query part of a URL: everything but letters, digits and `-._~` percent-encoded.
fn encode(name: &str) -> Result<String, SesameError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(SesameError::Name("the name is empty"));
    }
    if name.len() > NAME_BYTES {
        return Err(SesameError::Name(
            "the name is longer than 200 bytes; no catalogue has such names",
        ));
    }
    if name.chars().any(char::is_control) {
        return Err(SesameError::Name("the name holds control characters"));
    }
    let mut query = String::with_capacity(name.len() * 3);
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            query.push(char::from(byte));
        } else {
            query.push_str(&format!("%{byte:02X}"));
        }
    }
    Ok(query)
}
