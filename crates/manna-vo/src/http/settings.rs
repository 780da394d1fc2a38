//! What an operator sets: which hosts may be asked, at which addresses, and how we introduce ourselves.
//! Each element reads itself from text, and says what is wrong with a value and what a right one
//! looks like.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use super::address::{Nat64, Nat64Prefix};
use super::host::Host;
use super::limits::Limits;
use super::port;
use super::service_url::{read_port, split_port};

/// Everything the door can be told.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Settings {
    /// `MANNA_RESOLVE`: the operator's own address for a host and port.
    pub resolve: Vec<ResolveRule>,
    /// `MANNA_TRUSTED_HOSTS`: hosts whose address may be private.
    pub trusted_hosts: Vec<TrustedHost>,
    /// `MANNA_ALLOWED_HOSTS`: when not empty, no other host is asked.
    pub allowed_hosts: Vec<AllowedHost>,
    /// `MANNA_CA_FILE`: the content of a PEM file with further trust roots.
    pub extra_roots_pem: Option<Vec<u8>>,
    /// `MANNA_NAT64`.
    pub nat64: Nat64,
    /// `MANNA_CONTACT`: for the user agent.
    pub contact: Option<Contact>,
    /// Why we ask, when it is not for an astronomer: for the user agent.
    pub purpose: Option<Purpose>,
    /// Where names are resolved.
    pub dns: Dns,
    /// The bounds of a request that sets none of its own; `max_bytes` is the ceiling over all.
    pub limits: Limits,
}

/// Where names are resolved.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Dns {
    /// The name servers of the machine's configuration, read when they are first needed.
    #[default]
    System,
    /// These answers and no others; no question leaves the process (`manna check-url --dns`).
    Static(HashMap<String, Vec<IpAddr>>),
}

impl Dns {
    /// A fixed set of answers. Answers for the same name add up.
    pub fn fixed(answers: impl IntoIterator<Item = StaticAnswer>) -> Self {
        let mut map: HashMap<String, Vec<IpAddr>> = HashMap::new();
        for answer in answers {
            map.entry(answer.name).or_default().extend(answer.addresses);
        }
        Self::Static(map)
    }
}

/// The operational purposes of the IVOA Note "Operational Identification of Software Components" 1.0
/// section 2.2. A science query, which is what a tool call is, has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// `IVOA-test`: validation or monitoring.
    Test,
    /// `IVOA-copy`: harvesting or mirroring.
    Copy,
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A value that does not read.
    #[error("{value:?} {wrong}; write {right}")]
    Value {
        /// What was given.
        value: String,
        /// What is wrong with it.
        wrong: &'static str,
        /// What a right one looks like.
        right: &'static str,
    },
    /// The extra trust roots do not read.
    #[error(
        "the file of extra certificates cannot be used: {reason}; it must hold CERTIFICATE blocks in PEM form"
    )]
    Roots {
        /// What the PEM or certificate reader said.
        reason: String,
    },
}

/// Reads a comma-separated list; blanks and empty items do not matter.
///
/// # Errors
/// The first item that does not read.
pub fn parse_list<T: FromStr<Err = SettingsError>>(text: &str) -> Result<Vec<T>, SettingsError> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(T::from_str)
        .collect()
}

/// `host:port=addr:port`: connect to this address for that host and port (as curl's `--connect-to`).
/// The pair is trusted, so the address may be private; the host still decides TLS and `Host`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolveRule {
    pub(super) host: Host,
    pub(super) port: u16,
    pub(super) target: SocketAddr,
}

impl ResolveRule {
    const RIGHT: &str = "host:port=address:port, for example archive.example.org:443=10.1.2.3:8443";
}

impl fmt::Display for ResolveRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}={}", self.host, self.port, self.target)
    }
}

impl FromStr for ResolveRule {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let wrong = |wrong| value_error(text, wrong, Self::RIGHT);
        let (left, right) = text
            .split_once('=')
            .ok_or_else(|| wrong("has no = in it"))?;
        let (host, port) = read_host_port(left).map_err(&wrong)?;
        let port = port.ok_or_else(|| wrong("has no port after the host"))?;
        let target = right
            .trim()
            .parse()
            .map_err(|_| wrong("has no address and port after the ="))?;
        Ok(Self { host, port, target })
    }
}

/// `host[:port]`: a name or an address whose address may be private. Without a port, 80 and 443.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedHost {
    pub(super) host: Host,
    pub(super) port: Option<u16>,
}

impl TrustedHost {
    const RIGHT: &str = "host or host:port, for example tap.institute.lan or 127.0.0.1:8080";

    pub(super) fn covers(&self, host: &Host, port: u16) -> bool {
        self.host == *host
            && self
                .port
                .map_or(matches!(port, 80 | 443), |mine| mine == port)
    }
}

impl fmt::Display for TrustedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.host),
            None => self.host.fmt(f),
        }
    }
}

impl FromStr for TrustedHost {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let (host, port) =
            read_host_port(text).map_err(|wrong| value_error(text, wrong, Self::RIGHT))?;
        Ok(Self { host, port })
    }
}

/// `host`: this host and every name below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHost(Host);

impl AllowedHost {
    const RIGHT: &str =
        "a host without port, for example eso.org, which covers archive.eso.org as well";

    pub(super) fn covers(&self, host: &Host) -> bool {
        match (&self.0, host) {
            (Host::Name(mine), Host::Name(name)) => super::name::is_same_or_below(name, mine),
            (mine, host) => mine == host,
        }
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for AllowedHost {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        match read_host_port(text) {
            Ok((host, None)) => Ok(Self(host)),
            Ok((_, Some(_))) => Err(value_error(text, "has a port", Self::RIGHT)),
            Err(wrong) => Err(value_error(text, wrong, Self::RIGHT)),
        }
    }
}

/// `MANNA_NAT64`: `decode`, prefixes to refuse, or both, separated by commas.
impl FromStr for Nat64 {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        const RIGHT: &str =
            "decode, or prefixes of length 32, 40, 48, 56, 64 or 96 such as 2001:db8:64::/96";
        let mut nat64 = Self::default();
        for item in text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            if item.eq_ignore_ascii_case("decode") {
                nat64.decode_well_known = true;
                continue;
            }
            let prefix = item.split_once('/').and_then(|(address, length)| {
                Nat64Prefix::new(address.parse::<Ipv6Addr>().ok()?, length.parse().ok()?)
            });
            nat64
                .refused
                .push(prefix.ok_or_else(|| value_error(item, "is not a NAT64 prefix", RIGHT))?);
        }
        Ok(nat64)
    }
}

/// A mail address or a web page where archives find who runs this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact(pub(super) String);

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Contact {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let text = text.trim();
        let plain = text
            .bytes()
            .all(|b| b.is_ascii_graphic() && !br#"()\""#.contains(&b));
        if plain && (3..=254).contains(&text.len()) && text.contains(['@', ':']) {
            return Ok(Self(text.to_owned()));
        }
        Err(value_error(
            text,
            "is not a contact",
            "a mail address such as archive-team@example.org",
        ))
    }
}

/// `host=addr[,addr]`: one answer of [`Dns::Static`]; `host=` is an empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticAnswer {
    name: String,
    addresses: Vec<IpAddr>,
}

impl FromStr for StaticAnswer {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        const RIGHT: &str = "host=address[,address], for example archive.example.org=93.184.216.34";
        let (name, list) = text
            .split_once('=')
            .ok_or_else(|| value_error(text, "has no = in it", RIGHT))?;
        let name = name.trim().trim_end_matches('.').to_ascii_lowercase();
        if name.is_empty() {
            return Err(value_error(text, "has no host before the =", RIGHT));
        }
        let addresses = list
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(|item| {
                item.parse()
                    .map_err(|_| value_error(text, "holds something that is not an address", RIGHT))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { name, addresses })
    }
}

/// Reads `host[:port]` with the rules URLs are read by, so that a listed host can be met at all.
fn read_host_port(text: &str) -> Result<(Host, Option<u16>), &'static str> {
    let text = text.trim();
    // A bare IPv6 literal is what an operator copies from `ip addr`; in a URL it has brackets.
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Ok((Host::V6(address), None));
    }
    let (host, port) = split_port(text).map_err(|_| "has text after the bracket")?;
    let host = Host::read(host).ok_or("has no host that a URL could name")?;
    let port = port
        .map(read_port)
        .transpose()
        .map_err(|_| "has a malformed port")?;
    if port.is_some_and(|port| !port::is_contacted(port)) {
        return Err("has a port that is never contacted");
    }
    Ok((host, port))
}

fn value_error(value: &str, wrong: &'static str, right: &'static str) -> SettingsError {
    SettingsError::Value {
        value: value.trim().to_owned(),
        wrong,
        right,
    }
}
