//! The command line: one file a command. `manna` without a command serves HTTP, `manna --stdio` standard input
//! and output. Answers go to standard output, logs to standard error.

mod call;
mod check_url;
mod config;
mod demo;
mod log;
mod serve;
mod setup;
mod table;
mod tools;
mod votable;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Gives language models and people the astronomical archives of the Virtual Observatory.
#[derive(Debug, Parser)]
#[command(name = "manna", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    settings: SettingFlags,

    /// Serve MCP over standard input and output (the same as `manna stdio`).
    #[arg(long)]
    stdio: bool,

    #[command(subcommand)]
    command: Option<Command>,
}

/// Flags that stand above every other source of settings.
#[derive(Debug, Clone, Default, Args)]
struct SettingFlags {
    /// Settings file (manna.toml).
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    /// A setting, as MANNA_NAME=VALUE or NAME=VALUE; may be repeated.
    #[arg(long = "set", global = true, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP over HTTP at /mcp (the default).
    Serve(serve::Flags),
    /// Serve MCP over standard input and output.
    Stdio,
    /// A short tour through the tools on an embedded archive; needs no network.
    Demo(demo::Flags),
    /// List the tools.
    Tools(tools::Flags),
    /// Call one tool and print its result as JSON; exit code 1 when the result is an error.
    Call(call::Flags),
    /// Say whether the server would fetch a URL, and why not.
    CheckUrl(check_url::Flags),
    /// Say what a VOTable holds, or print its rows.
    Votable(votable::Flags),
    /// Print the effective settings and where each comes from.
    Config(config::Flags),
}

/// What a command says when it cannot do its job: one line, for a person.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Failure(String);

impl Failure {
    fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

type Outcome = Result<ExitCode, Failure>;

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let command = match (cli.stdio, cli.command) {
        (true, None) => Command::Stdio,
        (true, Some(_)) => {
            complain("--stdio stands alone: it takes the place of a command");
            return ExitCode::from(2);
        }
        (false, command) => command.unwrap_or(Command::Serve(serve::Flags::default())),
    };
    let outcome = match command {
        Command::Serve(flags) => serve::run(&cli.settings, flags),
        Command::Stdio => serve::stdio(&cli.settings),
        Command::Demo(flags) => demo::run(&cli.settings, &flags),
        Command::Tools(flags) => tools::run(&cli.settings, &flags),
        Command::Call(flags) => call::run(&cli.settings, flags),
        Command::CheckUrl(flags) => check_url::run(&cli.settings, flags),
        Command::Votable(flags) => votable::run(flags),
        Command::Config(flags) => config::run(&cli.settings, &flags),
    };
    outcome.unwrap_or_else(|failure| {
        complain(&failure.0);
        ExitCode::FAILURE
    })
}

fn complain(text: &str) {
    // A closed standard error is no reason to fail in another way.
    let _ = writeln!(std::io::stderr(), "manna: {text}");
}

/// Writes `text` and a newline to standard output. A reader that has gone (`manna tools | head`) is no fault.
fn say(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}
