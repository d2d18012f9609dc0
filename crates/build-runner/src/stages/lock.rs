//! `lock`: a `package-lock.json` for a project that has nothing to renew one from.

use std::fs;

use serde_json::{Map, Value};

use super::install::finding;
use super::{Job, Product, StageError};
use crate::command::JailCommand;
use crate::machine::npm_cache_argument;
use crate::output::BuildTool;
use crate::prepare::JobFolder;
use crate::tree;
use crate::wire::{BuildCode, BuildStage};

/// Bytes of a lock (spec: vite-app.md §1 `MAX_LOCKFILE_BYTES`).
const MAX_LOCK_BYTES: u64 = 2 << 20;

impl Job {
    pub(super) async fn renew_lock(&self) -> Result<Product, StageError> {
        let manifest = self.stage(BuildStage::Prepare, async { self.lock_manifest() }).await?;
        self.stage(BuildStage::Lock, self.npm_lock(manifest)).await
    }

    /// The part of `package.json` that a lock is made from. Every package has to come from the registry: other addresses
    /// would make npm start other programs.
    fn lock_manifest(&self) -> Result<String, StageError> {
        let fault = |text: &str| StageError::project(BuildCode::InstallFailed, vec![finding(text)]);
        let text = self.request.files.get("package.json").map_or("", String::as_str);
        let package: Map<String, Value> =
            serde_json::from_str(text).map_err(|_| fault("`package.json` is missing or no JSON object"))?;
        let mut manifest = Map::new();
        for (name, value) in &package {
            match (name.as_str(), value) {
                ("name" | "version", Value::String(_)) => {}
                ("dependencies" | "devDependencies", Value::Object(map)) => {
                    let odd = map.iter().find(|(name, range)| !is_name(name) || !range.as_str().is_some_and(is_range));
                    if let Some((name, _)) = odd {
                        return Err(fault(&format!("`{name}` does not name a version of the registry")));
                    }
                }
                _ => continue,
            }
            manifest.insert(name.clone(), value.clone());
        }
        Ok(Value::from(manifest).to_string())
    }

    async fn npm_lock(&self, manifest: String) -> Result<Product, StageError> {
        let machine = &self.workshop.machine;
        let root = self.folder();
        tree::remove(&root)?;
        let folder = JobFolder { project: root.join("project"), root };
        for inside in [&folder.project, &folder.root.join("home"), &folder.root.join("tmp")] {
            fs::create_dir_all(inside)?;
        }
        fs::write(folder.project.join("package.json"), manifest)?;
        let fixed = ["install", "--package-lock-only", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund"];
        let mut arguments: Vec<String> = fixed.map(str::to_owned).into();
        arguments.push("--omit-lockfile-registry-resolved".to_owned());
        arguments.push(format!("--registry={}", self.workshop.registry));
        arguments.push(npm_cache_argument(machine));
        let command = JailCommand {
            stage: BuildStage::Lock,
            jail: machine.npm(arguments),
            env: machine.npm_env(&folder.root),
            folder: folder.project.clone(),
        };
        let ended = self.command(&command, self.limits.install).await?;
        let made = folder.project.join("package-lock.json");
        if ended.code != 0 || !fs::metadata(&made).is_ok_and(|file| file.len() <= MAX_LOCK_BYTES) {
            return Err(self.tool_failure(BuildCode::InstallFailed, BuildTool::Npm, &ended, &folder));
        }
        Ok(Product { lock: Some(fs::read_to_string(made)?), ..Product::default() })
    }
}

/// A name that a registry takes (spec: vite-app.md §7).
fn is_name(name: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '_', '-'])
            && part.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'~' | b'-'))
    };
    name.len() <= 214
        && match name.strip_prefix('@') {
            Some(scoped) => scoped.split_once('/').is_some_and(|(scope, rest)| plain(scope) && plain(rest)),
            None => plain(name),
        }
}

/// A version or a range of versions: no address, no path, no other name.
fn is_range(range: &str) -> bool {
    let first = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'^' | b'~' | b'<' | b'>' | b'=' | b'*');
    range.as_bytes().first().is_some_and(first)
        && range.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" .+-^~<>=|*".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versions_of_the_registry_are_locked() {
        for name in ["react", "@acme/kit", "a.b_c~d"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".x", "_x", "-x", "../x", "a/b", "@a", "@/b", "@a/b/c", "A", "a b", "--registry"] {
            assert!(!is_name(name), "{name}");
        }
        for range in ["1.2.3", "^1", ">=1 <2", "1 || 2", "*", "1.0.0-rc.1+b"] {
            assert!(is_range(range), "{range}");
        }
        for range in ["", "git+ssh://x", "file:../x", "npm:y@1", "latest", "acme/repo", "https://x", "../x", "1 /x"] {
            assert!(!is_range(range), "{range}");
        }
    }
}
