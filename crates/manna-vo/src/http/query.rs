//! Query strings: parameters are merged into what a URL already carries, which is never re-encoded.

/// Sets `parameters` in `query`: those already there under the same name, in any case, go; the
/// rest stays byte for byte, and the new ones follow in their order. Cone base URLs end in `?` or
/// `&` (SCS 1.03 section 2): empty pieces are dropped.
pub(super) fn merge<K: AsRef<str>, V: AsRef<str>>(query: &str, parameters: &[(K, V)]) -> String {
    let is_replaced = |pair: &str| {
        let name = decoded_name(pair);
        parameters
            .iter()
            .any(|(key, _)| key.as_ref().eq_ignore_ascii_case(&name))
    };
    let mut merged = String::with_capacity(query.len() + 32 * parameters.len());
    for pair in query
        .split('&')
        .filter(|pair| !pair.is_empty() && !is_replaced(pair))
    {
        push_separator(&mut merged);
        merged.push_str(pair);
    }
    for (key, value) in parameters {
        push_separator(&mut merged);
        push_encoded(&mut merged, key.as_ref());
        merged.push('=');
        push_encoded(&mut merged, value.as_ref());
    }
    merged
}

/// Percent-encodes everything but the unreserved characters of RFC 3986 section 2.3: a space as `%20`,
/// which every server reads, where `+` means a plus to some.
pub(super) fn push_encoded(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            const HEX: [char; 16] = [
                '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
            ];
            out.push('%');
            for nibble in [byte >> 4, byte & 15] {
                out.extend(HEX.get(usize::from(nibble)));
            }
        }
    }
}

/// A form body (`application/x-www-form-urlencoded`, as HTML forms write it).
pub(super) fn form<K: AsRef<str>, V: AsRef<str>>(parameters: &[(K, V)]) -> String {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    for (key, value) in parameters {
        body.append_pair(key.as_ref(), value.as_ref());
    }
    body.finish()
}

fn push_separator(out: &mut String) {
    if !out.is_empty() {
        out.push('&');
    }
}

fn decoded_name(pair: &str) -> String {
    let name = pair.split('=').next().unwrap_or_default();
    url::form_urlencoded::parse(name.as_bytes())
        .next()
        .map(|(name, _)| name.into_owned())
        .unwrap_or_default()
}
