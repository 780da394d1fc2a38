//! One small document for each rule: what archives write, and what it is read as. The numbers are those of the bug
//! reports and rules the project collected.

#![expect(
    clippy::indexing_slicing,
    reason = "a test, with helpers outside the functions"
)]

mod support;

use manna_votable::{
    Error, Event, LimitKind, Limits, Place, QueryStatus, Reader, Serialisation, Value, WarningKind,
    summarize,
};
use support::{Told, binary, column, read, read_chunks, read_pieces, table};

use Value::{Array, Bool, Complex, Double, Float, Long, Null};

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn longs(values: &[i64]) -> Value {
    Array(values.iter().copied().map(Long).collect())
}

fn texts(values: &[&str]) -> Value {
    Array(values.iter().map(|value| text(value)).collect())
}

/// The only column of all rows.
fn cells(told: &Told) -> Vec<Value> {
    assert_eq!(told.result, Ok(()));
    told.rows().into_iter().map(|row| row[0].clone()).collect()
}

fn kinds(told: &Told) -> Vec<(WarningKind, u64)> {
    told.summary
        .warnings
        .iter()
        .map(|warning| (warning.kind, warning.count))
        .collect()
}

/// Attributes of the FIELD, a cell, what it is read as, and the warnings.
type Case = (
    &'static str,
    &'static str,
    Value,
    &'static [(WarningKind, u64)],
);

#[test]
fn tabledata_cells() {
    use WarningKind as W;
    #[rustfmt::skip]
    let cases: &[Case] = &[
        // numbers
        ("datatype='double'", " 1.5 ", Double(1.5), &[]),
        ("datatype='double'", "1.5D3", Double(1500.0), &[]),
        ("datatype='double'", "\n 2 \n", Double(2.0), &[]),
        ("datatype='double'", "NaN", Null, &[]),
        ("datatype='double'", "-Inf", Double(f64::NEG_INFINITY), &[]),
        ("datatype='double'", "Infinity", Double(f64::INFINITY), &[]),
        ("datatype='double'", "NULL", Null, &[]),
        ("datatype='double'", "12:30:00", Null, &[(W::BadNumber, 1)]),
        ("datatype='double'", "&#49;&#x2E;5", Double(1.5), &[]),
        ("datatype='float'", "0.1", Float(0.1), &[]),
        ("datatype='float'", "1e39", Float(f32::INFINITY), &[]),
        ("datatype='int'", "+42", Long(42), &[]),
        ("datatype='int'", "0x2A", Long(42), &[]),
        ("datatype='int'", "1.", Long(1), &[]),
        ("datatype='int'", "42.0", Long(42), &[]),
        ("datatype='int'", "42.5", Null, &[(W::BadNumber, 1)]),
        ("datatype='int'", "", Null, &[]),
        ("datatype='int'", "null", Null, &[]),
        ("datatype='int'", "2147483648", Null, &[(W::OutOfRange, 1)]),
        ("datatype='unsignedByte'", "-1", Null, &[(W::OutOfRange, 1)]),
        ("datatype='long'", "9007199254740993", Long(9_007_199_254_740_993), &[]),
        ("datatype='long'", "18446744073709551615", Null, &[(W::OutOfRange, 1)]),
        ("datatype='unsignedInt'", "4294967295", Long(4_294_967_295), &[]),
        ("datatype='integer'", "7", Long(7), &[]),
        // booleans
        ("datatype='boolean'", "T", Bool(true), &[]),
        ("datatype='boolean'", "tRUe", Bool(true), &[]),
        ("datatype='boolean'", "0", Bool(false), &[]),
        ("datatype='boolean'", "?", Null, &[]),
        ("datatype='boolean'", " ", Null, &[]),
        ("datatype='boolean'", "maybe", Null, &[(W::BadBoolean, 1)]),
        ("datatype='bit'", "1", Bool(true), &[]),
        // strings
        ("datatype='char' arraysize='*'", "  lead and trail  ", text("  lead and trail  "), &[]),
        ("datatype='char' arraysize='*'", "pre<![CDATA[ <mid> ]]>po&amp;st<!-- c -->end", text("pre <mid> po&stend"), &[]),
        ("datatype='char' arraysize='*'", "a<i>b</i>c", text("abc"), &[]),
        ("datatype='char' arraysize='*'", "AT&T &nope; 1 < 2", text("AT&T &nope; 1 < 2"), &[(W::BareMarkup, 3)]),
        ("datatype='char' arraysize='*'", "\u{c5}ngstr\u{f6}m \u{661f}", text("\u{c5}ngstr\u{f6}m \u{661f}"), &[]),
        ("datatype='char' arraysize='*'", "&#x1F600;&#0;", text("\u{1f600}\u{fffd}"), &[(W::BadCharacterReference, 1)]),
        ("datatype='char' arraysize='*'", "", Null, &[]),
        ("datatype='char' arraysize='*'", "null", text("null"), &[]),
        ("datatype='char'", "abc", text("abc"), &[(W::TooLong, 1)]),
        ("datatype='char' arraysize='2*'", "abc", text("abc"), &[(W::TooLong, 1)]),
        ("datatype='unicodeChar' arraysize='3'", "\u{661f}\u{661f}\u{661f}", text("\u{661f}\u{661f}\u{661f}"), &[]),
        ("datatype='string'", "any text", text("any text"), &[]),
        ("datatype='nonsense'", "42", text("42"), &[(W::UnknownDatatype, 1)]),
        ("", "some text", text("some text"), &[(W::MissingDatatype, 1)]),
        // arrays
        ("datatype='int' arraysize='*'", "1 2\n3", longs(&[1, 2, 3]), &[]),
        ("datatype='int' arraysize='*'", "1, 2,3", longs(&[1, 2, 3]), &[]),
        ("datatype='int' arraysize='*'", "", Null, &[]),
        ("datatype='int' arraysize='1'", "5", Long(5), &[]),
        ("datatype='int' arraysize='3'", "1 2", longs(&[1, 2]), &[(W::WrongArrayLength, 1)]),
        ("datatype='int' arraysize='2*'", "1 2 3", longs(&[1, 2, 3]), &[(W::WrongArrayLength, 1)]),
        ("datatype='int' arraysize='2x*'", "1 2 3 4", Array(vec![longs(&[1, 2]), longs(&[3, 4])]), &[]),
        ("datatype='int' arraysize='2x2x1'", "1 2 3 4", Array(vec![Array(vec![longs(&[1, 2]), longs(&[3, 4])])]), &[]),
        ("datatype='int' arraysize='2x*'", "1 2 3", longs(&[1, 2, 3]), &[(W::WrongArrayLength, 1)]),
        ("datatype='int' arraysize='nonsense'", "1 2", longs(&[1, 2]), &[(W::BadArraysize, 1)]),
        ("datatype='double' arraysize='*'", "1 NaN 3", Array(vec![Double(1.0), Null, Double(3.0)]), &[]),
        ("datatype='bit' arraysize='*'", "101", Array(vec![Bool(true), Bool(false), Bool(true)]), &[]),
        ("datatype='bit' arraysize='*'", "1 0 1", Array(vec![Bool(true), Bool(false), Bool(true)]), &[]),
        ("datatype='boolean' arraysize='3'", "T f ?", Array(vec![Bool(true), Bool(false), Null]), &[]),
        ("datatype='floatComplex'", "1.5  -2", Complex(1.5, -2.0), &[]),
        ("datatype='doubleComplex'", "1.5", Null, &[(W::BadNumber, 1)]),
        ("datatype='doubleComplex' arraysize='*'", "1 2 3 4", Array(vec![Complex(1.0, 2.0), Complex(3.0, 4.0)]), &[]),
        ("datatype='char' arraysize='5x*'", "aaaaabb   ccccc", texts(&["aaaaa", "bb", "ccccc"]), &[]),
        ("datatype='char' arraysize='2x3'", "aabbcc", texts(&["aa", "bb", "cc"]), &[]),
        ("datatype='char' arraysize='5x'", "aaaaabbbbb", texts(&["aaaaa", "bbbbb"]), &[(W::BadArraysize, 1)]),
        ("datatype='unicodeChar' arraysize='1x*'", "\u{661f}\u{6708}", texts(&["\u{661f}", "\u{6708}"]), &[]),
    ];
    for (attributes, cell, expected, warnings) in cases {
        let told = read(column(attributes, &[cell]));
        assert_eq!(
            cells(&told),
            std::slice::from_ref(expected),
            "{attributes} {cell:?}"
        );
        assert_eq!(kinds(&told), *warnings, "{attributes} {cell:?}");
    }
}

#[test]
fn null_values() {
    let with_null = |datatype: &str, null: &str, cells: &[&str]| {
        column(datatype, cells).replace(
            "/><DATA>",
            &format!("><VALUES null='{null}'/></FIELD><DATA>"),
        )
    };
    let told = read(with_null(
        "datatype='int'",
        "-1",
        &["-1", "-1.0", "0xffffffff", "1"],
    ));
    assert_eq!(cells(&told), [Null, Null, Null, Long(1)]);
    let told = read(with_null("datatype='double'", "-99.9", &["-99.90", "1"]));
    assert_eq!(cells(&told), [Null, Double(1.0)]);
    let told = read(with_null("datatype='int' arraysize='*'", "9", &["1 9 2"]));
    assert_eq!(cells(&told), [Array(vec![Long(1), Null, Long(2)])]);
    // A null value that is none of the type still marks the cells that hold it.
    let told = read(with_null("datatype='short'", "-32769", &["-32769", "1"]));
    assert_eq!(cells(&told), [Null, Long(1)]);
    assert_eq!(kinds(&told), [(WarningKind::BadNullValue, 1)]);
    // VALUES of another column.
    let fields = "<FIELD name='a' datatype='int'><VALUES ID='v' null='7'/></FIELD>\
                  <FIELD name='b' datatype='int'><VALUES ref='v'/></FIELD>";
    let told = read(table(
        fields,
        "<TABLEDATA><TR><TD>7</TD><TD>7</TD></TR></TABLEDATA>",
    ));
    assert_eq!(told.rows(), [[Null, Null]]);
    assert_eq!(
        told.summary.tables[0].table.fields[1].null.as_deref(),
        Some("7")
    );
}

#[test]
fn binary_cells() {
    let bits = [1, 0, 1, 0, 0, 0, 0, 0, 0, 1]
        .map(|bit| Bool(bit == 1))
        .to_vec();
    #[rustfmt::skip]
    let cases: Vec<(&str, &[u8], Vec<Value>)> = vec![
        ("datatype='int'", &[0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff], vec![Long(1), Long(-1)]),
        ("datatype='unsignedByte'", &[0, 255], vec![Long(0), Long(255)]),
        ("datatype='short'", &[0xff, 0xfe], vec![Long(-2)]),
        ("datatype='boolean'", b"Tf1 0?\0", vec![Bool(true), Bool(false), Bool(true), Null, Bool(false), Null, Null]),
        ("datatype='bit'", &[0x80, 0], vec![Bool(true), Bool(false)]),
        ("datatype='float'", &[0x3f, 0x80, 0, 0, 0x7f, 0xc0, 0, 0], vec![Float(1.0), Null]),
        ("datatype='doubleComplex'", &[0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0], vec![Complex(1.0, 2.0)]),
        // strings of any length, and of any length up to a bound
        ("datatype='char' arraysize='*'", b"\0\0\0\0\0\0\0\x03abc", vec![Null, text("abc")]),
        ("datatype='char' arraysize='128*'", b"\0\0\0\x02ab", vec![text("ab")]),
        ("datatype='unicodeChar' arraysize='9*'", &[0, 0, 0, 1, 0x66, 0x1f], vec![text("\u{661f}")]),
        ("datatype='string'", b"\0\0\0\x02ab", vec![text("ab")]),
        // strings of fixed length end at a NUL; blanks are kept
        ("datatype='char' arraysize='5'", b"abc\0zab  c\0\0\0\0\0", vec![text("abc"), text("ab  c"), Null]),
        ("datatype='char'", b"xy", vec![text("x"), text("y")]),
        ("datatype='unicodeChar' arraysize='*'", &[0, 0, 0, 2, 0xd8, 0x35, 0xde, 0xfc], vec![text("\u{1d6fc}")]),
        ("datatype='unicodeChar' arraysize='2'", &[0, 0xe9, 0x66, 0x1f], vec![text("\u{e9}\u{661f}")]),
        ("datatype='char' arraysize='2x2'", b"ab\0\0", vec![texts(&["ab", ""])]),
        ("datatype='bit' arraysize='10'", &[0b1010_0000, 0b0100_0000], vec![Array(bits)]),
        ("datatype='int' arraysize='*'", &[0, 0, 0, 0], vec![Null]),
        // the prefix counts elements, not steps of the last dimension (VOTable 1.5, section 5.3; STILTS does too)
        ("datatype='int' arraysize='2x*'", &[0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2], vec![Array(vec![longs(&[1, 2])])]),
    ];
    for (attributes, bytes, expected) in cases {
        let told = read(binary(
            "BINARY",
            &format!("<FIELD name='c' {attributes}/>"),
            bytes,
        ));
        assert_eq!(cells(&told), expected, "{attributes}");
        let kinds: Vec<_> = kinds(&told)
            .into_iter()
            .filter(|(k, _)| *k != WarningKind::UnknownDatatype)
            .collect();
        assert_eq!(kinds, [], "{attributes}");
    }
}

#[test]
fn binary2_says_what_is_null_and_what_is_empty() {
    let field = "<FIELD name='s' datatype='char' arraysize='*'/><FIELD name='n' datatype='int'/>";
    let rows = b"\x80\0\0\0\0\0\0\0\x01\x00\0\0\0\0\0\0\0\x02\x40\0\0\0\x01a\0\0\0\x03";
    let told = read(binary("BINARY2", field, rows));
    assert_eq!(
        told.rows(),
        [[Null, Long(1)], [text(""), Long(2)], [text("a"), Null]]
    );
}

#[test]
fn bad_text_in_binary() {
    let field = "<FIELD name='s' datatype='char' arraysize='*'/>";
    let told = read(binary("BINARY", field, b"\0\0\0\x04caf\xe9"));
    assert_eq!(cells(&told), [text("caf\u{e9}")]);
    assert_eq!(kinds(&told), [(WarningKind::NotUtf8, 1)]);
    // A length counted in bytes cut a character.
    let told = read(binary("BINARY", field, b"\0\0\0\x04\xc3\xa9a\xc3"));
    assert_eq!(cells(&told), [text("\u{e9}a")]);
    let field = "<FIELD name='s' datatype='unicodeChar' arraysize='*'/>";
    let told = read(binary("BINARY", field, &[0, 0, 0, 1, 0xd8, 0x35]));
    assert_eq!(cells(&told), [text("\u{fffd}")]);
    assert_eq!(kinds(&told), [(WarningKind::BadUtf16, 1)]);
}

#[test]
fn base64_as_archives_write_it() {
    let field = "<FIELD name='n' datatype='int'/>";
    let expected = [Long(1), Long(2)];
    for stream in [
        "<STREAM encoding='base64'>AAAAAQAAAAI=</STREAM>",
        "<STREAM>AAAAAQAAAAI=</STREAM>",
        "<STREAM encoding='base64'>\n  AAAA\r\n  AQAA&#13;\n\tAAI\n</STREAM>",
        "<STREAM encoding='base64'>AAAAAQ==AAAAAg==</STREAM>",
        "<STREAM encoding='base64'><![CDATA[AAAAAQ]]>AAAAI=<!-- end --></STREAM>",
        "<STREAM encoding='base64'>AAAA\u{a0}AQAAAAI=</STREAM>",
    ] {
        let told = read(table(field, &format!("<BINARY>{stream}</BINARY>")));
        assert_eq!(cells(&told), expected, "{stream}");
    }
    // A message in the middle of the stream: the rows before it, and an error.
    let told = read(table(
        field,
        "<BINARY><STREAM encoding='base64'>AAAAAQAAAAI= ORA-00942: gone</STREAM></BINARY>",
    ));
    assert_eq!(told.rows().len(), 2);
    assert!(
        matches!(
            told.result,
            Err(Error::Malformed {
                rows: 2,
                line: 2,
                ..
            })
        ),
        "{:?}",
        told.result
    );
}

#[test]
fn cells_in_base64() {
    let fields = "<FIELD name='f' datatype='float'/><FIELD name='g' datatype='float'/>";
    let row = "<TR><TD encoding='base64'>P4AAAA==</TD><TD encoding='base64'>P4</TD></TR>";
    let told = read(table(fields, &format!("<TABLEDATA>{row}</TABLEDATA>")));
    assert_eq!(told.rows(), [[Float(1.0), Null]]);
    assert_eq!(kinds(&told), [(WarningKind::CellEncoding, 1)]);
}

#[test]
fn rows_of_another_length_than_the_columns() {
    let fields = "<FIELD name='a' datatype='int'/><FIELD name='b' datatype='int'/>";
    let rows = "<TR><TD>1</TD></TR><TR><TD>1</TD><TD>2</TD><TD>3</TD></TR><TR/><TR></TR><TR><TD>5</TD><TD/></TR>";
    let told = read(table(fields, &format!("<TABLEDATA>{rows}</TABLEDATA>")));
    let expected = [
        [Long(1), Null],
        [Long(1), Long(2)],
        [Null, Null],
        [Null, Null],
        [Long(5), Null],
    ];
    assert_eq!(told.rows(), expected);
    assert_eq!(
        kinds(&told),
        [(WarningKind::ShortRow, 3), (WarningKind::LongRow, 1)]
    );
}

#[test]
fn a_warning_a_kind_and_column_with_a_count() {
    let bad: Vec<&str> = std::iter::repeat_n("x", 1000).collect();
    let told = read(column("datatype='int'", &bad));
    assert_eq!(
        told.warnings(),
        ["column \"c\": cells that are not a number were read as null (1000 times)"]
    );
    assert_eq!(told.summary.warnings[0].example.as_deref(), Some("x"));
}

#[test]
fn versions_namespaces_prefixes_and_declarations() {
    let inner = |p: &str| {
        format!(
            "<{p}RESOURCE><{p}TABLE><{p}FIELD name=\"n\" datatype=\"int\"/><{p}DATA><{p}TABLEDATA>\
             <{p}TR><{p}TD>1</{p}TD></{p}TR></{p}TABLEDATA></{p}DATA></{p}TABLE></{p}RESOURCE></{p}VOTABLE>"
        )
    };
    let documents = [
        format!("<VOTABLE>{}", inner("")),
        format!("<VOTABLE version=\"v1.0\">{}", inner("")),
        format!(
            "<VOTABLE version='2.0' xmlns='http://www.ivoa.net/xml/VOTable/v2.0'>{}",
            inner("")
        ),
        format!(
            "<vot:VOTABLE xmlns:vot='http://www.ivoa.net/xml/VOTable/v1.3'>{}",
            inner("vot:")
        ),
        format!("<ns0:VOTABLE>{}", inner("ns0:")),
        format!("\u{feff}<?xml version='1.0'?>\n<VOTABLE>{}", inner("")),
        format!(
            "\n\n <?xml version='1.0' encoding='utf-8'?><VOTABLE>{}",
            inner("")
        ),
        format!(
            "<?xml version='1.0' encoding='UTF-16'?><VOTABLE>{}",
            inner("")
        ),
        format!(
            "<?xml-stylesheet href='x.xsl'?><!-- c --><VOTABLE>{}",
            inner("")
        ),
        format!(
            "<!DOCTYPE VOTABLE SYSTEM \"http://us-vo.org/xml/VOTable.dtd\"><VOTABLE>{}",
            inner("")
        ),
        format!(
            "<!DOCTYPE VOTABLE PUBLIC '-//x>y//' 'a[b]c'><VOTABLE>{}\n<!-- x -->\n",
            inner("")
        ),
        format!("<VOTABLE ><FOO/><BAR a='1'>t</BAR >{}", inner("")),
    ];
    for document in documents {
        assert_eq!(cells(&read(&document)), [Long(1)], "{document}");
    }
}

#[test]
fn encodings() {
    let document = |encoding: &str| {
        column("datatype='char' arraysize='*'", &["\u{c5}ngstr\u{f6}m"]).replace(
            "<?xml version=\"1.0\"?>",
            &format!("<?xml version=\"1.0\"{encoding}?>"),
        )
    };
    let latin1: Vec<u8> = document(" encoding=\"ISO-8859-1\"")
        .chars()
        .map(|c| c as u8)
        .collect();
    let utf16 = |big: bool, bom: bool| {
        let text = document(" encoding='UTF-16'");
        let units = bom.then_some(0xfeff).into_iter().chain(text.encode_utf16());
        units
            .flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect::<Vec<u8>>()
    };
    let good = [
        document("").into_bytes(),
        document(" encoding='us-ascii'").into_bytes(),
        latin1,
        utf16(true, true),
        utf16(false, true),
        utf16(true, false),
        utf16(false, false),
    ];
    for bytes in good {
        let told = read(&bytes);
        assert_eq!(cells(&told), [text("\u{c5}ngstr\u{f6}m")]);
        assert_eq!(kinds(&told), []);
        assert_eq!(read_chunks(&bytes, 1).difference(&told), None);
    }
    let unknown = read(document(" encoding='klingon'"));
    assert_eq!(cells(&unknown), [text("\u{c5}ngstr\u{f6}m")]);
    assert_eq!(kinds(&unknown), [(WarningKind::UnknownEncoding, 1)]);
    // Latin-1 that says nothing: the two letters are lost, and that is said.
    let silent: Vec<u8> = document("").chars().map(|c| c as u8).collect();
    let told = read(&silent);
    assert_eq!(cells(&told), [text("\u{fffd}ngstr\u{fffd}m")]);
    assert_eq!(kinds(&told), [(WarningKind::InvalidBytes, 2)]);
}

#[test]
fn line_ends_are_one_character() {
    let told = read(column(
        "datatype='char' arraysize='*'",
        &["a\r\nb\rc&#13;d\r"],
    ));
    assert_eq!(cells(&told), [text("a\nb\nc\rd\n")]);
}

#[test]
fn several_tables_and_resources() {
    let one = |n: u8| {
        format!(
            "<TABLE name='t{n}'><FIELD name='n' datatype='int'/><DATA><TABLEDATA><TR><TD>{n}</TD></TR></TABLEDATA></DATA></TABLE>"
        )
    };
    let document = format!(
        "<VOTABLE><RESOURCE type='results' name='a'>{}{}<RESOURCE name='b'>{}</RESOURCE></RESOURCE>\
         <RESOURCE type='meta'><TABLE/><TABLE><FIELD name='n' datatype='int'/></TABLE>\
         <TABLE><FIELD name='n' datatype='int'/><DATA/></TABLE></RESOURCE></VOTABLE>",
        one(1),
        one(2),
        one(3)
    );
    let told = read(&document);
    assert_eq!(cells(&told), [Long(1), Long(2), Long(3)]);
    let rows: Vec<_> = told.summary.tables.iter().map(|table| table.rows).collect();
    assert_eq!(rows, [1, 1, 1, 0, 0, 0]);
    assert!(told.summary.tables.iter().all(|table| table.complete));
    assert_eq!(told.summary.tables[2].table.name.as_deref(), Some("t3"));
}

#[test]
fn a_table_with_the_columns_of_another() {
    let document = "<VOTABLE><RESOURCE><TABLE ID='m'><FIELD name='n' datatype='int'><VALUES null='9'/></FIELD>\
        <DATA><TABLEDATA/></DATA></TABLE><TABLE ref='m'><DATA><TABLEDATA><TR><TD>1</TD></TR><TR><TD>9</TD></TR>\
        </TABLEDATA></DATA></TABLE><TABLE ref='nobody'><DATA><TABLEDATA><TR><TD>1</TD></TR></TABLEDATA></DATA></TABLE>\
        </RESOURCE></VOTABLE>";
    let told = read(document);
    assert_eq!(cells(&told), [Long(1), Null]);
    assert_eq!(
        kinds(&told),
        [(WarningKind::UnresolvedRef, 1), (WarningKind::NoFields, 1)]
    );
}

#[test]
fn the_header_in_full() {
    let document = "<VOTABLE><DESCRIPTION> the\n document </DESCRIPTION>\
        <COOSYS ID='s' system='ICRS' epoch='J2016.0'/><TIMESYS ID='t' timescale='TCB'/>\
        <RESOURCE type='results' utype='u'><DESCRIPTION>the resource</DESCRIPTION><LINK href='http://x/?a=1&amp;b=2'/>\
        <PARAM name='p' datatype='int' value='3' unit='s'/>\
        <TABLE name='t' ID='T' nrows='0' ucd='c' utype='tu'><DESCRIPTION>the table</DESCRIPTION>\
        <PARAM name='q' datatype='char' arraysize='*' value='a&#10;b'><DESCRIPTION>a param</DESCRIPTION></PARAM>\
        <FIELD ID='f' name='RA(ICRS)' datatype='double' unit='mas.yr**-1' ucd='pos.eq.ra' utype='x:y' xtype='z' ref='s' \
          width='9' precision='E3' type='hidden'><DESCRIPTION>right\n ascension</DESCRIPTION>\
        <VALUES type='actual'><MIN value='1'/><MAX value='2'></MAX><OPTION name='o' value='v'/></VALUES>\
        <LINK href='http://${RA}' content-role='doc' title='l'/></FIELD>\
        <FIELD ID='nameless' datatype='int'/>\
        <GROUP name='g' utype='gu'><DESCRIPTION>a group</DESCRIPTION><FIELDref ref='f'/><PARAMref ref='q'/>\
        <GROUP name='h'><PARAM name='r' datatype='int' value='1'/></GROUP></GROUP>\
        <DATA><TABLEDATA/></DATA></TABLE></RESOURCE></VOTABLE>";
    let told = read(document);
    assert_eq!(told.result, Ok(()));
    assert_eq!(kinds(&told), []);
    assert!(told.has("Description(Description { place: Document, text: \"the\\n document\" })"));
    assert!(told.has("Description(Description { place: Resource, text: \"the resource\" })"));
    assert!(told.has("System(System { element: \"COOSYS\", id: Some(\"s\")"));
    assert!(told.has("System(System { element: \"TIMESYS\", id: Some(\"t\")"));
    assert!(told.has("Link(Link { href: Some(\"http://x/?a=1&b=2\")"));
    let table = &told.summary.tables[0].table;
    assert_eq!(table.description.as_deref(), Some("the table"));
    assert_eq!((table.id.as_deref(), table.nrows), (Some("T"), Some(0)));
    let field = &table.fields[0];
    assert_eq!(field.name, "RA(ICRS)");
    assert_eq!(field.unit.as_deref(), Some("mas.yr**-1"));
    assert_eq!(field.reference.as_deref(), Some("s"));
    assert_eq!(field.description.as_deref(), Some("right\n ascension"));
    assert_eq!(field.links[0].href.as_deref(), Some("http://${RA}"));
    let Some(values) = &field.values else {
        panic!("no VALUES")
    };
    assert_eq!(
        (values.min.as_deref(), values.max.as_deref()),
        (Some("1"), Some("2"))
    );
    assert_eq!(values.options, [(Some("o".into()), "v".into())]);
    assert_eq!(table.fields[1].name, "nameless");
    assert_eq!(
        (
            table.params[0].field.name.as_str(),
            table.params[0].value.as_str()
        ),
        ("q", "a\nb")
    );
    assert_eq!(table.params[1].group.as_deref(), Some("g/h"));
    assert_eq!(table.groups[0].field_refs, ["f"]);
    assert_eq!(table.groups[0].param_refs, ["q"]);
    assert_eq!(table.groups[1].name.as_deref(), Some("h"));
}

#[test]
fn a_service_descriptor() {
    let document = "<VOTABLE><RESOURCE type='meta' utype='adhoc:service' name='soda'>\
        <PARAM name='accessURL' datatype='char' arraysize='*' value='http://x/soda'/>\
        <GROUP name='inputParams'><PARAM name='ID' datatype='char' arraysize='*' ref='i' value=''/>\
        <PARAM name='CIRCLE' datatype='double' arraysize='3' xtype='circle' value=''><VALUES><MAX value='1 2 3'/></VALUES></PARAM>\
        </GROUP></RESOURCE></VOTABLE>";
    let mut reader = Reader::new(Limits::default());
    reader.feed(document.as_bytes());
    reader.finish();
    let mut params = Vec::new();
    while let Ok(Some(event)) = reader.next_event() {
        if let Event::Param(param) = event {
            assert_eq!(param.place, Place::Resource);
            params.push((
                param.group.clone(),
                param.field.name.clone(),
                param.field.reference.clone(),
            ));
        }
    }
    let group = Some("inputParams".to_owned());
    assert_eq!(params[0], (None, "accessURL".into(), None));
    assert_eq!(params[1], (group.clone(), "ID".into(), Some("i".into())));
    assert_eq!(params[2], (group, "CIRCLE".into(), None));
}

#[test]
fn mivot_blocks_are_skipped_whole() {
    let document = column("datatype='int'", &["1"]).replace(
        "<TABLE>",
        "<RESOURCE type='meta'><VODML><TEMPLATES><INSTANCE><INFO name='QUERY_STATUS' value='ERROR'/><TABLE><TR/></TABLE>\
         </INSTANCE></TEMPLATES></VODML></RESOURCE><TABLE>",
    );
    let told = read(document);
    assert_eq!(cells(&told), [Long(1)]);
    assert_eq!((told.summary.tables.len(), told.summary.status), (1, None));
}

/// The table of [`column`] with an INFO before the table and one after it.
fn with_infos(before: &str, after: &str) -> String {
    column("datatype='int'", &["1"])
        .replace("<TABLE>", &format!("{before}<TABLE>"))
        .replace("</TABLE>", &format!("</TABLE>{after}"))
}

#[test]
fn the_status() {
    let error = |text: &str| Some(QueryStatus::Error(text.into()));
    #[rustfmt::skip]
    let cases = [
        (with_infos("", ""), None),
        (with_infos("<INFO name='QUERY_STATUS' value='OK'/>", ""), Some(QueryStatus::Ok)),
        (with_infos("<INFO name='QUERY_STATUS' value='OK'/>", "<INFO name='QUERY_STATUS' value='OVERFLOW'/>"), Some(QueryStatus::Overflow)),
        (with_infos("<INFO name='query_status' value=' ok '/>", "<INFO name='Query_Status' value='overflow'>cut</INFO>"), Some(QueryStatus::Overflow)),
        (with_infos("<INFO name='QUERY_STATUS' value='OVERFLOW'/>", "<INFO name='QUERY_STATUS' value='OK'/>"), Some(QueryStatus::Overflow)),
        (with_infos("<INFO name='QUERY_STATUS' value='OK'/>", "<INFO name='QUERY_STATUS' value='ERROR'> disk full </INFO>"), error("disk full")),
        (with_infos("<INFO name='QUERY_STATUS'>OVERFLOW</INFO>", ""), Some(QueryStatus::Overflow)),
        (with_infos("<INFO name='QUERY_STATUS' value='ERROR: bad'/>", ""), error("bad")),
        (with_infos("<INFO name='QUERY_STATUS' value='ERROR'><DESCRIPTION>not found</DESCRIPTION></INFO>", ""), error("not found")),
        (with_infos("<INFO name='QUERY_STATUS' value='FINE'/>", ""), None),
        // cone and image searches
        ("<VOTABLE><INFO ID='Error' name='Error' value='no RA'/></VOTABLE>".into(), error("no RA")),
        ("<VOTABLE><INFO name='ERROR'> wrong name </INFO></VOTABLE>".into(), error("wrong name")),
        ("<VOTABLE><DEFINITIONS><PARAM name='Error' datatype='char' arraysize='*' value='bad'/></DEFINITIONS></VOTABLE>".into(), error("bad")),
        ("<VOTABLE><RESOURCE><PARAM name='Error' value=' none '/></RESOURCE></VOTABLE>".into(), error("none")),
        ("<VOTABLE><INFO name='Error' value='a'/><INFO name='Error' value=' '/><INFO name='Error' value='b'/></VOTABLE>".into(), error("a\nb")),
        ("<VOTABLE><RESOURCE><TABLE><INFO name='Error' value='of the table'/></TABLE></RESOURCE></VOTABLE>".into(), None),
    ];
    for (document, expected) in cases {
        let (summary, result) = summarize(document.as_bytes(), Limits::default());
        assert_eq!(result, Ok(()), "{document}");
        assert_eq!(summary.status, expected, "{document}");
    }
    let told = read(with_infos(
        "",
        "<INFO name='QUERY_STATUS' value='OVERFLOW'/>",
    ));
    assert!(told.has("ResourceEnd { status: Some(Overflow) }"));
}

#[test]
fn cut_overflowed_and_failed_are_three_things() {
    let full = with_infos("", "<INFO name='QUERY_STATUS' value='OVERFLOW'/>");
    let told = read(&full);
    assert_eq!(
        (told.result.clone(), told.summary.status.clone()),
        (Ok(()), Some(QueryStatus::Overflow))
    );

    for (cut_before, inside) in [
        ("</TD>", "a row"),
        ("</TABLEDATA>", "a table"),
        ("</RESOURCE>", "a resource"),
        ("</VOTABLE>", "the document"),
    ] {
        let (document, _) = full.split_once(cut_before).unwrap_or_default();
        let told = read(document);
        let rows = u64::from(cut_before != "</TD>");
        assert_eq!(
            told.result,
            Err(Error::Truncated {
                rows,
                inside,
                stray: None
            }),
            "{cut_before}"
        );
        assert_eq!(told.rows().len() as u64, rows);
    }
    // An end tag is missing, and the document goes on as if it were not.
    let told = read(full.replace("</RESOURCE>", ""));
    assert_eq!(
        told.result,
        Err(Error::Truncated {
            rows: 1,
            inside: "a resource",
            stray: None
        })
    );

    let words = "<?xml version='1.0' encoding='ISO-8859-1'?><VOTABLE><RESOURCE><INFO name='QUERY_STATUS' value='ERROR'>\
                 disk f\u{fc}ll</INFO></RESOURCE></VOTABLE>";
    let appended = Err(Error::Appended {
        rows: 1,
        message: Some("disk f\u{fc}ll".into()),
    });
    let (rows, _) = full.split_once("</TABLEDATA>").unwrap_or_default();
    for document in [
        format!("{rows}{words}"),
        format!("{rows}<TR><TD>4{words}"),
        format!("{rows}\n{}", words.split_once("?>").unwrap_or_default().1),
        format!("{full}{words}"),
    ] {
        let told = read(&document);
        assert_eq!(told.result, appended, "{document}");
        assert_eq!(told.rows().len(), 1);
        assert_eq!(read_chunks(document.as_bytes(), 1).difference(&told), None);
    }
    let page = format!(
        "{rows}<html><head><title>504</title></head><body><h1>Gateway &amp; time-out</h1></body></html>"
    );
    let message = Some("Gateway & time-out".to_owned());
    assert_eq!(read(page).result, Err(Error::Appended { rows: 1, message }));
    let told = read(format!("{rows}\n java.sql.SQLException: lost &lt;it&gt;"));
    let stray = Some("java.sql.SQLException: lost <it>".to_owned());
    assert_eq!(
        told.result,
        Err(Error::Truncated {
            rows: 1,
            inside: "a table",
            stray
        })
    );
}

#[test]
fn a_stream_that_ends_inside_a_row() {
    let document = binary(
        "BINARY",
        "<FIELD name='n' datatype='int'/>",
        &[0, 0, 0, 5, 0, 0],
    )
    .replace(
        "</TABLE>",
        "</TABLE><INFO name='QUERY_STATUS' value='ERROR'>died</INFO>",
    );
    let told = read(document);
    assert_eq!(told.rows(), [[Long(5)]]);
    let inside = "a row of a binary stream";
    assert_eq!(
        told.result,
        Err(Error::Truncated {
            rows: 1,
            inside,
            stray: None
        })
    );
    // What the document says after it is heard all the same; the end of the table is not told.
    assert_eq!(told.summary.status, Some(QueryStatus::Error("died".into())));
    assert!(!told.has("TableEnd"));
    assert!(!told.summary.tables[0].complete);
}

#[test]
fn data_elsewhere_are_reported_and_never_followed() {
    let field = "<FIELD name='n' datatype='int'/>";
    for (data, serialisation, href) in [
        (
            "<BINARY><STREAM href='http://127.0.0.1:1/x' encoding='base64'/></BINARY>",
            Serialisation::Binary,
            true,
        ),
        (
            "<FITS extnum='2'><STREAM href='ftp://x/y.fits'/></FITS>",
            Serialisation::Fits,
            true,
        ),
        (
            "<PARQUET type='VOTable-remote-file'><STREAM href='file:///etc/passwd'/></PARQUET>",
            Serialisation::Parquet,
            true,
        ),
        (
            "<BINARY2><STREAM encoding='gzip'>H4sI</STREAM></BINARY2>",
            Serialisation::Binary2,
            false,
        ),
        (
            "<FITS><STREAM encoding='base64'>U0lNUExF</STREAM></FITS>",
            Serialisation::Fits,
            false,
        ),
    ] {
        let document = table(field, data);
        let mut reader = Reader::new(Limits::default());
        reader.feed(document.as_bytes());
        reader.finish();
        let mut seen = None;
        while let Ok(Some(event)) = reader.next_event() {
            if let Event::Stream(stream) = event {
                seen = Some((stream.serialisation, stream.href.is_some()));
            }
        }
        assert_eq!(seen, Some((serialisation, href)), "{data}");
        assert_eq!(reader.warnings()[0].kind, WarningKind::UnsupportedStream);
        assert_eq!(reader.rows(), 0);
    }
}

#[test]
fn what_is_no_votable() {
    #[rustfmt::skip]
    let cases = [
        ("", None, None, ""),
        ("   \n", None, None, ""),
        ("{\"error\": \"no such table\"}", None, None, "{\"error\": \"no such table\"}"),
        ("500 & counting", None, None, "500 & counting"),
        ("<html><head><title>404 Not Found</title></head><body>Nope</body></html>", Some("html"), Some("404 Not Found"), "Nope"),
        ("<!doctype html>\n<HTML><body>Nope<br>really", Some("HTML"), None, "Nope really"),
        ("<?xml version='1.0'?><uws:job xmlns:uws='x'><uws:phase>ERROR</uws:phase></uws:job>", Some("uws:job"), None, "ERROR"),
        ("<", None, None, "<"),
        ("</p>", None, None, ""),
        ("<unfinished attribute='", Some("unfinished"), None, ""),
        ("<?unfinished <a>b</a>", None, None, ""),
        ("<!-- unfinished <a>b</a>", None, None, ""),
    ];
    for (document, root, title, visible) in cases {
        let told = read(document);
        let Err(Error::NotVotable(foreign)) = &told.result else {
            panic!("{document:?}: {:?}", told.result)
        };
        assert_eq!(foreign.root.as_deref(), root, "{document:?}");
        assert_eq!(foreign.title.as_deref(), title, "{document:?}");
        assert_eq!(foreign.text, visible, "{document:?}");
        assert_eq!(
            read_chunks(document.as_bytes(), 1).difference(&told),
            None,
            "{document:?}"
        );
    }
}

#[test]
fn entities_of_the_documents_own_are_refused() {
    for document in [
        "<!DOCTYPE VOTABLE [<!ENTITY a \"b\">]><VOTABLE/>",
        "<?xml version='1.0'?><!DOCTYPE lolz SYSTEM 'x' [\n<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p; ]><VOTABLE/>",
    ] {
        assert_eq!(read(document).result, Err(Error::InternalSubset));
    }
}

#[test]
fn every_limit_holds() {
    let wide: String = (0..11)
        .map(|n| format!("<FIELD name='c{n}' datatype='int'/>"))
        .collect();
    let small = |change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        limits
    };
    let cell = "x".repeat(200);
    let rows = column("datatype='int'", &["1", "2", "3"]);
    #[rustfmt::skip]
    let cases = [
        (table(&wide, ""), small(|l| l.fields = 10), LimitKind::Fields),
        ("<VOTABLE><RESOURCE><TABLE/><TABLE/><TABLE/></RESOURCE></VOTABLE>".into(), small(|l| l.tables = 2), LimitKind::Tables),
        (format!("<VOTABLE>{}", "<RESOURCE>".repeat(20)), small(|l| l.depth = 10), LimitKind::Depth),
        (format!("<VOTABLE>{}", "<a>".repeat(20)), small(|l| l.depth = 10), LimitKind::Depth),
        (format!("<VOTABLE {}/>", "a='b' ".repeat(20)), small(|l| l.attributes = 10), LimitKind::Attributes),
        (format!("<VOTABLE><INFO name='{cell}"), small(|l| l.node_bytes = 100), LimitKind::NodeBytes),
        (column("datatype='char' arraysize='*'", &[&cell]), small(|l| l.cell_bytes = 100), LimitKind::CellBytes),
        (binary("BINARY", "<FIELD name='c' datatype='char' arraysize='*'/>", &[0, 1, 0, 0, 0, 0]), small(|l| l.cell_bytes = 100), LimitKind::CellBytes),
        (binary("BINARY", "<FIELD name='c' datatype='int' arraysize='1000x1000x1000x1000'/>", &[0; 9]), Limits::default(), LimitKind::CellBytes),
        (table(&wide, "<TABLEDATA><TR><TD>0000</TD><TD>0000</TD><TD>0000</TD></TR></TABLEDATA>"), small(|l| l.row_bytes = 10), LimitKind::RowBytes),
        (binary("BINARY2", &wide, &[0; 60]), small(|l| l.row_bytes = 10), LimitKind::RowBytes),
        (column("datatype='int' arraysize='*'", &["1 2 3 4 5 6 7 8 9 10 11"]), small(|l| l.row_values = 10), LimitKind::RowValues),
        (binary("BINARY", "<FIELD name='c' datatype='bit' arraysize='*'/>", &[0, 0, 0, 16, 0, 0]), small(|l| l.row_values = 10), LimitKind::RowValues),
        (table(&wide, ""), small(|l| l.header_bytes = 300), LimitKind::HeaderBytes),
        (rows.clone(), small(|l| l.rows = Some(2)), LimitKind::Rows),
        (rows, small(|l| l.bytes = Some(200)), LimitKind::Bytes),
        ("<VOTABLE>".to_owned() + &" ".repeat(200), small(|l| l.bytes = Some(200)), LimitKind::Bytes),
    ];
    for (document, limits, kind) in cases {
        let told = read_pieces([document.as_bytes()], limits.clone());
        match &told.result {
            Err(Error::Limit {
                kind: found, rows, ..
            }) => {
                assert_eq!(*found, kind, "{document}");
                assert_eq!(*rows, told.rows().len() as u64, "{document}");
            }
            other => panic!("{kind:?}: {other:?} for {document}"),
        }
        assert_eq!(
            read_pieces(document.as_bytes().chunks(1), limits).difference(&told),
            None,
            "{kind:?}"
        );
    }
}

#[test]
fn long_texts_of_the_header_are_cut() {
    let limits = Limits {
        node_bytes: 100,
        ..Limits::default()
    };
    let words = "\u{e9}x".repeat(100);
    let document =
        format!("<VOTABLE><INFO name='QUERY_STATUS' value='ERROR'>{words}</INFO></VOTABLE>");
    let told = read_pieces([document.as_bytes()], limits.clone());
    assert_eq!(told.result, Ok(()));
    assert_eq!(kinds(&told), [(WarningKind::TextCut, 1)]);
    let Some(QueryStatus::Error(kept)) = &told.summary.status else {
        panic!("no error")
    };
    assert!(kept.len() <= 100 && words.starts_with(kept));
    assert_eq!(
        read_pieces(document.as_bytes().chunks(1), limits).difference(&told),
        None
    );
}

#[test]
fn the_caller_may_stop_after_any_row() {
    let document = column("datatype='int'", &["1", "2", "3"]);
    let mut reader = Reader::new(Limits::default());
    reader.feed(document.as_bytes());
    let mut seen = Vec::new();
    while let Ok(Some(event)) = reader.next_event() {
        if let Event::Row(row) = event {
            seen.push(row[0].clone());
            break;
        }
    }
    assert_eq!(seen, [Long(1)]);
    assert_eq!(reader.rows(), 1);
    assert_eq!(reader.summary().tables[0].rows, 1);
}

#[test]
fn rows_in_a_comment_are_no_rows() {
    let document =
        column("datatype='int'", &["1"]).replace("<TR>", "<!-- <TR><TD>7</TD></TR> --><TR>");
    assert_eq!(cells(&read(&document)), [Long(1)]);
    assert_eq!(cells(&read_chunks(document.as_bytes(), 1)), [Long(1)]);
    let document = document.replace("<!--", "<![CDATA[").replace("-->", "]]>");
    let told = read(&document);
    assert_eq!(cells(&told), [Long(1)]);
    assert_eq!(kinds(&told), [(WarningKind::StrayText, 1)]);
}

#[test]
fn a_cell_in_a_cell_is_malformed() {
    let document = table(
        "<FIELD name='n' datatype='int'/>",
        "<TABLEDATA>\n<TR><TD>1</TD></TR>\n<TR><TD>1<TD>2</TD></TR></TABLEDATA>",
    );
    let told = read(document);
    let Err(Error::Malformed { line, rows, .. }) = told.result else {
        panic!("{:?}", told.result)
    };
    assert_eq!((line, rows), (4, 1));
}
