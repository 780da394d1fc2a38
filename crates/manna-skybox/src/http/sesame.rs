//! Answers to names, as the text form of the CDS name resolver Sesame gives them
//! (`/cgi-bin/nph-sesame/[-oI/]SNV?NAME`; its help page, read 2026, and recorded answers).

use std::{collections::HashMap, fmt::Write as _, sync::Arc};

use axum::{
    extract::{RawPathParams, RawQuery, State},
    http::header,
    response::{IntoResponse, Response},
};

use super::Archive;
use crate::sky::{Messier, Star, messier, stars};

/// All names the archive knows.
#[derive(Debug)]
pub(crate) struct Names {
    objects: Vec<Object>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
enum Object {
    Messier(Messier),
    Star(Star),
}

impl Names {
    /// Of the Messier objects and the bright stars. Where two claim a name the first keeps it.
    pub(super) fn new() -> Self {
        let objects: Vec<Object> = messier()
            .into_iter()
            .map(Object::Messier)
            .chain(stars().into_iter().map(Object::Star))
            .collect();
        let mut by_name = HashMap::new();
        for (index, object) in objects.iter().enumerate() {
            for name in object.names().iter().chain(&object.spellings()) {
                by_name.entry(folded(name)).or_insert(index);
            }
        }
        Self { objects, by_name }
    }

    fn find(&self, name: &str) -> Option<&Object> {
        self.objects.get(*self.by_name.get(&folded(name))?)
    }
}

/// Case and spaces do not count; an apostrophe may be typographic.
fn folded(name: &str) -> String {
    name.chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| {
            if character == '\u{2019}' {
                '\''
            } else {
                character
            }
        })
        .flat_map(char::to_lowercase)
        .collect()
}

const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('ο', "omicron"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
];

/// The genitives of the constellations of the bright stars, for `Alpha Canis Majoris`.
const GENITIVES: &[(&str, &str)] = &[
    ("And", "Andromedae"),
    ("Aql", "Aquilae"),
    ("Ari", "Arietis"),
    ("Aur", "Aurigae"),
    ("Boo", "Bootis"),
    ("CMa", "Canis Majoris"),
    ("CMi", "Canis Minoris"),
    ("Car", "Carinae"),
    ("Cas", "Cassiopeiae"),
    ("Cen", "Centauri"),
    ("Cep", "Cephei"),
    ("Cet", "Ceti"),
    ("Col", "Columbae"),
    ("CrB", "Coronae Borealis"),
    ("Cru", "Crucis"),
    ("Crv", "Corvi"),
    ("Cyg", "Cygni"),
    ("Dra", "Draconis"),
    ("Eri", "Eridani"),
    ("Gem", "Geminorum"),
    ("Gru", "Gruis"),
    ("Hya", "Hydrae"),
    ("Leo", "Leonis"),
    ("Lep", "Leporis"),
    ("Lib", "Librae"),
    ("Lup", "Lupi"),
    ("Lyr", "Lyrae"),
    ("Mus", "Muscae"),
    ("Oph", "Ophiuchi"),
    ("Ori", "Orionis"),
    ("Pav", "Pavonis"),
    ("Peg", "Pegasi"),
    ("Per", "Persei"),
    ("Phe", "Phoenicis"),
    ("PsA", "Piscis Austrini"),
    ("Pup", "Puppis"),
    ("Sco", "Scorpii"),
    ("Ser", "Serpentis"),
    ("Sgr", "Sagittarii"),
    ("Tau", "Tauri"),
    ("TrA", "Trianguli Australis"),
    ("UMa", "Ursae Majoris"),
    ("UMi", "Ursae Minoris"),
    ("Vel", "Velorum"),
    ("Vir", "Virginis"),
];

impl Object {
    /// The names that are reported, the main one first.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Messier(object) => {
                // SIMBAD pads the number to three places.
                let main = format!("M {:>3}", object.number);
                let mut names = vec![main, object.catalogue_name.to_owned()];
                names.extend(object.names.iter().map(|name| format!("NAME {name}")));
                names
            }
            Self::Star(star) => {
                let (letter, index) = letter_of(star);
                let short = GREEK
                    .iter()
                    .find(|(greek, _)| *greek == letter)
                    // SIMBAD cuts Greek letters to three characters.
                    .map_or_else(String::new, |(_, name)| name.chars().take(3).collect());
                let index = if index.is_empty() {
                    String::new()
                } else {
                    format!("0{index}")
                };
                let mut names = vec![format!("* {short}{index} {}", star.constellation)];
                if !star.name.is_empty() {
                    names.push(format!("NAME {}", star.name));
                }
                names.push(format!("HIP {}", star.hip));
                names.push(format!("HR {}", star.hr));
                names
            }
        }
    }

    /// Other ways to write them.
    fn spellings(&self) -> Vec<String> {
        match self {
            Self::Messier(object) => {
                let mut spellings = vec![format!("Messier {}", object.number)];
                spellings.extend(object.names.iter().map(|name| (*name).to_owned()));
                spellings.extend(
                    object
                        .names
                        .iter()
                        .filter(|name| name.contains('\''))
                        .map(|name| name.replace('\'', "")),
                );
                spellings
            }
            Self::Star(star) => {
                let mut spellings = vec![star.name.to_owned(), star.bayer.to_owned()];
                let (letter, index) = letter_of(star);
                let constellations = GENITIVES
                    .iter()
                    .filter(|(short, _)| *short == star.constellation)
                    .flat_map(|(short, genitive)| [*short, *genitive]);
                let letters = GREEK.iter().find(|(greek, _)| *greek == letter);
                for constellation in constellations {
                    if let Some((greek, name)) = letters {
                        let short: String = name.chars().take(3).collect();
                        let greek = greek.to_string();
                        for letter in [*name, short.as_str(), greek.as_str()] {
                            spellings.push(format!("{letter}{index} {constellation}"));
                            spellings.push(format!("* {letter}{index} {constellation}"));
                            // The first of several components is what the bare letter means.
                            if index == "1" || star.bayer == "γ2 Vel" || star.bayer == "α2 Lib" {
                                spellings.push(format!("{letter} {constellation}"));
                            }
                        }
                    }
                }
                // α Centauri has two components in the table, which SIMBAD calls A and B.
                match star.hip {
                    71_683 => spellings.push("Alpha Centauri A".to_owned()),
                    71_681 => spellings.push("Alpha Centauri B".to_owned()),
                    _ => {}
                }
                spellings.retain(|spelling| !spelling.is_empty());
                spellings
            }
        }
    }

    fn position(&self) -> (f64, f64) {
        match self {
            Self::Messier(object) => (object.ra, object.dec),
            Self::Star(star) => (star.ra, star.dec),
        }
    }
}

/// The Greek letter of a Bayer designation, and the number behind it.
fn letter_of(star: &Star) -> (char, &str) {
    let designation = star.bayer.split(' ').next().unwrap_or_default();
    let mut characters = designation.chars();
    let letter = characters.next().unwrap_or_default();
    (letter, characters.as_str())
}

pub(super) async fn resolve(
    State(archive): State<Arc<Archive>>,
    options: RawPathParams,
    RawQuery(query): RawQuery,
) -> Response {
    let options = options.iter().next().map_or("", |(_, value)| value);
    // A plus is a space here, as `M+87` from a form; signs in names are only in coordinates.
    let query = query.unwrap_or_default().replace('+', " ");
    let name = url::form_urlencoded::parse(format!("={}", query.replace('&', "%26")).as_bytes())
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned());
    let body = answer(&archive.names, options, &name);
    ([(header::CONTENT_TYPE, "text/plain")], body).into_response()
}

/// The text for one name.
fn answer(names: &Names, options: &str, name: &str) -> String {
    let shown: String = name
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .take(200)
        .collect();
    let (flags, databases): (Vec<&str>, Vec<&str>) =
        options.split('/').partition(|part| part.starts_with('-'));
    let all_names = flags.iter().any(|flag| flag.contains('I'));
    // The archive stands in for SIMBAD alone: NED and VizieR know nothing here.
    let databases = databases.concat();
    let simbad = databases.is_empty() || databases.contains(['S', 'A', 's', 'a']);
    match names.find(name).filter(|_| simbad) {
        Some(object) => found(object, &shown, all_names),
        None => format!("# {shown}\t#Q1\n#! *** Nothing found *** \n\n#****Total of 1 crashes\n"),
    }
}

fn found(object: &Object, shown: &str, all_names: bool) -> String {
    let (ra, dec) = object.position();
    let mut text =
        format!("# {shown}\t#Q1\n#=Sc=Simbad (skybox, published values):    1     0ms\n");
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    match object {
        Object::Messier(object) => line(format!("%C.0 {}", object.otype)),
        Object::Star(_) => line("%C.0 *".to_owned()),
    }
    line(format!("%J {ra:.8} {dec:+.8} = {} ", sexagesimal(ra, dec)));
    match object {
        Object::Messier(object) => line(format!("%M.V {:.2} [~]  D", object.vmag)),
        Object::Star(star) => {
            line(format!(
                "%P {:.3} {:.3} [~ ~ ~] A 2007A&A...474..653V",
                star.pmra, star.pmdec
            ));
            line(format!("%X {:.4} [~] A 2007A&A...474..653V", star.parallax));
            if !star.sp_type.is_empty() {
                line(format!("%S {} C 1991bsc..book.....H", star.sp_type));
            }
            line(format!("%M.V {:.2} [~]  C 1997ESASP1200.....E", star.vmag));
        }
    }
    let names = object.names();
    let shown_names = if all_names { names.len() } else { 1 };
    for name in names.iter().take(shown_names) {
        line(format!("%I.0 {name}"));
    }
    text + "#B 1\n\n\n\n#====Done====\n"
}

/// `12 30 49.423  +12 23 28.04`.
fn sexagesimal(ra: f64, dec: f64) -> String {
    // In whole units of the last digit, so that 59.9996 carries.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "angles of the sky, not negative"
    )]
    let units = |value: f64| value.round() as u64;
    let time = units(ra / 15.0 * 3_600_000.0) % (24 * 3_600_000);
    let angle = units(dec.abs() * 360_000.0);
    let mut text = String::new();
    write!(
        text,
        "{:02} {:02} {:02}.{:03}  {}{:02} {:02} {:02}.{:02}",
        time / 3_600_000,
        time / 60_000 % 60,
        time / 1000 % 60,
        time % 1000,
        if dec.is_sign_negative() { '-' } else { '+' },
        angle / 360_000,
        angle / 6000 % 60,
        angle / 100 % 60,
        angle % 100,
    )
    .expect("writing to a string cannot fail");
    text
}

#[cfg(test)]
mod tests;
