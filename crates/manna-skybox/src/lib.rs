//! An embedded Virtual Observatory archive on loopback, for the demo and the tests.
//!
//! TAP 1.1 (sync) with real ADQL over SQLite, `TAP_SCHEMA`, VOSI, and the text answers of the name
//! resolver Sesame. The Messier objects and the bright stars in it are real, the rest of its sky is
//! made up from a seed: equal seeds give equal rows. It shares no code with the client of this
//! workspace, so that a misreading of a standard cannot hide on both sides.
//!
//! ```no_run
//! # async fn example() -> Result<(), manna_skybox::Error> {
//! use manna_skybox::{Config, Skybox};
//!
//! let running = Skybox::start(Config::default()).await?;
//! println!("TAP at {}, Sesame at {}", running.tap_url(), running.sesame_url());
//! running.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod http;
mod sky;
mod store;
mod wire;

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{http::Archive, store::Store};

/// How the archive is to run.
#[derive(Debug)]
pub struct Config {
    /// Where to listen: a loopback address; port 0 takes any free one.
    pub addr: SocketAddr,
    /// A socket that listens already, in place of `addr`. It may have any address: whoever made it
    /// (a test in a network namespace of its own) answers for it.
    pub listener: Option<std::net::TcpListener>,
    /// The address that the archive calls itself, `scheme://host[:port]`, where it stands behind a
    /// proxy. By default it is made of the socket's own.
    pub base_url: Option<String>,
    /// What the made-up sky is made from.
    pub seed: u64,
    /// The number of rows of `synth.gaia_like`.
    pub sources: usize,
    /// What one query may take.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            addr: (Ipv4Addr::LOCALHOST, 0).into(),
            listener: None,
            base_url: None,
            seed: 1781,
            sources: 50_000,
            limits: Limits::default(),
        }
    }
}

/// What one query, and all together, may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Rows when `MAXREC` is not given.
    pub default_rows: u64,
    /// Rows at most, whatever `MAXREC` says.
    pub most_rows: u64,
    /// Time for one query to run.
    pub query_time: Duration,
    /// Time for a client to take its answer.
    pub answer_time: Duration,
    /// Time that a query waits for its turn.
    pub queue_time: Duration,
    /// Queries that run at the same time.
    pub concurrency: usize,
    /// Queries that wait; more are turned away with 503.
    pub queue: u64,
    /// Bytes of a request.
    pub request_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            default_rows: 20_000,
            most_rows: 100_000,
            query_time: Duration::from_secs(10),
            answer_time: Duration::from_secs(120),
            queue_time: Duration::from_secs(10),
            concurrency: 4,
            queue: 64,
            request_bytes: 1 << 20,
        }
    }
}

/// Why the archive did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The archive is for this machine only.
    #[error("{0} is not a loopback address: the skybox listens on loopback only")]
    NotLoopback(SocketAddr),
    /// The address could not be listened on.
    #[error("could not listen on {addr}")]
    Listen {
        /// The address that was asked for.
        addr: SocketAddr,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The database could not be made.
    #[error("could not build the database")]
    Database(#[from] rusqlite::Error),
    /// The process is shutting down.
    #[error("the runtime is shutting down")]
    Stopped,
}

/// The embedded archive.
#[derive(Debug)]
pub struct Skybox;

impl Skybox {
    /// Builds the database and serves it until the [`Running`] is dropped. Must be called in a
    /// Tokio runtime.
    ///
    /// # Errors
    ///
    /// When the address is not loopback or not free, or the database cannot be made.
    pub async fn start(config: Config) -> Result<Running, Error> {
        let listener = listen(config.addr, config.listener).await?;
        let addr = listener.local_addr().map_err(|source| Error::Listen {
            addr: config.addr,
            source,
        })?;
        let base_url = config.base_url.map_or_else(
            || format!("http://{addr}"),
            |url| url.trim_end_matches('/').to_owned(),
        );
        let Config {
            seed,
            sources,
            limits,
            ..
        } = config;
        let own_url = base_url.clone();
        let store = tokio::task::spawn_blocking(move || {
            let contents = sky::contents(seed, sources, &own_url);
            Store::build(contents, limits.concurrency, limits.queue)
        })
        .await
        .map_err(|_| Error::Stopped)??;
        let archive = Arc::new(Archive::new(store, limits, base_url.clone()));
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            let serve = axum::serve(listener, http::router(archive))
                .with_graceful_shutdown(stopped.cancelled_owned());
            if let Err(error) = serve.await {
                tracing::error!(%error, "the skybox stopped serving");
            }
        });
        Ok(Running {
            addr,
            base_url,
            stop,
            task: Some(task),
        })
    }
}

async fn listen(
    addr: SocketAddr,
    listener: Option<std::net::TcpListener>,
) -> Result<TcpListener, Error> {
    let failed = |source| Error::Listen { addr, source };
    match listener {
        Some(listener) => {
            listener.set_nonblocking(true).map_err(failed)?;
            TcpListener::from_std(listener).map_err(failed)
        }
        None if addr.ip().is_loopback() => TcpListener::bind(addr).await.map_err(failed),
        None => Err(Error::NotLoopback(addr)),
    }
}

/// A running archive. Dropping it stops it: no new connections are taken, idle ones are closed,
/// and answers under way are finished in the background.
#[derive(Debug)]
pub struct Running {
    addr: SocketAddr,
    base_url: String,
    stop: CancellationToken,
    task: Option<JoinHandle<()>>,
}

impl Running {
    /// The address it listens on.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.addr.port()
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The base URL of the TAP service; `/sync` and the others are below it.
    #[must_use]
    pub fn tap_url(&self) -> String {
        format!("{}/tap", self.base_url)
    }

    /// The base URL of the name resolver; `/SNV?M87` goes behind it, as behind
    /// `https://cds.unistra.fr/cgi-bin/nph-sesame`.
    #[must_use]
    pub fn sesame_url(&self) -> String {
        format!("{}/cgi-bin/nph-sesame", self.base_url)
    }

    /// Stops taking requests and waits until those under way are answered, 5 s at most.
    pub async fn shutdown(mut self) {
        self.stop.cancel();
        if let Some(task) = self.task.take() {
            // A client that does not take its answer must not hold us up.
            let _ = tokio::time::timeout(Duration::from_secs(5), task).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
