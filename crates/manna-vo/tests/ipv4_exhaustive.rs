//! All 2^32 IPv4 addresses against a second table, written independently of the first: from the addresses that
//! are public, as first and last address of each stretch, where the product lists what is not.
//!
//! Some 30 s in release mode:
//! `cargo test -p manna-vo --release --features slow --test ipv4_exhaustive`.

use std::net::Ipv4Addr;
use std::thread;

use manna_vo::http::address::is_public_v4;

const fn at(a: u8, b: u8, c: u8, d: u8) -> u32 {
    u32::from_be_bytes([a, b, c, d])
}

/// The public stretches, from the IANA IPv4 Special-Purpose Address Registry read the other way round.
const PUBLIC: [(u32, u32); 17] = [
    (at(1, 0, 0, 0), at(9, 255, 255, 255)),
    (at(11, 0, 0, 0), at(100, 63, 255, 255)),
    (at(100, 128, 0, 0), at(126, 255, 255, 255)),
    (at(128, 0, 0, 0), at(168, 63, 129, 15)),
    (at(168, 63, 129, 17), at(169, 253, 255, 255)),
    (at(169, 255, 0, 0), at(172, 15, 255, 255)),
    (at(172, 32, 0, 0), at(191, 255, 255, 255)),
    (at(192, 0, 1, 0), at(192, 0, 1, 255)),
    (at(192, 0, 3, 0), at(192, 31, 195, 255)),
    (at(192, 31, 197, 0), at(192, 52, 192, 255)),
    (at(192, 52, 194, 0), at(192, 88, 98, 255)),
    (at(192, 88, 100, 0), at(192, 167, 255, 255)),
    (at(192, 169, 0, 0), at(192, 175, 47, 255)),
    (at(192, 175, 49, 0), at(198, 17, 255, 255)),
    (at(198, 20, 0, 0), at(198, 51, 99, 255)),
    (at(198, 51, 101, 0), at(203, 0, 112, 255)),
    (at(203, 0, 114, 0), at(223, 255, 255, 255)),
];

#[test]
fn every_ipv4_address() {
    let workers: Vec<_> = (0..=255u8)
        .collect::<Vec<_>>()
        .chunks(32)
        .map(|firsts| {
            let firsts = firsts.to_vec();
            thread::spawn(move || firsts.into_iter().map(check_block).sum::<u64>())
        })
        .collect();
    let checked: u64 = workers
        .into_iter()
        .map(|worker| worker.join().expect("a worker"))
        .sum();
    println!("{checked} addresses agree");
    assert_eq!(checked, 1 << 32);
}

/// Compares the 2^24 addresses that begin with one octet.
fn check_block(first: u8) -> u64 {
    let (low, high) = (at(first, 0, 0, 0), at(first, 255, 255, 255));
    for bits in low..=high {
        let public = PUBLIC.iter().any(|&(from, to)| (from..=to).contains(&bits));
        assert_eq!(
            is_public_v4(Ipv4Addr::from_bits(bits)),
            public,
            "{}",
            Ipv4Addr::from_bits(bits)
        );
    }
    u64::from(high - low) + 1
}
