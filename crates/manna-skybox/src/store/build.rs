//! Writes the tables into SQLite.

use manna_adql::sqlite::{Band, Schema, SchemaColumn, SchemaTable};
use rusqlite::{Connection, params_from_iter};

use crate::sky::{Content, Table};

/// Writes everything, with its indexes and the statistics that choose between them.
pub(super) fn write(connection: &Connection, contents: Vec<Content>) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA journal_mode = off; PRAGMA synchronous = off; BEGIN;")?;
    for content in contents {
        write_table(connection, content)?;
    }
    connection.execute_batch("COMMIT; ANALYZE;")
}

fn write_table(connection: &Connection, content: Content) -> rusqlite::Result<()> {
    let Content { table, rows } = content;
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            let key = if column.key {
                " PRIMARY KEY NOT NULL"
            } else {
                ""
            };
            format!("\"{}\" {}{key}", column.name, column.datatype.sqlite_type())
        })
        .collect();
    connection.execute_batch(&format!(
        "CREATE TABLE \"{}\" ({}) STRICT",
        table.name,
        columns.join(", ")
    ))?;
    let places = vec!["?"; table.columns.len()].join(", ");
    let mut insert =
        connection.prepare(&format!("INSERT INTO \"{}\" VALUES ({places})", table.name))?;
    for row in rows {
        insert.execute(params_from_iter(row))?;
    }
    for column in table
        .columns
        .iter()
        .filter(|column| column.indexed && !column.key)
    {
        let name = column.name;
        // With both coordinates in the index, a cone looks at no row it does not want.
        let more = match table.position {
            Some((ra, dec)) if dec == name => format!(", \"{ra}\""),
            _ => String::new(),
        };
        connection.execute_batch(&format!(
            "CREATE INDEX \"{0}.{name}\" ON \"{0}\" (\"{name}\"{more})",
            table.name
        ))?;
    }
    Ok(())
}

/// What the SQL printer has to know.
pub(super) fn schema(tables: &[Table]) -> Schema {
    Schema {
        tables: tables
            .iter()
            .map(|table| SchemaTable {
                name: table.name.to_owned(),
                sql_name: table.name.to_owned(),
                columns: table
                    .columns
                    .iter()
                    .map(|column| SchemaColumn {
                        name: column.name.to_owned(),
                        sql_name: column.name.to_owned(),
                        kind: column.kind(),
                        unit: Some(column.unit.unwrap_or_default().to_owned()),
                    })
                    .collect(),
                band: table.position.map(|(_, dec)| Band {
                    dec: dec.to_owned(),
                }),
            })
            .collect(),
        functions: Vec::new(),
    }
}
