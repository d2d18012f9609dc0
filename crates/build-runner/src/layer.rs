//! Package layers: the `node_modules` of one lock, installed once and read by all builds that have it.
//!
//! A layer is made in a folder of its own and renamed when it is whole, so one that is there is complete. Nothing in it
//! is ever run here, and no job may write into it. Invariant: a layer in use is not removed.

use std::collections::HashMap;
use std::fs;
use std::future::Future;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use holdpoint_text::hex;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::limits::MIB;
use crate::tree;

/// The lock and the manifest that a layer is made from, and the key that follows from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerPlan {
    pub key: String,
    pub lock: String,
    pub package: String,
    /// Entries of the lock, those for other systems included.
    pub packages: usize,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    #[error("`package.json` is missing or no JSON object")]
    Package,
    #[error("`package-lock.json` is missing or no lock of version 2 or 3")]
    Lock,
    #[error("`{0}` in `package-lock.json` comes from somewhere else than the registry")]
    Source(String),
}

impl LayerPlan {
    /// Name and version of the app are left out of both texts: they change nothing in what is installed, and apps with
    /// equal packages share a layer.
    pub fn new(package: &str, lock: &str, registry: &str, machine: &str) -> Result<Self, LockError> {
        let package: Map<String, Value> = serde_json::from_str(package).map_err(|_| LockError::Package)?;
        let mut lock: Map<String, Value> = serde_json::from_str(lock).map_err(|_| LockError::Lock)?;
        if !matches!(lock.get("lockfileVersion").and_then(Value::as_u64), Some(2 | 3)) {
            return Err(LockError::Lock);
        }
        // The old form of a lock, which npm reads no more where the new one is.
        lock.remove("dependencies");
        rename(&mut lock);
        let packages = lock.get_mut("packages").and_then(Value::as_object_mut).ok_or(LockError::Lock)?;
        if let Some(root) = packages.get_mut("").and_then(Value::as_object_mut) {
            rename(root);
        }
        for (place, entry) in packages.iter().filter(|(place, _)| !place.is_empty()) {
            if !comes_from(place, entry, registry) {
                return Err(LockError::Source(place.clone()));
            }
        }
        let count = packages.len().saturating_sub(1);
        let mut manifest = Map::new();
        rename(&mut manifest);
        for maps in ["dependencies", "devDependencies"] {
            if let Some(map) = package.get(maps) {
                manifest.insert(maps.to_owned(), map.clone());
            }
        }
        let (package, lock) = (Value::from(manifest).to_string(), Value::from(lock).to_string());
        let mut hash = Sha256::new();
        for part in [machine, &package, &lock] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Ok(Self { key: hex(&hash.finalize()), lock, package, packages: count })
    }
}

fn rename(object: &mut Map<String, Value>) {
    object.insert("name".to_owned(), "layer".into());
    object.insert("version".to_owned(), "0.0.0".into());
}

/// Whether npm fetches an entry from the registry and from nowhere else: no link, no folder, no repository. The check
/// says so too; here it is what stands between a lock and this machine.
fn comes_from(place: &str, entry: &Value, registry: &str) -> bool {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let absent = |name: &str| entry.get(name).is_none();
    let is_plain = |segment: &str| !matches!(segment, "" | "." | "..") && !segment.contains('\\');
    let inside = place.starts_with("node_modules/") && place.split('/').all(is_plain);
    let is_version = |version: &str| {
        version.starts_with(|first: char| first.is_ascii_digit())
            && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'))
    };
    let origin = registry.trim_end_matches('/');
    let is_there = |address: &str| address.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'));
    let is_bundled = entry.get("inBundle") == Some(&Value::Bool(true));
    inside
        && matches!(entry.get("link"), None | Some(Value::Bool(false)))
        && text("version").is_some_and(is_version)
        && (absent("resolved") || text("resolved").is_some_and(is_there))
        && (is_bundled || text("integrity").is_some_and(|integrity| integrity.starts_with("sha512-")))
}

/// All layers of a cache.
#[derive(Debug)]
pub struct Layers {
    root: PathBuf,
    max_bytes: u64,
    held: Mutex<HashMap<String, Arc<Entry>>>,
}

#[derive(Debug, Default)]
struct Entry {
    /// Held while the layer is made: who wants it too waits here.
    making: tokio::sync::Mutex<()>,
}

/// A layer that stays as long as somebody has this.
#[derive(Debug)]
pub struct PackageLayer {
    pub path: PathBuf,
    /// Whether it was there already, or was made for this build.
    pub was_kept: bool,
    _entry: Arc<Entry>,
}

impl PackageLayer {
    pub fn modules(&self) -> PathBuf {
        self.path.join("node_modules")
    }
}

impl Layers {
    /// Layers below a folder; what was half made when a runner ended goes.
    pub fn open(root: PathBuf, max_mib: u64) -> io::Result<Self> {
        for entry in fs::read_dir(&root)?.flatten() {
            if !is_key(&entry.file_name().to_string_lossy()) {
                tree::remove(&entry.path())?;
            }
        }
        Ok(Self { root, max_bytes: max_mib.saturating_mul(MIB), held: Mutex::default() })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Arc<Entry>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The layer of a plan. `install` fills the folder that it is given, in which manifest and lock lie.
    pub async fn get<E: From<io::Error>, F: Future<Output = Result<(), E>>>(
        &self,
        plan: &LayerPlan,
        install: impl FnOnce(PathBuf) -> F,
    ) -> Result<PackageLayer, E> {
        let entry = Arc::clone(self.held().entry(plan.key.clone()).or_default());
        let making = Arc::clone(&entry);
        let _making = making.making.lock().await;
        let path = self.root.join(&plan.key);
        if path.is_dir() {
            touch(&path);
            return Ok(PackageLayer { path, was_kept: true, _entry: entry });
        }
        let half = HalfMade(self.root.join(format!("{}.new", plan.key)));
        tree::remove(&half.0)?;
        fs::create_dir_all(half.0.join("node_modules"))?;
        fs::write(half.0.join("package.json"), &plan.package)?;
        fs::write(half.0.join("package-lock.json"), &plan.lock)?;
        install(half.0.clone()).await?;
        let folder = half.0.clone();
        let sealed = tokio::task::spawn_blocking(move || seal(&folder)).await;
        sealed.map_err(io::Error::other)??;
        fs::rename(&half.0, &path)?;
        touch(&path);
        Ok(PackageLayer { path, was_kept: false, _entry: entry })
    }

    /// Removes the least used layers until the rest fits. Layers in use stay.
    pub fn shrink(&self) -> io::Result<()> {
        let mut known: Vec<(SystemTime, String, u64)> = Vec::new();
        for found in fs::read_dir(&self.root)?.flatten() {
            let name = found.file_name().to_string_lossy().into_owned();
            if is_key(&name) {
                let used = fs::metadata(used_file(&found.path())).and_then(|file| file.modified());
                let bytes = fs::read_to_string(size_file(&found.path())).ok().and_then(|text| text.parse().ok());
                known.push((used.unwrap_or(SystemTime::UNIX_EPOCH), name, bytes.unwrap_or(0)));
            }
        }
        let mut total: u64 = known.iter().map(|(_, _, bytes)| bytes).sum();
        known.sort();
        for (_, key, bytes) in known {
            if total <= self.max_bytes {
                break;
            }
            let mut held = self.held();
            if held.get(&key).is_some_and(|entry| Arc::strong_count(entry) > 1) {
                continue;
            }
            held.remove(&key);
            // A name that is no key first: who wants the layer now makes it anew.
            let gone = self.root.join(format!("{key}.old"));
            fs::rename(self.root.join(&key), &gone)?;
            drop(held);
            tree::remove(&gone)?;
            total -= bytes;
        }
        Ok(())
    }
}

impl Layers {
    /// Removes what npm keeps of its downloads once it is over half of the room of the layers, unless a layer is made.
    pub fn shrink_downloads(&self, folder: &Path) -> io::Result<()> {
        let held = self.held();
        let is_made = held.values().any(|entry| entry.making.try_lock().is_err());
        if is_made || tree::measure(folder, usize::MAX, usize::MAX).bytes <= self.max_bytes / 2 {
            return Ok(());
        }
        tree::remove(folder)?;
        fs::create_dir_all(folder)
    }
}

/// Removes a layer that was not finished, whatever ended it.
struct HalfMade(PathBuf);

impl Drop for HalfMade {
    fn drop(&mut self) {
        let _ = tree::remove(&self.0);
    }
}

fn is_key(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn used_file(layer: &Path) -> PathBuf {
    layer.join(".used")
}

fn size_file(layer: &Path) -> PathBuf {
    layer.join(".bytes")
}

/// Notes that a layer is used now.
fn touch(layer: &Path) {
    let file = fs::OpenOptions::new().write(true).open(used_file(layer));
    let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
}

/// Measures a new layer and takes the right to write from its packages.
fn seal(folder: &Path) -> io::Result<()> {
    let size = tree::measure(folder, usize::MAX, usize::MAX);
    fs::write(size_file(folder), size.bytes.to_string())?;
    fs::write(used_file(folder), "")?;
    tree::make_read_only(&folder.join("node_modules"))
}

/// Fills an empty folder with one link a package. The folder is real, because tools write into it.
pub fn link(modules: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir(target)?;
    for entry in fs::read_dir(modules)?.flatten() {
        let name = entry.file_name();
        let shown = name.to_string_lossy();
        if shown.starts_with('.') {
            continue;
        }
        if !shown.starts_with('@') {
            symlink(entry.path(), target.join(&name))?;
            continue;
        }
        fs::create_dir(target.join(&name))?;
        for package in fs::read_dir(entry.path())?.flatten() {
            symlink(package.path(), target.join(&name).join(package.file_name()))?;
        }
    }
    Ok(())
}

/// The file of a tool, as its own manifest names it: `bin` of `node_modules/PACKAGE/package.json`.
pub fn tool(layer: &Path, package: &str, name: &str) -> Option<PathBuf> {
    let folder = layer.join("node_modules").join(package);
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("package.json")).ok()?).ok()?;
    let bin = manifest.get("bin")?;
    let file = bin.as_str().or_else(|| bin.get(name)?.as_str())?;
    let path = folder.join(file);
    let inside = Path::new(file)
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir));
    (inside && path.is_file()).then_some(path)
}

/// The version of a package in a layer.
pub fn version(layer: &Path, package: &str) -> Option<String> {
    let text = fs::read(layer.join("node_modules").join(package).join("package.json")).ok()?;
    let manifest: Value = serde_json::from_slice(&text).ok()?;
    Some(manifest.get("version")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;

    use super::*;

    const REGISTRY: &str = "https://registry.example";

    fn plan_of(entry: &Value) -> Result<LayerPlan, LockError> {
        let lock = json!({ "lockfileVersion": 3, "packages": { "": {}, "node_modules/a": entry } });
        LayerPlan::new("{}", &lock.to_string(), REGISTRY, "20 linux x86_64")
    }

    #[test]
    fn only_the_registry_is_a_source() {
        let with = |name: &str, value: Value| {
            let mut entry = json!({ "version": "1.2.3-rc.1+b", "integrity": "sha512-x" });
            entry[name] = value;
            plan_of(&entry)
        };
        with("resolved", "https://registry.example/a.tgz".into()).unwrap();
        with("link", false.into()).unwrap();
        plan_of(&json!({ "version": "1.0.0", "inBundle": true })).unwrap();
        let refused = [
            ("resolved", json!("https://registry.example.evil/a.tgz")),
            ("resolved", json!("https://registry.example@evil/a.tgz")),
            ("resolved", json!("file:../x")),
            ("resolved", json!(7)),
            ("link", json!(true)),
            ("link", json!("yes")),
            ("version", json!("git+ssh://x")),
            ("version", json!("file:../x")),
            ("version", json!(null)),
            ("integrity", json!("sha1-x")),
            ("integrity", json!(null)),
        ];
        for (name, value) in refused {
            assert_eq!(
                with(name, value.clone()),
                Err(LockError::Source("node_modules/a".to_owned())),
                "{name} {value}"
            );
        }
        for place in ["a", "../node_modules/a", "node_modules/../../a", "node_modules//a", "node_modules/a/../b"] {
            let lock =
                json!({ "lockfileVersion": 3, "packages": { place: { "version": "1.0.0", "integrity": "sha512-x" } } });
            assert!(LayerPlan::new("{}", &lock.to_string(), REGISTRY, "").is_err(), "{place}");
        }
        for lock in ["", "[]", "{}", r#"{"lockfileVersion": 1, "packages": {}}"#, r#"{"lockfileVersion": 3}"#] {
            assert_eq!(LayerPlan::new("{}", lock, REGISTRY, ""), Err(LockError::Lock), "{lock}");
        }
        assert_eq!(LayerPlan::new("[]", "{}", REGISTRY, ""), Err(LockError::Package));
    }

    #[test]
    fn apps_share_a_layer_and_systems_do_not() {
        let plan = |name: &str, react: &str, machine: &str| {
            let maps = json!({ "react": react });
            let package = json!({ "name": name, "scripts": { "x": "y" }, "dependencies": maps }).to_string();
            let entry = json!({ "version": react, "integrity": "sha512-x" });
            let packages = json!({ "": { "name": name, "dependencies": maps }, "node_modules/react": entry });
            let lock = json!({ "name": name, "lockfileVersion": 3, "packages": packages }).to_string();
            LayerPlan::new(&package, &lock, REGISTRY, machine).unwrap()
        };
        let first = plan("one", "18.0.0", "20");
        assert_eq!(plan("two", "18.0.0", "20"), first);
        assert_ne!(plan("one", "18.0.1", "20").key, first.key);
        assert_ne!(plan("one", "18.0.0", "22").key, first.key);
        assert!(is_key(&first.key) && !first.package.contains("scripts"), "{}", first.package);
    }

    fn layers(name: &str, max_mib: u64) -> (PathBuf, Layers) {
        let root = std::env::temp_dir().join(format!("runner-layers-{}-{name}", std::process::id()));
        let _ = tree::remove(&root);
        fs::create_dir_all(root.join("half.new")).unwrap();
        let layers = Layers::open(root.clone(), max_mib).unwrap();
        assert!(!root.join("half.new").exists());
        (root, layers)
    }

    fn plan(number: usize) -> LayerPlan {
        LayerPlan { key: format!("{number:064}"), lock: "{}".to_owned(), package: "{}".to_owned(), packages: 0 }
    }

    fn wait<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    #[test]
    fn a_layer_is_made_once_and_a_failed_one_leaves_nothing() {
        let (root, layers) = layers("once", 100);
        let made = AtomicUsize::new(0);
        let install = |into: PathBuf| {
            let made = &made;
            async move {
                made.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(std::time::Duration::from_millis(30)).await;
                fs::write(into.join("node_modules/x.js"), "x")
            }
        };
        wait(async {
            let fails = |_| async { Err(io::Error::other("no")) };
            layers.get(&plan(1), fails).await.unwrap_err();
            let wanted = plan(1);
            let (first, second) = tokio::join!(layers.get(&wanted, install), layers.get(&wanted, install));
            assert_eq!((first.unwrap().was_kept, second.unwrap().was_kept), (false, true));
            let other = plan(2);
            let slow = layers.get(&other, |_| std::future::pending::<io::Result<()>>());
            tokio::time::timeout(std::time::Duration::from_millis(20), slow).await.unwrap_err();
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        let mode = fs::metadata(root.join(plan(1).key).join("node_modules/x.js")).unwrap().permissions();
        assert!(mode.readonly());
        tree::remove(&root).unwrap();
    }

    #[test]
    fn the_least_used_layers_go_and_those_in_use_stay() {
        let (root, layers) = layers("shrink", 1);
        let install = |into: PathBuf| async move { fs::write(into.join("node_modules/x"), vec![7; 600 << 10]) };
        wait(async {
            let oldest = layers.get(&plan(1), install).await.unwrap();
            for number in [2, 3] {
                layers.get(&plan(number), install).await.unwrap();
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            layers.shrink().unwrap();
            let is_there = |number| root.join(plan(number).key).exists();
            assert!(is_there(1), "it is in use");
            assert!(!is_there(2) && !is_there(3));
            drop(oldest);
            layers.get(&plan(4), install).await.unwrap();
            layers.shrink().unwrap();
            assert!(!is_there(1) && is_there(4));
        });
        tree::remove(&root).unwrap();
    }

    #[test]
    fn a_tool_is_a_file_of_its_package() {
        let (root, _) = layers("tool", 1);
        let package = root.join("node_modules/vite");
        fs::create_dir_all(package.join("bin")).unwrap();
        fs::write(package.join("bin/vite.js"), "").unwrap();
        let with = |bin: Value| {
            fs::write(package.join("package.json"), json!({ "version": "8.0.0", "bin": bin }).to_string()).unwrap();
            tool(&root, "vite", "vite")
        };
        assert_eq!(with(json!({ "vite": "bin/vite.js" })), Some(package.join("bin/vite.js")));
        assert_eq!(with(json!("./bin/vite.js")), Some(package.join("./bin/vite.js")));
        for bin in [json!("../../../x"), json!("/bin/sh"), json!({ "other": "bin/vite.js" }), json!("bin"), json!(1)] {
            assert_eq!(with(bin.clone()), None, "{bin}");
        }
        assert_eq!(version(&root, "vite").as_deref(), Some("8.0.0"));
        assert_eq!(version(&root, "gone"), None);
        let target = root.join("linked");
        fs::create_dir_all(root.join("node_modules/@scope/a")).unwrap();
        fs::create_dir_all(root.join("node_modules/.bin")).unwrap();
        link(&root.join("node_modules"), &target).unwrap();
        assert!(target.join("vite").is_symlink() && target.join("@scope/a").is_symlink());
        assert!(!target.join("@scope").is_symlink() && !target.join(".bin").exists());
        tree::remove(&root).unwrap();
    }
}
