//! One VOTable cell as JSON. NULL, NaN and infinities are `null`, arrays are lists, complex numbers are pairs.

use manna_votable::Value as Cell;
use serde_json::{Number, Value};

use super::text;

/// The largest integer that a JavaScript client keeps exact: 2^53 - 1.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// What became of a cell beside its value.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Notes {
    /// Characters taken out of texts.
    pub removed: usize,
    /// Texts that were cut at their bound.
    pub cut: usize,
}

/// The JSON of one cell. With `integers_as_text` every integer is a decimal string.
pub fn cell(cell: &Cell, integers_as_text: bool, notes: &mut Notes) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Bool(flag) => (*flag).into(),
        Cell::Long(whole) if integers_as_text => whole.to_string().into(),
        Cell::Long(whole) => (*whole).into(),
        Cell::Float(narrow) => float(*narrow),
        Cell::Double(wide) => double(*wide),
        Cell::Complex(re, im) => Value::Array(vec![double(*re), double(*im)]),
        Cell::Text(raw) => {
            let clean = text::clean(raw, text::CELL_CHARS);
            notes.removed += clean.removed;
            notes.cut += usize::from(clean.cut);
            clean.text.into()
        }
        Cell::Array(items) => items
            .iter()
            .map(|item| self::cell(item, integers_as_text, notes))
            .collect(),
    }
}

/// Whether the cell holds an integer that a JavaScript client would round.
pub(super) fn has_wide_integer(cell: &Cell) -> bool {
    match cell {
        Cell::Long(whole) => whole.unsigned_abs() > MAX_SAFE_INTEGER,
        Cell::Array(items) => items.iter().any(has_wide_integer),
        _ => false,
    }
}

/// Single precision in its own shortest digits: 0.1f32 is 0.1, not 0.10000000149011612.
fn float(narrow: f32) -> Value {
    narrow.to_string().parse().map_or(Value::Null, double)
}

fn double(wide: f64) -> Value {
    Number::from_f64(wide).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cells_become_json() {
        let cases = [
            (Cell::Null, json!(null)),
            (Cell::Bool(true), json!(true)),
            (Cell::Long(-5), json!(-5)),
            (Cell::Float(0.1), json!(0.1)),
            (Cell::Float(f32::MAX), json!(3.4028235e38)),
            (Cell::Float(f32::NAN), json!(null)),
            (Cell::Double(187.70593077), json!(187.70593077)),
            (Cell::Double(f64::INFINITY), json!(null)),
            (Cell::Complex(1.0, f64::NAN), json!([1.0, null])),
            (Cell::Text("a\u{202e}b".into()), json!("ab")),
            (
                Cell::Array(vec![Cell::Long(1), Cell::Null]),
                json!([1, null]),
            ),
        ];
        for (raw, expected) in cases {
            assert_eq!(
                cell(&raw, false, &mut Notes::default()),
                expected,
                "{raw:?}"
            );
        }
    }

    #[test]
    fn wide_integers_are_found_and_written_as_text() {
        for (whole, wide) in [
            (9_007_199_254_740_991, false),
            (9_007_199_254_740_992, true),
            (i64::MIN, true),
            (0, false),
        ] {
            assert_eq!(has_wide_integer(&Cell::Long(whole)), wide, "{whole}");
            assert_eq!(
                has_wide_integer(&Cell::Array(vec![Cell::Long(whole)])),
                wide,
                "{whole}"
            );
            assert_eq!(
                cell(&Cell::Long(whole), true, &mut Notes::default()),
                json!(whole.to_string())
            );
        }
    }
}
