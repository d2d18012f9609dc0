//! Patterns with a computed key and a default, where some parsers read an expression first and can't go back.
//!
//! The parameters of an arrow function become a pattern in its body; a name that is assigned gets its value from a
//! function that looks for the default.
//!
//! And patterns in a pattern with a rest: engines forget that these took their members. Such a member is bound to a name
//! first, and the inner pattern takes that as the default of a member that nothing has.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, AssignmentTarget, AssignmentTargetMaybeDefault,
    AssignmentTargetPropertyProperty, BindingPattern, BindingProperty, Expression,
};
use oxc_ast_visit::{Visit, walk as visiting};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use crate::meter::walk::{Walk, is_index, skip};

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
        // The function's `length` is what it was.
        let own = arrow.params.items.iter().take_while(|own| own.initializer.is_none()).count();
        let own: String = (0..own).map(|number| format!("{}q{number},", self.prefix)).collect();
        self.edits.replace(start, start + 1, format!("({own}...{rest})=>{{let ["));
        self.edits.replace(end - 1, end, format!("]=[{own}...{rest}];"));
        self.edits.replace(sign, sign + 2, before);
        self.edits.close(arrow.span.end as usize, behind);
    }

    /// `[key]: name = value` in a pattern that is assigned to.
    pub(super) fn target(&mut self, property: &AssignmentTargetPropertyProperty<'a>) {
        let AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) = &property.binding else { return };
        if !(property.computed || is_index(&property.name))
            || !matches!(target.binding, AssignmentTarget::AssignmentTargetIdentifier(_))
        {
            return;
        }
        let (prefix, name) = (self.prefix, target.binding.span());
        self.edits.open(name.start as usize, format!("{prefix}t(({prefix}v)=>"));
        self.equals(name.end as usize, format!("={prefix}v!==void 0?{prefix}v:("));
        self.edits.close(target.span.end as usize, "))[\"v\"]");
    }

    /// `key: pattern` beside a rest in a pattern that declares names. Says whether it is one.
    pub(super) fn nested_beside_rest(&mut self, node: NodeId, property: &BindingProperty<'a>) -> bool {
        let AstKind::ObjectPattern(around) = self.module.kind(self.module.parent(node)) else { return false };
        let (pattern, default) = match &property.value {
            BindingPattern::AssignmentPattern(with) => (&with.left, Some(&with.right)),
            other => (other, None),
        };
        let nested = around.rest.is_some() && !matches!(pattern, BindingPattern::BindingIdentifier(_));
        if nested {
            let name = format!("{}r{}", self.prefix, property.span.start);
            self.taken_first(&name, property.span, pattern.span(), default);
        }
        nested
    }

    /// The same in a pattern that assigns: the value waits in a member of the host's.
    pub(super) fn nested_target_beside_rest(
        &mut self,
        node: NodeId,
        property: &AssignmentTargetPropertyProperty<'a>,
    ) -> bool {
        let AstKind::ObjectAssignmentTarget(around) = self.module.kind(self.module.parent(node)) else { return false };
        let (target, default) = match &property.binding {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with) => (Some(&with.binding), Some(&with.init)),
            other => (other.as_assignment_target(), None),
        };
        let Some(pattern) = target.and_then(AssignmentTarget::as_assignment_target_pattern) else { return false };
        if around.rest.is_some() {
            let place = format!("{}h[\"v\"]", self.prefix);
            self.taken_first(&place, property.span, pattern.span(), default);
        }
        around.rest.is_some()
    }

    fn taken_first(&mut self, name: &str, property: Span, pattern: Span, default: Option<&Expression<'a>>) {
        self.edits.open(pattern.start as usize, format!("{name},[\"{}z\"]:", self.prefix));
        match default.map(GetSpan::span) {
            Some(default) => {
                self.edits.open(default.start as usize, format!("{name}===void 0?("));
                self.edits.close(default.end as usize, format!("):{name}"));
            }
            None => self.edits.close(property.end as usize, format!("={name}")),
        }
    }
}

/// Whether a pattern holds a computed key whose name has a default. What stands in values of defaults counts for itself.
struct Computed(bool);

impl<'a> Visit<'a> for Computed {
    fn visit_binding_property(&mut self, property: &BindingProperty<'a>) {
        if let BindingPattern::AssignmentPattern(pattern) = &property.value {
            self.0 |= (property.computed || is_index(&property.key))
                && matches!(pattern.left, BindingPattern::BindingIdentifier(_));
        }
        visiting::walk_binding_property(self, property);
    }

    fn visit_expression(&mut self, _: &oxc_ast::ast::Expression<'a>) {}
}
