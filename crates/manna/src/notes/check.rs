//! The rules that hold between the parts of a notes file; those of single values are in their types.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::archive::{Archive, CountGeometry};
use super::audit::Audit;
use super::note::Note;

impl Archive {
    /// The rules that hold between the parts of a file.
    pub(super) fn fault(&self, file: &str) -> Option<Fault> {
        self.fault_of_identity(file)
            .or_else(|| self.fault_of_services())
            .or_else(|| self.fault_of_tables())
            .or_else(|| self.fault_of_notes())
    }

    fn fault_of_identity(&self, file: &str) -> Option<Fault> {
        let stem = Path::new(file)
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or(file);
        if stem != &*self.short_name {
            let message = format!("the file of `{0}` must be called {0}.toml", self.short_name);
            return Some(Fault::new(message, ["short_name".into()]));
        }
        if self.host_suffixes.is_empty() {
            return Some(Fault::new(
                "at least one host is needed",
                ["host_suffixes".into()],
            ));
        }
        if self.wavebands.is_empty() {
            return Some(Fault::new(
                "at least one band is needed",
                ["wavebands".into()],
            ));
        }
        None
    }

    fn fault_of_services(&self) -> Option<Fault> {
        if let Some((key, url)) = self
            .services
            .endpoints()
            .find(|(_, url)| !self.owns(url.host()))
        {
            let message = format!(
                "{url} is at `{}`, which is not among host_suffixes",
                url.host()
            );
            return Some(Fault::new(message, ["services".into(), key.into()]));
        }
        if self
            .services
            .sia
            .as_ref()
            .is_some_and(|sia| !matches!(sia.version, 1 | 2))
        {
            return Some(Fault::new(
                "the version of SIA is 1 or 2",
                ["services".into(), "sia".into()],
            ));
        }
        let count = self.count.as_ref()?;
        let by_region = count.region.is_some() && count.ra.is_none() && count.dec.is_none();
        let by_point = count.region.is_none() && count.ra.is_some() && count.dec.is_some();
        let fits = if count.geometry == CountGeometry::Region {
            by_region
        } else {
            by_point
        };
        (!fits).then(|| {
            Fault::new(
                "a count by `region` names the column `region`, any other names `ra` and `dec`",
                ["count".into(), "geometry".into()],
            )
        })
    }

    fn fault_of_tables(&self) -> Option<Fault> {
        let mut seen = BTreeSet::new();
        let (index, table) = self
            .tables
            .iter()
            .enumerate()
            .find(|(_, table)| !seen.insert(table.name.to_lowercase()))?;
        let message = format!("the table `{}` is described twice", table.name);
        Some(Fault::new(
            message,
            ["tables".into(), index.into(), "name".into()],
        ))
    }

    fn fault_of_notes(&self) -> Option<Fault> {
        let mut seen = BTreeSet::new();
        self.notes.iter().enumerate().find_map(|(index, note)| {
            let fault = |message: String, key: &'static str| {
                Some(Fault::new(
                    message,
                    ["notes".into(), index.into(), key.into()],
                ))
            };
            if !seen.insert(&note.id) {
                return fault(format!("two notes are called `{}`", note.id), "id");
            }
            let pitfall = note.pitfall.as_ref();
            if pitfall.is_some_and(|p| p.triggers.is_empty() && p.upfront.is_none()) {
                return fault(
                    "a pitfall needs `triggers`, `upfront` or both".to_owned(),
                    "pitfall",
                );
            }
            if pitfall
                .and_then(|p| p.upfront)
                .is_some_and(|rank| !(1..=3).contains(&rank))
            {
                return fault("`upfront` is 1, 2 or 3".to_owned(), "pitfall");
            }
            if pitfall.is_some_and(|p| p.upfront.is_some()) && self.services.tap.is_none() {
                return fault(
                    "`upfront` is about queries, and this archive has no TAP service".to_owned(),
                    "pitfall",
                );
            }
            self.fault_of_audit(note)
                .and_then(|message| fault(message, "audit"))
        })
    }

    /// A probe must have somewhere to go.
    fn fault_of_audit(&self, note: &Note) -> Option<String> {
        let tap = match &note.audit {
            Audit::Manual { .. } => return None,
            Audit::Probe { tap, .. } | Audit::Columns { tap, .. } => tap.as_ref(),
        };
        let services = &self.services;
        match tap {
            None => services
                .tap
                .is_none()
                .then(|| "this archive has no TAP service to probe".to_owned()),
            Some(tap) => (!services
                .further_taps
                .iter()
                .any(|further| further.url == *tap))
            .then(|| format!("{tap} is not among further_taps")),
        }
    }
}

/// A broken rule, and the way through the file to where it is broken.
pub(super) struct Fault {
    pub(super) message: String,
    path: Vec<Step>,
}

pub(super) enum Step {
    Key(&'static str),
    Index(usize),
}

impl From<&'static str> for Step {
    fn from(key: &'static str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl Fault {
    fn new(message: impl Into<String>, path: impl IntoIterator<Item = Step>) -> Self {
        Self {
            message: message.into(),
            path: path.into_iter().collect(),
        }
    }

    /// Where the path leads, or as far along it as the file goes.
    pub(super) fn span(&self, text: &str) -> Option<Range<usize>> {
        let document = DeTable::parse(text).ok()?;
        let mut span = document.span();
        let mut here = DeValue::Table(document.into_inner());
        for step in &self.path {
            let next = match (step, &here) {
                (Step::Key(key), DeValue::Table(table)) => table.get(*key),
                (Step::Index(index), DeValue::Array(array)) => array.get(*index),
                _ => None,
            };
            let Some(next) = next else { break };
            span = next.span();
            here = next.get_ref().clone();
        }
        Some(span)
    }
}
