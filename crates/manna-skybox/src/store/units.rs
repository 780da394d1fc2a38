//! Units for `IN_UNIT` (ADQL 2.1 section 4.7.1), read after VOUnits 1.0: products, quotients and
//! whole powers of units with their prefixes.

/// Powers of metre, kilogram, second, radian, kelvin, magnitude, jansky, count.
type Dimension = [i32; 8];

/// A unit: a factor to the base units and what it measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    factor: f64,
    dimension: Dimension,
}

const NONE: Dimension = [0; 8];

/// Symbol, factor, dimension, and whether it takes prefixes.
const SYMBOLS: &[(&str, f64, Dimension, bool)] = &[
    ("m", 1.0, [1, 0, 0, 0, 0, 0, 0, 0], true),
    ("Angstrom", 1e-10, [1, 0, 0, 0, 0, 0, 0, 0], false),
    ("angstrom", 1e-10, [1, 0, 0, 0, 0, 0, 0, 0], false),
    ("AU", 149_597_870_700.0, [1, 0, 0, 0, 0, 0, 0, 0], false),
    ("au", 149_597_870_700.0, [1, 0, 0, 0, 0, 0, 0, 0], false),
    (
        "pc",
        3.085_677_581_491_367e16,
        [1, 0, 0, 0, 0, 0, 0, 0],
        true,
    ),
    (
        "lyr",
        9_460_730_472_580_800.0,
        [1, 0, 0, 0, 0, 0, 0, 0],
        true,
    ),
    ("g", 1e-3, [0, 1, 0, 0, 0, 0, 0, 0], true),
    ("s", 1.0, [0, 0, 1, 0, 0, 0, 0, 0], true),
    ("min", 60.0, [0, 0, 1, 0, 0, 0, 0, 0], false),
    ("h", 3600.0, [0, 0, 1, 0, 0, 0, 0, 0], false),
    ("d", 86_400.0, [0, 0, 1, 0, 0, 0, 0, 0], false),
    ("yr", 31_557_600.0, [0, 0, 1, 0, 0, 0, 0, 0], true),
    ("a", 31_557_600.0, [0, 0, 1, 0, 0, 0, 0, 0], true),
    ("Hz", 1.0, [0, 0, -1, 0, 0, 0, 0, 0], true),
    ("rad", 1.0, [0, 0, 0, 1, 0, 0, 0, 0], true),
    (
        "deg",
        std::f64::consts::PI / 180.0,
        [0, 0, 0, 1, 0, 0, 0, 0],
        false,
    ),
    (
        "arcmin",
        std::f64::consts::PI / 10_800.0,
        [0, 0, 0, 1, 0, 0, 0, 0],
        false,
    ),
    (
        "arcsec",
        std::f64::consts::PI / 648_000.0,
        [0, 0, 0, 1, 0, 0, 0, 0],
        true,
    ),
    (
        "as",
        std::f64::consts::PI / 648_000.0,
        [0, 0, 0, 1, 0, 0, 0, 0],
        true,
    ),
    ("K", 1.0, [0, 0, 0, 0, 1, 0, 0, 0], true),
    ("mag", 1.0, [0, 0, 0, 0, 0, 1, 0, 0], true),
    ("Jy", 1.0, [0, 0, 0, 0, 0, 0, 1, 0], true),
    ("J", 1.0, [2, 1, -2, 0, 0, 0, 0, 0], true),
    ("erg", 1e-7, [2, 1, -2, 0, 0, 0, 0, 0], true),
    ("eV", 1.602_176_634e-19, [2, 1, -2, 0, 0, 0, 0, 0], true),
    ("W", 1.0, [2, 1, -3, 0, 0, 0, 0, 0], true),
    ("ct", 1.0, [0, 0, 0, 0, 0, 0, 0, 1], true),
    ("count", 1.0, [0, 0, 0, 0, 0, 0, 0, 1], true),
    ("byte", 8.0, NONE, true),
    ("bit", 1.0, NONE, true),
    ("%", 0.01, NONE, false),
];

const PREFIXES: &[(&str, f64)] = &[
    ("da", 1e1),
    ("Y", 1e24),
    ("Z", 1e21),
    ("E", 1e18),
    ("P", 1e15),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
    ("a", 1e-18),
    ("z", 1e-21),
    ("y", 1e-24),
];

/// `value` in unit `from`, as a value in unit `to`.
pub(crate) fn convert(value: f64, from: &str, to: &str) -> Result<f64, String> {
    let (source, target) = (parse(from)?, parse(to)?);
    if source.dimension != target.dimension {
        return Err(format!("{from:?} cannot be converted to {to:?}"));
    }
    Ok(value * (source.factor / target.factor))
}

fn parse(text: &str) -> Result<Unit, String> {
    let unknown = || format!("the unit {text:?} is not understood");
    let mut unit = Unit {
        factor: 1.0,
        dimension: NONE,
    };
    // VOUnits allows one solidus; what follows it, one unit or a group in parentheses, divides.
    let (over, under) = text
        .split_once('/')
        .map_or((text, None), |(over, under)| (over, Some(under)));
    for (part, sign) in [(Some(over), 1), (under, -1)] {
        let Some(part) = part else { continue };
        let part = part.trim();
        let part = part
            .strip_prefix('(')
            .and_then(|part| part.strip_suffix(')'))
            .unwrap_or(part);
        if part.is_empty() {
            if sign == 1 {
                continue;
            }
            return Err(unknown());
        }
        for term in part.split(['.', ' ']).flat_map(|term| split_product(term)) {
            let (one, power) = parse_term(term).ok_or_else(unknown)?;
            let power = power * sign;
            unit.factor *= one.factor.powi(power);
            for (sum, exponent) in unit.dimension.iter_mut().zip(one.dimension) {
                *sum += exponent * power;
            }
        }
    }
    Ok(unit)
}

/// `a*b` is a product, `a**2` a power.
fn split_product(term: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let bytes = term.as_bytes();
    let star = |index: usize| bytes.get(index) == Some(&b'*');
    for index in 0..bytes.len() {
        let single = star(index) && !star(index + 1) && !(index > 0 && star(index - 1));
        if single {
            parts.extend(term.get(start..index));
            start = index + 1;
        }
    }
    parts.extend(term.get(start..));
    parts
}

fn parse_term(term: &str) -> Option<(Unit, i32)> {
    let end = term
        .find(|character: char| !character.is_ascii_alphabetic() && character != '%')
        .unwrap_or(term.len());
    let (symbol, power) = term.split_at_checked(end)?;
    let power = power
        .strip_prefix("**")
        .or(power.strip_prefix('^'))
        .unwrap_or(power);
    let power = power
        .strip_prefix('(')
        .and_then(|power| power.strip_suffix(')'))
        .unwrap_or(power);
    let power = if power.is_empty() {
        1
    } else {
        power.parse().ok()?
    };
    // A power of a hundred is a mistake, and would overflow.
    ((-9..=9).contains(&power)).then_some(())?;
    lookup(symbol).map(|unit| (unit, power))
}

fn lookup(symbol: &str) -> Option<Unit> {
    let known = |name: &str, prefixed: bool| {
        SYMBOLS
            .iter()
            .find(|(symbol, _, _, takes)| *symbol == name && (*takes || !prefixed))
            .map(|(_, factor, dimension, _)| (*factor, *dimension))
    };
    if let Some((factor, dimension)) = known(symbol, false) {
        return Some(Unit { factor, dimension });
    }
    PREFIXES.iter().find_map(|(prefix, scale)| {
        let (factor, dimension) = known(symbol.strip_prefix(prefix)?, true)?;
        Some(Unit {
            factor: factor * scale,
            dimension,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::convert;

    #[test]
    fn conversions() {
        for (value, from, to, expected) in [
            (1.0, "deg", "arcsec", 3600.0),
            (1.0, "mas/yr", "deg/d", 1.0 / 3.6e6 / 365.25),
            (1.0, "mas.yr**-1", "mas/yr", 1.0),
            (5.0, "km/s", "m.s-1", 5000.0),
            (1.0, "kpc", "pc", 1000.0),
            (500.0, "nm", "Angstrom", 5000.0),
            (1.0, "keV", "eV", 1000.0),
            (1.0, "kbyte", "byte", 1000.0),
            (1.0, "arcmin", "deg", 1.0 / 60.0),
            (2.0, "", "", 2.0),
            (1.0, "erg/(s.cm**2)", "W/m**2", 1e-3),
        ] {
            let got = convert(value, from, to).unwrap();
            assert!(
                (got / expected - 1.0).abs() < 1e-12,
                "{from} to {to}: {got}"
            );
        }
        for (from, to) in [
            ("deg", "pc"),
            ("deg", "furlong"),
            ("mag/", "mag"),
            ("m**999", "m"),
        ] {
            assert!(convert(1.0, from, to).is_err(), "{from} to {to}");
        }
    }
}
