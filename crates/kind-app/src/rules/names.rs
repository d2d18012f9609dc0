//! Names that one file takes from another (spec: vite-app.md §5.4).
//!
//! Why: the bundler breaks off at a name that a module does not give, and nothing else of a project that parses and
//! resolves is wrong so often. Only files that the page reaches are judged, because the bundler reads no others.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use super::code::SYNTAX_ERROR;
use super::{Graph, html, json};
use crate::code::{CodeFile, Load, Specifier};
use crate::policy::{ending, is_code, is_typescript};
use crate::resolve::{Importer, Resolved, Resolver};

codes! {
    /// a name that the module does not export
    IMPORT_NAME_MISSING: Error, "Take a name that the module exports: `{name}` is none." [name];
    /// a file that is imported and is no module
    IMPORT_NOT_A_MODULE: Error, "Add `?raw` for its text or `?url` for its address: a file of this kind is no module.";
}

/// Endings of files that are imported as their address.
const ASSETS: [&str; 19] = [
    "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "avif", "mp4", "webm", "ogg", "mp3", "wav", "woff", "woff2",
    "ttf", "otf", "pdf", "txt",
];
/// Queries with which a file is imported as one value, whatever it holds.
const ONE_VALUE: [&str; 6] = ["raw", "url", "inline", "no-inline", "worker", "sharedworker"];

/// Every code file that parses, by path.
pub type Modules<'p> = BTreeMap<&'p str, CodeFile>;

/// What a module says of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Given,
    Missing,
    /// Only a run, or a package, would tell.
    Open,
}

/// Judges the files that the page reaches: what they take from one another, and what only a bundler refuses.
pub fn check(
    modules: &Modules<'_>,
    resolver: &Resolver<'_>,
    reached: &BTreeSet<&str>,
    loads_more: bool,
) -> Vec<Diagnostic> {
    let rule = Rule { modules, resolver };
    let (mut found, mut data) = (Vec::new(), BTreeSet::new());
    for path in reached {
        let Some(file) = modules.get(path) else { continue };
        let faults = file
            .faults
            .iter()
            .chain(&file.names.faults)
            .map(|(range, what)| (*range, Diagnostic::of(&SYNTAX_ERROR, args! { what: *what })));
        found.extend(faults.map(|(range, finding)| finding.in_file(*path).at(range)));
        if !loads_more {
            found.extend(rule.no_modules(file, path, &mut data));
        }
        for taken in &file.names.taken {
            let mut seen = BTreeSet::new();
            if rule.gives(&taken.from, path, &taken.name, &mut seen) == Answer::Missing {
                let finding = Diagnostic::of(&IMPORT_NAME_MISSING, args! { name: taken.name.as_str() });
                found.push(finding.in_file(*path).at(taken.range));
            }
        }
    }
    found
}

/// Files that the root page reaches over what files name.
pub fn reached(graph: &Graph) -> BTreeSet<&str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![html::PATH];
    while let Some(path) = open.pop() {
        if let Some(links) = graph.get(path).filter(|_| reached.insert(path)) {
            open.extend(links.local.iter().map(String::as_str));
        }
    }
    reached
}

struct Rule<'r> {
    modules: &'r Modules<'r>,
    resolver: &'r Resolver<'r>,
}

impl Rule<'_> {
    /// Whether what a specifier leads to gives a name; `seen`: files that were asked.
    fn gives(&self, specifier: &str, importer: &str, name: &str, seen: &mut BTreeSet<String>) -> Answer {
        let typescript = is_typescript(importer);
        let importer = Importer { path: importer, typescript, type_only: false, from_root: false };
        let Resolved::File(path) = self.resolver.code(specifier, importer) else { return Answer::Open };
        let one_value = if name == "default" { Answer::Given } else { Answer::Missing };
        if let Some((_, query)) = specifier.split_once('?') {
            let is_one = query.split('&').any(|word| ONE_VALUE.contains(&word));
            return if is_one { one_value } else { Answer::Open };
        }
        if [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| path.ends_with(end)) {
            return Answer::Missing;
        }
        if is_code(&path) {
            return self.module(&path, name, seen);
        }
        match ending(&path).as_str() {
            "json" if name != "default" => self.member(&path, name),
            "css" if !path.ends_with(".module.css") => Answer::Missing,
            asset if ASSETS.contains(&asset) => one_value,
            _ => Answer::Open,
        }
    }

    /// Whether a JSON file has a member of that name.
    fn member(&self, path: &str, name: &str) -> Answer {
        let text = self.resolver.project.files.get(path);
        match text.and_then(|text| json::commented(text)) {
            Some(Value::Object(members)) if members.contains_key(name) => Answer::Given,
            Some(_) => Answer::Missing,
            None => Answer::Open,
        }
    }

    /// Imports of files of which the bundler makes no module; `data`: files of JSON that were looked at.
    fn no_modules(&self, file: &CodeFile, path: &str, data: &mut BTreeSet<String>) -> Vec<Diagnostic> {
        let importer = Importer { path, typescript: is_typescript(path), type_only: false, from_root: false };
        let mut found = Vec::new();
        for one in &file.uses {
            let (Load::Import { type_only: false } | Load::Dynamic, Specifier::Text { text, range }) =
                (&one.load, &one.named)
            else {
                continue;
            };
            let Resolved::File(target) = self.resolver.code(text, importer) else { continue };
            if text.contains('?') {
                continue;
            }
            let kind = ending(&target);
            if kind == "json" && json::is_read(&target).is_none() && data.insert(target.clone()) {
                let read = self.resolver.project.files.get(&target);
                found.extend(read.and_then(|text| json::check(&target, text, json::Json::Strict)));
            }
            let is_known = is_code(&target)
                || ["json", "css", "wasm"].contains(&kind.as_str())
                || ASSETS.contains(&kind.as_str())
                || kind == "webmanifest";
            if !is_known {
                found.push(Diagnostic::of(&IMPORT_NOT_A_MODULE, args! {}).in_file(path).at(*range));
            }
        }
        found
    }

    fn module(&self, path: &str, name: &str, seen: &mut BTreeSet<String>) -> Answer {
        let Some(names) = self.modules.get(path).map(|file| &file.names).filter(|names| !names.is_open) else {
            return Answer::Open;
        };
        // Asked already on this way: it gives nothing more.
        if names.given.contains(name) || !seen.insert(path.to_owned()) {
            return if names.given.contains(name) { Answer::Given } else { Answer::Missing };
        }
        // A default is never passed on.
        let passed = names.passed.iter().filter(|_| name != "default");
        passed
            .map(|from| self.gives(from, path, name, seen))
            .find(|answer| *answer != Answer::Missing)
            .unwrap_or(Answer::Missing)
    }
}
