//! A FIELD made ready for reading cells: type, shape and null value resolved once a table.

use crate::{
    datatype::{Extent, Primitive, Shape},
    model::Field,
    number,
    value::Value,
    warning::{At, WarningKind, Warnings},
};

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) primitive: Primitive,
    pub(crate) shape: Shape,
    /// Neither an array nor a string longer than one character.
    pub(crate) is_scalar: bool,
    /// One string, not an array of them.
    pub(crate) is_string: bool,
    /// The most elements the shape allows, if it says.
    pub(crate) most: Option<usize>,
    /// Elements and bytes in BINARY, if they are fixed; more bytes than there can be if they do not fit.
    pub(crate) fixed: Option<(usize, usize)>,
    /// The value of `VALUES null`, and its text.
    pub(crate) null: Option<Null>,
}

#[derive(Debug)]
pub(crate) struct Null {
    pub(crate) value: Option<Value>,
    pub(crate) text: String,
}

impl Column {
    /// Resolves a FIELD; what has to be guessed is warned about.
    pub(crate) fn new(
        field: &Field,
        has_datatype: bool,
        at: At<'_>,
        warnings: &mut Warnings,
    ) -> Self {
        if !has_datatype {
            warnings.column(WarningKind::MissingDatatype, at, "");
        }
        let known = field.datatype.primitive();
        if known.is_none() {
            warnings.column(WarningKind::UnknownDatatype, at, field.datatype.as_str());
        }
        let primitive = known.unwrap_or(Primitive::Char);
        let written = field.arraysize.as_deref().unwrap_or_default();
        let shape = match Shape::parse(written) {
            Ok(shape) => shape,
            Err(guess) => {
                warnings.column(WarningKind::BadArraysize, at, written);
                guess
            }
        };
        // A text nobody declared the length of has any length.
        let any_length = !has_datatype || known.is_none() || field.datatype.is_string_alias();
        let shape = if any_length && shape.is_scalar() {
            Shape {
                last: Extent::Variable(None),
                ..shape
            }
        } else {
            shape
        };
        let null = field
            .null
            .as_deref()
            .and_then(|text| Null::new(text, primitive, at, warnings));
        let bytes = |items| primitive.bytes(items).unwrap_or(usize::MAX);
        Self {
            name: field.name.clone(),
            primitive,
            is_scalar: shape.is_scalar(),
            is_string: primitive.is_text() && shape.inner.is_empty(),
            most: shape.max_items(),
            fixed: shape.fixed_items().map(|items| (items, bytes(items))),
            shape,
            null,
        }
    }

    pub(crate) fn is_null(&self, value: &Value) -> bool {
        match &self.null {
            Some(null) => null.value.as_ref() == Some(value),
            None => false,
        }
    }
}

impl Null {
    fn new(text: &str, primitive: Primitive, at: At<'_>, warnings: &mut Warnings) -> Option<Self> {
        let trimmed = text.trim();
        let value = match primitive {
            Primitive::Int(kind) => number::int(trimmed, kind).ok().map(Value::Long),
            Primitive::Float => number::float(trimmed).map(Value::Float),
            Primitive::Double => number::float(trimmed).map(Value::Double),
            Primitive::Char | Primitive::UnicodeChar => {
                (!text.is_empty()).then(|| Value::Text(text.to_owned()))
            }
            _ => None,
        };
        let expected = matches!(
            primitive,
            Primitive::Int(_) | Primitive::Float | Primitive::Double
        );
        if value.is_none() && expected && !number::is_null_word(trimmed) {
            warnings.column(WarningKind::BadNullValue, at, text);
        }
        (!trimmed.is_empty() || value.is_some()).then(|| Self {
            value,
            text: trimmed.to_owned(),
        })
    }
}

/// Nests a flat array by the column's shape, the last dimension outermost. Answers `false`, and leaves it flat, when
/// the number of values does not fit.
pub(crate) fn nest(values: &mut Vec<Value>, inner: &[usize]) -> bool {
    let Some(step) = inner
        .iter()
        .try_fold(1_usize, |p, d| p.checked_mul(*d))
        .filter(|s| *s > 0)
    else {
        return inner.is_empty();
    };
    if !values.len().is_multiple_of(step) {
        return false;
    }
    for dim in inner {
        let flat = std::mem::take(values);
        let mut flat = flat.into_iter().peekable();
        while flat.peek().is_some() {
            values.push(Value::Array(flat.by_ref().take(*dim).collect()));
        }
    }
    true
}
