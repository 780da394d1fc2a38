//! Base64 (RFC 4648 section 4) of bytes that come in pieces.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Characters on a line.
const LINE: usize = 76;

/// The bytes that did not yet fill a group of three.
#[derive(Debug, Default)]
pub(super) struct Base64 {
    rest: Vec<u8>,
    column: usize,
}

impl Base64 {
    /// Appends the text of `bytes`, as far as it is certain.
    pub(super) fn encode(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.rest.extend_from_slice(bytes);
        let rest = std::mem::take(&mut self.rest);
        let (groups, left) = rest.as_chunks::<3>();
        for group in groups {
            self.group(*group, 4, out);
        }
        self.rest = left.to_vec();
    }

    /// Appends what is left, padded.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        match *self.rest.as_slice() {
            [a] => self.group([a, 0, 0], 2, out),
            [a, b] => self.group([a, b, 0], 3, out),
            _ => {}
        }
        self.rest.clear();
    }

    /// Three bytes as four characters, of which `valid` carry bits and the others are padding.
    fn group(&mut self, [a, b, c]: [u8; 3], valid: usize, out: &mut Vec<u8>) {
        if self.column == LINE {
            out.push(b'\n');
            self.column = 0;
        }
        let bits = u32::from_be_bytes([0, a, b, c]);
        for (index, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let character = ALPHABET.get((bits >> shift & 63) as usize).copied();
            out.push(character.filter(|_| index < valid).unwrap_or(b'='));
        }
        self.column += 4;
    }
}

#[cfg(test)]
mod tests {
    use super::Base64;

    #[test]
    fn vectors_of_the_rfc_in_any_pieces() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            for piece in 1..=4 {
                let (mut base64, mut out) = (Base64::default(), Vec::new());
                for bytes in plain.as_bytes().chunks(piece) {
                    base64.encode(bytes, &mut out);
                }
                base64.finish(&mut out);
                assert_eq!(String::from_utf8(out).unwrap(), coded);
            }
        }
    }
}
