//! The scopes around a place, and what was said of each name in them.
//!
//! Owns the rules of `global` and `nonlocal`, which need the order of a scope's names and the scopes around it. The
//! checker's own hooks for them answer that there is nothing to say.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use ruff_python_ast::{Arguments, Identifier, Parameters, PythonVersion, Stmt};
use ruff_python_parser::semantic_errors::{LazyImportContext, SemanticSyntaxContext, SemanticSyntaxError};
use ruff_text_size::{Ranged, TextRange};

/// What has names of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Module,
    Class,
    Function {
        is_async: bool,
    },
    Lambda,
    Comprehension {
        is_generator: bool,
        is_async: bool,
    },
    /// Type parameters, and the value of an alias.
    TypeParams,
}

/// What is said of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum NameUse {
    Used = 1,
    Bound = 2,
    Parameter = 4,
    Global = 8,
    Nonlocal = 16,
    Annotated = 32,
    TypeParam = 64,
    Imported = 128,
}

/// Everything that was said of a name in a scope.
type Names = u8;

/// A name in a scope.
#[derive(Debug, Default)]
pub struct Name<'t> {
    said: Names,
    /// How often it was bound.
    pub bindings: u32,
    /// What a call of it takes, where its last binding tells.
    pub takes: Option<Takes<'t>>,
}

/// What a call takes: the parameters of a `def`, or of a class's `__init__` behind the first.
#[derive(Debug, Clone, Copy)]
pub struct Takes<'t> {
    /// None: no parameter at all.
    pub parameters: Option<&'t Parameters>,
    pub skipped: usize,
    /// Where its name stands in the text.
    pub name: TextRange,
}

/// A name that is read, and what it is called with, where it is called.
#[derive(Debug)]
pub struct Read<'t> {
    pub name: &'t str,
    pub range: TextRange,
    pub call: Option<&'t Arguments>,
    scope: usize,
}

/// Makes a name one of its scope.
const BINDS: Names =
    NameUse::Bound as u8 | NameUse::Imported as u8 | NameUse::Parameter as u8 | NameUse::Nonlocal as u8;
/// Says that another scope has the name.
const FAR: Names = NameUse::Global as u8 | NameUse::Nonlocal as u8;

#[derive(Debug)]
struct Scope<'t> {
    kind: Kind,
    parent: Option<usize>,
    names: HashMap<String, Name<'t>>,
}

/// A name that a scope around must bind.
#[derive(Debug)]
struct Sought {
    name: String,
    range: TextRange,
    scope: usize,
}

#[derive(Debug)]
pub struct Context<'t> {
    source: &'t str,
    scopes: Vec<Scope<'t>>,
    /// In the order of the walk.
    pub reads: Vec<Read<'t>>,
    current: Option<usize>,
    sought: Vec<Sought>,
    has_future_annotations: bool,
    /// Loops of this function around the place.
    pub loops: u32,
    errors: RefCell<Vec<(TextRange, String)>>,
}

impl<'t> Context<'t> {
    pub fn new(source: &'t str) -> Self {
        Self {
            source,
            scopes: Vec::new(),
            reads: Vec::new(),
            current: None,
            sought: Vec::new(),
            has_future_annotations: false,
            loops: 0,
            errors: RefCell::default(),
        }
    }

    /// Opens a scope in the current one.
    pub fn enter(&mut self, kind: Kind) {
        self.scopes.push(Scope { kind, parent: self.current, names: HashMap::new() });
        self.current = Some(self.scopes.len() - 1);
    }

    pub fn leave(&mut self) {
        self.current = self.current.and_then(|at| self.scopes[at].parent);
    }

    pub fn find(&self, range: TextRange, message: impl Into<String>) {
        self.errors.borrow_mut().push((range, message.into()));
    }

    /// The text of a range.
    pub fn text(&self, range: TextRange) -> &'t str {
        &self.source[range]
    }

    /// The first error, once the walk is over.
    pub fn first_error(&mut self) -> Option<(TextRange, String)> {
        for sought in &self.sought {
            match self.bound_around(sought) {
                Some(names) if names & NameUse::TypeParam as u8 == 0 => {}
                Some(_) => {
                    let name = &sought.name;
                    self.find(sought.range, format!("nonlocal binding not allowed for type parameter '{name}'"));
                }
                None => self.find(sought.range, format!("no binding for nonlocal '{}' found", sought.name)),
            }
        }
        self.errors.take().into_iter().min_by_key(|(range, _)| range.start())
    }

    /// What is said of a name where it is bound, in the functions around a scope.
    fn bound_around(&self, sought: &Sought) -> Option<Names> {
        let mut at = self.scopes[sought.scope].parent;
        while let Some(scope) = at.map(|at| &self.scopes[at]) {
            let names = scope.names.get(&sought.name).map_or(0, |name| name.said);
            match scope.kind {
                Kind::Class if sought.name == "__class__" => return Some(NameUse::Bound as u8),
                Kind::TypeParams if names & NameUse::TypeParam as u8 != 0 => return Some(names),
                Kind::Function { .. } | Kind::Lambda if names & NameUse::Global as u8 != 0 => return None,
                Kind::Function { .. } | Kind::Lambda if names & BINDS != 0 => {
                    return Some(names);
                }
                _ => at = scope.parent,
            }
        }
        None
    }

    /// Notes what is said of a name here.
    pub fn say(&mut self, name: &str, range: TextRange, said: NameUse) {
        let Some(scope) = self.current.and_then(|at| self.scopes.get_mut(at)) else { return };
        let kind = scope.kind;
        let named = match scope.names.get_mut(name) {
            Some(named) => named,
            None => scope.names.entry(name.to_owned()).or_default(),
        };
        let was = named.said;
        named.said |= said as u8;
        if said as u8 & (BINDS | NameUse::TypeParam as u8) != 0 {
            named.bindings += 1;
            named.takes = None;
        }
        if said == NameUse::Annotated
            && kind != Kind::Module
            && was & (NameUse::Global as u8 | NameUse::Nonlocal as u8) != 0
        {
            let declared = if was & NameUse::Global as u8 != 0 { "global" } else { "nonlocal" };
            self.find(range, format!("annotated name '{name}' can't be {declared}"));
        }
    }

    /// Notes that a name is bound here.
    pub fn bind(&mut self, name: &Identifier) {
        self.say(name.as_str(), name.range, NameUse::Bound);
    }

    /// Notes what a call of a name takes that was bound just now.
    pub fn takes(&mut self, name: &str, takes: Takes<'t>) {
        let scope = self.current.and_then(|at| self.scopes.get_mut(at));
        if let Some(named) = scope.and_then(|scope| scope.names.get_mut(name)) {
            named.takes = Some(takes);
        }
    }

    /// Notes that a name is read here, called with these arguments.
    pub fn read(&mut self, name: &'t str, range: TextRange, call: Option<&'t Arguments>) {
        if let Some(scope) = self.current {
            self.reads.push(Read { name, range, call, scope });
        }
    }

    /// What a name that is read stands for, where one scope around it binds it.
    pub fn bound(&self, read: &Read) -> Option<&Name<'t>> {
        let mut at = Some(read.scope);
        let mut seen = true; // the names of a class are seen in its own body
        while let Some(scope) = at.map(|at| &self.scopes[at]) {
            let sees = seen || scope.kind != Kind::Class;
            let known = scope.names.get(read.name).filter(|name| sees && (name.bindings > 0 || name.said & FAR != 0));
            if known.is_some() {
                return known;
            }
            seen &= matches!(scope.kind, Kind::Comprehension { .. } | Kind::TypeParams);
            at = scope.parent;
        }
        None
    }

    /// Names that some scope declares to be another's, which it may bind there.
    pub fn bound_from_afar(&self) -> HashSet<&str> {
        let names = self.scopes.iter().flat_map(|scope| &scope.names);
        names.filter(|(_, name)| name.said & FAR != 0).map(|(name, _)| name.as_str()).collect()
    }

    /// Whether some scope takes all names of another module.
    pub fn takes_all_names(&self) -> bool {
        self.scopes.iter().any(|scope| scope.names.contains_key("*"))
    }

    /// Notes a name of `:=`, which belongs to the scope around comprehensions.
    pub fn assigned_inside(&mut self, name: &str, range: TextRange) {
        let inner = self.current;
        while self.kinds().next().is_some_and(|kind| matches!(kind, Kind::Comprehension { .. })) {
            self.leave();
        }
        self.say(name, range, NameUse::Bound);
        self.current = inner;
    }

    /// Notes the parameters of a function.
    pub fn parameters(&mut self, parameters: &Parameters) {
        for parameter in parameters {
            self.say(parameter.name().as_str(), parameter.name().range(), NameUse::Parameter);
        }
    }

    pub fn declare(&mut self, names: &[Identifier], said: NameUse) {
        let Some(scope) = self.current else { return };
        let (this, other) = match said {
            NameUse::Global => ("global", NameUse::Nonlocal),
            _ => ("nonlocal", NameUse::Global),
        };
        for name in names {
            let known = self.scopes[scope].names.get(name.as_str()).map_or(0, |name| name.said);
            let has = |said: NameUse| known & said as u8 != 0;
            let fault = if has(NameUse::Parameter) {
                Some(format!("name '{name}' is parameter and {this}"))
            } else if has(other) {
                Some(format!("name '{name}' is nonlocal and global"))
            } else if has(NameUse::Annotated) {
                Some(format!("annotated name '{name}' can't be {this}"))
            } else if has(NameUse::Bound) {
                Some(format!("name '{name}' is assigned to before {this} declaration"))
            } else if has(NameUse::Used) {
                Some(format!("name '{name}' is used prior to {this} declaration"))
            } else {
                None
            };
            match fault {
                Some(fault) => self.find(name.range, fault),
                None if said == NameUse::Nonlocal && self.scopes[scope].kind != Kind::Module => {
                    self.sought.push(Sought { name: name.to_string(), range: name.range, scope });
                }
                None => {}
            }
            self.say(name.as_str(), name.range, said);
        }
    }

    /// Notes whether annotations are evaluated.
    pub fn future(&mut self, statement: &Stmt) {
        if let Stmt::ImportFrom(import) = statement
            && import.module.as_deref() == Some("__future__")
        {
            self.has_future_annotations |= import.names.iter().any(|name| name.name.as_str() == "annotations");
        }
    }

    /// The kinds of the scopes around a place, from the inside.
    fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        let scopes = std::iter::successors(self.current, |at| self.scopes[*at].parent);
        scopes.map(|at| self.scopes[at].kind)
    }
}

impl SemanticSyntaxContext for Context<'_> {
    fn future_annotations_or_stub(&self) -> bool {
        self.has_future_annotations
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        None
    }

    fn python_version(&self) -> PythonVersion {
        PythonVersion::PY313
    }

    fn source(&self) -> &str {
        self.source
    }

    fn global(&self, _: &str) -> Option<TextRange> {
        None
    }

    fn has_nonlocal_binding(&self, _: &str) -> bool {
        true
    }

    fn in_async_context(&self) -> bool {
        for kind in self.kinds() {
            match kind {
                Kind::Function { is_async } => return is_async,
                Kind::Class | Kind::Lambda => return false,
                Kind::Module | Kind::Comprehension { .. } | Kind::TypeParams => {}
            }
        }
        false
    }

    fn in_await_allowed_context(&self) -> bool {
        for kind in self.kinds() {
            match kind {
                Kind::Function { .. } | Kind::Lambda => return true,
                Kind::Class => return false,
                Kind::Module | Kind::Comprehension { .. } | Kind::TypeParams => {}
            }
        }
        false
    }

    fn in_yield_allowed_context(&self) -> bool {
        for kind in self.kinds() {
            match kind {
                Kind::Function { .. } | Kind::Lambda => return true,
                Kind::Class | Kind::Comprehension { .. } => return false,
                Kind::Module | Kind::TypeParams => {}
            }
        }
        false
    }

    fn in_sync_comprehension(&self) -> bool {
        self.kinds().any(|kind| matches!(kind, Kind::Comprehension { is_generator: false, is_async: false }))
    }

    fn in_class_body_comprehension(&self) -> bool {
        for kind in self.kinds() {
            match kind {
                Kind::Class => return true,
                Kind::Comprehension { .. } | Kind::TypeParams => {}
                Kind::Module | Kind::Function { .. } | Kind::Lambda => return false,
            }
        }
        false
    }

    fn in_module_scope(&self) -> bool {
        self.kinds().next() == Some(Kind::Module)
    }

    fn in_function_scope(&self) -> bool {
        matches!(self.kinds().next(), Some(Kind::Function { .. } | Kind::Lambda))
    }

    fn in_generator_context(&self) -> bool {
        self.kinds().any(|kind| matches!(kind, Kind::Comprehension { is_generator: true, .. }))
    }

    fn in_notebook(&self) -> bool {
        false
    }

    fn report_semantic_error(&self, error: SemanticSyntaxError) {
        self.find(error.range, error.to_string());
    }

    fn in_loop_context(&self) -> bool {
        self.loops > 0
    }

    fn is_bound_parameter(&self, _: &str) -> bool {
        false
    }
}
