//! The JavaScript of a bundle, read and never run (ifc-extension.md §6).
//!
//! Owns the code rules, the resolution of entry functions and the tracing of the SDK through variables, parameters and
//! imports. Knows nothing of manifests: which modules are called comes in, what they need goes out, and the kind
//! compares that with what is declared. Invariant: total on every input; nothing recurses deeper than
//! `MAX_CODE_DEPTH` allows, because depth is decided on the raw text before a parser sees it.

mod codes;
mod findings;
mod fold;
mod lexis;
mod limits;
mod module;
mod names;
mod report;
mod rules;
mod sdk;
mod spine;
mod stack;
mod syntax;
#[cfg(test)]
mod test;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::Expression;

pub use codes::CODES;
pub use limits::{MAX_CODE_DEPTH, MAX_CODE_NODES};
pub use report::{Binding, Entry, EntryFunction, Need, Report, Role};

use findings::Findings;
use fold::Folder;
use module::Module;
use sdk::needs::Uses;
use world::World;

/// Checks the `.js` files among `files` and traces the SDK from `entries`.
pub fn analyse(files: &BTreeMap<String, String>, entries: &[Entry]) -> Report {
    stack::with_room(|| read(files, entries))
}

fn read(files: &BTreeMap<String, String>, entries: &[Entry]) -> Report {
    let arena = Allocator::default();
    let mut report = Report::default();
    let (mut modules, mut paths) = (BTreeMap::new(), Vec::new());
    let mut refused: BTreeMap<&str, Vec<crate::Diagnostic>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".js")) {
        paths.push(path.as_str());
        let (module, diagnostics) = module::read(path, text, &arena);
        refused.insert(path, diagnostics);
        if let Some(module) = module {
            modules.insert(path.as_str(), module);
        }
    }
    let world = World::new(modules, paths);
    let folder = Folder::new(&world);
    let facts = sdk::trace::trace(&world, &folder, entries);
    let context = rules::Context { world: &world, folder: &folder, entries };
    for (path, module) in &world.modules {
        report.imports.insert((*path).to_owned(), imports(&world, module));
        let mut findings = Findings::new(module);
        for rule in &rules::RULES {
            (rule.check)(module, &context, &mut findings);
        }
        let mut uses = Uses {
            module,
            folder: &folder,
            findings: &mut findings,
            needs: Vec::new(),
            asked: Vec::new(),
            unknown: Vec::new(),
            escapes: false,
        };
        for fact in facts.iter().filter(|fact| fact.path == *path) {
            uses.take(fact);
        }
        report.escapes |= uses.escapes;
        report.unknown.append(&mut uses.unknown);
        report.needs.append(&mut uses.finish());
        refused.entry(path).or_default().extend(findings.finish());
    }
    for diagnostics in refused.values_mut() {
        diagnostics.sort_by(|a, b| (a.range, &a.code).cmp(&(b.range, &b.code)));
    }
    report.diagnostics = refused.into_values().flatten().collect();
    for entry in entries.iter().filter(|entry| world.modules.contains_key(entry.path.as_str())) {
        report.entries.insert(entry.clone(), world.entry(entry).map(|(function, _)| function));
    }
    report
}

/// The bundle's modules that a module loads.
fn imports(world: &World, module: &Module) -> BTreeSet<String> {
    let fixed = world::specifiers(module);
    let late = module.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::ImportExpression(import) => match &import.source {
            Expression::StringLiteral(specifier) => Some(specifier.as_ref()),
            _ => None,
        },
        _ => None,
    });
    fixed
        .into_iter()
        .chain(late)
        .filter_map(|specifier| world.resolve(module.path, &specifier.value))
        .map(str::to_owned)
        .collect()
}
