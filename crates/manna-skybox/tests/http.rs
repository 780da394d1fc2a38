//! The archive as a client sees it, over real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use manna_skybox::{Config, Limits, Running, Skybox};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

async fn skybox(limits: Limits) -> Running {
    let sources = 5000;
    Skybox::start(Config {
        sources,
        limits,
        ..Config::default()
    })
    .await
    .unwrap()
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

async fn send(running: &Running, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(running.addr()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

async fn exchange(running: &Running, request: &str) -> Answer {
    let mut stream = send(running, request).await;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    let body = if head.contains("transfer-encoding: chunked") {
        unchunked(body)
    } else {
        body.to_owned()
    };
    Answer {
        status: head[9..12].parse().unwrap(),
        head,
        body,
    }
}

fn unchunked(mut body: &str) -> String {
    let mut out = String::new();
    loop {
        let (size, rest) = body
            .split_once("\r\n")
            .expect("a chunk begins with its size");
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return out;
        }
        out += &rest[..size];
        body = &rest[size + 2..];
    }
}

async fn get(running: &Running, path: &str) -> Answer {
    exchange(
        running,
        &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    )
    .await
}

async fn post(running: &Running, content_type: &str, body: &str) -> Answer {
    let length = body.len();
    exchange(
        running,
        &format!(
            "POST /tap/sync HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
    .await
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A query with further parameters.
async fn query(running: &Running, adql: &str, more: &str) -> Answer {
    let adql = encoded(adql);
    get(
        running,
        &format!("/tap/sync?REQUEST=doQuery&LANG=ADQL&QUERY={adql}{more}"),
    )
    .await
}

#[tokio::test]
async fn a_query_by_get_and_by_post_in_any_case() {
    let running = skybox(Limits::default()).await;
    let adql = encoded("SELECT ra, dec FROM messier.objects WHERE messier = 87");
    let by_get = get(&running, &format!("/tap/sync?lang=ADQL&Query={adql}")).await;
    assert_eq!(by_get.status, 200);
    assert!(
        by_get
            .head
            .contains("content-type: application/x-votable+xml"),
        "{}",
        by_get.head
    );
    insta::assert_snapshot!("votable", by_get.body);
    let form = format!("LANG=adql-2.1&QUERY={adql}&REQUEST=DOQUERY");
    let by_post = post(
        &running,
        "application/x-www-form-urlencoded; charset=UTF-8",
        &form,
    )
    .await;
    assert_eq!((by_post.status, by_post.body), (200, by_get.body));
}

#[tokio::test]
async fn formats() {
    let running = skybox(Limits::default()).await;
    for (parameter, content_type, part) in [
        (
            "RESPONSEFORMAT=csv",
            "text/csv;header=present",
            "name\r\nM 87\r\n",
        ),
        (
            "FORMAT=text%2Fcsv",
            "text/csv;header=present",
            "name\r\nM 87\r\n",
        ),
        ("FORMAT=tsv", "text/tab-separated-values", "name\nM 87\n"),
        (
            "FORMAT=votable&RESPONSEFORMAT=csv",
            "text/csv;header=present",
            "name\r\nM 87\r\n",
        ),
        ("FORMAT=text/xml", "text/xml", "<TD>M 87</TD>"),
        (
            "RESPONSEFORMAT=application%2Fx-votable%2Bxml%3Bserialization%3DBINARY2",
            "application/x-votable+xml;serialization=binary2",
            "<BINARY2><STREAM encoding=\"base64\">\nAAAAAARNIDg3\n</STREAM></BINARY2>",
        ),
        (
            "FORMAT=votable/b",
            "application/x-votable+xml;serialization=binary",
            "<BINARY><STREAM encoding=\"base64\">\nAAAABE0gODc=\n</STREAM></BINARY>",
        ),
    ] {
        let adql = "SELECT name FROM messier.objects WHERE messier = 87";
        let answer = query(&running, adql, &format!("&{parameter}")).await;
        assert_eq!(answer.status, 200, "{parameter}");
        assert!(
            answer
                .head
                .contains(&format!("content-type: {content_type}")),
            "{}",
            answer.head
        );
        assert!(answer.body.contains(part), "{parameter}: {}", answer.body);
    }
}

const OVERFLOW: &str = "</TABLE>\n<INFO name=\"QUERY_STATUS\" value=\"OVERFLOW\"/>\n</RESOURCE>";

#[tokio::test]
async fn overflow_is_told() {
    let limits = Limits {
        default_rows: 1000,
        most_rows: 2000,
        ..Limits::default()
    };
    let running = skybox(limits).await;
    let all = "SELECT source_id FROM synth.gaia_like";
    for (adql, parameter, rows, overflow) in [
        (all, "", 1000, true),
        (all, "&MAXREC=1500", 1500, true),
        (all, "&MAXREC=99999", 2000, true),
        (all, "&MAXREC=0", 0, true),
        (
            "SELECT messier FROM messier.objects",
            "&MAXREC=110",
            110,
            false,
        ),
        (
            "SELECT messier FROM messier.objects",
            "&MAXREC=109",
            109,
            true,
        ),
        (
            "SELECT TOP 3 messier FROM messier.objects",
            "&MAXREC=3",
            3,
            false,
        ),
        (
            "SELECT messier FROM messier.objects",
            "&MAXREC=",
            110,
            false,
        ),
    ] {
        for format in ["td", "b2"] {
            let answer = query(&running, adql, &format!("{parameter}&FORMAT={format}")).await;
            assert_eq!(answer.status, 200);
            if format == "td" {
                assert_eq!(
                    answer.body.matches("<TR>").count(),
                    rows,
                    "{adql} {parameter}"
                );
            }
            assert_eq!(
                answer.body.contains(OVERFLOW),
                overflow,
                "{adql} {parameter}"
            );
            assert!(answer.body.contains("<FIELD"));
        }
    }
}

#[tokio::test]
async fn errors_are_votables_that_say_what_is_wrong() {
    let running = skybox(Limits {
        request_bytes: 4096,
        ..Limits::default()
    })
    .await;
    let good = "QUERY=SELECT+messier+FROM+messier.objects";
    for (parameters, message) in [
        (String::new(), "LANG is missing"),
        ("LANG=ADQL".to_owned(), "QUERY is missing"),
        ("LANG=ADQL&QUERY=+".to_owned(), "QUERY is missing"),
        (good.to_owned(), "LANG is missing"),
        (
            format!("LANG=SQL&{good}"),
            "LANG &quot;SQL&quot; is not supported",
        ),
        (
            format!("LANG=ADQL&LANG=ADQL&{good}"),
            "LANG is given more than once",
        ),
        (
            format!("LANG=ADQL&{good}&query=x"),
            "QUERY is given more than once",
        ),
        (
            format!("LANG=ADQL&{good}&MAXREC=1&maxrec=2"),
            "MAXREC is given more than once",
        ),
        (
            format!("LANG=ADQL&{good}&MAXREC=-1"),
            "MAXREC must be a whole number",
        ),
        (
            format!("LANG=ADQL&{good}&MAXREC=ten"),
            "MAXREC must be a whole number",
        ),
        (
            format!("LANG=ADQL&{good}&MAXREC=1e3"),
            "MAXREC must be a whole number",
        ),
        (format!("LANG=ADQL&{good}&FORMAT=fits"), "is not offered"),
        (
            format!("LANG=ADQL&{good}&REQUEST=getCapabilities"),
            "REQUEST",
        ),
        (
            format!("LANG=ADQL&{good}&UPLOAD=t,http://x/"),
            "UPLOAD is not supported",
        ),
        (
            "LANG=ADQL&QUERY=SELECT+garbage+FROM+nowhere".to_owned(),
            "line 1, column 21",
        ),
        (
            "LANG=ADQL&QUERY=SELECT+garbage+FROM+messier.objects".to_owned(),
            "garbage",
        ),
        (
            "LANG=ADQL&QUERY=SELECT+ra%0AFROM+messier.objects%0ALIMIT+5".to_owned(),
            "line 3, column 1",
        ),
        (
            "LANG=ADQL&QUERY=DROP+TABLE+messier.objects".to_owned(),
            "line 1, column 1",
        ),
        (
            "LANG=ADQL&QUERY=SELECT+SQRT(-ra)+FROM+messier.objects".to_owned(),
            "is not defined",
        ),
    ] {
        let answer = get(&running, &format!("/tap/sync?{parameters}")).await;
        assert_eq!(answer.status, 400, "{parameters}");
        assert!(
            answer
                .head
                .contains("content-type: application/x-votable+xml")
        );
        let body = answer.body;
        assert!(body.contains("<RESOURCE type=\"results\">"), "{body}");
        assert!(
            body.contains("<INFO name=\"QUERY_STATUS\" value=\"ERROR\">"),
            "{body}"
        );
        assert!(body.contains(message), "{parameters}: {body}");
    }
    let answer = post(&running, "multipart/form-data; boundary=x", "--x--").await;
    assert_eq!(answer.status, 415);
    assert!(answer.body.contains("uploads are not supported"));
    let long = format!("LANG=ADQL&QUERY={}", "x".repeat(5000));
    let answer = post(&running, "application/x-www-form-urlencoded", &long).await;
    assert_eq!(answer.status, 413);
    assert!(answer.body.contains("4096"));
}

#[tokio::test]
async fn vosi() {
    let running = skybox(Limits::default()).await;
    let answer = get(&running, "/tap/availability").await;
    assert!(
        answer
            .body
            .contains("<vosi:available>true</vosi:available>")
    );
    let answer = get(&running, "/tap/capabilities").await;
    let port = running.port().to_string();
    insta::assert_snapshot!("capabilities", answer.body.replace(&port, "PORT"));
    let full = get(&running, "/tap/tables").await.body;
    assert_eq!(full.matches("<schema>").count(), 5);
    assert_eq!(full.matches("<table type=\"table\">").count(), 10);
    assert!(
        full.contains("<column std=\"true\"><name>\"size\"</name>")
            || full.contains("<name>&quot;size&quot;</name>")
    );
    let slim = get(&running, "/tap/tables?detail=min").await.body;
    assert_eq!(slim.matches("<table type=\"table\">").count(), 10);
    assert!(!slim.contains("<column") && !slim.contains("<foreignKey>"));
    let one = get(&running, "/tap/tables/bright.stars").await;
    insta::assert_snapshot!("table", one.body);
    for (path, status) in [
        ("/tap/tables/no.such", 404),
        ("/tap/tables?detail=some", 400),
        ("/tap/async", 404),
        ("/nowhere", 404),
        ("/", 200),
    ] {
        assert_eq!(get(&running, path).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn the_examples_work() {
    let running = skybox(Limits::default()).await;
    let page = get(&running, "/tap/examples").await;
    assert!(page.head.contains("content-type: application/xhtml+xml"));
    assert!(page.head.contains("server: manna-skybox/"));
    let mut count = 0;
    for part in page.body.split("<pre property=\"query\">").skip(1) {
        let adql = part.split("</pre>").next().unwrap().replace("&#10;", "\n");
        let answer = query(&running, &adql, "").await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.body.contains("<TR>"), "{adql}");
        count += 1;
    }
    assert_eq!(count, 3);
}

#[tokio::test]
async fn sesame_over_http() {
    let running = skybox(Limits::default()).await;
    for path in [
        "/cgi-bin/nph-sesame/SNV?M87",
        "/cgi-bin/nph-sesame/SNV?M%2087",
        "/cgi-bin/nph-sesame/-oI/SNV?M+87",
        "/cgi-bin/nph-sesame/A?virgo%20a",
        "/cgi-bin/nph-sesame?NGC%204486",
    ] {
        let answer = get(&running, path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains("content-type: text/plain"));
        assert!(
            answer.body.contains("\n%J 187.70590000 +12.39110000 = "),
            "{path}: {}",
            answer.body
        );
    }
    let answer = get(&running, "/cgi-bin/nph-sesame/SNV?XYZZY").await;
    assert_eq!(answer.status, 200);
    assert!(answer.body.contains("Nothing found"));
}

const ENDLESS: &str =
    "SELECT COUNT(*) FROM synth.gaia_like a, synth.gaia_like b, synth.gaia_like c";

#[tokio::test]
async fn a_client_that_leaves_stops_its_query() {
    let limits = Limits {
        concurrency: 1,
        query_time: Duration::from_secs(60),
        queue_time: Duration::from_secs(30),
        ..Limits::default()
    };
    let running = skybox(limits).await;
    let adql = encoded(ENDLESS);
    let path = format!("/tap/sync?LANG=ADQL&QUERY={adql}");
    let stream = send(&running, &format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(stream);
    let began = Instant::now();
    let answer = query(
        &running,
        "SELECT COUNT(*) FROM messier.objects",
        "&FORMAT=csv",
    )
    .await;
    assert_eq!(answer.status, 200);
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
}

/// A slow client is not a slow query: the time it takes to read is its own.
#[tokio::test]
async fn a_slow_client_gets_all_its_rows() {
    let limits = Limits {
        query_time: Duration::from_secs(2),
        ..Limits::default()
    };
    let running = skybox(limits).await;
    let adql = encoded("SELECT a.*, b.name FROM synth.gaia_like a, messier.objects b");
    let path = format!("/tap/sync?LANG=ADQL&MAXREC=100000&FORMAT=csv&QUERY={adql}");
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let mut stream = send(&running, &request).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    assert!(bytes.ends_with(b"\r\n0\r\n\r\n"), "the answer is cut");
    assert!(bytes.len() > 10_000_000);
}

/// A client that leaves in the middle of its rows.
#[tokio::test]
async fn a_client_that_leaves_early_frees_its_place() {
    let limits = Limits {
        concurrency: 1,
        query_time: Duration::from_secs(60),
        queue_time: Duration::from_secs(30),
        ..Limits::default()
    };
    let running = skybox(limits).await;
    let adql = encoded("SELECT a.*, b.* FROM synth.gaia_like a, synth.gaia_like b");
    let path = format!("/tap/sync?LANG=ADQL&MAXREC=100000&QUERY={adql}");
    let mut stream = send(&running, &format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
    let mut some = [0; 4096];
    stream.read_exact(&mut some).await.unwrap();
    drop(stream);
    let began = Instant::now();
    let answer = query(
        &running,
        "SELECT COUNT(*) FROM messier.objects",
        "&FORMAT=csv",
    )
    .await;
    assert_eq!(answer.status, 200);
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn long_queries_end_and_queues_have_a_length() {
    let limits = Limits {
        concurrency: 1,
        queue: 1,
        query_time: Duration::from_secs(2),
        queue_time: Duration::from_millis(200),
        ..Limits::default()
    };
    let running = skybox(limits).await;
    let began = Instant::now();
    let (slow, (waited, turned_away)) = tokio::join!(query(&running, ENDLESS, ""), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let quick = "SELECT COUNT(*) FROM messier.objects";
        tokio::join!(query(&running, quick, ""), query(&running, quick, ""))
    });
    assert_eq!(slow.status, 400);
    assert!(slow.body.contains("stopped after 2 s"), "{}", slow.body);
    assert!(began.elapsed() < Duration::from_secs(10));
    for answer in [waited, turned_away] {
        assert_eq!(answer.status, 503);
        assert!(answer.head.contains("retry-after: 2"));
        assert!(answer.body.contains("value=\"ERROR\""));
    }
}

#[tokio::test]
async fn it_stops_and_listens_on_loopback_only() {
    let running = skybox(Limits::default()).await;
    let addr = running.addr();
    assert_eq!(running.tap_url(), format!("http://{addr}/tap"));
    assert_eq!(
        running.sesame_url(),
        format!("http://{addr}/cgi-bin/nph-sesame")
    );
    running.shutdown().await;
    assert!(TcpStream::connect(addr).await.is_err());

    let addr = "0.0.0.0:0".parse().unwrap();
    let error = Skybox::start(Config {
        addr,
        ..Config::default()
    })
    .await
    .unwrap_err();
    assert!(error.to_string().contains("loopback"), "{error}");

    // A socket of the caller's own, and another name for it.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let running = Skybox::start(Config {
        listener: Some(listener),
        base_url: Some("https://archive.example.org/".to_owned()),
        sources: 100,
        ..Config::default()
    })
    .await
    .unwrap();
    assert_eq!(running.tap_url(), "https://archive.example.org/tap");
    let answer = query(
        &running,
        "SELECT TOP 1 access_url FROM ivoa.obscore",
        "&FORMAT=csv",
    )
    .await;
    assert!(
        answer
            .body
            .contains("https://archive.example.org/data/SKYBOX-"),
        "{}",
        answer.body
    );
}
