//! `resolve_target_name`: an object's name to ICRS coordinates, by Sesame.

use std::sync::Arc;

use manna_vo::sesame::{self, Patience, Resolution, SesameError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::Context;
use super::error::ToolError;
use super::{About, Tool};
use crate::shape::text;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Name or designation, e.g. M87, NGC 4486, Sirius, TRAPPIST-1.
    #[schemars(length(min = 1, max = 200))]
    name: String,
}

pub(super) fn tool() -> Tool {
    let about = About {
        name: "resolve_target_name",
        title: "Resolve an object's name",
        description: "Turn the name of an astronomical object into ICRS coordinates in degrees, with its type, other \
            names and the database that knew it (SIMBAD, NED or VizieR, through Sesame). Use it before any search by \
            position; do not guess coordinates. An unknown name is no error: `resolved` is then false and `message` \
            says what to try. Costs one short request."
            .to_owned(),
        read_only: true,
        open_world: true,
        output: &[
            ("resolved", "boolean"),
            ("name", "string"),
            ("ra", "number"),
            ("dec", "number"),
            ("frame", "string"),
            ("unit", "string"),
            ("object_type", ""),
            ("source", ""),
            ("aliases", "array"),
        ],
    };
    Tool::new(about, run)
}

async fn run(context: Arc<Context>, args: Args) -> Result<Value, ToolError> {
    let name = args.name.trim();
    match sesame::resolve(&context.door, &context.sesame, name, Patience::default()).await {
        Ok(Some(found)) => Ok(answer(name, &found)),
        Ok(None) => Ok(json!({
            "resolved": false,
            "name": name,
            "message": "No object of that name is known to SIMBAD, NED or VizieR. Check the spelling, try another \
                designation (for example the NGC, HD or 2MASS number), or use coordinates.",
        })),
        Err(SesameError::Name(why)) => Err(ToolError::validation(format!("`name`: {why}"))),
        Err(error @ SesameError::Down { .. }) => {
            tracing::warn!(cause = %error, "no name resolver answered");
            Err(ToolError::archive(
                "no name resolver answered; this says nothing about whether the object exists",
            )
            .hint("Call again in a minute, or go on with coordinates if you have them."))
        }
        Err(error) => {
            tracing::warn!(cause = %error, "name resolver");
            Err(ToolError::internal())
        }
    }
}

fn answer(name: &str, found: &Resolution) -> Value {
    let shown = |raw: &str| text::one_line(raw, text::DESCRIPTION_CHARS);
    json!({
        "resolved": true,
        "name": name,
        "ra": found.ra_deg,
        "dec": found.dec_deg,
        "frame": "icrs",
        "unit": "deg",
        "object_type": found.object_type.as_deref().map(shown),
        "source": found.database.map(|database| database.name()),
        "aliases": found.aliases.iter().map(|alias| shown(alias)).collect::<Vec<_>>(),
    })
}
