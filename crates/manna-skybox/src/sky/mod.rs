//! What the archive holds: its tables, what their columns mean, and their rows.
//!
//! `messier.*` and `bright.stars` hold published values of real objects; `synth.gaia_like` and
//! `ivoa.obscore` are made up from a seed and say so. Everything else in the crate (`TAP_SCHEMA`,
//! VOSI, VOTable fields) is derived from the definitions here, so that they cannot disagree.

mod messier;
mod obscore;
mod random;
mod stars;
mod synth;
mod table;
mod tap_schema;

pub(crate) use messier::{Messier, messier};
pub(crate) use obscore::civil;
pub(crate) use random::Random;
pub(crate) use stars::{Star, stars};
pub(crate) use table::{Cell, Column, Datatype, SCHEMAS, Table};

/// One table and its rows, made as they are asked for.
pub(crate) struct Content {
    pub(crate) table: Table,
    pub(crate) rows: Box<dyn Iterator<Item = Vec<Cell>> + Send>,
}

/// All tables, those of `TAP_SCHEMA` last. Equal arguments give equal rows.
pub(crate) fn contents(seed: u64, sources: usize, base_url: &str) -> Vec<Content> {
    let mut contents = vec![
        messier::objects(),
        messier::aliases(),
        stars::content(),
        synth::content(seed, sources),
        obscore::content(seed, base_url),
    ];
    let described: Vec<Table> = contents
        .iter()
        .map(|content| content.table.clone())
        .chain(tap_schema::tables())
        .collect();
    contents.extend(tap_schema::contents(&described));
    contents
}

#[cfg(test)]
mod tests;
