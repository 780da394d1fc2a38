//! How long and how much one request may take. Values, with the defaults of the project's limits
//! table, so that a caller can tighten them and a test can shrink them.

use std::time::Duration;

/// The bounds of one request, over all its hops.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// From the call of [`Door::send`](super::Door::send) to the last byte of the body, redirects
    /// and name resolution included.
    pub total: Duration,
    /// From a request written to the head of its answer.
    pub first_byte: Duration,
    /// Resolving one name, both address families together.
    pub dns: Duration,
    /// Opening one TCP connection, whatever number of addresses is tried.
    pub connect: Duration,
    /// One TLS handshake.
    pub tls: Duration,
    /// Body bytes after decompression.
    pub max_bytes: u64,
    /// Bytes of one answer's head; interim (1xx) answers count as well.
    pub max_head_bytes: usize,
    /// Header lines of one answer.
    pub max_headers: usize,
    /// The least a body may bring within any [`pace_window`](Self::pace_window), in bytes as they
    /// come over the wire. Only time spent waiting for the archive counts.
    pub pace_bytes: u64,
    /// See [`pace_bytes`](Self::pace_bytes).
    pub pace_window: Duration,
    /// Redirects followed before giving up.
    pub max_hops: usize,
}

impl Limits {
    /// The same limits with another total; waiting for the first byte can then take all of it.
    #[must_use]
    pub fn within(mut self, total: Duration) -> Self {
        self.total = total;
        self.first_byte = total;
        self
    }

    /// The same limits with another cap on the body, in bytes after decompression.
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: Duration::from_secs(30),
            first_byte: Duration::from_secs(20),
            dns: Duration::from_secs(5),
            connect: Duration::from_secs(5),
            tls: Duration::from_secs(5),
            max_bytes: 64 << 20,
            max_head_bytes: 64 << 10,
            max_headers: 100,
            pace_bytes: 10 << 10,
            pace_window: Duration::from_secs(10),
            max_hops: 5,
        }
    }
}
