//! `new Date(value)` asks the host first, which reads texts that engines read each in its own way; `Date()` names the
//! zone.

use oxc_ast::ast::{CallExpression, Expression, NewExpression};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    pub(super) fn date(&mut self, made: &NewExpression<'a>) {
        let [value] = &made.arguments[..] else { return };
        if self.is_date(&made.callee) && !value.is_spread() {
            let span = value.span();
            self.edits.open(span.start as usize, format!("{}y(", self.prefix));
            self.edits.close(span.end as usize, ")");
        }
    }

    pub(super) fn date_text(&mut self, node: NodeId, call: &CallExpression<'a>) {
        if self.is_date(&call.callee) {
            self.open_group(node, call.span, "");
            self.edits.close(call.span.end as usize, "+\" (Coordinated Universal Time)\")");
        }
    }

    fn is_date(&self, callee: &Expression<'a>) -> bool {
        matches!(callee, Expression::Identifier(name) if name.name == "Date" && self.module.symbol(name).is_none())
    }
}
