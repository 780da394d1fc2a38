//! The fast path of TABLEDATA: most rows are nothing but `<TR>`, `<TD>` and text, and need no tokenizer.

use crate::{error::Fault, limits::Limits, rows::Rows, warning::Warnings};

/// How far the fast path came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) bytes: usize,
    /// Whether a row is open there.
    pub(crate) in_row: bool,
    /// Whether a row was completed.
    pub(crate) complete: bool,
}

/// Reads cells up to the end of a row, as long as they have no attributes, references or comments and are there as a
/// whole. It stops before anything else, and the tokenizer takes that: both read the same things the same way.
pub(crate) fn row(
    text: &str,
    mut in_row: bool,
    rows: &mut Rows,
    limits: &Limits,
    warnings: &mut Warnings,
) -> Result<Passed, Fault> {
    let mut rest = text;
    let mut complete = false;
    while !complete {
        let next = rest.trim_ascii_start();
        if !in_row {
            let Some(tail) = next.strip_prefix("<TR>") else {
                break;
            };
            rows.start_row(limits);
            in_row = true;
            rest = tail;
        } else if let Some(tail) = next.strip_prefix("<TD>") {
            let Some((cell, tail)) = cell(tail) else {
                break;
            };
            rows.cell(cell, limits, warnings)?;
            rest = tail;
        } else if let Some(tail) = next.strip_prefix("<TD/>") {
            rows.cell("", limits, warnings)?;
            rest = tail;
        } else if let Some(tail) = next.strip_prefix("</TR>") {
            complete = rows.end_row(warnings);
            in_row = false;
            rest = tail;
        } else {
            break;
        }
    }
    Ok(Passed {
        bytes: text.len() - rest.len(),
        in_row,
        complete,
    })
}

/// The text up to `</TD>` and what follows that, if nothing needs the tokenizer.
fn cell(text: &str) -> Option<(&str, &str)> {
    let (cell, tail) = text.split_at(memchr::memchr(b'<', text.as_bytes())?);
    let tail = tail.strip_prefix("</TD>")?;
    memchr::memchr(b'&', cell.as_bytes())
        .is_none()
        .then_some((cell, tail))
}
