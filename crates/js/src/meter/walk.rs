//! Which nodes of a tree get what metering.
//!
//! A statement costs one step, charged where the list that holds it begins; a body of a function or loop that holds
//! none costs one too, so that nothing repeats for nothing.

use std::collections::{HashMap, HashSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionBody, AssignmentTarget, AssignmentTargetMaybeDefault, BindingPattern, ExportDefaultDeclarationKind,
    IdentifierReference, PropertyKey, Statement, StaticMemberExpression,
};
use oxc_semantic::{AstNode, NodeId, SymbolId};
use oxc_span::{GetSpan, Span};

use crate::meter::edits::Edits;
use crate::meter::loops::Loops;
use crate::meter::returns::beside_returns;
use crate::meter::static_blocks::with_arguments;
use crate::module::Module;

/// The word that some parsers take for the beginning of an async function wherever a call follows.
const ASYNC: &str = "async";

/// The changes of a module.
pub(super) fn edits(module: &Module<'_>, prefix: &str) -> Edits {
    let mut walk = Walk {
        module,
        prefix,
        edits: Edits::default(),
        loops: Loops::of(module),
        classes: HashMap::new(),
        fields: HashMap::new(),
        valued: HashSet::new(),
        privates: HashMap::new(),
        numbers: HashMap::new(),
        begun: HashSet::new(),
        apart: beside_returns(module).iter().filter(|own| own.is_apart).map(|own| own.span.start).collect(),
        asking: with_arguments(module).collect(),
        gives_keys: false,
        branches: branches(module),
    };
    for node in module.nodes().iter() {
        walk.node(node);
    }
    walk.keys_generator();
    walk.edits
}

pub(super) struct Walk<'w, 'a> {
    pub(super) module: &'w Module<'a>,
    pub(super) prefix: &'w str,
    pub(super) edits: Edits,
    pub(super) loops: Loops,
    /// Where classes begin whose fields were moved, and whether they are derived.
    pub(super) classes: HashMap<u32, bool>,
    /// Where moved fields begin → their number in the class.
    pub(super) fields: HashMap<u32, usize>,
    /// Where names stand that are taken as values of their own.
    pub(super) valued: HashSet<u32>,
    /// Where classes begin → their private names, and behind how many moved fields a guarded one is there, else 0.
    pub(super) privates: HashMap<u32, HashMap<&'a str, usize>>,
    /// Names that are updated, and whether they never hold anything but a number.
    pub(super) numbers: HashMap<SymbolId, bool>,
    /// Where statements begin that were set apart from the line before.
    pub(super) begun: HashSet<u32>,
    /// Where `try` statements begin that become functions of their own.
    pub(super) apart: HashSet<u32>,
    /// Where static blocks begin that have functions which ask for their `arguments`.
    pub(super) asking: HashSet<u32>,
    /// Whether a loop asks for the generator of keys.
    pub(super) gives_keys: bool,
    /// Where `if` statements begin → where they end. Only those of a chain that was read in pieces are asked for.
    branches: HashMap<usize, usize>,
}

fn branches(module: &Module<'_>) -> HashMap<usize, usize> {
    if module.blanks.is_empty() {
        return HashMap::new();
    }
    let ifs = module.nodes().iter().filter(|node| matches!(node.kind(), AstKind::IfStatement(_)));
    ifs.map(|node| node.kind().span()).map(|span| (span.start as usize, span.end as usize)).collect()
}

impl<'a> Walk<'_, 'a> {
    fn node(&mut self, node: &AstNode<'a>) {
        match node.kind() {
            AstKind::Program(program) => {
                let first = program.directives.first().map(|first| first.span);
                let first = first.or_else(|| program.body.first().map(GetSpan::span));
                if let Some(first) = first {
                    self.steps_before(first.start, program.directives.len() + program.body.len());
                }
            }
            AstKind::FunctionBody(body) => {
                let steps = body.directives.len() + body.statements.len();
                self.edits.open(body.span.start as usize + 1, format!("{}e({});", self.prefix, steps.max(1)));
            }
            AstKind::ArrowFunctionExpression(arrow) => {
                self.parameters(arrow);
                if let ArrowFunctionBody::FunctionBody(_) = arrow.body {
                    return;
                }
                let body = arrow.body.span();
                self.edits.open(body.start as usize, format!("({}e(1),", self.prefix));
                self.edits.close(body.end as usize, ")");
            }
            AstKind::BlockStatement(block) => {
                let steps = block.body.len().max(usize::from(self.is_loop(self.module.parent(node.id()))));
                if steps > 0 {
                    self.edits.open(block.span.start as usize + 1, format!("{}s({steps});", self.prefix));
                }
            }
            AstKind::StaticBlock(block) => {
                self.static_block(block);
                if let Some(first) = block.body.first() {
                    self.steps_before(first.span().start, block.body.len());
                }
            }
            AstKind::SwitchCase(case) => {
                if let Some(first) = case.consequent.first() {
                    self.steps_before(first.span().start, case.consequent.len());
                }
            }
            AstKind::ForStatement(each) => self.body(&each.body),
            AstKind::ForInStatement(each) => {
                self.left_loop(node.id());
                self.keys_loop(node.id(), each);
                self.own_label(node.id());
                self.body(&each.body);
            }
            AstKind::VariableDeclarator(declared) => self.taken_apart(declared),
            AstKind::ForOfStatement(each) => {
                self.gone_through(each);
                self.left_loop(node.id());
                self.waiting_loop(node.id(), each);
                self.own_label(node.id());
                self.body(&each.body);
                self.waiting_body(each);
            }
            AstKind::ReturnStatement(own) => self.made(node.id(), own),
            AstKind::BreakStatement(own) => self.leaving(node.id(), own),
            AstKind::TryStatement(own) => {
                self.set_apart(own);
                // What a `catch` throws would be lost where the `finally` behind it catches something itself.
                if let (Some(handler), Some(_)) = (&own.handler, &own.finalizer) {
                    self.edits.open(own.block.span.start as usize, "{try");
                    self.edits.close(handler.span.end as usize, "}");
                }
            }
            AstKind::Class(class) => self.class(class),
            AstKind::NewExpression(made) => self.date(made),
            AstKind::CallExpression(call) => {
                self.super_call(node.id(), call);
                self.date_text(node.id(), call);
            }
            AstKind::WhileStatement(each) => self.body(&each.body),
            AstKind::DoWhileStatement(each) => self.body(&each.body),
            AstKind::IfStatement(branch) => {
                self.body(&branch.consequent);
                if let Some(other) = branch.alternate.as_ref().filter(|other| !is_if(other)) {
                    self.body(other);
                }
            }
            AstKind::PropertyDefinition(field) => {
                if let Some(number) = self.fields.get(&field.span.start) {
                    return self.moved_field(*number, field);
                }
                if let Some(value) = field.value.as_ref().filter(|value| !value.is_anonymous_function_definition()) {
                    self.edits.open(value.span().start as usize, format!("({}e(1),", self.prefix));
                    self.edits.close(value.span().end as usize, ")");
                }
            }
            AstKind::ExportDefaultDeclaration(export) => {
                if let ExportDefaultDeclarationKind::ArrowFunctionExpression(arrow) = &export.declaration
                    && arrow.r#async
                {
                    self.edits.open(arrow.span.start as usize, "(");
                    self.edits.close(arrow.span.end as usize, ")");
                }
            }
            AstKind::AssignmentExpression(assignment) => {
                self.assigns(node.id());
                self.logical_assigned(node.id(), assignment);
                self.power_assigned(node.id(), assignment);
                self.quotient_assigned(node.id(), assignment);
            }
            AstKind::BinaryExpression(binary) => {
                self.power(binary);
                self.quotient(binary);
            }
            AstKind::FormalParameter(parameter) => self.named_default(parameter),
            AstKind::UpdateExpression(update) => {
                self.assigns(node.id());
                self.update(node.id(), update);
            }
            AstKind::StaticMemberExpression(member) => self.member(member),
            AstKind::PrivateFieldExpression(member) => self.private_member(node.id(), member),
            AstKind::MethodDefinition(method) => self.member_name(node.id(), method),
            AstKind::PrivateInExpression(question) => self.private_in(node.id(), question),
            AstKind::BindingProperty(property) => {
                let value = match &property.value {
                    _ if self.nested_beside_rest(node.id(), property) => Bound::NAME,
                    BindingPattern::AssignmentPattern(pattern) => Bound::of_binding(&pattern.left, true),
                    other => Bound::of_binding(other, false),
                };
                let bound = Bound { covered: self.is_covered(node.id()), ..value };
                self.key(property.span, property.shorthand, property.computed, &property.key, bound);
            }
            AstKind::AssignmentTargetPropertyIdentifier(property) if property.init.is_none() => {
                self.edits.open(property.span.start as usize, format!("[{}]:", quoted(&property.binding.name)));
            }
            AstKind::AssignmentTargetPropertyProperty(property) => {
                let bound = match &property.binding {
                    _ if self.nested_target_beside_rest(node.id(), property) => Bound::NAME,
                    AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) => {
                        let name = matches!(target.binding, AssignmentTarget::AssignmentTargetIdentifier(_));
                        let pattern = target.binding.as_assignment_target_pattern().is_some();
                        Bound { covered: true, is_pattern: pattern, is_name: name, has_default: true }
                    }
                    other => {
                        let pattern =
                            other.as_assignment_target().and_then(|target| target.as_assignment_target_pattern());
                        Bound { covered: true, is_pattern: pattern.is_some(), is_name: false, has_default: false }
                    }
                };
                self.key(property.span, false, property.computed, &property.name, bound);
                self.target(property);
            }
            AstKind::IdentifierReference(name) if name.name == ASYNC => self.name(node.id(), name),
            _ => {}
        }
    }

    fn steps_before(&mut self, at: u32, steps: usize) {
        self.edits.open(at as usize, format!("{}s({steps});", self.prefix));
    }

    fn is_loop(&self, node: NodeId) -> bool {
        matches!(
            self.module.kind(node),
            AstKind::ForStatement(_)
                | AstKind::ForInStatement(_)
                | AstKind::ForOfStatement(_)
                | AstKind::WhileStatement(_)
                | AstKind::DoWhileStatement(_)
        )
    }

    /// A statement that stands where a block may stand.
    fn body(&mut self, statement: &Statement<'a>) {
        if matches!(statement, Statement::BlockStatement(_)) {
            return;
        }
        let span = statement.span();
        self.edits.open(span.start as usize, format!("{{{}s(1);", self.prefix));
        self.edits.close(self.whole(span.end as usize), "}");
    }

    /// The end of a chain of `else if` that was read in pieces, else the end itself.
    pub(super) fn whole(&self, end: usize) -> usize {
        let mut end = end;
        while let Some(rest) = self.module.blanks.iter().find(|(start, _)| skip(self.module.source(), end) == *start) {
            let next = skip(self.module.source(), rest.1);
            let Some(further) = self.branches.get(&next) else { break };
            end = *further;
        }
        end
    }

    fn member(&mut self, member: &StaticMemberExpression<'a>) {
        let source = self.module.source();
        let mut dot = skip(source, member.object.span().end as usize);
        while source[dot..].starts_with(')') {
            dot = skip(source, dot + 1);
        }
        if !member.optional {
            self.edits.replace(dot, dot + 1, "");
        }
        let name = member.property.span;
        self.edits.replace(name.start as usize, name.end as usize, format!("[{}]", quoted(&member.property.name)));
    }

    /// Whether a pattern stands where some parsers first read an expression: in the parameters of an arrow function.
    fn is_covered(&self, node: NodeId) -> bool {
        let around = self.module.ancestors(node).find(|kind| {
            !matches!(
                kind,
                AstKind::ObjectPattern(_)
                    | AstKind::ArrayPattern(_)
                    | AstKind::BindingProperty(_)
                    | AstKind::BindingRestElement(_)
                    | AstKind::AssignmentPattern(_)
                    | AstKind::FormalParameter(_)
                    | AstKind::FormalParameterRest(_)
                    | AstKind::FormalParameters(_)
            )
        });
        matches!(around, Some(AstKind::ArrowFunctionExpression(_)))
    }

    /// The key of a pattern as a computed one. Read as an expression first, a name with a default may have none, and a
    /// pattern only beside a default.
    fn key(&mut self, property: Span, shorthand: bool, computed: bool, key: &PropertyKey<'a>, bound: Bound) {
        if bound.covered && bound.is_name && bound.has_default {
            if let (true, Some(name)) = (is_index(key), key.static_name()) {
                let span = key.span();
                self.edits.replace(span.start as usize, span.end as usize, format!("[{}]", quoted(&name)));
            }
            return;
        }
        if bound.covered && bound.is_pattern && !bound.has_default {
            self.edits.close(property.end as usize, "=void 0");
        }
        let span = key.span();
        match key {
            _ if computed => {}
            PropertyKey::StaticIdentifier(name) if !shorthand => {
                self.edits.replace(span.start as usize, span.end as usize, format!("[{}]", quoted(&name.name)));
            }
            PropertyKey::StaticIdentifier(name) => {
                self.edits.open(property.start as usize, format!("[{}]:", quoted(&name.name)));
            }
            _ => {
                self.edits.open(span.start as usize, "[");
                self.edits.close(span.end as usize, "]");
            }
        }
    }

    /// A variable of the name [`ASYNC`], in parentheses where these may stand.
    fn name(&mut self, node: NodeId, name: &IdentifierReference<'a>) {
        match self.module.kind(self.module.parent(node)) {
            AstKind::ExportSpecifier(_) | AstKind::AssignmentTargetPropertyIdentifier(_) => {}
            AstKind::ObjectProperty(property) if property.shorthand => {
                self.edits.open(name.span.start as usize, format!("{ASYNC}:("));
                self.edits.close(name.span.end as usize, ")");
            }
            _ => {
                self.open_group(node, name.span, "");
                self.edits.close(name.span.end as usize, ")");
            }
        }
    }
}

/// What a property of a pattern is bound to.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // four questions of one place
struct Bound {
    covered: bool,
    is_pattern: bool,
    is_name: bool,
    has_default: bool,
}

impl Bound {
    const NAME: Self = Self { covered: true, is_pattern: false, is_name: true, has_default: false };

    fn of_binding(pattern: &BindingPattern<'_>, has_default: bool) -> Self {
        let is_name = matches!(pattern, BindingPattern::BindingIdentifier(_));
        Self { covered: false, is_pattern: !is_name, is_name, has_default }
    }
}

/// Whether a key is a number. Some parsers take none with a default, or ask for the member of that name alone.
pub(super) fn is_index(key: &PropertyKey<'_>) -> bool {
    match key {
        PropertyKey::NumericLiteral(_) | PropertyKey::BigIntLiteral(_) => true,
        PropertyKey::StringLiteral(text) => text.value.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

fn is_if(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::IfStatement(_))
}

/// A name as a literal; names have nothing that needs an escape.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// Goes over blanks and comments.
pub(super) fn skip(source: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &source[at..];
        let comment = if rest.starts_with("//") {
            rest.find(oxc_syntax::line_terminator::is_line_terminator).unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            0
        };
        let blank = rest.chars().next().filter(|c| c.is_whitespace() || *c == '\u{feff}').map_or(0, char::len_utf8);
        if comment + blank == 0 {
            return at;
        }
        at += comment.max(blank);
    }
}
