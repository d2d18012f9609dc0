//! Which file a patch is about (spec: text-engine.md §5 "File identity").
//!
//! Invariant: a patch whose headers name anything but its target, or more than a change of text, is refused.

use crate::codes::RejectCode;
use crate::patch::{Fate, Patch, Section};
use crate::syntax::EnvelopeFile;
use crate::tags::{Tag, Tags};

/// Checks that all sections are about the target, and tags how they said so.
pub(crate) fn identify(patch: &Patch, target: &str, base_is_empty: bool) -> Result<Tags, RejectCode> {
    let named: Vec<(&Section, Names)> =
        patch.sections.iter().map(|section| (section, names(section, target))).collect();
    let mut files = named.iter().filter_map(|(_, names)| names.primary());
    if let Some(first) = files.next()
        && files.any(|file| file != first)
    {
        return Err(RejectCode::MultiFile);
    }
    if patch.sections.iter().any(|section| section.fate == Fate::Moved) {
        return Err(RejectCode::CreateDelete);
    }
    if named.iter().any(|(_, names)| names.all.iter().any(|name| name != target)) {
        return Err(RejectCode::WrongFile);
    }
    let added = |section: &Section, kind| section.envelope.as_ref().is_some_and(|(found, _)| *found == kind);
    let mut tags = Tags::new();
    for (section, names) in &named {
        if names.deletes || section.fate == Fate::Deleted || added(section, EnvelopeFile::Delete) {
            return Err(RejectCode::CreateDelete);
        }
        if names.creates || section.fate == Fate::Created || added(section, EnvelopeFile::Add) {
            if !base_is_empty {
                return Err(RejectCode::CreateDelete);
            }
            tags.insert(Tag::CreatedIntoEmptyFile);
        }
        if section.has_hunks {
            tags.extend(header_tag(section, target));
        }
    }
    if named.iter().filter(|(_, names)| names.primary().is_some()).count() > 1 {
        tags.insert(Tag::MergedFileSections);
    }
    Ok(tags)
}

/// How a section with hunks named its file.
fn header_tag(section: &Section, target: &str) -> Option<Tag> {
    if !section.has_header() {
        let inferred = section.git.is_some();
        return Some(if inferred { Tag::InferredHeadersFromDiffGit } else { Tag::SynthesizedFileHeaders });
    }
    let literal = |path: &Option<String>, lead: &str| {
        path.as_deref().and_then(|path| path.strip_prefix(lead)).is_some_and(|path| path == target)
    };
    let is_literal = literal(&section.old, "a/") && literal(&section.new, "b/");
    (!is_literal).then_some(Tag::StandardizedFileHeaders)
}

#[derive(Debug, Default)]
struct Names {
    all: Vec<String>,
    creates: bool,
    deletes: bool,
}

impl Names {
    /// The name by which the section is told from others.
    fn primary(&self) -> Option<&str> {
        self.all.last().map(String::as_str)
    }
}

/// Every name in a section; the new side of the file header comes last.
fn names(section: &Section, target: &str) -> Names {
    let mut names = Names::default();
    if let Some(git) = &section.git {
        names.all.extend(git_names(git, target));
    }
    if let Some((_, path)) = &section.envelope {
        names.all.extend(file_name(path));
    }
    for (side, null) in [(&section.old, &mut names.creates), (&section.new, &mut names.deletes)] {
        if let Some(path) = side {
            match file_name(path) {
                Some(name) => names.all.push(name),
                None => *null = true,
            }
        }
    }
    names
}

/// The two names of a `diff --git` line. Names may hold blanks: the split where both sides agree is meant.
fn git_names(rest: &str, target: &str) -> Vec<String> {
    /// Longer than two of the longest paths that file systems take.
    const MAX_NAMES: usize = 8_192;
    if rest.len() > MAX_NAMES {
        return vec![rest.to_owned()];
    }
    let splits = rest.match_indices(' ').map(|(at, _)| (&rest[..at], &rest[at + 1..]));
    let named: Vec<[Option<String>; 2]> = splits.map(|(a, b)| [file_name(a), file_name(b)]).collect();
    let is_target = |name: &Option<String>| name.as_deref().is_none_or(|name| name == target);
    let agree = named.iter().find(|pair| pair.iter().all(is_target));
    let agree = agree.or_else(|| named.iter().find(|[a, b]| a == b)).or(named.first());
    agree.map_or_else(Vec::new, |pair| pair.iter().flatten().cloned().collect())
}

/// The name that a path of a header stands for; `None` for `/dev/null`.
pub(crate) fn file_name(path: &str) -> Option<String> {
    let path = path.split('\t').next().unwrap_or(path);
    let path = without_date(path).trim_matches(' ');
    let unquoted = unquoted(path);
    let mut name = unquoted.as_deref().unwrap_or(path);
    if name == "/dev/null" {
        return None;
    }
    for lead in ["a/", "b/", "i/", "w/", "c/", "o/"] {
        if let Some(rest) = name.strip_prefix(lead) {
            name = rest;
            break;
        }
    }
    while let Some(rest) = name.strip_prefix("./") {
        name = rest;
    }
    Some(name.to_owned())
}

/// Takes a trailing `2025-11-02 10:00[:00[.000]] [+0100]` away.
fn without_date(path: &str) -> &str {
    let words: Vec<(usize, &str)> = path
        .split(' ')
        .scan(0, |at, word| {
            let start = *at;
            *at += word.len() + 1;
            Some((start, word))
        })
        .collect();
    let is_zone = |word: &str| {
        word == "Z"
            || (word.len() >= 5
                && word.starts_with(['+', '-'])
                && word[1..].bytes().all(|b| b.is_ascii_digit() || b == b':'))
    };
    let is_time = |word: &str| {
        let word = word.trim_end_matches('Z');
        let parts: Vec<&str> = word.split(':').collect();
        (2..=3).contains(&parts.len())
            && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    };
    let is_day = |word: &str| {
        let parts: Vec<&str> = word.split('-').collect();
        parts.len() == 3
            && parts[0].len() == 4
            && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut rest = &words[..];
    if let [head @ .., (_, last)] = rest
        && is_zone(last)
    {
        rest = head;
    }
    let start = match rest {
        [.., (start, day), (_, time)] if is_day(day) && is_time(time) => *start,
        [.., (start, both)] if both.split_once('T').is_some_and(|(day, time)| is_day(day) && is_time(time)) => *start,
        _ => return path,
    };
    path[..start].trim_end_matches(' ')
}

/// The inside of C quotes.
fn unquoted(path: &str) -> Option<String> {
    let inside = path.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            digit @ b'0'..=b'7' => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    match rest.peek() {
                        Some(next @ b'0'..=b'7') => value = value * 8 + u32::from(*next - b'0'),
                        _ => break,
                    }
                    rest.next();
                }
                u8::try_from(value).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::parse;
    use crate::transport::transport;

    #[test]
    fn names_of_paths() {
        let cases = [
            ("a/x.py", Some("x.py")),
            ("./x.py", Some("x.py")),
            ("w/./x.py\t2025-11-02", Some("x.py")),
            ("x.py 2025-11-02 10:00:00.000000000 +0100", Some("x.py")),
            ("x.py 2025-11-02T10:00:00Z", Some("x.py")),
            ("\"a/\\303\\251.py\"", Some("\u{e9}.py")),
            ("a/b/x.py", Some("b/x.py")),
            ("/dev/null", None),
            ("my file.py", Some("my file.py")),
        ];
        for (path, want) in cases {
            assert_eq!(file_name(path).as_deref(), want, "{path}");
        }
        assert_eq!(git_names("a/my x.py b/my x.py", "my x.py"), ["my x.py", "my x.py"]);
    }

    #[test]
    fn identities() {
        let hunk = "@@ -1 +1 @@\n-a\n+b\n";
        let check = |head: &str, empty: bool| {
            identify(&parse(&transport(&format!("{head}{hunk}"), false)).unwrap(), "x.py", empty)
                .map(|tags| tags.iter().map(|tag| tag.name()).collect::<Vec<_>>().join(" "))
        };
        let ok = |tags: &str| Ok(tags.to_owned());
        let cases = [
            ("--- a/x.py\n+++ b/x.py\n", false, ok("")),
            ("", false, ok("synthesized_file_headers")),
            ("diff --git a/x.py b/x.py\n", false, ok("inferred_headers_from_diff_git")),
            ("--- x.py\n+++ x.py\n", false, ok("standardized_file_headers")),
            ("--- a/y.py\n+++ b/y.py\n", false, Err(RejectCode::WrongFile)),
            ("--- a/x.py\n+++ b/X.py\n", false, Err(RejectCode::WrongFile)),
            ("--- a/x.py\n+++ /dev/null\n", false, Err(RejectCode::CreateDelete)),
            ("--- /dev/null\n+++ b/x.py\n", false, Err(RejectCode::CreateDelete)),
            ("--- /dev/null\n+++ b/x.py\n", true, ok("standardized_file_headers created_into_empty_file")),
            ("diff --git a/x.py b/y.py\nrename from x.py\nrename to y.py\n", false, Err(RejectCode::CreateDelete)),
            ("*** Update File: x.py\n*** Update File: y.py\n", false, Err(RejectCode::MultiFile)),
            ("*** Update File: x.py\n*** Move to: y.py\n", false, Err(RejectCode::CreateDelete)),
        ];
        for (head, empty, want) in cases {
            assert_eq!(check(head, empty), want, "{head}");
        }
    }
}
