//! Recursive descent over the tokens: the grammar of ADQL 2.1, appendix A.
//!
//! Every production that can nest passes through [`Parser::nested`], so the depth of the stack is
//! bounded whatever the text. Nothing is parsed twice: the time is linear in the text.

mod expression;
mod from;
mod function;
mod message;
mod predicate;
mod query;

#[cfg(test)]
mod tests;

use crate::{
    Error, Query, Span,
    ast::{Extension, ExtensionKind, Identifier, StringLiteral, Unsigned},
    lexer::{Symbol, Token, TokenKind, tokens},
};

/// How deep parentheses, calls and subqueries may nest.
pub(crate) const MAX_DEPTH: usize = 128;

pub(crate) fn parse(source: &str) -> Result<Query, Error> {
    let mut parser = Parser {
        source,
        tokens: tokens(source),
        next: 0,
        end: 0,
        depth: 0,
        deepest: 0,
        open: Vec::new(),
        extensions: Vec::new(),
    };
    let mut query = parser.query()?;
    query.extensions = parser.extensions;
    query.extensions.sort_by_key(|extension| extension.span);
    Ok(query)
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    /// Index of the next token.
    next: usize,
    /// Where the last consumed token ends.
    end: usize,
    depth: usize,
    /// The deepest since the joins being read began.
    deepest: usize,
    /// The parentheses that are open.
    open: Vec<Span>,
    extensions: Vec<Extension>,
}

type Parsed<T> = Result<T, Error>;

impl<'a> Parser<'a> {
    fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        self.tokens
            .get(self.next + ahead)
            .or_else(|| self.tokens.last())
            .expect("the lexer ends every list of tokens with one that is never consumed")
    }

    fn text(&self, token: &Token) -> &'a str {
        token.span.text(self.source)
    }

    fn start(&self) -> usize {
        self.peek().span.start
    }

    /// From `start` to the end of the last token consumed.
    fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.end.max(start))
    }

    fn advance(&mut self) -> Span {
        let span = self.peek().span;
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
            self.end = span.end;
        }
        span
    }

    fn at(&self, symbol: Symbol) -> bool {
        self.peek().kind == TokenKind::Symbol(symbol)
    }

    fn eat(&mut self, symbol: Symbol) -> bool {
        let found = self.at(symbol);
        if found {
            match symbol {
                Symbol::LeftParen => self.open.push(self.peek().span),
                Symbol::RightParen => drop(self.open.pop()),
                _ => {}
            }
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: Symbol, expected: &str) -> Parsed<()> {
        if self.eat(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    fn word_at(&self, ahead: usize, word: &str) -> bool {
        let token = self.peek_at(ahead);
        matches!(token.kind, TokenKind::Word { .. }) && self.text(token).eq_ignore_ascii_case(word)
    }

    fn at_word(&self, word: &str) -> bool {
        self.word_at(0, word)
    }

    fn at_any_word(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.at_word(word))
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            Err(self.unexpected(word))
        }
    }

    fn extension(&mut self, kind: ExtensionKind, span: Span) {
        self.extensions.push(Extension { kind, span });
    }

    /// Runs a production that may contain itself.
    fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            return Err(Error::new(self.source, self.peek().span, message));
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let parsed = production(self);
        self.depth -= 1;
        parsed
    }

    /// Whether the token at `ahead` can be a name.
    fn name_at(&self, ahead: usize) -> bool {
        matches!(
            self.peek_at(ahead).kind,
            TokenKind::Word { reserved: false } | TokenKind::Delimited
        )
    }

    fn identifier(&mut self, expected: &str) -> Parsed<Identifier> {
        if !self.name_at(0) {
            return Err(self.unexpected(expected));
        }
        let delimited = self.peek().kind == TokenKind::Delimited;
        let span = self.advance();
        let text = span.text(self.source);
        let text = if delimited {
            unquoted(text, '"')
        } else {
            text.to_owned()
        };
        Ok(Identifier {
            text,
            delimited,
            span,
        })
    }

    /// Names between periods, at most `limit` of them.
    fn dotted(&mut self, limit: usize, expected: &str) -> Parsed<Vec<Identifier>> {
        let mut parts = vec![self.identifier(expected)?];
        while self.at(Symbol::Period) {
            if parts.len() == limit {
                let message = format!("a name of more than {limit} parts");
                return Err(Error::new(self.source, self.peek().span, message)
                    .with_hint("a part that has a period in it needs quotes: \"a.b\""));
            }
            self.advance();
            parts.push(self.identifier("a name after the period")?);
        }
        Ok(parts)
    }

    fn string(&mut self) -> StringLiteral {
        let span = self.advance();
        StringLiteral {
            value: unquoted(span.text(self.source), '\''),
            span,
        }
    }

    /// `<unsigned_decimal>`
    fn unsigned(&mut self, expected: &str) -> Parsed<Unsigned> {
        if self.peek().kind != TokenKind::Number(crate::ast::NumberForm::Integer) {
            return Err(self.unexpected(expected));
        }
        let span = self.peek().span;
        let value = span.text(self.source).parse().map_err(|_| {
            Error::new(
                self.source,
                span,
                "the number is too large: it has to fit in 64 bits",
            )
        })?;
        self.advance();
        Ok(Unsigned { value, span })
    }
}

/// The text between quotes, with doubled quotes undone.
fn unquoted(text: &str, quote: char) -> String {
    let inner = text
        .get(1..text.len().saturating_sub(1))
        .unwrap_or_default();
    let doubled: String = [quote, quote].iter().collect();
    inner.replace(&doubled, quote.encode_utf8(&mut [0; 4]))
}
