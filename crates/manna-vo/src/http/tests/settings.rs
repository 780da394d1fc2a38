//! Settings read what an operator writes, and say what is wrong with what does not read.

use crate::http::{
    AllowedHost, Contact, Purpose, ResolveRule, SettingsError, StaticAnswer, TrustedHost,
    parse_list,
};

#[test]
fn good_values() {
    for good in [
        "a.org:443=10.0.0.1:8443",
        "[::1]:80=[fd00::1]:8080",
        " a.org:443 = 1.2.3.4:1 ",
    ] {
        good.parse::<ResolveRule>()
            .unwrap_or_else(|error| panic!("{error}"));
    }
    for good in [
        "a.lan",
        "tap",
        "127.0.0.1:8080",
        "[::1]:8080",
        "::1",
        "A.B.org:443",
    ] {
        good.parse::<TrustedHost>()
            .unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(
        parse_list::<AllowedHost>(" eso.org,, nrao.edu ,")
            .unwrap()
            .len(),
        2
    );
    for good in ["a.org=", "a.org=1.2.3.4,::1", "A.org.=1.2.3.4"] {
        good.parse::<StaticAnswer>()
            .unwrap_or_else(|error| panic!("{error}"));
    }
    for good in ["ops@example.org", "https://example.org/contact"] {
        good.parse::<Contact>()
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn bad_values_are_named_and_a_right_one_is_shown() {
    fn message<T: std::str::FromStr<Err = SettingsError> + std::fmt::Debug>(bad: &str) -> String {
        bad.parse::<T>().unwrap_err().to_string()
    }
    let mut messages = Vec::new();
    for bad in [
        "a.org",
        "a.org=1.2.3.4:1",
        "a.org:443=host:1",
        "a.org:443=1.2.3.4",
        "a b:1=1.2.3.4:1",
    ] {
        messages.push((bad, message::<ResolveRule>(bad)));
    }
    for bad in [
        "",
        "http://a.org",
        "a.org:",
        "a.org:99999",
        "a.org:22",
        "10.0.0.0/8",
        "*.org",
        "a.org/x",
    ] {
        messages.push((bad, message::<TrustedHost>(bad)));
    }
    for bad in ["eso.org:443", ".eso.org", "*.eso.org"] {
        messages.push((bad, message::<AllowedHost>(bad)));
    }
    for bad in ["a.org", "=1.2.3.4", "a.org=b.org"] {
        messages.push((bad, message::<StaticAnswer>(bad)));
    }
    for bad in ["a", "ops@example.org)\r\nX: y", "ops example", "ops"] {
        messages.push((bad, message::<Contact>(bad)));
    }
    for (bad, message) in messages {
        assert!(
            message.contains(&format!("{:?}", bad.trim())) && message.contains("; write "),
            "{message}"
        );
    }
}

#[test]
fn user_agents() {
    let contact: Contact = "ops@example.org".parse().unwrap();
    let agent = |purpose, contact| {
        let value = crate::http::user_agent::user_agent(purpose, contact);
        value
            .to_str()
            .unwrap()
            .replace(env!("CARGO_PKG_VERSION"), "V")
    };
    assert_eq!(agent(None, None), "manna/V");
    assert_eq!(agent(None, Some(&contact)), "manna/V (ops@example.org)");
    assert_eq!(
        agent(Some(Purpose::Test), Some(&contact)),
        "manna/V (IVOA-test) (ops@example.org)"
    );
    assert_eq!(agent(Some(Purpose::Copy), None), "manna/V (IVOA-copy)");
}
