//! All modules of a bundle together: which file a specifier means, what a name exports, which function an entry is.

mod exports;

use std::cell::Cell;
use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionExpression, Expression, FormalParameters, Function, Statement, VariableDeclarationKind,
};
use oxc_semantic::SymbolId;

use exports::{Exports, Local};

use super::limits::MAX_EXPORT_STEPS;
use super::module::Module;
use super::report::{Binding, Entry, EntryFunction};

/// Re-exports that are followed one through another; a longer way is a circle or a mistake.
const MAX_HOPS: usize = 32;

/// The parsed modules, by path.
pub(super) struct World<'a> {
    pub(super) modules: BTreeMap<&'a str, Module<'a>>,
    /// Every `.js` file of the bundle, those that do not parse too.
    pub(super) paths: Vec<&'a str>,
    exports: BTreeMap<&'a str, Exports<'a>>,
    /// Modules that were looked at to find exports.
    steps: Cell<usize>,
}

/// What an export stands for, and where it is declared.
pub(super) struct Exported<'w, 'a> {
    pub(super) module: &'w Module<'a>,
    pub(super) value: ExportedValue<'a>,
    /// The name under which that module exports it.
    name: String,
}

/// What a name stands for in its own module.
#[derive(Clone, Copy)]
pub(super) enum ExportedValue<'a> {
    Symbol(SymbolId),
    Callable(Callable<'a>),
    /// Neither a declaration nor a function.
    Other,
}

/// A function of the source.
#[derive(Clone, Copy)]
pub(super) enum Callable<'a> {
    Function(&'a Function<'a>),
    Arrow(&'a ArrowFunctionExpression<'a>),
}

impl<'a> Callable<'a> {
    pub(super) fn params(self) -> &'a FormalParameters<'a> {
        match self {
            Self::Function(function) => &function.params,
            Self::Arrow(arrow) => &arrow.params,
        }
    }

    /// The function that an expression is.
    pub(super) fn of(expression: &'a Expression<'a>) -> Option<Self> {
        match expression {
            Expression::FunctionExpression(function) => Some(Self::Function(function)),
            Expression::ArrowFunctionExpression(arrow) => Some(Self::Arrow(arrow)),
            _ => None,
        }
    }

    /// The function that a declaration makes: a function declaration, or `const` bound to a function.
    pub(super) fn declared(module: &Module<'a>, symbol: SymbolId) -> Option<Self> {
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

/// The bundle's module that a specifier means: relative, with its ending.
pub(super) fn resolve<'p>(paths: &[&'p str], from: &str, specifier: &str) -> Option<&'p str> {
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
    paths.iter().find(|known| **known == path).copied()
}

impl<'a> World<'a> {
    pub(super) fn new(modules: BTreeMap<&'a str, Module<'a>>, paths: Vec<&'a str>) -> Self {
        let exports = modules.iter().map(|(path, module)| (*path, Exports::of(module))).collect();
        Self { modules, paths, exports, steps: Cell::new(0) }
    }

    pub(super) fn resolve(&self, from: &str, specifier: &str) -> Option<&'a str> {
        resolve(&self.paths, from, specifier)
    }

    /// What `path` exports under `name`, through re-exports.
    pub(super) fn exported(&self, path: &str, name: &str) -> Option<Exported<'_, 'a>> {
        self.exported_within(path, name, MAX_HOPS)
    }

    /// What a declared name stands for, through an import.
    pub(super) fn imported(&self, module: &Module<'a>, symbol: SymbolId) -> Option<Exported<'_, 'a>> {
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

    /// The function of an entry module (ifc-extension.md §6.1 "Entry function").
    pub(super) fn entry(&self, entry: &Entry) -> Option<(EntryFunction, Callable<'a>)> {
        let named = entry.role.function_name();
        for name in ["default", named] {
            let Some(exported) = self.exported(&entry.path, name) else { continue };
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
        let module = self.modules.get(entry.path.as_str())?;
        let symbol = module.scoping().get_root_binding(oxc_str::Ident::from(named))?;
        let callable = Callable::declared(module, symbol)?;
        Some((EntryFunction { module: entry.path.clone(), binding: Binding::Local(named.to_owned()) }, callable))
    }
}

/// The specifiers of a module's static imports and re-exports.
pub(super) fn specifiers<'a>(module: &Module<'a>) -> Vec<&'a oxc_ast::ast::StringLiteral<'a>> {
    let found = module.program.body.iter().filter_map(|statement| match statement {
        Statement::ImportDeclaration(import) => Some(&import.source),
        Statement::ExportFromDeclaration(export) => Some(&export.source),
        Statement::ExportAllDeclaration(export) => Some(&export.source),
        _ => None,
    });
    found.collect()
}
