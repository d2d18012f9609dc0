//! Computed names of methods and accessors of classes.
//!
//! Engines that keep names in places of their own do not look there when they decide on the places: a name that only
//! `[name]() {}` takes over the border of a function has no value there. A private method of the class that nobody calls
//! mentions such names. Functions and classes inside a computed name have no place at all, nor have
//! `arguments` and the `this` of a function further out.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionExpression, Class, Function, IdentifierReference, MethodDefinition, PropertyKey, ThisExpression,
};
use oxc_ast_visit::Visit;
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::Span;
use oxc_syntax::scope::ScopeFlags;

use crate::meter::walk::Walk;
use crate::module::Module;

/// What computed names of a class have in them that the engine would get wrong.
pub fn unread_in_member_names(module: &Module<'_>) -> Vec<Span> {
    let mut found = Vec::new();
    for node in module.nodes().iter() {
        let (key, is_method) = match node.kind() {
            AstKind::MethodDefinition(method) if method.computed => (&method.key, true),
            AstKind::PropertyDefinition(field) if field.computed => (&field.key, false),
            _ => continue,
        };
        let names = Names::of(module, key);
        if is_method {
            let around = module.ancestors(node.id()).find(|kind| is_this_bound(*kind));
            let in_arrow = matches!(around, Some(AstKind::ArrowFunctionExpression(_)));
            found.extend(names.unread);
            found.extend(names.this.filter(|_| in_arrow));
        }
        // The class is not there yet, and engines do not say so.
        let own = class(module, node.id()).and_then(|class| class.id.as_ref()).and_then(|id| id.symbol_id.get());
        found.extend(names.declared.iter().filter(|(symbol, _)| Some(*symbol) == own).map(|(_, span)| *span));
    }
    found
}

/// Whether `this` may mean something else outside of this, or be that of a function further out.
fn is_this_bound(kind: AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::Function(_)
            | AstKind::ArrowFunctionExpression(_)
            | AstKind::StaticBlock(_)
            | AstKind::PropertyDefinition(_)
    )
}

fn class<'a>(module: &Module<'a>, node: NodeId) -> Option<&'a Class<'a>> {
    module.ancestors(node).find_map(|kind| match kind {
        AstKind::Class(class) => Some(class),
        _ => None,
    })
}

impl<'a> Walk<'_, 'a> {
    /// A method whose computed name has names in it that a function around has declared.
    pub(super) fn member_name(&mut self, node: NodeId, method: &MethodDefinition<'a>) {
        let Some(class) = class(self.module, node).filter(|_| method.computed) else { return };
        let scoping = self.module.scoping();
        let is_inner = |symbol: SymbolId| scoping.symbol_scope_id(symbol) != scoping.root_scope_id();
        let inner = Names::of(self.module, &method.key).declared.into_iter().filter(|(symbol, _)| is_inner(*symbol));
        let mentioned: String = inner.map(|(symbol, _)| format!("{};", scoping.symbol_name(symbol))).collect();
        if !mentioned.is_empty() {
            let mention = format!("#{}w{}(){{{mentioned}}}", self.prefix, method.span.start);
            self.edits.open(class.body.span.start as usize + 1, mention);
        }
    }
}

/// What stands in a computed name.
struct Names<'m, 'a> {
    module: &'m Module<'a>,
    /// The names that the file declares.
    declared: Vec<(SymbolId, Span)>,
    /// Functions, classes and `arguments` that the engine would not find there.
    unread: Vec<Span>,
    this: Option<Span>,
}

impl<'m, 'a> Names<'m, 'a> {
    fn of(module: &'m Module<'a>, key: &PropertyKey<'a>) -> Self {
        let mut names = Self { module, declared: Vec::new(), unread: Vec::new(), this: None };
        names.visit_property_key(key);
        names
    }
}

impl<'a> Visit<'a> for Names<'_, 'a> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        if name.name == "arguments" {
            self.unread.push(name.span);
        }
        self.declared.extend(self.module.symbol(name).map(|symbol| (symbol, name.span)));
    }

    fn visit_this_expression(&mut self, this: &ThisExpression) {
        self.this.get_or_insert(this.span);
    }

    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        self.unread.push(function.span);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.unread.push(arrow.span);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.unread.push(class.span);
    }
}
