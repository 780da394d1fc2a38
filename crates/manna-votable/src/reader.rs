//! The push reader: bytes in, events out.

use std::sync::Arc;

use crate::{
    Description, Error, Info, Limits, Link, Param, QueryStatus, ResourceStart, Stream, Summary,
    System, Table, Value, Warning,
    error::Fault,
    foreign,
    limits::LimitKind,
    machine::{Machine, Note, Outcome},
    tokens::Input,
    warning::WarningKind,
};

/// Reads one VOTable from bytes as they arrive. It does no I/O and never waits; between two calls it holds no more than
/// what was fed and not yet consumed, one row, and the headers of the tables so far.
///
/// ```
/// use manna_votable::{Event, Limits, Reader, Value};
///
/// let document = br#"<VOTABLE><RESOURCE><TABLE><FIELD name="n" datatype="int"/>
///   <DATA><TABLEDATA><TR><TD>42</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>"#;
///
/// let mut reader = Reader::new(Limits::default());
/// let mut found = Vec::new();
/// for arrived in document.chunks(10) {
///     reader.feed(arrived);
///     while let Some(event) = reader.next_event()? {
///         if let Event::Row(row) = event {
///             found.push(row.to_vec());
///         }
///     }
/// }
/// reader.finish();
/// assert!(matches!(reader.next_event()?, Some(Event::End(_))));
/// assert_eq!(found, [[Value::Long(42)]]);
/// # Ok::<(), manna_votable::Error>(())
/// ```
///
/// Dropping the reader after any row is the way to stop early.
#[derive(Debug)]
pub struct Reader {
    input: Input,
    machine: Machine,
    mode: Mode,
    fed: u64,
    /// Set in the reader of an appended document, which looks for no further one.
    is_appended: bool,
}

#[derive(Debug)]
enum Mode {
    Document,
    /// No VOTable: its first text.
    Foreign(String),
    /// The text of the second document.
    Appended(String),
    Failed(Error),
    Ended,
}

/// What is in a document, in document order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A `RESOURCE` begins.
    Resource(ResourceStart),
    /// A `DESCRIPTION` of the document or a resource.
    Description(Description),
    /// An `INFO`, wherever it stands: before the tables, in them, after them.
    Info(Info),
    /// A `PARAM`, wherever it stands.
    Param(Box<Param>),
    /// A `COOSYS` or `TIMESYS`.
    System(System),
    /// A `LINK` of a resource.
    Link(Link),
    /// A table whose rows follow. Its `INFO`s and `PARAM`s before the data came before this.
    Table(Arc<Table>),
    /// The table's data are somewhere else, or in a form that is not read. Nothing is fetched.
    Stream(Stream),
    /// One row: a value for each field.
    Row(&'a [Value]),
    /// The table's end was seen. Not told for a table that was cut.
    TableEnd {
        /// Rows of the table.
        rows: u64,
    },
    /// A `RESOURCE` ends.
    ResourceEnd {
        /// The worst status said inside this resource itself.
        status: Option<QueryStatus>,
    },
    /// The document is complete, and nothing will follow.
    End(Summary),
}

#[expect(clippy::large_enum_variant, reason = "moved once, never stored")]
enum Step {
    Row,
    Note(Note),
    End,
}

impl Reader {
    /// A reader that holds the document to `limits`.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            input: Input::new(),
            machine: Machine::new(limits),
            mode: Mode::Document,
            fed: 0,
            is_appended: false,
        }
    }

    /// Appends bytes that arrived, of any number; after [`Reader::finish`] or an error they are ignored. Take the events before feeding more, or they pile up here.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.input.finished() || matches!(self.mode, Mode::Failed(_) | Mode::Ended) {
            return;
        }
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let allowed = self.machine.limits.bytes.unwrap_or(u64::MAX);
        let room = allowed.saturating_sub(self.fed);
        self.fed = self.fed.saturating_add(length);
        // What is over the limit is not even decoded; the error comes when the rest is consumed.
        let kept = usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len());
        self.input.feed(bytes.get(..kept).unwrap_or_default());
    }

    /// Says that no more bytes will come.
    pub fn finish(&mut self) {
        self.input.finish();
    }

    /// The next event; `None` when more bytes are needed, or when all is told after [`Reader::finish`].
    ///
    /// # Errors
    /// See [`Error`]. The rows before it stay valid; further calls answer the same error.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        Ok(match self.step()? {
            None => None,
            Some(Step::Row) => Some(Event::Row(self.machine.row())),
            Some(Step::End) => Some(Event::End(self.summary())),
            Some(Step::Note(note)) => Some(match note {
                Note::Resource(resource) => Event::Resource(resource),
                Note::Description(description) => Event::Description(description),
                Note::Info(info) => Event::Info(info),
                Note::Param(param) => Event::Param(param),
                Note::System(system) => Event::System(system),
                Note::Link(link) => Event::Link(link),
                Note::Table(table) => Event::Table(table),
                Note::Stream(stream) => Event::Stream(stream),
                Note::TableEnd { rows } => Event::TableEnd { rows },
                Note::ResourceEnd { status } => Event::ResourceEnd { status },
            }),
        })
    }

    /// Passes over all events that are there: for the [`Reader::summary`] alone.
    ///
    /// # Errors
    /// As [`Reader::next_event`].
    pub fn skip(&mut self) -> Result<(), Error> {
        while self.step()?.is_some() {}
        Ok(())
    }

    /// The worst status said so far, before or after rows.
    #[must_use]
    pub fn status(&self) -> Option<&QueryStatus> {
        self.machine.status.as_ref()
    }

    /// Rows read so far, over all tables.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.machine.total
    }

    /// What was odd so far.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.machine.warnings.list().to_vec();
        let decoder = self.input.decoder();
        let replaced = decoder.replaced();
        for (kind, count) in [
            (WarningKind::InvalidBytes, replaced),
            (WarningKind::UnknownEncoding, u64::from(decoder.doubtful())),
        ] {
            if count > 0 {
                warnings.push(Warning {
                    kind,
                    table: None,
                    column: None,
                    count,
                    example: None,
                });
            }
        }
        warnings
    }

    /// What was read so far, also after an error.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary {
            tables: self.machine.summaries(),
            status: self.machine.status.clone(),
            warnings: self.warnings(),
        }
    }

    /// Bytes held: fed and not consumed, and the cell or binary row under way.
    #[must_use]
    pub fn buffered_bytes(&self) -> usize {
        let text = match &self.mode {
            Mode::Foreign(text) | Mode::Appended(text) => text.len(),
            _ => 0,
        };
        self.input.buffered() + self.machine.buffered() + text
    }

    fn step(&mut self) -> Result<Option<Step>, Error> {
        loop {
            if let Some(note) = self.machine.notes.pop_front() {
                return Ok(Some(Step::Note(note)));
            }
            match &mut self.mode {
                Mode::Failed(error) => return Err(error.clone()),
                Mode::Ended => return Ok(None),
                Mode::Foreign(_) | Mode::Appended(_) => {
                    return if self.collect() {
                        self.verdict()
                    } else {
                        Ok(None)
                    };
                }
                Mode::Document => match self.advance() {
                    Ok(Some(Outcome::Continue)) => {}
                    Ok(Some(Outcome::Row)) => return Ok(Some(Step::Row)),
                    Ok(Some(Outcome::Foreign)) => {
                        self.input.rewind();
                        self.mode = Mode::Foreign(String::new());
                    }
                    Ok(Some(Outcome::Appended)) => {
                        self.input.rewind();
                        self.mode = Mode::Appended(String::new());
                    }
                    Ok(None) => {
                        if self.over_bytes() {
                            let allowed = self.machine.limits.bytes.unwrap_or(u64::MAX);
                            return self.fault(&Fault::Limit(LimitKind::Bytes, allowed));
                        }
                        return if self.input.finished() {
                            self.end()
                        } else {
                            Ok(None)
                        };
                    }
                    Err(fault) => return self.fault(&fault),
                },
            }
        }
    }

    /// One row or one token.
    fn advance(&mut self) -> Result<Option<Outcome>, Fault> {
        let Self { input, machine, .. } = self;
        if machine.next_binary_row()? || machine.next_plain_row(input)? {
            return Ok(Some(Outcome::Row));
        }
        match input.next(&machine.limits, &mut machine.warnings)? {
            None => Ok(None),
            Some(token) => machine.token(token).map(Some),
        }
    }

    fn over_bytes(&self) -> bool {
        self.machine
            .limits
            .bytes
            .is_some_and(|allowed| self.fed > allowed)
    }

    /// All bytes are consumed and no more will come.
    fn end(&mut self) -> Result<Option<Step>, Error> {
        if !self.machine.root_seen() {
            // What is left is the beginning of a tag, or the inside of a comment, of which only an end is there and
            // which says nothing.
            let page = self.input.content_rest();
            let end = page.floor_char_boundary(foreign::MAX_TEXT);
            let page = page.get(..end).unwrap_or_default().to_owned();
            self.mode = Mode::Foreign(page);
            return self.verdict();
        }
        if let Some(inside) = self.machine.cut.or(self.machine.open()) {
            return self.fault(&Fault::Truncated(inside));
        }
        self.mode = Mode::Ended;
        Ok(Some(Step::End))
    }

    /// Moves text to the page under way; answers whether it is enough.
    fn collect(&mut self) -> bool {
        let (Mode::Foreign(page) | Mode::Appended(page)) = &mut self.mode else {
            return true;
        };
        let rest = self.input.rest();
        let room = foreign::MAX_TEXT.saturating_sub(page.len());
        let piece = rest
            .get(..rest.floor_char_boundary(room))
            .unwrap_or_default();
        page.push_str(piece);
        let full = piece.len() < rest.len();
        let length = piece.len();
        self.input.advance(length);
        full || self.input.finished() || self.over_bytes()
    }

    /// What a document that is no VOTable, or one behind the first, comes to.
    fn verdict(&mut self) -> Result<Option<Step>, Error> {
        let error = match &self.mode {
            Mode::Appended(page) => Error::Appended {
                rows: self.machine.total,
                message: self.message(page),
            },
            Mode::Foreign(page) => Error::NotVotable(Box::new(foreign::describe(page))),
            _ => return Ok(None),
        };
        self.mode = Mode::Failed(error.clone());
        Err(error)
    }

    /// The words of an error document.
    fn message(&self, page: &str) -> Option<String> {
        if self.is_appended {
            return None;
        }
        let mut inner = Self::new(self.machine.limits.clone());
        inner.is_appended = true;
        // The text is UTF-8 by now, whatever its declaration says.
        inner.feed(&[0xEF, 0xBB, 0xBF]);
        inner.feed(page.as_bytes());
        inner.finish();
        let result = inner.skip();
        let text = match (inner.status(), result) {
            (Some(QueryStatus::Error(text)), _) => text.clone(),
            (_, Err(Error::NotVotable(foreign))) => foreign.text,
            _ => return None,
        };
        Some(text).filter(|text| !text.is_empty())
    }

    fn fault(&mut self, fault: &Fault) -> Result<Option<Step>, Error> {
        let rows = self.machine.total;
        let error = match *fault {
            Fault::Limit(kind, allowed) => Error::Limit {
                kind,
                allowed,
                rows,
            },
            Fault::Malformed(what) => {
                let (line, offset) = self.input.position();
                Error::Malformed {
                    what,
                    line,
                    offset,
                    rows,
                }
            }
            Fault::Truncated(inside) => {
                let stray = self.machine.stray();
                Error::Truncated {
                    rows,
                    inside,
                    stray,
                }
            }
            Fault::InternalSubset => Error::InternalSubset,
        };
        self.mode = Mode::Failed(error.clone());
        Err(error)
    }
}
