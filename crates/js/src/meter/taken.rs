//! What a pattern takes apart and what a loop goes through, as arguments of a call of the host's.
//!
//! Engines keep the places of calls, and not those of patterns and loops: where nothing is there to be taken apart, the
//! call says so at its own line.

use oxc_ast::ast::{BindingPattern, Expression, ForOfStatement, VariableDeclarator};
use oxc_span::GetSpan;

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    /// `const {a} = b` as `const {a} = z((b))`.
    pub(super) fn taken_apart(&mut self, declared: &VariableDeclarator<'a>) {
        if let (false, Some(value)) = (matches!(declared.id, BindingPattern::BindingIdentifier(_)), &declared.init) {
            self.handed(value, 'z');
        }
    }

    /// `for (const a of b)` as `for (const a of x((b)))`.
    pub(super) fn gone_through(&mut self, each: &ForOfStatement<'a>) {
        self.handed(&each.right, 'x');
    }

    fn handed(&mut self, value: &Expression<'a>, function: char) {
        let span = value.span();
        self.edits.open(span.start as usize, format!("{}{function}((", self.prefix));
        self.edits.close(span.end as usize, "))");
    }
}
