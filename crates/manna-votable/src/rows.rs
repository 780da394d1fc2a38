//! The rows of one table: cells put into a row that is used again for the next, whatever the serialisation.

use crate::{
    base64,
    binary::{self, Length},
    cell,
    column::Column,
    error::Fault,
    limits::{LimitKind, Limits},
    value::Value,
    warning::{WarningKind, Warnings},
};

/// Characters of misplaced text that are kept.
const MAX_STRAY: usize = 300;
/// Consumed bytes of a stream are dropped when there are this many.
const COMPACT: usize = 64 << 10;

/// The table being read.
#[derive(Debug)]
pub(crate) struct Rows {
    table: usize,
    columns: Vec<Column>,
    /// The row, one value a column.
    values: Vec<Value>,
    /// Rows completed.
    pub(crate) count: u64,
    /// Cells of the row read so far, those without a column included.
    cells: usize,
    bytes: usize,
    values_left: usize,
    cell: String,
    cell_is_base64: bool,
    /// Text where none belongs, since the last row.
    stray: String,
    /// Something was between the last stray character and the next.
    stray_gap: bool,
    stream: Option<BinaryStream>,
}

/// A BINARY or BINARY2 stream.
#[derive(Debug)]
struct BinaryStream {
    base64: base64::Decoder,
    bytes: Vec<u8>,
    pos: usize,
    /// Bytes the next step needs.
    need: usize,
    /// BINARY2's null flags of the row, once read.
    flags: Vec<u8>,
    has_flags: bool,
    binary2: bool,
    started: bool,
    /// Something that is not base64 was met: the rows before it are read, nothing after it.
    damaged: bool,
    ended: bool,
}

impl Rows {
    pub(crate) fn new(table: usize, columns: Vec<Column>) -> Self {
        let mut values = Vec::new();
        values.resize_with(columns.len(), Value::default);
        Self {
            table,
            columns,
            values,
            count: 0,
            cells: 0,
            bytes: 0,
            values_left: 0,
            cell: String::new(),
            cell_is_base64: false,
            stray: String::new(),
            stray_gap: false,
            stream: None,
        }
    }

    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    pub(crate) fn buffered(&self) -> usize {
        let stream = self.stream.as_ref().map_or(0, |stream| stream.bytes.len());
        self.cell.len() + self.stray.len() + stream
    }

    pub(crate) fn start_row(&mut self, limits: &Limits) {
        self.cells = 0;
        self.bytes = 0;
        self.values_left = limits.row_values;
        self.stray_gap = true;
    }

    /// The row is complete; answers whether it is one: a table without columns has none.
    pub(crate) fn end_row(&mut self, warnings: &mut Warnings) -> bool {
        self.stray.clear();
        if self.columns.is_empty() {
            warnings.table(WarningKind::NoFields, self.table, "");
            return false;
        }
        if self.cells < self.columns.len() {
            warnings.table(WarningKind::ShortRow, self.table, "");
            for value in self.values.iter_mut().skip(self.cells) {
                *value = Value::Null;
            }
        } else if self.cells > self.columns.len() {
            warnings.table(WarningKind::LongRow, self.table, "");
        }
        self.count += 1;
        true
    }

    pub(crate) fn start_cell(&mut self, encoding: Option<&str>) {
        self.cell.clear();
        self.cell_is_base64 = encoding.is_some_and(|e| e.trim().eq_ignore_ascii_case("base64"));
    }

    pub(crate) fn cell_text(&mut self, piece: &str, limits: &Limits) -> Result<(), Fault> {
        if self.cell.len() + piece.len() > limits.cell_bytes {
            return Err(Fault::limit(LimitKind::CellBytes, limits.cell_bytes));
        }
        self.cell.push_str(piece);
        Ok(())
    }

    pub(crate) fn end_cell(
        &mut self,
        limits: &Limits,
        warnings: &mut Warnings,
    ) -> Result<(), Fault> {
        let text = std::mem::take(&mut self.cell);
        let result = if self.cell_is_base64 {
            self.base64_cell(&text, limits, warnings)
        } else {
            self.cell(&text, limits, warnings)
        };
        self.cell = text;
        result
    }

    /// A complete cell of text.
    pub(crate) fn cell(
        &mut self,
        text: &str,
        limits: &Limits,
        warnings: &mut Warnings,
    ) -> Result<(), Fault> {
        let index = self.cells;
        self.cells += 1;
        self.stray_gap = true;
        self.count_bytes(text.len(), limits)?;
        let (Some(column), Some(slot)) = (self.columns.get(index), self.values.get_mut(index))
        else {
            return Ok(());
        };
        let mut row = cell::Row {
            warnings,
            table: self.table,
            values_left: &mut self.values_left,
            values_allowed: limits.row_values,
        };
        cell::parse(text, index, column, slot, &mut row)
    }

    /// A cell that holds the bytes of its BINARY form (VOTable 1.5, appendix A.4; astropy writes none and reads them).
    fn base64_cell(
        &mut self,
        text: &str,
        limits: &Limits,
        warnings: &mut Warnings,
    ) -> Result<(), Fault> {
        let index = self.cells;
        self.cells += 1;
        self.stray_gap = true;
        self.count_bytes(text.len(), limits)?;
        let (Some(column), Some(slot)) = (self.columns.get(index), self.values.get_mut(index))
        else {
            return Ok(());
        };
        let mut row = cell::Row {
            warnings,
            table: self.table,
            values_left: &mut self.values_left,
            values_allowed: limits.row_values,
        };
        let mut bytes = Vec::new();
        let mut decoder = base64::Decoder::default();
        let good = decoder.decode(text, &mut bytes).is_ok() && !decoder.finish(&mut bytes);
        match binary::length(&bytes, column, limits) {
            Ok(Length::Known {
                prefix,
                items,
                bytes: all,
            }) if good => {
                let content = bytes.get(prefix..all).unwrap_or_default();
                binary::parse(content, items, false, index, column, slot, &mut row)
            }
            _ => {
                *slot = Value::Null;
                if !text.trim().is_empty() {
                    row.warn(WarningKind::CellEncoding, index, column, text);
                }
                Ok(())
            }
        }
    }

    fn count_bytes(&mut self, bytes: usize, limits: &Limits) -> Result<(), Fault> {
        self.bytes = self.bytes.saturating_add(bytes);
        if bytes > limits.cell_bytes {
            return Err(Fault::limit(LimitKind::CellBytes, limits.cell_bytes));
        }
        if self.bytes > limits.row_bytes {
            return Err(Fault::limit(LimitKind::RowBytes, limits.row_bytes));
        }
        Ok(())
    }

    /// Text between the rows, where there should be none; white space is as good as any other.
    pub(crate) fn stray_text(&mut self, piece: &str, warnings: &mut Warnings) {
        for c in piece.chars() {
            if c.is_whitespace() {
                self.stray_gap = true;
                continue;
            }
            // 4 bytes a character: enough for the cut in characters later, and bounded.
            if self.stray.len() > MAX_STRAY * 4 {
                return;
            }
            if self.stray.is_empty() {
                warnings.table(WarningKind::StrayText, self.table, "");
            } else if self.stray_gap {
                self.stray.push(' ');
            }
            self.stray_gap = false;
            self.stray.push(c);
        }
    }

    /// The misplaced text since the last row.
    pub(crate) fn stray(&self) -> Option<String> {
        let text = self.stray.trim();
        (!text.is_empty()).then(|| text.chars().take(MAX_STRAY).collect())
    }

    pub(crate) fn start_stream(&mut self, binary2: bool, warnings: &mut Warnings) {
        let widthless = |c: &Column| {
            c.shape
                .fixed_items()
                .is_some_and(|n| c.primitive.bytes(n) == Some(0))
        };
        // Rows of no bytes would never end.
        if self.columns.is_empty() || (!binary2 && self.columns.iter().all(widthless)) {
            warnings.table(WarningKind::NoFields, self.table, "");
            return;
        }
        self.stream = Some(BinaryStream {
            base64: base64::Decoder::default(),
            bytes: Vec::new(),
            pos: 0,
            need: 0,
            flags: Vec::new(),
            has_flags: false,
            binary2,
            started: false,
            damaged: false,
            ended: false,
        });
    }

    pub(crate) fn stream_text(&mut self, piece: &str, warnings: &mut Warnings) {
        let Some(stream) = self.stream.as_mut().filter(|stream| !stream.damaged) else {
            return;
        };
        stream.compact();
        let mut rest = piece;
        while let Err(base64::Invalid(bad)) = stream.base64.decode(rest, &mut stream.bytes) {
            // Controls and invisible characters say nothing; anything else is a message or damage, and what follows
            // it cannot be trusted to be rows. Those before it can.
            if !bad.is_control() && !matches!(bad, '\u{a0}' | '\u{feff}' | '\u{200b}') {
                stream.damaged = true;
                return;
            }
            warnings.table(WarningKind::SkippedBytes, self.table, "");
            let at = rest.find(bad).map_or(rest.len(), |at| at + bad.len_utf8());
            rest = rest.get(at..).unwrap_or_default();
        }
    }

    pub(crate) fn end_stream(&mut self) {
        if let Some(stream) = &mut self.stream {
            stream.compact();
            stream.base64.finish(&mut stream.bytes);
            stream.ended = true;
        }
    }

    /// Reads the next row of the stream from the bytes that are there. `Ok(true)`: a row is complete.
    pub(crate) fn next_binary(
        &mut self,
        limits: &Limits,
        warnings: &mut Warnings,
    ) -> Result<bool, Fault> {
        let complete = self.take_binary(limits, warnings)?;
        if !complete && self.stream.as_ref().is_some_and(|stream| stream.damaged) {
            return Err(Fault::Malformed(
                "a character that is not base64 in a binary stream",
            ));
        }
        Ok(complete)
    }

    fn take_binary(&mut self, limits: &Limits, warnings: &mut Warnings) -> Result<bool, Fault> {
        let Some(stream) = &mut self.stream else {
            return Ok(false);
        };
        if !stream.started {
            self.cells = 0;
            self.bytes = 0;
            self.values_left = limits.row_values;
            stream.started = true;
        }
        if stream.binary2 && !stream.has_flags {
            let flag_bytes = self.columns.len().div_ceil(8);
            let rest = stream.bytes.get(stream.pos..).unwrap_or_default();
            let Some(flags) = rest.get(..flag_bytes) else {
                return Ok(false);
            };
            stream.flags.clear();
            stream.flags.extend_from_slice(flags);
            stream.has_flags = true;
            stream.pos += flag_bytes;
            self.bytes += flag_bytes;
        }
        let mut row = cell::Row {
            warnings,
            table: self.table,
            values_left: &mut self.values_left,
            values_allowed: limits.row_values,
        };
        while let (Some(column), Some(slot)) = (
            self.columns.get(self.cells),
            self.values.get_mut(self.cells),
        ) {
            let rest = stream.bytes.get(stream.pos..).unwrap_or_default();
            if rest.len() < stream.need {
                return Ok(false);
            }
            let (length, known) = match binary::length(rest, column, limits)? {
                Length::Need(need) => (need, None),
                Length::Known {
                    prefix,
                    items,
                    bytes,
                } => (bytes, Some((prefix, items))),
            };
            if self.bytes.saturating_add(length) > limits.row_bytes {
                return Err(Fault::limit(LimitKind::RowBytes, limits.row_bytes));
            }
            let Some((prefix, items)) = known else {
                stream.need = length;
                return Ok(false);
            };
            stream.need = 0;
            if stream.is_null(self.cells) {
                *slot = Value::Null;
            } else {
                let content = rest.get(prefix..length).unwrap_or_default();
                binary::parse(
                    content,
                    items,
                    stream.binary2,
                    self.cells,
                    column,
                    slot,
                    &mut row,
                )?;
            }
            stream.pos += length;
            self.bytes += length;
            self.cells += 1;
        }
        stream.started = false;
        stream.has_flags = false;
        self.stray.clear();
        self.count += 1;
        Ok(true)
    }

    /// After the end of the stream and of its rows: forgets it, and answers whether it ended inside a row.
    pub(crate) fn close_stream(&mut self) -> Option<bool> {
        let stream = self.stream.take_if(|stream| stream.ended)?;
        Some(self.cells > 0 && stream.started || stream.has_flags || !stream.rest().is_empty())
    }
}

impl BinaryStream {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    fn compact(&mut self) {
        if self.pos == self.bytes.len() {
            self.bytes.clear();
            self.pos = 0;
        } else if self.pos > COMPACT {
            self.bytes.drain(..self.pos);
            self.pos = 0;
        }
    }

    fn is_null(&self, column: usize) -> bool {
        self.has_flags
            && self
                .flags
                .get(column / 8)
                .is_some_and(|byte| byte & (0x80 >> (column % 8)) != 0)
    }
}
