//! Findings out of what tools printed: code, path and range, where the tool says them.

use std::path::Path;
use std::sync::LazyLock;

use holdpoint_check::{Diagnostic, Position, Range, args, codes};
use regex::Regex;

use crate::limits::MAX_DIAGNOSTICS;

codes! {
    /// the packages of a project could not be installed
    INSTALL_ERROR: Error, "Correct the dependencies: {text}" [text];
    /// the compiler of TypeScript refuses a file
    TYPE_ERROR: Error, "Correct the type ({number}): {text}" [number, text];
    /// the build refuses a file, or ended without saying why
    BUILD_ERROR: Error, "Correct the build: {text}" [text];
    /// a test of the project failed
    TEST_FAILED / PROJECT_TEST: Error, "Make the test `{name}` pass: {text}" [name, text];
}

/// Characters of a message that a finding keeps.
const MAX_TEXT: usize = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildTool {
    Npm,
    Tsc,
    Vite,
}

/// The findings in what a tool printed, at most [`MAX_DIAGNOSTICS`]. `job` is the folder that paths are told from. A
/// failed tool that named nothing is one finding with its last lines.
pub fn diagnose(tool: BuildTool, text: &str, job: &Path) -> Vec<Diagnostic> {
    let text = &without_folder(text, job);
    let mut found = match tool {
        BuildTool::Npm => npm(text),
        BuildTool::Tsc => tsc(text),
        BuildTool::Vite => vite(text),
    };
    found.truncate(MAX_DIAGNOSTICS);
    if found.is_empty() {
        let last = last_lines(text);
        found.push(match tool {
            BuildTool::Npm => Diagnostic::of(&INSTALL_ERROR, args! { text: last }),
            BuildTool::Tsc => Diagnostic::of(&TYPE_ERROR, args! { number: "tsc", text: last }),
            BuildTool::Vite => Diagnostic::of(&BUILD_ERROR, args! { text: last }),
        });
    }
    found
}

/// Whether a tool says that it ended for want of memory.
pub fn is_out_of_memory(text: &str) -> bool {
    const SIGNS: [&str; 8] = [
        "JavaScript heap out of memory",
        "Array buffer allocation failed",
        "ERR_WORKER_OUT_OF_MEMORY",
        "Fatal process out of memory",
        "fatal error: runtime: out of memory",
        "runtime: cannot allocate memory",
        "std::bad_alloc",
        "memory allocation of ",
    ];
    SIGNS.iter().any(|sign| text.contains(sign))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this file")
}

/// `npm error code E404` and the lines behind it; older versions say `npm ERR!`.
fn npm(text: &str) -> Vec<Diagnostic> {
    let lines: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("npm error ").or_else(|| line.strip_prefix("npm ERR! ")))
        .filter(|line| !line.starts_with("A complete log") && !line.trim_start().starts_with('/'))
        .collect();
    if lines.is_empty() {
        return Vec::new();
    }
    vec![Diagnostic::of(&INSTALL_ERROR, args! { text: shorten(&lines.join(" ")) }).in_file("package.json")]
}

/// What the compiler says of one place.
struct TypeFault {
    place: Option<(String, Position)>,
    number: String,
    text: String,
}

/// `src/App.tsx(3,7): error TS2322: …`, with further lines indented, and `error TS5058: …` without a place.
fn tsc(text: &str) -> Vec<Diagnostic> {
    static PLACED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+),(?P<column>\d+)\): error (?P<number>TS\d+): (?P<text>.*)$")
    });
    static BARE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^error (?P<number>TS\d+): (?P<text>.*)$"));
    let mut found: Vec<TypeFault> = Vec::new();
    for line in text.lines() {
        if let Some(parts) = PLACED.captures(line) {
            let place = position(&parts["line"], &parts["column"]).map(|at| (relative(&parts["path"]), at));
            found.push(TypeFault { place, number: parts["number"].to_owned(), text: parts["text"].to_owned() });
        } else if let Some(parts) = BARE.captures(line) {
            found.push(TypeFault { place: None, number: parts["number"].to_owned(), text: parts["text"].to_owned() });
        } else if let Some(fault) =
            found.last_mut().filter(|fault| line.starts_with("  ") && fault.text.len() < MAX_TEXT)
        {
            fault.text.push(' ');
            fault.text.push_str(line.trim_start());
        }
    }
    let finding = |TypeFault { place, number, text }| {
        let finding = Diagnostic::of(&TYPE_ERROR, args! { number, text: shorten(&text) });
        match place {
            Some((path, at)) => finding.in_file(path).at(Range { start: at, end: at }),
            None => finding,
        }
    };
    found.into_iter().map(finding).collect()
}

/// Vite prints one failure: what is wrong behind `error during build:` or `[vite]: `, and its place as `file: PATH:1:2`,
/// as `[PATH:1:2]`, or as the frame `╭─[ PATH:1:2 ]` of its bundler.
fn vite(text: &str) -> Vec<Diagnostic> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?:^\s*(?:file|File):\s*|╭─\[\s*|\[\s*)(?P<path>[^\s\[\]?:]+\.[A-Za-z0-9]+)(?:\?[^\s:]*)?:(?P<line>\d+):(?P<column>\d+)",
        )
    });
    static FILE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:file|File):\s*(?P<path>[^\s?]+)"));
    static FROM: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?:from|in) "(?P<path>[^"?]+\.[A-Za-z]+)""#));
    let Some(start) = text.find("error during build:").map(|at| at + "error during build:".len()) else {
        return Vec::new();
    };
    let told = &text[start..];
    let message = told.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("Build failed with"));
    let finding = Diagnostic::of(&BUILD_ERROR, args! { text: shorten(message.unwrap_or_default()) });
    let placed = told.lines().find_map(|line| {
        let parts = PLACE.captures(line)?;
        Some((relative(&parts["path"]), position(&parts["line"], &parts["column"])?))
    });
    if let Some((path, at)) = placed {
        // The bundler counts columns from 1 in its frames and from 0 behind `file:`; both name the line.
        return vec![finding.in_file(path).at(Range { start: at, end: at })];
    }
    let named = |pattern: &Regex| told.lines().find_map(|line| Some(relative(&pattern.captures(line)?["path"])));
    match named(&FILE).or_else(|| named(&FROM)) {
        Some(path) => vec![finding.in_file(path)],
        None => vec![finding],
    }
}

fn position(line: &str, column: &str) -> Option<Position> {
    Some(Position { line: line.parse::<u32>().ok()?.max(1), column: column.parse::<u32>().ok()?.max(1) })
}

/// A text that names files of the job as the project does: nothing is said of the machine.
pub(super) fn without_folder(text: &str, job: &Path) -> String {
    text.replace(&format!("{}/", job.display()), "")
}

fn relative(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).to_owned()
}

/// At most [`MAX_TEXT`] characters from the start.
pub(super) fn shorten(text: &str) -> String {
    let end = text.char_indices().nth(MAX_TEXT).map_or(text.len(), |(at, _)| at);
    text[..end].trim_end().to_owned()
}

/// The end of a text, from the start of a line, at most [`MAX_TEXT`] bytes.
fn last_lines(text: &str) -> String {
    let text = text.trim_end();
    let from = text.ceil_char_boundary(text.len().saturating_sub(MAX_TEXT));
    let tail = &text[from..];
    let whole = if from == 0 { tail } else { tail.split_once('\n').map_or(tail, |(_, rest)| rest) };
    whole.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: &str = "/cache/jobs/b1";

    type Told = (String, Option<String>, Option<(u32, u32)>, String);

    fn told(tool: BuildTool, text: &str) -> Vec<Told> {
        let place = |finding: &Diagnostic| finding.range.map(|range| (range.start.line, range.start.column));
        diagnose(tool, text, Path::new(JOB))
            .into_iter()
            .map(|finding| (finding.code.to_string(), finding.path.clone(), place(&finding), finding.message))
            .collect()
    }

    fn one(tool: BuildTool, text: &str) -> (Option<String>, Option<(u32, u32)>, String) {
        let mut found = told(tool, text);
        assert_eq!(found.len(), 1, "{found:?}");
        let (_, path, place, message) = found.remove(0);
        (path, place, message)
    }

    #[test]
    fn type_errors_have_path_and_place() {
        let text = "src/App.tsx(3,7): error TS2322: Type 'number' is not assignable to type 'string'.\n  Type 'number' is\n\
                    /cache/jobs/b1/src/a b.ts(10,1): error TS1005: ';' expected.\nerror TS5058: The path does not exist.\n";
        let found = told(BuildTool::Tsc, text);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].0, "TYPE_ERROR");
        assert_eq!(found[0].1.as_deref(), Some("src/App.tsx"));
        assert_eq!(found[0].2, Some((3, 7)));
        assert!(found[0].3.ends_with("to type 'string'. Type 'number' is"), "{}", found[0].3);
        assert_eq!((found[1].1.as_deref(), found[1].2), (Some("src/a b.ts"), Some((10, 1))));
        assert_eq!((found[2].1.as_deref(), found[2].2), (None, None));
    }

    #[test]
    fn failures_of_the_build_have_their_place() {
        let rolldown = "error during build:\nBuild failed with 1 error:\n\n[UNRESOLVED_IMPORT] Could not resolve './gone' in src/main.ts\n   ╭─[ src/main.ts:2:15 ]\n   │\n";
        let (path, place, message) = one(BuildTool::Vite, rolldown);
        assert_eq!((path.as_deref(), place), (Some("src/main.ts"), Some((2, 15))));
        assert!(message.contains("Could not resolve './gone'"), "{message}");
        let plugin = "error during build:\n[vite:css] x.css: Unknown word\nfile: /cache/jobs/b1/src/x.css:4:2\n    at f (x.js:1:2)\n";
        assert_eq!(one(BuildTool::Vite, plugin).1, Some((4, 2)));
        let rollup = "error during build:\nCould not resolve \"./gone\" from \"src/main.ts\"\nfile: /cache/jobs/b1/src/main.ts\n";
        assert_eq!(one(BuildTool::Vite, rollup).0.as_deref(), Some("src/main.ts"));
        let silent = "vite v8 building\nKilled\n";
        assert!(one(BuildTool::Vite, silent).2.ends_with("Killed"));
        assert_eq!(told(BuildTool::Vite, "")[0].0, "BUILD_ERROR");
    }

    #[test]
    fn npm_is_one_finding_without_paths_of_the_machine() {
        let text = "npm warn old\nnpm error code EINTEGRITY\nnpm error sha512-x integrity failed\nnpm error A complete log of this run can be found in: /home/x\nnpm error     /home/x/log\n";
        let (path, _, message) = one(BuildTool::Npm, text);
        assert_eq!(path.as_deref(), Some("package.json"));
        assert!(
            message.ends_with("code EINTEGRITY sha512-x integrity failed") && !message.contains("/home"),
            "{message}"
        );
    }

    #[test]
    fn findings_have_a_bound() {
        let text = "a.ts(1,1): error TS1: x\n".repeat(600);
        assert_eq!(told(BuildTool::Tsc, &text).len(), MAX_DIAGNOSTICS);
        let long = format!("a.ts(1,1): error TS1: {}\n{}", "ä".repeat(9_000), "  more\n".repeat(9_000));
        assert!(one(BuildTool::Tsc, &long).2.len() < 3 * MAX_TEXT);
        assert!(last_lines(&"äö\n".repeat(9_000)).len() <= MAX_TEXT);
    }
}
