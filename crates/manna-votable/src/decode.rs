//! Bytes to text: encoding, byte order mark, line ends. Works on any split of the bytes.

use encoding_rs::{CoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes within which an XML declaration must end.
const MAX_DECLARATION: usize = 1_024;
/// Bytes decoded at a time, so that the room reserved stays in proportion.
const STEP: usize = 64 << 10;

/// Turns the bytes of a document into UTF-8 with `\n` line ends (XML 1.0, sections 2.11, 4.3.3 and appendix F).
#[derive(Debug)]
pub(crate) struct Decoder {
    state: State,
    /// The last character was a carriage return, already passed on as `\n`.
    after_cr: bool,
    replaced: u64,
    doubtful: bool,
}

enum State {
    /// The first bytes, until they tell the encoding.
    Sniffing(Vec<u8>),
    Decoding(Box<encoding_rs::Decoder>),
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sniffing(bytes) => write!(f, "Sniffing({} bytes)", bytes.len()),
            Self::Decoding(decoder) => write!(f, "Decoding({})", decoder.encoding().name()),
        }
    }
}

impl Decoder {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Sniffing(Vec::new()),
            after_cr: false,
            replaced: 0,
            doubtful: false,
        }
    }

    /// Characters replaced so far because their bytes were invalid.
    pub(crate) fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Whether the declared encoding was unknown or contradicted by the bytes.
    pub(crate) fn doubtful(&self) -> bool {
        self.doubtful
    }

    /// Appends what `bytes` say to `out`; `last` when no more will come.
    pub(crate) fn decode(&mut self, bytes: &[u8], last: bool, out: &mut String) {
        match &mut self.state {
            State::Sniffing(start) => {
                // A declaration fits here; the rest need not be copied.
                let room = (MAX_DECLARATION + 4)
                    .saturating_sub(start.len())
                    .min(bytes.len());
                let (head, tail) = bytes.split_at(room);
                start.extend_from_slice(head);
                let Some(found) = sniff(start, last || start.len() > MAX_DECLARATION) else {
                    return;
                };
                let start = std::mem::take(start);
                self.doubtful = found.doubtful;
                self.state =
                    State::Decoding(Box::new(found.encoding.new_decoder_without_bom_handling()));
                self.run(
                    start.get(found.bom..).unwrap_or_default(),
                    last && tail.is_empty(),
                    out,
                );
                if !tail.is_empty() {
                    self.run(tail, last, out);
                }
            }
            State::Decoding(_) => self.run(bytes, last, out),
        }
    }

    fn run(&mut self, bytes: &[u8], last: bool, out: &mut String) {
        let State::Decoding(decoder) = &mut self.state else {
            return;
        };
        let from = out.len();
        let mut steps = bytes.chunks(STEP).peekable();
        loop {
            let step = steps.next().unwrap_or_default();
            let done = steps.peek().is_none();
            self.replaced += decode_step(decoder, step, last && done, out);
            if done {
                break;
            }
        }
        self.normalise_line_ends(from, out);
    }

    fn normalise_line_ends(&mut self, from: usize, out: &mut String) {
        let new = out.get(from..).unwrap_or_default();
        if new.is_empty() {
            return;
        }
        if !self.after_cr && memchr::memchr(b'\r', new.as_bytes()).is_none() {
            return;
        }
        let new = out.split_off(from);
        let mut rest = new.as_str();
        if self.after_cr {
            rest = rest.strip_prefix('\n').unwrap_or(rest);
            self.after_cr = false;
        }
        while let Some((before, after)) = rest.split_once('\r') {
            out.push_str(before);
            out.push('\n');
            self.after_cr = after.is_empty();
            rest = after.strip_prefix('\n').unwrap_or(after);
        }
        out.push_str(rest);
    }
}

/// Decodes all of `bytes`, replacing what is invalid; answers how often.
fn decode_step(
    decoder: &mut encoding_rs::Decoder,
    mut bytes: &[u8],
    last: bool,
    out: &mut String,
) -> u64 {
    let mut replaced = 0;
    loop {
        let room = decoder
            .max_utf8_buffer_length_without_replacement(bytes.len())
            .unwrap_or(bytes.len());
        out.reserve(room.max(16));
        let (result, read) = decoder.decode_to_string_without_replacement(bytes, out, last);
        bytes = bytes.get(read..).unwrap_or_default();
        match result {
            encoding_rs::DecoderResult::InputEmpty => return replaced,
            encoding_rs::DecoderResult::OutputFull => {}
            encoding_rs::DecoderResult::Malformed(..) => {
                out.push(char::REPLACEMENT_CHARACTER);
                replaced += 1;
            }
        }
    }
}

struct Found {
    encoding: &'static Encoding,
    bom: usize,
    doubtful: bool,
}

/// The encoding the first bytes tell, or `None` when more are needed.
fn sniff(start: &[u8], last: bool) -> Option<Found> {
    let found = |encoding, bom| {
        Some(Found {
            encoding,
            bom,
            doubtful: false,
        })
    };
    match start {
        [0xEF, 0xBB, 0xBF, ..] => return found(UTF_8, 3),
        [0xFE, 0xFF, ..] => return found(UTF_16BE, 2),
        [0xFF, 0xFE, ..] => return found(UTF_16LE, 2),
        [0, low, ..] if *low != 0 => return found(UTF_16BE, 0),
        [high, 0, ..] if *high != 0 => return found(UTF_16LE, 0),
        [] | [_] | [0xEF, 0xBB] if !last => return None,
        _ => {}
    }
    let text = start.trim_ascii_start();
    if !last && (text.is_empty() || (text.len() < 6 && b"<?xml ".starts_with(text))) {
        return None;
    }
    if !text.starts_with(b"<?xml") {
        return found(UTF_8, 0);
    }
    let end = memchr::memmem::find(text, b"?>");
    if end.is_none() && !last {
        return None;
    }
    let declaration = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    let Some(label) = declared(declaration) else {
        return found(UTF_8, 0);
    };
    // What could be read as ASCII is not UTF-16, whatever it says (.NET writes such declarations into UTF-8). ASCII
    // is a part of UTF-8, and what is labelled so is more often that than the Windows code page the web makes of it.
    let ascii = label.eq_ignore_ascii_case(b"us-ascii") || label.eq_ignore_ascii_case(b"ascii");
    let encoding = if ascii {
        Some(UTF_8)
    } else {
        Encoding::for_label(label)
    };
    match encoding {
        Some(encoding) if encoding.is_ascii_compatible() => found(encoding, 0),
        _ => Some(Found {
            encoding: UTF_8,
            bom: 0,
            doubtful: true,
        }),
    }
}

/// The value of the pseudo-attribute `encoding`.
fn declared(declaration: &[u8]) -> Option<&[u8]> {
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let rest = declaration
        .get(at + 8..)?
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = memchr::memchr(*quote, rest)?;
    rest.get(..end)
}

/// Text in the encoding old archives use without saying so.
pub(crate) fn latin1(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
    let mut bytes = bytes;
    loop {
        out.reserve(bytes.len().saturating_mul(3).max(16));
        let (result, read, _) = decoder.decode_to_string(bytes, &mut out, true);
        bytes = bytes.get(read..).unwrap_or_default();
        if result == CoderResult::InputEmpty {
            return out;
        }
    }
}
