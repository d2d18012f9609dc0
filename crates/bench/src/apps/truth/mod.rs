//! The check of apps beside the real build: every project is judged by both, and what one takes and the other does not
//! is told (spec: vite-app.md §4, app-builder.md §6).
//!
//! A runner without a check of its own runs already, so that projects are built which the check refuses. What a build
//! says is never guessed: an accepted project builds, a refused one fails there or does the harm that is named.

mod project;
mod report;

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use holdpoint_kind_app::check;
use holdpoint_kind_app::options::{Options, RawCatalog, RawOptions};
use holdpoint_kind_app::renew::{self, LOCK};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fault::Fault;
use project::Project;
use report::Judged;

const RIG: &str = "crates/bench/src/apps/truth/build.ts";
/// Projects of our own: changes of templates, with what must come of them.
const SAMPLE: &str = "tests/apps/truth";
const TABLE: &str = "docs/bench/apps-truth.md";

/// What is built where.
#[derive(Debug)]
pub struct Wanted {
    /// Scheme, host and port of the runner.
    pub runner: String,
    pub token_file: PathBuf,
    /// The origin from which locked packages come.
    pub registry: String,
    /// The version of the catalogue by which projects are checked.
    pub catalog: String,
    /// Folders of projects and files of changes; none: the own sample, and the document is written.
    pub projects: Vec<PathBuf>,
    /// Only projects whose id has this text.
    pub only: Option<String>,
    /// The command that was given, for the document.
    pub command: String,
}

/// How the real build of a project ended.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Built {
    pub id: String,
    /// Absent where the runner took the request.
    pub refused: Option<String>,
    pub status: String,
    pub code: Option<String>,
    pub messages: Vec<String>,
}

impl Built {
    pub fn succeeded(&self) -> bool {
        self.status == "succeeded"
    }
}

/// Judges every project by both, says a row each, then what they do not agree about.
pub fn run(root: &Path, wanted: &Wanted, say: impl Fn(&str)) -> Result<(), Fault> {
    let is_own = wanted.projects.is_empty();
    let places = if is_own { vec![root.join(SAMPLE)] } else { wanted.projects.clone() };
    let mut projects = Vec::new();
    for place in &places {
        projects.extend(project::read(place, &wanted.catalog)?);
    }
    if let Some(only) = &wanted.only {
        projects.retain(|project| project.id.contains(only.as_str()));
    }
    let raw = RawOptions {
        catalog: Some(RawCatalog::Version(wanted.catalog.clone())),
        registry: Some(wanted.registry.clone()),
        ..RawOptions::default()
    };
    let options = raw.resolve().map_err(|error| Fault::Told(error.message))?;
    let mut judged: Vec<Judged> = projects
        .iter()
        .map(|project| {
            let report = check::check(&project.files, Some(&project.entry), &options);
            Judged { project, found: report.diagnostics, built: Built::default() }
        })
        .collect();
    let requests: Vec<Value> = projects.iter().map(|project| request(project, &options)).collect();
    let mut rig = Command::new("node");
    rig.args(["--import", "tsx", RIG, &wanted.runner]).arg(&wanted.token_file);
    let mut rig = rig.current_dir(root).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut asked = rig.stdin.take().ok_or_else(|| Fault::Told("the rig has no input".to_owned()))?;
    let told = rig.stdout.take().ok_or_else(|| Fault::Told("the rig has no output".to_owned()))?;
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let write = std::thread::spawn(move || asked.write_all(lines.as_bytes()));
    for line in BufReader::new(told).lines() {
        let built: Built = serde_json::from_str(&line?)?;
        let Some(one) = judged.iter_mut().find(|one| one.project.id == built.id) else { continue };
        one.built = built;
        say(&one.row());
    }
    let written = write.join().map_err(|_| Fault::Told("the rig was not told all".to_owned()))?;
    written?;
    if !rig.wait()?.success() {
        return Err(Fault::Told("The rig of builds failed: see above.".to_owned()));
    }
    say(&format!("\n{}", report::summary(&judged)));
    if is_own && wanted.only.is_none() {
        std::fs::write(root.join(TABLE), report::document(&judged, &wanted.command))?;
    }
    let wrong = judged.iter().filter(|one| one.disagreement().is_some()).count();
    if wrong == 0 { Ok(()) } else { Err(Fault::Told(format!("{wrong} projects are judged otherwise by the build."))) }
}

/// What the rig builds: the files with the lock that a build of the product would use.
fn request(project: &Project, options: &Options<'_>) -> Value {
    let mut files = project.files.clone();
    for blob in &project.blobs {
        files.remove(&blob.path);
    }
    // A lock that stands in the project is the subject there.
    if !files.contains_key(LOCK)
        && let Ok(lock) = renew::renew(&project.files, options)
    {
        files.insert(LOCK.to_owned(), lock);
    }
    json!({"id": project.id, "entry_file": project.entry, "files": files, "blobs": project.blobs})
}
