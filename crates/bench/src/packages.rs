//! Pairs of published versions: where the benchmark's real changes come from.
//!
//! Owns the pinned table and how a version reaches the disk: through `cargo`, `npm` and `pip` only, cached for good
//! under `target/bench/packages`. No registry is named here; each client knows its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fault::{Fault, output};

/// Who publishes a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A crate.
    Cargo,
    /// An npm package.
    Npm,
    /// A Python wheel.
    Pip,
}

impl Source {
    /// The client's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Npm => "npm",
            Self::Pip => "pip",
        }
    }
}

/// Two versions of one package, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// Who publishes it.
    pub source: Source,
    /// Its name there.
    pub name: &'static str,
    /// The earlier version.
    pub old: &'static str,
    /// The later version.
    pub new: &'static str,
    /// Folders that are sources, not builds of them; everything when empty. Files at the top always count.
    pub under: &'static [&'static str],
}

const fn pair(
    source: Source,
    name: &'static str,
    old: &'static str,
    new: &'static str,
    under: &'static [&'static str],
) -> Pair {
    Pair { source, name, old, new, under }
}

/// The packages of the benchmark.
pub const PAIRS: &[Pair] = &[
    pair(Source::Cargo, "itertools", "0.12.1", "0.13.0", &[]),
    pair(Source::Cargo, "regex-syntax", "0.7.5", "0.8.0", &[]),
    pair(Source::Cargo, "indexmap", "2.1.0", "2.2.1", &[]),
    pair(Source::Cargo, "clap_builder", "4.4.18", "4.5.0", &[]),
    pair(Source::Cargo, "hyper", "1.3.1", "1.4.0", &[]),
    pair(Source::Cargo, "serde_json", "1.0.120", "1.0.121", &[]),
    pair(Source::Cargo, "tokio", "1.37.0", "1.38.0", &[]),
    pair(Source::Cargo, "url", "2.4.1", "2.5.0", &[]),
    pair(Source::Npm, "express", "4.18.3", "4.19.0", &[]),
    pair(Source::Npm, "commander", "11.1.0", "12.0.0", &[]),
    pair(Source::Npm, "semver", "7.5.4", "7.6.0", &[]),
    pair(Source::Npm, "fastify", "4.25.2", "4.26.0", &[]),
    pair(Source::Npm, "rxjs", "7.5.7", "7.6.0", &["src"]),
    pair(Source::Npm, "@tanstack/query-core", "5.0.0", "5.17.0", &["src"]),
    pair(Source::Npm, "immer", "10.0.4", "10.1.0", &["src"]),
    pair(Source::Npm, "bootstrap", "5.3.2", "5.3.3", &["scss", "js/src"]),
    pair(Source::Npm, "bulma", "0.9.3", "0.9.4", &["sass"]),
    pair(Source::Pip, "click", "8.1.7", "8.1.8", &[]),
    pair(Source::Pip, "httpx", "0.26.0", "0.27.0", &[]),
    pair(Source::Pip, "jinja2", "3.1.3", "3.1.4", &[]),
    pair(Source::Pip, "attrs", "23.1.0", "23.2.0", &[]),
    pair(Source::Pip, "rich", "13.7.0", "13.7.1", &[]),
];

/// A pair on the disk.
#[derive(Debug)]
pub struct Fetched {
    /// What was asked for.
    pub pair: Pair,
    /// Holds the folders `old` and `new`.
    pub folder: PathBuf,
}

/// Brings a pair to `cache`, unless it is there.
pub fn fetch(pair: Pair, cache: &Path) -> Result<Fetched, Fault> {
    let folder =
        cache.join(pair.source.name()).join(format!("{}-{}-{}", pair.name.replace('/', "-"), pair.old, pair.new));
    for (side, version) in [("old", pair.old), ("new", pair.new)] {
        let place = folder.join(side);
        if place.exists() {
            continue;
        }
        let fresh = folder.join(format!("{side}.part"));
        let _ = std::fs::remove_dir_all(&fresh);
        std::fs::create_dir_all(&fresh)?;
        match pair.source {
            Source::Cargo => from_cargo(pair.name, version, &fresh)?,
            Source::Npm => from_npm(pair.name, version, &fresh)?,
            Source::Pip => from_pip(pair.name, version, &fresh)?,
        }
        std::fs::rename(&fresh, &place)?;
    }
    Ok(Fetched { pair, folder })
}

/// `cargo` unpacks what a manifest needs and says where; a manifest with one dependency is enough.
fn from_cargo(name: &str, version: &str, place: &Path) -> Result<(), Fault> {
    let project = place.join("project");
    std::fs::create_dir_all(&project)?;
    let dependency = format!("{name} = {{ version = \"={version}\", default-features = false }}");
    let manifest = format!(
        "[package]\nname = \"pair\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n\
         [dependencies]\n{dependency}\n"
    );
    std::fs::write(project.join("Cargo.toml"), manifest)?;
    std::fs::write(project.join("lib.rs"), "")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let said = output(Command::new(cargo).args(["metadata", "--format-version", "1"]).current_dir(&project), 0)?;
    let metadata: serde_json::Value = serde_json::from_slice(&said)?;
    let manifest = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == name && package["version"] == version)
        .and_then(|package| package["manifest_path"].as_str())
        .ok_or_else(|| Fault::Told(format!("cargo does not name {name} {version}.")))?;
    let unpacked = Path::new(manifest).parent().unwrap_or(Path::new("."));
    copy(unpacked, place)?;
    Ok(std::fs::remove_dir_all(project)?)
}

fn from_npm(name: &str, version: &str, place: &Path) -> Result<(), Fault> {
    let said =
        output(Command::new("npm").args(["pack", "--silent", &format!("{name}@{version}")]).current_dir(place), 0)?;
    let archive = String::from_utf8_lossy(&said).trim().to_owned();
    output(Command::new("tar").args(["-xzf", &archive, "--strip-components=1"]).current_dir(place), 0)?;
    Ok(std::fs::remove_file(place.join(archive))?)
}

fn from_pip(name: &str, version: &str, place: &Path) -> Result<(), Fault> {
    let wanted = format!("{name}=={version}");
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", ".", &wanted]);
    output(pip.current_dir(place), 0)?;
    for entry in std::fs::read_dir(place)? {
        let archive = entry?.path();
        output(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&archive).arg(".").current_dir(place), 0)?;
        std::fs::remove_file(archive)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Fault> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            std::fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
