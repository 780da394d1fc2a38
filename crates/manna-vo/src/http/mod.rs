//! The one door: every byte that leaves for an archive goes through here, and the address connected to is an
//! address that was checked, on every hop.
//!
//! A URL that a caller or an archive can influence is text until [`Door::parse`] makes a [`ServiceUrl`] of
//! it, and only a `ServiceUrl` can be fetched. [`Door::send`] then resolves the host, judges all its
//! addresses, connects to one of them itself, and does the same for every redirect. There is no
//! cookie, credential, proxy or referrer in it, and every wait and every body has a bound ([`Limits`]).
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use manna_vo::http::{Door, Request, Settings};
//!
//! let door = Door::new(Settings::default())?;
//! let url = door.parse("https://archive.example.org/tap")?.child(["sync"]);
//! let parameters = vec![("LANG".to_owned(), "ADQL".to_owned())];
//! let mut answer = door.send(Request::post_form(url, parameters)).await?;
//! while let Some(piece) = answer.chunk().await? {
//!     println!("{} bytes", piece.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # The guard's rules
//!
//! It refuses and never repairs. The code names its rules by these numbers:
//!
//! 1. The raw text, before any parser: at most 2,048 bytes of printable ASCII, none of ``\ < > " { } | ^ ` ``.
//! 2. `http` or `https`, exactly `://`, an authority without user info; a plain port, below 1024 only 80 and 443,
//!    and none that belongs to another protocol.
//! 3. A host in its one spelling: dotted IPv4, bracketed IPv6 without zone, or a name of two labels or more that is not
//!    reserved for use inside networks (unless the operator lists it).
//! 4. `url::Url` reads the same host and port.
//! 5. The operator's list of allowed hosts, when there is one. It lifts no other rule.
//! 6. The name, fully qualified, resolves within 5 s to 1 to 32 addresses, all of them public ([`address`]).
//! 7. Connections go to an address that passed for this request, pooled ones too; TLS is with the URL's host.
//! 8. Redirects are followed here, at most 5, each through all rules, with one raw `Location`; a body is sent again to the
//!    same host only; from `https` to the same host's `http` is tried as `https`, to another's is refused.
//! 9. No proxy variables, netrc, cookies, Alt-Svc, upgrades or referrers; 401 and 407 stay unanswered.
//! 10. What documents point to passes the same rules ([`Door::resolve`]).
//! 11. An address of this machine's own interfaces counts as private.
//!
//! The operator's `MANNA_RESOLVE` and `MANNA_TRUSTED_HOSTS` lift rules 6 and 11 for the host and port they name, and
//! nothing else but the names of rule 3.
//!
//! The parts, in the order a request meets them: `service_url`, `host`, `name`, `port` and `policy` judge
//! the text; `resolver`, `address` and `own_addresses` the addresses; `pool`, `connection`, `tls` and `wire` carry
//! the exchange; `redirect` leads on; `answer`, `coding` and `pace` bring the body.

#[cfg(all(manna_guard_off, not(debug_assertions)))]
compile_error!(
    "manna_guard_off is for showing that the egress suite turns red; it is never built for use"
);

pub mod address;
mod answer;
mod clock;
mod coding;
mod connection;
mod door;
mod error;
mod host;
mod limits;
mod name;
mod own_addresses;
mod pace;
mod policy;
mod pool;
mod port;
mod query;
mod redirect;
mod request;
mod resolver;
mod retry_after;
mod service_url;
mod settings;
mod tls;
#[cfg(manna_guard_off)]
mod unguarded;
mod user_agent;
mod verdict;
mod wire;

#[cfg(test)]
mod tests;

pub use address::Nat64;
pub use answer::Answer;
pub use door::{Checked, Door};
pub use error::{FetchError, Phase, Refusal, Rule};
pub use host::Host;
pub use limits::Limits;
pub use request::Request;
pub use retry_after::retry_after;
pub use service_url::ServiceUrl;
pub use settings::{
    AllowedHost, Contact, Dns, Purpose, ResolveRule, Settings, SettingsError, StaticAnswer,
    TrustedHost, parse_list,
};
pub use verdict::Verdict;
