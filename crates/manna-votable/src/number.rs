//! Numbers as archives write them.

use std::str::FromStr;

use crate::datatype::IntType;

/// Why a text is no integer of the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotInt {
    /// No whole number at all.
    Bad,
    /// A whole number, but not one of the type.
    Range,
}

/// Whether a numeric cell says "no value" in words.
pub(crate) fn is_null_word(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("null") || text.eq_ignore_ascii_case("nan")
}

/// An integer without white space around it: decimal, hexadecimal (the bit pattern, so that `0xffff` is a `short` of
/// -1: VOTable 1.5, section 6), or a decimal number that is whole (`42.0`, `1.`, `1e3`).
pub(crate) fn int(text: &str, kind: IntType) -> Result<i64, NotInt> {
    if let Ok(value) = text.parse::<i64>() {
        return if kind.contains(value) {
            Ok(value)
        } else {
            Err(NotInt::Range)
        };
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(hex) = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        return hexadecimal(hex, negative, kind);
    }
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NotInt::Range);
    }
    if let Some((whole, fraction)) = text.split_once('.')
        && fraction.bytes().all(|b| b == b'0')
        && digits.as_bytes().first().is_some_and(u8::is_ascii_digit)
    {
        return int(whole, kind);
    }
    match float::<f64>(text) {
        // Up to 2^53 every whole number is exact; beyond, digits would be made up.
        Some(value) if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 => {
            #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
            let value = value as i64;
            if kind.contains(value) {
                Ok(value)
            } else {
                Err(NotInt::Range)
            }
        }
        Some(value) if value.fract() == 0.0 => Err(NotInt::Range),
        _ => Err(NotInt::Bad),
    }
}

fn hexadecimal(hex: &str, negative: bool, kind: IntType) -> Result<i64, NotInt> {
    if hex.is_empty() || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(NotInt::Bad);
    }
    let bits = u64::from_str_radix(hex, 16).map_err(|_| NotInt::Range)?;
    if negative {
        let value = i64::try_from(bits).map_err(|_| NotInt::Range)?;
        return if kind.contains(-value) {
            Ok(-value)
        } else {
            Err(NotInt::Range)
        };
    }
    let width = kind.bytes() * 8;
    if width < 64 && bits >> width != 0 {
        return Err(NotInt::Range);
    }
    kind.of_bits(bits).ok_or(NotInt::Range)
}

/// A floating point number without white space around it; also with Fortran's `D` exponent. May be NaN.
pub(crate) fn float<T: FromStr>(text: &str) -> Option<T> {
    if let Ok(value) = text.parse() {
        return Some(value);
    }
    if !text.contains(['d', 'D']) || text.len() > 400 {
        return None;
    }
    text.replace(['d', 'D'], "e").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_as_archives_write_them() {
        use IntType::{I16, I32, I64, U8};
        use NotInt::{Bad, Range};
        let cases = [
            ("42", I32, Ok(42)),
            ("+42", I32, Ok(42)),
            ("-0", I32, Ok(0)),
            ("0x2A", I32, Ok(42)),
            ("0xffff", I16, Ok(-1)),
            ("0x10000", I16, Err(Range)),
            ("-0x10", I16, Ok(-16)),
            ("0xff", U8, Ok(255)),
            ("0x100", U8, Err(Range)),
            ("0x", U8, Err(Bad)),
            ("0xffffffffffffffff", I64, Ok(-1)),
            ("1.", I32, Ok(1)),
            ("42.0", I32, Ok(42)),
            ("1e3", I32, Ok(1000)),
            ("1.5", I32, Err(Bad)),
            (".0", I32, Ok(0)),
            (".", I32, Err(Bad)),
            ("-", I32, Err(Bad)),
            ("", I32, Err(Bad)),
            ("1,000", I32, Err(Bad)),
            ("-1", U8, Err(Range)),
            ("256", U8, Err(Range)),
            ("9007199254740993", I64, Ok(9_007_199_254_740_993)),
            ("9007199254740993.0", I64, Ok(9_007_199_254_740_993)),
            ("-9223372036854775808", I64, Ok(i64::MIN)),
            ("18446744073709551615", I64, Err(Range)),
            ("1.2345e30", I64, Err(Range)),
        ];
        for (text, kind, expected) in cases {
            assert_eq!(int(text, kind), expected, "{text} as {kind:?}");
        }
    }

    #[test]
    fn floats_as_archives_write_them() {
        let cases = [
            ("1.5", Some(1.5)),
            ("+1.5", Some(1.5)),
            ("1.5D3", Some(1500.0)),
            ("1.5d-3", Some(0.0015)),
            ("1.", Some(1.0)),
            (".5", Some(0.5)),
            ("Inf", Some(f64::INFINITY)),
            ("+Inf", Some(f64::INFINITY)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1e999", Some(f64::INFINITY)),
            ("12:30:00", None),
            ("D", None),
            ("1 2", None),
        ];
        for (text, expected) in cases {
            assert_eq!(float::<f64>(text), expected, "{text}");
        }
        assert!(float::<f64>("NaN").is_some_and(f64::is_nan));
        assert!(float::<f32>("nan").is_some_and(f32::is_nan));
    }
}
