//! The build runner beside the edge: its address, its token, its packages, and what it says of this machine (spec:
//! app-builder.md §6).
//!
//! Invariant: the product runs without it. Where it cannot start or ends, that is said once, and apps are saved without
//! being built.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde::Deserialize;

use crate::http;
use crate::own;
use crate::process::{Fault, Service, command, output, step};

/// The file of its token in a state folder.
pub const TOKEN: &str = "runner.token";
/// The folder of its caches in a state folder.
pub const CACHE: &str = "runner";

/// Where a runner is to be, known before it runs: the Worker is told first.
#[derive(Clone)]
pub struct Place {
    pub port: u16,
    pub state: PathBuf,
    /// The origin from which packages come.
    pub registry: String,
}

/// A runner that answers.
pub struct Runner(Service);

/// The part of `GET /healthz` that a person is told.
#[derive(Deserialize)]
struct Health {
    isolation: String,
}

impl Place {
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What it knows the Worker by, made at the first start of this state.
    pub fn token(&self) -> Result<String, Fault> {
        own::kept(&self.state.join(TOKEN), own::random_hex)
    }

    /// Starts the program and says what it can do. `None`: it did not start, which is said.
    pub fn start(&self, program: &Path) -> Option<Runner> {
        match self.begin(program) {
            Ok((runner, isolation)) => {
                step(&told(&isolation));
                Some(runner)
            }
            Err(fault) => {
                step(&format!("No build runner: {fault} Apps are saved without being built."));
                None
            }
        }
    }

    fn begin(&self, program: &Path) -> Result<(Runner, String), Fault> {
        let token = self.token()?;
        let cache = self.state.join(CACHE);
        own::folder(&cache)?;
        own::close(&cache)?;
        let mut start = own::restricted(program);
        start.arg("--with-parent").arg("--listen").arg(format!("127.0.0.1:{}", self.port));
        start.arg("--token-file").arg(self.state.join(TOKEN)).arg("--cache").arg(cache);
        start.arg("--registry").arg(&self.registry);
        let mut service = Service::start("the build runner", start.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let stdout = service.child().stdout.take().ok_or_else(|| Fault::told("it has no output."))?;
        // It writes a line once it listens, or ends and says why on the terminal.
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        if line.is_empty() {
            return Err(Fault::told("it did not start; see above."));
        }
        let answer = http::get_with(&self.url(), "/healthz", &token)?;
        let health: Health = serde_json::from_str(&answer)
            .map_err(|_| Fault::told(format!("it does not say how it is; it answered: {answer}.")))?;
        Ok((Runner(service), health.isolation))
    }
}

impl Runner {
    /// Whether it runs; says so when it does not any more.
    pub fn is_alive(&mut self) -> bool {
        match self.0.alive() {
            Ok(()) => true,
            Err(fault) => {
                step(&format!("{fault} Apps are saved without being built until the next start."));
                false
            }
        }
    }

    pub fn end(&mut self) {
        self.0.end();
    }
}

/// What a level of isolation means to the person at the terminal.
fn told(isolation: &str) -> String {
    match isolation {
        "namespaces" => "Apps are built in a jail with namespaces of its own".to_owned(),
        "landlock" | "seatbelt" => format!("Apps are built in a jail ({isolation}), without namespaces of its own"),
        // What is built was written by a model: without a jail it would run with the rights of who started this.
        _ => {
            "This machine has no jail: the build runner refuses to build apps. Linux 6.2 or newer with Landlock has one"
                .to_owned()
        }
    }
}

/// The origin from which npm of this machine gets packages. `None`: npm does not say, which is said, and no runner can be.
pub fn registry() -> Option<String> {
    let asked = output(command("npm").args(["config", "get", "registry"])).unwrap_or_default();
    let origin = asked.trim().trim_end_matches('/');
    if origin.starts_with("http") {
        return Some(origin.to_owned());
    }
    step("No build runner: npm names no registry. Name one in REGISTRY_ORIGIN; apps are saved without being built.");
    None
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn a_machine_without_a_jail_is_not_called_safe() {
        assert!(told("none").contains("no jail") && told("none").contains("refuses"));
        assert!(told("namespaces").contains("in a jail") && told("landlock").contains("without namespaces"));
        assert_eq!(told("what comes later"), told("none"));
    }
}
