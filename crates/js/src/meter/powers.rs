//! `**` as a call of the host's, and what other operators have in common with it that become calls.
//!
//! Engines take 1 to the power of what is no number for 1, and count whole powers by steps that round.

use oxc_ast::ast::{AssignmentExpression, AssignmentTarget, BinaryExpression, Expression};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use crate::meter::walk::{Walk, quoted, skip};

impl<'a> Walk<'_, 'a> {
    pub(super) fn power(&mut self, binary: &BinaryExpression<'a>) {
        if binary.operator == BinaryOperator::Exponential {
            self.called(binary, "**", 'p');
        }
    }

    pub(super) fn power_assigned(&mut self, node: NodeId, assignment: &AssignmentExpression<'a>) {
        if assignment.operator == AssignmentOperator::Exponential {
            self.called_assigned(node, assignment, "**=", 'p');
        }
    }

    /// `a + b` as `f(a,b)`.
    pub(super) fn called(&mut self, binary: &BinaryExpression<'a>, operator: &str, function: char) {
        let sign = self.behind(binary.left.span().end);
        // A statement that begins with this begins with a name.
        self.begun.insert(binary.span.start);
        self.edits.open(binary.span.start as usize, format!("{}{function}(", self.prefix));
        self.edits.replace(sign, sign + operator.len(), ",");
        self.edits.close(binary.span.end as usize, ")");
    }

    /// `a += b` as `a=f(a,b)`. What is more than a name in `a` is evaluated once and waits in members of the host's.
    pub(super) fn called_assigned(
        &mut self,
        node: NodeId,
        assignment: &AssignmentExpression<'a>,
        operator: &str,
        function: char,
    ) {
        let target = match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => name.name.to_string(),
            AssignmentTarget::StaticMemberExpression(own) => {
                format!("{}[{}]", self.once(node, &own.object, "o"), quoted(&own.property.name))
            }
            AssignmentTarget::ComputedMemberExpression(own) => {
                let object = self.once(node, &own.object, "o");
                format!("{object}[{}]", self.once(node, &own.expression, "k"))
            }
            AssignmentTarget::PrivateFieldExpression(own) => {
                let object = self.once(node, &own.object, "o");
                format!("{object}.{}#{}", self.guard(node, &own.field.name), own.field.name)
            }
            _ => return,
        };
        let sign = self.behind(assignment.left.span().end);
        self.edits.replace(sign, sign + operator.len(), format!("={}{function}({target},", self.prefix));
        self.edits.close(assignment.span.end as usize, ")");
    }

    /// How a part of a member is said once more: a value that evaluating makes waits in a member of the host's.
    fn once(&mut self, node: NodeId, part: &Expression<'a>, member: &str) -> String {
        let span = part.span();
        let plain = matches!(part, Expression::Identifier(_) | Expression::ThisExpression(_) | Expression::Super(_));
        if plain || part.is_literal() {
            return self.module.text(span).to_owned();
        }
        let waiting = format!("{}h[\"{member}\"]", self.prefix);
        self.open_group(node, span, format!("{waiting}=("));
        self.edits.close(span.end as usize, "))");
        waiting
    }

    /// Where the sign of an operator stands whose left side ends here.
    pub(super) fn behind(&self, left: u32) -> usize {
        let source = self.module.source();
        let mut sign = skip(source, left as usize);
        while source[sign..].starts_with(')') {
            sign = skip(source, sign + 1);
        }
        sign
    }
}
