//! The answer of a check (spec: crew-package.md §6).

use holdpoint_check::order::DIAGNOSTICS_TRUNCATED;
use holdpoint_check::{Diagnostic, args};
use serde::Serialize;

use super::hints;
use super::limits::MAX_DIAGNOSTICS;

/// What the check answers beside its findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct More {
    /// What the package is made of; null without a usable manifest.
    pub summary: Option<Summary>,
}

/// What the package is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// How workflows are laid out.
    pub mode: Layout,
    pub name: String,
    pub version: String,
    /// The listed workflow that opens first.
    pub default_workflow: Option<String>,
    /// In the order of the manifest.
    pub workflows: Vec<Workflow>,
    /// How many; null when their document is not usable.
    pub agents: Option<usize>,
    pub assets: Assets,
}

/// How workflows are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    Single,
    Multi,
}

/// A workflow; what its graph would say is null when that is not usable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Workflow {
    pub id: Option<String>,
    pub nodes: Option<usize>,
    pub edges: Option<usize>,
    pub entry: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Assets {
    pub count: usize,
    /// Of all, binary ones decoded.
    pub bytes: usize,
}

/// Findings in their order, path, position, pointer, code, each with a hint. Of too many the errors are kept first, and
/// one more finding says how many are missing.
pub fn arranged(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let missing = findings.len().saturating_sub(MAX_DIAGNOSTICS);
    sort(&mut findings);
    if missing > 0 {
        findings.sort_by_key(|finding| finding.severity);
        findings.truncate(MAX_DIAGNOSTICS);
        sort(&mut findings);
        findings.push(Diagnostic::of(&DIAGNOSTICS_TRUNCATED, args! { n: missing }));
    }
    findings.into_iter().map(hints::named).collect()
}

fn sort(findings: &mut [Diagnostic]) {
    let place = |finding: &Diagnostic| finding.range.map(|range| (range.start, range.end));
    findings.sort_by(|left, right| {
        let by_place = || place(left).cmp(&place(right));
        let by_name = || (&left.pointer, &left.code).cmp(&(&right.pointer, &right.code));
        left.path.cmp(&right.path).then_with(by_place).then_with(by_name)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::found;

    mod rules {
        holdpoint_check::codes! {
            A: Warning, "Use it.";
            B: Error, "Mend it.";
        }
    }

    #[test]
    fn a_pointer_counts_before_a_code_and_errors_are_kept_first() {
        let of = |code, pointer: &str| Diagnostic::of(code, args! {}).in_file("x").at_pointer(pointer);
        let mixed = vec![of(&rules::A, "/b"), of(&rules::B, "/a"), of(&rules::A, "/a")];
        assert_eq!(found(&arranged(mixed)), "A /a, B /a, A /b");
        let mut many: Vec<Diagnostic> = (0..MAX_DIAGNOSTICS + 2).map(|_| of(&rules::A, "/a")).collect();
        many.push(of(&rules::B, "/z"));
        let shown = arranged(many);
        assert_eq!(shown.len(), MAX_DIAGNOSTICS + 1);
        assert_eq!(found(&shown[MAX_DIAGNOSTICS - 1..]), "B /z, DIAGNOSTICS_TRUNCATED");
        assert_eq!(shown[MAX_DIAGNOSTICS].args["n"], 3);
    }
}
