//! The text of a TABLEDATA cell, or of a PARAM value, to a value (VOTable 1.5, sections 5.1 and 6).

use crate::{
    column::{self, Column},
    datatype::{Extent, Primitive},
    error::Fault,
    limits::LimitKind,
    number::{self, NotInt},
    value::Value,
    warning::{At, WarningKind, Warnings},
};

/// What reading one row's cells needs besides the cells.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) warnings: &'a mut Warnings,
    pub(crate) table: usize,
    /// Values the row may still have.
    pub(crate) values_left: &'a mut usize,
    pub(crate) values_allowed: usize,
}

impl Row<'_> {
    pub(crate) fn warn(&mut self, kind: WarningKind, index: usize, column: &Column, example: &str) {
        let at = At {
            table: self.table,
            column: index,
            name: &column.name,
        };
        self.warnings.column(kind, at, example);
    }

    /// Counts a value of an array.
    pub(crate) fn take(&mut self, values: usize) -> Result<(), Fault> {
        match self.values_left.checked_sub(values) {
            Some(left) => *self.values_left = left,
            None => return Err(Fault::limit(LimitKind::RowValues, self.values_allowed)),
        }
        Ok(())
    }
}

/// Reads `text` into `slot`, whose old allocations are used again.
pub(crate) fn parse(
    text: &str,
    index: usize,
    column: &Column,
    slot: &mut Value,
    row: &mut Row<'_>,
) -> Result<(), Fault> {
    if column.is_string {
        string(text, index, column, slot, row);
        return Ok(());
    }
    if column.primitive.is_text() {
        return strings(text, index, column, slot, row);
    }
    let trimmed = trim(text);
    if column.is_scalar {
        if trimmed.is_empty() {
            *slot = Value::Null;
        } else {
            *slot = element(trimmed, index, column, row);
        }
        return Ok(());
    }
    if trimmed.is_empty() || trimmed.eq_ignore_ascii_case("null") {
        *slot = Value::Null;
        return Ok(());
    }
    let values = slot.clear_array();
    match column.primitive {
        Primitive::Bit => bits(trimmed, index, column, values, row)?,
        Primitive::FloatComplex | Primitive::DoubleComplex => {
            let mut parts = split(trimmed);
            while let Some(real) = parts.next() {
                row.take(1)?;
                let imaginary = parts.next().unwrap_or_default();
                values.push(complex(real, imaginary, index, column, row));
            }
        }
        Primitive::Bool if is_run_of_booleans(trimmed) => {
            for at in 0..trimmed.len() {
                row.take(1)?;
                let letter = trimmed.get(at..=at).unwrap_or_default();
                values.push(boolean(letter, index, column, row));
            }
        }
        _ => {
            for part in split(trimmed) {
                row.take(1)?;
                values.push(element(part, index, column, row));
            }
        }
    }
    finish_array(index, column, slot, row);
    Ok(())
}

/// [`str::trim`], with a look at the ends first: most cells have no white space.
fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

/// Checks an array's length against what was declared and nests it.
pub(crate) fn finish_array(index: usize, column: &Column, slot: &mut Value, row: &mut Row<'_>) {
    let Value::Array(values) = slot else {
        return;
    };
    let length = values.len();
    let fits = match column.shape.last {
        Extent::Variable(_) => column.most.is_none_or(|most| length <= most),
        _ => column.most == Some(length),
    };
    let nested = column::nest(values, &column.shape.inner);
    if !(fits && nested) {
        row.warn(WarningKind::WrongArrayLength, index, column, "");
    }
}

fn string(text: &str, index: usize, column: &Column, slot: &mut Value, row: &mut Row<'_>) {
    let text = text.trim_end_matches('\0');
    if text.is_empty()
        || column
            .null
            .as_ref()
            .is_some_and(|null| is_null_text(null, text))
    {
        *slot = Value::Null;
        return;
    }
    // A scalar `char` with a longer text is read whole: version 1.0 tables leave `arraysize` out.
    if let Some(most) = column.most
        && text.len() > most
        && text.chars().count() > most
    {
        row.warn(WarningKind::TooLong, index, column, text);
    }
    slot.set_text(text);
}

fn is_null_text(null: &column::Null, text: &str) -> bool {
    matches!(&null.value, Some(Value::Text(null)) if null == text)
}

/// An array of strings of fixed length, without separators (VOTable 1.5, section 2.2).
fn strings(
    text: &str,
    index: usize,
    column: &Column,
    slot: &mut Value,
    row: &mut Row<'_>,
) -> Result<(), Fault> {
    if text.is_empty() {
        *slot = Value::Null;
        return Ok(());
    }
    let values = slot.clear_array();
    let length = column.shape.inner.first().copied().unwrap_or(0).max(1);
    let mut rest = text;
    while !rest.is_empty() {
        row.take(1)?;
        let end = rest
            .char_indices()
            .nth(length)
            .map_or(rest.len(), |(at, _)| at);
        let (one, tail) = rest.split_at(end);
        values.push(Value::Text(one.trim_end_matches(['\0', ' ']).to_owned()));
        rest = tail;
    }
    finish_strings(index, column, slot, row);
    Ok(())
}

/// Checks and nests an array of strings: its shape is the declared one without the first dimension.
pub(crate) fn finish_strings(index: usize, column: &Column, slot: &mut Value, row: &mut Row<'_>) {
    let Value::Array(values) = slot else {
        return;
    };
    let inner = column.shape.inner.get(1..).unwrap_or_default();
    let step = inner.iter().fold(1_usize, |p, d| p.saturating_mul(*d));
    let fits = match column.shape.last {
        Extent::Scalar => true,
        Extent::Fixed(size) => values.len() == step.saturating_mul(size),
        Extent::Variable(bound) => {
            bound.is_none_or(|most| values.len() <= step.saturating_mul(most))
        }
    };
    let nested = column::nest(values, inner);
    if !(fits && nested) {
        row.warn(WarningKind::WrongArrayLength, index, column, "");
    }
}

/// The elements of a numeric array. Commas are not allowed and not rare.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_ascii_whitespace() || c == ',')
        .filter(|part| !part.is_empty())
}

/// One value that is not text; `text` has no white space around it.
fn element(text: &str, index: usize, column: &Column, row: &mut Row<'_>) -> Value {
    let value = match column.primitive {
        Primitive::Int(kind) => match number::int(text, kind) {
            Ok(value) => Value::Long(value),
            Err(_) if is_null(text, column) => return Value::Null,
            Err(NotInt::Range) => return bad(WarningKind::OutOfRange, text, index, column, row),
            Err(NotInt::Bad) => return bad(WarningKind::BadNumber, text, index, column, row),
        },
        Primitive::Float => match number::float::<f32>(text) {
            Some(value) if value.is_nan() => return Value::Null,
            Some(value) => Value::Float(value),
            None if is_null(text, column) => return Value::Null,
            None => return bad(WarningKind::BadNumber, text, index, column, row),
        },
        Primitive::Double => match number::float::<f64>(text) {
            Some(value) if value.is_nan() => return Value::Null,
            Some(value) => Value::Double(value),
            None if is_null(text, column) => return Value::Null,
            None => return bad(WarningKind::BadNumber, text, index, column, row),
        },
        Primitive::FloatComplex | Primitive::DoubleComplex => {
            let mut parts = split(text);
            let (real, imaginary) = (
                parts.next().unwrap_or_default(),
                parts.next().unwrap_or_default(),
            );
            return complex(real, imaginary, index, column, row);
        }
        Primitive::Bool | Primitive::Bit => return boolean(text, index, column, row),
        Primitive::Char | Primitive::UnicodeChar => Value::Text(text.to_owned()),
    };
    if column.is_null(&value) {
        Value::Null
    } else {
        value
    }
}

/// A word for "no value", or the column's own null as written: it need not be a value of the type.
fn is_null(text: &str, column: &Column) -> bool {
    number::is_null_word(text) || column.null.as_ref().is_some_and(|null| null.text == text)
}

fn bad(kind: WarningKind, text: &str, index: usize, column: &Column, row: &mut Row<'_>) -> Value {
    row.warn(kind, index, column, text);
    Value::Null
}

fn complex(real: &str, imaginary: &str, index: usize, column: &Column, row: &mut Row<'_>) -> Value {
    let part = |text: &str| match column.primitive {
        Primitive::FloatComplex => number::float::<f32>(text).map(f64::from),
        _ => number::float::<f64>(text),
    };
    if imaginary.is_empty() && is_null(real, column) {
        return Value::Null;
    }
    match (part(real), part(imaginary)) {
        (Some(real), Some(imaginary)) if real.is_nan() && imaginary.is_nan() => Value::Null,
        (Some(real), Some(imaginary)) => Value::Complex(real, imaginary),
        _ => bad(WarningKind::BadNumber, real, index, column, row),
    }
}

fn boolean(text: &str, index: usize, column: &Column, row: &mut Row<'_>) -> Value {
    match text {
        "T" | "t" | "1" => Value::Bool(true),
        "F" | "f" | "0" => Value::Bool(false),
        "?" | "" | "\0" => Value::Null,
        _ if text.eq_ignore_ascii_case("true") => Value::Bool(true),
        _ if text.eq_ignore_ascii_case("false") => Value::Bool(false),
        _ if is_null(text, column) => Value::Null,
        _ => bad(WarningKind::BadBoolean, text, index, column, row),
    }
}

/// `TTF?`: booleans written without separators, as bits are.
fn is_run_of_booleans(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|b| b"TtFf01?".contains(&b))
}

/// Zeros and ones, with separators or without.
fn bits(
    text: &str,
    index: usize,
    column: &Column,
    values: &mut Vec<Value>,
    row: &mut Row<'_>,
) -> Result<(), Fault> {
    for part in split(text) {
        if part.bytes().all(|b| matches!(b, b'0' | b'1')) {
            row.take(part.len())?;
            values.extend(part.bytes().map(|b| Value::Bool(b == b'1')));
        } else {
            row.take(1)?;
            values.push(boolean(part, index, column, row));
        }
    }
    Ok(())
}
