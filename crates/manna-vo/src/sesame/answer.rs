//! Sesame's text answer: one fact a line, told apart by its prefix (CDS documentation of Sesame, "text output").
//! `#=Sc=Simbad` names the database that answered, `%J` the position, `%C` the type of object, `%I` its names.
//! "Nothing found" comes with HTTP 200, and a line about "crashes" comes with good answers too.

/// Most names that are kept of one object.
const MOST_ALIASES: usize = 20;

/// Which of Sesame's databases knew the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Database {
    /// SIMBAD (CDS).
    Simbad,
    /// NED (IPAC).
    Ned,
    /// VizieR (CDS).
    Vizier,
}

impl Database {
    /// The name people know it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simbad => "SIMBAD",
            Self::Ned => "NED",
            Self::Vizier => "VizieR",
        }
    }
}

/// An object with a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution {
    /// Right ascension in degrees, ICRS, 0 to 360.
    pub ra_deg: f64,
    /// Declination in degrees, ICRS, -90 to 90.
    pub dec_deg: f64,
    /// Type of object in the database's own code (SIMBAD: `AGN`, `PN`, `*`).
    pub object_type: Option<String>,
    /// Which database answered.
    pub database: Option<Database>,
    /// Names of the object, the main one first, blanks folded.
    pub aliases: Vec<String>,
}

/// What a document from a resolver turned out to be.
#[derive(Debug, PartialEq)]
pub(super) enum Reading {
    Found(Resolution),
    NothingFound,
    NotSesame,
}

pub(super) fn read(text: &str) -> Reading {
    let mut position = None;
    let mut nothing_found = false;
    let mut object_type = None;
    let mut database = None;
    let mut aliases = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if let Some(rest) = line.strip_prefix("#=") {
            // A later database that is asked in vain must not take the credit of the first that knew.
            if position.is_none() {
                database = read_database(rest).or(database);
            }
        } else if let Some(rest) = line.strip_prefix("%J ") {
            // The first position counts: with several databases Sesame lists the preferred one first.
            position = position.or_else(|| read_position(rest));
        } else if line.starts_with("%C") {
            object_type = object_type.or_else(|| value_of(line));
        } else if line.starts_with("%I") {
            aliases.extend(value_of(line).filter(|_| aliases.len() < MOST_ALIASES));
        } else if line.starts_with("#!") && line.to_ascii_lowercase().contains("nothing found") {
            nothing_found = true;
        }
    }
    match position {
        Some((ra_deg, dec_deg)) => Reading::Found(Resolution {
            ra_deg,
            dec_deg,
            object_type,
            database,
            aliases,
        }),
        None if nothing_found => Reading::NothingFound,
        None => Reading::NotSesame,
    }
}

/// `Sc=Simbad (CDS, ...)`: the letter is the database, a `c` after it says "from the cache".
fn read_database(rest: &str) -> Option<Database> {
    match rest.chars().next()? {
        'S' => Some(Database::Simbad),
        'N' => Some(Database::Ned),
        'V' => Some(Database::Vizier),
        _ => None,
    }
}

/// `187.70593077 +12.39112325 = 12 30 49.423 +12 23 28.04`
fn read_position(rest: &str) -> Option<(f64, f64)> {
    let mut words = rest.split_ascii_whitespace();
    let ra: f64 = words.next()?.parse().ok()?;
    let dec: f64 = words.next()?.parse().ok()?;
    ((0.0..=360.0).contains(&ra) && (-90.0..=90.0).contains(&dec)).then_some((ra, dec))
}

/// What follows the prefix (`%C.0 AGN`), blanks folded: SIMBAD pads its names (`M  87`).
fn value_of(line: &str) -> Option<String> {
    let (_, value) = line.split_once(' ')?;
    let folded = value.split_whitespace().collect::<Vec<_>>().join(" ");
    (!folded.is_empty()).then_some(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Made after answers of the CDS of summer 2026; the numbers are invented.
    const FOUND: &str = "# X 1\t#Q1\n#=Sc=Simbad (CDS, via client/server):    1     0ms (from cache)\n%@ @1\n%C.0 AGN\n\
        %J 187.5 -12.25 = 12 30 00.0  -12 15 00.0 \n%J.E [~ ~ ] C 2006AJ....131.1163S\n%V v 258.8 C [~]\n\
        %I.0 X   1\n%I NGC  4486\n\n#****Total of 1 crashes\n";

    #[test]
    fn an_object_is_read() {
        let Reading::Found(found) = read(FOUND) else {
            panic!("not read")
        };
        assert_eq!((found.ra_deg, found.dec_deg), (187.5, -12.25));
        assert_eq!(found.object_type.as_deref(), Some("AGN"));
        assert_eq!(found.database, Some(Database::Simbad));
        assert_eq!(found.aliases, ["X 1", "NGC 4486"]);
    }

    #[test]
    fn the_database_that_knew_is_named() {
        let text = "# X\n#=S=Simbad\n#=N=NED\n%J 10.0 +5.0 = x\n#=V=VizieR\n%J 11.0 +6.0 = y\n";
        let Reading::Found(found) = read(text) else {
            panic!("not read")
        };
        assert_eq!((found.database, found.ra_deg), (Some(Database::Ned), 10.0));
    }

    #[test]
    fn not_found_is_not_the_same_as_broken() {
        let cases = [
            (
                "# X\t#Q1\n#! *** NNNothing found *** \n\n#****Total of 1 crashes\n",
                Reading::NothingFound,
            ),
            (
                "# X\n#!SIMBAD: *** Nothing found ***\n",
                Reading::NothingFound,
            ),
            ("", Reading::NotSesame),
            (
                "<html><body>Service unavailable</body></html>",
                Reading::NotSesame,
            ),
            ("# X\n#=S=Simbad\n%J nan nan\n", Reading::NotSesame),
            ("# X\n%J 400.0 +10.0 = x\n", Reading::NotSesame),
            ("# X\n%J 10.0\n", Reading::NotSesame),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }
}
