//! One ADQL query: translated, run under a deadline, its rows handed on as they come.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use manna_adql::sqlite::{Kind, OutputColumn};
use rusqlite::{Connection, ErrorCode, types::ValueRef};

use super::{Geometry, Store};
use crate::sky::Datatype;

/// A column of a result, as VOTable describes it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) datatype: Datatype,
    pub(crate) arraysize: Option<&'static str>,
    pub(crate) xtype: Option<&'static str>,
    pub(crate) unit: Option<&'static str>,
    pub(crate) ucd: Option<&'static str>,
    pub(crate) utype: Option<&'static str>,
    pub(crate) description: Option<&'static str>,
}

/// A value of a result, of its field's datatype.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Boolean(bool),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(&'a str),
    /// A DALI point, circle or polygon.
    Doubles(Vec<f64>),
}

/// Why there is no answer, or no more of it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Failure {
    /// The query is wrong; the text says how, and where.
    #[error("{0}")]
    Query(String),
    /// The query takes too long.
    #[error("the query was stopped after {0} s, the most this service allows")]
    Timeout(u64),
    /// Whoever asked is gone.
    #[error("the client is gone")]
    Gone,
}

/// When to stop.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    began: Instant,
    allowed: Duration,
    /// Milliseconds that the query stood still because its client was slow: not its own time.
    pub(crate) stood_ms: Arc<AtomicU64>,
    /// Set when nobody waits for the answer any more.
    pub(crate) gone: Arc<AtomicBool>,
}

impl Watch {
    /// From now, for `allowed`, and until `gone`.
    pub(crate) fn new(allowed: Duration, gone: Arc<AtomicBool>) -> Self {
        Self {
            began: Instant::now(),
            allowed,
            stood_ms: Arc::default(),
            gone,
        }
    }

    fn failure(&self) -> Option<Failure> {
        if self.gone.load(Ordering::Relaxed) {
            Some(Failure::Gone)
        } else {
            let stood = Duration::from_millis(self.stood_ms.load(Ordering::Relaxed));
            (self.began.elapsed() >= self.allowed + stood)
                .then_some(Failure::Timeout(self.allowed.as_secs()))
        }
    }
}

/// Whether a result holds all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    All,
    Cut,
}

/// A query that can be run.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// One statement for SQLite.
    pub(super) sql: String,
    pub(crate) fields: Vec<Field>,
    maxrec: u64,
}

impl Plan {
    /// Translates `adql`; at most `maxrec` rows will come.
    pub(crate) fn new(store: &Store, adql: &str, maxrec: u64) -> Result<Self, Failure> {
        let explain = |error: manna_adql::Error| {
            Failure::Query(match error.hint() {
                Some(hint) => format!("{error} (hint: {hint})"),
                None => error.to_string(),
            })
        };
        let query = manna_adql::parse(adql).map_err(explain)?;
        // One row more than may be given tells "exactly that many" from "cut".
        let limit = maxrec.saturating_add(1);
        let translated =
            manna_adql::sqlite::print(&query, &store.schema, Some(limit)).map_err(explain)?;
        Ok(Self {
            fields: translated
                .columns
                .into_iter()
                .map(|column| field(store, column))
                .collect(),
            sql: translated.sql,
            maxrec,
        })
    }

    /// Runs the query and hands every row to `row`. `MAXREC=0` asks for the columns alone
    /// (TAP 1.1 section 2.7.3): the query does not run, and the result counts as cut.
    pub(crate) fn run(
        &self,
        connection: &mut Connection,
        watch: &Watch,
        row: impl FnMut(&[Value<'_>]) -> Result<(), Failure>,
    ) -> Result<Rows, Failure> {
        if self.maxrec == 0 {
            return Ok(Rows::Cut);
        }
        let asked = watch.clone();
        let outcome = connection
            .progress_handler(1000, Some(move || asked.failure().is_some()))
            .map_err(|error| Failure::Query(error.to_string()))
            .and_then(|()| self.rows(connection, watch, row));
        // Cannot fail: it takes the handler away.
        let _ = connection.progress_handler(0, None::<fn() -> bool>);
        outcome
    }

    fn rows(
        &self,
        connection: &Connection,
        watch: &Watch,
        mut row: impl FnMut(&[Value<'_>]) -> Result<(), Failure>,
    ) -> Result<Rows, Failure> {
        let explain = |error| explain(error, watch);
        let mut statement = connection.prepare(&self.sql).map_err(explain)?;
        let mut rows = statement.query([]).map_err(explain)?;
        let mut count = 0;
        while let Some(found) = rows.next().map_err(explain)? {
            if count == self.maxrec {
                return Ok(Rows::Cut);
            }
            count += 1;
            let values = self
                .fields
                .iter()
                .enumerate()
                .map(|(index, field)| {
                    let raw = found.get_ref(index).map_err(explain)?;
                    value(raw, field).ok_or_else(|| misfit(raw, field))
                })
                .collect::<Result<Vec<_>, _>>()?;
            row(&values)?;
        }
        Ok(Rows::All)
    }
}

/// What SQLite says, in words for the one who wrote the query.
fn explain(error: rusqlite::Error, watch: &Watch) -> Failure {
    if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
        && let Some(failure) = watch.failure()
    {
        return failure;
    }
    if error.sqlite_error_code() == Some(ErrorCode::OutOfMemory) {
        return Failure::Query("the query needs more memory than this service allows".to_owned());
    }
    Failure::Query(match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message,
        other => other.to_string(),
    })
}

fn misfit(raw: ValueRef<'_>, field: &Field) -> Failure {
    Failure::Query(format!(
        "a value of {:?} is no {}: {raw:?}",
        field.name,
        field.datatype.name()
    ))
}

/// The value as the field's datatype holds it; `None` when it does not.
fn value<'a>(raw: ValueRef<'a>, field: &Field) -> Option<Value<'a>> {
    let numbers = field.datatype == Datatype::Double && field.arraysize.is_some();
    Some(match (raw, field.datatype) {
        (ValueRef::Null, _) => Value::Null,
        (ValueRef::Text(text), Datatype::Double) if numbers => {
            Value::Doubles(doubles(std::str::from_utf8(text).ok()?)?)
        }
        (ValueRef::Text(text), Datatype::Char | Datatype::UnicodeChar) => {
            Value::Text(std::str::from_utf8(text).ok()?)
        }
        (_, Datatype::Boolean) => Value::Boolean(integer(raw)? != 0),
        (_, Datatype::Short) => Value::Short(integer(raw)?.try_into().ok()?),
        (_, Datatype::Int) => Value::Int(integer(raw)?.try_into().ok()?),
        (_, Datatype::Long) => Value::Long(integer(raw)?),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the column is single precision"
        )]
        (_, Datatype::Float) => Value::Float(real(raw)? as f32),
        (_, Datatype::Double) => Value::Double(real(raw)?),
        _ => return None,
    })
}

fn integer(raw: ValueRef<'_>) -> Option<i64> {
    match raw {
        ValueRef::Integer(value) => Some(value),
        // SQLite computes some whole numbers as reals.
        ValueRef::Real(value) if value.fract() == 0.0 && value.abs() < 9e18 =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
            Some(value as i64)
        }
        _ => None,
    }
}

fn real(raw: ValueRef<'_>) -> Option<f64> {
    match raw {
        #[expect(clippy::cast_precision_loss, reason = "as SQL converts")]
        ValueRef::Integer(value) => Some(value as f64),
        ValueRef::Real(value) => Some(value),
        _ => None,
    }
}

/// The numbers of a geometry, as DALI 1.1 section 3.3 orders them.
fn doubles(text: &str) -> Option<Vec<f64>> {
    let geometry: Geometry = text.parse().ok()?;
    Some(match geometry {
        Geometry::Point(point) => vec![point.lon_deg(), point.lat_deg()],
        Geometry::Circle { centre, radius_deg } => {
            vec![centre.lon_deg(), centre.lat_deg(), radius_deg]
        }
        Geometry::Polygon(vertices) => vertices
            .iter()
            .flat_map(|vertex| [vertex.lon_deg(), vertex.lat_deg()])
            .collect(),
    })
}

/// How a result column is described: as its source if it has one, else by its type.
fn field(store: &Store, column: OutputColumn) -> Field {
    let source = column.source.and_then(|source| {
        store
            .tables
            .iter()
            .find(|table| table.name.eq_ignore_ascii_case(&source.table))?
            .column(&source.column)
    });
    if let Some(source) = source {
        return Field {
            name: column.name,
            datatype: source.datatype,
            arraysize: source.datatype.arraysize(),
            xtype: source.xtype,
            unit: source.unit,
            ucd: source.ucd,
            utype: source.utype,
            description: Some(source.description),
        };
    }
    let (datatype, arraysize, xtype) = match column.kind {
        Some(Kind::Boolean) => (Datatype::Boolean, None, None),
        Some(Kind::SmallInt) => (Datatype::Short, None, None),
        Some(Kind::Integer) => (Datatype::Int, None, None),
        Some(Kind::BigInt) => (Datatype::Long, None, None),
        Some(Kind::Real) => (Datatype::Float, None, None),
        Some(Kind::Double) => (Datatype::Double, None, None),
        Some(Kind::Timestamp) => (Datatype::Char, Some("*"), Some("timestamp")),
        Some(Kind::Point) => (Datatype::Double, Some("2"), Some("point")),
        Some(Kind::Circle) => (Datatype::Double, Some("3"), Some("circle")),
        Some(Kind::Polygon) => (Datatype::Double, Some("*"), Some("polygon")),
        Some(Kind::Region) => (Datatype::Char, Some("*"), Some("adql:REGION")),
        // Text that is computed may hold anything that the columns it came from do.
        Some(Kind::Text) => (Datatype::UnicodeChar, Some("*"), None),
        None => (Datatype::Char, Some("*"), None),
    };
    Field {
        name: column.name,
        datatype,
        arraysize,
        xtype,
        unit: None,
        ucd: None,
        utype: None,
        description: None,
    }
}
