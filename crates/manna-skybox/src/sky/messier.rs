//! The Messier objects.

use super::{
    Content,
    table::{Cell, Column, Datatype, ForeignKey, Table},
};

/// Values and their sources.
const DATA: &str = include_str!("../../data/messier.tsv");

/// One Messier object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Messier {
    pub(crate) number: i64,
    /// `NGC 4486`, `IC 4725`, `Melotte 22`.
    pub(crate) catalogue_name: &'static str,
    /// The common names, the best known first.
    pub(crate) names: Vec<&'static str>,
    /// SIMBAD's short object type.
    pub(crate) otype: &'static str,
    pub(crate) constellation: &'static str,
    pub(crate) ra: f64,
    pub(crate) dec: f64,
    pub(crate) vmag: f64,
    pub(crate) major_arcmin: f64,
    pub(crate) minor_arcmin: f64,
    pub(crate) distance_kpc: Option<f64>,
}

impl Messier {
    /// `M 87`.
    pub(crate) fn name(&self) -> String {
        format!("M {}", self.number)
    }
}

/// All 110, in order.
pub(crate) fn messier() -> Vec<Messier> {
    DATA.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).expect("the table of Messier objects is well formed"))
        .collect()
}

fn parse(line: &'static str) -> Option<Messier> {
    let mut fields = line.split('\t');
    let mut field = || fields.next();
    Some(Messier {
        number: field()?.parse().ok()?,
        catalogue_name: field()?,
        names: field()?
            .split(';')
            .filter(|name| !name.is_empty())
            .collect(),
        otype: field()?,
        constellation: field()?,
        ra: field()?.parse().ok()?,
        dec: field()?.parse().ok()?,
        vmag: field()?.parse().ok()?,
        major_arcmin: field()?.parse().ok()?,
        minor_arcmin: field()?.parse().ok()?,
        distance_kpc: match field()? {
            "" => None,
            text => Some(text.parse().ok()?),
        },
    })
}

/// The words for an object type.
fn object_type(otype: &str) -> &'static str {
    match otype {
        "G" => "galaxy",
        "AGN" => "active galaxy",
        "Sy2" => "Seyfert 2 galaxy",
        "GlC" => "globular cluster",
        "OpC" => "open cluster",
        "Cl*" => "star cluster with nebula",
        "HII" => "H II region",
        "PN" => "planetary nebula",
        "SNR" => "supernova remnant",
        "RNe" => "reflection nebula",
        "As*" => "group of stars",
        "**" => "double star",
        _ => "unknown",
    }
}

const OBJECTS: &[Column] = &[
    Column::new("messier", Datatype::Int, "Number in Messier's list")
        .ucd("meta.id;meta.main")
        .key()
        .principal(),
    Column::new(
        "name",
        Datatype::Char,
        "Name as SIMBAD writes it, for example M 87",
    )
    .ucd("meta.id")
    .principal(),
    Column::new(
        "common_name",
        Datatype::Char,
        "Best known common name, if there is one",
    )
    .ucd("meta.id")
    .principal(),
    Column::new(
        "catalogue_name",
        Datatype::Char,
        "Number in the NGC or IC, or another catalogue",
    )
    .ucd("meta.id"),
    Column::new("otype", Datatype::Char, "Object type, SIMBAD's short form").ucd("src.class"),
    Column::new("object_type", Datatype::Char, "Object type in words")
        .ucd("src.class")
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
    Column::new("vmag", Datatype::Float, "Total visual magnitude")
        .unit("mag")
        .ucd("phot.mag;em.opt.V")
        .principal(),
    Column::new(
        "major_axis",
        Datatype::Float,
        "Apparent size along the major axis",
    )
    .unit("arcmin")
    .ucd("phys.angSize.smajAxis"),
    Column::new(
        "minor_axis",
        Datatype::Float,
        "Apparent size along the minor axis",
    )
    .unit("arcmin")
    .ucd("phys.angSize.sminAxis"),
    Column::new(
        "dist",
        Datatype::Double,
        "Distance, good to some 10 per cent",
    )
    .unit("kpc")
    .ucd("pos.distance"),
];

/// `messier.objects`.
pub(crate) fn objects() -> Content {
    Content {
        table: Table {
            name: "messier.objects",
            description: "The 110 Messier objects with published positions, magnitudes, sizes and distances.",
            utype: None,
            columns: OBJECTS.to_vec(),
            keys: Vec::new(),
            position: Some(("ra", "dec")),
        },
        rows: Box::new(messier().into_iter().map(|object| {
            vec![
                object.number.into(),
                Cell::text(object.name()),
                Cell::text_or_null(object.names.first().copied().unwrap_or_default()),
                object.catalogue_name.into(),
                object.otype.into(),
                object_type(object.otype).into(),
                object.constellation.into(),
                object.ra.into(),
                object.dec.into(),
                Cell::float(object.vmag),
                Cell::float(object.major_arcmin),
                Cell::float(object.minor_arcmin),
                object.distance_kpc.into(),
            ]
        })),
    }
}

const ALIASES: &[Column] = &[
    Column::new("messier", Datatype::Int, "Number in Messier's list")
        .ucd("meta.id")
        .indexed()
        .principal(),
    Column::new("name", Datatype::Char, "A name of the object")
        .ucd("meta.id")
        .principal(),
];

/// `messier.aliases`: every name of every object.
pub(crate) fn aliases() -> Content {
    Content {
        table: Table {
            name: "messier.aliases",
            description: "All names of the Messier objects, one a row.",
            utype: None,
            columns: ALIASES.to_vec(),
            keys: vec![ForeignKey {
                from_column: "messier",
                target_table: "messier.objects",
                target_column: "messier",
                description: "The object that bears the name",
            }],
            position: None,
        },
        rows: Box::new(messier().into_iter().flat_map(|object| {
            let own = [object.name(), object.catalogue_name.to_owned()];
            let common = object.names.into_iter().map(str::to_owned);
            own.into_iter()
                .chain(common)
                // M 40's only other name is its catalogue name.
                .fold(Vec::new(), |mut seen: Vec<String>, name| {
                    if !seen.contains(&name) {
                        seen.push(name);
                    }
                    seen
                })
                .into_iter()
                .map(move |name| vec![object.number.into(), Cell::text(name)])
        })),
    }
}
