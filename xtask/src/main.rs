//! Runs every check of the project: `cargo xtask check`. CI runs the same command and no other.
//!
//! What a check needs beside cargo is installed on first use, at the version written in [`install`]. Nothing but
//! the standard library is used here, so that this program itself builds in seconds on a new machine.

mod install;
mod process;
mod steps;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use process::{Failure, Skips, Workspace};
use steps::{STEPS, Step};

const USAGE: &str = "\
usage: cargo xtask check [--only STEP]... [--skip STEP]...
       cargo xtask list

check  runs the steps in order and stops at the first that fails
list   names the steps";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((command, options)) if command == "check" => match chosen(options) {
            Ok(steps) => check(&steps),
            Err(problem) => {
                say(&format!("{problem}\n\n{USAGE}"));
                ExitCode::from(2)
            }
        },
        Some((command, [])) if command == "list" => {
            for step in STEPS {
                say(&format!("{:<12} {}", step.name, step.about));
            }
            ExitCode::SUCCESS
        }
        _ => {
            say(USAGE);
            ExitCode::from(2)
        }
    }
}

/// The steps that `--only` and `--skip` leave.
fn chosen(options: &[String]) -> Result<Vec<&'static Step>, String> {
    let mut only = Vec::new();
    let mut skip = Vec::new();
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        let list = match option.as_str() {
            "--only" => &mut only,
            "--skip" => &mut skip,
            other => return Err(format!("unknown option {other}")),
        };
        let name = rest
            .next()
            .ok_or_else(|| format!("{option} needs the name of a step"))?;
        if !STEPS.iter().any(|step| step.name == name) {
            let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
            return Err(format!(
                "there is no step {name:?}; the steps are {}",
                names.join(", ")
            ));
        }
        list.push(name.as_str());
    }
    Ok(STEPS
        .iter()
        .filter(|step| only.is_empty() || only.contains(&step.name))
        .filter(|step| !skip.contains(&step.name))
        .collect())
}

fn check(steps: &[&Step]) -> ExitCode {
    let workspace = Workspace::here();
    let mut times = Vec::new();
    let mut skips = Skips::default();
    let mut failed = None;
    for step in steps {
        say(&format!("\n==> {}: {}", step.name, step.about));
        let started = Instant::now();
        let outcome = run(step, &workspace, &mut skips);
        times.push((step.name, started.elapsed()));
        if let Err(failure) = outcome {
            failed = Some((step.name, failure));
            break;
        }
    }
    report(&times, &skips);
    match failed {
        None => {
            say("all checks passed");
            ExitCode::SUCCESS
        }
        Some((name, failure)) => {
            say(&format!("{failure}\nfailed: {name}"));
            ExitCode::FAILURE
        }
    }
}

fn run(step: &Step, workspace: &Workspace, skips: &mut Skips) -> Result<(), Failure> {
    let before = skips.len();
    (step.run)(workspace, skips)?;
    let new = skips.len() - before;
    if new > 0 && workspace.ci {
        return Err(Failure::new(format!(
            "{new} tests were skipped, which CI does not accept"
        )));
    }
    Ok(())
}

fn report(times: &[(&str, Duration)], skips: &Skips) {
    say("");
    for (name, time) in times {
        say(&format!("{name:<12} {:>7.1} s", time.as_secs_f64()));
    }
    let total: Duration = times.iter().map(|(_, time)| time).sum();
    say(&format!("{:<12} {:>7.1} s\n", "total", total.as_secs_f64()));
    for line in skips.lines() {
        say(line);
    }
}

/// Prints a line at once: what follows may be the output of another program.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // A closed standard output is no reason to stop checking; the exit code still tells.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
