//! Projects that are judged: folders, and lines of changes to a template.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use holdpoint_bundle::{Files, bytes_hash};
use holdpoint_kind_app::options::shipped;
use holdpoint_kind_app::{packs, policy};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::fault::Fault;

/// Where a project may begin that does not say so.
const ENTRIES: [&str; 8] = [
    "src/main.tsx",
    "src/main.ts",
    "src/main.jsx",
    "src/main.js",
    "src/index.tsx",
    "src/index.ts",
    "src/index.jsx",
    "src/index.js",
];
/// What no project brings along.
const SKIPPED: [&str; 6] = ["node_modules", "dist", "build", "coverage", ".git", "template.manifest.json"];

/// One project, and what is claimed of it.
#[derive(Debug, Clone)]
pub struct Project {
    pub id: String,
    pub what: String,
    pub entry: String,
    /// All files; a binary one is its pointer text.
    pub files: Files,
    pub blobs: Vec<Blob>,
    pub claim: Option<Claim>,
}

/// What must come of a project of our own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The check takes it, and it builds.
    Accepted,
    /// The check refuses it with one of the codes. It does not build, or does the harm that is named.
    Refused { code: String, harm: Option<String> },
}

/// A binary file as the runner takes it.
#[derive(Debug, Clone, Serialize)]
pub struct Blob {
    pub path: String,
    pub hash: String,
    pub bytes: u64,
    /// Where it lies.
    pub source: PathBuf,
}

/// A project as a line of a file: a template and what is changed in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    /// What is special about it, in a few words.
    what: String,
    /// The key of a template.
    base: String,
    /// Packages that are declared beside those of the template, by the pins of the catalogue.
    #[serde(default)]
    packages: Vec<String>,
    /// Whole texts; `null` takes a file away.
    #[serde(default)]
    files: BTreeMap<String, Option<String>>,
    /// Texts that are replaced in files.
    #[serde(default)]
    edits: Vec<Edit>,
    /// The code with which it is refused; none: it is accepted.
    #[serde(default)]
    code: Option<String>,
    /// What is wrong with a refused project that builds.
    #[serde(default)]
    harm: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    path: String,
    find: String,
    put: String,
}

/// The projects of a place: a file of lines, a project, or a folder of both.
pub fn read(place: &Path, catalog: &str) -> Result<Vec<Project>, Fault> {
    if place.is_file() {
        let text = std::fs::read_to_string(place)?;
        return text.lines().filter(|line| !line.trim().is_empty()).map(|line| changed(line, catalog)).collect();
    }
    if place.join("package.json").is_file() || place.join("index.html").is_file() {
        return Ok(vec![folder(place)?]);
    }
    let mut all = Vec::new();
    for inside in below(place)? {
        if inside.is_dir() || inside.extension().is_some_and(|ending| ending == "jsonl") {
            all.extend(read(&inside, catalog)?);
        }
    }
    Ok(all)
}

fn below(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    all.sort();
    Ok(all)
}

fn changed(line: &str, catalog: &str) -> Result<Project, Fault> {
    let line: Line = serde_json::from_str(line)?;
    let wrong = |what: &str| Fault::Told(format!("{}: {what}", line.id));
    let pack = packs::find(&line.base).ok_or_else(|| wrong("there is no such template"))?;
    let mut files = pack.files.clone();
    if !line.packages.is_empty() {
        let pins = shipped(catalog).ok_or_else(|| wrong("there is no such catalogue"))?;
        let mut package: Value = serde_json::from_str(&files["package.json"])?;
        for name in &line.packages {
            let pin = pins.packages.get(name).ok_or_else(|| wrong("a package is not in the catalogue"))?;
            package["dependencies"][name] = json!(pin);
        }
        files.insert("package.json".to_owned(), serde_json::to_string_pretty(&package)?);
    }
    for (path, text) in &line.files {
        match text {
            Some(text) => files.insert(path.clone(), text.clone()),
            None => files.remove(path),
        };
    }
    for edit in &line.edits {
        let text = files.get_mut(&edit.path).ok_or_else(|| wrong("an edit names no file"))?;
        if !text.contains(&edit.find) {
            return Err(wrong("an edit finds nothing"));
        }
        *text = text.replace(&edit.find, &edit.put);
    }
    let claim = match line.code {
        None => Claim::Accepted,
        Some(code) => Claim::Refused { code, harm: line.harm },
    };
    let (entry, blobs) = (pack.manifest.entry_file.clone(), Vec::new());
    Ok(Project { id: line.id, what: line.what, entry, files, blobs, claim: Some(claim) })
}

fn folder(root: &Path) -> Result<Project, Fault> {
    let (mut files, mut blobs) = (Files::new(), Vec::new());
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for path in below(&folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if SKIPPED.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let own = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let bytes = std::fs::read(&path)?;
            if policy::is_binary(&own) {
                let (hash, bytes) = (bytes_hash(&bytes), bytes.len() as u64);
                files.insert(own.clone(), policy::pointer_text(&hash, bytes));
                blobs.push(Blob { path: own, hash, bytes, source: path });
            } else if let Ok(text) = String::from_utf8(bytes) {
                files.insert(own, text);
            }
        }
    }
    let entry = ENTRIES.into_iter().find(|entry| files.contains_key(*entry)).unwrap_or(ENTRIES[0]).to_owned();
    let id = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Project { id, what: String::new(), entry, files, blobs, claim: None })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // what does not hold ends the test
mod tests {
    use std::collections::BTreeSet;

    use holdpoint_check::Diagnostic;
    use holdpoint_kind_app::check::check;
    use holdpoint_kind_app::options::{RawCatalog, RawOptions};

    use super::*;

    const CATALOG: &str = "2026-11";

    fn sample() -> Vec<Project> {
        read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/apps/truth"), CATALOG).unwrap()
    }

    #[test]
    fn the_check_says_of_the_sample_what_is_claimed() {
        let raw = RawOptions { catalog: Some(RawCatalog::Version(CATALOG.to_owned())), ..RawOptions::default() };
        let options = raw.resolve().unwrap();
        for project in sample() {
            let found = check(&project.files, Some(&project.entry), &options).diagnostics;
            let errors: Vec<&Diagnostic> = found.iter().filter(|one| one.is_error()).collect();
            match project.claim.as_ref().unwrap() {
                Claim::Accepted => assert!(errors.is_empty(), "{}: {errors:#?}", project.id),
                Claim::Refused { code, .. } => {
                    assert!(errors.iter().any(|one| one.code == *code), "{}: {errors:#?}", project.id);
                }
            }
        }
    }

    #[test]
    fn the_sample_has_forty_projects_a_side() {
        let all = sample();
        let ids: BTreeSet<&str> = all.iter().map(|project| project.id.as_str()).collect();
        assert_eq!(ids.len(), all.len(), "every id is one project's");
        let accepted = all.iter().filter(|project| project.claim == Some(Claim::Accepted)).count();
        assert!(accepted >= 40 && all.len() - accepted >= 40, "{accepted} of {}", all.len());
    }
}
