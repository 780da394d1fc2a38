//! Values.

use super::{
    Printer, aggregate,
    query::Output,
    schema::Kind,
    scope::{Column, Found, Scope, Value, adql_name, string_literal},
};
use crate::{
    Error, Span,
    ast::{
        Aggregate, CaseBranch, CaseTest, ColumnReference, DataType, Expr, Identifier, Literal,
        NumberForm, Operator, Quantifier, SelectExpression, Sign,
    },
    nearest::nearest,
};

/// How many values are printed at most, repetitions included: far more than any query within the
/// length limit has without them.
const MAX_STEPS: usize = 2_000_000;

/// The longest SQL of one value, in bytes.
const MAX_SQL_LENGTH: usize = 4 << 20;

/// The clause a value stands in, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Join,
    Where,
    GroupBy,
    /// Select list, `HAVING` and `ORDER BY`.
    Result,
    Aggregate,
}

/// What is known at the place of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) place: Place,
    /// The printed terms of `GROUP BY`, where only these and aggregates may stand.
    pub(super) groups: Option<&'a [String]>,
}

impl<'a> Context<'a> {
    pub(super) fn new(scope: &'a Scope<'a>, place: Place) -> Self {
        Self {
            scope,
            place,
            groups: None,
        }
    }
}

impl Printer<'_> {
    pub(super) fn one_column(
        &mut self,
        query: &SelectExpression,
        context: Context<'_>,
    ) -> Result<(String, Output), Error> {
        let (sql, mut outputs) = self.select_expression(query, Some(context.scope), None)?;
        match (outputs.pop(), outputs.len()) {
            (Some(output), 0) => Ok((sql, output)),
            (_, others) => {
                let message = format!("the subquery has {} columns, expected one", others + 1);
                Err(self.error(query.span, message))
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr, context: Context<'_>) -> Result<Value, Error> {
        // Some values are printed more than once, and so is what is nested in them.
        self.steps += 1;
        let value = self.value(expr, context)?;
        if self.steps > MAX_STEPS || value.sql.len() > MAX_SQL_LENGTH {
            return Err(self.error(expr.span(), "the query is too complex to be run"));
        }
        Ok(value)
    }

    fn value(&mut self, expr: &Expr, context: Context<'_>) -> Result<Value, Error> {
        if let Some(value) = self.group_term(expr, context)? {
            return Ok(value);
        }
        match expr {
            Expr::Literal(literal) => Ok(literal_value(literal)),
            Expr::Column(reference) => self.column(reference, context),
            Expr::Unary {
                operator, operand, ..
            } => {
                let value = self.number(operand, context)?;
                let sign = match operator {
                    Sign::Plus => '+',
                    Sign::Minus => '-',
                    Sign::BitNot => '~',
                };
                Ok(Value::computed(
                    format!("({sign}{})", value.sql),
                    value.kind,
                ))
            }
            Expr::Chain { first, rest, .. } => self.chain(first, rest, context),
            Expr::Aggregate {
                function,
                quantifier,
                argument,
                span,
            } => self.aggregate(*function, *quantifier, argument.as_deref(), *span, context),
            Expr::Call(call) => self.call(call, context),
            Expr::Cast { value, target, .. } => self.cast(value, *target, context),
            Expr::Case {
                operand,
                branches,
                otherwise,
                ..
            } => self.case(operand.as_deref(), branches, otherwise.as_deref(), context),
            Expr::Subquery { query, .. } => {
                let (sql, output) = self.one_column(query, context)?;
                Ok(Value::computed(format!("({sql})"), output.kind))
            }
        }
    }

    /// The value, when it is a term of `GROUP BY` as a whole: `FLOOR(x)` after `GROUP BY FLOOR(x)`.
    fn group_term(&mut self, expr: &Expr, context: Context<'_>) -> Result<Option<Value>, Error> {
        let Some(groups) = context.groups else {
            return Ok(None);
        };
        // A term of an expression is printed with a parenthesis; one of a column is not.
        let computed = groups.iter().any(|group| group.ends_with(')'));
        if !computed || matches!(expr, Expr::Column(_) | Expr::Literal(_)) || aggregate::is_in(expr)
        {
            return Ok(None);
        }
        let value = self.expr(
            expr,
            Context {
                groups: None,
                ..context
            },
        )?;
        Ok(groups.contains(&value.sql).then_some(value))
    }

    fn column(&self, reference: &ColumnReference, context: Context<'_>) -> Result<Value, Error> {
        match context.scope.find(reference) {
            Found::Column(column, own) => {
                if own {
                    self.grouped_column(column, context, reference.span)?;
                }
                Ok(column.value.clone())
            }
            found => Err(self.unresolved(reference, &found, context.scope)),
        }
    }

    /// In a grouped query a column has one value a group only when the query is grouped by it.
    pub(super) fn grouped_column(
        &self,
        column: &Column,
        context: Context<'_>,
        span: Span,
    ) -> Result<(), Error> {
        match context.groups {
            Some(groups) if !groups.contains(&column.value.sql) => {
                let name = adql_name(&column.name);
                let message = format!("`{name}` is neither in GROUP BY nor inside an aggregate");
                Err(self.error(span, message).with_hint(format!(
                    "add it to GROUP BY, or write for example MIN({name})"
                )))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn unresolved(
        &self,
        reference: &ColumnReference,
        found: &Found<'_>,
        scope: &Scope<'_>,
    ) -> Error {
        let name = &reference.name;
        match found {
            Found::Ambiguous(candidates) => {
                let message = format!(
                    "`{}` may be {}",
                    reference.span.text(self.source),
                    candidates.join(" or ")
                );
                self.error(reference.span, message)
                    .with_hint("name its table: t.column")
            }
            Found::NoTable if !reference.qualifier.is_empty() => {
                self.no_such_relation(&reference.qualifier, reference.span, scope)
            }
            _ => {
                let tables: Vec<String> = scope
                    .relations()
                    .filter(|relation| {
                        reference.qualifier.is_empty()
                            || scope
                                .tables(&reference.qualifier)
                                .iter()
                                .any(|table| table.name == relation.name)
                    })
                    .map(|relation| relation.name.join("."))
                    .collect();
                let message = format!(
                    "there is no column `{}` in {}",
                    name.text,
                    tables.join(", ")
                );
                let error = self.error(name.span, message);
                let columns = scope
                    .relations()
                    .filter(|relation| tables.contains(&relation.name.join(".")))
                    .flat_map(|relation| &relation.columns)
                    .map(|column| column.name.as_str());
                match nearest(&name.text, columns) {
                    Some(meant) => error.with_hint(format!("did you mean {}?", adql_name(meant))),
                    None => error,
                }
            }
        }
    }

    pub(super) fn no_such_relation(
        &self,
        qualifier: &[Identifier],
        span: Span,
        scope: &Scope<'_>,
    ) -> Error {
        let wanted = qualifier
            .iter()
            .map(|part| part.text.as_str())
            .collect::<Vec<_>>()
            .join(".");
        let first = qualifier.first().map_or(span, |part| part.span);
        let span = qualifier.last().map_or(first, |last| first.to(last.span));
        let names: Vec<String> = scope
            .relations()
            .map(|relation| relation.name.join("."))
            .collect();
        let error = self.error(span, format!("there is no table `{wanted}` in FROM"));
        if let Some(hiding) = scope.relations().find(|relation| relation.hides(qualifier)) {
            let name = hiding.name.join(".");
            return error.with_hint(format!("it is called {name} in this query: write {name}"));
        }
        match nearest(&wanted, names.iter().map(String::as_str)) {
            Some(meant) => error.with_hint(format!("did you mean {meant}?")),
            None => error.with_hint(format!("FROM has {}", names.join(", "))),
        }
    }

    /// A value that has to be a number.
    pub(super) fn number(&mut self, expr: &Expr, context: Context<'_>) -> Result<Value, Error> {
        let value = self.expr(expr, context)?;
        match value.kind {
            Some(Kind::Text | Kind::Timestamp) => match expr {
                Expr::Literal(Literal::String(string))
                    if string.value.trim().parse::<f64>().is_ok_and(f64::is_finite) =>
                {
                    Ok(Value::computed(string.value.trim(), Kind::Double))
                }
                _ => Err(self
                    .error(expr.span(), "found text, expected a number")
                    .with_hint("convert it: CAST(... AS DOUBLE PRECISION)")),
            },
            Some(kind) if kind.is_geometry() => {
                Err(self.error(expr.span(), "found a geometry, expected a number"))
            }
            _ => Ok(value),
        }
    }

    fn chain(
        &mut self,
        first: &Expr,
        rest: &[(Operator, Expr)],
        context: Context<'_>,
    ) -> Result<Value, Error> {
        let concatenates = matches!(rest.first(), Some((Operator::Concat, _)));
        let operand = |printer: &mut Self, expr: &Expr| {
            if concatenates {
                printer.expr(expr, context)
            } else {
                printer.number(expr, context)
            }
        };
        let mut result = operand(self, first)?;
        let mut flat = result.sql;
        for (operator, right) in rest {
            let right = operand(self, right)?;
            let kind = kind_of(*operator, result.kind, right.kind);
            flat = match operator {
                Operator::BitXor => format!("adql_xor({flat}, {})", right.sql),
                // SQLite's `%` makes whole numbers of its operands.
                Operator::Modulo if !kind.is_some_and(Kind::is_integer) => {
                    format!("adql_mod({flat}, {})", right.sql)
                }
                _ => format!("{flat} {} {}", operator.symbol(), right.sql),
            };
            result = Value::computed(String::new(), kind);
        }
        result.sql = format!("({flat})");
        Ok(result)
    }

    fn aggregate(
        &mut self,
        function: Aggregate,
        quantifier: Option<Quantifier>,
        argument: Option<&Expr>,
        span: Span,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        match context.place {
            Place::Result => {}
            Place::Aggregate => {
                return Err(self.error(span, "an aggregate cannot stand inside another"));
            }
            Place::Where | Place::Join | Place::GroupBy => {
                return Err(self
                    .error(span, "an aggregate cannot stand in WHERE, ON or GROUP BY")
                    .with_hint("conditions on groups stand in HAVING"));
            }
        }
        let Some(argument) = argument else {
            return Ok(Value::computed("count(*)", Kind::BigInt));
        };
        let inner = Context {
            place: Place::Aggregate,
            groups: None,
            ..context
        };
        let value = match function {
            Aggregate::Avg | Aggregate::Sum => self.number(argument, inner)?,
            _ => self.expr(argument, inner)?,
        };
        let kind = match function {
            Aggregate::Count => Some(Kind::BigInt),
            Aggregate::Avg => Some(Kind::Double),
            Aggregate::Sum if value.kind.is_some_and(Kind::is_integer) => Some(Kind::BigInt),
            Aggregate::Sum => Some(Kind::Double),
            Aggregate::Min | Aggregate::Max => value.kind,
        };
        let distinct = if quantifier == Some(Quantifier::Distinct) {
            "DISTINCT "
        } else {
            ""
        };
        let name = function.name().to_ascii_lowercase();
        Ok(Value::computed(
            format!("{name}({distinct}{})", value.sql),
            kind,
        ))
    }

    fn cast(
        &mut self,
        expr: &Expr,
        target: DataType,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        let value = self.expr(expr, context)?;
        let sql = value.sql;
        let text = |length: Option<u64>| match length {
            Some(length) => format!("substr(CAST({sql} AS TEXT), 1, {length})"),
            None => format!("CAST({sql} AS TEXT)"),
        };
        let geometry = |kind: Kind, word: &str| {
            if value.kind.is_some_and(Kind::is_geometry) {
                Value::computed(sql.clone(), kind)
            } else {
                Value::computed(format!("adql_region('{word} ICRS ' || {sql})"), kind)
            }
        };
        Ok(match target {
            DataType::SmallInt => {
                Value::computed(format!("adql_to_integer({sql}, 16)"), Kind::SmallInt)
            }
            DataType::Integer => {
                Value::computed(format!("adql_to_integer({sql}, 32)"), Kind::Integer)
            }
            DataType::BigInt => {
                Value::computed(format!("adql_to_integer({sql}, 64)"), Kind::BigInt)
            }
            DataType::Real => Value::computed(format!("adql_to_real({sql}, 32)"), Kind::Real),
            DataType::Double => Value::computed(format!("adql_to_real({sql}, 64)"), Kind::Double),
            // SQL-92: CHAR without a length is one character.
            DataType::Char(length) => Value::computed(
                text(Some(length.map_or(1, |length| length.value))),
                Kind::Text,
            ),
            DataType::Varchar(length) => {
                Value::computed(text(length.map(|length| length.value)), Kind::Text)
            }
            DataType::Timestamp => Value::computed(text(None), Kind::Timestamp),
            DataType::Point => geometry(Kind::Point, "POINT"),
            DataType::Circle => geometry(Kind::Circle, "CIRCLE"),
            DataType::Polygon => geometry(Kind::Polygon, "POLYGON"),
        })
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        branches: &[CaseBranch],
        otherwise: Option<&Expr>,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        let mut sql = String::from("(CASE");
        let tested = match operand {
            Some(operand) => {
                let value = self.expr(operand, context)?;
                sql.push(' ');
                sql.push_str(&value.sql);
                Some(value)
            }
            None => None,
        };
        let mut kind = None;
        for branch in branches {
            let when = match (&branch.when, &tested) {
                (CaseTest::Condition(condition), _) => self.condition(condition, context)?,
                (CaseTest::Value(value), Some(tested)) => {
                    self.comparable(value, tested, context)?
                }
                (CaseTest::Value(value), None) => self.expr(value, context)?.sql,
            };
            let then = self.expr(&branch.then, context)?;
            sql.push_str(&format!(" WHEN {when} THEN {}", then.sql));
            kind = wider(kind, then.kind);
        }
        if let Some(otherwise) = otherwise {
            let value = self.expr(otherwise, context)?;
            sql.push_str(&format!(" ELSE {}", value.sql));
            kind = wider(kind, value.kind);
        }
        sql.push_str(" END)");
        Ok(Value::computed(sql, kind))
    }
}

fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Number { text, form, .. } => {
            let kind = match form {
                NumberForm::Integer => match text.parse::<i64>() {
                    Ok(number) if i32::try_from(number).is_ok() => Kind::Integer,
                    Ok(_) => Kind::BigInt,
                    // SQLite reads it as a double too.
                    Err(_) => Kind::Double,
                },
                NumberForm::Hexadecimal => Kind::BigInt,
                NumberForm::Decimal | NumberForm::Approximate => Kind::Double,
            };
            Value::computed(text.clone(), kind)
        }
        Literal::String(string) => Value::computed(string_literal(&string.value), Kind::Text),
        Literal::Null { .. } => Value::computed("NULL", None),
        Literal::Boolean { value, .. } => {
            Value::computed(if *value { "1" } else { "0" }, Kind::Boolean)
        }
    }
}

fn kind_of(operator: Operator, left: Option<Kind>, right: Option<Kind>) -> Option<Kind> {
    match operator {
        Operator::Concat => Some(Kind::Text),
        Operator::BitAnd | Operator::BitOr | Operator::BitXor => Some(Kind::BigInt),
        _ => match (left, right) {
            (Some(left), Some(right)) if left.is_integer() && right.is_integer() => {
                wider(Some(left), Some(right))
            }
            (Some(Kind::Boolean), Some(Kind::Boolean)) => Some(Kind::Integer),
            _ => Some(Kind::Double),
        },
    }
}

/// The kind that holds the values of both.
pub(super) fn wider(left: Option<Kind>, right: Option<Kind>) -> Option<Kind> {
    let (Some(left), Some(right)) = (left, right) else {
        return left.or(right);
    };
    let rank = |kind: Kind| match kind {
        Kind::Boolean => 0,
        Kind::SmallInt => 1,
        Kind::Integer => 2,
        Kind::BigInt => 3,
        Kind::Real => 4,
        Kind::Double => 5,
        Kind::Timestamp => 6,
        Kind::Text => 9,
        Kind::Point | Kind::Circle | Kind::Polygon => 7,
        Kind::Region => 8,
    };
    Some(match (left, right) {
        (left, right) if left == right => left,
        // Single precision does not hold all whole numbers of 32 bits.
        (Kind::Real, Kind::Integer | Kind::BigInt) | (Kind::Integer | Kind::BigInt, Kind::Real) => {
            Kind::Double
        }
        (left, right) if left.is_geometry() && right.is_geometry() => Kind::Region,
        (left, right) if rank(left) >= rank(right) => left,
        (_, right) => right,
    })
}
