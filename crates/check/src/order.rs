//! The order of findings and how many there may be (spec: facade.md "Shapes", ifc-extension.md §7).
//!
//! Invariant: the same findings in any order come out in one order: path, position, code.

use crate::{Diagnostic, Position, args, codes};

codes! {
    /// there are more than MAX_DIAGNOSTICS
    DIAGNOSTICS_TRUNCATED: Info, "{n} more findings are not shown. Mend these first." [n];
}

/// Sorts by path, position, code, drops exact doubles, and keeps `limit` findings, errors first; then one
/// `DIAGNOSTICS_TRUNCATED` says how many are missing.
pub fn arrange(findings: &mut Vec<Diagnostic>, limit: usize) {
    findings.sort_by_cached_key(key);
    findings.dedup();
    if findings.len() <= limit {
        return;
    }
    let missing = findings.len() - limit;
    findings.sort_by_key(|finding| finding.severity);
    findings.truncate(limit);
    findings.sort_by_cached_key(key);
    findings.push(Diagnostic::of(&DIAGNOSTICS_TRUNCATED, args! { n: missing }));
}

type Key = (Option<String>, Option<(Position, Position)>, String, Option<String>);

fn key(finding: &Diagnostic) -> Key {
    let place = finding.range.map(|range| (range.start, range.end));
    (finding.path.clone(), place, finding.code.to_string(), finding.pointer.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    mod rules {
        crate::codes! {
            IDLE: Warning, "Use it.";
            UNSAFE: Error, "Mend it.";
        }
    }

    #[test]
    fn errors_are_kept_first() {
        let mut findings: Vec<Diagnostic> = (0..5)
            .map(|number| Diagnostic::of(rules::CODES[0], args! {}).in_file(format!("src/{number}.js")))
            .chain([Diagnostic::of(rules::CODES[1], args! {}).in_file("z.svg")])
            .collect();
        arrange(&mut findings, 2);
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, ["IDLE", "UNSAFE", "DIAGNOSTICS_TRUNCATED"]);
    }
}
