//! Every document of the shared corpus: none panics, hangs or takes memory, and each has the tables and rows astropy
//! sees, but for the disagreements listed here with their reasons.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test, with helpers outside the functions"
)]

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use manna_votable::{Error, Limits, Reader, Summary};

/// Made by parsing each file with astropy and counting `iter_tables()` and the length of each `array`.
const EXPECTED: &str = include_str!("corpus_expected.tsv");

/// Documents we read otherwise than astropy: tables and rows as we see them, and why.
const DISAGREEMENTS: &[(&str, &[u64], &str)] = &[
    (
        "astropy/custom_datatype.xml",
        &[1],
        "unknown datatype: astropy stops, we read text",
    ),
    (
        "astropy/parquet_binary.xml",
        &[0],
        "remote PARQUET: astropy opens the file, we report it",
    ),
    (
        "astropy/timesys_errors.xml",
        &[1],
        "TIMESYS without ID: astropy stops, no row depends on it",
    ),
    (
        "astropy/too_many_columns.xml.gz",
        &[1],
        "long row: astropy stops, we drop and warn",
    ),
    (
        "astroquery/esa/euclid/test_get_scientific_product_list.vot",
        &[1],
        "char arraysize LxN: astropy stops, we read an array of strings",
    ),
    (
        "cds-votable-rust/mivot/snippets/test_rich_instance_ko_1_votable.xml",
        &[2, 4, 4],
        "long rows: astropy stops, we drop and warn",
    ),
    (
        "cds-votable-rust/stilts_all_but_k_test.expect.2.vot",
        &[10],
        "char arraysize LxN, and arrays one element too long: astropy stops, we keep and warn",
    ),
    (
        "cds-votable-rust/stilts_all_but_k_test.expect.vot",
        &[10],
        "char arraysize LxN, and arrays one element too long: astropy stops, we keep and warn",
    ),
    (
        "cds-votable-rust/vot_utf8_array_dt.xml",
        &[2],
        "char arraysize LxN: astropy stops, we read it",
    ),
    (
        "cds-votable-rust/vot_with_empty_prec.vot",
        &[374],
        "precision='': astropy stops, no row depends on it",
    ),
    (
        "quirks/b_gzip.vot",
        &[0],
        "gzip in base64: astropy reads the packed bytes as rows, we report the encoding",
    ),
    (
        "quirks/b_href.vot",
        &[0],
        "STREAM href: astropy opens the URL, we report it",
    ),
    (
        "quirks/b_trunc_boundary.vot",
        &[300],
        "cut: astropy stops, we keep the rows and report the cut",
    ),
    (
        "quirks/bit_arr.vot",
        &[2],
        "bits without separators, as the standard has them: astropy stops",
    ),
    (
        "quirks/ctrl.vot",
        &[1],
        "a control character: astropy stops, we pass it on",
    ),
    (
        "quirks/entity.vot",
        &[],
        "internal DTD subset: astropy expands it, we refuse the document",
    ),
    (
        "quirks/int_float.vot",
        &[1],
        "42.0 in an int column: astropy stops, we read 42",
    ),
    (
        "quirks/long_row.vot",
        &[1],
        "long row: astropy stops, we drop and warn",
    ),
    (
        "quirks/nested.vot",
        &[1, 1],
        "a missing </RESOURCE>: astropy stops, we keep the rows and report the cut",
    ),
    (
        "quirks/short_row.vot",
        &[1],
        "short row: astropy stops, we fill with null and warn",
    ),
    (
        "quirks/strarr.vot",
        &[1],
        "char arraysize 5x*: astropy stops, we read an array of strings",
    ),
];

/// Documents that end in an error, by what it is; every other one ends well.
const ERRORS: &[(&str, &str)] = &[
    ("quirks/b_hugelen.vot", "malformed"),
    ("quirks/b_short.vot", "truncated"),
    ("quirks/b_trunc_boundary.vot", "truncated"),
    ("quirks/entity.vot", "internal subset"),
    ("quirks/nested.vot", "truncated"),
];

/// Bytes that may be held beyond what was fed last: an incomplete token, a cell, a binary row.
const HELD: usize = 128 << 10;

fn corpus() -> Option<PathBuf> {
    let path = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/corpus"
    ));
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: corpus needs ../shared");
    None
}

/// The file, unpacked if it is gzip whatever its name says.
fn read(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..])
        .read_to_end(&mut out)
        .unwrap();
    out
}

fn summarize(bytes: &[u8], chunk: usize) -> (Summary, Result<(), Error>) {
    let mut reader = Reader::new(Limits::default());
    for piece in bytes.chunks(chunk) {
        reader.feed(piece);
        if let Err(error) = reader.skip() {
            return (reader.summary(), Err(error));
        }
        let held = reader.buffered_bytes();
        assert!(held <= chunk + HELD, "{held} bytes held");
    }
    reader.finish();
    let result = reader.skip();
    (reader.summary(), result)
}

fn kind(result: &Result<(), Error>) -> &'static str {
    match result {
        Ok(()) => "ok",
        Err(Error::Truncated { .. }) => "truncated",
        Err(Error::Malformed { .. }) => "malformed",
        Err(Error::InternalSubset) => "internal subset",
        Err(Error::NotVotable(_)) => "not a votable",
        Err(_) => "other",
    }
}

#[test]
fn every_document_has_the_tables_and_rows_astropy_sees() {
    let Some(root) = corpus() else { return };
    let mut wrong = Vec::new();
    let mut unused: Vec<_> = DISAGREEMENTS.iter().map(|(path, ..)| *path).collect();
    for line in EXPECTED.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('\t');
        let path = parts.next().unwrap();
        let expected: Option<Vec<u64>> = match (parts.next().unwrap(), parts.next()) {
            ("error", _) => None,
            ("0", _) => Some(Vec::new()),
            (_, rows) => Some(
                rows.unwrap()
                    .split(',')
                    .map(|n| n.parse().unwrap())
                    .collect(),
            ),
        };
        let listed = DISAGREEMENTS
            .iter()
            .find(|(p, ..)| *p == path)
            .map(|(_, rows, _)| rows.to_vec());
        unused.retain(|p| *p != path);
        let (summary, result) = summarize(&read(&root.join(path)), 4_096);
        let ours: Vec<u64> = summary.tables.iter().map(|table| table.rows).collect();
        if listed.as_ref().or(expected.as_ref()) != Some(&ours)
            || (listed.is_some() && listed == expected)
        {
            wrong.push(format!(
                "{path}: expected {expected:?}, listed {listed:?}, read {ours:?} ({result:?})"
            ));
        }
        let error = ERRORS
            .iter()
            .find(|(p, _)| *p == path)
            .map_or("ok", |(_, error)| error);
        if kind(&result) != error {
            wrong.push(format!("{path}: expected {error}, was {result:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        unused.is_empty(),
        "listed but not in the corpus: {unused:?}"
    );
}

#[test]
fn every_other_document_is_told_not_to_be_a_votable() {
    let Some(root) = corpus() else { return };
    let known: Vec<_> = EXPECTED
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    let manifest = fs::read_to_string(root.join("MANIFEST.tsv")).unwrap();
    for path in manifest
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
    {
        if known.contains(&path) {
            continue;
        }
        let (summary, result) = summarize(&read(&root.join(path)), 1_000);
        assert_eq!(kind(&result), "not a votable", "{path}: {result:?}");
        assert_eq!(summary.tables.len(), 0);
        let Err(Error::NotVotable(foreign)) = result else {
            unreachable!()
        };
        assert!(foreign.text.chars().count() <= 300);
    }
}

#[test]
fn the_size_of_the_chunks_changes_nothing() {
    let Some(root) = corpus() else { return };
    for line in EXPECTED.lines().filter(|line| !line.starts_with('#')) {
        let path = line.split('\t').next().unwrap();
        let bytes = read(&root.join(path));
        let whole = summarize(&bytes, bytes.len().max(1));
        // Small files a byte at a time, large ones in pieces that fit no structure.
        let chunk = if bytes.len() < 60_000 { 1 } else { 997 };
        assert_eq!(summarize(&bytes, chunk), whole, "{path}");
    }
}
