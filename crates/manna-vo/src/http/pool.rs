//! Idle connections. One is handed out again only for the same scheme, host and port, and only while the
//! address it goes to is among those that were checked for the request at hand.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::host::Host;
use super::service_url::ServiceUrl;

/// How long a connection waits for its next request.
const MAX_IDLE: Duration = Duration::from_secs(30);

/// Idle connections to one host and port.
const MAX_PER_KEY: usize = 8;

/// Idle connections in all.
const MAX_TOTAL: usize = 256;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    https: bool,
    host: Host,
    port: u16,
}

impl From<&ServiceUrl> for Key {
    fn from(url: &ServiceUrl) -> Self {
        Self {
            https: url.is_https(),
            host: url.host().clone(),
            port: url.port(),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Pool {
    idle: Mutex<Idle>,
}

#[derive(Debug, Default)]
struct Idle {
    connections: HashMap<Key, Vec<(Connection, Instant)>>,
    count: usize,
    is_swept: bool,
}

impl Pool {
    /// The connection used last among those that may be used for this URL and these addresses.
    pub(super) fn take(&self, url: &ServiceUrl, checked: &[SocketAddr]) -> Option<Connection> {
        let mut idle = self.lock();
        idle.drop_dead();
        let connections = idle.connections.get_mut(&Key::from(url))?;
        let found = connections
            .iter()
            .rposition(|(one, _)| checked.contains(&one.address()))?;
        let (connection, _) = connections.remove(found);
        idle.count -= 1;
        Some(connection)
    }

    /// Keeps a connection whose last answer was read to its end.
    pub(super) fn put(self: &Arc<Self>, key: Key, connection: Connection) {
        let mut idle = self.lock();
        if connection.is_closed() || idle.count >= MAX_TOTAL {
            return;
        }
        let connections = idle.connections.entry(key).or_default();
        if connections.len() >= MAX_PER_KEY {
            return;
        }
        connections.push((connection, Instant::now()));
        idle.count += 1;
        if !idle.is_swept {
            idle.is_swept = true;
            tokio::spawn(sweep(Arc::downgrade(self)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Idle {
    fn drop_dead(&mut self) {
        for connections in self.connections.values_mut() {
            connections.retain(|(one, since)| !one.is_closed() && since.elapsed() < MAX_IDLE);
        }
        self.connections
            .retain(|_, connections| !connections.is_empty());
        self.count = self.connections.values().map(Vec::len).sum();
    }
}

/// Closes what nobody asks for again; ends when the pool is empty or gone.
async fn sweep(pool: Weak<Pool>) {
    loop {
        tokio::time::sleep(MAX_IDLE / 2).await;
        let Some(pool) = pool.upgrade() else { return };
        let mut idle = pool.lock();
        idle.drop_dead();
        if idle.count == 0 {
            idle.is_swept = false;
            return;
        }
    }
}
