//! `manna config`: the settings in force and where each comes from.

use clap::Args;

use super::{Failure, Outcome, SettingFlags, say, setup};
use crate::config::Mode;

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// As a JSON list.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(settings: &SettingFlags, flags: &Flags) -> Outcome {
    // Read as `manna serve` would, so that what is printed is what a server started here would do.
    let report = setup::config(settings, Mode::Http)?.report();
    if flags.json {
        let text = serde_json::to_string_pretty(&report)
            .map_err(|error| Failure::new(error.to_string()))?;
        return say(&text);
    }
    say(report.to_string().trim_end())
}
