//! Calls: which functions there are, and the arguments the grammar lets them have.

use super::{Parsed, Parser};
use crate::{
    Error, Function, Standard,
    ast::{Aggregate, Call, DataType, Expr, Literal, NumberForm, Operator, Sign, Unsigned},
    function::Gives,
    lexer::{Symbol, TokenKind},
};

/// What the grammar wants as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wants {
    Number,
    Text,
    Geometry,
    Point,
    WholeNumber,
    StringLiteral,
    Anything,
}

impl Parser<'_> {
    /// A word and an opening parenthesis come next.
    pub(super) fn call(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let word = self.text(token);
        if let Some(function) = aggregate(word) {
            return self.aggregate(function);
        }
        if word.eq_ignore_ascii_case("CAST") {
            return self.cast();
        }
        if let Some(function) = Standard::named(word) {
            return self.standard(function).map(Expr::Call);
        }
        if token.kind == (TokenKind::Word { reserved: true }) {
            return Err(self.no_function());
        }
        self.user_defined().map(Expr::Call)
    }

    fn no_function(&self) -> Error {
        let token = self.peek();
        let word = self.text(token).to_ascii_uppercase();
        let message = format!("`{word}` is a reserved word and no function of ADQL");
        let error = Error::new(self.source, token.span, message);
        match word.as_str() {
            "TIMESTAMP" | "DATE" | "TIME" | "CONVERT" => {
                error.with_hint("types are converted with CAST: CAST('2016-01-01' AS TIMESTAMP)")
            }
            "REAL" | "DOUBLE" | "FLOAT" | "INTEGER" | "INT" | "BIGINT" | "SMALLINT" | "CHAR"
            | "VARCHAR" => error.with_hint(format!("types are converted with CAST(x AS {word})")),
            "NULLIF" => error.with_hint("NULLIF is no part of ADQL; COALESCE is"),
            "IN" | "NOT" | "AND" | "OR" | "BETWEEN" | "LIKE" => self.unexpected("a value"),
            _ => error,
        }
    }

    fn aggregate(&mut self, function: Aggregate) -> Parsed<Expr> {
        let start = self.start();
        self.advance();
        self.expect(Symbol::LeftParen, "(")?;
        if self.at(Symbol::Asterisk) {
            if function != Aggregate::Count {
                let expected = format!("a value: only COUNT takes *, not {}", function.name());
                return Err(self.unexpected(&expected));
            }
            self.advance();
            self.expect(Symbol::RightParen, "a closing parenthesis")?;
            let span = self.span_from(start);
            return Ok(Expr::Aggregate {
                function,
                quantifier: None,
                argument: None,
                span,
            });
        }
        let quantifier = self.quantifier();
        let argument = Some(self.boxed_value("a value")?);
        self.expect(Symbol::RightParen, "an operator or a closing parenthesis")?;
        Ok(Expr::Aggregate {
            function,
            quantifier,
            argument,
            span: self.span_from(start),
        })
    }

    fn cast(&mut self) -> Parsed<Expr> {
        let start = self.start();
        self.advance();
        self.expect(Symbol::LeftParen, "(")?;
        let value = self.boxed_value("a value to convert")?;
        if !self.eat_word("AS") {
            return Err(self.unexpected("AS and a type"));
        }
        let target = self.data_type()?;
        self.expect(Symbol::RightParen, "a closing parenthesis")?;
        Ok(Expr::Cast {
            value,
            target,
            span: self.span_from(start),
        })
    }

    fn data_type(&mut self) -> Parsed<DataType> {
        let word = self.text(self.peek()).to_ascii_uppercase();
        let plain = match word.as_str() {
            "SMALLINT" => DataType::SmallInt,
            "INTEGER" => DataType::Integer,
            "BIGINT" => DataType::BigInt,
            "REAL" => DataType::Real,
            "TIMESTAMP" => DataType::Timestamp,
            "POINT" => DataType::Point,
            "CIRCLE" => DataType::Circle,
            "POLYGON" => DataType::Polygon,
            "DOUBLE" => {
                self.advance();
                if !self.eat_word("PRECISION") {
                    return Err(self
                        .unexpected("PRECISION after DOUBLE")
                        .with_hint("the type is DOUBLE PRECISION"));
                }
                return Ok(DataType::Double);
            }
            "CHAR" => {
                self.advance();
                return self.length().map(DataType::Char);
            }
            "VARCHAR" => {
                self.advance();
                return self.length().map(DataType::Varchar);
            }
            _ => return Err(self.no_type(&word)),
        };
        self.advance();
        Ok(plain)
    }

    fn no_type(&self, word: &str) -> Error {
        let expected = "a type: SMALLINT, INTEGER, BIGINT, REAL, DOUBLE PRECISION, CHAR, VARCHAR, \
                        TIMESTAMP, POINT, CIRCLE or POLYGON";
        let right = match word {
            "INT" | "INT4" | "LONG" => "INTEGER or BIGINT",
            "FLOAT" | "FLOAT8" | "NUMERIC" | "DECIMAL" => "DOUBLE PRECISION",
            "FLOAT4" => "REAL",
            "TEXT" | "STRING" | "CHARACTER" | "NCHAR" => "VARCHAR",
            "DATE" | "TIME" | "DATETIME" => "TIMESTAMP",
            _ => "",
        };
        let error = self.unexpected(expected);
        if right.is_empty() {
            error
        } else {
            error.with_hint(format!("write {right}"))
        }
    }

    fn length(&mut self) -> Parsed<Option<Unsigned>> {
        if !self.eat(Symbol::LeftParen) {
            return Ok(None);
        }
        let length = self.unsigned("a number of characters")?;
        self.expect(Symbol::RightParen, "a closing parenthesis")?;
        Ok(Some(length))
    }

    fn user_defined(&mut self) -> Parsed<Call> {
        let start = self.start();
        let name = self.identifier("the name of a function")?;
        let name_span = name.span;
        let arguments = self.arguments(None)?;
        let span = self.span_from(start);
        let function = Function::User(name);
        Ok(Call {
            function,
            coordinate_system: None,
            arguments,
            name_span,
            span,
        })
    }

    fn standard(&mut self, function: Standard) -> Parsed<Call> {
        let start = self.start();
        let name_span = self.peek().span;
        let takes_system = function.takes_coordinate_system()
            && self.peek_at(2).kind == TokenKind::String
            && self.peek_at(3).kind == TokenKind::Symbol(Symbol::Comma);
        let call = if takes_system {
            self.advance();
            self.eat(Symbol::LeftParen);
            let system = self.string();
            self.eat(Symbol::Comma);
            let arguments = self.arguments_after_paren(Some(function))?;
            (Some(system), arguments)
        } else {
            (None, {
                self.advance();
                self.argument_list(Some(function))?
            })
        };
        let (coordinate_system, arguments) = call;
        let span = self.span_from(start);
        let function_node = Function::Standard(function);
        let call = Call {
            function: function_node,
            coordinate_system,
            arguments,
            name_span,
            span,
        };
        self.check_arguments(function, &call)?;
        Ok(call)
    }

    fn arguments(&mut self, function: Option<Standard>) -> Parsed<Vec<Expr>> {
        self.argument_list(function)
    }

    fn argument_list(&mut self, function: Option<Standard>) -> Parsed<Vec<Expr>> {
        self.expect(Symbol::LeftParen, "(")?;
        self.arguments_after_paren(function)
    }

    fn arguments_after_paren(&mut self, function: Option<Standard>) -> Parsed<Vec<Expr>> {
        let mut arguments = Vec::new();
        if self.eat(Symbol::RightParen) {
            return Ok(arguments);
        }
        loop {
            if self.at(Symbol::Asterisk) && function.is_none() {
                return Err(self.unexpected("a value").with_hint("only COUNT takes *"));
            }
            arguments.push(self.value("a value")?);
            if !self.eat(Symbol::Comma) {
                break;
            }
        }
        self.expect(Symbol::RightParen, "a comma or a closing parenthesis")?;
        Ok(arguments)
    }

    fn check_arguments(&self, function: Standard, call: &Call) -> Parsed<()> {
        let count = call.arguments.len();
        let (min, max) = function.arguments();
        let fits = (min..=max).contains(&count) && (function != Standard::Distance || count != 3);
        if !fits {
            let name = function.name();
            let takes = match (min, max) {
                (2, 4) if function == Standard::Distance => "2 or 4 arguments".to_owned(),
                (1, 1) => "1 argument".to_owned(),
                (min, max) if min == max => format!("{min} arguments"),
                (min, usize::MAX) => format!("at least {min} arguments"),
                (min, max) => format!("{min} or {max} arguments"),
            };
            let message = format!("{name} takes {takes}, found {count}");
            return Err(Error::new(self.source, call.span, message)
                .with_hint(format!("write {}", usage(function))));
        }
        if function == Standard::Polygon {
            return self.check_vertices(call);
        }
        for (index, argument) in call.arguments.iter().enumerate() {
            self.check_argument(function, wants(function, count, index), argument)?;
        }
        Ok(())
    }

    fn check_argument(&self, function: Standard, wants: Wants, argument: &Expr) -> Parsed<()> {
        let gives = gives(argument);
        let (fits, expected) = match wants {
            Wants::Anything => (true, ""),
            Wants::Number => (matches!(gives, Gives::Number | Gives::Anything), "a number"),
            Wants::Text => (!matches!(gives, Gives::Point | Gives::Region), "text"),
            Wants::Geometry => (!matches!(gives, Gives::Number | Gives::Text), "a geometry"),
            Wants::Point => (is_point_value(argument), "a point or a column"),
            Wants::WholeNumber => (is_signed_integer(argument), "a whole number in digits"),
            Wants::StringLiteral => (
                matches!(argument, Expr::Literal(Literal::String(_))),
                "text in single quotes",
            ),
        };
        if fits {
            return Ok(());
        }
        let name = function.name();
        let message = format!(
            "found {}, expected {expected} in {name}",
            described(argument)
        );
        Err(Error::new(self.source, argument.span(), message)
            .with_hint(format!("write {}", usage(function))))
    }

    /// Vertices are all pairs of numbers or all points (ADQL 2.1, "POLYGON"). A list of columns may be
    /// either: only who knows their types can tell.
    fn check_vertices(&self, call: &Call) -> Parsed<()> {
        let count = call.arguments.len();
        let is_point = |argument: &Expr| gives(argument) == Gives::Point;
        let may_be_point = |argument: &Expr| is_point_value(argument);
        let any_point = call.arguments.iter().any(is_point);
        let any_number = call
            .arguments
            .iter()
            .find(|argument| !may_be_point(argument));
        if let Some(argument) = any_number {
            for argument in &call.arguments {
                self.check_argument(Standard::Polygon, Wants::Number, argument)?;
            }
            if count < 6 || !count.is_multiple_of(2) {
                let message = format!(
                    "POLYGON takes 3 or more pairs of longitude and latitude, found {count} numbers"
                );
                return Err(Error::new(self.source, call.span, message)
                    .with_hint(format!("write {}", usage(Standard::Polygon))));
            }
            if any_point {
                return self.check_argument(Standard::Polygon, Wants::Point, argument);
            }
        }
        Ok(())
    }
}

fn aggregate(word: &str) -> Option<Aggregate> {
    [
        Aggregate::Avg,
        Aggregate::Max,
        Aggregate::Min,
        Aggregate::Sum,
        Aggregate::Count,
    ]
    .into_iter()
    .find(|function| function.name().eq_ignore_ascii_case(word))
}

fn wants(function: Standard, count: usize, index: usize) -> Wants {
    match function {
        Standard::Contains
        | Standard::Intersects
        | Standard::Area
        | Standard::Centroid
        | Standard::Coordsys => Wants::Geometry,
        Standard::Coord1 | Standard::Coord2 => Wants::Point,
        Standard::Distance if count == 2 => Wants::Point,
        Standard::Circle if count == 2 && index == 0 => Wants::Point,
        Standard::Box if count == 3 && index == 0 => Wants::Point,
        Standard::Region => Wants::StringLiteral,
        Standard::InUnit if index == 1 => Wants::StringLiteral,
        Standard::Round | Standard::Truncate if index == 1 => Wants::WholeNumber,
        Standard::Rand => Wants::WholeNumber,
        Standard::Lower | Standard::Upper => Wants::Text,
        Standard::Coalesce => Wants::Anything,
        _ => Wants::Number,
    }
}

/// How the function is written, for hints.
fn usage(function: Standard) -> String {
    let arguments = match function {
        Standard::Point => "longitude, latitude",
        Standard::Circle => "longitude, latitude, radius",
        Standard::Box => "longitude, latitude, width, height",
        Standard::Polygon => "lon1, lat1, lon2, lat2, lon3, lat3, ...",
        Standard::Distance => "lon1, lat1, lon2, lat2",
        Standard::Contains => "POINT(lon, lat), CIRCLE(lon, lat, radius)",
        Standard::Intersects => "region, CIRCLE(lon, lat, radius)",
        Standard::Coord1 | Standard::Coord2 => "point",
        Standard::Area | Standard::Centroid | Standard::Coordsys => "geometry",
        Standard::Region => "'CIRCLE ICRS 10 20 0.5'",
        Standard::InUnit => "value, 'unit'",
        Standard::Atan2 => "y, x",
        Standard::Mod | Standard::Power => "x, y",
        Standard::Round | Standard::Truncate => "x, decimals",
        Standard::Lower | Standard::Upper => "text",
        Standard::Coalesce => "x, y, ...",
        Standard::Pi | Standard::Rand => "",
        _ => "x",
    };
    format!("{}({arguments})", function.name())
}

/// What a value is as far as the grammar tells; columns and literals may be anything.
pub(super) fn gives(expr: &Expr) -> Gives {
    match expr {
        Expr::Call(call) => match &call.function {
            Function::Standard(function) => function.gives(),
            Function::User(_) => Gives::Anything,
        },
        Expr::Unary { .. } => Gives::Number,
        Expr::Chain { rest, .. } => match rest.first() {
            Some((Operator::Concat, _)) => Gives::Text,
            _ => Gives::Number,
        },
        _ => Gives::Anything,
    }
}

/// `<coord_value>`
fn is_point_value(expr: &Expr) -> bool {
    match expr {
        Expr::Column(_) | Expr::Cast { .. } | Expr::Subquery { .. } => true,
        Expr::Call(call) => match &call.function {
            Function::Standard(function) => {
                matches!(function.gives(), Gives::Point | Gives::Anything)
            }
            Function::User(_) => true,
        },
        _ => false,
    }
}

/// `<signed_integer>`
fn is_signed_integer(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Number { form, .. }) => *form == NumberForm::Integer,
        Expr::Unary {
            operator: Sign::Plus | Sign::Minus,
            operand,
            ..
        } => {
            matches!(
                **operand,
                Expr::Literal(Literal::Number {
                    form: NumberForm::Integer,
                    ..
                })
            )
        }
        _ => false,
    }
}

fn described(expr: &Expr) -> &'static str {
    match expr {
        Expr::Literal(Literal::String(_)) => "text",
        Expr::Literal(_) => "a literal",
        Expr::Column(_) => "a column",
        _ => match gives(expr) {
            Gives::Number => "a number",
            Gives::Text => "text",
            Gives::Point | Gives::Region => "a geometry",
            Gives::Anything => "a value",
        },
    }
}
