//! Documents that once went wrong, found by the fuzz targets: the bytes as the target got them, the length of the
//! pieces first.

mod support;

use manna_votable::Limits;

/// The limits of the fuzz targets.
fn limits() -> Limits {
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

#[test]
fn the_split_of_the_bytes_changes_nothing() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/regressions");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let input = std::fs::read(&path).unwrap();
        let (size, document) = input.split_first().unwrap();
        let whole = support::read_pieces([document], limits());
        for size in [1, usize::from(*size).max(1), 7] {
            let pieces = support::read_pieces(document.chunks(size), limits());
            assert_eq!(pieces.difference(&whole), None, "{}", path.display());
        }
    }
}
