//! What is wrong with a query, where, and how to repair it.

use crate::Span;

/// Why a query was refused.
///
/// The text is written for the person, or model, that wrote the query: it names what was found and
/// what was expected, and where one repair is clear the [`hint`](Error::hint) says it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {}", .0.line, .0.column, .0.message)]
pub struct Error(
    // One word wide: every frame of the parser's recursion holds a few results.
    Box<Fault>,
);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Fault {
    message: String,
    hint: Option<String>,
    span: Span,
    line: usize,
    column: usize,
}

impl Error {
    pub(crate) fn new(source: &str, span: Span, message: impl Into<String>) -> Self {
        let (line, column) = position(source, span.start);
        Self(Box::new(Fault {
            message: message.into(),
            hint: None,
            span,
            line,
            column,
        }))
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// What is wrong, without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The repair, where one is clear.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The bytes of the query the message is about.
    #[must_use]
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// The line of the first offending character, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column of the first offending character, counted in characters from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.0.column
    }
}

/// Line and column, in characters, both from 1. `\n`, `\r\n` and a lone `\r` each end a line.
fn position(source: &str, offset: usize) -> (usize, usize) {
    let before = source.get(..offset).unwrap_or(source);
    let (mut line, mut column) = (1, 1);
    let mut characters = before.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_line = match character {
            '\n' => true,
            '\r' => characters.peek() != Some(&'\n'),
            _ => false,
        };
        if ends_line {
            line += 1;
            column = 1;
        } else {
            column += 1;
        }
    }
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn positions_count_lines_and_characters() {
        for (source, offset, expected) in [
            ("", 0, (1, 1)),
            ("ab", 1, (1, 2)),
            ("a\nb", 2, (2, 1)),
            ("a\r\nb", 3, (2, 1)),
            ("a\rb", 2, (2, 1)),
            ("é b", 3, (1, 3)),
            ("ab", 9, (1, 3)),
        ] {
            assert_eq!(position(source, offset), expected, "{source:?} at {offset}");
        }
    }
}
