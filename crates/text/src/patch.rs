//! From lines to sections and hunks (spec: text-engine.md §5 "Syntax", "Rejected formats", "Hunk header").
//!
//! Owns where a section and the region of a hunk begin and end, and what is dropped outside of them. Invariant: every
//! line of the patch is syntax, belongs to one region, or is dropped with a tag.

use crate::block::has_open_block;
use crate::codes::RejectCode;
use crate::header::{HunkHeader, Numbers, hunk_header};
use crate::limits::MAX_HUNKS;
use crate::region::{Mark, mark};
use crate::syntax::{EnvelopeFile, drop_cr, envelope_file, is_envelope, is_fence, is_metadata, tag_outside};
use crate::tags::{Tag, Tags};
use crate::transport::{RawLine, Transported, is_blank_char};

/// A patch, not yet placed.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    pub sections: Vec<Section>,
    pub hunks: Vec<RawHunk>,
    pub tags: Tags,
}

/// What stands in front of the hunks of a file. The first one is what stands before any header.
#[derive(Debug, Default, Clone)]
pub(crate) struct Section {
    /// The rest of a `diff --git` line.
    pub git: Option<String>,
    /// The rest of a `---` line.
    pub old: Option<String>,
    /// The rest of a `+++` line.
    pub new: Option<String>,
    pub envelope: Option<(EnvelopeFile, String)>,
    pub fate: Fate,
    pub has_hunks: bool,
}

/// What git metadata and envelopes say of a file beside its changes; the graver one counts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    #[default]
    Kept,
    Created,
    Deleted,
    Moved,
}

/// A hunk whose body is not yet read.
#[derive(Debug, Clone)]
pub(crate) struct RawHunk {
    pub header: HunkHeader,
    /// There was no `@@` line.
    pub synthesized: bool,
    pub region: Vec<RawLine>,
    pub section: usize,
    /// Counted from 1 within the patch.
    pub index: usize,
}

/// Why a patch cannot be read, and in which hunk.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub code: RejectCode,
    pub hunk_index: Option<usize>,
    pub hunk_header: Option<String>,
}

impl Section {
    fn is_explicit(&self) -> bool {
        self.git.is_some() || self.has_header() || self.envelope.is_some()
    }

    pub fn has_header(&self) -> bool {
        self.old.is_some() || self.new.is_some()
    }

    /// `--- b/…` and `+++ a/…`.
    pub fn is_reversed(&self) -> bool {
        let side = |path: &Option<String>, lead: &str| {
            path.as_deref().is_some_and(|path| path.trim_start_matches('"').starts_with(lead))
        };
        side(&self.old, "b/") && side(&self.new, "a/")
    }
}

/// Reads the lines of a patch.
pub(crate) fn parse(patch: &Transported) -> Result<Patch, Unreadable> {
    if let Some(code) = rejected_format(&patch.lines) {
        return Err(Unreadable { code, hunk_index: None, hunk_header: None });
    }
    let lines = &patch.lines;
    let any_header = lines.iter().any(|line| line.text.starts_with("@@"));
    let any_section = (0..lines.len()).any(|at| begins_section(lines, at));
    let mut parser = Parser {
        lines,
        at: 0,
        any_header,
        any_section,
        outer: Vec::new(),
        no_body_until: 0,
        patch: Patch { sections: vec![Section::default()], tags: patch.tags.clone(), ..Patch::default() },
    };
    while parser.at < lines.len() {
        parser.outside()?;
        if parser.patch.hunks.len() > MAX_HUNKS {
            return Err(Unreadable { code: RejectCode::TooCostly, hunk_index: None, hunk_header: None });
        }
    }
    Ok(parser.patch)
}

/// "Rejected formats", as far as the lines alone tell.
fn rejected_format(lines: &[RawLine]) -> Option<RejectCode> {
    let any = |test: &dyn Fn(&str) -> bool| lines.iter().any(|line| test(&line.text));
    if any(&|line| line.starts_with("@@@")) {
        return Some(RejectCode::CombinedDiff);
    }
    if any(&|line| line == "GIT binary patch" || (line.starts_with("Binary files ") && line.ends_with(" differ"))) {
        return Some(RejectCode::BinaryPatch);
    }
    if any(&|line| line.starts_with("@@")) {
        return None;
    }
    if has_open_block(lines) || any(&|line| line.len() == 15 && line.bytes().all(|byte| byte == b'*')) {
        return Some(RejectCode::UnsupportedFormat);
    }
    let added = lines.iter().all(|line| line.text.is_empty() || line.text.starts_with('+'));
    let inner = |line: &str| {
        let rest = line.strip_prefix("+@@ -").unwrap_or("");
        rest.starts_with(|c: char| c.is_ascii_digit())
    };
    (added && any(&inner)).then_some(RejectCode::DoubleEncoded)
}

/// `--- P` directly followed by `+++ P`, or one of them directly followed by `@@`.
fn is_file_header(lines: &[RawLine], at: usize) -> bool {
    let line = |at: usize| lines.get(at).map_or("", |line| line.text.as_str());
    let next = line(at + 1);
    (line(at).starts_with("--- ") && (next.starts_with("+++ ") || next.starts_with("@@")))
        || (line(at).starts_with("+++ ") && next.starts_with("@@"))
}

fn begins_section(lines: &[RawLine], at: usize) -> bool {
    let line = lines[at].text.as_str();
    line.starts_with("diff --git ")
        || envelope_file(line).is_some_and(|(kind, _)| kind != EnvelopeFile::Move)
        || is_file_header(lines, at)
}

struct Parser<'p> {
    lines: &'p [RawLine],
    at: usize,
    any_header: bool,
    any_section: bool,
    /// Anchors of headers without a body, outer first.
    outer: Vec<String>,
    /// No body without `@@` begins before this line.
    no_body_until: usize,
    patch: Patch,
}

impl Parser<'_> {
    /// Takes the next line, which stands outside of hunk bodies, and what belongs to it.
    fn outside(&mut self) -> Result<(), Unreadable> {
        let lines = self.lines;
        let line = &lines[self.at];
        let text = line.text.as_str();
        if text.starts_with("@@") {
            drop_cr(line, &mut self.patch.tags);
            return self.hunk();
        }
        if let Some(rest) = text.strip_prefix("diff --git ") {
            drop_cr(line, &mut self.patch.tags);
            self.patch.sections.push(Section { git: Some(rest.to_owned()), ..Section::default() });
        } else if is_envelope(text) {
            drop_cr(line, &mut self.patch.tags);
            self.patch.tags.insert(Tag::StrippedPatchWrappers);
            match envelope_file(text) {
                Some((EnvelopeFile::Move, _)) => self.section().fate = Fate::Moved,
                Some((kind, path)) => {
                    let envelope = Some((kind, path.to_owned()));
                    self.patch.sections.push(Section { envelope, ..Section::default() });
                }
                None => {}
            }
        } else if is_metadata(text) {
            drop_cr(line, &mut self.patch.tags);
            self.patch.tags.insert(Tag::IgnoredGitMetadata);
            let fates = [
                ("rename ", Fate::Moved),
                ("copy ", Fate::Moved),
                ("deleted file mode ", Fate::Deleted),
                ("new file mode ", Fate::Created),
            ];
            let told = fates.iter().find(|(lead, _)| text.starts_with(lead)).map_or(Fate::Kept, |(_, fate)| *fate);
            let section = self.section();
            section.fate = section.fate.max(told);
        } else if is_file_header(lines, self.at) {
            self.file_header();
            return Ok(());
        } else if let Some(end) = self.synthesized_region() {
            self.synthesized_hunk(end);
            return Ok(());
        } else {
            if is_fence(text) {
                drop_cr(line, &mut self.patch.tags);
            }
            tag_outside(text, &mut self.patch.tags);
        }
        self.at += 1;
        Ok(())
    }

    /// The section that the next line belongs to.
    fn section(&mut self) -> &mut Section {
        self.patch.sections.last_mut().expect("parse begins with one section")
    }

    fn file_header(&mut self) {
        if self.section().has_header() || self.section().has_hunks {
            self.patch.sections.push(Section::default());
        }
        for lead in ["--- ", "+++ "] {
            let Some(line) = self.lines.get(self.at) else { return };
            let Some(path) = line.text.strip_prefix(lead) else { continue };
            drop_cr(line, &mut self.patch.tags);
            let path = Some(path.to_owned());
            if lead == "--- " {
                self.section().old = path;
            } else {
                self.section().new = path;
            }
            self.at += 1;
        }
    }

    fn hunk(&mut self) -> Result<(), Unreadable> {
        let text = self.lines[self.at].text.as_str();
        let index = self.patch.hunks.len() + 1;
        let mut header = hunk_header(text).map_err(|_| Unreadable {
            code: RejectCode::BadHunkHeader,
            hunk_index: Some(index),
            hunk_header: Some(text.to_owned()),
        })?;
        let start = self.at + 1;
        let end = region_end(self.lines, start, header.numbers);
        let region = &self.lines[start..end];
        self.at = end;
        let is_bare = region.iter().all(|line| line.text.chars().all(is_blank_char));
        let more = self.lines.get(end).is_some_and(|line| line.text.starts_with("@@"));
        if header.numbers.is_none() && !header.anchors.is_empty() && is_bare && more {
            self.outer.append(&mut header.anchors);
            return Ok(());
        }
        if !header.canonical {
            self.patch.tags.insert(Tag::RepairedHunkHeader);
        }
        header.anchors.splice(0..0, self.outer.drain(..));
        self.push(header, false, start..end);
        Ok(())
    }

    fn push(&mut self, header: HunkHeader, synthesized: bool, region: std::ops::Range<usize>) {
        self.section().has_hunks = true;
        let section = self.patch.sections.len() - 1;
        let index = self.patch.hunks.len() + 1;
        let region = self.lines[region].to_vec();
        self.patch.hunks.push(RawHunk { header, synthesized, region, section, index });
    }

    /// Where a body without `@@` that begins here ends, if one begins here: in a text without any `@@`, or between a
    /// file header and the first `@@`. A fence ends it, and without `+` or `-` it is none.
    fn synthesized_region(&mut self) -> Option<usize> {
        let lines = self.lines;
        let any_section = self.any_section;
        let any_header = self.any_header;
        let section = self.section();
        let explicit = section.is_explicit();
        if section.has_hunks || ((any_header || any_section) && !explicit) || self.at < self.no_body_until {
            return None;
        }
        if !matches!(mark(&lines[self.at].text), Mark::Context | Mark::Delete | Mark::Insert | Mark::NoNewline) {
            return None;
        }
        let ends = |at: usize| {
            lines[at].text.starts_with("@@")
                || is_envelope(&lines[at].text)
                || begins_section(lines, at)
                || is_fence(&lines[at].text)
        };
        let end = (self.at..lines.len()).find(|at| ends(*at)).unwrap_or(lines.len());
        let changes = |line: &RawLine| matches!(mark(&line.text), Mark::Delete | Mark::Insert);
        if !lines[self.at..end].iter().any(changes) {
            self.no_body_until = end;
            return None;
        }
        Some(end)
    }

    fn synthesized_hunk(&mut self, end: usize) {
        self.patch.tags.insert(Tag::SynthesizedHunkHeader);
        let start = std::mem::replace(&mut self.at, end);
        let header = HunkHeader { text: "@@".to_owned(), canonical: true, ..HunkHeader::default() };
        self.push(header, true, start..end);
    }
}

/// The region of a hunk goes to the next `@@`, `diff --git` or envelope line, or to the header of another section:
/// `---`, `+++` and `@@` in three consecutive lines, unless just these two complete the counts of the header.
fn region_end(lines: &[RawLine], start: usize, numbers: Option<Numbers>) -> usize {
    let (mut old, mut new) = (0, 0);
    for at in start..lines.len() {
        let text = lines[at].text.as_str();
        if text.starts_with("@@") || text.starts_with("diff --git ") || is_envelope(text) {
            return at;
        }
        let follows = |ahead: usize, lead: &str| lines.get(at + ahead).is_some_and(|line| line.text.starts_with(lead));
        if text.starts_with("--- ") && follows(1, "+++ ") && follows(2, "@@") {
            let completes = |numbers: Numbers| (old + 1, new + 1) == (numbers.old_count, numbers.new_count);
            if !numbers.is_some_and(completes) {
                return at;
            }
        }
        match mark(text) {
            Mark::Delete => old += 1,
            Mark::Insert => new += 1,
            Mark::NoNewline => {}
            Mark::Context | Mark::Empty | Mark::Unmarked => {
                old += 1;
                new += 1;
            }
        }
    }
    lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::transport;

    fn parsed(text: &str) -> Result<Vec<(usize, String, usize)>, RejectCode> {
        let patch = parse(&transport(text, false)).map_err(|error| error.code)?;
        Ok(patch.hunks.into_iter().map(|h| (h.section, h.header.text, h.region.len())).collect())
    }

    #[test]
    fn rejected_formats() {
        let cases = [
            ("@@@ -1 -1 +1 @@@\n  a\n", RejectCode::CombinedDiff),
            ("GIT binary patch\n", RejectCode::BinaryPatch),
            ("<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", RejectCode::UnsupportedFormat),
            ("<<<<<<< SEARCH\n-a\n=======\n-b\n", RejectCode::UnsupportedFormat),
            ("***************\n*** 1 ****\n", RejectCode::UnsupportedFormat),
            ("+--- a/x\n++++ b/x\n+@@ -1 +1 @@\n+-a\n", RejectCode::DoubleEncoded),
            ("@@ -1,12345678901 +1 @@\n-a\n", RejectCode::BadHunkHeader),
        ];
        for (text, code) in cases {
            assert_eq!(parsed(text), Err(code), "{text}");
        }
    }

    #[test]
    fn sections_and_regions() {
        let hunk = |section: usize, header: &str, lines: usize| (section, header.to_owned(), lines);
        let cases = [
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", vec![hunk(0, "@@ -1 +1 @@", 2)]),
            // `--- a` deletes `-- a`: the counts say so.
            (
                "@@ -1,1 +1,1 @@\n--- a\n+++ b\n@@ -9 +9 @@\n-x\n+y\n",
                vec![hunk(0, "@@ -1,1 +1,1 @@", 2), hunk(0, "@@ -9 +9 @@", 2)],
            ),
            (
                "@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n@@ -9 +9 @@\n-x\n+y\n",
                vec![hunk(0, "@@ -1 +1 @@", 2), hunk(1, "@@ -9 +9 @@", 2)],
            ),
            ("@@ class A:\n@@ def b:\n-a\n", vec![hunk(0, "@@ def b:", 1)]),
            ("--- a/x\n+++ b/x\n-a\n+b\n```\n-c\n", vec![hunk(0, "@@", 2)]),
            ("words\n", vec![]),
        ];
        for (text, want) in cases {
            assert_eq!(parsed(text), Ok(want), "{text}");
        }
    }
}
