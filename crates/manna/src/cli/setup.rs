//! From the settings to what a command works with.

use std::time::Duration;

use manna_vo::http::{Door, ServiceUrl, Settings};
use tokio::runtime::{Builder, Runtime};

use super::{Failure, SettingFlags, log};
use crate::config::{Config, Inputs, Mode};
use crate::notes::{Archive, Archives};
use crate::shape::Caps;
use crate::tools::Context;

/// The settings in force, and logging started at the level they name.
pub(super) fn config(flags: &SettingFlags, mode: Mode) -> Result<Config, Failure> {
    let inputs = Inputs::of_process(mode, flags.config.clone(), flags.set.clone())?;
    let config = Config::load(&inputs).map_err(|faults| Failure::new(faults.to_string()))?;
    log::start(level(&config, mode));
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    Ok(config)
}

/// A command that a person runs says what it has to say itself: unless a level was asked for, only trouble is
/// logged.
fn level(config: &Config, mode: Mode) -> &'static str {
    let report = config.report();
    let asked_for = report
        .lines()
        .iter()
        .any(|line| line.name == "MANNA_LOG_LEVEL" && line.origin != "default");
    if mode == Mode::Command && !asked_for {
        "error"
    } else {
        config.log_level.as_str()
    }
}

/// What the tools work on, as the settings have it.
pub(super) fn context(config: &Config) -> Result<Context, Failure> {
    let archives = Archives::load(&config.archive_sources());
    build(
        config,
        config.door_settings(),
        archives,
        &config.sesame_urls,
    )
}

/// The same for `manna demo`: the embedded archive's port may be reached, it is a known archive, and names are
/// resolved there. No setting of an operator can keep the demo from its own archive, nor widen what it reaches.
pub(super) fn demo_context(
    config: &Config,
    port: u16,
    archive: Archive,
    sesame: &str,
) -> Result<Context, Failure> {
    let mut door = config.door_settings();
    door.trusted_hosts = vec![read(&format!("127.0.0.1:{port}"))?];
    if !door.allowed_hosts.is_empty() {
        door.allowed_hosts.push(read("127.0.0.1")?);
    }
    let mut archives = Archives::load(&config.archive_sources());
    archives.register(archive);
    build(config, door, archives, &[sesame.to_owned()])
}

fn build(
    config: &Config,
    door: Settings,
    archives: Archives,
    sesame: &[String],
) -> Result<Context, Failure> {
    let door = Door::new(door).map_err(|error| Failure::new(error.to_string()))?;
    let mirror = |url: &String| {
        door.parse(url).map_err(|refusal| {
            Failure::new(format!("MANNA_SESAME_URLS: {url} {}", refusal.message()))
        })
    };
    let sesame: Vec<ServiceUrl> = sesame.iter().map(mirror).collect::<Result<_, _>>()?;
    Ok(Context {
        door,
        archives,
        sesame,
        sync_timeout: config.tap_sync_timeout,
        caps: Caps {
            rows: config.inline_row_limit,
            bytes: config.inline_byte_limit,
        },
        max_calls: config.max_concurrency,
    })
}

fn read<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, Failure> {
    text.parse()
        .map_err(|error: T::Err| Failure::new(error.to_string()))
}

/// Runs `work` to its end. What it left running is not waited for: a resolver or an archive that hangs must not
/// keep the process.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime: Runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("no runtime: {error}")))?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(done)
}
