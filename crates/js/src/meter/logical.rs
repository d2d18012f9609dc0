//! `||=`, `&&=` and `??=` of names, as the operator and an assignment.
//!
//! Engines remember whose value is to be set, and forget to forget it where the name keeps what it has: an assignment
//! around sets that name in the place of its own.

use oxc_ast::ast::{AssignmentExpression, AssignmentTarget};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    pub(super) fn logical_assigned(&mut self, node: NodeId, assignment: &AssignmentExpression<'a>) {
        let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left else { return };
        let Some(operator) = assignment.operator.to_logical_operator() else { return };
        let (operator, sign) = (operator.as_str(), self.behind(name.span.end));
        self.open_group(node, assignment.span(), "");
        self.edits.replace(sign, sign + operator.len() + 1, format!("{operator}({}=", name.name));
        self.edits.close(assignment.span.end as usize, "))");
    }
}
