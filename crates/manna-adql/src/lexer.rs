//! Text to tokens with their places.
//!
//! The whole text is cut at once. What cannot be a token becomes a [`TokenKind::Bad`] token with
//! its error, so that the parser reports whichever fault comes first.

use crate::{Error, Span, ast::NumberForm, keyword::is_reserved};

/// The longest query accepted, in bytes.
pub(crate) const MAX_LENGTH: usize = 1 << 20;

/// One token.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    /// A regular identifier or a keyword.
    Word { reserved: bool },
    /// A delimited identifier.
    Delimited,
    /// A string literal.
    String,
    /// A number.
    Number(NumberForm),
    /// Punctuation or an operator: its text says which.
    Symbol(Symbol),
    /// Not a token of ADQL.
    Bad(Box<Error>),
    /// The end of the text.
    End,
}

/// Punctuation and operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    LeftParen,
    RightParen,
    Comma,
    Period,
    Semicolon,
    Asterisk,
    Slash,
    Percent,
    Plus,
    Minus,
    Tilde,
    Ampersand,
    Bar,
    Caret,
    Concat,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The tokens of `source`; the last is [`TokenKind::End`] or [`TokenKind::Bad`].
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    // A token and its space take four to five bytes in a typical query.
    let mut tokens = Vec::with_capacity(source.len().min(MAX_LENGTH) / 4 + 2);
    if source.len() > MAX_LENGTH {
        let message = format!(
            "the query is {} bytes long; {MAX_LENGTH} is the limit",
            source.len()
        );
        let span = Span::new(0, 0);
        tokens.push(bad(Error::new(source, span, message), span));
        return tokens;
    }
    let mut lexer = Lexer { source, offset: 0 };
    loop {
        let token = lexer.next_token();
        let last = matches!(token.kind, TokenKind::End | TokenKind::Bad(_));
        tokens.push(token);
        if last {
            return tokens;
        }
    }
}

fn bad(error: Error, span: Span) -> Token {
    Token {
        kind: TokenKind::Bad(Box::new(error)),
        span,
    }
}

struct Lexer<'a> {
    source: &'a str,
    offset: usize,
}

impl<'a> Lexer<'a> {
    fn next_token(&mut self) -> Token {
        self.skip_separators();
        let start = self.offset;
        let mut characters = self.rest().chars();
        let Some(first) = characters.next() else {
            return Token {
                kind: TokenKind::End,
                span: Span::new(start, start),
            };
        };
        let second = characters.next();
        let found = match first {
            'a'..='z' | 'A'..='Z' => self.word(),
            '0'..='9' => self.number(),
            '.' if second.is_some_and(|next| next.is_ascii_digit()) => self.number(),
            '\'' => self.quoted('\'').map(|()| TokenKind::String),
            '"' => self.quoted('"').and_then(|()| self.delimited(start)),
            _ => self.symbol(first, second),
        };
        let span = Span::new(start, self.offset);
        match found {
            Ok(kind) => Token { kind, span },
            Err(error) => bad(error, span),
        }
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.offset..).unwrap_or_default()
    }

    /// Advances over the characters that pass, and returns their text.
    fn take_while(&mut self, pass: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest
            .find(|character| !pass(character))
            .unwrap_or(rest.len());
        self.offset += length;
        rest.get(..length).unwrap_or_default()
    }

    /// `<separator>`: space, line ends and comments from `--` to the end of the line.
    fn skip_separators(&mut self) {
        loop {
            self.take_while(|character| character.is_ascii_whitespace() || character == '\x0b');
            if !self.rest().starts_with("--") {
                return;
            }
            self.take_while(|character| !matches!(character, '\n' | '\r'));
        }
    }

    fn word(&mut self) -> Result<TokenKind, Error> {
        let start = self.offset;
        let word = self.take_while(is_word_character);
        if self.rest().starts_with(char::is_alphanumeric) {
            return Err(self.no_name(start));
        }
        let reserved = is_reserved(word);
        Ok(TokenKind::Word { reserved })
    }

    /// The error for a word that starts at `start` and has other letters than a-z.
    fn no_name(&mut self, start: usize) -> Error {
        self.take_while(|character| character == '_' || character.is_alphanumeric());
        let word = Span::new(start, self.offset).text(self.source);
        let message =
            format!("`{word}` is no name: names are letters a-z, digits and _, a letter first");
        self.error_from(start, message)
            .with_hint(format!("to use it as a name, quote it: \"{word}\""))
    }

    /// `<unsigned_numeric_literal>`, and `0x...` of the drafts.
    fn number(&mut self) -> Result<TokenKind, Error> {
        let start = self.offset;
        let rest = self.rest();
        let form = if rest.starts_with("0x") || rest.starts_with("0X") {
            self.offset += 2;
            let digits = self.take_while(|character| character.is_ascii_hexdigit());
            if digits.is_empty() || digits.len() > 16 {
                self.take_while(is_word_character);
                return Err(
                    self.error_from(start, "expected 1 to 16 hexadecimal digits after `0x`")
                );
            }
            NumberForm::Hexadecimal
        } else {
            self.decimal_number()
        };
        // `2mass` and `1.2.3` are no numbers, nor a number and a name.
        let tail = self.take_while(|character| is_word_character(character) || character == '.');
        if tail.is_empty() {
            return Ok(TokenKind::Number(form));
        }
        let text = Span::new(start, self.offset).text(self.source);
        let error = self.error_from(start, format!("`{text}` is no number and no name"));
        Err(if text.chars().all(is_word_character) {
            error.with_hint(format!(
                "a name that begins with a digit needs quotes: \"{text}\""
            ))
        } else {
            error
        })
    }

    fn decimal_number(&mut self) -> NumberForm {
        let is_digit = |character: char| character.is_ascii_digit();
        self.take_while(is_digit);
        let mut form = NumberForm::Integer;
        if self.rest().starts_with('.') {
            form = NumberForm::Decimal;
            self.offset += 1;
            self.take_while(is_digit);
        }
        let mut exponent = self.rest().chars();
        if matches!(exponent.next(), Some('e' | 'E')) {
            let signed = exponent
                .clone()
                .next()
                .is_some_and(|sign| matches!(sign, '+' | '-'));
            if exponent.nth(usize::from(signed)).is_some_and(is_digit) {
                form = NumberForm::Approximate;
                self.offset += 1 + usize::from(signed);
                self.take_while(is_digit);
            }
        }
        form
    }

    /// Advances over text in quotes, where a doubled quote is one of the text.
    fn quoted(&mut self, quote: char) -> Result<(), Error> {
        let start = self.offset;
        self.offset += 1;
        loop {
            self.take_while(|character| character != quote);
            if self.rest().is_empty() {
                return Err(self.unclosed(start, quote));
            }
            self.offset += 1;
            if !self.rest().starts_with(quote) {
                return Ok(());
            }
            self.offset += 1;
        }
    }

    fn unclosed(&self, start: usize, quote: char) -> Error {
        let what = if quote == '\'' {
            "string"
        } else {
            "quoted name"
        };
        Error::new(
            self.source,
            Span::new(start, start + 1),
            format!("the {what} that starts here is not closed"),
        )
        .with_hint(format!(
            "close it with {quote}; a {quote} inside is written twice: {quote}{quote}"
        ))
    }

    fn delimited(&self, start: usize) -> Result<TokenKind, Error> {
        if self.offset - start > 2 {
            return Ok(TokenKind::Delimited);
        }
        Err(self
            .error_from(start, "a name in double quotes cannot be empty")
            .with_hint("an empty string is written in single quotes: ''"))
    }

    fn symbol(&mut self, first: char, second: Option<char>) -> Result<TokenKind, Error> {
        let start = self.offset;
        let (symbol, length) = match (first, second) {
            ('=', Some('=')) => return Err(self.misspelt(2, "=")),
            ('=', Some('>')) => return Err(self.misspelt(2, ">=")),
            ('=', Some('<')) => return Err(self.misspelt(2, "<=")),
            ('&', Some('&')) => return Err(self.misspelt(2, "AND")),
            ('/', Some('*')) => {
                self.offset += 2;
                return Err(self
                    .error_from(start, "ADQL has no comments between `/*` and `*/`")
                    .with_hint("a comment runs from -- to the end of the line"));
            }
            ('!', Some('=')) | ('<', Some('>')) => (Symbol::NotEqual, 2),
            ('<', Some('=')) => (Symbol::LessOrEqual, 2),
            ('>', Some('=')) => (Symbol::GreaterOrEqual, 2),
            ('|', Some('|')) => (Symbol::Concat, 2),
            ('(', _) => (Symbol::LeftParen, 1),
            (')', _) => (Symbol::RightParen, 1),
            (',', _) => (Symbol::Comma, 1),
            ('.', _) => (Symbol::Period, 1),
            (';', _) => (Symbol::Semicolon, 1),
            ('*', _) => (Symbol::Asterisk, 1),
            ('/', _) => (Symbol::Slash, 1),
            ('%', _) => (Symbol::Percent, 1),
            ('+', _) => (Symbol::Plus, 1),
            ('-', _) => (Symbol::Minus, 1),
            ('~', _) => (Symbol::Tilde, 1),
            ('&', _) => (Symbol::Ampersand, 1),
            ('|', _) => (Symbol::Bar, 1),
            ('^', _) => (Symbol::Caret, 1),
            ('=', _) => (Symbol::Equal, 1),
            ('<', _) => (Symbol::Less, 1),
            ('>', _) => (Symbol::Greater, 1),
            _ => return Err(self.no_token(first)),
        };
        self.offset += length;
        Ok(TokenKind::Symbol(symbol))
    }

    fn misspelt(&mut self, length: usize, right: &str) -> Error {
        let start = self.offset;
        self.offset += length;
        let text = Span::new(start, self.offset).text(self.source);
        self.error_from(start, format!("`{text}` is no operator of ADQL"))
            .with_hint(format!("write {right}"))
    }

    /// The error for a character that begins no token, with the repair where it is known.
    fn no_token(&mut self, first: char) -> Error {
        let start = self.offset;
        if first == '_' || first.is_alphanumeric() {
            return self.no_name(start);
        }
        self.offset += first.len_utf8();
        let Some((name, right)) = look_alike(first) else {
            let error = self.error_from(start, format!("unexpected {}", shown(first)));
            return match first {
                '`' | '[' | ']' => error.with_hint("names are quoted with double quotes: \"name\""),
                '!' => error.with_hint("write NOT, or <> for not equal"),
                ':' => error.with_hint("PostgreSQL's x::type is written CAST(x AS type)"),
                _ => error,
            };
        };
        self.error_from(start, format!("unexpected {name} {}", shown(first)))
            .with_hint(format!("write {right}"))
    }

    fn error_from(&self, start: usize, message: impl Into<String>) -> Error {
        Error::new(self.source, Span::new(start, self.offset), message)
    }
}

fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// What word processors and chat windows put in place of ASCII.
fn look_alike(character: char) -> Option<(&'static str, &'static str)> {
    Some(match character {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{b4}' | '\u{ff07}' => {
            ("typographic quote", "a plain single quote: '")
        }
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}'
        | '\u{ff02}' => (
            "typographic quote",
            "a plain quote: ' around a string, \" around a name",
        ),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{ad}' => {
            ("typographic dash", "a plain minus: -")
        }
        '\u{a0}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}'
        | '\u{1680}'
        | '\u{85}'
        | '\u{2028}'
        | '\u{2029}' => ("special space", "a plain space"),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}' => {
            ("invisible character", "nothing in its place")
        }
        '\u{d7}' | '\u{2217}' | '\u{22c5}' | '\u{ff0a}' => ("typographic operator", "*"),
        '\u{f7}' | '\u{2215}' | '\u{2044}' | '\u{ff0f}' => ("typographic operator", "/"),
        '\u{2264}' | '\u{2a7d}' => ("typographic operator", "<="),
        '\u{2265}' | '\u{2a7e}' => ("typographic operator", ">="),
        '\u{2260}' => ("typographic operator", "<>"),
        '\u{ff08}' => ("full-width character", "("),
        '\u{ff09}' => ("full-width character", ")"),
        '\u{ff0c}' => ("full-width character", ","),
        '\u{ff1b}' => ("full-width character", ";"),
        '\u{ff1d}' => ("full-width character", "="),
        '\u{ff1c}' => ("full-width character", "<"),
        '\u{ff1e}' => ("full-width character", ">"),
        _ => return None,
    })
}

/// The character, named by its code point when it may not show or would mislead.
fn shown(character: char) -> String {
    if character.is_ascii_graphic() {
        format!("`{character}`")
    } else if character.is_control()
        || look_alike(character)
            .is_some_and(|(name, _)| matches!(name, "special space" | "invisible character"))
    {
        format!("U+{:04X}", u32::from(character))
    } else {
        format!("`{character}` (U+{:04X})", u32::from(character))
    }
}
