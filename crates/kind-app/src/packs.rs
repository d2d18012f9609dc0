//! The template packs: projects from which an app is made, embedded when the crate is built (spec: vite-app.md §9).
//!
//! Invariant: a pack that this module answers passes the check of its catalogue without an error or a warning; a test
//! holds every pack to it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use holdpoint_bundle::{Files, content_hash};
use serde::{Deserialize, Serialize};

/// The pack of an app for which none is named.
pub const DEFAULT: &str = "chat-classic";

/// Key, manifest and files of each pack, by key.
type Table = &'static [(&'static str, &'static str, &'static [(&'static str, &'static str)])];
const TABLE: Table = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// What a pack says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateManifest {
    /// The name of its folder.
    pub key: String,
    pub name: String,
    pub description: String,
    /// The address of an image.
    pub thumbnail: String,
    pub tags: Vec<String>,
    pub entry_file: String,
    pub catalog_version: String,
    /// Colours and fonts by their role.
    #[serde(default)]
    pub style_tokens: BTreeMap<String, String>,
}

/// A project to begin with, without a lock.
#[derive(Debug, Clone)]
pub struct TemplatePack {
    pub manifest: TemplateManifest,
    pub files: Files,
    /// The canonical hash of the files.
    pub hash: String,
}

static PACKS: LazyLock<Vec<TemplatePack>> = LazyLock::new(|| TABLE.iter().map(pack).collect());

fn pack((_, manifest, files): &(&str, &str, &[(&str, &str)])) -> TemplatePack {
    let files: Files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    TemplatePack {
        manifest: serde_json::from_str(manifest).expect("the manifest of a pack is one, as a test says"),
        hash: content_hash(&files),
        files,
    }
}

/// Every pack, sorted by key.
pub fn all() -> &'static [TemplatePack] {
    &PACKS
}

pub fn find(key: &str) -> Option<&'static TemplatePack> {
    PACKS.iter().find(|pack| pack.manifest.key == key)
}

#[cfg(test)]
mod tests {
    use holdpoint_check::Severity;
    use serde_json::{from_value, json};

    use super::*;
    use crate::check::check;
    use crate::options::RawOptions;
    use crate::renew::renew;

    #[test]
    fn every_pack_is_sound() {
        assert!(find(DEFAULT).is_some());
        for ((folder, ..), pack) in TABLE.iter().zip(all()) {
            let TemplateManifest { key, entry_file, catalog_version, .. } = &pack.manifest;
            assert_eq!(key, folder);
            assert!(
                (3..=40).contains(&key.len())
                    && key.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-')
            );
            let raw: RawOptions = from_value(json!({ "catalog": catalog_version })).unwrap();
            let options = raw.resolve().unwrap();
            let mut files = pack.files.clone();
            files.insert("package-lock.json".to_owned(), renew(&files, &options).unwrap());
            let report = check(&files, Some(entry_file), &options);
            let told: Vec<_> = report.diagnostics.iter().filter(|one| one.severity != Severity::Info).collect();
            assert!(told.is_empty(), "{key}: {told:#?}");
        }
    }

    #[test]
    fn the_smallest_pack_is_small() {
        let files = &find("blank-react").unwrap().files;
        assert!(files.len() <= 14, "{:?}", files.keys());
        assert!(
            files["src/App.tsx"].contains("export default App") && files["src/App.tsx"].contains("export function App")
        );
    }
}
