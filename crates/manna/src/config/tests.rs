use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// A folder to be the working directory, and the inputs of a server started there.
struct Scene {
    folder: TempDir,
    inputs: Inputs,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inputs = Inputs {
            working_dir: folder.path().to_owned(),
            ..Inputs::default()
        };
        Self { folder, inputs }
    }

    fn mode(mut self, mode: Mode) -> Self {
        self.inputs.mode = mode;
        self
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.inputs.env.insert(name.to_owned(), value.to_owned());
        self
    }

    fn flag(mut self, flag: &str) -> Self {
        self.inputs.flags.push(flag.to_owned());
        self
    }

    fn file(self, name: &str, text: &str) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn config(mut self, name: &str) -> Self {
        self.inputs.config_file = Some(PathBuf::from(name));
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn load(&self) -> Config {
        Config::load(&self.inputs).unwrap()
    }

    /// What is said when it does not load, the folder written as DIR.
    fn complaint(&self) -> String {
        let complaint = Config::load(&self.inputs)
            .expect_err("this should not load")
            .to_string();
        complaint.replace(&*self.folder.path().to_string_lossy(), "DIR")
    }
}

fn origin<'a>(config: &'a Config, name: &str) -> &'a str {
    &config
        .lines
        .iter()
        .find(|line| line.name == name)
        .unwrap()
        .origin
}

// ---------------------------------------------------------------- the table itself

#[test]
fn defaults_load_and_are_those_of_the_design() {
    let config = Scene::new().load();
    assert_eq!(
        (config.host.to_string().as_str(), config.port),
        ("127.0.0.1", 8000)
    );
    assert_eq!(config.tap_sync_timeout.as_secs(), 20);
    assert_eq!(
        (config.inline_row_limit, config.inline_byte_limit),
        (200, 49_152)
    );
    assert_eq!(
        (config.max_response_bytes, config.max_concurrency),
        (64 << 20, 1024)
    );
    assert_eq!(config.sesame_urls.len(), 2);
    assert_eq!(config.archives, None);
    assert!(config.warnings().is_empty());
    assert_eq!(config.archive_sources(), notes::Sources::default());
    assert_eq!(config.door_settings().limits.max_bytes, 64 << 20);
}

#[test]
fn every_setting_is_named_once_and_reads_its_own_example() {
    let mut names = BTreeSet::new();
    for setting in SETTINGS {
        assert!(
            setting.name.starts_with("MANNA_") && names.insert(setting.name),
            "{}",
            setting.name
        );
        assert!(
            !setting.help.is_empty() && setting.help.ends_with('.'),
            "{}",
            setting.name
        );
        // Paths are the one kind whose example need not be there.
        if !matches!(setting.name, "MANNA_ARCHIVES_DIR" | "MANNA_CA_FILE") {
            Scene::new()
                .mode(Mode::Stdio)
                .env(setting.name, setting.example)
                .load();
        }
    }
}

#[test]
fn the_reference_is_the_one_in_the_docs() {
    let path = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/configuration.md"
    ));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, reference()).unwrap();
    }
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == reference(),
        "docs/configuration.md is stale: UPDATE_DOCS=1 cargo test -p manna config"
    );
}

#[test]
fn the_report_shows_value_and_origin() {
    let scene = Scene::new()
        .env("MANNA_ARCHIVES", " gaia, ESO ")
        .flag("port=8001")
        .file("etc/manna.toml", "log_level = \"debug\"\n")
        .file("etc/.env", "MANNA_CONTACT=a@example.org\n")
        .config("etc/manna.toml");
    let report = scene
        .load()
        .report()
        .to_string()
        .replace(&*scene.folder.path().to_string_lossy(), "DIR");
    assert_snapshot!(report);
}

#[test]
fn secrets_are_masked() {
    let mut value = inputs::Value {
        text: "hunter2".to_owned(),
        origin: Origin::Environment,
        base: PathBuf::new(),
    };
    let setting = Setting {
        name: "MANNA_SECRET",
        kind: "a secret",
        example: "xyzzy",
        default: "",
        help: "For tests.",
        secret: true,
        read: |_, _| Err(values::Wrong::Because("it is too short".to_owned())),
    };
    assert_eq!(Line::new(&setting, &value).value.as_deref(), Some("***"));
    let fault = setting
        .apply(&mut Config::blank(), &value)
        .unwrap_err()
        .to_string();
    assert!(!fault.contains("hunter2"), "{fault}");
    value.text.clear();
    assert_eq!(Line::new(&setting, &value).value, None);
}

// ---------------------------------------------------------------- precedence

#[test]
fn each_source_gives_way_to_those_above() {
    let all = || {
        Scene::new()
            .flag("MANNA_PORT=1001")
            .env("MANNA_PORT", "1002")
            .file("etc/.env", "MANNA_PORT=1003\n")
            .file("etc/manna.toml", "port = 1004\n")
            .config("etc/manna.toml")
    };
    let from_flag = all();
    assert_eq!(from_flag.load().port, 1001);
    assert_eq!(origin(&from_flag.load(), "MANNA_PORT"), "the command line");

    let mut from_env = all();
    from_env.inputs.flags.clear();
    assert_eq!(from_env.load().port, 1002);
    assert_eq!(origin(&from_env.load(), "MANNA_PORT"), "the environment");

    let mut from_dotenv = from_env;
    from_dotenv.inputs.env.clear();
    assert_eq!(from_dotenv.load().port, 1003);
    assert!(origin(&from_dotenv.load(), "MANNA_PORT").ends_with("etc/.env line 1"));

    let from_toml = from_dotenv;
    fs::remove_file(from_toml.path("etc/.env")).unwrap();
    assert_eq!(from_toml.load().port, 1004);
    assert!(origin(&from_toml.load(), "MANNA_PORT").ends_with("etc/manna.toml line 1"));

    let mut from_default = from_toml;
    from_default.inputs.config_file = None;
    assert_eq!(from_default.load().port, 8000);
    assert_eq!(origin(&from_default.load(), "MANNA_PORT"), "default");
}

#[test]
fn a_blank_value_is_none() {
    let scene = Scene::new()
        .env("MANNA_PORT", " ")
        .env("MANNA_ARCHIVES", "")
        .file(".env", "MANNA_PORT=7\n");
    assert_eq!(scene.load().port, 7);
    assert_eq!(scene.load().archives, None);
}

#[test]
fn the_last_flag_counts_and_the_prefix_may_be_left_out() {
    let scene = Scene::new()
        .flag("MANNA_PORT=1")
        .flag("port=2")
        .flag("log_level = trace");
    assert_eq!(scene.load().port, 2);
    assert_eq!(scene.load().log_level, LogLevel::Trace);
}

#[test]
fn the_settings_file_may_be_named_in_the_environment() {
    let scene = Scene::new()
        .file("m.toml", "port = 5\n")
        .env("MANNA_CONFIG", "m.toml");
    assert_eq!(scene.load().port, 5);
    assert!(scene.load().warnings().is_empty());
}

#[test]
fn toml_takes_lists_numbers_and_paths_of_its_own_folder() {
    let scene = Scene::new()
        .file("etc/notes/README", "")
        .file(
            "etc/manna.toml",
            "archives = [\"gaia\", \"ESO\"]\ntap_sync_timeout_seconds = 12.5\narchives_dir = \"notes\"\ninline_byte_limit = 65_536\n",
        )
        .config("etc/manna.toml");
    let config = scene.load();
    assert_eq!(
        config.archives,
        Some(vec!["gaia".to_owned(), "eso".to_owned()])
    );
    assert_eq!(config.tap_sync_timeout.as_millis(), 12_500);
    assert_eq!(config.archives_dir, Some(scene.path("etc/notes")));
    assert_eq!(config.inline_byte_limit, 65_536);
}

// ---------------------------------------------------------------- .env

#[test]
fn where_a_dotenv_is_read() {
    // (mode, settings file named, what counts: the .env beside it, the one in the working directory, or none)
    for (mode, named, port) in [
        (Mode::Http, true, 11),
        (Mode::Http, false, 12),
        (Mode::Command, true, 11),
        (Mode::Command, false, 8000),
        (Mode::Stdio, true, 8000),
        (Mode::Stdio, false, 8000),
    ] {
        let mut scene = Scene::new()
            .mode(mode)
            .file("etc/manna.toml", "")
            .file("etc/.env", "MANNA_PORT=11\n")
            .file(".env", "MANNA_PORT=12\n");
        if named {
            scene = scene.config("etc/manna.toml");
        }
        assert_eq!(
            scene.load().port,
            port,
            "{mode:?}, settings file named: {named}"
        );
    }
}

#[test]
fn what_a_dotenv_may_not_set() {
    let mut said = String::new();
    for name in [
        "MANNA_TRUSTED_HOSTS",
        "MANNA_RESOLVE",
        "MANNA_CA_FILE",
        "MANNA_EGRESS",
        "MANNA_EGRESS_PROXY",
        "MANNA_NAT64",
        "MANNA_AUTH",
        "MANNA_AUTH_LATER",
        "MANNA_CREDENTIALS",
        "MANNA_ARCHIVES_DIR",
        "MANNA_CONFIG",
    ] {
        let scene = Scene::new().file(".env", &format!("# ours\nMANNA_PORT=1\n{name}=\n"));
        let complaint = scene.complaint();
        assert!(
            complaint.starts_with(&format!(
                "{name} may not be set in a .env (DIR/.env line 3)"
            )),
            "{complaint}"
        );
        said = complaint;
        // In stdio mode the file is not even looked at.
        assert_eq!(scene.mode(Mode::Stdio).load().port, 8000);
    }
    assert_snapshot!(said);
}

#[test]
fn lines_of_a_dotenv() {
    let read = |line: &str| {
        dotenv::read(line).map(|entries| {
            entries
                .into_iter()
                .map(|entry| entry.value)
                .collect::<Vec<_>>()
        })
    };
    for (line, values) in [
        ("MANNA_X=1", Ok(vec!["1"])),
        ("  export  MANNA_X = 1  ", Ok(vec!["1"])),
        ("\u{feff}MANNA_X=1\r\nMANNA_Y=2\r\n", Ok(vec!["1", "2"])),
        ("MANNA_X=a b # c", Ok(vec!["a b"])),
        ("MANNA_X=a#b", Ok(vec!["a#b"])),
        ("MANNA_X=# nothing", Ok(vec![""])),
        ("MANNA_X='a # b' # c", Ok(vec!["a # b"])),
        ("MANNA_X=\"\"", Ok(vec![""])),
        ("MANNA_X=a=b", Ok(vec!["a=b"])),
        (
            "MANNA_X=$HOME ${SECRET} $(id) `id`",
            Ok(vec!["$HOME ${SECRET} $(id) `id`"]),
        ),
        ("MANNA_X=\"${SECRET}\"", Ok(vec!["${SECRET}"])),
        ("OTHER=\"unclosed\nMANNA_X=1", Ok(vec!["1"])),
        ("this is no assignment\n# MANNA_X=2", Ok(vec![])),
        ("", Ok(vec![])),
        ("MANNA_X", Err((1, "there is no = after the name"))),
        (
            "\nMANNA_X Y=1",
            Err((
                2,
                "the name holds something else than letters, digits and _",
            )),
        ),
        (
            "MANNA_X=1\nMANNA_X=2",
            Err((2, "the name is set a second time")),
        ),
        (
            "MANNA_X='1",
            Err((1, "the quote is not closed on the line")),
        ),
        (
            "MANNA_X='1' 2",
            Err((1, "there is something behind the closing quote")),
        ),
        (
            "MANNA_X=\"a\\nb\"",
            Err((1, "backslashes are not read: write the value as it is")),
        ),
    ] {
        let values = values.map(|values| values.into_iter().map(str::to_owned).collect());
        assert_eq!(read(line), values, "{line:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_upsets_the_readers(text in "\\PC*|(MANNA_|export |=|'|\"|#|\n|\\\\|é|[a-z])*") {
        let _ = dotenv::read(&text);
        let _ = Config::load(&Inputs { flags: vec![text.clone()], mode: Mode::Stdio, ..Inputs::default() });
        for setting in SETTINGS {
            let env = [(setting.name.to_owned(), text.clone())].into();
            let _ = Config::load(&Inputs { env, mode: Mode::Stdio, ..Inputs::default() });
        }
    }
}

// ---------------------------------------------------------------- what is refused

#[test]
fn values_that_cannot_be_used() {
    let cases: &[(&str, &[&str])] = &[
        (
            "MANNA_HOST",
            &["manna.example.org", "127.0.0.1:8000", "127.1"],
        ),
        (
            "MANNA_PORT",
            &["80000", "-1", "http", "8000.0", "99999999999999999999999"],
        ),
        ("MANNA_AUTH", &["none", "OAuth"]),
        (
            "MANNA_PUBLIC_HOSTS",
            &[
                "https://manna.example.org",
                "a b",
                "manna.example.org:http",
                "*.example.org",
                "m:0",
            ],
        ),
        (
            "MANNA_ALLOWED_ORIGINS",
            &[
                "*",
                "chat.example.org",
                "https://chat.example.org/app",
                "null",
            ],
        ),
        ("MANNA_MAX_CONCURRENCY", &["0", "100001"]),
        ("MANNA_LOG_LEVEL", &["loud", "manna=debug"]),
        ("MANNA_ARCHIVES", &["gaia;eso"]),
        ("MANNA_ARCHIVES_DIR", &["no/such/folder", "a-file"]),
        (
            "MANNA_ALLOWED_HOSTS",
            &["https://eso.org", "eso.org:443", "*.eso.org"],
        ),
        (
            "MANNA_TRUSTED_HOSTS",
            &[
                "http://tap.example.org",
                "tap.example.org:99999",
                "10.0.0.0/8",
            ],
        ),
        (
            "MANNA_RESOLVE",
            &[
                "archive.example.org",
                "archive.example.org=10.1.2.3:1",
                "a.example.org:443=b.example.org:443",
            ],
        ),
        ("MANNA_NAT64", &["on", "64:ff9b::"]),
        ("MANNA_CA_FILE", &["no-such.pem", "a-file"]),
        (
            "MANNA_CONTACT",
            &["me", "me@example.org (home)", "a@b\nX-Evil: 1"],
        ),
        (
            "MANNA_SESAME_URLS",
            &[
                "cds.unistra.fr",
                "ftp://cds.unistra.fr/",
                "https://me:pw@cds.unistra.fr/",
            ],
        ),
        (
            "MANNA_TAP_SYNC_TIMEOUT_SECONDS",
            &["0", "-3", "46", "60s", "nan", "inf"],
        ),
        ("MANNA_INLINE_ROW_LIMIT", &["0", "many"]),
        ("MANNA_INLINE_BYTE_LIMIT", &["100", "48KiB"]),
        ("MANNA_MAX_RESPONSE_BYTES", &["1", "99999999999"]),
    ];
    let named: Vec<&str> = cases.iter().map(|(name, _)| *name).collect();
    let all: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(named, all, "every setting shows what it refuses");
    let mut report = String::new();
    for (name, values) in cases {
        for value in *values {
            let complaint = Scene::new()
                .file("a-file", "text")
                .env(name, value)
                .complaint();
            assert_eq!(complaint.lines().count(), 1, "{complaint}");
            report.push_str(&complaint);
            report.push('\n');
        }
    }
    assert_snapshot!(report);
}

#[test]
fn values_that_can() {
    let load = |name: &str, value: &str| Scene::new().mode(Mode::Stdio).env(name, value).load();
    for (text, address) in [
        ("localhost", "127.0.0.1"),
        ("::1", "::1"),
        ("[::]", "::"),
        ("0.0.0.0", "0.0.0.0"),
    ] {
        assert_eq!(load("MANNA_HOST", text).host.to_string(), address);
    }
    for (text, level) in [
        ("WARNING", LogLevel::Warn),
        ("critical", LogLevel::Error),
        ("Info", LogLevel::Info),
    ] {
        assert_eq!(load("MANNA_LOG_LEVEL", text).log_level, level);
    }
    assert_eq!(
        load(
            "MANNA_ALLOWED_ORIGINS",
            "https://Chat.example.org:443/, http://10.0.0.5:3000"
        )
        .allowed_origins,
        ["https://chat.example.org", "http://10.0.0.5:3000"]
    );
    assert_eq!(
        load(
            "MANNA_PUBLIC_HOSTS",
            "Manna.example.org, manna.example.org:8443,[2001:db8::1]:8000,[2001:db8::2]"
        )
        .public_hosts,
        [
            "manna.example.org",
            "manna.example.org:8443",
            "[2001:db8::1]:8000",
            "[2001:db8::2]"
        ]
    );
    assert_eq!(
        load("MANNA_TAP_SYNC_TIMEOUT_SECONDS", "0.5")
            .tap_sync_timeout
            .as_millis(),
        500
    );
    assert_eq!(
        load("MANNA_TAP_SYNC_TIMEOUT_SECONDS", "45")
            .tap_sync_timeout
            .as_secs(),
        45
    );
}

#[test]
fn all_faults_are_told_at_once() {
    let complaint = Scene::new()
        .env("MANNA_PORT", "x")
        .env("MANNA_HOST", "y")
        .complaint();
    assert_eq!(complaint.lines().count(), 2, "{complaint}");
}

#[test]
fn files_that_cannot_be_used() {
    let toml = |text: &str| {
        Scene::new()
            .file("manna.toml", text)
            .config("manna.toml")
            .complaint()
    };
    let mut report = String::new();
    for text in [
        "port = \n",
        "\nprot = 8000\n",
        "MANNA_PORT = 8000\n",
        "[server]\nport = 8000\n",
        "port = 80000\n",
        "port = 8000\nport = 8001\n",
        "archives = [\"gaia\", 2]\n",
        "archives = [\"gaia,eso\"]\n",
        "host = 2026-11-30\n",
        "config = \"other.toml\"\n",
        "secret_of_mine = \"x\"\n",
    ] {
        report.push_str(&toml(text));
        report.push('\n');
    }
    report.push_str(&Scene::new().config("none.toml").complaint());
    report.push('\n');
    report.push_str(&Scene::new().file(".env", "MANNA_PORT='1\n").complaint());
    assert_snapshot!(report);
}

#[test]
fn flags_that_cannot_be_used() {
    let complaint = Scene::new()
        .flag("prot=1")
        .flag("port")
        .flag("nonsense=1")
        .complaint();
    assert_snapshot!(complaint);
}

#[test]
fn unknown_names_are_warned_about() {
    let scene = Scene::new()
        .env("MANNA_PROT", "1")
        .env("MANNA_COUNT_ASYNC_BUDGET_SECONDS", "15")
        .env("MANNANA", "1")
        .env("PATH", "/bin")
        .file(".env", "MANNA_LOGLEVEL=debug\nPORT=1\n");
    let warnings = scene.load().warnings().join("\n");
    assert_snapshot!(warnings.replace(&*scene.folder.path().to_string_lossy(), "DIR"));
}

#[test]
fn safety_that_is_not_there_yet_stops_the_start() {
    let complaint = Scene::new()
        .env("MANNA_EGRESS", "curated")
        .env("MANNA_OAUTH_ISSUER", "x")
        .complaint();
    assert_snapshot!(complaint);
    let blank = Scene::new().env("MANNA_EGRESS", "").load();
    assert_eq!(blank.warnings().len(), 1);
}

// ---------------------------------------------------------------- an open address

#[test]
fn an_open_address_needs_a_word() {
    for (host, open) in [
        ("127.0.0.1", false),
        ("127.8.8.8", false),
        ("::1", false),
        ("::ffff:127.0.0.1", false),
        ("0.0.0.0", true),
        ("::", true),
        ("192.168.1.5", true),
        ("::ffff:192.168.1.5", true),
    ] {
        let scene = || Scene::new().env("MANNA_HOST", host);
        assert_eq!(Config::load(&scene().inputs).is_err(), open, "{host}");
        let consented = scene().env("MANNA_AUTH", "none-i-understand").load();
        assert_eq!(consented.warnings().is_empty(), !open, "{host}");
        let named = scene()
            .env("MANNA_AUTH", "none-i-understand")
            .env("MANNA_PUBLIC_HOSTS", "m.example.org");
        assert!(named.load().warnings().is_empty(), "{host}");
        // Nothing listens in the other modes.
        scene().mode(Mode::Stdio).load();
        scene().mode(Mode::Command).load();
    }
    assert_snapshot!(Scene::new().env("MANNA_HOST", "0.0.0.0").complaint());
}
