//! npm `diff`, in one Node process that answers a line for a line.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::case::Case;
use crate::fault::{Fault, output};
use crate::tools::{Answer, Tool};

/// The version that is measured.
pub const VERSION: &str = "9.0.0";
/// Answers `{after, microseconds}` for `{base, patch}`.
const SERVER: &str = include_str!("npm.mjs");

/// Installs packages below the cache; answers the folder that has `node_modules`.
pub fn install(cache: &Path, name: &str, packages: &[&str]) -> Result<PathBuf, Fault> {
    let folder = cache.join("npm").join(name);
    let mark = folder.join("installed");
    let asked = packages.join(" ");
    if !std::fs::read_to_string(&mark).is_ok_and(|installed| installed == asked) {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("package.json"), "{\"private\":true,\"type\":\"module\"}\n")?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund"]).args(packages);
        output(npm.current_dir(&folder), 0)?;
        std::fs::write(mark, asked)?;
    }
    Ok(folder)
}

/// Installs npm `diff`.
pub fn install_diff(cache: &Path) -> Result<PathBuf, Fault> {
    install(cache, "diff", &[&format!("diff@{VERSION}")])
}

/// A running Node.
#[derive(Debug)]
pub struct Diff {
    node: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

#[derive(Debug, Deserialize)]
struct Reply {
    after: Option<String>,
    microseconds: f64,
}

impl Diff {
    pub fn start(cache: &Path) -> Result<Self, Fault> {
        let folder = install_diff(cache)?;
        std::fs::write(folder.join("server.mjs"), SERVER)?;
        let mut command = Command::new("node");
        command.arg("server.mjs").current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut node = command.spawn().map_err(|error| {
            Fault::Told(format!("`node` could not be started ({error}). Install it and try again."))
        })?;
        let silent = || Fault::Told("Node gives no pipe.".to_owned());
        let questions = node.stdin.take().ok_or_else(silent)?;
        let answers = BufReader::new(node.stdout.take().ok_or_else(silent)?);
        Ok(Self { node, questions, answers })
    }
}

impl Tool for Diff {
    fn name(&self) -> &'static str {
        "npm diff"
    }

    fn usage(&self) -> &'static str {
        "`applyPatch(base, patch)`"
    }

    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault> {
        writeln!(self.questions, "{}", json!({ "base": case.base, "patch": case.patch }))?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let reply: Reply = serde_json::from_str(&line)?;
        Ok((reply.after, Duration::from_secs_f64(reply.microseconds / 1e6)))
    }
}

impl Drop for Diff {
    fn drop(&mut self) {
        let _ = self.node.kill();
        let _ = self.node.wait();
    }
}
