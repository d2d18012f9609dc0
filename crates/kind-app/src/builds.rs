//! What names a build, because equal input is never built twice, and what one may leave (spec: app-builder.md §5, §6).

use std::collections::BTreeMap;

use holdpoint_bundle::{PathLimits, normalise};
use holdpoint_text::hash_records;

use crate::wire::{AppDist, DistAsset};

/// The toolchain and rules of the build runner, raised when the same input may give another result.
const RUNNER_MAJOR: &str = "1";

/// Of what is served of one build, and of its source maps as well.
const MAX_DIST_FILES: usize = 2_000;
const MAX_ASSET_BYTES: u64 = 10 << 20;
const MAX_DIST_BYTES: u64 = 50 << 20;
const PATH_LIMITS: PathLimits = PathLimits { bytes: 512, segments: 32 };

/// Everything that goes into a build.
#[derive(Debug, Clone, Copy)]
pub struct BuildInput<'a> {
    /// The canonical hash of the files, the lock among them.
    pub files_hash: &'a str,
    pub entry_file: &'a str,
    pub catalog_version: &'a str,
    pub env: &'a BTreeMap<String, String>,
    /// Which packages may be declared, as the request says it.
    pub policy: &'a str,
}

impl BuildInput<'_> {
    /// `sha256:` and hex over all of it.
    pub fn key(&self) -> String {
        let head = [
            ("engine", RUNNER_MAJOR),
            ("files", self.files_hash),
            ("entry", self.entry_file),
            ("catalog", self.catalog_version),
            ("policy", self.policy),
        ];
        let env = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        hash_records(head.into_iter().chain(env))
    }
}

/// The code with which what a runner says that it built is not taken. The runner keeps these rules itself; its word
/// alone lets nothing be stored outside the folder of its build, or without a bound.
pub fn dist_fault(dist: &AppDist) -> Option<&'static str> {
    let AppDist { assets, maps, entry_html, .. } = dist;
    let bytes = |files: &[DistAsset]| files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.size));
    let mut all = assets.iter().chain(maps);
    if assets.is_empty() {
        Some("BUILD_EMPTY")
    } else if !assets.iter().any(|asset| asset.path == *entry_html) {
        Some("BUILD_NO_ENTRY_HTML")
    } else if [assets, maps].into_iter().any(|files| files.len() > MAX_DIST_FILES)
        || assets.iter().any(|asset| asset.size > MAX_ASSET_BYTES)
        || bytes(assets) > MAX_DIST_BYTES
    {
        Some("BUILD_OUTPUT_TOO_LARGE")
    } else if !all.all(|file| normalise(&file.path, PATH_LIMITS).is_ok_and(|path| path.as_str() == file.path)) {
        Some("BUILD_OUTPUT_INVALID")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_runner_built_is_taken_by_plain_names_and_within_bounds() {
        let file = |path: &str, size| DistAsset { path: path.to_owned(), size, ..DistAsset::default() };
        let dist = |assets: &[DistAsset]| AppDist {
            entry_html: "index.html".to_owned(),
            assets: assets.to_vec(),
            ..AppDist::default()
        };
        let page = file("index.html", 10);
        let fault = |more: DistAsset| dist_fault(&dist(&[page.clone(), more]));
        assert_eq!(dist_fault(&dist(&[])), Some("BUILD_EMPTY"));
        assert_eq!(dist_fault(&dist(&[file("a.js", 1)])), Some("BUILD_NO_ENTRY_HTML"));
        assert_eq!(fault(file("assets/a.js", MAX_ASSET_BYTES)), None);
        assert_eq!(fault(file("assets/a.js", MAX_ASSET_BYTES + 1)), Some("BUILD_OUTPUT_TOO_LARGE"));
        for path in ["../a.js", "/a.js", "a/../b.js", "a//b.js", "", "a/./b.js"] {
            assert_eq!(fault(file(path, 1)), Some("BUILD_OUTPUT_INVALID"), "{path}");
        }
        let many: Vec<DistAsset> = (0..6).map(|n| file(&format!("{n}.js"), 9 << 20)).chain([page.clone()]).collect();
        assert_eq!(dist_fault(&dist(&many)), Some("BUILD_OUTPUT_TOO_LARGE"));
        let maps = AppDist { maps: vec![file("../a.js.map", 1)], ..dist(std::slice::from_ref(&page)) };
        assert_eq!(dist_fault(&maps), Some("BUILD_OUTPUT_INVALID"));
    }

    #[test]
    fn whatever_goes_in_is_part_of_the_key() {
        let env = BTreeMap::from([("VITE_A".to_owned(), "1".to_owned())]);
        let none = BTreeMap::new();
        let one = BuildInput { files_hash: "f", entry_file: "e", catalog_version: "c", env: &none, policy: "curated" };
        let others = [
            BuildInput { files_hash: "g", ..one },
            BuildInput { entry_file: "g", ..one },
            BuildInput { catalog_version: "g", ..one },
            BuildInput { policy: "registry-pinned", ..one },
            BuildInput { env: &env, ..one },
        ];
        let mut keys: Vec<String> = others.iter().chain([&one]).map(BuildInput::key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), others.len() + 1);
        assert_eq!(one.key(), one.key());
    }
}
