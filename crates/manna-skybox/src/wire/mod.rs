//! How results are written: VOTable 1.4 (TABLEDATA, BINARY, BINARY2), CSV and TSV, row by row.

mod base64;
mod binary;
mod delimited;
mod format;
mod votable;
pub(crate) mod xml;

pub(crate) use format::{FORMATS, Format, Serialization};
pub(crate) use votable::error_document;

use crate::store::{Field, Rows, Value};
use base64::Base64;

/// Writes one result. What has been written so far is there to [`take`](Self::take).
#[derive(Debug)]
pub(crate) struct Writer {
    serialization: Serialization,
    fields: Vec<Field>,
    out: Vec<u8>,
    base64: Base64,
}

impl Writer {
    /// Begins a result; `query` goes into its header.
    pub(crate) fn new(serialization: Serialization, fields: Vec<Field>, query: &str) -> Self {
        let mut out = Vec::new();
        match serialization {
            Serialization::TableData | Serialization::Binary | Serialization::Binary2 => {
                votable::head(&mut out, serialization, &fields, query);
            }
            Serialization::Csv => delimited::csv_head(&mut out, &fields),
            Serialization::Tsv => delimited::tsv_head(&mut out, &fields),
        }
        Self {
            serialization,
            fields,
            out,
            base64: Base64::default(),
        }
    }

    /// Adds a row: one value a field, each of its field's datatype.
    pub(crate) fn row(&mut self, values: &[Value<'_>]) {
        match self.serialization {
            Serialization::TableData => votable::row(&mut self.out, values),
            Serialization::Binary | Serialization::Binary2 => {
                let mut bytes = Vec::new();
                if self.serialization == Serialization::Binary2 {
                    binary::null_mask(&mut bytes, values);
                }
                for (field, value) in self.fields.iter().zip(values) {
                    binary::cell(&mut bytes, field, value);
                }
                self.base64.encode(&bytes, &mut self.out);
            }
            Serialization::Csv => delimited::csv_row(&mut self.out, values),
            Serialization::Tsv => delimited::tsv_row(&mut self.out, values),
        }
    }

    /// Ends a result. A cut one says so where the format can (VOTable: an INFO after the table,
    /// DALI 1.1 section 4.4.1).
    pub(crate) fn finish(&mut self, rows: Rows) {
        let info = (rows == Rows::Cut).then_some(("OVERFLOW", ""));
        self.close(info);
    }

    /// Ends a result with the reason why its other rows are missing. `false` when the format has
    /// no way to say so.
    #[must_use]
    pub(crate) fn fail(&mut self, message: &str) -> bool {
        let says = self.serialization.is_votable();
        if says {
            self.close(Some(("ERROR", message)));
        }
        says
    }

    fn close(&mut self, info: Option<(&str, &str)>) {
        if self.serialization.is_votable() {
            self.base64.finish(&mut self.out);
            votable::tail(&mut self.out, self.serialization, info);
        }
    }

    /// Bytes written and not yet taken.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// What has been written since the last time.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

#[cfg(test)]
mod tests;
