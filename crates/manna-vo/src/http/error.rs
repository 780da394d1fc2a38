//! Why something was not fetched: the guard's [`Refusal`] and the network's [`FetchError`].
//!
//! Both carry two texts. `message` is for a model: constant sentences of ours with nothing filled
//! in but numbers and a host name that passed the guard, never an address and never a word of the
//! archive. `log` is for the operator.

use std::fmt;
use std::time::Duration;

use super::host::Host;

/// The guard said no. The text completes a sentence that begins with the argument's name:
/// `endpoint_url` + " " + `must begin with http:// or https://`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    rule: Rule,
    log: Option<Box<str>>,
}

/// The rule that refused. One text a rule; "cannot be resolved" and "is not public" share theirs,
/// else the answers would map the inner network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Longer than a URL may be here.
    Length,
    /// A byte outside printable ASCII, or one that no URL holds unencoded.
    Character,
    /// Not `http` or `https`, or not followed by exactly `://`.
    Scheme,
    /// Nothing between `://` and the path.
    NoHost,
    /// `user:password@`.
    UserInfo,
    /// A port that is empty, too long, or not plain digits.
    PortForm,
    /// A port that belongs to another protocol.
    PortForbidden,
    /// Not a domain name, a dotted IPv4 address or a bracketed IPv6 address.
    HostForm,
    /// A name that is reserved for use inside networks.
    InternalName,
    /// Two parsers read different hosts or ports.
    Ambiguous,
    /// Not on the operator's list.
    NotAllowed,
    /// No answer, an answer that is not public, too many answers, or no answer in time.
    NotPublic,
    /// A redirect that leads where the guard does not go.
    RedirectTarget,
    /// More redirects than are followed.
    RedirectCount,
    /// A `Location` that is missing, empty, doubled or malformed.
    RedirectForm,
    /// A redirect from `https` to another host's `http`.
    RedirectDowngrade,
    /// A redirect that would carry a request body to another host.
    RedirectReplay,
}

impl Rule {
    const fn message(self) -> &'static str {
        match self {
            Self::Length => "is longer than 2048 bytes",
            Self::Character => {
                "holds a character that a URL may not hold; write printable ASCII and percent-encode the rest"
            }
            Self::Scheme => "must begin with http:// or https://",
            Self::NoHost => "names no host after ://",
            Self::UserInfo => "must not carry a user name or password",
            Self::PortForm => {
                "has a malformed port; write one to five digits without a leading zero"
            }
            Self::PortForbidden => "names a port that is never contacted",
            Self::HostForm => {
                "has a malformed host; write a full domain name, a dotted IPv4 address or an IPv6 address in brackets"
            }
            Self::InternalName => "names a host that is reserved for use inside a network",
            Self::Ambiguous => "can be read in more than one way",
            Self::NotAllowed => "names a host that is not on this server's list of allowed hosts",
            Self::NotPublic => "names a host without a public address",
            Self::RedirectTarget => "redirects to a place that is not allowed",
            Self::RedirectCount => "redirects too many times",
            Self::RedirectForm => "answers with a malformed redirect",
            Self::RedirectDowngrade => "redirects from https to http on another host",
            Self::RedirectReplay => "redirects a request with a body to another host",
        }
    }

    /// Whether another spelling cannot help: the fault is the host's, not the text's.
    const fn is_host_fault(self) -> bool {
        matches!(
            self,
            Self::PortForbidden
                | Self::InternalName
                | Self::NotAllowed
                | Self::NotPublic
                | Self::RedirectTarget
                | Self::RedirectCount
                | Self::RedirectForm
                | Self::RedirectDowngrade
                | Self::RedirectReplay
        )
    }
}

impl Refusal {
    pub(super) fn with_log(rule: Rule, log: impl Into<String>) -> Self {
        Self {
            rule,
            log: Some(log.into().into_boxed_str()),
        }
    }

    /// The rule that refused.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Safe for a model: completes a sentence that begins with the name of the argument.
    pub fn message(&self) -> &'static str {
        self.rule.message()
    }

    /// Whether the caller should give this host up (else: mend the text and try again).
    pub fn abandon(&self) -> bool {
        self.rule.is_host_fault()
    }

    /// For the operator's log: may say more, still escaped.
    pub fn log(&self) -> String {
        match &self.log {
            Some(log) => format!("{} ({})", self.message(), log.escape_debug()),
            None => self.message().to_owned(),
        }
    }
}

impl From<Rule> for Refusal {
    fn from(rule: Rule) -> Self {
        Self { rule, log: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Refusal {}

/// Which wait ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// Opening the connection.
    Connect,
    /// The TLS handshake.
    Tls,
    /// Waiting for the head of the answer.
    FirstByte,
    /// The time for the request as a whole.
    Total,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "connecting",
            Self::Tls => "the TLS handshake",
            Self::FirstByte => "the first byte of the answer",
            Self::Total => "the whole answer",
        })
    }
}

/// Why a request that was allowed brought no (complete) answer. `Display` is the text for a model.
///
/// Every variant but [`Refused`](Self::Refused) is the archive's or the network's fault.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The guard refused this URL, or one that it redirects to.
    #[error("the URL {refusal}")]
    Refused {
        /// The host that was asked last.
        host: Host,
        /// Why.
        refusal: Refusal,
    },
    /// A wait ran out.
    #[error("{host} took longer than {} s for {phase}", after.as_secs_f32())]
    Timeout {
        /// The host that was asked.
        host: Host,
        /// For what.
        phase: Phase,
        /// The time that was allowed.
        after: Duration,
    },
    /// No connection to any of the host's addresses.
    #[error("cannot connect to {host}")]
    Connect {
        /// The host that was asked.
        host: Host,
        /// For the log.
        log: Box<str>,
    },
    /// No trusted TLS session with this host's name.
    #[error("cannot agree on a trusted TLS connection with {host}")]
    Tls {
        /// The host that was asked.
        host: Host,
        /// For the log.
        log: Box<str>,
    },
    /// The body is longer than allowed. What came before the limit was delivered.
    #[error("the answer of {host} is longer than the {max_bytes} bytes that are read")]
    TooLarge {
        /// The host that was asked.
        host: Host,
        /// The limit, in bytes after decompression.
        max_bytes: u64,
    },
    /// The body trickles.
    #[error("{host} sends its answer too slowly")]
    TooSlow {
        /// The host that was asked.
        host: Host,
    },
    /// The connection ended before the answer did.
    #[error("the answer of {host} ends before it is complete")]
    Cut {
        /// The host that was asked.
        host: Host,
        /// For the log.
        log: Box<str>,
    },
    /// Not HTTP as it is spoken: a malformed head, too many headers, an upgrade, an unknown coding.
    #[error("the answer of {host} is not usable HTTP: {what}")]
    Protocol {
        /// The host that was asked.
        host: Host,
        /// What is wrong, in our words.
        what: &'static str,
        /// For the log.
        log: Box<str>,
    },
}

impl FetchError {
    /// The host that was asked last; its name passed the guard.
    pub fn host(&self) -> &Host {
        match self {
            Self::Refused { host, .. }
            | Self::Timeout { host, .. }
            | Self::Connect { host, .. }
            | Self::Tls { host, .. }
            | Self::TooLarge { host, .. }
            | Self::TooSlow { host }
            | Self::Cut { host, .. }
            | Self::Protocol { host, .. } => host,
        }
    }

    /// The refusal, if that is what it was.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused { refusal, .. } => Some(refusal),
            _ => None,
        }
    }

    /// Safe for a model. The same as `Display`.
    pub fn message(&self) -> String {
        self.to_string()
    }

    /// For the operator's log: the message and what the system said, escaped.
    pub fn log(&self) -> String {
        let detail = match self {
            Self::Refused { refusal, .. } => return refusal.log(),
            Self::Connect { log, .. }
            | Self::Tls { log, .. }
            | Self::Cut { log, .. }
            | Self::Protocol { log, .. } => log,
            Self::Timeout { .. } | Self::TooLarge { .. } | Self::TooSlow { .. } => {
                return self.to_string();
            }
        };
        format!("{self} ({})", detail.escape_debug())
    }
}
