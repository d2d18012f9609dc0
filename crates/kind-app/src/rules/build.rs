//! Configurations that the tools of a build read before it begins (spec: vite-app.md §5.5).
//!
//! Why: compiler and bundler break off at a configuration that names a file or a package that is not there.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use super::json;
use crate::resolve::{Resolver, folder, join, package_name};

codes! {
    /// a configuration that the tools of the build cannot use
    BUILD_CONFIG_UNUSABLE: Error, "Correct the configuration: {what}." [what];
}

/// The configuration that the compiler and the bundler begin with.
const ROOT: &str = "tsconfig.json";

/// Judges what configurations of TypeScript name, from the root's on.
pub fn check(files: &Files, resolver: &Resolver<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut open = vec![ROOT.to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop() {
        // One that does not parse is reported where all of them are.
        let Some(config) = files.get(&path).and_then(|text| json::commented(text)) else { continue };
        if !seen.insert(path.clone()) {
            continue;
        }
        for (pointer, named) in named(&config) {
            match target(&path, &named, resolver) {
                Target::File(file) => open.push(file),
                Target::Package => {}
                Target::Nothing => {
                    let what = format!("it names `{named}`, which is not there");
                    found.push(
                        Diagnostic::of(&BUILD_CONFIG_UNUSABLE, args! { what })
                            .in_file(path.as_str())
                            .at_pointer(pointer),
                    );
                }
            }
        }
    }
    found
}

enum Target {
    File(String),
    Package,
    Nothing,
}

/// What a configuration names, each with its place.
fn named(config: &Value) -> Vec<(String, String)> {
    let mut all = Vec::new();
    match config.get("extends") {
        Some(Value::String(one)) => all.push(("/extends".to_owned(), one.clone())),
        Some(Value::Array(some)) => {
            let texts = some
                .iter()
                .enumerate()
                .filter_map(|(at, one)| Some((format!("/extends/{at}"), one.as_str()?.to_owned())));
            all.extend(texts);
        }
        _ => {}
    }
    for (at, reference) in config.get("references").and_then(Value::as_array).into_iter().flatten().enumerate() {
        if let Some(path) = reference.get("path").and_then(Value::as_str) {
            // A reference is a path, whatever it begins with.
            let path =
                if path.starts_with('.') || path.starts_with('/') { path.to_owned() } else { format!("./{path}") };
            all.push((format!("/references/{at}/path"), path));
        }
    }
    all
}

fn target(from: &str, named: &str, resolver: &Resolver<'_>) -> Target {
    if !named.starts_with('.') {
        let name = package_name(named);
        let is_declared = resolver.declared.is_none_or(|own| own.has(name));
        return if is_declared || named.starts_with('/') { Target::Package } else { Target::Nothing };
    }
    let path = join(folder(from), named);
    let candidates = path.iter().flat_map(|path| {
        let below = if path.is_empty() { ROOT.to_owned() } else { format!("{path}/{ROOT}") };
        [path.clone(), format!("{path}.json"), below]
    });
    candidates.into_iter().find(|path| resolver.project.has(path)).map_or(Target::Nothing, Target::File)
}
