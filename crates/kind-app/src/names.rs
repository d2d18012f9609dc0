//! The names that a module gives and takes (spec: vite-app.md §5.4).
//!
//! Reads the tree of one file and follows nothing. A name counts as taken only where something runs with it: what
//! TypeScript takes away with the types is no import in what is built.

use std::collections::BTreeSet;

use holdpoint_check::Range;
use holdpoint_js::SourceFile;
use holdpoint_js::tree::GetSpan;
use holdpoint_js::tree::ast::{
    BindingIdentifier, Declaration, ImportDeclaration, ImportDeclarationSpecifier, ImportOrExportKind,
    ModuleExportName, Statement,
};

const DEFAULT: &str = "default";

/// What goes in and out of a module by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleNames {
    /// Names of its exports that are there when it runs.
    pub given: BTreeSet<String>,
    /// Specifiers of modules whose names it gives too.
    pub passed: Vec<String>,
    /// What it exports is known only when it runs: a module of CommonJS.
    pub is_open: bool,
    pub taken: Vec<Taken>,
    /// Exports that no module can have.
    pub faults: Vec<(Range, &'static str)>,
}

/// A name that is taken from another module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The specifier of the module.
    pub from: String,
    pub name: String,
    /// Where the name stands in the importing file.
    pub range: Range,
}

/// The names of a file; `typed`: imports that only types use are left out of what runs; `script`: it is CommonJS.
pub fn of(source: &SourceFile<'_>, typed: bool, script: bool) -> ModuleNames {
    let mut reader = Reader { source, typed, is_module: false, names: ModuleNames::default() };
    for statement in &source.program.body {
        reader.statement(statement);
    }
    let assigns = || source.names_global("module") || source.names_global("exports");
    let is_open = script || reader.assigns_all() || (!reader.is_module && assigns());
    ModuleNames { is_open, ..reader.names }
}

struct Reader<'s, 'a> {
    source: &'s SourceFile<'a>,
    typed: bool,
    /// It has an import or an export.
    is_module: bool,
    names: ModuleNames,
}

impl<'a> Reader<'_, 'a> {
    fn give(&mut self, name: &str) {
        self.names.given.insert(name.to_owned());
    }

    fn take(&mut self, from: &str, name: &str, range: Range) {
        self.names.taken.push(Taken { from: from.to_owned(), name: name.to_owned(), range });
    }

    fn statement(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::ImportDeclaration(import) => self.import(import),
            Statement::ExportDefaultDeclaration(_) => self.give(DEFAULT),
            Statement::ExportDeclaration(export) => self.declaration(&export.declaration),
            Statement::ExportNamedDeclaration(export) => {
                for one in export.specifiers.iter().filter(|one| is_value(export.export_kind, one.export_kind)) {
                    let is_type = matches!(&one.local, ModuleExportName::IdentifierReference(name)
                        if self.source.is_type(name));
                    if is_type {
                        continue;
                    }
                    let range = self.source.range(one.span);
                    let is_known = !matches!(&one.local, ModuleExportName::IdentifierReference(name)
                        if !self.source.is_declared(name));
                    if !is_known {
                        self.names.faults.push((range, "nothing declares what is exported"));
                    } else if self.names.given.contains(text(&one.exported)) {
                        self.names.faults.push((range, "the name is exported already"));
                    }
                    self.give(text(&one.exported));
                }
            }
            Statement::ExportFromDeclaration(export) => {
                for one in export.specifiers.iter().filter(|one| is_value(export.export_kind, one.export_kind)) {
                    self.give(text(&one.exported));
                    let range = self.source.range(one.local.span());
                    self.take(export.source.value.as_str(), text(&one.local), range);
                }
            }
            Statement::ExportAllDeclaration(export) if export.export_kind.is_type() => {}
            Statement::ExportAllDeclaration(export) => match &export.exported {
                Some(name) => self.give(text(name)),
                None => self.names.passed.push(export.source.value.as_str().to_owned()),
            },
            _ => return,
        }
        self.is_module = true;
    }

    /// Whether it has an `export =`.
    fn assigns_all(&self) -> bool {
        self.source.program.body.iter().any(|statement| matches!(statement, Statement::TSExportAssignment(_)))
    }

    fn import(&mut self, import: &ImportDeclaration<'a>) {
        let from = import.source.value.as_str();
        for one in import.specifiers.iter().flatten() {
            let (local, name, place): (&BindingIdentifier, &str, _) = match one {
                ImportDeclarationSpecifier::ImportSpecifier(one) if is_value(import.import_kind, one.import_kind) => {
                    (&one.local, text(&one.imported), one.imported.span())
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) if !import.import_kind.is_type() => {
                    (&one.local, DEFAULT, one.local.span)
                }
                _ => continue,
            };
            if !self.typed || self.source.is_used(local) {
                self.take(from, name, self.source.range(place));
            }
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'a>) {
        let is_type =
            matches!(declaration, Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_));
        if is_type || declaration.declare() {
            return;
        }
        if let Declaration::VariableDeclaration(variables) = declaration {
            for bound in variables.declarations.iter().flat_map(|one| one.id.get_binding_identifiers()) {
                self.give(bound.name.as_str());
            }
        } else if let Some(id) = declaration.id() {
            self.give(id.name.as_str());
        }
    }
}

fn is_value(whole: ImportOrExportKind, own: ImportOrExportKind) -> bool {
    !whole.is_type() && !own.is_type()
}

fn text<'n>(name: &'n ModuleExportName<'_>) -> &'n str {
    match name {
        ModuleExportName::IdentifierName(name) => name.name.as_str(),
        ModuleExportName::IdentifierReference(name) => name.name.as_str(),
        ModuleExportName::StringLiteral(text) => text.value.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{dialect, read};

    fn names(path: &str, text: &str) -> ModuleNames {
        read(text, dialect(path)).unwrap().names
    }

    #[test]
    fn every_way_to_give_a_name() {
        let cases: &[(&str, &[&str])] = &[
            ("export const a = 1, { b, c: [d, ...e], ...f } = g;", &["a", "b", "d", "e", "f"]),
            (
                "export function a() {} export class B {} export enum C {} export namespace D { export const x = 1 }",
                &["B", "C", "D", "a"],
            ),
            ("const a = 1; export { a, a as b, a as 'c d', a as default };", &["a", "b", "c d", "default"]),
            ("export default () => 1", &["default"]),
            ("export { x, default as y } from './m'; export * as z from './n';", &["x", "y", "z"]),
            ("export type A = 1; export interface B {} export declare const c: A; export type { D } from './d';", &[]),
            (
                "type A = 1; interface B {} import type { C } from './c'; class D {} export { A, B, C, D, type D as E };",
                &["D"],
            ),
            ("export type * from './t'; export abstract class F {}", &["F"]),
        ];
        for (text, want) in cases {
            let found = names("a.ts", text);
            assert_eq!(found.given.iter().map(String::as_str).collect::<Vec<_>>(), *want, "{text}");
            assert!(!found.is_open, "{text}");
        }
        for faulty in ["export const a = 1; const b = 2; export { b as a };", "export { nothing };"] {
            assert_eq!(names("a.ts", faulty).faults.len(), 1, "{faulty}");
        }
        assert_eq!(names("a.ts", "export * from './a'; export * from 'b'").passed, ["./a", "b"]);
        for open in ["module.exports = { a: 1 }", "exports.a = 1", "export = 1"] {
            assert!(names("a.ts", open).is_open, "{open}");
        }
        assert!(names("a.cjs", "var a = 1").is_open);
        assert!(!names("a.ts", "console.log(1)").is_open, "a file without an export gives nothing");
    }

    #[test]
    fn a_name_is_taken_where_something_runs_with_it() {
        let taken = |path: &str, text: &str| {
            names(path, text)
                .taken
                .into_iter()
                .map(|one| format!("{} {}@{}", one.from, one.name, one.range.start.column))
                .collect::<Vec<_>>()
        };
        let used = "import d, { a, b as c, type T } from './m'; import * as n from './n'; d(a, c, n);";
        assert_eq!(taken("a.ts", used), ["./m default@8", "./m a@13", "./m b@16"]);
        assert_eq!(taken("a.ts", "import { T, a } from './m'; export const b: T = a;"), ["./m a@13"]);
        assert_eq!(taken("a.ts", "import { A } from './m'; let b: typeof A;"), [""; 0]);
        assert_eq!(taken("a.tsx", "import { A } from './m'; export default () => <A />;"), ["./m A@10"]);
        assert_eq!(taken("a.js", "import { unused } from './m';"), ["./m unused@10"]);
        assert_eq!(taken("a.ts", "export { a as b, type C } from './m';"), ["./m a@10"]);
        assert_eq!(taken("a.ts", "import type D from './m'; import { type E } from './m'; new D(E)"), [""; 0]);
    }
}
