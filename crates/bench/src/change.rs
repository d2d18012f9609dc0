//! Real changes: what `git diff` says two published versions differ in.
//!
//! Git is the author of every hunk, so that no engine under test describes its own examination. A [`Change`] is one file;
//! [`windows`] cuts it into pieces of one to four neighbouring hunks, which is what an edit of a person or a model looks
//! like.

use std::path::Path;
use std::process::Command;

use crate::fault::{Fault, output};
use crate::packages::Fetched;
use crate::random::Random;

/// Bytes of a file up to which the figures of the issue hold.
const MAX_FILE: usize = 60 * 1024;
/// Hunks of a window, at most.
const MAX_WINDOW: usize = 4;
/// Windows of one file, at most.
const MAX_WINDOWS: usize = 4;
/// Languages by the ending of the path.
const LANGUAGES: &[(&str, &str)] = &[
    (".rs", "Rust"),
    (".toml", "Rust"),
    (".d.ts", "TypeScript"),
    (".ts", "TypeScript"),
    (".tsx", "TypeScript"),
    (".js", "JavaScript"),
    (".mjs", "JavaScript"),
    (".cjs", "JavaScript"),
    (".py", "Python"),
    (".scss", "CSS"),
    (".sass", "CSS"),
    (".css", "CSS"),
    (".md", "Markdown"),
];

/// What a body line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Stays.
    Context,
    /// Goes.
    Delete,
    /// Comes.
    Insert,
}

/// A body line. The text is without its ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// What it does.
    pub mark: Mark,
    /// Its content, a CR of its ending included.
    pub text: String,
    /// `\ No newline at end of file` follows.
    pub open: bool,
}

/// A hunk as git wrote it.
#[derive(Debug, Clone)]
pub struct Hunk {
    /// The 0-based index of its first old line.
    pub at: usize,
    /// What follows the second `@@`.
    pub section: String,
    /// Its lines.
    pub body: Vec<Body>,
}

impl Hunk {
    /// How many lines it has on the old side.
    pub fn old_count(&self) -> usize {
        self.body.iter().filter(|line| line.mark != Mark::Insert).count()
    }

    /// How many lines it has on the new side.
    pub fn new_count(&self) -> usize {
        self.body.iter().filter(|line| line.mark != Mark::Delete).count()
    }
}

/// How one file differs between two versions.
#[derive(Debug, Clone)]
pub struct Change {
    /// The package and its later version.
    pub package: String,
    /// The language of the file.
    pub language: &'static str,
    /// Its path in the package.
    pub path: String,
    /// Its text before.
    pub before: String,
    /// Its text after.
    pub after: String,
    /// What git says.
    pub hunks: Vec<Hunk>,
    /// What git says, as it wrote it, with the path on both sides.
    pub patch: String,
}

/// The changed files of a pair that the benchmark can use: text in a known language, of ordinary size, on both sides.
pub fn changes(fetched: &Fetched) -> Result<Vec<Change>, Fault> {
    let mut git = Command::new("git");
    git.args(["-c", "core.quotePath=false", "-c", "core.autocrlf=false", "-c", "diff.noprefix=false"]);
    git.args(["diff", "--no-index", "--no-color", "--no-ext-diff", "--no-renames", "--unified=3", "old", "new"]);
    let said = output(git.current_dir(&fetched.folder), 1)?;
    let text = String::from_utf8_lossy(&said);
    let mut found = Vec::new();
    for section in text.split("diff --git ").skip(1) {
        let Some(path) = section.lines().find_map(|line| line.strip_prefix("+++ b/new/")) else { continue };
        let Some(language) = language(path).filter(|_| wanted(path, fetched.pair.under)) else { continue };
        let Some((before, after)) = both(&fetched.folder, path) else { continue };
        let Some(begin) = section.find("\n@@ ") else { continue };
        let hunks = hunks(&section[begin + 1..]);
        let patch = format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{}", &section[begin + 1..]);
        let change = Change {
            package: format!("{} {}", fetched.pair.name, fetched.pair.new),
            language,
            path: path.to_owned(),
            before,
            after,
            hunks,
            patch,
        };
        // A body line may itself begin with `diff --git `: what was cut wrongly does not give the text after.
        if spliced(&change.before, &change.hunks) == change.after {
            found.push(change);
        }
    }
    Ok(found)
}

fn language(path: &str) -> Option<&'static str> {
    let minified = [".min.js", ".min.css", ".map"].iter().any(|ending| path.ends_with(ending));
    LANGUAGES.iter().find(|(ending, _)| !minified && path.ends_with(ending)).map(|(_, language)| *language)
}

fn wanted(path: &str, under: &[&str]) -> bool {
    let inside = |folder: &&str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    under.is_empty() || !path.contains('/') || under.iter().any(inside)
}

fn both(folder: &Path, path: &str) -> Option<(String, String)> {
    let read = |side: &str| std::fs::read_to_string(folder.join(side).join(path)).ok();
    let (before, after) = (read("old")?, read("new")?);
    (before.len() <= MAX_FILE && after.len() <= MAX_FILE).then_some((before, after))
}

fn hunks(text: &str) -> Vec<Hunk> {
    let mut found: Vec<Hunk> = Vec::new();
    for line in text.split_inclusive('\n') {
        let line = line.strip_suffix('\n').unwrap_or(line);
        if let Some(header) = line.strip_prefix("@@ -") {
            let (ranges, section) = header.split_once(" @@").unwrap_or((header, ""));
            let old = ranges.split(' ').next().unwrap_or_default();
            let (start, count) = old.split_once(',').unwrap_or((old, "1"));
            let start: usize = start.parse().unwrap_or(0);
            let at = if count == "0" { start } else { start.saturating_sub(1) };
            found.push(Hunk { at, section: section.trim().to_owned(), body: Vec::new() });
            continue;
        }
        let Some(hunk) = found.last_mut() else { continue };
        let mark = match line.chars().next() {
            Some(' ') => Mark::Context,
            Some('-') => Mark::Delete,
            Some('+') => Mark::Insert,
            Some('\\') => {
                if let Some(last) = hunk.body.last_mut() {
                    last.open = true;
                }
                continue;
            }
            _ => continue,
        };
        hunk.body.push(Body { mark, text: line[1..].to_owned(), open: false });
    }
    found
}

/// The text after these hunks.
pub fn spliced(before: &str, hunks: &[Hunk]) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let mut text = String::new();
    let mut next = 0;
    for hunk in hunks {
        text.extend(old.get(next..hunk.at).unwrap_or_default().iter().copied());
        next = hunk.at + hunk.old_count();
        for line in hunk.body.iter().filter(|line| line.mark != Mark::Delete) {
            text.push_str(&line.text);
            if !line.open {
                text.push('\n');
            }
        }
    }
    text.extend(old.get(next..).unwrap_or_default().iter().copied());
    text
}

/// Neighbouring hunks of a change, taken alone: the edit that a case is made from.
#[derive(Debug, Clone)]
pub struct Window<'c> {
    /// Where it comes from.
    pub change: &'c Change,
    /// Its number within the change.
    pub number: usize,
    /// Its hunks.
    pub hunks: &'c [Hunk],
}

/// Cuts a change into windows.
pub fn windows(change: &Change) -> Vec<Window<'_>> {
    let mut random = Random::of(&["windows", &change.package, &change.path]);
    let mut rest = change.hunks.as_slice();
    let mut found = Vec::new();
    while !rest.is_empty() && found.len() < MAX_WINDOWS {
        let size = random.between(1, MAX_WINDOW).min(rest.len());
        let (hunks, behind) = rest.split_at(size);
        found.push(Window { change, number: found.len(), hunks });
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_hunks_are_read_and_spliced() {
        let text = "@@ -1,2 +1,3 @@ fn a()\n a\n-b\n\\ No newline at end of file\n+c\n+d\n";
        let found = hunks(text);
        assert_eq!((found[0].at, found[0].old_count(), found[0].new_count()), (0, 2, 3));
        assert_eq!(found[0].section, "fn a()");
        assert_eq!(spliced("a\nb", &found), "a\nc\nd\n");
    }
}
