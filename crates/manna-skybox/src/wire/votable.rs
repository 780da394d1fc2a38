//! VOTable 1.4 (Recommendation of 21 October 2019) documents.

use std::io::Write as _;

use super::{Serialization, binary::null_integer, xml};
use crate::store::{Field, Value};

const HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\"",
    " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
    " xsi:schemaLocation=\"http://www.ivoa.net/xml/VOTable/v1.3",
    " http://www.ivoa.net/xml/VOTable/VOTable-1.4.xsd\">\n",
    "<RESOURCE type=\"results\">\n",
);

const TAIL: &[u8] = b"</RESOURCE>\n</VOTABLE>\n";

/// Everything before the first row.
pub(super) fn head(out: &mut Vec<u8>, serialization: Serialization, fields: &[Field], query: &str) {
    out.extend(HEAD.as_bytes());
    info(out, "QUERY_STATUS", "OK", "");
    info(
        out,
        "PROVIDER",
        "manna skybox",
        "An embedded archive for demonstration and tests",
    );
    info(out, "QUERY", query, "");
    out.extend(b"<TABLE>\n");
    for field in fields {
        write_field(out, serialization, field);
    }
    out.extend(match serialization {
        Serialization::Binary => b"<DATA><BINARY><STREAM encoding=\"base64\">\n".as_slice(),
        Serialization::Binary2 => b"<DATA><BINARY2><STREAM encoding=\"base64\">\n",
        _ => b"<DATA><TABLEDATA>\n",
    });
}

fn write_field(out: &mut Vec<u8>, serialization: Serialization, field: &Field) {
    out.extend(b"<FIELD");
    xml::attribute(out, "name", &field.name);
    xml::attribute(out, "datatype", field.datatype.name());
    for (name, value) in [
        ("arraysize", field.arraysize),
        ("xtype", field.xtype),
        ("unit", field.unit),
        ("ucd", field.ucd),
        ("utype", field.utype),
    ] {
        if let Some(value) = value {
            xml::attribute(out, name, value);
        }
    }
    // Only BINARY needs it: the others can leave a cell out.
    let null = null_integer(field.datatype).filter(|_| serialization == Serialization::Binary);
    if field.description.is_none() && null.is_none() {
        out.extend(b"/>\n");
        return;
    }
    out.push(b'>');
    if let Some(description) = field.description {
        xml::element(out, "DESCRIPTION", description);
    }
    if let Some(null) = null {
        write!(out, "<VALUES null=\"{null}\"/>").expect("writing to memory cannot fail");
    }
    out.extend(b"</FIELD>\n");
}

/// One row of TABLEDATA. A null is an empty cell.
pub(super) fn row(out: &mut Vec<u8>, values: &[Value<'_>]) {
    out.extend(b"<TR>");
    for value in values {
        out.extend(b"<TD>");
        match value {
            Value::Text(text) => xml::escape(out, text),
            other => plain(out, other),
        }
        out.extend(b"</TD>");
    }
    out.extend(b"</TR>\n");
}

/// A value that needs no escape: with all its digits, `+Inf` for what has none.
pub(super) fn plain(out: &mut Vec<u8>, value: &Value<'_>) {
    let written = match value {
        Value::Null => Ok(()),
        Value::Boolean(value) => out.write_all(if *value { b"true" } else { b"false" }),
        Value::Short(value) => write!(out, "{value}"),
        Value::Int(value) => write!(out, "{value}"),
        Value::Long(value) => write!(out, "{value}"),
        Value::Float(value) if value.is_finite() => write!(out, "{value:?}"),
        Value::Float(value) => out.write_all(special((*value).into())),
        Value::Double(value) => double(out, *value),
        Value::Text(text) => out.write_all(text.as_bytes()),
        Value::Doubles(values) => values.iter().enumerate().try_for_each(|(index, value)| {
            if index > 0 {
                out.push(b' ');
            }
            double(out, *value)
        }),
    };
    written.expect("writing to memory cannot fail");
}

fn double(out: &mut Vec<u8>, value: f64) -> std::io::Result<()> {
    if value.is_finite() {
        write!(out, "{value:?}")
    } else {
        out.write_all(special(value))
    }
}

fn special(value: f64) -> &'static [u8] {
    if value.is_nan() {
        b"NaN"
    } else if value > 0.0 {
        b"+Inf"
    } else {
        b"-Inf"
    }
}

/// Everything after the last row.
pub(super) fn tail(out: &mut Vec<u8>, serialization: Serialization, status: Option<(&str, &str)>) {
    out.extend(match serialization {
        Serialization::Binary => b"\n</STREAM></BINARY></DATA>\n".as_slice(),
        Serialization::Binary2 => b"\n</STREAM></BINARY2></DATA>\n",
        _ => b"</TABLEDATA></DATA>\n",
    });
    out.extend(b"</TABLE>\n");
    if let Some((value, text)) = status {
        info(out, "QUERY_STATUS", value, text);
    }
    out.extend(TAIL);
}

fn info(out: &mut Vec<u8>, name: &str, value: &str, text: &str) {
    out.extend(b"<INFO");
    xml::attribute(out, "name", name);
    xml::attribute(out, "value", value);
    if text.is_empty() {
        out.extend(b"/>\n");
    } else {
        out.push(b'>');
        xml::escape(out, text);
        out.extend(b"</INFO>\n");
    }
}

/// A document that says why there is no result (DALI 1.1 section 4.4.2).
pub(crate) fn error_document(message: &str) -> Vec<u8> {
    let mut out = HEAD.as_bytes().to_vec();
    info(&mut out, "QUERY_STATUS", "ERROR", message);
    out.extend(TAIL);
    out
}
