//! Attributes of a tag, and the references in them and in text.

/// The longest reference that is looked for, `&` and `;` included.
pub(crate) const MAX_REFERENCE: usize = 32;

/// Name (with its prefix) and raw value of each attribute of a tag.
#[derive(Debug)]
pub(crate) struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Attributes<'a> {
    /// What stands between a tag's name and its end.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            self.rest = "";
            return None;
        }
        let end = rest
            .find(|c: char| c.is_ascii_whitespace() || c == '=')
            .unwrap_or(rest.len());
        // A lone `=` must be passed too, or this never ends.
        let (name, rest) = rest.split_at(end);
        let rest = rest.trim_ascii_start();
        let Some(rest) = rest.strip_prefix('=') else {
            self.rest = rest;
            return Some((name, ""));
        };
        let rest = rest.trim_ascii_start();
        let (value, rest) = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let rest = rest.get(1..).unwrap_or_default();
                rest.split_once(quote).unwrap_or((rest, ""))
            }
            _ => rest.split_at(
                rest.find(|c: char| c.is_ascii_whitespace())
                    .unwrap_or(rest.len()),
            ),
        };
        self.rest = rest;
        Some((name, value))
    }
}

/// An attribute's value (XML 1.0, section 3.3.3): references resolved, white space to blanks. What cannot be resolved
/// stays as written.
pub(crate) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find(['&', '\n', '\t']) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        let after = special.get(1..).unwrap_or_default();
        if !special.starts_with('&') {
            out.push(' ');
            rest = after;
            continue;
        }
        let resolved = after
            .split_once(';')
            .filter(|(name, _)| name.len() < MAX_REFERENCE)
            .and_then(|(name, tail)| match resolve(name) {
                Reference::Char(c) => Some((c, tail)),
                Reference::Invalid => Some((char::REPLACEMENT_CHARACTER, tail)),
                Reference::Unknown => None,
            });
        match resolved {
            Some((c, tail)) => {
                out.push(c);
                rest = tail;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// What a reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference {
    Char(char),
    /// A character reference to nothing.
    Invalid,
    /// An entity that is not one of XML's five.
    Unknown,
}

/// What is between `&` and `;`.
pub(crate) fn resolve(name: &str) -> Reference {
    let number = match name.strip_prefix('#') {
        None => {
            return match name {
                "amp" => Reference::Char('&'),
                "lt" => Reference::Char('<'),
                "gt" => Reference::Char('>'),
                "quot" => Reference::Char('"'),
                "apos" => Reference::Char('\''),
                _ => Reference::Unknown,
            };
        }
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        },
    };
    match number.ok().and_then(char::from_u32) {
        Some(c) if c != '\0' => Reference::Char(c),
        _ => Reference::Invalid,
    }
}
