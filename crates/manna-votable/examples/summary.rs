//! Prints what is in a VOTable: `cargo run -p manna-votable --example summary FILE`. Also the way to measure the
//! reader: it touches every cell and keeps none.

#![expect(clippy::print_stdout, reason = "an example program")]

use std::{fs::File, io::Read};

use manna_votable::{Error, Limits, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let mut file = File::open(path)?;
    let mut reader = Reader::new(Limits::trusted());
    let mut chunk = vec![0; 64 << 10];
    let result = loop {
        let length = file.read(&mut chunk)?;
        match chunk.get(..length) {
            Some(bytes) if length > 0 => reader.feed(bytes),
            _ => reader.finish(),
        }
        let result: Result<(), Error> = reader.skip();
        if result.is_err() || length == 0 {
            break result;
        }
    };
    let summary = reader.summary();
    for table in &summary.tables {
        let name = table.table.name.as_deref().unwrap_or("(no name)");
        println!(
            "{name}: {} columns, {} rows",
            table.table.fields.len(),
            table.rows
        );
    }
    println!("status: {:?}", summary.status);
    for warning in &summary.warnings {
        println!("warning: {warning}");
    }
    Ok(result?)
}
