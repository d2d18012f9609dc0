//! What the tests of a project stand on: files that they use and the page does not, and how they are configured.
//!
//! Why: a case says the same and holds of anything once what it calls to look, or what runs before it, is another. What
//! the page reaches is what tests test, and changes by being asked for (spec: app-builder.md §10 "Behaviours").

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_js::read_source;
use holdpoint_js::tree::Visit;
use holdpoint_js::tree::ast::{StringLiteral, TemplateLiteral};

use crate::check;
use crate::code::dialect;
use crate::options::{DEFAULT_ENTRY, RawOptions};
use crate::policy::is_test;
use crate::resolve::join;
use crate::rules::{Graph, names};

/// What configurations of tests are called, at the root and up to their ending.
const CONFIGS: [&str; 2] = ["vite.config.", "vitest.config."];
/// The folder of what a test may put in a module's place.
const MOCKS: &str = "__mocks__";

/// The files of a project by what they serve.
pub struct Ground {
    graph: Graph,
    /// Files that the page reaches: what tests test.
    product: BTreeSet<String>,
    /// What every test stands on.
    shared: BTreeSet<String>,
}

impl Ground {
    pub fn of(files: &Files) -> Self {
        let options = RawOptions::default();
        let read = options.resolve().map(|options| check::tree(files, DEFAULT_ENTRY, false, &options));
        let graph = read.map(|report| report.graph).unwrap_or_default();
        let product = names::reached(&graph).into_iter().map(str::to_owned).collect();
        let mut ground = Self { graph, product, shared: BTreeSet::new() };
        let configs = files.keys().filter(|path| CONFIGS.iter().any(|name| path.starts_with(name)));
        let mocks = files.keys().filter(|path| path.split('/').any(|segment| segment == MOCKS));
        let set_up = configs.clone().flat_map(|path| named(path, &files[path]));
        let begin: BTreeSet<String> = configs.chain(mocks).cloned().chain(set_up).collect();
        ground.shared = ground.from(begin.into_iter().filter(|path| files.contains_key(path)));
        ground
    }

    /// What a test stands on, without itself.
    pub fn below(&self, test: &str) -> BTreeSet<String> {
        let mut all = self.from(std::iter::once(test.to_owned()));
        all.remove(test);
        all.extend(self.shared.iter().cloned());
        all
    }

    /// Files and those that they name, up to what the page reaches and to other tests.
    fn from(&self, begin: impl Iterator<Item = String>) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        let mut open: Vec<String> = begin.filter(|path| !self.product.contains(path)).collect();
        while let Some(path) = open.pop() {
            let named = self.graph.get(&path).into_iter().flat_map(|links| &links.local);
            let next: Vec<_> = named.filter(|path| !self.product.contains(*path) && !is_test(path)).cloned().collect();
            if all.insert(path) {
                open.extend(next);
            }
        }
        all
    }
}

/// Paths that a configuration may name: all its texts, as seen from the root.
fn named(path: &str, text: &str) -> Vec<String> {
    let read = read_source(text, dialect(path), |source| {
        let mut texts = Texts::default();
        texts.visit_program(source.program);
        texts.0
    });
    read.unwrap_or_default().iter().filter_map(|text| join("", text)).collect()
}

#[derive(Default)]
struct Texts(Vec<String>);

impl<'a> Visit<'a> for Texts {
    fn visit_string_literal(&mut self, text: &StringLiteral<'a>) {
        self.0.push(text.value.to_string());
    }

    fn visit_template_literal(&mut self, template: &TemplateLiteral<'a>) {
        self.0.extend(template.quasis.iter().filter_map(|piece| piece.value.cooked.as_ref()).map(ToString::to_string));
    }
}

/// Texts of files, without blanks, each with its path.
pub fn texts<'f>(files: &'f Files, paths: &BTreeSet<String>) -> BTreeMap<String, &'f str> {
    let text = |path: &String| {
        let (path, text) = files.get_key_value(path)?;
        Some((text.split_whitespace().collect(), path.as_str()))
    };
    paths.iter().filter_map(text).collect()
}
