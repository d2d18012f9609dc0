//! Private fields that code may ask for before they are there.
//!
//! A private field that was moved is declared before any field has its value. In the language it is not there until its
//! turn comes, and asking for it throws. Where a value may let such code at the instance, a private getter stands before
//! the name, as in `this.#r2.#name`: it gives the instance once so many fields have their values, and before that an
//! object without the field.

use std::collections::{BTreeSet, HashMap};

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Class, ClassElement, Expression, Function, PrivateFieldExpression, PrivateInExpression, PropertyDefinition,
    PropertyKey, Super, ThisExpression,
};
use oxc_ast_visit::Visit;
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    /// Takes note of the private names of a class. Gives the counts of moved fields behind which a guarded one is there.
    pub(super) fn private_names(&mut self, class: &Class<'a>, fields: &[&PropertyDefinition<'a>]) -> BTreeSet<usize> {
        let declared = class.body.body.iter().filter_map(ClassElement::property_key).filter_map(private);
        let mut names: HashMap<&'a str, usize> = declared.map(|name| (name, 0)).collect();
        // What the base class keeps of the instance is at hand wherever a value of a derived class runs code.
        let (mut count, mut is_out) = (0, class.heritage.is_some());
        let mut counts = BTreeSet::new();
        for field in fields {
            let name = private(&field.key);
            count += usize::from(name.is_none() || field.value.is_some());
            is_out |= field.value.as_ref().is_some_and(lets_out);
            if let (Some(name), true) = (name, is_out && count > 0) {
                names.insert(name, count);
                counts.insert(count);
            }
        }
        if !names.is_empty() {
            self.privates.insert(class.span.start, names);
        }
        counts
    }

    /// The getters of a class for these counts, and the private field that counts.
    pub(super) fn guards(&self, counts: &BTreeSet<usize>) -> String {
        let prefix = self.prefix;
        let getter = |count| format!("get #{prefix}r{count}(){{return this.#{prefix}n<{count}?{{}}:this}}");
        let getters: String = counts.iter().map(getter).collect();
        if getters.is_empty() { getters } else { format!("#{prefix}n=0;{getters}") }
    }

    /// A member by a private name.
    pub(super) fn private_member(&mut self, node: NodeId, member: &PrivateFieldExpression<'a>) {
        let guard = self.guard(node, &member.field.name);
        self.edits.open(member.field.span.start as usize, guard);
    }

    /// What stands before a private name: nothing where its field is not guarded.
    pub(super) fn guard(&self, node: NodeId, name: &str) -> String {
        self.count(node, name).map(|count| format!("#{}r{count}.", self.prefix)).unwrap_or_default()
    }

    /// The question whether an object has a private field.
    pub(super) fn private_in(&mut self, node: NodeId, question: &PrivateInExpression<'a>) {
        let Some(count) = self.count(node, &question.left.name) else { return };
        let (prefix, asked) = (self.prefix, question.right.span());
        let counted = format!("#{prefix}n in {prefix}v&&{prefix}v.#{prefix}n<{count}");
        self.edits.open(asked.start as usize, format!("(({prefix}v)=>{counted}?{{}}:{prefix}v)("));
        self.edits.close(asked.end as usize, ")");
    }

    /// How many moved fields have their values where a guarded field is there.
    fn count(&self, node: NodeId, name: &str) -> Option<usize> {
        let mut counts = self.module.ancestors(node).filter_map(|kind| match kind {
            AstKind::Class(class) => self.privates.get(&class.span.start)?.get(name).copied(),
            _ => None,
        });
        counts.next().filter(|count| *count > 0)
    }
}

fn private<'a>(key: &PropertyKey<'a>) -> Option<&'a str> {
    match key {
        PropertyKey::PrivateIdentifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

/// Whether the value of a field gives the instance to code that runs with it.
fn lets_out(value: &Expression<'_>) -> bool {
    let mut found = LetsOut(false);
    // A function that is the value itself runs later.
    if !matches!(value.without_parentheses(), Expression::ArrowFunctionExpression(_)) {
        found.visit_expression(value);
    }
    found.0
}

struct LetsOut(bool);

impl<'a> Visit<'a> for LetsOut {
    fn visit_this_expression(&mut self, _: &ThisExpression) {
        self.0 = true;
    }

    fn visit_super(&mut self, _: &Super) {
        self.0 = true;
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}
}
