//! The addresses of this machine: a public one of ours reaches what listens here and nowhere else
//! (rule 11 of the guard).

use std::net::{IpAddr, UdpSocket};

/// What the interfaces have now; they come and go, and the list costs microseconds.
pub(super) struct OwnAddresses(Option<Vec<IpAddr>>);

impl OwnAddresses {
    pub(super) fn read() -> Self {
        let interfaces = if_addrs::get_if_addrs().ok();
        Self(interfaces.map(|list| list.iter().map(|interface| interface.ip()).collect()))
    }

    /// Where the list cannot be had (a sandbox without netlink), the kernel is asked by binding to the
    /// address, which sends nothing and works for own addresses only.
    pub(super) fn contain(&self, address: IpAddr) -> bool {
        match &self.0 {
            Some(list) => list.contains(&address),
            None => UdpSocket::bind((address, 0)).is_ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OwnAddresses;

    #[test]
    fn both_ways_know_this_machine() {
        for own in [OwnAddresses::read(), OwnAddresses(None)] {
            assert!(own.contain("127.0.0.1".parse().unwrap()));
            assert!(!own.contain("93.184.216.34".parse().unwrap()));
        }
    }
}
