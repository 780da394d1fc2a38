//! All archives the server knows, which of them it speaks of, and in which order.

use std::fs;
use std::path::{Path, PathBuf};

use super::archive::{Archive, Services};
use super::builtin;
use super::error::NotesError;
use super::label;
use super::note::Pitfall;
use super::waveband::Waveband;

/// Characters the up-front notes may take altogether (contract section 4).
pub const UPFRONT_CHARS: usize = 800;

/// Where archives come from and which are wanted: `MANNA_ARCHIVES_DIR` and `MANNA_ARCHIVES`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// A folder of further notes files; one with a built-in short name takes its place.
    pub dir: Option<PathBuf>,
    /// The archives to speak of; `None` is all that are not paused.
    pub wanted: Option<Vec<String>>,
}

/// The archives, in (priority, short name) order.
///
/// *Known* is everything that was read; *active* is what the server speaks of. Being inactive takes away what
/// the server claims about an archive, never what it can reach, nor the label its answers carry.
#[derive(Debug, Clone)]
pub struct Archives {
    known: Vec<Archive>,
    wanted: Option<Vec<String>>,
    complaints: Vec<String>,
}

impl Archives {
    /// Reads the built-in files and those of the folder, and selects. What cannot be used is logged, kept in
    /// [`complaints`](Self::complaints) and left out: the server starts all the same.
    #[must_use]
    pub fn load(sources: &Sources) -> Self {
        let mut archives = Self::built_in();
        if let Some(dir) = &sources.dir {
            archives.read_folder(dir);
        }
        archives.select(sources.wanted.as_deref());
        for complaint in &archives.complaints {
            tracing::warn!("{complaint}");
        }
        archives
    }

    /// The archives of these files, `(file name, content)`, all active but the paused.
    ///
    /// # Errors
    /// The first file that cannot be used.
    pub fn from_files<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, NotesError> {
        let mut archives = Self {
            known: Vec::new(),
            wanted: None,
            complaints: Vec::new(),
        };
        for (file, text) in files {
            archives.put(Archive::parse(file, text)?);
        }
        Ok(archives)
    }

    fn built_in() -> Self {
        let mut archives = Self {
            known: Vec::new(),
            wanted: None,
            complaints: Vec::new(),
        };
        for (file, text) in builtin::FILES {
            archives.read_file(file, Archive::parse(file, text));
        }
        archives
    }

    fn read_folder(&mut self, dir: &Path) {
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(why) => {
                self.complaints.push(format!(
                    "archive notes in {} cannot be read: {why}",
                    dir.display()
                ));
                return;
            }
        };
        let mut paths: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .collect();
        paths.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        });
        paths.sort_unstable();
        for path in paths {
            let file = path.display().to_string();
            let archive = fs::read_to_string(&path)
                .map_err(|why| NotesError::unreadable(&file, &why))
                .and_then(|text| Archive::parse(&file, &text));
            self.read_file(&file, archive);
        }
    }

    fn read_file(&mut self, file: &str, archive: Result<Archive, NotesError>) {
        match archive {
            Ok(archive) => {
                let name = archive.short_name.clone();
                if self.put(archive) {
                    tracing::info!("archive notes of `{name}` are taken from {file}");
                }
            }
            Err(fault) => self
                .complaints
                .push(format!("archive notes left out: {fault}")),
        }
    }

    /// Puts an archive in its place; true when it replaces another of that name.
    fn put(&mut self, archive: Archive) -> bool {
        let before = self.known.len();
        self.known
            .retain(|known| known.short_name != archive.short_name);
        let replaced = self.known.len() < before;
        self.known.push(archive);
        self.known
            .sort_by(|a, b| (a.priority, &a.short_name).cmp(&(b.priority, &b.short_name)));
        replaced
    }

    fn select(&mut self, wanted: Option<&[String]>) {
        self.wanted = wanted.map(|names| {
            names
                .iter()
                .map(|name| name.trim().to_lowercase())
                .collect()
        });
        for name in self.wanted.iter().flatten() {
            if self.known(name).is_none() {
                let names = self
                    .known
                    .iter()
                    .map(|known| &*known.short_name)
                    .collect::<Vec<_>>()
                    .join(", ");
                self.complaints.push(format!(
                    "MANNA_ARCHIVES names `{name}`, which is no known archive; known are {names}"
                ));
            }
        }
    }

    /// Makes one more archive known and active: the embedded sky of `manna demo`. A real server never does.
    pub fn register(&mut self, mut archive: Archive) {
        archive.paused = None;
        if let Some(wanted) = &mut self.wanted {
            wanted.push(archive.short_name.to_string());
        }
        self.put(archive);
    }

    /// What could not be used, one line each.
    #[must_use]
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// The archives the server speaks of.
    pub fn active(&self) -> impl Iterator<Item = &Archive> {
        self.known.iter().filter(|archive| self.is_active(archive))
    }

    /// Every archive that was read, also those left out.
    pub fn all_known(&self) -> impl Iterator<Item = &Archive> {
        self.known.iter()
    }

    fn is_active(&self, archive: &Archive) -> bool {
        match &self.wanted {
            Some(names) => names.iter().any(|name| *name == *archive.short_name),
            None => archive.paused.is_none(),
        }
    }

    /// The active archive of this short name, in any letter case.
    #[must_use]
    pub fn get(&self, short_name: &str) -> Option<&Archive> {
        self.known(short_name)
            .filter(|archive| self.is_active(archive))
    }

    /// The archive of this short name, active or not.
    #[must_use]
    pub fn known(&self, short_name: &str) -> Option<&Archive> {
        let short_name = short_name.trim();
        self.known
            .iter()
            .find(|archive| archive.short_name.eq_ignore_ascii_case(short_name))
    }

    /// The active archives a filter leaves; `None` filters nothing. A waveband is any of the common words,
    /// several separated by commas; an archive matches by any of its bands.
    pub fn matching<'a>(
        &'a self,
        short_name: Option<&'a str>,
        waveband: Option<&str>,
    ) -> impl Iterator<Item = &'a Archive> {
        let bands = waveband.map(Waveband::asked_for);
        self.active().filter(move |archive| {
            let named =
                short_name.is_none_or(|name| archive.short_name.eq_ignore_ascii_case(name.trim()));
            named
                && bands
                    .as_ref()
                    .is_none_or(|bands| bands.iter().any(|band| archive.wavebands.contains(band)))
        })
    }

    /// The active archive a host belongs to, for notes and hints.
    #[must_use]
    pub fn by_host(&self, host: &str) -> Option<&Archive> {
        owner(self.active(), &label::normalised(host))
    }

    /// The name put on answers from this host (contract section 5).
    #[must_use]
    pub fn label(&self, host: &str) -> String {
        let host = label::normalised(host);
        match owner(self.known.iter(), &host) {
            Some(archive) => archive.short_name.to_string(),
            None => label::of_unknown_host(&host),
        }
    }

    /// What the archive at `host` teaches about a query it refused: the first pitfall that fires.
    #[must_use]
    pub fn error_hint(&self, host: &str, adql: &str) -> Option<&str> {
        self.by_host(host)?.hint_for(adql)
    }

    /// The lines a model is told before its first query, at most [`UPFRONT_CHARS`] characters.
    ///
    /// Ordered by rank, then by the archives' own order; a line that no longer fits makes room for shorter
    /// ones after it.
    #[must_use]
    pub fn upfront_notes(&self) -> String {
        let mut lines: Vec<(u8, String)> = self.active().flat_map(upfront_lines).collect();
        lines.sort_by_key(|(rank, _)| *rank);
        let mut text = String::new();
        let mut used = 0;
        for (_, line) in lines {
            let cost = line.chars().count() + usize::from(!text.is_empty());
            if used + cost > UPFRONT_CHARS {
                continue;
            }
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&line);
            used += cost;
        }
        text
    }

    /// Cross references that lead nowhere, as `archive/table -> archive/table`.
    #[must_use]
    pub fn dangling_cross_references(&self) -> Vec<String> {
        let mut dangling = Vec::new();
        for archive in &self.known {
            for table in &archive.tables {
                for reference in &table.cross_references {
                    let target = self.known(&reference.archive);
                    if !target.is_some_and(|target| target.has_table(&reference.table)) {
                        dangling.push(format!(
                            "{}/{} -> {}/{}",
                            archive.short_name, table.name, reference.archive, reference.table
                        ));
                    }
                }
            }
        }
        dangling
    }
}

/// The archive with the longest host that covers this one.
fn owner<'a>(archives: impl Iterator<Item = &'a Archive>, host: &str) -> Option<&'a Archive> {
    let claims =
        archives.filter_map(|archive| archive.claim_on(host).map(|length| (length, archive)));
    // `max_by_key` would take the last of equals; the first is the one with priority.
    claims
        .fold(None, |best: Option<(usize, &Archive)>, claim| match best {
            Some(best) if best.0 >= claim.0 => Some(best),
            _ => Some(claim),
        })
        .map(|(_, archive)| archive)
}

fn upfront_lines(archive: &Archive) -> impl Iterator<Item = (u8, String)> + '_ {
    let Services { tap, .. } = &archive.services;
    let host = tap.as_ref().map_or("", |tap| tap.host());
    let pitfalls = archive
        .notes
        .iter()
        .filter_map(|note| note.pitfall.as_ref());
    pitfalls.filter_map(
        move |Pitfall {
                  guidance, upfront, ..
              }| {
            let rank = (*upfront)?;
            Some((
                rank,
                format!("- {} ({host}): {guidance}", archive.display_name),
            ))
        },
    )
}
