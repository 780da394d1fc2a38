//! TAP 1.0 and 1.1 (IVOA Recommendation of 2019-09-27): queries in ADQL. Synchronous queries are here; jobs,
//! uploads and table metadata come with the rest of the protocol clients.

mod sync;

pub use sync::{SyncAnswer, SyncQuery, TapError, sync};
