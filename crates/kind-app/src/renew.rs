//! The lock of a project, taken from that of its catalogue (spec: vite-app.md §7 "Renewing a lock").
//!
//! Not in any module of a page: the lock of a catalogue is larger than all of it.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, args, codes};
use serde_json::{Map, Value, json};

use crate::options::{Options, Policy};
use crate::rules::package::{self, PackageFile};

codes! {
    /// there is no lock to take it from
    LOCKFILE_NOT_RENEWABLE: Error, "Renew the lock with npm: {why}." [why];
}

/// The file that it is the text of.
pub const LOCK: &str = "package-lock.json";
/// The locks of catalogues that have one.
const LOCKS: [(&str, &str); 1] = [("2026-11", include_str!("../data/catalog-2026-11.lock.json"))];
const DEPENDS: [&str; 3] = ["dependencies", "optionalDependencies", "peerDependencies"];

/// The part of the catalogue's lock that a project's packages reach, as the text of its `package-lock.json`.
pub fn renew(files: &Files, options: &Options<'_>) -> Result<String, ApiError> {
    let refuse = |why: &str| ApiError::of(&LOCKFILE_NOT_RENEWABLE, args! { why });
    if options.policy != Policy::Curated {
        return Err(refuse("its packages are not those of a catalogue"));
    }
    let shipped = crate::options::shipped(&options.catalog.version).filter(|own| **own == *options.catalog);
    let lock = shipped.and_then(|own| LOCKS.iter().find(|(version, _)| *version == own.version));
    let Some((_, lock)) = lock else { return Err(refuse("its catalogue has no lock")) };
    let text = files.get(package::PATH).map(String::as_str);
    let declared = package::read(text).ok_or_else(|| refuse("`package.json` cannot be read"))?;
    let lock: Value = serde_json::from_str(lock).map_err(|_| refuse("the lock of the catalogue cannot be read"))?;
    let packages =
        lock.get("packages").and_then(Value::as_object).ok_or_else(|| refuse("its catalogue has no lock"))?;
    let reached = reach(&declared, packages).ok_or_else(|| refuse("a package is not in the catalogue"))?;
    Ok(text_of(&declared, packages, &reached))
}

/// Keys of the entries that the declared packages reach; `None` where a declared one has none.
fn reach<'p>(declared: &PackageFile, packages: &'p Map<String, Value>) -> Option<BTreeSet<&'p str>> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = Vec::new();
    for map in ["dependencies", "devDependencies"] {
        for name in declared.map(map).keys() {
            let (key, _) = packages.get_key_value(&format!("node_modules/{name}"))?;
            open.push(key);
        }
    }
    while let Some(key) = open.pop() {
        if !reached.insert(key) {
            continue;
        }
        let entry = &packages[key];
        for map in DEPENDS {
            for name in entry.get(map).and_then(Value::as_object).into_iter().flat_map(Map::keys) {
                let optional = entry.get("peerDependenciesMeta").and_then(|meta| meta.get(name)?.get("optional"));
                if map == "peerDependencies" && optional == Some(&Value::Bool(true)) {
                    continue;
                }
                open.extend(found_from(key, name, packages));
            }
        }
    }
    Some(reached)
}

/// The entry that Node would find for a name from a package: in its own folder, then upwards.
fn found_from<'p>(key: &str, name: &str, packages: &'p Map<String, Value>) -> Option<&'p str> {
    let mut folder = Some(key);
    while let Some(place) = folder {
        let inner = format!("{place}/node_modules/{name}");
        if let Some((found, _)) = packages.get_key_value(&inner) {
            return Some(found);
        }
        folder = place.rfind("/node_modules/").map(|at| &place[..at]);
    }
    packages.get_key_value(&format!("node_modules/{name}")).map(|(found, _)| found.as_str())
}

fn text_of(declared: &PackageFile, packages: &Map<String, Value>, reached: &BTreeSet<&str>) -> String {
    let mut root = Map::new();
    for member in ["name", "version", "dependencies", "devDependencies"] {
        if let Some(value) = declared.root.get(member) {
            root.insert(member.to_owned(), value.clone());
        }
    }
    let mut all: BTreeMap<&str, Value> = reached.iter().map(|key| (*key, packages[*key].clone())).collect();
    all.insert("", Value::Object(root));
    let all: Map<String, Value> = all.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let mut lock = Map::new();
    for member in ["name", "version"] {
        if let Some(value) = declared.root.get(member) {
            lock.insert(member.to_owned(), value.clone());
        }
    }
    lock.insert("lockfileVersion".to_owned(), json!(3));
    lock.insert("requires".to_owned(), json!(true));
    lock.insert("packages".to_owned(), Value::Object(all));
    let mut text = serde_json::to_string_pretty(&Value::Object(lock)).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::RawOptions;
    use serde_json::from_value;

    fn files(package: &Value) -> Files {
        [("package.json".to_owned(), package.to_string())].into()
    }

    fn options(catalog: &str) -> RawOptions {
        from_value(json!({ "catalog": catalog })).unwrap()
    }

    #[test]
    fn a_lock_has_what_is_reached_and_nothing_else() {
        let package = json!({ "name": "tally", "dependencies": { "react": "18.3.1" } });
        let raw = options("2026-11");
        let text = renew(&files(&package), &raw.resolve().unwrap()).unwrap();
        assert_eq!(text, renew(&files(&package), &raw.resolve().unwrap()).unwrap(), "the same bytes each time");
        let lock: Value = serde_json::from_str(&text).unwrap();
        let keys: Vec<&String> = lock["packages"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["", "node_modules/js-tokens", "node_modules/loose-envify", "node_modules/react"]);
        assert_eq!(lock["packages"][""], package);
        assert!(text.ends_with("}\n"));
    }

    #[test]
    fn what_has_no_lock_is_said() {
        let refused = |package: &Value, catalog: &str| {
            renew(&files(package), &options(catalog).resolve().unwrap()).unwrap_err().code
        };
        assert_eq!(refused(&json!({}), "2026-01"), "LOCKFILE_NOT_RENEWABLE");
        assert_eq!(refused(&json!({ "dependencies": { "left-pad": "1.3.0" } }), "2026-11"), "LOCKFILE_NOT_RENEWABLE");
    }
}
