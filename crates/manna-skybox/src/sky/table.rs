//! How a table is described.

use manna_adql::sqlite::Kind;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

/// The schemas and what they are, in the order of `tap_schema.schemas`.
pub(crate) const SCHEMAS: &[(&str, &str)] = &[
    (
        "messier",
        "The objects of Messier's list, from published values.",
    ),
    ("bright", "The brightest stars, from published values."),
    (
        "synth",
        "A made-up catalogue with the columns of Gaia DR3. None of its sources exists.",
    ),
    (
        "ivoa",
        "Made-up observations of the Messier objects in the ObsCore data model. None was ever taken.",
    ),
    (
        "tap_schema",
        "The tables, columns and keys of this service.",
    ),
];

/// A VOTable datatype (VOTable 1.4 section 2.1). Text is always of variable length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Datatype {
    Boolean,
    Short,
    Int,
    Long,
    Float,
    Double,
    Char,
    UnicodeChar,
}

impl Datatype {
    /// As VOTable and `TAP_SCHEMA` write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::Char => "char",
            Self::UnicodeChar => "unicodeChar",
        }
    }

    /// `*` for text.
    pub(crate) fn arraysize(self) -> Option<&'static str> {
        matches!(self, Self::Char | Self::UnicodeChar).then_some("*")
    }

    /// The storage class of a column in a STRICT table.
    pub(crate) fn sqlite_type(self) -> &'static str {
        match self {
            Self::Boolean | Self::Short | Self::Int | Self::Long => "INTEGER",
            Self::Float | Self::Double => "REAL",
            Self::Char | Self::UnicodeChar => "TEXT",
        }
    }
}

/// A column. Made by [`Column::new`] and the methods that follow it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) datatype: Datatype,
    pub(crate) description: &'static str,
    pub(crate) xtype: Option<&'static str>,
    pub(crate) unit: Option<&'static str>,
    pub(crate) ucd: Option<&'static str>,
    pub(crate) utype: Option<&'static str>,
    pub(crate) key: bool,
    pub(crate) indexed: bool,
    pub(crate) principal: bool,
    pub(crate) std: bool,
}

impl Column {
    pub(crate) const fn new(
        name: &'static str,
        datatype: Datatype,
        description: &'static str,
    ) -> Self {
        Self {
            name,
            datatype,
            description,
            xtype: None,
            unit: None,
            ucd: None,
            utype: None,
            key: false,
            indexed: false,
            principal: false,
            std: false,
        }
    }

    pub(crate) const fn unit(self, unit: &'static str) -> Self {
        Self {
            unit: Some(unit),
            ..self
        }
    }

    pub(crate) const fn ucd(self, ucd: &'static str) -> Self {
        Self {
            ucd: Some(ucd),
            ..self
        }
    }

    pub(crate) const fn utype(self, utype: &'static str) -> Self {
        Self {
            utype: Some(utype),
            ..self
        }
    }

    pub(crate) const fn xtype(self, xtype: &'static str) -> Self {
        Self {
            xtype: Some(xtype),
            ..self
        }
    }

    /// The primary key: unique, never null.
    pub(crate) const fn key(self) -> Self {
        Self {
            key: true,
            ..self.indexed()
        }
    }

    pub(crate) const fn indexed(self) -> Self {
        Self {
            indexed: true,
            ..self
        }
    }

    pub(crate) const fn principal(self) -> Self {
        Self {
            principal: true,
            ..self
        }
    }

    /// Defined by a standard.
    pub(crate) const fn std(self) -> Self {
        Self { std: true, ..self }
    }

    /// The name as a query must write it: in quotes where ADQL reserves the word.
    pub(crate) fn adql_name(&self) -> String {
        // The only reserved word (ADQL 2.1 section 2.1.2) that is a column here: TAP 1.1 section
        // 4.3 keeps it in tap_schema.columns for clients of 1.0.
        if self.name == "size" {
            "\"size\"".to_owned()
        } else {
            self.name.to_owned()
        }
    }

    /// The type as the SQL printer sees it.
    pub(crate) fn kind(&self) -> Kind {
        match (self.datatype, self.xtype) {
            (_, Some("timestamp")) => Kind::Timestamp,
            (_, Some("adql:REGION")) => Kind::Region,
            (Datatype::Boolean, _) => Kind::Boolean,
            (Datatype::Short, _) => Kind::SmallInt,
            (Datatype::Int, _) => Kind::Integer,
            (Datatype::Long, _) => Kind::BigInt,
            (Datatype::Float, _) => Kind::Real,
            (Datatype::Double, _) => Kind::Double,
            (Datatype::Char | Datatype::UnicodeChar, _) => Kind::Text,
        }
    }
}

/// A foreign key of one column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ForeignKey {
    pub(crate) from_column: &'static str,
    pub(crate) target_table: &'static str,
    pub(crate) target_column: &'static str,
    pub(crate) description: &'static str,
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    /// `schema.table`, in ADQL and in SQLite.
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) utype: Option<&'static str>,
    pub(crate) columns: Vec<Column>,
    pub(crate) keys: Vec<ForeignKey>,
    /// The right ascension and declination that cones are drawn round. The declination has an index.
    pub(crate) position: Option<(&'static str, &'static str)>,
}

impl Table {
    /// The part of the name before the dot.
    pub(crate) fn schema(&self) -> &'static str {
        self.name.split_once('.').map_or("", |(schema, _)| schema)
    }

    /// The column of this name, in any case.
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns
            .iter()
            .find(|column| column.name.eq_ignore_ascii_case(name))
    }
}

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Null for an empty text.
    pub(crate) fn text_or_null(text: &str) -> Self {
        if text.is_empty() {
            Self::Null
        } else {
            Self::text(text)
        }
    }

    /// Single precision: the value that a `float` column can give back unchanged.
    pub(crate) fn float(value: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounding to single precision is the purpose"
        )]
        let narrow = value as f32;
        Self::Real(f64::from(narrow))
    }
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Null, Self::Real)
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for Cell {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        Self::text(value)
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Real(value) => ValueRef::Real(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
        }))
    }
}
