//! Prints a query as SQL for SQLite.
//!
//! Names are resolved against a [`Schema`], `*` is expanded, and the SQL means what the ADQL means
//! where the two languages differ. SQLite as `rusqlite` bundles it has no mathematical functions
//! and no geometry, so the SQL calls functions that the caller registers on its connection:
//!
//! | SQL | gives |
//! |---|---|
//! | `adql_point(lon, lat)` | geometry |
//! | `adql_circle(lon, lat, r)`, `adql_box(lon, lat, w, h)`, `adql_polygon(lon1, lat1, lon2, lat2, lon3, lat3, ...)` | geometry |
//! | `adql_region(text)` | geometry, from STC-S text such as `CIRCLE ICRS 10 20 0.5`, with or without the frame |
//! | `adql_contains(a, b)`, `adql_intersects(a, b)` | 1 or 0; the boundary belongs to the geometry |
//! | `adql_distance(lon1, lat1, lon2, lat2)` | great-circle distance in degrees |
//! | `adql_coord1(point)`, `adql_coord2(point)` | degrees |
//! | `adql_area(g)` | square degrees |
//! | `adql_centroid(g)` | geometry (a point) |
//! | `adql_coordsys(g)` | text |
//! | `adql_ceiling`, `adql_floor`, `adql_exp`, `adql_log` (natural), `adql_log10`, `adql_sqrt`, `adql_degrees`, `adql_radians`, `adql_acos`, `adql_asin`, `adql_atan`, `adql_cos`, `adql_cot`, `adql_sin`, `adql_tan`, each `(x)` | double |
//! | `adql_atan2(y, x)`, `adql_power(x, y)`, `adql_mod(x, y)` (sign of `x`), `adql_round(x, n)`, `adql_truncate(x, n)` | double; `n` may be negative |
//! | `adql_rand()` | double in [0, 1), another one for each row (not deterministic) |
//! | `adql_lower(text)`, `adql_upper(text)` | text, by Unicode's default case conversion |
//! | `adql_like(text, pattern)`, `adql_ilike(text, pattern)` | 1 or 0; `%` any text, `_` one character, no escape |
//! | `adql_xor(a, b)` | integer |
//! | `adql_to_integer(x, bits)` | integer of 16, 32 or 64 bits, cut towards zero; text that is no number, or a number out of range, is an error |
//! | `adql_to_real(x, bits)` | double, narrowed through 32 bits when `bits` is 32; text that is no number is an error |
//! | `adql_in_unit(x, from, to)` | double; both units are VOUnits text |
//!
//! Any null argument gives null. A geometry is text, `POINT ICRS lon lat`, `CIRCLE ICRS lon lat r`
//! or `POLYGON ICRS lon1 lat1 ...`, numbers with all their digits, so that a text column that holds
//! the same form (`s_region`) is a geometry too. A latitude outside [-90, 90], a negative radius,
//! or an argument outside a function's domain is an error. Longitudes are taken modulo 360.
//! `adql_distance` has to be good to 1e-9 degrees at any distance, antipodes included (the
//! haversine alone is not): the declination band relies on it.

mod aggregate;
mod band;
mod condition;
mod expression;
mod from;
mod function;
mod query;
mod schema;
mod scope;

#[cfg(test)]
mod tests;

pub use schema::{
    Band, ColumnSource, Kind, OutputColumn, Schema, SchemaColumn, SchemaFunction, SchemaTable,
    Translated,
};

use crate::{Error, Span, ast::Query};

/// The SQL of `query`, and the columns it returns.
///
/// At most `maxrec` rows are returned when it is given, whatever `TOP` says. Whoever has to tell
/// that there were more asks for one more.
///
/// # Errors
///
/// When a table, column or function is not in the schema, a name is ambiguous, values of types that
/// cannot be compared are, or a column of a grouped query is not grouped.
pub fn print(query: &Query, schema: &Schema, maxrec: Option<u64>) -> Result<Translated, Error> {
    let mut printer = Printer {
        source: query.source(),
        schema,
        common: Vec::new(),
        correlations: 0,
        steps: 0,
    };
    let (sql, columns) = printer.query(query, maxrec)?;
    Ok(Translated { sql, columns })
}

/// What SQLite is built to take (sqlite.org/limits.html): the tables of one `FROM`, and the columns
/// of a result or terms of a clause. Refusing more also bounds the time spent here.
const MAX_TABLES: usize = 64;
const MAX_COLUMNS: usize = 2_000;
/// The common tables of a query: ours, far above need.
const MAX_COMMON_TABLES: usize = 500;

struct Printer<'a> {
    source: &'a str,
    schema: &'a Schema,
    /// The common tables, in order.
    common: Vec<query::Common>,
    /// How many correlation names are given out.
    correlations: usize,
    /// How many values are printed.
    steps: usize,
}

impl Printer<'_> {
    fn error(&self, span: Span, message: impl Into<String>) -> Error {
        Error::new(self.source, span, message)
    }

    fn at_most(&self, limit: usize, count: usize, what: &str, span: Span) -> Result<(), Error> {
        if count <= limit {
            return Ok(());
        }
        Err(self.error(span, format!("more than {limit} {what}")))
    }
}
