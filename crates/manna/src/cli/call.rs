//! `manna call TOOL [JSON|-]`: one tool call, exactly as an MCP client would make it.

use std::io::Read;
use std::process::ExitCode;

use clap::Args;
use serde_json::Value;

use super::{Failure, Outcome, SettingFlags, say, setup};
use crate::config::Mode;
use crate::tools::{Object, Tools};

/// Longest arguments that are read, in bytes: as much as an MCP request may have.
const MOST_BYTES: u64 = 1 << 20;

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// The tool's name; `manna tools` lists them.
    tool: String,
    /// Its arguments as a JSON object, or - to read them from standard input.
    #[arg(default_value = "{}")]
    arguments: String,
}

pub(super) fn run(settings: &SettingFlags, flags: Flags) -> Outcome {
    let arguments = read(&flags.arguments)?;
    let tools = Tools::new(setup::context(&setup::config(settings, Mode::Command)?)?);
    let answer = setup::block_on(tools.call(&flags.tool, arguments))?;
    let text = serde_json::to_string_pretty(&answer.content)
        .map_err(|error| Failure::new(error.to_string()))?;
    say(&text)?;
    Ok(if answer.is_error {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn read(given: &str) -> Result<Object, Failure> {
    let mut text = given.to_owned();
    if given == "-" {
        text.clear();
        std::io::stdin()
            .take(MOST_BYTES)
            .read_to_string(&mut text)?;
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Failure::new(
            "the arguments must be a JSON object, such as '{\"name\": \"M87\"}'",
        )),
        Err(error) => Err(Failure::new(format!("the arguments are not JSON: {error}"))),
    }
}
