//! GNU patch and git, as processes on a file of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::case::Case;
use crate::fault::Fault;
use crate::tools::{Answer, Tool};

/// GNU patch with its default fuzz of 2, never asking, never undoing what is already there.
#[derive(Debug)]
pub struct GnuPatch {
    folder: PathBuf,
}

impl GnuPatch {
    pub fn new(work: &Path) -> Result<Self, Fault> {
        let folder = work.join("gnu");
        std::fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }
}

impl Tool for GnuPatch {
    fn name(&self) -> &'static str {
        "GNU patch"
    }

    fn usage(&self) -> &'static str {
        "`patch --forward --batch --reject-file=- -o OUT FILE PATCH`"
    }

    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault> {
        let (base, patch, out) = (self.folder.join("base"), self.folder.join("patch"), self.folder.join("out"));
        std::fs::write(&base, &case.base)?;
        std::fs::write(&patch, &case.patch)?;
        let _ = std::fs::remove_file(&out);
        let mut command = Command::new("patch");
        command.args(["--forward", "--batch", "--silent", "--reject-file=-", "-o"]).arg(&out).arg(&base).arg(&patch);
        let (accepted, took) = quiet(command.current_dir(&self.folder))?;
        Ok((if accepted { text(&out) } else { None }, took))
    }
}

/// `git apply`, plain or with the leniency that it documents.
#[derive(Debug)]
pub struct GitApply {
    folder: PathBuf,
    lenient: bool,
}

impl GitApply {
    /// Works in a folder below `work`.
    pub fn new(work: &Path, lenient: bool) -> Result<Self, Fault> {
        let folder = work.join(if lenient { "git-lenient" } else { "git" });
        std::fs::create_dir_all(folder.join("tree"))?;
        Ok(Self { folder, lenient })
    }
}

impl Tool for GitApply {
    fn name(&self) -> &'static str {
        if self.lenient { "git apply, lenient" } else { "git apply" }
    }

    fn usage(&self) -> &'static str {
        if self.lenient { "`git apply --recount --ignore-whitespace -C1 PATCH`" } else { "`git apply PATCH`" }
    }

    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault> {
        let (tree, patch) = (self.folder.join("tree"), self.folder.join("patch"));
        let file = tree.join(&case.path);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&file, &case.base)?;
        std::fs::write(&patch, &case.patch)?;
        let mut command = Command::new("git");
        command.args(["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn"]);
        if self.lenient {
            command.args(["--recount", "--ignore-whitespace", "-C1"]);
        }
        command.arg(&patch).current_dir(&tree).env("GIT_CEILING_DIRECTORIES", &self.folder);
        let (accepted, took) = quiet(&mut command)?;
        let after = if accepted { text(&file) } else { None };
        let _ = std::fs::remove_file(&file);
        Ok((after, took))
    }
}

/// Runs without a word; whether it ended well, and how long it took.
fn quiet(command: &mut Command) -> Result<(bool, Duration), Fault> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let status = command.status().map_err(|error| {
        let name = command.get_program().to_string_lossy();
        Fault::Told(format!("`{name}` could not be started ({error}). Install it and try again."))
    })?;
    Ok((status.success(), started.elapsed()))
}

fn text(path: &Path) -> Answer {
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
