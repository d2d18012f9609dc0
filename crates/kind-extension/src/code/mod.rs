//! The JavaScript of an extension (ifc-extension.md §6): the rules over it, and what it needs of the SDK.
//!
//! Owns which names may be read, which function of a module the host calls, and the tracing of the SDK through
//! variables, parameters and imports; reading and resolving the code is `js`. Knows nothing of manifests: which modules
//! are called comes in, what they need goes out, and [`capabilities`] compares that with what is declared.
//!
//! [`capabilities`]: super::rules::capabilities

pub mod names;
mod report;
pub mod rule;
mod sdk;
#[cfg(test)]
pub mod test;

use std::collections::BTreeMap;

use holdpoint_js::tree::AstKind;
use holdpoint_js::{Findings, Folder, World};

pub use sdk::needs::CODES;

pub use report::{Analysis, EntryModule, Role, SdkUse};

use super::rules;
use rule::Context;
use sdk::needs::Uses;
use sdk::trace::trace;

/// Checks the `.js` files among `files` and traces the SDK from `entries`.
pub fn analyse(files: &BTreeMap<String, String>, entries: &[EntryModule]) -> Analysis {
    holdpoint_js::read(files, |world| rules_on(world, entries))
}

/// As [`analyse`], of one file that is called, and where the block ends that begins at byte `start` of its text.
pub fn analyse_block(files: &BTreeMap<String, String>, entry: EntryModule, start: usize) -> (Analysis, Option<usize>) {
    holdpoint_js::read(files, |world| {
        let block_end = world.modules.get(entry.path.as_str()).and_then(|module| {
            let blocks = module.nodes().iter().filter(|node| matches!(node.kind(), AstKind::BlockStatement(_)));
            blocks.map(|node| module.span(node.id())).find(|span| span.start as usize == start)
        });
        (rules_on(world, &[entry]), block_end.map(|span| span.end as usize))
    })
}

fn rules_on(mut world: World, entries: &[EntryModule]) -> Analysis {
    let mut report = Analysis { diagnostics: std::mem::take(&mut world.refused), ..Analysis::default() };
    let folder = Folder::new(&world);
    let facts = trace(&world, &folder, entries);
    let context = Context { world: &world, folder: &folder, entries };
    for (path, module) in &world.modules {
        report.imports.insert((*path).to_owned(), world.imports(module));
        let mut findings = Findings::new(module);
        for rule in &rules::CODE {
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
        report.diagnostics.extend(findings.finish());
    }
    report.diagnostics.sort_by(|a, b| (&a.path, a.range, &a.code).cmp(&(&b.path, b.range, &b.code)));
    for entry in entries.iter().filter(|entry| world.modules.contains_key(entry.path.as_str())) {
        let function = world.entry(&entry.path, entry.role.function_name());
        report.entries.insert(entry.clone(), function.map(|(function, _)| function));
    }
    report
}
