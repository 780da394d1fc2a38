//! A TABLEDATA writer: one table to a VOTable 1.4 document, for uploads and tests.

use std::fmt::Write as _;

use crate::{
    Field, Value,
    datatype::{Primitive, Shape},
};

/// Writes one table as a VOTable with a TABLEDATA serialisation. What it writes, [`Reader`](crate::Reader) reads as the
/// same rows, with two exceptions that TABLEDATA makes: an empty string or array becomes null, and characters XML 1.0
/// cannot hold (controls but tab, line feed and carriage return; U+FFFE and U+FFFF) become U+FFFD.
///
/// ```
/// use manna_votable::{Datatype, Field, Value, Writer};
///
/// let fields = [
///     Field::new("id", Datatype::Long, None),
///     Field::new("name", Datatype::Char, Some("*")),
/// ];
/// let mut writer = Writer::new(Some("targets"), &fields);
/// writer.row(&[Value::Long(1), Value::Text("R&D <1>".into())])?;
/// assert!(writer.finish().contains("<TR><TD>1</TD><TD>R&amp;D &lt;1&gt;</TD></TR>"));
/// # Ok::<(), manna_votable::WriteError>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    out: String,
    columns: Vec<Column>,
    rows: u64,
}

#[derive(Debug)]
struct Column {
    primitive: Primitive,
    shape: Shape,
    null: Option<String>,
}

/// A row that does not fit the table. The document is as if it had not been given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Another number of values than of columns.
    #[error("row {row} has {values} values for {columns} columns")]
    RowLength {
        /// Which row, from 0.
        row: u64,
        /// Values given.
        values: usize,
        /// Columns of the table.
        columns: usize,
    },
    /// A value that is none of the column's type, or cannot be written: a null inside an array of integers without a
    /// `null` value, say.
    #[error("row {row}, column {column}: the value does not fit the column's datatype")]
    Value {
        /// Which row, from 0.
        row: u64,
        /// Which column, from 0.
        column: usize,
    },
}

impl Writer {
    /// Starts a document with one table.
    #[must_use]
    pub fn new(table: Option<&str>, fields: &[Field]) -> Self {
        let mut out = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n\
             <RESOURCE type=\"results\">\n<TABLE",
        );
        attribute(&mut out, "name", table);
        out.push_str(">\n");
        for field in fields {
            write_field(&mut out, field);
        }
        out.push_str("<DATA>\n<TABLEDATA>\n");
        let columns = fields.iter().map(|field| Column {
            primitive: field.datatype.primitive().unwrap_or(Primitive::Char),
            shape: Shape::parse(field.arraysize.as_deref().unwrap_or_default())
                .unwrap_or_else(|guess| guess),
            null: field.null.clone(),
        });
        Self {
            out,
            columns: columns.collect(),
            rows: 0,
        }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// If the values do not fit the columns; the row is not written then.
    pub fn row(&mut self, values: &[Value]) -> Result<(), WriteError> {
        if values.len() != self.columns.len() {
            return Err(WriteError::RowLength {
                row: self.rows,
                values: values.len(),
                columns: self.columns.len(),
            });
        }
        let before = self.out.len();
        self.out.push_str("<TR>");
        for (index, (column, value)) in self.columns.iter().zip(values).enumerate() {
            let start = self.out.len();
            self.out.push_str("<TD>");
            if write_cell(&mut self.out, column, value).is_none() {
                self.out.truncate(before);
                return Err(WriteError::Value {
                    row: self.rows,
                    column: index,
                });
            }
            if self.out.ends_with("<TD>") {
                self.out.truncate(start);
                self.out.push_str("<TD/>");
            } else {
                self.out.push_str("</TD>");
            }
        }
        self.out.push_str("</TR>\n");
        self.rows += 1;
        Ok(())
    }

    /// Takes out what is written so far, so that a long table need not be held as a whole.
    #[must_use]
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Ends the document and gives the rest of it.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.out
            .push_str("</TABLEDATA>\n</DATA>\n</TABLE>\n</RESOURCE>\n</VOTABLE>\n");
        self.out
    }
}

fn write_field(out: &mut String, field: &Field) {
    out.push_str("<FIELD");
    attribute(out, "ID", field.id.as_deref());
    attribute(out, "name", Some(&field.name));
    attribute(out, "datatype", Some(field.datatype.as_str()));
    attribute(out, "arraysize", field.arraysize.as_deref());
    attribute(out, "xtype", field.xtype.as_deref());
    attribute(out, "unit", field.unit.as_deref());
    attribute(out, "ucd", field.ucd.as_deref());
    attribute(out, "utype", field.utype.as_deref());
    attribute(out, "ref", field.reference.as_deref());
    attribute(out, "width", field.width.as_deref());
    attribute(out, "precision", field.precision.as_deref());
    attribute(out, "type", field.kind.as_deref());
    if field.description.is_none() && field.null.is_none() {
        out.push_str("/>\n");
        return;
    }
    out.push('>');
    if let Some(description) = &field.description {
        out.push_str("<DESCRIPTION>");
        escape(out, description, false);
        out.push_str("</DESCRIPTION>");
    }
    if field.null.is_some() {
        out.push_str("<VALUES");
        attribute(out, "null", field.null.as_deref());
        out.push_str("/>");
    }
    out.push_str("</FIELD>\n");
}

fn attribute(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = write!(out, " {name}=\"");
        escape(out, value, true);
        out.push('"');
    }
}

/// Text with everything escaped that a reader would take for markup or change: line ends and, in attributes, all white
/// space but blanks (XML 1.0, sections 2.11 and 3.3.3).
fn escape(out: &mut String, text: &str, is_attribute: bool) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_attribute => out.push_str("&quot;"),
            '\n' if is_attribute => out.push_str("&#10;"),
            '\t' if is_attribute => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(c),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
}

/// `None` if the value does not fit.
fn write_cell(out: &mut String, column: &Column, value: &Value) -> Option<()> {
    match value {
        Value::Null => {
            if let (Some(null), Primitive::Int(_), true) =
                (&column.null, column.primitive, column.shape.is_scalar())
            {
                escape(out, null.trim(), false);
            }
        }
        Value::Array(values) if !column.shape.is_scalar() => {
            if column.primitive.is_text() {
                let length = *column.shape.inner.first()?;
                return write_strings(out, values, length);
            }
            write_array(out, column, values)?;
        }
        Value::Array(_) => return None,
        Value::Text(text) if column.primitive.is_text() && column.shape.inner.is_empty() => {
            escape(out, text, false);
        }
        scalar if column.shape.is_scalar() => write_element(out, column, scalar)?,
        _ => return None,
    }
    Some(())
}

/// The elements of an array, nested or not, separated by blanks.
fn write_array(out: &mut String, column: &Column, values: &[Value]) -> Option<()> {
    for value in values {
        match value {
            Value::Array(inner) => write_array(out, column, inner)?,
            value => {
                if !out.ends_with('>') {
                    out.push(' ');
                }
                write_element(out, column, value)?;
            }
        }
    }
    Some(())
}

/// An array of strings: each filled up with blanks to the fixed length, without separators.
fn write_strings(out: &mut String, values: &[Value], length: usize) -> Option<()> {
    for value in values {
        match value {
            Value::Array(inner) => write_strings(out, inner, length)?,
            Value::Text(text) => {
                let fill = length.checked_sub(text.chars().count())?;
                // The room is bounded by what the column declares: do not follow it beyond reason.
                if fill > 1 << 20 {
                    return None;
                }
                escape(out, text, false);
                out.extend(std::iter::repeat_n(' ', fill));
            }
            _ => return None,
        }
    }
    Some(())
}

fn write_element(out: &mut String, column: &Column, value: &Value) -> Option<()> {
    match (column.primitive, value) {
        (Primitive::Bool, Value::Bool(value)) => out.push(if *value { 'T' } else { 'F' }),
        (Primitive::Bit, Value::Bool(value)) => out.push(if *value { '1' } else { '0' }),
        (Primitive::Int(kind), Value::Long(value)) if kind.contains(*value) => {
            let _ = write!(out, "{value}");
        }
        (Primitive::Float, Value::Float(value)) => write_float(out, *value),
        (Primitive::Double, Value::Double(value)) => write_double(out, *value),
        (Primitive::FloatComplex, Value::Complex(real, imaginary)) => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the column holds single precision"
            )]
            let (real, imaginary) = (*real as f32, *imaginary as f32);
            write_float(out, real);
            out.push(' ');
            write_float(out, imaginary);
        }
        (Primitive::DoubleComplex, Value::Complex(real, imaginary)) => {
            write_double(out, *real);
            out.push(' ');
            write_double(out, *imaginary);
        }
        (Primitive::Bool, Value::Null) => out.push('?'),
        (Primitive::Float | Primitive::Double, Value::Null) => out.push_str("NaN"),
        (Primitive::FloatComplex | Primitive::DoubleComplex, Value::Null) => {
            out.push_str("NaN NaN")
        }
        (Primitive::Int(_), Value::Null) => escape(out, column.null.as_deref()?.trim(), false),
        _ => return None,
    }
    Some(())
}

/// The shortest text that is read back as the same number.
fn write_float(out: &mut String, value: f32) {
    let _ = match value {
        f32::INFINITY => write!(out, "+Inf"),
        f32::NEG_INFINITY => write!(out, "-Inf"),
        value => write!(out, "{value:?}"),
    };
}

fn write_double(out: &mut String, value: f64) {
    let _ = match value {
        f64::INFINITY => write!(out, "+Inf"),
        f64::NEG_INFINITY => write!(out, "-Inf"),
        value => write!(out, "{value:?}"),
    };
}
