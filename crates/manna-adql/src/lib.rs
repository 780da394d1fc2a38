//! ADQL 2.1 (IVOA Recommendation of 15 December 2023): text to a tree, the tree back to text, and
//! the tree to SQLite. No network.
//!
//! ```
//! let query = manna_adql::parse("SELECT TOP 5 ra, dec FROM ivoa.obscore")?;
//! assert_eq!(query.to_string(), "SELECT TOP 5 ra, dec FROM ivoa.obscore");
//!
//! let error = manna_adql::parse("SELECT ra FROM obs LIMIT 5").unwrap_err();
//! assert_eq!((error.line(), error.column()), (1, 20));
//! # Ok::<(), manna_adql::Error>(())
//! ```

pub mod ast;
mod display;
mod error;
mod function;
mod keyword;
mod lexer;
mod nearest;
mod parser;
mod span;
pub mod sqlite;

pub use ast::Query;
pub use error::Error;
pub use function::{Function, Gives, Standard};
pub use keyword::is_reserved;
pub use span::Span;

/// The tree of exactly one query.
///
/// # Errors
///
/// When the text is no query of ADQL 2.1 nor one with the extensions of
/// [`ExtensionKind`](ast::ExtensionKind).
pub fn parse(adql: &str) -> Result<Query, Error> {
    parser::parse(adql)
}
