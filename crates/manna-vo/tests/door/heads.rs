//! Heads that are too long, malformed, endless, late, or ask for what the door does not do.

use std::time::{Duration, Instant};

use manna_vo::http::{FetchError, Phase};
use tokio::io::AsyncWriteExt;

use super::server::{Server, ok};

async fn error_for(answer: impl Into<Vec<u8>>) -> FetchError {
    let server = Server::closing(answer).await;
    server.text(&server.door()).await.unwrap_err()
}

#[tokio::test]
async fn what_is_not_usable_http() {
    let many: String = (0..150).map(|n| format!("X-{n}: y\r\n")).collect();
    for (name, answer) in [
        (
            "200 kB of header",
            format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "y".repeat(200_000)),
        ),
        (
            "70 kB of header",
            format!(
                "HTTP/1.1 200 OK\r\nX: {}\r\nContent-Length: 0\r\n\r\n",
                "y".repeat(70_000)
            ),
        ),
        (
            "150 headers",
            format!("HTTP/1.1 200 OK\r\n{many}Content-Length: 0\r\n\r\n"),
        ),
        ("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n".to_owned()),
        ("HTTP/0.9", "<html>hello</html>".to_owned()),
        (
            "negative length",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello".to_owned(),
        ),
        (
            "two lengths",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!".to_owned(),
        ),
        (
            "101",
            "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
                .to_owned(),
        ),
        (
            "brotli",
            "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx".to_owned(),
        ),
        (
            "twice gzip",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: 1\r\n\r\nx"
                .to_owned(),
        ),
        (
            "refresh",
            "HTTP/1.1 200 OK\r\nRefresh: 0; URL=http://127.0.0.1/\r\nContent-Length: 1\r\n\r\nx"
                .to_owned(),
        ),
        (
            "bad chunk",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_owned(),
        ),
    ] {
        let error = error_for(answer).await;
        assert!(
            matches!(error, FetchError::Protocol { .. }),
            "{name}: {}",
            error.log()
        );
        assert!(!error.message().contains("yyy"), "{name}: {error}");
    }
}

#[tokio::test]
async fn a_head_below_the_limits_is_fine() {
    let fields: String = (0..90)
        .map(|n| format!("X-{n}: {}\r\n", "y".repeat(600)))
        .collect();
    let server = Server::fixed(format!(
        "HTTP/1.1 200 OK\r\n{fields}Content-Length: 1\r\n\r\nx"
    ))
    .await;
    assert_eq!(server.text(&server.door()).await.unwrap(), "x");
}

#[tokio::test]
async fn interim_answers_are_skipped_but_not_for_ever() {
    let some = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(20);
    let server = Server::fixed(format!("{some}{}", ok("x"))).await;
    assert_eq!(server.text(&server.door()).await.unwrap(), "x");

    let server = Server::start(|_, mut stream| async move {
        loop {
            stream
                .write_all(b"HTTP/1.1 100 Continue\r\n\r\n")
                .await
                .ok()?;
        }
    })
    .await;
    let begun = Instant::now();
    let error = server.text(&server.door()).await.unwrap_err();
    assert!(
        matches!(
            error,
            FetchError::Protocol {
                what: "too many interim answers",
                ..
            }
        ),
        "{error}"
    );
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn no_head_in_time() {
    let server = Server::start(|_, stream| async move {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Some(stream)
    })
    .await;
    let door = server.door_with(|limits| limits.first_byte = Duration::from_millis(200));
    let error = server.text(&door).await.unwrap_err();
    assert!(
        matches!(
            error,
            FetchError::Timeout {
                phase: Phase::FirstByte,
                ..
            }
        ),
        "{error}"
    );
    let door = server.door_with(|limits| limits.total = Duration::from_millis(200));
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
}

#[tokio::test]
async fn nobody_listens() {
    let server = Server::fixed(ok("x")).await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let mut settings = manna_vo::http::Settings::default();
    settings.resolve = vec![format!("a.example.org:80={closed}").parse().unwrap()];
    let door = manna_vo::http::Door::new(settings).unwrap();
    let url = door.parse("http://a.example.org/").unwrap();
    let error = door
        .send(manna_vo::http::Request::get(url))
        .await
        .unwrap_err();
    assert!(matches!(error, FetchError::Connect { .. }), "{error}");
    assert!(!error.message().contains("127.0.0.1"), "{error}");
    assert_eq!(error.host().to_string(), "a.example.org");
    // A dead address before a live one is passed over.
    let mut settings = manna_vo::http::Settings::default();
    let rules = [closed, server.address].map(|address| format!("a.example.org:80={address}"));
    settings.resolve = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    let door = manna_vo::http::Door::new(settings).unwrap();
    let url = door.parse("http://a.example.org/").unwrap();
    assert_eq!(
        door.send(manna_vo::http::Request::get(url))
            .await
            .unwrap()
            .text(9)
            .await
            .unwrap(),
        "x"
    );
}

#[tokio::test]
async fn any_status_is_an_answer_and_a_challenge_stays_unanswered() {
    for status in [201, 204, 304, 400, 401, 404, 407, 429, 500, 503, 599] {
        let answer = format!(
            "HTTP/1.1 {status} X\r\nWWW-Authenticate: Basic realm=x\r\nRetry-After: 7\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"
        );
        let server = Server::fixed(answer).await;
        let answer = server.get(&server.door()).await.unwrap();
        assert_eq!(
            (answer.status, answer.retry_after),
            (status, Some(Duration::from_secs(7)))
        );
        assert_eq!(answer.content_type.as_deref(), Some("text/plain"));
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn what_a_request_says() {
    let server = Server::fixed(ok("x").replace(
        "\r\n\r\n",
        "\r\nSet-Cookie: a=b\r\nAlt-Svc: h2=\":1\"\r\n\r\n",
    ))
    .await;
    let door = server.door();
    server.text(&door).await.unwrap();
    server.text(&door).await.unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "GET /tap HTTP/1.1\r\nhost: {}\r\nuser-agent: manna/{version}\r\naccept: */*\r\naccept-encoding: gzip\r\n\r\n",
        server.address
    );
    for seen in server.seen() {
        assert_eq!(seen.head, expected);
    }
}
