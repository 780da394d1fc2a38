//! What every tool works on: the door to the archives, the notes about them, and the limits. Made once at start;
//! nothing a call does changes it.

use std::time::Duration;

use manna_vo::http::{Door, Refusal, ServiceUrl};

use super::error::ToolError;
use crate::notes::Archives;
use crate::shape::Caps;

/// The server's own state, the same for every caller.
#[derive(Debug)]
pub struct Context {
    /// The one way out.
    pub door: Door,
    /// The archive notes.
    pub archives: Archives,
    /// Sesame mirrors in the order they are asked.
    pub sesame: Vec<ServiceUrl>,
    /// Time for a synchronous query, to its last byte.
    pub sync_timeout: Duration,
    /// How much of an answer is shown.
    pub caps: Caps,
    /// Calls at work at one time; more are turned away.
    pub max_calls: usize,
}

impl Context {
    /// The address in the argument `name`, through the guard's first gate.
    pub(super) fn service_url(&self, name: &str, raw: &str) -> Result<ServiceUrl, ToolError> {
        self.door
            .parse(raw)
            .map_err(|refusal| refused(name, &refusal))
    }
}

/// A refusal of the guard as a tool's error about the argument `name`.
pub(super) fn refused(name: &str, refusal: &Refusal) -> ToolError {
    let message = format!("`{name}` {}", refusal.message());
    if refusal.abandon() {
        ToolError::refused(message)
    } else {
        ToolError::validation(message)
    }
}
