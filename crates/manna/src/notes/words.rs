//! The small words of a notes file, each checked as it is read so that the reader can name the line.

use std::borrow::Cow;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use url::Url;

/// One line of text: not blank, trimmed, no control characters, at most `MAX` characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Text<const MAX: usize>(String);

impl<const MAX: usize> TryFrom<String> for Text<MAX> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let length = text.chars().count();
        if text.trim().is_empty() {
            return Err("this text is empty: leave the key out or say something".to_owned());
        }
        if text.trim() != text {
            return Err("this text begins or ends with white space".to_owned());
        }
        if let Some(found) = text.chars().find(|c| c.is_control()) {
            return Err(format!(
                "this text holds the control character {found:?}: write it as one line"
            ));
        }
        if length > MAX {
            return Err(format!(
                "this text has {length} characters; at most {MAX} are allowed"
            ));
        }
        Ok(Self(text))
    }
}

impl<const MAX: usize> JsonSchema for Text<MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Text{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": MAX })
    }
}

/// The name an archive goes by in tool arguments: 2 to 32 of `a-z`, `0-9` and `_`, a letter first.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^[a-z][a-z0-9_]{1,31}$"))]
pub struct ShortName(String);

impl TryFrom<String> for ShortName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let fits = (2..=32).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if fits {
            Ok(Self(name))
        } else {
            Err(format!(
                "`{name}` is no short name: 2 to 32 of a-z, 0-9 and _, a letter first"
            ))
        }
    }
}

/// The name of a note, unique within its archive: up to 60 of `a-z`, `0-9` and `-`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("pattern" = "^[a-z0-9-]{1,60}$"))]
pub struct NoteId(String);

impl TryFrom<String> for NoteId {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        let fits = (1..=60).contains(&id.len())
            && id
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if fits {
            Ok(Self(id))
        } else {
            Err(format!("`{id}` is no note id: up to 60 of a-z, 0-9 and -"))
        }
    }
}

/// A host an archive answers for: itself and every name below it, or one IP address.
///
/// Names are lower case with two labels or more, and never a suffix that belongs to nobody (`ac.uk`): the
/// archive's label would otherwise be put on somebody else's answers (`security.md` section 3).
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Host(String);

impl TryFrom<String> for Host {
    type Error = String;

    fn try_from(host: String) -> Result<Self, String> {
        if is_ip_literal(&host) {
            return Ok(Self(host));
        }
        let labels: Vec<&str> = host.split('.').collect();
        let well_formed = host.len() <= 253
            && labels.len() >= 2
            && labels.iter().all(|label| is_label(label))
            && !labels
                .last()
                .is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
        if !well_formed {
            return Err(format!(
                "`{host}` is no host: write it in lower case, without scheme, port or final dot, such as `archive.example.org`"
            ));
        }
        if super::label::is_shared_suffix(&host) {
            return Err(format!(
                "`{host}` is shared by many owners: name the archive's own host"
            ));
        }
        Ok(Self(host))
    }
}

impl Host {
    /// Whether `host` (lower case) is this one or, for a name, lies below it at a label boundary.
    #[must_use]
    pub fn covers(&self, host: &str) -> bool {
        if is_ip_literal(&self.0) {
            return trim_brackets(host) == trim_brackets(&self.0);
        }
        host.strip_suffix(self.0.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}

/// Whether a URL's host is an address: canonical dotted IPv4, or IPv6 with or without brackets.
pub(super) fn is_ip_literal(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok() || trim_brackets(host).parse::<Ipv6Addr>().is_ok()
}

fn trim_brackets(host: &str) -> &str {
    host.strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(host)
}

/// Where a service of an archive lives, kept as it was written.
///
/// The guard of `manna_vo::http` still has the last word before anything is fetched; here only the shape is
/// checked: `http` or `https`, a host, no user, no fragment, printable ASCII, at most 2,048 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("format" = "uri", "pattern" = "^https?://"))]
pub struct EndpointUrl {
    text: String,
    host: String,
}

impl TryFrom<String> for EndpointUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = |why: &str| format!("`{text}` is no service address: {why}");
        if text.len() > 2048 || !text.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(wrong("printable ASCII without spaces, at most 2,048 bytes"));
        }
        let url = Url::parse(&text).map_err(|e| wrong(&e.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("it must begin with https:// or http://"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(wrong("no user, password or fragment"));
        }
        let Some(host) = url.host_str() else {
            return Err(wrong("it names no host"));
        };
        let host = host.to_owned();
        Ok(Self { text, host })
    }
}

impl EndpointUrl {
    /// The host in lower case; an IPv6 address keeps its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The address as the file has it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// A day, `YYYY-MM-DD`. Ordered as days are.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("format" = "date"))]
pub struct Date(String);

impl TryFrom<String> for Date {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if is_day(&text) {
            Ok(Self(text))
        } else {
            Err(format!("`{text}` is no day: write YYYY-MM-DD"))
        }
    }
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let &[year, month, day] = parts.as_slice() else {
        return false;
    };
    let number = |part: &str, digits: usize| {
        let fits = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

macro_rules! read_as_str {
    ($($type:ty),+) => {$(
        impl Deref for $type {
            type Target = str;
            fn deref(&self) -> &str { &self.0 }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.0) }
        }
        impl From<$type> for String {
            fn from(word: $type) -> Self { word.0 }
        }
    )+};
}
read_as_str!(ShortName, NoteId, Host, Date);

impl<const MAX: usize> Deref for Text<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for Text<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<const MAX: usize> From<Text<MAX>> for String {
    fn from(text: Text<MAX>) -> Self {
        text.0
    }
}

impl From<EndpointUrl> for String {
    fn from(url: EndpointUrl) -> Self {
        url.text
    }
}

impl fmt::Display for EndpointUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
