//! The address tables, at both edges of every range.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::http::Nat64;
use crate::http::address::{is_public_v4, is_public_v6};

#[test]
fn ipv4_edges() {
    // First and last address of each range that is not public, written out: the neighbours outside are public.
    const RANGES: &[(&str, &str)] = &[
        ("0.0.0.0", "0.255.255.255"),
        ("10.0.0.0", "10.255.255.255"),
        ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"),
        ("168.63.129.16", "168.63.129.16"),
        ("169.254.0.0", "169.254.255.255"),
        ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"),
        ("192.0.2.0", "192.0.2.255"),
        ("192.31.196.0", "192.31.196.255"),
        ("192.52.193.0", "192.52.193.255"),
        ("192.88.99.0", "192.88.99.255"),
        ("192.168.0.0", "192.168.255.255"),
        ("192.175.48.0", "192.175.48.255"),
        ("198.18.0.0", "198.19.255.255"),
        ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"),
        ("224.0.0.0", "255.255.255.255"),
    ];
    for (first, last) in RANGES {
        let [first, last] = [first, last].map(|text| text.parse::<Ipv4Addr>().unwrap().to_bits());
        let public = |bits: u32| is_public_v4(Ipv4Addr::from_bits(bits));
        assert!(
            !public(first) && !public(last) && !public(first + (last - first) / 2),
            "{first:x}"
        );
        assert!(first.checked_sub(1).is_none_or(public), "before {first:x}");
        assert!(last.checked_add(1).is_none_or(public), "after {last:x}");
    }
}

#[test]
fn ipv6_is_public_only_where_the_table_says() {
    let default = Nat64::default();
    for (text, public) in [
        ("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
        ("2000::", true),
        ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("2001::", false),
        ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", false),
        ("2001:200::", true),
        ("2001:db7:ffff::", true),
        ("2001:db8::", false),
        ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", false),
        ("2001:db9::", true),
        ("2001:ffff::", true),
        ("2002::", false),
        ("2002:ffff::1", false),
        ("2003::1", true),
        ("2620:4f:7fff::1", true),
        ("2620:4f:8000::1", false),
        ("2620:4f:8001::1", true),
        ("3ffe:ffff::1", true),
        ("3fff::1", false),
        ("3fff:fff:ffff::1", false),
        ("3fff:1000::1", true),
        ("3fff:ffff:ffff::1", true),
        ("4000::", false),
        ("64:ff9b::808:808", false),
        ("::ffff:8.8.8.8", false),
        ("2a00:1450:0:0:0:5efe:808:808", false),
        ("2a00:1450:0:0:200:5efe:808:808", false),
        ("2a00:1450:0:0:300:5efe:808:808", false),
        ("2a00:1450:0:0:400:5efe:808:808", true),
        ("fe80::1", false),
    ] {
        assert_eq!(
            is_public_v6(text.parse().unwrap(), &default),
            public,
            "{text}"
        );
    }
}

#[test]
fn nat64_is_what_the_operator_says() {
    let decode: Nat64 = "decode".parse().unwrap();
    let refuse: Nat64 = "2606:2800:64::/96, 2a00:64::/32".parse().unwrap();
    let public = |text: &str, nat64| is_public_v6(text.parse::<Ipv6Addr>().unwrap(), nat64);
    assert!(public("64:ff9b::8.8.8.8", &decode));
    assert!(!public("64:ff9b::10.0.0.1", &decode));
    assert!(!public("64:ff9b::169.254.169.254", &decode));
    assert!(
        !public("64:ff9b:1::8.8.8.8", &decode),
        "the local-use prefix of RFC 8215 is another one"
    );
    assert!(!public("2606:2800:64::8.8.8.8", &refuse));
    assert!(public("2606:2800:64:0:0:1::1", &refuse));
    assert!(!public("2a00:64:1234::1", &refuse));
    for bad in [
        "2606:2800:64::/95",
        "2606:2800:64::1/96",
        "10.0.0.0/8",
        "2606::",
        "yes",
        "2606::/x",
    ] {
        assert!(bad.parse::<Nat64>().is_err(), "{bad}");
    }
}
