//! `STEP_MISSING_GOAL`, `STEP_MISSING_INSTRUCTIONS`, `STEP_EMPTY_SECTION`, `STEP_DUPLICATE_SECTION` (spec:
//! crew-package.md §4 "Sections", §6). Who checks a change set weighs an empty section anew.

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::body::{Headed, Section};
use crate::documents::markdown::Markdown;

codes! {
    /// a step without that section
    STEP_MISSING_GOAL: Error, "Add a section `## Goal`: what the step is for.";
    /// a step without that section
    STEP_MISSING_INSTRUCTIONS: Error, "Add a section `## Instructions`: how the step is done.";
    /// a known section with nothing in it
    STEP_EMPTY_SECTION: Warning, "Write something under `## {name}`." [name];
    /// a known section that comes again
    STEP_DUPLICATE_SECTION: Warning, "Keep one section `## {name}`: the first counts." [name];
}

/// Sections of a step's body.
pub fn check(file: &Markdown<'_>) -> Vec<Diagnostic> {
    let Some(body) = &file.body else { return Vec::new() };
    let mut findings = Vec::new();
    let at = |finding: Diagnostic, found: &Headed| finding.at(file.range((found.heading.start, found.heading.end)));
    for section in Section::ALL {
        let name = section.name();
        let mut found = body.sections.iter().filter(|found| found.section == section);
        let Some(first) = found.next() else {
            let code = match section {
                Section::Goal => &STEP_MISSING_GOAL,
                Section::Instructions => &STEP_MISSING_INSTRUCTIONS,
                Section::Completion => continue,
            };
            let finding = Diagnostic::of(code, args! {}).with_hint(format!("Section: ## {name}."));
            findings.push(finding.at(file.range((body.from, body.from))));
            continue;
        };
        if body.text[first.content.clone()].trim().is_empty() {
            findings.push(at(Diagnostic::of(&STEP_EMPTY_SECTION, args! { name }), first));
        }
        if let Some(again) = found.next() {
            findings.push(at(Diagnostic::of(&STEP_DUPLICATE_SECTION, args! { name }), again));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::markdown::FileRole;
    use crate::test::found;

    #[test]
    fn sections_of_a_step() {
        let whole = "## Goal\na\n## Instructions\nb\n";
        let cases = [
            (whole.to_owned(), ""),
            (String::new(), "STEP_MISSING_GOAL 1:1, STEP_MISSING_INSTRUCTIONS 1:1"),
            ("---\na: 1\n---\n## Goal\nx".to_owned(), "STEP_MISSING_INSTRUCTIONS 4:1"),
            (format!("{whole}## Completion\n\u{a0}\n\u{2003}\n# x"), "STEP_EMPTY_SECTION 5:1"),
            ("## Goal\n\n## Instructions\r\n".to_owned(), "STEP_EMPTY_SECTION 1:1, STEP_EMPTY_SECTION 3:1"),
            (format!("{whole}## goal\n## GOAL (x)\n"), "STEP_DUPLICATE_SECTION 5:1"),
            (
                "## Goal\n## Goal\na\n## Instructions\nb".to_owned(),
                "STEP_EMPTY_SECTION 1:1, STEP_DUPLICATE_SECTION 2:1",
            ),
            ("## Goal\n### x\n## Instructions\n```\n```\n".to_owned(), ""),
            ("---\nunclosed".to_owned(), ""),
        ];
        for (text, want) in cases {
            assert_eq!(found(&check(&Markdown::read(&text, FileRole::Step).unwrap())), want, "{text:?}");
        }
    }
}
