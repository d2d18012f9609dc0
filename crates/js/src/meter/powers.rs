//! `**` as a call of the host's.
//!
//! Engines take 1 to the power of what is no number for 1, and count whole powers by steps that round.

use oxc_ast::ast::{AssignmentExpression, AssignmentTarget, BinaryExpression};
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use crate::meter::walk::{Walk, skip};

impl<'a> Walk<'_, 'a> {
    pub(super) fn power(&mut self, binary: &BinaryExpression<'a>) {
        if binary.operator != BinaryOperator::Exponential {
            return;
        }
        let source = self.module.source();
        let mut sign = skip(source, binary.left.span().end as usize);
        while source[sign..].starts_with(')') {
            sign = skip(source, sign + 1);
        }
        // A statement that begins with this begins with a name.
        self.begun.insert(binary.span.start);
        self.edits.open(binary.span.start as usize, format!("{}p(", self.prefix));
        self.edits.replace(sign, sign + 2, ",");
        self.edits.close(binary.span.end as usize, ")");
    }

    /// `name **= b`. Members keep their operator.
    pub(super) fn power_assigned(&mut self, assignment: &AssignmentExpression<'a>) {
        let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left else { return };
        if assignment.operator != AssignmentOperator::Exponential {
            return;
        }
        let source = self.module.source();
        let mut sign = skip(source, name.span.end as usize);
        while source[sign..].starts_with(')') {
            sign = skip(source, sign + 1);
        }
        self.edits.replace(sign, sign + 3, format!("={}p({},", self.prefix, name.name));
        self.edits.close(assignment.span.end as usize, ")");
    }
}
