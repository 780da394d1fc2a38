//! What the operator set: every setting by name, where its value came from, and the typed whole.
//!
//! One table ([`SETTINGS`]) drives the reading, the messages, the report of `manna config` and the reference
//! in `docs/configuration.md`. Precedence: command line, environment, `.env`, `manna.toml`, defaults. Nothing
//! here reads the process's own environment except [`Inputs::of_process`], so that tests need none.

mod dotenv;
mod error;
mod inputs;
mod reference;
mod report;
mod settings;
mod settings_file;
mod values;

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use manna_vo::http::{AllowedHost, Contact, Nat64, ResolveRule, TrustedHost};

pub use error::{ConfigError, ConfigErrors};
pub use inputs::{Inputs, Mode, Origin};
pub use reference::reference;
pub use report::{Line, Report};
pub use settings::{SETTINGS, Setting};

use crate::notes;

/// The settings in force.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// `MANNA_HOST`: the address to listen at.
    pub host: IpAddr,
    /// `MANNA_PORT`: the port to listen at; 0 takes a free one.
    pub port: u16,
    /// `MANNA_LOG_LEVEL`.
    pub log_level: LogLevel,
    /// `MANNA_AUTH`: who may call.
    pub auth: Auth,
    /// `MANNA_PUBLIC_HOSTS`: `Host` values answered beside the loopback names, as `host` or `host:port`.
    pub public_hosts: Vec<String>,
    /// `MANNA_ALLOWED_ORIGINS`: `Origin` values answered beside the loopback ones.
    pub allowed_origins: Vec<String>,
    /// `MANNA_MAX_CONCURRENCY`: calls at work at one time.
    pub max_concurrency: usize,
    /// `MANNA_ARCHIVES`: the archives to speak of; `None` is all that are not paused.
    pub archives: Option<Vec<String>>,
    /// `MANNA_ARCHIVES_DIR`: a folder of further notes files.
    pub archives_dir: Option<PathBuf>,
    /// `MANNA_ALLOWED_HOSTS`: when not empty, no other host is asked.
    pub allowed_hosts: Vec<AllowedHost>,
    /// `MANNA_TRUSTED_HOSTS`: hosts whose address may be private.
    pub trusted_hosts: Vec<TrustedHost>,
    /// `MANNA_RESOLVE`: the operator's own address for a host and port.
    pub resolve: Vec<ResolveRule>,
    /// `MANNA_NAT64`.
    pub nat64: Nat64,
    /// The content of `MANNA_CA_FILE`: further trust roots.
    pub extra_roots_pem: Option<Vec<u8>>,
    /// `MANNA_CONTACT`: for the user agent.
    pub contact: Option<Contact>,
    /// `MANNA_SESAME_URLS`: name resolvers in the order they are asked.
    pub sesame_urls: Vec<String>,
    /// `MANNA_TAP_SYNC_TIMEOUT_SECONDS`: a synchronous query to its last byte; at most 45 s.
    pub tap_sync_timeout: Duration,
    /// `MANNA_INLINE_ROW_LIMIT`: rows of an answer shown inline.
    pub inline_row_limit: usize,
    /// `MANNA_INLINE_BYTE_LIMIT`: bytes of an inline answer as JSON.
    pub inline_byte_limit: usize,
    /// `MANNA_MAX_RESPONSE_BYTES`: bytes read of any answer of an archive, after decompression.
    pub max_response_bytes: u64,
    warnings: Vec<String>,
    lines: Vec<Line>,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// What failed.
    Error,
    /// And what may fail soon.
    Warn,
    /// And what happens.
    Info,
    /// And how; query text begins to appear here.
    Debug,
    /// Everything.
    Trace,
}

impl LogLevel {
    /// The word filters use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

/// Who may call over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Auth {
    /// Whoever can reach the loopback address.
    LocalOnly,
    /// Whoever can reach the server: the operator said so in as many words.
    NoneIUnderstand,
}

impl Config {
    /// Reads the settings.
    ///
    /// # Errors
    /// Every setting that cannot be used, each with its value, where that came from and what a right one
    /// looks like; names no `.env` may set; unknown names in `manna.toml` or on the command line; an address
    /// open to others without a word about who may call.
    pub fn load(inputs: &Inputs) -> Result<Self, ConfigErrors> {
        let given = inputs.gather()?;
        let mut config = Self::blank();
        let mut faults = Vec::new();
        for setting in SETTINGS {
            let value = given.value_of(setting);
            config.lines.push(Line::new(setting, &value));
            if let Err(fault) = setting.apply(&mut config, &value) {
                faults.push(fault);
            }
        }
        config.warnings = given.warnings;
        if faults.is_empty() && inputs.mode == Mode::Http {
            faults.extend(config.unsafe_start());
            config.warnings.extend(config.unreachable_start());
        }
        if faults.is_empty() {
            Ok(config)
        } else {
            Err(ConfigErrors(faults))
        }
    }

    /// An open address needs a word about who may call (`security.md` section 4).
    fn unsafe_start(&self) -> Option<ConfigError> {
        let open = !self.host.to_canonical().is_loopback();
        (open && self.auth == Auth::LocalOnly).then(|| {
            ConfigError::new(format!(
                "MANNA_HOST = {} lets other machines call this server, and nothing says who may: set \
                 MANNA_AUTH=none-i-understand to let everybody who can reach it, or MANNA_HOST=127.0.0.1 to keep it \
                 to this machine",
                self.host
            ))
        })
    }

    /// An open address that no `Host` header will match is a server that answers 403 to everybody.
    fn unreachable_start(&self) -> Option<String> {
        let open = !self.host.to_canonical().is_loopback();
        (open && self.public_hosts.is_empty()).then(|| {
            format!(
                "MANNA_HOST = {} is open to other machines, but MANNA_PUBLIC_HOSTS names no host they may use: \
                 only requests to localhost will be answered",
                self.host
            )
        })
    }

    /// What the operator should know although it stops nothing.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Every setting with its value, secrets masked, and where it came from.
    #[must_use]
    pub fn report(&self) -> Report {
        Report::new(self.lines.clone())
    }

    /// Where archives come from and which are wanted.
    #[must_use]
    pub fn archive_sources(&self) -> notes::Sources {
        notes::Sources {
            dir: self.archives_dir.clone(),
            wanted: self.archives.clone(),
        }
    }

    /// What the door is told.
    #[must_use]
    pub fn door_settings(&self) -> manna_vo::http::Settings {
        let mut settings = manna_vo::http::Settings::default();
        settings.resolve.clone_from(&self.resolve);
        settings.trusted_hosts.clone_from(&self.trusted_hosts);
        settings.allowed_hosts.clone_from(&self.allowed_hosts);
        settings.extra_roots_pem.clone_from(&self.extra_roots_pem);
        settings.nat64.clone_from(&self.nat64);
        settings.contact.clone_from(&self.contact);
        settings.limits.max_bytes = self.max_response_bytes;
        settings
    }

    /// What the table then fills; no value of this is ever seen.
    fn blank() -> Self {
        Self {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            log_level: LogLevel::Info,
            auth: Auth::LocalOnly,
            public_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            max_concurrency: 0,
            archives: None,
            archives_dir: None,
            allowed_hosts: Vec::new(),
            trusted_hosts: Vec::new(),
            resolve: Vec::new(),
            nat64: Nat64::default(),
            extra_roots_pem: None,
            contact: None,
            sesame_urls: Vec::new(),
            tap_sync_timeout: Duration::ZERO,
            inline_row_limit: 0,
            inline_byte_limit: 0,
            max_response_bytes: 0,
            warnings: Vec::new(),
            lines: Vec::new(),
        }
    }
}
