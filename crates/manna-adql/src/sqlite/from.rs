//! `FROM`: tables, subqueries and joins, and the names they bring.
//!
//! Joins on column names are written with `ON`, since the two sides may name a column differently
//! in SQLite, and every table gets a correlation name of ours, so that no name of the query can
//! meet one of SQLite's rules.

use super::{
    MAX_TABLES, Printer,
    expression::{Context, Place},
    schema::{ColumnSource, SchemaTable},
    scope::{Column, Found, Origin, Relation, Rows, Scope, Value, adql_name, quoted},
};
use crate::{
    Error,
    ast::{
        ColumnReference, Identifier, Join, JoinKind, JoinSpecification, SelectExpression,
        TableReference,
    },
    nearest::nearest,
};

type Printed = Result<(String, Rows), Error>;

impl Printer<'_> {
    /// The clause without `FROM`.
    pub(super) fn from(
        &mut self,
        tables: &[TableReference],
        around: Option<&Scope<'_>>,
    ) -> Printed {
        let mut parts = Vec::with_capacity(tables.len());
        let mut rows = Rows::default();
        for table in tables {
            let (sql, more) = self.table(table, around)?;
            self.no_double(&rows, &more, table)?;
            // SQLite lets a comma bind as tightly as JOIN: `a, b RIGHT JOIN c` would join a too.
            let apart = tables.len() > 1 && keeps_right_rows(table);
            parts.push(if apart { format!("({sql})") } else { sql });
            rows.extend(more);
        }
        Ok((parts.join(", "), rows))
    }

    fn table(&mut self, table: &TableReference, around: Option<&Scope<'_>>) -> Printed {
        match table {
            TableReference::Table { name, alias, .. } => {
                self.named_table(name, alias.as_ref(), table)
            }
            TableReference::Derived { query, alias, .. } => self.derived(query, alias, around),
            TableReference::Joined { first, joins, .. } => {
                let (mut sql, mut rows) = self.operand(first, around)?;
                for join in joins {
                    (sql, rows) = self.join((sql, rows), join, around)?;
                }
                Ok((sql, rows))
            }
        }
    }

    fn operand(&mut self, table: &TableReference, around: Option<&Scope<'_>>) -> Printed {
        let (sql, rows) = self.table(table, around)?;
        let nested = matches!(table, TableReference::Joined { .. });
        Ok((if nested { format!("({sql})") } else { sql }, rows))
    }

    fn named_table(
        &mut self,
        name: &[Identifier],
        alias: Option<&Identifier>,
        reference: &TableReference,
    ) -> Printed {
        let correlation = self.correlation();
        if let [single] = name
            && let Some(common) = self
                .common
                .iter()
                .rev()
                .find(|common| single.means(&common.name))
        {
            let known = alias.map_or_else(|| common.name.clone(), |alias| alias.text.clone());
            let columns = common
                .columns
                .iter()
                .map(|output| output.column(&correlation))
                .collect();
            let hidden = if alias.is_some() {
                vec![common.name.clone()]
            } else {
                Vec::new()
            };
            let sql = format!("{} AS {correlation}", common.sql_name);
            return Ok((sql, rows(vec![known], hidden, columns)));
        }
        let schema = self.schema;
        let Some(table) = schema.tables.iter().find(|table| means_table(name, table)) else {
            return Err(self.unknown_table(name, reference));
        };
        let own = table_parts(&table.name)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let (known, hidden) = match alias {
            Some(alias) => (vec![alias.text.clone()], own),
            None => (own, Vec::new()),
        };
        let columns = table_columns(table, &correlation);
        Ok((
            format!("{} AS {correlation}", quoted(&table.sql_name)),
            rows(known, hidden, columns),
        ))
    }

    fn unknown_table(&self, name: &[Identifier], reference: &TableReference) -> Error {
        let wanted = name
            .iter()
            .map(|part| part.text.as_str())
            .collect::<Vec<_>>()
            .join(".");
        let first = name
            .first()
            .map_or_else(|| reference.span(), |part| part.span);
        let span = name.last().map_or(first, |last| first.to(last.span));
        let error = self.error(span, format!("there is no table `{wanted}`"));
        let common = self.common.iter().map(|common| common.name.as_str());
        let full = self.schema.tables.iter().map(|table| table.name.as_str());
        let same_last = self.schema.tables.iter().find(|table| {
            let last = table_parts(&table.name).last().copied().unwrap_or_default();
            name.last()
                .is_some_and(|part| part.text.eq_ignore_ascii_case(last))
        });
        let meant = same_last.map(|table| table.name.as_str()).or_else(|| {
            let last = name.last().map_or("", |part| part.text.as_str());
            nearest(&wanted, common.clone().chain(full.clone())).or_else(|| {
                let near = nearest(last, full.filter_map(|table| table_parts(table).pop()))?;
                let mut tables = self.schema.tables.iter();
                tables
                    .find(|table| table.name.ends_with(near))
                    .map(|table| table.name.as_str())
            })
        });
        match meant {
            Some(meant) if meant == wanted && name.len() == 1 => error.with_hint(format!(
                "schema and table are two names: {}",
                adql_table_name(meant)
            )),
            Some(meant) => error.with_hint(format!("did you mean {}?", adql_table_name(meant))),
            None => error.with_hint("TAP_SCHEMA.tables lists the tables"),
        }
    }

    fn derived(
        &mut self,
        query: &SelectExpression,
        alias: &Identifier,
        around: Option<&Scope<'_>>,
    ) -> Printed {
        let (sql, outputs) = self.select_expression(query, around, None)?;
        let correlation = self.correlation();
        let columns = outputs
            .iter()
            .map(|output| output.column(&correlation))
            .collect();
        let sql = format!("({sql}) AS {correlation}");
        Ok((sql, rows(vec![alias.text.clone()], Vec::new(), columns)))
    }

    fn join(
        &mut self,
        (left_sql, left): (String, Rows),
        join: &Join,
        around: Option<&Scope<'_>>,
    ) -> Printed {
        let (right_sql, right) = self.operand(&join.table, around)?;
        self.no_double(&left, &right, &join.table)?;
        let words = match join.kind {
            JoinKind::Inner | JoinKind::Cross => "JOIN",
            JoinKind::Left => "LEFT JOIN",
            JoinKind::Right => "RIGHT JOIN",
            JoinKind::Full => "FULL JOIN",
        };
        let (on, rows) = match &join.specification {
            Some(JoinSpecification::On(condition)) => {
                let mut both = left;
                both.extend(right);
                let scope = Scope {
                    rows: &both,
                    around,
                };
                let context = Context::new(&scope, Place::Join);
                (self.filter(condition, context)?, both)
            }
            Some(JoinSpecification::Using(names)) => self.merge(left, right, names, join)?,
            None if join.natural => {
                let names: Vec<Identifier> = common_names(&left, &right)
                    .map(|name| Identifier {
                        text: name,
                        delimited: true,
                        span: join.span,
                    })
                    .collect();
                self.merge(left, right, &names, join)?
            }
            None if matches!(join.kind, JoinKind::Inner | JoinKind::Cross) => {
                let mut both = left;
                both.extend(right);
                ("1".to_owned(), both)
            }
            None => {
                return Err(self
                    .error(join.span, format!("{words} needs ON or USING"))
                    .with_hint("without a condition every pair of rows would match"));
            }
        };
        Ok((format!("{left_sql} {words} {right_sql} ON {on}"), rows))
    }

    /// The condition and the columns of a join on columns of one name, which stand once and first.
    fn merge(
        &self,
        left: Rows,
        right: Rows,
        names: &[Identifier],
        join: &Join,
    ) -> Result<(String, Rows), Error> {
        let mut conditions = Vec::with_capacity(names.len());
        let mut merged: Vec<Column> = Vec::with_capacity(names.len());
        for name in names {
            let of = |rows: &Rows| {
                let scope = Scope { rows, around: None };
                self.own_column(&scope, name)
            };
            let (of_left, of_right) = (of(&left)?, of(&right)?);
            conditions.push(format!("{} = {}", of_left.value.sql, of_right.value.sql));
            merged.push(match join.kind {
                JoinKind::Right => Column {
                    name: of_left.name,
                    ..of_right
                },
                JoinKind::Full => Column {
                    value: Value {
                        sql: format!("coalesce({}, {})", of_left.value.sql, of_right.value.sql),
                        // No index serves a coalesced column.
                        origin: of_left.value.origin.map(|origin| Origin {
                            band: false,
                            ..origin
                        }),
                        kind: of_left.value.kind,
                    },
                    name: of_left.name,
                },
                _ => of_left,
            });
        }
        let others = |columns: Vec<Column>| {
            columns
                .into_iter()
                .filter(|column| {
                    !names
                        .iter()
                        .any(|name| name.text.eq_ignore_ascii_case(&column.name))
                })
                .collect::<Vec<_>>()
        };
        let on = if conditions.is_empty() {
            "1".to_owned()
        } else {
            conditions.join(" AND ")
        };
        let mut relations = left.relations;
        relations.extend(right.relations);
        merged.extend(others(left.columns));
        merged.extend(others(right.columns));
        Ok((
            on,
            Rows {
                relations,
                columns: merged,
            },
        ))
    }

    fn own_column(&self, scope: &Scope<'_>, name: &Identifier) -> Result<Column, Error> {
        let reference = ColumnReference {
            qualifier: Vec::new(),
            name: name.clone(),
            span: name.span,
        };
        match scope.find(&reference) {
            Found::Column(column, _) => Ok(column.clone()),
            found => Err(self.unresolved(&reference, &found, scope)),
        }
    }

    /// Two tables of one name in one `FROM` could not be told apart.
    fn no_double(&self, rows: &Rows, more: &Rows, table: &TableReference) -> Result<(), Error> {
        let count = rows.relations.len() + more.relations.len();
        self.at_most(MAX_TABLES, count, "tables in one FROM", table.span())?;
        let known: Vec<String> = rows
            .relations
            .iter()
            .map(|relation| relation.name.join(".").to_ascii_lowercase())
            .collect();
        let double = more
            .relations
            .iter()
            .find(|relation| known.contains(&relation.name.join(".").to_ascii_lowercase()));
        match double {
            Some(relation) => Err(self
                .error(
                    table.span(),
                    format!("`{}` is in FROM twice", relation.name.join(".")),
                )
                .with_hint("give each its own name: t AS a JOIN t AS b")),
            None => Ok(()),
        }
    }

    fn correlation(&mut self) -> String {
        self.correlations += 1;
        format!("t{}", self.correlations)
    }
}

fn rows(name: Vec<String>, hidden: Vec<String>, columns: Vec<Column>) -> Rows {
    let relation = Relation {
        name,
        hidden,
        columns: columns.clone(),
    };
    Rows {
        relations: vec![relation],
        columns,
    }
}

fn table_columns(table: &SchemaTable, correlation: &str) -> Vec<Column> {
    table
        .columns
        .iter()
        .map(|column| Column {
            name: column.name.clone(),
            value: Value {
                sql: format!("{correlation}.{}", quoted(&column.sql_name)),
                kind: Some(column.kind),
                origin: Some(Origin {
                    source: ColumnSource {
                        table: table.name.clone(),
                        column: column.name.clone(),
                    },
                    unit: column.unit.clone(),
                    band: table
                        .band
                        .as_ref()
                        .is_some_and(|band| band.dec == column.name),
                }),
            },
        })
        .collect()
}

/// The schema and the table of `schema.table`. Only the first period parts: table names may have
/// some of their own.
fn table_parts(name: &str) -> Vec<&str> {
    match name.split_once('.') {
        Some((schema, table)) => vec![schema, table],
        None => vec![name],
    }
}

/// Whether `name` is the whole name of the table.
fn means_table(name: &[Identifier], table: &SchemaTable) -> bool {
    let parts = table_parts(&table.name);
    parts.len() == name.len() && name.iter().zip(parts).all(|(part, text)| part.means(text))
}

fn adql_table_name(name: &str) -> String {
    table_parts(name)
        .into_iter()
        .map(adql_name)
        .collect::<Vec<_>>()
        .join(".")
}

fn common_names(left: &Rows, right: &Rows) -> impl Iterator<Item = String> {
    left.columns
        .iter()
        .filter(|column| {
            right
                .columns
                .iter()
                .any(|other| other.name.eq_ignore_ascii_case(&column.name))
        })
        .map(|column| column.name.clone())
        .collect::<Vec<_>>()
        .into_iter()
}

/// Whether the reference joins so that rows of the right without partner are kept.
fn keeps_right_rows(table: &TableReference) -> bool {
    match table {
        TableReference::Joined { first, joins, .. } => {
            keeps_right_rows(first)
                || joins.iter().any(|join| {
                    matches!(join.kind, JoinKind::Right | JoinKind::Full)
                        || keeps_right_rows(&join.table)
                })
        }
        _ => false,
    }
}
