//! One archive as its notes file describes it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::error::NotesError;
use super::note::{Note, same_table};
use super::waveband::Waveband;
use super::words::{EndpointUrl, Host, ShortName, Text};

/// Everything known about one archive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// The name used in tool arguments; the file is called `<short_name>.toml`.
    pub short_name: ShortName,
    /// The name people use.
    pub display_name: Text<60>,
    /// Its hosts. Every address below must be at one of them.
    pub host_suffixes: Vec<Host>,
    /// The bands its data cover.
    pub wavebands: Vec<Waveband>,
    /// What it holds.
    pub description: Text<280>,
    /// Lower is asked first where several archives would do.
    pub priority: u16,
    /// Why it is left out unless `MANNA_ARCHIVES` names it.
    pub paused: Option<Text<200>>,
    /// The tables to start from.
    #[serde(default)]
    pub notable_tables: Vec<Text<120>>,
    /// Its service addresses.
    #[serde(default)]
    pub services: Services,
    /// How much it answers.
    pub limits: Option<Limits>,
    /// How its ADQL differs from the standard.
    pub dialect: Option<Dialect>,
    /// How to count what it has at a position.
    pub count: Option<Count>,
    /// Tables with curated knowledge.
    #[serde(default)]
    pub tables: Vec<Table>,
    /// What experience has taught.
    #[serde(default)]
    pub notes: Vec<Note>,
}

/// The addresses of an archive's services.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Services {
    /// The main TAP service.
    pub tap: Option<EndpointUrl>,
    /// Other TAP services of the same archive.
    #[serde(default)]
    pub further_taps: Vec<FurtherTap>,
    /// Image search.
    pub sia: Option<Sia>,
    /// Cone search; where an archive has one cone a table, that of the table to start from.
    pub scs: Option<EndpointUrl>,
    /// Spectrum search.
    pub ssa: Option<EndpointUrl>,
    /// DataLink, without the `ID`.
    pub datalink: Option<EndpointUrl>,
    /// Cut-outs (SODA, sync).
    pub soda: Option<EndpointUrl>,
}

impl Services {
    /// The protocols offered, in their own words.
    #[must_use]
    pub fn offered(&self) -> Vec<&'static str> {
        [
            ("tap", self.tap.is_some()),
            ("sia", self.sia.is_some()),
            ("scs", self.scs.is_some()),
            ("ssa", self.ssa.is_some()),
            ("datalink", self.datalink.is_some()),
            ("soda", self.soda.is_some()),
        ]
        .into_iter()
        .filter_map(|(word, there)| there.then_some(word))
        .collect()
    }

    /// Every address, with the key it stands under.
    pub fn endpoints(&self) -> impl Iterator<Item = (&'static str, &EndpointUrl)> {
        let tap = self.tap.iter().map(|url| ("tap", url));
        tap.chain(
            self.further_taps
                .iter()
                .map(|tap| ("further_taps", &tap.url)),
        )
        .chain(self.sia.iter().map(|sia| ("sia", &sia.url)))
        .chain(self.scs.iter().map(|url| ("scs", url)))
        .chain(self.ssa.iter().map(|url| ("ssa", url)))
        .chain(self.datalink.iter().map(|url| ("datalink", url)))
        .chain(self.soda.iter().map(|url| ("soda", url)))
    }
}

/// A TAP service beside the main one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FurtherTap {
    /// Its address.
    pub url: EndpointUrl,
    /// What it is for.
    pub about: Text<160>,
}

/// An image search service.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sia {
    /// The address queries are sent to.
    pub url: EndpointUrl,
    /// 1 or 2.
    #[schemars(range(min = 1, max = 2))]
    pub version: u8,
}

/// How much an archive answers, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Rows a synchronous query gives at most, whatever was asked for.
    pub sync_rows: Option<u64>,
    /// Seconds a synchronous query may take.
    pub sync_seconds: Option<u32>,
    /// Rows given when no MAXREC is sent.
    pub default_rows: Option<u64>,
    /// Rows given at most in any mode.
    pub hard_rows: Option<u64>,
    /// Seconds an asynchronous job may run.
    pub async_seconds: Option<u32>,
    /// Hours the results of a job are kept.
    pub retention_hours: Option<u32>,
    /// Rows an uploaded table may have.
    pub upload_rows: Option<u64>,
    /// Where these come from.
    pub source: Text<200>,
}

/// How an archive's ADQL differs from the standard.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dialect {
    /// How to ask for a part of the sky.
    pub geometry: GeometrySupport,
    /// Functions of the standard that are refused, in upper case.
    #[serde(default)]
    pub missing_functions: Vec<Text<40>>,
    /// `LIMIT n` is accepted and has no effect.
    #[serde(default)]
    pub limit_ignored: bool,
    /// When names are put in double quotes.
    #[serde(default)]
    pub quoting: Quoting,
    /// Whether letter case matters in table names.
    #[serde(default)]
    pub name_case: NameCase,
    /// Where this comes from.
    pub source: Text<200>,
}

/// How to ask an archive for a part of the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GeometrySupport {
    /// The geometry functions of ADQL.
    Adql,
    /// `q3c_radial_query` and its kin.
    Q3c,
    /// Only comparisons of the coordinates, though the functions may parse.
    BoxOnly,
    /// No geometry at all.
    None,
}

/// When names are put in double quotes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quoting {
    /// When they are not regular identifiers, as the standard has it.
    #[default]
    Standard,
    /// Table names always: they hold `/` and other signs.
    Tables,
}

/// Whether letter case matters in table names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NameCase {
    /// It does not.
    #[default]
    Insensitive,
    /// The exact spelling is needed.
    Exact,
}

/// How to count what an archive has at a position.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// The table, ready to stand in a query.
    pub table: Text<120>,
    /// The condition on the position: needs `region` or `ra` and `dec` below.
    pub geometry: CountGeometry,
    /// Column with the footprint, for `region`.
    pub region: Option<Text<60>>,
    /// Column with the right ascension in degrees, for the others.
    pub ra: Option<Text<60>>,
    /// Column with the declination in degrees, for the others.
    pub dec: Option<Text<60>>,
    /// What is counted, such as `COUNT(DISTINCT obs_id)`.
    pub expression: Text<120>,
    /// How to ask.
    pub mode: CountMode,
}

/// The condition a count puts on the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountGeometry {
    /// `INTERSECTS(CIRCLE(...), region) = 1`.
    Region,
    /// `CONTAINS(POINT(ra, dec), CIRCLE(...)) = 1`.
    Point,
    /// `q3c_radial_query(ra, dec, ...) = 't'`.
    Q3c,
    /// Bounds on `ra` and `dec` round the circle.
    Box,
}

/// How a count is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CountMode {
    /// The answer comes in time.
    Sync,
    /// It takes a job.
    Async,
}

/// Curated knowledge about one table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The table as it stands in a query.
    pub name: Text<120>,
    /// Columns one would expect and that are not there.
    #[serde(default)]
    pub missing_columns: Vec<Text<60>>,
    /// The values a column takes.
    #[serde(default)]
    pub value_enums: BTreeMap<String, Vec<Text<80>>>,
    /// The columns that matter most.
    #[serde(default)]
    pub key_columns: Vec<KeyColumn>,
    /// The same or matching rows elsewhere.
    #[serde(default)]
    pub cross_references: Vec<CrossReference>,
}

/// A column that matters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyColumn {
    /// Its name.
    pub name: Text<60>,
    /// Its unit as the archive writes it.
    pub unit: Option<Text<40>>,
    /// Its UCD.
    pub ucd: Option<Text<80>>,
    /// What it means.
    pub about: Option<Text<160>>,
}

/// A table of an archive in our notes that has the same or matching rows.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CrossReference {
    /// That archive's short name.
    pub archive: ShortName,
    /// That table, as its own archive's file has it.
    pub table: Text<120>,
    /// How they relate.
    pub about: Text<160>,
}

/// How good the evidence is. Weaker evidence than this is not written down as a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// The operator says so, or several independent clients rely on it.
    High,
    /// One client relies on it, or somebody saw it and said when.
    Medium,
}

impl Archive {
    /// Reads one notes file; `file` is its name, for messages and to be compared with the short name.
    ///
    /// # Errors
    /// The first fault, with its line: bad TOML, an unknown key, a value that does not fit, two notes with
    /// one id, an address at a host that is not the archive's.
    pub fn parse(file: &str, text: &str) -> Result<Self, NotesError> {
        let archive: Self =
            toml::from_str(text).map_err(|e| NotesError::from_toml(file, text, &e))?;
        match archive.fault(file) {
            None => Ok(archive),
            Some(fault) => {
                let span = fault.span(text);
                Err(NotesError::at(file, text, span, fault.message))
            }
        }
    }

    /// Whether `host` (lower case) is one of this archive's.
    #[must_use]
    pub fn owns(&self, host: &str) -> bool {
        self.claim_on(host).is_some()
    }

    /// How long the longest of this archive's hosts is that covers `host`.
    pub(super) fn claim_on(&self, host: &str) -> Option<usize> {
        self.host_suffixes
            .iter()
            .filter(|own| own.covers(host))
            .map(|own| own.len())
            .max()
    }

    /// Whether the notes speak of this table; letter case and quotes are passed over.
    #[must_use]
    pub fn has_table(&self, name: &str) -> bool {
        self.table(name).is_some()
            || self
                .notable_tables
                .iter()
                .any(|known| same_table(known, name))
    }

    /// The curated knowledge about a table; letter case and quotes are passed over.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables
            .iter()
            .find(|table| same_table(&table.name, name))
    }

    /// The bands in one string, as contract section 2 has it.
    #[must_use]
    pub fn waveband(&self) -> String {
        self.wavebands
            .iter()
            .map(|band| band.word())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The guidance of the first pitfall that fires on a query the archive refused.
    #[must_use]
    pub fn hint_for(&self, adql: &str) -> Option<&str> {
        let pitfalls = self.notes.iter().filter_map(|note| note.pitfall.as_ref());
        pitfalls
            .into_iter()
            .find(|pitfall| pitfall.fires_on(adql))
            .map(|pitfall| &*pitfall.guidance)
    }
}
