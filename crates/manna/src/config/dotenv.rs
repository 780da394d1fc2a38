//! The part of a `.env` file that is ours. Values stand as they are: nothing is substituted, because a file found
//! in a working directory must not be able to copy another variable of the process into a setting that leaves the
//! machine (decision 010).

/// A line that sets a name of ours.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) value: String,
    /// From 1.
    pub(super) line: usize,
}

/// Reads `NAME=value` lines, with or without `export`, whose name begins with `MANNA_`. Others belong to other
/// programs and are passed over.
///
/// # Errors
/// The line, from 1, and what is wrong with it.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, (usize, &'static str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries: Vec<Entry> = Vec::new();
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        let content = content.trim();
        let content = content
            .strip_prefix("export ")
            .map_or(content, str::trim_start);
        if !content.starts_with("MANNA_") {
            continue;
        }
        let (name, value) = content
            .split_once('=')
            .ok_or((line, "there is no = after the name"))?;
        let name = name.trim_end();
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err((
                line,
                "the name holds something else than letters, digits and _",
            ));
        }
        if entries.iter().any(|entry| entry.name == name) {
            return Err((line, "the name is set a second time"));
        }
        let value = unquoted(value.trim()).map_err(|why| (line, why))?;
        entries.push(Entry {
            name: name.to_owned(),
            value,
            line,
        });
    }
    Ok(entries)
}

/// A value without its quotes and without the comment behind it.
fn unquoted(value: &str) -> Result<String, &'static str> {
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inner = value.get(1..).unwrap_or_default();
            let end = inner
                .find(quote)
                .ok_or("the quote is not closed on the line")?;
            let (inside, rest) = inner.split_at(end);
            let rest = rest.get(1..).unwrap_or_default().trim_start();
            if !rest.is_empty() && !rest.starts_with('#') {
                return Err("there is something behind the closing quote");
            }
            if inside.contains('\\') {
                return Err("backslashes are not read: write the value as it is");
            }
            Ok(inside.to_owned())
        }
        Some('#') | None => Ok(String::new()),
        Some(_) => {
            let comment = value.find(" #").or_else(|| value.find("\t#"));
            Ok(value
                .get(..comment.unwrap_or(value.len()))
                .unwrap_or(value)
                .trim_end()
                .to_owned())
        }
    }
}
