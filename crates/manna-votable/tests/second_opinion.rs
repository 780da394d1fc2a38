//! quick-xml as a second opinion: it must find the same rows, and in string columns the same texts, as our tokenizer
//! and fast path do, in every TABLEDATA document of the shared corpus.

mod support;

use std::{fs, io::Read, path::PathBuf};

use manna_votable::{Datatype, Event as Told, Limits, Reader, Value};
use quick_xml::{encoding::DecodingReader, events::Event};

/// For each table the rows, for each row the texts of its cells.
type Tables = Vec<Vec<Vec<String>>>;

/// The cells as quick-xml sees them; `None` if it, or XML itself, refuses the document.
fn second_opinion(bytes: &[u8]) -> Option<Tables> {
    let mut reader =
        quick_xml::Reader::from_reader(std::io::BufReader::new(DecodingReader::new(bytes)));
    let mut tables = Tables::new();
    let mut cell = None;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "TABLE" => tables.push(Vec::new()),
                "TR" => tables.last_mut()?.push(Vec::new()),
                "TD" => cell = Some(String::new()),
                _ => {}
            },
            Event::Empty(tag) => match tag.local_name().as_ref() {
                "TABLE" => tables.push(Vec::new()),
                "TR" => tables.last_mut()?.push(Vec::new()),
                "TD" => tables.last_mut()?.last_mut()?.push(String::new()),
                _ => {}
            },
            Event::End(tag) if tag.local_name().as_ref() == "TD" => {
                tables.last_mut()?.last_mut()?.push(cell.take()?);
            }
            Event::Text(text) => {
                if let Some(cell) = &mut cell {
                    cell.push_str(&text.xml10_content());
                }
            }
            Event::CData(text) => {
                if let Some(cell) = &mut cell {
                    cell.push_str(&text.xml10_content());
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(cell) = &mut cell {
                    match reference.resolve_char_ref().ok()? {
                        Some(c) => cell.push(c),
                        None => cell.push_str(quick_xml::escape::resolve_xml_entity(&reference)?),
                    }
                }
            }
            Event::Eof => return Some(tables),
            _ => {}
        }
    }
}

/// The same from our reader, texts for string columns only (`None` for the rest), and whether tables have columns.
fn ours(bytes: &[u8]) -> Option<Vec<Vec<Vec<Option<String>>>>> {
    let mut reader = Reader::new(Limits::default());
    let mut tables = Vec::new();
    let mut is_string: Vec<bool> = Vec::new();
    // Small pieces, so that both the fast path and the slow one have their part.
    for piece in bytes.chunks(300) {
        reader.feed(piece);
        while let Some(event) = reader.next_event().ok()? {
            match event {
                Told::Table(table) => {
                    is_string = table
                        .fields
                        .iter()
                        .map(|field| {
                            let text =
                                matches!(field.datatype, Datatype::Char | Datatype::UnicodeChar);
                            text && !field.arraysize.as_deref().unwrap_or("*").contains('x')
                                && field.null.is_none()
                        })
                        .collect();
                    tables.push(Vec::new());
                }
                Told::Row(row) => {
                    let cells = row.iter().zip(&is_string).map(|(value, is_string)| {
                        match (is_string, value) {
                            (true, Value::Text(text)) => Some(text.clone()),
                            (true, Value::Null) => Some(String::new()),
                            _ => None,
                        }
                    });
                    tables.last_mut()?.push(cells.collect());
                }
                _ => {}
            }
        }
    }
    reader.finish();
    reader.skip().ok()?;
    Some(tables)
}

#[test]
fn rows_and_texts_are_what_quick_xml_finds() {
    let root = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/corpus"
    ));
    let Ok(manifest) = fs::read_to_string(root.join("MANIFEST.tsv")) else {
        println!("skipped: rows_and_texts_are_what_quick_xml_finds needs ../shared");
        return;
    };
    let (mut documents, mut texts) = (0, 0);
    for line in manifest
        .lines()
        .filter(|line| line.contains("VOTABLE") && line.contains("TABLEDATA"))
    {
        let path = line.split('\t').next().unwrap();
        let mut bytes = fs::read(root.join(path)).unwrap();
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let packed = std::mem::take(&mut bytes);
            flate2::read::MultiGzDecoder::new(&packed[..])
                .read_to_end(&mut bytes)
                .unwrap();
        }
        let (Some(theirs), Some(ours)) = (second_opinion(&bytes), ours(&bytes)) else {
            continue;
        };
        documents += 1;
        assert_eq!(theirs.len(), ours.len(), "{path}: tables");
        for (theirs, ours) in theirs.iter().zip(&ours) {
            if ours.is_empty() {
                continue; // Rows of a table without columns are not told.
            }
            assert_eq!(theirs.len(), ours.len(), "{path}: rows");
            for (theirs, ours) in theirs.iter().zip(ours) {
                for (theirs, ours) in theirs.iter().zip(ours) {
                    if let Some(ours) = ours {
                        assert_eq!(theirs, ours, "{path}");
                        texts += 1;
                    }
                }
            }
        }
    }
    println!("{documents} documents and {texts} texts agree");
    assert!(
        documents > 100 && texts > 10_000,
        "{documents} documents, {texts} texts"
    );
}
