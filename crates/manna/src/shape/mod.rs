//! Rows to what a model can read: columns with their metadata, JSON values that every client keeps exact, clean
//! text, and caps on rows and bytes (contract section 2).

mod table;
pub mod text;
mod value;

pub use table::{Caps, InlineTable, Taken};
pub use value::{Notes, cell};
