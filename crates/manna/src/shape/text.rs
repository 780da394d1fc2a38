//! What an archive writes is data, and some of it is written to be misread: control characters, terminal escapes,
//! bidirectional overrides, invisible characters. They go before a model or a terminal sees the text, and the text
//! is cut to a bound (security.md section 3).

/// Longest cell that is shown, in characters; the full value stays at the archive.
pub const CELL_CHARS: usize = 1_000;
/// Longest description that is shown, in characters.
pub const DESCRIPTION_CHARS: usize = 280;
/// Longest error text of an archive that is passed on, in characters.
pub const MESSAGE_CHARS: usize = 2_000;

/// A text made safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clean {
    /// The text without the characters that were taken out, cut to its bound.
    pub text: String,
    /// How many characters were taken out.
    pub removed: usize,
    /// The text was longer than its bound.
    pub cut: bool,
}

/// Takes invisible and control characters out of `raw` and cuts it at `limit` characters.
pub fn clean(raw: &str, limit: usize) -> Clean {
    // The usual cell is short printable ASCII; it is copied as it is.
    if raw.len() <= limit && raw.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Clean {
            text: raw.to_owned(),
            removed: 0,
            cut: false,
        };
    }
    let mut text = String::with_capacity(raw.len().min(limit.saturating_mul(4)));
    let (mut kept, mut removed, mut cut) = (0, 0, false);
    for c in raw.chars() {
        if is_hidden(c) {
            removed += 1;
        } else if kept < limit {
            text.push(c);
            kept += 1;
        } else {
            cut = true;
        }
    }
    if cut {
        text.pop();
        text.push('…');
    }
    Clean { text, removed, cut }
}

/// As [`clean`], on one line with single blanks: for messages.
pub fn one_line(raw: &str, limit: usize) -> String {
    let folded: Vec<&str> = raw.split_whitespace().collect();
    clean(&folded.join(" "), limit).text
}

/// Characters that change how text reads without being seen.
fn is_hidden(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        // Zero-width characters, direction marks, embeddings and overrides, invisible operators, isolates.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' => true,
        // Tag characters spell ASCII invisibly.
        '\u{e0000}'..='\u{e007f}' => true,
        _ => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_go_and_the_rest_stays() {
        let cases = [
            ("M 87", "M 87", 0),
            ("é Å 漢字 😀", "é Å 漢字 😀", 0),
            ("a\tb\nc", "a\tb\nc", 0),
            ("a\rb", "ab", 1),
            ("\u{1b}[31mred", "[31mred", 1),
            ("nul\0", "nul", 1),
            ("rtl\u{202e}txt.exe", "rtltxt.exe", 1),
            ("zero\u{200b}\u{200d}width\u{feff}", "zerowidth", 3),
            ("tag\u{e0041}\u{e007f}", "tag", 2),
            ("soft\u{ad}hyphen", "softhyphen", 1),
            ("c1\u{9b}31m", "c131m", 1),
        ];
        for (raw, text, removed) in cases {
            let cleaned = clean(raw, 100);
            assert_eq!(
                (cleaned.text.as_str(), cleaned.removed, cleaned.cut),
                (text, removed, false),
                "{raw:?}"
            );
        }
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        let cleaned = clean(&"é".repeat(50), 10);
        assert_eq!(cleaned.text, format!("{}…", "é".repeat(9)));
        assert!(cleaned.cut);
        let exact = clean("0123456789", 10);
        assert_eq!((exact.text.as_str(), exact.cut), ("0123456789", false));
    }

    #[test]
    fn messages_are_one_line() {
        assert_eq!(
            one_line("  a\r\n  b\u{200b}\tc ", 100),
            "a b\u{200b} c".replace('\u{200b}', "")
        );
    }
}
