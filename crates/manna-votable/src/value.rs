//! A cell's value.

/// The value of one cell, or of one element of an array.
///
/// `NaN` is read as [`Value::Null`], alone and in arrays: the standard does not ask to tell them apart (VOTable 1.5,
/// section 5.5), and of the three serialisations BINARY cannot. An empty string or array is null too, except in
/// BINARY2, which says which of both it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// `boolean` and `bit`.
    Bool(bool),
    /// Every integer type. `unsignedByte` is 0 to 255.
    Long(i64),
    /// `float`; infinite at most, never NaN.
    Float(f32),
    /// `double`; infinite at most, never NaN.
    Double(f64),
    /// `floatComplex` and `doubleComplex`: real and imaginary part, of which one may be NaN.
    Complex(f64, f64),
    /// `char` and `unicodeChar` of any length.
    Text(String),
    /// An array. With several dimensions it is nested, the last dimension outermost (the first varies fastest: VOTable
    /// 1.5, section 2.2), as numpy shows it; if the length does not fit the declared shape it is flat.
    Array(Vec<Value>),
}

impl Value {
    /// Whether there is no value.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// An integer.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Long(value) => Some(*value),
            _ => None,
        }
    }

    /// A number that is not complex, as `f64`: exact but for integers beyond 2^53.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            #[expect(
                clippy::cast_precision_loss,
                reason = "documented: integers beyond 2^53 are rounded"
            )]
            Self::Long(value) => Some(*value as f64),
            Self::Float(value) => Some(f64::from(*value)),
            Self::Double(value) => Some(*value),
            _ => None,
        }
    }

    /// Becomes this text, keeping the allocation of the text that was here in the row before.
    pub(crate) fn set_text(&mut self, text: &str) {
        if let Self::Text(old) = self {
            old.clear();
            old.push_str(text);
        } else {
            *self = Self::Text(text.to_owned());
        }
    }

    /// Becomes an empty array, keeping the allocation.
    pub(crate) fn clear_array(&mut self) -> &mut Vec<Value> {
        if !matches!(self, Self::Array(_)) {
            *self = Self::Array(Vec::new());
        }
        match self {
            Self::Array(values) => {
                values.clear();
                values
            }
            _ => unreachable!("made an array above"),
        }
    }
}
