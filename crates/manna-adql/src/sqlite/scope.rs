//! Which tables and columns a name may mean at a place of the query.

use super::schema::{ColumnSource, Kind};
use crate::ast::{ColumnReference, Identifier};

/// A value in SQL, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) sql: String,
    /// `None` when nothing tells.
    pub(super) kind: Option<Kind>,
    /// The table column it is, unchanged.
    pub(super) origin: Option<Origin>,
}

/// A table column that a value passes through.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    pub(super) source: ColumnSource,
    pub(super) unit: Option<String>,
    /// It is a latitude with an index.
    pub(super) band: bool,
}

impl Value {
    pub(super) fn computed(sql: impl Into<String>, kind: impl Into<Option<Kind>>) -> Self {
        Self {
            sql: sql.into(),
            kind: kind.into(),
            origin: None,
        }
    }

    pub(super) fn is_band(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.band)
    }
}

/// A column that can be named.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) value: Value,
}

/// A table of a `FROM` clause.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// The correlation name, or the parts of the table's name.
    pub(super) name: Vec<String>,
    /// The parts of the table's own name, when a correlation name hides it.
    pub(super) hidden: Vec<String>,
    pub(super) columns: Vec<Column>,
}

impl Relation {
    /// Whether `qualifier` means this table: `obscore` and `ivoa.obscore` both mean
    /// `ivoa.obscore`, as long as it has no correlation name.
    fn is_meant_by(&self, qualifier: &[Identifier]) -> bool {
        ends_with(&self.name, qualifier)
    }

    /// Whether `qualifier` is the name that a correlation name hides.
    pub(super) fn hides(&self, qualifier: &[Identifier]) -> bool {
        ends_with(&self.hidden, qualifier)
    }
}

fn ends_with(name: &[String], qualifier: &[Identifier]) -> bool {
    let Some(skip) = name.len().checked_sub(qualifier.len()) else {
        return false;
    };
    name.iter()
        .skip(skip)
        .zip(qualifier)
        .all(|(name, part)| part.means(name))
}

/// What a `FROM` clause, or one table reference of it, makes visible.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    pub(super) relations: Vec<Relation>,
    /// The columns of `*`, and what unqualified names may mean: columns that a join has merged
    /// stand here once.
    pub(super) columns: Vec<Column>,
}

impl Rows {
    pub(super) fn extend(&mut self, other: Self) {
        self.relations.extend(other.relations);
        self.columns.extend(other.columns);
    }
}

/// The names visible at a place: those of the query itself, then those of the queries around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) rows: &'a Rows,
    pub(super) around: Option<&'a Scope<'a>>,
}

/// What a name was found to mean.
#[derive(Debug)]
pub(super) enum Found<'a> {
    /// A column, and whether it is the query's own and not of one around it.
    Column(&'a Column, bool),
    Ambiguous(Vec<String>),
    NoColumn,
    NoTable,
}

impl<'a> Scope<'a> {
    pub(super) fn find(&self, reference: &ColumnReference) -> Found<'a> {
        let mut scope = Some(self);
        let mut own = true;
        let mut failure = Found::NoTable;
        while let Some(here) = scope {
            match here.find_here(reference) {
                Found::Column(column, _) => return Found::Column(column, own),
                found @ Found::Ambiguous(_) => return found,
                Found::NoColumn => failure = Found::NoColumn,
                Found::NoTable => {}
            }
            own = false;
            scope = here.around;
        }
        failure
    }

    fn find_here(&self, reference: &ColumnReference) -> Found<'a> {
        if reference.qualifier.is_empty() {
            return find_in(&self.rows.columns, &reference.name);
        }
        let tables = self.tables(&reference.qualifier);
        match tables.as_slice() {
            [] => Found::NoTable,
            [table] => find_in(&table.columns, &reference.name),
            tables => Found::Ambiguous(tables.iter().map(|table| table.name.join(".")).collect()),
        }
    }

    /// The tables of this query that `qualifier` may mean.
    pub(super) fn tables(&self, qualifier: &[Identifier]) -> Vec<&'a Relation> {
        self.rows
            .relations
            .iter()
            .filter(|relation| relation.is_meant_by(qualifier))
            .collect()
    }

    /// All tables in sight, for hints.
    pub(super) fn relations(&self) -> impl Iterator<Item = &'a Relation> {
        std::iter::successors(Some(self), |scope| scope.around)
            .flat_map(|scope| scope.rows.relations.iter())
    }
}

fn find_in<'a>(columns: &'a [Column], name: &Identifier) -> Found<'a> {
    let mut found = columns.iter().filter(|column| name.means(&column.name));
    let Some(first) = found.next() else {
        return Found::NoColumn;
    };
    if found.next().is_some() {
        let all = columns.iter().filter(|column| name.means(&column.name));
        return Found::Ambiguous(all.map(described).collect());
    }
    Found::Column(first, true)
}

fn described(column: &Column) -> String {
    match &column.value.origin {
        Some(origin) => format!("{}.{}", origin.source.table, origin.source.column),
        None => column.name.clone(),
    }
}

/// A name in SQLite's quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Text as an SQLite literal. A NUL would end the statement for SQLite, so it is left to `char`.
pub(super) fn string_literal(text: &str) -> String {
    let quoted = |part: &str| format!("'{}'", part.replace('\'', "''"));
    let mut parts = text.split('\0').map(quoted);
    let first = parts.next().unwrap_or_default();
    let literal = parts.fold(first, |sql, part| format!("{sql} || char(0) || {part}"));
    if text.contains('\0') {
        format!("({literal})")
    } else {
        literal
    }
}

/// A name as ADQL has to write it.
pub(super) fn adql_name(name: &str) -> String {
    let regular = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || character == '_')
        && !crate::is_reserved(name);
    if regular {
        name.to_owned()
    } else {
        quoted(name)
    }
}
