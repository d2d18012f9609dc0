//! `package-lock.json`: where packages come from, by which hash (spec: vite-app.md §7 "Lock").

use holdpoint_check::{Diagnostic, Severity, args, codes, json};
use serde_json::{Map, Value};

use super::package::PackageFile;
use crate::limits::MAX_SYNTAX_DEPTH;
use crate::options::{Options, Policy};

codes! {
    /// `npm ci` could not use it
    LOCKFILE_INVALID: Error, "Renew the lock: this is none that `npm ci` takes.";
    /// a package from elsewhere than the registry
    LOCKFILE_SOURCE_FORBIDDEN: Error, "Renew the lock: packages come from the registry alone.";
    /// a package without its hash
    LOCKFILE_INTEGRITY_MISSING: Error, "Renew the lock: the package has no `sha512` integrity.";
    /// the lock and `package.json` do not agree
    LOCKFILE_OUT_OF_SYNC: Error, "Renew the lock: it does not say what `package.json` declares.";
    /// a lock of another program
    LOCKFILE_IGNORED: Info, "Only `package-lock.json` is used.";
}

pub const PATH: &str = "package-lock.json";
const MAPS: [&str; 2] = ["dependencies", "devDependencies"];

/// Judges a lock against what is declared.
pub fn check(text: &str, declared: Option<&PackageFile>, options: &Options<'_>) -> Vec<Diagnostic> {
    let found = match json::read(text, MAX_SYNTAX_DEPTH).map(|document| document.value) {
        Ok(Value::Object(root)) => judged(&root, declared, options),
        _ => vec![Diagnostic::of(&LOCKFILE_INVALID, args! {})],
    };
    found.into_iter().map(|one| one.in_file(PATH)).collect()
}

fn judged(root: &Map<String, Value>, declared: Option<&PackageFile>, options: &Options<'_>) -> Vec<Diagnostic> {
    let invalid = |pointer: &str| vec![Diagnostic::of(&LOCKFILE_INVALID, args! {}).at_pointer(pointer)];
    if !matches!(root.get("lockfileVersion").and_then(Value::as_u64), Some(2 | 3)) {
        return invalid("/lockfileVersion");
    }
    let Some(packages) = root.get("packages").and_then(Value::as_object) else { return invalid("/packages") };
    let mut found = Vec::new();
    for (key, entry) in packages.iter().filter(|(key, _)| !key.is_empty()) {
        let place = json::join("/packages", key);
        found.extend(source(key, entry, &place, options));
    }
    if let Some(declared) = declared
        && !is_in_sync(packages, declared)
    {
        let severity = if options.policy == Policy::Curated { Severity::Warning } else { Severity::Error };
        found.push(Diagnostic::of(&LOCKFILE_OUT_OF_SYNC, args! {}).weighed(severity).at_pointer("/packages/"));
    }
    found
}

fn source(key: &str, entry: &Value, place: &str, options: &Options<'_>) -> Vec<Diagnostic> {
    let Some(entry) = entry.as_object() else {
        return vec![Diagnostic::of(&LOCKFILE_INVALID, args! {}).at_pointer(place)];
    };
    let is_below = key.starts_with("node_modules/") && !key.split('/').any(|segment| segment == "..");
    if !is_below || entry.get("link") == Some(&Value::Bool(true)) {
        return vec![Diagnostic::of(&LOCKFILE_SOURCE_FORBIDDEN, args! {}).at_pointer(place)];
    }
    let mut found = Vec::new();
    if entry.get("resolved").is_some_and(|resolved| !comes_from_registry(resolved, options.registry)) {
        let at = format!("{place}/resolved");
        found.push(Diagnostic::of(&LOCKFILE_SOURCE_FORBIDDEN, args! {}).at_pointer(at));
    }
    let has_hash = entry.get("integrity").and_then(Value::as_str).is_some_and(|hash| hash.starts_with("sha512-"));
    if !has_hash && entry.get("inBundle") != Some(&Value::Bool(true)) {
        found.push(Diagnostic::of(&LOCKFILE_INTEGRITY_MISSING, args! {}).at_pointer(place));
    }
    found
}

/// Whether an address is one of `https` at exactly that origin.
fn comes_from_registry(resolved: &Value, registry: Option<&str>) -> bool {
    let (Some(address), Some(registry)) = (resolved.as_str(), registry) else { return false };
    let origin = registry.trim_end_matches('/');
    let behind = address.strip_prefix(origin);
    origin.starts_with("https://")
        && behind.is_some_and(|path| path.starts_with('/'))
        && !address.contains(['\\', ' ', '\t', '\n', '\r'])
}

fn is_in_sync(packages: &Map<String, Value>, declared: &PackageFile) -> bool {
    let own = packages.get("");
    for map in MAPS {
        let locked = own.and_then(|own| own.get(map)).and_then(Value::as_object).cloned().unwrap_or_default();
        let wanted = declared.map(map);
        let same =
            locked.len() == wanted.len() && wanted.iter().all(|(name, version)| locked.get(name) == Some(version));
        let has_all = wanted.iter().all(|(name, version)| {
            let entry = packages.get(&format!("node_modules/{name}"));
            let at = entry.and_then(|entry| entry.get("version")).and_then(Value::as_str);
            at.is_some() && at == version.as_str().map(str::trim)
        });
        if !same || !has_all {
            return false;
        }
    }
    true
}
