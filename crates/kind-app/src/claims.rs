//! What a proposal says beside what it does: the files and packages that its words name (spec: app-builder.md §10).
//!
//! A file is named by its path or its name, a package by its own. Words are for a person and name few files, so only what
//! one would miss needs a word: a file that goes, a configuration of the tools, a package that comes, goes or is another.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_kind::claims::{self, ChangedObject, ClaimName};

use crate::dialect::apply::{ChangedStatus, changes};
use crate::policy::{is_code, is_root};
use crate::rules::package;

/// Warnings for what is said and not done, then for what is done and not said. They stop nothing.
pub fn claims(words: &str, before: &Files, after: &Files) -> Vec<Diagnostic> {
    let (old, new) = (packages(before), packages(after));
    let packages: BTreeSet<&String> = old.symmetric_difference(&new).map(|(name, _)| name).collect();
    let mut names: Vec<ClaimName> = Vec::new();
    let mut name =
        |object: &str, text: &str| names.push(ClaimName { text: text.to_owned(), object: object.to_owned() });
    for path in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
        name(path, path);
        if let Some((_, base)) = path.rsplit_once('/') {
            name(path, base);
        }
    }
    for package in &packages {
        name(package, package);
    }
    let file = |path: String, status: ChangedStatus| ChangedObject {
        needs_word: status == ChangedStatus::Deleted || (is_root(&path) && is_code(&path)),
        file: path.clone(),
        object: path,
    };
    let mut changed: Vec<ChangedObject> =
        changes(before, after).into_iter().map(|one| file(one.path, one.status)).collect();
    changed.extend(packages.into_iter().map(|package| ChangedObject {
        object: package.clone(),
        file: package::PATH.to_owned(),
        needs_word: true,
    }));
    // Whose words these are is not known here: the verbs of every language count.
    claims::claims(words, &names, &changed, "")
}

/// The packages of a project with their versions.
fn packages(files: &Files) -> BTreeSet<(String, String)> {
    let Some(declared) = package::read(files.get(package::PATH).map(String::as_str)) else { return BTreeSet::new() };
    let all = package::MAPS.iter().flat_map(|map| declared.map(map).into_iter());
    all.map(|(name, version)| (name.clone(), version.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(more: &[(&str, &str)]) -> Files {
        let files = [
            ("package.json", r#"{"dependencies": {"react": "18.3.1"}}"#),
            ("vite.config.ts", "export default {};"),
            ("src/App.tsx", "export {};"),
            ("src/table/Row.tsx", "export {};"),
            ("src/list/Row.tsx", "export {};"),
        ];
        files.iter().chain(more).map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    fn found(words: &str, after: &Files) -> Vec<String> {
        let told = |one: &Diagnostic| {
            assert!(!one.is_error());
            let value = one.args.get("name").or(one.args.get("object")).unwrap();
            format!("{} {}", one.code, value.as_str().unwrap())
        };
        claims(words, &project(&[]), after).iter().map(told).collect()
    }

    #[test]
    fn a_file_that_is_said_to_change_and_does_not_is_told() {
        let after = project(&[("src/table/Row.tsx", "export const row = 1;")]);
        assert_eq!(found("I changed src/table/Row.tsx.", &after), [""; 0]);
        assert_eq!(found("I made rows wider in Row.tsx.", &after), [""; 0], "one of that name does");
        assert_eq!(found("I made rows wider.", &after), [""; 0], "few words name files");
        assert_eq!(found("I changed Row.tsx and App.tsx.", &after), ["SUMMARY_CLAIMS_UNCHANGED App.tsx"]);
        assert_eq!(found("I changed Row.tsx. App.tsx stays as it is.", &after), [""; 0]);
        assert_eq!(found("Jag ändrade `src/list/Row.tsx`.", &after), ["SUMMARY_CLAIMS_UNCHANGED src/list/Row.tsx"]);
    }

    #[test]
    fn what_one_would_miss_needs_a_word() {
        let mut after = project(&[
            ("package.json", r#"{"dependencies": {"react": "18.3.1", "zustand": "5.0.1"}}"#),
            ("vite.config.ts", "export default { base: './' };"),
        ]);
        after.remove("src/list/Row.tsx");
        let silent = found("I made the list faster.", &after);
        let omitted =
            ["src/list/Row.tsx", "vite.config.ts", "zustand"].map(|one| format!("SUMMARY_OMITS_CHANGE {one}"));
        assert_eq!(silent, omitted);
        let said = "I added zustand, set the base in vite.config.ts and removed src/list/Row.tsx.";
        assert_eq!(found(said, &after), [""; 0]);
        let other = project(&[("package.json", r#"{"dependencies": {"react": "18.2.0"}}"#)]);
        assert_eq!(found("Done.", &other), ["SUMMARY_OMITS_CHANGE react"], "another version");
    }
}
