//! The tree of a query, close to the grammar of ADQL 2.1 (Recommendation 2023-12-15, appendix A).
//!
//! Parentheses leave no node: the printers put back those that precedence asks for. Chains of equal
//! precedence (`a + b - c`, `p AND q AND r`) are flat, so a thousand terms are a list and not a
//! thousand levels.

use crate::Span;
use crate::function::Function;

/// One whole query: `<query_specification>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The common table expressions before the query, in order.
    pub with: Vec<CommonTable>,
    /// The query itself.
    pub body: SelectExpression,
    /// What the query uses that the Recommendation's grammar does not have, in order of appearance.
    pub extensions: Vec<Extension>,
    /// The whole query without surrounding space, comments and semicolon.
    pub span: Span,
    pub(crate) source: String,
}

impl Query {
    /// The text the query was parsed from; all spans are ranges of it.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// A construct outside the grammar of ADQL 2.1 that archives are known to understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension {
    /// Which one.
    pub kind: ExtensionKind,
    /// Where it is used.
    pub span: Span,
}

/// The constructs outside ADQL 2.1 this parser understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ExtensionKind {
    /// `0x2F`: in drafts of ADQL 2.1, gone from the Recommendation's grammar.
    HexadecimalLiteral,
    /// `& | ^ ~`: likewise.
    BitwiseOperator,
    /// `TRUE`, `FALSE`: likewise.
    BooleanLiteral,
    /// `a % b`.
    PercentModulo,
    /// `CASE ... END`.
    Case,
    /// `CROSS JOIN`.
    CrossJoin,
    /// A subquery as a value: `SELECT (SELECT ...) ...`, `x > (SELECT ...)`.
    ScalarSubquery,
    /// `*` beside other select items.
    MixedAsterisk,
    /// `expression IS NULL` where the expression is no column.
    NullTestOfExpression,
    /// A semicolon after the query.
    TrailingSemicolon,
    /// `SELECT TOP n DISTINCT`: the grammar wants the quantifier first.
    TopBeforeQuantifier,
}

/// `<with_query>`: `name AS (query)`.
#[derive(Debug, Clone, PartialEq)]
pub struct CommonTable {
    /// What the query calls it.
    pub name: Identifier,
    /// What it holds.
    pub query: SelectExpression,
    /// From the name to the closing parenthesis.
    pub span: Span,
}

/// `<select_expression>`: a query or set operations on queries, sorted and offset as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectExpression {
    /// The rows.
    pub body: SetExpression,
    /// `ORDER BY`; empty when there is none.
    pub order_by: Vec<OrderTerm>,
    /// `OFFSET`: rows to leave out at the start.
    pub offset: Option<Unsigned>,
    /// Without enclosing parentheses.
    pub span: Span,
}

/// `<query_set_expression>`.
#[derive(Debug, Clone, PartialEq)]
pub enum SetExpression {
    /// A plain query.
    Select(Box<Select>),
    /// A parenthesised query, kept because it may have its own `ORDER BY` and `OFFSET`.
    Nested(Box<SelectExpression>),
    /// Operands of one precedence, applied from the left: `INTERSECT` binds tighter than `UNION`
    /// and `EXCEPT`.
    Chain {
        /// The leftmost operand.
        first: Box<SetExpression>,
        /// Operator and right operand, in order; never empty.
        rest: Vec<SetOperand>,
        /// All of it.
        span: Span,
    },
}

impl SetExpression {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Select(select) => select.span,
            Self::Nested(query) => query.span,
            Self::Chain { span, .. } => *span,
        }
    }
}

/// An operator and the operand to its right.
#[derive(Debug, Clone, PartialEq)]
pub struct SetOperand {
    /// Which operation.
    pub operator: SetOperator,
    /// Whether duplicates are kept.
    pub all: bool,
    /// The right operand.
    pub operand: SetExpression,
}

/// The set operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetOperator {
    /// Rows of either.
    Union,
    /// Rows of the left that are not in the right.
    Except,
    /// Rows of both.
    Intersect,
}

/// `<select_query>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Select {
    /// `ALL` or `DISTINCT`, where written.
    pub quantifier: Option<Quantifier>,
    /// `TOP n`.
    pub top: Option<Unsigned>,
    /// What to return; never empty.
    pub list: Vec<SelectItem>,
    /// The tables; never empty.
    pub from: Vec<TableReference>,
    /// `WHERE`.
    pub condition: Option<Condition>,
    /// `GROUP BY`; empty when there is none.
    pub group_by: Vec<Expr>,
    /// `HAVING`.
    pub having: Option<Condition>,
    /// From `SELECT` to the last clause.
    pub span: Span,
}

/// `<set_quantifier>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// Keep duplicates.
    All,
    /// Leave out duplicates.
    Distinct,
}

/// `<unsigned_decimal>` where the grammar wants a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsigned {
    /// The number.
    pub value: u64,
    /// Its digits.
    pub span: Span,
}

/// One entry of a select list.
#[derive(Debug, Clone, PartialEq)]
pub enum SelectItem {
    /// `*`
    Asterisk {
        /// The asterisk.
        span: Span,
    },
    /// `table.*`
    QualifiedAsterisk {
        /// The table or correlation name, outermost part first.
        qualifier: Vec<Identifier>,
        /// From the first part to the asterisk.
        span: Span,
    },
    /// A value, with its name where one is given.
    Expression {
        /// The value.
        expr: Expr,
        /// The name after `AS`, or just after the value.
        alias: Option<Identifier>,
        /// Value and name.
        span: Span,
    },
}

/// A name as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier {
    /// The name without quotes, doubled quotes undone, case kept.
    pub text: String,
    /// Whether it stands in double quotes and so is matched with its case.
    pub delimited: bool,
    /// The name with its quotes.
    pub span: Span,
}

impl Identifier {
    /// Whether this reference means `name`: case matters only when delimited
    /// (ADQL 2.1, "Case sensitivity").
    #[must_use]
    pub fn means(&self, name: &str) -> bool {
        if self.delimited {
            self.text == name
        } else {
            self.text.eq_ignore_ascii_case(name)
        }
    }
}

/// `<table_reference>`.
#[derive(Debug, Clone, PartialEq)]
pub enum TableReference {
    /// A named table.
    Table {
        /// Catalogue, schema and table, as many as are given.
        name: Vec<Identifier>,
        /// The correlation name.
        alias: Option<Identifier>,
        /// Name and correlation name.
        span: Span,
    },
    /// A subquery used as a table.
    Derived {
        /// The subquery.
        query: Box<SelectExpression>,
        /// Its correlation name, which the grammar requires.
        alias: Identifier,
        /// From the opening parenthesis to the correlation name.
        span: Span,
    },
    /// Tables joined from the left; a join on the right-hand side was parenthesised.
    Joined {
        /// The leftmost table.
        first: Box<TableReference>,
        /// The joins, in order; never empty.
        joins: Vec<Join>,
        /// All of it.
        span: Span,
    },
}

impl TableReference {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Table { span, .. } | Self::Derived { span, .. } | Self::Joined { span, .. } => {
                *span
            }
        }
    }
}

/// One join and its right-hand table.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    /// `NATURAL`: on all columns of the same name.
    pub natural: bool,
    /// Which rows without a partner are kept.
    pub kind: JoinKind,
    /// The right-hand table.
    pub table: TableReference,
    /// How rows are matched. The grammar lets it be missing.
    pub specification: Option<JoinSpecification>,
    /// From the first join word to the end of the specification.
    pub span: Span,
}

/// The kinds of join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    /// Pairs only. Also a join without a kind.
    Inner,
    /// All rows of the left.
    Left,
    /// All rows of the right.
    Right,
    /// All rows of both.
    Full,
    /// Every pair: an extension.
    Cross,
}

/// `<join_specification>`.
#[derive(Debug, Clone, PartialEq)]
pub enum JoinSpecification {
    /// `ON condition`
    On(Condition),
    /// `USING (column, ...)`
    Using(Vec<Identifier>),
}

/// `<order_by_term>`.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderTerm {
    /// What to sort by.
    pub key: OrderKey,
    /// The direction, where written; ascending otherwise.
    pub direction: Option<Direction>,
    /// Key and direction.
    pub span: Span,
}

/// What a result is sorted by.
#[derive(Debug, Clone, PartialEq)]
pub enum OrderKey {
    /// A result column by its position, from 1.
    Ordinal(Unsigned),
    /// A column or value.
    Expression(Expr),
}

/// `<order_by_direction>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// `ASC`
    Ascending,
    /// `DESC`
    Descending,
}

/// `<search_condition>`.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Any of two or more.
    Or {
        /// The alternatives.
        terms: Vec<Condition>,
        /// All of it.
        span: Span,
    },
    /// All of two or more.
    And {
        /// The conjuncts.
        terms: Vec<Condition>,
        /// All of it.
        span: Span,
    },
    /// `NOT condition`
    Not {
        /// What is denied.
        condition: Box<Condition>,
        /// All of it.
        span: Span,
    },
    /// `left operator right`
    Comparison {
        /// The left value.
        left: Box<Expr>,
        /// The operator.
        operator: Comparison,
        /// The right value.
        right: Box<Expr>,
        /// All of it.
        span: Span,
    },
    /// `value [NOT] BETWEEN low AND high`
    Between {
        /// What is tested.
        value: Box<Expr>,
        /// `NOT BETWEEN`
        negated: bool,
        /// The lower bound, included.
        low: Box<Expr>,
        /// The upper bound, included.
        high: Box<Expr>,
        /// All of it.
        span: Span,
    },
    /// `value [NOT] IN (...)`
    In {
        /// What is looked for.
        value: Box<Expr>,
        /// `NOT IN`
        negated: bool,
        /// Where it is looked for.
        set: InSet,
        /// All of it.
        span: Span,
    },
    /// `value [NOT] LIKE pattern`
    Like {
        /// The text tested.
        value: Box<Expr>,
        /// `NOT LIKE`
        negated: bool,
        /// `ILIKE`: case does not matter.
        case_insensitive: bool,
        /// The pattern with `%` and `_`.
        pattern: Box<Expr>,
        /// All of it.
        span: Span,
    },
    /// `value IS [NOT] NULL`
    IsNull {
        /// What is tested.
        value: Box<Expr>,
        /// `IS NOT NULL`
        negated: bool,
        /// All of it.
        span: Span,
    },
    /// `EXISTS (query)`
    Exists {
        /// The subquery.
        query: Box<SelectExpression>,
        /// All of it.
        span: Span,
    },
}

impl Condition {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Or { span, .. }
            | Self::And { span, .. }
            | Self::Not { span, .. }
            | Self::Comparison { span, .. }
            | Self::Between { span, .. }
            | Self::In { span, .. }
            | Self::Like { span, .. }
            | Self::IsNull { span, .. }
            | Self::Exists { span, .. } => *span,
        }
    }
}

/// `<in_predicate_value>`.
#[derive(Debug, Clone, PartialEq)]
pub enum InSet {
    /// Listed values; never empty.
    Values(Vec<Expr>),
    /// The rows of a subquery.
    Query(Box<SelectExpression>),
}

/// `<comp_op>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>` or `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// The operator with its sides exchanged: `a < b` is `b > a`.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            same => same,
        }
    }

    /// As the standard writes it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// `<value_expression>`.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A constant.
    Literal(Literal),
    /// A column.
    Column(ColumnReference),
    /// A sign or bitwise negation.
    Unary {
        /// The operator.
        operator: Sign,
        /// What it applies to.
        operand: Box<Expr>,
        /// Operator and operand.
        span: Span,
    },
    /// Operators of one precedence, applied from the left.
    Chain {
        /// The leftmost operand.
        first: Box<Expr>,
        /// Operator and right operand, in order; never empty, all of one [`Operator::level`].
        rest: Vec<(Operator, Expr)>,
        /// All of it.
        span: Span,
    },
    /// `COUNT(*)`, `AVG(DISTINCT x)`, ...
    Aggregate {
        /// Which one.
        function: Aggregate,
        /// `ALL` or `DISTINCT`, where written.
        quantifier: Option<Quantifier>,
        /// The argument; `None` is `*`.
        argument: Option<Box<Expr>>,
        /// Name to closing parenthesis.
        span: Span,
    },
    /// A function of the standard or of the service.
    Call(Call),
    /// `CAST(value AS type)`
    Cast {
        /// The value.
        value: Box<Expr>,
        /// The type wanted.
        target: DataType,
        /// Name to closing parenthesis.
        span: Span,
    },
    /// `CASE ... END`: an extension.
    Case {
        /// The value compared with each branch, in the short form.
        operand: Option<Box<Expr>>,
        /// The branches; never empty.
        branches: Vec<CaseBranch>,
        /// `ELSE`
        otherwise: Option<Box<Expr>>,
        /// `CASE` to `END`.
        span: Span,
    },
    /// A subquery of one value: an extension.
    Subquery {
        /// The subquery.
        query: Box<SelectExpression>,
        /// With its parentheses.
        span: Span,
    },
}

impl Expr {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Literal(literal) => literal.span(),
            Self::Column(column) => column.span,
            Self::Call(call) => call.span,
            Self::Unary { span, .. }
            | Self::Chain { span, .. }
            | Self::Aggregate { span, .. }
            | Self::Cast { span, .. }
            | Self::Case { span, .. }
            | Self::Subquery { span, .. } => *span,
        }
    }
}

/// A constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `<unsigned_numeric_literal>`: kept as written, since its digits may exceed any machine type.
    Number {
        /// As written.
        text: String,
        /// What the way of writing it says about its type.
        form: NumberForm,
        /// The digits.
        span: Span,
    },
    /// `'text'`
    String(StringLiteral),
    /// `NULL`
    Null {
        /// The word.
        span: Span,
    },
    /// `TRUE` or `FALSE`: an extension.
    Boolean {
        /// Which.
        value: bool,
        /// The word.
        span: Span,
    },
}

impl Literal {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::String(string) => string.span,
            Self::Number { span, .. } | Self::Null { span } | Self::Boolean { span, .. } => *span,
        }
    }
}

/// A string constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringLiteral {
    /// The text without quotes, doubled quotes undone.
    pub value: String,
    /// With its quotes.
    pub span: Span,
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberForm {
    /// Digits only.
    Integer,
    /// With a decimal point and no exponent.
    Decimal,
    /// With an exponent.
    Approximate,
    /// `0x...`: an extension.
    Hexadecimal,
}

/// `<column_reference>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnReference {
    /// The table or correlation name, outermost part first; empty when unqualified.
    pub qualifier: Vec<Identifier>,
    /// The column.
    pub name: Identifier,
    /// From the first part to the last.
    pub span: Span,
}

/// The operators before a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`: an extension.
    BitNot,
}

/// The operators between values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `&`: an extension, as the other bitwise ones.
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `||`
    Concat,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`: an extension.
    Modulo,
}

impl Operator {
    /// How tightly it binds; operators of one level apply from the left.
    #[must_use]
    pub fn level(self) -> u8 {
        match self {
            Self::BitAnd | Self::BitOr | Self::BitXor => 1,
            Self::Concat => 2,
            Self::Add | Self::Subtract => 3,
            Self::Multiply | Self::Divide | Self::Modulo => 4,
        }
    }

    /// As the standard writes it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Concat => "||",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

/// `<set_function_type>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// The mean.
    Avg,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The sum.
    Sum,
    /// How many.
    Count,
}

impl Aggregate {
    /// As the standard writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Avg => "AVG",
            Self::Max => "MAX",
            Self::Min => "MIN",
            Self::Sum => "SUM",
            Self::Count => "COUNT",
        }
    }
}

/// A function with its arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Which function.
    pub function: Function,
    /// The deprecated coordinate system before the arguments of `POINT`, `CIRCLE`, `BOX` and
    /// `POLYGON` (ADQL 2.1, "Coordsys").
    pub coordinate_system: Option<StringLiteral>,
    /// The arguments. Their number is one the standard allows.
    pub arguments: Vec<Expr>,
    /// The name.
    pub name_span: Span,
    /// Name to closing parenthesis.
    pub span: Span,
}

/// `<cast_target>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataType {
    /// Text of a fixed length; 1 where none is given.
    Char(Option<Unsigned>),
    /// Text of at most a length; any where none is given.
    Varchar(Option<Unsigned>),
    /// 16 bit.
    SmallInt,
    /// 32 bit.
    Integer,
    /// 64 bit.
    BigInt,
    /// Single precision.
    Real,
    /// `DOUBLE PRECISION`
    Double,
    /// A date and time.
    Timestamp,
    /// A position.
    Point,
    /// A circle.
    Circle,
    /// A polygon.
    Polygon,
}

/// `WHEN ... THEN value` of a `CASE`.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseBranch {
    /// When it applies.
    pub when: CaseTest,
    /// What it gives.
    pub then: Expr,
}

/// The test of a `CASE` branch.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseTest {
    /// Equal to the operand after `CASE`.
    Value(Expr),
    /// A condition of its own.
    Condition(Condition),
}
