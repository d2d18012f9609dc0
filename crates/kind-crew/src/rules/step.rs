//! All that is said of one step file: its frontmatter, its node, its sections, mounts and citations.

use holdpoint_check::Diagnostic;

use super::{Scope, citations, known, mounts, paths, sections, transitions};
use crate::documents::graph::Graph;
use crate::documents::markdown::Markdown;
use crate::documents::step::StepHead;

/// Findings of a file, against the node that names it where there is one. Members are judged when the frontmatter is
/// usable; the body always, when it was found.
pub fn check(file: &Markdown<'_>, node: Option<(&Graph<'_>, usize)>, scope: &Scope<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut members = Vec::new();
    match file.usable() {
        Err(found) => {
            findings.extend(found.iter().cloned());
            findings.extend(citations::check(file, &[], scope));
        }
        Ok(document) => {
            let step = StepHead::of(&document.value);
            members.extend(node.into_iter().flat_map(|(graph, place)| transitions::check(&step, graph, place)));
            members.extend(known::check(step.agent, scope, "/agentId"));
            members.extend(paths::check(&step));
            members.extend(citations::check(file, &step.inputs, scope));
            findings.extend(members.into_iter().map(|finding| match &finding.pointer {
                Some(pointer) => {
                    let range = document.range(pointer);
                    finding.at(range)
                }
                None => finding,
            }));
        }
    }
    findings.extend(sections::check(file));
    findings.extend(mounts::in_code(file));
    findings
}
