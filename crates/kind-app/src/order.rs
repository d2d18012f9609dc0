//! The order of findings, and how many are said (spec: vite-app.md §4).
//!
//! Without a path first, by pointer; then by path; in a file what has no place, then by range, then by pointer; then by
//! code. One finding an occurrence.

use holdpoint_check::{Diagnostic, Position, args, order};

use crate::limits::MAX_DIAGNOSTICS;

/// A piece of a pointer: numbers are compared as numbers.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Segment {
    Number(u64),
    Name(String),
}

/// Where in a file: nowhere, at a range, at a pointer.
type FindingPlace = (u8, Option<(Position, Position)>, Vec<Segment>);

fn key(finding: &Diagnostic) -> (Option<String>, FindingPlace, String) {
    let pointer: Vec<Segment> = finding.pointer.iter().flat_map(|pointer| segments(pointer)).collect();
    let rank = match (finding.path.is_some(), finding.range.is_some(), finding.pointer.is_some()) {
        (true, false, false) | (false, ..) => 0,
        (true, true, _) => 1,
        (true, false, true) => 2,
    };
    let range = finding.range.map(|range| (range.start, range.end));
    (finding.path.clone(), (rank, range, pointer), finding.code.to_string())
}

fn segments(pointer: &str) -> impl Iterator<Item = Segment> {
    pointer
        .split('/')
        .skip(1)
        .map(|token| token.parse().map_or_else(|_| Segment::Name(token.to_owned()), Segment::Number))
}

/// Sorts, drops doubles and keeps the first [`MAX_DIAGNOSTICS`].
pub fn arrange(findings: &mut Vec<Diagnostic>) {
    findings.sort_by_cached_key(key);
    findings.dedup_by(|b, a| key(a) == key(b));
    if findings.len() > MAX_DIAGNOSTICS {
        let n = findings.len() - MAX_DIAGNOSTICS;
        findings.truncate(MAX_DIAGNOSTICS);
        findings.push(Diagnostic::of(&order::DIAGNOSTICS_TRUNCATED, args! { n }));
    }
}

#[cfg(test)]
mod tests {
    use holdpoint_check::{Range, codes};

    use super::*;

    codes! {
        FOUND: Error, "Mend it.";
    }

    #[test]
    fn places_are_in_order_and_numbers_are_numbers() {
        let finding = || Diagnostic::of(&FOUND, args! {});
        let at = |line| Range { start: Position { line, column: 1 }, end: Position { line, column: 2 } };
        let mut found = vec![
            finding().in_file("b").at_pointer("/a"),
            finding().in_file("b").at(at(2)),
            finding().in_file("b"),
            finding().in_file("a").at(at(10)),
            finding().at_pointer("/operations/10/path"),
            finding().at_pointer("/operations/9/path"),
            finding().in_file("a").at(at(10)),
        ];
        arrange(&mut found);
        let shown: Vec<String> = found
            .iter()
            .map(|one| {
                let line = one.range.map_or(0, |range| range.start.line);
                format!("{}{}{line}", one.path.clone().unwrap_or_default(), one.pointer.clone().unwrap_or_default())
            })
            .collect();
        assert_eq!(shown, ["/operations/9/path0", "/operations/10/path0", "a10", "b0", "b2", "b/a0"]);
    }
}
