//! `new Date(value)` asks the host first, which reads texts that engines read each in its own way.

use oxc_ast::ast::{Expression, NewExpression};
use oxc_span::GetSpan;

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    pub(super) fn date(&mut self, made: &NewExpression<'a>) {
        let Expression::Identifier(name) = &made.callee else { return };
        let [value] = &made.arguments[..] else { return };
        if name.name == "Date" && self.module.symbol(name).is_none() && !value.is_spread() {
            let span = value.span();
            self.edits.open(span.start as usize, format!("{}y(", self.prefix));
            self.edits.close(span.end as usize, ")");
        }
    }
}
