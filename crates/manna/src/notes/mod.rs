//! What is known about each archive: its addresses, its limits and the traps it sets.
//!
//! The facts are data, one TOML file an archive (`archives/*.toml`, format in `docs/notes-format.md`), built
//! into the binary and extendable at run time. This module reads them, answers questions about them and
//! never talks to an archive. How they are shown to a model is the tools' business.

mod archive;
mod audit;
mod builtin;
mod check;
mod collection;
mod error;
mod label;
mod note;
mod waveband;
mod words;

#[cfg(test)]
mod tests;

pub use archive::{
    Archive, Confidence, Count, CountGeometry, CountMode, CrossReference, Dialect, FurtherTap,
    GeometrySupport, KeyColumn, Limits, NameCase, Quoting, Services, Sia, Table,
};
pub use audit::{Audit, Expectation};
pub use collection::{Archives, Sources, UPFRONT_CHARS};
pub use error::NotesError;
pub use note::{Note, Pitfall};
pub use waveband::Waveband;
pub use words::{Date, EndpointUrl, Host, NoteId, ShortName, Text};
