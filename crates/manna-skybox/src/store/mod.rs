//! The database: built once in memory, then read by a few connections that cannot write.

mod build;
mod functions;
mod geometry;
mod query;
mod units;

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use manna_adql::sqlite::Schema;
use rusqlite::{
    Connection, OpenFlags,
    config::DbConfig,
    hooks::{AuthAction, AuthContext, Authorization},
    limits::Limit,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::sky::{Content, Table};
pub(crate) use geometry::Geometry;
pub(crate) use query::{Failure, Field, Plan, Rows, Value, Watch};

/// The database and what is in it.
pub(crate) struct Store {
    tables: Vec<Table>,
    schema: Schema,
    idle: Mutex<Vec<Connection>>,
    permits: std::sync::Arc<Semaphore>,
    waiting: AtomicU64,
    queue: u64,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Store")
            .field("tables", &self.tables.len())
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Writes `contents` and opens `connections` readers; `queue` more queries may wait for one.
    pub(crate) fn build(
        contents: Vec<Content>,
        connections: usize,
        queue: u64,
    ) -> rusqlite::Result<Self> {
        // `memdb` (SQLite's in-memory VFS) shares a database between the connections of a process
        // when its name starts with a slash, without the table locks of a shared cache.
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let uri = format!("file:/manna-skybox-{number}?vfs=memdb");

        let tables: Vec<Table> = contents
            .iter()
            .map(|content| content.table.clone())
            .collect();
        let writer = Connection::open_with_flags(
            &uri,
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_URI
                | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        build::write(&writer, contents)?;
        let connections = connections.max(1);
        let idle = (0..connections)
            .map(|_| reader(&uri))
            .collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(Self {
            schema: build::schema(&tables),
            tables,
            idle: Mutex::new(idle),
            permits: std::sync::Arc::new(Semaphore::new(connections)),
            waiting: AtomicU64::new(0),
            queue,
        })
    }

    /// The tables, those of `TAP_SCHEMA` last.
    pub(crate) fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Waits for a connection. `None` when too many wait already, or none is free in time.
    pub(crate) async fn reserve(&self, patience: Duration) -> Option<Reservation> {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= self.queue {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        // Dropped with this future too, when the client goes away while it waits.
        let _place = Place(&self.waiting);
        let permit = std::sync::Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(patience, permit).await.ok()?.ok()?;
        Some(Reservation { _permit: permit })
    }

    /// Does `work` with a connection. Blocks: not for an async thread.
    pub(crate) fn with_connection<T>(
        &self,
        reservation: Reservation,
        work: impl FnOnce(&mut Connection) -> T,
    ) -> T {
        let connection = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
            .expect("there are as many connections as permits");
        let mut lease = Lease {
            store: self,
            connection: Some(connection),
            _reservation: reservation,
        };
        let connection = lease.connection.as_mut();
        work(connection.expect("it is taken out by drop alone"))
    }
}

/// A connection that is at work; it comes back even when the work panics.
struct Lease<'a> {
    store: &'a Store,
    connection: Option<Connection>,
    /// Dropped after the connection is back.
    _reservation: Reservation,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.store
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(self.connection.take());
    }
}

/// The right to one connection.
#[derive(Debug)]
pub(crate) struct Reservation {
    _permit: OwnedSemaphorePermit,
}

/// A place in the queue.
struct Place<'a>(&'a AtomicU64);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The functions of SQLite that the SQL printer uses. All others are refused, whatever the SQL:
/// the printer is trusted to resolve names, the authorizer is there for when it errs.
const BUILTIN: &[&str] = &[
    "abs", "avg", "coalesce", "count", "max", "min", "substr", "sum",
];

/// Memory that SQLite may take in this process.
const HEAP_BYTES: i64 = 512 << 20;

/// A connection that can read and do nothing else.
fn reader(uri: &str) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_with_flags(
        uri,
        OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // A name in double quotes is a column or an error, never silently a string.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    functions::register(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    // Sorting spills nowhere: the archive leaves no file behind.
    connection.pragma_update(None, "temp_store", "memory")?;
    // For the whole process, and never raised again: room for a few dozen archives in one test
    // binary. A query that asks for more ends with an error, not the machine.
    connection.pragma_update(None, "hard_heap_limit", HEAP_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, 1 << 20)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20)?;
    connection.authorizer(Some(authorize))?;
    Ok(connection)
}

fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => {
            Authorization::Allow
        }
        AuthAction::Function { function_name }
            if function_name.starts_with("adql_") || BUILTIN.contains(&function_name) =>
        {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}

#[cfg(test)]
mod tests;
