//! Any header value at any time: no panic, and never a wait of more than five minutes.
#![no_main]

use std::time::{Duration, SystemTime};

use libfuzzer_sys::fuzz_target;
use manna_vo::http::retry_after;

fuzz_target!(|input: (u32, &[u8])| {
    let (seconds, value) = input;
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.into());
    if let Some(wait) = retry_after(value, now) {
        assert!(wait <= Duration::from_secs(300));
    }
});
