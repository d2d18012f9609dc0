//! Patterns with a computed key and a default, where some parsers read an expression first and can't go back.
//!
//! The parameters of an arrow function become a pattern in its body; a name that is assigned gets its value from a
//! function that looks for the default.

use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, AssignmentTarget, AssignmentTargetMaybeDefault,
    AssignmentTargetPropertyProperty, BindingPattern, BindingProperty,
};
use oxc_ast_visit::{Visit, walk as visiting};
use oxc_span::GetSpan;

use crate::meter::walk::{Walk, skip};

impl<'a> Walk<'_, 'a> {
    /// The parameters of an arrow function.
    pub(super) fn parameters(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        let mut found = Computed(false);
        found.visit_formal_parameters(&arrow.params);
        if !found.0 {
            return;
        }
        let rest = format!("{}a", self.prefix);
        let (start, end) = (arrow.params.span.start as usize, arrow.params.span.end as usize);
        let sign = skip(self.module.source(), end);
        let (before, behind) = match arrow.body {
            ArrowFunctionBody::FunctionBody(_) => ("", "}"),
            _ => ("return(", ")}"),
        };
        self.edits.replace(start, start + 1, format!("(...{rest})=>{{let ["));
        self.edits.replace(end - 1, end, format!("]={rest};"));
        self.edits.replace(sign, sign + 2, before);
        self.edits.close(arrow.span.end as usize, behind);
    }

    /// `[key]: name = value` in a pattern that is assigned to.
    pub(super) fn target(&mut self, property: &AssignmentTargetPropertyProperty<'a>) {
        let AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) = &property.binding else { return };
        if !property.computed || !matches!(target.binding, AssignmentTarget::AssignmentTargetIdentifier(_)) {
            return;
        }
        let (prefix, name) = (self.prefix, target.binding.span());
        self.edits.open(name.start as usize, format!("{prefix}t(({prefix}v)=>"));
        self.equals(name.end as usize, format!("={prefix}v!==void 0?{prefix}v:("));
        self.edits.close(target.span.end as usize, "))[\"v\"]");
    }
}

/// Whether a pattern holds a computed key whose name has a default. What stands in values of defaults counts for itself.
struct Computed(bool);

impl<'a> Visit<'a> for Computed {
    fn visit_binding_property(&mut self, property: &BindingProperty<'a>) {
        if let BindingPattern::AssignmentPattern(pattern) = &property.value {
            self.0 |= property.computed && matches!(pattern.left, BindingPattern::BindingIdentifier(_));
        }
        visiting::walk_binding_property(self, property);
    }

    fn visit_expression(&mut self, _: &oxc_ast::ast::Expression<'a>) {}
}
