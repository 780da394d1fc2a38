//! A document that is well-formed around any columns and any bytes in a BINARY or BINARY2 stream: no panic, the pieces
//! change nothing, and a whole number of rows or an error that says what is missing.

#![no_main]

mod told;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use manna_votable::Error;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    columns: Vec<Column>,
    binary2: bool,
    pieces: u8,
    bytes: &'a [u8],
}

#[derive(Debug, Arbitrary)]
struct Column {
    datatype: u8,
    shape: Shape,
    null: Option<i16>,
}

#[derive(Debug, Arbitrary)]
enum Shape {
    Scalar,
    Fixed(u16),
    Variable,
    Bounded(u8),
    Matrix(u8, u8),
    Rows(u8),
    Absurd(u64, u64),
}

const DATATYPES: [&str; 16] = [
    "boolean",
    "bit",
    "unsignedByte",
    "short",
    "int",
    "long",
    "char",
    "unicodeChar",
    "float",
    "double",
    "floatComplex",
    "doubleComplex",
    "string",
    "unsignedInt",
    "unsignedLong",
    "nonsense",
];

impl Column {
    fn xml(&self, index: usize) -> String {
        let datatype = DATATYPES[usize::from(self.datatype) % DATATYPES.len()];
        let arraysize = match self.shape {
            Shape::Scalar => String::new(),
            Shape::Fixed(n) => format!("{n}"),
            Shape::Variable => "*".into(),
            Shape::Bounded(n) => format!("{n}*"),
            Shape::Matrix(a, b) => format!("{a}x{b}"),
            Shape::Rows(n) => format!("{n}x*"),
            Shape::Absurd(a, b) => format!("{a}x{b}x3"),
        };
        let null = self
            .null
            .map_or(String::new(), |null| format!("<VALUES null=\"{null}\"/>"));
        format!(
            "<FIELD name=\"c{index}\" datatype=\"{datatype}\" arraysize=\"{arraysize}\">{null}</FIELD>"
        )
    }
}

fuzz_target!(|input: Input<'_>| {
    let element = if input.binary2 { "BINARY2" } else { "BINARY" };
    let columns: String = input
        .columns
        .iter()
        .take(40)
        .enumerate()
        .map(|(i, column)| column.xml(i))
        .collect();
    let text = base64(input.bytes);
    let document = format!(
        "<VOTABLE><RESOURCE><TABLE>{columns}<DATA><{element}><STREAM encoding=\"base64\">{text}</STREAM></{element}>\
         </DATA></TABLE></RESOURCE></VOTABLE>"
    );
    let whole = told::read([document.as_bytes()]);
    let size = usize::from(input.pieces).max(1);
    assert_eq!(told::read(document.as_bytes().chunks(size)), whole);
    if let Some(error) = whole.1 {
        let expected = matches!(
            error,
            Error::Truncated { .. } | Error::Limit { .. } | Error::Malformed { .. }
        );
        assert!(expected, "{error:?}");
    }
});

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len() * 2);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| {
            bits << 8 | u32::from(group.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            let code = (bits >> (18 - 6 * at) & 63) as usize;
            out.push(if at <= group.len() {
                char::from(ALPHABET[code])
            } else {
                '='
            });
        }
    }
    out
}
