//! What names a build: equal input is never built twice (spec: app-builder.md §5).

use std::collections::BTreeMap;

use holdpoint_text::hash_records;

/// The toolchain and rules of the build runner, raised when the same input may give another result.
const RUNNER_MAJOR: &str = "1";

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

#[cfg(test)]
mod tests {
    use super::*;

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
