//! `Retry-After` (RFC 9110 section 10.2.3): seconds or a date.

use std::time::{Duration, SystemTime};

/// The longest wait that is passed on: a caller gives up before, and an archive's clock may be wrong.
const MAX: Duration = Duration::from_secs(300);

/// Reads a `Retry-After` field value; a date is taken relative to `now`, one in the past is zero.
pub fn retry_after(value: &[u8], now: SystemTime) -> Option<Duration> {
    let text = std::str::from_utf8(value).ok()?.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        // More digits than a u64 holds are simply long.
        return Some(text.parse().map_or(MAX, Duration::from_secs).min(MAX));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default().min(MAX))
}
