//! How a note can be checked again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{EndpointUrl, Text};

/// How to find out whether a note is still true.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "AuditInFile")]
pub enum Audit {
    /// Run a query and see how it ends.
    Probe {
        /// The query.
        adql: Text<1000>,
        /// How it ends while the note is true.
        expect: Expectation,
        /// The TAP service to ask; the archive's main one unless given.
        tap: Option<EndpointUrl>,
    },
    /// Look in `TAP_SCHEMA.columns`: the note is true while every one of these columns exists.
    Columns {
        /// The table, as `TAP_SCHEMA` writes it.
        table: Text<120>,
        /// Its columns.
        columns: Vec<Text<120>>,
        /// The TAP service to ask; the archive's main one unless given.
        tap: Option<EndpointUrl>,
    },
    /// Only a person can tell.
    Manual {
        /// Why no query can.
        reason: Text<200>,
    },
}

/// How a probe ends while its note is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// The query is accepted.
    Ok,
    /// The archive refuses the query.
    Error,
    /// The query is accepted and has no row.
    Empty,
    /// The query is accepted and has a row.
    Nonempty,
}

/// How a note is checked: `{ probe, expect }`, `{ columns, table }` or `{ manual }`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AuditInFile {
    /// An ADQL query.
    probe: Option<Text<1000>>,
    /// How the probe ends while the note is true.
    expect: Option<Expectation>,
    /// The table whose columns must exist.
    table: Option<Text<120>>,
    /// Columns that must exist.
    columns: Option<Vec<Text<120>>>,
    /// Why only a person can tell.
    manual: Option<Text<200>>,
    /// One of the archive's further TAP services, when the main one is not the one to ask.
    tap: Option<EndpointUrl>,
}

impl TryFrom<AuditInFile> for Audit {
    type Error = &'static str;

    fn try_from(file: AuditInFile) -> Result<Self, &'static str> {
        match file {
            AuditInFile {
                probe: Some(adql),
                expect: Some(expect),
                tap,
                table: None,
                columns: None,
                manual: None,
            } => Ok(Self::Probe { adql, expect, tap }),
            AuditInFile {
                columns: Some(columns),
                table: Some(table),
                tap,
                probe: None,
                expect: None,
                manual: None,
            } if !columns.is_empty() => Ok(Self::Columns {
                table,
                columns,
                tap,
            }),
            AuditInFile {
                manual: Some(reason),
                probe: None,
                expect: None,
                tap: None,
                table: None,
                columns: None,
            } => Ok(Self::Manual { reason }),
            _ => Err(
                "an audit is one of { probe = \"SELECT ...\", expect = \"ok|error|empty|nonempty\" }, { columns = [\"...\"], table = \"...\" } (both may add `tap`) or { manual = \"why no query can tell\" }",
            ),
        }
    }
}
