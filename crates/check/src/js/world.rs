//! All modules of a bundle together: which file a specifier means, what a name exports, which function an entry is.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionExpression, Declaration, ExportDefaultDeclarationKind, Expression, FormalParameters, Function,
    ModuleExportName, Statement, VariableDeclarationKind,
};
use oxc_semantic::SymbolId;

use super::module::Module;
use super::report::{Binding, Entry, EntryFunction};

/// Re-exports that are followed one through another; a longer way is a circle or a mistake.
const MAX_HOPS: usize = 32;

/// The parsed modules, by path.
pub(super) struct World<'a> {
    pub(super) modules: BTreeMap<&'a str, Module<'a>>,
    /// Every `.js` file of the bundle, those that do not parse too.
    pub(super) paths: Vec<&'a str>,
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
        let module = self.modules.get(path)?;
        let hops = hops.checked_sub(1)?;
        let here = |value| Some(Exported { module, value, name: name.to_owned() });
        let symbol = |symbol| match self.import_source(module, symbol) {
            Some((path, name)) => self.exported_within(path, &name, hops),
            None => here(ExportedValue::Symbol(symbol)),
        };
        for statement in &module.program.body {
            match statement {
                Statement::ExportDefaultDeclaration(export) if name == "default" => {
                    return match &export.declaration {
                        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                            here(ExportedValue::Callable(Callable::Function(function)))
                        }
                        ExportDefaultDeclarationKind::Identifier(reference) => match module.symbol(reference) {
                            Some(found) => symbol(found),
                            None => here(ExportedValue::Other),
                        },
                        declaration => match declaration.as_expression().and_then(Callable::of) {
                            Some(callable) => here(ExportedValue::Callable(callable)),
                            None => here(ExportedValue::Other),
                        },
                    };
                }
                Statement::ExportDeclaration(export) => {
                    if let Some(found) = declared(&export.declaration, name) {
                        return symbol(found);
                    }
                }
                Statement::ExportNamedDeclaration(export) => {
                    let own = export.specifiers.iter().find(|specifier| specifier.exported.name() == name);
                    if let Some(ModuleExportName::IdentifierReference(local)) = own.map(|own| &own.local) {
                        return symbol(module.symbol(local)?);
                    }
                }
                Statement::ExportFromDeclaration(export) => {
                    if let Some(own) = export.specifiers.iter().find(|specifier| specifier.exported.name() == name) {
                        let path = self.resolve(module.path, &export.source.value)?;
                        return self.exported_within(path, &own.local.name(), hops);
                    }
                }
                _ => {}
            }
        }
        // `export *` gives what nothing names, and never the default.
        module.program.body.iter().filter(|_| name != "default").find_map(|statement| match statement {
            Statement::ExportAllDeclaration(export) if export.exported.is_none() => {
                let path = self.resolve(module.path, &export.source.value)?;
                self.exported_within(path, name, hops / 2)
            }
            _ => None,
        })
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

fn declared(declaration: &Declaration, name: &str) -> Option<SymbolId> {
    match declaration {
        Declaration::FunctionDeclaration(function) => {
            function.id.as_ref().filter(|id| id.name == name).and_then(|id| id.symbol_id.get())
        }
        Declaration::ClassDeclaration(class) => {
            class.id.as_ref().filter(|id| id.name == name).and_then(|id| id.symbol_id.get())
        }
        Declaration::VariableDeclaration(list) => list
            .declarations
            .iter()
            .flat_map(|declarator| declarator.id.get_binding_identifiers())
            .find(|id| id.name == name)
            .and_then(|id| id.symbol_id.get()),
        _ => None,
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
