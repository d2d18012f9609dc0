//! `package.json`: what it declares, and what runs by it (spec: vite-app.md §7).
//!
//! Why: a declared package is one that was looked at, by exact version; nothing of a project runs by itself.

use std::collections::BTreeSet;

use holdpoint_check::{Diagnostic, Fix, args, codes, json};
use serde_json::{Map, Value};

use crate::limits::MAX_SYNTAX_DEPTH;
use crate::options::{Options, Policy};

codes! {
    /// there is no `package.json` at the root
    PACKAGE_JSON_MISSING: Error, "Add `package.json` at the root.";
    /// it is no JSON object
    PACKAGE_JSON_INVALID: Error, "Correct `package.json`: it must be one JSON object.";
    /// a map of packages is no object
    DEPENDENCY_MAP_INVALID: Error, "Write an object of package names and versions.";
    /// a package stands in both maps
    DEPENDENCY_DUPLICATE: Error, "Declare `{name}` once: it stands in `dependencies` too." [name];
    /// no package of the catalogue
    DEPENDENCY_NOT_IN_CATALOG: Error, "Use a package of catalogue {version}: `{name}` is none." [name, version];
    /// a version that is no text
    DEPENDENCY_VERSION_INVALID: Error, "Write the version as a text.";
    /// another version than the catalogue's
    DEPENDENCY_VERSION_MISMATCH: Error, "Use version {pin}, which the catalogue has for `{name}`." [name, pin];
    /// no version of the form MAJOR.MINOR.PATCH
    DEPENDENCY_VERSION_NOT_EXACT: Error, "Write one exact version, as 1.2.3: no range, tag or address.";
    /// no name that a registry takes
    DEPENDENCY_NAME_INVALID: Error, "Correct the name: a registry takes lower-case letters, digits and `. _ ~ -`.";
    /// `vite` stands in neither map
    VITE_NOT_DECLARED: Error, "Declare `vite` in `devDependencies`.";
    /// a member that brings in code in another way
    PACKAGE_FIELD_FORBIDDEN: Error, "Leave `{name}` out: packages are declared in `dependencies` and `devDependencies` alone." [name];
    /// a member of another form
    PACKAGE_FIELD_INVALID: Error, "Write an object of script names and command lines.";
    /// a script that would run by itself
    SCRIPT_FORBIDDEN: Error, "Leave this script out: nothing of a project runs by itself.";
    /// a script that the build runner does not understand
    SCRIPT_NOT_RECOGNISED: Warning, "Write it as {form}: of another line the build runner uses its default." [form];
    /// there is no lock outside of a catalogue
    LOCKFILE_MISSING: Error, "Add `package-lock.json`: packages outside the catalogue are taken by lock alone.";
}

pub const PATH: &str = "package.json";
/// The maps that name packages.
pub const MAPS: [&str; 2] = ["dependencies", "devDependencies"];
const FORBIDDEN_FIELDS: [&str; 9] = [
    "peerDependencies",
    "optionalDependencies",
    "bundleDependencies",
    "bundledDependencies",
    "overrides",
    "resolutions",
    "workspaces",
    "pnpm",
    "gypfile",
];
const FORBIDDEN_SCRIPTS: [&str; 15] = [
    "preinstall",
    "install",
    "postinstall",
    "prepare",
    "preprepare",
    "postprepare",
    "prepublish",
    "prepublishOnly",
    "prepack",
    "postpack",
    "dependencies",
    "prebuild",
    "postbuild",
    "pretest",
    "posttest",
];
/// Names under which tests are run, in the order in which they are looked for.
pub const TEST_SCRIPTS: [&str; 3] = ["test", "test:unit", "test:ci"];
const MAX_NAME_CHARS: usize = 214;

/// What a readable `package.json` says.
#[derive(Debug, Clone, Default)]
pub struct PackageFile {
    pub root: Map<String, Value>,
    names: BTreeSet<String>,
}

impl PackageFile {
    /// Whether a package stands in one of the two maps.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The version that one of the two maps has for a package.
    pub fn version(&self, name: &str) -> Option<&str> {
        MAPS.iter().find_map(|map| self.root.get(*map)?.get(name)?.as_str()).map(str::trim)
    }

    /// One of the two maps; empty where it is none.
    pub fn map(&self, name: &str) -> Map<String, Value> {
        self.root.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
    }
}

/// Reads `package.json`; `None` where it is missing or no object.
pub fn read(text: Option<&str>) -> Option<PackageFile> {
    let Value::Object(root) = json::read(text?, MAX_SYNTAX_DEPTH).ok()?.value else { return None };
    let maps = MAPS.iter().filter_map(|map| root.get(*map)?.as_object());
    let names = maps.flat_map(|map| map.keys().cloned()).collect();
    Some(PackageFile { root, names })
}

/// Judges `package.json`, and reads what it declares.
pub fn check(text: Option<&str>, has_lock: bool, options: &Options<'_>) -> (Option<PackageFile>, Vec<Diagnostic>) {
    let declared = read(text);
    let mut found = Vec::new();
    match (&declared, text) {
        (_, None) => found.push(Diagnostic::of(&PACKAGE_JSON_MISSING, args! {})),
        (None, Some(_)) => found.push(Diagnostic::of(&PACKAGE_JSON_INVALID, args! {})),
        (Some(declared), _) => {
            dependencies(declared, options, &mut found);
            fields(declared, &mut found);
            if options.policy == Policy::RegistryPinned && !has_lock {
                let missing = Diagnostic::of(&LOCKFILE_MISSING, args! {});
                found = found.into_iter().map(|one| one.in_file(PATH)).collect();
                found.push(missing.in_file(super::lock::PATH));
                return (Some(declared.clone()), found);
            }
        }
    }
    let found = found.into_iter().map(|one| one.in_file(PATH)).collect();
    (declared, found)
}

fn dependencies(declared: &PackageFile, options: &Options<'_>, found: &mut Vec<Diagnostic>) {
    for map in MAPS {
        let pointer = format!("/{map}");
        let entries = match declared.root.get(map) {
            None => continue,
            Some(Value::Object(entries)) => entries,
            Some(_) => {
                found.push(Diagnostic::of(&DEPENDENCY_MAP_INVALID, args! {}).at_pointer(pointer));
                continue;
            }
        };
        for (name, version) in entries {
            let place = json::join(&pointer, name);
            let in_first =
                declared.root.get(MAPS[0]).and_then(Value::as_object).is_some_and(|one| one.contains_key(name));
            if map == MAPS[1] && in_first {
                found.push(Diagnostic::of(&DEPENDENCY_DUPLICATE, args! { name }).at_pointer(place.clone()));
            }
            let fault = match options.policy {
                Policy::Curated => curated(name, version, &place, options),
                Policy::RegistryPinned => pinned(name, version),
            };
            found.extend(fault.map(|one| one.at_pointer(place)));
        }
    }
    if !declared.has("vite") {
        found.push(Diagnostic::of(&VITE_NOT_DECLARED, args! {}).at_pointer("/devDependencies"));
    }
}

fn curated(name: &str, version: &Value, place: &str, options: &Options<'_>) -> Option<Diagnostic> {
    let Some(pin) = options.catalog.packages.get(name) else {
        let version = &options.catalog.version;
        return Some(Diagnostic::of(&DEPENDENCY_NOT_IN_CATALOG, args! { name, version }));
    };
    match version.as_str() {
        None => Some(Diagnostic::of(&DEPENDENCY_VERSION_INVALID, args! {})),
        Some(version) if version.trim() == pin => None,
        Some(_) => {
            let finding = Diagnostic::of(&DEPENDENCY_VERSION_MISMATCH, args! { name, pin });
            Some(finding.with_fix(vec![Fix::value(place, pin.as_str())]))
        }
    }
}

fn pinned(name: &str, version: &Value) -> Option<Diagnostic> {
    if !is_registry_name(name) {
        return Some(Diagnostic::of(&DEPENDENCY_NAME_INVALID, args! {}));
    }
    match version.as_str() {
        None => Some(Diagnostic::of(&DEPENDENCY_VERSION_INVALID, args! {})),
        Some(version) if is_exact(version.trim()) => None,
        Some(_) => Some(Diagnostic::of(&DEPENDENCY_VERSION_NOT_EXACT, args! {})),
    }
}

/// Whether a registry takes the name: `name` or `@scope/name`.
fn is_registry_name(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '_'])
            && part
                .bytes()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, b'.' | b'_' | b'~' | b'-'))
    };
    let parts_fit = match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, own)| is_part(scope) && is_part(own)),
        None => is_part(name),
    };
    parts_fit && name.len() <= MAX_NAME_CHARS
}

/// Whether a version is one: `MAJOR.MINOR.PATCH[-pre][+build]`.
fn is_exact(version: &str) -> bool {
    let (core, build) = version.split_once('+').map_or((version, None), |(core, build)| (core, Some(build)));
    let (numbers, pre) = core.split_once('-').map_or((core, None), |(numbers, pre)| (numbers, Some(pre)));
    let is_number = |part: &str| {
        !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit()) && (part == "0" || !part.starts_with('0'))
    };
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-');
    let words_fit = |words: Option<&str>| words.is_none_or(|words| words.split('.').all(is_word));
    numbers.split('.').count() == 3 && numbers.split('.').all(is_number) && words_fit(pre) && words_fit(build)
}

fn fields(declared: &PackageFile, found: &mut Vec<Diagnostic>) {
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    };
    for name in FORBIDDEN_FIELDS {
        if declared.root.get(name).is_some_and(|value| !is_empty(value)) {
            found.push(Diagnostic::of(&PACKAGE_FIELD_FORBIDDEN, args! { name }).at_pointer(format!("/{name}")));
        }
    }
    match declared.root.get("scripts") {
        None => {}
        Some(Value::Object(scripts)) => {
            for (name, line) in scripts {
                let place = json::join("/scripts", name);
                found.extend(script(name, line).into_iter().map(|one| one.at_pointer(place.clone())));
            }
        }
        Some(_) => found.push(Diagnostic::of(&PACKAGE_FIELD_INVALID, args! {}).at_pointer("/scripts")),
    }
}

fn script(name: &str, line: &Value) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if FORBIDDEN_SCRIPTS.contains(&name) {
        found.push(Diagnostic::of(&SCRIPT_FORBIDDEN, args! {}));
    }
    let Some(line) = line.as_str() else {
        found.push(Diagnostic::of(&PACKAGE_FIELD_INVALID, args! {}));
        return found;
    };
    let form = match name {
        "build" if typechecks(line).is_none() => "`vite build`, with `tsc` before it",
        name if TEST_SCRIPTS.contains(&name) && !is_vitest(line) => "`vitest run`",
        _ => return found,
    };
    found.push(Diagnostic::of(&SCRIPT_NOT_RECOGNISED, args! { form }));
    found
}

/// The `tsc` commands of a build script, as lists of words; `None` for a line that is not understood.
pub fn typechecks(line: &str) -> Option<Vec<Vec<String>>> {
    let mut steps: Vec<Vec<&str>> = line.split("&&").map(|step| step.split_whitespace().collect()).collect();
    if steps.pop()? != ["vite", "build"] {
        return None;
    }
    steps
        .iter()
        .all(|words| is_tsc(words))
        .then(|| steps.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()).collect())
}

fn is_tsc(words: &[&str]) -> bool {
    let is_config = |name: &str| name.starts_with("tsconfig") && name.ends_with(".json") && !name.contains('/');
    match words {
        ["tsc"] | ["tsc", "-b" | "--build" | "--noEmit"] => true,
        ["tsc", "-p", config] | ["tsc", "-p", config, "--noEmit"] => is_config(config),
        _ => false,
    }
}

fn is_vitest(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_option = |word: &str| {
        matches!(word, "--passWithNoTests" | "--run")
            || word.strip_prefix("--reporter=").is_some_and(|name| !name.is_empty())
    };
    words.next() == Some("vitest") && {
        let rest: Vec<&str> = words.collect();
        let options = rest.strip_prefix(&["run"][..]).unwrap_or(&rest);
        options.iter().all(|word| is_option(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_names() {
        for exact in ["1.2.3", "0.0.0", "1.2.3-beta.1", "1.2.3+a", "1.2.3-a-b+c.d"] {
            assert!(is_exact(exact), "{exact}");
        }
        for other in ["1.2", "^1.2.3", "01.2.3", "1.2.3-", "1.2.3.4", "latest", "=1.2.3", "1.2.x"] {
            assert!(!is_exact(other), "{other}");
        }
        for name in ["a", "@a/b", "a.b_c~d-e", "0"] {
            assert!(is_registry_name(name), "{name}");
        }
        for name in ["A", ".a", "_a", "@a", "@A/b", "a/b", "", "@a/.b"] {
            assert!(!is_registry_name(name), "{name}");
        }
    }

    #[test]
    fn scripts_that_are_understood() {
        let understood = [
            "vite build",
            "tsc && vite build",
            "tsc -b && vite build",
            "tsc -p tsconfig.app.json --noEmit&&vite build",
        ];
        for line in understood {
            assert!(typechecks(line).is_some(), "{line}");
        }
        for line in [
            "vite build --base /",
            "vite",
            "tsc",
            "echo a && vite build",
            "tsc -p ../tsconfig.json && vite build",
            "tsc; vite build",
        ] {
            assert!(typechecks(line).is_none(), "{line}");
        }
        for (line, want) in [
            ("vitest", true),
            ("vitest run --reporter=json", true),
            ("vitest --run", true),
            ("vitest run src", false),
            ("jest", false),
        ] {
            assert_eq!(is_vitest(line), want, "{line}");
        }
    }
}
