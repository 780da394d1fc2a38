//! Runs other programs: in the workspace, with the command line shown, and their output watched for tests that
//! say they were skipped.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use crate::say;

/// Where the checks run.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The top of the checkout.
    pub(crate) root: PathBuf,
    /// Where cargo builds; what is installed goes there too.
    pub(crate) target: PathBuf,
    /// This run decides whether a change is taken.
    pub(crate) ci: bool,
}

impl Workspace {
    /// The workspace this program was built in.
    pub(crate) fn here() -> Self {
        let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        root.pop();
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |target| root.join(target));
        let ci = std::env::var("CI").is_ok_and(|value| value == "true");
        Self { root, target, ci }
    }

    /// A command that will run at the top of the checkout.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).stdin(Stdio::null());
        // `cargo run` tells us about this package; no other build should see it.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&*name);
            }
        }
        command
    }

    /// `cargo` with these arguments.
    pub(crate) fn cargo<const N: usize>(&self, arguments: [&str; N]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.command(cargo);
        command.args(arguments);
        command
    }
}

/// Why a step failed, in words for the person who runs it.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The lines in which tests said that they could not run here.
#[derive(Debug, Default)]
pub(crate) struct Skips(Vec<String>);

impl Skips {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Runs `command` to its end, its output going where ours goes.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    show(command);
    let status = command
        .status()
        .map_err(|error| unstartable(command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("{}: {status}", words(command))))
    }
}

/// As [`run`], and keeps the lines that say a test was skipped.
pub(crate) fn run_tests(command: &mut Command, skips: &mut Skips) -> Result<(), Failure> {
    show(command);
    // The output of passing tests is where a test says that it was skipped; the harness would swallow it.
    command
        .env("RUST_TEST_NOCAPTURE", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| unstartable(command, &error))?;
    let out = child
        .stdout
        .take()
        .map(|pipe| thread::spawn(|| copy(pipe, &mut io::stdout())));
    let err = child
        .stderr
        .take()
        .map(|pipe| thread::spawn(|| copy(pipe, &mut io::stderr())));
    for copier in [out, err].into_iter().flatten() {
        let lines = copier
            .join()
            .map_err(|_| Failure::new("reading the output of the tests failed"))?;
        skips.0.extend(lines);
    }
    let status = child.wait().map_err(|error| unstartable(command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("{}: {status}", words(command))))
    }
}

/// Copies line by line, and returns the lines that say a test was skipped.
fn copy(from: impl Read, to: &mut impl Write) -> Vec<String> {
    let mut skipped = Vec::new();
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        // Even when nobody reads ours any more, the child's output must be drained.
        let _ = to.write_all(&line);
        let text = String::from_utf8_lossy(&line);
        // Not at the start of the line only: a harness with one thread writes "test NAME ... " before it.
        if let Some((_, reason)) = text.split_once("skipped: ") {
            skipped.push(format!("skipped: {}", reason.trim_end()));
        }
        line.clear();
    }
    skipped
}

fn show(command: &Command) {
    say(&format!("$ {}", words(command)));
}

fn words(command: &Command) -> String {
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.display(), value?.display())))
        .collect();
    let program = std::path::Path::new(command.get_program());
    words.push(
        program
            .file_name()
            .unwrap_or(command.get_program())
            .display()
            .to_string(),
    );
    words.extend(
        command
            .get_args()
            .map(|argument| argument.display().to_string()),
    );
    words.join(" ")
}

fn unstartable(command: &Command, error: &io::Error) -> Failure {
    Failure::new(format!("{} cannot be started: {error}", words(command)))
}

#[cfg(test)]
mod tests {
    use super::copy;

    #[test]
    fn a_skipped_test_is_seen_wherever_it_says_so() {
        let output = "test a ... skipped: corpus needs ../shared\nskipped: egress needs namespaces\ntest b ... ok\n";
        let mut copied = Vec::new();
        let skipped = copy(output.as_bytes(), &mut copied);
        assert_eq!(copied, output.as_bytes());
        assert_eq!(
            skipped,
            [
                "skipped: corpus needs ../shared",
                "skipped: egress needs namespaces"
            ]
        );
    }
}
