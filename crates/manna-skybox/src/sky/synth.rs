//! A made-up catalogue with Gaia's columns and Gaia's difficulties: identifiers above 2^53, many
//! nulls, single precision beside double, text outside ASCII.

use super::{
    Content, Messier, messier,
    random::{Random, offset, rounded},
    table::{Cell, Column, Datatype, ForeignKey, Table},
};

/// Gaia's own value is as large: a client that reads it into a double is off by 8.
const SOLUTION_ID: i64 = 1_636_148_068_921_376_769;

/// Names that try a client's decoding. All in the basic plane: a `unicodeChar` is UCS-2.
const NAMES: &[&str] = &[
    "Étoile filante",
    "αβγ Skybox",
    "星",
    "звезда",
    "نجم",
    "ἀστήρ ☄",
    "A&B <c> \"d\", 'e'",
    "e\u{301} combining",
];

/// Sources at the places where sky geometry goes wrong come first; then 2 of 5 belong to a Messier
/// object and the others lie anywhere.
const POLAR: usize = 40;
const WRAPPED: usize = 40;
const MEMBER_FRACTION: f64 = 0.4;

const COLUMNS: &[Column] = &[
    Column::new(
        "source_id",
        Datatype::Long,
        "Identifier, above 2^53: keep all its digits",
    )
    .ucd("meta.id;meta.main")
    .key()
    .principal(),
    Column::new(
        "solution_id",
        Datatype::Long,
        "Identifier of the run that made the source",
    )
    .ucd("meta.version"),
    Column::new(
        "designation",
        Datatype::Char,
        "Name, made of the identifier",
    )
    .ucd("meta.id"),
    Column::new(
        "name",
        Datatype::UnicodeChar,
        "A name in some script, for 1 source in 10",
    )
    .ucd("meta.id"),
    Column::new(
        "ref_epoch",
        Datatype::Double,
        "Epoch of the position, Julian year",
    )
    .unit("yr")
    .ucd("meta.ref;time.epoch"),
    Column::new(
        "ra",
        Datatype::Double,
        "Right ascension, ICRS, at ref_epoch",
    )
    .unit("deg")
    .ucd("pos.eq.ra;meta.main")
    .principal(),
    Column::new(
        "ra_error",
        Datatype::Float,
        "Standard error of the right ascension, times cos(dec)",
    )
    .unit("mas")
    .ucd("stat.error;pos.eq.ra"),
    Column::new("dec", Datatype::Double, "Declination, ICRS, at ref_epoch")
        .unit("deg")
        .ucd("pos.eq.dec;meta.main")
        .indexed()
        .principal(),
    Column::new(
        "dec_error",
        Datatype::Float,
        "Standard error of the declination",
    )
    .unit("mas")
    .ucd("stat.error;pos.eq.dec"),
    Column::new(
        "parallax",
        Datatype::Double,
        "Parallax; may be negative, null for 2-parameter solutions",
    )
    .unit("mas")
    .ucd("pos.parallax.trig")
    .principal(),
    Column::new(
        "parallax_error",
        Datatype::Float,
        "Standard error of the parallax",
    )
    .unit("mas")
    .ucd("stat.error;pos.parallax.trig"),
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
    Column::new(
        "astrometric_params_solved",
        Datatype::Short,
        "3 for position only, 31 or 95 for a full solution",
    )
    .ucd("meta.number"),
    Column::new(
        "astrometric_n_good_obs_al",
        Datatype::Int,
        "Number of good observations along the scan",
    )
    .ucd("meta.number"),
    Column::new(
        "ruwe",
        Datatype::Float,
        "Renormalised unit weight error; null for 2-parameter solutions",
    )
    .ucd("stat.error"),
    Column::new(
        "phot_g_mean_mag",
        Datatype::Float,
        "Mean magnitude in the G band",
    )
    .unit("mag")
    .ucd("phot.mag;em.opt")
    .principal(),
    Column::new("bp_rp", Datatype::Float, "BP - RP colour")
        .unit("mag")
        .ucd("phot.color;em.opt.B;em.opt.R")
        .principal(),
    Column::new(
        "radial_velocity",
        Datatype::Float,
        "Radial velocity; null for most sources",
    )
    .unit("km/s")
    .ucd("spect.dopplerVeloc.opt;em.opt.I"),
    Column::new(
        "phot_variable_flag",
        Datatype::Char,
        "VARIABLE or NOT_AVAILABLE",
    )
    .ucd("meta.code;src.var"),
    Column::new(
        "duplicated_source",
        Datatype::Boolean,
        "Whether another source was merged into it",
    )
    .ucd("meta.code.status"),
    Column::new(
        "has_rvs",
        Datatype::Boolean,
        "Whether there is a mean spectrum; null when not decided",
    )
    .ucd("meta.code"),
    Column::new(
        "messier",
        Datatype::Int,
        "The Messier object it was put next to, if any",
    )
    .ucd("meta.id.assoc")
    .indexed(),
];

/// `synth.gaia_like`.
pub(crate) fn content(seed: u64, sources: usize) -> Content {
    let mut random = Random::new(seed, 1);
    let objects = messier();
    let mut source_id = 1_i64 << 55;
    Content {
        table: Table {
            name: "synth.gaia_like",
            description: "A made-up catalogue with columns after Gaia DR3, denser round the Messier objects. No source of it exists.",
            utype: None,
            columns: COLUMNS.to_vec(),
            keys: vec![ForeignKey {
                from_column: "messier",
                target_table: "messier.objects",
                target_column: "messier",
                description: "The object that the source was put next to",
            }],
            position: Some(("ra", "dec")),
        },
        rows: Box::new((0..sources).map(move |number| {
            // Neighbours of odd distance, some of 1: as doubles two of them are the same.
            source_id += if random.chance(0.01) {
                1
            } else {
                i64::try_from(random.below(1 << 45)).unwrap_or(1) | 1
            };
            row(number, source_id, &objects, &mut random)
        })),
    }
}

fn row(number: usize, source_id: i64, objects: &[Messier], random: &mut Random) -> Vec<Cell> {
    let (ra, dec, host) = place(number, objects, random);
    // Counts rise by a factor of 10^0.3 a magnitude, down to 21.
    let magnitude = (20.9 + (1.0 - random.unit()).log10() / 0.3).max(3.0);
    let error = 0.02 + 10_f64.powf(0.2 * (magnitude - 20.0)) * random.between(0.4, 0.8);
    let full = magnitude < 20.5 && random.chance(0.95);
    let true_parallax = host
        .and_then(|object| object.distance_kpc)
        .map_or_else(|| random.between(0.05, 2.0), |kpc| 1.0 / kpc);
    let parallax = full.then(|| rounded(true_parallax + error * random.gauss(), 6));
    let motion = full.then(|| {
        let (east, north) = random.gauss_pair();
        let spread = 1.0 + 4.0 * true_parallax;
        (rounded(east * spread, 6), rounded(north * spread, 6))
    });
    let ruwe = full.then(|| {
        if random.chance(0.03) {
            random.between(1.4, 12.0)
        } else {
            1.0 + 0.05 * random.gauss()
        }
    });
    let colour = random.chance(0.97).then(|| 1.1 + 0.6 * random.gauss());
    let velocity = (magnitude < 14.5 && random.chance(0.8)).then(|| 40.0 * random.gauss());
    let name = random
        .chance(0.1)
        .then(|| format!("{} {number}", random.pick(NAMES)));
    let solved = match (full, random.chance(0.3)) {
        (false, _) => 3_i64,
        (true, true) => 95,
        (true, false) => 31,
    };
    let float = |value: Option<f64>| value.map_or(Cell::Null, Cell::float);
    vec![
        source_id.into(),
        SOLUTION_ID.into(),
        Cell::text(format!("Skybox SYN {source_id}")),
        name.map_or(Cell::Null, Cell::Text),
        2016.0.into(),
        ra.into(),
        Cell::float(error * random.between(0.7, 1.1)),
        dec.into(),
        Cell::float(error * random.between(0.6, 1.0)),
        parallax.into(),
        float(full.then_some(error)),
        motion.map(|(east, _)| east).into(),
        motion.map(|(_, north)| north).into(),
        solved.into(),
        i64::try_from(80 + random.below(500)).unwrap_or(80).into(),
        float(ruwe),
        Cell::float(magnitude),
        float(colour),
        float(velocity),
        if random.chance(0.02) {
            "VARIABLE"
        } else {
            "NOT_AVAILABLE"
        }
        .into(),
        random.chance(0.01).into(),
        if random.chance(0.1) {
            Cell::Null
        } else {
            velocity.is_some().into()
        },
        host.map_or(Cell::Null, |object| object.number.into()),
    ]
}

/// Where the source is, and the object it belongs to.
fn place<'a>(
    number: usize,
    objects: &'a [Messier],
    random: &mut Random,
) -> (f64, f64, Option<&'a Messier>) {
    let (ra, dec, host) = if number < POLAR {
        let north = if number.is_multiple_of(2) { 1.0 } else { -1.0 };
        (
            random.between(0.0, 360.0),
            north * (90.0 - random.between(0.0, 0.5)),
            None,
        )
    } else if number < POLAR + WRAPPED {
        let ra = random.between(-0.2, 0.2).rem_euclid(360.0);
        (ra, random.between(-1.0, 1.0), None)
    } else if random.chance(MEMBER_FRACTION) {
        let object = random.pick(objects);
        let spread_deg = (object.major_arcmin / 4.0).max(2.0) / 60.0;
        let (east, north) = random.gauss_pair();
        let (ra, dec) = offset(object.ra, object.dec, east * spread_deg, north * spread_deg);
        (ra, dec, Some(object))
    } else {
        let dec = random.between(-1.0, 1.0).asin().to_degrees();
        (random.between(0.0, 360.0), dec, None)
    };
    (rounded(ra, 10) % 360.0, rounded(dec, 10), host)
}
