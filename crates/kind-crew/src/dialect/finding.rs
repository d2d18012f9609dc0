//! What a check of a change set finds, and in which order (spec: crew-package.md §9, §9.1).
//!
//! A finding is placed in the change set as it was sent; `file`, `pointer` and `range` lead on into a document.
//! Invariant: the same findings in any order come out in one order: phase, operation, path, code, pointer.

use std::borrow::Cow;

use holdpoint_check::{Diagnostic, Range, Severity};
use serde::Serialize;
use serde_json::{Map, Value};

use super::path::Path;

/// What is looked at, in this order. Only the first one stops the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Schema,
    Bmad,
    Reference,
    Impact,
    Security,
    Revision,
}

/// One finding of a change set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetFinding {
    pub code: Cow<'static, str>,
    /// Only errors make a change set invalid.
    pub severity: Severity,
    pub phase: Phase,
    /// Where in the change set.
    pub path: Path,
    pub message: String,
    /// The values in the sentence by name.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
    pub hints: Vec<String>,
    /// A type, or the keyword that the value does not keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<&'static str>,
    /// The type that stands there, or `missing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<&'static str>,
    /// The document, by its path in the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where in the document's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Where in the document's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// Of a base that has moved on.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
}

/// A field of the base that is not the current one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    pub field: &'static str,
    pub provided: u64,
    pub current: u64,
    /// Always no: staleness is asked of contents.
    pub blocking: bool,
}

impl SetFinding {
    /// A finding of a rule, placed in the change set.
    pub fn new(phase: Phase, path: Path, found: Diagnostic) -> Self {
        Self {
            code: found.code,
            severity: found.severity,
            phase,
            path,
            message: found.message,
            args: found.args,
            hints: found.hint.into_iter().collect(),
            expected: None,
            actual: None,
            file: found.path,
            pointer: found.pointer,
            range: found.range,
            moved: None,
        }
    }

    /// Whether it makes the change set invalid.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Sorts findings and drops doubles.
pub fn arrange(findings: &mut Vec<SetFinding>) {
    findings.sort_by(|left, right| {
        let key = |it: &'_ SetFinding| (it.phase, operation(&it.path));
        let range = |it: &SetFinding| it.range.map(|range| (range.start, range.end));
        key(left)
            .cmp(&key(right))
            .then_with(|| left.path.cmp(&right.path))
            .then_with(|| left.code.cmp(&right.code))
            .then_with(|| left.pointer.cmp(&right.pointer))
            .then_with(|| left.file.cmp(&right.file))
            .then_with(|| range(left).cmp(&range(right)))
    });
    findings.dedup();
}

/// The operation that a place is in; what stands outside all of them comes first.
fn operation(path: &Path) -> Option<usize> {
    path.as_str().strip_prefix("operations[")?.split(']').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use holdpoint_check::{args, codes};

    use super::*;

    codes! {
        FIRST: Error, "Mend it.";
        SECOND: Warning, "Look at it.";
    }

    #[test]
    fn by_phase_then_operation_then_path_then_code_then_pointer() {
        let finding = |phase, path: &str, code, pointer: Option<&str>| {
            let mut found = Diagnostic::of(code, args! {});
            found.pointer = pointer.map(str::to_owned);
            SetFinding::new(phase, Path::of(path), found)
        };
        let sorted = [
            finding(Phase::Bmad, "", &SECOND, None),
            finding(Phase::Bmad, "operations", &FIRST, None),
            finding(Phase::Bmad, "operations[2].a", &SECOND, None),
            finding(Phase::Bmad, "operations[10].a", &FIRST, Some("/a")),
            finding(Phase::Bmad, "operations[10].a", &FIRST, Some("/b")),
            finding(Phase::Bmad, "operations[10].a", &SECOND, None),
            finding(Phase::Bmad, "operations[10].b", &FIRST, None),
            finding(Phase::Reference, "operations[0]", &FIRST, None),
        ];
        let mut findings: Vec<SetFinding> = sorted.iter().rev().chain(&sorted).cloned().collect();
        arrange(&mut findings);
        assert_eq!(findings, sorted);
    }
}
