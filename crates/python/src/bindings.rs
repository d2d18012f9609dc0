//! The names that a module binds at module level (spec: script-tool.md §2).
//!
//! Module level includes the blocks of `if`, `for`, `while`, `with`, `try` and `match`, never a class or function body.
//! The name of an `except … as` is none: Python takes it away at the end of its block.

use holdpoint_check::Range;
use holdpoint_check::python::{PythonBinding, PythonBindingKind};
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{Alias, Decorator, ExceptHandler, Identifier, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

use crate::targets::{Named, of_pattern, of_target, of_value};

/// A binding with byte offsets.
#[derive(Debug)]
pub struct Bound {
    name: String,
    kind: PythonBindingKind,
    block: u32,
    range: TextRange,
}

impl Bound {
    /// The binding with lines and columns.
    pub fn placed(self, place: impl Fn(TextRange) -> Range) -> PythonBinding {
        let range = place(self.range);
        PythonBinding { name: self.name, kind: self.kind, line: range.start.line, block: self.block, range }
    }
}

/// All bindings of a module, in the order of the text.
pub fn of(module: &[Stmt], tokens: &Tokens) -> Vec<Bound> {
    let mut walk = Walk { tokens, blocks: 0, bound: Vec::new() };
    walk.block(module);
    walk.bound
}

struct Walk<'t> {
    tokens: &'t Tokens,
    blocks: u32,
    bound: Vec<Bound>,
}

impl Walk<'_> {
    fn block(&mut self, statements: &[Stmt]) {
        let block = self.blocks;
        self.blocks += 1;
        for statement in statements {
            self.statement(statement, block);
        }
    }

    fn bind(&mut self, name: &str, kind: PythonBindingKind, block: u32, range: TextRange) {
        self.bound.push(Bound { name: name.to_owned(), kind, block, range });
    }

    /// Binds what `names` finds as assignments.
    fn assign(&mut self, block: u32, names: impl FnOnce(&mut dyn FnMut(&str, TextRange))) {
        names(&mut |name, range| self.bind(name, PythonBindingKind::Assignment, block, range));
    }

    fn statement(&mut self, statement: &Stmt, block: u32) {
        match statement {
            Stmt::FunctionDef(def) => {
                self.assign(block, |take| {
                    let mut named = Named { take };
                    def.decorator_list.iter().for_each(|decorator| named.visit_decorator(decorator));
                    named.visit_parameters(&def.parameters);
                    def.returns.iter().for_each(|returns| named.visit_expr(returns));
                });
                self.define(PythonBindingKind::Def, block, def.range, &def.decorator_list, &def.name);
            }
            Stmt::ClassDef(class) => {
                self.assign(block, |take| {
                    let mut named = Named { take };
                    class.decorator_list.iter().for_each(|decorator| named.visit_decorator(decorator));
                    class.arguments.iter().for_each(|arguments| named.visit_arguments(arguments));
                });
                self.define(PythonBindingKind::Class, block, class.range, &class.decorator_list, &class.name);
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    // `import a.b` binds `a`.
                    let first = if alias.asname.is_some() { name.as_str() } else { first_segment(name) };
                    self.bind(first, PythonBindingKind::Import, block, name.range);
                }
            }
            Stmt::ImportFrom(import) => {
                for Alias { name, asname, .. } in &import.names {
                    let name = asname.as_ref().unwrap_or(name);
                    self.bind(name, PythonBindingKind::Import, block, name.range);
                }
            }
            Stmt::Assign(assign) => self.assign(block, |take| {
                assign.targets.iter().for_each(|target| of_target(target, take));
                of_value(&assign.value, take);
            }),
            Stmt::AugAssign(assign) => self.assign(block, |take| {
                of_target(&assign.target, take);
                of_value(&assign.value, take);
            }),
            Stmt::AnnAssign(assign) => {
                // Without a value only the annotation is kept.
                if let Some(value) = &assign.value {
                    self.assign(block, |take| {
                        of_target(&assign.target, take);
                        of_value(value, take);
                    });
                }
            }
            Stmt::TypeAlias(alias) => self.assign(block, |take| of_target(&alias.name, take)),
            Stmt::For(each) => {
                self.assign(block, |take| {
                    of_target(&each.target, take);
                    of_value(&each.iter, take);
                });
                self.block(&each.body);
                self.block(&each.orelse);
            }
            Stmt::While(repeat) => {
                self.assign(block, |take| of_value(&repeat.test, take));
                self.block(&repeat.body);
                self.block(&repeat.orelse);
            }
            Stmt::If(choice) => {
                self.assign(block, |take| of_value(&choice.test, take));
                self.block(&choice.body);
                for clause in &choice.elif_else_clauses {
                    self.assign(block, |take| clause.test.iter().for_each(|test| of_value(test, take)));
                    self.block(&clause.body);
                }
            }
            Stmt::With(with) => {
                self.assign(block, |take| {
                    for item in &with.items {
                        of_value(&item.context_expr, take);
                        item.optional_vars.iter().for_each(|target| of_target(target, take));
                    }
                });
                self.block(&with.body);
            }
            Stmt::Try(attempt) => {
                self.block(&attempt.body);
                for ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    self.assign(block, |take| handler.type_.iter().for_each(|kind| of_value(kind, take)));
                    self.block(&handler.body);
                }
                self.block(&attempt.orelse);
                self.block(&attempt.finalbody);
            }
            Stmt::Match(choice) => {
                self.assign(block, |take| of_value(&choice.subject, take));
                for case in &choice.cases {
                    self.assign(block, |take| {
                        of_pattern(&case.pattern, take);
                        case.guard.iter().for_each(|guard| of_value(guard, take));
                    });
                    self.block(&case.body);
                }
            }
            simple => self.assign(block, |take| walk_stmt(&mut Named { take }, simple)),
        }
    }

    /// Binds the name of a `def` or `class`; its place begins behind the decorators.
    fn define(
        &mut self,
        kind: PythonBindingKind,
        block: u32,
        whole: TextRange,
        decorators: &[Decorator],
        name: &Identifier,
    ) {
        let start = decorators.last().map_or(whole.start(), |last| self.keyword_behind(last.end()));
        self.bind(name, kind, block, TextRange::new(start, name.end()));
    }

    fn keyword_behind(&self, offset: TextSize) -> TextSize {
        let keyword = |kind: TokenKind| matches!(kind, TokenKind::Async | TokenKind::Def | TokenKind::Class);
        let behind = self.tokens.partition_point(|token| token.end() <= offset);
        let mut rest = self.tokens.iter().skip(behind);
        rest.find(|token| keyword(token.kind())).map_or(offset, Ranged::start)
    }
}

fn first_segment(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}
