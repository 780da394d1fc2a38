//! The table of settings. A new one is a line here and a field of [`Config`].

use super::Config;
use super::error::ConfigError;
use super::inputs::{NEVER_IN_DOTENV, Value, matches_any};
use super::values::{self, Wrong};

/// One setting.
#[derive(Debug)]
#[non_exhaustive]
pub struct Setting {
    /// Its name in the environment and in `.env`.
    pub name: &'static str,
    /// What a value looks like, to follow the word "write".
    pub kind: &'static str,
    /// A right value.
    pub example: &'static str,
    /// Used when nothing is set; empty is unset.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Its value is never printed.
    pub secret: bool,
    pub(super) read: fn(&mut Config, &Value) -> Result<(), Wrong>,
}

impl Setting {
    /// Its name in `manna.toml`.
    #[must_use]
    pub fn key(&self) -> String {
        self.name.trim_start_matches("MANNA_").to_lowercase()
    }

    /// Whether a `.env` may set it.
    #[must_use]
    pub fn may_be_in_dotenv(&self) -> bool {
        !matches_any(NEVER_IN_DOTENV, self.name)
    }

    /// Puts the value into the configuration. An unset value leaves what is there.
    pub(super) fn apply(&self, config: &mut Config, value: &Value) -> Result<(), ConfigError> {
        if value.text.is_empty() {
            return Ok(());
        }
        (self.read)(config, value).map_err(|wrong| self.fault(value, &wrong))
    }

    fn fault(&self, value: &Value, wrong: &Wrong) -> ConfigError {
        let shown = if self.secret {
            "(secret)".to_owned()
        } else {
            quoted(&value.text)
        };
        let (name, origin) = (self.name, &value.origin);
        ConfigError::new(match wrong {
            Wrong::Because(why) if self.kind.contains(self.example) => {
                format!(
                    "{name} = {shown} (from {origin}): {why}; write {}",
                    self.kind
                )
            }
            Wrong::Because(why) => {
                let Self { kind, example, .. } = self;
                format!("{name} = {shown} (from {origin}): {why}; write {kind}, such as {example}")
            }
            Wrong::InFull(text) => format!("{name} = {shown} (from {origin}): {text}"),
        })
    }
}

/// A value in a message: escaped, and cut where only a mistake is that long.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 100;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or(text)),
    }
}

/// Every setting, in the order of the reference.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "MANNA_HOST",
        kind: "an IP address of this machine",
        example: "127.0.0.1",
        default: "127.0.0.1",
        help: "Address the HTTP server listens at. Any other than the machine's own loopback needs `MANNA_AUTH`.",
        secret: false,
        read: |config, value| values::bind_address(value).map(|host| config.host = host),
    },
    Setting {
        name: "MANNA_PORT",
        kind: "a port number from 0 to 65535",
        example: "8000",
        default: "8000",
        help: "Port the HTTP server listens at; 0 takes a free one.",
        secret: false,
        read: |config, value| values::whole(value, 0, 65_535).map(|port| config.port = port),
    },
    Setting {
        name: "MANNA_AUTH",
        kind: "`none-i-understand` or nothing",
        example: "none-i-understand",
        default: "",
        help: "Who may call a server that other machines can reach. `none-i-understand`: everybody who can reach it. \
               Without it such a server does not start.",
        secret: false,
        read: |config, value| values::auth(value).map(|auth| config.auth = auth),
    },
    Setting {
        name: "MANNA_PUBLIC_HOSTS",
        kind: "host names with or without a port, separated by commas",
        example: "manna.example.org",
        default: "",
        help: "Names this server is reached by: `Host` headers that are answered, beside those of the loopback.",
        secret: false,
        read: |config, value| {
            values::list(value, values::public_host).map(|hosts| config.public_hosts = hosts)
        },
    },
    Setting {
        name: "MANNA_ALLOWED_ORIGINS",
        kind: "origins, separated by commas",
        example: "https://chat.example.org",
        default: "",
        help: "Web pages whose scripts may call: `Origin` headers that are answered, beside those of the loopback.",
        secret: false,
        read: |config, value| {
            values::list(value, values::origin).map(|origins| config.allowed_origins = origins)
        },
    },
    Setting {
        name: "MANNA_MAX_CONCURRENCY",
        kind: "a whole number from 1 to 100000",
        example: "1024",
        default: "1024",
        help: "Calls at work at one time; more are told that the server is busy.",
        secret: false,
        read: |config, value| {
            values::whole(value, 1, 100_000).map(|calls| config.max_concurrency = calls)
        },
    },
    Setting {
        name: "MANNA_LOG_LEVEL",
        kind: "one of error, warn, info, debug, trace",
        example: "info",
        default: "info",
        help: "How much is logged, as JSON lines on standard error.",
        secret: false,
        read: |config, value| values::log_level(value).map(|level| config.log_level = level),
    },
    Setting {
        name: "MANNA_ARCHIVES",
        kind: "short names of archives, separated by commas",
        example: "gaia,eso",
        default: "",
        help: "The archives the server speaks of; unset is all that are not paused. Unknown names are logged and \
               ignored. Other archives can still be reached by their address.",
        secret: false,
        read: |config, value| {
            values::list(value, values::word).map(|names| config.archives = Some(names))
        },
    },
    Setting {
        name: "MANNA_ARCHIVES_DIR",
        kind: "a folder",
        example: "/etc/manna/archives",
        default: "",
        help: "Further archive notes, one TOML file an archive (see `notes-format.md`). A file with the name of a \
               built-in archive takes its place; one that cannot be used is logged and left out.",
        secret: false,
        read: |config, value| {
            values::folder(value).map(|folder| config.archives_dir = Some(folder))
        },
    },
    Setting {
        name: "MANNA_ALLOWED_HOSTS",
        kind: "hosts, separated by commas",
        example: "eso.org,esac.esa.int",
        default: "",
        help: "When set, no other host is asked: each of these and every name below it. It never lifts the \
               protection of private addresses.",
        secret: false,
        read: |config, value| values::door_list(value).map(|hosts| config.allowed_hosts = hosts),
    },
    Setting {
        name: "MANNA_TRUSTED_HOSTS",
        kind: "hosts with or without a port, separated by commas",
        example: "tap.institute.example:8080",
        default: "",
        help: "Names or addresses of archives next door, whose address may be private. Without a port 80 and 443 \
               only. Each is logged at start.",
        secret: false,
        read: |config, value| values::door_list(value).map(|hosts| config.trusted_hosts = hosts),
    },
    Setting {
        name: "MANNA_RESOLVE",
        kind: "host:port=address:port, separated by commas",
        example: "archive.example.org:443=10.1.2.3:8443",
        default: "",
        help: "Your own address for a host and port, as curl's `--connect-to`. The pair is trusted, so the address \
               may be private; the host name still decides TLS and the `Host` header.",
        secret: false,
        read: |config, value| values::door_list(value).map(|rules| config.resolve = rules),
    },
    Setting {
        name: "MANNA_NAT64",
        kind: "`decode`, NAT64 prefixes to refuse, or both, separated by commas",
        example: "decode",
        default: "",
        help: "On an IPv6-only network: `decode` judges 64:ff9b::/96 by the IPv4 address inside; further prefixes of \
               the network are refused.",
        secret: false,
        read: |config, value| values::door(value).map(|nat64| config.nat64 = nat64),
    },
    Setting {
        name: "MANNA_CA_FILE",
        kind: "a file of certificates in PEM form",
        example: "/etc/manna/ca.pem",
        default: "",
        help: "Further trust roots, for institutes with a certificate authority of their own.",
        secret: false,
        read: |config, value| values::pem_file(value).map(|pem| config.extra_roots_pem = Some(pem)),
    },
    Setting {
        name: "MANNA_CONTACT",
        kind: "a mail address",
        example: "archive-team@example.org",
        default: "",
        help: "Where archives find who runs this server; part of the user agent.",
        secret: false,
        read: |config, value| values::door(value).map(|contact| config.contact = Some(contact)),
    },
    Setting {
        name: "MANNA_SESAME_URLS",
        kind: "addresses beginning with https:// or http://, separated by commas",
        example: "https://cds.unistra.fr/cgi-bin/nph-sesame",
        default: "https://cds.unistra.fr/cgi-bin/nph-sesame,https://vizier.cfa.harvard.edu/viz-bin/nph-sesame",
        help: "Sesame name resolvers, in the order they are asked.",
        secret: false,
        read: |config, value| {
            values::list(value, values::service_url).map(|urls| config.sesame_urls = urls)
        },
    },
    Setting {
        name: "MANNA_TAP_SYNC_TIMEOUT_SECONDS",
        kind: "a number of seconds above 0 and up to 45",
        example: "20",
        default: "20",
        help: "Time a synchronous query may take to its last byte.",
        secret: false,
        read: |config, value| {
            values::seconds(value, 45.0).map(|time| config.tap_sync_timeout = time)
        },
    },
    Setting {
        name: "MANNA_INLINE_ROW_LIMIT",
        kind: "a whole number from 1 to 100000",
        example: "200",
        default: "200",
        help: "Rows of an answer that are shown inline.",
        secret: false,
        read: |config, value| {
            values::whole(value, 1, 100_000).map(|rows| config.inline_row_limit = rows)
        },
    },
    Setting {
        name: "MANNA_INLINE_BYTE_LIMIT",
        kind: "a whole number of bytes from 2048 to 16777216",
        example: "49152",
        default: "49152",
        help: "Size of an inline answer as JSON, in bytes.",
        secret: false,
        read: |config, value| {
            values::whole(value, 2_048, 16_777_216).map(|bytes| config.inline_byte_limit = bytes)
        },
    },
    Setting {
        name: "MANNA_MAX_RESPONSE_BYTES",
        kind: "a whole number of bytes from 65536 to 4294967296",
        example: "67108864",
        default: "67108864",
        help: "Bytes read of any answer of an archive after decompression: the ceiling over all other limits.",
        secret: false,
        read: |config, value| {
            values::whole(value, 65_536, 4_294_967_296)
                .map(|bytes| config.max_response_bytes = bytes)
        },
    },
];
