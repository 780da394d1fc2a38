//! The tree as ADQL text: one line, keywords in capitals, only the parentheses that are needed.
//! What it writes parses to the same tree.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::{
    Query,
    ast::{
        Call, CaseTest, ColumnReference, CommonTable, Condition, DataType, Direction, Expr,
        Identifier, InSet, Join, JoinKind, JoinSpecification, Literal, OrderKey, OrderTerm,
        Quantifier, Select, SelectExpression, SelectItem, SetExpression, SetOperator, Sign,
        StringLiteral, TableReference, Unsigned,
    },
};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.with.is_empty() {
            f.write_str("WITH ")?;
            list(f, &self.with)?;
            f.write_char(' ')?;
        }
        self.body.fmt(f)
    }
}

impl Display for CommonTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} AS ({})", self.name, self.query)
    }
}

impl Display for SelectExpression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.body.fmt(f)?;
        if !self.order_by.is_empty() {
            f.write_str(" ORDER BY ")?;
            list(f, &self.order_by)?;
        }
        if let Some(offset) = self.offset {
            write!(f, " OFFSET {offset}")?;
        }
        Ok(())
    }
}

impl Display for SetExpression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (first, rest) = match self {
            Self::Select(select) => return select.fmt(f),
            Self::Nested(query) => return write!(f, "({query})"),
            Self::Chain { first, rest, .. } => (first, rest),
        };
        let chain = rest.first().map(|operand| operand.operator);
        set_operand(f, first, chain)?;
        for operand in rest {
            write!(f, " {}", operand.operator)?;
            if operand.all {
                f.write_str(" ALL")?;
            }
            f.write_char(' ')?;
            set_operand(f, &operand.operand, chain)?;
        }
        Ok(())
    }
}

/// An operand of a chain of `chain`: only an intersection stands bare in a union.
fn set_operand(
    f: &mut Formatter<'_>,
    operand: &SetExpression,
    chain: Option<SetOperator>,
) -> fmt::Result {
    let bare = match operand {
        SetExpression::Chain { rest, .. } => {
            let inner = rest.first().map(|operand| operand.operator);
            inner == Some(SetOperator::Intersect) && chain != Some(SetOperator::Intersect)
        }
        _ => true,
    };
    if bare {
        operand.fmt(f)
    } else {
        write!(f, "({operand})")
    }
}

impl Display for SetOperator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Union => "UNION",
            Self::Except => "EXCEPT",
            Self::Intersect => "INTERSECT",
        })
    }
}

impl Display for Select {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("SELECT ")?;
        if let Some(quantifier) = self.quantifier {
            write!(f, "{quantifier} ")?;
        }
        if let Some(top) = self.top {
            write!(f, "TOP {top} ")?;
        }
        list(f, &self.list)?;
        f.write_str(" FROM ")?;
        list(f, &self.from)?;
        if let Some(condition) = &self.condition {
            write!(f, " WHERE {condition}")?;
        }
        if !self.group_by.is_empty() {
            f.write_str(" GROUP BY ")?;
            list(f, &self.group_by)?;
        }
        if let Some(having) = &self.having {
            write!(f, " HAVING {having}")?;
        }
        Ok(())
    }
}

impl Display for Quantifier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "ALL",
            Self::Distinct => "DISTINCT",
        })
    }
}

impl Display for Unsigned {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl Display for SelectItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asterisk { .. } => f.write_char('*'),
            Self::QualifiedAsterisk { qualifier, .. } => {
                dotted(f, qualifier)?;
                f.write_str(".*")
            }
            Self::Expression { expr, alias, .. } => {
                expr.fmt(f)?;
                named(f, alias.as_ref())
            }
        }
    }
}

impl Display for Identifier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.delimited {
            quoted(f, '"', &self.text)
        } else {
            f.write_str(&self.text)
        }
    }
}

impl Display for TableReference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { name, alias, .. } => {
                dotted(f, name)?;
                named(f, alias.as_ref())
            }
            Self::Derived { query, alias, .. } => write!(f, "({query}) AS {alias}"),
            Self::Joined { first, joins, .. } => {
                joined_table(f, first)?;
                joins.iter().try_for_each(|join| write!(f, " {join}"))
            }
        }
    }
}

/// A table beside a join: one that is a join itself stands in parentheses.
fn joined_table(f: &mut Formatter<'_>, table: &TableReference) -> fmt::Result {
    if matches!(table, TableReference::Joined { .. }) {
        write!(f, "({table})")
    } else {
        table.fmt(f)
    }
}

impl Display for Join {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.natural {
            f.write_str("NATURAL ")?;
        }
        f.write_str(match self.kind {
            JoinKind::Inner => "JOIN ",
            JoinKind::Left => "LEFT JOIN ",
            JoinKind::Right => "RIGHT JOIN ",
            JoinKind::Full => "FULL JOIN ",
            JoinKind::Cross => "CROSS JOIN ",
        })?;
        joined_table(f, &self.table)?;
        match &self.specification {
            None => Ok(()),
            Some(JoinSpecification::On(condition)) => write!(f, " ON {condition}"),
            Some(JoinSpecification::Using(columns)) => {
                f.write_str(" USING (")?;
                list(f, columns)?;
                f.write_char(')')
            }
        }
    }
}

impl Display for OrderTerm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.key {
            OrderKey::Ordinal(ordinal) => ordinal.fmt(f)?,
            OrderKey::Expression(expr) => expr.fmt(f)?,
        }
        match self.direction {
            None => Ok(()),
            Some(Direction::Ascending) => f.write_str(" ASC"),
            Some(Direction::Descending) => f.write_str(" DESC"),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let not = |negated: bool| if negated { "NOT " } else { "" };
        match self {
            Self::Or { terms, .. } => {
                logical(f, terms, " OR ", |term| matches!(term, Self::Or { .. }))
            }
            Self::And { terms, .. } => logical(f, terms, " AND ", |term| {
                matches!(term, Self::Or { .. } | Self::And { .. })
            }),
            Self::Not { condition, .. } => match &**condition {
                inner @ (Self::Or { .. } | Self::And { .. } | Self::Not { .. }) => {
                    write!(f, "NOT ({inner})")
                }
                inner => write!(f, "NOT {inner}"),
            },
            Self::Comparison {
                left,
                operator,
                right,
                ..
            } => {
                write!(f, "{left} {} {right}", operator.symbol())
            }
            Self::Between {
                value,
                negated,
                low,
                high,
                ..
            } => {
                write!(f, "{value} {}BETWEEN {low} AND {high}", not(*negated))
            }
            Self::In {
                value,
                negated,
                set,
                ..
            } => {
                write!(f, "{value} {}IN (", not(*negated))?;
                match set {
                    InSet::Values(values) => list(f, values)?,
                    InSet::Query(query) => query.fmt(f)?,
                }
                f.write_char(')')
            }
            Self::Like {
                value,
                negated,
                case_insensitive,
                pattern,
                ..
            } => {
                let word = if *case_insensitive { "ILIKE" } else { "LIKE" };
                write!(f, "{value} {}{word} {pattern}", not(*negated))
            }
            Self::IsNull { value, negated, .. } => write!(f, "{value} IS {}NULL", not(*negated)),
            Self::Exists { query, .. } => write!(f, "EXISTS ({query})"),
        }
    }
}

fn logical(
    f: &mut Formatter<'_>,
    terms: &[Condition],
    operator: &str,
    needs_parentheses: impl Fn(&Condition) -> bool,
) -> fmt::Result {
    for (index, term) in terms.iter().enumerate() {
        if index > 0 {
            f.write_str(operator)?;
        }
        if needs_parentheses(term) {
            write!(f, "({term})")?;
        } else {
            term.fmt(f)?;
        }
    }
    Ok(())
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(literal) => literal.fmt(f),
            Self::Column(column) => column.fmt(f),
            Self::Call(call) => call.fmt(f),
            Self::Unary {
                operator, operand, ..
            } => {
                f.write_char(match operator {
                    Sign::Plus => '+',
                    Sign::Minus => '-',
                    Sign::BitNot => '~',
                })?;
                let signed = matches!(
                    **operand,
                    Self::Unary {
                        operator: Sign::Plus | Sign::Minus,
                        ..
                    }
                );
                if signed || matches!(**operand, Self::Chain { .. }) {
                    write!(f, "({operand})")
                } else {
                    operand.fmt(f)
                }
            }
            Self::Chain { first, rest, .. } => {
                let level = rest.first().map_or(0, |(operator, _)| operator.level());
                chained(f, first, level)?;
                for (operator, operand) in rest {
                    write!(f, " {} ", operator.symbol())?;
                    chained(f, operand, level)?;
                }
                Ok(())
            }
            Self::Aggregate {
                function,
                quantifier,
                argument,
                ..
            } => {
                write!(f, "{}(", function.name())?;
                if let Some(quantifier) = quantifier {
                    write!(f, "{quantifier} ")?;
                }
                match argument {
                    None => f.write_str("*)"),
                    Some(argument) => write!(f, "{argument})"),
                }
            }
            Self::Cast { value, target, .. } => write!(f, "CAST({value} AS {target})"),
            Self::Case {
                operand,
                branches,
                otherwise,
                ..
            } => {
                f.write_str("CASE")?;
                if let Some(operand) = operand {
                    write!(f, " {operand}")?;
                }
                for branch in branches {
                    match &branch.when {
                        CaseTest::Value(value) => write!(f, " WHEN {value}")?,
                        CaseTest::Condition(condition) => write!(f, " WHEN {condition}")?,
                    }
                    write!(f, " THEN {}", branch.then)?;
                }
                if let Some(otherwise) = otherwise {
                    write!(f, " ELSE {otherwise}")?;
                }
                f.write_str(" END")
            }
            Self::Subquery { query, .. } => write!(f, "({query})"),
        }
    }
}

/// An operand of a chain: one that binds no tighter stands in parentheses.
fn chained(f: &mut Formatter<'_>, operand: &Expr, level: u8) -> fmt::Result {
    let looser = match operand {
        Expr::Chain { rest, .. } => rest
            .first()
            .is_none_or(|(operator, _)| operator.level() <= level),
        _ => false,
    };
    if looser {
        write!(f, "({operand})")
    } else {
        operand.fmt(f)
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { text, .. } => f.write_str(text),
            Self::String(string) => string.fmt(f),
            Self::Null { .. } => f.write_str("NULL"),
            Self::Boolean { value: true, .. } => f.write_str("TRUE"),
            Self::Boolean { value: false, .. } => f.write_str("FALSE"),
        }
    }
}

impl Display for StringLiteral {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        quoted(f, '\'', &self.value)
    }
}

impl Display for ColumnReference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for part in &self.qualifier {
            write!(f, "{part}.")?;
        }
        self.name.fmt(f)
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.function.name())?;
        if let Some(system) = &self.coordinate_system {
            write!(f, "{system}, ")?;
        }
        list(f, &self.arguments)?;
        f.write_char(')')
    }
}

impl Display for DataType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, length) = match self {
            Self::Char(length) => ("CHAR", *length),
            Self::Varchar(length) => ("VARCHAR", *length),
            Self::SmallInt => ("SMALLINT", None),
            Self::Integer => ("INTEGER", None),
            Self::BigInt => ("BIGINT", None),
            Self::Real => ("REAL", None),
            Self::Double => ("DOUBLE PRECISION", None),
            Self::Timestamp => ("TIMESTAMP", None),
            Self::Point => ("POINT", None),
            Self::Circle => ("CIRCLE", None),
            Self::Polygon => ("POLYGON", None),
        };
        f.write_str(name)?;
        length.map_or(Ok(()), |length| write!(f, "({length})"))
    }
}

fn list<T: Display>(f: &mut Formatter<'_>, items: &[T]) -> fmt::Result {
    separated(f, items, ", ")
}

fn dotted(f: &mut Formatter<'_>, parts: &[Identifier]) -> fmt::Result {
    separated(f, parts, ".")
}

fn separated<T: Display>(f: &mut Formatter<'_>, items: &[T], separator: &str) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

fn named(f: &mut Formatter<'_>, alias: Option<&Identifier>) -> fmt::Result {
    alias.map_or(Ok(()), |alias| write!(f, " AS {alias}"))
}

/// The text in quotes, those inside doubled.
fn quoted(f: &mut Formatter<'_>, quote: char, text: &str) -> fmt::Result {
    f.write_char(quote)?;
    for character in text.chars() {
        if character == quote {
            f.write_char(quote)?;
        }
        f.write_char(character)?;
    }
    f.write_char(quote)
}
