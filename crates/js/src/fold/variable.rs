//! Variables that have one value, one of a list, or count.

use std::rc::Rc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentOperator, BinaryOperator, Expression, ForStatement, ForStatementInit, ForStatementLeft,
    SimpleAssignmentTarget,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;

use super::{Choices, Folder, Value};
use crate::limits::MAX_CHOICES;
use crate::module::Module;
use crate::world::ExportedValue;

/// Methods of a list that leave it as it is.
const READING: [&str; 16] = [
    "concat",
    "entries",
    "every",
    "filter",
    "find",
    "findIndex",
    "forEach",
    "includes",
    "indexOf",
    "join",
    "keys",
    "length",
    "map",
    "slice",
    "some",
    "values",
];

impl<'a> Folder<'_, 'a> {
    pub(super) fn variable(&self, module: &Module<'a>, symbol: SymbolId, hops: usize) -> Choices {
        if let Some(known) = self.known.borrow().get(&(module.path, symbol)) {
            return known.as_ref().clone();
        }
        let Some(hops) = hops.checked_sub(1) else { return vec![Value::Unknown] };
        // While it is being folded it is unknown, so a variable that depends on itself ends here.
        self.remember(module, symbol, vec![Value::Unknown]);
        let choices = self.fold_variable(module, symbol, hops).unwrap_or_else(|| vec![Value::Unknown]);
        self.remember(module, symbol, choices.clone());
        choices
    }

    fn remember(&self, module: &Module<'a>, symbol: SymbolId, choices: Choices) {
        self.known.borrow_mut().insert((module.path, symbol), Rc::new(choices));
    }

    fn fold_variable(&self, module: &Module<'a>, symbol: SymbolId, hops: usize) -> Option<Choices> {
        let own = symbol;
        if let Some(exported) = self.world.imported(module, symbol) {
            let ExportedValue::Symbol(symbol) = exported.value else { return None };
            let choices = self.variable(exported.module, symbol, hops);
            return settled(module, own, choices);
        }
        if let Some(init) = module.bound_once(symbol) {
            let choices = self.fold(module, init, hops);
            return settled(module, symbol, choices);
        }
        let declaration = module.scoping().symbol_declaration(symbol);
        let AstKind::VariableDeclarator(declarator) = module.kind(declaration) else { return None };
        declarator.id.get_binding_identifier().filter(|own| own.symbol_id.get() == Some(symbol))?;
        let list = module.parent(declaration);
        match module.kind(module.parent(list)) {
            AstKind::ForOfStatement(each)
                if matches!(&each.left, ForStatementLeft::VariableDeclaration(left) if left.span == module.span(list))
                    && !module.scoping().symbol_is_mutated(symbol) =>
            {
                let lists = self.fold(module, &each.right, hops);
                let mut choices = Vec::new();
                for list in lists {
                    let Value::List(items) = list else { return None };
                    choices.extend(items.into_iter().flatten());
                }
                (choices.len() <= MAX_CHOICES).then_some(choices)
            }
            AstKind::ForStatement(counted) => self.counts(module, symbol, counted, hops).then(|| vec![Value::Counter]),
            _ => None,
        }
    }

    /// A `for` variable with a number as start, a number as bound and a constant step, that nothing else writes.
    fn counts(&self, module: &Module<'a>, symbol: SymbolId, counted: &'a ForStatement<'a>, hops: usize) -> bool {
        let number = |expression: &'a Expression<'a>| {
            self.fold(module, expression, hops).iter().all(|value| matches!(value, Value::Number(_)))
        };
        let is_own = |expression: &Expression<'a>| matches!(expression, Expression::Identifier(name) if module.symbol(name) == Some(symbol));
        let starts = matches!(&counted.init, Some(ForStatementInit::VariableDeclaration(list))
        if list.declarations.iter().any(|declarator| {
            declarator.id.get_binding_identifier().is_some_and(|own| own.symbol_id.get() == Some(symbol))
                && declarator.init.as_ref().is_some_and(number)
        }));
        let bounded = matches!(&counted.test, Some(Expression::BinaryExpression(test))
            if matches!(
                test.operator,
                BinaryOperator::LessThan
                    | BinaryOperator::LessEqualThan
                    | BinaryOperator::GreaterThan
                    | BinaryOperator::GreaterEqualThan
                    | BinaryOperator::Inequality
                    | BinaryOperator::StrictInequality
            ) && (is_own(&test.left) && number(&test.right) || is_own(&test.right) && number(&test.left)));
        let own_target = |target: &SimpleAssignmentTarget<'a>| {
            matches!(target, SimpleAssignmentTarget::AssignmentTargetIdentifier(name)
                if module.symbol(name) == Some(symbol))
        };
        let steps = match &counted.update {
            Some(Expression::UpdateExpression(update)) => own_target(&update.argument),
            Some(Expression::AssignmentExpression(assignment)) => {
                let own = assignment.left.as_simple_assignment_target().is_some_and(own_target);
                let constant = match assignment.operator {
                    AssignmentOperator::Addition | AssignmentOperator::Subtraction => number(&assignment.right),
                    AssignmentOperator::Assign => matches!(&assignment.right, Expression::BinaryExpression(sum)
                        if matches!(sum.operator, BinaryOperator::Addition | BinaryOperator::Subtraction)
                            && is_own(&sum.left) && number(&sum.right)),
                    _ => false,
                };
                own && constant
            }
            _ => false,
        };
        let writes = module.scoping().get_resolved_references(symbol).filter(|reference| reference.is_write()).count();
        starts && bounded && steps && writes == 1
    }
}

/// What a variable keeps of its value: constants, and lists that nothing changes.
fn settled(module: &Module, symbol: SymbolId, choices: Choices) -> Option<Choices> {
    let lists = choices.iter().any(|value| matches!(value, Value::List(_)));
    if lists {
        let unchanged =
            module.scoping().get_resolved_references(symbol).all(|reference| reads_only(module, reference.node_id()));
        return unchanged.then_some(choices);
    }
    choices.iter().all(|value| value.constant().is_some()).then_some(choices)
}

fn reads_only(module: &Module, reference: NodeId) -> bool {
    let parent = module.parent(reference);
    match module.kind(parent) {
        AstKind::ForOfStatement(each) => each.right.span() == module.span(reference),
        AstKind::StaticMemberExpression(member) => {
            READING.contains(&member.property.name.as_str()) && !module.is_written(parent)
        }
        AstKind::ComputedMemberExpression(_) => !module.is_written(parent),
        AstKind::SpreadElement(_) | AstKind::ExportSpecifier(_) => true,
        _ => false,
    }
}
