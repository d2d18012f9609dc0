//! Git and GNU patch on a file of their own.
//!
//! Git is a tool that everybody who builds this has. GNU patch may be missing: then what it would say is taken from the
//! expectations that stand in the tests.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::PATH;

/// A folder for one question.
struct Folder(PathBuf);

impl Folder {
    fn new(base: &str, patch: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(PATH), base).unwrap();
        std::fs::write(folder.join("patch"), patch).unwrap();
        Self(folder)
    }

    fn run(&self, program: &str, args: &[&str]) -> Option<bool> {
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.0).env("GIT_CEILING_DIRECTORIES", self.0.parent().unwrap());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Some(command.status().ok()?.success())
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.0.join(name)).unwrap_or_default()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What `git apply` makes of it; none when it refuses.
pub fn git_apply(base: &str, patch: &str) -> Option<String> {
    let folder = Folder::new(base, patch);
    let args = ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "patch"];
    let accepted = folder.run("git", &args).expect("git is there");
    accepted.then(|| folder.text(PATH))
}

/// What `patch -F0` says.
#[derive(Debug, PartialEq, Eq)]
pub enum Gnu {
    /// It is not installed.
    Missing,
    /// It refuses.
    Refused,
    /// The text after.
    Text(String),
}

/// What `patch -F0` makes of it.
pub fn gnu_patch(base: &str, patch: &str) -> Gnu {
    let folder = Folder::new(base, patch);
    let args = ["-F0", "--forward", "--batch", "--silent", "--binary", "--reject-file=-", "-o", "out", PATH, "patch"];
    match folder.run("patch", &args) {
        None => Gnu::Missing,
        Some(false) => Gnu::Refused,
        Some(true) => Gnu::Text(folder.text("out")),
    }
}

/// What `git diff` says of two texts, with the path of the tests on both sides.
pub fn git_diff(before: &str, after: &str) -> String {
    let folder = Folder::new(before, after);
    let output = Command::new("git")
        .args(["-c", "core.autocrlf=false", "diff", "--no-index", "--no-color", "--no-ext-diff", PATH, "patch"])
        .current_dir(&folder.0)
        .output()
        .expect("git is there");
    let said = String::from_utf8(output.stdout).unwrap();
    match said.find("\n@@ ") {
        Some(at) => format!("--- a/{PATH}\n+++ b/{PATH}\n{}", &said[at + 1..]),
        None => String::new(),
    }
}
