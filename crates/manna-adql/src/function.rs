//! The functions of the standard: names, number of arguments, what they give.

use crate::ast::Identifier;

/// What a function gives, as far as the grammar tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// A number.
    Number,
    /// Text.
    Text,
    /// A position.
    Point,
    /// Another geometry.
    Region,
    /// Not known from the grammar.
    Anything,
}

/// A function that can be called: one of ADQL 2.1 or one of the service's own.
#[derive(Debug, Clone, PartialEq)]
pub enum Function {
    /// One of the standard.
    Standard(Standard),
    /// `<user_defined_function>`: what it means is the service's to say.
    User(Identifier),
}

impl Function {
    /// The name: as the standard writes it, or as the query does.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Standard(function) => function.name(),
            Self::User(name) => &name.text,
        }
    }
}

macro_rules! standard_functions {
    ($($variant:ident $name:literal $min:literal..=$max:expr, $gives:ident, $doc:literal;)*) => {
        /// The functions of ADQL 2.1; aggregates and `CAST` are not among them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Standard {
            $(#[doc = $doc] $variant,)*
        }

        impl Standard {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// As the standard writes it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The least and the largest number of arguments, without the coordinate system.
            #[must_use]
            pub fn arguments(self) -> (usize, usize) {
                match self { $(Self::$variant => ($min, $max),)* }
            }

            /// What it gives.
            #[must_use]
            pub fn gives(self) -> Gives {
                match self { $(Self::$variant => Gives::$gives,)* }
            }
        }
    };
}

standard_functions! {
    Abs "ABS" 1..=1, Number, "The absolute value.";
    Ceiling "CEILING" 1..=1, Number, "The smallest whole number not below.";
    Degrees "DEGREES" 1..=1, Number, "Radians to degrees.";
    Exp "EXP" 1..=1, Number, "The exponential.";
    Floor "FLOOR" 1..=1, Number, "The largest whole number not above.";
    Log "LOG" 1..=1, Number, "The natural logarithm.";
    Log10 "LOG10" 1..=1, Number, "The logarithm to base 10.";
    Mod "MOD" 2..=2, Number, "The remainder, with the sign of the dividend.";
    Pi "PI" 0..=0, Number, "The number pi.";
    Power "POWER" 2..=2, Number, "The first to the power of the second.";
    Radians "RADIANS" 1..=1, Number, "Degrees to radians.";
    Rand "RAND" 0..=1, Number, "A random number in [0, 1); the argument has no defined meaning.";
    Round "ROUND" 1..=2, Number, "Rounded to a number of decimals.";
    Sqrt "SQRT" 1..=1, Number, "The square root.";
    Truncate "TRUNCATE" 1..=2, Number, "Cut to a number of decimals.";
    Acos "ACOS" 1..=1, Number, "The arc cosine in radians.";
    Asin "ASIN" 1..=1, Number, "The arc sine in radians.";
    Atan "ATAN" 1..=1, Number, "The arc tangent in radians.";
    Atan2 "ATAN2" 2..=2, Number, "The polar angle of (y, x) in radians.";
    Cos "COS" 1..=1, Number, "The cosine of radians.";
    Cot "COT" 1..=1, Number, "The cotangent of radians.";
    Sin "SIN" 1..=1, Number, "The sine of radians.";
    Tan "TAN" 1..=1, Number, "The tangent of radians.";
    Area "AREA" 1..=1, Number, "The area in square degrees.";
    Box "BOX" 3..=4, Region, "A box by centre, width and height; deprecated.";
    Centroid "CENTROID" 1..=1, Point, "The centre of a geometry.";
    Circle "CIRCLE" 2..=3, Region, "A circle by centre and radius.";
    Contains "CONTAINS" 2..=2, Number, "1 when the first geometry lies in the second, else 0.";
    Coord1 "COORD1" 1..=1, Number, "The longitude of a point in degrees.";
    Coord2 "COORD2" 1..=1, Number, "The latitude of a point in degrees.";
    Coordsys "COORDSYS" 1..=1, Text, "The coordinate system of a geometry; deprecated.";
    Distance "DISTANCE" 2..=4, Number, "The great-circle distance of two points in degrees.";
    Intersects "INTERSECTS" 2..=2, Number, "1 when two geometries overlap, else 0.";
    Point "POINT" 2..=2, Point, "A position by longitude and latitude.";
    Polygon "POLYGON" 3..=usize::MAX, Region, "A polygon by its vertices.";
    Region "REGION" 1..=1, Region, "A geometry from an STC-S text; deprecated.";
    Lower "LOWER" 1..=1, Text, "In lower case.";
    Upper "UPPER" 1..=1, Text, "In upper case.";
    InUnit "IN_UNIT" 2..=2, Number, "A value converted to the unit named.";
    Coalesce "COALESCE" 1..=usize::MAX, Anything, "The first argument that is not null.";
}

impl Standard {
    /// The function of this name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|function| function.name().eq_ignore_ascii_case(name))
    }

    /// Whether a coordinate system may stand before the arguments.
    #[must_use]
    pub fn takes_coordinate_system(self) -> bool {
        matches!(self, Self::Point | Self::Circle | Self::Box | Self::Polygon)
    }
}
