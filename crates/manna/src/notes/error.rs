//! Why a notes file cannot be used, with the place to look at.

use std::fmt;
use std::ops::Range;

/// A notes file that cannot be used: `FILE:LINE:COLUMN: what is wrong`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotesError {
    /// The file's name as the reader was given it.
    pub file: String,
    /// Line and column, both from 1; absent when the file could not be read at all.
    pub place: Option<(usize, usize)>,
    /// What is wrong, in one line.
    pub message: String,
}

impl NotesError {
    pub(super) fn unreadable(file: &str, why: &std::io::Error) -> Self {
        Self {
            file: file.to_owned(),
            place: None,
            message: format!("cannot be read: {why}"),
        }
    }

    pub(super) fn at(
        file: &str,
        text: &str,
        span: Option<Range<usize>>,
        message: impl Into<String>,
    ) -> Self {
        let place = span.map(|span| place(text, span.start));
        // One complaint is one log line, whatever the parser had to say.
        let message = message.into().lines().collect::<Vec<_>>().join("; ");
        Self {
            file: file.to_owned(),
            place,
            message,
        }
    }

    pub(super) fn from_toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        Self::at(file, text, error.span(), error.message())
    }
}

impl fmt::Display for NotesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for NotesError {}

/// Line and column (from 1, in characters) of a byte offset.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}
