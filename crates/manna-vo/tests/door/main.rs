//! What the door does on real sockets: pooling, bounds, broken answers, TLS and redirects, against servers of
//! the test's own on loopback, which the door is told to trust.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test"
)]

mod alone;
mod bodies;
mod heads;
mod pooling;
mod redirects;
mod server;
#[path = "../support/mod.rs"]
mod support;
mod tls;
