//! Which addresses are public: the tables, and nothing else.
//!
//! IPv4 is public unless listed. IPv6 is public only inside 2000::/3 and unless listed: an allow rule beats
//! every deny list, since new special ranges appear outside the global unicast space.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 ranges that are not public.
///
/// Source: IANA IPv4 Special-Purpose Address Registry (RFC 6890), every range that is not globally
/// reachable, plus the AS112 and 6to4 relay ranges, which answer locally, and one cloud address.
const NOT_PUBLIC_V4: &[([u8; 4], u32, &str)] = &[
    ([0, 0, 0, 0], 8, "this network, RFC 791"),
    ([10, 0, 0, 0], 8, "private use, RFC 1918"),
    ([100, 64, 0, 0], 10, "shared address space, RFC 6598"),
    ([127, 0, 0, 0], 8, "loopback, RFC 1122"),
    (
        [168, 63, 129, 16],
        32,
        "Azure WireServer: host-local service on a public number",
    ),
    ([169, 254, 0, 0], 16, "link-local, RFC 3927; cloud metadata"),
    ([172, 16, 0, 0], 12, "private use, RFC 1918"),
    ([192, 0, 0, 0], 24, "IETF protocol assignments, RFC 6890"),
    ([192, 0, 2, 0], 24, "TEST-NET-1, RFC 5737"),
    ([192, 31, 196, 0], 24, "AS112-v4, RFC 7535"),
    ([192, 52, 193, 0], 24, "AMT, RFC 7450"),
    ([192, 88, 99, 0], 24, "6to4 relay anycast, RFC 7526"),
    ([192, 168, 0, 0], 16, "private use, RFC 1918"),
    ([192, 175, 48, 0], 24, "direct delegation AS112, RFC 7534"),
    ([198, 18, 0, 0], 15, "benchmarking, RFC 2544"),
    ([198, 51, 100, 0], 24, "TEST-NET-2, RFC 5737"),
    ([203, 0, 113, 0], 24, "TEST-NET-3, RFC 5737"),
    ([224, 0, 0, 0], 4, "multicast, RFC 5771"),
    (
        [240, 0, 0, 0],
        4,
        "reserved and broadcast, RFC 1112 and RFC 919",
    ),
];

/// The only IPv6 space that is handed out for global unicast (RFC 4291 section 2.4, IANA registry).
const GLOBAL_UNICAST_V6: V6Range = V6Range([0x2000, 0, 0, 0, 0, 0, 0, 0], 3, "global unicast");

/// IPv6 ranges inside 2000::/3 that are not public.
///
/// Source: IANA IPv6 Special-Purpose Address Registry (RFC 6890).
const NOT_PUBLIC_V6: &[V6Range] = &[
    V6Range(
        [0x2001, 0, 0, 0, 0, 0, 0, 0],
        23,
        "IETF protocol assignments: Teredo, ORCHID, benchmarking",
    ),
    V6Range(
        [0x2001, 0x0db8, 0, 0, 0, 0, 0, 0],
        32,
        "documentation, RFC 3849",
    ),
    V6Range(
        [0x2002, 0, 0, 0, 0, 0, 0, 0],
        16,
        "6to4, RFC 3056: an IPv4 address inside",
    ),
    V6Range(
        [0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0],
        48,
        "direct delegation AS112, RFC 7534",
    ),
    V6Range([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "documentation, RFC 9637"),
];

/// The well-known NAT64 prefix (RFC 6052 section 2.1).
const NAT64_WELL_KNOWN: Nat64Prefix = Nat64Prefix {
    bits: 0x0064_ff9b_0000_0000_0000_0000_0000_0000,
    length: 96,
};

/// How addresses that carry an IPv4 address through a NAT64 gateway are judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nat64 {
    /// Judge `64:ff9b::/96` by the IPv4 address inside instead of refusing it: for hosts whose only
    /// network is IPv6.
    pub decode_well_known: bool,
    /// Prefixes of the operator's own gateways, refused.
    pub refused: Vec<Nat64Prefix>,
}

/// One NAT64 prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nat64Prefix {
    bits: u128,
    length: u32,
}

impl Nat64Prefix {
    /// A prefix of one of the six lengths of RFC 6052 section 2.2; `None` for another length or for bits
    /// set beyond it.
    pub fn new(address: Ipv6Addr, length: u32) -> Option<Self> {
        let bits = address.to_bits();
        let known = matches!(length, 32 | 40 | 48 | 56 | 64 | 96);
        (known && bits & !mask_v6(length) == 0).then_some(Self { bits, length })
    }

    fn contains(self, address: Ipv6Addr) -> bool {
        address.to_bits() & mask_v6(self.length) == self.bits
    }
}

/// Whether anybody on the internet would reach the same machine under this address.
pub fn is_public(address: IpAddr, nat64: &Nat64) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address, nat64),
    }
}

/// [`is_public`] for IPv4.
pub fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !NOT_PUBLIC_V4.iter().any(|&(net, length, _)| {
        let mask = u32::MAX << (32 - length);
        bits & mask == u32::from_be_bytes(net)
    })
}

/// [`is_public`] for IPv6.
pub fn is_public_v6(address: Ipv6Addr, nat64: &Nat64) -> bool {
    if nat64.refused.iter().any(|prefix| prefix.contains(address)) {
        return false;
    }
    if nat64.decode_well_known && NAT64_WELL_KNOWN.contains(address) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    GLOBAL_UNICAST_V6.contains(address)
        && !NOT_PUBLIC_V6.iter().any(|range| range.contains(address))
        && !has_isatap_interface_id(address)
}

/// First address, prefix length, and what it is for.
struct V6Range(
    [u16; 8],
    u32,
    #[expect(dead_code, reason = "the table documents itself")] &'static str,
);

impl V6Range {
    fn contains(&self, address: Ipv6Addr) -> bool {
        address.to_bits() & mask_v6(self.1) == Ipv6Addr::from_segments(self.0).to_bits()
    }
}

fn mask_v6(length: u32) -> u128 {
    u128::MAX << (128 - length)
}

/// RFC 5214 section 6.1: `[ug]00:5efe:` and an IPv4 address; the two flag bits vary.
fn has_isatap_interface_id(address: Ipv6Addr) -> bool {
    let [_, _, _, _, flags, marker, _, _] = address.segments();
    flags & !0x0300 == 0 && marker == 0x5efe
}
