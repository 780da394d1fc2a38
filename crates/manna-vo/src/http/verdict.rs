//! The guard's verdict on one URL, as `manna check-url` prints it.

use super::door::Door;

/// What the guard says of a URL, without fetching it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it would be fetched.
    pub allow: bool,
    /// Why; completes a sentence that begins with "the URL".
    pub reason: &'static str,
}

impl Verdict {
    /// `allow` or `block`.
    pub fn word(&self) -> &'static str {
        if self.allow { "allow" } else { "block" }
    }
}

impl Door {
    /// Parses and checks a URL: all rules that come before a connection.
    pub async fn verdict(&self, raw: &str) -> Verdict {
        let checked = match self.parse(raw) {
            Ok(url) => self.check(&url).await.map(drop),
            Err(refusal) => Err(refusal),
        };
        match checked {
            Ok(()) => Verdict {
                allow: true,
                reason: "is well-formed and names a host that may be asked",
            },
            Err(refusal) => Verdict {
                allow: false,
                reason: refusal.message(),
            },
        }
    }
}
