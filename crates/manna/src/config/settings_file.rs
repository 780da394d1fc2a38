//! `manna.toml`: lower-case names without `MANNA_`, and nothing else.

use std::fs;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::error::ConfigError;
use super::inputs::{Given, Origin, did_you_mean, full_name, unreadable};
use super::settings::{SETTINGS, Setting};

/// Offers what the file sets. Its relative paths are relative to itself.
pub(super) fn read(path: &Path, given: &mut Given, faults: &mut Vec<ConfigError>) {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) => return faults.push(unreadable(path, &why)),
    };
    let line_at = |offset: usize| text.get(..offset).unwrap_or(&text).matches('\n').count() + 1;
    let document = match DeTable::parse(&text) {
        Ok(document) => document.into_inner(),
        Err(why) => {
            let line = line_at(why.span().map_or(0, |span| span.start));
            let why = why.message().lines().collect::<Vec<_>>().join("; ");
            return faults.push(ConfigError::new(format!(
                "{} line {line}: {why}",
                path.display()
            )));
        }
    };
    let base = path.parent().unwrap_or(path);
    for (key, value) in &document {
        let origin = Origin::File {
            path: path.to_owned(),
            line: line_at(key.span().start),
        };
        let key = key.get_ref().as_ref();
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key() == key) else {
            let meant = did_you_mean(&full_name(key), Setting::key);
            faults.push(ConfigError::new(format!(
                "{key:?} ({origin}) is no setting{meant}"
            )));
            continue;
        };
        match plain(value.get_ref()) {
            Some(text) => given.offer(setting, &text, origin, base),
            None => faults.push(ConfigError::new(format!(
                "{key} ({origin}) is neither text, a number nor a list of texts; write {}, such as {:?}",
                setting.kind, setting.example
            ))),
        }
    }
}

/// A TOML value as the environment would have it: texts and numbers as they are, lists joined by commas.
fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(yes) => Some(yes.to_string()),
        DeValue::Array(items) => {
            let texts: Option<Vec<String>> = items
                .iter()
                .map(|item| match item.get_ref() {
                    // An item with a comma in it would come apart.
                    DeValue::String(text) if !text.contains(',') => Some(text.to_string()),
                    _ => None,
                })
                .collect();
            texts.map(|texts| texts.join(","))
        }
        _ => None,
    }
}
