//! A listener on every address: notes which one was asked for, then plays the archive of the case.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::world::World;

/// The ports of the cases: those that may be asked, those that must not, and the proxies'.
const PORTS: &[u16] = &[
    22, 25, 80, 443, 1080, 2375, 3128, 3306, 5432, 6379, 8000, 8080, 8443, 9200, 10250, 11211,
];

/// What a case's archive answers when nothing else is set.
pub(crate) const DOCUMENT: &str = "<VOTABLE/>";

pub(crate) async fn serve(world: World, tls: TlsAcceptor) {
    for &port in PORTS {
        let listener = TcpListener::bind(("::", port)).await.unwrap();
        let (world, tls) = (world.clone(), tls.clone());
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let asked = stream.local_addr().unwrap();
                let asked = SocketAddr::new(asked.ip().to_canonical(), asked.port());
                world.lock().connections.push(asked);
                tokio::spawn(connection(stream, world.clone(), tls.clone()));
            }
        });
    }
}

async fn connection(stream: TcpStream, world: World, tls: TlsAcceptor) {
    let mut first = [0];
    let is_tls = stream.peek(&mut first).await.is_ok() && first == [0x16];
    // What goes wrong here is the door's doing, and seen there.
    if is_tls {
        if let Ok(stream) = tls.accept(stream).await {
            let _ = exchanges(stream, world).await;
        }
    } else {
        let _ = exchanges(stream, world).await;
    }
}

async fn exchanges(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    world: World,
) -> std::io::Result<()> {
    while let Some(head) = read_request(&mut stream).await? {
        let next = {
            let mut state = world.lock();
            state.requests.push(head);
            let redirect = (!state.redirects.is_empty()).then(|| state.redirects.remove(0));
            (redirect, state.response.clone())
        };
        match next {
            (Some((status, locations)), _) => {
                let fields: String = locations
                    .iter()
                    .map(|one| format!("Location: {one}\r\n"))
                    .collect();
                let answer =
                    format!("HTTP/1.1 {status} Elsewhere\r\n{fields}Content-Length: 0\r\n\r\n");
                stream.write_all(answer.as_bytes()).await?;
            }
            (None, response) if response["endless_1xx"] == true => loop {
                stream
                    .write_all(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
                    .await?;
            },
            (None, response) => stream.write_all(answer(&response).as_bytes()).await?,
        }
    }
    Ok(())
}

fn answer(response: &Value) -> String {
    let status = response["status"].as_u64().unwrap_or(200);
    let fields: String = response["headers"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| format!("{name}: {}\r\n", value.as_str().unwrap()))
        .collect();
    let length = DOCUMENT.len();
    format!("HTTP/1.1 {status} Answer\r\n{fields}Content-Length: {length}\r\n\r\n{DOCUMENT}")
}

/// The head of the next request; its body is read and forgotten.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Option<String>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return Ok(None),
        }
    }
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .map_or(0, |length| length.trim().parse().unwrap());
    stream.read_exact(&mut vec![0; length]).await?;
    Ok(Some(head))
}
