//! The bytes of BINARY and BINARY2 rows (VOTable 1.4 sections 5.3, 5.4 and 6): big-endian, variable
//! arrays with their length in front.

use crate::{
    sky::Datatype,
    store::{Field, Value},
};

/// One bit a column, the first the highest; set where the value is null.
pub(super) fn null_mask(out: &mut Vec<u8>, values: &[Value<'_>]) {
    for eight in values.chunks(8) {
        let byte = eight
            .iter()
            .zip((0..8).rev())
            .filter(|(value, _)| **value == Value::Null)
            .fold(0_u8, |byte, (_, bit)| byte | 1 << bit);
        out.push(byte);
    }
}

/// The integer that stands for null in BINARY, which has no mask: the smallest.
pub(super) fn null_integer(datatype: Datatype) -> Option<i64> {
    match datatype {
        Datatype::Short => Some(i16::MIN.into()),
        Datatype::Int => Some(i32::MIN.into()),
        Datatype::Long => Some(i64::MIN),
        _ => None,
    }
}

/// One value. A null takes the bytes of its type's null value in both serialisations.
pub(super) fn cell(out: &mut Vec<u8>, field: &Field, value: &Value<'_>) {
    match value {
        Value::Null => null(out, field),
        Value::Boolean(value) => out.push(if *value { b'T' } else { b'F' }),
        Value::Short(value) => out.extend(value.to_be_bytes()),
        Value::Int(value) => out.extend(value.to_be_bytes()),
        Value::Long(value) => out.extend(value.to_be_bytes()),
        Value::Float(value) => out.extend(value.to_be_bytes()),
        Value::Double(value) => out.extend(value.to_be_bytes()),
        Value::Text(text) if field.datatype == Datatype::UnicodeChar => {
            // UCS-2 has no surrogates: a character beyond the basic plane cannot be written.
            let units: Vec<u16> = text
                .chars()
                .map(|character| u16::try_from(u32::from(character)).unwrap_or(0xfffd))
                .collect();
            length(out, units.len());
            out.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
        }
        Value::Text(text) => {
            length(out, text.len());
            out.extend(text.as_bytes());
        }
        Value::Doubles(values) => {
            if field.arraysize == Some("*") {
                length(out, values.len());
            }
            out.extend(values.iter().flat_map(|value| value.to_be_bytes()));
        }
    }
}

fn null(out: &mut Vec<u8>, field: &Field) {
    match (field.datatype, field.arraysize) {
        (_, Some("*")) => length(out, 0),
        (Datatype::Boolean, _) => out.push(b'?'),
        (Datatype::Short, _) => out.extend(i16::MIN.to_be_bytes()),
        (Datatype::Int, _) => out.extend(i32::MIN.to_be_bytes()),
        (Datatype::Long, _) => out.extend(i64::MIN.to_be_bytes()),
        (Datatype::Float, _) => out.extend(f32::NAN.to_be_bytes()),
        (Datatype::Double, size) => {
            let count = size.and_then(|size| size.parse().ok()).unwrap_or(1);
            for _ in 0..count {
                out.extend(f64::NAN.to_be_bytes());
            }
        }
        // All text here is of variable length.
        (Datatype::Char | Datatype::UnicodeChar, _) => {}
    }
}

fn length(out: &mut Vec<u8>, length: usize) {
    let length = u32::try_from(length).expect("SQLite's limit keeps a cell under 1 MiB");
    out.extend(length.to_be_bytes());
}
