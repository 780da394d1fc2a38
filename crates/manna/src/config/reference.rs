//! `docs/configuration.md`, written from the table.

use std::fmt::Write;

use super::settings::{SETTINGS, Setting};

const HEAD: &str = "\
# Configuration

<!-- Written from the table in crates/manna/src/config/settings.rs; a test compares. To write it again:
     UPDATE_DOCS=1 cargo test -p manna config -->

Every setting has one name. It can be set, from strongest to weakest,

1. on the command line: `manna --set MANNA_PORT=8001 serve`;
2. in the environment: `MANNA_PORT=8001 manna serve`;
3. in a `.env` beside the settings file or, for `manna serve` without one, in the working directory. It is never read
   when the server talks over standard input and output, because a client may start it inside somebody else's folder.
   Values stand as they are: quotes round them are taken off, nothing is substituted;
4. in a settings file named by `--config FILE` or `MANNA_CONFIG`, in TOML, where names are lower case and without
   `MANNA_`, and lists are lists: `port = 8001`, `archives = [\"gaia\", \"eso\"]`. Relative paths in it are relative to it;
5. not at all: then the default holds.

A blank value is the same as none. A value that cannot be used stops the start with a message that names the setting, the
value, where it came from and what a right one looks like. A name that begins with `MANNA_` and is no setting is warned
about in the environment and refused in the settings file. `manna config` prints what is in force and where each value
came from.
";

/// The reference of all settings, as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut text = HEAD.to_owned();
    for setting in SETTINGS {
        section(&mut text, setting);
    }
    text
}

fn section(text: &mut String, setting: &Setting) {
    let Setting {
        name,
        kind,
        example,
        default,
        help,
        ..
    } = setting;
    let default = match *default {
        "" => "unset".to_owned(),
        value => value
            .split(',')
            .map(|item| format!("`{item}`"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    let dotenv = if setting.may_be_in_dotenv() {
        ""
    } else {
        " A `.env` may not set it."
    };
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "\n## `{name}`\n\n{help}{dotenv}\n\n- Value: {kind}; for example `{example}`\n- Default: {default}\n- In `manna.toml`: `{}`\n",
        setting.key()
    );
}
