//! What holds for every text and for every query of the grammar.

use std::fmt::Write as _;

use manna_adql::{
    Query, Standard, parse,
    sqlite::{Band, Kind, Schema, SchemaColumn, SchemaTable, print},
};
use proptest::prelude::*;
use rusqlite::{Connection, functions::FunctionFlags, types::Null};

/// Bytes that decide what a generated query looks like. None left means the simplest choice, so a
/// short list is a small query: that is how proptest makes failures small.
struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
    depth: u32,
    alias: u32,
}

impl<'a> Choices<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes: bytes.iter(),
            depth: 0,
            alias: 0,
        }
    }

    fn pick(&mut self, choices: u8) -> u8 {
        self.bytes.next().map_or(0, |byte| byte % choices)
    }

    fn chance(&mut self) -> bool {
        self.pick(3) == 1
    }

    fn one_of<'b>(&mut self, choices: &[&'b str]) -> &'b str {
        let count = u8::try_from(choices.len()).expect("short lists");
        choices
            .get(usize::from(self.pick(count)))
            .expect("picked in range")
    }

    /// Whether another level of nesting may start.
    fn deeper(&mut self) -> bool {
        self.depth < 4
    }

    fn nested(&mut self, generate: impl FnOnce(&mut Self) -> String) -> String {
        self.depth += 1;
        let text = generate(self);
        self.depth -= 1;
        text
    }

    fn list(&mut self, generate: impl Fn(&mut Self) -> String) -> String {
        let count = 1 + self.pick(3);
        (0..count)
            .map(|_| generate(self))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn number(&mut self, t: &str) -> String {
        let choice = if self.deeper() {
            self.pick(12)
        } else {
            self.pick(3)
        };
        self.nested(|c| match choice {
            0 => format!("{t}.ra"),
            1 => c
                .one_of(&["1", "0", "2.5", ".5", "3.", "1e-3", "9007199254740993"])
                .to_owned(),
            2 => format!("{t}.{}", c.one_of(&["dec", "id", "Dec", "\"size\""])),
            3 => format!(
                "({} {} {})",
                c.number(t),
                c.one_of(&["+", "-", "*", "/"]),
                c.number(t)
            ),
            4 => format!(
                "{} {} {}",
                c.number(t),
                c.one_of(&["+", "-", "*", "/"]),
                c.number(t)
            ),
            5 => format!("-({})", c.number(t)),
            6 => {
                let function = c.one_of(&["ABS", "SQRT", "log", "Sin", "COT", "CEILING", "ROUND"]);
                format!("{function}({})", c.number(t))
            }
            7 => format!("MOD({}, {})", c.number(t), c.number(t)),
            8 => format!(
                "CAST({} AS {})",
                c.number(t),
                c.one_of(&["BIGINT", "DOUBLE PRECISION"])
            ),
            9 => format!("COALESCE({}, {})", c.number(t), c.number(t)),
            10 => format!("DISTANCE({}, {})", c.point(t), c.point(t)),
            _ => format!("CONTAINS({}, {})", c.point(t), c.region(t)),
        })
    }

    fn text(&mut self, t: &str) -> String {
        let choice = if self.deeper() {
            self.pick(6)
        } else {
            self.pick(2)
        };
        self.nested(|c| match choice {
            0 => format!("{t}.name"),
            1 => c
                .one_of(&["'x'", "''", "'it''s -- no comment'", "'é\"'"])
                .to_owned(),
            2 => format!("{} || {}", c.text(t), c.text(t)),
            3 => format!("LOWER({})", c.text(t)),
            4 => format!("CAST({} AS VARCHAR(3))", c.number(t)),
            _ => format!("COALESCE({}, {})", c.text(t), c.text(t)),
        })
    }

    fn point(&mut self, t: &str) -> String {
        self.nested(|c| match if c.deeper() { c.pick(4) } else { 0 } {
            0 => format!("POINT({t}.ra, {t}.dec)"),
            1 => format!("POINT('ICRS', {}, {})", c.number(t), c.number(t)),
            2 => format!("CENTROID({})", c.region(t)),
            _ => format!("{t}.p"),
        })
    }

    fn region(&mut self, t: &str) -> String {
        self.nested(|c| match if c.deeper() { c.pick(5) } else { 0 } {
            0 => format!("{t}.s_region"),
            1 => format!("CIRCLE({}, {})", c.point(t), c.number(t)),
            2 => format!(
                "CIRCLE('', {}, {}, {})",
                c.number(t),
                c.number(t),
                c.number(t)
            ),
            3 => format!("POLYGON({}, 1, 2, 3, 4, 5)", c.number(t)),
            _ => format!("BOX({}, 1, 2)", c.point(t)),
        })
    }

    fn condition(&mut self, t: &str) -> String {
        let choice = if self.deeper() {
            self.pick(12)
        } else {
            self.pick(3)
        };
        self.nested(|c| {
            let not = if c.chance() { " NOT" } else { "" };
            match choice {
                0 => format!(
                    "{} {} {}",
                    c.number(t),
                    c.one_of(&["=", "<", ">=", "<>", "!="]),
                    c.number(t)
                ),
                1 => format!("{t}.name IS{not} NULL"),
                2 => format!("{}{not} LIKE 'a%'", c.text(t)),
                3 => format!("{} AND {}", c.condition(t), c.condition(t)),
                4 => format!("({} OR {})", c.condition(t), c.condition(t)),
                5 => format!("NOT ({})", c.condition(t)),
                6 => format!(
                    "{}{not} BETWEEN {} AND {}",
                    c.number(t),
                    c.number(t),
                    c.number(t)
                ),
                7 => format!("{}{not} IN ({})", c.number(t), c.list(|c| c.number(t))),
                8 => format!("{}{not} IN ({})", c.number(t), c.subquery("x.id")),
                9 => format!("{}{not} ILIKE {}", c.text(t), c.text(t)),
                10 => format!("EXISTS ({})", c.subquery("*")),
                _ => format!("1 = CONTAINS({}, CIRCLE({}, 0.5))", c.point(t), c.point(t)),
            }
        })
    }

    fn subquery(&mut self, list: &str) -> String {
        self.nested(|c| {
            let mut text = format!("SELECT {list} FROM s.t AS x");
            if c.chance() {
                write!(text, " WHERE {}", c.condition("x")).expect("a String takes all");
            }
            text
        })
    }

    /// A table reference with one table called `alias`.
    fn table(&mut self, alias: &str) -> String {
        match if self.deeper() { self.pick(3) } else { 0 } {
            0 | 1 => format!("s.t AS {alias}"),
            _ => self.nested(|c| format!("({}) AS {alias}", c.subquery("*"))),
        }
    }

    fn from(&mut self, alias: &str) -> String {
        let mut text = self.table(alias);
        for _ in 0..self.pick(3) {
            self.alias += 1;
            let other = format!("o{}", self.alias);
            let table = self.table(&other);
            let kind = self.one_of(&[
                "JOIN",
                "LEFT OUTER JOIN",
                "INNER JOIN",
                "RIGHT JOIN",
                "FULL JOIN",
            ]);
            let on = self.condition(&other);
            match self.pick(3) {
                0 => write!(text, " {kind} {table} ON {alias}.id = {other}.id AND {on}"),
                1 => write!(text, " {kind} {table} ON {on}"),
                _ => write!(text, ", {table}"),
            }
            .expect("a String takes all");
            if text.contains(", s.t") || text.contains(", (") {
                return text;
            }
        }
        text
    }

    fn select(&mut self) -> String {
        let quantifier = self.one_of(&["", "DISTINCT ", "ALL "]);
        let top = self.one_of(&["", "TOP 5 "]);
        let from = self.from("a");
        let grouped = self.chance();
        let list = if grouped {
            let aggregate = self.one_of(&["COUNT(*)", "AVG(a.ra)", "COUNT(DISTINCT a.name)"]);
            format!("a.id AS k, {aggregate} AS v")
        } else {
            let number = self.number("a");
            let text = self.text("a");
            format!("{number} AS k, {text} AS v")
        };
        let mut text = format!("SELECT {quantifier}{top}{list} FROM {from}");
        if self.chance() {
            write!(text, " WHERE {}", self.condition("a")).expect("a String takes all");
        }
        if grouped {
            text.push_str(" GROUP BY a.id HAVING COUNT(*) > 1");
        }
        text
    }

    fn query(&mut self) -> String {
        let mut text = String::new();
        if self.chance() {
            write!(text, "WITH w AS ({}) ", self.select()).expect("a String takes all");
        }
        text.push_str(&self.select());
        for _ in 0..self.pick(3) {
            let operator =
                self.one_of(&["UNION", "UNION ALL", "EXCEPT", "INTERSECT", "EXCEPT ALL"]);
            let select = self.select();
            match self.pick(2) {
                0 => write!(text, " {operator} {select}"),
                _ => write!(text, " {operator} ({select} ORDER BY 1)"),
            }
            .expect("a String takes all");
        }
        text.push_str(self.one_of(&[
            "",
            " ORDER BY k",
            " ORDER BY 2 DESC, k OFFSET 3",
            " OFFSET 1",
        ]));
        text
    }
}

fn schema() -> Schema {
    let column = |name: &str, kind: Kind| SchemaColumn {
        name: name.to_owned(),
        sql_name: name.to_owned(),
        kind,
        unit: None,
    };
    Schema {
        tables: vec![SchemaTable {
            name: "s.t".to_owned(),
            sql_name: "s.t".to_owned(),
            columns: vec![
                column("id", Kind::BigInt),
                column("ra", Kind::Double),
                column("dec", Kind::Double),
                column("size", Kind::Real),
                column("name", Kind::Text),
                column("p", Kind::Point),
                column("s_region", Kind::Region),
            ],
            band: Some(Band {
                dec: "dec".to_owned(),
            }),
        }],
        functions: Vec::new(),
    }
}

/// A database with the table and every function that may be called, each of which gives null.
fn database() -> Connection {
    let connection = Connection::open_in_memory().expect("SQLite opens in memory");
    connection
        .execute_batch(
            "CREATE TABLE \"s.t\" (id INTEGER, ra REAL, dec REAL, size REAL, name TEXT, p TEXT, s_region TEXT)",
        )
        .expect("the table is written");
    let others = ["like", "ilike", "xor", "to_integer", "to_real"].map(str::to_owned);
    let standard = Standard::ALL
        .iter()
        .map(|function| function.name().to_ascii_lowercase());
    for name in standard.chain(others) {
        connection
            .create_scalar_function(
                format!("adql_{name}").as_str(),
                -1,
                FunctionFlags::SQLITE_UTF8,
                |_| Ok(Null),
            )
            .expect("the function is registered");
    }
    connection
}

thread_local! {
    static DATABASE: Connection = database();
}

/// The tree's debug text without the places and the source.
fn without_spans(tree: &Query) -> String {
    let places = ["span:", "name_span:", "source:"];
    format!("{tree:#?}")
        .lines()
        .filter(|line| {
            !places
                .iter()
                .any(|place| line.trim_start().starts_with(place))
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Pieces that queries and mistakes are made of.
const PIECES: &[&str] = &[
    "SELECT",
    "TOP",
    "10",
    "*",
    "FROM",
    "t",
    "WHERE",
    "a",
    "=",
    "1",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    ",",
    ".",
    "'x'",
    "\"y\"",
    "JOIN",
    "ON",
    "USING",
    "NATURAL",
    "LEFT",
    "GROUP",
    "BY",
    "ORDER",
    "HAVING",
    "UNION",
    "ALL",
    "EXCEPT",
    "INTERSECT",
    "WITH",
    "AS",
    "IN",
    "LIKE",
    "BETWEEN",
    "IS",
    "NULL",
    "EXISTS",
    "COUNT",
    "CIRCLE",
    "POINT",
    "POLYGON",
    "CONTAINS",
    "CAST",
    "CASE",
    "WHEN",
    "THEN",
    "END",
    "-",
    "+",
    "||",
    "--",
    "\n",
    ";",
    "'",
    "\"",
    "0x1F",
    "1e5",
    "é",
    "\u{2019}",
    "\u{a0}",
    "LIMIT",
    "OFFSET",
    "date",
    "_x",
    "2mass",
    "==",
    "<>",
    "~",
    "%",
    "DISTINCT",
    "REGION",
    "ROUND",
    "f",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_query_of_the_grammar_parses_prints_and_parses_to_the_same_tree(
        bytes in proptest::collection::vec(any::<u8>(), 0..200)
    ) {
        let text = Choices::new(&bytes).query();
        let tree = parse(&text).map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        prop_assert!(tree.extensions.is_empty(), "{}: {:?}", text, tree.extensions);
        prop_assert_eq!(tree.span.text(tree.source()), &text);
        let printed = tree.to_string();
        let again = parse(&printed)
            .map_err(|error| TestCaseError::fail(format!("{text}\n{printed}\n{error}")))?;
        prop_assert_eq!(without_spans(&again), without_spans(&tree));
        prop_assert_eq!(again.to_string(), printed);
    }

    #[test]
    fn a_query_of_the_grammar_is_one_that_sqlite_runs(
        bytes in proptest::collection::vec(any::<u8>(), 0..200)
    ) {
        let text = Choices::new(&bytes).query();
        let tree = parse(&text).map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        let translated = match print(&tree, &schema(), Some(10)) {
            Ok(translated) => translated,
            // Constants that are no position or size are refused before they run.
            Err(error) if refuses_constant(&error) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{text}\n{error}"))),
        };
        let width = DATABASE.with(|database| {
            database
                .prepare(&translated.sql)
                .map(|statement| statement.column_count())
                .map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))
        })?;
        prop_assert_eq!(width, translated.columns.len());
        for column in &translated.columns {
            prop_assert!(column.kind.is_some(), "{}: {:?}", text, column);
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,200}") {
        check(&text)?;
    }

    #[test]
    fn no_heap_of_pieces_makes_the_parser_panic(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)
    ) {
        check(&pieces.join(" "))?;
        check(&pieces.concat())?;
    }

    #[test]
    fn a_query_with_one_mistake_is_refused_or_another_query(
        bytes in proptest::collection::vec(any::<u8>(), 0..120),
        place in any::<proptest::sample::Index>(),
        piece in proptest::sample::select(PIECES),
        cut in 0_usize..4,
    ) {
        let mut text = Choices::new(&bytes).query();
        let places: Vec<usize> =
            text.char_indices().map(|(offset, _)| offset).chain([text.len()]).collect();
        let start = place.index(places.len());
        let end = (start + cut).min(places.len() - 1);
        if let (Some(&start), Some(&end)) = (places.get(start), places.get(end)) {
            text.replace_range(start..end, piece);
        }
        check(&text)?;
    }
}

fn refuses_constant(error: &manna_adql::Error) -> bool {
    error.message().contains("outside [-90, 90]") || error.message().contains("is negative")
}

/// The parser's promises for any text at all.
fn check(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(tree) => {
            let printed = tree.to_string();
            let again = parse(&printed)
                .map_err(|error| TestCaseError::fail(format!("{text}\n{printed}\n{error}")))?;
            prop_assert_eq!(again.to_string(), printed);
            // Names are unknown, and nothing may panic for it.
            let _ = print(&tree, &schema(), None);
        }
        Err(error) => {
            let span = error.span();
            prop_assert!(
                span.start <= span.end && span.end <= text.len(),
                "{:?}",
                span
            );
            prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
            prop_assert!(error.line() >= 1 && error.column() >= 1);
            prop_assert!(!error.message().is_empty());
        }
    }
    Ok(())
}
