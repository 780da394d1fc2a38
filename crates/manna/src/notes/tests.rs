use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../archives");

fn built_in() -> Archives {
    let archives = Archives::load(&Sources::default());
    assert_eq!(
        archives.complaints(),
        Vec::<String>::new(),
        "a built-in file cannot be used"
    );
    archives
}

fn names<'a>(archives: impl Iterator<Item = &'a Archive>) -> Vec<&'a str> {
    archives.map(|archive| &*archive.short_name).collect()
}

/// A notes file with the least in it.
fn minimal(short_name: &str, host: &str) -> String {
    format!(
        r#"short_name = "{short_name}"
display_name = "The {short_name} archive"
host_suffixes = ["{host}"]
wavebands = ["radio"]
description = "For tests."
priority = 10

[services]
tap = "https://{host}/tap"
"#
    )
}

fn note(id: &str, more: &str) -> String {
    format!(
        r#"
[[notes]]
id = "{id}"
text = "A claim."
audit = {{ manual = "for tests" }}
source = "none"
confidence = "high"
{more}
"#
    )
}

// ---------------------------------------------------------------- the built-in files

#[test]
fn every_file_of_the_folder_is_built_in() {
    let mut files: Vec<String> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    files.sort();
    let built_in: Vec<&str> = builtin::FILES.iter().map(|(file, _)| *file).collect();
    assert_eq!(
        built_in, files,
        "name each file of archives/ in notes/builtin.rs, in order"
    );
}

#[test]
fn built_in_files_hold_to_the_rules() {
    let archives = built_in();
    let known: Vec<&Archive> = archives.all_known().collect();
    assert_eq!(known.len(), builtin::FILES.len(), "short names are unique");
    assert_eq!(archives.dangling_cross_references(), Vec::<String>::new());
    for archive in known {
        let name = &archive.short_name;
        assert!(!archive.notes.is_empty(), "{name} has no note");
        for (key, url) in archive.services.endpoints() {
            assert_eq!(archives.label(url.host()), **name, "{key} of {name}");
        }
        if let Some(count) = &archive.count {
            assert!(
                archive.has_table(&count.table),
                "{name} counts in a table it does not name"
            );
        }
        for table in archive.notes.iter().flat_map(|note| &note.tables) {
            assert!(
                archive.has_table(table),
                "a note of {name} is about `{table}`, which it does not name"
            );
        }
        for note in &archive.notes {
            assert!(
                note.checked.is_none(),
                "{name}/{}: nobody has checked this yet",
                note.id
            );
        }
        // Contract section 2: one archive in full stays under 6 kB as JSON. Room is left for keys and hosts.
        let texts: usize = archive
            .notes
            .iter()
            .map(|note| note.usage_note().len() + 3)
            .sum();
        let tables: usize = archive
            .notable_tables
            .iter()
            .map(|table| table.len() + 3)
            .sum();
        let size = texts + tables + archive.description.len() + 500;
        assert!(
            size < 5_500,
            "{name} would take {size} bytes in list_archives"
        );
    }
}

#[test]
fn every_address_passes_the_guard() {
    let door = manna_vo::http::Door::new(manna_vo::http::Settings::default()).unwrap();
    for archive in built_in().all_known() {
        for (key, url) in archive.services.endpoints() {
            let parsed = door.parse(url.as_str());
            assert!(
                parsed.is_ok(),
                "{key} of {}: {parsed:?}",
                archive.short_name
            );
        }
    }
}

#[test]
fn a_probe_that_shows_the_mistake_fires_its_own_hint() {
    let archives = built_in();
    for archive in archives.all_known() {
        for note in &archive.notes {
            let (
                Some(pitfall),
                Audit::Probe {
                    adql,
                    expect: Expectation::Error,
                    ..
                },
            ) = (&note.pitfall, &note.audit)
            else {
                continue;
            };
            if !pitfall.triggers.is_empty() {
                assert!(
                    pitfall.fires_on(adql),
                    "{}/{} misses its own probe",
                    archive.short_name,
                    note.id
                );
            }
        }
    }
}

#[test]
fn the_active_set_is_everything_not_paused_in_order() {
    assert_eq!(
        names(built_in().active()),
        [
            "gaia", "datalab", "alma", "cadc", "eso", "irsa", "mast", "simbad", "vizier",
            "gaia_ari", "sdss"
        ]
    );
}

#[test]
fn upfront_notes_of_the_default_set() {
    let archives = built_in();
    let text = archives.upfront_notes();
    assert!(text.chars().count() <= UPFRONT_CHARS);
    assert_snapshot!(text);
}

// ---------------------------------------------------------------- the reader

#[test]
fn a_minimal_file_is_enough() {
    let archive = Archive::parse("mini.toml", &minimal("mini", "archive.example.org")).unwrap();
    assert_eq!(archive.waveband(), "radio");
    assert_eq!(archive.services.offered(), ["tap"]);
    assert!(archive.notes.is_empty());
}

#[test]
fn faults_name_file_line_and_column() {
    let good = minimal("mini", "archive.example.org");
    let long = "x".repeat(301);
    let cases: Vec<(&str, String)> = vec![
        ("not TOML", good.replace("priority = 10", "priority = = 10")),
        ("unknown key", format!("wavelength = \"radio\"\n{good}")),
        (
            "unknown key inside",
            format!("{good}{}", note("a", "spicy = true")),
        ),
        ("key twice", format!("priority = 11\n{good}")),
        ("missing key", good.replace("priority = 10\n", "")),
        (
            "wrong type",
            good.replace("priority = 10", "priority = \"10\""),
        ),
        (
            "unknown band",
            good.replace("\"radio\"", "\"radio\", \"sonar\""),
        ),
        ("no band", good.replace("[\"radio\"]", "[]")),
        ("no host", good.replace("[\"archive.example.org\"]", "[]")),
        ("bad short name", good.replace("\"mini\"", "\"Mini\"")),
        ("other file name", good.replace("\"mini\"", "\"maxi\"")),
        (
            "host with scheme",
            good.replace("[\"archive", "[\"https://archive"),
        ),
        (
            "host that is a top-level domain",
            good.replace("[\"archive.example.org\"]", "[\"org\"]"),
        ),
        (
            "host shared by many",
            good.replace("[\"archive.example.org\"]", "[\"ac.uk\"]"),
        ),
        (
            "address elsewhere",
            good.replace(
                "https://archive.example.org/tap",
                "https://other.example.org/tap",
            ),
        ),
        (
            "address not http",
            good.replace("https://archive", "ftp://archive"),
        ),
        (
            "address with user",
            good.replace("https://archive", "https://me@archive"),
        ),
        (
            "no address",
            good.replace("https://archive.example.org/tap", "tap"),
        ),
        (
            "SIA 3",
            format!("{good}sia = {{ url = \"https://archive.example.org/sia\", version = 3 }}\n"),
        ),
        (
            "limits without source",
            format!("{good}\n[limits]\nsync_rows = 2000\n"),
        ),
        (
            "negative limit",
            format!("{good}\n[limits]\nsync_rows = -1\nsource = \"s\"\n"),
        ),
        (
            "count without columns",
            format!(
                "{good}\n[count]\ntable = \"t\"\ngeometry = \"point\"\nra = \"ra\"\nexpression = \"COUNT(*)\"\nmode = \"sync\"\n"
            ),
        ),
        (
            "table twice",
            format!("{good}\n[[tables]]\nname = \"a.B\"\n\n[[tables]]\nname = \"A.b\"\n"),
        ),
        (
            "note without source",
            format!("{good}{}", note("a", "").replace("source = \"none\"\n", "")),
        ),
        (
            "note too long",
            format!("{good}{}", note("a", "").replace("A claim.", &long)),
        ),
        (
            "note of two lines",
            format!("{good}{}", note("a", "").replace("A claim.", "A\\nclaim.")),
        ),
        (
            "empty note",
            format!("{good}{}", note("a", "").replace("A claim.", " ")),
        ),
        ("bad id", format!("{good}{}", note("A b", ""))),
        (
            "id twice",
            format!("{good}{}{}", note("a", ""), note("a", "")),
        ),
        (
            "weak evidence",
            format!("{good}{}", note("a", "").replace("\"high\"", "\"low\"")),
        ),
        (
            "no such day",
            format!("{good}{}", note("a", "checked = \"2026-02-29\"")),
        ),
        (
            "audit of two kinds",
            format!(
                "{good}{}",
                note("a", "").replace("manual =", "probe = \"SELECT 1\", manual =")
            ),
        ),
        (
            "audit without expectation",
            format!("{good}{}", note("a", "").replace("manual =", "probe =")),
        ),
        (
            "probe of an unknown service",
            format!(
            "{good}{}",
            note("a", "").replace(
                "manual = \"for tests\"",
                "probe = \"SELECT 1\", expect = \"ok\", tap = \"https://archive.example.org/tap2\""
            )
        ),
        ),
        (
            "idle pitfall",
            format!("{good}{}", note("a", "pitfall = { guidance = \"Do.\" }")),
        ),
        (
            "pitfall of rank 4",
            format!(
                "{good}{}",
                note("a", "pitfall = { guidance = \"Do.\", upfront = 4 }")
            ),
        ),
    ];
    let mut report = String::new();
    for (what, text) in cases {
        let fault = Archive::parse("mini.toml", &text).expect_err(what);
        assert!(fault.place.is_some(), "{what}: no line");
        report.push_str(&format!("{what}\n    {fault}\n"));
    }
    assert_snapshot!(report);
}

#[test]
fn days() {
    for (text, fits) in [
        ("2026-11-30", true),
        ("2024-02-29", true),
        ("2000-02-29", true),
        ("1900-02-29", false),
        ("2026-2-3", false),
        ("2026-13-01", false),
        ("2026-00-10", false),
        ("2026-01-00", false),
        ("2026-04-31", false),
        ("30.11.2026", false),
        ("+202-11-30", false),
        ("", false),
    ] {
        assert_eq!(Date::try_from(text.to_owned()).is_ok(), fits, "{text}");
    }
}

#[test]
fn usage_notes_say_how_fresh_they_are() {
    let parse = |more| {
        let text = format!(
            "{}{}",
            minimal("mini", "archive.example.org"),
            note("a", more)
        );
        Archive::parse("mini.toml", &text).unwrap().notes[0].usage_note()
    };
    assert_eq!(parse(""), "A claim. [not checked by us]");
    assert_eq!(
        parse("source_date = \"2026-09-24\""),
        "A claim. [not checked by us; source of 2026-09-24]"
    );
    assert_eq!(
        parse("checked = \"2026-12-05\""),
        "A claim. [checked 2026-12-05]"
    );
}

// ---------------------------------------------------------------- labels

#[test]
fn labels_of_known_hosts() {
    let archives = built_in();
    for (host, label) in [
        ("gea.esac.esa.int", "gaia"),
        ("GEA.ESAC.ESA.INT.", "gaia"),
        ("datalab.noirlab.edu", "datalab"),
        ("tap.datalab.noirlab.edu", "datalab"),
        ("almascience.nrao.edu", "alma"),
        ("almascience.eso.org", "alma"),
        ("almascience.nao.ac.jp", "alma"),
        ("almascience.org", "alma"),
        ("archive.eso.org", "eso"),
        ("dataportal.eso.org", "eso"),
        ("ws.cadc-ccda.hia-iha.nrc-cnrc.gc.ca", "cadc"),
        ("data-query.nrao.edu", "nrao"),
        // Not a label boundary, and not a host at all.
        ("notalmascience.org", "notalmascience"),
        ("archive.eso.org.evil.example.net", "example"),
    ] {
        assert_eq!(archives.label(host), label, "{host}");
    }
}

#[test]
fn labels_of_unknown_hosts() {
    let archives = Archives::from_files([]).unwrap();
    for (host, label) in [
        ("mast.stsci.edu", "stsci"),
        ("www.stsci.edu", "stsci"),
        ("stsci.edu", "stsci"),
        ("www.nao.ac.jp", "nao"),
        ("foo.nao.ac.jp", "nao"),
        ("nao.ac.jp", "nao"),
        ("tap.roe.ac.uk", "roe"),
        ("dc.g-vo.org", "g-vo"),
        ("reg.g-vo.org", "g-vo"),
        ("datacentral.org.au", "datacentral"),
        ("api.skymapper.nci.org.au", "nci"),
        ("canfar.nrc-cnrc.gc.ca", "nrc-cnrc"),
        ("ac.uk", "ac"),
        ("www.ac.uk", "ac"),
        ("localhost", "localhost"),
        ("archive.internal", "archive"),
        ("www.example", "example"),
        ("Archive.ESO.org", "eso"),
        ("archive.eso.org.", "eso"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("2001:db8::1", "2001:db8::1"),
        ("1.2.3.example", "3"),
        ("", "other"),
        (" ", "other"),
        (".", "other"),
    ] {
        assert_eq!(archives.label(host), label, "{host:?}");
    }
}

#[test]
fn the_longest_host_wins_then_priority() {
    let near = minimal("near", "data.example.org").replace("priority = 10", "priority = 90");
    let (wide, twin) = (
        minimal("wide", "example.org"),
        minimal("twin", "example.org"),
    );
    let archives = Archives::from_files([
        ("near.toml", &*near),
        ("wide.toml", &*wide),
        ("twin.toml", &*twin),
    ])
    .unwrap();
    assert_eq!(archives.label("data.example.org"), "near");
    assert_eq!(archives.label("www.data.example.org"), "near");
    assert_eq!(archives.label("otherdata.example.org"), "twin");
}

#[test]
fn an_address_is_a_host_only_as_a_whole() {
    let sky = minimal("sky", "127.0.0.1").replace("127.0.0.1/tap", "127.0.0.1:8642/tap");
    let archives = Archives::from_files([("sky.toml", &*sky)]).unwrap();
    assert_eq!(archives.label("127.0.0.1"), "sky");
    assert_eq!(archives.label("1.127.0.0.1"), "0");
    assert_eq!(archives.label("127.0.0.11"), "127.0.0.11");
}

// ---------------------------------------------------------------- selection

#[test]
fn selection_by_name() {
    let wanted = |names: &[&str]| {
        let wanted = Some(names.iter().map(ToString::to_string).collect());
        Archives::load(&Sources { dir: None, wanted })
    };
    assert_eq!(names(wanted(&["NRAO", "gaia"]).active()), ["gaia", "nrao"]);
    assert!(wanted(&["gaia"]).get("eso").is_none());
    assert!(wanted(&["gaia"]).known("eso").is_some());
    assert_eq!(wanted(&["gaia"]).label("archive.eso.org"), "eso");

    let none = wanted(&["nosuch"]);
    assert_eq!(names(none.active()), [""; 0]);
    assert_eq!(none.upfront_notes(), "");
    assert_snapshot!(none.complaints().join("\n"));
}

#[test]
fn a_paused_archive_is_known_and_silent() {
    let archives = built_in();
    assert!(archives.get("nrao").is_none());
    assert!(archives.known("nrao").unwrap().paused.is_some());
    assert!(archives.by_host("data-query.nrao.edu").is_none());
    assert_eq!(
        archives.error_hint("data-query.nrao.edu", "SELECT 1 FROM ivoa.obscore"),
        None
    );
}

#[test]
fn filters_combine() {
    let archives = built_in();
    let found = |name, band| names(archives.matching(name, band));
    assert_eq!(found(Some("GAIA"), None), ["gaia"]);
    assert_eq!(found(Some("gaia"), Some("radio")), [""; 0]);
    assert_eq!(found(None, Some("no such band")), [""; 0]);
    assert_eq!(found(None, None).len(), archives.active().count());
    let infrared = found(None, Some("Infrared"));
    assert!(infrared.contains(&"irsa") && infrared.contains(&"eso") && !infrared.contains(&"gaia"));
    assert_eq!(found(None, Some("near-IR")), infrared);
    assert_eq!(found(None, Some("Sub-mm")), found(None, Some("millimetre")));
    let both = found(None, Some("radio, X ray"));
    assert!(both.contains(&"alma") && both.contains(&"vizier") && !both.contains(&"gaia"));
}

#[test]
fn every_band_understands_its_own_word() {
    for band in Waveband::ALL {
        assert_eq!(Waveband::asked_for(band.word()), [band]);
        assert_eq!(Waveband::asked_for(&band.word().to_uppercase()), [band]);
    }
}

#[test]
fn registering_the_embedded_sky() {
    let sky = minimal("skybox", "127.0.0.1").replace("https://", "http://");
    let sky = Archive::parse("skybox.toml", &sky).unwrap();
    let mut archives = built_in();
    let before = archives.active().count();
    archives.register(sky.clone());
    assert_eq!(archives.active().count(), before + 1);
    assert_eq!(archives.label("127.0.0.1"), "skybox");

    let wanted = Some(vec!["gaia".to_owned()]);
    let mut narrowed = Archives::load(&Sources { dir: None, wanted });
    narrowed.register(sky);
    assert_eq!(names(narrowed.active()), ["gaia", "skybox"]);
}

#[test]
fn a_folder_adds_overrides_and_survives_bad_files() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("mini.toml", &minimal("mini", "archive.example.org"));
    put("gaia.toml", &minimal("gaia", "gea.esac.esa.int"));
    put(
        "broken.toml",
        &minimal("broken", "b.example.org").replace("priority", "prioritee"),
    );
    put("misnamed.toml", &minimal("another", "a.example.org"));
    put("README.md", "not for us");
    fs::write(
        folder.path().join("latin1.toml"),
        b"display_name = \"Observatoire de la C\xf4te\"",
    )
    .unwrap();

    let archives = Archives::load(&Sources {
        dir: Some(folder.path().to_owned()),
        wanted: None,
    });
    assert_eq!(names(archives.active()).first(), Some(&"gaia"));
    assert_eq!(
        archives.get("gaia").unwrap().display_name.to_string(),
        "The gaia archive"
    );
    assert!(archives.get("mini").is_some());
    assert!(archives.get("broken").is_none() && archives.get("another").is_none());
    let complaints = archives
        .complaints()
        .join("\n")
        .replace(&*folder.path().to_string_lossy(), "DIR");
    assert_snapshot!(complaints);
}

#[test]
fn a_missing_folder_is_a_complaint() {
    let dir = Some(Path::new(FOLDER).join("no-such-folder"));
    let archives = Archives::load(&Sources { dir, wanted: None });
    assert_eq!(archives.complaints().len(), 1);
    assert!(archives.active().count() > 10);
}

// ---------------------------------------------------------------- delivery

#[test]
fn upfront_notes_rank_and_keep_the_budget() {
    let archive = |name: &str, priority: u16, ranks: &[(u8, usize)]| {
        let mut text = minimal(name, &format!("{name}.example.org"))
            .replace("priority = 10", &format!("priority = {priority}"));
        for (index, (rank, length)) in ranks.iter().enumerate() {
            let guidance = format!("{rank}{}", "é".repeat(length - 1));
            text += &note(
                &format!("n{index}"),
                &format!("pitfall = {{ guidance = \"{guidance}\", upfront = {rank} }}"),
            );
        }
        (format!("{name}.toml"), text)
    };
    let files = [
        archive("late", 20, &[(1, 20), (2, 10)]),
        archive(
            "early",
            10,
            &[(2, 200), (1, 200), (1, 200), (1, 200), (3, 5)],
        ),
    ];
    let archives =
        Archives::from_files(files.iter().map(|(file, text)| (&**file, &**text))).unwrap();
    let text = archives.upfront_notes();
    assert!(
        text.chars().count() <= UPFRONT_CHARS,
        "{}",
        text.chars().count()
    );
    let said: Vec<(&str, char)> = text
        .lines()
        .map(|line| {
            let name = line
                .strip_prefix("- The ")
                .unwrap()
                .split(' ')
                .next()
                .unwrap();
            (
                name,
                line.split(": ").nth(1).unwrap().chars().next().unwrap(),
            )
        })
        .collect();
    // Three of rank 1 fill 731 characters; "late" still fits, then nothing of rank 2 but the shortest of rank 3.
    assert_eq!(
        said,
        [
            ("early", '1'),
            ("early", '1'),
            ("early", '1'),
            ("late", '1')
        ]
    );
    assert!(text.starts_with("- The early archive (early.example.org): 1"));
}

#[test]
fn error_hints_take_the_first_trigger_that_fires() {
    let archives = built_in();
    let cone = "SELECT TOP 5 * FROM gaia_dr3.gaia_source WHERE Contains(POINT('ICRS',ra,dec),CIRCLE('ICRS',1,2,3))=1";
    for (host, adql, starts) in [
        (
            "datalab.noirlab.edu",
            cone,
            Some("ADQL geometry is not translated here"),
        ),
        (
            "datalab.noirlab.edu",
            "select Q3C_radial_query(ra,dec,1,2,3) from x",
            Some("Write q3c_radial_query"),
        ),
        (
            "gea.esac.esa.int",
            "SELECT * FROM GAIA_DR3.gaia_source",
            Some("At ESA the schema is gaiadr3"),
        ),
        (
            "tapvizier.cds.unistra.fr",
            "SELECT * FROM\n\t II/246/out",
            Some("Put the table name in double quotes"),
        ),
        ("archive.eso.org", "SELECT 1", None),
        ("example.org", cone, None),
    ] {
        let hint = archives.error_hint(host, adql);
        assert_eq!(hint.is_some(), starts.is_some(), "{host}: {hint:?}");
        assert!(
            hint.unwrap_or_default()
                .starts_with(starts.unwrap_or_default()),
            "{host}: {hint:?}"
        );
    }
}

#[test]
fn tables_are_found_in_any_spelling() {
    let archives = built_in();
    let vizier = archives.get("vizier").unwrap();
    assert!(vizier.table("II/246/out").is_some());
    assert!(vizier.table("\"ii/246/OUT\"").is_some());
    let eso = archives.get("eso").unwrap();
    assert!(eso.table("ivoa.obscore").is_some());
    let about: BTreeSet<&str> = eso
        .notes
        .iter()
        .filter(|note| note.is_about("IVOA.OBSCORE"))
        .map(|note| &*note.id)
        .collect();
    assert!(about.contains("obscore-has-no-raw") && !about.contains("catalogues-elsewhere"));
}

// ---------------------------------------------------------------- the documentation

/// The files the documentation shows, as `(name, content)`.
fn files_in(markdown: &str) -> Vec<(String, String)> {
    let blocks = markdown
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next());
    blocks
        .filter_map(|block| {
            let name = block.lines().next()?.strip_prefix("# archives/")?;
            Some((name.to_owned(), block.to_owned()))
        })
        .collect()
}

#[test]
fn the_documented_files_work_as_written() {
    let files = files_in(include_str!("../../../../docs/notes-format.md"));
    assert_eq!(files.len(), 2);
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        Archive::parse(&name, &text).unwrap();
        fs::write(folder.path().join(name), text).unwrap();
    }
    let wanted = Some(vec!["example".to_owned()]);
    let archives = Archives::load(&Sources {
        dir: Some(folder.path().to_owned()),
        wanted,
    });
    assert_eq!(archives.complaints(), Vec::<String>::new());
    assert_eq!(archives.label("archive.example.org"), "example");
    assert_eq!(
        archives.error_hint("archive.example.org", "select lower(x) from y"),
        Some("Compare with the upper-case spelling instead of LOWER.")
    );
}

#[test]
fn the_schema_for_editors_is_the_one_in_the_docs() {
    let path = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/archive.schema.json"
    ));
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(Archive)).unwrap() + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &schema).unwrap();
    }
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == schema,
        "docs/archive.schema.json is stale: UPDATE_DOCS=1 cargo test -p manna notes"
    );
}

#[test]
fn every_probe_is_adql() {
    for archive in built_in().all_known() {
        for note in &archive.notes {
            let Audit::Probe { adql, expect, .. } = &note.audit else {
                continue;
            };
            if let Err(why) = manna_adql::parse(adql) {
                // Only what the archive must refuse, too, may be no query at all.
                assert_eq!(
                    *expect,
                    Expectation::Error,
                    "{}/{}: {why}",
                    archive.short_name,
                    note.id
                );
            }
        }
        if let Some(count) = &archive.count {
            let query = format!("SELECT {} FROM {}", count.expression, count.table);
            manna_adql::parse(&query).unwrap_or_else(|why| panic!("{query}: {why}"));
        }
    }
}
