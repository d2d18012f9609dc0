//! `/` as a call of the host's, where nothing more is known of both sides.
//!
//! Engines that keep whole numbers apart forget the sign of 0 divided by a negative one.

use oxc_ast::ast::{AssignmentExpression, BinaryExpression, Expression};
use oxc_semantic::NodeId;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    pub(super) fn quotient(&mut self, binary: &BinaryExpression<'a>) {
        if binary.operator == BinaryOperator::Division && !is_number(&binary.left) && !is_number(&binary.right) {
            self.called(binary, "/", 'q');
        }
    }

    pub(super) fn quotient_assigned(&mut self, node: NodeId, assignment: &AssignmentExpression<'a>) {
        if assignment.operator == AssignmentOperator::Division && !is_number(&assignment.right) {
            self.called_assigned(node, assignment, "/=", 'q');
        }
    }
}

/// A number that is written out and is not 0: its sign is kept.
fn is_number(value: &Expression<'_>) -> bool {
    matches!(value, Expression::NumericLiteral(number) if number.value != 0.0)
}
