//! What a code file loads: every import, call and address that names a module (spec: vite-app.md §5).
//!
//! Reads the tree and judges nothing. Comments, strings, text of elements and types of other things are no imports,
//! because they are none in the tree.

use holdpoint_check::Range;
use holdpoint_js::tree::ast::{
    Argument, ArrayExpressionElement, BinaryExpression, CallExpression, ChainElement, ExportAllDeclaration,
    ExportFromDeclaration, Expression, ImportDeclaration, ImportExpression, ImportOrExportKind, JSXElementName,
    JSXOpeningElement, NewExpression, StringLiteral, TSImportEqualsDeclaration, TSImportType, TSModuleReference,
    TemplateLiteral,
};
use holdpoint_js::tree::operator::BinaryOperator;
use holdpoint_js::tree::{GetSpan, Span, Visit, walk};
use holdpoint_js::{Dialect, SourceError, SourceFile, Types, read_source};

use crate::names::{self, ModuleNames};
use crate::policy::{ending, is_typescript};

/// How a module is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Load {
    Import {
        type_only: bool,
    },
    Dynamic,
    /// `require(…)` and its kin, with the place of the callee.
    Require {
        callee: Range,
    },
    Glob,
    /// `new URL(…, import.meta.url)`; inside `new Worker` the file runs.
    Address {
        runs: bool,
    },
    /// A text that is run as it is: `new Worker("…")`, `importScripts("…")`.
    Script,
}

/// What names a module at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Specifier {
    /// One text, at the place between its quotes.
    Text { text: String, range: Range },
    /// A template: its texts around the holes.
    Template { texts: Vec<String>, range: Range },
    /// Several texts: the patterns of a glob.
    List(Vec<(String, Range)>),
    /// Anything else, with the text that it begins with.
    Other { leading: Option<String>, range: Range },
    /// A call without an argument.
    Nothing,
}

/// One place where code names a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    pub load: Load,
    pub named: Specifier,
}

/// How a file is read, by its name.
pub fn dialect(path: &str) -> Dialect {
    let lower = path.to_lowercase();
    let ending = ending(path);
    let types = if [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| lower.ends_with(end)) {
        Types::Declarations
    } else if is_typescript(path) {
        Types::TypeScript
    } else {
        Types::None
    };
    Dialect { types, jsx: matches!(ending.as_str(), "tsx" | "jsx"), script: matches!(ending.as_str(), "cjs" | "cts") }
}

/// What the check reads of a code file.
#[derive(Debug)]
pub struct CodeFile {
    pub uses: Vec<Use>,
    pub names: ModuleNames,
    /// What parses, and is refused where it is bundled.
    pub faults: Vec<(Range, &'static str)>,
}

/// Every use in a text, and the names that go in and out of it.
pub fn read(text: &str, dialect: Dialect) -> Result<CodeFile, SourceError> {
    read_source(text, dialect, |source| {
        let mut found = Uses { source, all: Vec::new(), faults: Vec::new() };
        found.visit_program(source.program);
        let constant = source.reassigned().into_iter().map(|range| (range, "a constant is assigned anew"));
        found.faults.extend(constant);
        let names = names::of(source, dialect.types != Types::None, dialect.script);
        CodeFile { uses: found.all, names, faults: found.faults }
    })
}

struct Uses<'s, 'a> {
    source: &'s SourceFile<'a>,
    all: Vec<Use>,
    faults: Vec<(Range, &'static str)>,
}

impl Uses<'_, '_> {
    fn push(&mut self, load: Load, named: Specifier) {
        self.all.push(Use { load, named });
    }

    fn inside(&self, span: Span) -> Range {
        self.source.range(Span::new(span.start + 1, (span.end - 1).max(span.start + 1)))
    }

    fn literal(&self, literal: &StringLiteral<'_>) -> Specifier {
        Specifier::Text { text: literal.value.as_str().to_owned(), range: self.inside(literal.span) }
    }

    fn import(&mut self, kind: ImportOrExportKind, source: &StringLiteral<'_>) {
        let named = self.literal(source);
        self.push(Load::Import { type_only: kind.is_type() }, named);
    }

    fn named(&self, expression: &Expression<'_>) -> Specifier {
        let inner = plain(expression);
        let range = self.source.range(expression.span());
        match inner {
            Expression::StringLiteral(literal) => self.literal(literal),
            Expression::TemplateLiteral(template) => self.template(template),
            other => Specifier::Other { leading: leading(other), range },
        }
    }

    fn template(&self, template: &TemplateLiteral<'_>) -> Specifier {
        let texts: Vec<String> = template.quasis.iter().map(|piece| cooked(piece.value.cooked.as_deref())).collect();
        match <[String; 1]>::try_from(texts) {
            Ok([text]) => Specifier::Text { text, range: self.inside(template.span) },
            Err(texts) => Specifier::Template { texts, range: self.source.range(template.span) },
        }
    }

    fn argument(&self, argument: Option<&Argument<'_>>) -> Specifier {
        match argument {
            None => Specifier::Nothing,
            Some(Argument::SpreadElement(spread)) => {
                Specifier::Other { leading: None, range: self.source.range(spread.span) }
            }
            Some(argument) => argument.as_expression().map_or(Specifier::Nothing, |own| self.named(own)),
        }
    }

    fn patterns(&self, argument: Option<&Argument<'_>>) -> Specifier {
        let Some(expression) = argument.and_then(Argument::as_expression) else { return self.argument(argument) };
        let whole = || Specifier::Other { leading: None, range: self.source.range(expression.span()) };
        let Expression::ArrayExpression(list) = plain(expression) else {
            return match self.named(expression) {
                Specifier::Text { text, range } => Specifier::List(vec![(text, range)]),
                _ => whole(),
            };
        };
        let mut all = Vec::new();
        for element in &list.elements {
            let one = match element {
                ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => None,
                element => element.as_expression().map(|own| self.named(own)),
            };
            let Some(Specifier::Text { text, range }) = one else { return whole() };
            all.push((text, range));
        }
        Specifier::List(all)
    }

    fn call(&mut self, call: &CallExpression<'_>) {
        let first = call.arguments.first();
        if let Expression::Identifier(name) = plain(&call.callee)
            && name.name == "importScripts"
        {
            for argument in &call.arguments {
                let named = self.argument(Some(argument));
                self.push(Load::Script, named);
            }
        }
        if is_require(&call.callee) {
            let (callee, named) = (self.source.range(call.callee.span()), self.argument(first));
            self.push(Load::Require { callee }, named);
        }
        if let Expression::StaticMemberExpression(member) = plain(&call.callee)
            && is_import_meta(&member.object)
            && matches!(member.property.name.as_str(), "glob" | "globEager")
        {
            let named = self.patterns(first);
            self.push(Load::Glob, named);
        }
    }

    fn made(&mut self, made: &NewExpression<'_>) -> bool {
        let Expression::Identifier(name) = plain(&made.callee) else { return false };
        let first = made.arguments.first();
        match name.name.as_str() {
            "URL" => {
                let named = self.argument(first);
                self.address(made, named, false);
                false
            }
            "Worker" | "SharedWorker" => {
                let named = self.argument(first);
                if let Specifier::Text { .. } = named {
                    self.push(Load::Script, named);
                    return false;
                }
                let inner = first.and_then(Argument::as_expression).map(plain);
                let Some(Expression::NewExpression(inner)) = inner else { return false };
                if !matches!(plain(&inner.callee), Expression::Identifier(name) if name.name == "URL") {
                    return false;
                }
                let named = self.argument(inner.arguments.first());
                self.address(inner, named, true)
            }
            _ => false,
        }
    }

    /// Notes `new URL("…", import.meta.url)`; whether it is one.
    fn address(&mut self, made: &NewExpression<'_>, named: Specifier, runs: bool) -> bool {
        let base = made.arguments.get(1).and_then(Argument::as_expression).map(plain);
        let is_here = matches!(base, Some(Expression::StaticMemberExpression(member))
            if is_import_meta(&member.object) && member.property.name == "url");
        let is_text = matches!(named, Specifier::Text { .. });
        if is_here && is_text {
            self.push(Load::Address { runs }, named);
        }
        is_here && is_text
    }
}

impl<'a> Visit<'a> for Uses<'_, 'a> {
    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        self.import(import.import_kind, &import.source);
    }

    fn visit_export_from_declaration(&mut self, export: &ExportFromDeclaration<'a>) {
        self.import(export.export_kind, &export.source);
    }

    fn visit_export_all_declaration(&mut self, export: &ExportAllDeclaration<'a>) {
        self.import(export.export_kind, &export.source);
    }

    fn visit_ts_import_equals_declaration(&mut self, import: &TSImportEqualsDeclaration<'a>) {
        if let TSModuleReference::ExternalModuleReference(module) = &import.module_reference {
            self.import(import.import_kind, &module.expression);
        }
    }

    fn visit_ts_import_type(&mut self, import: &TSImportType<'a>) {
        self.import(ImportOrExportKind::Type, &import.source);
        walk::walk_ts_import_type(self, import);
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        let named = self.named(&import.source);
        self.push(Load::Dynamic, named);
        walk::walk_import_expression(self, import);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.call(call);
        walk::walk_call_expression(self, call);
    }

    fn visit_jsx_opening_element(&mut self, element: &JSXOpeningElement<'a>) {
        if let JSXElementName::NamespacedName(name) = &element.name {
            self.faults.push((self.source.range(name.span), "React has no elements with a colon in their name"));
        }
        walk::walk_jsx_opening_element(self, element);
    }

    fn visit_new_expression(&mut self, made: &NewExpression<'a>) {
        // The address inside is noted as one that runs; what else stands in it is looked at.
        if self.made(made) {
            for argument in made.arguments.iter().skip(1) {
                self.visit_argument(argument);
            }
        } else {
            walk::walk_new_expression(self, made);
        }
    }
}

/// An expression without the types around it.
pub fn plain<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    let mut inner = expression;
    loop {
        inner = match inner {
            Expression::ParenthesizedExpression(own) => &own.expression,
            Expression::TSAsExpression(own) => &own.expression,
            Expression::TSSatisfiesExpression(own) => &own.expression,
            Expression::TSNonNullExpression(own) => &own.expression,
            Expression::TSTypeAssertion(own) => &own.expression,
            Expression::TSInstantiationExpression(own) => &own.expression,
            Expression::ChainExpression(own) => match &own.expression {
                ChainElement::TSNonNullExpression(own) => &own.expression,
                _ => return inner,
            },
            other => return other,
        };
    }
}

fn cooked(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

/// The text that a sum or template begins with.
fn leading(expression: &Expression<'_>) -> Option<String> {
    let mut inner = plain(expression);
    loop {
        match inner {
            Expression::StringLiteral(literal) => return Some(literal.value.as_str().to_owned()),
            Expression::TemplateLiteral(template) => {
                return template.quasis.first().map(|piece| cooked(piece.value.cooked.as_deref()));
            }
            Expression::BinaryExpression(sum) if is_sum(sum) => inner = plain(&sum.left),
            // A long sum is held in pieces, the first one first.
            Expression::SequenceExpression(pieces) => inner = plain(pieces.expressions.first()?),
            _ => return None,
        }
    }
}

fn is_sum(sum: &BinaryExpression<'_>) -> bool {
    sum.operator == BinaryOperator::Addition
}

fn is_import_meta(expression: &Expression<'_>) -> bool {
    matches!(plain(expression), Expression::ImportMeta(_))
}

/// Whether a call is one of `require`, `require.resolve` and `module.require`.
fn is_require(callee: &Expression<'_>) -> bool {
    let is = |expression: &Expression<'_>, wanted: &str| matches!(plain(expression), Expression::Identifier(name) if name.name == wanted);
    match plain(callee) {
        Expression::StaticMemberExpression(member) => {
            (is(&member.object, "require") && member.property.name == "resolve")
                || (is(&member.object, "module") && member.property.name == "require")
        }
        other => is(other, "require"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let uses = read(text, dialect("a.tsx")).unwrap().uses;
        let shown = |one: Use| {
            let load = match one.load {
                Load::Import { type_only: true } => "type".to_owned(),
                Load::Import { .. } => "import".to_owned(),
                Load::Require { callee } => format!("require@{}", callee.start.column),
                Load::Address { runs } => if runs { "runs" } else { "address" }.to_owned(),
                other => format!("{other:?}").to_lowercase(),
            };
            match one.named {
                Specifier::Text { text, range } => format!("{load} {text}@{}", range.start.column),
                Specifier::List(all) => {
                    format!("{load} {}", all.iter().map(|one| one.0.as_str()).collect::<Vec<_>>().join(" "))
                }
                Specifier::Template { texts, .. } => format!("{load} {}", texts.join("*")),
                Specifier::Other { leading, .. } => format!("{load} ?{}", leading.unwrap_or_default()),
                Specifier::Nothing => load,
            }
        };
        uses.into_iter().map(shown).collect()
    }

    #[test]
    fn every_way_to_name_a_module() {
        let cases: &[(&str, &[&str])] = &[
            ("import a, { type B } from 'm'", &["import m@28"]),
            ("import type { A } from 'm'; export type * from \"n\"", &["type m@25", "type n@49"]),
            ("import a = require('m')", &["import m@21"]),
            ("let a: import('m').B<import('n').C>", &["type m@16", "type n@30"]),
            ("typeof import('m')", &["dynamic m@16"]),
            ("import('m' as string); import(`n`)", &["dynamic m@9", "dynamic n@32"]),
            ("import(`./${a}.ts`)", &["dynamic ./*.ts"]),
            ("import('x' + a + 'y')", &["dynamic ?x"]),
            (
                "require('m'); (require)('n'); require.resolve(`o`)",
                &["require@1 m@10", "require@16 n@26", "require@31 o@48"],
            ),
            ("module.require(a); x.require('m'); require()", &["require@1 ?", "require@36"]),
            ("import.meta.glob(['./a', '!./b'], { eager: true })", &["glob ./a !./b"]),
            ("import.meta.glob<T>('./a'); import.meta.globEager(a)", &["glob ./a", "glob ?"]),
            ("new Worker(new URL('./w.ts', import.meta.url), { type: 'module' })", &["runs ./w.ts@21"]),
            ("new URL('a.svg', import.meta.url).href; new URL('b', c)", &["address a.svg@10"]),
            ("new Worker('m'); importScripts('n', o)", &["script m@13", "script n@33", "script ?"]),
            ("const a = <p>import 'm'</p>; /import('m')/; `import 'm'`; // import 'm'", &[]),
            ("declare module 'm' { import a from 'n' }", &["import n@37"]),
        ];
        for (text, want) in cases {
            assert_eq!(found(text), *want, "{text}");
        }
    }
}
