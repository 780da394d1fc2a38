//! The published values are right, the made-up ones stay what they are.

use std::collections::HashSet;

use super::{Cell, Content, Datatype, contents, messier, stars};

const SEED: u64 = 1781;

fn table(name: &str) -> Content {
    contents(SEED, 50_000, "http://127.0.0.1:1")
        .into_iter()
        .find(|content| content.table.name == name)
        .unwrap()
}

fn column(content: Content, name: &str) -> Vec<Cell> {
    let index = content
        .table
        .columns
        .iter()
        .position(|column| column.name == name)
        .unwrap();
    content.rows.map(|row| row[index].clone()).collect()
}

/// Positions as SIMBAD gives them.
#[test]
fn objects_are_where_they_are() {
    let objects = messier();
    assert_eq!(objects.len(), 110);
    for (index, object) in objects.iter().enumerate() {
        assert_eq!(object.number, index as i64 + 1);
        assert!((0.0..360.0).contains(&object.ra) && object.dec.abs() < 75.0);
    }
    for (number, ra, dec) in [
        (1, 83.6324, 22.0174),
        (13, 250.4235, 36.4613),
        (31, 10.68471, 41.26875),
        (33, 23.46207, 30.66018),
        (42, 83.82208, -5.39111),
        (45, 56.601, 24.114),
        (51, 202.46957, 47.19526),
        (57, 283.39624, 33.02913),
        (81, 148.88822, 69.06529),
        (82, 148.96846, 69.67970),
        (83, 204.25383, -29.86576),
        (87, 187.70593, 12.39112),
        (101, 210.80243, 54.34875),
        (104, 189.99763, -11.62305),
    ] {
        let object = &objects[number - 1];
        let off = (object.ra - ra).hypot(object.dec - dec);
        assert!(off < 0.002, "M {number} is {off} deg away");
    }
}

#[test]
fn stars_are_where_they_are() {
    let stars = stars();
    assert_eq!(stars.len(), 125);
    assert!(stars.windows(2).all(|pair| pair[0].vmag <= pair[1].vmag));
    for (hip, hr, name, ra, dec, vmag) in [
        (32_349, 2491, "Sirius", 101.287_155, -16.716_116, -1.44),
        (30_438, 2326, "Canopus", 95.987_958, -52.695_661, -0.62),
        (69_673, 5340, "Arcturus", 213.915_300, 19.182_409, -0.05),
        (91_262, 7001, "Vega", 279.234_735, 38.783_689, 0.03),
        (27_989, 2061, "Betelgeuse", 88.792_939, 7.407_064, 0.45),
        (11_767, 424, "Polaris", 37.954_561, 89.264_109, 1.97),
    ] {
        let star = stars.iter().find(|star| star.hip == hip).unwrap();
        assert_eq!((star.hr, star.name), (hr, name));
        assert!(
            (star.ra - ra).abs() < 3e-6 && (star.dec - dec).abs() < 3e-6,
            "{name}"
        );
        assert!((star.vmag - vmag).abs() < 1e-9, "{name}");
    }
    let ids: HashSet<_> = stars.iter().flat_map(|star| [star.hip, -star.hr]).collect();
    assert_eq!(ids.len(), 250);
}

/// The rows of a seed, as one number (FNV-1a over their text). It changes when the sky does: then
/// say so in the CHANGELOG, for somebody may have written down what they found there.
#[test]
fn the_same_seed_gives_the_same_sky() {
    let digest = |seed| {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for content in contents(seed, 2000, "http://127.0.0.1:1") {
            for row in content.rows {
                for byte in format!("{row:?}").bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        format!("{hash:016x}")
    };
    insta::assert_snapshot!(digest(SEED));
    assert_eq!(digest(SEED), digest(SEED));
    assert_ne!(digest(SEED), digest(SEED + 1));
}

#[test]
fn every_cell_is_of_its_column() {
    for content in contents(SEED, 5000, "http://127.0.0.1:1") {
        let table = content.table;
        let mut rows = 0;
        for row in content.rows {
            rows += 1;
            assert_eq!(row.len(), table.columns.len(), "{}", table.name);
            for (cell, column) in row.iter().zip(&table.columns) {
                let fits = match (cell, column.datatype) {
                    (Cell::Null, _) => !column.key,
                    (Cell::Int(value), Datatype::Boolean) => (0..=1).contains(value),
                    (Cell::Int(value), Datatype::Short) => i16::try_from(*value).is_ok(),
                    (Cell::Int(value), Datatype::Int) => i32::try_from(*value).is_ok(),
                    (Cell::Int(_), Datatype::Long) => true,
                    (Cell::Real(value), Datatype::Float) => f64::from(*value as f32) == *value,
                    (Cell::Real(value), Datatype::Double) => value.is_finite(),
                    (Cell::Text(text), Datatype::Char) => text.is_ascii(),
                    (Cell::Text(text), Datatype::UnicodeChar) => text
                        .chars()
                        .all(|character| u32::from(character) < 0x1_0000),
                    _ => false,
                };
                assert!(fits, "{}.{}: {cell:?}", table.name, column.name);
            }
        }
        assert!(rows > 0, "{}", table.name);
    }
}

/// What makes the catalogue worth testing with.
#[test]
fn the_catalogue_is_difficult() {
    let real = |cell: &Cell| match cell {
        Cell::Real(value) => *value,
        other => panic!("{other:?}"),
    };
    let share = |name: &str| {
        let cells = column(table("synth.gaia_like"), name);
        cells.iter().filter(|cell| **cell == Cell::Null).count() as f64 / cells.len() as f64
    };
    assert!(
        (0.02..0.5).contains(&share("parallax")),
        "{}",
        share("parallax")
    );
    assert!((0.01..0.1).contains(&share("bp_rp")));
    assert!(share("radial_velocity") > 0.9);
    assert!((0.05..0.2).contains(&share("has_rvs")));

    let ids: Vec<i64> = column(table("synth.gaia_like"), "source_id")
        .iter()
        .map(|cell| match cell {
            Cell::Int(id) => *id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(ids.iter().all(|id| *id > 1 << 53));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 50_000);
    let rounded: HashSet<_> = ids.iter().map(|id| (*id as f64).to_bits()).collect();
    assert!(rounded.len() < 50_000, "no two are the same as doubles");

    let dec: Vec<f64> = column(table("synth.gaia_like"), "dec")
        .iter()
        .map(real)
        .collect();
    let ra: Vec<f64> = column(table("synth.gaia_like"), "ra")
        .iter()
        .map(real)
        .collect();
    assert!(dec.iter().filter(|dec| **dec > 89.5).count() >= 20);
    assert!(dec.iter().filter(|dec| **dec < -89.5).count() >= 20);
    assert!(ra.iter().all(|ra| (0.0..360.0).contains(ra)));
    assert!(ra.iter().any(|ra| *ra < 0.1) && ra.iter().any(|ra| *ra > 359.9));
}
