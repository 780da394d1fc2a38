//! What makes a condition of values: comparisons, `BETWEEN`, `IN`, `LIKE`, `IS NULL`.

use super::{
    Parsed, Parser,
    expression::{Infix, Node, first_line},
};
use crate::{
    Error,
    ast::{Condition, Expr, ExtensionKind, InSet},
    lexer::Symbol,
};

impl Parser<'_> {
    pub(super) fn predicate(
        &mut self,
        left: Node,
        infix: Infix,
        negated: bool,
        start: usize,
    ) -> Parsed<Node> {
        let value = match left {
            Node::Value(value) => value,
            Node::Condition(condition) => {
                let found = self.describe(self.peek());
                let message = format!("found {found} after a condition, expected AND or OR");
                return Err(
                    Error::new(self.source, self.peek().span, message).with_hint(format!(
                        "`{}` is true or false; write a <= x AND x <= b, or x BETWEEN a AND b",
                        first_line(condition.span().text(self.source))
                    )),
                );
            }
        };
        if negated {
            self.advance();
        }
        self.advance();
        let condition = match infix {
            Infix::Compare(operator) => {
                self.no_quantified_subquery()?;
                let right = self.boxed_value("a value to compare with")?;
                Condition::Comparison {
                    left: value,
                    operator,
                    right,
                    span: self.span_from(start),
                }
            }
            Infix::Between => {
                let low = self.boxed_value("a lower bound")?;
                if !self.eat_word("AND") {
                    return Err(self.unexpected("AND and an upper bound"));
                }
                let high = self.boxed_value("an upper bound")?;
                Condition::Between {
                    value,
                    negated,
                    low,
                    high,
                    span: self.span_from(start),
                }
            }
            Infix::In => {
                let set = self.in_set()?;
                Condition::In {
                    value,
                    negated,
                    set,
                    span: self.span_from(start),
                }
            }
            Infix::Like { case_insensitive } => {
                self.no_geometry(&value, "LIKE")?;
                let pattern = self.boxed_value("a pattern")?;
                self.no_geometry(&pattern, "LIKE")?;
                if self.at_word("ESCAPE") {
                    return Err(self
                        .unexpected("AND, OR or the next clause")
                        .with_hint("ADQL has no ESCAPE: _ and % are always wildcards"));
                }
                let span = self.span_from(start);
                Condition::Like {
                    value,
                    negated,
                    case_insensitive,
                    pattern,
                    span,
                }
            }
            _ => self.null_test(value, start)?,
        };
        Ok(Node::Condition(Box::new(condition)))
    }

    fn null_test(&mut self, value: Box<Expr>, start: usize) -> Parsed<Condition> {
        let negated = self.eat_word("NOT");
        if !self.eat_word("NULL") {
            return Err(self.unexpected("NULL or NOT NULL after IS"));
        }
        let span = self.span_from(start);
        if !matches!(*value, Expr::Column(_)) {
            self.extension(ExtensionKind::NullTestOfExpression, span);
        }
        Ok(Condition::IsNull {
            value,
            negated,
            span,
        })
    }

    fn no_quantified_subquery(&self) -> Parsed<()> {
        if self.at_any_word(&["ALL", "ANY", "SOME"]) {
            return Err(self
                .unexpected("a value to compare with")
                .with_hint("ADQL has no ALL, ANY or SOME: use IN, EXISTS, or MAX or MIN"));
        }
        Ok(())
    }

    fn in_set(&mut self) -> Parsed<InSet> {
        if !self.at(Symbol::LeftParen) {
            return Err(self.unexpected("( and a list of values or a subquery after IN"));
        }
        if self.word_at(1, "SELECT") {
            return self
                .subquery("(")
                .map(|query| InSet::Query(Box::new(query)));
        }
        self.eat(Symbol::LeftParen);
        let mut values = vec![self.value("a value or SELECT")?];
        while self.eat(Symbol::Comma) {
            values.push(self.value("a value after the comma")?);
        }
        self.expect(Symbol::RightParen, "a comma or a closing parenthesis")?;
        if values.len() == 1
            && let Some(Expr::Subquery { .. }) = values.first()
            && let Some(Expr::Subquery { query, span }) = values.pop()
        {
            // `IN ((SELECT ...))` holds rows, not one value.
            self.no_scalar_subquery(span);
            return Ok(InSet::Query(query));
        }
        Ok(InSet::Values(values))
    }
}
