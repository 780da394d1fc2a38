//! The inline table: the first rows of an answer, within the caps, with the columns' metadata.

use manna_votable::{Field, Value as Cell};
use serde_json::{Map, Value, json};

use super::text::{self, DESCRIPTION_CHARS};
use super::value::{self, Notes};

/// How much of an answer is shown (contract: *inline caps*).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Rows.
    pub rows: usize,
    /// Bytes of the whole envelope as JSON.
    pub bytes: usize,
}

/// What became of a row that was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It is in the table.
    Kept,
    /// The table is full; the row is not in it.
    Full,
}

/// Collects rows until a cap is reached.
#[derive(Debug)]
pub struct InlineTable {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    caps: Caps,
    bytes: usize,
}

#[derive(Debug)]
struct Column {
    about: Map<String, Value>,
    wide_integers: bool,
}

impl InlineTable {
    /// An empty table with these columns. `reserved` bytes of the cap are kept for the rest of the envelope.
    pub fn new(fields: &[Field], caps: Caps, reserved: usize) -> Self {
        let columns: Vec<Column> = fields.iter().map(Column::new).collect();
        let header: usize = columns
            .iter()
            .map(|column| json_len(&column.about) + 1)
            .sum();
        Self {
            columns,
            rows: Vec::new(),
            caps,
            bytes: header + reserved,
        }
    }

    /// Offers the next row.
    pub fn push(&mut self, row: &[Cell]) -> Taken {
        if self.rows.len() >= self.caps.rows {
            return Taken::Full;
        }
        let bytes = 2 + row.iter().map(|cell| cell_len(cell) + 1).sum::<usize>();
        if self.bytes + bytes > self.caps.bytes {
            return Taken::Full;
        }
        self.bytes += bytes;
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.wide_integers |= value::has_wide_integer(cell);
        }
        self.rows.push(row.to_vec());
        Taken::Kept
    }

    /// Rows in the table.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no row is in the table.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// `columns` and `rows` as JSON, and what was done to the texts.
    pub fn into_json(self) -> (Value, Value, Notes) {
        let mut notes = Notes::default();
        let rows = self
            .rows
            .iter()
            .map(|row| {
                let cells = self.columns.iter().zip(row);
                cells
                    .map(|(column, cell)| value::cell(cell, column.wide_integers, &mut notes))
                    .collect::<Value>()
            })
            .collect();
        let columns = self.columns.into_iter().map(Column::into_json).collect();
        (columns, rows, notes)
    }
}

impl Column {
    fn new(field: &Field) -> Self {
        let mut about = Map::new();
        about.insert(
            "name".into(),
            text::clean(&field.name, DESCRIPTION_CHARS).text.into(),
        );
        about.insert("type".into(), field.datatype.to_string().into());
        for (key, value) in [("arraysize", &field.arraysize), ("xtype", &field.xtype)] {
            if let Some(value) = value {
                about.insert(
                    key.into(),
                    text::clean(value, DESCRIPTION_CHARS).text.into(),
                );
            }
        }
        for (key, value) in [
            ("unit", &field.unit),
            ("ucd", &field.ucd),
            ("description", &field.description),
        ] {
            let shown = value
                .as_deref()
                .map(|value| text::clean(value, DESCRIPTION_CHARS).text);
            about.insert(
                key.into(),
                json!(shown.filter(|value| !value.trim().is_empty())),
            );
        }
        Self {
            about,
            wide_integers: false,
        }
    }

    fn into_json(self) -> Value {
        let mut about = self.about;
        if self.wide_integers {
            about.insert("encoding".into(), "string".into());
        }
        Value::Object(about)
    }
}

/// Bytes of the cell as JSON, at most a few more than it will take.
fn cell_len(cell: &Cell) -> usize {
    match cell {
        Cell::Null => 4,
        Cell::Bool(_) => 5,
        // A sign, the digits, and quotes if the column turns out to need them.
        Cell::Long(whole) => whole.unsigned_abs().checked_ilog10().unwrap_or(0) as usize + 4,
        other => json_len(&value::cell(other, false, &mut Notes::default())),
    }
}

fn json_len(value: &impl serde::Serialize) -> usize {
    let mut counter = Counter(0);
    // Writing to a counter cannot fail, and every value here is JSON.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
