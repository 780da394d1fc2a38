//! Names that mean something only inside a network, refused before any DNS question is asked:
//! the question itself would tell, and a search list or a local zone would answer it.

/// Last labels that the public DNS does not delegate.
///
/// Sources: IANA Special-Use Domain Names (RFC 6761, 6762, 7686, 8375, 9476), ICANN's reservation of
/// `internal` (2024), and what offices, homes and clusters use without asking.
const INTERNAL_ENDINGS: &[&str] = &[
    "alt",
    "arpa",
    "cluster",
    "corp",
    "example",
    "home",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "onion",
    "private",
    "svc",
    "test",
];

/// Cloud metadata services under names of the public DNS; the other ones end in `internal` or
/// have one label.
const METADATA_NAMES: &[&str] = &[
    "metadata.goog",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "metadata.tencentyun.com",
];

/// Whether a lower-case name has one label, ends in a reserved label, or is a cloud's metadata
/// service.
pub(super) fn is_internal(name: &str) -> bool {
    let Some((_, last)) = name.rsplit_once('.') else {
        return true;
    };
    INTERNAL_ENDINGS.contains(&last)
        || METADATA_NAMES
            .iter()
            .any(|metadata| is_same_or_below(name, metadata))
}

/// Equality, or a suffix at a label boundary.
pub(super) fn is_same_or_below(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}
