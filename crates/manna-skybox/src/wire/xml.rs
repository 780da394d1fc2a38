//! Text in XML 1.0.

/// Appends `text` so that a parser gives it back, in an element or an attribute in double quotes.
/// What XML cannot hold at all becomes U+FFFD.
pub(crate) fn escape(out: &mut Vec<u8>, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.extend(b"&amp;"),
            '<' => out.extend(b"&lt;"),
            '>' => out.extend(b"&gt;"),
            '"' => out.extend(b"&quot;"),
            // A parser would make a line end or a space of these.
            '\r' => out.extend(b"&#13;"),
            '\n' => out.extend(b"&#10;"),
            '\t' => out.extend(b"&#9;"),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.extend("\u{fffd}".as_bytes()),
            other => out.extend(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Appends ` name="value"`.
pub(crate) fn attribute(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b' ');
    out.extend(name.as_bytes());
    out.extend(b"=\"");
    escape(out, value);
    out.push(b'"');
}

/// Appends `<name>text</name>`.
pub(crate) fn element(out: &mut Vec<u8>, name: &str, text: &str) {
    out.push(b'<');
    out.extend(name.as_bytes());
    out.push(b'>');
    escape(out, text);
    out.extend(b"</");
    out.extend(name.as_bytes());
    out.push(b'>');
}
