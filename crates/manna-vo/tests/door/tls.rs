//! TLS: the name in the URL decides, whatever address is connected to.

use std::net::SocketAddr;
use std::time::Duration;

use manna_vo::http::{Door, FetchError, Phase, Request, Settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::server::{Server, ok};
use super::support::tls_server;

/// A TLS server on loopback; `is_rude` leaves without `close_notify`.
async fn serve(acceptor: TlsAcceptor, answer: String, is_rude: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut head = vec![0; 4096];
            let length = stream.read(&mut head).await.unwrap_or(0);
            let asked = String::from_utf8_lossy(&head[..length]).to_lowercase();
            let name = stream
                .get_ref()
                .1
                .server_name()
                .unwrap_or("none")
                .to_owned();
            let answer = answer
                .replace("SNI", &name)
                .replace("HOST", &host_field(&asked));
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.flush().await;
            if !is_rude {
                let _ = stream.shutdown().await;
            }
        }
    });
    address
}

fn host_field(head: &str) -> String {
    head.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap_or("none")
        .to_owned()
}

fn door(address: SocketAddr, pem: Option<&str>) -> Door {
    door_within(address, pem, 10)
}

fn door_within(address: SocketAddr, pem: Option<&str>, tls_seconds: u64) -> Door {
    let mut settings = Settings::default();
    settings.extra_roots_pem = pem.map(|pem| pem.as_bytes().to_vec());
    settings.limits.tls = Duration::from_secs(tls_seconds);
    for name in ["archive.example.org", "other.example.org"] {
        settings
            .resolve
            .push(format!("{name}:443={address}").parse().unwrap());
    }
    Door::new(settings).unwrap()
}

async fn text(door: &Door, raw: &str) -> Result<String, FetchError> {
    door.send(Request::get(door.parse(raw).unwrap()))
        .await?
        .text(100)
        .await
}

#[tokio::test]
async fn the_name_decides() {
    let (acceptor, pem) = tls_server(vec!["archive.example.org".into()]);
    let address = serve(acceptor, "HTTP/1.1 200 OK\r\n\r\nSNI HOST".into(), false).await;
    let trusting = door(address, Some(&pem));
    let body = text(&trusting, "https://archive.example.org/x")
        .await
        .unwrap();
    assert_eq!(body, "archive.example.org archive.example.org");
    let error = text(&trusting, "https://other.example.org/x")
        .await
        .unwrap_err();
    assert!(matches!(error, FetchError::Tls { .. }), "{}", error.log());
    assert!(!error.message().contains("127.0.0.1"));
    let error = text(&door(address, None), "https://archive.example.org/x")
        .await
        .unwrap_err();
    assert!(
        matches!(error, FetchError::Tls { .. }),
        "an unknown authority: {}",
        error.log()
    );
}

#[tokio::test]
async fn an_end_without_goodbye_is_a_cut() {
    let (acceptor, pem) = tls_server(vec!["archive.example.org".into()]);
    let address = serve(acceptor, "HTTP/1.1 200 OK\r\n\r\n<VOTABLE>".into(), true).await;
    let error = text(&door(address, Some(&pem)), "https://archive.example.org/")
        .await
        .unwrap_err();
    assert!(matches!(error, FetchError::Cut { .. }), "{}", error.log());
}

#[tokio::test]
async fn no_tls_there() {
    let plain = Server::fixed(ok("x")).await;
    let error = text(
        &door_within(plain.address, None, 1),
        "https://archive.example.org/",
    )
    .await
    .unwrap_err();
    assert!(
        matches!(
            error,
            FetchError::Tls { .. }
                | FetchError::Timeout {
                    phase: Phase::Tls,
                    ..
                }
        ),
        "{}",
        error.log()
    );
    // A server that accepts and then says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let door = door_within(silent.local_addr().unwrap(), None, 1);
    let error = text(&door, "https://archive.example.org/")
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            FetchError::Timeout {
                phase: Phase::Tls,
                ..
            }
        ),
        "{}",
        error.log()
    );
}

#[test]
fn extra_roots_that_do_not_read_stop_the_start() {
    for bad in [
        "",
        "no certificate",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ] {
        let mut settings = Settings::default();
        settings.extra_roots_pem = Some(bad.as_bytes().to_vec());
        let error = Door::new(settings).unwrap_err().to_string();
        assert!(error.contains("extra certificates"), "{error}");
    }
}
