//! Tables and joins.

use super::{MAX_DEPTH, Parsed, Parser};
use crate::{
    Error, Span,
    ast::{
        ExtensionKind, Identifier, Join, JoinKind, JoinSpecification, SelectExpression,
        SetExpression, TableReference,
    },
    lexer::Symbol,
};

/// What a parenthesis in `FROM` turned out to hold.
enum Parenthesised {
    Query(SelectExpression),
    Table(TableReference),
}

impl Parser<'_> {
    pub(super) fn table_list(&mut self) -> Parsed<Vec<TableReference>> {
        let mut tables = vec![self.table_reference("a table after FROM")?];
        while self.eat(Symbol::Comma) {
            tables.push(self.table_reference("a table after the comma")?);
        }
        Ok(tables)
    }

    fn table_reference(&mut self, expected: &str) -> Parsed<TableReference> {
        let start = self.start();
        let first = self.table_primary(expected)?;
        self.joins(first, start)
    }

    fn table_primary(&mut self, expected: &str) -> Parsed<TableReference> {
        let start = self.start();
        if self.at(Symbol::LeftParen) {
            return match self.parenthesised()? {
                Parenthesised::Table(table) => Ok(table),
                Parenthesised::Query(query) => self.derived(query, start),
            };
        }
        let name = self.dotted(3, expected)?;
        if self.at(Symbol::LeftParen) {
            return Err(self
                .unexpected("a table")
                .with_hint("ADQL has no functions that give tables"));
        }
        if self.peek().span.start == self.end && (self.at(Symbol::Slash) || self.at(Symbol::Minus))
        {
            let rest = Span::new(start, self.source.len()).text(self.source);
            let text = rest.split(|end: char| !end.is_alphanumeric() && !"/_.+-".contains(end));
            let text = text.take(1).collect::<String>();
            return Err(self
                .unexpected("a table name of letters, digits and _")
                .with_hint(format!(
                    "a name with other characters needs quotes: \"{text}\""
                )));
        }
        let alias = self.correlation()?;
        Ok(TableReference::Table {
            name,
            alias,
            span: self.span_from(start),
        })
    }

    fn derived(&mut self, query: SelectExpression, start: usize) -> Parsed<TableReference> {
        let Some(alias) = self.correlation()? else {
            return Err(self
                .unexpected("a name for the subquery")
                .with_hint("a subquery in FROM needs a name: (SELECT ...) AS t"));
        };
        Ok(TableReference::Derived {
            query: Box::new(query),
            alias,
            span: self.span_from(start),
        })
    }

    /// `[AS] name`
    fn correlation(&mut self) -> Parsed<Option<Identifier>> {
        if self.eat_word("AS") {
            return self.identifier("a name after AS").map(Some);
        }
        if self.name_at(0) && !self.at_limit() {
            return self.identifier("a name").map(Some);
        }
        Ok(None)
    }

    /// A parenthesis holds a query or a join, and after `((` only what follows tells which.
    fn parenthesised(&mut self) -> Parsed<Parenthesised> {
        self.nested(|parser| {
            parser.expect(Symbol::LeftParen, "an opening parenthesis")?;
            let start = parser.start();
            let content = if parser.at_word("SELECT") {
                Parenthesised::Query(parser.select_expression()?)
            } else if parser.at(Symbol::LeftParen) {
                match parser.parenthesised()? {
                    Parenthesised::Query(query) => parser.after_nested_query(query, start)?,
                    Parenthesised::Table(table) => {
                        Parenthesised::Table(parser.joins(table, start)?)
                    }
                }
            } else {
                Parenthesised::Table(parser.table_reference("SELECT or a table")?)
            };
            if let Parenthesised::Table(table) = &content
                && !matches!(table, TableReference::Joined { .. })
                && parser.at(Symbol::RightParen)
            {
                let message = "parentheses in FROM hold a subquery or a join";
                return Err(Error::new(parser.source, table.span(), message)
                    .with_hint("leave out the parentheses around a single table"));
            }
            parser.expect(Symbol::RightParen, "a closing parenthesis")?;
            Ok(content)
        })
    }

    /// `((SELECT ...)` goes on as a set operation, as a table with a name, or closes.
    fn after_nested_query(
        &mut self,
        query: SelectExpression,
        start: usize,
    ) -> Parsed<Parenthesised> {
        if self.at(Symbol::RightParen)
            || self.at_set_operator()
            || self.at_any_word(&["ORDER", "OFFSET"])
        {
            let first = SetExpression::Nested(Box::new(query));
            return self
                .select_expression_from(first, start)
                .map(Parenthesised::Query);
        }
        let first = self.derived(query, start)?;
        self.joins(first, start).map(Parenthesised::Table)
    }

    fn joins(&mut self, first: TableReference, start: usize) -> Parsed<TableReference> {
        let mut joins: Vec<Join> = Vec::new();
        // A late `ON` nests what was read before it: that deepens the tree, not the stack here.
        let mut folds = 0;
        let deepest_before = std::mem::replace(&mut self.deepest, self.depth);
        loop {
            if self.at_any_word(&["ON", "USING"]) {
                if !fold_unspecified(&mut joins) {
                    return Err(self.unexpected("JOIN, or the next clause"));
                }
                folds += 1;
                if self.deepest + folds >= MAX_DEPTH {
                    let message = format!("joins nested deeper than {MAX_DEPTH} levels");
                    return Err(Error::new(self.source, self.peek().span, message));
                }
                self.specify(&mut joins)?;
                continue;
            }
            let join_start = self.start();
            let Some((natural, kind)) = self.join_words()? else {
                break;
            };
            let table = self.table_primary("a table after JOIN")?;
            let span = self.span_from(join_start);
            joins.push(Join {
                natural,
                kind,
                table,
                specification: None,
                span,
            });
            if self.at_any_word(&["ON", "USING"]) {
                self.specify(&mut joins)?;
            }
        }
        self.deepest = deepest_before.max(self.deepest + folds);
        if joins.is_empty() {
            return Ok(first);
        }
        let span = self.span_from(start);
        Ok(TableReference::Joined {
            first: Box::new(first),
            joins,
            span,
        })
    }

    fn join_words(&mut self) -> Parsed<Option<(bool, JoinKind)>> {
        let natural = self.eat_word("NATURAL");
        let span = self.peek().span;
        let kind = match () {
            () if self.eat_word("INNER") => JoinKind::Inner,
            () if self.eat_word("LEFT") => JoinKind::Left,
            () if self.eat_word("RIGHT") => JoinKind::Right,
            () if self.eat_word("FULL") => JoinKind::Full,
            () if !natural && self.eat_word("CROSS") => {
                self.extension(ExtensionKind::CrossJoin, span);
                JoinKind::Cross
            }
            () if natural || self.at_word("JOIN") => {
                self.expect_word("JOIN")?;
                return Ok(Some((natural, JoinKind::Inner)));
            }
            () => return Ok(None),
        };
        if matches!(kind, JoinKind::Left | JoinKind::Right | JoinKind::Full) {
            self.eat_word("OUTER");
        }
        self.expect_word("JOIN")?;
        Ok(Some((natural, kind)))
    }

    /// `ON` or `USING` of the last join.
    fn specify(&mut self, joins: &mut [Join]) -> Parsed<()> {
        let token = self.peek().span;
        let specification = if self.eat_word("ON") {
            JoinSpecification::On(self.condition()?)
        } else {
            self.expect_word("USING")?;
            self.expect(Symbol::LeftParen, "( and the columns to join on")?;
            let mut columns = vec![self.identifier("a column name")?];
            while self.eat(Symbol::Comma) {
                columns.push(self.identifier("a column name")?);
            }
            self.expect(Symbol::RightParen, "a comma or a closing parenthesis")?;
            JoinSpecification::Using(columns)
        };
        let end = self.end;
        let join = joins
            .last_mut()
            .expect("a specification is read only after a join");
        if join.natural || join.kind == JoinKind::Cross {
            let kind = if join.natural { "NATURAL" } else { "CROSS" };
            let message = format!("a {kind} JOIN takes no ON or USING");
            return Err(Error::new(self.source, token, message));
        }
        join.specification = Some(specification);
        join.span.end = end;
        Ok(())
    }
}

/// For `a JOIN b JOIN c ON ... ON ...`: the second `ON` belongs to the first join, whose right-hand
/// side is then `b JOIN c ON ...`. Folds that side; false when no join waits for a specification.
fn fold_unspecified(joins: &mut Vec<Join>) -> bool {
    let waiting = joins.iter().rposition(|join| {
        join.specification.is_none() && !join.natural && join.kind != JoinKind::Cross
    });
    let Some(waiting) = waiting else { return false };
    let folded = joins.split_off(waiting + 1);
    if let (Some(join), Some(last)) = (joins.pop(), folded.last()) {
        let span = join.table.span().to(last.span);
        let table = TableReference::Joined {
            first: Box::new(join.table),
            joins: folded,
            span,
        };
        joins.push(Join { table, ..join });
    }
    true
}
