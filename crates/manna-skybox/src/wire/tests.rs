//! One small table in every format, byte for byte.

use super::{Format, Serialization, Writer};
use crate::{
    sky::Datatype,
    store::{Field, Rows, Value},
};

fn field(name: &str, datatype: Datatype, arraysize: Option<&'static str>) -> Field {
    Field {
        name: name.to_owned(),
        datatype,
        arraysize: arraysize.or(datatype.arraysize()),
        xtype: None,
        unit: None,
        ucd: None,
        utype: None,
        description: None,
    }
}

fn fields() -> Vec<Field> {
    vec![
        field("flag", Datatype::Boolean, None),
        field("s", Datatype::Short, None),
        field("i", Datatype::Int, None),
        field("l", Datatype::Long, None),
        field("f", Datatype::Float, None),
        Field {
            unit: Some("deg"),
            ucd: Some("pos.eq.ra;meta.main"),
            description: Some("Right <ascension> & \"more\""),
            ..field("d", Datatype::Double, None)
        },
        field("text", Datatype::Char, None),
        field("unicode, \"quoted\"", Datatype::UnicodeChar, None),
        Field {
            xtype: Some("point"),
            ..field("p", Datatype::Double, Some("2"))
        },
        field("poly", Datatype::Double, Some("*")),
    ]
}

fn rows() -> Vec<Vec<Value<'static>>> {
    vec![
        vec![
            Value::Boolean(true),
            Value::Short(-7),
            Value::Int(1 << 30),
            Value::Long(9_007_199_254_740_993),
            Value::Float(0.1),
            Value::Double(187.705_9),
            Value::Text("a <b> & \"c\", d\r\n\te\u{1}"),
            Value::Text(" α 星 \u{1f31f}"),
            Value::Doubles(vec![10.0, -5.5]),
            Value::Doubles(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        ],
        vec![Value::Null; 10],
        vec![
            Value::Boolean(false),
            Value::Short(0),
            Value::Int(-1),
            Value::Long(i64::MAX),
            Value::Float(f32::INFINITY),
            Value::Double(1e-300),
            Value::Text(""),
            Value::Text("e\u{301}"),
            Value::Doubles(vec![f64::NEG_INFINITY, 0.0]),
            Value::Null,
        ],
    ]
}

fn written(serialization: Serialization) -> Writer {
    let query = "SELECT *\nFROM \"t\" WHERE a < 1 AND b = 'x & y'";
    let mut writer = Writer::new(serialization, fields(), query);
    for row in rows() {
        writer.row(&row);
    }
    writer
}

#[test]
fn documents() {
    for (name, serialization) in [
        ("td", Serialization::TableData),
        ("binary", Serialization::Binary),
        ("binary2", Serialization::Binary2),
        ("csv", Serialization::Csv),
        ("tsv", Serialization::Tsv),
    ] {
        let mut writer = written(serialization);
        writer.finish(Rows::All);
        let text = String::from_utf8(writer.take()).unwrap();
        insta::assert_snapshot!(name, text.replace('\r', "<CR>"));
    }
}

#[test]
fn endings() {
    let end = |writer: &mut Writer| {
        let text = String::from_utf8(writer.take()).unwrap();
        text.split_once("</DATA>").unwrap().1.to_owned()
    };
    for serialization in [
        Serialization::TableData,
        Serialization::Binary,
        Serialization::Binary2,
    ] {
        let mut writer = written(serialization);
        writer.finish(Rows::Cut);
        assert_eq!(
            end(&mut writer),
            "\n</TABLE>\n<INFO name=\"QUERY_STATUS\" value=\"OVERFLOW\"/>\n</RESOURCE>\n</VOTABLE>\n"
        );
        let mut writer = written(serialization);
        assert!(writer.fail("went <wrong>"));
        assert_eq!(
            end(&mut writer),
            "\n</TABLE>\n<INFO name=\"QUERY_STATUS\" value=\"ERROR\">went &lt;wrong&gt;</INFO>\n\
             </RESOURCE>\n</VOTABLE>\n"
        );
    }
    assert!(!written(Serialization::Csv).fail("went wrong"));
}

#[test]
fn formats_by_name() {
    for (asked, serialization) in [
        ("votable", Serialization::TableData),
        ("VOTable", Serialization::TableData),
        ("text/xml", Serialization::TableData),
        ("application/x-votable+xml", Serialization::TableData),
        (
            "application/x-votable+xml; serialization=\"TABLEDATA\"",
            Serialization::TableData,
        ),
        (
            "application/x-votable+xml;serialization=BINARY",
            Serialization::Binary,
        ),
        (
            "application/x-votable+xml;serialization=binary2",
            Serialization::Binary2,
        ),
        ("votable/b2", Serialization::Binary2),
        ("BINARY", Serialization::Binary),
        ("td", Serialization::TableData),
        ("csv", Serialization::Csv),
        ("text/csv; header=present", Serialization::Csv),
        ("tsv", Serialization::Tsv),
    ] {
        assert_eq!(
            Format::asked(asked).unwrap().serialization,
            serialization,
            "{asked}"
        );
    }
    for asked in [
        "fits",
        "json",
        "application/x-votable+xml;serialization=FITS",
        "votable/x",
    ] {
        assert!(
            Format::asked(asked).unwrap_err().contains("text/csv"),
            "{asked}"
        );
    }
}
