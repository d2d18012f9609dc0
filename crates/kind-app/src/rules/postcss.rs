//! The PostCSS configuration, read and never run (spec: vite-app.md §5.5).
//!
//! Why: it names its plugins as the keys of an object, which no import shows, and the bundler breaks off at one that is
//! not there.

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, Range, args};
use holdpoint_js::tree::ast::{Expression, ObjectPropertyKind, PropertyKey};
use holdpoint_js::tree::{GetSpan, Span};
use holdpoint_js::{SourceFile, read_source};

use super::Links;
use super::build::BUILD_CONFIG_UNUSABLE;
use super::config::{ConfigReader, key, property};
use crate::code::dialect;
use crate::policy::{ending, is_typescript};
use crate::resolve::{Importer, Resolver};

/// Names in the order in which they are looked for.
const CANDIDATES: [&str; 6] = [
    "postcss.config.js",
    "postcss.config.mjs",
    "postcss.config.cjs",
    "postcss.config.ts",
    "postcss.config.mts",
    "postcss.config.cts",
];

/// What is read of a configuration.
#[derive(Default)]
struct Read {
    plugins: Vec<(String, Range)>,
    /// The place where it assigns `module.exports`.
    exports: Option<Range>,
}

pub fn check(files: &Files, resolver: &Resolver<'_>) -> Vec<Diagnostic> {
    let Some(path) = CANDIDATES.into_iter().find(|path| files.contains_key(*path)) else { return Vec::new() };
    // A text that does not parse is reported where all code is.
    let Ok(read) = read_source(&files[path], dialect(path), read) else { return Vec::new() };
    let importer = Importer { path, typescript: is_typescript(path), type_only: false, from_root: false };
    let mut links = Links::default();
    let plugins = read.plugins.into_iter().filter_map(|(name, range)| {
        let fault = links.note(resolver.code(&name, importer))?;
        Some(fault.in_file(path).at(range))
    });
    let mut found: Vec<Diagnostic> = plugins.collect();
    if let Some(range) = read.exports.filter(|_| ending(path) == "js" && is_module_package(resolver)) {
        let what = "write `export default`, or end its name in `.cjs`: the package is one of modules";
        found.push(Diagnostic::of(&BUILD_CONFIG_UNUSABLE, args! { what }).in_file(path).at(range));
    }
    found
}

/// Whether files that end in `js` are modules for Node.
fn is_module_package(resolver: &Resolver<'_>) -> bool {
    resolver.declared.is_some_and(|own| own.root.get("type").and_then(|kind| kind.as_str()) == Some("module"))
}

fn read(source: &SourceFile<'_>) -> Read {
    let reader = ConfigReader { source, program: source.program, is_rolldown: true };
    let mut read = Read { exports: reader.assigned_exports(), ..Read::default() };
    let root = reader.exported().and_then(|expression| reader.object(expression));
    let Some(plugins) = root.and_then(|root| property(root, "plugins")) else { return read };
    let Expression::ObjectExpression(plugins) = reader.value(&plugins.value) else { return read };
    for one in &plugins.properties {
        let ObjectPropertyKind::ObjectProperty(own) = one else { continue };
        let is_off = matches!(reader.value(&own.value), Expression::BooleanLiteral(value) if !value.value);
        let Some(name) = key(own).filter(|_| !own.computed && !is_off) else { continue };
        let span = own.key.span();
        let inside = match &own.key {
            PropertyKey::StringLiteral(_) => Span::new(span.start + 1, span.end - 1),
            _ => span,
        };
        read.plugins.push((name, source.range(inside)));
    }
    read
}
