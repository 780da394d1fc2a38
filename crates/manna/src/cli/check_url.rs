//! `manna check-url URL`: the guard's verdict, for operators and for the curious.

use clap::Args;
use manna_vo::http::{Dns, Door, StaticAnswer};
use serde_json::json;

use super::{Failure, Outcome, SettingFlags, say, setup};
use crate::config::Mode;

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// The URL as a caller would give it.
    #[arg(allow_hyphen_values = true)]
    url: String,
    /// A DNS answer, as host=addr[,addr]; `host=` answers with nothing. Any of them turns real DNS off.
    #[arg(long, value_name = "HOST=ADDRESSES")]
    dns: Vec<StaticAnswer>,
}

pub(super) fn run(settings: &SettingFlags, flags: Flags) -> Outcome {
    let mut door = setup::config(settings, Mode::Command)?.door_settings();
    if !flags.dns.is_empty() {
        door.dns = Dns::fixed(flags.dns);
    }
    let door = Door::new(door).map_err(|error| Failure::new(error.to_string()))?;
    let verdict = setup::block_on(door.verdict(&flags.url))?;
    // A verdict is an answer, whichever it is: the exit code is 0.
    say(
        &json!({"verdict": verdict.word(), "reason": format!("the URL {}", verdict.reason)})
            .to_string(),
    )
}
