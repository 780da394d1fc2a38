//! What was odd in a document and how it was read all the same: one entry per kind and column, with a count.

use std::collections::HashMap;

/// Distinct warnings kept; further kinds or columns are only counted as [`WarningKind::More`].
const MAX_WARNINGS: usize = 1_000;
/// Characters of the first offending text that are kept.
const MAX_EXAMPLE: usize = 60;

/// A deviation from the standard, or a loss of information, that did not stop the reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// What kind.
    pub kind: WarningKind,
    /// Which table of the document, from 0, if it concerns one.
    pub table: Option<usize>,
    /// Name of the column, if it concerns one.
    pub column: Option<String>,
    /// How often.
    pub count: u64,
    /// The first offending text, at most 60 characters: the document's words, not ours.
    pub example: Option<String>,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(column) = &self.column {
            write!(f, "column {column:?}: ")?;
        }
        f.write_str(self.kind.text())?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident => $text:literal,)*) => {
        /// The kinds of [`Warning`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum WarningKind { $(#[doc = $text] $name,)* }

        impl WarningKind {
            /// One line that says what was found and how it was read.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

kinds! {
    InvalidBytes => "bytes that are not valid in the document's encoding were replaced",
    UnknownEncoding => "the declared encoding is unknown or does not fit; read as UTF-8",
    BareMarkup => "an unescaped '&' or '<', or an entity that XML does not know, was read as text",
    BadCharacterReference => "a reference to a character that does not exist was replaced",
    StrayEndTag => "an end tag without a start was skipped",
    UnclosedElement => "an element without an end tag was closed",
    StrayText => "text between the rows was skipped",
    TrailingContent => "content after the end of the document was skipped",
    TextCut => "a text longer than the limit was cut",
    MissingDatatype => "the datatype is missing; read as text",
    UnknownDatatype => "the datatype is unknown; read as text",
    BadArraysize => "the arraysize cannot be read; taken as variable",
    BadNullValue => "the null value cannot be read as a value of the column",
    UnresolvedRef => "a reference to a table or values that were not seen before",
    MisplacedField => "a FIELD after the data was skipped",
    NoFields => "rows of a table without columns were skipped",
    ShortRow => "rows have fewer cells than columns; the rest is null",
    LongRow => "rows have more cells than columns; the rest was dropped",
    RowCountDiffers => "the declared number of rows is not the number found",
    BadNumber => "cells that are not a number were read as null",
    OutOfRange => "cells outside the range of the datatype were read as null",
    BadBoolean => "cells that are not a boolean were read as null",
    TooLong => "texts longer than declared were kept whole",
    WrongArrayLength => "arrays of another length than declared were kept as they are",
    NotUtf8 => "texts that are not UTF-8 were read as Latin-1",
    BadUtf16 => "characters that are not UTF-16 were replaced",
    CellEncoding => "cells in an encoding that cannot be read are null",
    SkippedBytes => "characters that are not base64 were skipped in a stream",
    UnsupportedStream => "the data are not in the document, or in a serialisation that is not read",
    UnknownStatus => "QUERY_STATUS is none of OK, ERROR, OVERFLOW",
    More => "further warnings were not kept",
}

/// Collects warnings; cheap when there are none.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
    index: HashMap<(WarningKind, Option<usize>, Option<usize>), usize>,
}

impl Warnings {
    pub(crate) fn list(&self) -> &[Warning] {
        &self.list
    }

    /// A warning about the document as a whole.
    pub(crate) fn document(&mut self, kind: WarningKind, example: &str) {
        self.add(kind, None, None, || None, example);
    }

    /// A warning about one table.
    pub(crate) fn table(&mut self, kind: WarningKind, table: usize, example: &str) {
        self.add(kind, Some(table), None, || None, example);
    }

    /// A warning about one column.
    pub(crate) fn column(&mut self, kind: WarningKind, at: At<'_>, example: &str) {
        let name = || Some(at.name.to_owned());
        self.add(kind, Some(at.table), Some(at.column), name, example);
    }

    fn add(
        &mut self,
        kind: WarningKind,
        table: Option<usize>,
        column: Option<usize>,
        name: impl FnOnce() -> Option<String>,
        example: &str,
    ) {
        let full = self.list.len() >= MAX_WARNINGS;
        let key = (kind, table, column);
        let known = self.index.get(&key).copied();
        let (key, known, name, example) = if full && known.is_none() {
            let key = (WarningKind::More, None, None);
            (key, self.index.get(&key).copied(), None, "")
        } else if known.is_some() {
            (key, known, None, "")
        } else {
            (key, None, name(), example)
        };
        if let Some(warning) = known.and_then(|at| self.list.get_mut(at)) {
            warning.count += 1;
            return;
        }
        self.index.insert(key, self.list.len());
        self.list.push(Warning {
            kind: key.0,
            table: key.1,
            column: name,
            count: 1,
            example: (!example.is_empty()).then(|| example.chars().take(MAX_EXAMPLE).collect()),
        });
    }
}

/// Where a cell is, for a warning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) table: usize,
    pub(crate) column: usize,
    pub(crate) name: &'a str,
}
