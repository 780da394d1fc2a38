//! Why a document could not be read to its end. The rows delivered before stay valid.

use crate::limits::LimitKind;

/// What is wrong with a document, by what a caller can do about it. The messages are our own sentences: text of the
/// document is in the fields alone, to be cleaned before it is shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another kind of document: an error page, JSON, plain text, nothing at all. Read what it says instead.
    #[error("the document is not a VOTable")]
    NotVotable(Box<Foreign>),
    /// The document ends too early. What was read is good and not all there is: ask again or for less.
    #[error("the VOTable is cut off after {rows} rows ({inside} is not complete)")]
    Truncated {
        /// Rows delivered, over all tables.
        rows: u64,
        /// What was open when the bytes ended.
        inside: &'static str,
        /// Text found between the rows where only rows belong, at most 300 characters: often the server's complaint.
        stray: Option<String>,
    },
    /// A second document starts inside the first, or after it: the server failed half-way and appended its error.
    #[error("another document starts inside the VOTable, after {rows} rows")]
    Appended {
        /// Rows delivered, over all tables.
        rows: u64,
        /// The text of the appended document's error, at most [`QueryStatus::MAX_TEXT`](crate::QueryStatus::MAX_TEXT)
        /// bytes.
        message: Option<String>,
    },
    /// The document needs more than the caller allowed.
    #[error("the VOTable has more than {allowed} {kind}")]
    Limit {
        /// Which limit.
        kind: LimitKind,
        /// Its value.
        allowed: u64,
        /// Rows delivered, over all tables.
        rows: u64,
    },
    /// The document breaks the rules in a way that leaves the rest unreadable.
    #[error("the VOTable is malformed at line {line} (byte {offset}): {what}")]
    Malformed {
        /// What was found.
        what: &'static str,
        /// Line of the tag where it was found, or of the element it is in; from 1.
        line: u64,
        /// Offset in bytes of the document as UTF-8 with line ends of one byte.
        offset: u64,
        /// Rows delivered, over all tables.
        rows: u64,
    },
    /// A `DOCTYPE` with an internal subset: entity declarations, which no archive needs and attacks are made of.
    #[error("the document declares entities of its own, which is refused")]
    InternalSubset,
}

impl Error {
    /// Rows delivered before the error, over all tables.
    #[must_use]
    pub fn rows(&self) -> u64 {
        match self {
            Self::NotVotable(_) | Self::InternalSubset => 0,
            Self::Truncated { rows, .. }
            | Self::Appended { rows, .. }
            | Self::Limit { rows, .. }
            | Self::Malformed { rows, .. } => *rows,
        }
    }
}

/// A document that is no VOTable, as a person would see it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Foreign {
    /// Name of the root element, if it is XML or HTML.
    pub root: Option<String>,
    /// The HTML title.
    pub title: Option<String>,
    /// The first 300 characters of visible text, white space collapsed. Empty for an empty document.
    pub text: String,
}

/// A fault inside the reader, before it is known where and after how many rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    Limit(LimitKind, u64),
    Malformed(&'static str),
    Truncated(&'static str),
    InternalSubset,
}

impl Fault {
    pub(crate) fn limit(kind: LimitKind, allowed: usize) -> Self {
        Self::Limit(kind, u64::try_from(allowed).unwrap_or(u64::MAX))
    }
}
