//! Where a package cites assets: in the inputs and bodies of steps, and in workflow documents (spec: crew-package.md §4
//! "Citations").

use std::collections::HashSet;

use holdpoint_bundle::Files;
use serde::Serialize;

use super::graph::steps;
use super::package::ShownWorkflow;
use super::step::Parts;
use crate::documents::citations::{in_input, in_text};
use crate::policy::Endings;

/// Citations that are shown of a package.
const MAX_CITED: usize = 10_000;

/// A place that cites an asset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Citing {
    /// Path of the asset, whether it is there or not.
    pub asset: String,
    pub workflow_id: String,
    /// Empty for the document of a workflow.
    pub node_id: String,
    pub path: String,
    /// From 1; the first of the file.
    pub line: usize,
    /// Whether it is in the list `inputs`.
    pub inputs: bool,
}

/// Those of all documents and steps, each file once, up to [`MAX_CITED`].
pub fn cited(files: &Files, workflows: &[ShownWorkflow]) -> Vec<Citing> {
    let mut read: HashSet<&str> = HashSet::new();
    let mut all = Vec::new();
    for workflow in workflows {
        let nodes = workflow.graph.iter().flat_map(steps);
        for (node, path) in std::iter::once(("", workflow.document.as_str())).chain(nodes) {
            let Some(text) = files.get(path).filter(|_| read.insert(path)) else { continue };
            for (asset, line, inputs) in of_file(text, !node.is_empty()) {
                if all.len() == MAX_CITED {
                    return all;
                }
                all.push(Citing {
                    asset,
                    workflow_id: workflow.id.clone(),
                    node_id: node.to_owned(),
                    path: path.to_owned(),
                    line,
                    inputs,
                });
            }
        }
    }
    all
}

/// Asset, line and whether it stands in `inputs`; each asset once.
fn of_file(text: &str, is_step: bool) -> Vec<(String, usize, bool)> {
    let parts = Parts::of(text);
    let mut found = Vec::new();
    if is_step {
        let inputs = parts.items("inputs");
        found.extend(inputs.into_iter().filter_map(|(item, at)| Some((in_input(&item)?.to_owned(), at, true))));
    }
    let body = in_text(text, parts.body, &Endings::default());
    found.extend(body.into_iter().map(|it| (it.path.to_owned(), it.place.start, false)));
    // In the order of the text, so that each line is counted once.
    let (mut line, mut counted, mut seen) = (1, 0, HashSet::new());
    found.retain(|(asset, ..)| seen.insert(asset.clone()));
    for (_, at, _) in &mut found {
        line += text[counted..*at].bytes().filter(|byte| *byte == b'\n').count();
        counted = *at;
        *at = line;
    }
    found
}
