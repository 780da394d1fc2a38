//! Tables of queries, one a grammar production or optional feature, and the errors of wrong ones.

use std::fmt::Write as _;

use super::MAX_DEPTH;
use crate::{ast::ExtensionKind, parse};

/// Queries of the Recommendation's grammar; each is followed by how it prints when that differs.
const VALID: &[(&str, &str)] = &[
    // <select_query>, <set_quantifier>, <set_limit>, <select_list>
    ("SELECT * FROM t", ""),
    ("select ra,dec from t", "SELECT ra, dec FROM t"),
    ("SELECT ALL ra FROM t", ""),
    ("SELECT DISTINCT TOP 10 ra FROM t", ""),
    ("SELECT t.* FROM t", ""),
    ("SELECT s.t.*, u.ra FROM s.t, u", ""),
    ("SELECT c.s.t.*, c.s.t.ra FROM c.s.t", ""),
    (
        "SELECT ra alpha, dec AS delta FROM t",
        "SELECT ra AS alpha, dec AS delta FROM t",
    ),
    (
        "SELECT \"date\", t.\"size\" AS \"a\"\"b\" FROM \"J/ApJ/752/127\" AS t",
        "",
    ),
    (
        "SELECT a -- the first\n, b --- the second -- '\nFROM t --",
        "SELECT a, b FROM t",
    ),
    ("\tSELECT\r\n1\x0c,\x0b2 FROM t\n", "SELECT 1, 2 FROM t"),
    ("SELECT NULL AS nothing FROM t", ""),
    ("SELECT limit FROM t AS limit WHERE limit > 3", ""),
    // literals
    (
        "SELECT 1, 1., .5, 1.5, 1e3, 1E+3, 1.e-3, .5e0, 00012 FROM t",
        "",
    ),
    ("SELECT 99999999999999999999999999999999999 FROM t", ""),
    ("SELECT '', 'it''s', '\"', '--', 'é' FROM t", ""),
    // numeric and string expressions
    ("SELECT a + b - c * d / e FROM t", ""),
    (
        "SELECT (a + b) * (c - (d - e)) FROM t",
        "SELECT (a + b) * (c - (d - e)) FROM t",
    ),
    ("SELECT ((a) + (b)) FROM t", "SELECT a + b FROM t"),
    (
        "SELECT (a - b) - c, a - (b - c) FROM t",
        "SELECT (a - b) - c, a - (b - c) FROM t",
    ),
    ("SELECT -a, +a, -(a + b), a - -1, -(-1), 2 * -x FROM t", ""),
    ("SELECT a || 'x' || b FROM t", ""),
    ("SELECT LOWER(a || b), UPPER('x') FROM t", ""),
    ("SELECT COALESCE(a, b, NULL, 0) FROM t", ""),
    (
        "SELECT CAST(a AS SMALLINT), CAST(a AS INTEGER), CAST(a AS BIGINT) FROM t",
        "",
    ),
    (
        "SELECT CAST(a AS REAL), CAST(a AS DOUBLE PRECISION) FROM t",
        "",
    ),
    (
        "SELECT CAST(a AS CHAR), CAST(a AS CHAR(3)), CAST(a AS VARCHAR), CAST(a AS VARCHAR(9)) FROM t",
        "",
    ),
    (
        "SELECT CAST('2016-01-01' AS TIMESTAMP), CAST('1 2' AS POINT) FROM t",
        "",
    ),
    ("SELECT CAST(a AS CIRCLE), CAST(a AS POLYGON) FROM t", ""),
    // aggregates
    (
        "SELECT COUNT(*), COUNT(a), COUNT(DISTINCT a), COUNT(ALL a) FROM t",
        "",
    ),
    (
        "SELECT AVG(a), MAX(a), MIN(a + 1), SUM(DISTINCT a) FROM t",
        "",
    ),
    // mathematical functions
    (
        "SELECT ABS(a), CEILING(a), DEGREES(a), EXP(a), FLOOR(a), LOG(a), LOG10(a), MOD(a, b), PI(), \
         POWER(a, 2), RADIANS(a), RAND(), RAND(3), ROUND(a), ROUND(a, -2), SQRT(a), TRUNCATE(a), \
         TRUNCATE(a, 2) FROM t",
        "",
    ),
    (
        "SELECT ACOS(a), ASIN(a), ATAN(a), ATAN2(a, b), COS(a), COT(a), SIN(a), TAN(a) FROM t",
        "",
    ),
    ("SELECT IN_UNIT(a, 'km/s') FROM t", ""),
    // geometry
    (
        "SELECT POINT(1, 2), POINT('ICRS', ra, dec), POINT('', ra, dec) FROM t",
        "",
    ),
    (
        "SELECT CIRCLE(1, 2, 3), CIRCLE('ICRS', 1, 2, 3), CIRCLE(POINT(1, 2), 3), CIRCLE(p, r) FROM t",
        "",
    ),
    (
        "SELECT BOX(1, 2, 3, 4), BOX('ICRS', 1, 2, 3, 4), BOX(p, 3, 4), BOX(POINT(1, 2), 3, 4) FROM t",
        "",
    ),
    (
        "SELECT POLYGON(1, 2, 3, 4, 5, 6), POLYGON('', 1, 2, 3, 4, 5, 6, 7, 8) FROM t",
        "",
    ),
    (
        "SELECT POLYGON(p, q, r), POLYGON(POINT(1, 2), p, CENTROID(c)) FROM t",
        "",
    ),
    ("SELECT REGION('CIRCLE ICRS 1 2 3') FROM t", ""),
    (
        "SELECT AREA(c), CENTROID(CIRCLE(1, 2, 3)), COORDSYS(p), COORD1(p), COORD2(POINT(1, 2)) FROM t",
        "",
    ),
    (
        "SELECT DISTANCE(p, q), DISTANCE(POINT(1, 2), p), DISTANCE(a.ra, a.dec, b.ra, -b.dec) FROM a, b",
        "",
    ),
    (
        "SELECT * FROM t WHERE 1 = CONTAINS(POINT(ra, dec), CIRCLE(10, -20, 0.1))",
        "",
    ),
    (
        "SELECT * FROM t WHERE INTERSECTS(s_region, CIRCLE(10, 20, 1)) = 0",
        "",
    ),
    // user-defined functions
    (
        "SELECT ivo_hasword(a, 'b'), gavo_now() FROM t WHERE ivo_nocasematch(a, 'x') = 1",
        "",
    ),
    // tables and joins
    (
        "SELECT * FROM a, b AS x, s.c y",
        "SELECT * FROM a, b AS x, s.c AS y",
    ),
    ("SELECT * FROM a JOIN b ON a.x = b.x", ""),
    (
        "SELECT * FROM a INNER JOIN b USING (x, \"y\")",
        "SELECT * FROM a JOIN b USING (x, \"y\")",
    ),
    ("SELECT * FROM a NATURAL JOIN b", ""),
    ("SELECT * FROM a NATURAL LEFT JOIN b", ""),
    (
        "SELECT * FROM a LEFT OUTER JOIN b ON a.x = b.x RIGHT JOIN c USING (z) FULL OUTER JOIN d USING (w)",
        "SELECT * FROM a LEFT JOIN b ON a.x = b.x RIGHT JOIN c USING (z) FULL JOIN d USING (w)",
    ),
    ("SELECT * FROM (a JOIN b USING (x)) JOIN c USING (y)", ""),
    (
        "SELECT * FROM (a JOIN b USING (x))",
        "SELECT * FROM a JOIN b USING (x)",
    ),
    ("SELECT * FROM a JOIN (b JOIN c USING (x)) USING (y)", ""),
    (
        "SELECT * FROM a JOIN b JOIN c ON b.x = c.x ON a.x = b.x",
        "SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x",
    ),
    ("SELECT * FROM a JOIN b", ""),
    ("SELECT * FROM (SELECT * FROM t) AS s", ""),
    (
        "SELECT * FROM ((SELECT * FROM t) AS s JOIN u USING (x))",
        "SELECT * FROM (SELECT * FROM t) AS s JOIN u USING (x)",
    ),
    (
        "SELECT * FROM ((SELECT a FROM t) UNION (SELECT a FROM u)) AS s",
        "",
    ),
    ("SELECT * FROM ((SELECT a FROM t)) AS s", ""),
    // conditions
    (
        "SELECT * FROM t WHERE a = 1 AND b <> 2 OR c != 3 AND NOT d < 4",
        "SELECT * FROM t WHERE a = 1 AND b <> 2 OR c <> 3 AND NOT d < 4",
    ),
    (
        "SELECT * FROM t WHERE (a = 1 OR b = 2) AND (c > 3 OR (d >= 4))",
        "SELECT * FROM t WHERE (a = 1 OR b = 2) AND (c > 3 OR d >= 4)",
    ),
    (
        "SELECT * FROM t WHERE (a + b) * 2 > (c)",
        "SELECT * FROM t WHERE (a + b) * 2 > c",
    ),
    (
        "SELECT * FROM t WHERE ((a > b))",
        "SELECT * FROM t WHERE a > b",
    ),
    ("SELECT * FROM t WHERE NOT (a = 1 AND b = 2)", ""),
    (
        "SELECT * FROM t WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN c AND d + 1",
        "",
    ),
    (
        "SELECT * FROM t WHERE a IN (1, 2, 3) AND b NOT IN ('x') AND c IN (SELECT c FROM u)",
        "",
    ),
    (
        "SELECT * FROM t WHERE a IN ((SELECT c FROM u))",
        "SELECT * FROM t WHERE a IN (SELECT c FROM u)",
    ),
    (
        "SELECT * FROM t WHERE a LIKE 'x%' OR a NOT LIKE b || '_' OR a ILIKE 'X' OR a NOT ILIKE 'y'",
        "",
    ),
    ("SELECT * FROM t WHERE a IS NULL AND t.b IS NOT NULL", ""),
    (
        "SELECT * FROM t WHERE EXISTS (SELECT * FROM u WHERE u.x = t.x) AND NOT EXISTS (SELECT * FROM v)",
        "",
    ),
    // the clauses after
    (
        "SELECT a, COUNT(*) AS n FROM t GROUP BY a, t.b, FLOOR(c) HAVING COUNT(*) > 1 ORDER BY n DESC, 1 ASC, a + b OFFSET 5",
        "",
    ),
    // set operations
    ("SELECT a FROM t UNION SELECT a FROM u", ""),
    (
        "SELECT a FROM t UNION ALL SELECT a FROM u EXCEPT SELECT a FROM v INTERSECT ALL SELECT a FROM w",
        "",
    ),
    (
        "(SELECT a FROM t ORDER BY a) UNION (SELECT TOP 1 a FROM u) ORDER BY 1 OFFSET 2",
        "",
    ),
    (
        "SELECT a FROM t EXCEPT (SELECT a FROM u UNION SELECT a FROM v)",
        "",
    ),
    ("(SELECT a FROM t)", ""),
    // common tables
    (
        "WITH x AS (SELECT a FROM t), y AS (SELECT a FROM x ORDER BY a) SELECT * FROM y",
        "",
    ),
    (
        "WITH \"X y\" AS (SELECT a FROM t UNION SELECT b FROM u) SELECT * FROM \"X y\"",
        "",
    ),
];

#[test]
fn valid_queries_parse_print_and_parse_to_the_same_tree() {
    for (query, printed) in VALID {
        let tree = parse(query).unwrap_or_else(|error| panic!("{query}\n{error}"));
        assert!(tree.extensions.is_empty(), "{query}: {:?}", tree.extensions);
        let text = tree.to_string();
        assert_eq!(&text, if printed.is_empty() { query } else { printed });
        let again = parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(without_spans(&again), without_spans(&tree), "{query}");
    }
}

/// What archives understand beside the standard.
#[test]
fn extensions_are_read_and_named() {
    use ExtensionKind as Kind;
    for (query, kinds) in [
        (
            "SELECT 0x2F, 0XaB FROM t",
            &[Kind::HexadecimalLiteral, Kind::HexadecimalLiteral][..],
        ),
        (
            "SELECT a & 1 FROM t WHERE ~b | c ^ 2 = 0",
            &[Kind::BitwiseOperator; 4],
        ),
        ("SELECT a FROM t WHERE b = TRUE", &[Kind::BooleanLiteral]),
        ("SELECT a % 10 FROM t", &[Kind::PercentModulo]),
        (
            "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END, CASE a WHEN 1 THEN 2 END FROM t",
            &[Kind::Case; 2],
        ),
        ("SELECT * FROM a CROSS JOIN b", &[Kind::CrossJoin]),
        (
            "SELECT (SELECT MAX(a) FROM t) FROM t WHERE a > (SELECT MIN(a) FROM t)",
            &[Kind::ScalarSubquery; 2],
        ),
        (
            "SELECT ((SELECT a FROM t) UNION (SELECT b FROM t)) FROM t",
            &[Kind::ScalarSubquery],
        ),
        ("SELECT *, a FROM t", &[Kind::MixedAsterisk]),
        (
            "SELECT a FROM t WHERE a + b IS NOT NULL",
            &[Kind::NullTestOfExpression],
        ),
        ("SELECT a FROM t;", &[Kind::TrailingSemicolon]),
        (
            "SELECT TOP 3 DISTINCT a FROM t",
            &[Kind::TopBeforeQuantifier],
        ),
    ] {
        let tree = parse(query).unwrap_or_else(|error| panic!("{query}\n{error}"));
        let found: Vec<_> = tree
            .extensions
            .iter()
            .map(|extension| extension.kind)
            .collect();
        assert_eq!(found, kinds, "{query}");
        let text = tree.to_string();
        let again = parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(again.to_string(), text, "{query}");
    }
}

const INVALID: &[&str] = &[
    // not one query
    "",
    "  -- nothing but a comment",
    "DELETE FROM t",
    "INSERT INTO t VALUES (1)",
    "EXPLAIN SELECT * FROM t",
    "hello",
    "SELECT a FROM t; DROP TABLE t",
    "SELECT a FROM t;;",
    "SELECT a FROM t SELECT b FROM u",
    "WITH x AS (SELECT a FROM t)",
    "WITH RECURSIVE x AS (SELECT a FROM t) SELECT * FROM x",
    "SELECT * FROM (WITH x AS (SELECT a FROM t) SELECT * FROM x) AS y",
    // clauses
    "SELECT FROM t",
    "SELECT a",
    "SELECT a FROM",
    "SELECT a FROM t WHERE",
    "SELECT a FROM t LIMIT 10",
    "SELECT a FROM t WHERE a > 1\nORDER BY a LIMIT 10 OFFSET 5",
    "SELECT a FROM t FETCH FIRST 5 ROWS ONLY",
    "SELECT TOP a FROM t",
    "SELECT TOP -1 a FROM t",
    "SELECT TOP 1.5 a FROM t",
    "SELECT TOP (10) a FROM t",
    "SELECT TOP 10, a FROM t",
    "SELECT TOP 99999999999999999999 a FROM t",
    "SELECT a, FROM t",
    "SELECT a b c FROM t",
    "SELECT a, b c d FROM t",
    "SELECT a FROM t WHERE a > 1 WHERE b > 2",
    "SELECT a FROM t GROUP a",
    "SELECT a FROM t ORDER BY a DESC NULLS LAST",
    "SELECT a FROM t OFFSET -1",
    "SELECT a FROM t ORDER BY",
    // names
    "SELECT date FROM t",
    "SELECT distance FROM t",
    "SELECT a AS size FROM t",
    "SELECT t.order FROM t",
    "SELECT a FROM public.t",
    "SELECT _raj2000 FROM t",
    "SELECT 2mass FROM t",
    "SELECT a FROM \"J/ApJ/752/127",
    "SELECT \"\" FROM t",
    "SELECT a.b.c.d.e FROM t",
    "SELECT a FROM a.b.c.d",
    "SELECT größe FROM t",
    "SELECT a AS order FROM t",
    "SELECT étoile FROM t",
    "SELECT `ra` FROM t",
    "SELECT [ra] FROM t",
    // strings and characters
    "SELECT a FROM t WHERE b = 'x",
    "SELECT a FROM t WHERE b = 'it's'",
    "SELECT a FROM t WHERE b = \u{2018}x\u{2019}",
    "SELECT \u{201c}a\u{201d} FROM t",
    "SELECT a \u{2013} b FROM t",
    "SELECT\u{a0}a FROM t",
    "SELECT a\u{200b} FROM t",
    "SELECT a FROM t WHERE b \u{2264} 3",
    "SELECT a FROM t WHERE b == 3",
    "SELECT a FROM t WHERE b => 3",
    "SELECT a FROM t WHERE b = 3 && c = 4",
    "SELECT a /* comment */ FROM t",
    "SELECT a::text FROM t",
    "SELECT 1.2.3 FROM t",
    "SELECT 0x FROM t",
    "SELECT a \0 FROM t",
    // values and conditions
    "SELECT a FROM t WHERE a",
    "SELECT a FROM t WHERE CONTAINS(POINT(ra, dec), CIRCLE(1, 2, 3))",
    "SELECT a = b FROM t",
    "SELECT (a = b) FROM t",
    "SELECT a FROM t WHERE 1 < a < 2",
    "SELECT a FROM t WHERE a = 1, b = 2",
    "SELECT a FROM t WHERE a IS 3",
    "SELECT a FROM t WHERE a BETWEEN 1, 2",
    "SELECT a FROM t WHERE a IN 1, 2",
    "SELECT a FROM t WHERE a IN ()",
    "SELECT a FROM t WHERE (a, b) IN (SELECT a, b FROM u)",
    "SELECT a FROM t WHERE a LIKE 'x!_' ESCAPE '!'",
    "SELECT a FROM t WHERE a > ALL (SELECT b FROM u)",
    "SELECT a FROM t WHERE NOT NOT a = 1",
    "SELECT a FROM t WHERE a = - - 1",
    "SELECT a FROM t WHERE d > DATE '2016-01-01'",
    "SELECT a FROM t WHERE (a = 1",
    "SELECT a FROM t WHERE a = 1)",
    "SELECT (a + (b * 2) FROM t",
    "SELECT CASE a END FROM t",
    "SELECT a + FROM t",
    "SELECT POINT(1, 2) + 1 FROM t",
    // functions
    "SELECT SUM(*) FROM t",
    "SELECT COUNT() FROM t",
    "SELECT SIN() FROM t",
    "SELECT SIN(a, b) FROM t",
    "SELECT SIN(POINT(1, 2)) FROM t",
    "SELECT PI(1) FROM t",
    "SELECT ROUND(a, b) FROM t",
    "SELECT CIRCLE(1 2, 3) FROM t",
    "SELECT CIRCLE(1, 2, 3, 4) FROM t",
    "SELECT CIRCLE(1) FROM t",
    "SELECT POLYGON(1, 2, 3, 4) FROM t",
    "SELECT POLYGON(1, 2, 3, 4, 5, 6, 7) FROM t",
    "SELECT POLYGON(POINT(1, 2), 3, 4, 5, 6, 7) FROM t",
    "SELECT DISTANCE(1, 2, 3) FROM t",
    "SELECT DISTANCE(CIRCLE(1, 2, 3), p) FROM t",
    "SELECT CONTAINS(1 + 2, p) FROM t",
    "SELECT COORD1(CIRCLE(1, 2, 3)) FROM t",
    "SELECT REGION(a) FROM t",
    "SELECT IN_UNIT(a, b) FROM t",
    "SELECT CAST(a AS FLOAT) FROM t",
    "SELECT CAST(a AS DOUBLE) FROM t",
    "SELECT CAST(a, INTEGER) FROM t",
    "SELECT SUBSTRING(a, 1, 2) FROM t",
    "SELECT TIMESTAMP('2016-01-01') FROM t",
    "SELECT dbo.f(a) FROM t",
    "SELECT f(*) FROM t",
    // tables
    "SELECT * FROM (SELECT * FROM t)",
    "SELECT * FROM (t)",
    "SELECT * FROM f(1)",
    "SELECT * FROM a JOIN",
    "SELECT * FROM a OUTER JOIN b USING (x)",
    "SELECT * FROM a JOIN b USING x",
    "SELECT * FROM a NATURAL JOIN b ON a.x = b.x",
    "SELECT * FROM a JOIN b ON a.x = b.x ON a.y = b.y",
    "SELECT * FROM a b c",
    "SELECT * FROM II/246/out WHERE a = 1",
    "SELECT * FROM J/ApJ/752/127",
    "SELECT * FROM a-b",
];

#[test]
fn errors_say_what_was_found_what_was_expected_and_the_repair() {
    let mut report = String::new();
    for query in INVALID {
        let error = match parse(query) {
            Err(error) => error,
            Ok(tree) => panic!("{query} was read as {tree}"),
        };
        writeln!(report, "{}\n  {error}", query.escape_debug()).expect("a String takes all");
        if let Some(hint) = error.hint() {
            writeln!(report, "  hint: {hint}").expect("a String takes all");
        }
    }
    insta::assert_snapshot!("errors", report);
}

#[test]
fn nesting_is_bounded_on_a_small_stack() {
    // Half of what threads of the runtime have, in a build without optimisation.
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        for (open, close) in [("(", ")"), ("ABS(", ")"), ("-(", ")"), ("f(1, ", ")")] {
            let deep = |depth: usize| {
                format!(
                    "SELECT {}a{} FROM t",
                    open.repeat(depth),
                    close.repeat(depth)
                )
            };
            let fits = MAX_DEPTH / 2 - 4;
            let tree = parse(&deep(fits)).unwrap_or_else(|error| panic!("{open}: {error}"));
            assert!(tree.to_string().len() > 10);
            for depth in [MAX_DEPTH, 10_000, 100_000] {
                let error = parse(&deep(depth)).expect_err("too deep");
                assert!(error.message().contains("nested deeper"), "{open}: {error}");
            }
        }
        for (open, close) in [
            ("SELECT * FROM (", ") AS x"),
            ("SELECT * FROM t WHERE a IN (", ")"),
            ("SELECT * FROM t WHERE NOT EXISTS (", ")"),
            ("SELECT a FROM t UNION (", ")"),
            ("(", ")"),
            ("SELECT * FROM ((", ") AS a JOIN b USING (x))"),
        ] {
            let deep = |depth: usize| {
                format!(
                    "{}SELECT * FROM t{}",
                    open.repeat(depth),
                    close.repeat(depth)
                )
            };
            assert!(
                parse(&deep(25)).is_ok(),
                "{}: {:?}",
                deep(2),
                parse(&deep(25))
            );
            for depth in [MAX_DEPTH, 10_000] {
                let error = parse(&deep(depth)).expect_err("too deep");
                assert!(error.message().contains("nested deeper"), "{open}: {error}");
            }
        }
        let joins = |count: usize| {
            format!(
                "SELECT * FROM a{}{}",
                " JOIN b".repeat(count),
                " ON x = y".repeat(count)
            )
        };
        let deep = parse(&joins(MAX_DEPTH - 6)).expect("fits").to_string();
        assert!(parse(&deep).is_ok(), "what prints parses");
        let subquery = "(SELECT * FROM a WHERE (((x))) = 1) AS s";
        for count in 1..MAX_DEPTH {
            let text = joins(count).replacen("JOIN b", &format!("JOIN {subquery}"), 1);
            if let Ok(tree) = parse(&text) {
                assert!(
                    parse(&tree.to_string()).is_ok(),
                    "what prints parses: {count}"
                );
            }
        }
        let signs = |count: usize| format!("SELECT {}a FROM t", "~".repeat(count));
        let deep = parse(&signs(MAX_DEPTH - 4)).expect("fits").to_string();
        assert_eq!(parse(&deep).map(|tree| tree.to_string()), Ok(deep));
        assert!(parse(&joins(50_000)).is_err());
    });
    thread
        .expect("threads can be started")
        .join()
        .expect("no stack overflow, no panic");
}

#[test]
fn long_queries_are_lists_not_towers() {
    let repeated =
        |head: &str, part: &str, tail: &str| format!("{head}{}{tail}", part.repeat(20_000));
    for query in [
        repeated("SELECT a", " + a", " FROM t"),
        repeated("SELECT a", ", a", " FROM t"),
        repeated("SELECT a FROM t WHERE a = 1", " OR a = 2", ""),
        repeated("SELECT a FROM t WHERE a IN (1", ", 2", ")"),
        repeated("SELECT a FROM t", " UNION SELECT a FROM t", ""),
        repeated("SELECT a FROM t", " JOIN t USING (a)", ""),
    ] {
        let tree = parse(&query).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(tree.to_string(), query);
    }
    assert!(
        parse(&repeated(
            "SELECT a",
            " + a_rather_long_name_of_a_column_to_fill_the_limit_quickly",
            " FROM t"
        ))
        .is_err()
    );
}

/// The tree's debug text without the places and the source.
fn without_spans(tree: &crate::Query) -> String {
    format!("{tree:#?}")
        .lines()
        .filter(|line| !line.trim_start().starts_with("span:"))
        .filter(|line| !line.trim_start().starts_with("name_span:"))
        .filter(|line| !line.trim_start().starts_with("source:"))
        .collect::<Vec<_>>()
        .join("\n")
}
