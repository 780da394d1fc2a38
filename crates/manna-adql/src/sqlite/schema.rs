//! What the SQLite printer has to know of the tables, and what it tells of the result.

/// The tables and functions a query may use.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// The tables, in the order hints prefer them.
    pub tables: Vec<SchemaTable>,
    /// The service's own functions. Those of the standard need no entry.
    pub functions: Vec<SchemaFunction>,
}

/// One table.
#[derive(Debug, Clone)]
pub struct SchemaTable {
    /// `schema.table` as ADQL writes it, without quotes; or `table`.
    pub name: String,
    /// The name of the table or view in SQLite, without quotes.
    pub sql_name: String,
    /// The columns, in the order of `*`.
    pub columns: Vec<SchemaColumn>,
    /// The declination that has an index.
    pub band: Option<Band>,
}

/// One column.
#[derive(Debug, Clone)]
pub struct SchemaColumn {
    /// The name as ADQL writes it, without quotes.
    pub name: String,
    /// The name in SQLite, without quotes.
    pub sql_name: String,
    /// The type of its values.
    pub kind: Kind,
    /// The unit in VOUnits, which `IN_UNIT` converts from. `None` when unknown, `""` without unit.
    pub unit: Option<String>,
}

/// A latitude column in degrees, within [-90, 90] or null, that has an index in SQLite.
///
/// A cone over it gets the condition `dec BETWEEN lat - r AND lat + r` beside, which changes no
/// result and spares a scan of the table. SQLite chooses the better side of a join only when it
/// knows the sizes: run `ANALYZE`.
#[derive(Debug, Clone)]
pub struct Band {
    /// The ADQL name of the column.
    pub dec: String,
}

/// A function of the service's own.
#[derive(Debug, Clone)]
pub struct SchemaFunction {
    /// The name as ADQL writes it.
    pub name: String,
    /// The name of the SQL function that does it.
    pub sql_name: String,
    /// The least and the largest number of arguments.
    pub arguments: (usize, usize),
    /// The type of what it gives.
    pub kind: Kind,
}

/// The type of a value. Timestamps and geometries are text in SQLite, booleans are 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false.
    Boolean,
    /// 16 bit.
    SmallInt,
    /// 32 bit.
    Integer,
    /// 64 bit.
    BigInt,
    /// Single precision.
    Real,
    /// Double precision.
    Double,
    /// Text.
    Text,
    /// ISO 8601 text.
    Timestamp,
    /// `POINT ICRS ...`
    Point,
    /// `CIRCLE ICRS ...`
    Circle,
    /// `POLYGON ICRS ...`
    Polygon,
    /// Any geometry.
    Region,
}

impl Kind {
    /// Whether it is a whole number.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Self::SmallInt | Self::Integer | Self::BigInt)
    }

    /// Whether it is a number.
    #[must_use]
    pub fn is_number(self) -> bool {
        self.is_integer() || matches!(self, Self::Real | Self::Double)
    }

    /// Whether it is a geometry.
    #[must_use]
    pub fn is_geometry(self) -> bool {
        matches!(
            self,
            Self::Point | Self::Circle | Self::Polygon | Self::Region
        )
    }
}

/// A query for SQLite, and what its result holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translated {
    /// One `SELECT` or `WITH` statement without parameters.
    pub sql: String,
    /// The columns of the result, in order. Their names are these, not the ones SQLite reports.
    pub columns: Vec<OutputColumn>,
}

/// One column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputColumn {
    /// What the query calls it: alias, column, or function name.
    pub name: String,
    /// The type of its values. `None` only for a bare `NULL`.
    pub kind: Option<Kind>,
    /// The table column it passes through unchanged, if it is one: its unit, UCD and description
    /// hold for the result too.
    pub source: Option<ColumnSource>,
}

/// Where an output column comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSource {
    /// [`SchemaTable::name`].
    pub table: String,
    /// [`SchemaColumn::name`].
    pub column: String,
}
