//! Reading a URL: what is refused and by which rule, what is kept, and that no accepted text means another
//! host to the other parser.

use proptest::prelude::*;

use super::{door, door_with};
use crate::http::{Refusal, Rule, ServiceUrl, parse_list};

fn rule(raw: &str) -> Option<Rule> {
    door().parse(raw).err().map(|refusal| refusal.rule())
}

fn url(raw: &str) -> ServiceUrl {
    door()
        .parse(raw)
        .unwrap_or_else(|refusal| panic!("{raw}: {refusal}"))
}

#[test]
fn each_rule_refuses_its_own() {
    let long = format!("http://a.org/{}", "x".repeat(2036));
    for (raw, expected) in [
        (long.as_str(), Rule::Length),
        ("", Rule::Scheme),
        ("http://a.org/a b", Rule::Character),
        ("http://a.org/\u{e9}", Rule::Character),
        ("http://a.org/\u{7f}", Rule::Character),
        ("http://a.org/^", Rule::Character),
        ("http:a.org", Rule::Scheme),
        ("http:/a.org", Rule::Scheme),
        ("gopher://a.org/", Rule::Scheme),
        ("http:///a.org", Rule::NoHost),
        ("http://:80/", Rule::NoHost),
        ("http://@a.org/", Rule::UserInfo),
        ("http://a.org:/", Rule::PortForm),
        ("http://a.org:080/", Rule::PortForm),
        ("http://a.org:70000/", Rule::PortForm),
        ("http://a.org:22/", Rule::PortForbidden),
        ("http://a.org:0/", Rule::PortForm),
        ("http://a.org:6379/", Rule::PortForbidden),
        ("http://a..org/", Rule::HostForm),
        ("http://a.org./", Rule::HostForm),
        ("http://1.2.3/", Rule::HostForm),
        ("http://a.0x1F/", Rule::HostForm),
        ("http://a.0x/", Rule::HostForm),
        ("http://xn--a.org/", Rule::HostForm),
        ("http://[::1%251]/", Rule::HostForm),
        ("http://single/", Rule::InternalName),
        ("http://a.b.svc/", Rule::InternalName),
        ("http://X.LOCAL/", Rule::InternalName),
        ("http://computeMetadata.metadata.goog/", Rule::InternalName),
        ("http://10.1.2.3/", Rule::NotPublic),
        ("http://[fd00::1]/", Rule::NotPublic),
    ] {
        assert_eq!(rule(raw), Some(expected), "{raw}");
    }
}

#[test]
fn what_is_kept_and_what_is_normalised() {
    for (raw, kept) in [
        ("HTTPS://Archive.ESO.org", "https://archive.eso.org/"),
        ("http://a.org?x=%7E'~&&y", "http://a.org/?x=%7E'~&&y"),
        (
            "http://a.org/a/../b/./c%2F?x#frag",
            "http://a.org/a/../b/./c%2F?x",
        ),
        ("http://a.org:8080/tap", "http://a.org:8080/tap"),
        ("http://a.org:80/tap", "http://a.org:80/tap"),
        ("http://[2001:200:0::1]/", "http://[2001:200::1]/"),
        ("http://xn--bcher-kva.org/", "http://xn--bcher-kva.org/"),
        ("http://a.org/[1]", "http://a.org/[1]"),
    ] {
        assert_eq!(url(raw).as_str(), kept, "{raw}");
        assert_eq!(url(kept), url(raw), "reading our own text again");
    }
    let url = url("http://a.org:8080/x/y?q");
    assert_eq!(
        (url.path(), url.query(), url.port(), url.scheme()),
        ("/x/y", Some("q"), 8080, "http")
    );
    assert_eq!(
        (url.origin(), url.path_and_query()),
        ("http://a.org:8080", "/x/y?q")
    );
}

#[test]
fn children_and_parameters() {
    let base = url("https://a.org/tap/");
    assert_eq!(
        base.child(["async", "a/b ?"]).as_str(),
        "https://a.org/tap/async/a%2Fb%20%3F"
    );
    assert_eq!(
        url("https://a.org").child(["sync"]).as_str(),
        "https://a.org/sync"
    );
    assert_eq!(
        url("https://a.org/tap?x").child(["sync"]).as_str(),
        "https://a.org/tap/sync"
    );
    for (base, merged) in [
        (
            "http://a.org/scs?cat=a&b=c%20d&",
            "http://a.org/scs?cat=a&b=c%20d&RA=1&SR=a%2Bb%20%26c",
        ),
        ("http://a.org/scs?", "http://a.org/scs?RA=1&SR=a%2Bb%20%26c"),
        ("http://a.org/scs", "http://a.org/scs?RA=1&SR=a%2Bb%20%26c"),
        (
            "http://a.org/scs?ra=7&x=%7e&Sr=1&%73r=2",
            "http://a.org/scs?x=%7e&RA=1&SR=a%2Bb%20%26c",
        ),
        (
            "http://a.org/scs?rad=7",
            "http://a.org/scs?rad=7&RA=1&SR=a%2Bb%20%26c",
        ),
    ] {
        assert_eq!(
            url(base)
                .with_query(&[("RA", "1"), ("SR", "a+b &c")])
                .as_str(),
            merged,
            "{base}"
        );
    }
    assert_eq!(
        url("http://a.org/x?y&")
            .with_query::<&str, &str>(&[])
            .as_str(),
        "http://a.org/x?y&"
    );
}

#[test]
fn operators_lists_lift_and_narrow() {
    let door = door_with(|settings| {
        settings.trusted_hosts = parse_list("tap, db.lan:8080, 127.0.0.1:9000, [fd00::7]").unwrap();
        settings.resolve =
            parse_list("inner.corp:443=10.0.0.1:8443, 10.9.9.9:80=127.0.0.1:1").unwrap();
    });
    for (raw, expected) in [
        ("http://tap/", None),
        ("https://tap/", None),
        ("http://db.lan:8080/", None),
        ("http://db.lan/", None),
        ("http://127.0.0.1:9000/", None),
        ("http://127.0.0.1/", Some(Rule::NotPublic)),
        ("http://127.0.0.1:9001/", Some(Rule::NotPublic)),
        ("http://127.0.0.2:9000/", Some(Rule::NotPublic)),
        ("http://[fd00::7]/", None),
        ("https://[fd00:0::7]/", None),
        ("http://[fd00::7]:8080/", Some(Rule::NotPublic)),
        ("https://inner.corp/", None),
        ("http://inner.corp/", None),
        ("http://other.corp/", Some(Rule::InternalName)),
        ("http://10.9.9.9/", None),
        ("https://10.9.9.9/", Some(Rule::NotPublic)),
    ] {
        assert_eq!(
            door.parse(raw).err().as_ref().map(Refusal::rule),
            expected,
            "{raw}"
        );
    }
    let door = door_with(|settings| {
        settings.allowed_hosts = parse_list("eso.org, 8.8.8.8").unwrap();
        settings.trusted_hosts = parse_list("127.0.0.1").unwrap();
    });
    for (raw, allowed) in [
        ("http://eso.org/", true),
        ("http://ARCHIVE.eso.org/", true),
        ("http://neso.org/", false),
        ("http://8.8.8.8/", true),
        ("http://8.8.4.4/", false),
        ("http://127.0.0.1/", false),
    ] {
        assert_eq!(door.parse(raw).is_ok(), allowed, "{raw}");
    }
}

#[tokio::test]
async fn trust_is_for_the_listed_port_only() {
    let door = door_with(|settings| {
        settings.trusted_hosts = parse_list("next.example.org, deep.example.org:8080").unwrap();
        settings.resolve = parse_list("pin.example.org:443=127.0.0.1:8443").unwrap();
        let answers = [
            "next.example.org=10.0.0.1",
            "deep.example.org=10.0.0.2",
            "pin.example.org=10.0.0.3",
        ];
        settings.dns = crate::http::Dns::fixed(answers.map(|answer| answer.parse().unwrap()));
    });
    for (raw, addresses) in [
        ("http://next.example.org/", Some("10.0.0.1:80")),
        ("https://next.example.org/", Some("10.0.0.1:443")),
        ("http://next.example.org:8080/", None),
        ("http://deep.example.org:8080/", Some("10.0.0.2:8080")),
        ("http://deep.example.org/", None),
        ("https://pin.example.org/", Some("127.0.0.1:8443")),
        ("http://pin.example.org/", None),
        ("http://unknown.example.org/", None),
    ] {
        let checked = door.check(&door.parse(raw).unwrap()).await;
        let found = checked
            .as_ref()
            .ok()
            .map(|checked| checked.addresses()[0].to_string());
        assert_eq!(found.as_deref(), addresses, "{raw}");
        assert!(
            checked
                .err()
                .is_none_or(|refusal| refusal.rule() == Rule::NotPublic && refusal.abandon())
        );
    }
}

#[test]
fn no_message_holds_what_was_given() {
    for raw in [
        "http://10.1.2.3/",
        "http://secret.corp/",
        "http://user:secret@a.org/",
        "secret",
    ] {
        let message = door().parse(raw).unwrap_err().to_string();
        assert!(
            !message.contains("secret") && !message.contains("10.1"),
            "{message}"
        );
    }
}

/// Text that looks like a URL and then goes wrong somewhere.
fn almost_a_url() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("http://"),
        Just("https://"),
        Just("HTTP://"),
        Just("//"),
        Just("/"),
        Just("\\"),
        Just("@"),
        Just(":"),
        Just(":80"),
        Just(":443"),
        Just(":8080"),
        Just("#"),
        Just("?"),
        Just("."),
        Just(".."),
        Just("%2e"),
        Just("%00"),
        Just("[::1]"),
        Just("[2001:200::1]"),
        Just("127.0.0.1"),
        Just("8.8.8.8"),
        Just("0x7f"),
        Just("2130706433"),
        Just("a.org"),
        Just("xn--"),
        Just("xn--bcher-kva"),
        Just("_"),
        Just("-"),
        Just("localhost"),
        Just("\t"),
        Just("\n"),
        Just("\u{ff0f}"),
        Just("\u{3002}"),
        Just("a"),
        Just("user:pw"),
        Just("&"),
        Just(";"),
    ]
    .prop_map(str::to_owned);
    let any = prop_oneof![4 => piece, 1 => "\\PC{0,3}"];
    (prop::bool::weighted(0.8), prop::collection::vec(any, 0..8)).prop_map(|(begins, pieces)| {
        let begin = if begins { "http://" } else { "" };
        format!("{begin}{}", pieces.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn no_accepted_text_means_another_host_elsewhere(raw in almost_a_url()) {
        if let Ok(ours) = door_once().parse(&raw) {
            for text in [raw.as_str(), ours.as_str()] {
                let theirs = url::Url::parse(text).unwrap();
                prop_assert_eq!(theirs.host_str().unwrap(), ours.host().to_string());
                prop_assert_eq!(theirs.port_or_known_default(), Some(ours.port()));
            }
            let target: http::Uri = ours.path_and_query().parse().unwrap();
            prop_assert_eq!(target.path_and_query().unwrap().as_str(), ours.path_and_query());
            prop_assert_eq!(&door_once().parse(ours.as_str()).unwrap(), &ours);
        }
    }

    #[test]
    fn no_reference_leaves_without_being_judged(raw in almost_a_url()) {
        let base = door_once().parse("https://archive.example.org/tap/async/1").unwrap();
        if let Ok(target) = door_once().resolve(&base, &raw) {
            prop_assert_eq!(&door_once().parse(target.as_str()).unwrap(), &target);
        }
    }
}

fn door_once() -> &'static crate::http::Door {
    static DOOR: std::sync::OnceLock<crate::http::Door> = std::sync::OnceLock::new();
    DOOR.get_or_init(door)
}
