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
