//! `manna votable FILE|-`: what a VOTable holds, or its rows. Reads as a stream, gzip too, in bounded memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use flate2::bufread::MultiGzDecoder;
use manna_votable::{
    Error, Event, Field, Limits, QueryStatus, Reader, Summary, Table, Value as Cell,
};
use serde_json::{Map, Value, json};

use super::{Failure, Outcome};
use crate::shape::{self, text};

/// Bytes read at a time.
const CHUNK: usize = 64 << 10;

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// The document, - for standard input. Gzip is recognised.
    file: PathBuf,
    /// What it holds as JSON: tables with their fields and numbers of rows, status, warnings.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// The rows of its first table as CSV.
    #[arg(long)]
    csv: bool,
}

pub(super) fn run(flags: Flags) -> Outcome {
    let input = open(&flags.file)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let done = if flags.csv {
        print_rows(input, &mut out)
    } else {
        print_summary(input, flags.json, &mut out)
    };
    match done.and_then(|code| out.flush().map(|()| code).map_err(Stop::from)) {
        Ok(code) => Ok(code),
        // Whoever read our output has seen enough.
        Err(Stop::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(Stop::Io(error)) => Err(Failure::new(format!("{}: {error}", flags.file.display()))),
        Err(Stop::Document(error)) => {
            Err(Failure::new(format!("{}: {error}", flags.file.display())))
        }
    }
}

#[derive(Debug)]
enum Stop {
    Io(io::Error),
    Document(Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let raw: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(
            File::open(path)
                .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?,
        )
    };
    let mut raw = BufReader::with_capacity(CHUNK, raw);
    let is_gzip = raw.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_gzip {
        Box::new(MultiGzDecoder::new(raw))
    } else {
        Box::new(raw)
    })
}

/// Reads the document to its end, or to the first error; rows and metadata go to `take`.
fn read(
    mut input: impl Read,
    mut take: impl FnMut(Event<'_>) -> io::Result<()>,
) -> Result<(Reader, Option<Error>), Stop> {
    let mut reader = Reader::new(Limits::default());
    let mut chunk = vec![0; CHUNK];
    loop {
        match reader.next_event() {
            Ok(Some(event)) => {
                let ended = matches!(event, Event::End(_));
                take(event)?;
                if ended {
                    return Ok((reader, None));
                }
                continue;
            }
            Ok(None) => {}
            Err(error) => return Ok((reader, Some(error))),
        }
        match input.read(&mut chunk)? {
            0 => reader.finish(),
            count => reader.feed(chunk.get(..count).unwrap_or_default()),
        }
    }
}

fn print_summary(input: impl Read, as_json: bool, out: &mut impl Write) -> Result<ExitCode, Stop> {
    let (reader, error) = read(input, |_| Ok(()))?;
    let summary = reader.summary();
    let report = report(&summary, error.as_ref());
    if as_json {
        writeln!(out, "{report:#}")?;
    } else {
        write!(out, "{}", for_people(&summary, error.as_ref()))?;
    }
    Ok(if error.is_some() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn report(summary: &Summary, error: Option<&Error>) -> Value {
    let tables: Vec<Value> = summary
        .tables
        .iter()
        .map(|found| {
            let fields: Vec<Value> = found.table.fields.iter().map(field).collect();
            json!({"name": name(&found.table), "rows": found.rows, "fields": fields})
        })
        .collect();
    let mut report = Map::new();
    report.insert("tables".into(), tables.into());
    report.insert("status".into(), status(summary, error).into());
    let warnings: Vec<String> = summary.warnings.iter().map(ToString::to_string).collect();
    report.insert("warnings".into(), warnings.into());
    if let Some(message) = message(summary, error) {
        report.insert("message".into(), message.into());
    }
    Value::Object(report)
}

/// `ok`, `overflow` and `error` are the document's own status (DALI 1.1 section 4.4.1), the others our verdict.
fn status(summary: &Summary, error: Option<&Error>) -> &'static str {
    match (error, &summary.status) {
        (Some(Error::NotVotable(_)), _) => "not_votable",
        (Some(Error::Truncated { .. }), _) => "truncated",
        (Some(Error::Appended { .. }), _) | (None, Some(QueryStatus::Error(_))) => "error",
        (Some(Error::Limit { .. }), _) => "too_large",
        (Some(_), _) => "malformed",
        (None, Some(QueryStatus::Overflow)) => "overflow",
        (None, _) => "ok",
    }
}

fn message(summary: &Summary, error: Option<&Error>) -> Option<String> {
    let own = match (error, &summary.status) {
        (Some(Error::NotVotable(foreign)), _) => {
            let said = foreign.title.as_deref().unwrap_or(&foreign.text);
            format!("the document is not a VOTable; it says: {said}")
        }
        (
            Some(Error::Appended {
                message: Some(message),
                ..
            }),
            _,
        ) => message.clone(),
        (Some(error), _) => error.to_string(),
        (None, Some(QueryStatus::Error(message))) => message.clone(),
        (None, _) => return None,
    };
    Some(text::clean(&own, text::MESSAGE_CHARS).text)
}

fn name(table: &Table) -> Option<String> {
    table
        .name
        .as_ref()
        .or(table.id.as_ref())
        .map(|name| text::clean(name, text::DESCRIPTION_CHARS).text)
}

fn field(field: &Field) -> Value {
    let shown = |raw: &String| text::clean(raw, text::DESCRIPTION_CHARS).text;
    let mut about = Map::new();
    about.insert("name".into(), shown(&field.name).into());
    about.insert("datatype".into(), shown(&field.datatype.to_string()).into());
    for (key, value) in [
        ("arraysize", &field.arraysize),
        ("unit", &field.unit),
        ("ucd", &field.ucd),
    ] {
        if let Some(value) = value {
            about.insert(key.into(), shown(value).into());
        }
    }
    Value::Object(about)
}

fn for_people(summary: &Summary, error: Option<&Error>) -> String {
    let mut lines = Vec::new();
    for found in &summary.tables {
        let name = name(&found.table).unwrap_or_else(|| "(no name)".to_owned());
        lines.push(format!(
            "{name}: {} rows, {} fields",
            found.rows,
            found.table.fields.len()
        ));
        lines.extend(found.table.fields.iter().map(field_line));
    }
    if summary.tables.is_empty() {
        lines.push("no table".to_owned());
    }
    let said = message(summary, error)
        .map(|message| format!(": {message}"))
        .unwrap_or_default();
    lines.push(format!("status: {}{said}", status(summary, error)));
    lines.extend(
        summary
            .warnings
            .iter()
            .map(|warning| format!("warning: {warning}")),
    );
    lines.push(String::new());
    lines.join("\n")
}

fn field_line(field: &Field) -> String {
    let part = |value: &Option<String>| {
        value
            .as_deref()
            .map(|value| text::one_line(value, 60))
            .unwrap_or_default()
    };
    let size = field
        .arraysize
        .as_ref()
        .map(|size| format!("[{size}]"))
        .unwrap_or_default();
    let line = format!(
        "    {}  {}{}  {}  {}",
        text::one_line(&field.name, 60),
        field.datatype,
        text::one_line(&size, 30),
        part(&field.unit),
        part(&field.ucd)
    );
    line.trim_end().to_owned()
}

/// The first table as CSV (RFC 4180): a header line, NULL as an empty field, 64-bit integers in full.
fn print_rows(input: impl Read, out: &mut impl Write) -> Result<ExitCode, Stop> {
    let mut table: Option<Arc<Table>> = None;
    let mut tables = 0;
    let (_, error) = read(input, |event| {
        match event {
            Event::Table(found) => {
                tables += 1;
                if table.is_none() {
                    let names: Vec<String> = found
                        .fields
                        .iter()
                        .map(|field| quoted(&field.name))
                        .collect();
                    write!(out, "{}\r\n", names.join(","))?;
                    table = Some(found);
                }
            }
            Event::Row(row) if tables == 1 => {
                let cells: Vec<String> = row.iter().map(csv_cell).collect();
                write!(out, "{}\r\n", cells.join(","))?;
            }
            _ => {}
        }
        Ok(())
    })?;
    match error {
        None => Ok(ExitCode::SUCCESS),
        // The rows so far are out; that they are not all is said where it cannot be taken for one of them.
        Some(error) => {
            out.flush()?;
            Err(Stop::Document(error))
        }
    }
}

fn csv_cell(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Text(text) => quoted(text),
        Cell::Long(whole) => whole.to_string(),
        other => match shape::cell(other, false, &mut shape::Notes::default()) {
            Value::Null => String::new(),
            Value::String(text) => quoted(&text),
            value => quoted(&value.to_string()),
        },
    }
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
