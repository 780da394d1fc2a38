//! Conditions.

use super::{Printer, expression::Context, schema::Kind, scope::Value};
use crate::{
    Error,
    ast::{ColumnReference, Comparison, Condition, Expr, InSet, Literal},
};

impl Printer<'_> {
    /// A condition whose truth alone matters, as in `WHERE`: indexes are put to use.
    pub(super) fn filter(
        &mut self,
        condition: &Condition,
        context: Context<'_>,
    ) -> Result<String, Error> {
        match condition {
            Condition::And { terms, .. } => self.terms(terms, " AND ", context, Self::filter),
            Condition::Or { terms, .. } => self.terms(terms, " OR ", context, Self::filter),
            other => {
                let sql = self.condition(other, context)?;
                Ok(match self.band(other, context)? {
                    Some(band) => format!("({band} AND {sql})"),
                    None => sql,
                })
            }
        }
    }

    pub(super) fn condition(
        &mut self,
        condition: &Condition,
        context: Context<'_>,
    ) -> Result<String, Error> {
        let not = |negated: bool| if negated { "NOT " } else { "" };
        Ok(match condition {
            Condition::And { terms, .. } => self.terms(terms, " AND ", context, Self::condition)?,
            Condition::Or { terms, .. } => self.terms(terms, " OR ", context, Self::condition)?,
            Condition::Not { condition, .. } => {
                format!("(NOT {})", self.condition(condition, context)?)
            }
            Condition::Comparison {
                left,
                operator,
                right,
                ..
            } => self.comparison(left, *operator, right, context)?,
            Condition::Between {
                value,
                negated,
                low,
                high,
                ..
            } => {
                let tested = self.expr(value, context)?;
                let low = self.comparable(low, &tested, context)?;
                let high = self.comparable(high, &tested, context)?;
                format!("({} {}BETWEEN {low} AND {high})", tested.sql, not(*negated))
            }
            Condition::In {
                value,
                negated,
                set,
                ..
            } => {
                let tested = self.expr(value, context)?;
                let set = self.in_set(set, &tested, context)?;
                format!("({} {}IN ({set}))", tested.sql, not(*negated))
            }
            Condition::Like {
                value,
                negated,
                case_insensitive,
                pattern,
                ..
            } => {
                let value = self.text(value, context)?;
                let pattern = self.text(pattern, context)?;
                let function = if *case_insensitive {
                    "adql_ilike"
                } else {
                    "adql_like"
                };
                format!("({}{function}({value}, {pattern}))", not(*negated))
            }
            Condition::IsNull { value, negated, .. } => {
                let value = self.expr(value, context)?;
                format!("({} IS {}NULL)", value.sql, not(*negated))
            }
            Condition::Exists { query, .. } => {
                let (sql, _) = self.select_expression(query, Some(context.scope), None)?;
                format!("EXISTS ({sql})")
            }
        })
    }

    fn terms(
        &mut self,
        terms: &[Condition],
        operator: &str,
        context: Context<'_>,
        print: impl Fn(&mut Self, &Condition, Context<'_>) -> Result<String, Error>,
    ) -> Result<String, Error> {
        let mut printed = Vec::with_capacity(terms.len());
        for term in terms {
            printed.push(print(self, term, context)?);
        }
        Ok(balanced(&printed, operator))
    }

    fn in_set(
        &mut self,
        set: &InSet,
        tested: &Value,
        context: Context<'_>,
    ) -> Result<String, Error> {
        match set {
            InSet::Values(values) => {
                let mut printed = Vec::with_capacity(values.len());
                for value in values {
                    printed.push(self.comparable(value, tested, context)?);
                }
                Ok(printed.join(", "))
            }
            InSet::Query(query) => self.one_column(query, context).map(|(sql, _)| sql),
        }
    }

    fn comparison(
        &mut self,
        left: &Expr,
        operator: Comparison,
        right: &Expr,
        context: Context<'_>,
    ) -> Result<String, Error> {
        let (left_sql, right_sql) = if matches!(left, Expr::Literal(_)) {
            let tested = self.expr(right, context)?;
            (self.comparable(left, &tested, context)?, tested.sql)
        } else {
            let tested = self.expr(left, context)?;
            let right = self.comparable(right, &tested, context)?;
            (tested.sql, right)
        };
        Ok(format!("({left_sql} {} {right_sql})", operator.symbol()))
    }

    /// A value that is compared with `tested`. SQLite compares anything with anything and calls
    /// text and numbers different; what a typed database refuses is refused here too, and a number
    /// in quotes is a number.
    pub(super) fn comparable(
        &mut self,
        expr: &Expr,
        tested: &Value,
        context: Context<'_>,
    ) -> Result<String, Error> {
        let value = self
            .expr(expr, context)
            .map_err(|error| self.text_meant(expr, error))?;
        let Some(kind) = tested.kind else {
            return Ok(value.sql);
        };
        if let Expr::Literal(Literal::String(string)) = expr {
            if kind == Kind::Boolean {
                return match string.value.trim().to_ascii_lowercase().as_str() {
                    "1" | "t" | "true" => Ok("1".to_owned()),
                    "0" | "f" | "false" => Ok("0".to_owned()),
                    _ => Err(self
                        .error(
                            string.span,
                            format!("'{}' is neither true nor false", string.value),
                        )
                        .with_hint("compare with 1 or 0")),
                };
            }
            if kind.is_number() {
                return match string.value.trim().parse::<f64>() {
                    Ok(number) if number.is_finite() => Ok(string.value.trim().to_owned()),
                    _ => Err(self.error(
                        string.span,
                        format!("found text, expected a number: '{}' is none", string.value),
                    )),
                };
            }
            return Ok(value.sql);
        }
        let numbers = |kind: Kind| kind.is_number() || kind == Kind::Boolean;
        let texts = |kind: Kind| matches!(kind, Kind::Text | Kind::Timestamp);
        match value.kind {
            Some(other) if texts(kind) && numbers(other) => {
                let error =
                    self.error(expr.span(), "found a number, expected text to compare with");
                Err(if matches!(expr, Expr::Literal(_)) {
                    error.with_hint(format!("write '{}'", expr.span().text(self.source)))
                } else {
                    error.with_hint("convert it: CAST(... AS VARCHAR)")
                })
            }
            Some(other) if numbers(kind) && texts(other) => {
                Err(self.error(expr.span(), "found text, expected a number to compare with"))
            }
            _ => Ok(value.sql),
        }
    }

    /// `name = "M 87"`: what should be text was quoted as a name.
    fn text_meant(&self, expr: &Expr, error: Error) -> Error {
        match expr {
            Expr::Column(ColumnReference {
                qualifier, name, ..
            }) if qualifier.is_empty() && name.delimited && error.span() == name.span => {
                let text = name.text.replace('\'', "''");
                error.with_hint(format!("text stands in single quotes: '{text}'"))
            }
            _ => error,
        }
    }

    fn text(&mut self, expr: &Expr, context: Context<'_>) -> Result<String, Error> {
        let value = self
            .expr(expr, context)
            .map_err(|error| self.text_meant(expr, error))?;
        match value.kind {
            Some(kind) if kind.is_number() || kind == Kind::Boolean => Err(self
                .error(expr.span(), "found a number, expected text")
                .with_hint("convert it: CAST(... AS VARCHAR)")),
            _ => Ok(value.sql),
        }
    }
}

/// The terms joined as a tree of the least depth: SQLite limits the depth of a chain to 1,000.
fn balanced(terms: &[String], operator: &str) -> String {
    if terms.len() <= 100 {
        return format!("({})", terms.join(operator));
    }
    let (left, right) = terms.split_at(terms.len() / 2);
    format!(
        "({}{operator}{})",
        balanced(left, operator),
        balanced(right, operator)
    )
}
