//! Any text: the guard neither panics nor lets through what another parser reads differently, and what it lets
//! through it reads again as the same, goes on the wire as it is written, and resolves only to what it judges.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use manna_vo::http::{Door, ServiceUrl, Settings};

static DOOR: LazyLock<Door> = LazyLock::new(|| Door::new(Settings::default()).expect("default settings"));
static BASE: LazyLock<ServiceUrl> =
    LazyLock::new(|| DOOR.parse("https://archive.example.org/tap/async/1?x").expect("a plain URL"));

fuzz_target!(|text: &str| {
    // The first line is a URL, the second a reference found in an answer to it, the rest a parameter's value.
    let mut lines = text.splitn(3, '\n');
    let raw = lines.next().unwrap_or_default();
    let reference = lines.next().unwrap_or_default();
    let value = lines.next().unwrap_or_default();

    let parsed = DOOR.parse(raw);
    if let Ok(url) = &parsed {
        judge(url, raw);
        let built = url.child([value, "sync"]).with_query(&[(reference, value), ("REQUEST", "doQuery")]);
        assert_eq!((built.host(), built.port(), built.scheme()), (url.host(), url.port(), url.scheme()));
        judge(&built, built.as_str());
    }
    for base in [Some(&*BASE), parsed.as_ref().ok()].into_iter().flatten() {
        if let Ok(target) = DOOR.resolve(base, reference) {
            judge(&target, target.as_str());
            assert_eq!(DOOR.parse(target.as_str()).as_ref(), Ok(&target));
        }
    }
});

fn judge(url: &ServiceUrl, raw: &str) {
    for text in [raw, url.as_str()] {
        let theirs = url::Url::parse(text).expect("another parser reads what we let through");
        assert_eq!(theirs.host_str(), Some(url.host().to_string().as_str()));
        assert_eq!(theirs.port_or_known_default(), Some(url.port()));
        assert_eq!(theirs.scheme(), url.scheme());
    }
    let on_the_wire: http::Uri = url.path_and_query().parse().expect("a request target");
    assert_eq!(on_the_wire.path_and_query().map(|target| target.as_str()), Some(url.path_and_query()));
}
