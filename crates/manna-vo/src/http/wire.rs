//! One byte stream to an archive, plain or TLS, that counts what the head of an answer may cost.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// What may still be read before the head of the answer is complete. Interim (1xx) answers are
/// consumed by the HTTP reader one by one; only here can an endless row of them be noticed.
#[derive(Debug, Default)]
pub(super) struct HeadBudget(AtomicUsize);

impl HeadBudget {
    pub(super) fn start(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// The head is there; the body has limits of its own.
    pub(super) fn stop(&self) {
        self.0.store(usize::MAX, Ordering::Relaxed);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn spend(&self, bytes: usize) {
        let spend = |left: usize| (left != usize::MAX).then(|| left.saturating_sub(bytes));
        // An `Err` means that no head is being read.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
    }
}

#[derive(Debug)]
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

#[derive(Debug)]
pub(super) struct Wire {
    stream: Stream,
    head_budget: Arc<HeadBudget>,
}

impl Wire {
    pub(super) fn new(stream: Stream, head_budget: Arc<HeadBudget>) -> Self {
        Self {
            stream,
            head_budget,
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.head_budget.is_spent() {
            return Poll::Ready(Err(io::Error::other("the head of the answer is too long")));
        }
        let before = buf.filled().len();
        ready!(match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Stream::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        })?;
        self.head_budget.spend(buf.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Stream::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
