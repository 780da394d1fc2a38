//! The XML tokenizer: text in, tokens out, resumable at any byte. It knows XML's syntax and nothing of VOTable.
//! Comments and processing instructions are skipped without being kept; text comes in pieces.

use crate::{
    attributes::{Attributes, MAX_REFERENCE, Reference, resolve, unescape},
    decode::Decoder,
    error::Fault,
    limits::{LimitKind, Limits},
    warning::{WarningKind, Warnings},
};

/// Text is passed on in pieces of at most this many bytes.
const MAX_PIECE: usize = 32 << 10;

/// The document as far as it arrived and is not consumed, and where in it we are.
#[derive(Debug)]
pub(crate) struct Input {
    decoder: Decoder,
    text: String,
    pos: usize,
    /// Where the last token started.
    token: usize,
    /// Where the last tag started: in `text`, or, once that is dropped, as line and offset. Pieces of text start
    /// wherever the bytes happened to be split, so they say nothing.
    tag_at: Option<usize>,
    tag_was: (u64, u64),
    /// Bytes and line ends dropped from the front of `text`.
    dropped: u64,
    dropped_lines: u64,
    finished: bool,
    mode: Mode,
    tag: TagScan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Content,
    Cdata,
    Comment,
    Instruction,
}

/// How far an incomplete tag was looked through, so that no byte is looked at twice.
#[derive(Debug, Clone, Copy, Default)]
struct TagScan {
    seen: usize,
    quote: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Text as it is, references already resolved or none.
    Text(&'a str),
    /// A resolved reference.
    Char(char),
    Start(Tag<'a>),
    /// Local name.
    End(&'a str),
    /// `<?xml ...`: the start of a document.
    Declaration,
    /// `<!DOCTYPE ...>` without an internal subset.
    Doctype,
}

/// A start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    /// Local name, without a prefix.
    pub(crate) name: &'a str,
    attributes: &'a str,
    /// `<a/>`
    pub(crate) empty: bool,
}

enum Found {
    /// Token text is `text[token..pos]`.
    Text,
    Char(char),
    Start {
        name_end: usize,
        empty: bool,
    },
    End {
        name_end: usize,
    },
    Declaration,
    Doctype,
    /// Something without content was passed.
    Nothing,
    NeedMore,
}

impl Input {
    pub(crate) fn new() -> Self {
        Self {
            decoder: Decoder::new(),
            text: String::new(),
            pos: 0,
            token: 0,
            tag_at: None,
            tag_was: (1, 0),
            dropped: 0,
            dropped_lines: 0,
            finished: false,
            mode: Mode::Content,
            tag: TagScan::default(),
        }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.compact();
        self.decoder.decode(bytes, false, &mut self.text);
    }

    pub(crate) fn finish(&mut self) {
        if !self.finished {
            self.decoder.decode(&[], true, &mut self.text);
            self.finished = true;
        }
    }

    pub(crate) fn finished(&self) -> bool {
        self.finished
    }

    pub(crate) fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Bytes held: what is not consumed yet.
    pub(crate) fn buffered(&self) -> usize {
        self.text.len() - self.pos.min(self.text.len())
    }

    /// What is not consumed yet.
    pub(crate) fn rest(&self) -> &str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// [`Self::rest`], if it is neither a comment nor the like: what may be consumed past the tokenizer.
    pub(crate) fn content_rest(&self) -> &str {
        if self.mode == Mode::Content {
            self.rest()
        } else {
            ""
        }
    }

    pub(crate) fn advance(&mut self, bytes: usize) {
        if bytes > 0 {
            self.tag = TagScan::default();
        }
        self.pos = (self.pos + bytes).min(self.text.len());
        self.token = self.pos;
    }

    /// Goes back to where the last token started.
    pub(crate) fn rewind(&mut self) {
        self.pos = self.token;
        self.mode = Mode::Content;
        self.tag = TagScan::default();
    }

    /// Line from 1, and byte offset, of the last tag.
    pub(crate) fn position(&self) -> (u64, u64) {
        self.tag_at.map_or(self.tag_was, |at| self.position_of(at))
    }

    fn position_of(&self, at: usize) -> (u64, u64) {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', before).count();
        (
            self.dropped_lines + count(lines) + 1,
            self.dropped + count(at),
        )
    }

    fn compact(&mut self) {
        if self.pos == 0 {
            return;
        }
        if let Some(at) = self.tag_at.take_if(|at| *at < self.pos) {
            self.tag_was = self.position_of(at);
        }
        let gone = self.text.as_bytes().get(..self.pos).unwrap_or_default();
        self.dropped_lines += count(memchr::memchr_iter(b'\n', gone).count());
        self.dropped += count(self.pos);
        self.text.drain(..self.pos);
        self.pos = 0;
        self.token = 0;
    }

    /// The next token; `None` when more bytes are needed, or when all are consumed and the input is finished.
    pub(crate) fn next(
        &mut self,
        limits: &Limits,
        warnings: &mut Warnings,
    ) -> Result<Option<Token<'_>>, Fault> {
        loop {
            if self.pos >= self.text.len() {
                return Ok(None);
            }
            self.token = self.pos;
            let found = match self.mode {
                Mode::Content => self.content(limits, warnings)?,
                Mode::Cdata => self.until("]]>", true),
                Mode::Comment => self.until("-->", false),
                Mode::Instruction => self.until("?>", false),
            };
            match found {
                Found::NeedMore => return Ok(None),
                Found::Start { .. } | Found::End { .. } => self.tag_at = Some(self.token),
                _ => {}
            }
            match found {
                Found::Nothing | Found::NeedMore => {}
                Found::Text if self.token == self.pos => {}
                Found::Text => return Ok(Some(Token::Text(self.slice(self.token, self.pos)))),
                Found::Char(c) => return Ok(Some(Token::Char(c))),
                Found::Declaration => return Ok(Some(Token::Declaration)),
                Found::Doctype => return Ok(Some(Token::Doctype)),
                Found::Start { name_end, empty } => {
                    let end = self.pos - 1 - usize::from(empty);
                    return Ok(Some(Token::Start(Tag {
                        name: local(self.slice(self.token + 1, name_end)),
                        attributes: self.slice(name_end, end),
                        empty,
                    })));
                }
                Found::End { name_end } => {
                    return Ok(Some(Token::End(local(
                        self.slice(self.token + 2, name_end),
                    ))));
                }
            }
        }
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    fn content(&mut self, limits: &Limits, warnings: &mut Warnings) -> Result<Found, Fault> {
        match self.rest().as_bytes() {
            [b'<', ..] => self.markup(limits, warnings),
            [b'&', ..] => Ok(self.reference(warnings)),
            rest => {
                let window = rest.get(..MAX_PIECE).unwrap_or(rest);
                let end = memchr::memchr2(b'<', b'&', window).unwrap_or(window.len());
                self.pos = self.text.floor_char_boundary(self.pos + end);
                Ok(Found::Text)
            }
        }
    }

    fn markup(&mut self, limits: &Limits, warnings: &mut Warnings) -> Result<Found, Fault> {
        let rest = self.rest();
        match rest.as_bytes().get(1) {
            // At the end of the bytes too: a tag cut short is no text.
            None => Ok(Found::NeedMore),
            Some(b'/') => self.end_tag(limits),
            Some(b'?') => {
                let head = rest.get(2..).unwrap_or_default();
                let Some(end) = head.find(|c: char| c.is_ascii_whitespace() || c == '?') else {
                    if head.len() < MAX_REFERENCE {
                        return Ok(Found::NeedMore);
                    }
                    self.mode = Mode::Instruction;
                    self.pos += 2;
                    return Ok(Found::Nothing);
                };
                let declaration = head.get(..end) == Some("xml");
                self.mode = Mode::Instruction;
                self.pos += 2;
                Ok(if declaration {
                    Found::Declaration
                } else {
                    Found::Nothing
                })
            }
            Some(b'!') => self.declaration(limits, warnings),
            Some(c) if is_name_start(*c) => self.start_tag(limits),
            Some(_) => Ok(self.literal(1, warnings)),
        }
    }

    /// `<!--`, `<![CDATA[`, `<!DOCTYPE`, or something that does not belong.
    fn declaration(&mut self, limits: &Limits, warnings: &mut Warnings) -> Result<Found, Fault> {
        const OPENINGS: [(&str, Mode); 2] = [("<!--", Mode::Comment), ("<![CDATA[", Mode::Cdata)];
        let rest = self.rest();
        for (opening, mode) in OPENINGS {
            if rest.starts_with(opening) {
                self.mode = mode;
                self.pos += opening.len();
                return Ok(Found::Nothing);
            }
            if opening.starts_with(rest) {
                return Ok(Found::NeedMore);
            }
        }
        let head = rest.as_bytes().get(..9).unwrap_or(rest.as_bytes());
        if !b"<!DOCTYPE"
            .get(..head.len())
            .is_some_and(|d| d.eq_ignore_ascii_case(head))
        {
            return Ok(self.literal(2, warnings));
        }
        if head.len() < 9 {
            return Ok(Found::NeedMore);
        }
        match self.scan_tag(limits, true)? {
            None => Ok(Found::NeedMore),
            Some(end) => {
                self.pos = end;
                Ok(Found::Doctype)
            }
        }
    }

    fn start_tag(&mut self, limits: &Limits) -> Result<Found, Fault> {
        let Some(end) = self.scan_tag(limits, false)? else {
            return Ok(Found::NeedMore);
        };
        let tag = self.slice(self.pos + 1, end - 1);
        let empty = tag.ends_with('/');
        let length = tag
            .find(|c: char| c.is_ascii_whitespace() || c == '/')
            .unwrap_or(tag.len());
        let name_end = self.pos + 1 + length;
        self.pos = end;
        Ok(Found::Start { name_end, empty })
    }

    fn end_tag(&mut self, limits: &Limits) -> Result<Found, Fault> {
        let Some(end) = self.scan_tag(limits, false)? else {
            return Ok(Found::NeedMore);
        };
        let name = self.slice(self.pos + 2, end - 1).trim_ascii_end().len();
        let name_end = self.pos + 2 + name;
        self.pos = end;
        Ok(Found::End { name_end })
    }

    /// The position behind the `>` that ends the tag at `pos`, quotes respected.
    fn scan_tag(&mut self, limits: &Limits, doctype: bool) -> Result<Option<usize>, Fault> {
        let rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        let mut scan = self.tag;
        while let Some(unseen) = rest.get(scan.seen..).filter(|unseen| !unseen.is_empty()) {
            let found = match scan.quote {
                Some(quote) => memchr::memchr(quote, unseen),
                None if doctype => unseen
                    .iter()
                    .position(|b| matches!(b, b'>' | b'"' | b'\'' | b'[')),
                None => memchr::memchr3(b'>', b'"', b'\'', unseen),
            };
            let Some(at) = found else {
                scan.seen = rest.len();
                break;
            };
            scan.seen += at + 1;
            match (scan.quote, unseen.get(at)) {
                (Some(_), _) => scan.quote = None,
                (None, Some(b'>')) => {
                    self.tag = TagScan::default();
                    if scan.seen > limits.node_bytes {
                        return Err(Fault::limit(LimitKind::NodeBytes, limits.node_bytes));
                    }
                    return Ok(Some(self.pos + scan.seen));
                }
                (None, Some(b'[')) => return Err(Fault::InternalSubset),
                (None, quote) => scan.quote = quote.copied(),
            }
        }
        if scan.seen > limits.node_bytes {
            return Err(Fault::limit(LimitKind::NodeBytes, limits.node_bytes));
        }
        self.tag = scan;
        Ok(None)
    }

    /// Passes up to and over `end`; what is before is text in a CDATA section.
    fn until(&mut self, end: &str, is_text: bool) -> Found {
        let rest = self.rest();
        let window_end = rest.floor_char_boundary(MAX_PIECE + end.len());
        let window = rest.get(..window_end).unwrap_or(rest);
        let found = memchr::memmem::find(window.as_bytes(), end.as_bytes());
        let content = match found {
            Some(at) => at,
            None if self.finished && window.len() == rest.len() => window.len(),
            // The last bytes may be the beginning of the end.
            None => window.floor_char_boundary(window.len().saturating_sub(end.len() - 1)),
        };
        if content > 0 && is_text {
            self.pos += content;
            return Found::Text;
        }
        if found.is_some() {
            self.pos += content + end.len();
            self.mode = Mode::Content;
            return Found::Nothing;
        }
        self.pos += content;
        if content == 0 {
            Found::NeedMore
        } else {
            Found::Nothing
        }
    }

    /// Takes the next bytes as text although they look like markup.
    fn literal(&mut self, bytes: usize, warnings: &mut Warnings) -> Found {
        self.pos = self.text.floor_char_boundary(self.pos + bytes);
        warnings.document(WarningKind::BareMarkup, self.slice(self.token, self.pos));
        Found::Text
    }

    fn reference(&mut self, warnings: &mut Warnings) -> Found {
        let rest = self.rest();
        let window = rest
            .as_bytes()
            .get(..MAX_REFERENCE)
            .unwrap_or(rest.as_bytes());
        let body = window.get(1..).unwrap_or_default();
        let stop = body
            .iter()
            .position(|b| !b.is_ascii_alphanumeric() && !b"#._-:".contains(b));
        match stop {
            None if window.len() < MAX_REFERENCE => Found::NeedMore,
            Some(stop) if body.get(stop) == Some(&b';') => {
                let name = rest.get(1..=stop).unwrap_or_default();
                let length = stop + 2;
                match resolve(name) {
                    Reference::Char(c) => {
                        self.pos += length;
                        Found::Char(c)
                    }
                    Reference::Invalid => {
                        warnings.document(WarningKind::BadCharacterReference, name);
                        self.pos += length;
                        Found::Char(char::REPLACEMENT_CHARACTER)
                    }
                    Reference::Unknown => self.literal(length, warnings),
                }
            }
            _ => self.literal(1, warnings),
        }
    }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

/// The name without its namespace prefix: archives bind the VOTable namespace to any prefix, or to none.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

impl<'a> Tag<'a> {
    /// Name (with its prefix) and raw value of each attribute. Values without quotes are taken up to white space.
    pub(crate) fn attributes(&self) -> Attributes<'a> {
        Attributes::new(self.attributes)
    }

    /// Bytes the attributes take.
    pub(crate) fn len(&self) -> usize {
        self.attributes.len()
    }

    /// The value of one attribute, references resolved.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| unescape(value))
    }
}
