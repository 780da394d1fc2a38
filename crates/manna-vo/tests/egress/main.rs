//! The guard at the socket: every shared case that names a host is run against the real door, in a network
//! namespace where every address is this machine and nothing can leave it.
//!
//! There is no seam in the product: the door resolves through `/etc/resolv.conf`, which in the namespace
//! names a server of ours, and connects to whatever address it believes in, where a listener of ours notes
//! which address was asked for. `block` means that no forbidden address was connected to *and* that the door
//! answered with an error (for `client-*` the error alone); `allow` means that the document came, from the
//! expected address.
//!
//! With the guard off it must turn red:
//! `RUSTFLAGS='--cfg manna_guard_off' cargo test -p manna-vo --test egress --target-dir target/guard-off`.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test"
)]

use std::io::Write;
use std::process::{Command, Output};

mod archive;
mod cases;
mod dns;
#[path = "../support/mod.rs"]
mod support;
mod world;

/// Set in the copy of this program that runs inside the namespace.
const INSIDE: &str = "MANNA_EGRESS_INSIDE";

/// Set in a copy inside that runs one case under the case's own environment.
const ONE_CASE: &str = "MANNA_EGRESS_ONE_CASE";

#[test]
fn every_shared_case_at_the_socket() {
    if !cases::are_there() {
        println!("skipped: every_shared_case_at_the_socket needs ../shared");
        return;
    }
    let Some(unshare) = namespace() else {
        println!(
            "skipped: every_shared_case_at_the_socket needs network namespaces (unshare, ip, /etc/resolv.conf)"
        );
        return;
    };
    let output = run_inside(&unshare);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    assert!(
        output.status.success() && text.contains("egress: "),
        "{text}\n{errors}"
    );
}

/// The run inside; does nothing when this program was started in the ordinary way.
#[test]
fn inside() {
    if std::env::var_os(INSIDE).is_some() {
        cases::run_all();
    }
}

/// One case under its own environment; see [`ONE_CASE`].
#[test]
fn one_case() {
    if let Ok(id) = std::env::var(ONE_CASE) {
        cases::run_one(&id);
    }
}

/// The first way to make the namespaces that this machine allows.
fn namespace() -> Option<Vec<&'static str>> {
    let ways: [&[&str]; 2] = [
        &["--net", "--mount"],
        &["--map-root-user", "--net", "--mount"],
    ];
    let probe = "mount --make-rprivate / && mount --bind /etc/resolv.conf /etc/resolv.conf && ip link set lo up \
                 && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo";
    let works = |way: &&&[&str]| {
        let run = Command::new("unshare")
            .args(**way)
            .args(["sh", "-c", probe])
            .output();
        run.is_ok_and(|output| output.status.success())
    };
    ways.iter().find(works).map(|way| way.to_vec())
}

fn run_inside(unshare: &[&str]) -> Output {
    let mut resolv = tempfile::NamedTempFile::new().unwrap();
    // A search list that answers everything: a door that asks for a relative name falls into it.
    writeln!(
        resolv,
        "nameserver {}\nsearch {}\noptions ndots:9",
        dns::ADDRESS,
        dns::TRAP
    )
    .unwrap();
    let script = format!(
        "set -e; mount --make-rprivate /; mount --bind '{}' /etc/resolv.conf; ip link set lo up; \
         ip route add local 0.0.0.0/0 dev lo; ip -6 route add local ::/0 dev lo; \
         ip address add {}/32 dev lo; \
         exec \"$0\" --exact inside --nocapture --test-threads=1",
        resolv.path().display(),
        cases::OWN_ADDRESS,
    );
    Command::new("unshare")
        .args(unshare)
        .args(["sh", "-c", &script])
        .arg(std::env::current_exe().unwrap())
        .env(INSIDE, "1")
        .output()
        .unwrap()
}
