//! Whether a value has an aggregate in it, outside subqueries.

use crate::ast::{CaseTest, Condition, Expr, InSet};

pub(super) fn is_in(expr: &Expr) -> bool {
    match expr {
        Expr::Aggregate { .. } => true,
        Expr::Literal(_) | Expr::Column(_) | Expr::Subquery { .. } => false,
        Expr::Unary { operand, .. } => is_in(operand),
        Expr::Chain { first, rest, .. } => {
            is_in(first) || rest.iter().any(|(_, operand)| is_in(operand))
        }
        Expr::Call(call) => call.arguments.iter().any(is_in),
        Expr::Cast { value, .. } => is_in(value),
        Expr::Case {
            operand,
            branches,
            otherwise,
            ..
        } => {
            operand.iter().chain(otherwise).any(|value| is_in(value))
                || branches.iter().any(|branch| {
                    is_in(&branch.then)
                        || match &branch.when {
                            CaseTest::Value(value) => is_in(value),
                            CaseTest::Condition(condition) => is_in_condition(condition),
                        }
                })
        }
    }
}

fn is_in_condition(condition: &Condition) -> bool {
    match condition {
        Condition::Or { terms, .. } | Condition::And { terms, .. } => {
            terms.iter().any(is_in_condition)
        }
        Condition::Not { condition, .. } => is_in_condition(condition),
        Condition::Comparison { left, right, .. } => is_in(left) || is_in(right),
        Condition::Between {
            value, low, high, ..
        } => is_in(value) || is_in(low) || is_in(high),
        Condition::In { value, set, .. } => {
            is_in(value)
                || match set {
                    InSet::Values(values) => values.iter().any(is_in),
                    InSet::Query(_) => false,
                }
        }
        Condition::Like { value, pattern, .. } => is_in(value) || is_in(pattern),
        Condition::IsNull { value, .. } => is_in(value),
        Condition::Exists { .. } => false,
    }
}
