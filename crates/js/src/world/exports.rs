//! What one module says that it exports, by name.

use std::collections::HashMap;

use oxc_ast::ast::{
    Declaration, ExportDefaultDeclarationKind, ExportNamedDeclaration, Expression, ModuleExportName, Statement,
};
use oxc_semantic::SymbolId;

use super::Callable;
use crate::module::Module;

/// What a name stands for where it is exported.
pub(super) enum Local<'a> {
    /// Something that is declared or imported in the module.
    Symbol(SymbolId),
    Callable(Callable<'a>),
    /// A value that is neither.
    Other,
    /// A name that nothing declares.
    Missing,
    From {
        specifier: &'a str,
        name: String,
    },
}

/// The exports of a module.
pub(super) struct Exports<'a> {
    /// Of a name that is exported twice, the first.
    pub(super) names: HashMap<String, Local<'a>>,
    /// The modules of `export *`, which gives what nothing names.
    pub(super) stars: Vec<&'a str>,
}

impl<'a> Exports<'a> {
    pub(super) fn of(module: &Module<'a>) -> Self {
        let mut exports = Self { names: HashMap::new(), stars: Vec::new() };
        for statement in &module.program.body {
            exports.read(module, statement);
        }
        exports
    }

    fn read(&mut self, module: &Module<'a>, statement: &'a Statement<'a>) {
        match statement {
            Statement::ExportDefaultDeclaration(export) => self.add("default", default(module, &export.declaration)),
            Statement::ExportDeclaration(export) => {
                for (name, symbol) in declared(&export.declaration) {
                    self.add(name, Local::Symbol(symbol));
                }
            }
            Statement::ExportNamedDeclaration(export) => self.named(module, export),
            Statement::ExportFromDeclaration(export) => {
                for own in &export.specifiers {
                    let name = own.local.name().to_string();
                    self.add(&own.exported.name(), Local::From { specifier: export.source.value.as_str(), name });
                }
            }
            Statement::ExportAllDeclaration(export) if export.exported.is_none() => {
                let specifier = export.source.value.as_str();
                if !self.stars.contains(&specifier) {
                    self.stars.push(specifier);
                }
            }
            _ => {}
        }
    }

    fn named(&mut self, module: &Module<'a>, export: &'a ExportNamedDeclaration<'a>) {
        for own in &export.specifiers {
            if let ModuleExportName::IdentifierReference(local) = &own.local {
                self.add(&own.exported.name(), module.symbol(local).map_or(Local::Missing, Local::Symbol));
            }
        }
    }

    fn add(&mut self, name: &str, local: Local<'a>) {
        self.names.entry(name.to_owned()).or_insert(local);
    }
}

fn default<'a>(module: &Module<'a>, declaration: &'a ExportDefaultDeclarationKind<'a>) -> Local<'a> {
    match declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => Local::Callable(Callable::Function(function)),
        ExportDefaultDeclarationKind::Identifier(name) => module.symbol(name).map_or(Local::Other, Local::Symbol),
        declaration => {
            let callable = declaration.as_expression().and_then(|expression: &Expression<'a>| Callable::of(expression));
            callable.map_or(Local::Other, Local::Callable)
        }
    }
}

fn declared<'a>(declaration: &'a Declaration<'a>) -> Vec<(&'a str, SymbolId)> {
    let names = match declaration {
        Declaration::FunctionDeclaration(function) => function.id.iter().collect(),
        Declaration::ClassDeclaration(class) => class.id.iter().collect(),
        Declaration::VariableDeclaration(list) => {
            list.declarations.iter().flat_map(|declarator| declarator.id.get_binding_identifiers()).collect()
        }
        _ => Vec::new(),
    };
    names.into_iter().filter_map(|name| Some((name.name.as_str(), name.symbol_id.get()?))).collect()
}
