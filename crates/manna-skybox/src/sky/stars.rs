//! The brightest stars.

use super::{
    Content,
    table::{Cell, Column, Datatype, Table},
};

/// Values and their sources.
const DATA: &str = include_str!("../../data/bright_stars.tsv");

/// One star.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Star {
    pub(crate) hip: i64,
    pub(crate) hr: i64,
    /// The IAU's proper name, or empty.
    pub(crate) name: &'static str,
    /// Greek letter and constellation: `α CMa`, `γ2 Vel`.
    pub(crate) bayer: &'static str,
    pub(crate) constellation: &'static str,
    pub(crate) ra: f64,
    pub(crate) dec: f64,
    pub(crate) vmag: f64,
    pub(crate) bv: f64,
    /// Spectral type, or empty.
    pub(crate) sp_type: &'static str,
    pub(crate) parallax: f64,
    pub(crate) pmra: f64,
    pub(crate) pmdec: f64,
}

/// All of them, the brightest first.
pub(crate) fn stars() -> Vec<Star> {
    DATA.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).expect("the table of bright stars is well formed"))
        .collect()
}

fn parse(line: &'static str) -> Option<Star> {
    let mut fields = line.split('\t');
    let mut field = || fields.next();
    Some(Star {
        hip: field()?.parse().ok()?,
        hr: field()?.parse().ok()?,
        name: field()?,
        bayer: field()?,
        constellation: field()?,
        ra: field()?.parse().ok()?,
        dec: field()?.parse().ok()?,
        vmag: field()?.parse().ok()?,
        bv: field()?.parse().ok()?,
        sp_type: field()?,
        parallax: field()?.parse().ok()?,
        pmra: field()?.parse().ok()?,
        pmdec: field()?.parse().ok()?,
    })
}

const COLUMNS: &[Column] = &[
    Column::new("hip", Datatype::Int, "Number in the Hipparcos catalogue")
        .ucd("meta.id;meta.main")
        .key()
        .principal(),
    Column::new(
        "hr",
        Datatype::Int,
        "Number in the Bright Star Catalogue (Harvard Revised)",
    )
    .ucd("meta.id"),
    Column::new("name", Datatype::Char, "Proper name, if the IAU gave one")
        .ucd("meta.id")
        .principal(),
    Column::new(
        "bayer",
        Datatype::UnicodeChar,
        "Bayer designation: Greek letter and constellation",
    )
    .ucd("meta.id")
    .principal(),
    Column::new(
        "constellation",
        Datatype::Char,
        "Constellation, IAU abbreviation",
    )
    .ucd("pos"),
    Column::new("ra", Datatype::Double, "Right ascension, ICRS, epoch J2000")
        .unit("deg")
        .ucd("pos.eq.ra;meta.main")
        .principal(),
    Column::new("dec", Datatype::Double, "Declination, ICRS, epoch J2000")
        .unit("deg")
        .ucd("pos.eq.dec;meta.main")
        .indexed()
        .principal(),
    Column::new("vmag", Datatype::Float, "Johnson V magnitude")
        .unit("mag")
        .ucd("phot.mag;em.opt.V")
        .principal(),
    Column::new("b_v", Datatype::Float, "Johnson B-V colour")
        .unit("mag")
        .ucd("phot.color;em.opt.B;em.opt.V"),
    Column::new("sp_type", Datatype::Char, "MK spectral type").ucd("src.spType"),
    Column::new("parallax", Datatype::Double, "Trigonometric parallax")
        .unit("mas")
        .ucd("pos.parallax.trig"),
    Column::new(
        "pmra",
        Datatype::Double,
        "Proper motion in right ascension, times cos(dec)",
    )
    .unit("mas/yr")
    .ucd("pos.pm;pos.eq.ra"),
    Column::new("pmdec", Datatype::Double, "Proper motion in declination")
        .unit("mas/yr")
        .ucd("pos.pm;pos.eq.dec"),
];

/// `bright.stars`.
pub(crate) fn content() -> Content {
    Content {
        table: Table {
            name: "bright.stars",
            description: "The 125 stars that Hipparcos found brighter than V = 2.76, with astrometry of the new reduction.",
            utype: None,
            columns: COLUMNS.to_vec(),
            keys: Vec::new(),
            position: Some(("ra", "dec")),
        },
        rows: Box::new(stars().into_iter().map(|star| {
            vec![
                star.hip.into(),
                star.hr.into(),
                Cell::text_or_null(star.name),
                star.bayer.into(),
                star.constellation.into(),
                star.ra.into(),
                star.dec.into(),
                Cell::float(star.vmag),
                Cell::float(star.bv),
                Cell::text_or_null(star.sp_type),
                star.parallax.into(),
                star.pmra.into(),
                star.pmdec.into(),
            ]
        })),
    }
}
