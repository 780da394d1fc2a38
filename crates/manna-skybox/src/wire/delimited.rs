//! CSV (RFC 4180) and TSV (IANA `text/tab-separated-values`), with a header line.

use super::votable::plain;
use crate::store::{Field, Value};

pub(super) fn csv_head(out: &mut Vec<u8>, fields: &[Field]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        csv_text(out, &field.name);
    }
    out.extend(b"\r\n");
}

/// A null is an empty cell, an empty text two quotes.
pub(super) fn csv_row(out: &mut Vec<u8>, values: &[Value<'_>]) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        match value {
            Value::Text(text) => csv_text(out, text),
            other => plain(out, other),
        }
    }
    out.extend(b"\r\n");
}

fn csv_text(out: &mut Vec<u8>, text: &str) {
    let quote = text.is_empty()
        || text.starts_with(' ')
        || text.ends_with(' ')
        || text.contains([',', '"', '\r', '\n']);
    if quote {
        out.push(b'"');
        out.extend(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    } else {
        out.extend(text.as_bytes());
    }
}

pub(super) fn tsv_head(out: &mut Vec<u8>, fields: &[Field]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        tsv_text(out, &field.name);
    }
    out.push(b'\n');
}

pub(super) fn tsv_row(out: &mut Vec<u8>, values: &[Value<'_>]) {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push(b'\t');
        }
        match value {
            Value::Text(text) => tsv_text(out, text),
            other => plain(out, other),
        }
    }
    out.push(b'\n');
}

/// The format has no quotes: what would end a cell becomes a space.
fn tsv_text(out: &mut Vec<u8>, text: &str) {
    out.extend(text.replace(['\t', '\r', '\n'], " ").as_bytes());
}
