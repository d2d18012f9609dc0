//! All modules of a bundle together: which file a specifier means, what a name exports, which function an entry is.

mod exports;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::Diagnostic;
use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionExpression, Expression, FormalParameters, Function, VariableDeclarationKind};
use oxc_semantic::SymbolId;

use exports::{Exports, Local};

use crate::limits::MAX_EXPORT_STEPS;
use crate::module::{self, Module};

/// Re-exports that are followed one through another; a longer way is a circle or a mistake.
const MAX_HOPS: usize = 32;

/// The `.js` files of a bundle.
pub struct World<'a> {
    /// Those that parse, by path.
    pub modules: BTreeMap<&'a str, Module<'a>>,
    /// Every `.js` file of the bundle, those that do not parse too.
    pub paths: Vec<&'a str>,
    /// Why files do not parse, and what reads as a comment in one goal only: `CODE_SYNTAX`, `CODE_TOO_COMPLEX`,
    /// `CODE_HTML_COMMENT`.
    pub refused: Vec<Diagnostic>,
    exports: BTreeMap<&'a str, Exports<'a>>,
    /// Modules that were looked at to find exports.
    steps: Cell<usize>,
}

/// What an export stands for, and where it is declared.
pub struct Exported<'w, 'a> {
    /// The module that declares it.
    pub module: &'w Module<'a>,
    pub value: ExportedValue<'a>,
    /// The name under which that module exports it.
    name: String,
}

/// What a name stands for in its own module.
#[derive(Clone, Copy)]
pub enum ExportedValue<'a> {
    Symbol(SymbolId),
    /// A function without a declaration.
    Callable(Callable<'a>),
    /// Neither a declaration nor a function.
    Other,
}

/// How a function is reached in its module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binding {
    /// The export of that name; the default export is `default`.
    Export(String),
    /// A top-level function that is not exported.
    Local(String),
}

/// The function that a module stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFunction {
    /// The module that holds the function: another one than was asked for where it is re-exported.
    pub module: String,
    pub binding: Binding,
}

/// A function of the source.
#[derive(Clone, Copy)]
pub enum Callable<'a> {
    Function(&'a Function<'a>),
    Arrow(&'a ArrowFunctionExpression<'a>),
}

impl<'a> Callable<'a> {
    pub fn params(self) -> &'a FormalParameters<'a> {
        match self {
            Self::Function(function) => &function.params,
            Self::Arrow(arrow) => &arrow.params,
        }
    }

    /// The function that an expression is.
    pub fn of(expression: &'a Expression<'a>) -> Option<Self> {
        match expression {
            Expression::FunctionExpression(function) => Some(Self::Function(function)),
            Expression::ArrowFunctionExpression(arrow) => Some(Self::Arrow(arrow)),
            _ => None,
        }
    }

    /// The function that a declaration makes: a function declaration, or `const` bound to a function.
    pub fn declared(module: &Module<'a>, symbol: SymbolId) -> Option<Self> {
        let declaration = module.scoping().symbol_declaration(symbol);
        match module.kind(declaration) {
            AstKind::Function(function) => Some(Self::Function(function)),
            AstKind::VariableDeclarator(_) => match module.kind(module.parent(declaration)) {
                AstKind::VariableDeclaration(list) if list.kind == VariableDeclarationKind::Const => {
                    Self::of(module.bound_once(symbol)?)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'a> World<'a> {
    pub(crate) fn read(files: &'a BTreeMap<String, String>, arena: &'a Allocator) -> Self {
        let (mut modules, mut paths, mut refused) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".js")) {
            paths.push(path.as_str());
            let (module, mut diagnostics) = module::read(path, text, arena);
            refused.append(&mut diagnostics);
            modules.extend(module.map(|module| (path.as_str(), module)));
        }
        let exports = modules.iter().map(|(path, module)| (*path, Exports::of(module))).collect();
        Self { modules, paths, refused, exports, steps: Cell::new(0) }
    }

    /// The bundle's module that a specifier means: relative, with its ending.
    pub fn resolve(&self, from: &str, specifier: &str) -> Option<&'a str> {
        if !(specifier.starts_with("./") || specifier.starts_with("../")) {
            return None;
        }
        let mut segments: Vec<&str> = from.split('/').collect();
        segments.pop();
        for segment in specifier.split('/') {
            match segment {
                "." => {}
                ".." => {
                    segments.pop()?;
                }
                name => segments.push(name),
            }
        }
        let path = segments.join("/");
        self.paths.iter().find(|known| **known == path).copied()
    }

    /// The bundle's modules that a module imports, re-exports, or loads with `import()`.
    pub fn imports(&self, module: &Module<'a>) -> BTreeSet<String> {
        let late = module.nodes().iter().filter_map(|node| match node.kind() {
            AstKind::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(specifier) => Some(specifier.as_ref()),
                _ => None,
            },
            _ => None,
        });
        module
            .specifiers()
            .into_iter()
            .chain(late)
            .filter_map(|specifier| self.resolve(module.path, &specifier.value))
            .map(str::to_owned)
            .collect()
    }

    /// What `path` exports under `name`, through re-exports.
    pub fn exported(&self, path: &str, name: &str) -> Option<Exported<'_, 'a>> {
        self.exported_within(path, name, MAX_HOPS)
    }

    /// What a declared name stands for, through an import.
    pub fn imported(&self, module: &Module<'a>, symbol: SymbolId) -> Option<Exported<'_, 'a>> {
        let (path, name) = self.import_source(module, symbol)?;
        self.exported(path, &name)
    }

    /// Where an imported name comes from.
    fn import_source(&self, module: &Module<'a>, symbol: SymbolId) -> Option<(&'a str, String)> {
        let declaration = module.scoping().symbol_declaration(symbol);
        let name = match module.kind(declaration) {
            AstKind::ImportSpecifier(specifier) => specifier.imported.name().to_string(),
            AstKind::ImportDefaultSpecifier(_) => "default".to_owned(),
            _ => return None,
        };
        let AstKind::ImportDeclaration(import) = module.kind(module.parent(declaration)) else { return None };
        Some((self.resolve(module.path, &import.source.value)?, name))
    }

    fn exported_within(&self, path: &str, name: &str, hops: usize) -> Option<Exported<'_, 'a>> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > MAX_EXPORT_STEPS {
            return None;
        }
        let (module, exports) = (self.modules.get(path)?, self.exports.get(path)?);
        let hops = hops.checked_sub(1)?;
        let here = |value| Some(Exported { module, value, name: name.to_owned() });
        match exports.names.get(name) {
            Some(Local::Symbol(symbol)) => match self.import_source(module, *symbol) {
                Some((path, name)) => self.exported_within(path, &name, hops),
                None => here(ExportedValue::Symbol(*symbol)),
            },
            Some(Local::Callable(callable)) => here(ExportedValue::Callable(*callable)),
            Some(Local::Other) => here(ExportedValue::Other),
            Some(Local::From { specifier, name }) => {
                self.exported_within(self.resolve(module.path, specifier)?, name, hops)
            }
            Some(Local::Missing) => None,
            // `export *` never gives the default.
            None if name == "default" => None,
            None => exports.stars.iter().find_map(|specifier| {
                let path = self.resolve(module.path, specifier)?;
                self.exported_within(path, name, hops / 2)
            }),
        }
    }

    /// The function that a module stands for: its default export, else what it exports as `named`, else its own
    /// top-level function of that name.
    pub fn entry(&self, path: &str, named: &str) -> Option<(EntryFunction, Callable<'a>)> {
        for name in ["default", named] {
            let Some(exported) = self.exported(path, name) else { continue };
            let callable = match exported.value {
                ExportedValue::Symbol(symbol) => Callable::declared(exported.module, symbol),
                ExportedValue::Callable(callable) => Some(callable),
                ExportedValue::Other => None,
            };
            if let Some(callable) = callable {
                let module = exported.module.path.to_owned();
                return Some((EntryFunction { module, binding: Binding::Export(exported.name) }, callable));
            }
        }
        let module = self.modules.get(path)?;
        let symbol = module.scoping().get_root_binding(oxc_str::Ident::from(named))?;
        let callable = Callable::declared(module, symbol)?;
        Some((EntryFunction { module: path.to_owned(), binding: Binding::Local(named.to_owned()) }, callable))
    }
}
