//! The bounds a document is read within, as values: nothing a document declares (rows, array sizes, length prefixes)
//! can make the reader keep more than these.

/// Bounds on one document. Every field may be changed; [`Limits::default`] is meant for archives nobody vouches for,
/// [`Limits::trusted`] for the user's own files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// `FIELD`s in one table.
    pub fields: usize,
    /// `TABLE`s in one document.
    pub tables: usize,
    /// Open elements.
    pub depth: usize,
    /// Attributes of one element.
    pub attributes: usize,
    /// Bytes of one start tag. The text of an `INFO` or `DESCRIPTION` is cut here, with a warning.
    pub node_bytes: usize,
    /// Bytes of one cell, as text or binary.
    pub cell_bytes: usize,
    /// Bytes of one row.
    pub row_bytes: usize,
    /// Values in one row, the elements of arrays counted: a bit costs one byte in eight of the document but a whole
    /// [`Value`](crate::Value) here.
    pub row_values: usize,
    /// Bytes of all table headers (`FIELD`, `PARAM`, `GROUP`, `LINK`, descriptions) the reader keeps.
    pub header_bytes: usize,
    /// Rows over all tables.
    pub rows: Option<u64>,
    /// Bytes fed, after decompression.
    pub bytes: Option<u64>,
}

impl Limits {
    /// For a document of the user's own: any number of rows and bytes; what one row or header may take stays bounded.
    #[must_use]
    pub fn trusted() -> Self {
        Self {
            bytes: None,
            ..Self::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fields: 5_000,
            tables: 10_000,
            depth: 64,
            attributes: 256,
            node_bytes: 256 << 10,
            cell_bytes: 1 << 20,
            row_bytes: 8 << 20,
            row_values: 512 << 10,
            header_bytes: 32 << 20,
            rows: None,
            bytes: Some(64 << 20),
        }
    }
}

/// Which of the [`Limits`] a document went over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitKind {
    /// [`Limits::fields`]
    Fields,
    /// [`Limits::tables`]
    Tables,
    /// [`Limits::depth`]
    Depth,
    /// [`Limits::attributes`]
    Attributes,
    /// [`Limits::node_bytes`]
    NodeBytes,
    /// [`Limits::cell_bytes`]
    CellBytes,
    /// [`Limits::row_bytes`]
    RowBytes,
    /// [`Limits::row_values`]
    RowValues,
    /// [`Limits::header_bytes`]
    HeaderBytes,
    /// [`Limits::rows`]
    Rows,
    /// [`Limits::bytes`]
    Bytes,
}

impl std::fmt::Display for LimitKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Fields => "fields in one table",
            Self::Tables => "tables",
            Self::Depth => "nested elements",
            Self::Attributes => "attributes of one element",
            Self::NodeBytes => "bytes of one tag",
            Self::CellBytes => "bytes of one cell",
            Self::RowBytes => "bytes of one row",
            Self::RowValues => "values in one row",
            Self::HeaderBytes => "bytes of table headers",
            Self::Rows => "rows",
            Self::Bytes => "bytes of the document",
        })
    }
}
