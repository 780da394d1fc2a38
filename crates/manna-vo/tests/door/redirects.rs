//! Redirects on the wire: what is sent to the next hop, and where it ends.

use manna_vo::http::{Request, Rule};
use tokio::io::AsyncWriteExt;

use super::server::{Server, ok};

/// `/tap` redirects with `status` to `/next`; `/hop/N` to `/hop/N+1`; anything else answers.
async fn server(status: u16) -> Server {
    Server::start(move |seen, mut stream| async move {
        let location = match seen.target().strip_prefix("/hop/") {
            Some(number) => Some(format!("{}", number.parse::<usize>().unwrap() + 1)),
            None => (seen.target() == "/tap").then(|| "/next?x=%7e".to_owned()),
        };
        let answer = match location {
            Some(location) => format!(
                "HTTP/1.1 {status} Elsewhere\r\nLocation: {location}\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"
            ),
            None => ok("there"),
        };
        stream.write_all(answer.as_bytes()).await.ok()?;
        Some(stream)
    })
    .await
}

#[tokio::test]
async fn the_next_hop_gets_the_right_request() {
    for (status, method, body) in [
        (301, "GET", ""),
        (302, "GET", ""),
        (303, "GET", ""),
        (307, "POST", "QUERY=SELECT+%27a%27"),
        (308, "POST", "QUERY=SELECT+%27a%27"),
    ] {
        let server = server(status).await;
        let door = server.door();
        let form = vec![("QUERY".to_owned(), "SELECT 'a'".to_owned())];
        let request =
            Request::post_form(server.url(&door), form).accept("application/x-votable+xml");
        let mut answer = door.send(request).await.unwrap();
        assert_eq!(answer.final_url.as_str(), server.raw_url("/next?x=%7e"));
        assert_eq!(answer.text(10).await.unwrap(), "there");
        let seen = server.seen();
        let last = seen.last().unwrap();
        assert_eq!(
            (last.method(), last.target(), last.body.as_str()),
            (method, "/next?x=%7e", body),
            "{status}"
        );
        assert!(last.head.contains("accept: application/x-votable+xml\r\n"));
        assert_eq!(last.head.contains("content-type"), method == "POST");
        assert!(!last.head.contains("cookie") && !last.head.contains("referer"));
        assert_eq!(
            server.accepted(),
            1,
            "the same host's hops share a connection"
        );
    }
}

#[tokio::test]
async fn five_hops_and_no_more() {
    let server = server(302).await;
    let door = server.door();
    let url = door.parse(&server.raw_url("/hop/0")).unwrap();
    let error = door.send(Request::get(url)).await.unwrap_err();
    assert_eq!(
        error.refusal().map(|refusal| refusal.rule()),
        Some(Rule::RedirectCount)
    );
    assert_eq!(server.seen().len(), 6);
}

#[tokio::test]
async fn a_redirect_to_an_untrusted_neighbour_is_refused() {
    let neighbour = Server::fixed(ok("secret")).await;
    let to = format!(
        "HTTP/1.1 302 X\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n",
        neighbour.raw_url("/")
    );
    let server = Server::fixed(to).await;
    let error = server.text(&server.door()).await.unwrap_err();
    assert_eq!(
        error.refusal().map(|refusal| refusal.rule()),
        Some(Rule::RedirectTarget)
    );
    assert_eq!(
        error.message(),
        "the URL redirects to a place that is not allowed"
    );
    assert_eq!(neighbour.accepted(), 0);
}
