//! `TAP_SCHEMA` (TAP 1.1 section 4), which describes itself too.

use super::{
    Content,
    table::{Cell, Column, Datatype, ForeignKey, SCHEMAS, Table},
};

const fn text(name: &'static str, description: &'static str) -> Column {
    Column::new(name, Datatype::Char, description)
        .principal()
        .std()
}

const fn number(name: &'static str, description: &'static str) -> Column {
    Column::new(name, Datatype::Int, description)
        .principal()
        .std()
}

const fn key(
    from_column: &'static str,
    target_table: &'static str,
    target_column: &'static str,
) -> ForeignKey {
    ForeignKey {
        from_column,
        target_table,
        target_column,
        description: "Defined by TAP 1.1",
    }
}

/// The five tables, without rows.
pub(crate) fn tables() -> Vec<Table> {
    let table = |name, description, columns: Vec<Column>, keys| Table {
        name,
        description,
        utype: None,
        columns,
        keys,
        position: None,
    };
    vec![
        table(
            "tap_schema.schemas",
            "The schemas of this service.",
            vec![
                text("schema_name", "Name of the schema, as queries write it").key(),
                text("utype", "The data model it implements"),
                text("description", "What the schema holds"),
                number("schema_index", "Recommended place in a list"),
            ],
            vec![],
        ),
        table(
            "tap_schema.tables",
            "The tables of this service.",
            vec![
                text("schema_name", "The schema it belongs to").indexed(),
                text("table_name", "Name of the table, as queries write it").key(),
                text("table_type", "table or view"),
                text("utype", "The data model it implements"),
                text("description", "What the table holds"),
                number("table_index", "Recommended place in a list"),
            ],
            vec![key("schema_name", "tap_schema.schemas", "schema_name")],
        ),
        table(
            "tap_schema.columns",
            "The columns of this service.",
            vec![
                text("table_name", "The table it belongs to").indexed(),
                text("column_name", "Name of the column, as queries write it"),
                text("datatype", "VOTable datatype"),
                text("arraysize", "VOTable arraysize"),
                text("xtype", "VOTable xtype"),
                number(
                    "size",
                    "Length of text where it is fixed; for clients of TAP 1.0",
                ),
                text("description", "What the column holds"),
                text("utype", "Its part in a data model"),
                text("unit", "Unit, VOUnits"),
                text("ucd", "Unified content descriptor"),
                number("indexed", "1 if conditions on it are fast"),
                number("principal", "1 if it belongs to the core of the table"),
                number("std", "1 if a standard defines it"),
                number("column_index", "Recommended place in a list"),
            ],
            vec![key("table_name", "tap_schema.tables", "table_name")],
        ),
        table(
            "tap_schema.keys",
            "The foreign keys of this service.",
            vec![
                text("key_id", "Name of the key").key(),
                text("from_table", "The table that refers").indexed(),
                text("target_table", "The table referred to").indexed(),
                text("description", "What the key means"),
                text("utype", "Its part in a data model"),
            ],
            vec![
                key("from_table", "tap_schema.tables", "table_name"),
                key("target_table", "tap_schema.tables", "table_name"),
            ],
        ),
        table(
            "tap_schema.key_columns",
            "The columns of the foreign keys.",
            vec![
                text("key_id", "The key it belongs to").indexed(),
                text("from_column", "The column that refers"),
                text("target_column", "The column referred to"),
            ],
            vec![key("key_id", "tap_schema.keys", "key_id")],
        ),
    ]
}

/// The five tables, describing `described`.
pub(crate) fn contents(described: &[Table]) -> Vec<Content> {
    let rows = [
        schemas(),
        table_rows(described),
        column_rows(described),
        key_rows(described),
        key_column_rows(described),
    ];
    tables()
        .into_iter()
        .zip(rows)
        .map(|(table, rows)| Content {
            table,
            rows: Box::new(rows.into_iter()),
        })
        .collect()
}

fn index(number: usize) -> Cell {
    Cell::Int(i64::try_from(number + 1).unwrap_or(i64::MAX))
}

fn optional(text: Option<&str>) -> Cell {
    text.map_or(Cell::Null, Cell::from)
}

fn schemas() -> Vec<Vec<Cell>> {
    SCHEMAS
        .iter()
        .enumerate()
        .map(|(number, (name, description))| {
            vec![
                (*name).into(),
                Cell::Null,
                (*description).into(),
                index(number),
            ]
        })
        .collect()
}

fn table_rows(described: &[Table]) -> Vec<Vec<Cell>> {
    described
        .iter()
        .enumerate()
        .map(|(number, table)| {
            vec![
                table.schema().into(),
                table.name.into(),
                "table".into(),
                optional(table.utype),
                table.description.into(),
                index(number),
            ]
        })
        .collect()
}

fn column_rows(described: &[Table]) -> Vec<Vec<Cell>> {
    described
        .iter()
        .flat_map(|table| {
            table.columns.iter().enumerate().map(|(number, column)| {
                vec![
                    table.name.into(),
                    Cell::text(column.adql_name()),
                    column.datatype.name().into(),
                    optional(column.datatype.arraysize()),
                    optional(column.xtype),
                    // No text column has a fixed length.
                    Cell::Null,
                    column.description.into(),
                    optional(column.utype),
                    optional(column.unit),
                    optional(column.ucd),
                    column.indexed.into(),
                    column.principal.into(),
                    column.std.into(),
                    index(number),
                ]
            })
        })
        .collect()
}

/// Every foreign key with its name.
fn keys(described: &[Table]) -> impl Iterator<Item = (String, &Table, &ForeignKey)> {
    described
        .iter()
        .flat_map(|table| table.keys.iter().map(move |key| (table, key)))
        .map(|(table, key)| (format!("{}.{}", table.name, key.from_column), table, key))
}

fn key_rows(described: &[Table]) -> Vec<Vec<Cell>> {
    keys(described)
        .map(|(id, table, key)| {
            vec![
                Cell::Text(id),
                table.name.into(),
                key.target_table.into(),
                key.description.into(),
                Cell::Null,
            ]
        })
        .collect()
}

fn key_column_rows(described: &[Table]) -> Vec<Vec<Cell>> {
    keys(described)
        .map(|(id, _, key)| {
            vec![
                Cell::Text(id),
                key.from_column.into(),
                key.target_column.into(),
            ]
        })
        .collect()
}
