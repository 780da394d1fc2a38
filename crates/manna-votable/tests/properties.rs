//! What must hold for every document: the split of the bytes changes nothing, the serialisation changes nothing, what
//! is cut is told to be cut, and nothing panics.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test, with helpers outside the functions"
)]

mod support;

use manna_votable::{Datatype, Error, Field, Limits, Value, Writer};
use proptest::{collection::vec, prelude::*};
use support::{ColumnSpec, Last, Told, encode, read, read_chunks, read_pieces};

const DATATYPES: [Datatype; 12] = [
    Datatype::Boolean,
    Datatype::Bit,
    Datatype::UnsignedByte,
    Datatype::Short,
    Datatype::Int,
    Datatype::Long,
    Datatype::Char,
    Datatype::UnicodeChar,
    Datatype::Float,
    Datatype::Double,
    Datatype::FloatComplex,
    Datatype::DoubleComplex,
];

/// The null values of integer columns: random values keep away from them.
fn null_of(datatype: &Datatype) -> Option<&'static str> {
    match datatype {
        Datatype::UnsignedByte => Some("255"),
        Datatype::Short => Some("-32768"),
        Datatype::Int => Some("-1"),
        Datatype::Long => Some("-9223372036854775808"),
        _ => None,
    }
}

fn spec() -> impl Strategy<Value = ColumnSpec> {
    let shape = prop_oneof![
        3 => Just((vec![], Last::Scalar)),
        1 => (2_usize..5).prop_map(|n| (vec![], Last::Fixed(n))),
        2 => Just((vec![], Last::Variable)),
        1 => (1_usize..4, 1_usize..4).prop_map(|(a, b)| (vec![a], Last::Fixed(b))),
        1 => (1_usize..4).prop_map(|a| (vec![a], Last::Variable)),
        1 => (1_usize..3, 1_usize..4).prop_map(|(a, b)| (vec![a, b], Last::Variable)),
    ];
    (0..DATATYPES.len(), shape).prop_map(|(datatype, (inner, last))| {
        let datatype = DATATYPES[datatype].clone();
        let mut dims: Vec<String> = inner.iter().map(usize::to_string).collect();
        match last {
            Last::Scalar => {}
            Last::Fixed(n) => dims.push(n.to_string()),
            Last::Variable => dims.push("*".into()),
        }
        let arraysize = (last != Last::Scalar).then(|| dims.join("x"));
        let mut field = Field::new("c", datatype.clone(), arraysize.as_deref());
        field.null = null_of(&datatype).map(str::to_owned);
        ColumnSpec { field, inner, last }
    })
}

/// A cell that all three serialisations can hold: no empty strings and arrays, no null strings of fixed length.
fn cell(spec: &ColumnSpec) -> BoxedStrategy<Value> {
    let step: usize = spec.inner.iter().product();
    let datatype = spec.field.datatype.clone();
    let text = matches!(datatype, Datatype::Char | Datatype::UnicodeChar);
    if text {
        return text_cell(spec);
    }
    let one = scalar(datatype.clone(), spec.last == Last::Scalar);
    match spec.last {
        Last::Scalar => one,
        Last::Fixed(n) => nested(one, spec.inner.clone(), step * n..=step * n),
        Last::Variable => {
            let inner = spec.inner.clone();
            let array = (1_usize..4)
                .prop_flat_map(move |n| nested(one.clone(), inner.clone(), step * n..=step * n));
            prop_oneof![4 => array, 1 => Just(Value::Null)].boxed()
        }
    }
}

fn nested(
    one: BoxedStrategy<Value>,
    inner: Vec<usize>,
    size: std::ops::RangeInclusive<usize>,
) -> BoxedStrategy<Value> {
    vec(one, size)
        .prop_map(move |flat| Value::Array(nest(flat, &inner)))
        .boxed()
}

/// The reader nests one way; this builds the same from the inside.
fn nest(flat: Vec<Value>, inner: &[usize]) -> Vec<Value> {
    inner.iter().fold(flat, |values, dim| {
        values
            .chunks(*dim)
            .map(|chunk| Value::Array(chunk.to_vec()))
            .collect()
    })
}

fn scalar(datatype: Datatype, nullable: bool) -> BoxedStrategy<Value> {
    let complex = |a: f64, b: f64| Value::Complex(a, b);
    let value = match datatype {
        Datatype::Boolean => any::<bool>().prop_map(Value::Bool).boxed(),
        // A bit has no null.
        Datatype::Bit => return any::<bool>().prop_map(Value::Bool).boxed(),
        Datatype::UnsignedByte => (0_i64..255).prop_map(Value::Long).boxed(),
        Datatype::Short => (-32767_i64..32768).prop_map(Value::Long).boxed(),
        Datatype::Int => any::<i32>()
            .prop_map(|n| Value::Long(i64::from(if n == -1 { 0 } else { n })))
            .boxed(),
        Datatype::Long => any::<i64>()
            .prop_map(|n| Value::Long(n.max(i64::MIN + 1)))
            .boxed(),
        Datatype::Float => (proptest::num::f32::ANY)
            .prop_filter("NaN is null", |v| !v.is_nan())
            .prop_map(Value::Float)
            .boxed(),
        Datatype::Double => (proptest::num::f64::ANY)
            .prop_filter("NaN is null", |v| !v.is_nan())
            .prop_map(Value::Double)
            .boxed(),
        Datatype::FloatComplex => (-1e30_f32..1e30, -1e-30_f32..1e-30)
            .prop_map(move |(a, b)| complex(a.into(), b.into()))
            .boxed(),
        Datatype::DoubleComplex => (-1e300_f64..1e300, -1e-300_f64..1e-300)
            .prop_map(move |(a, b)| complex(a, b))
            .boxed(),
        other => panic!("{other} is text"),
    };
    if nullable {
        prop_oneof![5 => value, 1 => Just(Value::Null)].boxed()
    } else {
        value
    }
}

fn text_cell(spec: &ColumnSpec) -> BoxedStrategy<Value> {
    let is_char = spec.field.datatype == Datatype::Char;
    // Characters that XML can hold, markup among them; for `char` of fixed length one byte each.
    let any_character = prop_oneof![
        4 => proptest::char::range(' ', '~'),
        1 => proptest::sample::select(&['<', '&', '>', '\n', '\t', '\r', '"', '\''][..]),
        1 => proptest::char::range('\u{a1}', '\u{d7ff}'),
        1 => proptest::char::range('\u{1f300}', '\u{1f5ff}'),
    ];
    let ascii = proptest::char::range('!', '~').boxed();
    let wide = proptest::char::range('\u{a1}', '\u{2fff}').boxed();
    let narrow = if is_char { ascii } else { wide };
    let string = |one: BoxedStrategy<char>, size: std::ops::RangeInclusive<usize>| {
        vec(one, size).prop_map(|letters| letters.into_iter().collect::<String>())
    };
    match (spec.inner.as_slice(), spec.last) {
        ([], Last::Scalar) => string(narrow, 1..=1).prop_map(Value::Text).boxed(),
        ([], Last::Fixed(n)) => string(narrow, 1..=n).prop_map(Value::Text).boxed(),
        ([], Last::Variable) => {
            let text = string(any_character.boxed(), 1..=12).prop_map(Value::Text);
            prop_oneof![5 => text, 1 => Just(Value::Null)].boxed()
        }
        ([length, inner @ ..], last) => {
            let (inner, length) = (inner.to_vec(), *length);
            let step: usize = inner.iter().product();
            let most = if last == Last::Variable {
                1..4_usize
            } else {
                0..1
            };
            most.prop_flat_map(move |n| {
                let n = match last {
                    Last::Fixed(fixed) => fixed,
                    _ => n,
                };
                let inner = inner.clone();
                let one = string(narrow.clone(), 1..=length).prop_map(Value::Text);
                nested(one.boxed(), inner, step * n..=step * n)
            })
            .boxed()
        }
    }
}

#[derive(Debug, Clone)]
struct Random {
    specs: Vec<ColumnSpec>,
    rows: Vec<Vec<Value>>,
}

fn random_table() -> impl Strategy<Value = Random> {
    vec(spec(), 1..10).prop_flat_map(|mut specs| {
        for (index, spec) in specs.iter_mut().enumerate() {
            spec.field.name = format!("c{index}");
        }
        let row: Vec<_> = specs.iter().map(cell).collect();
        vec(row, 0..6).prop_map(move |rows| Random {
            specs: specs.clone(),
            rows,
        })
    })
}

impl Random {
    fn fields(&self) -> Vec<Field> {
        self.specs.iter().map(|spec| spec.field.clone()).collect()
    }

    fn tabledata(&self) -> String {
        let mut writer = Writer::new(Some("t"), &self.fields());
        for row in &self.rows {
            writer.row(row).unwrap();
        }
        writer.finish()
    }

    /// The writer's document with its data in another serialisation.
    fn binary(&self, binary2: bool) -> String {
        let document = self.tabledata();
        let (head, tail) = document.split_once("<DATA>").unwrap();
        let (_, tail) = tail.split_once("</DATA>").unwrap();
        let element = if binary2 { "BINARY2" } else { "BINARY" };
        let text = support::base64(&encode(&self.specs, &self.rows, binary2));
        format!(
            "{head}<DATA><{element}><STREAM encoding='base64'>\n{text}\n</STREAM></{element}></DATA>{tail}"
        )
    }

    fn documents(&self) -> [String; 3] {
        [self.tabledata(), self.binary(false), self.binary(true)]
    }
}

/// Long arrays inside a diff help nobody.
fn check_rows(told: &Told, expected: &[Vec<Value>], document: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(&told.result, &Ok(()), "{}", document);
    prop_assert_eq!(told.rows(), expected, "{}", document);
    prop_assert_eq!(told.warnings(), Vec::<String>::new(), "{}", document);
    Ok(())
}

proptest! {
    // A failure prints its input; there is no file to keep.
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// The writer's document, BINARY and BINARY2 are read as the rows that went in.
    #[test]
    fn all_serialisations_read_the_same(table in random_table()) {
        for document in table.documents() {
            check_rows(&read(&document), &table.rows, &document)?;
        }
    }

    /// However the bytes are split, the same is told.
    #[test]
    fn the_split_of_the_bytes_changes_nothing(table in random_table(), cuts in vec(1_usize..200, 1..40)) {
        for document in table.documents() {
            let whole = read(&document);
            prop_assert_eq!(read_chunks(document.as_bytes(), 1).difference(&whole), None);
            let mut rest = document.as_bytes();
            let mut pieces = Vec::new();
            for cut in &cuts {
                let (piece, tail) = rest.split_at((*cut).min(rest.len()));
                pieces.push(piece);
                rest = tail;
            }
            pieces.push(rest);
            prop_assert_eq!(read_pieces(pieces, Limits::default()).difference(&whole), None);
        }
    }

    /// Damage of any kind: no panic, and still the split changes nothing.
    #[test]
    fn damage_never_panics_and_the_split_changes_nothing(
        table in random_table(),
        which in 0..3_usize,
        edits in vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..8),
        size in 1_usize..60,
    ) {
        let mut document = table.documents()[which].clone().into_bytes();
        for (at, byte, kind) in edits {
            let at = at.index(document.len());
            match kind {
                0 => document[at] = byte,
                1 => document.insert(at, byte),
                2 => { document.remove(at); }
                _ => { let tail = document.split_off(at); document.extend_from_slice(b"<?xml version='1.0'?><VOTABLE>"); document.extend(tail); }
            }
        }
        let whole = read(&document);
        prop_assert_eq!(read_chunks(&document, size).difference(&whole), None);
        prop_assert_eq!(read_chunks(&document, 1).difference(&whole), None);
    }

    /// Markup soup from VOTable's own words: no panic, and still the split changes nothing.
    #[test]
    fn soup_never_panics_and_the_split_changes_nothing(parts in vec(soup(), 0..60), size in 1_usize..40) {
        let document: String = std::iter::once("<VOTABLE>").chain(parts).collect();
        let whole = read(&document);
        prop_assert_eq!(read_chunks(document.as_bytes(), size).difference(&whole), None);
        prop_assert_eq!(read_chunks(document.as_bytes(), 1).difference(&whole), None);
    }

    /// Any text in names, units and descriptions comes back as it went in.
    #[test]
    fn the_header_is_read_as_written(name in "\\PC{1,20}", unit in "\\PC{0,9}", text in "[ -~\n\t]{1,40}") {
        let mut field = Field::new(name.clone(), Datatype::Int, None);
        field.unit = Some(unit.clone());
        field.description = Some(text.clone());
        let document = Writer::new(Some(&name), &[field]).finish();
        let told = read(&document);
        prop_assert_eq!(&told.result, &Ok(()));
        let table = &told.summary.tables[0].table;
        prop_assert_eq!(table.name.as_ref(), Some(&name));
        prop_assert_eq!(&table.fields[0].name, &name);
        prop_assert_eq!(table.fields[0].unit.as_ref(), Some(&unit));
        prop_assert_eq!(table.fields[0].description.as_deref().unwrap_or_default(), text.trim());
    }
}

proptest! {
    // Each case reads each document once a byte.
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// A document cut anywhere is told to be cut, and the rows before the cut are there.
    #[test]
    fn a_cut_anywhere_is_told(table in random_table()) {
        for document in table.documents() {
            let end = document.trim_end().len();
            let root = document.find("<VOTABLE").unwrap();
            for at in 0..end {
                // A character cut in half at the very end is replaced: that must not hide the cut either.
                let told = read(&document.as_bytes()[..at]);
                match &told.result {
                    Err(Error::Truncated { rows, .. }) => {
                        prop_assert_eq!(*rows, told.rows().len() as u64);
                        prop_assert_eq!(&told.rows()[..], &table.rows[..told.rows().len()]);
                    }
                    Err(Error::NotVotable(_)) => prop_assert!(at <= root + 90, "not a VOTable at {}", at),
                    other => prop_assert!(false, "cut at {} of {}: {:?}", at, end, other),
                }
            }
        }
    }
}

fn soup() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "<RESOURCE>",
        "</RESOURCE>",
        "<TABLE>",
        "</TABLE>",
        "<FIELD name='a' datatype='int'/>",
        "<FIELD name='b' datatype='char' arraysize='*'>",
        "</FIELD>",
        "<DATA>",
        "</DATA>",
        "<TABLEDATA>",
        "</TABLEDATA>",
        "<TR>",
        "</TR>",
        "<TD>",
        "</TD>",
        "<TD/>",
        "<TD>1</TD>",
        "<TD>&lt;</TD>",
        "12",
        "text",
        " ",
        "\n",
        "\r\n",
        "\r",
        "&amp;",
        "&#65;",
        "&#x1F600;",
        "&nope;",
        "&",
        ";",
        "<",
        ">",
        "<!-- <TR><TD>9</TD></TR> -->",
        "<!--",
        "-->",
        "<![CDATA[ <TD> ]]>",
        "<![CDATA[",
        "]]>",
        "<?pi ?>",
        "<?xml version='1.0'?>",
        "<?",
        "?>",
        "<INFO name='QUERY_STATUS' value='ERROR'>",
        "<INFO name='QUERY_STATUS' value='OVERFLOW'/>",
        "</INFO>",
        "<DESCRIPTION>",
        "</DESCRIPTION>",
        "<VODML>",
        "</VODML>",
        "<x y='\">'>",
        "</x>",
        "<BINARY>",
        "</BINARY>",
        "<BINARY2>",
        "</BINARY2>",
        "<STREAM>",
        "</STREAM>",
        "AAAA",
        "AAAAAQ==",
        "=",
        "<html>",
        "</VOTABLE>",
        "\u{1f600}",
        "<VALUES null='1' ID='v'>",
        "</VALUES>",
        "<GROUP name='g'>",
        "</GROUP>",
        "<PARAM name='Error' value='e'/>",
        "<!DOCTYPE x>",
        "<!DOCTYPE x [",
        "<TABLE ref='t' ID='t'>",
        "<STREAM href='http://x/'/>",
    ])
}
