//! What `manna config` prints.

use std::fmt;

use serde::Serialize;

use super::inputs::Value;
use super::settings::Setting;

/// One setting as it is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its name.
    pub name: &'static str,
    /// Its value as text; `None` when unset, `***` when secret.
    pub value: Option<String>,
    /// Where the value came from.
    pub origin: String,
}

impl Line {
    pub(super) fn new(setting: &Setting, value: &Value) -> Self {
        let text = if setting.secret { "***" } else { &value.text };
        let value_shown = (!value.text.is_empty()).then(|| text.to_owned());
        Self {
            name: setting.name,
            value: value_shown,
            origin: value.origin.to_string(),
        }
    }
}

/// Every setting with its value and origin. As text one line each; as JSON a list of objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Report {
    lines: Vec<Line>,
}

impl Report {
    pub(super) fn new(lines: Vec<Line>) -> Self {
        Self { lines }
    }

    /// The settings, in the order of the reference.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .lines
            .iter()
            .map(|line| line.name.len())
            .max()
            .unwrap_or(0);
        for Line {
            name,
            value,
            origin,
        } in &self.lines
        {
            let value = value.as_deref().unwrap_or("(unset)");
            // A value may come from anywhere: one line each, whatever is in it.
            let value: String = value
                .chars()
                .flat_map(|c| {
                    if c.is_control() {
                        c.escape_default().collect()
                    } else {
                        vec![c]
                    }
                })
                .collect();
            writeln!(f, "{name:width$}  {value}  [{origin}]")?;
        }
        Ok(())
    }
}
