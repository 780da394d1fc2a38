//! Nothing a document declares, and no length it has, takes memory: measured as the most the process ever held
//! (`VmHWM`), in a process of this test's own.

mod support;

use manna_votable::{Error, Limits, Reader};
use support::base64;

/// Bytes a document is made of, piece by piece, so that the test itself holds none of it.
struct Endless {
    name: &'static str,
    head: String,
    unit: String,
    bytes: usize,
    /// What it must end in.
    is_expected: fn(&Result<(), Error>) -> bool,
    /// What it may add to the process, in KiB.
    allowed_kib: u64,
}

const TABLE: &str = "<VOTABLE><RESOURCE><TABLE>";

fn most_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

fn is_limit(result: &Result<(), Error>) -> bool {
    matches!(result, Err(Error::Limit { .. }))
}

fn is_truncated(result: &Result<(), Error>) -> bool {
    matches!(result, Err(Error::Truncated { .. }))
}

fn is_any_error(result: &Result<(), Error>) -> bool {
    result.is_err()
}

fn cases() -> Vec<Endless> {
    let case = |name, head: String, unit: &str, is_expected, allowed_kib| Endless {
        name,
        head,
        unit: unit.repeat((64 << 10) / unit.len().max(1) + 1),
        bytes: 8 << 20,
        is_expected,
        allowed_kib,
    };
    let one = |field: &str, data: &str| format!("{TABLE}{field}<DATA>{data}");
    let text = "<FIELD name='c' datatype='char' arraysize='*'/>";
    let numbers = "<FIELD name='c' datatype='int' arraysize='*'/>";
    let stream = "<BINARY><STREAM encoding='base64'>";
    let prefix = |bytes: &[u8]| format!("{}{stream}{}", one(text, ""), base64(bytes));
    let absurd = "<FIELD name='c' datatype='double' arraysize='100000000x1000'/>";
    let page = "<html><body>sorry ";
    let mut cases = vec![
        case(
            "spaces before anything",
            String::new(),
            " ",
            is_any_error,
            1_024,
        ),
        case("an error page", page.into(), "sorry ", is_any_error, 1_024),
        case(
            "a comment",
            "<VOTABLE><!--".into(),
            "- ",
            is_truncated,
            1_024,
        ),
        case(
            "a processing instruction",
            "<VOTABLE><?x ".into(),
            "? ",
            is_truncated,
            1_024,
        ),
        case("a DOCTYPE", "<!DOCTYPE x '".into(), "y", is_limit, 2_048),
        case("a tag", "<VOTABLE a='".into(), "y", is_limit, 2_048),
        case("attributes", "<VOTABLE ".into(), "a='b' ", is_limit, 2_048),
        case(
            "a description",
            "<VOTABLE><DESCRIPTION>".into(),
            "word ",
            is_truncated,
            2_048,
        ),
        case(
            "an INFO",
            "<VOTABLE><INFO name='QUERY_STATUS' value='ERROR'>".into(),
            "no ",
            is_truncated,
            2_048,
        ),
        case(
            "INFOs",
            "<VOTABLE>".into(),
            "<INFO name='a' value='b'/>",
            is_truncated,
            1_024,
        ),
        case(
            "nested elements",
            "<VOTABLE>".into(),
            "<RESOURCE>",
            is_limit,
            1_024,
        ),
        case(
            "fields",
            TABLE.into(),
            "<FIELD name='a' datatype='int'/>",
            is_limit,
            8_192,
        ),
        case(
            "params",
            TABLE.into(),
            "<PARAM name='a' datatype='int' value='1'/>",
            is_limit,
            400 << 10,
        ),
        case(
            "tables",
            "<VOTABLE><RESOURCE>".into(),
            "<TABLE/>",
            is_limit,
            8_192,
        ),
        case(
            "options",
            format!("{TABLE}<FIELD name='a'><VALUES>"),
            "<OPTION value='a'/>",
            is_limit,
            64 << 10,
        ),
        case(
            "a cell",
            format!("{}<TABLEDATA><TR><TD>", one(text, "")),
            "word ",
            is_limit,
            8_192,
        ),
        case(
            "a cell of numbers",
            format!("{}<TABLEDATA><TR><TD>", one(numbers, "")),
            "1 ",
            is_limit,
            40_960,
        ),
        case(
            "cells",
            format!("{}<TABLEDATA><TR>", one(text, "")),
            "<TD>1</TD>",
            is_truncated,
            8_192,
        ),
        case(
            "rows",
            format!("{}<TABLEDATA>", one(text, "")),
            "<TR><TD>a</TD></TR>",
            is_truncated,
            1_024,
        ),
        case(
            "text between rows",
            format!("{}<TABLEDATA>", one(text, "")),
            "oh no ",
            is_truncated,
            1_024,
        ),
        case(
            "an array size",
            format!("{}{stream}", one(absurd, "")),
            "AAAA",
            is_limit,
            1_024,
        ),
        case(
            "a length prefix",
            prefix(&[0x7f, 0xff, 0xff, 0xf0]),
            "AAAA",
            is_limit,
            1_024,
        ),
        case(
            "a long string",
            prefix(&[0, 0x0f, 0, 0, 0, 0]),
            "QUFB",
            is_limit,
            8_192,
        ),
        case(
            "binary rows",
            prefix(&[0, 0, 0, 2, 65, 65]),
            "AAAAAkFB",
            is_truncated,
            1_024,
        ),
        case(
            "a second document",
            format!("{TABLE}<?xml version='1.0'?><VOTABLE>"),
            "<RESOURCE>",
            is_any_error,
            2_048,
        ),
        case(
            "bits",
            format!(
                "{}{stream}{}",
                one("<FIELD name='c' datatype='bit' arraysize='*'/>", ""),
                base64(&[0, 0x7f, 0xff, 0xf0, 0, 0])
            ),
            "//8A",
            is_limit,
            40_960,
        ),
    ];
    let rows = "<TABLE nrows='1000000000000'><FIELD name='c' datatype='int'/><DATA><TABLEDATA>";
    cases.push(case(
        "a number of rows",
        format!("<VOTABLE><RESOURCE>{rows}"),
        "<TR><TD>1</TD></TR>",
        is_truncated,
        1_024,
    ));
    cases
}

#[test]
fn no_document_takes_memory() {
    // Code and buffers of the first use are not the document's.
    support::read(support::column("datatype='int'", &["1"; 100]));
    let mut cases = cases();
    // What was held once hides what is held later: the small ones first.
    cases.sort_by_key(|case| case.allowed_kib);
    let Some(mut before) = most_kib() else {
        println!("skipped: no_document_takes_memory needs /proc/self/status");
        return;
    };
    for case in cases {
        let mut reader = Reader::new(Limits {
            bytes: None,
            ..Limits::default()
        });
        reader.feed(case.head.as_bytes());
        let mut result = reader.skip();
        let mut fed = 0;
        while result.is_ok() && fed < case.bytes {
            reader.feed(case.unit.as_bytes());
            result = reader.skip();
            fed += case.unit.len();
        }
        reader.finish();
        if result.is_ok() {
            result = reader.skip();
        }
        let after = most_kib().unwrap();
        let took = after.saturating_sub(before);
        println!(
            "{}: {took} KiB, {} KiB fed, {result:?}",
            case.name,
            fed >> 10
        );
        assert!((case.is_expected)(&result), "{}: {result:?}", case.name);
        assert!(took <= case.allowed_kib, "{}: {took} KiB", case.name);
        before = before.max(after);
    }
}
