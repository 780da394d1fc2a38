//! `run_adql_query`: one ADQL query at one TAP service, answered inline.

use std::sync::Arc;

use manna_vo::tap::{self, SyncAnswer, SyncQuery, TapError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::context::{Context, refused};
use super::error::ToolError;
use super::failure;
use super::{About, Tool};
use crate::shape::{InlineTable, Taken, text};

/// Bytes of the envelope beside columns and rows: label, flags, hints and steps.
const ENVELOPE_BYTES: usize = 1_500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// TAP endpoint, e.g. https://datalab.noirlab.edu/tap; list_archives names those that are known.
    #[schemars(length(min = 1))]
    endpoint: String,
    /// One ADQL query. TOP n instead of LIMIT; angles in degrees.
    #[schemars(length(min = 1))]
    adql: String,
    /// Most rows wanted.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(default = "default_maxrec")]
    maxrec: u32,
    /// sync: an answer too large to show is an error. auto: its first rows are shown.
    #[serde(default)]
    mode: Mode,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Sync,
    #[default]
    Auto,
}

fn default_maxrec() -> u32 {
    10_000
}

/// The tool, its description ending with the notes that a model must know before it writes a query.
pub(super) fn tool(upfront_notes: &str) -> Tool {
    let mut description = "Run one ADQL query (SQL with TOP, and CONTAINS/POINT/CIRCLE for cones) at a TAP service \
        and return its rows inline with columns, units and UCDs. Use list_archives first for the endpoint and the \
        archive's traps, resolve_target_name for coordinates. Ask for few columns and rows: what is shown is capped, \
        and `truncated` with `truncation_reason` says whether rows are missing. A rejected query is tap_query_error \
        with the archive's own message and often a hint: mend the ADQL and call again."
        .to_owned();
    if !upfront_notes.is_empty() {
        description.push_str("\nKnown traps:\n");
        description.push_str(upfront_notes);
    }
    let about = About {
        name: "run_adql_query",
        title: "Run an ADQL query",
        description,
        read_only: true,
        open_world: true,
        output: &[
            ("row_count", "integer"),
            ("columns", "array"),
            ("rows", "array"),
            ("truncated", "boolean"),
            ("truncation_reason", ""),
            ("archive", "string"),
            ("next_steps", "array"),
            ("hints", "array"),
        ],
    };
    Tool::new(about, run)
}

async fn run(context: Arc<Context>, args: Args) -> Result<Value, ToolError> {
    let endpoint = context.service_url("endpoint", &args.endpoint)?;
    let host = endpoint.host().to_string();
    let archive = context.archives.label(&host);
    let caps = context.caps;
    let shown = caps.rows.min(args.maxrec as usize);
    // One row more than can be shown: "exactly that many" and "cut" can then be told apart, and a large answer
    // never crosses the wire to be thrown away.
    let query = SyncQuery {
        adql: &args.adql,
        maxrec: Some(shown as u64 + 1),
        timeout: context.sync_timeout,
    };
    let mut answer = tap::sync(&context.door, &endpoint, query)
        .await
        .map_err(|error| explain(&context, &host, &archive, &args.adql, error))?;

    let mut table = InlineTable::new(
        answer.fields(),
        crate::shape::Caps {
            rows: shown,
            ..caps
        },
        ENVELOPE_BYTES,
    );
    let end = fill(&mut answer, &mut table).await;
    let cut = match end {
        End::Whole => None,
        End::ArchiveLimit => Some(Cut::ArchiveLimit),
        End::Full if table.len() == args.maxrec as usize => Some(Cut::Maxrec),
        End::Full if args.mode == Mode::Sync => return Err(too_large(table.len(), caps.rows)),
        End::Full => Some(Cut::InlineCap),
        // Rows that arrived are worth more than none, as long as nobody takes them for all.
        End::Broken(_) if !table.is_empty() => Some(Cut::Broken),
        End::Broken(error) => return Err(explain(&context, &host, &archive, &args.adql, error)),
    };
    Ok(envelope(table, cut, &archive, answer.warnings()))
}

/// How reading the rows ended.
enum End {
    Whole,
    Full,
    ArchiveLimit,
    Broken(TapError),
}

async fn fill(answer: &mut SyncAnswer, table: &mut InlineTable) -> End {
    loop {
        match answer.next_row().await {
            Ok(Some(row)) => {
                if table.push(row) == Taken::Full {
                    return End::Full;
                }
            }
            Ok(None) => break,
            Err(error) => return End::Broken(error),
        }
    }
    if answer.overflowed() {
        End::ArchiveLimit
    } else {
        End::Whole
    }
}

/// Why rows are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Maxrec,
    InlineCap,
    ArchiveLimit,
    Broken,
}

impl Cut {
    fn reason(self) -> &'static str {
        match self {
            Self::Maxrec => "maxrec_exceeded",
            Self::InlineCap => "inline_cap_exceeded",
            Self::ArchiveLimit | Self::Broken => "archive_limit",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Maxrec => "These are the first `maxrec` rows; there are more.",
            Self::InlineCap => {
                "These are the first rows; there are more than an inline answer can show."
            }
            Self::ArchiveLimit => {
                "The archive itself cut this answer at a limit of its own; rows are missing."
            }
            Self::Broken => "The archive broke off before the end of its answer; rows are missing.",
        }
    }

    fn step(self) -> &'static str {
        match self {
            Self::Maxrec => "Raise `maxrec` if more rows are needed.",
            Self::InlineCap => {
                "Do not count these rows. Narrow the query (TOP, fewer columns, a tighter WHERE), or let the archive \
                 count and average with COUNT(*), AVG(...) and GROUP BY."
            }
            Self::ArchiveLimit => {
                "Do not count these rows. Split the query, for example by ranges of a coordinate."
            }
            Self::Broken => {
                "Call again with a smaller query; do not treat these rows as the whole answer."
            }
        }
    }
}

fn envelope(table: InlineTable, cut: Option<Cut>, archive: &str, warnings: Vec<String>) -> Value {
    let row_count = table.len();
    let (columns, rows, notes) = table.into_json();
    let hint = |kind: &str, text: String| json!({"kind": kind, "text": text, "source": "manna"});
    let mut hints = Vec::new();
    if let Some(cut) = cut {
        hints.push(hint("truncated", cut.hint().into()));
    }
    if notes.removed > 0 {
        hints.push(hint(
            "cleaned",
            format!(
                "{} invisible or control characters were taken out of texts.",
                notes.removed
            ),
        ));
    }
    if notes.cut > 0 {
        let limit = text::CELL_CHARS;
        hints.push(hint(
            "cut_cells",
            format!("{} long texts were cut at {limit} characters.", notes.cut),
        ));
    }
    hints.extend(
        warnings
            .into_iter()
            .map(|warning| hint("document", warning)),
    );
    let next_steps: Vec<&str> = cut.iter().map(|cut| cut.step()).collect();
    json!({
        "row_count": row_count,
        "columns": columns,
        "rows": rows,
        "truncated": cut.is_some(),
        "truncation_reason": cut.map(Cut::reason),
        "archive": archive,
        "next_steps": next_steps,
        "hints": hints,
    })
}

fn too_large(rows: usize, cap: usize) -> ToolError {
    let message = if rows >= cap {
        format!("the answer has more than the {cap} rows that fit inline")
    } else {
        format!("the answer has more bytes than fit inline: {rows} of its rows would")
    };
    ToolError::validation(message).hint(
        "Ask for less: SELECT TOP n, fewer columns, a tighter WHERE, or COUNT(*). mode \"auto\" shows the first rows.",
    )
}

fn explain(context: &Context, host: &str, archive: &str, adql: &str, error: TapError) -> ToolError {
    match error {
        TapError::Refused(refusal) => refused("endpoint", &refusal),
        TapError::Rejected { message } => {
            let shown = text::clean(message.trim(), text::MESSAGE_CHARS).text;
            let hint = context.archives.error_hint(host, adql).map_or_else(
                || format!("The message is the archive's own ({archive}). Mend the ADQL and call again."),
                str::to_owned,
            );
            ToolError::query(shown).hint(hint)
        }
        other => failure::archive(archive, other),
    }
}
