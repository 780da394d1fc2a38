//! From tokens to events: which elements are open, and what each means where it stands.

use std::{collections::VecDeque, sync::Arc};

use crate::{
    column::Column,
    elements::{Element, Frame},
    error::Fault,
    header::{self, Header},
    limits::{LimitKind, Limits},
    model::{
        Description, Info, Link, Param, Place, ResourceStart, Serialisation, Stream, System, Table,
    },
    plain,
    rows::Rows,
    status::{self, QueryStatus},
    summary::TableSummary,
    tokens::{Input, Tag, Token},
    warning::{At, WarningKind, Warnings},
};

/// An event that is no row.
#[derive(Debug)]
pub(crate) enum Note {
    Resource(ResourceStart),
    Description(Description),
    Info(Info),
    Param(Box<Param>),
    System(System),
    Link(Link),
    Table(Arc<Table>),
    Stream(Stream),
    TableEnd { rows: u64 },
    ResourceEnd { status: Option<QueryStatus> },
}

/// What a token led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Continue,
    /// A row is complete.
    Row,
    /// The root element is not VOTABLE, or there is text instead.
    Foreign,
    /// Another document starts here.
    Appended,
}

#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) limits: Limits,
    pub(crate) warnings: Warnings,
    pub(crate) notes: VecDeque<Note>,
    pub(crate) status: Option<QueryStatus>,
    pub(crate) tables: Vec<TableSummary>,
    /// Rows over all tables.
    pub(crate) total: u64,
    /// Where a stream ended inside a row: the document is read on, for the sake of what it says about itself.
    pub(crate) cut: Option<&'static str>,
    rows: Option<Rows>,
    stack: Vec<Frame>,
    resources: Vec<Option<QueryStatus>>,
    header: Header,
    extnum: Option<String>,
    root_seen: bool,
    trailing: bool,
}

impl Machine {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            warnings: Warnings::default(),
            notes: VecDeque::new(),
            status: None,
            tables: Vec::new(),
            total: 0,
            cut: None,
            rows: None,
            stack: Vec::new(),
            resources: Vec::new(),
            header: Header::default(),
            extnum: None,
            root_seen: false,
            trailing: false,
        }
    }

    /// The row just completed.
    pub(crate) fn row(&self) -> &[crate::Value] {
        self.rows.as_ref().map(Rows::values).unwrap_or_default()
    }

    pub(crate) fn buffered(&self) -> usize {
        self.rows.as_ref().map_or(0, Rows::buffered)
    }

    pub(crate) fn stray(&self) -> Option<String> {
        self.rows.as_ref().and_then(Rows::stray)
    }

    /// Whether a VOTABLE element was seen.
    pub(crate) fn root_seen(&self) -> bool {
        self.root_seen
    }

    /// What is still open, if anything is: the reason a document that ends here is not complete.
    pub(crate) fn open(&self) -> Option<&'static str> {
        self.stack
            .iter()
            .rev()
            .find_map(|frame| frame.element.missing())
    }

    /// The innermost open element that means something.
    fn context(&self) -> Option<Element> {
        self.stack
            .iter()
            .rev()
            .map(|frame| frame.element)
            .find(|e| *e != Element::Other)
    }

    fn place(&self) -> Place {
        let place = self
            .stack
            .iter()
            .rev()
            .find_map(|frame| match frame.element {
                Element::Table => Some(Place::Table),
                Element::Resource => Some(Place::Resource),
                _ => None,
            });
        place.unwrap_or(Place::Document)
    }

    /// A row of the stream, if one is complete.
    pub(crate) fn next_binary_row(&mut self) -> Result<bool, Fault> {
        let Some(rows) = &mut self.rows else {
            return Ok(false);
        };
        if rows.next_binary(&self.limits, &mut self.warnings)? {
            self.count_row()?;
            return Ok(true);
        }
        if rows.close_stream() == Some(true) {
            self.cut = Some("a row of a binary stream");
        }
        Ok(false)
    }

    fn count_row(&mut self) -> Result<(), Fault> {
        if let Some(most) = self.limits.rows
            && self.total >= most
        {
            return Err(Fault::Limit(LimitKind::Rows, most));
        }
        self.total += 1;
        Ok(())
    }

    /// Takes a row of the plainest form past the tokenizer. `Ok(true)`: it is complete.
    pub(crate) fn next_plain_row(&mut self, input: &mut Input) -> Result<bool, Fault> {
        let (Some(rows), Some(top)) = (&mut self.rows, self.stack.last()) else {
            return Ok(false);
        };
        let was_in_row = match top.element {
            Element::Tr => true,
            Element::TableData => false,
            _ => return Ok(false),
        };
        let text = input.content_rest();
        let passed = plain::row(text, was_in_row, rows, &self.limits, &mut self.warnings)?;
        input.advance(passed.bytes);
        if passed.in_row && !was_in_row {
            self.stack.push(Frame::new(Element::Tr, "TR"));
        } else if was_in_row && !passed.in_row {
            self.stack.pop();
        }
        if passed.complete {
            self.count_row()?;
        }
        Ok(passed.complete)
    }

    pub(crate) fn token(&mut self, token: Token<'_>) -> Result<Outcome, Fault> {
        match token {
            Token::Text(text) => self.text(text),
            Token::Char(c) => self.text(c.encode_utf8(&mut [0; 4])),
            Token::Start(tag) => self.start(&tag),
            Token::End(_) if !self.root_seen => Ok(Outcome::Foreign),
            Token::End(name) => self.end(name),
            Token::Declaration | Token::Doctype if self.root_seen => Ok(Outcome::Appended),
            Token::Declaration | Token::Doctype => Ok(Outcome::Continue),
        }
    }

    fn text(&mut self, piece: &str) -> Result<Outcome, Fault> {
        let Some(context) = self.context() else {
            if piece.trim().is_empty() {
                return Ok(Outcome::Continue);
            }
            if !self.root_seen {
                return Ok(Outcome::Foreign);
            }
            self.trailing();
            return Ok(Outcome::Continue);
        };
        match (context, &mut self.rows) {
            (Element::Td, Some(rows)) => rows.cell_text(piece, &self.limits)?,
            (Element::Stream, Some(rows)) => rows.stream_text(piece, &mut self.warnings),
            (Element::Info, _) => self
                .header
                .info_text(piece, &self.limits, &mut self.warnings),
            (Element::Description, _) => {
                self.header
                    .description_text(piece, &self.limits, &mut self.warnings);
            }
            (
                Element::Table
                | Element::Data
                | Element::TableData
                | Element::Tr
                | Element::Binary
                | Element::Binary2,
                Some(rows),
            ) => rows.stray_text(piece, &mut self.warnings),
            _ => {}
        }
        Ok(Outcome::Continue)
    }

    fn trailing(&mut self) {
        if !self.trailing {
            self.warnings.document(WarningKind::TrailingContent, "");
        }
        self.trailing = true;
    }

    fn start(&mut self, tag: &Tag<'_>) -> Result<Outcome, Fault> {
        let element = Element::of(tag.name);
        let context = self.context();
        if !self.root_seen {
            if element != Element::Votable {
                return Ok(Outcome::Foreign);
            }
            self.root_seen = true;
        } else if element == Element::Votable || self.is_page(tag.name, context) {
            return Ok(Outcome::Appended);
        } else if context.is_none() {
            self.trailing();
            return Ok(Outcome::Continue);
        }
        if self.stack.len() >= self.limits.depth {
            return Err(Fault::limit(LimitKind::Depth, self.limits.depth));
        }
        if tag.len() > self.limits.attributes && tag.attributes().count() > self.limits.attributes {
            return Err(Fault::limit(LimitKind::Attributes, self.limits.attributes));
        }
        // A cell inside a cell, or a row inside a row: an end tag is missing, and which values belong where is a guess.
        if matches!(
            (element, context),
            (Element::Td | Element::Tr, Some(Element::Td))
        ) || (element, context) == (Element::Tr, Some(Element::Tr))
        {
            return Err(Fault::Malformed("a row or cell inside another"));
        }
        let fits = element.fits(context) && context != Some(Element::Vodml);
        let element = if fits { element } else { Element::Other };
        self.open_element(element, tag)?;
        self.stack.push(Frame::new(element, tag.name));
        if tag.empty {
            self.close()
        } else {
            Ok(Outcome::Continue)
        }
    }

    /// An HTML page where rows belong, or behind the document: the server's error page.
    fn is_page(&self, name: &str, context: Option<Element>) -> bool {
        name.eq_ignore_ascii_case("html") && (self.rows.is_some() || context.is_none())
    }

    fn open_element(&mut self, element: Element, tag: &Tag<'_>) -> Result<(), Fault> {
        let place = self.place();
        let header = &mut self.header;
        let in_table = header.table.is_some();
        if in_table
            && !matches!(
                element,
                Element::Info | Element::Description | Element::Other
            )
        {
            let own = match element {
                Element::Field => size_of::<crate::Field>(),
                Element::Param => size_of::<Param>(),
                _ => 0,
            };
            header.keep(tag.len() + own, &self.limits)?;
        }
        match element {
            Element::Tr => {
                if let Some(rows) = &mut self.rows {
                    rows.start_row(&self.limits);
                }
            }
            Element::Td => {
                if let Some(rows) = &mut self.rows {
                    rows.start_cell(tag.attribute("encoding").as_deref());
                }
            }
            Element::Resource => {
                let resource = header::resource(tag, self.resources.len());
                self.resources.push(None);
                self.notes.push_back(Note::Resource(resource));
            }
            Element::Table => {
                if self.tables.len() >= self.limits.tables {
                    return Err(Fault::limit(LimitKind::Tables, self.limits.tables));
                }
                header.start_table(tag, self.tables.len());
                header.keep(tag.len() + size_of::<Table>(), &self.limits)?;
                self.rows = None;
            }
            Element::Field => header.start_field(tag),
            Element::Param => header.start_param(tag, place),
            Element::Info => header.start_info(tag, place),
            Element::Values => {
                header.keep(tag.len(), &self.limits)?;
                header.start_values(tag, &mut self.warnings);
            }
            Element::Min | Element::Max | Element::Choice => {
                header.keep_open(tag.len(), &self.limits)?;
                header.bound(tag, element);
            }
            Element::Link => {
                header.keep_open(tag.len(), &self.limits)?;
                if let Some(link) = header.link(tag) {
                    self.notes.push_back(Note::Link(link));
                }
            }
            Element::Group => header.start_group(tag),
            Element::FieldRef | Element::ParamRef => header.reference(tag, element),
            Element::CooSys => self
                .notes
                .push_back(Note::System(header::system(tag, "COOSYS"))),
            Element::TimeSys => self
                .notes
                .push_back(Note::System(header::system(tag, "TIMESYS"))),
            Element::Data => self.begin_data()?,
            Element::Fits => {
                self.extnum = tag.attribute("extnum");
            }
            Element::Stream => self.open_stream(tag),
            _ => {}
        }
        Ok(())
    }

    /// The table's header is complete: its columns are resolved and it is told.
    fn begin_data(&mut self) -> Result<(), Fault> {
        let Some(mut table) = self.header.table.take() else {
            return Ok(());
        };
        let mut has_datatype = std::mem::take(&mut self.header.has_datatype);
        if let (true, Some(to)) = (table.fields.is_empty(), &table.reference) {
            match self
                .tables
                .iter()
                .rfind(|t| t.table.id.as_ref() == Some(to))
            {
                Some(model) => {
                    table.fields.clone_from(&model.table.fields);
                    has_datatype = vec![true; table.fields.len()];
                    let bytes = table.fields.len().saturating_mul(size_of::<crate::Field>());
                    self.header.keep(bytes, &self.limits)?;
                }
                None => self
                    .warnings
                    .table(WarningKind::UnresolvedRef, table.index, to),
            }
        }
        let columns =
            table
                .fields
                .iter()
                .zip(has_datatype)
                .enumerate()
                .map(|(index, (field, has))| {
                    let at = At {
                        table: table.index,
                        column: index,
                        name: &field.name,
                    };
                    Column::new(field, has, at, &mut self.warnings)
                });
        self.rows = Some(Rows::new(table.index, columns.collect()));
        let table = Arc::new(table);
        self.tables.push(TableSummary {
            table: Arc::clone(&table),
            rows: 0,
            complete: false,
        });
        self.notes.push_back(Note::Table(table));
        Ok(())
    }

    fn open_stream(&mut self, tag: &Tag<'_>) {
        let serialisation = match self.context() {
            Some(Element::Binary) => Serialisation::Binary,
            Some(Element::Binary2) => Serialisation::Binary2,
            Some(Element::Fits) => Serialisation::Fits,
            _ => Serialisation::Parquet,
        };
        let stream = header::stream(tag, serialisation, self.extnum.take());
        let encoding = stream.encoding.as_deref().unwrap_or_default().trim();
        let inline = stream
            .href
            .as_deref()
            .is_none_or(|href| href.trim().is_empty())
            && matches!(
                serialisation,
                Serialisation::Binary | Serialisation::Binary2
            )
            && (encoding.is_empty() || encoding.eq_ignore_ascii_case("base64"));
        if let (true, Some(rows)) = (inline, &mut self.rows) {
            rows.start_stream(serialisation == Serialisation::Binary2, &mut self.warnings);
            return;
        }
        let index = self.tables.len().saturating_sub(1);
        self.warnings
            .table(WarningKind::UnsupportedStream, index, "");
        self.notes.push_back(Note::Stream(stream));
    }

    fn end(&mut self, name: &str) -> Result<Outcome, Fault> {
        let Some(depth) = self.stack.iter().rposition(|frame| frame.is(name)) else {
            if self.context().is_none() {
                self.trailing();
            } else {
                self.warnings.document(WarningKind::StrayEndTag, name);
            }
            return Ok(Outcome::Continue);
        };
        let inner = self.stack.get(depth + 1..).unwrap_or_default();
        if let Some(missing) = inner.iter().rev().find_map(|frame| frame.element.missing()) {
            return Err(Fault::Truncated(missing));
        }
        let mut outcome = Outcome::Continue;
        while self.stack.len() > depth {
            if self.stack.len() > depth + 1 {
                self.warnings.document(WarningKind::UnclosedElement, "");
            }
            outcome = self.close()?;
        }
        Ok(outcome)
    }

    /// Ends the innermost open element.
    fn close(&mut self) -> Result<Outcome, Fault> {
        let Some(frame) = self.stack.pop() else {
            return Ok(Outcome::Continue);
        };
        match frame.element {
            Element::Td => {
                if let Some(rows) = &mut self.rows {
                    rows.end_cell(&self.limits, &mut self.warnings)?;
                }
            }
            Element::Tr => {
                if let Some(rows) = &mut self.rows
                    && rows.end_row(&mut self.warnings)
                {
                    self.count_row()?;
                    return Ok(Outcome::Row);
                }
            }
            Element::Stream => {
                if let Some(rows) = &mut self.rows {
                    rows.end_stream();
                }
            }
            Element::Field if self.header.table.is_some() => self.header.end_field(&self.limits)?,
            Element::Field => {
                self.header.field = None;
                self.warnings.document(WarningKind::MisplacedField, "");
            }
            Element::Param => {
                if let Some(param) = self.header.end_param() {
                    if let Some(status) = QueryStatus::of_param(&param) {
                        self.merge_status(&status);
                    }
                    self.notes.push_back(Note::Param(Box::new(param)));
                }
            }
            Element::Info => {
                if let Some(info) = self.header.end_info() {
                    match QueryStatus::of_info(&info) {
                        Ok(Some(status)) => self.merge_status(&status),
                        Ok(None) => {}
                        Err(()) => self
                            .warnings
                            .document(WarningKind::UnknownStatus, &info.value),
                    }
                    self.notes.push_back(Note::Info(info));
                }
            }
            Element::Group => self.header.end_group(),
            Element::Description => self.end_description()?,
            Element::Table => self.end_table()?,
            Element::Resource => {
                let status = self.resources.pop().flatten();
                self.notes.push_back(Note::ResourceEnd { status });
            }
            _ => {}
        }
        Ok(Outcome::Continue)
    }

    fn end_description(&mut self) -> Result<(), Fault> {
        let parent = self.context();
        let in_table = self.header.table.is_some();
        let (bytes, described) = self.header.end_description(parent);
        if in_table {
            self.header.keep(bytes, &self.limits)?;
        }
        if let Some((place, text)) = described {
            self.notes
                .push_back(Note::Description(Description { place, text }));
        }
        Ok(())
    }

    fn end_table(&mut self) -> Result<(), Fault> {
        // Without DATA the header was not told yet.
        let has_data = self.header.table.is_none();
        self.begin_data()?;
        let Some(rows) = self.rows.take() else {
            return Ok(());
        };
        if let Some(summary) = self.tables.last_mut() {
            summary.rows = rows.count;
            summary.complete = self.cut.is_none();
            // VizieR describes tables it does not send, with their true number of rows.
            let differs = summary.table.nrows.is_some_and(|nrows| nrows != rows.count);
            if differs && has_data {
                let index = summary.table.index;
                self.warnings.table(WarningKind::RowCountDiffers, index, "");
            }
        }
        // The end of a table that was cut inside a row is not told: nobody shall take it for whole.
        if self.cut.is_none() {
            self.notes.push_back(Note::TableEnd { rows: rows.count });
        }
        Ok(())
    }

    /// The tables so far, the open one with the rows it has now.
    pub(crate) fn summaries(&self) -> Vec<TableSummary> {
        let mut tables = self.tables.clone();
        if let (Some(rows), Some(last)) = (&self.rows, tables.last_mut()) {
            last.rows = rows.count;
        }
        tables
    }

    fn merge_status(&mut self, new: &QueryStatus) {
        status::merge(&mut self.status, new);
        if let Some(resource) = self.resources.last_mut() {
            status::merge(resource, new);
        }
    }
}
