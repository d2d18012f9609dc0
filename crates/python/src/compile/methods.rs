//! Calls of an object's own methods (`self.area(2)`) that do not fit, or name a method that is not there (spec:
//! script-tool.md §2).
//!
//! Promise: what is found is wrong in each run that comes there, as with names. So a method counts only where one class
//! of the module defines it, once, and nothing decorates it or puts anything else in its place; one that is missing
//! counts only where the module makes objects of the class, and it
//! stands alone. Where attributes come from what stands nowhere in the text, nothing is said.

use std::collections::{HashMap, HashSet};

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprAttribute, ExprCall, Parameters, Stmt, StmtClassDef, StmtFunctionDef, name};
use ruff_text_size::{Ranged, TextRange};

use super::context::Takes;
use super::names::{BadName, What, misfit};

/// Names by which attributes are set that stand nowhere in the text.
const SETS_ANY: &[&str] = &[
    "__class__",
    "__dict__",
    "__getattr__",
    "__getattribute__",
    "exec",
    "eval",
    "globals",
    "locals",
    "setattr",
    "vars",
];

/// The faults of a module, in the order of its text; `text` is what stands in a range.
pub fn faults<'t>(module: &'t [Stmt], text: impl Fn(TextRange) -> &'t str) -> Vec<BadName<'t>> {
    let mut known = Known::default();
    Each(&mut known).visit_body(module);
    if known.is_open {
        return Vec::new();
    }
    let mut calls = Calls::default();
    calls.visit_body(module);
    calls.own.iter().filter_map(|call| known.fault(call, &text)).collect()
}

/// What the module says of attributes.
#[derive(Default)]
struct Known<'t> {
    /// Plain definitions in the bodies of classes, by name, with the range of their class.
    methods: HashMap<&'t str, Vec<(TextRange, &'t StmtFunctionDef)>>,
    /// Attributes that are, or may be, something else.
    others: HashSet<&'t str>,
    /// Names that some class names as what it comes from.
    bases: HashSet<&'t str>,
    /// Names that are called: a class that the module makes no object of may be half of one elsewhere.
    made: HashSet<&'t str>,
    is_open: bool,
}

impl<'t> Known<'t> {
    fn class(&mut self, class: &'t StmtClassDef) {
        self.bases.extend(class.arguments.iter().flat_map(|arguments| &arguments.args).filter_map(first_name));
        let mut inside = Bound::default();
        for part in &class.body {
            match part {
                Stmt::FunctionDef(def) => {
                    self.is_open |= SETS_ANY.contains(&def.name.as_str());
                    if def.decorator_list.is_empty() {
                        self.methods.entry(def.name.as_str()).or_default().push((class.range, def));
                    } else {
                        self.others.insert(def.name.as_str());
                    }
                }
                other => Each(&mut inside).visit_stmt(other),
            }
        }
        self.others.extend(inside.0);
    }

    fn fault(&self, call: &OwnCall<'t>, text: &impl Fn(TextRange) -> &'t str) -> Option<BadName<'t>> {
        let name = call.method.as_str();
        if self.others.contains(name) {
            return None;
        }
        match self.methods.get(name).map(Vec::as_slice) {
            Some([(class, only)]) if *class == call.class.range => {
                let takes = Takes { parameters: Some(&only.parameters), skipped: 1, name: only.name.range };
                let takes_itself = only.parameters.posonlyargs.len() + only.parameters.args.len() > 0;
                let (what, range) = misfit(&takes, &call.call.arguments).filter(|_| takes_itself)?;
                let range = range.unwrap_or(call.call.func.range());
                Some(BadName { name, range, what, definition: Some(only.name.range) })
            }
            Some(_) => None,
            None => {
                let stands_alone = call.class.arguments.is_none()
                    && call.class.decorator_list.is_empty()
                    && self.made.contains(call.class.name.as_str())
                    && !self.bases.contains(call.class.name.as_str());
                let is_special = name.starts_with("__") && name.ends_with("__");
                let range = call.call.func.range();
                let unbound = BadName { name: text(range), range, what: What::Unbound, definition: None };
                (stands_alone && !is_special).then_some(unbound)
            }
        }
    }
}

impl<'t> Note<'t> for Known<'t> {
    fn statement(&mut self, statement: &'t Stmt) -> bool {
        if let Stmt::ClassDef(class) = statement {
            self.class(class);
        }
        true
    }

    fn expression(&mut self, expression: &'t Expr) {
        match expression {
            Expr::Attribute(ExprAttribute { attr, ctx, .. }) => {
                self.is_open |= SETS_ANY.contains(&attr.as_str());
                if !ctx.is_load() {
                    self.others.insert(attr.as_str());
                }
            }
            Expr::Name(name) => self.is_open |= SETS_ANY.contains(&name.id.as_str()),
            Expr::Call(call) => {
                if let Expr::Name(name) = &*call.func {
                    self.made.insert(name.id.as_str());
                }
            }
            _ => {}
        }
    }
}

/// What looks at each statement and expression. One walk serves all that do, as a walk is much code.
trait Note<'t> {
    /// Answers whether to look inside.
    fn statement(&mut self, statement: &'t Stmt) -> bool;
    fn expression(&mut self, expression: &'t Expr);
}

struct Each<'n, 't>(&'n mut dyn Note<'t>);

impl<'t> Visitor<'t> for Each<'_, 't> {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        if self.0.statement(statement) {
            walk_stmt(self, statement);
        }
    }

    fn visit_expr(&mut self, expression: &'t Expr) {
        let mut open = Some(expression);
        while let Some(part) = open {
            self.0.expression(part);
            open = parts(self, part);
        }
    }
}

/// The name that an expression begins with: `a` of `a.b[c]`.
fn first_name(mut expression: &Expr) -> Option<&str> {
    loop {
        expression = match expression {
            Expr::Name(name) => return Some(name.id.as_str()),
            Expr::Attribute(member) => &member.value,
            Expr::Subscript(item) => &item.value,
            Expr::Call(call) => &call.func,
            _ => return None,
        };
    }
}

/// Visits the parts of an expression, up to the one in which a long one goes on: sums, calls and members in a row cost
/// no stack.
fn parts<'t>(visitor: &mut impl Visitor<'t>, expression: &'t Expr) -> Option<&'t Expr> {
    match expression {
        Expr::BinOp(sum) => {
            visitor.visit_expr(&sum.right);
            Some(&sum.left)
        }
        Expr::Attribute(member) => Some(&member.value),
        Expr::Subscript(item) => {
            visitor.visit_expr(&item.slice);
            Some(&item.value)
        }
        Expr::Call(call) => {
            visitor.visit_arguments(&call.arguments);
            Some(&call.func)
        }
        other => {
            walk_expr(visitor, other);
            None
        }
    }
}

/// Names that statements of a class bind, without those of functions and classes in it.
#[derive(Default)]
struct Bound<'t>(HashSet<&'t str>);

impl<'t> Note<'t> for Bound<'t> {
    fn statement(&mut self, statement: &'t Stmt) -> bool {
        match statement {
            Stmt::FunctionDef(def) => drop(self.0.insert(def.name.as_str())),
            Stmt::ClassDef(class) => drop(self.0.insert(class.name.as_str())),
            Stmt::Import(import) => self.0.extend(import.names.iter().map(bound)),
            Stmt::ImportFrom(import) => self.0.extend(import.names.iter().map(bound)),
            _ => return true,
        }
        false
    }

    fn expression(&mut self, expression: &'t Expr) {
        if let Expr::Name(name) = expression
            && !name.ctx.is_load()
        {
            self.0.insert(name.id.as_str());
        }
    }
}

fn bound(alias: &ruff_python_ast::Alias) -> &str {
    let path = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
    path.split('.').next().unwrap_or(path)
}

/// A call of a method of the object that a method was called on.
struct OwnCall<'t> {
    class: &'t StmtClassDef,
    method: &'t name::Name,
    call: &'t ExprCall,
}

#[derive(Default)]
struct Calls<'t> {
    own: Vec<OwnCall<'t>>,
    /// The class around, and what its methods call their object here.
    inside: Option<(&'t StmtClassDef, &'t str)>,
}

impl<'t> Calls<'t> {
    /// What a method calls its object, where it calls nothing else so.
    fn object(def: &'t StmtFunctionDef) -> Option<&'t str> {
        let first = def.parameters.posonlyargs.iter().chain(&def.parameters.args).next()?;
        let name = first.name().as_str();
        let mut inside = Bound::default();
        Each(&mut inside).visit_body(&def.body);
        (def.decorator_list.is_empty() && !inside.0.contains(name)).then_some(name)
    }

    fn note(&mut self, expression: &'t Expr) {
        if let (Some((class, object)), Expr::Call(call)) = (self.inside, expression)
            && let Expr::Attribute(method) = &*call.func
            && matches!(&*method.value, Expr::Name(name) if name.id.as_str() == object)
        {
            self.own.push(OwnCall { class, method: &method.attr.id, call });
        }
    }

    fn unless_shadowed(&mut self, parameters: Option<&Parameters>, expression: &'t Expr) {
        let outer = self.inside;
        self.inside = outer.filter(|_| !self.is_shadowed(parameters));
        walk_expr(self, expression);
        self.inside = outer;
    }

    /// Whether parameters give the name of the object another meaning.
    fn is_shadowed(&self, parameters: Option<&Parameters>) -> bool {
        self.inside.is_some_and(|(_, object)| parameters.is_some_and(|own| own.includes(object)))
    }
}

impl<'t> Visitor<'t> for Calls<'t> {
    fn visit_stmt(&mut self, statement: &'t Stmt) {
        match statement {
            Stmt::ClassDef(class) => {
                let outer = self.inside.take();
                for part in &class.body {
                    if let Stmt::FunctionDef(def) = part {
                        self.inside = Self::object(def).map(|object| (class, object));
                        self.visit_body(&def.body);
                        self.inside = None;
                    } else {
                        self.visit_stmt(part);
                    }
                }
                self.inside = outer;
            }
            Stmt::FunctionDef(def) => {
                let outer = self.inside;
                self.inside = outer.filter(|_| !self.is_shadowed(Some(&def.parameters)));
                walk_stmt(self, statement);
                self.inside = outer;
            }
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'t Expr) {
        let mut open = Some(expression);
        while let Some(part) = open {
            if let Expr::Lambda(lambda) = part {
                return self.unless_shadowed(lambda.parameters.as_deref(), part);
            }
            self.note(part);
            open = parts(self, part);
        }
    }
}
