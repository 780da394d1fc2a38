//! The parts that bring a body, without a socket: gzip, the pace, `Retry-After`.

use std::io::Write;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use proptest::prelude::*;

use crate::http::coding::Coding;
use crate::http::pace::Pace;
use crate::http::retry_after;

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// The decoded document and the longest piece of it.
fn decode(wire: &[u8], size: usize) -> std::io::Result<(Vec<u8>, usize)> {
    let mut coding = Coding::new();
    let (mut out, mut longest) = (Vec::new(), 0);
    for piece in wire.chunks(size.max(1)) {
        coding.push(Bytes::copy_from_slice(piece));
        while let Some(piece) = coding.next()? {
            longest = longest.max(piece.len());
            out.extend_from_slice(&piece);
        }
    }
    if let Some(piece) = coding.finish()? {
        out.extend_from_slice(&piece);
    }
    while let Some(piece) = coding.next()? {
        out.extend_from_slice(&piece);
    }
    Ok((out, longest))
}

proptest! {
    #[test]
    fn any_chunking_gives_the_same_document(data in prop::collection::vec(any::<u8>(), 0..4000), size in 1usize..700) {
        prop_assume!(!data.starts_with(&[0x1f, 0x8b, 8]));
        prop_assert_eq!(decode(&data, size).unwrap().0, &data[..]);
        prop_assert_eq!(decode(&gzip(&data), size).unwrap().0, &data[..]);
    }

    #[test]
    fn a_cut_gzip_is_never_a_whole_document(data in prop::collection::vec(any::<u8>(), 1..2000), keep in 0.0f64..1.0) {
        let wire = gzip(&data);
        let kept = 3 + ((wire.len() - 4) as f64 * keep) as usize;
        prop_assert!(decode(&wire[..kept], 97).is_err());
    }

    #[test]
    fn retry_after_reads_anything(value in prop::collection::vec(any::<u8>(), 0..40)) {
        let wait = retry_after(&value, SystemTime::UNIX_EPOCH);
        prop_assert!(wait.is_none_or(|wait| wait <= Duration::from_secs(300)));
    }
}

#[test]
fn two_members_are_one_document_and_a_bomb_comes_in_small_pieces() {
    let twice = [gzip(b"one "), gzip(b"two")].concat();
    assert_eq!(decode(&twice, 5).unwrap().0, b"one two");
    let bomb = gzip(&vec![b' '; 50 << 20]);
    assert!(bomb.len() < 100_000);
    let (out, longest) = decode(&bomb, 64 << 10).unwrap();
    assert_eq!(out.len(), 50 << 20);
    assert!(longest <= 128 << 10, "{longest}");
}

#[test]
fn a_broken_checksum_is_noticed() {
    let mut wire = gzip(b"some document");
    let at = wire.len() - 6;
    wire[at] ^= 1;
    assert!(decode(&wire, 1000).is_err());
}

#[test]
fn retry_after_values() {
    let noon = httpdate::parse_http_date("Mon, 30 Nov 2026 12:00:00 GMT").unwrap();
    for (value, seconds) in [
        ("120", Some(120)),
        (" 7 ", Some(7)),
        ("0", Some(0)),
        ("100000", Some(300)),
        ("99999999999999999999999999", Some(300)),
        ("Mon, 30 Nov 2026 12:00:42 GMT", Some(42)),
        ("Monday, 30-Nov-26 12:00:42 GMT", Some(42)),
        ("Mon, 30 Nov 2026 11:00:00 GMT", Some(0)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", Some(300)),
        ("-1", None),
        ("1.5", None),
        ("", None),
        ("soon", None),
    ] {
        assert_eq!(
            retry_after(value.as_bytes(), noon),
            seconds.map(Duration::from_secs),
            "{value:?}"
        );
    }
}

#[test]
fn the_pace_is_kept_over_any_window() {
    let second = Duration::from_secs(1);
    let new = || Pace::new(10_240, 10 * second);
    // 1,200 bytes a second are fast enough for ever.
    let mut pace = new();
    for _ in 0..1000 {
        assert!(pace.patience() > second, "{pace:?}");
        pace.record(second, 1200);
    }
    // Half of it is not, and is noticed as soon as the window is over.
    let mut pace = new();
    let mut seconds = 0;
    while pace.patience() > Duration::ZERO && seconds < 100 {
        pace.record(second, 512);
        seconds += 1;
    }
    assert_eq!(seconds, 10);
    // A megabyte at once buys one window of silence, not a hundred of them.
    let mut pace = new();
    pace.record(second, 1 << 20);
    assert_eq!(pace.patience(), 10 * second);
    pace.record(9 * second, 1);
    assert_eq!(pace.patience(), second);
    // A trickle of single bytes costs no memory.
    let mut pace = new();
    for _ in 0..100_000 {
        pace.record(Duration::from_micros(10), 1);
    }
    assert!(pace.arrivals() < 100, "{}", pace.arrivals());
}
