//! Running and finished builds by their ids, and the slots that they take.
//!
//! Invariant: a slot is free only when every process of its last job is gone and its folder is removed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

use crate::limits::{ASSETS_KEPT, RETRY_AFTER_SECONDS};
use crate::tree;
use crate::wire::{Asset, DistManifest, RequestError};

/// All builds of a runner.
#[derive(Debug)]
pub struct Builds {
    state: Mutex<State>,
    artifacts: PathBuf,
}

#[derive(Debug)]
struct State {
    /// Whether each slot is taken.
    slots: Vec<bool>,
    builds: HashMap<String, Build>,
}

#[derive(Debug)]
enum Build {
    Running { stop: watch::Sender<bool> },
    Finished { assets: HashMap<String, Asset>, maps: HashMap<String, Asset>, at: Instant },
}

/// A build that has begun: its slot, and how it hears that it is to stop.
#[derive(Debug)]
pub struct Started {
    pub slot: usize,
    pub stop: watch::Receiver<bool>,
}

/// Which files of a build are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Asset,
    Map,
}

impl Builds {
    pub fn new(slots: usize, artifacts: PathBuf) -> Self {
        let state = State { slots: vec![false; slots], builds: HashMap::new() };
        Self { state: Mutex::new(state), artifacts }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many slots there are, and how many of them are taken.
    pub fn slots(&self) -> (usize, usize) {
        let state = self.state();
        (state.slots.len(), state.slots.iter().filter(|taken| **taken).count())
    }

    /// Takes a slot for a build. A finished build of the same id is forgotten.
    pub fn begin(&self, id: &str) -> Result<Started, RequestError> {
        let mut state = self.state();
        if matches!(state.builds.get(id), Some(Build::Running { .. })) {
            return Err(RequestError::new(409, "BUILD_PENDING", "Wait for this build to end, or stop it first."));
        }
        let Some(slot) = state.slots.iter().position(|taken| !taken) else {
            let busy = RequestError::new(429, "RUNNER_BUSY", "Every slot is taken: send the build again later.");
            return Err(busy.with("retry_after_s", RETRY_AFTER_SECONDS));
        };
        state.slots[slot] = true;
        let (stop, stopped) = watch::channel(false);
        state.builds.insert(id.to_owned(), Build::Running { stop });
        Ok(Started { slot, stop: stopped })
    }

    /// Keeps the files of a build that succeeded, and forgets any other.
    pub fn finish(&self, id: &str, manifest: Option<&DistManifest>) {
        let by_path = |files: &[Asset]| files.iter().map(|file| (file.path.clone(), file.clone())).collect();
        let mut state = self.state();
        match manifest {
            Some(manifest) => {
                let (assets, maps) = (by_path(&manifest.assets), by_path(&manifest.maps));
                state.builds.insert(id.to_owned(), Build::Finished { assets, maps, at: Instant::now() });
            }
            None => {
                state.builds.remove(id);
            }
        }
    }

    /// Gives a slot to the next build.
    pub fn free(&self, slot: usize) {
        self.state().slots[slot] = false;
    }

    /// Stops a running build or removes a finished one; false where there is none.
    pub fn delete(&self, id: &str) -> bool {
        let mut state = self.state();
        match state.builds.get(id) {
            None => return false,
            Some(Build::Running { stop }) => {
                let _ = stop.send(true);
                return true;
            }
            Some(Build::Finished { .. }) => state.builds.remove(id),
        };
        drop(state);
        let _ = tree::remove(&self.artifacts.join(id));
        true
    }

    /// A file of a finished build, and where it lies.
    pub fn file(&self, id: &str, kind: FileKind, path: &str) -> Option<(Asset, PathBuf)> {
        let state = self.state();
        let Some(Build::Finished { assets, maps, .. }) = state.builds.get(id) else { return None };
        let (files, folder) = match kind {
            FileKind::Asset => (assets, "dist"),
            FileKind::Map => (maps, "maps"),
        };
        let asset = files.get(path)?.clone();
        Some((asset, self.artifacts.join(id).join(folder).join(path)))
    }

    /// Removes builds whose files were kept long enough.
    pub fn sweep(&self) {
        let old = |build: &Build| matches!(build, Build::Finished { at, .. } if at.elapsed() > ASSETS_KEPT);
        let ids: Vec<String> =
            self.state().builds.iter().filter(|(_, build)| old(build)).map(|(id, _)| id.clone()).collect();
        for id in ids {
            self.delete(&id);
        }
    }
}

/// Sweeps now and then, for as long as the task runs.
pub async fn sweep(builds: Arc<Builds>) {
    loop {
        tokio::time::sleep(ASSETS_KEPT / 20).await;
        let builds = Arc::clone(&builds);
        let _ = tokio::task::spawn_blocking(move || builds.sweep()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(path: &str) -> DistManifest {
        let asset = Asset { path: path.to_owned(), size: 1, sha256: String::new(), content_type: String::new() };
        DistManifest {
            entry_html: "index.html".to_owned(),
            assets: vec![asset],
            total_bytes: 1,
            generated_at: String::new(),
            uploaded_assets: 1,
            source_entry_file: None,
            build_tool_versions: std::collections::BTreeMap::new(),
            maps: Vec::new(),
        }
    }

    #[test]
    fn slots_are_taken_once_and_given_back() {
        let builds = Builds::new(1, std::env::temp_dir().join("runner-no-artifacts"));
        let first = builds.begin("a").unwrap();
        assert_eq!(builds.begin("a").unwrap_err().status, 409);
        assert_eq!(builds.begin("b").unwrap_err().code, "RUNNER_BUSY");
        assert_eq!(builds.slots(), (1, 1));
        assert!(builds.delete("a") && *first.stop.borrow());
        assert!(!builds.delete("b"));
        builds.finish("a", None);
        assert!(!builds.delete("a"));
        assert_eq!(builds.begin("b").unwrap_err().status, 429, "the slot is free only when it is given back");
        builds.free(first.slot);
        assert!(builds.begin("b").is_ok());
    }

    #[test]
    fn only_files_of_the_manifest_are_given() {
        let builds = Builds::new(1, PathBuf::from("/artifacts"));
        let started = builds.begin("a").unwrap();
        assert!(builds.file("a", FileKind::Asset, "index.html").is_none());
        builds.finish("a", Some(&manifest("index.html")));
        builds.free(started.slot);
        let (_, place) = builds.file("a", FileKind::Asset, "index.html").unwrap();
        assert_eq!(place, PathBuf::from("/artifacts/a/dist/index.html"));
        for path in ["", "../x", "/etc/passwd", "index.html/", "INDEX.html"] {
            assert!(builds.file("a", FileKind::Asset, path).is_none(), "{path}");
        }
        assert!(builds.file("a", FileKind::Map, "index.html").is_none());
    }
}
