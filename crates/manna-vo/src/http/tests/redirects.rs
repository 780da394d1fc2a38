//! Following a redirect: the target, the method, and what is refused.

use http::header::LOCATION;
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use super::door;
use crate::http::policy::Policy;
use crate::http::redirect::{follow, is_redirect};
use crate::http::{Request, Rule, Settings};

fn step(
    from: &str,
    method: &str,
    status: u16,
    locations: &[&[u8]],
) -> Result<(Method, String, bool), Rule> {
    let url = door().parse(from).unwrap();
    let request = match method {
        "POST" => Request::post_form(url, vec![("a".into(), "b".into())]),
        "DELETE" => Request::delete(url),
        _ => Request::get(url),
    };
    let mut headers = HeaderMap::new();
    for location in locations {
        headers.append(LOCATION, HeaderValue::from_bytes(location).unwrap());
    }
    let policy = Policy::new(Settings::default());
    follow(
        &policy,
        request,
        StatusCode::from_u16(status).unwrap(),
        &headers,
    )
    .map(|next| (next.method, next.url.to_string(), next.body.is_some()))
    .map_err(|refusal| refusal.rule())
}

#[test]
fn statuses() {
    for (status, yes) in [
        (300, false),
        (301, true),
        (302, true),
        (303, true),
        (304, false),
        (305, false),
        (306, false),
        (307, true),
        (308, true),
        (200, false),
        (401, false),
    ] {
        assert_eq!(
            is_redirect(StatusCode::from_u16(status).unwrap()),
            yes,
            "{status}"
        );
    }
}

#[test]
fn methods_and_bodies() {
    for (method, status, becomes, body) in [
        ("GET", 301, Method::GET, false),
        ("GET", 307, Method::GET, false),
        ("POST", 301, Method::GET, false),
        ("POST", 302, Method::GET, false),
        ("POST", 303, Method::GET, false),
        ("POST", 307, Method::POST, true),
        ("POST", 308, Method::POST, true),
        ("DELETE", 303, Method::GET, false),
        ("DELETE", 307, Method::DELETE, false),
    ] {
        let next = step("http://a.org/tap", method, status, &[b"/x"]).unwrap();
        assert_eq!(
            next,
            (becomes, "http://a.org/x".to_owned(), body),
            "{method} {status}"
        );
    }
    assert_eq!(
        step("http://a.org/", "POST", 307, &[b"http://b.org/"]),
        Err(Rule::RedirectReplay)
    );
    assert_eq!(
        step("http://a.org/", "DELETE", 308, &[b"http://b.org/"]),
        Err(Rule::RedirectReplay)
    );
    assert!(step("http://a.org/", "POST", 307, &[b"https://A.org/"]).is_ok());
    assert!(step("http://a.org/", "GET", 307, &[b"http://b.org/"]).is_ok());
    assert!(step("http://a.org/", "POST", 303, &[b"http://b.org/"]).is_ok());
}

#[test]
fn references() {
    for (from, location, target) in [
        ("http://a.org/tap/sync", "x", "http://a.org/tap/x"),
        (
            "http://a.org/tap/sync?q",
            "./21530/./results/result",
            "http://a.org/tap/21530/results/result",
        ),
        ("http://a.org/tap/sync", "../other/", "http://a.org/other/"),
        ("http://a.org/tap/sync", "../../../..", "http://a.org/"),
        ("http://a.org/tap/sync", ".", "http://a.org/tap/"),
        (
            "http://a.org/tap/sync",
            "/abs%2F?x='1'",
            "http://a.org/abs%2F?x='1'",
        ),
        (
            "http://a.org/tap/sync?q",
            "?r=1",
            "http://a.org/tap/sync?r=1",
        ),
        ("http://a.org/tap/sync?q", "#f", "http://a.org/tap/sync?q"),
        ("http://a.org/tap/sync", "//b.org/y", "http://b.org/y"),
        ("https://a.org/tap/sync", "//b.org/y", "https://b.org/y"),
        ("http://a.org/tap/sync", "a/b:c", "http://a.org/tap/a/b:c"),
        ("http://a.org:8080/tap", "/x", "http://a.org:8080/x"),
        ("http://a.org", "x", "http://a.org/x"),
        // A TLS proxy in front of an archive that does not know of it.
        (
            "https://a.org/tap",
            "http://a.org/tap/async/1",
            "https://a.org/tap/async/1",
        ),
        ("https://a.org/tap", "http://a.org:80/x", "https://a.org/x"),
        (
            "https://a.org/tap",
            "http://a.org:8080/x",
            "https://a.org:8080/x",
        ),
        ("http://a.org/tap", "https://b.org/x", "https://b.org/x"),
    ] {
        let next = step(from, "GET", 302, &[location.as_bytes()]);
        assert_eq!(
            next.map(|(_, url, _)| url),
            Ok(target.to_owned()),
            "{from} {location}"
        );
    }
}

#[test]
fn what_is_not_followed() {
    for (from, locations, rule) in [
        ("http://a.org/", &[][..], Rule::RedirectForm),
        ("http://a.org/", &[&b""[..]], Rule::RedirectForm),
        ("http://a.org/", &[&b"/a"[..], b"/a"], Rule::RedirectForm),
        ("http://a.org/", &[&b"/caf\xe9"[..]], Rule::RedirectForm),
        ("http://a.org/", &[&b"/a b"[..]], Rule::RedirectTarget),
        (
            "http://a.org/",
            &[&b"/\\127.0.0.1/"[..]],
            Rule::RedirectTarget,
        ),
        (
            "http://a.org/",
            &[&b"ftp://a.org/"[..]],
            Rule::RedirectTarget,
        ),
        (
            "http://a.org/",
            &[&b"http:/a.org/"[..]],
            Rule::RedirectTarget,
        ),
        ("http://a.org/", &[&b"http:x"[..]], Rule::RedirectTarget),
        (
            "http://a.org/",
            &[&b"http://10.0.0.1/"[..]],
            Rule::RedirectTarget,
        ),
        (
            "http://a.org/",
            &[&b"//localhost/"[..]],
            Rule::RedirectTarget,
        ),
        ("http://a.org/", &[&b"//[::1]/"[..]], Rule::RedirectTarget),
        (
            "http://a.org/",
            &[&b"///127.0.0.1/"[..]],
            Rule::RedirectTarget,
        ),
        (
            "https://a.org/",
            &[&b"http://b.org/"[..]],
            Rule::RedirectDowngrade,
        ),
    ] {
        assert_eq!(
            step(from, "GET", 302, locations),
            Err(rule),
            "{from} {locations:?}"
        );
    }
}
