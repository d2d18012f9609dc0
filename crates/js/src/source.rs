//! A file of TypeScript, JSX or plain script, parsed and never run (spec: vite-app.md §4 "Parsing").
//!
//! Beside [`crate::read`], which reads strict modules of one edition with their scopes: here what the parser's release
//! takes is taken, and only its tree is answered. Invariant: total on every input.

use holdpoint_check::{LineIndex, Range};
use oxc_allocator::Allocator;
use oxc_ast::ast::{BindingIdentifier, IdentifierReference, Program};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Scoping, SemanticBuilder, SymbolId};
use oxc_span::{SourceType, Span};
use oxc_syntax::reference::Reference;
use oxc_syntax::symbol::SymbolFlags;

use crate::limits::MAX_CODE_DEPTH;
use crate::syntax::SyntaxError;
use crate::{nest, spine, stack, syntax};

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub types: Types,
    pub jsx: bool,
    /// A script and no module.
    pub script: bool,
}

/// Whether a file may hold types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Types {
    None,
    TypeScript,
    /// Nothing but types, as in a `.d.ts` file.
    Declarations,
}

impl Dialect {
    /// A JavaScript module without types and elements.
    pub const MODULE: Self = Self { types: Types::None, jsx: false, script: false };

    fn source_type(self) -> SourceType {
        let module = SourceType::mjs().with_jsx(self.jsx).with_script(self.script);
        match self.types {
            Types::Declarations => module.with_typescript_definition(true),
            Types::TypeScript => module.with_typescript(true),
            Types::None => module,
        }
    }
}

/// A file that was parsed.
pub struct SourceFile<'a> {
    pub program: &'a Program<'a>,
    text: &'a str,
    lines: LineIndex<'a>,
    scoping: &'a Scoping,
}

impl<'a> SourceFile<'a> {
    /// Whether something reads or writes what is declared; types that name it do neither.
    pub fn is_used(&self, declared: &BindingIdentifier<'_>) -> bool {
        let symbol = declared.symbol_id.get();
        symbol.is_some_and(|symbol| self.scoping.get_resolved_references(symbol).any(|one| one.flags().is_value()))
    }

    /// Whether a name of this file is a type and nothing else, so that nothing of it is left to run.
    pub fn is_type(&self, name: &IdentifierReference<'_>) -> bool {
        let reference = name.reference_id.get().map(|id| self.scoping.get_reference(id));
        let symbol = reference.and_then(Reference::symbol_id);
        let types = SymbolFlags::TypeAlias | SymbolFlags::Interface | SymbolFlags::TypeImport;
        symbol.is_some_and(|symbol| {
            let flags = self.scoping.symbol_flags(symbol);
            flags.intersects(types) && !flags.intersects(SymbolFlags::Value | SymbolFlags::Import)
        })
    }

    /// Whether something in the file declares a name.
    pub fn is_declared(&self, name: &IdentifierReference<'_>) -> bool {
        let reference = name.reference_id.get().map(|id| self.scoping.get_reference(id));
        reference.is_some_and(|reference| reference.symbol_id().is_some())
    }

    /// Whether a name that nothing in the file declares is read or written.
    pub fn names_global(&self, name: &str) -> bool {
        self.scoping.root_unresolved_references().keys().any(|own| own.as_str() == name)
    }

    /// Constants and imports that are assigned anew, by the place of their name in what declares them.
    pub fn reassigned(&self) -> Vec<Range> {
        let constant = SymbolFlags::ConstVariable | SymbolFlags::Import;
        let is_changed = |symbol: &SymbolId| {
            self.scoping.symbol_flags(*symbol).intersects(constant)
                && self.scoping.get_resolved_references(*symbol).any(|one| one.flags().is_write())
        };
        self.scoping
            .symbol_ids()
            .filter(is_changed)
            .map(|symbol| self.range(self.scoping.symbol_span(symbol)))
            .collect()
    }

    pub fn range(&self, span: Span) -> Range {
        self.lines.range(span.start as usize, span.end as usize)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// Why a file has no tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct SourceError {
    /// Where in the text the parser stopped.
    pub range: Range,
    /// What the parser says, without a full stop.
    pub what: String,
}

/// Reads a file and does the work on its tree, where the stack has room for both. The tree ends with the work.
pub fn read_source<T: Send>(
    text: &str,
    dialect: Dialect,
    work: impl for<'a> FnOnce(&SourceFile<'a>) -> T + Send,
) -> Result<T, SourceError> {
    let lines = LineIndex::new(text);
    let at = |start: usize, end: usize, what: String| SourceError { range: lines.range(start, end), what };
    let nesting = nest::scan(text, dialect.jsx, MAX_CODE_DEPTH);
    if let Some(place) = nesting.too_deep {
        return Err(at(place, place, format!("It nests deeper than {MAX_CODE_DEPTH} levels")));
    }
    // An annotation makes the parser follow its expression by recursion; it says nothing to us.
    let quiet = text.contains("__PURE__").then(|| text.replace("__PURE__", "________"));
    let parsed = stack::with_room_for(nesting.nests, || {
        let arena = Allocator::default();
        let options =
            ParseOptions { parse_regular_expression: true, preserve_parens: false, ..ParseOptions::default() };
        let read = quiet.as_deref().unwrap_or(text);
        let mut parsed = Parser::new(&arena, read, dialect.source_type()).with_options(options).parse();
        let first = |errors: Vec<SyntaxError>| errors.into_iter().min_by_key(|error| error.span.start);
        if let Some(error) = first(syntax::errors(&parsed.diagnostics)) {
            return Err(error);
        }
        let too_deep = || SyntaxError { span: Span::default(), message: "It nests too deep".to_owned() };
        if parsed.panicked || !spine::cut(&mut parsed.program, &arena) {
            return Err(too_deep());
        }
        let built = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
        if let Some(error) = first(syntax::errors(&built.diagnostics)) {
            return Err(error);
        }
        let scoping = built.semantic.into_scoping();
        Ok(work(&SourceFile { program: &parsed.program, text, lines: LineIndex::new(text), scoping: &scoping }))
    });
    parsed.map_err(|error| at(error.span.start as usize, error.span.end as usize, error.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TSX: Dialect = Dialect { types: Types::TypeScript, jsx: true, script: false };

    fn fault(text: &str, dialect: Dialect) -> Option<String> {
        read_source(text, dialect, |_| ())
            .err()
            .map(|error| format!("{}:{}", error.range.start.line, error.range.start.column))
    }

    #[test]
    fn each_dialect_takes_its_own() {
        let ts = Dialect { jsx: false, ..TSX };
        let script = Dialect { script: true, ..Dialect::MODULE };
        let jsx = Dialect { jsx: true, ..Dialect::MODULE };
        let taken = [
            (TSX, "export const A = <T,>(a: T): JSX.Element => <p b={a as never}>it's {'<'}</p>;"),
            (ts, "abstract class A<T extends B> { constructor(private a: T) {} @d() b!: string } enum E { A = 1 }"),
            (ts, "let a = <string>b; export = a; import c = require('c');"),
            (script, "#!/usr/bin/env node\nwith (a) { var b = 010 }\nmodule.exports = { a: require('a') }"),
            (jsx, "export default () => <><A {...b} c=\"d\" />{/* e */}</>"),
            (Dialect::MODULE, "import d from './d.json' with { type: 'json' }; using a = b; export { d, a }"),
            (
                Dialect { types: Types::Declarations, ..ts },
                "export declare const a: number; declare module '*.svg' { const a: string; export default a }",
            ),
        ];
        for (dialect, text) in taken {
            assert_eq!(fault(text, dialect), None, "{text}");
        }
        let refused = [
            (ts, "const a = <p>b</p>;", "1:15"),
            (Dialect::MODULE, "const a: string = b", "1:8"),
            (Dialect::MODULE, "with (a) {}", "1:1"),
            (TSX, "\nfunction A() {\n  return <p>open;\n}\n", "5:1"),
            (ts, "const a = 1; const a = 2;", "1:7"),
        ];
        for (dialect, text, want) in refused {
            assert!(fault(text, dialect).is_some(), "{want} {text}");
        }
    }

    #[test]
    fn no_depth_overflows_the_stack() {
        for open in [
            "(",
            "[",
            "{",
            "<a>",
            "!",
            "`${",
            "a=>",
            "a?b:",
            "-",
            "A<",
            "typeof ",
            "if(a)",
            "/*__PURE__*/ a.b.",
            "'",
            "a[",
            "<a b={",
        ] {
            for text in [open.repeat(20_000), format!("\"{}\" /", "'").repeat(40) + "\n" + &open.repeat(20_000)] {
                assert!(read_source(&text, TSX, |_| ()).is_err(), "{open}");
            }
        }
    }
}
