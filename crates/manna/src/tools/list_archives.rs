//! `list_archives`: what the server knows about archives, from the notes built into it. Touches no network.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::context::Context;
use super::{About, Tool};
use crate::notes::Archive;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// One archive in full, by its short name, e.g. gaia.
    #[serde(default)]
    short_name: Option<String>,
    /// Only archives with data in this band, e.g. radio, infrared, optical, x-ray.
    #[serde(default)]
    waveband: Option<String>,
}

pub(super) fn tool() -> Tool {
    let about = About {
        name: "list_archives",
        title: "List the known archives",
        description: "List the astronomical archives this server knows: short name, wavebands, services, TAP endpoint. \
            With `short_name` or `waveband` the entries are whole: all endpoints, notable tables, and `usage_notes`, \
            the traps that spoil queries at that archive. Read them before you write ADQL for it. Free: reads what is \
            built in, asks no archive."
            .to_owned(),
        read_only: true,
        open_world: false,
        output: &[("archives", "array"), ("count", "integer")],
    };
    Tool::new(
        about,
        |context, args| async move { Ok(run(&context, &args)) },
    )
}

fn run(context: &Arc<Context>, args: &Args) -> Value {
    let name = given(args.short_name.as_deref());
    let waveband = given(args.waveband.as_deref());
    let entry = if name.is_some() || waveband.is_some() {
        whole
    } else {
        brief
    };
    let archives: Vec<Value> = context
        .archives
        .matching(name, waveband)
        .map(entry)
        .collect();
    let mut answer = Map::new();
    answer.insert("count".into(), archives.len().into());
    if archives.is_empty() {
        answer.insert("hint".into(), nothing_matches(context).into());
    }
    answer.insert("archives".into(), archives.into());
    Value::Object(answer)
}

/// A filter that says nothing is none.
fn given(filter: Option<&str>) -> Option<&str> {
    filter.map(str::trim).filter(|filter| !filter.is_empty())
}

fn brief(archive: &Archive) -> Value {
    json!({
        "short_name": *archive.short_name,
        "display_name": *archive.display_name,
        "waveband": archive.waveband(),
        "services": archive.services.offered(),
        "tap_url": archive.services.tap.as_ref().map(|url| url.to_string()),
        "note_count": archive.notes.len(),
    })
}

fn whole(archive: &Archive) -> Value {
    let services = &archive.services;
    let words = |items: &[crate::notes::Text<120>]| {
        items
            .iter()
            .map(|item| item.to_string())
            .collect::<Vec<_>>()
    };
    json!({
        "short_name": *archive.short_name,
        "display_name": *archive.display_name,
        "host_substrings": archive.host_suffixes.iter().map(|host| host.to_string()).collect::<Vec<_>>(),
        "tap_url": services.tap.as_ref().map(|url| url.to_string()),
        "sia_url": services.sia.as_ref().map(|sia| sia.url.to_string()),
        "scs_url": services.scs.as_ref().map(|url| url.to_string()),
        "waveband": archive.waveband(),
        "wavebands": archive.wavebands.iter().map(|band| band.word()).collect::<Vec<_>>(),
        "description": *archive.description,
        "notable_tables": words(&archive.notable_tables),
        "usage_notes": archive.notes.iter().map(|note| note.usage_note()).collect::<Vec<_>>(),
    })
}

fn nothing_matches(context: &Context) -> String {
    let names: Vec<&str> = context
        .archives
        .active()
        .map(|archive| &*archive.short_name)
        .collect();
    format!(
        "No archive matches. The short names are: {}.",
        names.join(", ")
    )
}
