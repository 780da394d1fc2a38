//! A server that answers as a test says, byte for byte, and counts what it sees.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use manna_vo::http::{Answer, Door, FetchError, Limits, Request, ServiceUrl, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn target(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    pub(crate) fn method(&self) -> &str {
        self.head.split(' ').next().unwrap()
    }
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    accepted: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// `respond` gets each request and the connection, and gives the connection back to keep it alive.
    pub(crate) async fn start<F, Fut>(respond: F) -> Self
    where
        F: Fn(Seen, TcpStream) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Option<TcpStream>> + Send,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            accepted: Arc::default(),
            seen: Arc::default(),
        };
        let (accepted, seen, respond) = (
            server.accepted.clone(),
            server.seen.clone(),
            Arc::new(respond),
        );
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                accepted.fetch_add(1, Ordering::SeqCst);
                let (seen, respond) = (seen.clone(), respond.clone());
                tokio::spawn(async move {
                    while let Some(request) = read(&mut stream).await {
                        seen.lock().unwrap().push(request.clone());
                        match respond(request, stream).await {
                            Some(kept) => stream = kept,
                            None => return,
                        }
                    }
                });
            }
        });
        server
    }

    /// Answers every request with the same bytes and keeps the connection.
    pub(crate) async fn fixed(answer: impl Into<Vec<u8>>) -> Self {
        let answer = Arc::new(answer.into());
        Self::start(move |_, mut stream| {
            let answer = answer.clone();
            async move {
                stream.write_all(&answer).await.ok()?;
                Some(stream)
            }
        })
        .await
    }

    /// Answers with these bytes and closes the connection.
    pub(crate) async fn closing(answer: impl Into<Vec<u8>>) -> Self {
        let answer = Arc::new(answer.into());
        Self::start(move |_, mut stream| {
            let answer = answer.clone();
            async move {
                stream.write_all(&answer).await.ok()?;
                stream.shutdown().await.ok()?;
                None
            }
        })
        .await
    }

    pub(crate) fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn raw_url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A door that trusts this server and nothing else, with short waits.
    pub(crate) fn door(&self) -> Door {
        self.door_with(|_| {})
    }

    pub(crate) fn door_with(&self, change: impl FnOnce(&mut Limits)) -> Door {
        let mut settings = Settings::default();
        settings.trusted_hosts = vec![self.address.to_string().parse().unwrap()];
        settings.limits.total = Duration::from_secs(20);
        change(&mut settings.limits);
        Door::new(settings).unwrap()
    }

    pub(crate) fn url(&self, door: &Door) -> ServiceUrl {
        door.parse(&self.raw_url("/tap")).unwrap()
    }

    /// One `GET`.
    pub(crate) async fn get(&self, door: &Door) -> Result<Answer, FetchError> {
        door.send(Request::get(self.url(door))).await
    }

    /// One `GET` and its whole body.
    pub(crate) async fn text(&self, door: &Door) -> Result<String, FetchError> {
        self.get(door).await?.text(u64::MAX).await
    }
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head
        .to_ascii_lowercase()
        .lines()
        .find_map(|line| {
            line.strip_prefix("content-length:")
                .map(|length| length.trim().parse().unwrap())
        })
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Seen {
        head,
        body: String::from_utf8(body).unwrap(),
    })
}

/// A complete answer with a length.
pub(crate) fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}
