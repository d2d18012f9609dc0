//! What check and build said of each project, and where they do not agree.

use std::fmt::Write as _;

use holdpoint_check::Diagnostic;

use super::Built;
use super::project::{Claim, Project};

/// Codes of rules about what a project may do, not about whether it builds, and what each keeps away.
const POLICIES: [(&str, &str); 21] = [
    ("IMPORT_NETWORK", "the page would load code or a style that nobody looked at"),
    ("IMPORT_ABSOLUTE", "the path means another file on each machine"),
    ("IMPORT_SCHEME_FORBIDDEN", "the module is none of the project"),
    ("IMPORT_NOT_IN_CATALOG", "the package was never looked at"),
    ("IMPORT_UNDECLARED", "the package is there by chance, in a version that nobody named"),
    ("IMPORT_NODE_BUILTIN", "a browser has no such module, and a build may not use it"),
    ("IMPORT_NOT_STATIC", "what is loaded is known only when it runs"),
    ("IMPORT_ESCAPES_ROOT", "the file is none of the project"),
    ("REQUIRE_IN_MODULE", "a browser has no `require`: the page breaks off"),
    ("HTML_IMPORTMAP_FORBIDDEN", "the page would load other modules than those that were built"),
    ("HTML_BASE_FORBIDDEN", "every relative address of the page changes"),
    ("ENTRY_NOT_LINKED", "the page does not load the entry"),
    ("DEPENDENCY_NOT_IN_CATALOG", "the package was never looked at"),
    ("DEPENDENCY_VERSION_MISMATCH", "the version was never looked at"),
    ("DEPENDENCY_DUPLICATE", "two versions are named for one package"),
    ("PACKAGE_FIELD_FORBIDDEN", "the field brings in code past the catalogue"),
    ("SCRIPT_FORBIDDEN", "a line of the project would run by itself"),
    ("VITE_BASE_NOT_RELATIVE", "a published app lies in a folder: its files are not found"),
    ("VITE_CONFIG_UNREADABLE", "what the bundler does is not known before it runs"),
    ("VITE_CONFIG_KEY_FORBIDDEN", "the build reads or writes in other places"),
    ("VITE_CONFIG_DUPLICATE", "one of the two configurations has no effect"),
];

/// A project with what both said.
#[derive(Debug)]
pub struct Judged<'p> {
    pub project: &'p Project,
    pub found: Vec<Diagnostic>,
    pub built: Built,
}

impl Judged<'_> {
    fn errors(&self) -> Vec<&Diagnostic> {
        self.found.iter().filter(|one| one.is_error()).collect()
    }

    /// What is wrong with the two answers, in words.
    pub fn disagreement(&self) -> Option<String> {
        let errors = self.errors();
        match (&self.project.claim, errors.is_empty(), self.built.succeeded()) {
            (Some(Claim::Refused { code, .. }), ..) if errors.iter().all(|one| one.code != *code) => {
                Some(format!("the check does not say {code}"))
            }
            (Some(Claim::Accepted), false, _) => Some("the check refuses what is claimed to be right".to_owned()),
            (_, true, false) => Some("accepted, and does not build".to_owned()),
            (_, false, true) if self.harm().is_none() => Some("refused, and builds".to_owned()),
            _ => None,
        }
    }

    /// What a refused project that builds does: named in its claim, or by the rules that refuse it.
    fn harm(&self) -> Option<&str> {
        if let Some(Claim::Refused { harm, .. }) = &self.project.claim {
            return harm.as_deref();
        }
        let of = |one: &&Diagnostic| {
            let named = POLICIES.iter().find(|(code, _)| *code == one.code).map(|(_, harm)| *harm);
            named.or_else(|| {
                (one.code.starts_with("PATH_") || one.code.starts_with("LIMIT_")).then_some("the file may not be there")
            })
        };
        self.errors().iter().find_map(of)
    }

    fn check_said(&self) -> String {
        let mut codes: Vec<&str> = self.errors().iter().map(|one| one.code.as_ref()).collect();
        codes.dedup();
        if codes.is_empty() { "accepted".to_owned() } else { codes.join(", ") }
    }

    fn build_said(&self) -> String {
        if self.built.succeeded() {
            return match self.harm().filter(|_| !self.errors().is_empty()) {
                Some(harm) => format!("builds, but {harm}"),
                None => "builds".to_owned(),
            };
        }
        if let Some(refused) = &self.built.refused {
            return format!("the runner does not take it: {refused}");
        }
        let said = self.built.messages.first().map_or("", String::as_str);
        format!("{}: {}", self.built.code.as_deref().unwrap_or(&self.built.status), short(said))
    }

    /// One line for the terminal.
    pub fn row(&self) -> String {
        let mark = if self.disagreement().is_some() { "✗" } else { "✓" };
        format!("{mark} {}: {} | {}", self.project.id, self.check_said(), self.build_said())
    }
}

/// The first line of a message, as far as a table has room for it.
fn short(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let cut: String = line.chars().take(140).collect();
    let more = if cut.len() < line.len() { "…" } else { "" };
    format!("{cut}{more}").replace('|', "\\|")
}

/// How many agree, and each that does not, with all that was said.
pub fn summary(judged: &[Judged<'_>]) -> String {
    let (accepted, refused): (Vec<&Judged>, Vec<&Judged>) = judged.iter().partition(|one| one.errors().is_empty());
    let built = |all: &[&Judged], wanted: bool| all.iter().filter(|one| one.built.succeeded() == wanted).count();
    let mut text = format!(
        "{} accepted: {} build. {} refused: {} do not build, {} build and are refused by policy.\n",
        accepted.len(),
        built(&accepted, true),
        refused.len(),
        built(&refused, false),
        refused.iter().filter(|one| one.built.succeeded() && one.harm().is_some()).count(),
    );
    for one in judged {
        let Some(why) = one.disagreement() else { continue };
        let _ = writeln!(text, "\n{}: {why}\n  {}", one.project.id, one.project.what);
        for finding in one.errors() {
            let at = finding.path.as_deref().unwrap_or_default();
            let line = finding.range.map(|range| format!(":{}", range.start.line)).unwrap_or_default();
            let _ = writeln!(text, "  check: {} {at}{line} {}", finding.code, finding.message);
        }
        for message in &one.built.messages {
            let _ = writeln!(text, "  build: {message}");
        }
    }
    text
}

/// The whole document.
pub fn document(judged: &[Judged<'_>], command: &str) -> String {
    let mut text = format!(
        "# The check of apps beside the real build\n\nWritten by `{command}`. Each project is a template with changes \
         (`tests/apps/truth`), judged by the check of the product and built by the build runner, without its check: \
         `npm ci`, the type check of its build script, `vite build`. An accepted project has to build. A refused one \
         has to fail, or to do the harm that is named.\n\n{}\n",
        summary(judged)
    );
    for (title, is_accepted) in [("Accepted", true), ("Refused", false)] {
        let _ = writeln!(text, "## {title}\n\n| project | what it has | check | build |\n|---|---|---|---|");
        let own = |one: &&Judged| (one.project.claim == Some(Claim::Accepted)) == is_accepted;
        for one in judged.iter().filter(own) {
            let (id, what) = (&one.project.id, &one.project.what);
            let _ = writeln!(text, "| {id} | {what} | {} | {} |", one.check_said(), one.build_said());
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}
