//! What the tests share: reading a document to the end in any pieces, and BINARY encoders that know nothing of the
//! reader.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test's helpers; not each test uses all, so nothing can be expected"
)]
#![allow(dead_code, unreachable_pub, reason = "each test uses its own part")]

use manna_votable::{
    Datatype, Error, Event, Field, Limits, Reader, Summary, Value, Warning, WarningKind,
};

/// Everything a document told.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Rows as values; every other event as its debug text.
    pub events: Vec<Seen>,
    pub result: Result<(), Error>,
    pub summary: Summary,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    Row(Vec<Value>),
    Other(String),
}

impl Told {
    pub fn rows(&self) -> Vec<Vec<Value>> {
        let rows = self.events.iter().filter_map(|seen| match seen {
            Seen::Row(row) => Some(row.clone()),
            Seen::Other(_) => None,
        });
        rows.collect()
    }

    pub fn warnings(&self) -> Vec<String> {
        self.summary
            .warnings
            .iter()
            .map(Warning::to_string)
            .collect()
    }

    /// Where two tellings differ first, if they do.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let pairs = self.events.iter().zip(&other.events);
        if let Some((at, (a, b))) = pairs.enumerate().find(|(_, (a, b))| a != b) {
            return Some(format!("event {at}: {a:?}\n or {b:?}"));
        }
        if self.events.len() != other.events.len() || self.result != other.result {
            let end = |told: &Self| (told.events.len(), told.result.clone());
            return Some(format!("{:?}\n or {:?}", end(self), end(other)));
        }
        if self.warnings() != other.warnings() {
            return Some(format!("{:?}\n or {:?}", self.warnings(), other.warnings()));
        }
        (self != other).then(|| format!("{:#?}\n or {:#?}", self.summary, other.summary))
    }

    pub fn has(&self, start: &str) -> bool {
        self.events
            .iter()
            .any(|seen| matches!(seen, Seen::Other(text) if text.starts_with(start)))
    }
}

/// Reads a document fed in the given pieces.
pub fn read_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, limits: Limits) -> Told {
    let mut reader = Reader::new(limits);
    let mut events = Vec::new();
    let mut result = Ok(());
    for piece in pieces {
        reader.feed(piece);
        result = drain(&mut reader, &mut events);
        if result.is_err() {
            break;
        }
    }
    reader.finish();
    if result.is_ok() {
        result = drain(&mut reader, &mut events);
    }
    let mut summary = reader.summary();
    if result.is_err() {
        // How far the decoders were ahead of the error depends on the pieces.
        let ahead = [WarningKind::InvalidBytes, WarningKind::SkippedBytes];
        summary
            .warnings
            .retain(|warning| !ahead.contains(&warning.kind));
    }
    Told {
        events,
        result,
        summary,
    }
}

fn drain(reader: &mut Reader, events: &mut Vec<Seen>) -> Result<(), Error> {
    while let Some(event) = reader.next_event()? {
        events.push(match event {
            Event::Row(row) => Seen::Row(row.to_vec()),
            other => Seen::Other(format!("{other:?}")),
        });
    }
    Ok(())
}

pub fn read(document: impl AsRef<[u8]>) -> Told {
    read_pieces([document.as_ref()], Limits::default())
}

pub fn read_chunks(document: &[u8], size: usize) -> Told {
    read_pieces(document.chunks(size.max(1)), Limits::default())
}

/// A document with one table of these FIELDs (as XML) and this content of DATA.
pub fn table(fields: &str, data: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\
         <RESOURCE type=\"results\"><TABLE>{fields}<DATA>{data}</DATA></TABLE></RESOURCE></VOTABLE>"
    )
}

/// A document with one column and one cell a row.
pub fn column(attributes: &str, cells: &[&str]) -> String {
    let rows: String = cells
        .iter()
        .map(|cell| format!("<TR><TD>{cell}</TD></TR>"))
        .collect();
    table(
        &format!("<FIELD name=\"c\" {attributes}/>"),
        &format!("<TABLEDATA>{rows}</TABLEDATA>"),
    )
}

/// A document with one column in BINARY or BINARY2.
pub fn binary(element: &str, field: &str, bytes: &[u8]) -> String {
    let text = base64(bytes);
    table(
        field,
        &format!("<{element}><STREAM encoding=\"base64\">\n{text}</STREAM></{element}>"),
    )
}

/// Base64 in lines of 64 characters.
pub fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (index, group) in bytes.chunks(3).enumerate() {
        let mut bits = 0_u32;
        for at in 0..3 {
            bits = bits << 8 | u32::from(group.get(at).copied().unwrap_or(0));
        }
        for at in 0..4 {
            let code = (bits >> (18 - 6 * at) & 63) as usize;
            out.push(if at <= group.len() {
                char::from(ALPHABET[code])
            } else {
                '='
            });
        }
        if index % 16 == 15 {
            out.push('\n');
        }
    }
    out
}

/// A column of a random table: its field, and how many elements a cell has (`None`: any).
#[derive(Debug, Clone)]
pub struct ColumnSpec {
    pub field: Field,
    /// Leading dimensions and the last one, `None` when variable.
    pub inner: Vec<usize>,
    pub last: Last,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Last {
    Scalar,
    Fixed(usize),
    Variable,
}

/// The whole BINARY or BINARY2 stream of these rows, as the standard says (VOTable 1.5, sections 5.3 and 5.4).
pub fn encode(specs: &[ColumnSpec], rows: &[Vec<Value>], binary2: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for row in rows {
        if binary2 {
            let mut flags = vec![0_u8; specs.len().div_ceil(8)];
            for (index, value) in row.iter().enumerate() {
                if value.is_null() {
                    flags[index / 8] |= 1 << (7 - index % 8);
                }
            }
            out.extend(flags);
        }
        for (spec, value) in specs.iter().zip(row) {
            encode_cell(&mut out, spec, value);
        }
    }
    out
}

fn encode_cell(out: &mut Vec<u8>, spec: &ColumnSpec, value: &Value) {
    let datatype = &spec.field.datatype;
    let is_text = matches!(datatype, Datatype::Char | Datatype::UnicodeChar);
    let step: usize = spec.inner.iter().product();
    let fixed = match spec.last {
        Last::Scalar => Some(1),
        Last::Fixed(n) => Some(step * n),
        Last::Variable => None,
    };
    if is_text {
        let mut units = Vec::new();
        text_units(&mut units, datatype, value, spec.inner.first().copied());
        match fixed {
            Some(n) => units.resize(n, 0),
            None => out.extend(u32::try_from(units.len()).unwrap().to_be_bytes()),
        }
        for unit in units {
            match datatype {
                Datatype::Char => out.push(unit.try_into().unwrap()),
                _ => out.extend(unit.to_be_bytes()),
            }
        }
        return;
    }
    let mut flat = Vec::new();
    flatten(&mut flat, value);
    if let (Value::Null, Some(n)) = (value, fixed) {
        flat = vec![Value::Null; n];
    }
    if fixed.is_none() {
        out.extend(u32::try_from(flat.len()).unwrap().to_be_bytes());
    }
    if *datatype == Datatype::Bit {
        for group in flat.chunks(8) {
            let byte = group
                .iter()
                .enumerate()
                .filter(|(_, bit)| **bit == Value::Bool(true));
            out.push(byte.map(|(at, _)| 0x80 >> at).sum());
        }
        return;
    }
    for element in &flat {
        encode_element(out, &spec.field, element);
    }
}

fn text_units(units: &mut Vec<u16>, datatype: &Datatype, value: &Value, length: Option<usize>) {
    match value {
        Value::Array(values) => {
            for value in values {
                text_units(units, datatype, value, length);
            }
        }
        Value::Text(text) => {
            let start = units.len();
            match datatype {
                Datatype::Char => units.extend(text.bytes().map(u16::from)),
                _ => units.extend(text.encode_utf16()),
            }
            if let Some(length) = length {
                assert!(
                    units.len() <= start + length,
                    "the generator keeps strings short enough"
                );
                units.resize(start + length, u16::from(b' '));
            }
        }
        _ => {}
    }
}

fn flatten(out: &mut Vec<Value>, value: &Value) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| flatten(out, value)),
        Value::Null => {}
        value => out.push(value.clone()),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the generator keeps to the datatype's range"
)]
fn encode_element(out: &mut Vec<u8>, field: &Field, value: &Value) {
    let null = || {
        field
            .null
            .as_deref()
            .map_or(0, |null| null.parse::<i64>().unwrap())
    };
    let long = match value {
        Value::Long(value) => *value,
        _ => null(),
    };
    match (&field.datatype, value) {
        (Datatype::Boolean, Value::Bool(value)) => out.push(if *value { b'T' } else { b'F' }),
        (Datatype::Boolean, _) => out.push(b'?'),
        (Datatype::UnsignedByte, _) => out.push(long.try_into().unwrap()),
        (Datatype::Short, _) => out.extend(i16::try_from(long).unwrap().to_be_bytes()),
        (Datatype::Int, _) => out.extend(i32::try_from(long).unwrap().to_be_bytes()),
        (Datatype::Long, _) => out.extend(long.to_be_bytes()),
        (Datatype::Float, Value::Float(value)) => out.extend(value.to_be_bytes()),
        (Datatype::Float, _) => out.extend(f32::NAN.to_be_bytes()),
        (Datatype::Double, Value::Double(value)) => out.extend(value.to_be_bytes()),
        (Datatype::Double, _) => out.extend(f64::NAN.to_be_bytes()),
        (Datatype::FloatComplex, Value::Complex(real, imaginary)) => {
            out.extend((*real as f32).to_be_bytes());
            out.extend((*imaginary as f32).to_be_bytes());
        }
        (Datatype::FloatComplex, _) => out.extend([f32::NAN.to_be_bytes(); 2].concat()),
        (Datatype::DoubleComplex, Value::Complex(real, imaginary)) => {
            out.extend(real.to_be_bytes());
            out.extend(imaginary.to_be_bytes());
        }
        (Datatype::DoubleComplex, _) => out.extend([f64::NAN.to_be_bytes(); 2].concat()),
        (datatype, value) => panic!("{value:?} in a column of {datatype}"),
    }
}
