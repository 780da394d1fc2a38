//! Points, circles and polygons on the sphere (ADQL 2.1 section 4.2). Edges are great circles, all
//! angles degrees, boundaries belong to the geometry.

use std::{f64::consts::PI, fmt, str::FromStr};

/// Two positions nearer than this (0.2 microarcseconds) are the same: what rounding may move them.
const EPSILON_RAD: f64 = 1e-12;

/// A geometry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Geometry {
    Point(Position),
    Circle {
        centre: Position,
        radius_deg: f64,
    },
    /// At least three vertices, all within 90 degrees of their middle.
    Polygon(Vec<Position>),
}

/// A direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Position {
    lon_deg: f64,
    lat_deg: f64,
    unit: Vector,
}

type Vector = [f64; 3];

impl Position {
    /// The longitude is taken modulo 360; a latitude outside [-90, 90] is an error.
    pub(crate) fn new(lon_deg: f64, lat_deg: f64) -> Result<Self, String> {
        if !lon_deg.is_finite() {
            return Err(format!("the longitude {lon_deg} is not finite"));
        }
        if !(-90.0..=90.0).contains(&lat_deg) {
            return Err(format!("the latitude {lat_deg} is not within -90..90"));
        }
        let (sin_lon, cos_lon) = lon_deg.to_radians().sin_cos();
        let (sin_lat, cos_lat) = lat_deg.to_radians().sin_cos();
        let wrapped = lon_deg.rem_euclid(360.0);
        Ok(Self {
            // -1e-20 wraps to 360.0 itself.
            lon_deg: if wrapped >= 360.0 { 0.0 } else { wrapped },
            lat_deg,
            unit: [cos_lat * cos_lon, cos_lat * sin_lon, sin_lat],
        })
    }

    pub(crate) fn lon_deg(&self) -> f64 {
        self.lon_deg
    }

    pub(crate) fn lat_deg(&self) -> f64 {
        self.lat_deg
    }
}

/// Great-circle distance in degrees; precise for small and for large distances.
pub(crate) fn distance_deg(lon1: f64, lat1: f64, lon2: f64, lat2: f64) -> f64 {
    let (phi1, phi2) = (lat1.to_radians(), lat2.to_radians());
    let half_lat = ((phi2 - phi1) / 2.0).sin();
    let half_lon = ((lon2 - lon1).to_radians() / 2.0).sin();
    let square = half_lat * half_lat + phi1.cos() * phi2.cos() * half_lon * half_lon;
    if square < 0.99 {
        2.0 * square.sqrt().asin().to_degrees()
    } else {
        // Near the antipode the haversine loses half its digits: measure from there.
        let half_lat = f64::midpoint(phi1, phi2).sin();
        let half_lon = ((lon2 - lon1).to_radians() / 2.0).cos();
        let rest = half_lat * half_lat + phi1.cos() * phi2.cos() * half_lon * half_lon;
        180.0 - 2.0 * rest.sqrt().min(1.0).asin().to_degrees()
    }
}

fn dot(a: Vector, b: Vector) -> f64 {
    let [ax, ay, az] = a;
    let [bx, by, bz] = b;
    ax * bx + ay * by + az * bz
}

fn cross(a: Vector, b: Vector) -> Vector {
    let [ax, ay, az] = a;
    let [bx, by, bz] = b;
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn add(a: Vector, b: Vector, factor: f64) -> Vector {
    let [ax, ay, az] = a;
    let [bx, by, bz] = b;
    [ax + factor * bx, ay + factor * by, az + factor * bz]
}

fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

fn angle(a: Vector, b: Vector) -> f64 {
    norm(cross(a, b)).atan2(dot(a, b))
}

fn position_of(vector: Vector) -> Result<Position, String> {
    let [x, y, z] = vector;
    Position::new(y.atan2(x).to_degrees(), z.atan2(x.hypot(y)).to_degrees())
}

/// The angle between `point` and the arc from `a` to `b`.
fn angle_to_arc(point: Vector, a: Vector, b: Vector) -> f64 {
    let normal = cross(a, b);
    let size = norm(normal);
    let ends = angle(point, a).min(angle(point, b));
    if size < EPSILON_RAD {
        return ends;
    }
    // The foot lies on the arc when the point is between the planes through its ends.
    let between = dot(cross(normal, a), point) >= 0.0 && dot(cross(b, normal), point) >= 0.0;
    if between {
        (dot(normal, point) / size).clamp(-1.0, 1.0).asin().abs()
    } else {
        ends
    }
}

/// Whether two arcs cross or touch.
fn arcs_meet(a: Vector, b: Vector, c: Vector, d: Vector) -> bool {
    if [c, d]
        .iter()
        .any(|end| angle_to_arc(*end, a, b) <= EPSILON_RAD)
        || [a, b]
            .iter()
            .any(|end| angle_to_arc(*end, c, d) <= EPSILON_RAD)
    {
        return true;
    }
    let (first, second) = (cross(a, b), cross(c, d));
    let line = cross(first, second);
    let side = |normal: Vector, from: Vector, to: Vector| {
        (dot(cross(normal, from), line), dot(cross(to, normal), line))
    };
    let (s1, s2) = side(first, a, b);
    let (s3, s4) = side(second, c, d);
    let all = [s1, s2, s3, s4];
    all.iter().all(|s| *s > 0.0) || all.iter().all(|s| *s < 0.0)
}

fn edges(vertices: &[Position]) -> impl Iterator<Item = (Vector, Vector)> + Clone {
    vertices
        .iter()
        .zip(vertices.iter().cycle().skip(1))
        .map(|(from, to)| (from.unit, to.unit))
}

/// The middle of the vertices as a unit vector, if they have one.
fn middle(vertices: &[Position]) -> Option<Vector> {
    let sum = vertices
        .iter()
        .fold([0.0; 3], |sum, vertex| add(sum, vertex.unit, 1.0));
    let size = norm(sum);
    (size > EPSILON_RAD).then(|| add([0.0; 3], sum, 1.0 / size))
}

/// Whether `point` is in the polygon or on its edge. In the gnomonic projection about the middle
/// great circles are straight, so this is the crossing count of a plane polygon.
fn in_polygon(point: Vector, vertices: &[Position]) -> bool {
    if edges(vertices).any(|(from, to)| angle_to_arc(point, from, to) <= EPSILON_RAD) {
        return true;
    }
    let Some(centre) = middle(vertices) else {
        return false;
    };
    if dot(point, centre) <= 0.0 {
        return false;
    }
    let [x, y, z] = centre;
    // Any direction across: the axis that the centre is least along.
    let axis = if x.abs() <= y.abs() && x.abs() <= z.abs() {
        [1.0, 0.0, 0.0]
    } else if y.abs() <= z.abs() {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let east = cross(axis, centre);
    let north = cross(centre, east);
    let project = |vector: Vector| {
        let depth = dot(vector, centre);
        (dot(vector, east) / depth, dot(vector, north) / depth)
    };
    let (px, py) = project(point);
    let mut inside = false;
    for (from, to) in edges(vertices) {
        let ((x1, y1), (x2, y2)) = (project(from), project(to));
        if (y1 > py) != (y2 > py) && px < (x2 - x1) * (py - y1) / (y2 - y1) + x1 {
            inside = !inside;
        }
    }
    inside
}

impl Geometry {
    pub(crate) fn circle(centre: Position, radius_deg: f64) -> Result<Self, String> {
        if (0.0..=180.0).contains(&radius_deg) {
            Ok(Self::Circle { centre, radius_deg })
        } else {
            Err(format!("the radius {radius_deg} is not within 0..180"))
        }
    }

    pub(crate) fn polygon(vertices: Vec<Position>) -> Result<Self, String> {
        if vertices.len() < 3 {
            return Err("a polygon needs three vertices or more".to_owned());
        }
        let near = |centre: Vector| {
            vertices
                .iter()
                .all(|vertex| dot(vertex.unit, centre) > 1e-9)
        };
        if middle(&vertices).is_some_and(near) {
            Ok(Self::Polygon(vertices))
        } else {
            Err("a polygon must be smaller than half the sky".to_owned())
        }
    }

    /// ADQL 2.1 section 4.2.9: a box is the polygon of the four corners half the width and half the
    /// height from the centre, in the coordinates themselves.
    pub(crate) fn boxed(centre: Position, width: f64, height: f64) -> Result<Self, String> {
        if !(0.0..=360.0).contains(&width) || !(0.0..=180.0).contains(&height) {
            return Err(format!("a box cannot be {width} by {height} degrees"));
        }
        let (x, y) = (width / 2.0, height / 2.0);
        let corners = [(-x, y), (-x, -y), (x, -y), (x, y)];
        let vertices = corners
            .iter()
            .map(|(dx, dy)| Position::new(centre.lon_deg + dx, centre.lat_deg + dy))
            .collect::<Result<_, _>>()?;
        Self::polygon(vertices)
    }

    /// Whether `self` lies in `other`.
    pub(crate) fn within(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Point(point), Self::Circle { centre, radius_deg }) => {
                distance_deg(point.lon_deg, point.lat_deg, centre.lon_deg, centre.lat_deg)
                    <= *radius_deg
            }
            (Self::Point(point), Self::Polygon(vertices)) => in_polygon(point.unit, vertices),
            (Self::Point(point), Self::Point(other)) => {
                angle(point.unit, other.unit) <= EPSILON_RAD
            }
            (
                Self::Circle { centre, radius_deg },
                Self::Circle {
                    centre: c,
                    radius_deg: r,
                },
            ) => {
                let apart = angle(centre.unit, c.unit).to_degrees();
                apart + radius_deg <= *r + EPSILON_RAD || *r >= 180.0
            }
            (Self::Circle { centre, radius_deg }, Self::Polygon(vertices)) => {
                let radius = radius_deg.to_radians() - EPSILON_RAD;
                in_polygon(centre.unit, vertices)
                    && edges(vertices)
                        .all(|(from, to)| angle_to_arc(centre.unit, from, to) >= radius)
            }
            (Self::Polygon(vertices), Self::Circle { centre, radius_deg }) => {
                let radius = radius_deg.to_radians() + EPSILON_RAD;
                let inside = vertices
                    .iter()
                    .all(|vertex| angle(vertex.unit, centre.unit) <= radius);
                // A circle beyond a hemisphere bulges the other way: what it leaves out is a circle
                // too, and must not meet the polygon.
                inside
                    && (*radius_deg <= 90.0
                        || !complement(centre, *radius_deg)
                            .is_some_and(|rest| rest.intersects(self)))
            }
            (Self::Polygon(inner), Self::Polygon(outer)) => {
                inner.iter().all(|vertex| in_polygon(vertex.unit, outer))
                    && !edges(inner).any(|(a, b)| {
                        let sum = add(a, b, 1.0);
                        let halfway = add([0.0; 3], sum, 1.0 / norm(sum));
                        !in_polygon(halfway, outer)
                            || edges(outer).any(|(c, d)| cross_inside(a, b, c, d))
                    })
            }
            (Self::Circle { centre, radius_deg }, Self::Point(_)) => {
                *radius_deg == 0.0 && Self::Point(*centre).within(other)
            }
            (Self::Polygon(vertices), Self::Point(_)) => vertices
                .iter()
                .all(|vertex| Self::Point(*vertex).within(other)),
        }
    }

    /// Whether the two have a point in common.
    pub(crate) fn intersects(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Point(_), _) => self.within(other),
            (_, Self::Point(_)) => other.within(self),
            (
                Self::Circle { centre, radius_deg },
                Self::Circle {
                    centre: c,
                    radius_deg: r,
                },
            ) => angle(centre.unit, c.unit) <= (radius_deg + r).to_radians() + EPSILON_RAD,
            (Self::Circle { centre, radius_deg }, Self::Polygon(vertices))
            | (Self::Polygon(vertices), Self::Circle { centre, radius_deg }) => {
                let radius = radius_deg.to_radians() + EPSILON_RAD;
                in_polygon(centre.unit, vertices)
                    || edges(vertices)
                        .any(|(from, to)| angle_to_arc(centre.unit, from, to) <= radius)
            }
            (Self::Polygon(first), Self::Polygon(second)) => {
                first.iter().any(|vertex| in_polygon(vertex.unit, second))
                    || second.iter().any(|vertex| in_polygon(vertex.unit, first))
                    || edges(first).any(|(a, b)| edges(second).any(|(c, d)| arcs_meet(a, b, c, d)))
            }
        }
    }

    /// In square degrees.
    pub(crate) fn area_deg2(&self) -> f64 {
        let steradian = match self {
            Self::Point(_) => 0.0,
            // 2 pi (1 - cos r), without the cancellation.
            Self::Circle { radius_deg, .. } => {
                4.0 * PI * (radius_deg.to_radians() / 2.0).sin().powi(2)
            }
            Self::Polygon(vertices) => {
                let centre = middle(vertices).unwrap_or([0.0, 0.0, 1.0]);
                edges(vertices)
                    .map(|(a, b)| {
                        let volume = dot(centre, cross(a, b));
                        2.0 * volume.atan2(1.0 + dot(centre, a) + dot(centre, b) + dot(a, b))
                    })
                    .sum::<f64>()
                    .abs()
            }
        };
        steradian * (180.0 / PI).powi(2)
    }

    /// The centre of area.
    pub(crate) fn centroid(&self) -> Result<Position, String> {
        match self {
            Self::Point(position)
            | Self::Circle {
                centre: position, ..
            } => Ok(*position),
            Self::Polygon(vertices) => {
                // The integral of the normal over a spherical polygon is half the sum over its
                // edges of angle times edge normal (Brock 1975).
                let sum = edges(vertices).fold([0.0; 3], |sum, (a, b)| {
                    let normal = cross(a, b);
                    let size = norm(normal);
                    if size < EPSILON_RAD {
                        sum
                    } else {
                        add(sum, normal, angle(a, b) / size)
                    }
                });
                let centre = middle(vertices).unwrap_or([0.0, 0.0, 1.0]);
                if norm(sum) < EPSILON_RAD {
                    return position_of(centre);
                }
                let sign = if dot(sum, centre) < 0.0 { -1.0 } else { 1.0 };
                position_of(add([0.0; 3], sum, sign))
            }
        }
    }
}

/// What a circle beyond a hemisphere leaves out, its boundary excluded.
fn complement(centre: &Position, radius_deg: f64) -> Option<Geometry> {
    let opposite = Position::new(centre.lon_deg + 180.0, -centre.lat_deg).ok()?;
    let radius_deg = 180.0 - radius_deg - 2.0 * EPSILON_RAD.to_degrees();
    (radius_deg > 0.0).then_some(Geometry::Circle {
        centre: opposite,
        radius_deg,
    })
}

/// Whether two arcs cross at a point inside both.
fn cross_inside(a: Vector, b: Vector, c: Vector, d: Vector) -> bool {
    let touches = [c, d]
        .iter()
        .any(|end| angle_to_arc(*end, a, b) <= EPSILON_RAD)
        || [a, b]
            .iter()
            .any(|end| angle_to_arc(*end, c, d) <= EPSILON_RAD);
    !touches && arcs_meet(a, b, c, d)
}

impl fmt::Display for Geometry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(point) => {
                write!(formatter, "POINT ICRS {} {}", point.lon_deg, point.lat_deg)
            }
            Self::Circle { centre, radius_deg } => write!(
                formatter,
                "CIRCLE ICRS {} {} {radius_deg}",
                centre.lon_deg, centre.lat_deg
            ),
            Self::Polygon(vertices) => {
                formatter.write_str("POLYGON ICRS")?;
                vertices
                    .iter()
                    .try_for_each(|v| write!(formatter, " {} {}", v.lon_deg, v.lat_deg))
            }
        }
    }
}

/// Words of STC-S that may stand between the shape and its numbers (TAP 1.0 section 6).
const FRAMES: &[&str] = &[
    "ICRS",
    "FK5",
    "J2000",
    "GEOCENTER",
    "BARYCENTER",
    "TOPOCENTER",
    "HELIOCENTER",
    "LSR",
    "UNKNOWNFRAME",
    "UNKNOWNREFPOS",
    "SPHERICAL2",
    "CARTESIAN2",
];

impl FromStr for Geometry {
    type Err = String;

    /// From STC-S as far as TAP uses it: one shape, in ICRS. Other frames are errors, not guesses.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace().peekable();
        let shape = words.next().unwrap_or_default().to_ascii_uppercase();
        while let Some(word) = words.peek() {
            if word.parse::<f64>().is_ok() {
                break;
            }
            if !FRAMES.iter().any(|frame| frame.eq_ignore_ascii_case(word)) {
                return Err(format!("{word:?} is not supported in a region"));
            }
            words.next();
        }
        let numbers = words
            .map(|word| {
                word.parse::<f64>()
                    .map_err(|_| format!("{word:?} is no number"))
            })
            .collect::<Result<Vec<_>, _>>()?;
        match (shape.as_str(), numbers.as_slice()) {
            ("POINT" | "POSITION", [lon, lat]) => Ok(Self::Point(Position::new(*lon, *lat)?)),
            ("CIRCLE", [lon, lat, radius]) => Self::circle(Position::new(*lon, *lat)?, *radius),
            ("BOX", [lon, lat, width, height]) => {
                Self::boxed(Position::new(*lon, *lat)?, *width, *height)
            }
            ("POLYGON", numbers) if numbers.len() % 2 == 0 => Self::polygon(
                numbers
                    .as_chunks::<2>()
                    .0
                    .iter()
                    .map(|[lon, lat]| Position::new(*lon, *lat))
                    .collect::<Result<_, _>>()?,
            ),
            _ => Err(format!(
                "{:?} is no region: POSITION, CIRCLE, BOX or POLYGON with its numbers is expected",
                text.chars().take(60).collect::<String>()
            )),
        }
    }
}

#[cfg(test)]
#[path = "geometry_tests.rs"]
mod tests;
