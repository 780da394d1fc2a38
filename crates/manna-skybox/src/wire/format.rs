//! What `RESPONSEFORMAT` may say (TAP 1.1 section 2.7.2, DALI 1.1 section 3.4.3).

/// How the rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Serialization {
    TableData,
    Binary,
    Binary2,
    Csv,
    Tsv,
}

impl Serialization {
    pub(crate) fn is_votable(self) -> bool {
        matches!(self, Self::TableData | Self::Binary | Self::Binary2)
    }
}

/// A format that a client can ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) serialization: Serialization,
    /// The media type of the answer.
    pub(crate) content_type: &'static str,
}

/// One entry a format: media type, other names, the identifier of TAPRegExt, serialisation.
type Offer = (
    &'static str,
    &'static [&'static str],
    Option<&'static str>,
    Serialization,
);

const VOTABLE: &str = "application/x-votable+xml";

/// The formats in the order that the capabilities list them; the first is the default.
pub(crate) const FORMATS: &[Offer] = &[
    (VOTABLE, &["votable"], None, Serialization::TableData),
    (
        "application/x-votable+xml;serialization=TABLEDATA",
        &["votable/td", "td"],
        Some("ivo://ivoa.net/std/TAPRegExt#output-votable-td"),
        Serialization::TableData,
    ),
    (
        "application/x-votable+xml;serialization=BINARY2",
        &["votable/b2", "binary2", "b2"],
        Some("ivo://ivoa.net/std/TAPRegExt#output-votable-binary2"),
        Serialization::Binary2,
    ),
    (
        "application/x-votable+xml;serialization=BINARY",
        &["votable/b", "binary", "b"],
        Some("ivo://ivoa.net/std/TAPRegExt#output-votable-binary"),
        Serialization::Binary,
    ),
    (
        "text/xml",
        &["application/xml"],
        None,
        Serialization::TableData,
    ),
    (
        "text/csv;header=present",
        &["csv", "text/csv"],
        None,
        Serialization::Csv,
    ),
    (
        "text/tab-separated-values",
        &["tsv"],
        None,
        Serialization::Tsv,
    ),
];

impl Format {
    /// The format a client asks for: a name or a media type, in any case, spaces ignored.
    pub(crate) fn asked(text: &str) -> Result<Self, String> {
        let asked: String = text
            .chars()
            .filter(|character| !character.is_whitespace() && *character != '"')
            .collect::<String>()
            .to_ascii_lowercase();
        FORMATS
            .iter()
            .find(|(media, names, _, _)| {
                media.eq_ignore_ascii_case(&asked) || names.contains(&asked.as_str())
            })
            .map(|(content_type, _, _, serialization)| Self {
                serialization: *serialization,
                content_type,
            })
            .ok_or_else(|| {
                let known: Vec<&str> = FORMATS.iter().map(|(media, ..)| *media).collect();
                format!(
                    "RESPONSEFORMAT {text:?} is not offered; there are: {}",
                    known.join(", ")
                )
            })
    }
}

impl Default for Format {
    fn default() -> Self {
        Self {
            serialization: Serialization::TableData,
            content_type: VOTABLE,
        }
    }
}
