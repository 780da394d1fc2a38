//! Where settings are written: command line, environment, `.env`, `manna.toml`. Finds the value of each name and
//! where it came from; what a value means is the table's business.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::dotenv;
use super::error::{ConfigError, ConfigErrors};
use super::settings::{SETTINGS, Setting};
use super::settings_file;

/// Names no `.env` may set; a `*` stands for any end. Such a file may be somebody else's, and these open the
/// network, change who is trusted or who may call (`design.md`, Configuration).
pub(super) const NEVER_IN_DOTENV: &[&str] = &[
    "MANNA_TRUSTED_HOSTS",
    "MANNA_RESOLVE",
    "MANNA_CA_FILE",
    "MANNA_EGRESS*",
    "MANNA_NAT64",
    "MANNA_AUTH*",
    "MANNA_CREDENTIALS",
    "MANNA_ARCHIVES_DIR",
    CONFIG_FILE,
];

/// Names the settings file; known everywhere but in the table, because it must be read first.
const CONFIG_FILE: &str = "MANNA_CONFIG";

/// Names of the design that keep a server safe and that this version does not know yet. Whoever sets one counts on
/// it: to start with a warning would be less safe than was asked for.
const NOT_YET_AND_NEEDED: &[&str] = &[
    "MANNA_EGRESS*",
    "MANNA_AUTH_*",
    "MANNA_TOKENS_FILE",
    "MANNA_TICKET_KEYS_FILE",
    "MANNA_OAUTH_*",
    "MANNA_CALLER_*",
    "MANNA_TOOLS",
];

pub(super) fn matches_any(patterns: &[&str], name: &str) -> bool {
    patterns
        .iter()
        .any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
}

/// What the process was started as; decides whether a `.env` is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// `manna serve`: a `.env` beside the settings file or, without one, in the working directory.
    #[default]
    Http,
    /// Over standard input and output: no `.env`, because a client may start us inside somebody else's folder.
    Stdio,
    /// Any other command: a `.env` beside a settings file that was named.
    Command,
}

/// Everything settings are read from.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// What the process was started as.
    pub mode: Mode,
    /// `NAME=VALUE` from the command line, with or without `MANNA_`, in any letter case.
    pub flags: Vec<String>,
    /// `--config`; `MANNA_CONFIG` of the environment when absent.
    pub config_file: Option<PathBuf>,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// The working directory: where `.env` may lie and what relative paths are relative to.
    pub working_dir: PathBuf,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The command line.
    Flag,
    /// The environment.
    Environment,
    /// A `.env` or a `manna.toml`.
    File {
        /// Which.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
    /// Nothing was set.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("the command line"),
            Self::Environment => f.write_str("the environment"),
            Self::File { path, line } => write!(f, "{} line {line}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// The value of one setting. Empty text is unset.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) origin: Origin,
    /// What a relative path is relative to.
    pub(super) base: PathBuf,
}

/// The values found, the first of a name counts.
#[derive(Debug)]
pub(super) struct Given {
    values: BTreeMap<&'static str, Value>,
    working_dir: PathBuf,
    pub(super) warnings: Vec<String>,
}

impl Given {
    pub(super) fn value_of(&self, setting: &Setting) -> Value {
        self.values
            .get(setting.name)
            .cloned()
            .unwrap_or_else(|| Value {
                text: setting.default.to_owned(),
                origin: Origin::Default,
                base: self.working_dir.clone(),
            })
    }

    /// Keeps the value unless a source above has one. A blank value is none.
    pub(super) fn offer(
        &mut self,
        setting: &'static Setting,
        text: &str,
        origin: Origin,
        base: &Path,
    ) {
        let text = text.trim();
        if !text.is_empty() {
            let value = || Value {
                text: text.to_owned(),
                origin,
                base: base.to_owned(),
            };
            self.values.entry(setting.name).or_insert_with(value);
        }
    }
}

impl Given {
    /// A name that is no setting: another program's, one to be warned about, or one that must not be ignored.
    fn note_unknown(
        &mut self,
        name: &str,
        text: &str,
        origin: &Origin,
        faults: &mut Vec<ConfigError>,
    ) {
        if !name.starts_with("MANNA_") || name == CONFIG_FILE {
            return;
        }
        if matches_any(NOT_YET_AND_NEEDED, name) && !text.trim().is_empty() {
            faults.push(not_yet(name, origin));
            return;
        }
        let meant = did_you_mean(name, |known| known.name.to_owned());
        self.warnings.push(format!(
            "{name} (from {origin}) is no setting of this version and has no effect{meant}"
        ));
    }
}

impl Inputs {
    /// The environment and working directory of this process.
    ///
    /// # Errors
    /// The working directory is gone.
    pub fn of_process(
        mode: Mode,
        config_file: Option<PathBuf>,
        flags: Vec<String>,
    ) -> io::Result<Self> {
        // A value that is no text cannot be right for any setting; its replacement characters will say so.
        let env = std::env::vars_os()
            .map(|(name, value)| {
                (
                    name.to_string_lossy().into_owned(),
                    value.to_string_lossy().into_owned(),
                )
            })
            .filter(|(name, _)| name.starts_with("MANNA_"))
            .collect();
        Ok(Self {
            mode,
            flags,
            config_file,
            env,
            working_dir: std::env::current_dir()?,
        })
    }

    pub(super) fn gather(&self) -> Result<Given, ConfigErrors> {
        let mut given = Given {
            values: BTreeMap::new(),
            working_dir: self.working_dir.clone(),
            warnings: Vec::new(),
        };
        let mut faults = Vec::new();
        self.read_flags(&mut given, &mut faults);
        self.read_environment(&mut given, &mut faults);
        let config_file = self.config_file();
        if let Some(path) = self.dotenv_file(config_file.as_deref()) {
            self.read_dotenv(&path, &mut given, &mut faults);
        }
        if let Some(path) = &config_file {
            settings_file::read(path, &mut given, &mut faults);
        }
        if faults.is_empty() {
            Ok(given)
        } else {
            Err(ConfigErrors(faults))
        }
    }

    fn config_file(&self) -> Option<PathBuf> {
        let from_env = || {
            self.env
                .get(CONFIG_FILE)
                .map(|text| text.trim())
                .filter(|text| !text.is_empty())
                .map(PathBuf::from)
        };
        self.config_file
            .clone()
            .or_else(from_env)
            .map(|path| self.working_dir.join(path))
    }

    fn dotenv_file(&self, config_file: Option<&Path>) -> Option<PathBuf> {
        let folder = match (self.mode, config_file) {
            (Mode::Stdio, _) | (Mode::Command, None) => return None,
            (_, Some(path)) => path.parent()?,
            (Mode::Http, None) => &self.working_dir,
        };
        Some(folder.join(".env"))
    }

    fn read_flags(&self, given: &mut Given, faults: &mut Vec<ConfigError>) {
        // The last of a repeated flag counts, as everywhere on command lines.
        for flag in self.flags.iter().rev() {
            let Some((name, text)) = flag.split_once('=') else {
                faults.push(ConfigError::new(format!(
                    "{flag:?} on the command line has no = in it; write NAME=VALUE"
                )));
                continue;
            };
            let full = full_name(name);
            match setting(&full) {
                Some(setting) => given.offer(setting, text, Origin::Flag, &self.working_dir),
                None => faults.push(ConfigError::new(format!(
                    "{:?} on the command line is no setting{}",
                    name.trim(),
                    did_you_mean(&full, |known| known.name.to_owned())
                ))),
            }
        }
    }

    fn read_environment(&self, given: &mut Given, faults: &mut Vec<ConfigError>) {
        for (name, text) in &self.env {
            match setting(name) {
                Some(setting) => given.offer(setting, text, Origin::Environment, &self.working_dir),
                None => given.note_unknown(name, text, &Origin::Environment, faults),
            }
        }
    }

    fn read_dotenv(&self, path: &Path, given: &mut Given, faults: &mut Vec<ConfigError>) {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return,
            Err(why) => return faults.push(unreadable(path, &why)),
        };
        let entries = match dotenv::read(&text) {
            Ok(entries) => entries,
            Err((line, why)) => {
                return faults.push(ConfigError::new(format!(
                    "{} line {line}: {why}",
                    path.display()
                )));
            }
        };
        for entry in entries {
            let origin = Origin::File {
                path: path.to_owned(),
                line: entry.line,
            };
            if matches_any(NEVER_IN_DOTENV, &entry.name) {
                faults.push(ConfigError::new(format!(
                    "{} may not be set in a .env ({origin}): such a file may be somebody else's; set it in the \
                     environment, on the command line or in manna.toml",
                    entry.name
                )));
                continue;
            }
            match setting(&entry.name) {
                Some(setting) => given.offer(setting, &entry.value, origin, &self.working_dir),
                None => given.note_unknown(&entry.name, &entry.value, &origin, faults),
            }
        }
    }
}

/// A name as the environment has it, from one in any letter case and perhaps without `MANNA_`.
pub(super) fn full_name(name: &str) -> String {
    let upper = name.trim().to_ascii_uppercase();
    if upper.starts_with("MANNA_") {
        upper
    } else {
        format!("MANNA_{upper}")
    }
}

fn not_yet(name: &str, origin: &Origin) -> ConfigError {
    ConfigError::new(format!(
        "{name} (from {origin}) is not there yet in this version, and to start without it would be less safe than you \
         ask for: unset it to start all the same"
    ))
}

pub(super) fn unreadable(path: &Path, why: &io::Error) -> ConfigError {
    ConfigError::new(format!("{} cannot be read ({why})", path.display()))
}

fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

pub(super) fn did_you_mean(name: &str, written: impl Fn(&Setting) -> String) -> String {
    let nearest = SETTINGS
        .iter()
        .map(|known| (edits(name, known.name), known))
        .min_by_key(|(edits, _)| *edits);
    match nearest {
        Some((edits, known)) if edits <= 3 => format!("; did you mean {}?", written(known)),
        _ => String::new(),
    }
}

/// Letters to put in, take out or change to make one name of the other (Levenshtein).
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, a) in one.chars().enumerate() {
        let mut diagonal = index;
        let mut left = index + 1;
        let mut next = vec![left];
        for (b, above) in other.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(a != *b))
                .min(left + 1)
                .min(above + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(usize::MAX)
}
