//! Queries, set operations and their clauses.

use super::{Parsed, Parser};
use crate::{
    Error, Query, Span,
    ast::{
        CommonTable, Direction, Expr, ExtensionKind, Literal, NumberForm, OrderKey, OrderTerm,
        Quantifier, Select, SelectExpression, SelectItem, SetExpression, SetOperand, SetOperator,
        Unsigned,
    },
    lexer::{Symbol, TokenKind},
};

impl Parser<'_> {
    /// The whole text: `<query_specification>` and nothing after it.
    pub(super) fn query(&mut self) -> Parsed<Query> {
        let start = self.start();
        let with = if self.eat_word("WITH") {
            self.common_tables()?
        } else {
            Vec::new()
        };
        if !self.begins_query() {
            return Err(if with.is_empty() {
                self.no_query()
            } else {
                self.unexpected("a comma and a further common table, or SELECT")
            });
        }
        let body = self.select_expression()?;
        let span = self.span_from(start);
        self.end_of_text()?;
        Ok(Query {
            with,
            body,
            extensions: Vec::new(),
            span,
            source: self.source.to_owned(),
        })
    }

    /// The grammar has no semicolon. One at the end changes nothing and archives that follow the
    /// reference parser take it, so it is an extension and no error.
    fn end_of_text(&mut self) -> Parsed<()> {
        let span = self.peek().span;
        if self.eat(Symbol::Semicolon) {
            self.extension(ExtensionKind::TrailingSemicolon, span);
            if self.peek().kind != TokenKind::End {
                let found = self.peek();
                let message = format!("found {} after the semicolon", self.describe(found));
                return Err(Error::new(self.source, found.span, message)
                    .with_hint("one query at a time: leave out all after the first"));
            }
        }
        if self.peek().kind == TokenKind::End {
            return Ok(());
        }
        Err(self.unexpected("the end of the query or a further clause"))
    }

    fn common_tables(&mut self) -> Parsed<Vec<CommonTable>> {
        if self.at_word("RECURSIVE") && self.name_at(1) {
            let span = self.peek().span;
            return Err(
                Error::new(self.source, span, "ADQL has no recursive queries")
                    .with_hint("leave out RECURSIVE"),
            );
        }
        let mut tables = Vec::new();
        loop {
            let start = self.start();
            let name = self.identifier("a name for the common table")?;
            self.expect_word("AS")?;
            let query = self.subquery("( and a query")?;
            tables.push(CommonTable {
                name,
                query,
                span: self.span_from(start),
            });
            if !self.eat(Symbol::Comma) {
                return Ok(tables);
            }
        }
    }

    pub(super) fn begins_query(&self) -> bool {
        self.at_word("SELECT") || self.at(Symbol::LeftParen)
    }

    /// `( <select_expression> )`
    pub(super) fn subquery(&mut self, expected: &str) -> Parsed<SelectExpression> {
        self.expect(Symbol::LeftParen, expected)?;
        if !self.begins_query() {
            return Err(self.unexpected("SELECT"));
        }
        let query = self.select_expression()?;
        self.expect(
            Symbol::RightParen,
            "a closing parenthesis or a further clause",
        )?;
        Ok(query)
    }

    pub(super) fn select_expression(&mut self) -> Parsed<SelectExpression> {
        let start = self.start();
        self.nested(|parser| {
            let first = parser.set_primary()?;
            parser.select_expression_from(first, start)
        })
    }

    /// What may follow the first operand that stands at `start`.
    pub(super) fn select_expression_from(
        &mut self,
        first: SetExpression,
        start: usize,
    ) -> Parsed<SelectExpression> {
        let first = self.intersections(first, start)?;
        let body = self.set_chain(first, start, |parser| {
            let operator = match () {
                () if parser.eat_word("UNION") => SetOperator::Union,
                () if parser.eat_word("EXCEPT") => SetOperator::Except,
                () => return Ok(None),
            };
            let all = parser.eat_word("ALL");
            let start = parser.start();
            let operand = parser.set_primary()?;
            let operand = parser.intersections(operand, start)?;
            Ok(Some(SetOperand {
                operator,
                all,
                operand,
            }))
        })?;
        let order_by = self.order_by()?;
        let offset = if self.eat_word("OFFSET") {
            Some(self.unsigned("a number of rows after OFFSET")?)
        } else {
            None
        };
        if self.at_limit() {
            return Err(self.unexpected("the end of the query"));
        }
        Ok(SelectExpression {
            body,
            order_by,
            offset,
            span: self.span_from(start),
        })
    }

    /// `INTERSECT` binds tighter than the others.
    fn intersections(&mut self, first: SetExpression, start: usize) -> Parsed<SetExpression> {
        self.set_chain(first, start, |parser| {
            if !parser.eat_word("INTERSECT") {
                return Ok(None);
            }
            let all = parser.eat_word("ALL");
            let operand = parser.set_primary()?;
            Ok(Some(SetOperand {
                operator: SetOperator::Intersect,
                all,
                operand,
            }))
        })
    }

    fn set_chain(
        &mut self,
        first: SetExpression,
        start: usize,
        mut operand: impl FnMut(&mut Self) -> Parsed<Option<SetOperand>>,
    ) -> Parsed<SetExpression> {
        let mut rest = Vec::new();
        while let Some(operand) = operand(self)? {
            rest.push(operand);
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let span = self.span_from(start);
        Ok(SetExpression::Chain {
            first: Box::new(first),
            rest,
            span,
        })
    }

    fn set_primary(&mut self) -> Parsed<SetExpression> {
        if self.at(Symbol::LeftParen) {
            let query = self.subquery("SELECT")?;
            return Ok(SetExpression::Nested(Box::new(query)));
        }
        if !self.at_word("SELECT") {
            return Err(self.unexpected("SELECT"));
        }
        Ok(SetExpression::Select(Box::new(self.select()?)))
    }

    pub(super) fn at_set_operator(&self) -> bool {
        self.at_any_word(&["UNION", "EXCEPT", "INTERSECT"])
    }

    fn select(&mut self) -> Parsed<Select> {
        let start = self.start();
        self.expect_word("SELECT")?;
        let mut quantifier = self.quantifier();
        let top = self.top()?;
        if top.is_some() && quantifier.is_none() {
            let span = self.peek().span;
            quantifier = self.quantifier();
            if quantifier.is_some() {
                self.extension(ExtensionKind::TopBeforeQuantifier, span);
            }
        }
        let list = self.select_list()?;
        self.expect_from()?;
        let from = self.table_list()?;
        let condition = if self.eat_word("WHERE") {
            Some(self.condition()?)
        } else {
            None
        };
        let group_by = self.group_by()?;
        let having = if self.eat_word("HAVING") {
            Some(self.condition()?)
        } else {
            None
        };
        let span = self.span_from(start);
        Ok(Select {
            quantifier,
            top,
            list,
            from,
            condition,
            group_by,
            having,
            span,
        })
    }

    pub(super) fn quantifier(&mut self) -> Option<Quantifier> {
        if self.eat_word("ALL") {
            Some(Quantifier::All)
        } else if self.eat_word("DISTINCT") {
            Some(Quantifier::Distinct)
        } else {
            None
        }
    }

    fn top(&mut self) -> Parsed<Option<Unsigned>> {
        if !self.eat_word("TOP") {
            return Ok(None);
        }
        let top = self.unsigned("a number of rows, in digits, after TOP")?;
        if self.at(Symbol::Comma) {
            return Err(self
                .unexpected("the select list")
                .with_hint("no comma stands between TOP n and the first column"));
        }
        Ok(Some(top))
    }

    fn select_list(&mut self) -> Parsed<Vec<SelectItem>> {
        let mut list = Vec::new();
        let mut plain_asterisk = None;
        loop {
            if self.at_word("FROM") && !list.is_empty() {
                return Err(self
                    .unexpected("a column or value after the comma")
                    .with_hint("leave out the comma before FROM"));
            }
            let item = self.select_item()?;
            if let SelectItem::Asterisk { span } = item {
                plain_asterisk = Some(span);
            }
            list.push(item);
            if !self.eat(Symbol::Comma) {
                break;
            }
        }
        if let Some(span) = plain_asterisk.filter(|_| list.len() > 1) {
            self.extension(ExtensionKind::MixedAsterisk, span);
        }
        Ok(list)
    }

    fn select_item(&mut self) -> Parsed<SelectItem> {
        let start = self.start();
        if self.at(Symbol::Asterisk) {
            return Ok(SelectItem::Asterisk {
                span: self.advance(),
            });
        }
        if let Some(parts) = self.parts_before_asterisk() {
            let mut qualifier = Vec::with_capacity(parts);
            for _ in 0..parts {
                qualifier.push(self.identifier("a table name")?);
                self.expect(Symbol::Period, "a period")?;
            }
            self.expect(Symbol::Asterisk, "an asterisk")?;
            return Ok(SelectItem::QualifiedAsterisk {
                qualifier,
                span: self.span_from(start),
            });
        }
        let expr = self.value("a column or value")?;
        let alias = if self.eat_word("AS") {
            Some(self.identifier("a name after AS")?)
        } else if self.name_at(0) && !self.at_limit() {
            Some(self.identifier("a name")?)
        } else {
            None
        };
        Ok(SelectItem::Expression {
            expr,
            alias,
            span: self.span_from(start),
        })
    }

    /// How many names, each with its period, stand before an asterisk: `schema.table.*` has two.
    fn parts_before_asterisk(&self) -> Option<usize> {
        (1..=3).find(|&parts| {
            let names = (0..parts).all(|part| {
                self.name_at(2 * part)
                    && self.peek_at(2 * part + 1).kind == TokenKind::Symbol(Symbol::Period)
            });
            let asterisk = self.peek_at(2 * parts).kind == TokenKind::Symbol(Symbol::Asterisk);
            names && asterisk
        })
    }

    fn expect_from(&mut self) -> Parsed<()> {
        if self.eat_word("FROM") {
            return Ok(());
        }
        Err(self.unexpected("a comma and a further column, or FROM"))
    }

    fn group_by(&mut self) -> Parsed<Vec<Expr>> {
        if !self.eat_word("GROUP") {
            return Ok(Vec::new());
        }
        self.expect_word("BY")?;
        let mut terms = vec![self.value("a column or value after GROUP BY")?];
        while self.eat(Symbol::Comma) {
            terms.push(self.value("a column or value after the comma")?);
        }
        Ok(terms)
    }

    fn order_by(&mut self) -> Parsed<Vec<OrderTerm>> {
        if !self.eat_word("ORDER") {
            return Ok(Vec::new());
        }
        self.expect_word("BY")?;
        let mut terms = vec![self.order_term()?];
        while self.eat(Symbol::Comma) {
            terms.push(self.order_term()?);
        }
        Ok(terms)
    }

    fn order_term(&mut self) -> Parsed<OrderTerm> {
        let start = self.start();
        let expr = self.value("a column, value or position after ORDER BY")?;
        let key = match ordinal(&expr) {
            Some((text, span)) => OrderKey::Ordinal(Unsigned {
                value: text.parse().map_err(|_| {
                    Error::new(
                        self.source,
                        span,
                        "there is no result column of this number",
                    )
                })?,
                span,
            }),
            None => OrderKey::Expression(expr),
        };
        let direction = if self.eat_word("ASC") {
            Some(Direction::Ascending)
        } else if self.eat_word("DESC") {
            Some(Direction::Descending)
        } else {
            None
        };
        if self.at_word("NULLS") {
            return Err(self
                .unexpected("the end of the query or a further clause")
                .with_hint("ADQL has no NULLS FIRST or NULLS LAST"));
        }
        Ok(OrderTerm {
            key,
            direction,
            span: self.span_from(start),
        })
    }
}

fn ordinal(expr: &Expr) -> Option<(&str, Span)> {
    match expr {
        Expr::Literal(Literal::Number {
            text,
            form: NumberForm::Integer,
            span,
        }) => Some((text, *span)),
        _ => None,
    }
}
