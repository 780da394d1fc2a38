//! What the VOTable targets share: everything a document tells, fed in given pieces.

use manna_votable::{Error, Event, Limits, Reader, Summary, WarningKind};

/// Small limits, so that they are reached.
pub fn limits() -> Limits {
    Limits {
        fields: 50,
        tables: 20,
        attributes: 20,
        node_bytes: 4_096,
        cell_bytes: 4_096,
        row_bytes: 16_384,
        row_values: 10_000,
        header_bytes: 64 << 10,
        ..Limits::default()
    }
}

/// All events as text, how it ended, and the summary.
pub fn read<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<String>, Option<Error>, Summary) {
    let mut reader = Reader::new(limits());
    let mut events = Vec::new();
    let mut error = None;
    for piece in pieces {
        reader.feed(piece);
        error = drain(&mut reader, &mut events);
        if error.is_some() {
            break;
        }
        assert!(
            reader.buffered_bytes() <= piece.len() * 3 + (256 << 10),
            "too much is held"
        );
    }
    reader.finish();
    if error.is_none() {
        error = drain(&mut reader, &mut events);
        // After the end there is nothing, and an error stays.
        let again = reader.next_event().map(|event| event.is_some());
        assert_eq!(again, error.clone().map_or(Ok(false), Err));
    }
    let mut summary = reader.summary();
    if error.is_some() {
        // How far the decoders were ahead of the error depends on the pieces.
        let ahead = [WarningKind::InvalidBytes, WarningKind::SkippedBytes];
        summary
            .warnings
            .retain(|warning| !ahead.contains(&warning.kind));
    }
    let rows: u64 = summary.tables.iter().map(|table| table.rows).sum();
    assert_eq!(rows, reader.rows());
    (events, error, summary)
}

fn drain(reader: &mut Reader, events: &mut Vec<String>) -> Option<Error> {
    loop {
        match reader.next_event() {
            Ok(Some(event)) => events.push(match event {
                Event::Row(row) => format!("{row:?}"),
                event => format!("{event:?}"),
            }),
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    }
}
