//! What a document that is no VOTable says to a person: the HTML title and the first visible text.

use crate::{attributes::unescape, error::Foreign};

/// Text looked at before the verdict; more of an error page is not worth reading.
pub(crate) const MAX_TEXT: usize = 64 << 10;
/// Characters of visible text that are kept.
const VISIBLE: usize = 300;

/// Reads a page as leniently as a browser would: nothing in it is taken for XML.
pub(crate) fn describe(page: &str) -> Foreign {
    let mut foreign = Foreign::default();
    let mut visible = String::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let (text, markup) = rest.split_at(at);
        visible.push_str(text);
        let after = markup.get(1..).unwrap_or_default();
        if let Some(comment) = after.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        if let Some(cdata) = after.strip_prefix("![CDATA[") {
            let (text, tail) = cdata.split_once("]]>").unwrap_or((cdata, ""));
            visible.push_str(text);
            rest = tail;
            continue;
        }
        if !after.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?_".contains(c)) {
            visible.push('<');
            rest = after;
            continue;
        }
        let (tag, tail) = after.split_once('>').unwrap_or((after, ""));
        rest = tail;
        visible.push(' ');
        let name = tag
            .split(|c: char| c.is_ascii_whitespace() || c == '/')
            .next()
            .unwrap_or_default();
        if foreign.root.is_none() && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        {
            foreign.root = Some(name.chars().take(64).collect());
        }
        for hidden in ["script", "style", "title"] {
            if name.eq_ignore_ascii_case(hidden) {
                let (content, tail) = split_at_end_tag(rest, hidden);
                if hidden == "title" && foreign.title.is_none() {
                    foreign.title = Some(tidy(content)).filter(|title| !title.is_empty());
                }
                rest = tail;
            }
        }
    }
    visible.push_str(rest);
    foreign.text = tidy(&visible);
    foreign
}

/// What is before and behind the end tag `name`, in any case.
fn split_at_end_tag<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    for (at, _) in text.match_indices("</") {
        let candidate = text.get(at + 2..).unwrap_or_default();
        let head = candidate.as_bytes().get(..name.len()).unwrap_or_default();
        if head.eq_ignore_ascii_case(name.as_bytes()) {
            let before = text.get(..at).unwrap_or_default();
            let tail = candidate.split_once('>').map_or("", |(_, tail)| tail);
            return (before, tail);
        }
    }
    (text, "")
}

/// White space collapsed, references resolved, at most 300 characters.
fn tidy(text: &str) -> String {
    let mut out = String::new();
    let mut characters = 0;
    for word in text.split_whitespace() {
        let room = VISIBLE.saturating_sub(characters + usize::from(!out.is_empty()));
        if room == 0 {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
            characters += 1;
        }
        let word = unescape(word);
        out.extend(word.chars().take(room));
        characters += word.chars().count().min(room);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_say_what_a_person_would_see() {
        let html = "<!DOCTYPE html><html><head><TITLE>502 Bad\n Gateway</TITLE><style>p {a>b}</style></head>\
            <body><!-- <p> --><script>if (a<b) alert('</p>')</script><h1>Bad&#32;Gateway</h1><p>nginx &amp; co</p>";
        let foreign = describe(html);
        assert_eq!(foreign.root.as_deref(), Some("html"));
        assert_eq!(foreign.title.as_deref(), Some("502 Bad Gateway"));
        assert_eq!(foreign.text, "Bad Gateway nginx & co");
        assert_eq!(
            describe("{\"error\": \"a < b\"}").text,
            "{\"error\": \"a < b\"}"
        );
        assert_eq!(describe("").text, "");
        assert_eq!(describe(&"word ".repeat(1000)).text.chars().count(), 299);
        assert_eq!(describe(&"x".repeat(1000)).text.chars().count(), 300);
    }
}
