//! `manna tools`: what the server offers.

use clap::Args;
use serde_json::{Value, json};

use super::{Outcome, SettingFlags, say, setup};
use crate::config::Mode;
use crate::tools::{Tool, Tools};

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// Everything an MCP client is told, as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(settings: &SettingFlags, flags: &Flags) -> Outcome {
    let tools = Tools::new(setup::context(&setup::config(settings, Mode::Command)?)?);
    let text = if flags.json {
        as_json(&tools)
    } else {
        for_people(&tools)
    };
    say(&text)
}

fn as_json(tools: &Tools) -> String {
    let list: Value = tools.list().iter().map(describe).collect();
    format!("{list:#}")
}

fn describe(tool: &Tool) -> Value {
    json!({
        "name": tool.about.name,
        "title": tool.about.title,
        "description": tool.about.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
    })
}

fn for_people(tools: &Tools) -> String {
    let lines: Vec<String> = tools.list().iter().map(one_tool).collect();
    lines.join("\n\n")
}

fn one_tool(tool: &Tool) -> String {
    let mut text = format!("{}  {}", tool.about.name, tool.about.title);
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let part = |key: &str| {
            schema
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        text.push_str(&format!(
            "\n    {name} ({})  {}",
            part("type"),
            part("description")
        ));
    }
    text
}
