//! Any text: the parser neither panics nor hangs, what it reads prints as ADQL that it reads again,
//! and the SQL printer neither panics nor grows without bound.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use manna_adql::{
    parse,
    sqlite::{Band, Kind, Schema, SchemaColumn, SchemaTable, print},
};

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let columns = [
        ("a", Kind::BigInt),
        ("ra", Kind::Double),
        ("dec", Kind::Double),
        ("name", Kind::Text),
        ("p", Kind::Point),
        ("s_region", Kind::Region),
    ];
    let column = |(name, kind): (&str, Kind)| SchemaColumn {
        name: name.to_owned(),
        sql_name: name.to_owned(),
        kind,
        unit: Some("deg".to_owned()),
    };
    let table = |name: &str| SchemaTable {
        name: name.to_owned(),
        sql_name: name.to_owned(),
        columns: columns.into_iter().map(column).collect(),
        band: Some(Band {
            dec: "dec".to_owned(),
        }),
    };
    Schema {
        tables: ["t", "u", "ivoa.obscore"].map(table).into(),
        functions: Vec::new(),
    }
});

fuzz_target!(|text: &str| {
    let tree = match parse(text) {
        Ok(tree) => tree,
        Err(error) => {
            let span = error.span();
            assert!(text.get(span.start..span.end).is_some(), "{span:?}");
            return;
        }
    };
    let printed = tree.to_string();
    let again = parse(&printed).unwrap_or_else(|error| panic!("{printed}\n{error}"));
    assert_eq!(again.to_string(), printed);
    let _ = print(&tree, &SCHEMA, Some(1000));
});
