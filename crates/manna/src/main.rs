//! The `manna` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    manna::cli::run()
}
