//! What the parser says when it finds something else than it expected.

use super::Parser;
use crate::{
    Error, Standard,
    lexer::{Symbol, Token, TokenKind},
};

/// Reserved words that begin or join clauses: a query that has one in a wrong place is misordered
/// or incomplete, and quoting the word would not help.
const STRUCTURE: &[&str] = &[
    "ALL",
    "AND",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "CASE",
    "CROSS",
    "DESC",
    "DISTINCT",
    "ELSE",
    "END",
    "ESCAPE",
    "EXCEPT",
    "EXISTS",
    "FETCH",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "ILIKE",
    "IN",
    "INNER",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "LEFT",
    "LIKE",
    "NATURAL",
    "NOT",
    "NULL",
    "OFFSET",
    "ON",
    "OR",
    "ORDER",
    "OUTER",
    "RIGHT",
    "SELECT",
    "THEN",
    "TOP",
    "UNION",
    "USING",
    "WHEN",
    "WHERE",
    "WITH",
];

/// Statements of SQL that ADQL does not have, and other ways to begin a text that is no query.
const STATEMENTS: &[&str] = &[
    "ALTER", "ANALYZE", "ATTACH", "BEGIN", "CALL", "COMMIT", "COPY", "CREATE", "DELETE",
    "DESCRIBE", "DROP", "EXEC", "EXECUTE", "EXPLAIN", "GRANT", "INSERT", "MERGE", "PRAGMA",
    "REVOKE", "ROLLBACK", "SET", "SHOW", "TRUNCATE", "UPDATE", "USE", "VALUES",
];

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| other.eq_ignore_ascii_case(word))
}

impl Parser<'_> {
    /// The error for the next token.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let token = self.peek();
        if let TokenKind::Bad(error) = &token.kind {
            return (**error).clone();
        }
        let text = self.text(token);
        let is_word = matches!(token.kind, TokenKind::Word { .. });
        let message = format!("found {}, expected {expected}", self.describe(token));
        let error = Error::new(self.source, token.span, message);
        if token.kind == TokenKind::End {
            return self.at_end(error);
        }
        if self.at(Symbol::RightParen) && self.open.is_empty() {
            return error.with_hint("no parenthesis is open here: leave this one out");
        }
        if is_word && is_one_of(text, &["LIMIT", "FETCH"]) {
            return error.with_hint(self.limit_hint());
        }
        let names = expected.starts_with("a name");
        if token.kind == (TokenKind::Word { reserved: true })
            && (names || !is_one_of(text, STRUCTURE))
        {
            return error.with_hint(format!(
                "`{text}` is a reserved word; to use it as a name, quote it: \"{text}\""
            ));
        }
        if expected.contains("a comma") && self.begins_value(token) {
            return error.with_hint(format!(
                "is a comma missing before {}?",
                self.describe(token)
            ));
        }
        if is_word && self.follows_string_directly() {
            return error.with_hint("a quote inside a string is written twice: 'it\'\'s'");
        }
        if expected.ends_with("closing parenthesis") && self.peek_is_reserved() {
            return self.at_end(error);
        }
        if expected.starts_with("the end of the query") && self.at(Symbol::Comma) {
            return error.with_hint("conditions are joined with AND or OR");
        }
        if is_word && text.eq_ignore_ascii_case("WITH") {
            return error.with_hint("WITH stands once, before the whole query");
        }
        error
    }

    fn peek_is_reserved(&self) -> bool {
        self.peek().kind == (TokenKind::Word { reserved: true })
    }

    /// Whether the next token touches a string before it, as in `'it's'`.
    fn follows_string_directly(&self) -> bool {
        let before = self
            .next
            .checked_sub(1)
            .and_then(|index| self.tokens.get(index));
        before.is_some_and(|before| {
            before.kind == TokenKind::String && before.span.end == self.peek().span.start
        })
    }

    fn at_end(&self, error: Error) -> Error {
        let Some(open) = self.open.last() else {
            return error;
        };
        let place = Error::new(self.source, *open, "");
        error.with_hint(format!(
            "the parenthesis opened in line {}, column {} is not closed",
            place.line(),
            place.column()
        ))
    }

    /// `LIMIT n` as `TOP n`, with the number that was written.
    fn limit_hint(&self) -> String {
        let number = (1..=2)
            .map(|ahead| self.peek_at(ahead))
            .find(|token| matches!(token.kind, TokenKind::Number(_)))
            .map_or("n", |token| self.text(token));
        format!("ADQL limits the rows after SELECT: SELECT TOP {number} ...")
    }

    /// Whether the next token is a `LIMIT` that cannot be meant as a name.
    pub(super) fn at_limit(&self) -> bool {
        self.at_word("LIMIT")
            && (matches!(self.peek_at(1).kind, TokenKind::Number(_)) || self.word_at(1, "ALL"))
    }

    fn begins_value(&self, token: &Token) -> bool {
        match token.kind {
            TokenKind::Word { reserved: false }
            | TokenKind::Delimited
            | TokenKind::String
            | TokenKind::Number(_) => true,
            TokenKind::Word { reserved: true } => Standard::named(self.text(token)).is_some(),
            _ => false,
        }
    }

    /// The token as a message names it.
    pub(super) fn describe(&self, token: &Token) -> String {
        let text = shortened(self.text(token));
        match token.kind {
            TokenKind::End => "the end of the query".to_owned(),
            TokenKind::String => format!("the string {text}"),
            TokenKind::Delimited => format!("the name {text}"),
            TokenKind::Word { reserved: true } => format!("the reserved word `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    /// The error for a text that does not begin as a query.
    pub(super) fn no_query(&self) -> Error {
        let token = self.peek();
        let text = self.text(token);
        let is_word = matches!(token.kind, TokenKind::Word { .. });
        if token.kind == TokenKind::End {
            return Error::new(self.source, token.span, "the query is empty")
                .with_hint("a query begins with SELECT or WITH");
        }
        let expected = "SELECT, WITH or an opening parenthesis";
        if is_word && is_one_of(text, STATEMENTS) {
            let message = format!("found `{}`, expected {expected}", shortened(text));
            return Error::new(self.source, token.span, message)
                .with_hint("ADQL only reads: a query begins with SELECT or WITH");
        }
        self.unexpected(expected)
    }
}

/// At most 40 characters of one line.
fn shortened(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(40)
        .map_or(text.len(), |(offset, _)| offset);
    let head: String = text
        .get(..end)
        .unwrap_or_default()
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    if end < text.len() {
        format!("{head}...")
    } else {
        head
    }
}
