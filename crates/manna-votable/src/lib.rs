//! Streaming, bounded VOTable reader and writer: bytes in, events out, no I/O.
//!
//! [`Reader`] takes a document as it arrives, split at any byte, and tells its tables, rows, status and oddities as
//! [`Event`]s, within [`Limits`]. It reads TABLEDATA, BINARY and BINARY2 (VOTable 1.0 to 1.5), is lenient where
//! archives are known to be careless, and never silently so: see [`Warning`]. A document that is cut, one that
//! overflowed and one with an error are three different things: [`Error::Truncated`], [`QueryStatus::Overflow`],
//! [`QueryStatus::Error`] or [`Error::Appended`]. [`Writer`] makes a TABLEDATA document.
//!
//! It does not decompress, fetch what a `STREAM href` points to, or interpret units, coordinate systems and annotations.

mod attributes;
mod base64;
mod binary;
mod cell;
mod column;
mod datatype;
mod decode;
mod elements;
mod error;
mod foreign;
mod header;
mod limits;
mod machine;
mod model;
mod number;
mod plain;
mod reader;
mod rows;
mod status;
mod summary;
mod tokens;
mod value;
mod warning;
mod writer;

pub use datatype::Datatype;
pub use error::{Error, Foreign};
pub use limits::{LimitKind, Limits};
pub use model::{
    Description, Field, Group, Info, Link, Param, Place, ResourceStart, Serialisation, Stream,
    System, Table, Values,
};
pub use reader::{Event, Reader};
pub use status::QueryStatus;
pub use summary::{Summary, TableSummary, summarize};
pub use value::Value;
pub use warning::{Warning, WarningKind};
pub use writer::{WriteError, Writer};
