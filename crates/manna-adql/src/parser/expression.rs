//! Values and conditions, by precedence climbing.
//!
//! After `(` nothing tells a value from a condition (`(a + b) > c`, `(a > b) OR c < d`), so one
//! production reads both and the place it is needed says which it must be.

use super::{Parsed, Parser};
use crate::{
    Error, Span,
    ast::{
        CaseBranch, CaseTest, ColumnReference, Comparison, Condition, Expr, Extension,
        ExtensionKind, Literal, NumberForm, Operator, SelectExpression, SetExpression, Sign,
    },
    function::Gives,
    lexer::{Symbol, TokenKind},
};

/// A value or a condition, boxed: every frame of the recursion holds some.
pub(super) enum Node {
    Value(Box<Expr>),
    Condition(Box<Condition>),
}

/// Binding strength of what stands between operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Predicate,
    Value(u8),
}

impl Level {
    /// The next tighter level.
    fn tighter(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Predicate,
            Self::Predicate => Self::Value(1),
            Self::Value(level) => Self::Value(level + 1),
        }
    }
}

/// What stands between two operands.
#[derive(Debug, Clone, Copy)]
pub(super) enum Infix {
    Or,
    And,
    Compare(Comparison),
    Between,
    In,
    Like { case_insensitive: bool },
    Is,
    Operator(Operator),
}

impl Infix {
    fn level(self) -> Level {
        match self {
            Self::Or => Level::Or,
            Self::And => Level::And,
            Self::Operator(operator) => Level::Value(operator.level()),
            _ => Level::Predicate,
        }
    }
}

impl Parser<'_> {
    /// `<search_condition>`
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        let node = self.operand(Level::Or, "a condition")?;
        self.as_condition(node).map(|condition| *condition)
    }

    /// `<value_expression>`
    pub(super) fn value(&mut self, expected: &str) -> Parsed<Expr> {
        self.boxed_value(expected).map(|value| *value)
    }

    pub(super) fn boxed_value(&mut self, expected: &str) -> Parsed<Box<Expr>> {
        let node = self.operand(Level::Value(1), expected)?;
        self.as_value(node)
    }

    fn as_condition(&self, node: Node) -> Parsed<Box<Condition>> {
        let value = match node {
            Node::Condition(condition) => return Ok(condition),
            Node::Value(value) => value,
        };
        let span = value.span();
        let text = span.text(self.source);
        let message = "found a value, expected a condition";
        let error = Error::new(self.source, span, message);
        let next = self.peek();
        if matches!(next.kind, TokenKind::Bad(_)) {
            return Err(self.unexpected("a comparison"));
        }
        Err(match &*value {
            Expr::Call(call) if matches!(call.function.name(), "CONTAINS" | "INTERSECTS") => {
                error.with_hint(format!("compare it with 1: {} = 1", first_line(text)))
            }
            Expr::Literal(_) => error.with_hint("compare it: a literal is no condition"),
            _ => error.with_hint("compare it with something, such as = 1"),
        })
    }

    fn as_value(&self, node: Node) -> Parsed<Box<Expr>> {
        match node {
            Node::Value(value) => Ok(value),
            Node::Condition(condition) => Err(Error::new(
                self.source,
                condition.span(),
                "found a condition, expected a value",
            )),
        }
    }

    /// An operand and all that binds at least as tightly as `level`.
    pub(super) fn operand(&mut self, level: Level, expected: &str) -> Parsed<Node> {
        self.nested(|parser| {
            let start = parser.start();
            let mut node = parser.prefix(expected)?;
            // The level of the chain `node` is, when this loop built it: only that one may grow.
            let mut growing = None;
            while let Some((infix, negated)) = parser.infix() {
                if infix.level() < level {
                    break;
                }
                node = match infix {
                    Infix::Or | Infix::And => parser.logical(node, infix, growing, start)?,
                    Infix::Operator(operator) => {
                        parser.arithmetic(node, operator, growing, start)?
                    }
                    _ => parser.predicate(node, infix, negated, start)?,
                };
                growing = Some(infix.level());
            }
            Ok(node)
        })
    }

    /// What stands next between operands, and whether `NOT` stands before it.
    fn infix(&self) -> Option<(Infix, bool)> {
        let token = self.peek();
        let infix = match token.kind {
            TokenKind::Symbol(symbol) => symbol_infix(symbol)?,
            TokenKind::Word { reserved: true } => {
                if self.at_word("NOT") {
                    return self.word_infix(1).map(|infix| (infix, true));
                }
                match self.text(token) {
                    word if word.eq_ignore_ascii_case("AND") => Infix::And,
                    word if word.eq_ignore_ascii_case("OR") => Infix::Or,
                    word if word.eq_ignore_ascii_case("IS") => Infix::Is,
                    _ => self.word_infix(0)?,
                }
            }
            _ => return None,
        };
        Some((infix, false))
    }

    /// The predicates that `NOT` may precede.
    fn word_infix(&self, ahead: usize) -> Option<Infix> {
        let word = self.text(self.peek_at(ahead));
        Some(match () {
            () if word.eq_ignore_ascii_case("BETWEEN") => Infix::Between,
            () if word.eq_ignore_ascii_case("IN") => Infix::In,
            () if word.eq_ignore_ascii_case("LIKE") => Infix::Like {
                case_insensitive: false,
            },
            () if word.eq_ignore_ascii_case("ILIKE") => Infix::Like {
                case_insensitive: true,
            },
            () => return None,
        })
    }

    fn logical(
        &mut self,
        left: Node,
        infix: Infix,
        growing: Option<Level>,
        start: usize,
    ) -> Parsed<Node> {
        let left = self.as_condition(left)?;
        self.advance();
        let node = self.operand(infix.level().tighter(), "a condition")?;
        let right = self.as_condition(node)?;
        let grows = growing == Some(infix.level());
        let span = self.span_from(start);
        let terms = match *left {
            Condition::And { mut terms, .. } | Condition::Or { mut terms, .. } if grows => {
                terms.push(*right);
                terms
            }
            left => vec![left, *right],
        };
        Ok(Node::Condition(Box::new(match infix {
            Infix::Or => Condition::Or { terms, span },
            _ => Condition::And { terms, span },
        })))
    }

    fn arithmetic(
        &mut self,
        left: Node,
        operator: Operator,
        growing: Option<Level>,
        start: usize,
    ) -> Parsed<Node> {
        let left = self.as_value(left)?;
        let level = Level::Value(operator.level());
        let operator_span = self.advance();
        if matches!(operator.level(), 1) {
            self.extension(ExtensionKind::BitwiseOperator, operator_span);
        } else if operator == Operator::Modulo {
            self.extension(ExtensionKind::PercentModulo, operator_span);
        }
        let node = self.operand(level.tighter(), "a value")?;
        let right = self.as_value(node)?;
        self.no_geometry(&left, operator.symbol())?;
        self.no_geometry(&right, operator.symbol())?;
        let span = self.span_from(start);
        let (first, mut rest) = match *left {
            Expr::Chain { first, rest, .. } if growing == Some(level) => (first, rest),
            left => (Box::new(left), Vec::new()),
        };
        rest.push((operator, *right));
        Ok(Node::Value(Box::new(Expr::Chain { first, rest, span })))
    }

    pub(super) fn no_geometry(&self, expr: &Expr, symbol: &str) -> Parsed<()> {
        if matches!(super::function::gives(expr), Gives::Point | Gives::Region) {
            let message = format!("found a geometry, expected a number or text beside {symbol}");
            return Err(Error::new(self.source, expr.span(), message));
        }
        Ok(())
    }

    /// An operand with what stands before it.
    fn prefix(&mut self, expected: &str) -> Parsed<Node> {
        let start = self.start();
        match self.peek().kind {
            TokenKind::Symbol(Symbol::LeftParen) => self.parenthesised_node(),
            TokenKind::Symbol(Symbol::Plus | Symbol::Minus | Symbol::Tilde) => {
                self.signed(start).map(value_node)
            }
            TokenKind::Word { reserved: true } if self.at_word("NOT") => self.negation(start),
            TokenKind::Word { reserved: true } if self.at_word("EXISTS") => {
                self.advance();
                let query = Box::new(self.subquery("( and a subquery after EXISTS")?);
                let span = self.span_from(start);
                Ok(Node::Condition(Box::new(Condition::Exists { query, span })))
            }
            _ => self.primary(expected).map(value_node),
        }
    }

    fn negation(&mut self, start: usize) -> Parsed<Node> {
        self.advance();
        if self.at_word("NOT") {
            return Err(self
                .unexpected("a condition after NOT")
                .with_hint("leave out both NOTs"));
        }
        let node = self.operand(Level::Predicate, "a condition after NOT")?;
        let condition = self.as_condition(node)?;
        let span = self.span_from(start);
        Ok(Node::Condition(Box::new(Condition::Not {
            condition,
            span,
        })))
    }

    /// `[ <sign> ] <numeric_primary>`: one sign.
    fn signed(&mut self, start: usize) -> Parsed<Expr> {
        let operator = if self.at(Symbol::Plus) {
            Sign::Plus
        } else if self.at(Symbol::Minus) {
            Sign::Minus
        } else {
            let span = self.peek().span;
            self.extension(ExtensionKind::BitwiseOperator, span);
            Sign::BitNot
        };
        self.advance();
        if self.at(Symbol::Plus) || self.at(Symbol::Minus) {
            return Err(self.unexpected("a number after the sign").with_hint(
                "only one sign may stand before a number; put the second in parentheses",
            ));
        }
        let node = self.nested(|parser| parser.prefix("a value after the sign"))?;
        let operand = self.as_value(node)?;
        self.no_geometry(&operand, "a sign")?;
        Ok(Expr::Unary {
            operator,
            operand,
            span: self.span_from(start),
        })
    }

    fn parenthesised_node(&mut self) -> Parsed<Node> {
        let start = self.start();
        if self.word_at(1, "SELECT") {
            let query = Box::new(self.subquery("(")?);
            return Ok(value_node(self.scalar_subquery(query, start)));
        }
        self.eat(Symbol::LeftParen);
        let inner_start = self.start();
        let node = self.operand(Level::Or, "a value or a condition")?;
        let node = self.after_scalar_subquery(node, start, inner_start)?;
        if self.at(Symbol::Comma) {
            return Err(self
                .unexpected("a closing parenthesis")
                .with_hint("ADQL has no rows of values in parentheses: compare them one by one"));
        }
        self.expect(Symbol::RightParen, "an operator or a closing parenthesis")?;
        Ok(node)
    }

    /// `((SELECT ...) UNION (SELECT ...))`: what looked like a value is the first operand.
    fn after_scalar_subquery(
        &mut self,
        node: Node,
        start: usize,
        inner_start: usize,
    ) -> Parsed<Node> {
        if !self.at_set_operator() {
            return Ok(node);
        }
        match node {
            Node::Value(value) if matches!(*value, Expr::Subquery { .. }) => {
                let Expr::Subquery { query, span } = *value else {
                    return Ok(Node::Value(value));
                };
                self.no_scalar_subquery(span);
                let first = SetExpression::Nested(query);
                let query = Box::new(self.select_expression_from(first, inner_start)?);
                Ok(value_node(self.scalar_subquery(query, start)))
            }
            node => Ok(node),
        }
    }

    /// The subquery at `span`, the last thing read, turned out to be no single value.
    pub(super) fn no_scalar_subquery(&mut self, span: Span) {
        let scalar = Extension {
            kind: ExtensionKind::ScalarSubquery,
            span,
        };
        if self.extensions.last() == Some(&scalar) {
            self.extensions.pop();
        }
    }

    fn scalar_subquery(&mut self, query: Box<SelectExpression>, start: usize) -> Expr {
        let span = self.span_from(start);
        self.extension(ExtensionKind::ScalarSubquery, span);
        Expr::Subquery { query, span }
    }

    fn primary(&mut self, expected: &str) -> Parsed<Expr> {
        let token = self.peek();
        let span = token.span;
        match token.kind {
            TokenKind::Number(form) => {
                self.advance();
                if form == NumberForm::Hexadecimal {
                    self.extension(ExtensionKind::HexadecimalLiteral, span);
                }
                let text = span.text(self.source).to_owned();
                Ok(Expr::Literal(Literal::Number { text, form, span }))
            }
            TokenKind::String => Ok(Expr::Literal(Literal::String(self.string()))),
            TokenKind::Word { .. }
                if self.peek_at(1).kind == TokenKind::Symbol(Symbol::LeftParen) =>
            {
                self.call()
            }
            TokenKind::Word { reserved: true } => self.reserved_value(expected),
            TokenKind::Word { reserved: false } | TokenKind::Delimited => {
                self.column().map(Expr::Column)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn column(&mut self) -> Parsed<ColumnReference> {
        let start = self.start();
        let mut qualifier = self.dotted(4, "a column name")?;
        let name = qualifier.pop().expect("`dotted` returns at least one part");
        let column = ColumnReference {
            qualifier,
            name,
            span: self.span_from(start),
        };
        if self.at(Symbol::LeftParen) {
            return Err(self
                .unexpected("an operator or the next clause")
                .with_hint("the name of a function has one part and no quotes"));
        }
        Ok(column)
    }

    /// A reserved word that is a value by itself.
    fn reserved_value(&mut self, expected: &str) -> Parsed<Expr> {
        let span = self.peek().span;
        if self.eat_word("NULL") {
            return Ok(Expr::Literal(Literal::Null { span }));
        }
        if self.at_word("TRUE") || self.at_word("FALSE") {
            let value = self.at_word("TRUE");
            self.advance();
            self.extension(ExtensionKind::BooleanLiteral, span);
            return Ok(Expr::Literal(Literal::Boolean { value, span }));
        }
        if self.at_word("CASE") {
            return self.case();
        }
        let error = self.unexpected(expected);
        if self.at_any_word(&["DATE", "TIME", "TIMESTAMP", "INTERVAL"])
            && self.peek_at(1).kind == TokenKind::String
        {
            return Err(error.with_hint(
                "a time is written as a string: '2016-01-01T00:00:00', or CAST('...' AS TIMESTAMP)",
            ));
        }
        Err(error)
    }

    fn case(&mut self) -> Parsed<Expr> {
        let start = self.start();
        let word = self.advance();
        self.extension(ExtensionKind::Case, word);
        let operand = if self.at_word("WHEN") {
            None
        } else {
            Some(self.boxed_value("a value or WHEN after CASE")?)
        };
        let mut branches = Vec::new();
        while self.eat_word("WHEN") {
            let when = if operand.is_some() {
                CaseTest::Value(self.value("a value after WHEN")?)
            } else {
                CaseTest::Condition(self.condition()?)
            };
            self.expect_word("THEN")?;
            branches.push(CaseBranch {
                when,
                then: self.value("a value after THEN")?,
            });
        }
        if branches.is_empty() {
            return Err(self.unexpected("WHEN"));
        }
        let otherwise = if self.eat_word("ELSE") {
            Some(self.boxed_value("a value after ELSE")?)
        } else {
            None
        };
        if !self.eat_word("END") {
            return Err(self.unexpected("WHEN, ELSE or END"));
        }
        Ok(Expr::Case {
            operand,
            branches,
            otherwise,
            span: self.span_from(start),
        })
    }
}

fn value_node(value: Expr) -> Node {
    Node::Value(Box::new(value))
}

fn symbol_infix(symbol: Symbol) -> Option<Infix> {
    Some(match symbol {
        Symbol::Equal => Infix::Compare(Comparison::Equal),
        Symbol::NotEqual => Infix::Compare(Comparison::NotEqual),
        Symbol::Less => Infix::Compare(Comparison::Less),
        Symbol::LessOrEqual => Infix::Compare(Comparison::LessOrEqual),
        Symbol::Greater => Infix::Compare(Comparison::Greater),
        Symbol::GreaterOrEqual => Infix::Compare(Comparison::GreaterOrEqual),
        Symbol::Ampersand => Infix::Operator(Operator::BitAnd),
        Symbol::Bar => Infix::Operator(Operator::BitOr),
        Symbol::Caret => Infix::Operator(Operator::BitXor),
        Symbol::Concat => Infix::Operator(Operator::Concat),
        Symbol::Plus => Infix::Operator(Operator::Add),
        Symbol::Minus => Infix::Operator(Operator::Subtract),
        Symbol::Asterisk => Infix::Operator(Operator::Multiply),
        Symbol::Slash => Infix::Operator(Operator::Divide),
        Symbol::Percent => Infix::Operator(Operator::Modulo),
        _ => return None,
    })
}

/// At most 60 characters of the first line.
pub(super) fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let head: String = line.chars().take(60).collect();
    if head.len() < text.len() {
        format!("{head}...")
    } else {
        head
    }
}
