//! What cargo knows of the packages: members of the workspace and everything that they depend on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::process::{Fault, cargo, output, root};

#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub license: Option<String>,
    /// The registry; none of a package of this workspace.
    pub source: Option<String>,
    pub dependencies: Vec<Dependency>,
    manifest_path: PathBuf,
}

#[derive(Debug, Deserialize)]
pub struct Dependency {
    pub name: String,
    /// `dev` or `build`; none of an ordinary one.
    pub kind: Option<String>,
}

/// Every package of the lock.
pub fn packages() -> Result<Vec<Package>, Fault> {
    read(&[])
}

/// The packages of this workspace.
pub fn members() -> Result<Vec<Package>, Fault> {
    read(&["--no-deps"])
}

fn read(arguments: &[&str]) -> Result<Vec<Package>, Fault> {
    let text = output(cargo().args(["metadata", "--format-version", "1"]).args(arguments))?;
    let metadata: Metadata =
        serde_json::from_str(&text).map_err(|error| Fault::told(format!("cargo metadata: {error}")))?;
    Ok(metadata.packages)
}

/// The folders, from the root, of a member and of the members that it is built from.
pub fn folders_below(package: &str) -> Result<Vec<String>, Fault> {
    let members = members()?;
    let mut found = BTreeSet::new();
    let mut left = vec![package.to_owned()];
    while let Some(name) = left.pop() {
        let Some(member) = members.iter().find(|member| member.name == name) else { continue };
        let folder = member.manifest_path.parent().unwrap_or(Path::new("")).strip_prefix(root());
        let folder = folder.map_err(|_| Fault::told(format!("{name} lies outside of the workspace")))?;
        if found.insert(folder.to_string_lossy().into_owned()) {
            let built = member.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
            left.extend(built.map(|dependency| dependency.name.clone()));
        }
    }
    Ok(found.into_iter().collect())
}
