//! The addresses of this machine: a public one of ours reaches what listens here and nowhere else
//! (rule 11 of the guard).

use std::net::{IpAddr, UdpSocket};

/// Whether an interface of this machine has the address.
///
/// Asked each time: interfaces come and go, and the list costs microseconds. Where it cannot be had (a
/// sandbox without netlink), the kernel is asked by binding to the address, which sends nothing and
/// works for own addresses only.
pub(super) fn contain(address: IpAddr) -> bool {
    match if_addrs::get_if_addrs() {
        Ok(interfaces) => interfaces.iter().any(|interface| interface.ip() == address),
        Err(_) => UdpSocket::bind((address, 0)).is_ok(),
    }
}
