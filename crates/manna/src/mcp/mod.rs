//! The Model Context Protocol side: the handler that lists and calls our tools, and the two transports it is
//! served over. Nothing outside this folder knows the SDK.

pub mod http;
mod server;
mod stdio;

pub use server::Server;
pub use stdio::serve_stdio;
