//! The SQL functions that `manna_adql::sqlite` prints calls of.

use std::sync::Arc;

use rusqlite::{
    Connection, Error, Result,
    functions::{Context, FunctionFlags},
    types::{Type, Value, ValueRef},
};

use super::{
    geometry::{Geometry, Position, distance_deg},
    units,
};

/// Any number of arguments, for SQLite.
const ANY: i32 = -1;

/// Registers all of them.
pub(super) fn register(connection: &Connection) -> Result<()> {
    geometry(connection)?;
    numbers(connection)?;
    text(connection)?;
    casts(connection)
}

/// A function that is called only when no argument is null, and gives null otherwise.
fn strict<F>(connection: &Connection, name: &str, arguments: i32, function: F) -> Result<()>
where
    F: Fn(&Context<'_>) -> Result<Value, String> + Send + 'static,
{
    connection.create_scalar_function(
        name,
        arguments,
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC,
        move |context| {
            let null =
                (0..context.len()).any(|index| matches!(context.get_raw(index), ValueRef::Null));
            if null {
                return Ok(Value::Null);
            }
            function(context).map_err(|message| Error::UserFunctionError(message.into()))
        },
    )
}

fn real(context: &Context<'_>, index: usize) -> Result<f64, String> {
    match context.get_raw(index) {
        #[expect(clippy::cast_precision_loss, reason = "as SQL converts")]
        ValueRef::Integer(value) => Ok(value as f64),
        ValueRef::Real(value) => Ok(value),
        _ => Err("a number is expected here, not text".to_owned()),
    }
}

fn string<'a>(context: &'a Context<'_>, index: usize) -> Result<&'a str, String> {
    context
        .get_raw(index)
        .as_str()
        .map_err(|_| "text is expected here, not a number".to_owned())
}

fn shape(context: &Context<'_>, index: usize) -> Result<Geometry, String> {
    match context.get_raw(index).data_type() {
        Type::Text => string(context, index)?.parse(),
        _ => Err("a geometry is expected here, not a number".to_owned()),
    }
}

/// As [`shape`], read once where the argument is the same for all rows.
fn constant_shape(context: &Context<'_>, index: i32) -> Result<Arc<Geometry>, String> {
    context
        .get_or_create_aux(index, |value| {
            value
                .as_str()
                .map_err(|_| "a geometry is expected here, not a number".to_owned())?
                .parse::<Geometry>()
        })
        .map_err(|error| match error {
            Error::UserFunctionError(message) => message.to_string(),
            other => other.to_string(),
        })
}

fn position(context: &Context<'_>, index: usize) -> Result<Position, String> {
    Position::new(real(context, index)?, real(context, index + 1)?)
}

fn point(context: &Context<'_>) -> Result<Position, String> {
    match shape(context, 0)? {
        Geometry::Point(position) => Ok(position),
        other => Err(format!("a point is expected here, not {other}")),
    }
}

/// An SQL value of a double: what is not a number is null.
fn number(value: f64) -> Result<Value, String> {
    Ok(if value.is_nan() {
        Value::Null
    } else {
        Value::Real(value)
    })
}

fn geometry(connection: &Connection) -> Result<()> {
    let give = |geometry: Geometry| Ok(Value::Text(geometry.to_string()));
    strict(connection, "adql_point", 2, move |c| {
        give(Geometry::Point(position(c, 0)?))
    })?;
    strict(connection, "adql_circle", 3, move |c| {
        give(Geometry::circle(position(c, 0)?, real(c, 2)?)?)
    })?;
    strict(connection, "adql_box", 4, move |c| {
        give(Geometry::boxed(position(c, 0)?, real(c, 2)?, real(c, 3)?)?)
    })?;
    strict(connection, "adql_polygon", ANY, move |c| {
        if c.len() % 2 == 1 {
            return Err("a polygon needs pairs of coordinates".to_owned());
        }
        let vertices = (0..c.len())
            .step_by(2)
            .map(|index| position(c, index))
            .collect::<Result<_, _>>()?;
        give(Geometry::polygon(vertices)?)
    })?;
    strict(connection, "adql_region", 1, move |c| give(shape(c, 0)?))?;
    strict(connection, "adql_contains", 2, |c| {
        Ok(Value::Integer(
            shape(c, 0)?.within(&*constant_shape(c, 1)?).into(),
        ))
    })?;
    strict(connection, "adql_intersects", 2, |c| {
        Ok(Value::Integer(
            shape(c, 0)?.intersects(&*constant_shape(c, 1)?).into(),
        ))
    })?;
    strict(connection, "adql_distance", 4, |c| {
        // Through a position each, which checks the latitudes.
        let (first, second) = (position(c, 0)?, position(c, 2)?);
        number(distance_deg(
            first.lon_deg(),
            first.lat_deg(),
            second.lon_deg(),
            second.lat_deg(),
        ))
    })?;
    strict(connection, "adql_coord1", 1, |c| {
        number(point(c)?.lon_deg())
    })?;
    strict(connection, "adql_coord2", 1, |c| {
        number(point(c)?.lat_deg())
    })?;
    strict(connection, "adql_area", 1, |c| {
        number(shape(c, 0)?.area_deg2())
    })?;
    strict(connection, "adql_centroid", 1, move |c| {
        give(Geometry::Point(shape(c, 0)?.centroid()?))
    })?;
    strict(connection, "adql_coordsys", 1, |c| {
        shape(c, 0)?;
        Ok(Value::Text("ICRS".to_owned()))
    })
}

/// One-argument functions: name, function, and the arguments they are defined for.
type Unary = (&'static str, fn(f64) -> f64, fn(f64) -> bool);

const UNARY: &[Unary] = &[
    ("adql_ceiling", f64::ceil, |_| true),
    ("adql_floor", f64::floor, |_| true),
    ("adql_exp", f64::exp, |_| true),
    ("adql_log", f64::ln, |x| x > 0.0),
    ("adql_log10", f64::log10, |x| x > 0.0),
    ("adql_sqrt", f64::sqrt, |x| x >= 0.0),
    ("adql_degrees", f64::to_degrees, |_| true),
    ("adql_radians", f64::to_radians, |_| true),
    ("adql_acos", f64::acos, |x| x.abs() <= 1.0),
    ("adql_asin", f64::asin, |x| x.abs() <= 1.0),
    ("adql_atan", f64::atan, |_| true),
    ("adql_cos", f64::cos, |_| true),
    ("adql_cot", |x| x.tan().recip(), |x| x.tan() != 0.0),
    ("adql_sin", f64::sin, |_| true),
    ("adql_tan", f64::tan, |_| true),
];

/// `x` to `digits` decimals by `cut`; digits beyond those of a double change nothing.
fn to_digits(x: f64, digits: f64, cut: fn(f64) -> f64) -> f64 {
    let scale = 10_f64.powf(digits.trunc().clamp(-400.0, 400.0));
    if scale.is_infinite() || (x * scale).is_infinite() {
        x
    } else if scale == 0.0 {
        0.0
    } else {
        cut(x * scale) / scale
    }
}

fn numbers(connection: &Connection) -> Result<()> {
    for (name, function, defined) in UNARY {
        strict(connection, name, 1, move |c| {
            let x = real(c, 0)?;
            if !defined(x) {
                let short = name.trim_start_matches("adql_").to_uppercase();
                return Err(format!("{short}({x}) is not defined"));
            }
            number(function(x))
        })?;
    }
    strict(connection, "adql_atan2", 2, |c| {
        number(real(c, 0)?.atan2(real(c, 1)?))
    })?;
    strict(connection, "adql_power", 2, |c| {
        let (x, y) = (real(c, 0)?, real(c, 1)?);
        let power = x.powf(y);
        if power.is_nan() || (x == 0.0 && y < 0.0) {
            return Err(format!("POWER({x}, {y}) is not defined"));
        }
        number(power)
    })?;
    strict(connection, "adql_mod", 2, |c| {
        if let (ValueRef::Integer(x), ValueRef::Integer(y)) = (c.get_raw(0), c.get_raw(1)) {
            return match y {
                0 => Err("MOD by 0 is not defined".to_owned()),
                // The one overflow, i64::MIN by -1, has the remainder 0.
                _ => Ok(Value::Integer(x.checked_rem(y).unwrap_or(0))),
            };
        }
        match real(c, 1)? {
            0.0 => Err("MOD by 0 is not defined".to_owned()),
            y => number(real(c, 0)? % y),
        }
    })?;
    strict(connection, "adql_round", 2, |c| {
        number(to_digits(real(c, 0)?, real(c, 1)?, f64::round))
    })?;
    strict(connection, "adql_truncate", 2, |c| {
        number(to_digits(real(c, 0)?, real(c, 1)?, f64::trunc))
    })?;
    strict(connection, "adql_xor", 2, |c| {
        match (c.get_raw(0), c.get_raw(1)) {
            (ValueRef::Integer(x), ValueRef::Integer(y)) => Ok(Value::Integer(x ^ y)),
            _ => Err("^ needs two whole numbers".to_owned()),
        }
    })?;
    strict(connection, "adql_in_unit", 3, |c| {
        number(units::convert(real(c, 0)?, string(c, 1)?, string(c, 2)?)?)
    })?;
    let state = std::sync::atomic::AtomicU64::new(0x9e37_79b9_7f4a_7c15);
    connection.create_scalar_function("adql_rand", 0, FunctionFlags::SQLITE_UTF8, move |_| {
        let seed = state.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(crate::sky::Random::new(seed, 3).unit())
    })
}

fn text(connection: &Connection) -> Result<()> {
    strict(connection, "adql_lower", 1, |c| {
        Ok(Value::Text(string(c, 0)?.to_lowercase()))
    })?;
    strict(connection, "adql_upper", 1, |c| {
        Ok(Value::Text(string(c, 0)?.to_uppercase()))
    })?;
    strict(connection, "adql_like", 2, |c| {
        Ok(Value::Integer(like(string(c, 0)?, string(c, 1)?).into()))
    })?;
    strict(connection, "adql_ilike", 2, |c| {
        let text = string(c, 0)?.to_lowercase();
        Ok(Value::Integer(
            like(&text, &string(c, 1)?.to_lowercase()).into(),
        ))
    })
}

/// `%` is any text, `_` one character. On a mismatch only the last `%` takes one more character,
/// so the time is at most the product of the lengths.
fn like(text: &str, pattern: &str) -> bool {
    let (mut text, mut pattern) = (text.chars(), pattern.chars());
    let mut last_any: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let before = (text.clone(), pattern.clone());
        match pattern.next() {
            Some('%') => {
                last_any = Some((before.0.clone(), pattern.clone()));
                text = before.0;
                continue;
            }
            Some(wanted)
                if text
                    .next()
                    .is_some_and(|found| wanted == '_' || wanted == found) =>
            {
                continue;
            }
            Some(_) => {}
            None if text.as_str().is_empty() => return true,
            None => {}
        }
        let Some((mut from, after)) = last_any.take() else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        (text, pattern) = (from.clone(), after.clone());
        last_any = Some((from, after));
    }
}

fn casts(connection: &Connection) -> Result<()> {
    strict(connection, "adql_to_integer", 2, |c| {
        let bits = real(c, 1)?;
        let out_of_range = |shown: &dyn std::fmt::Display| {
            format!("{shown} does not fit an integer of {bits} bits")
        };
        let value = match c.get_raw(0) {
            ValueRef::Integer(value) => value,
            ValueRef::Real(value) => whole(value).ok_or_else(|| out_of_range(&value))?,
            ValueRef::Text(_) => {
                let text = string(c, 0)?.trim();
                match text.parse::<i64>() {
                    Ok(value) => value,
                    Err(_) => {
                        let value: f64 =
                            text.parse().map_err(|_| format!("{text:?} is no number"))?;
                        whole(value).ok_or_else(|| out_of_range(&text))?
                    }
                }
            }
            _ => return Err("a number or text is expected here".to_owned()),
        };
        let fits = match bits {
            16.0 => i16::try_from(value).is_ok(),
            32.0 => i32::try_from(value).is_ok(),
            _ => true,
        };
        if fits {
            Ok(Value::Integer(value))
        } else {
            Err(out_of_range(&value))
        }
    })?;
    strict(connection, "adql_to_real", 2, |c| {
        let value = match c.get_raw(0) {
            ValueRef::Text(_) => {
                let text = string(c, 0)?.trim();
                text.parse().map_err(|_| format!("{text:?} is no number"))?
            }
            _ => real(c, 0)?,
        };
        #[expect(clippy::cast_possible_truncation, reason = "narrowing is the purpose")]
        let value = if real(c, 1)? == 32.0 {
            f64::from(value as f32)
        } else {
            value
        };
        number(value)
    })
}

/// Cut towards zero, if an `i64` holds it.
fn whole(value: f64) -> Option<i64> {
    let cut = value.trunc();
    // 2^63 itself is the first double that does not fit.
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&cut);
    #[expect(clippy::cast_possible_truncation, reason = "checked to fit")]
    fits.then_some(cut as i64)
}
