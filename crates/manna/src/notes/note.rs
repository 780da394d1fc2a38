//! One thing experience has taught about an archive.

use schemars::JsonSchema;
use serde::Deserialize;

use super::archive::Confidence;
use super::audit::Audit;
use super::words::{Date, NoteId, Text};

/// One claim about an archive, written for a model that must act on it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Its name, unique within the archive.
    pub id: NoteId,
    /// The claim.
    pub text: Text<300>,
    /// The tables it is about; empty when it is about the archive as a whole.
    #[serde(default)]
    pub tables: Vec<Text<120>>,
    /// How to check it again.
    pub audit: Audit,
    /// Set when not knowing it costs a call or, worse, gives a wrong answer.
    pub pitfall: Option<Pitfall>,
    /// Where the claim comes from.
    pub source: Text<200>,
    /// The day the source was written or looked at the archive, where it gives one.
    pub source_date: Option<Date>,
    /// The day we last saw it hold at the archive itself; absent until then.
    pub checked: Option<Date>,
    /// How good the evidence is.
    pub confidence: Confidence,
}

impl Note {
    /// The claim followed by how fresh it is, for whoever reads notes on demand.
    #[must_use]
    pub fn usage_note(&self) -> String {
        match (&self.checked, &self.source_date) {
            (Some(day), _) => format!("{} [checked {day}]", self.text),
            (None, Some(day)) => format!("{} [not checked by us; source of {day}]", self.text),
            (None, None) => format!("{} [not checked by us]", self.text),
        }
    }

    /// Whether the note is about this table; letter case and quotes are passed over.
    #[must_use]
    pub fn is_about(&self, table: &str) -> bool {
        self.tables.iter().any(|name| same_table(name, table))
    }
}

/// Whether two spellings name the same table, up to letter case and double quotes.
pub(super) fn same_table(one: &str, other: &str) -> bool {
    let plain = |name: &str| name.replace('"', "").to_lowercase();
    plain(one) == plain(other)
}

/// What to do about a trap, and when to say so.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pitfall {
    /// What to do, as one imperative line.
    pub guidance: Text<200>,
    /// Substrings of a refused query that make this its likely cause; letter case and runs of white space
    /// are passed over.
    #[serde(default)]
    pub triggers: Vec<Text<60>>,
    /// Said before the first query, because the failure gives no signal. 1 is said first: silent, frequent
    /// and costly; 2 and 3 are said while there is room.
    #[schemars(range(min = 1, max = 3))]
    pub upfront: Option<u8>,
}

impl Pitfall {
    /// Whether a trigger occurs in the query.
    #[must_use]
    pub fn fires_on(&self, adql: &str) -> bool {
        let query = folded(adql);
        self.triggers
            .iter()
            .any(|trigger| query.contains(&folded(trigger)))
    }
}

/// Lower case, every run of white space one space.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            folded.extend(c.to_lowercase());
        } else if !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    folded
}
