//! Queries, set operations, sorting and limits.
//!
//! SQLite applies set operators from the left without precedence, has no parentheses around their
//! operands, and knows `ALL` only after `UNION`: operands that need it become subqueries, and the
//! other `ALL`s compare numbered duplicates.

use std::collections::{HashMap, HashSet};

use super::{
    MAX_COLUMNS, MAX_COMMON_TABLES, Printer,
    expression::{Context, Place, wider},
    schema::{Kind, OutputColumn},
    scope::{Column, Found, Origin, Scope, Value, quoted},
};
use crate::{
    Error,
    ast::{
        CommonTable, Direction, Expr, OrderKey, OrderTerm, Quantifier, Query, Select,
        SelectExpression, SelectItem, SetExpression, SetOperand, SetOperator,
    },
    function::Function,
};

/// A column of a query's result.
#[derive(Debug, Clone)]
pub(super) struct Output {
    /// What the query calls it; not always unique.
    pub(super) name: String,
    /// What the SQL calls it: unique in its query.
    pub(super) sql_name: String,
    pub(super) kind: Option<Kind>,
    pub(super) origin: Option<Origin>,
}

impl Output {
    /// The column as seen from outside, where the query is called `correlation`.
    pub(super) fn column(&self, correlation: &str) -> Column {
        Column {
            name: self.name.clone(),
            value: Value {
                sql: format!("{correlation}.{}", quoted(&self.sql_name)),
                kind: self.kind,
                origin: self.origin.clone(),
            },
        }
    }

    fn into_public(self) -> OutputColumn {
        let source = self.origin.map(|origin| origin.source);
        OutputColumn {
            name: self.name,
            kind: self.kind,
            source,
        }
    }
}

/// A common table.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) name: String,
    pub(super) sql_name: String,
    pub(super) columns: Vec<Output>,
}

type Printed = Result<(String, Vec<Output>), Error>;

impl Printer<'_> {
    pub(super) fn query(
        &mut self,
        query: &Query,
        maxrec: Option<u64>,
    ) -> Result<(String, Vec<OutputColumn>), Error> {
        self.at_most(
            MAX_COMMON_TABLES,
            query.with.len(),
            "common tables",
            query.span,
        )?;
        let mut with = Vec::with_capacity(query.with.len());
        for table in &query.with {
            with.push(self.common_table(table)?);
        }
        let (mut sql, outputs) = self.select_expression(&query.body, None, maxrec)?;
        if !with.is_empty() {
            sql = format!("WITH {} {sql}", with.join(", "));
        }
        Ok((sql, outputs.into_iter().map(Output::into_public).collect()))
    }

    fn common_table(&mut self, table: &CommonTable) -> Result<String, Error> {
        if self
            .common
            .iter()
            .any(|other| other.name.eq_ignore_ascii_case(&table.name.text))
        {
            let message = format!("there are two common tables `{}`", table.name.text);
            return Err(self.error(table.name.span, message));
        }
        let (sql, columns) = self.select_expression(&table.query, None, None)?;
        let sql_name = format!("c{}", self.common.len() + 1);
        let printed = format!("{sql_name} AS ({sql})");
        self.common.push(Common {
            name: table.name.text.clone(),
            sql_name,
            columns,
        });
        Ok(printed)
    }

    pub(super) fn select_expression(
        &mut self,
        query: &SelectExpression,
        around: Option<&Scope<'_>>,
        maxrec: Option<u64>,
    ) -> Printed {
        self.at_most(
            MAX_COLUMNS,
            query.order_by.len(),
            "terms of ORDER BY",
            query.span,
        )?;
        let offset = query.offset.map(|offset| offset.value);
        if let SetExpression::Select(select) = &query.body {
            let (sql, outputs) = self.select(select, &query.order_by, around)?;
            let rows = least(select.top.map(|top| top.value), maxrec);
            return Ok((limited(sql, rows, offset), outputs));
        }
        let (mut sql, outputs) = self.operand_of_set(&query.body, around)?;
        let terms = self.order_by_outputs(&query.order_by, &outputs)?;
        if !terms.is_empty() {
            sql = format!("{sql} ORDER BY {}", terms.join(", "));
        }
        Ok((limited(sql, maxrec, offset), outputs))
    }

    /// A query without sorting and limits of its own, so that it can stand beside a set operator.
    fn operand_of_set(&mut self, query: &SetExpression, around: Option<&Scope<'_>>) -> Printed {
        match query {
            SetExpression::Select(select) => {
                let (sql, outputs) = self.select(select, &[], around)?;
                let Some(top) = select.top else {
                    return Ok((sql, outputs));
                };
                Ok((wrapped(&limited(sql, Some(top.value), None)), outputs))
            }
            SetExpression::Nested(query) => {
                let (sql, outputs) = self.select_expression(query, around, None)?;
                Ok((wrapped(&sql), outputs))
            }
            SetExpression::Chain { first, rest, .. } => {
                let (mut sql, mut outputs) = self.link_of_chain(first, around)?;
                for operand in rest {
                    sql = self.set_operation(&sql, &mut outputs, operand, around)?;
                }
                Ok((sql, outputs))
            }
        }
    }

    fn link_of_chain(&mut self, query: &SetExpression, around: Option<&Scope<'_>>) -> Printed {
        let (sql, outputs) = self.operand_of_set(query, around)?;
        let chained = matches!(query, SetExpression::Chain { .. });
        Ok((if chained { wrapped(&sql) } else { sql }, outputs))
    }

    fn set_operation(
        &mut self,
        left: &str,
        left_outputs: &mut [Output],
        operand: &SetOperand,
        around: Option<&Scope<'_>>,
    ) -> Result<String, Error> {
        let (right, right_outputs) = self.link_of_chain(&operand.operand, around)?;
        if left_outputs.len() != right_outputs.len() {
            let message = format!(
                "the queries beside {} have {} and {} columns",
                operand.operator,
                left_outputs.len(),
                right_outputs.len()
            );
            return Err(self.error(operand.operand.span(), message));
        }
        for (left, right) in left_outputs.iter_mut().zip(&right_outputs) {
            left.kind = wider(left.kind, right.kind);
        }
        let all = operand.all;
        Ok(match operand.operator {
            SetOperator::Union if all => format!("{left} UNION ALL {right}"),
            SetOperator::Union => format!("{left} UNION {right}"),
            operator if all => {
                let left = numbered(left, left_outputs);
                let right = numbered(&right, &right_outputs);
                let names: Vec<String> = left_outputs
                    .iter()
                    .map(|output| quoted(&output.sql_name))
                    .collect();
                format!(
                    "SELECT {} FROM ({left} {operator} {right})",
                    names.join(", ")
                )
            }
            operator => format!("{left} {operator} {right}"),
        })
    }

    fn select(
        &mut self,
        select: &Select,
        order_by: &[OrderTerm],
        around: Option<&Scope<'_>>,
    ) -> Printed {
        let (from, rows) = self.from(&select.from, around)?;
        let scope = Scope {
            rows: &rows,
            around,
        };
        let condition = match &select.condition {
            Some(condition) => {
                let sql = self.filter(condition, Context::new(&scope, Place::Where))?;
                format!(" WHERE {sql}")
            }
            None => String::new(),
        };
        let groups = self.group_by(select, &scope)?;
        let grouped = !select.group_by.is_empty()
            || select.having.is_some()
            || has_aggregates(&select.list)
            || order_by.iter().any(|term| match &term.key {
                OrderKey::Expression(expr) => super::aggregate::is_in(expr),
                OrderKey::Ordinal(_) => false,
            });
        let mut context = Context::new(&scope, Place::Result);
        if grouped {
            context.groups = Some(&groups);
        }
        let (list, outputs) = self.select_list(select, context)?;
        let mut sql = String::from("SELECT ");
        if select.quantifier == Some(Quantifier::Distinct) {
            sql.push_str("DISTINCT ");
        }
        sql.push_str(&list.join(", "));
        sql.push_str(" FROM ");
        sql.push_str(&from);
        sql.push_str(&condition);
        if !groups.is_empty() {
            sql.push_str(" GROUP BY ");
            sql.push_str(&groups.join(", "));
        }
        if let Some(having) = &select.having {
            if groups.is_empty() && !has_aggregates(&select.list) {
                // SQLite knows HAVING without GROUP BY only after an aggregate in the list.
                sql.push_str(" GROUP BY NULL");
            }
            sql.push_str(" HAVING ");
            sql.push_str(&self.filter(having, context)?);
        }
        let terms = self.order_by(order_by, &outputs, context)?;
        if !terms.is_empty() {
            sql.push_str(" ORDER BY ");
            sql.push_str(&terms.join(", "));
        }
        Ok((sql, outputs))
    }

    fn select_list(
        &mut self,
        select: &Select,
        context: Context<'_>,
    ) -> Result<(Vec<String>, Vec<Output>), Error> {
        let mut list = Vec::with_capacity(select.list.len());
        let mut outputs: Vec<Output> = Vec::with_capacity(select.list.len());
        let mut names = Names::default();
        let mut add = |name: String, value: Value| {
            let sql_name = names.unique(&name);
            list.push(format!("{} AS {}", value.sql, quoted(&sql_name)));
            outputs.push(Output {
                name,
                sql_name,
                kind: value.kind,
                origin: value.origin,
            });
        };
        self.at_most(MAX_COLUMNS, select.list.len(), "columns", select.span)?;
        for item in &select.list {
            match item {
                SelectItem::Asterisk { span } => {
                    for column in &context.scope.rows.columns {
                        self.grouped_column(column, context, *span)?;
                        add(column.name.clone(), column.value.clone());
                    }
                }
                SelectItem::QualifiedAsterisk { qualifier, span } => {
                    let tables = context.scope.tables(qualifier);
                    let [table] = tables.as_slice() else {
                        return Err(self.no_such_relation(qualifier, *span, context.scope));
                    };
                    for column in &table.columns {
                        self.grouped_column(column, context, *span)?;
                        add(column.name.clone(), column.value.clone());
                    }
                }
                SelectItem::Expression { expr, alias, .. } => {
                    let value = self.expr(expr, context)?;
                    let name = match alias {
                        Some(alias) => alias.text.clone(),
                        None => self.implied_name(expr, context),
                    };
                    add(name, value);
                }
            }
        }
        self.at_most(MAX_COLUMNS, outputs.len(), "columns", select.span)?;
        Ok((list, outputs))
    }

    /// The name of a value that has none: its column's, or its function's.
    fn implied_name(&self, expr: &Expr, context: Context<'_>) -> String {
        match expr {
            Expr::Column(reference) => match context.scope.find(reference) {
                Found::Column(column, _) => column.name.clone(),
                _ => reference.name.text.clone(),
            },
            Expr::Aggregate { function, .. } => function.name().to_ascii_lowercase(),
            Expr::Call(call) => match &call.function {
                Function::Standard(function) => function.name().to_ascii_lowercase(),
                Function::User(name) => name.text.clone(),
            },
            Expr::Cast { value, .. } => self.implied_name(value, context),
            Expr::Case { .. } => "case".to_owned(),
            _ => "expr".to_owned(),
        }
    }

    fn group_by(&mut self, select: &Select, scope: &Scope<'_>) -> Result<Vec<String>, Error> {
        self.at_most(
            MAX_COLUMNS,
            select.group_by.len(),
            "terms of GROUP BY",
            select.span,
        )?;
        let context = Context::new(scope, Place::GroupBy);
        let mut groups = Vec::with_capacity(select.group_by.len());
        for term in &select.group_by {
            let named = match term {
                Expr::Column(reference) if reference.qualifier.is_empty() => {
                    match scope.find(reference) {
                        Found::NoColumn => aliased(
                            &select.list,
                            reference.name.text.as_str(),
                            reference.name.delimited,
                        ),
                        _ => None,
                    }
                }
                _ => None,
            };
            groups.push(self.expr(named.unwrap_or(term), context)?.sql);
        }
        Ok(groups)
    }

    fn order_by(
        &mut self,
        terms: &[OrderTerm],
        outputs: &[Output],
        context: Context<'_>,
    ) -> Result<Vec<String>, Error> {
        let mut printed = Vec::with_capacity(terms.len());
        for term in terms {
            let key = match self.output_position(&term.key, outputs)? {
                Some(position) => position.to_string(),
                None => match &term.key {
                    OrderKey::Expression(expr) => self.expr(expr, context)?.sql,
                    OrderKey::Ordinal(ordinal) => ordinal.value.to_string(),
                },
            };
            printed.push(directed(key, term.direction));
        }
        Ok(printed)
    }

    /// `ORDER BY` of a set operation: by result columns only.
    fn order_by_outputs(
        &self,
        terms: &[OrderTerm],
        outputs: &[Output],
    ) -> Result<Vec<String>, Error> {
        let mut printed = Vec::with_capacity(terms.len());
        for term in terms {
            let Some(position) = self.output_position(&term.key, outputs)? else {
                let message = "the result of a set operation is sorted by its columns only";
                return Err(self
                    .error(term.span, message)
                    .with_hint("name a column of the first query, or give its position"));
            };
            printed.push(directed(position.to_string(), term.direction));
        }
        Ok(printed)
    }

    /// The position of the result column that the key is, from 1.
    fn output_position(&self, key: &OrderKey, outputs: &[Output]) -> Result<Option<usize>, Error> {
        let reference = match key {
            OrderKey::Ordinal(ordinal) => {
                let position = usize::try_from(ordinal.value).unwrap_or(usize::MAX);
                if (1..=outputs.len()).contains(&position) {
                    return Ok(Some(position));
                }
                let message = format!(
                    "ORDER BY {position}, but the result has {} columns",
                    outputs.len()
                );
                return Err(self.error(ordinal.span, message));
            }
            OrderKey::Expression(Expr::Column(reference)) if reference.qualifier.is_empty() => {
                reference
            }
            OrderKey::Expression(_) => return Ok(None),
        };
        let mut named = outputs
            .iter()
            .enumerate()
            .filter(|(_, output)| reference.name.means(&output.name))
            .map(|(index, _)| index + 1);
        let first = named.next();
        if first.is_some() && named.next().is_some() {
            let message = format!("two result columns are called `{}`", reference.name.text);
            return Err(self
                .error(reference.span, message)
                .with_hint("give one another name with AS, or sort by position"));
        }
        Ok(first)
    }
}

fn has_aggregates(list: &[SelectItem]) -> bool {
    list.iter().any(|item| match item {
        SelectItem::Expression { expr, .. } => super::aggregate::is_in(expr),
        _ => false,
    })
}

/// The value of the select list that is called so.
fn aliased<'a>(list: &'a [SelectItem], name: &str, exact: bool) -> Option<&'a Expr> {
    list.iter().find_map(|item| match item {
        SelectItem::Expression {
            expr,
            alias: Some(alias),
            ..
        } => {
            let same = if exact {
                alias.text == name
            } else {
                alias.text.eq_ignore_ascii_case(name)
            };
            same.then_some(expr)
        }
        _ => None,
    })
}

/// The names of the columns of one result, which have to differ for SQLite, case aside.
#[derive(Debug, Default)]
struct Names {
    taken: HashSet<String>,
    /// How often each was asked for.
    asked: HashMap<String, usize>,
}

impl Names {
    fn unique(&mut self, name: &str) -> String {
        let folded = name.to_ascii_lowercase();
        loop {
            let asked = self.asked.entry(folded.clone()).or_default();
            *asked += 1;
            let candidate = if *asked == 1 {
                name.to_owned()
            } else {
                format!("{name}:{asked}")
            };
            if self.taken.insert(candidate.to_ascii_lowercase()) {
                return candidate;
            }
        }
    }
}

fn least(first: Option<u64>, second: Option<u64>) -> Option<u64> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first.min(second)),
        (first, second) => first.or(second),
    }
}

/// SQLite has no `OFFSET` without `LIMIT`, and numbers are signed.
fn limited(sql: String, rows: Option<u64>, offset: Option<u64>) -> String {
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    match (rows, offset) {
        (None, None) => sql,
        (Some(rows), None) => format!("{sql} LIMIT {}", signed(rows)),
        (None, Some(offset)) => format!("{sql} LIMIT -1 OFFSET {}", signed(offset)),
        (Some(rows), Some(offset)) => {
            format!("{sql} LIMIT {} OFFSET {}", signed(rows), signed(offset))
        }
    }
}

fn wrapped(sql: &str) -> String {
    format!("SELECT * FROM ({sql})")
}

/// The rows with a number that tells duplicates apart.
fn numbered(sql: &str, outputs: &[Output]) -> String {
    let names: Vec<String> = outputs
        .iter()
        .map(|output| quoted(&output.sql_name))
        .collect();
    let names = names.join(", ");
    format!("SELECT {names}, row_number() OVER (PARTITION BY {names}) FROM ({sql})")
}

fn directed(key: String, direction: Option<Direction>) -> String {
    match direction {
        Some(Direction::Descending) => format!("{key} DESC"),
        _ => key,
    }
}
