//! How we introduce ourselves to archives.

use http::HeaderValue;

use super::settings::{Contact, Purpose};

/// `manna/VERSION`, then `(IVOA-<purpose>)` when the access is operational (IVOA Note softid 1.0
/// section 2.2: a science query has no such token), then whom to write to.
pub(super) fn user_agent(purpose: Option<Purpose>, contact: Option<&Contact>) -> HeaderValue {
    let mut text = concat!("manna/", env!("CARGO_PKG_VERSION")).to_owned();
    match purpose {
        Some(Purpose::Test) => text.push_str(" (IVOA-test)"),
        Some(Purpose::Copy) => text.push_str(" (IVOA-copy)"),
        None => {}
    }
    if let Some(contact) = contact {
        text.push_str(&format!(" ({contact})"));
    }
    HeaderValue::try_from(text).expect("a version and a checked contact are visible ASCII")
}
