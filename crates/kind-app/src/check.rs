//! The whole check of a project (spec: vite-app.md §4).

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Diagnostic, LineIndex, args, codes};
use serde::Serialize;

use crate::alias::of_compiler_options;
use crate::code::{self as source, dialect};
use crate::limits::MAX_INPUT_BYTES;
use crate::options::{DEFAULT_ENTRY, Options};
use crate::order;
use crate::policy::{self, LOCK_FILES, can_start, ending, is_code, is_typescript};
use crate::project::{ProjectTree, Stats, normalise};
use crate::resolve::{Importer, Resolver};
use crate::rules::code::SYNTAX_ERROR;
use crate::rules::css::Sheet;
use crate::rules::html::{INDEX_HTML_MISSING, Page};
use crate::rules::names::Modules;
use crate::rules::{Graph, build, code, config, css, html, json, lock, names, package, postcss};

codes! {
    /// there is no file of the entry's path
    ENTRY_MISSING: Error, "Name a file that is there: `{entry}` is the entry and is none." [entry];
    /// the entry is no code file
    ENTRY_NOT_CODE: Error, "Name a code file as the entry: one that ends in `ts tsx mts js jsx mjs`.";
}

/// Where findings about the entry point.
const ENTRY: &str = "/entry_file";

/// What a check finds in a project.
#[derive(Debug, Clone, Default)]
pub struct ProjectReport {
    pub diagnostics: Vec<Diagnostic>,
    pub entry: String,
    pub stats: Stats,
    pub graph: Graph,
}

/// What a check answers beside its findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AppFacts {
    pub entry_file: String,
    pub stats: Stats,
    /// What each file names, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
}

/// Refuses what is over [`MAX_INPUT_BYTES`].
pub fn bounded(bytes: usize) -> Result<(), ApiError> {
    if bytes > MAX_INPUT_BYTES { Err(ApiError::over("MAX_INPUT_BYTES", MAX_INPUT_BYTES, bytes)) } else { Ok(()) }
}

pub fn bytes_of(files: &Files) -> usize {
    files.iter().map(|(path, text)| path.len() + text.len()).sum()
}

/// Checks files under raw keys; `entry` as sent.
pub fn check(files: &Files, entry: Option<&str>, options: &Options<'_>) -> ProjectReport {
    let whole = normalise(files);
    let mut checked = tree(&whole.files, entry.unwrap_or(DEFAULT_ENTRY), true, options);
    checked.diagnostics.extend(whole.findings);
    order::arrange(&mut checked.diagnostics);
    checked
}

/// Checks files under normal keys, in any order of findings; `judges_entry`: whether the form of the entry is asked.
pub fn tree(files: &Files, entry: &str, judges_entry: bool, options: &Options<'_>) -> ProjectReport {
    let mut found = Vec::new();
    let (project, stats) = ProjectTree::new(files, options, &mut found);
    let entry = the_entry(entry, &project, judges_entry, &mut found);

    let text = |path: &str| files.get(path).map(String::as_str);
    let (declared, package_findings) = package::check(text(package::PATH), project.has(lock::PATH), options);
    found.extend(package_findings);
    if let Some(text) = text(lock::PATH) {
        found.extend(lock::check(text, declared.as_ref(), options));
    }
    let others = LOCK_FILES.iter().filter(|path| **path != lock::PATH && project.has(path));
    found.extend(others.map(|path| Diagnostic::of(&lock::LOCKFILE_IGNORED, args! {}).in_file(*path)));

    let config = config::check(files);
    found.extend(config.findings);
    let mut aliases = config.aliases;
    if declared.as_ref().is_some_and(|own| own.has("vite-tsconfig-paths")) || config.reads_paths {
        let read = |path: &&str| json::commented(text(path)?)?.get("compilerOptions").cloned();
        let own: Vec<_> = ["tsconfig.app.json", "tsconfig.json", "jsconfig.json"].iter().filter_map(read).collect();
        aliases.splice(0..0, of_compiler_options(own.iter()));
    }
    let resolver =
        Resolver { project: &project, options, declared: declared.as_ref(), aliases, any_alias: config.any_alias };
    let mut graph = Graph::new();
    let mut modules = Modules::new();
    let page = scan(&resolver, &mut graph, &mut modules, &mut found);
    let reached = names::reached(&graph);
    found.extend(names::check(&modules, &resolver, &reached, config.loads_more));
    found.extend(bundled(&resolver, &reached));
    found.extend(postcss::check(files, &resolver));
    found.extend(build::check(files, &resolver));
    match page {
        None => found.push(Diagnostic::of(&INDEX_HTML_MISSING, args! {}).in_file(html::PATH)),
        Some(page) => {
            if let Some(entry) = entry.as_deref().filter(|entry| project.has(entry) && can_start(entry)) {
                found.extend(html::entry(entry, &page));
            }
        }
    }
    ProjectReport { diagnostics: found, entry: entry.unwrap_or_default(), stats, graph }
}

/// The normal form of the entry, once its faults are told.
fn the_entry(raw: &str, project: &ProjectTree<'_>, judges: bool, found: &mut Vec<Diagnostic>) -> Option<String> {
    let path = match policy::normalise(raw) {
        Ok(path) => path.as_str().to_owned(),
        Err(fault) => {
            found.push(Diagnostic::of(fault.code(), args! {}).at_pointer(ENTRY));
            return None;
        }
    };
    if !project.has(&path) {
        found.push(Diagnostic::of(&ENTRY_MISSING, args! { entry: path.as_str() }).at_pointer(ENTRY));
    }
    if judges && !can_start(&path) {
        found.push(Diagnostic::of(&ENTRY_NOT_CODE, args! {}).at_pointer(ENTRY));
    }
    Some(path)
}

/// What a bundler breaks off at in styles that it reads.
fn bundled(resolver: &Resolver<'_>, reached: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for path in reached {
        let Some(text) = resolver.project.files.get(*path).filter(|_| !resolver.project.refused.contains(path)) else {
            continue;
        };
        if ending(path) == "css" && !path.starts_with("public/") && css::is_strict(resolver.declared) {
            let lines = LineIndex::new(text);
            let sheet = Sheet { text, offset: 0, lines: &lines, resolves: true };
            found.extend(css::fault(&sheet, path));
        }
    }
    found
}

/// Reads every file that can name others; answers the root page.
fn scan<'p>(
    resolver: &Resolver<'p>,
    graph: &mut Graph,
    modules: &mut Modules<'p>,
    found: &mut Vec<Diagnostic>,
) -> Option<Page> {
    let mut root = resolver.project.has(html::PATH).then(Page::default);
    for (path, text) in resolver.project.scanned() {
        let importer = Importer { path, typescript: is_typescript(path), type_only: false, from_root: false };
        if let Some(json) = json::is_read(path) {
            found.extend(json::check(path, text, json));
            continue;
        }
        if is_code(path) {
            match source::read(text, dialect(path)) {
                Ok(file) => {
                    let links = graph.entry(path.to_owned()).or_default();
                    found.extend(code::check(&file.uses, importer, resolver, links));
                    modules.insert(path, file);
                }
                Err(fault) => {
                    let finding = Diagnostic::of(&SYNTAX_ERROR, args! { what: fault.what });
                    found.push(finding.in_file(path).at(fault.range));
                }
            }
            continue;
        }
        match ending(path).as_str() {
            "css" => {
                let lines = LineIndex::new(text);
                let sheet = Sheet { text, offset: 0, lines: &lines, resolves: !path.starts_with("public/") };
                found.extend(css::check(&sheet, importer, resolver, graph.entry(path.to_owned()).or_default()));
            }
            "html" => {
                let mut page = html::check(importer, text, resolver, graph.entry(path.to_owned()).or_default());
                found.append(&mut page.findings);
                if path == html::PATH {
                    root = Some(page);
                }
            }
            _ => {}
        }
    }
    root
}
