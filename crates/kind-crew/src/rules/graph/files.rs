//! `GRAPH_NODE_FILE_INVALID`, `GRAPH_NODE_FILE_DUPLICATE`, `STEP_FILE_MISSING`: one step file a node.

use std::collections::HashSet;

use holdpoint_check::{Diagnostic, args, codes};

use super::Beside;
use crate::documents::graph::Graph;
use crate::policy::is_safe;

codes! {
    /// no safe `.md` path under the steps beside the graph
    GRAPH_NODE_FILE_INVALID: Error, "Name a `.md` file under `{folder}`." [folder];
    /// a file that an earlier node names
    GRAPH_NODE_FILE_DUPLICATE: Error, "Give the node a file of its own: another one has `{file}`." [file];
    /// the file is not there
    STEP_FILE_MISSING: Error, "Add the step file `{file}`." [file];
}

/// Whether a node may name a file.
pub fn is_step(file: &str, folder: &str) -> bool {
    is_safe(file) && file.starts_with(folder) && file.ends_with(".md")
}

pub fn check(graph: &Graph<'_>, beside: &Beside<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut seen = HashSet::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let (file, folder) = (node.file, beside.steps);
        let mut find = |finding: Diagnostic| findings.push(finding.at_pointer(format!("/nodes/{at}/file")));
        if !is_step(file, folder) {
            let hint = format!("Allowed: {folder}….md");
            find(Diagnostic::of(&GRAPH_NODE_FILE_INVALID, args! { folder }).with_hint(hint));
        } else if !(beside.has_step)(node) {
            find(Diagnostic::of(&STEP_FILE_MISSING, args! { file }));
        }
        if !seen.insert(file) {
            find(Diagnostic::of(&GRAPH_NODE_FILE_DUPLICATE, args! { file }));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::policy::Endings;
    use crate::rules::Scope;
    use crate::test::{found, graph};

    #[test]
    fn files_of_nodes() {
        let mut value = graph(9, &[]);
        let files = ["a", "b", "a", "c.txt", "../d", "x/e", "sub/f", "A", ""];
        for (node, file) in value["nodes"].as_array_mut().unwrap().iter_mut().zip(files) {
            let ending = if file.contains('.') { "" } else { ".md" };
            node["file"] = json!(format!("w/steps/{file}{ending}"));
        }
        value["nodes"][5]["file"] = json!("w/x/e.md");
        let beside = Beside {
            scope: Scope { agents: None, has_asset: &|_| true, endings: Endings::default() },
            variables: &HashSet::new(),
            steps: "w/steps/",
            has_step: &|node| node.id != "1",
        };
        let want = "STEP_FILE_MISSING /nodes/1/file, GRAPH_NODE_FILE_DUPLICATE /nodes/2/file, \
                    GRAPH_NODE_FILE_INVALID /nodes/3/file, GRAPH_NODE_FILE_INVALID /nodes/4/file, \
                    GRAPH_NODE_FILE_INVALID /nodes/5/file";
        assert_eq!(found(&check(&Graph::of(&value), &beside)), want);
    }
}
