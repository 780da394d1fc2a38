//! From text to values: each reader says what is wrong with a text it refuses.

use std::fs;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use manna_vo::http::{SettingsError, parse_list};
use url::{Host, Url};

use super::inputs::Value;
use super::{Auth, LogLevel};

/// What is wrong with a value.
#[derive(Debug)]
pub(super) enum Wrong {
    /// A clause; what a right value looks like is still to be said.
    Because(String),
    /// All there is to say.
    InFull(String),
}

fn because<T>(why: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong::Because(why.into()))
}

pub(super) fn whole<T: TryFrom<u64>>(value: &Value, least: u64, most: u64) -> Result<T, Wrong> {
    let text = value.text.as_str();
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return because("it is no whole number");
    }
    let number: u64 = text.parse().unwrap_or(u64::MAX);
    if number < least {
        return because(format!("it is below {least}"));
    }
    match T::try_from(number) {
        Ok(fits) if number <= most => Ok(fits),
        _ => because(format!("it is above {most}")),
    }
}

pub(super) fn seconds(value: &Value, most: f64) -> Result<Duration, Wrong> {
    match value.text.parse::<f64>() {
        Ok(seconds) if seconds > most => because(format!("it is above {most}")),
        Ok(seconds) if seconds > 0.0 => {
            Duration::try_from_secs_f64(seconds).map_err(|e| Wrong::Because(e.to_string()))
        }
        Ok(_) => because("it is no time to wait"),
        Err(_) => because("it is no number"),
    }
}

pub(super) fn one_of<T: Copy>(value: &Value, words: &[(&str, T)]) -> Result<T, Wrong> {
    match words
        .iter()
        .find(|(word, _)| value.text.eq_ignore_ascii_case(word))
    {
        Some((_, meaning)) => Ok(*meaning),
        None => because("it is none of the words that are known"),
    }
}

/// `warning` and `critical` are Python's words, which configurations of the reference use.
pub(super) fn log_level(value: &Value) -> Result<LogLevel, Wrong> {
    use LogLevel::{Debug, Error, Info, Trace, Warn};
    one_of(
        value,
        &[
            ("error", Error),
            ("critical", Error),
            ("warn", Warn),
            ("warning", Warn),
            ("info", Info),
            ("debug", Debug),
            ("trace", Trace),
        ],
    )
}

pub(super) fn auth(value: &Value) -> Result<Auth, Wrong> {
    if ["oauth", "token"]
        .iter()
        .any(|word| value.text.eq_ignore_ascii_case(word))
    {
        return because("this version cannot do that yet");
    }
    one_of(value, &[("none-i-understand", Auth::NoneIUnderstand)])
}

pub(super) fn bind_address(value: &Value) -> Result<IpAddr, Wrong> {
    let text = value.text.as_str();
    if text.eq_ignore_ascii_case("localhost") {
        return Ok(IpAddr::from([127, 0, 0, 1]));
    }
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    bare.parse().or_else(|_| because("it is no address"))
}

/// The items of a comma-separated list; blanks round them do not matter, empty ones are passed over.
pub(super) fn list<T>(value: &Value, item: fn(&str) -> Result<T, Wrong>) -> Result<Vec<T>, Wrong> {
    value
        .text
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(item)
        .collect()
}

pub(super) fn word(text: &str) -> Result<String, Wrong> {
    if text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    {
        Ok(text.to_lowercase())
    } else {
        because(format!("{text:?} is no short name"))
    }
}

/// A value the door reads itself, whose errors say what a right one looks like.
pub(super) fn door<T: FromStr<Err = SettingsError>>(value: &Value) -> Result<T, Wrong> {
    value
        .text
        .parse()
        .map_err(|e: SettingsError| Wrong::InFull(e.to_string()))
}

/// A list of such values.
pub(super) fn door_list<T: FromStr<Err = SettingsError>>(value: &Value) -> Result<Vec<T>, Wrong> {
    parse_list(&value.text).map_err(|e| Wrong::InFull(e.to_string()))
}

pub(super) fn service_url(text: &str) -> Result<String, Wrong> {
    let shown = format!("{text:?}");
    match Url::parse(text) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            because(format!("{shown} begins with neither https:// nor http://"))
        }
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            because(format!("{shown} names a user"))
        }
        Ok(url) if url.fragment().is_some() => because(format!("{shown} has a fragment")),
        Ok(_) => Ok(text.to_owned()),
        Err(why) => because(format!("{shown} is no address ({why})")),
    }
}

/// An origin as browsers write it: scheme, host and port, nothing after.
pub(super) fn origin(text: &str) -> Result<String, Wrong> {
    if text == "*" {
        return because("\"*\" would let the scripts of every web page call");
    }
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => {
            let origin = url.origin().ascii_serialization();
            // A default port written out or an upper-case letter is the same origin; a path is a misunderstanding.
            if matches!(url.path(), "" | "/")
                && url.query().is_none()
                && url.fragment().is_none()
                && url.username().is_empty()
            {
                Ok(origin)
            } else {
                because(format!("{text:?} says more than scheme, host and port"))
            }
        }
        _ => because(format!("{text:?} is no origin")),
    }
}

/// A `Host` header: a name or address, perhaps with a port.
pub(super) fn public_host(text: &str) -> Result<String, Wrong> {
    let refuse = || because(format!("{text:?} is no host"));
    if text.contains("//") || text.contains(['/', '@', '?', '#', '*', '\\']) {
        return refuse();
    }
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') && !port.is_empty() => (host, Some(port)),
        _ => (text, None),
    };
    let Ok(host) = Host::parse(host) else {
        return refuse();
    };
    match port.map(str::parse::<u16>) {
        None => Ok(host.to_string()),
        Some(Ok(port)) if port > 0 => Ok(format!("{host}:{port}")),
        Some(_) => because(format!("{text:?} has no port number after the colon")),
    }
}

pub(super) fn folder(value: &Value) -> Result<PathBuf, Wrong> {
    let path = value.base.join(&value.text);
    match fs::metadata(&path) {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => because("it is no folder"),
        Err(why) => because(format!("it cannot be read ({why})")),
    }
}

pub(super) fn pem_file(value: &Value) -> Result<Vec<u8>, Wrong> {
    const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";
    match fs::read(value.base.join(&value.text)) {
        Ok(pem) if pem.windows(BEGIN.len()).any(|window| window == BEGIN) => Ok(pem),
        Ok(_) => because("it holds no certificate"),
        Err(why) => because(format!("it cannot be read ({why})")),
    }
}
