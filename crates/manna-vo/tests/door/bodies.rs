//! Bodies that are endless, cut, slow, compressed, or not what the head said.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use manna_vo::http::{FetchError, Phase, Request};
use tokio::io::AsyncWriteExt;

use super::server::{Server, ok};

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A server that sends `piece` after `head` until nobody takes it, some 16 MB a second, and the count of what it
/// could send. The pause keeps the kernel's buffers, which are not our reading, nearly empty.
pub(crate) async fn endless(head: &str, piece: Vec<u8>) -> (Server, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let (head, piece, counter) = (head.to_owned(), Arc::new(piece), sent.clone());
    let server = Server::start(move |_, mut stream| {
        let (head, piece, counter) = (head.clone(), piece.clone(), counter.clone());
        async move {
            stream.write_all(head.as_bytes()).await.ok()?;
            loop {
                stream.write_all(&piece).await.ok()?;
                counter.fetch_add(piece.len(), Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
    })
    .await;
    (server, sent)
}

/// Waits until the server notices that it talks to nobody, and gives what it sent in all.
async fn settled(sent: &AtomicUsize) -> usize {
    let mut last = usize::MAX;
    loop {
        let now = sent.load(Ordering::SeqCst);
        if now == last {
            return now;
        }
        last = now;
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
}

pub(crate) const PLAIN: &str = "HTTP/1.1 200 OK\r\n\r\n";
pub(crate) const MIB: usize = 1 << 20;

#[tokio::test]
async fn an_endless_answer_costs_little_after_the_limit() {
    let cap = 2 * MIB;
    let (server, sent) = endless(PLAIN, vec![b'x'; 16 << 10]).await;
    let door = server.door_with(|limits| limits.max_bytes = cap as u64);
    let mut answer = server.get(&door).await.unwrap();
    let mut read = 0;
    let error = loop {
        match answer.chunk().await {
            Ok(piece) => read += piece.unwrap().len(),
            Err(error) => break error,
        }
    };
    assert!(
        matches!(error, FetchError::TooLarge { max_bytes, .. } if max_bytes == cap as u64),
        "{error}"
    );
    assert_eq!(read, cap, "what fits is delivered");
    assert!(
        answer.chunk().await.unwrap().is_none(),
        "nothing comes after an error"
    );
    let after = settled(&sent).await - cap;
    println!("endless answer, after the limit: {after} bytes");
    assert!(after < MIB, "{after} bytes after the limit");
}

#[tokio::test]
async fn an_endless_answer_stops_when_the_caller_does() {
    let (server, sent) = endless(PLAIN, vec![b'x'; 16 << 10]).await;
    let door = server.door();
    let mut answer = server.get(&door).await.unwrap();
    let mut read = 0;
    while read < 100_000 {
        read += answer.chunk().await.unwrap().unwrap().len();
    }
    drop(answer);
    let after = settled(&sent).await - read;
    println!("endless answer, after the caller's stop: {after} bytes");
    assert!(after < MIB, "{after} bytes after the stop");
}

#[tokio::test]
async fn a_dropped_request_stops_at_the_archive() {
    let (server, sent) = endless(PLAIN, vec![b'x'; 16 << 10]).await;
    let door = server.door();
    let task = tokio::spawn({
        let request = Request::get(server.url(&door));
        async move { door.send(request).await.unwrap().text(u64::MAX).await }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    task.abort();
    settled(&sent).await;
}

#[tokio::test]
async fn a_gzip_bomb_is_cut_at_the_decompressed_limit() {
    // 200 MiB of spaces in some 200 kB.
    let bomb = gzip(&vec![b' '; 200 * MIB]);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        bomb.len()
    );
    let server = Server::fixed([head.into_bytes(), bomb].concat()).await;
    let door = server.door_with(|limits| limits.max_bytes = 3 << 20);
    let mut answer = server.get(&door).await.unwrap();
    let (mut read, mut longest) = (0, 0);
    let error = loop {
        match answer.chunk().await {
            Ok(piece) => {
                let length = piece.unwrap().len();
                read += length;
                longest = longest.max(length);
            }
            Err(error) => break error,
        }
    };
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
    assert_eq!(read, 3 * MIB);
    assert!(longest <= 128 << 10, "a piece of {longest} bytes");
}

#[tokio::test]
async fn compressed_nothing_without_end_is_too_large() {
    // Stored blocks of length 0 (RFC 1951 section 3.2.4): any number of bytes in, none out.
    let begin = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    let server = Server::start(move |_, mut stream| async move {
        stream.write_all(PLAIN.as_bytes()).await.ok()?;
        stream.write_all(&begin).await.ok()?;
        loop {
            stream
                .write_all(&[0, 0, 0, 0xff, 0xff].repeat(4000))
                .await
                .ok()?;
        }
    })
    .await;
    let door = server.door_with(|limits| limits.max_bytes = 1 << 20);
    let error = server.text(&door).await.unwrap_err();
    assert!(matches!(error, FetchError::TooLarge { .. }), "{error}");
}

#[tokio::test]
async fn gzip_is_decided_by_the_bytes() {
    let zipped = gzip(b"<VOTABLE/>");
    let answer = |fields: &str, body: &[u8]| {
        let head = format!(
            "HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    };
    for (name, answer) in [
        ("as said", answer("Content-Encoding: gzip\r\n", &zipped)),
        (
            "as said, the old name",
            answer("Content-Encoding: X-GZIP\r\n", &zipped),
        ),
        ("unsaid", answer("", &zipped)),
        (
            "said and not so",
            answer("Content-Encoding: gzip\r\n", b"<VOTABLE/>"),
        ),
        (
            "identity",
            answer("Content-Encoding: identity\r\n", b"<VOTABLE/>"),
        ),
    ] {
        let server = Server::fixed(answer).await;
        assert_eq!(
            server.text(&server.door()).await.unwrap(),
            "<VOTABLE/>",
            "{name}"
        );
    }
    let server = Server::fixed(answer(
        "Content-Encoding: gzip\r\n",
        &zipped[..zipped.len() - 3],
    ))
    .await;
    let error = server.text(&server.door()).await.unwrap_err();
    assert!(matches!(error, FetchError::Cut { .. }), "{error}");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_cut() {
    for (name, answer) in [
        (
            "length",
            "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n<VOTABLE>",
        ),
        (
            "chunked, between chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<VOTABLE>\r\n",
        ),
        (
            "chunked, within one",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n99\r\n<VOTABLE>",
        ),
    ] {
        let server = Server::closing(answer).await;
        let mut answer = server.get(&server.door()).await.unwrap();
        assert_eq!(
            &answer.chunk().await.unwrap().unwrap()[..],
            b"<VOTABLE>",
            "{name}"
        );
        let error = answer.chunk().await.unwrap_err();
        assert!(
            matches!(error, FetchError::Cut { .. }),
            "{name}: {}",
            error.log()
        );
        assert!(
            answer.chunk().await.unwrap().is_none(),
            "nothing comes after an error"
        );
    }
    let server = Server::closing("HTTP/1.1 200 OK\r\n\r\nuntil the end").await;
    assert_eq!(server.text(&server.door()).await.unwrap(), "until the end");
    // More than was announced is not part of the answer, nor of the next one.
    let server =
        Server::fixed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n")
            .await;
    let door = server.door();
    for _ in 0..3 {
        assert_eq!(server.text(&door).await.unwrap(), "abc");
    }
}

#[tokio::test]
async fn a_trickle_is_too_slow() {
    let server = Server::start(|_, mut stream| async move {
        stream.write_all(PLAIN.as_bytes()).await.ok()?;
        loop {
            stream.write_all(b"x").await.ok()?;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let door = server.door_with(|limits| {
        (limits.pace_bytes, limits.pace_window) = (1024, Duration::from_secs(1))
    });
    let begun = Instant::now();
    let error = server.text(&door).await.unwrap_err();
    assert!(matches!(error, FetchError::TooSlow { .. }), "{error}");
    assert!(
        (800..15_000).contains(&begun.elapsed().as_millis()),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn a_slow_reader_is_not_a_slow_archive() {
    let server = Server::fixed(ok(&"x".repeat(400_000))).await;
    let door = server.door_with(|limits| {
        (limits.pace_bytes, limits.pace_window) = (1 << 20, Duration::from_secs(1))
    });
    let mut answer = server.get(&door).await.unwrap();
    answer.chunk().await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_millis(1300)).await;
    assert!(!answer.text(1 << 20).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_stall_ends_with_the_deadline() {
    let server = Server::start(|_, mut stream| async move {
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")
            .await
            .ok()?;
        tokio::time::sleep(Duration::from_secs(60)).await;
        Some(stream)
    })
    .await;
    let door = server.door_with(|limits| limits.total = Duration::from_millis(400));
    let begun = Instant::now();
    let error = server.text(&door).await.unwrap_err();
    assert!(
        matches!(
            error,
            FetchError::Timeout {
                phase: Phase::Total,
                ..
            }
        ),
        "{error}"
    );
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn whole_texts_and_their_beginnings() {
    let server = Server::fixed(ok("abcdef\u{e9}")).await;
    let door = server.door_with(|limits| limits.max_bytes = 8);
    assert_eq!(
        server.get(&door).await.unwrap().text(8).await.unwrap(),
        "abcdef\u{e9}",
        "exactly the limit"
    );
    let error = server.get(&door).await.unwrap().text(7).await.unwrap_err();
    assert!(
        matches!(error, FetchError::TooLarge { max_bytes: 7, .. }),
        "{error}"
    );
    assert_eq!(server.get(&door).await.unwrap().text_start(3).await, "abc");
    assert_eq!(
        server.get(&door).await.unwrap().text_start(300).await,
        "abcdef\u{e9}"
    );
    let cut = Server::closing("HTTP/1.1 500 X\r\nContent-Length: 100\r\n\r\nwhat came").await;
    assert_eq!(
        cut.get(&cut.door()).await.unwrap().text_start(300).await,
        "what came"
    );
    // A request cannot ask for more than the door's ceiling.
    let limits = manna_vo::http::Limits::default().max_bytes(1 << 30);
    let request = Request::get(server.url(&door)).limits(limits);
    let small = server.door_with(|limits| limits.max_bytes = 4);
    assert!(small.send(request).await.unwrap().text(100).await.is_err());
}
