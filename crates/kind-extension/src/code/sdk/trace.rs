//! Where the SDK goes: from parameters through variables, destructuring, members and calls of known functions.
//!
//! Works forward from the parameters, one (variable, part) at a time, so each is looked at once whatever the code.

use std::collections::{HashMap, HashSet};

use holdpoint_js::tree::ast::{
    Argument, AssignmentTarget, BindingPattern, BindingProperty, CallExpression, Expression,
};
use holdpoint_js::tree::operator::LogicalOperator;
use holdpoint_js::tree::{AstKind, GetSpan, NodeId, Span, SymbolId};
use holdpoint_js::{Callable, ExportedValue, Folder, Module, World};

use super::{Member, Part};
use crate::code::report::{EntryModule, Role};
use crate::rules::constructor_escape;

/// Members of one computed access that are looked at before it counts as not constant.
const MAX_KEYS: usize = 16;

/// Something that the code does with the SDK.
pub struct Fact<'a> {
    pub path: &'a str,
    pub span: Span,
    pub what: What<'a>,
}

pub enum What<'a> {
    /// A name under this part that the SDK has not, and whether it is a destructured shorthand, which binds too.
    Unknown(Part, String, bool),
    /// Computed access with a key that is not constant.
    DynamicKey,
    Write,
    /// The part goes where nothing follows.
    Escape,
    Call(Part, &'a CallExpression<'a>),
    /// A method is used as a value.
    Reference(Part),
}

/// Follows the SDK through all modules.
pub fn trace<'a>(world: &World<'a>, folder: &Folder<'_, 'a>, entries: &[EntryModule]) -> Vec<Fact<'a>> {
    let mut trace = Trace {
        world,
        folder,
        queue: Vec::new(),
        seen: HashSet::new(),
        written_once: HashMap::new(),
        facts: Vec::new(),
    };
    trace.start(entries);
    while let Some((path, symbol, part)) = trace.queue.pop() {
        let Some(module) = world.modules.get(path) else { continue };
        for reference in module.scoping().get_resolved_references(symbol).filter(|reference| reference.is_read()) {
            trace.flow(module, reference.node_id(), part);
        }
    }
    let mut facts = trace.facts;
    facts.sort_by(|a, b| (a.path, a.span.start, a.span.end).cmp(&(b.path, b.span.start, b.span.end)));
    facts
}

struct Trace<'w, 'a> {
    world: &'w World<'a>,
    folder: &'w Folder<'w, 'a>,
    queue: Vec<(&'a str, SymbolId, Part)>,
    seen: HashSet<(&'a str, SymbolId, String)>,
    /// Of variables that the SDK is assigned to.
    written_once: HashMap<(&'a str, SymbolId), bool>,
    facts: Vec<Fact<'a>>,
}

/// Parameters that are the SDK by their name.
fn by_name(name: &str) -> Option<Part> {
    match name {
        "ctx" => Some(Part::Ctx),
        "bim" => Some(Part::Bim),
        _ => None,
    }
}

impl<'w, 'a> Trace<'w, 'a> {
    fn start(&mut self, entries: &[EntryModule]) {
        let mut first = HashSet::new();
        for entry in entries {
            let Some((function, callable)) = self.world.entry(&entry.path, entry.role.function_name()) else {
                continue;
            };
            let Some(module) = self.world.modules.get(function.module.as_str()) else { continue };
            let Some(parameter) = callable.params().items.first() else { continue };
            let part = match (entry.role, Part::Bim.member("create")) {
                (Role::Build, Member::Part(create)) => create,
                _ => Part::Ctx,
            };
            first.insert((module.path, parameter.span.start));
            self.bind(module, &parameter.pattern, part);
        }
        let world = self.world;
        for module in world.modules.values() {
            for node in module.nodes().iter() {
                let AstKind::FormalParameter(parameter) = node.kind() else { continue };
                let BindingPattern::BindingIdentifier(name) = &parameter.pattern else { continue };
                if let Some(part) = by_name(&name.name)
                    && !first.contains(&(module.path, parameter.span.start))
                {
                    self.bind(module, &parameter.pattern, part);
                }
            }
        }
    }

    fn fact(&mut self, module: &'w Module<'a>, span: Span, what: What<'a>) {
        self.facts.push(Fact { path: module.path, span, what });
    }

    /// A part that goes out of sight: a method is a use, everything else escapes.
    fn leave(&mut self, module: &'w Module<'a>, span: Span, part: Part) {
        let what = if part.is_method() { What::Reference(part) } else { What::Escape };
        self.fact(module, span, what);
    }

    fn enqueue(&mut self, module: &'w Module<'a>, symbol: SymbolId, part: Part) {
        if self.seen.insert((module.path, symbol, part.text())) {
            self.queue.push((module.path, symbol, part));
        }
    }

    fn bind(&mut self, module: &'w Module<'a>, pattern: &'a BindingPattern<'a>, part: Part) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                let Some(symbol) = name.symbol_id.get() else { return };
                if module.scoping().symbol_is_mutated(symbol) {
                    self.leave(module, name.span, part);
                }
                self.enqueue(module, symbol, part);
            }
            BindingPattern::AssignmentPattern(default) => self.bind(module, &default.left, part),
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    for part in self.key(module, property, part) {
                        self.bind(module, &property.value, part);
                    }
                }
                if let Some(rest) = &object.rest {
                    self.leave(module, rest.span, part);
                }
            }
            BindingPattern::ArrayPattern(array) => self.leave(module, array.span, part),
        }
    }

    /// The parts that a destructured key gives.
    fn key(&mut self, module: &'w Module<'a>, property: &'a BindingProperty<'a>, part: Part) -> Vec<Part> {
        let key = &property.key;
        let names = match key.as_expression().filter(|_| property.computed) {
            Some(expression) => self.folder.constants(module, expression),
            None => key.static_name().map(|name| vec![name.into_owned()]),
        };
        let Some(names) = names.filter(|names| names.len() <= MAX_KEYS) else {
            self.fact(module, key.span(), What::DynamicKey);
            return Vec::new();
        };
        let shorthand = property.shorthand;
        names.iter().filter_map(|name| self.named(module, part, name, key.span(), shorthand)).collect()
    }

    fn member(&mut self, module: &'w Module<'a>, part: Part, name: &str, span: Span) -> Option<Part> {
        self.named(module, part, name, span, false)
    }

    fn named(&mut self, module: &'w Module<'a>, part: Part, name: &str, span: Span, shorthand: bool) -> Option<Part> {
        match part.member(name) {
            Member::Part(part) => Some(part),
            Member::Value => None,
            Member::Unknown => {
                // The names of `CODE_CONSTRUCTOR_ESCAPE` are said there.
                if !constructor_escape::NAMES.contains(&name) {
                    self.fact(module, span, What::Unknown(part, name.to_owned(), shorthand));
                }
                None
            }
        }
    }

    /// Follows one expression that is `part` to where it goes.
    fn flow(&mut self, module: &'w Module<'a>, start: NodeId, part: Part) {
        let (mut node, mut part) = (start, part);
        loop {
            let span = module.span(node);
            let parent = module.parent(node);
            match module.kind(parent) {
                AstKind::StaticMemberExpression(_) | AstKind::ComputedMemberExpression(_)
                    if !part.is_method() && module.is_written(parent) && is_object(module, parent, span) =>
                {
                    self.fact(module, module.span(parent), What::Write);
                    return;
                }
                AstKind::StaticMemberExpression(member) => {
                    if part.is_method() {
                        self.leave(module, span, part);
                        return;
                    }
                    let Some(next) = self.member(module, part, &member.property.name, member.property.span) else {
                        return;
                    };
                    part = next;
                }
                AstKind::ComputedMemberExpression(member) if member.object.span() == span => {
                    if part.is_method() {
                        self.leave(module, span, part);
                        return;
                    }
                    let key = &member.expression;
                    let names = self.folder.constants(module, key).filter(|names| names.len() <= MAX_KEYS);
                    let Some(names) = names else {
                        self.fact(module, key.span(), What::DynamicKey);
                        return;
                    };
                    for name in names {
                        if let Some(part) = self.member(module, part, &name, key.span()) {
                            self.flow(module, parent, part);
                        }
                    }
                    return;
                }
                AstKind::ChainExpression(_) | AstKind::AwaitExpression(_) => {}
                AstKind::ConditionalExpression(conditional) => {
                    if conditional.test.span() == span {
                        return;
                    }
                }
                AstKind::LogicalExpression(logical) => {
                    if logical.operator == LogicalOperator::And && logical.left.span() == span {
                        return;
                    }
                }
                AstKind::SequenceExpression(sequence) => {
                    if sequence.expressions.last().is_none_or(|last| last.span() != span) {
                        return;
                    }
                }
                AstKind::VariableDeclarator(declarator) => {
                    self.bind(module, &declarator.id, part);
                    return;
                }
                AstKind::AssignmentExpression(assignment) if assignment.right.span() == span => {
                    self.assign(module, &assignment.left, part, span);
                    if matches!(module.kind(module.parent(parent)), AstKind::ExpressionStatement(_)) {
                        return;
                    }
                }
                AstKind::CallExpression(call) => {
                    self.call(module, call, part, span);
                    return;
                }
                AstKind::ExpressionStatement(_)
                | AstKind::UnaryExpression(_)
                | AstKind::BinaryExpression(_)
                | AstKind::IfStatement(_)
                | AstKind::WhileStatement(_)
                | AstKind::DoWhileStatement(_)
                | AstKind::ForStatement(_)
                | AstKind::SwitchStatement(_)
                | AstKind::SwitchCase(_)
                | AstKind::TemplateLiteral(_)
                | AstKind::ForInStatement(_) => return,
                _ => {
                    self.leave(module, span, part);
                    return;
                }
            }
            node = parent;
        }
    }

    /// `x = ctx`: followed when it is the only value of a variable that was declared without one.
    fn assign(&mut self, module: &'w Module<'a>, target: &'a AssignmentTarget<'a>, part: Part, span: Span) {
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = target
            && let Some(symbol) = module.symbol(name)
            && let AstKind::VariableDeclarator(declarator) = module.kind(module.scoping().symbol_declaration(symbol))
            && declarator.init.is_none()
            && *self.written_once.entry((module.path, symbol)).or_insert_with(|| {
                module.scoping().get_resolved_references(symbol).filter(|reference| reference.is_write()).count() == 1
            })
        {
            self.enqueue(module, symbol, part);
            return;
        }
        self.leave(module, span, part);
    }

    fn call(&mut self, module: &'w Module<'a>, call: &'a CallExpression<'a>, part: Part, span: Span) {
        if call.callee.span() == span {
            if part.is_method() {
                self.fact(module, call.span, What::Call(part, call));
            }
            return;
        }
        let position = call.arguments.iter().position(|argument| argument.span() == span);
        let spread = call.arguments.iter().any(Argument::is_spread);
        let (Some(position), Some((home, callable)), false) = (position, self.callee(module, &call.callee), spread)
        else {
            self.leave(module, span, part);
            return;
        };
        match callable.params().items.get(position) {
            // A parameter named `ctx` or `bim` is followed by its name.
            Some(parameter)
                if matches!(&parameter.pattern, BindingPattern::BindingIdentifier(name)
                    if by_name(&name.name).is_some()) => {}
            Some(parameter) => self.bind(home, &parameter.pattern, part),
            None if callable.params().rest.is_some() => self.leave(module, span, part),
            None => {}
        }
    }

    /// The function that a callee is, when it is declared in the file or imported from the bundle.
    fn callee(&self, module: &'w Module<'a>, callee: &'a Expression<'a>) -> Option<(&'w Module<'a>, Callable<'a>)> {
        let Expression::Identifier(name) = callee else { return Some((module, Callable::of(callee)?)) };
        let symbol = module.symbol(name)?;
        match self.world.imported(module, symbol) {
            Some(exported) => match exported.value {
                ExportedValue::Symbol(symbol) => Some((exported.module, Callable::declared(exported.module, symbol)?)),
                ExportedValue::Callable(callable) => Some((exported.module, callable)),
                ExportedValue::Other => None,
            },
            None => Some((module, Callable::declared(module, symbol)?)),
        }
    }
}

fn is_object(module: &Module, member: NodeId, span: Span) -> bool {
    match module.kind(member) {
        AstKind::StaticMemberExpression(_) => true,
        AstKind::ComputedMemberExpression(member) => member.object.span() == span,
        _ => false,
    }
}
