//! Content codings: gzip or nothing, decided by the bytes, inflated piece by piece.
//!
//! Some archives send gzip without saying so and some say so and do not send it; a document that we read
//! (XML, JSON, text) never begins with gzip's magic number, so that decides.

use std::io::{self, Write};

use bytes::{Buf, Bytes};
use flate2::write::MultiGzDecoder;

/// RFC 1952 section 2.3: ID1, ID2, and the only compression method there is.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Turns pieces of the wire into pieces of the document; a piece out is at most some 64 KiB, however
/// well the piece in was compressed.
pub(super) struct Coding {
    state: State,
    pending: Bytes,
}

enum State {
    /// The first bytes are still awaited.
    Open(Vec<u8>),
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
}

impl Coding {
    pub(super) fn new() -> Self {
        Self {
            state: State::Open(Vec::new()),
            pending: Bytes::new(),
        }
    }

    /// Takes the next piece of the wire; all of the one before must have been drawn by [`next`](Self::next).
    pub(super) fn push(&mut self, piece: Bytes) {
        if let State::Open(begun) = &mut self.state {
            begun.extend_from_slice(&piece);
            if begun.len() < GZIP_MAGIC.len() {
                return;
            }
            self.decide();
        } else {
            self.pending = piece;
        }
    }

    /// The next piece of the document, `None` when more of the wire is needed.
    pub(super) fn next(&mut self) -> io::Result<Option<Bytes>> {
        match &mut self.state {
            State::Open(_) => Ok(None),
            State::Plain => {
                Ok(Some(std::mem::take(&mut self.pending)).filter(|piece| !piece.is_empty()))
            }
            State::Gzip(decoder) => {
                while !self.pending.is_empty() {
                    let used = decoder.write(&self.pending)?;
                    self.pending.advance(used);
                    let out = std::mem::take(decoder.get_mut());
                    if !out.is_empty() {
                        return Ok(Some(out.into()));
                    }
                    if used == 0 {
                        return Err(io::Error::new(
                            io::ErrorKind::InvalidData,
                            "gzip data after its end",
                        ));
                    }
                }
                Ok(None)
            }
        }
    }

    /// The wire ended: what is left, or an error when the coding is not complete.
    pub(super) fn finish(&mut self) -> io::Result<Option<Bytes>> {
        if let State::Open(_) = self.state {
            self.decide();
            return self.next();
        }
        if let State::Gzip(decoder) = &mut self.state {
            // The decoder has one error for a trailer that is missing and one that does not match; either way
            // this is not the whole of what was compressed.
            decoder
                .try_finish()
                .map_err(|error| io::Error::new(io::ErrorKind::UnexpectedEof, error))?;
            let out = std::mem::take(decoder.get_mut());
            return Ok(Some(Bytes::from(out)).filter(|piece| !piece.is_empty()));
        }
        Ok(None)
    }

    fn decide(&mut self) {
        let State::Open(begun) = &mut self.state else {
            return;
        };
        self.pending = std::mem::take(begun).into();
        self.state = if self.pending.starts_with(&GZIP_MAGIC) {
            State::Gzip(Box::new(MultiGzDecoder::new(Vec::new())))
        } else {
            State::Plain
        };
    }
}
