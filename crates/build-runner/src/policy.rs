//! The check of a project before anything of it runs, as a function that whoever starts the runner brings along.

use std::collections::BTreeMap;

use holdpoint_check::error::SHAPE;
use holdpoint_check::{Diagnostic, args, read};
use holdpoint_kind_app::options::{Policy as Packages, RawOptions};
use holdpoint_kind_app::rules::lock::{LOCKFILE_OUT_OF_SYNC, PATH as LOCK};
use holdpoint_kind_app::{check, renew};
use serde_json::json;

use crate::wire::BuildOptions;

/// Judges a project. A finding of severity error ends the build as `POLICY_FAILED`.
pub type Policy = fn(&PolicyInput<'_>) -> PolicyAnswer;

#[derive(Debug)]
pub struct PolicyInput<'a> {
    /// All files; a binary one is its pointer text (spec: vite-app.md §1 "Binary files").
    pub files: &'a BTreeMap<String, String>,
    pub entry_file: Option<&'a str>,
    pub options: &'a BuildOptions,
    /// The origin from which locked packages may come.
    pub registry: &'a str,
}

#[derive(Debug, Default)]
pub struct PolicyAnswer {
    pub diagnostics: Vec<Diagnostic>,
    /// The renewed `package-lock.json`, where the project has none or one that does not fit.
    pub lock: Option<String>,
}

/// Takes a project as it is, with its own lock.
pub fn accept_as_it_is(_: &PolicyInput<'_>) -> PolicyAnswer {
    PolicyAnswer::default()
}

/// The check of apps, with the lock of their catalogue where a project has none that fits.
pub fn of_apps(input: &PolicyInput<'_>) -> PolicyAnswer {
    let refused = |cause: String| PolicyAnswer {
        diagnostics: vec![Diagnostic::of(&SHAPE, args! { cause }).at_pointer("/options")],
        lock: None,
    };
    let mut given = serde_json::Map::new();
    given.extend(input.options.policy.clone().map(|policy| ("policy".to_owned(), json!(policy))));
    given.extend(input.options.catalog.clone().map(|catalog| ("catalog".to_owned(), catalog)));
    let registry = input.options.registry.as_deref().unwrap_or(input.registry);
    given.insert("registry".to_owned(), json!(registry));
    let raw: RawOptions = match read::read(given.into()) {
        Ok(raw) => raw,
        Err(fault) => return refused(format!("{}: {}", fault.pointer, fault.cause)),
    };
    let options = match raw.resolve() {
        Ok(options) => options,
        Err(error) => return refused(error.message),
    };
    let report = check::check(input.files, input.entry_file, &options);
    let fits =
        input.files.contains_key(LOCK) && report.diagnostics.iter().all(|one| one.code != LOCKFILE_OUT_OF_SYNC.name);
    let renewed = (!fits && options.policy == Packages::Curated).then(|| renew::renew(input.files, &options).ok());
    PolicyAnswer { diagnostics: report.diagnostics, lock: renewed.flatten() }
}

#[cfg(test)]
mod tests {
    use holdpoint_kind_app::packs;

    use super::*;

    fn judged(files: &BTreeMap<String, String>, catalog: &str) -> PolicyAnswer {
        let options = BuildOptions { catalog: Some(json!(catalog)), ..BuildOptions::default() };
        of_apps(&PolicyInput { files, entry_file: None, options: &options, registry: "https://packages.example.test" })
    }

    #[test]
    fn a_project_without_a_lock_gets_that_of_its_catalogue() {
        let mut files = packs::find("blank-react").unwrap().files.clone();
        let first = judged(&files, "2026-11");
        assert!(!first.diagnostics.iter().any(Diagnostic::is_error), "{:?}", first.diagnostics);
        files.insert(LOCK.to_owned(), first.lock.unwrap());
        assert_eq!(judged(&files, "2026-11").lock, None, "it has one that fits");
        files.insert("src/App.tsx".to_owned(), "import 'left-pad';".to_owned());
        assert!(judged(&files, "2026-11").diagnostics.iter().any(|one| one.code == "IMPORT_NOT_IN_CATALOG"));
        assert_eq!(judged(&files, "none").diagnostics[0].code, "INVALID_INPUT");
    }
}
