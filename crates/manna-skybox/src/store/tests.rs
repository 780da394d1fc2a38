//! Queries with known answers: what SQLite finds is what a loop over the same rows finds.

use std::{
    sync::{Arc, LazyLock, atomic::AtomicBool},
    time::{Duration, Instant},
};

use super::{Failure, Plan, Rows, Store, Value, Watch, geometry::distance_deg, reader};
use crate::sky::{Cell, contents};

const SEED: u64 = 1781;
const URL: &str = "http://127.0.0.1:1";

static STORE: LazyLock<Store> =
    LazyLock::new(|| Store::build(contents(SEED, 50_000, URL), 2, 8).unwrap());

fn rows_of(name: &str) -> Vec<Vec<Cell>> {
    contents(SEED, 50_000, URL)
        .into_iter()
        .find(|content| content.table.name == name)
        .unwrap()
        .rows
        .collect()
}

fn position_of(table: &str, column: &str) -> usize {
    let table = STORE
        .tables()
        .iter()
        .find(|known| known.name == table)
        .unwrap();
    table
        .columns
        .iter()
        .position(|known| known.name == column)
        .unwrap()
}

/// Two columns of a table as numbers, the rows with a null left out.
fn pairs(table: &str, first: &str, second: &str) -> Vec<(f64, f64)> {
    let (first, second) = (position_of(table, first), position_of(table, second));
    rows_of(table)
        .iter()
        .filter_map(|row| match (&row[first], &row[second]) {
            (Cell::Real(a), Cell::Real(b)) => Some((*a, *b)),
            _ => None,
        })
        .collect()
}

fn watch() -> Watch {
    Watch::new(Duration::from_secs(30), Arc::default())
}

fn ask_up_to(adql: &str, maxrec: u64) -> Result<(Vec<Vec<String>>, Rows), Failure> {
    let plan = Plan::new(&STORE, adql, maxrec)?;
    let reservation = block_on(STORE.reserve(Duration::from_secs(60))).unwrap();
    STORE.with_connection(reservation, |connection| {
        let mut rows = Vec::new();
        let all = plan.run(connection, &watch(), |values| {
            rows.push(values.iter().map(shown).collect());
            Ok(())
        })?;
        Ok((rows, all))
    })
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(future)
}

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Double(value) => value.to_string(),
        Value::Text(value) => (*value).to_owned(),
        Value::Doubles(values) => format!("{values:?}"),
    }
}

fn ask(adql: &str) -> Vec<Vec<String>> {
    ask_up_to(adql, 100_000)
        .unwrap_or_else(|failure| panic!("{adql}: {failure}"))
        .0
}

fn number(adql: &str) -> f64 {
    ask(adql)[0][0].parse().unwrap()
}

#[test]
fn cones_hold_what_a_loop_finds() {
    let sources = pairs("synth.gaia_like", "ra", "dec");
    for (ra, dec, radius) in [
        (187.7059, 12.3911, 0.1),
        (187.7059, 12.3911, 5.0),
        (0.0, 0.0, 0.2),
        (359.95, 0.5, 0.3),
        (0.05, -0.5, 0.3),
        (10.0, 90.0, 0.3),
        (200.0, 89.9, 0.4),
        (77.0, -90.0, 1.0),
        (300.0, -89.8, 0.5),
        (180.0, 0.0, 90.0),
        (83.0, -5.0, 180.0),
        (-172.2941, 12.3911, 0.1),
        (547.7059, 12.3911, 0.1),
        (50.0, 50.0, 0.0),
    ] {
        let expected = sources
            .iter()
            .filter(|(a, d)| distance_deg(*a, *d, ra, dec) <= radius)
            .count();
        assert!(
            expected > 0 || radius == 0.0,
            "the test shows nothing at {ra} {dec}"
        );
        for condition in [
            format!("1 = CONTAINS(POINT(ra, dec), CIRCLE({ra}, {dec}, {radius}))"),
            format!("CONTAINS(POINT('ICRS', ra, dec), CIRCLE('ICRS', {ra}, {dec}, {radius})) = 1"),
            format!("1 = INTERSECTS(CIRCLE({ra}, {dec}, {radius}), POINT(ra, dec))"),
            format!("DISTANCE(POINT(ra, dec), POINT({ra}, {dec})) <= {radius}"),
            format!("DISTANCE(ra, dec, {ra}, {dec}) <= {radius}"),
            // Without the declination band.
            format!("NOT CONTAINS(POINT(ra, dec), CIRCLE({ra}, {dec}, {radius})) = 0"),
        ] {
            let adql = format!("SELECT COUNT(*) FROM synth.gaia_like WHERE {condition}");
            assert_eq!(number(&adql), expected as f64, "{adql}");
        }
    }
}

#[test]
fn a_cone_join_finds_what_two_loops_find_and_uses_the_index() {
    let objects = pairs("messier.objects", "ra", "dec");
    let sources = pairs("synth.gaia_like", "ra", "dec");
    let expected = objects
        .iter()
        .flat_map(|(a, d)| {
            sources
                .iter()
                .filter(move |(x, y)| distance_deg(*x, *y, *a, *d) <= 0.05)
        })
        .count();
    let adql = "SELECT COUNT(*) FROM messier.objects m JOIN synth.gaia_like g \
                ON 1 = CONTAINS(POINT(g.ra, g.dec), CIRCLE(m.ra, m.dec, 0.05))";
    assert!(expected > 1000);
    assert_eq!(number(adql), expected as f64);
    let plan = explain(adql);
    assert!(
        plan.contains("synth.gaia_like.dec (dec>? AND dec<?)"),
        "{plan}"
    );
}

fn explain(adql: &str) -> String {
    let plan = Plan::new(&STORE, adql, 10).unwrap();
    let reservation = block_on(STORE.reserve(Duration::from_secs(60))).unwrap();
    STORE.with_connection(reservation, |connection| {
        let sql = format!("EXPLAIN QUERY PLAN {}", plan.sql);
        let mut statement = connection.prepare(&sql).unwrap();
        let lines = statement
            .query_map([], |row| row.get::<_, String>(3))
            .unwrap()
            .collect::<Result<Vec<_>, _>>()
            .unwrap();
        lines.join("\n")
    })
}

/// Issue 2: 200 positions against 50,000 sources. 14 ms alone and optimised; the limit leaves room
/// for a busy machine, and is a fiftieth of what a scan for each position takes.
#[test]
fn two_hundred_cones_over_all_sources_are_fast() {
    let adql = "SELECT COUNT(*) FROM (SELECT TOP 200 ra, dec FROM synth.gaia_like ORDER BY source_id) s \
                JOIN synth.gaia_like g ON 1 = CONTAINS(POINT(g.ra, g.dec), CIRCLE(s.ra, s.dec, 0.02))";
    let plan = explain(adql);
    assert!(plan.contains("(dec>? AND dec<?)"), "{plan}");
    let began = Instant::now();
    assert!(number(adql) >= 200.0);
    let took = began.elapsed();
    println!("200 x 50,000 in {took:?}");
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn numbers_that_a_loop_can_check() {
    let parallaxes = pairs("synth.gaia_like", "ra", "parallax");
    let sum: f64 = parallaxes.iter().map(|(_, parallax)| parallax).sum();
    let count = parallaxes.len() as f64;
    assert_eq!(number("SELECT COUNT(parallax) FROM synth.gaia_like"), count);
    assert_eq!(
        number("SELECT COUNT(*) FROM synth.gaia_like WHERE parallax IS NULL"),
        50_000.0 - count
    );
    let mean = number("SELECT AVG(parallax) FROM synth.gaia_like");
    assert!((mean - sum / count).abs() < 1e-9);

    let host = position_of("synth.gaia_like", "messier");
    let members = rows_of("synth.gaia_like")
        .iter()
        .filter(|row| row[host] == Cell::Int(87))
        .count();
    assert!(members > 50);
    assert_eq!(
        number(
            "SELECT COUNT(*) FROM synth.gaia_like g JOIN messier.objects m ON g.messier = m.messier \
             WHERE m.name = 'M 87'"
        ),
        members as f64
    );
}

/// Queries and their answers, by hand.
#[test]
fn answers_that_are_known() {
    for (adql, expected) in [
        ("SELECT COUNT(*) FROM messier.objects", "110"),
        ("SELECT COUNT(*) FROM bright.stars WHERE vmag < 1.5", "22"),
        (
            "SELECT TOP 1 name FROM bright.stars ORDER BY vmag",
            "Sirius",
        ),
        (
            "SELECT name FROM messier.objects WHERE catalogue_name = 'NGC 4486'",
            "M 87",
        ),
        (
            "SELECT common_name FROM messier.objects WHERE messier = 31",
            "Andromeda Galaxy",
        ),
        (
            "SELECT o.name FROM messier.objects o JOIN messier.aliases n ON o.messier = n.messier WHERE n.name = 'Pleiades'",
            "M 45",
        ),
        (
            "SELECT COUNT(*) FROM messier.objects WHERE otype = 'GlC'",
            "29",
        ),
        (
            "SELECT COUNT(*) FROM messier.objects WHERE otype = 'glc'",
            "0",
        ),
        (
            "SELECT COUNT(*) FROM messier.objects WHERE common_name LIKE '%Nebula'",
            "11",
        ),
        (
            "SELECT COUNT(*) FROM messier.objects WHERE common_name LIKE '%nebula'",
            "0",
        ),
        (
            "SELECT COUNT(*) FROM messier.objects WHERE common_name ILIKE '%nebula'",
            "11",
        ),
        (
            "SELECT COUNT(DISTINCT constellation) FROM messier.objects WHERE otype = 'GlC' AND constellation IN ('Sgr', 'Oph')",
            "2",
        ),
        (
            "SELECT DISTINCT bayer FROM bright.stars WHERE name = 'Vega'",
            "α Lyr",
        ),
        (
            "SELECT UPPER(bayer) FROM bright.stars WHERE name = 'Vega'",
            "Α LYR",
        ),
        ("SELECT 7 / 2 FROM messier.objects WHERE messier = 1", "3"),
        (
            "SELECT 7.0 / 2 FROM messier.objects WHERE messier = 1",
            "3.5",
        ),
        (
            "SELECT MOD(-7, 3) FROM messier.objects WHERE messier = 1",
            "-1",
        ),
        (
            "SELECT ROUND(2.567, 2) FROM messier.objects WHERE messier = 1",
            "2.57",
        ),
        (
            "SELECT TRUNCATE(-2.567, 1) FROM messier.objects WHERE messier = 1",
            "-2.5",
        ),
        (
            "SELECT LOG10(1000) FROM messier.objects WHERE messier = 1",
            "3",
        ),
        (
            "SELECT POWER(2, 10) FROM messier.objects WHERE messier = 1",
            "1024",
        ),
        (
            "SELECT 'a' || 'b' FROM messier.objects WHERE messier = 1",
            "ab",
        ),
        (
            "SELECT COALESCE(NULL, dist, -1) FROM messier.objects WHERE messier = 40",
            "-1",
        ),
        (
            "SELECT CAST('42' AS INTEGER) FROM messier.objects WHERE messier = 1",
            "42",
        ),
        (
            "SELECT IN_UNIT(major_axis, 'arcsec') FROM messier.objects WHERE messier = 87",
            "498.0000114440918",
        ),
        (
            "SELECT COORD1(CENTROID(CIRCLE(-10, 5, 1))) FROM messier.objects WHERE messier = 1",
            "350",
        ),
        (
            "SELECT COORD2(CENTROID(CIRCLE(10, 5, 1))) FROM messier.objects WHERE messier = 1",
            "5",
        ),
        (
            "SELECT POINT(370, -5) FROM messier.objects WHERE messier = 1",
            "[10.0, -5.0]",
        ),
        (
            "SELECT CIRCLE(10, -5, 0.5) FROM messier.objects WHERE messier = 1",
            "[10.0, -5.0, 0.5]",
        ),
        (
            "SELECT POLYGON(0, 0, 1, 0, 1, 1) FROM messier.objects WHERE messier = 1",
            "[0.0, 0.0, 1.0, 0.0, 1.0, 1.0]",
        ),
        (
            "SELECT CONTAINS(POINT(25, -19), BOX(25.4, -20, 10, 10)) FROM messier.objects WHERE messier = 1",
            "1",
        ),
        (
            "SELECT CONTAINS(POINT(NULL, 1), CIRCLE(1, 1, 1)) FROM messier.objects WHERE messier = 1",
            "null",
        ),
        ("SELECT COUNT(*) FROM tap_schema.schemas", "5"),
        (
            "SELECT \"size\" FROM tap_schema.columns WHERE table_name = 'messier.objects' AND column_name = 'ra'",
            "null",
        ),
        ("SELECT COUNT(*) FROM ivoa.obscore", "3300"),
        (
            "SELECT COUNT(*) FROM synth.gaia_like WHERE source_id = 9007199254740993",
            "0",
        ),
        (
            "SELECT solution_id FROM synth.gaia_like WHERE solution_id = 1636148068921376769 AND messier = 1 OFFSET 3",
            "1636148068921376769",
        ),
        (
            "SELECT COUNT(*) FROM (SELECT messier FROM messier.objects WHERE messier < 4 UNION ALL SELECT messier FROM messier.objects WHERE messier < 3) q",
            "5",
        ),
        (
            "SELECT name FROM messier.objects WHERE vmag = (SELECT MIN(vmag) FROM messier.objects)",
            "M 45",
        ),
        (
            "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM messier.objects GROUP BY constellation HAVING COUNT(*) > 10) q",
            "15",
        ),
        (
            "WITH g AS (SELECT * FROM messier.objects WHERE otype = 'PN') SELECT COUNT(*) FROM g",
            "4",
        ),
        (
            "SELECT COUNT(*) FROM messier.objects m LEFT OUTER JOIN bright.stars s ON m.name = s.name WHERE s.hip IS NULL",
            "110",
        ),
    ] {
        let rows = ask(adql);
        assert_eq!(rows[0][0], expected, "{adql}");
    }
}

/// Every function of the standard is there and may be called.
#[test]
fn every_function_gives_an_answer() {
    let calls = [
        "ABS(dec)",
        "CEILING(dec)",
        "DEGREES(dec)",
        "EXP(1)",
        "FLOOR(dec)",
        "LOG(2)",
        "LOG10(2)",
        "MOD(messier, 3)",
        "PI()",
        "POWER(dec, 2)",
        "RADIANS(dec)",
        "RAND()",
        "RAND(5)",
        "ROUND(dec)",
        "ROUND(dec, 1)",
        "SQRT(ra)",
        "TRUNCATE(dec)",
        "TRUNCATE(dec, 1)",
        "ACOS(0.1)",
        "ASIN(0.1)",
        "ATAN(0.1)",
        "ATAN2(1, 2)",
        "COS(ra)",
        "COT(ra)",
        "SIN(ra)",
        "TAN(ra)",
        "AREA(CIRCLE(ra, dec, 1))",
        "BOX('ICRS', ra, 0, 1, 1)",
        "CENTROID(BOX(ra, 0, 1, 1))",
        "CIRCLE(POINT(ra, dec), 1)",
        "CONTAINS(POINT(ra, dec), CIRCLE(1, 2, 3))",
        "COORD1(POINT(ra, dec))",
        "COORD2(POINT(ra, dec))",
        "COORDSYS(POINT(ra, dec))",
        "DISTANCE(POINT(ra, dec), POINT(1, 2))",
        "DISTANCE(ra, dec, 1, 2)",
        "INTERSECTS(CIRCLE(ra, dec, 1), BOX(1, 2, 3, 4))",
        "POINT('ICRS', ra, dec)",
        "POLYGON(POINT(0, 0), POINT(1, 0), POINT(1, 1))",
        "REGION('CIRCLE ICRS 1 2 3')",
        "LOWER(name)",
        "UPPER(name)",
        "IN_UNIT(ra, 'rad')",
        "COALESCE(common_name, name)",
    ];
    let missing: Vec<_> = manna_adql::Standard::ALL
        .iter()
        .map(|function| format!("{}(", function.name()))
        .filter(|name| !calls.iter().any(|call| call.starts_with(name.as_str())))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
    let others = [
        "CAST(dec AS INTEGER)",
        "CAST(dec AS SMALLINT)",
        "CAST(dec AS BIGINT)",
        "CAST(dec AS REAL)",
        "CAST(dec AS DOUBLE PRECISION)",
        "CAST(dec AS VARCHAR)",
        "CAST(dec AS CHAR(3))",
        "CAST('2024-01-01T00:00:00' AS TIMESTAMP)",
        "messier & 3",
        "messier | 3",
        "messier ^ 3",
        "~messier",
        "name || '!'",
        "-dec",
        "+dec",
        "COUNT(*)",
        "COUNT(DISTINCT otype)",
        "AVG(dec)",
        "SUM(messier)",
        "SUM(DISTINCT messier)",
        "SUM(dec)",
        "MIN(name)",
        "MAX(dec)",
    ];
    for call in calls.iter().chain(&others) {
        let adql = format!("SELECT {call} AS answer FROM messier.objects");
        for row in ask(&adql) {
            assert_ne!(row[0], "null", "{adql}");
        }
    }
}

/// Whatever TAP_SCHEMA says of a column is what a query of it gives, and it leaves none out.
#[test]
fn tap_schema_tells_the_truth() {
    let described = ask(
        "SELECT table_name, column_name, datatype, arraysize, xtype, unit, ucd, utype, description \
         FROM tap_schema.columns ORDER BY table_name, column_index",
    );
    let tables = ask("SELECT table_name FROM tap_schema.tables ORDER BY table_name");
    let mut count = 0;
    for table in tables.iter().map(|row| row[0].as_str()) {
        let adql = format!("SELECT * FROM {table}");
        let fields = Plan::new(&STORE, &adql, 10).unwrap().fields;
        let columns: Vec<_> = described.iter().filter(|row| row[0] == table).collect();
        assert_eq!(fields.len(), columns.len(), "{table}");
        count += columns.len();
        for (field, column) in fields.iter().zip(columns) {
            let or_null = |text: Option<&str>| text.unwrap_or("null").to_owned();
            assert_eq!(field.name, column[1].trim_matches('"'));
            assert_eq!(field.datatype.name(), column[2], "{table}.{}", field.name);
            assert_eq!(or_null(field.arraysize), column[3]);
            assert_eq!(or_null(field.xtype), column[4]);
            assert_eq!(or_null(field.unit), column[5]);
            assert_eq!(or_null(field.ucd), column[6]);
            assert_eq!(or_null(field.utype), column[7]);
            assert_eq!(or_null(field.description), column[8]);
            // And each can be asked for by the name that is given.
            ask_up_to(&format!("SELECT {} FROM {table}", column[1]), 1).unwrap();
        }
    }
    assert_eq!(described.len(), count);
    // Both ends of every key exist, and no reference hangs in the air.
    for key in ask(
        "SELECT k.from_table, c.from_column, k.target_table, c.target_column \
         FROM tap_schema.keys k JOIN tap_schema.key_columns c ON k.key_id = c.key_id",
    ) {
        let [from, column, target, target_column] = key.as_slice() else {
            panic!()
        };
        let adql = format!(
            "SELECT COUNT(*) FROM {from} a LEFT OUTER JOIN {target} b ON a.{column} = b.{target_column} \
             WHERE a.{column} IS NOT NULL AND b.{target_column} IS NULL"
        );
        assert_eq!(number(&adql), 0.0, "{adql}");
    }
}

#[test]
fn rows_beyond_maxrec_are_told() {
    for (adql, maxrec, count, rows) in [
        ("SELECT messier FROM messier.objects", 200, 110, Rows::All),
        ("SELECT messier FROM messier.objects", 110, 110, Rows::All),
        ("SELECT messier FROM messier.objects", 109, 109, Rows::Cut),
        ("SELECT messier FROM messier.objects", 1, 1, Rows::Cut),
        ("SELECT messier FROM messier.objects", 0, 0, Rows::Cut),
        (
            "SELECT TOP 5 messier FROM messier.objects",
            10,
            5,
            Rows::All,
        ),
        ("SELECT TOP 5 messier FROM messier.objects", 5, 5, Rows::All),
        ("SELECT TOP 5 messier FROM messier.objects", 4, 4, Rows::Cut),
        ("SELECT TOP 0 messier FROM messier.objects", 4, 0, Rows::All),
        (
            "SELECT messier FROM messier.objects WHERE messier > 110",
            4,
            0,
            Rows::All,
        ),
        (
            "SELECT messier FROM messier.objects",
            u64::MAX,
            110,
            Rows::All,
        ),
    ] {
        let (found, all) = ask_up_to(adql, maxrec).unwrap();
        assert_eq!((found.len(), all), (count, rows), "{adql} {maxrec}");
    }
}

#[test]
fn wrong_queries_are_explained() {
    for (adql, part) in [
        ("", "line 1"),
        ("DELETE FROM messier.objects", "line 1, column 1"),
        (
            "SELECT * FROM messier.objects; DROP TABLE messier.objects",
            "line 1",
        ),
        ("SELECT * FROM sqlite_master", "sqlite_master"),
        ("SELECT * FROM \"messier.objects\"", "messier.objects"),
        (
            "SELECT load_extension('x') FROM messier.objects",
            "load_extension",
        ),
        ("SELECT foo FROM messier.objects", "foo"),
        (
            "SELECT SQRT(-1) FROM messier.objects",
            "SQRT(-1) is not defined",
        ),
        ("SELECT 1/0 FROM messier.objects", ""),
        ("SELECT CIRCLE(0, 91, 1) FROM messier.objects", "latitude"),
        ("SELECT CIRCLE(0, 0, -1) FROM messier.objects", "negative"),
        (
            "SELECT CAST('x' AS INTEGER) FROM messier.objects",
            "\"x\" is no number",
        ),
        (
            "SELECT REGION('CIRCLE GALACTIC 1 2 3') FROM messier.objects",
            "GALACTIC",
        ),
        ("SELECT SUM(source_id) FROM synth.gaia_like", "overflow"),
    ] {
        match ask_up_to(adql, 10) {
            Err(Failure::Query(message)) => assert!(message.contains(part), "{adql}: {message}"),
            // Whether a division by 0 is an error or a null is the standard's silence.
            Ok(_) if part.is_empty() => {}
            other => panic!("{adql}: {other:?}"),
        }
    }
}

/// Past the printer, SQLite itself refuses all that is not reading.
#[test]
fn connections_cannot_write() {
    let uri = "file:/manna-skybox-writes?vfs=memdb";
    let keep = rusqlite::Connection::open(uri).unwrap();
    keep.execute_batch("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)")
        .unwrap();
    let connection = reader(uri).unwrap();
    let count = || connection.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, i64>(0));
    assert_eq!(count().unwrap(), 1);
    for sql in [
        "INSERT INTO t VALUES (2)",
        "UPDATE t SET a = 3",
        "DELETE FROM t",
        "DROP TABLE t",
        "CREATE TABLE u (a)",
        "CREATE TEMP TABLE u (a)",
        "ATTACH ':memory:' AS other",
        "DETACH main",
        "PRAGMA query_only = 0",
        "PRAGMA table_info(t)",
        "PRAGMA writable_schema = 1",
        "VACUUM INTO 'copy.db'",
        "VACUUM",
        "ANALYZE",
        "BEGIN",
        "SAVEPOINT s",
        "SELECT load_extension('x')",
        "SELECT zeroblob(1000000000)",
        "SELECT randomblob(1000000000)",
        "SELECT printf('%1000000d', 1)",
        "SELECT * FROM pragma_table_info('t')",
        "SELECT \"no column\" FROM t",
    ] {
        let refused = connection.prepare(sql).and_then(|mut statement| {
            statement
                .query([])
                .and_then(|mut rows| rows.next().map(|_| ()))
        });
        assert!(refused.is_err(), "{sql}");
    }
    assert_eq!(count().unwrap(), 1);
}

#[test]
fn a_panic_loses_no_connection() {
    let store = Store::build(contents(SEED, 100, URL), 1, 8).unwrap();
    for _ in 0..3 {
        let reservation = block_on(store.reserve(Duration::from_secs(5))).unwrap();
        let work = std::panic::AssertUnwindSafe(|| {
            store.with_connection(reservation, |_| panic!("on purpose"))
        });
        assert!(std::panic::catch_unwind(work).is_err());
    }
}

#[test]
fn a_query_stops_at_its_deadline_and_when_nobody_waits() {
    let adql = "SELECT COUNT(*) FROM synth.gaia_like a, synth.gaia_like b WHERE a.ra < b.dec";
    let plan = Plan::new(&STORE, adql, 10).unwrap();
    for (allowed, gone, expected) in [
        (Duration::from_secs(1), false, Failure::Timeout(1)),
        (Duration::from_secs(60), true, Failure::Gone),
    ] {
        let reservation = block_on(STORE.reserve(Duration::from_secs(60))).unwrap();
        let watch = Watch::new(allowed, Arc::new(AtomicBool::new(gone)));
        let began = Instant::now();
        let outcome = STORE.with_connection(reservation, |connection| {
            plan.run(connection, &watch, |_| Ok(()))
        });
        assert_eq!(outcome, Err(expected));
        assert!(began.elapsed() < Duration::from_secs(5));
    }
    // The connection is as good as before.
    assert_eq!(number("SELECT COUNT(*) FROM messier.objects"), 110.0);
}
