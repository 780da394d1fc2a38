//! Base64 (RFC 2045, section 6.8) as a stream: any split of the text gives the same bytes.

/// Turns base64 text into bytes, piece by piece. White space and padding may stand anywhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Decoder {
    bits: u32,
    /// Characters in `bits`: 0 to 3.
    held: u8,
}

/// Something that is neither base64, padding nor white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Invalid(pub(crate) char);

const PAD: u8 = 64;
const SPACE: u8 = 65;
const BAD: u8 = 66;

const TABLE: [u8; 256] = table();

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn table() -> [u8; 256] {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut table = [BAD; 256];
    let mut i = 0;
    while i < 64 {
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let value = i as u8;
        table[alphabet[i] as usize] = value;
        i += 1;
    }
    table[b'=' as usize] = PAD;
    table[b' ' as usize] = SPACE;
    table[b'\n' as usize] = SPACE;
    table[b'\r' as usize] = SPACE;
    table[b'\t' as usize] = SPACE;
    table
}

fn code(byte: u8) -> u8 {
    // A u8 is always inside 256 entries; the compiler drops the check.
    TABLE.get(usize::from(byte)).copied().unwrap_or(BAD)
}

impl Decoder {
    /// Appends the bytes of `text` to `out`; stops at the first character that does not belong.
    pub(crate) fn decode(&mut self, text: &str, out: &mut Vec<u8>) -> Result<(), Invalid> {
        out.reserve(text.len() / 4 * 3 + 3);
        let mut rest = text.as_bytes();
        loop {
            if self.held == 0 {
                rest = fast(rest, out);
            }
            let Some((byte, tail)) = rest.split_first() else {
                return Ok(());
            };
            match code(*byte) {
                PAD => self.flush(out),
                SPACE => {}
                BAD => {
                    let at = text.len() - rest.len();
                    let bad = text.get(at..).and_then(|t| t.chars().next());
                    return Err(Invalid(bad.unwrap_or(char::REPLACEMENT_CHARACTER)));
                }
                value => self.push(value, out),
            }
            rest = tail;
        }
    }

    /// The end of the text: what is held without padding. Answers whether the text ends inside a character.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> bool {
        let cut = self.held == 1;
        self.flush(out);
        cut
    }

    fn push(&mut self, value: u8, out: &mut Vec<u8>) {
        self.bits = self.bits << 6 | u32::from(value);
        self.held += 1;
        if self.held == 4 {
            let [_, a, b, c] = self.bits.to_be_bytes();
            out.extend_from_slice(&[a, b, c]);
            *self = Self::default();
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        match self.held {
            2 => {
                let [.., a] = (self.bits >> 4).to_be_bytes();
                out.push(a);
            }
            3 => {
                let [.., a, b] = (self.bits >> 2).to_be_bytes();
                out.extend_from_slice(&[a, b]);
            }
            _ => {}
        }
        *self = Self::default();
    }
}

/// Characters looked at in one go; bounded, so that text with a blank in every group costs no more than it should.
const BLOCK: usize = 1_024;

/// Whole groups of four characters without anything else, the most of every stream: as far as the line goes.
fn fast<'a>(text: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let block = text.get(..BLOCK).unwrap_or(text);
    let end = memchr::memchr(b'\n', block).unwrap_or(block.len());
    let line = block.get(..end).unwrap_or(block);
    let (groups, _) = line.as_chunks::<4>();
    let start = out.len();
    out.resize(start + groups.len() * 3, 0);
    let (room, _) = out
        .get_mut(start..)
        .unwrap_or_default()
        .as_chunks_mut::<3>();
    let mut done = 0;
    for ([a, b, c, d], place) in groups.iter().zip(room) {
        let (a, b, c, d) = (code(*a), code(*b), code(*c), code(*d));
        // PAD, SPACE and BAD have the bit that no value has.
        if (a | b | c | d) & PAD != 0 {
            break;
        }
        let bits = u32::from(a) << 18 | u32::from(b) << 12 | u32::from(c) << 6 | u32::from(d);
        let [_, x, y, z] = bits.to_be_bytes();
        *place = [x, y, z];
        done += 1;
    }
    out.truncate(start + done * 3);
    text.get(done * 4..).unwrap_or_default()
}
