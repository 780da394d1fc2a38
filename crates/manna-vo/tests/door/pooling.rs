//! Connections are used again when they may be, and only then.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use manna_vo::http::{Door, Request, Settings, parse_list};
use tokio::io::AsyncWriteExt;

use super::server::{Server, ok};

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server = Server::fixed(ok("x")).await;
    let door = server.door();
    for _ in 0..5 {
        assert_eq!(server.text(&door).await.unwrap(), "x");
    }
    let clone = door.clone();
    let form = Request::post_form(server.url(&clone), vec![("QUERY".into(), "a b".into())]);
    assert_eq!(clone.send(form).await.unwrap().text(10).await.unwrap(), "x");
    assert_eq!(server.accepted(), 1);
    assert_eq!(server.seen().len(), 6);
}

#[tokio::test]
async fn a_body_that_was_not_read_to_its_end_takes_its_connection_along() {
    let server = Server::fixed(ok(&"x".repeat(300_000))).await;
    let door = server.door();
    for _ in 0..3 {
        let mut answer = server.get(&door).await.unwrap();
        answer.chunk().await.unwrap().unwrap();
    }
    assert_eq!(server.accepted(), 3);
}

#[tokio::test]
async fn requests_at_the_same_time_have_connections_of_their_own() {
    let server = Server::fixed(ok("x")).await;
    let door = server.door();
    let (a, b) = tokio::join!(server.get(&door), server.get(&door));
    assert_eq!(
        (
            a.unwrap().text(9).await.unwrap(),
            b.unwrap().text(9).await.unwrap()
        ),
        ("x".into(), "x".into())
    );
    assert_eq!(server.accepted(), 2);
    server.text(&door).await.unwrap();
    assert_eq!(server.accepted(), 2);
}

#[tokio::test]
async fn two_names_for_one_address_do_not_share() {
    let server = Server::fixed(ok("x")).await;
    let port = server.address.port();
    let rules = format!("a.example.org:8000=127.0.0.1:{port},b.example.org:8000=127.0.0.1:{port}");
    let mut settings = Settings::default();
    settings.resolve = parse_list(&rules).unwrap();
    let door = Door::new(settings).unwrap();
    for name in ["a", "b", "a"] {
        let url = door
            .parse(&format!("http://{name}.example.org:8000/x"))
            .unwrap();
        door.send(Request::get(url))
            .await
            .unwrap()
            .text(9)
            .await
            .unwrap();
    }
    assert_eq!(server.accepted(), 2);
    let hosts: Vec<_> = server
        .seen()
        .iter()
        .map(|seen| seen.head.contains("host: a.example.org:8000\r\n"))
        .collect();
    assert_eq!(hosts, [true, false, true]);
}

#[tokio::test]
async fn an_idle_connection_that_the_archive_closed_costs_nothing() {
    // Each connection answers once, and the next request on it is met by a closed socket.
    let server = Server::start(|seen, mut stream| async move {
        if seen.target() == "/tap" {
            stream.write_all(ok("x").as_bytes()).await.ok()?;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        None
    })
    .await;
    let door = server.door();
    for wait in [0, 0, 0, 200] {
        assert_eq!(server.text(&door).await.unwrap(), "x");
        tokio::time::sleep(std::time::Duration::from_millis(wait)).await;
    }
}

#[tokio::test]
async fn a_form_is_not_sent_twice_when_the_archive_may_have_read_it() {
    // The second request of a connection is read and then answered by closing it.
    let count = Arc::new(AtomicUsize::new(0));
    let counter = count.clone();
    let server = Server::start(move |_, mut stream| {
        let turn = counter.fetch_add(1, Ordering::SeqCst);
        async move {
            if turn % 2 == 1 {
                return None;
            }
            stream.write_all(ok("x").as_bytes()).await.ok()?;
            Some(stream)
        }
    })
    .await;
    let door = server.door();
    server.text(&door).await.unwrap();
    let form = || Request::post_form(server.url(&door), vec![("PHASE".into(), "RUN".into())]);
    let error = door.send(form()).await.unwrap_err();
    assert!(
        error.to_string().contains("ends before it is complete"),
        "{error}"
    );
    assert_eq!(count.load(Ordering::SeqCst), 2);
    // A GET may be asked again, and is.
    assert_eq!(server.text(&door).await.unwrap(), "x");
    assert_eq!(server.text(&door).await.unwrap(), "x");
    assert_eq!(count.load(Ordering::SeqCst), 5);
}
