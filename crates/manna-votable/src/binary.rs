//! The bytes of BINARY and BINARY2 cells to values (VOTable 1.5, sections 5.3, 5.4 and 6).

use crate::{
    cell::{self, Row},
    column::Column,
    datatype::Primitive,
    decode,
    error::Fault,
    limits::{LimitKind, Limits},
    value::Value,
    warning::WarningKind,
};

/// How many bytes a cell takes, as far as the bytes that are there tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// At least this many bytes are needed to know, or to read.
    Need(usize),
    /// `items` elements after a prefix of `prefix` bytes, `bytes` in all.
    Known {
        prefix: usize,
        items: usize,
        bytes: usize,
    },
}

/// Looks how long the cell at the start of `bytes` is. A length prefix is compared with the limits before anything
/// is believed.
pub(crate) fn length(bytes: &[u8], column: &Column, limits: &Limits) -> Result<Length, Fault> {
    let too_long = || Fault::limit(LimitKind::CellBytes, limits.cell_bytes);
    if let Some((items, size)) = column.fixed {
        if size > limits.cell_bytes {
            return Err(too_long());
        }
        return Ok(known(bytes, 0, items, size));
    }
    let Some(count) = bytes.first_chunk::<4>() else {
        return Ok(Length::Need(4));
    };
    let count = u32::from_be_bytes(*count);
    if i32::try_from(count).is_err() {
        return Err(Fault::Malformed("a negative length in a binary stream"));
    }
    let items = usize::try_from(count).map_err(|_| too_long())?;
    let size = column
        .primitive
        .bytes(items)
        .filter(|n| *n <= limits.cell_bytes);
    Ok(known(bytes, 4, items, size.ok_or_else(too_long)?))
}

fn known(bytes: &[u8], prefix: usize, items: usize, size: usize) -> Length {
    if bytes.len() < prefix + size {
        Length::Need(prefix + size)
    } else {
        Length::Known {
            prefix,
            items,
            bytes: prefix + size,
        }
    }
}

/// Reads a cell of `items` elements. `exact_empty` is BINARY2, where an empty cell is not a null one.
pub(crate) fn parse(
    bytes: &[u8],
    items: usize,
    exact_empty: bool,
    index: usize,
    column: &Column,
    slot: &mut Value,
    row: &mut Row<'_>,
) -> Result<(), Fault> {
    if column.primitive.is_text() {
        return text(bytes, exact_empty, index, column, slot, row);
    }
    if column.is_scalar {
        *slot = element(bytes, index, column, row);
        return Ok(());
    }
    if items == 0 && !exact_empty {
        *slot = Value::Null;
        return Ok(());
    }
    row.take(items)?;
    let values = slot.clear_array();
    // The bytes are here, so the room is in proportion to what was sent.
    values.reserve(items);
    if column.primitive == Primitive::Bit {
        let bits = bytes
            .iter()
            .flat_map(|byte| (0..8).map(move |bit| byte & (0x80 >> bit) != 0));
        values.extend(bits.take(items).map(Value::Bool));
    } else if let Some(width) = column.primitive.bytes(1) {
        values.extend(
            bytes
                .chunks_exact(width)
                .map(|bytes| element(bytes, index, column, row)),
        );
    }
    cell::finish_array(index, column, slot, row);
    Ok(())
}

fn text(
    bytes: &[u8],
    exact_empty: bool,
    index: usize,
    column: &Column,
    slot: &mut Value,
    row: &mut Row<'_>,
) -> Result<(), Fault> {
    if column.is_string {
        string(bytes, index, column, slot, row);
        match slot {
            Value::Text(text) if text.is_empty() && !exact_empty => *slot = Value::Null,
            Value::Text(text) => {
                let most = column.most;
                if most.is_some_and(|most| text.len() > most && text.chars().count() > most) {
                    row.warn(WarningKind::TooLong, index, column, "");
                }
                if column.is_null(slot) {
                    *slot = Value::Null;
                }
            }
            _ => {}
        }
        return Ok(());
    }
    if bytes.is_empty() && !exact_empty {
        *slot = Value::Null;
        return Ok(());
    }
    let length = column.shape.inner.first().copied().unwrap_or(0).max(1);
    let width = column.primitive.bytes(length).unwrap_or(usize::MAX).max(1);
    let values = slot.clear_array();
    for bytes in bytes.chunks(width) {
        row.take(1)?;
        let mut one = Value::Null;
        string(bytes, index, column, &mut one, row);
        if let Value::Text(text) = &mut one {
            text.truncate(text.trim_end_matches(' ').len());
        }
        values.push(one);
    }
    cell::finish_strings(index, column, slot, row);
    Ok(())
}

/// One string, up to its first NUL.
fn string(bytes: &[u8], index: usize, column: &Column, slot: &mut Value, row: &mut Row<'_>) {
    if column.primitive == Primitive::UnicodeChar {
        let (units, _) = bytes.as_chunks::<2>();
        let units = units
            .iter()
            .map(|unit| u16::from_be_bytes(*unit))
            .take_while(|unit| *unit != 0);
        let mut bad = false;
        slot.set_text("");
        if let Value::Text(text) = slot {
            text.extend(char::decode_utf16(units).map(|c| {
                c.unwrap_or_else(|_| {
                    bad = true;
                    char::REPLACEMENT_CHARACTER
                })
            }));
        }
        if bad {
            row.warn(WarningKind::BadUtf16, index, column, "");
        }
        return;
    }
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    let bytes = bytes.get(..end).unwrap_or_default();
    match std::str::from_utf8(bytes) {
        Ok(text) => slot.set_text(text),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let text = match std::str::from_utf8(valid) {
                // UTF-8 cut in the middle of a character by a length counted in bytes.
                Ok(valid) if error.error_len().is_none() && !valid.is_ascii() => valid.to_owned(),
                _ => decode::latin1(bytes),
            };
            row.warn(WarningKind::NotUtf8, index, column, &text);
            *slot = Value::Text(text);
        }
    }
}

/// One element that is not text; a wrong number of bytes is null (a TD with an encoding may have it).
fn element(bytes: &[u8], index: usize, column: &Column, row: &mut Row<'_>) -> Value {
    let value = match column.primitive {
        Primitive::Bool => match bytes.first() {
            Some(b'T' | b't' | b'1') => Value::Bool(true),
            Some(b'F' | b'f' | b'0') => Value::Bool(false),
            Some(0 | b' ' | b'?') | None => Value::Null,
            Some(_) => {
                row.warn(WarningKind::BadBoolean, index, column, "");
                Value::Null
            }
        },
        Primitive::Bit => bytes
            .first()
            .map_or(Value::Null, |byte| Value::Bool(byte & 0x80 != 0)),
        Primitive::Int(kind) => match kind.of_bits(bits_of(bytes)) {
            Some(value) => Value::Long(value),
            None => {
                row.warn(WarningKind::OutOfRange, index, column, "");
                Value::Null
            }
        },
        Primitive::Float => f32_at(bytes, 0).map_or(Value::Null, Value::Float),
        Primitive::Double => f64_at(bytes, 0).map_or(Value::Null, Value::Double),
        Primitive::FloatComplex => match (f32_at(bytes, 0), f32_at(bytes, 4)) {
            (None, None) => Value::Null,
            (real, imaginary) => Value::Complex(
                real.map_or(f64::NAN, f64::from),
                imaginary.map_or(f64::NAN, f64::from),
            ),
        },
        Primitive::DoubleComplex => match (f64_at(bytes, 0), f64_at(bytes, 8)) {
            (None, None) => Value::Null,
            (real, imaginary) => {
                Value::Complex(real.unwrap_or(f64::NAN), imaginary.unwrap_or(f64::NAN))
            }
        },
        Primitive::Char | Primitive::UnicodeChar => Value::Null,
    };
    if column.is_null(&value) {
        Value::Null
    } else {
        value
    }
}

/// A float; `None` for NaN.
fn f32_at(bytes: &[u8], at: usize) -> Option<f32> {
    let value = f32::from_be_bytes(*bytes.get(at..)?.first_chunk()?);
    (!value.is_nan()).then_some(value)
}

fn f64_at(bytes: &[u8], at: usize) -> Option<f64> {
    let value = f64::from_be_bytes(*bytes.get(at..)?.first_chunk()?);
    (!value.is_nan()).then_some(value)
}

/// An integer's bit pattern, of any width.
fn bits_of(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_be_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_be_bytes([a, b, c, d])),
        _ => bytes
            .first_chunk()
            .map_or(0, |bytes| u64::from_be_bytes(*bytes)),
    }
}
