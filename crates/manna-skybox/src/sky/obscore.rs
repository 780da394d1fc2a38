//! Made-up observations of the Messier objects in the ObsCore data model (ObsCore 1.1, 2017-05-09).

use std::fmt::Write as _;

use super::{
    Content, Messier, messier,
    random::{Random, offset, rounded},
    table::{Cell, Column, Datatype, Table},
};

/// Observations of one object.
const VISITS: usize = 30;

/// One kind of data that the archive pretends to hold.
struct Setup {
    collection: &'static str,
    facility: &'static str,
    instrument: &'static str,
    product: &'static str,
    format: &'static str,
    o_ucd: &'static str,
    /// Full width of the field in degrees.
    fov_deg: f64,
    pixels: i64,
    resolution_arcsec: f64,
    /// Wavelength ranges in metres, one a filter or setting.
    bands: &'static [(f64, f64)],
    res_power: Option<f64>,
    channels: Option<i64>,
    pol_states: Option<&'static str>,
    pol_xel: Option<i64>,
    calib_level: i64,
}

const SETUPS: &[Setup] = &[
    Setup {
        collection: "SKYBOX-WIDE",
        facility: "Skybox Survey Telescope",
        instrument: "WideCam",
        product: "image",
        format: "image/fits",
        o_ucd: "phot.flux;em.opt",
        fov_deg: 0.5,
        pixels: 4096,
        resolution_arcsec: 0.9,
        bands: &[(3.9e-7, 5.5e-7), (5.5e-7, 7.0e-7), (7.0e-7, 8.5e-7)],
        res_power: None,
        channels: None,
        pol_states: None,
        pol_xel: None,
        calib_level: 2,
    },
    Setup {
        collection: "SKYBOX-IR",
        facility: "Skybox Survey Telescope",
        instrument: "IRCam",
        product: "image",
        format: "image/fits",
        o_ucd: "phot.flux;em.IR",
        fov_deg: 0.2,
        pixels: 2048,
        resolution_arcsec: 0.7,
        bands: &[(1.17e-6, 1.33e-6), (1.99e-6, 2.31e-6)],
        res_power: None,
        channels: None,
        pol_states: None,
        pol_xel: None,
        calib_level: 3,
    },
    Setup {
        collection: "SKYBOX-SPEC",
        facility: "Skybox 4m",
        instrument: "LongSlit",
        product: "spectrum",
        format: "application/x-votable+xml",
        o_ucd: "phot.flux.density;em.wl",
        fov_deg: 0.0008,
        pixels: 1,
        resolution_arcsec: 1.2,
        bands: &[(3.6e-7, 9.2e-7)],
        res_power: Some(2000.0),
        channels: Some(4096),
        pol_states: None,
        pol_xel: None,
        calib_level: 2,
    },
    Setup {
        collection: "SKYBOX-IFU",
        facility: "Skybox 4m",
        instrument: "FieldSpec",
        product: "cube",
        format: "image/fits",
        o_ucd: "phot.flux.density;em.wl",
        fov_deg: 0.0166,
        pixels: 300,
        resolution_arcsec: 0.8,
        bands: &[(4.7e-7, 9.35e-7)],
        res_power: Some(3000.0),
        channels: Some(3681),
        pol_states: None,
        pol_xel: None,
        calib_level: 3,
    },
    Setup {
        collection: "SKYBOX-RADIO",
        facility: "Skybox Array",
        instrument: "BandL",
        product: "cube",
        format: "image/fits",
        o_ucd: "phot.flux.density;em.radio",
        fov_deg: 0.5,
        pixels: 1024,
        resolution_arcsec: 6.0,
        bands: &[(0.1999, 0.2307)],
        res_power: Some(70_000.0),
        channels: Some(2048),
        pol_states: Some("/I/Q/U/V/"),
        pol_xel: Some(4),
        calib_level: 2,
    },
    Setup {
        collection: "SKYBOX-XRAY",
        facility: "Skybox X",
        instrument: "XCam",
        product: "event",
        format: "application/fits",
        o_ucd: "phot.count;em.X-ray",
        fov_deg: 0.3,
        pixels: 1024,
        resolution_arcsec: 5.0,
        bands: &[(1.24e-10, 2.48e-9)],
        res_power: Some(20.0),
        channels: None,
        pol_states: None,
        pol_xel: None,
        calib_level: 1,
    },
];

macro_rules! obscore_columns {
    ($($name:literal $datatype:ident $utype:literal $ucd:literal $unit:expr, $description:literal;)*) => {
        &[$({
            let column = Column::new($name, Datatype::$datatype, $description)
                .utype(concat!("obscore:", $utype))
                .ucd($ucd)
                .principal()
                .std();
            match $unit { Some(unit) => column.unit(unit), None => column }
        },)*]
    };
}

/// ObsCore 1.1, table 5 and appendix B: all mandatory columns, and the release date.
const COLUMNS: &[Column] = obscore_columns! {
    "dataproduct_type" Char "ObsDataset.dataProductType" "meta.code.class" None, "Kind of data: image, spectrum, cube or event";
    "calib_level" Int "ObsDataset.calibLevel" "meta.code;obs.calib" None, "Calibration level, 0 (raw) to 4 (analysed)";
    "obs_collection" Char "DataID.Collection" "meta.id" None, "Name of the collection";
    "obs_id" Char "DataID.observationID" "meta.id" None, "Identifier of the observation";
    "obs_publisher_did" Char "Curation.PublisherDID" "meta.ref.ivoid" None, "Identifier given by the publisher";
    "access_url" Char "Access.Reference" "meta.ref.url" None, "Where the data would be fetched; the made-up archive keeps no files";
    "access_format" Char "Access.Format" "meta.code.mime" None, "Media type of the data";
    "access_estsize" Long "Access.Size" "phys.size;meta.file" Some("kbyte"), "Estimated size of the data";
    "target_name" Char "Target.Name" "meta.id;src" None, "Object observed";
    "s_ra" Double "Char.SpatialAxis.Coverage.Location.Coord.Position2D.Value2.C1" "pos.eq.ra" Some("deg"), "Right ascension of the centre, ICRS";
    "s_dec" Double "Char.SpatialAxis.Coverage.Location.Coord.Position2D.Value2.C2" "pos.eq.dec" Some("deg"), "Declination of the centre, ICRS";
    "s_fov" Double "Char.SpatialAxis.Coverage.Bounds.Extent.diameter" "phys.angSize;instr.fov" Some("deg"), "Diameter of the field";
    "s_region" Char "Char.SpatialAxis.Coverage.Support.Area" "pos.outline;obs.field" None, "Footprint, STC-S";
    "s_xel1" Long "Char.SpatialAxis.numBins1" "meta.number" None, "Number of pixels along the first axis";
    "s_xel2" Long "Char.SpatialAxis.numBins2" "meta.number" None, "Number of pixels along the second axis";
    "s_resolution" Double "Char.SpatialAxis.Resolution.Refval.value" "pos.angResolution" Some("arcsec"), "Spatial resolution";
    "t_min" Double "Char.TimeAxis.Coverage.Bounds.Limits.StartTime" "time.start;obs.exposure" Some("d"), "Start of the observation, MJD";
    "t_max" Double "Char.TimeAxis.Coverage.Bounds.Limits.StopTime" "time.end;obs.exposure" Some("d"), "End of the observation, MJD";
    "t_exptime" Double "Char.TimeAxis.Coverage.Support.Extent" "time.duration;obs.exposure" Some("s"), "Total exposure time";
    "t_resolution" Double "Char.TimeAxis.Resolution.Refval.value" "time.resolution" Some("s"), "Temporal resolution";
    "t_xel" Long "Char.TimeAxis.numBins" "meta.number" None, "Number of samples along the time axis";
    "em_min" Double "Char.SpectralAxis.Coverage.Bounds.Limits.LoLimit" "em.wl;stat.min" Some("m"), "Shortest wavelength";
    "em_max" Double "Char.SpectralAxis.Coverage.Bounds.Limits.HiLimit" "em.wl;stat.max" Some("m"), "Longest wavelength";
    "em_res_power" Double "Char.SpectralAxis.Resolution.ResolPower.refVal" "spect.resolution" None, "Spectral resolving power";
    "em_xel" Long "Char.SpectralAxis.numBins" "meta.number" None, "Number of samples along the spectral axis";
    "o_ucd" Char "Char.ObservableAxis.ucd" "meta.ucd" None, "UCD of the observable";
    "pol_states" Char "Char.PolarizationAxis.stateList" "meta.code;phys.polarization" None, "Polarisation states";
    "pol_xel" Long "Char.PolarizationAxis.numBins" "meta.number" None, "Number of polarisation samples";
    "facility_name" Char "Provenance.ObsConfig.Facility.name" "meta.id;instr.tel" None, "Telescope";
    "instrument_name" Char "Provenance.ObsConfig.Instrument.name" "meta.id;instr" None, "Instrument";
    "obs_release_date" Char "Curation.releaseDate" "time.release" None, "When the data became public, UTC";
};

/// `ivoa.obscore`.
pub(crate) fn content(seed: u64, base_url: &str) -> Content {
    let mut random = Random::new(seed, 2);
    let mut rows = Vec::new();
    for object in messier() {
        for visit in 0..VISITS {
            rows.push(row(&object, visit, base_url, &mut random));
        }
    }
    Content {
        table: Table {
            name: "ivoa.obscore",
            description: "Made-up observations of the Messier objects: ObsCore 1.1. None was ever taken.",
            utype: Some("ivo://ivoa.net/std/obscore#table-1.1"),
            columns: COLUMNS
                .iter()
                .cloned()
                .map(|column| match column.name {
                    "s_region" => column.xtype("adql:REGION"),
                    "obs_release_date" => column.xtype("timestamp"),
                    "s_dec" => column.indexed(),
                    "obs_publisher_did" => column.key(),
                    _ => column,
                })
                .collect(),
            keys: Vec::new(),
            position: Some(("s_ra", "s_dec")),
        },
        rows: Box::new(rows.into_iter()),
    }
}

fn row(object: &Messier, visit: usize, base_url: &str, random: &mut Random) -> Vec<Cell> {
    let setup = random.pick(SETUPS);
    let (em_min, em_max) = *random.pick(setup.bands);
    let jitter = setup.fov_deg / 8.0;
    let (east, north) = random.gauss_pair();
    let (ra, dec) = offset(object.ra, object.dec, east * jitter, north * jitter);
    let (ra, dec) = (rounded(ra, 7) % 360.0, rounded(dec, 7));
    let exposure = rounded(random.between(30.0, 3600.0), 1);
    let start = rounded(random.between(57_000.0, 60_900.0), 6);
    let identifier = format!("{}-M{:03}-{visit:02}", setup.collection, object.number);
    let optional = |value: Option<i64>| value.map_or(Cell::Null, Cell::from);
    let size = setup.pixels * setup.pixels * setup.channels.unwrap_or(1) * 4 / 1024;
    let pixels = (setup.pixels > 1).then_some(setup.pixels);
    vec![
        setup.product.into(),
        setup.calib_level.into(),
        setup.collection.into(),
        Cell::text(identifier.clone()),
        Cell::text(format!("ivo://manna.skybox/obs?{identifier}")),
        Cell::text(format!("{base_url}/data/{identifier}")),
        setup.format.into(),
        size.max(16).into(),
        Cell::text(object.name()),
        ra.into(),
        dec.into(),
        setup.fov_deg.into(),
        Cell::text(footprint(setup, ra, dec, random)),
        optional(pixels),
        optional(pixels),
        setup.resolution_arcsec.into(),
        start.into(),
        rounded(start + exposure / 86_400.0, 8).into(),
        exposure.into(),
        if setup.product == "event" {
            2.6.into()
        } else {
            Cell::Null
        },
        optional((setup.product != "event").then_some(1)),
        em_min.into(),
        em_max.into(),
        setup.res_power.into(),
        optional(setup.channels),
        setup.o_ucd.into(),
        setup.pol_states.map_or(Cell::Null, Cell::from),
        optional(setup.pol_xel),
        setup.facility.into(),
        setup.instrument.into(),
        if random.chance(0.9) {
            Cell::text(release_date(start))
        } else {
            Cell::Null
        },
    ]
}

/// A circle for a slit or a round field, a turned square for a camera.
fn footprint(setup: &Setup, ra: f64, dec: f64, random: &mut Random) -> String {
    let half = setup.fov_deg / 2.0;
    if matches!(setup.product, "spectrum" | "event") {
        return format!("CIRCLE ICRS {ra} {dec} {half}");
    }
    let (sin, cos) = random.between(0.0, std::f64::consts::FRAC_PI_2).sin_cos();
    // Half the diagonal is half the field of view. Counter-clockwise seen from inside: north, east.
    let side = half / std::f64::consts::SQRT_2;
    let mut text = "POLYGON ICRS".to_owned();
    for (x, y) in [(-side, -side), (side, -side), (side, side), (-side, side)] {
        let (ra, dec) = offset(ra, dec, x * cos - y * sin, x * sin + y * cos);
        write!(text, " {} {}", rounded(ra, 7) % 360.0, rounded(dec, 7))
            .expect("writing to a string cannot fail");
    }
    text
}

/// A year after the observation, as a DALI timestamp.
fn release_date(mjd: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an MJD of this century fits"
    )]
    let day = mjd.floor() as i64 + 365;
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}T00:00:00")
}

/// Year, month and day of a modified Julian date (the proleptic Gregorian calendar; after
/// H. Hinnant's `civil_from_days`).
pub(crate) fn civil(mjd: i64) -> (i64, i64, i64) {
    let days = mjd - 40_587 + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn known_dates() {
        for (mjd, date) in [
            (40_587, (1970, 1, 1)),
            (51_544, (2000, 1, 1)),
            (51_603, (2000, 2, 29)),
            (60_310, (2024, 1, 1)),
            (60_675, (2024, 12, 31)),
        ] {
            assert_eq!(civil(mjd), date);
        }
    }
}
