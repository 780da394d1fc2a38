//! What is in a document, without its rows.

use std::sync::Arc;

use crate::{Error, Limits, QueryStatus, Reader, Table, Warning};

/// One table of a [`Summary`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSummary {
    /// Its header.
    pub table: Arc<Table>,
    /// Rows read.
    pub rows: u64,
    /// Whether its end was seen.
    pub complete: bool,
}

/// The tables of a document, what it says about itself, and what was odd in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The tables in document order.
    pub tables: Vec<TableSummary>,
    /// The worst status that was said anywhere; `None` if nothing was.
    pub status: Option<QueryStatus>,
    /// One entry a kind and column.
    pub warnings: Vec<Warning>,
}

/// Reads a whole document for its summary. What was read before an error is in the summary all the same.
pub fn summarize(document: &[u8], limits: Limits) -> (Summary, Result<(), Error>) {
    let mut reader = Reader::new(limits);
    let mut result = Ok(());
    // In pieces, so that the text is not in memory a second time.
    for piece in document.chunks(64 << 10) {
        reader.feed(piece);
        result = reader.skip();
        if result.is_err() {
            break;
        }
    }
    reader.finish();
    if result.is_ok() {
        result = reader.skip();
    }
    (reader.summary(), result)
}
