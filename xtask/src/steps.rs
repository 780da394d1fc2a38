//! The steps, in the order in which they run: what is quick and fails often comes first.

use crate::install;
use crate::process::{Failure, Skips, Workspace, run, run_tests};

/// One check.
#[derive(Debug)]
pub(crate) struct Step {
    /// What `--only` and `--skip` call it.
    pub(crate) name: &'static str,
    /// One line for people.
    pub(crate) about: &'static str,
    pub(crate) run: fn(&Workspace, &mut Skips) -> Result<(), Failure>,
}

/// Every check of the project.
pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "the code is formatted",
        run: fmt,
    },
    Step {
        name: "test",
        about: "the tests pass, by the command of the README",
        run: test,
    },
    Step {
        name: "clippy",
        about: "no lint has anything to say",
        run: clippy,
    },
    Step {
        name: "docs",
        about: "the documentation builds without a warning",
        run: docs,
    },
    Step {
        name: "fuzz",
        about: "the fuzz targets compile",
        run: fuzz,
    },
    Step {
        name: "release",
        about: "the binary that is shipped builds",
        run: release,
    },
    Step {
        name: "slow",
        about: "the exhaustive tests pass",
        run: slow,
    },
    Step {
        name: "conformance",
        about: "the MCP conformance suite passes",
        run: conformance,
    },
    Step {
        name: "clients",
        about: "real MCP clients work with the binary",
        run: clients,
    },
    Step {
        name: "typos",
        about: "no word is misspelt",
        run: typos,
    },
    Step {
        name: "deny",
        about: "dependencies, their licences and sources are as agreed",
        run: deny,
    },
];

fn fmt(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    run(&mut workspace.cargo(["fmt", "--all", "--check"]))
}

fn test(workspace: &Workspace, skips: &mut Skips) -> Result<(), Failure> {
    install::debian(workspace, "ip", "iproute2")?;
    install::debian(workspace, "unshare", "util-linux")?;
    run_tests(
        &mut workspace.cargo(["test", "--workspace", "--locked"]),
        skips,
    )
}

fn clippy(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    run(&mut workspace.cargo([
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ]))
}

fn docs(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    run(workspace
        .cargo(["doc", "--workspace", "--no-deps", "--locked"])
        .env("RUSTDOCFLAGS", "-D warnings"))
}

fn fuzz(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    // A workspace of its own; a folder of its own, too, or the two would rebuild each other's dependencies.
    run(workspace
        .cargo(["check", "--locked", "--manifest-path", "fuzz/Cargo.toml"])
        .env("CARGO_TARGET_DIR", workspace.target.join("fuzz")))
}

fn release(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    run(&mut workspace.cargo(["build", "--release", "--locked", "--package", "manna"]))
}

fn slow(workspace: &Workspace, skips: &mut Skips) -> Result<(), Failure> {
    // Every IPv4 address against a second table; only in release it is a matter of seconds.
    run_tests(
        &mut workspace.cargo([
            "test",
            "--locked",
            "--release",
            "--package",
            "manna-vo",
            "--features",
            "slow",
            "--test",
            "ipv4_exhaustive",
        ]),
        skips,
    )
}

fn conformance(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    script(workspace, "conformance.py")
}

fn clients(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    install::debian(workspace, "openssl", "openssl")?;
    script(workspace, "all.py")
}

/// Runs one of the Python programs of `tests/clients` against the binary that is shipped and the example servers.
fn script(workspace: &Workspace, name: &str) -> Result<(), Failure> {
    let python = install::python(workspace)?;
    let node = install::node(workspace)?;
    run(&mut workspace.cargo(["build", "--locked", "--package", "manna", "--examples"]))?;
    run(&mut workspace.cargo(["build", "--release", "--locked", "--package", "manna"]))?;
    let mut command = workspace.command(python);
    command.arg(workspace.root.join("tests/clients").join(name));
    command
        .arg("--manna")
        .arg(workspace.target.join("release/manna"));
    command
        .arg("--examples")
        .arg(workspace.target.join("debug/examples"));
    command.arg("--node").arg(node);
    if workspace.ci {
        command.arg("--no-skip");
    }
    run(&mut command)
}

fn typos(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    let typos = install::tool(workspace, &install::TYPOS)?;
    run(&mut workspace.command(typos))
}

fn deny(workspace: &Workspace, _: &mut Skips) -> Result<(), Failure> {
    let deny = install::tool(workspace, &install::CARGO_DENY)?;
    run(workspace.command(deny).args([
        "--locked",
        "--all-features",
        "check",
        "--hide-inclusion-graph",
        "bans",
        "licenses",
        "sources",
    ]))
}
