//! What the grammar lets pass and the compiler refuses (spec: script-tool.md §2).
//!
//! Owns the walk through a module and what is asked at each place; the checker of the parser's crate family asks most
//! of it. Promise: what a release of Python from 3.11 on compiles is not refused.

mod context;
mod encoding;
mod methods;
mod names;

use ruff_python_ast::visitor::{
    Visitor, walk_expr, walk_interpolated_string_element, walk_keyword, walk_pattern, walk_pattern_keyword, walk_stmt,
    walk_with_item,
};
use ruff_python_ast::{
    Alias, Arguments, Comprehension, ExceptHandler, Expr, ExprLambda, Identifier, InterpolatedStringElement, Keyword,
    Parameters, Pattern, PatternKeyword, Stmt, StmtClassDef, StmtFunctionDef, StmtTry, TypeParams, WithItem,
};
use ruff_python_parser::semantic_errors::{SemanticSyntaxChecker, SemanticSyntaxContext};
use ruff_text_size::{Ranged, TextRange, TextSize};

use context::{Context, Kind, NameUse, Takes};
pub use names::{BadName, What};

/// Blocks in each other that have something to do at their end: loops, `with`, `try`.
const MAX_BLOCKS: u32 = 21;
/// Type parameters of a definition: the search for two with one name looks at each pair.
const MAX_TYPE_PARAMS: usize = 256;
/// Digits of a decimal number that Python reads.
const MAX_DIGITS: usize = 4_300;

/// What is wrong with the names and calls of a module that parses; or its first error: where, and what.
pub fn faults<'t>(text: &'t str, module: &'t [Stmt]) -> Result<Vec<BadName<'t>>, (TextRange, String)> {
    if let Some(fault) = encoding::fault(text) {
        return Err(fault);
    }
    if let Some(at) = text.find('\0').and_then(|at| TextSize::try_from(at).ok()) {
        return Err((TextRange::empty(at), "source code cannot contain null bytes".to_owned()));
    }
    let context = Context::new(text);
    let checker = SemanticSyntaxChecker::new();
    let mut walk = Walk { checker, context, body: Body::default(), called: None, guarded: 0 };
    walk.context.enter(Kind::Module);
    walk.visit_body(module);
    walk.context.leave();
    if let Some(error) = walk.context.first_error() {
        return Err(error);
    }
    let mut faults = names::faults(&walk.context);
    faults.extend(methods::faults(module, |range| walk.context.text(range)));
    faults.truncate(names::MAX_FAULTS);
    Ok(faults)
}

/// Where in the body of a function a statement stands.
#[derive(Debug, Clone, Copy, Default)]
struct Body {
    blocks: u32,
    /// Loops around the innermost `except*`.
    star: Option<u32>,
}

struct Walk<'t> {
    checker: SemanticSyntaxChecker,
    context: Context<'t>,
    body: Body,
    /// The call whose function is visited next, by the range of that function.
    called: Option<(TextRange, &'t Arguments)>,
    /// Places around this one where a name may be missing.
    guarded: u32,
}

impl<'a> Walk<'a> {
    #[inline(never)]
    fn function(&mut self, def: &'a StmtFunctionDef) {
        self.context.bind(&def.name);
        if def.decorator_list.is_empty() {
            let takes = Takes { parameters: Some(&def.parameters), skipped: 0, name: def.name.range };
            self.context.takes(&def.name, takes);
        }
        def.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        self.defaults(&def.parameters);
        self.type_params(def.type_params.as_deref());
        for parameter in &*def.parameters {
            parameter.annotation().into_iter().for_each(|annotation| self.visit_annotation(annotation));
        }
        def.returns.iter().for_each(|returns| self.visit_annotation(returns));
        self.scope(Kind::Function { is_async: def.is_async }, Some(&def.parameters), &def.body);
        self.end_of_type_params(def.type_params.as_deref());
    }

    #[inline(never)]
    fn class(&mut self, class: &'a StmtClassDef) {
        self.context.bind(&class.name);
        if let Some(takes) = names::taken_by(class) {
            self.context.takes(&class.name, takes);
        }
        class.decorator_list.iter().for_each(|decorator| self.visit_decorator(decorator));
        self.type_params(class.type_params.as_deref());
        class.arguments.iter().for_each(|arguments| self.visit_arguments(arguments));
        self.scope(Kind::Class, None, &class.body);
        self.end_of_type_params(class.type_params.as_deref());
    }

    fn scope(&mut self, kind: Kind, parameters: Option<&'a Parameters>, body: &'a [Stmt]) {
        let outer = std::mem::take(&mut self.body);
        let loops = std::mem::take(&mut self.context.loops);
        self.context.enter(kind);
        if let Some(parameters) = parameters {
            self.context.parameters(parameters);
        }
        self.visit_body(body);
        self.context.leave();
        self.context.loops = loops;
        self.body = outer;
    }

    fn type_params(&mut self, parameters: Option<&'a TypeParams>) {
        let Some(parameters) = parameters else { return };
        self.context.enter(Kind::TypeParams);
        for parameter in parameters {
            self.context.say(parameter.name().as_str(), parameter.range(), NameUse::TypeParam);
        }
        self.visit_type_params(parameters);
    }

    fn end_of_type_params(&mut self, parameters: Option<&'a TypeParams>) {
        if parameters.is_some() {
            self.context.leave();
        }
    }

    fn defaults(&mut self, parameters: &'a Parameters) {
        for parameter in parameters.iter_non_variadic_params() {
            parameter.default.iter().for_each(|value| self.visit_expr(value));
        }
    }

    #[inline(never)]
    fn lambda(&mut self, lambda: &'a ExprLambda) {
        if let Some(parameters) = &lambda.parameters {
            self.defaults(parameters);
        }
        self.context.enter(Kind::Lambda);
        if let Some(parameters) = &lambda.parameters {
            self.context.parameters(parameters);
        }
        self.visit_expr(&lambda.body);
        self.context.leave();
    }

    /// The first iterable belongs to the scope around it, all else to the comprehension's own.
    #[inline(never)]
    fn comprehension(&mut self, clauses: &'a [Comprehension], is_generator: bool, values: [Option<&'a Expr>; 2]) {
        clauses.first().into_iter().for_each(|first| self.visit_expr(&first.iter));
        let is_async = clauses.iter().any(|clause| clause.is_async);
        self.context.enter(Kind::Comprehension { is_generator, is_async });
        for (at, clause) in clauses.iter().enumerate() {
            self.visit_expr(&clause.target);
            if at > 0 {
                self.visit_expr(&clause.iter);
            }
            clause.ifs.iter().for_each(|filter| self.visit_expr(filter));
        }
        values.into_iter().flatten().for_each(|value| self.visit_expr(value));
        self.context.leave();
    }

    fn repeated(&mut self, body: &'a [Stmt], range: TextRange) {
        self.context.loops += 1;
        self.block(body, range);
        self.context.loops -= 1;
    }

    fn block(&mut self, body: &'a [Stmt], range: TextRange) {
        self.body.blocks += 1;
        if self.body.blocks > MAX_BLOCKS {
            self.context.find(range, "too many statically nested blocks");
        }
        self.visit_body(body);
        self.body.blocks -= 1;
    }

    #[inline(never)]
    fn attempt(&mut self, attempt: &'a StmtTry) {
        let guards = u32::from(names::are_asked_for(attempt));
        self.guarded += guards;
        self.block(&attempt.body, attempt.range);
        self.guarded -= guards;
        for (at, ExceptHandler::ExceptHandler(handler)) in attempt.handlers.iter().enumerate() {
            if handler.type_.is_none() && at + 1 < attempt.handlers.len() {
                self.context.find(handler.range, "default 'except:' must be last");
            }
            handler.type_.iter().for_each(|kind| self.visit_expr(kind));
            handler.name.iter().for_each(|name| self.context.bind(name));
            let outer = self.body.star;
            if attempt.is_star {
                self.body.star = Some(self.context.loops);
            }
            self.block(&handler.body, handler.range);
            self.body.star = outer;
        }
        self.visit_body(&attempt.orelse);
        self.visit_body(&attempt.finalbody);
    }

    /// A statement that leaves an `except*` block.
    fn leaves(&mut self, loops: Option<u32>, range: TextRange) {
        if self.body.star.is_some_and(|star| loops.is_none_or(|loops| loops <= star)) {
            self.context.find(range, "'break', 'continue' and 'return' cannot appear in an 'except*' block");
        }
    }

    /// A star that no list, tuple or call takes.
    fn starred(&mut self, value: &Expr) {
        if value.is_starred_expr() {
            self.context.find(value.range(), "can't use starred expression here");
        }
    }

    fn debug(&mut self, name: &Identifier) {
        if name.as_str() == "__debug__" {
            self.context.find(name.range, "cannot assign to __debug__");
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::MatchOr(or) => {
                let others = or.patterns.split_last().map_or(&[][..], |(_, others)| others);
                if let Some(found) = others.iter().find_map(Pattern::irrefutable_pattern) {
                    self.context.find(found.range, "this pattern makes remaining patterns unreachable");
                }
            }
            Pattern::MatchValue(value) => self.literal(&value.value),
            Pattern::MatchMapping(mapping) => mapping.keys.iter().for_each(|key| self.literal(key)),
            _ => {}
        }
    }

    fn literal(&mut self, value: &Expr) {
        if matches!(value, Expr::FString(_) | Expr::TString(_)) {
            self.context.find(value.range(), "patterns may only match literals and attribute lookups");
        }
    }

    fn number(&mut self, range: TextRange) {
        let text = self.context.text(range);
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        if digits > MAX_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
            self.context.find(range, "Exceeds the limit (4300 digits) for integer string conversion");
        }
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if too_many_type_params(statement) {
            return self.context.find(statement.range(), "too many type parameters");
        }
        self.context.future(statement);
        self.checker.visit_stmt(statement, &self.context);
        match statement {
            Stmt::FunctionDef(def) => self.function(def),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::TypeAlias(alias) => {
                self.visit_expr(&alias.name);
                self.type_params(alias.type_params.as_deref());
                self.context.enter(Kind::TypeParams);
                self.visit_expr(&alias.value);
                self.context.leave();
                self.end_of_type_params(alias.type_params.as_deref());
            }
            Stmt::For(each) => {
                self.visit_expr(&each.target);
                self.visit_expr(&each.iter);
                self.repeated(&each.body, each.range);
                self.visit_body(&each.orelse);
            }
            Stmt::While(repeat) => {
                self.visit_expr(&repeat.test);
                self.repeated(&repeat.body, repeat.range);
                self.visit_body(&repeat.orelse);
            }
            Stmt::With(with) => {
                let outer = self.body.blocks;
                with.items.iter().for_each(|item| self.visit_with_item(item));
                self.body.blocks += u32::try_from(with.items.len()).unwrap_or(u32::MAX).saturating_sub(1);
                self.block(&with.body, with.range);
                self.body.blocks = outer;
            }
            Stmt::Try(attempt) => self.attempt(attempt),
            Stmt::Return(_) => {
                self.leaves(None, statement.range());
                walk_stmt(self, statement);
            }
            Stmt::Break(_) | Stmt::Continue(_) => self.leaves(Some(self.context.loops), statement.range()),
            Stmt::Global(global) => self.context.declare(&global.names, NameUse::Global),
            Stmt::Nonlocal(nonlocal) => self.context.declare(&nonlocal.names, NameUse::Nonlocal),
            Stmt::Expr(expression) => {
                self.starred(&expression.value);
                walk_stmt(self, statement);
            }
            Stmt::AnnAssign(assign) => {
                if let Expr::Name(name) = &*assign.target
                    && assign.simple
                {
                    self.context.say(name.id.as_str(), name.range, NameUse::Annotated);
                }
                walk_stmt(self, statement);
            }
            other => walk_stmt(self, other),
        }
    }

    fn visit_expr(&mut self, value: &'a Expr) {
        self.checker.visit_expr(value, &self.context);
        match value {
            Expr::Name(name) => {
                let said = if name.ctx.is_load() { NameUse::Used } else { NameUse::Bound };
                self.context.say(name.id.as_str(), name.range, said);
                let call = self.called.take_if(|(place, _)| *place == name.range).map(|(_, arguments)| arguments);
                if name.ctx.is_load() && self.guarded == 0 {
                    self.context.read(name.id.as_str(), name.range, call);
                }
            }
            Expr::Call(call) => {
                self.called = Some((call.func.range(), &call.arguments));
                walk_expr(self, value);
            }
            Expr::NumberLiteral(number) => self.number(number.range),
            Expr::Attribute(attribute) => {
                if !attribute.ctx.is_load() {
                    self.debug(&attribute.attr);
                }
                walk_expr(self, value);
            }
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    self.context.assigned_inside(name.id.as_str(), name.range);
                }
                walk_expr(self, value);
            }
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::ListComp(comp) => self.comprehension(&comp.generators, false, [None, Some(&comp.elt)]),
            Expr::SetComp(comp) => self.comprehension(&comp.generators, false, [None, Some(&comp.elt)]),
            Expr::DictComp(comp) => {
                self.comprehension(&comp.generators, false, [comp.key.as_deref(), Some(&comp.value)]);
            }
            Expr::Generator(comp) => self.comprehension(&comp.generators, true, [None, Some(&comp.elt)]),
            _ => walk_expr(self, value),
        }
    }

    fn visit_annotation(&mut self, annotation: &'a Expr) {
        let guards = u32::from(self.context.future_annotations_or_stub());
        self.guarded += guards;
        self.visit_expr(annotation);
        self.guarded -= guards;
    }

    fn visit_alias(&mut self, alias: &'a Alias) {
        let name = alias.asname.as_ref().unwrap_or(&alias.name);
        let first = name.split('.').next().unwrap_or_default();
        self.context.say(first, name.range, NameUse::Imported);
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        keyword.arg.iter().for_each(|name| self.debug(name));
        walk_keyword(self, keyword);
    }

    fn visit_pattern_keyword(&mut self, keyword: &'a PatternKeyword) {
        self.debug(&keyword.attr);
        walk_pattern_keyword(self, keyword);
    }

    fn visit_with_item(&mut self, item: &'a WithItem) {
        item.optional_vars.iter().for_each(|target| self.starred(target));
        walk_with_item(self, item);
    }

    fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
        if let InterpolatedStringElement::Interpolation(part) = element {
            self.starred(&part.expression);
        }
        walk_interpolated_string_element(self, element);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        self.pattern(pattern);
        let captured: Option<&Identifier> = match pattern {
            Pattern::MatchStar(star) => star.name.as_ref(),
            Pattern::MatchAs(bound) => bound.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = captured {
            self.context.bind(name);
        }
        walk_pattern(self, pattern);
    }
}

fn too_many_type_params(statement: &Stmt) -> bool {
    let parameters = match statement {
        Stmt::FunctionDef(def) => def.type_params.as_deref(),
        Stmt::ClassDef(class) => class.type_params.as_deref(),
        Stmt::TypeAlias(alias) => alias.type_params.as_deref(),
        _ => None,
    };
    parameters.is_some_and(|parameters| parameters.len() > MAX_TYPE_PARAMS)
}
