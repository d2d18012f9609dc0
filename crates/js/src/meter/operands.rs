//! Names on the left of an operator whose right side assigns.
//!
//! Engines read a name that no function captures from its place when the operator is applied, after the right side ran:
//! `p - (p = 10)` would take the new value twice. In parentheses the name is a value of its own, taken when its turn
//! comes.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, IdentifierReference};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;

use crate::meter::walk::Walk;

impl Walk<'_, '_> {
    /// An assignment or update: every operator that it is on the right of.
    pub(super) fn assigns(&mut self, node: NodeId) {
        let mut inner = self.module.span(node);
        for kind in self.module.ancestors(node) {
            match kind {
                AstKind::BinaryExpression(operator) if operator.right.span() == inner => {
                    if let Expression::Identifier(name) = &operator.left {
                        self.own_value(name);
                    }
                }
                AstKind::ArrowFunctionExpression(_) | AstKind::Function(_) | AstKind::Program(_) => return,
                kind if kind.is_statement() => return,
                _ => {}
            }
            inner = kind.span();
        }
    }

    fn own_value(&mut self, name: &IdentifierReference<'_>) {
        if self.valued.insert(name.span.start) {
            self.open_group(name.node_id.get(), name.span, "");
            self.edits.close(name.span.end as usize, ")");
        }
    }
}
