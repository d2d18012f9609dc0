//! A Markdown file with frontmatter: a step or a workflow document (spec: crew-package.md §4).
//!
//! One parser serves both. Invariant: line ends, a byte order mark and a missing last newline are content; reading
//! changes nothing.

use std::cell::OnceCell;

use holdpoint_check::json::Document;
use holdpoint_check::{ApiError, Code, Diagnostic, Fix, LineIndex, Range, args, codes};

use super::body::Prose;
use super::yaml::{self, Mapping, YamlFault};
use super::{body, bounded};
use crate::limits::MAX_FRONTMATTER_BYTES;
use crate::schemas::Shape;

codes! {
    // Those of a workflow document borrow the sentences of a step's.
    /// a workflow document without frontmatter
    WORKFLOW_MISSING_FRONTMATTER: Error, "";
    /// a frontmatter that is misplaced, not closed, or no plain YAML mapping
    WORKFLOW_INVALID_FRONTMATTER: Error, "";
    /// a step file without frontmatter
    STEP_MISSING_FRONTMATTER / ABSENT: Error, "Begin the file with a frontmatter: `---`, members as YAML, `---`.";
    STEP_INVALID_FRONTMATTER / MISPLACED: Error, "Move `---` to the very beginning of the file.";
    STEP_INVALID_FRONTMATTER / UNCLOSED: Error, "Close the frontmatter with a line `---`.";
}

/// What YAML is refused for.
pub const YAML: &[&Code] = yaml::CODES;

/// Which file it is; they differ in schema and codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    Step,
    Workflow,
}

impl FileRole {
    /// The schema of its frontmatter.
    pub fn shape(self) -> Shape {
        match self {
            Self::Step => Shape::Step,
            Self::Workflow => Shape::Workflow,
        }
    }
}

/// A file that was read.
#[derive(Debug)]
pub struct Markdown<'t> {
    pub role: FileRole,
    /// The frontmatter, or the finding why there is none.
    pub head: Result<Document<'t>, Diagnostic>,
    /// What follows it; nothing where nothing else is said about the file.
    pub body: Option<Prose<'t>>,
    text: &'t str,
    index: LineIndex<'t>,
    /// What the schema finds in the frontmatter; asked once, whoever asks.
    judged: OnceCell<Vec<Diagnostic>>,
}

impl<'t> Markdown<'t> {
    /// Reads a file. The error: it is too large, or its YAML is too deep.
    pub fn read(text: &'t str, role: FileRole) -> Result<Self, ApiError> {
        bounded(text)?;
        let index = LineIndex::new(text);
        let start = begun(text);
        let lacking = |code: &'static Code, body: Option<usize>| {
            let finding = hinted(Diagnostic::of(code, args! {}), role).at(index.range(start, start));
            (Err(finding), body)
        };
        let (head, body) = match split(text) {
            Split::Missing => lacking(&ABSENT, Some(start)),
            Split::Misplaced => lacking(&MISPLACED, None),
            Split::Unclosed => lacking(&UNCLOSED, None),
            Split::Found { yaml, body } => {
                if yaml.len() > MAX_FRONTMATTER_BYTES {
                    return Err(ApiError::over("MAX_FRONTMATTER_BYTES", MAX_FRONTMATTER_BYTES, yaml.len()));
                }
                let head = match yaml::read(text, yaml.start, yaml.end) {
                    Ok(Mapping { value, place, .. }) => Ok(Document::of(text, value, place)),
                    Err(YamlFault::Deep(error)) => return Err(error),
                    Err(YamlFault::Refused { code, said, start, end }) => {
                        let finding = match code.case {
                            "SYNTAX" => Diagnostic::of(code, args! { cause: said }),
                            "REPEATED" => Diagnostic::of(code, args! { name: said }),
                            _ => Diagnostic::of(code, args! {}),
                        };
                        Err(hinted(finding, role).at(index.range(start, end)))
                    }
                };
                (head, Some(body))
            }
        };
        let body = body.map(|from| body::read(text, from));
        Ok(Self { role, head, body, text, index, judged: OnceCell::new() })
    }

    /// Where bytes of the file stand.
    pub fn range(&self, (start, end): (usize, usize)) -> Range {
        self.index.range(start, end)
    }

    /// The frontmatter, when it keeps its schema; else what is wrong with it.
    pub fn usable(&self) -> Result<&Document<'t>, &[Diagnostic]> {
        let document = self.head.as_ref().map_err(std::slice::from_ref)?;
        let found = self.judged.get_or_init(|| self.judge(document));
        if found.is_empty() { Ok(document) } else { Err(found) }
    }

    fn judge(&self, document: &Document<'_>) -> Vec<Diagnostic> {
        let mut found = self.role.shape().judge_document(document);
        for finding in found.iter_mut().filter(|finding| finding.pointer.as_deref() == Some("/schemaVersion")) {
            finding.fix = self.quoted_version(document);
        }
        found
    }

    /// A version without quotes is a number; with them it is right.
    fn quoted_version(&self, document: &Document<'_>) -> Option<Vec<Fix>> {
        let place = document.value.get("schemaVersion").map(|_| document.place("/schemaVersion"))?;
        let written = self.text.get(place.start..place.end).filter(|written| *written == "1.1")?;
        Some(vec![Fix::text(self.index.range(place.start, place.end), format!("\"{written}\""))])
    }
}

fn hinted(finding: Diagnostic, role: FileRole) -> Diagnostic {
    let finding = finding.with_hint("Allowed: a mapping between two lines `---`, at the beginning.");
    match (role, finding.code.as_ref()) {
        (FileRole::Step, _) => finding,
        (FileRole::Workflow, "STEP_MISSING_FRONTMATTER") => finding.called(WORKFLOW_MISSING_FRONTMATTER.name),
        (FileRole::Workflow, _) => finding.called(WORKFLOW_INVALID_FRONTMATTER.name),
    }
}

/// How a text is divided.
#[derive(Debug, PartialEq, Eq)]
pub enum Split {
    Missing,
    Misplaced,
    Unclosed,
    /// Bytes between the markers, and where the body begins.
    Found {
        yaml: std::ops::Range<usize>,
        body: usize,
    },
}

/// Behind the byte order mark.
fn begun(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Finds the frontmatter of a text.
pub fn split(text: &str) -> Split {
    let start = begun(text);
    let text = &text[start..];
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if !is_marker(first) {
        let rest = text.trim_start_matches([' ', '\t', '\r', '\n']);
        let misplaced = rest.len() < text.len() && is_marker(rest.split_inclusive('\n').next().unwrap_or_default());
        return if misplaced { Split::Misplaced } else { Split::Missing };
    }
    let begin = start + first.len();
    let mut at = begin;
    for line in lines {
        if is_marker(line) {
            return Split::Found { yaml: begin..at, body: at + line.len() };
        }
        at += line.len();
    }
    Split::Unclosed
}

/// `---`, then blanks or tabs, then LF, CRLF or the end.
fn is_marker(line: &str) -> bool {
    let ended = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    ended.strip_prefix("---").is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers() {
        for line in ["---", "---\n", "---\r\n", "--- \t", "---\t\r\n"] {
            assert!(is_marker(line), "{line:?}");
        }
        for line in ["", "--", "----", "--- a", " ---", "---\r", "---\u{a0}", "---\r\r\n", "\u{feff}---"] {
            assert!(!is_marker(line), "{line:?}");
        }
    }

    #[test]
    fn a_text_is_divided() {
        let found = |text: &str| match split(text) {
            Split::Found { yaml, body } => format!("{}|{}", &text[yaml], &text[body..]),
            other => format!("{other:?}"),
        };
        let cases = [
            ("", "Missing"),
            ("# a\n", "Missing"),
            ("----\na: 1\n---\n", "Missing"),
            ("a\n---\n", "Missing"),
            ("\n\n", "Missing"),
            (" \r\n\t---\na: 1\n---\n", "Misplaced"),
            ("\u{a0}---\n---\n", "Missing"),
            (" ---", "Misplaced"),
            ("---", "Unclosed"),
            ("---\na: 1\n", "Unclosed"),
            ("---\na: 1\n--- x\n", "Unclosed"),
            ("---\n---", "|"),
            ("---\na: 1\n---\n\n# b", "a: 1\n|\n# b"),
            ("\u{feff}---\na: 1\n---\nb", "a: 1\n|b"),
            ("--- \r\na: 1\r\n---\t\r\nb\r\n---\r\n", "a: 1\r\n|b\r\n---\r\n"),
        ];
        for (text, want) in cases {
            assert_eq!(found(text), want, "{text:?}");
        }
    }

    fn findings(text: &str, role: FileRole) -> Vec<String> {
        let read = Markdown::read(text, role).unwrap();
        let found = read.usable().err().unwrap_or_default();
        let one = |it: &Diagnostic| {
            let range = it.range.unwrap();
            assert!(it.hint.is_some());
            format!("{} {} {}:{}", it.code, it.pointer.as_deref().unwrap_or("-"), range.start.line, range.start.column)
        };
        let mut found: Vec<String> = found.iter().map(one).collect();
        found.sort();
        found
    }

    #[test]
    fn findings_of_a_frontmatter() {
        let step = "schemaVersion: \"1.1\"\nnodeId: a\ntype: step\n";
        let cases = [
            (format!("---\n{step}---\n"), ""),
            (format!("\u{feff}---\n{step}---\n"), ""),
            (step.to_owned(), "STEP_MISSING_FRONTMATTER - 1:1"),
            (format!("\n---\n{step}---\n"), "STEP_INVALID_FRONTMATTER - 1:1"),
            (format!("---\n{step}"), "STEP_INVALID_FRONTMATTER - 1:1"),
            ("---\n---\n".to_owned(), "STEP_INVALID_FRONTMATTER - 2:1"),
            (format!("---\n{step}a: *b\n---\n"), "STEP_INVALID_FRONTMATTER - 5:4"),
            (
                "---\nnodeId: a\ntype: stop\n---\n".to_owned(),
                "PKG_SCHEMA_ERROR /schemaVersion 2:1, PKG_SCHEMA_ERROR /type 3:7",
            ),
        ];
        for (text, want) in cases {
            assert_eq!(findings(&text, FileRole::Step).join(", "), want, "{text:?}");
        }
        assert_eq!(findings("", FileRole::Workflow), ["WORKFLOW_MISSING_FRONTMATTER - 1:1"]);
        assert_eq!(findings("---", FileRole::Workflow), ["WORKFLOW_INVALID_FRONTMATTER - 1:1"]);
    }

    #[test]
    fn a_frontmatter_is_judged_once() {
        let read = Markdown::read("---\na: 1\n---\n", FileRole::Step).unwrap();
        assert!(std::ptr::eq(read.usable().unwrap_err(), read.usable().unwrap_err()));
    }

    #[test]
    fn a_number_as_version_is_quoted() {
        let fix = |version: &str| {
            let text = format!("---\nschemaVersion: {version}\nnodeId: a\ntype: step\n---\n");
            let found = Markdown::read(&text, FileRole::Step).unwrap().usable().unwrap_err().to_vec();
            assert_eq!(found.len(), 1);
            serde_json::json!(found[0].fix)
        };
        let range = serde_json::json!({"start": {"line": 2, "column": 16}, "end": {"line": 2, "column": 19}});
        assert_eq!(fix("1.1"), serde_json::json!([{"range": range, "text": "\"1.1\""}]));
        assert_eq!(fix("1.2"), serde_json::Value::Null);
        assert_eq!(fix("'1.2'"), serde_json::Value::Null);
    }

    #[test]
    fn the_body_is_read_unless_nothing_else_is_said() {
        let has = |text: &str| Markdown::read(text, FileRole::Step).unwrap().body.is_some();
        assert!(has("") && has("# a") && has("---\n- a\n---\n"));
        assert!(!has(" \n---\n") && !has("---\na: 1\n"));
    }

    #[test]
    fn a_frontmatter_is_refused_one_over_the_limit() {
        let text = |bytes: usize| format!("---\na: {}\n---\n", "x".repeat(bytes - 4));
        assert!(Markdown::read(&text(65_536), FileRole::Step).unwrap().head.is_ok());
        let error = Markdown::read(&text(65_537), FileRole::Step).unwrap_err();
        assert_eq!(error.details["limit"], "MAX_FRONTMATTER_BYTES");
    }
}
