//! The host of a URL, read by our own rules: one spelling a host, nothing repaired.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// A name in lower-case ASCII (A-labels), or an address literal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Host {
    /// A domain name without trailing dot.
    Name(Arc<str>),
    /// Canonical dotted decimal.
    V4(Ipv4Addr),
    /// Written in brackets.
    V6(Ipv6Addr),
}

impl Host {
    /// Reads the host part of an authority, brackets included.
    ///
    /// Accepts canonical dotted-decimal IPv4, bracketed IPv6 without a zone, and names of
    /// `[A-Za-z0-9_-]` labels (RFC 1034 section 3.1 lengths; the underscore is seen in the wild). A name
    /// whose last label is a number in any notation is refused: the WHATWG URL standard would
    /// read it as an IPv4 address. One label is a host here; whether it may be asked is policy.
    pub(super) fn read(text: &str) -> Option<Self> {
        if let Some(inner) = text.strip_prefix('[') {
            return read_v6(inner.strip_suffix(']')?).map(Self::V6);
        }
        let last = text.rsplit('.').next()?;
        if is_number(last) {
            return read_v4(text).map(Self::V4);
        }
        is_name(text).then(|| Self::Name(text.to_ascii_lowercase().into()))
    }

    /// The address, when the host is a literal.
    pub fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Name(_) => None,
            Self::V4(address) => Some((*address).into()),
            Self::V6(address) => Some((*address).into()),
        }
    }

    /// The name, when the host is not a literal.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::V4(_) | Self::V6(_) => None,
        }
    }
}

/// As in a URL: an IPv6 address in brackets.
impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::V4(address) => address.fmt(f),
            Self::V6(address) => write!(f, "[{address}]"),
        }
    }
}

fn read_v6(inner: &str) -> Option<Ipv6Addr> {
    let plain = inner
        .bytes()
        .all(|b| b.is_ascii_hexdigit() || b == b':' || b == b'.');
    plain.then(|| inner.parse().ok()).flatten()
}

/// The standard library refuses leading zeros, short forms and other bases; the comparison with
/// the printed form keeps it so whatever a later release does.
fn read_v4(text: &str) -> Option<Ipv4Addr> {
    text.parse::<Ipv4Addr>()
        .ok()
        .filter(|address| address.to_string() == text)
}

/// WHATWG URL section 3.5, "ends in a number".
fn is_number(label: &str) -> bool {
    let decimal = !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit());
    let hex = label
        .strip_prefix("0x")
        .or_else(|| label.strip_prefix("0X"));
    decimal || hex.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_name(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let plain = label
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    plain && (1..=63).contains(&label.len()) && is_honest_a_label(label)
}

/// An A-label must decode to something that is not ASCII and encode back to itself (RFC 5891
/// section 5.4): `xn--localhost-` is another spelling of `localhost` for a lenient decoder.
fn is_honest_a_label(label: &str) -> bool {
    let lower = label.to_ascii_lowercase();
    if !lower.starts_with("xn--") {
        return true;
    }
    let (decoded, verdict) = idna::domain_to_unicode(&lower);
    verdict.is_ok()
        && !decoded.is_ascii()
        && idna::domain_to_ascii(&decoded).is_ok_and(|again| again == lower)
}
