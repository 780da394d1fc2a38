//! Cones over an indexed declination.
//!
//! Points within `r` of each other differ by at most `r` in latitude, whatever their longitudes
//! and however near a pole: `dec BETWEEN lat - r AND lat + r` beside a cone changes no result (a
//! null on either side makes both unknown) and lets SQLite search the index instead of the table.
//! In a join the side with the index may be either or both; SQLite chooses.

use super::{
    Printer,
    expression::Context,
    function::{Position, standard_call},
};
use crate::{
    Error, Standard,
    ast::{Comparison, Condition, Expr, Literal},
};

/// By how much the band is wider than the cone, in degrees, so that rounding of a distance cannot
/// lose a row on its rim: some 4 microarcseconds.
const MARGIN_DEG: &str = "1e-9";

impl Printer<'_> {
    /// The band that the truth of `condition` implies, if it is a cone over an indexed column.
    pub(super) fn band(
        &mut self,
        condition: &Condition,
        context: Context<'_>,
    ) -> Result<Option<String>, Error> {
        let Some(cone) = cone(condition) else {
            return Ok(None);
        };
        let (a, b, radius) = match cone {
            Cone::Overlap(function, a, b) => {
                match self.point_in_circle(function, a, b, context)? {
                    Some((a, b, radius)) => (a, b, radius.sql),
                    None => return Ok(None),
                }
            }
            Cone::Distance(arguments, limit) => {
                let (a, b) = self.ends(arguments, context)?;
                (a, b, self.number(limit, context)?.sql)
            }
        };
        let bands: Vec<String> = [band(&a, &b, &radius), band(&b, &a, &radius)]
            .into_iter()
            .flatten()
            .collect();
        Ok((!bands.is_empty()).then(|| bands.join(" AND ")))
    }
}

/// A condition that holds only for positions within a radius of each other.
enum Cone<'a> {
    /// `CONTAINS(a, b) = 1`, `INTERSECTS(a, b) = 1`
    Overlap(Standard, &'a Expr, &'a Expr),
    /// `DISTANCE(...) < limit` and the like.
    Distance(&'a [Expr], &'a Expr),
}

fn cone(condition: &Condition) -> Option<Cone<'_>> {
    match condition {
        Condition::Comparison {
            left,
            operator,
            right,
            ..
        } => compared(left, *operator, right).or_else(|| compared(right, operator.flipped(), left)),
        Condition::Between {
            value,
            negated: false,
            high,
            ..
        } => compared(value, Comparison::LessOrEqual, high),
        _ => None,
    }
}

fn compared<'a>(call: &'a Expr, operator: Comparison, other: &'a Expr) -> Option<Cone<'a>> {
    let (function, call) = standard_call(call)?;
    match (function, call.arguments.as_slice()) {
        (Standard::Contains | Standard::Intersects, [a, b])
            if operator == Comparison::Equal && is_one(other) =>
        {
            Some(Cone::Overlap(function, a, b))
        }
        (Standard::Distance, arguments)
            if matches!(
                operator,
                Comparison::Less | Comparison::LessOrEqual | Comparison::Equal
            ) =>
        {
            Some(Cone::Distance(arguments, other))
        }
        _ => None,
    }
}

fn is_one(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Number { text, .. }) => text == "1",
        Expr::Literal(Literal::Boolean { value, .. }) => *value,
        _ => false,
    }
}

fn band(indexed: &Position, other: &Position, radius: &str) -> Option<String> {
    if !indexed.lat.is_band() {
        return None;
    }
    let (column, lat) = (&indexed.lat.sql, &other.lat.sql);
    Some(format!(
        "{column} BETWEEN {lat} - {radius} - {MARGIN_DEG} AND {lat} + {radius} + {MARGIN_DEG}"
    ))
}
