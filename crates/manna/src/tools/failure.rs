//! Failures of an archive as a tool's error. The sentences are ours and constant: only hosts that passed the
//! guard, numbers and labels are filled in (security.md section 3). What the archive wrote goes to the log.

use std::time::Duration;

use manna_vo::tap::TapError;

use super::error::ToolError;

/// Longest wait that is passed on to a caller, in seconds.
const MOST_SECONDS: u64 = 300;

/// The error for an archive that did not do its part. `archive` is its label.
pub(super) fn archive(archive: &str, error: TapError) -> ToolError {
    tracing::warn!(archive, cause = %error, "archive failure");
    match error {
        TapError::Fetch(cause) => ToolError::archive(format!("{archive}: {}", cause.message())),
        TapError::Unavailable { status, retry_after, .. } => ToolError::archive(format!(
            "{archive}: the service answered with HTTP status {status}: it cannot answer now"
        ))
        .after(retry_after.map(whole_seconds)),
        TapError::LoginNeeded { status } => {
            ToolError::archive(format!("{archive}: the service refused access (HTTP status {status}); it may want a login"))
                .hint("Only what an archive gives to anybody can be had here. Use another archive or a public table.")
        }
        TapError::NotTap { status, .. } => ToolError::archive(format!(
            "{archive}: what answered at this address (HTTP status {status}) is not a TAP service's VOTable"
        ))
        .hint("Check the endpoint: list_archives names the TAP address of each known archive."),
        TapError::Table(_) => {
            ToolError::archive(format!("{archive}: the answer broke off or cannot be read as a VOTable"))
                .hint("Call again with a smaller query.")
        }
        _ => ToolError::internal(),
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs().min(MOST_SECONDS)
}
