//! The name put on an answer when the host belongs to no archive we know (contract section 5).

use super::words::is_ip_literal;

/// What stands for "no host".
pub(super) const NO_HOST: &str = "other";

/// Suffixes of two labels under which the owner's name is the third from the end.
const SECOND_LEVEL: [&str; 15] = [
    "ac.jp", "ac.uk", "ac.za", "ac.nz", "ac.kr", "ac.at", "ac.be", "co.uk", "co.jp", "co.nz",
    "co.za", "edu.au", "gov.au", "org.au", "gc.ca",
];

/// Whether a name is one of those suffixes itself.
pub(super) fn is_shared_suffix(host: &str) -> bool {
    SECOND_LEVEL.contains(&host)
}

/// A host as labels compare it: lower case, without the final dot.
pub(super) fn normalised(host: &str) -> String {
    let host = host.trim();
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// The label of an unknown host, which is `normalised`.
pub(super) fn of_unknown_host(host: &str) -> String {
    if host.is_empty() {
        return NO_HOST.to_owned();
    }
    if is_ip_literal(host) {
        return host.to_owned();
    }
    let host = host.strip_prefix("www.").unwrap_or(host);
    let mut from_end = host.rsplit('.');
    let (Some(last), Some(second)) = (from_end.next(), from_end.next()) else {
        return host.to_owned();
    };
    let owner = match from_end.next() {
        Some(third) if is_shared_suffix(&format!("{second}.{last}")) => third,
        _ => second,
    };
    owner.to_owned()
}
