//! Calls of the standard's functions and of the service's own.

use super::{
    Printer,
    expression::{Context, wider},
    schema::Kind,
    scope::{Value, string_literal},
};
use crate::{
    Error, Function, Standard,
    ast::{Call, Expr, Identifier, Literal, Sign, StringLiteral},
    nearest::nearest,
};

/// The rim belongs to a circle (ADQL 2.1, "CONTAINS"), and rounding must not put a point on it outside:
/// 0.4 microarcseconds.
const RIM_DEG: &str = "1e-10";

/// A position as two numbers in SQL.
#[derive(Debug)]
pub(super) struct Position {
    pub(super) lon: Value,
    pub(super) lat: Value,
}

impl Printer<'_> {
    pub(super) fn call(&mut self, call: &Call, context: Context<'_>) -> Result<Value, Error> {
        match &call.function {
            Function::User(name) => self.user_defined(name, call, context),
            Function::Standard(function) => self.standard(*function, call, context),
        }
    }

    fn user_defined(
        &mut self,
        name: &Identifier,
        call: &Call,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        let schema = self.schema;
        let Some(function) = schema
            .functions
            .iter()
            .find(|function| name.means(&function.name))
        else {
            let message = format!("there is no function `{}`", name.text);
            let error = self.error(name.span, message);
            let own = schema
                .functions
                .iter()
                .map(|function| function.name.as_str());
            let standard = Standard::ALL.iter().map(|function| function.name());
            return Err(match nearest(&name.text, own.chain(standard)) {
                Some(meant) => error.with_hint(format!("did you mean {meant}?")),
                None => error,
            });
        };
        let (min, max) = function.arguments;
        if !(min..=max).contains(&call.arguments.len()) {
            let takes = if min == max {
                min.to_string()
            } else {
                format!("{min} to {max}")
            };
            let found = call.arguments.len();
            let message = format!("{} takes {takes} arguments, found {found}", function.name);
            return Err(self.error(call.span, message));
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.expr(argument, context)?.sql);
        }
        let sql = format!("{}({})", function.sql_name, arguments.join(", "));
        Ok(Value::computed(sql, function.kind))
    }

    fn standard(
        &mut self,
        function: Standard,
        call: &Call,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        if let Some(system) = &call.coordinate_system {
            self.icrs(system)?;
        }
        let arguments = call.arguments.as_slice();
        match (function, arguments) {
            (Standard::Pi, _) => Ok(Value::computed("3.141592653589793", Kind::Double)),
            // The argument has no defined meaning (ADQL 2.1, "Mathematical functions").
            (Standard::Rand, _) => Ok(Value::computed("adql_rand()", Kind::Double)),
            (Standard::Abs, [x]) => {
                let value = self.number(x, context)?;
                Ok(Value::computed(format!("abs({})", value.sql), value.kind))
            }
            (Standard::Round | Standard::Truncate, [x]) => {
                let value = self.number(x, context)?;
                let sql = format!("{}({}, 0)", sql_name(function), value.sql);
                Ok(Value::computed(sql, Kind::Double))
            }
            (Standard::Lower | Standard::Upper, [text]) => {
                let value = self.expr(text, context)?;
                Ok(Value::computed(
                    format!("{}({})", sql_name(function), value.sql),
                    Kind::Text,
                ))
            }
            (Standard::Coalesce, arguments) => self.coalesce(arguments, context),
            (Standard::InUnit, [value, Expr::Literal(Literal::String(unit))]) => {
                self.in_unit(value, unit, context)
            }
            (
                Standard::Area
                | Standard::Box
                | Standard::Centroid
                | Standard::Circle
                | Standard::Contains
                | Standard::Coord1
                | Standard::Coord2
                | Standard::Coordsys
                | Standard::Distance
                | Standard::Intersects
                | Standard::Point
                | Standard::Polygon
                | Standard::Region,
                arguments,
            ) => self.geometry(function, arguments, call, context),
            (_, arguments) => {
                let numbers = self.numbers(arguments, context)?;
                let sql = format!("{}({})", sql_name(function), numbers.join(", "));
                Ok(Value::computed(sql, Kind::Double))
            }
        }
    }

    fn numbers(&mut self, exprs: &[Expr], context: Context<'_>) -> Result<Vec<String>, Error> {
        let mut printed = Vec::with_capacity(exprs.len());
        for expr in exprs {
            printed.push(self.number(expr, context)?.sql);
        }
        Ok(printed)
    }

    fn coalesce(&mut self, arguments: &[Expr], context: Context<'_>) -> Result<Value, Error> {
        let mut printed = Vec::with_capacity(arguments.len() + 1);
        let mut kind = None;
        for argument in arguments {
            let value = self.expr(argument, context)?;
            kind = wider(kind, value.kind);
            printed.push(value.sql);
        }
        if printed.len() == 1 {
            // SQLite wants two.
            printed.push("NULL".to_owned());
        }
        Ok(Value::computed(
            format!("coalesce({})", printed.join(", ")),
            kind,
        ))
    }

    /// ADQL 2.1, "IN_UNIT": the unit of the value has to be known.
    fn in_unit(
        &mut self,
        expr: &Expr,
        unit: &StringLiteral,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        let value = self.number(expr, context)?;
        let from = value.origin.as_ref().and_then(|origin| origin.unit.clone());
        let Some(from) = from else {
            return Err(self
                .error(expr.span(), "the unit of this value is not known")
                .with_hint("IN_UNIT converts columns that have a unit"));
        };
        let sql = format!(
            "adql_in_unit({}, {}, {})",
            value.sql,
            string_literal(&from),
            string_literal(&unit.value)
        );
        Ok(Value::computed(sql, Kind::Double))
    }

    /// ADQL 2.1, "Coordsys", lets services ignore the coordinate system. One that is not ICRS, or so near
    /// to it as FK5, is refused instead: other positions than those meant would come back.
    fn icrs(&self, system: &StringLiteral) -> Result<(), Error> {
        let frame = system.value.split_whitespace().next().unwrap_or_default();
        let known = ["", "ICRS", "FK5", "J2000", "UNKNOWNFRAME"];
        if known.iter().any(|name| name.eq_ignore_ascii_case(frame)) {
            return Ok(());
        }
        let message = format!("the coordinate system '{}' is not known here", system.value);
        Err(self
            .error(system.span, message)
            .with_hint("all positions are ICRS"))
    }

    fn geometry(
        &mut self,
        function: Standard,
        arguments: &[Expr],
        call: &Call,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        let computed = |sql: String, kind: Kind| Ok(Value::computed(sql, kind));
        match (function, arguments) {
            (Standard::Point, [lon, lat]) => {
                let Position { lon, lat } = self.coordinates(lon, lat, context)?;
                computed(format!("adql_point({}, {})", lon.sql, lat.sql), Kind::Point)
            }
            (Standard::Circle, [centre @ .., radius]) => {
                let Position { lon, lat } = self.centre(centre, context)?;
                let radius = self.size(radius, context)?;
                let sql = format!("adql_circle({}, {}, {})", lon.sql, lat.sql, radius.sql);
                computed(sql, Kind::Circle)
            }
            (Standard::Box, [centre @ .., width, height]) => {
                let Position { lon, lat } = self.centre(centre, context)?;
                let (width, height) = (self.size(width, context)?, self.size(height, context)?);
                let sql = format!(
                    "adql_box({}, {}, {}, {})",
                    lon.sql, lat.sql, width.sql, height.sql
                );
                computed(sql, Kind::Polygon)
            }
            (Standard::Polygon, vertices) => self.polygon(vertices, call, context),
            (Standard::Region, [text]) => {
                let text = self.expr(text, context)?;
                computed(format!("adql_region({})", text.sql), Kind::Region)
            }
            (Standard::Contains | Standard::Intersects, [a, b]) => {
                self.overlap(function, a, b, context)
            }
            (Standard::Distance, arguments) => {
                let (a, b) = self.ends(arguments, context)?;
                computed(distance(&a, &b), Kind::Double)
            }
            (Standard::Coord1, [point]) => Ok(Value::computed(
                self.position(point, context)?.lon.sql,
                Kind::Double,
            )),
            (Standard::Coord2, [point]) => Ok(Value::computed(
                self.position(point, context)?.lat.sql,
                Kind::Double,
            )),
            (_, arguments) => {
                let mut printed = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    printed.push(self.region(argument, context)?);
                }
                let kind = match function {
                    Standard::Centroid => Kind::Point,
                    Standard::Coordsys => Kind::Text,
                    _ => Kind::Double,
                };
                computed(
                    format!("{}({})", sql_name(function), printed.join(", ")),
                    kind,
                )
            }
        }
    }

    /// `CONTAINS` and `INTERSECTS`. A point in a circle is a matter of distance alone.
    fn overlap(
        &mut self,
        function: Standard,
        a: &Expr,
        b: &Expr,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        if let Some((point, centre, radius)) = self.point_in_circle(function, a, b, context)? {
            let distance = distance(&point, &centre);
            let sql = format!("({distance} <= {} + {RIM_DEG})", radius.sql);
            return Ok(Value::computed(sql, Kind::Integer));
        }
        let (a, b) = (self.region(a, context)?, self.region(b, context)?);
        Ok(Value::computed(
            format!("{}({a}, {b})", sql_name(function)),
            Kind::Integer,
        ))
    }

    /// The point, centre and radius, when the call asks whether a point lies in a circle.
    pub(super) fn point_in_circle(
        &mut self,
        function: Standard,
        a: &Expr,
        b: &Expr,
        context: Context<'_>,
    ) -> Result<Option<(Position, Position, Value)>, Error> {
        let (point, circle) = match (standard_call(a), standard_call(b)) {
            (Some((Standard::Point, _)), Some((Standard::Circle, circle))) => (a, circle),
            // ADQL 2.1, "INTERSECTS": a point beside INTERSECTS means CONTAINS, either way round.
            (Some((Standard::Circle, circle)), Some((Standard::Point, _)))
                if function == Standard::Intersects =>
            {
                (b, circle)
            }
            _ => return Ok(None),
        };
        if let Some(system) = &circle.coordinate_system {
            self.icrs(system)?;
        }
        let [centre @ .., radius] = circle.arguments.as_slice() else {
            return Ok(None);
        };
        let point = self.position(point, context)?;
        let centre = self.centre(centre, context)?;
        let radius = self.size(radius, context)?;
        Ok(Some((point, centre, radius)))
    }

    fn polygon(
        &mut self,
        vertices: &[Expr],
        call: &Call,
        context: Context<'_>,
    ) -> Result<Value, Error> {
        let mut values = Vec::with_capacity(vertices.len());
        for vertex in vertices {
            values.push(self.expr(vertex, context)?);
        }
        let points = values
            .iter()
            .filter(|value| value.kind.is_some_and(Kind::is_geometry))
            .count();
        let mut printed = Vec::with_capacity(2 * vertices.len());
        if points == vertices.len() {
            for vertex in vertices {
                let Position { lon, lat } = self.position(vertex, context)?;
                printed.extend([lon.sql, lat.sql]);
            }
        } else if points == 0 && vertices.len() >= 6 && vertices.len().is_multiple_of(2) {
            for pair in vertices.chunks(2) {
                if let [lon, lat] = pair {
                    let Position { lon, lat } = self.coordinates(lon, lat, context)?;
                    printed.extend([lon.sql, lat.sql]);
                }
            }
        } else {
            return Err(self
                .error(
                    call.span,
                    "the vertices of a polygon are all points, or all pairs of numbers",
                )
                .with_hint("write POLYGON(lon1, lat1, lon2, lat2, lon3, lat3, ...)"));
        }
        Ok(Value::computed(
            format!("adql_polygon({})", printed.join(", ")),
            Kind::Polygon,
        ))
    }

    /// A geometry: not a number, and text only where a column holds the text of one.
    fn region(&mut self, expr: &Expr, context: Context<'_>) -> Result<String, Error> {
        let value = self.expr(expr, context)?;
        match value.kind {
            Some(kind) if kind.is_number() || kind == Kind::Boolean => Err(self
                .error(expr.span(), "found a number, expected a geometry")
                .with_hint("two numbers make a point: POINT(lon, lat)")),
            _ => Ok(value.sql),
        }
    }

    /// The centre of `CIRCLE` or `BOX`: a point, or two numbers.
    fn centre(&mut self, centre: &[Expr], context: Context<'_>) -> Result<Position, Error> {
        match centre {
            [lon, lat] => self.coordinates(lon, lat, context),
            [point] => self.position(point, context),
            _ => Err(self.error(
                centre.first().map_or_else(Default::default, Expr::span),
                "a centre is a point or two numbers",
            )),
        }
    }

    /// The two ends of `DISTANCE`.
    pub(super) fn ends(
        &mut self,
        arguments: &[Expr],
        context: Context<'_>,
    ) -> Result<(Position, Position), Error> {
        match arguments {
            [a, b] => Ok((self.position(a, context)?, self.position(b, context)?)),
            [lon1, lat1, lon2, lat2] => Ok((
                self.coordinates(lon1, lat1, context)?,
                self.coordinates(lon2, lat2, context)?,
            )),
            _ => Err(self.error(
                arguments.first().map_or_else(Default::default, Expr::span),
                "DISTANCE takes 2 points or 4 numbers",
            )),
        }
    }

    /// The coordinates of a point, without making the point where its coordinates stand there.
    fn position(&mut self, expr: &Expr, context: Context<'_>) -> Result<Position, Error> {
        if let Some((Standard::Point, call)) = standard_call(expr)
            && let [lon, lat] = call.arguments.as_slice()
        {
            if let Some(system) = &call.coordinate_system {
                self.icrs(system)?;
            }
            return self.coordinates(lon, lat, context);
        }
        let point = self.region(expr, context)?;
        Ok(Position {
            lon: Value::computed(format!("adql_coord1({point})"), Kind::Double),
            lat: Value::computed(format!("adql_coord2({point})"), Kind::Double),
        })
    }

    fn coordinates(
        &mut self,
        lon: &Expr,
        lat: &Expr,
        context: Context<'_>,
    ) -> Result<Position, Error> {
        if let Some(degrees) = constant(lat)
            && degrees.abs() > 90.0
        {
            let message = format!("a latitude of {degrees} is outside [-90, 90]");
            let error = self.error(lat.span(), message);
            let swapped = constant(lon).is_some_and(|lon| lon.abs() <= 90.0);
            return Err(if swapped {
                error.with_hint("longitude (right ascension) comes first")
            } else {
                error.with_hint("positions are in degrees")
            });
        }
        Ok(Position {
            lon: self.number(lon, context)?,
            lat: self.number(lat, context)?,
        })
    }

    /// A radius, width or height.
    fn size(&mut self, expr: &Expr, context: Context<'_>) -> Result<Value, Error> {
        if let Some(degrees) = constant(expr)
            && degrees < 0.0
        {
            return Err(self.error(expr.span(), format!("a size of {degrees} is negative")));
        }
        self.number(expr, context)
    }
}

fn sql_name(function: Standard) -> String {
    format!("adql_{}", function.name().to_ascii_lowercase())
}

fn distance(a: &Position, b: &Position) -> String {
    format!(
        "adql_distance({}, {}, {}, {})",
        a.lon.sql, a.lat.sql, b.lon.sql, b.lat.sql
    )
}

/// The standard function that the expression calls.
pub(super) fn standard_call(expr: &Expr) -> Option<(Standard, &Call)> {
    match expr {
        Expr::Call(call) => match call.function {
            Function::Standard(function) => Some((function, call)),
            Function::User(_) => None,
        },
        _ => None,
    }
}

/// The value of a number that stands in the query.
fn constant(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Literal(Literal::Number { text, .. }) => text.parse().ok(),
        Expr::Unary {
            operator: Sign::Minus,
            operand,
            ..
        } => constant(operand).map(|value| -value),
        Expr::Unary {
            operator: Sign::Plus,
            operand,
            ..
        } => constant(operand),
        _ => None,
    }
}
