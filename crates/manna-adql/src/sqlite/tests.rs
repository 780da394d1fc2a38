//! The SQL as text, the errors, and what SQLite answers to it.

use std::fmt::Write as _;

use rusqlite::{Connection, functions::FunctionFlags, types::ValueRef};

use super::{
    Band, ColumnSource, Kind, Schema, SchemaColumn, SchemaFunction, SchemaTable, Translated, print,
};
use crate::{Error, parse};

fn column(name: &str, kind: Kind, unit: &str) -> SchemaColumn {
    SchemaColumn {
        name: name.to_owned(),
        sql_name: format!("{}_", name.to_lowercase()),
        kind,
        unit: Some(unit.to_owned()),
    }
}

fn table(name: &str, columns: Vec<SchemaColumn>, band: bool) -> SchemaTable {
    SchemaTable {
        name: name.to_owned(),
        sql_name: name.replace('.', "__"),
        columns,
        band: band.then(|| Band {
            dec: "dec".to_owned(),
        }),
    }
}

fn schema() -> Schema {
    Schema {
        tables: vec![
            table(
                "g.src",
                vec![
                    column("source_id", Kind::BigInt, ""),
                    column("ra", Kind::Double, "deg"),
                    column("dec", Kind::Double, "deg"),
                    column("phot_g_mean_mag", Kind::Real, "mag"),
                    column("pmra", Kind::Double, "mas/yr"),
                    column("flag", Kind::Boolean, ""),
                    column("name", Kind::Text, ""),
                ],
                true,
            ),
            table(
                "m.objects",
                vec![
                    column("M", Kind::Integer, ""),
                    column("name", Kind::Text, ""),
                    column("ra", Kind::Double, "deg"),
                    column("dec", Kind::Double, "deg"),
                    column("size", Kind::Double, "arcmin"),
                    column("2MASS id", Kind::Text, ""),
                ],
                true,
            ),
            table(
                "ivoa.obscore",
                vec![
                    column("obs_id", Kind::Text, ""),
                    column("s_ra", Kind::Double, "deg"),
                    column("s_dec", Kind::Double, "deg"),
                    column("s_region", Kind::Region, ""),
                    column("p", Kind::Point, ""),
                ],
                false,
            ),
        ],
        functions: vec![SchemaFunction {
            name: "ivo_hasword".to_owned(),
            sql_name: "ivo_hasword".to_owned(),
            arguments: (2, 2),
            kind: Kind::Integer,
        }],
    }
}

fn printed(query: &str) -> Result<Translated, Error> {
    let tree = parse(query).unwrap_or_else(|error| panic!("{query}\n{error}"));
    print(&tree, &schema(), None)
}

const QUERIES: &[&str] = &[
    // names
    "SELECT TOP 5 ra, DEC, \"dec\", s.Ra AS \"Right Ascension\" FROM g.src AS s",
    "SELECT * FROM m.objects",
    "SELECT src.*, M, \"2MASS id\", \"size\" FROM g.src, m.objects AS o WHERE src.name = o.name",
    "SELECT g.src.ra, objects.ra FROM G.SRC, M.Objects",
    "SELECT x.n FROM (SELECT ra + dec AS n FROM g.src) AS x WHERE x.n > 0",
    "SELECT ra, ra, COUNT(*), 1 + 1, LOWER(name), CAST(ra AS INTEGER) FROM g.src GROUP BY ra, name, ra",
    // joins
    "SELECT * FROM g.src JOIN m.objects USING (name)",
    "SELECT a.ra FROM g.src AS a LEFT JOIN (m.objects AS b JOIN m.objects AS c ON b.M = c.M) ON a.name = b.name",
    "SELECT name FROM g.src NATURAL FULL JOIN m.objects",
    "SELECT 1 FROM g.src AS a, m.objects AS b RIGHT JOIN ivoa.obscore AS c ON b.name = c.obs_id",
    "SELECT 1 FROM g.src CROSS JOIN m.objects",
    // cones
    "SELECT * FROM m.objects WHERE CONTAINS(POINT('ICRS', ra, dec), CIRCLE('ICRS', 187.7, 12.4, 0.1)) = 1",
    "SELECT M FROM m.objects WHERE 1 = CONTAINS(POINT(ra, dec), CIRCLE(POINT(187.7, -12.4), 1e-1)) AND M < 50",
    "SELECT M FROM m.objects WHERE NOT (1 = CONTAINS(POINT(ra, dec), CIRCLE(10, 20, 1))) OR 1 = INTERSECTS(CIRCLE(1, 2, 3), POINT(ra, dec))",
    "SELECT M FROM m.objects WHERE 0 = CONTAINS(POINT(ra, dec), CIRCLE(10, 20, 1))",
    "SELECT M FROM m.objects WHERE DISTANCE(ra, dec, 10, 20) < 0.5 OR 0.5 >= DISTANCE(POINT(10, 20), POINT(ra, dec))",
    "SELECT M FROM m.objects WHERE DISTANCE(ra, dec, 10, 20) > 0.5 OR DISTANCE(ra, dec, 10, 20) BETWEEN 0.1 AND 0.5",
    "SELECT s.source_id, o.M FROM g.src AS s JOIN m.objects AS o ON DISTANCE(s.ra, s.dec, o.ra, o.dec) < o.\"size\" / 60",
    "SELECT s.ra FROM (SELECT * FROM g.src WHERE ra > 0) AS s WHERE 1 = CONTAINS(POINT(s.ra, s.dec), CIRCLE(1, 2, 3))",
    "SELECT obs_id FROM ivoa.obscore WHERE 1 = CONTAINS(POINT(s_ra, s_dec), CIRCLE(1, 2, 3))",
    "SELECT obs_id FROM ivoa.obscore WHERE 1 = INTERSECTS(s_region, CIRCLE(1, 2, 3)) AND 1 = CONTAINS(p, s_region)",
    // geometry
    "SELECT POINT(1, 2), CIRCLE(p, 3), BOX(1, 2, 3, 4), BOX(POINT(1, 2), 3, 4) FROM ivoa.obscore",
    "SELECT POLYGON(1, 2, 3, 4, 5, 6), POLYGON(p, p, POINT(1, 2)), REGION('CIRCLE 1 2 3') FROM ivoa.obscore",
    "SELECT AREA(s_region), CENTROID(s_region), COORDSYS(p), COORD1(p), COORD2(POINT(s_ra, s_dec)) FROM ivoa.obscore",
    "SELECT DISTANCE(p, POINT(1, 2)), DISTANCE(CENTROID(s_region), p) FROM ivoa.obscore",
    // values
    "SELECT source_id / 2, ra / 2, source_id % 2, ra % 2, MOD(source_id, 2), -ra, -(-1), +1 FROM g.src",
    "SELECT 1 & 2 | 3, 1 ^ 2, ~source_id, 0x1F FROM g.src",
    "SELECT ABS(source_id), ROUND(ra), ROUND(ra, 2), TRUNCATE(ra, -1), LOG(ra), LOG10(ra), PI(), RAND(3), POWER(ra, 2), ATAN2(ra, dec) FROM g.src",
    "SELECT name || '''' || name, UPPER(name), COALESCE(name), COALESCE(pmra, 0) FROM g.src",
    "SELECT CAST(ra AS SMALLINT), CAST(ra AS REAL), CAST(ra AS CHAR), CAST(ra AS CHAR(3)), CAST(ra AS VARCHAR), CAST(name AS TIMESTAMP), CAST(name AS POINT), CAST(POINT(1, 2) AS POINT) FROM g.src",
    "SELECT IN_UNIT(pmra, 'deg/yr'), CASE WHEN ra > 1 THEN 'a' END, CASE name WHEN 'x' THEN 1 ELSE 2.5 END FROM g.src",
    "SELECT ivo_hasword(name, 'x'), NULL, TRUE, 'a', 12345678901 FROM g.src",
    // conditions
    "SELECT ra FROM g.src WHERE name LIKE 'a%' AND name NOT ILIKE 'B_' OR flag = 'true' AND flag <> FALSE",
    "SELECT ra FROM g.src WHERE ra = '12.5' AND source_id IN (1, '2') AND name IN (SELECT name FROM m.objects)",
    "SELECT ra FROM g.src AS s WHERE EXISTS (SELECT * FROM m.objects AS o WHERE o.name = s.name AND source_id > 3) AND pmra IS NOT NULL",
    "SELECT ra FROM g.src WHERE ra > (SELECT AVG(ra) FROM g.src) AND ra NOT BETWEEN 1 AND dec",
    // grouping, order, limits
    "SELECT FLOOR(ra) AS bin, COUNT(*) AS n, AVG(pmra) FROM g.src GROUP BY bin HAVING COUNT(*) > 1 ORDER BY n DESC, bin",
    "SELECT FLOOR(ra / 10) * 10, SUM(source_id), COUNT(DISTINCT name) FROM g.src GROUP BY FLOOR(ra / 10) ORDER BY 1, FLOOR(ra / 10) + 1, MAX(dec)",
    "SELECT DISTINCT TOP 3 name AS ra FROM g.src ORDER BY ra OFFSET 7",
    "SELECT ra FROM g.src ORDER BY dec DESC, src.name OFFSET 3",
    "SELECT COUNT(*) FROM g.src",
    // set operations and common tables
    "SELECT ra FROM g.src UNION SELECT dec FROM g.src INTERSECT SELECT s_ra FROM ivoa.obscore ORDER BY RA OFFSET 1",
    "(SELECT TOP 2 ra FROM g.src ORDER BY ra) UNION ALL SELECT TOP 1 dec FROM g.src",
    "SELECT ra FROM g.src EXCEPT ALL SELECT dec FROM g.src",
    "WITH a AS (SELECT ra AS x FROM g.src), b AS (SELECT x FROM a WHERE x > 1) SELECT b.*, a.x FROM a JOIN b ON a.x = b.x",
];

#[test]
fn queries_print_as_sql() {
    let mut report = String::new();
    for query in QUERIES {
        let Translated { sql, columns } =
            printed(query).unwrap_or_else(|error| panic!("{query}\n{error} {:?}", error.hint()));
        let columns: Vec<String> = columns
            .iter()
            .map(|column| {
                let kind = column
                    .kind
                    .map_or("?".to_owned(), |kind| format!("{kind:?}"));
                let source = column.source.as_ref().map_or(String::new(), |source| {
                    format!(" = {}.{}", source.table, source.column)
                });
                format!("{} {kind}{source}", column.name)
            })
            .collect();
        writeln!(report, "{query}\n  {sql}\n  [{}]\n", columns.join("; "))
            .expect("a String takes all");
    }
    insta::assert_snapshot!("sql", report);
}

const WRONG: &[&str] = &[
    "SELECT raa FROM g.src",
    "SELECT \"RA\" FROM g.src",
    "SELECT g_mag FROM g.src",
    "SELECT xyzzy FROM g.src",
    "SELECT ra FROM gaia.src",
    "SELECT ra FROM src",
    "SELECT ra FROM obscor",
    "SELECT ra FROM \"g.src\"",
    "SELECT ra FROM nothing.like_it",
    "SELECT s.ra FROM g.src",
    "SELECT src.ra FROM g.src AS s",
    "SELECT s.raa FROM g.src AS s, m.objects",
    "SELECT x.* FROM g.src AS s",
    "SELECT ra FROM g.src, m.objects",
    "SELECT src.ra FROM g.src, g.src",
    "SELECT M FROM m.objects WHERE name = \"M 87\"",
    "SELECT M FROM m.objects WHERE M = 'x'",
    "SELECT M FROM m.objects WHERE name = 5",
    "SELECT M FROM m.objects WHERE M LIKE '5%'",
    "SELECT ra FROM g.src WHERE flag = 'maybe'",
    "SELECT name + 1 FROM m.objects",
    "SELECT SIN(name) FROM m.objects",
    "SELECT CONTAINS(ra, CIRCLE(1, 2, 3)) FROM g.src",
    "SELECT ra FROM g.src WHERE 1 = CONTAINS(POINT(12.4, 187.7), CIRCLE(ra, dec, 1))",
    "SELECT ra FROM g.src WHERE 1 = CONTAINS(POINT(ra, dec), CIRCLE(187.7, 12.4, -1))",
    "SELECT POINT('GALACTIC', ra, dec) FROM g.src",
    "SELECT POLYGON(ra, dec, ra) FROM g.src",
    "SELECT IN_UNIT(ra + 1, 'rad') FROM g.src",
    "SELECT ivo_hasward(name, 'x') FROM g.src",
    "SELECT ivo_hasword(name) FROM g.src",
    "SELECT ra, COUNT(*) FROM g.src",
    "SELECT * FROM g.src GROUP BY ra",
    "SELECT ra FROM g.src GROUP BY FLOOR(ra)",
    "SELECT ra FROM g.src WHERE COUNT(*) > 1",
    "SELECT SUM(AVG(ra)) FROM g.src",
    "SELECT ra FROM g.src ORDER BY 2",
    "SELECT ra AS x, dec AS x FROM g.src ORDER BY x",
    "SELECT ra FROM g.src UNION SELECT ra, dec FROM g.src",
    "SELECT ra FROM g.src UNION SELECT ra FROM g.src ORDER BY dec",
    "SELECT ra FROM g.src WHERE ra IN (SELECT ra, dec FROM g.src)",
    "SELECT 1 FROM g.src LEFT JOIN m.objects",
    "SELECT 1 FROM g.src JOIN m.objects USING (pmra)",
    "SELECT 1 FROM g.src AS a, g.src AS b JOIN m.objects AS c ON a.name = c.name",
    "WITH a AS (SELECT ra FROM g.src), A AS (SELECT ra FROM g.src) SELECT ra FROM a",
];

#[test]
fn errors_name_what_was_meant() {
    let mut report = String::new();
    for query in WRONG {
        let error = match printed(query) {
            Err(error) => error,
            Ok(translated) => panic!("{query} was printed as {}", translated.sql),
        };
        writeln!(report, "{query}\n  {error}").expect("a String takes all");
        if let Some(hint) = error.hint() {
            writeln!(report, "  hint: {hint}").expect("a String takes all");
        }
    }
    insta::assert_snapshot!("errors", report);
}

#[test]
fn maxrec_caps_the_rows_whatever_top_says() {
    for (query, maxrec, end) in [
        ("SELECT TOP 5 ra FROM g.src", None, " LIMIT 5"),
        ("SELECT TOP 5 ra FROM g.src", Some(3), " LIMIT 3"),
        ("SELECT TOP 5 ra FROM g.src", Some(9), " LIMIT 5"),
        (
            "SELECT TOP 5 ra FROM g.src OFFSET 2",
            Some(9),
            " LIMIT 5 OFFSET 2",
        ),
        ("SELECT ra FROM g.src", Some(0), " LIMIT 0"),
        (
            "SELECT ra FROM g.src UNION SELECT dec FROM g.src",
            Some(3),
            " LIMIT 3",
        ),
        (
            "SELECT TOP 18446744073709551615 ra FROM g.src",
            None,
            " LIMIT 9223372036854775807",
        ),
    ] {
        let tree = parse(query).expect("a valid query");
        let sql = print(&tree, &schema(), maxrec).expect("known names").sql;
        assert!(sql.ends_with(end), "{query} {maxrec:?}: {sql}");
    }
}

#[test]
fn an_output_column_knows_its_source_through_subqueries() {
    let columns = printed("SELECT y.a FROM (SELECT RA AS a FROM g.src) AS y")
        .expect("known")
        .columns;
    let source = ColumnSource {
        table: "g.src".to_owned(),
        column: "ra".to_owned(),
    };
    assert_eq!(
        columns.first().and_then(|column| column.source.clone()),
        Some(source)
    );
}

/// A small sky, with stand-ins for the functions that matter here.
fn database() -> Connection {
    let connection = Connection::open_in_memory().expect("SQLite opens in memory");
    connection
        .execute_batch(
            "CREATE TABLE g__src (source_id_ INTEGER, ra_ REAL, dec_ REAL, phot_g_mean_mag_ REAL,
                pmra_ REAL, flag_ INTEGER, name_ TEXT);
             INSERT INTO g__src VALUES
                (1, 10, 89.9, 5, 1.5, 1, 'a'), (2, 190, 89.9, 6, NULL, 0, 'b'),
                (3, 0.05, -1, 7, 2.5, 1, 'A'), (4, 359.95, -1, NULL, 0, NULL, NULL),
                (9007199254740993, 100, 45, 8, -1, 0, 'b');
             CREATE TABLE m__objects (m_ INTEGER, name_ TEXT, ra_ REAL, dec_ REAL, size_ REAL, \"2mass id_\" TEXT);
             INSERT INTO m__objects VALUES (1, 'a', 10, 89.9, 60, 'x'), (2, 'c', 0, -1, 12, NULL),
                (3, NULL, NULL, NULL, 6, 'y');
             CREATE TABLE ivoa__obscore (obs_id_ TEXT, s_ra_ REAL, s_dec_ REAL, s_region_ TEXT, p_ TEXT);
             INSERT INTO ivoa__obscore VALUES ('a', 10, 20, NULL, NULL), ('z', 0, 0, NULL, NULL);
             CREATE INDEX src_dec ON g__src (dec_); CREATE INDEX objects_dec ON m__objects (dec_);",
        )
        .expect("the tables are written");
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection
        .create_scalar_function("adql_distance", 4, flags, |context| {
            let mut radians = [0.0; 4];
            for (index, slot) in radians.iter_mut().enumerate() {
                let Some(degrees) = context.get::<Option<f64>>(index)? else {
                    return Ok(None);
                };
                *slot = degrees.to_radians();
            }
            let [lon1, lat1, lon2, lat2] = radians;
            let (a, b) = (((lat2 - lat1) / 2.0).sin(), ((lon2 - lon1) / 2.0).sin());
            let h = a * a + lat1.cos() * lat2.cos() * b * b;
            Ok(Some((2.0 * h.sqrt().min(1.0).asin()).to_degrees()))
        })
        .and_then(|()| {
            connection.create_scalar_function("adql_like", 2, flags, |context| {
                let text: Option<String> = context.get(0)?;
                let pattern: Option<String> = context.get(1)?;
                Ok(text
                    .zip(pattern)
                    .map(|(text, pattern)| text.starts_with(pattern.trim_end_matches('%'))))
            })
        })
        .and_then(|()| {
            connection.create_scalar_function("adql_floor", 1, flags, |context| {
                Ok(context.get::<Option<f64>>(0)?.map(f64::floor))
            })
        })
        .expect("the functions are registered");
    connection
}

/// The rows as text: columns by spaces, rows by `; `, nulls as `-`.
fn answer(connection: &Connection, query: &str) -> String {
    let sql = printed(query)
        .unwrap_or_else(|error| panic!("{query}\n{error}"))
        .sql;
    let fail = |error: rusqlite::Error| -> String { panic!("{query}\n{sql}\n{error}") };
    let mut statement = match connection.prepare(&sql) {
        Ok(statement) => statement,
        Err(error) => return fail(error),
    };
    let width = statement.column_count();
    let rows = statement.query_map([], |row| {
        let mut cells = Vec::new();
        for index in 0..width {
            cells.push(match row.get_ref(index)? {
                ValueRef::Null => "-".to_owned(),
                ValueRef::Integer(value) => value.to_string(),
                ValueRef::Real(value) => value.to_string(),
                ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                ValueRef::Blob(_) => "blob".to_owned(),
            });
        }
        Ok(cells.join(" "))
    });
    match rows.and_then(|rows| rows.collect::<Result<Vec<_>, _>>()) {
        Ok(rows) => rows.join("; "),
        Err(error) => fail(error),
    }
}

#[test]
fn sqlite_answers_as_adql_means() {
    let connection = database();
    for (query, expected) in [
        // arithmetic
        (
            "SELECT 7 / 2, 7 / 2., -7 / 2, 7 % 3, 2 - 3 - 4, 2 - (3 - 4) FROM g.src WHERE source_id = 1",
            "3 3.5 -3 1 -5 3",
        ),
        (
            "SELECT source_id FROM g.src WHERE source_id = 9007199254740993",
            "9007199254740993",
        ),
        (
            "SELECT -9223372036854775808, 'it''s' || '!', -(-1), 1 - -1 FROM g.src WHERE source_id = 1",
            "-9223372036854775808 it's! 1 2",
        ),
        // nulls
        (
            "SELECT source_id FROM g.src WHERE NOT name = 'a' ORDER BY 1",
            "2; 3; 9007199254740993",
        ),
        (
            "SELECT COUNT(*), COUNT(pmra), COUNT(DISTINCT name), SUM(source_id - source_id) FROM g.src",
            "5 4 3 0",
        ),
        (
            "SELECT COALESCE(name, 'none') FROM g.src WHERE name IS NULL",
            "none",
        ),
        // text: case matters
        ("SELECT source_id FROM g.src WHERE name LIKE 'a%'", "1"),
        (
            "SELECT source_id FROM g.src WHERE name = 'A' OR name > 'a' ORDER BY 1",
            "2; 3; 9007199254740993",
        ),
        // TOP, ORDER BY, OFFSET
        (
            "SELECT TOP 2 source_id AS x FROM g.src ORDER BY ra DESC",
            "4; 2",
        ),
        (
            "SELECT TOP 2 source_id AS x FROM g.src ORDER BY ra DESC OFFSET 1",
            "2; 9007199254740993",
        ),
        ("SELECT source_id FROM g.src ORDER BY ra OFFSET 3", "2; 4"),
        (
            "SELECT name AS ra FROM g.src WHERE name IS NOT NULL ORDER BY ra, source_id",
            "A; a; b; b",
        ),
        ("SELECT TOP 0 ra FROM g.src", ""),
        // joins
        (
            "SELECT * FROM m.objects AS o JOIN ivoa.obscore ON name = obs_id",
            "1 a 10 89.9 60 x a 10 20 - -",
        ),
        (
            "SELECT name, M, source_id FROM m.objects JOIN g.src USING (name)",
            "a 1 1",
        ),
        (
            "SELECT name, M, source_id FROM m.objects LEFT JOIN g.src USING (name) ORDER BY M",
            "a 1 1; c 2 -; - 3 -",
        ),
        (
            "SELECT name, M FROM m.objects RIGHT JOIN g.src USING (name) ORDER BY source_id",
            "a 1; b -; A -; - -; b -",
        ),
        (
            "SELECT name, M, source_id FROM (SELECT M, name FROM m.objects WHERE M < 3) AS o FULL JOIN g.src USING (name) ORDER BY source_id, M",
            "c 2 -; a 1 1; b - 2; A - 3; - - 4; b - 9007199254740993",
        ),
        (
            "SELECT COUNT(*) FROM (SELECT name FROM g.src) AS a NATURAL JOIN (SELECT name FROM g.src) AS b",
            "6",
        ),
        (
            "SELECT COUNT(*) FROM m.objects NATURAL JOIN (SELECT obs_id FROM ivoa.obscore) AS x",
            "6",
        ),
        (
            "SELECT a.M, c.obs_id FROM m.objects AS a JOIN (m.objects AS b JOIN ivoa.obscore AS c ON b.name = c.obs_id) ON a.M > b.M ORDER BY a.M",
            "2 a; 3 a",
        ),
        (
            "SELECT COUNT(*), COUNT(b.M) FROM g.src AS a, m.objects AS b RIGHT JOIN ivoa.obscore AS c ON b.name = c.obs_id",
            "10 5",
        ),
        ("SELECT COUNT(*) FROM g.src JOIN m.objects ON 1 = 1", "15"),
        ("SELECT COUNT(*) FROM g.src CROSS JOIN m.objects", "15"),
        // cones, over the pole and RA 0
        (
            "SELECT source_id FROM g.src WHERE 1 = CONTAINS(POINT(ra, dec), CIRCLE(100, 90, 0.11)) ORDER BY 1",
            "1; 2",
        ),
        (
            "SELECT source_id FROM g.src WHERE DISTANCE(ra, dec, 10, 89.9) <= 0.2 ORDER BY 1",
            "1; 2",
        ),
        (
            "SELECT source_id FROM g.src WHERE DISTANCE(0, -1, ra, dec) < 0.06 ORDER BY 1",
            "3; 4",
        ),
        (
            "SELECT source_id FROM g.src WHERE 1 = INTERSECTS(CIRCLE(0, -1, 0.06), POINT(ra, dec)) ORDER BY 1",
            "3; 4",
        ),
        (
            "SELECT source_id FROM g.src WHERE NOT (CONTAINS(POINT(ra, dec), CIRCLE(0, -1, 0.06)) = 1) ORDER BY 1",
            "1; 2; 9007199254740993",
        ),
        (
            "SELECT M FROM m.objects WHERE CONTAINS(POINT(ra, dec), CIRCLE(0, 0, 180)) = 0",
            "",
        ),
        (
            "SELECT o.M, s.source_id FROM m.objects AS o JOIN g.src AS s ON 1 = CONTAINS(POINT(s.ra, s.dec), CIRCLE(o.ra, o.dec, o.\"size\" / 60)) ORDER BY 1, 2",
            "1 1; 1 2; 2 3; 2 4",
        ),
        (
            "SELECT o.M, COUNT(s.source_id) FROM m.objects AS o LEFT JOIN g.src AS s ON DISTANCE(s.ra, s.dec, o.ra, o.dec) < 0.1 GROUP BY o.M ORDER BY 1",
            "1 1; 2 2; 3 0",
        ),
        (
            "SELECT s.source_id FROM (SELECT * FROM g.src) AS s WHERE 1 = CONTAINS(POINT(s.ra, s.dec), CIRCLE(100, 45, 1))",
            "9007199254740993",
        ),
        // groups
        (
            "SELECT name, COUNT(*) AS n FROM g.src GROUP BY name HAVING COUNT(*) > 1",
            "b 2",
        ),
        (
            "SELECT FLOOR(dec / 10) * 10 AS bin, COUNT(*) FROM g.src GROUP BY FLOOR(dec / 10) ORDER BY bin",
            "-10 2; 40 1; 80 2",
        ),
        (
            "SELECT FLOOR(dec) AS bin, COUNT(*) AS n FROM g.src GROUP BY bin ORDER BY n DESC, bin",
            "-1 2; 89 2; 45 1",
        ),
        ("SELECT COUNT(*) FROM g.src WHERE ra < 0", "0"),
        ("SELECT 1 FROM g.src HAVING COUNT(*) > 3", "1"),
        // subqueries
        (
            "SELECT M FROM m.objects AS o WHERE EXISTS (SELECT * FROM g.src AS s WHERE s.name = o.name)",
            "1",
        ),
        (
            "SELECT M FROM m.objects WHERE name NOT IN (SELECT name FROM g.src WHERE name IS NOT NULL)",
            "2",
        ),
        (
            "SELECT M, (SELECT COUNT(*) FROM g.src WHERE dec = objects.dec) FROM m.objects ORDER BY M",
            "1 2; 2 2; 3 0",
        ),
        (
            "SELECT source_id FROM g.src WHERE ra > (SELECT AVG(ra) FROM g.src) ORDER BY 1",
            "2; 4",
        ),
        // set operations
        (
            "SELECT name FROM g.src WHERE name IS NOT NULL UNION SELECT name FROM m.objects WHERE M < 3 ORDER BY name",
            "A; a; b; c",
        ),
        (
            "SELECT name FROM g.src EXCEPT SELECT name FROM m.objects ORDER BY 1",
            "A; b",
        ),
        (
            "SELECT name FROM g.src EXCEPT ALL SELECT name FROM g.src WHERE source_id = 2 ORDER BY 1",
            "-; A; a; b",
        ),
        (
            "SELECT name FROM g.src INTERSECT ALL (SELECT name FROM g.src WHERE name = 'b' UNION ALL SELECT name FROM g.src) ORDER BY 1",
            "-; A; a; b; b",
        ),
        (
            "SELECT 1 FROM ivoa.obscore UNION SELECT 2 FROM ivoa.obscore INTERSECT SELECT 3 FROM ivoa.obscore",
            "1",
        ),
        (
            "SELECT 1 FROM ivoa.obscore EXCEPT (SELECT 2 FROM ivoa.obscore UNION SELECT 1 FROM ivoa.obscore)",
            "",
        ),
        (
            "(SELECT TOP 1 M FROM m.objects ORDER BY M DESC) UNION ALL (SELECT TOP 1 M FROM m.objects ORDER BY M) ORDER BY 1 DESC",
            "3; 1",
        ),
        // common tables
        (
            "WITH a AS (SELECT M AS x FROM m.objects), b AS (SELECT x + 1 AS x FROM a) SELECT a.x, b.x FROM a JOIN b ON a.x = b.x ORDER BY 1",
            "2 2; 3 3",
        ),
        // columns of one name
        (
            "SELECT * FROM (SELECT a.M, b.M AS \"m\", a.M AS other FROM m.objects AS a JOIN m.objects AS b ON a.M = b.M) AS x WHERE other = 1",
            "1 1 1",
        ),
        (
            "SELECT flag FROM g.src WHERE flag = 'true' AND flag = TRUE AND ra = '10.0'",
            "1",
        ),
    ] {
        assert_eq!(
            answer(&connection, query),
            expected,
            "{query}\n{}",
            printed(query).expect("printed").sql
        );
    }
}

#[test]
fn every_printed_query_is_one_that_sqlite_reads() {
    let connection = database();
    for query in QUERIES {
        let sql = printed(query).expect("known names").sql;
        if let Err(error) = connection.prepare(&sql) {
            let message = error.to_string();
            assert!(
                message.contains("no such function: adql_") || message.contains("ivo_hasword"),
                "{query}\n{sql}\n{message}"
            );
        }
    }
}

#[test]
fn a_cone_uses_the_index() {
    let connection = database();
    for (query, index) in [
        (
            "SELECT ra FROM g.src WHERE 1 = CONTAINS(POINT(ra, dec), CIRCLE(1, 2, 3))",
            "src_dec",
        ),
        (
            "SELECT o.M FROM m.objects AS o JOIN g.src AS s ON DISTANCE(s.ra, s.dec, o.ra, o.dec) < 0.1",
            "_dec",
        ),
        (
            "SELECT s.ra FROM (SELECT * FROM g.src WHERE ra > 3) AS s WHERE DISTANCE(s.ra, s.dec, 1, 2) < 1",
            "src_dec",
        ),
        (
            "WITH s AS (SELECT * FROM g.src) SELECT ra FROM s WHERE DISTANCE(ra, dec, 1, 2) < 1 AND ra > 5",
            "src_dec",
        ),
    ] {
        let sql = printed(query).expect("known names").sql;
        let mut statement = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .unwrap_or_else(|error| panic!("{sql}\n{error}"));
        let plan: Vec<String> = statement
            .query_map([], |row| row.get(3))
            .and_then(Iterator::collect)
            .expect("a plan");
        let plan = plan.join("\n");
        assert!(
            plan.contains("SEARCH") && plan.contains(index),
            "{query}\n{sql}\n{plan}"
        );
    }
}

#[test]
fn the_deepest_query_that_parses_prints_on_the_stack_of_a_runtime_thread() {
    // Threads of the runtime have 2 MiB; half of it is enough without optimisation.
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let nested = |depth: usize, open: &str, close: &str, core: &str| {
            format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
        };
        for make in [
            &(|depth| format!("SELECT {} FROM g.src", nested(depth, "ABS(", ")", "ra")))
                as &dyn Fn(usize) -> String,
            &|depth| {
                format!(
                    "SELECT {} FROM g.src",
                    nested(depth, "-(1 + 2 * ", ")", "ra")
                )
            },
            &|depth| {
                let condition = nested(depth, "NOT (ra < 1 OR ", ")", "ra > 2");
                format!("SELECT ra FROM g.src WHERE {condition}")
            },
            &|depth| {
                nested(
                    depth,
                    "SELECT ra FROM g.src WHERE ra IN (",
                    ")",
                    "SELECT ra FROM g.src",
                )
            },
            &|depth| nested(depth, "SELECT * FROM (", ") AS x", "SELECT ra FROM g.src"),
        ] {
            let mut deepest = 0;
            while parse(&make(deepest + 1)).is_ok() {
                deepest += 1;
            }
            assert!(deepest > 20, "{}", make(2));
            let text = make(deepest);
            printed(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        }
    });
    thread
        .expect("threads can be started")
        .join()
        .expect("no stack overflow, no panic");
}

#[test]
fn large_queries_are_printed_or_refused_in_little_time() {
    let start = std::time::Instant::now();
    let repeated = |head: &str, part: &str, times: usize, tail: &str| {
        format!("{head}{}{tail}", part.repeat(times))
    };
    for (query, refused) in [
        (
            repeated("SELECT ra FROM g.src WHERE ra IN (1", ",2", 300_000, ")"),
            false,
        ),
        (
            repeated("SELECT ra FROM g.src WHERE ra=1", " OR ra=1", 50_000, ""),
            false,
        ),
        (repeated("SELECT ra", ",ra", 1_999, " FROM g.src"), false),
        (repeated("SELECT ra", ",ra", 300_000, " FROM g.src"), true),
        (repeated("SELECT *", ",*", 5_000, " FROM g.src"), true),
        (
            repeated("SELECT ra FROM g.src", ",g.src", 100_000, ""),
            true,
        ),
        (
            repeated("SELECT ra FROM g.src GROUP BY ra", ",ra", 300_000, ""),
            true,
        ),
        (
            repeated("SELECT ra FROM g.src ORDER BY ra", ",ra", 300_000, ""),
            true,
        ),
        (
            repeated(
                "WITH a AS (SELECT ra FROM g.src)",
                ",a AS (SELECT ra FROM g.src)",
                30_000,
                " SELECT ra FROM a",
            ),
            true,
        ),
        (
            repeated(
                "SELECT ra FROM g.src WHERE 0x1 IN (0x1",
                ",0x1",
                100_000,
                &" OR ra IN ((SELECT ra FROM g.src))"
                    .repeat(15_000)
                    .replacen(" OR", ") OR", 1),
            ),
            false,
        ),
    ] {
        let tree = parse(&query).unwrap_or_else(|error| panic!("{error}"));
        let printed = print(&tree, &schema(), None);
        assert_eq!(
            printed.is_err(),
            refused,
            "{:.80}: {:?}",
            query,
            printed.err()
        );
    }
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 60.0, "{seconds} s");
}

#[test]
fn repetition_of_nested_values_is_bounded() {
    let mut point = "p".to_owned();
    for _ in 0..20 {
        point = format!("CENTROID(CIRCLE({point}, 1))");
    }
    let query = format!("SELECT {point} FROM ivoa.obscore");
    let error = printed(&query).expect_err("too complex");
    assert!(error.message().contains("too complex"), "{error}");
}
