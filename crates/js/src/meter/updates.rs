//! `++` and `--` of names.
//!
//! Engines that keep a name in a place of its own forget that `name++` gives a number, whatever the name held, and lose
//! what it held where that makes no number. The name is made a number first: `(name=- -name,name++)`. Names that never
//! hold anything else are left as they are.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, SimpleAssignmentTarget, UpdateExpression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{AssignmentOperator, UnaryOperator};

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    /// An update of a name.
    pub(super) fn update(&mut self, node: NodeId, update: &UpdateExpression<'a>) {
        let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &update.argument else { return };
        let Some(symbol) = self.module.symbol(name) else { return };
        if self.is_number(symbol) {
            return;
        }
        let name = &name.name;
        self.open_group(node, update.span, format!("{name}=- -{name},"));
        self.edits.close(update.span.end as usize, ")");
    }

    /// A parenthesis before an expression, and what comes behind it. Where a statement begins with it, the line before
    /// must not become a call.
    pub(super) fn open_group(&mut self, node: NodeId, span: Span, behind: impl AsRef<str>) {
        let statement = self.module.ancestors(node).find(|kind| kind.span().start != span.start || kind.is_statement());
        let first = statement
            .is_some_and(|kind| matches!(kind, AstKind::ExpressionStatement(_)) && kind.span().start == span.start);
        let sign = if first && self.begun.insert(span.start) { ";(" } else { "(" };
        self.edits.open(span.start as usize, format!("{sign}{}", behind.as_ref()));
    }

    /// Whether a name holds a number from its declaration on.
    fn is_number(&mut self, symbol: SymbolId) -> bool {
        if let Some(known) = self.numbers.get(&symbol) {
            return *known;
        }
        let known = self.declared_number(symbol) && self.writes(symbol).iter().all(|write| self.keeps_number(*write));
        self.numbers.insert(symbol, known);
        known
    }

    fn declared_number(&self, symbol: SymbolId) -> bool {
        let scoping = self.module.scoping();
        if !scoping.symbol_redeclarations(symbol).is_empty() {
            return false;
        }
        let declaration = scoping.symbol_declaration(symbol);
        let AstKind::VariableDeclarator(declarator) = self.module.kind(declaration) else { return false };
        // A `var` is there before it has its value.
        matches!(self.module.kind(self.module.parent(declaration)), AstKind::VariableDeclaration(own) if !own.kind.is_var())
            && declarator.id.get_binding_identifier().is_some()
            && declarator.init.as_ref().is_some_and(is_number)
    }

    fn writes(&self, symbol: SymbolId) -> Vec<NodeId> {
        let references = self.module.scoping().get_resolved_references(symbol);
        references.filter(|reference| reference.is_write()).map(oxc_syntax::reference::Reference::node_id).collect()
    }

    /// Whether a place that writes a name that holds a number leaves it a number.
    fn keeps_number(&self, name: NodeId) -> bool {
        match self.module.kind(self.module.parent(name)) {
            AstKind::UpdateExpression(_) => true,
            AstKind::AssignmentExpression(assignment) => {
                assignment.left.span() == self.module.span(name)
                    && match assignment.operator {
                        AssignmentOperator::Assign | AssignmentOperator::Addition => is_number(&assignment.right),
                        operator => operator.is_arithmetic() || operator.is_bitwise(),
                    }
            }
            _ => false,
        }
    }
}

fn is_number(value: &Expression<'_>) -> bool {
    match value {
        Expression::NumericLiteral(_) => true,
        Expression::UnaryExpression(unary) => {
            unary.operator == UnaryOperator::UnaryNegation && is_number(&unary.argument)
        }
        _ => false,
    }
}
