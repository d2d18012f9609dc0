//! Tests that a change may break (spec: vite-app.md §12 `tests.select`).

use std::collections::{BTreeMap, VecDeque};

use holdpoint_bundle::Files;
use serde::Serialize;

use crate::policy::is_test;
use crate::rules::Graph;

/// How many tests are chosen, if a request does not say.
pub const DEFAULT_TESTS: usize = 8;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SelectedTest {
    pub path: String,
    pub reason: &'static str,
    /// Steps over the graph of imports.
    pub distance: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SelectedTests {
    pub tests: Vec<SelectedTest>,
    /// There were more than are answered.
    pub truncated: bool,
}

/// Test files that are changed or reach a changed file, the nearest first.
pub fn select(files: &Files, graph: &Graph, changed: &[String], most: usize) -> SelectedTests {
    let mut importers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, links) in graph {
        for other in &links.local {
            importers.entry(other).or_default().push(path);
        }
    }
    let mut distance: BTreeMap<&str, usize> = BTreeMap::new();
    let mut queue = VecDeque::new();
    for path in changed.iter().filter(|path| files.contains_key(*path)) {
        distance.insert(path, 0);
        queue.push_back(path.as_str());
    }
    while let Some(path) = queue.pop_front() {
        let next = distance[path] + 1;
        for importer in importers.get(path).into_iter().flatten() {
            if !distance.contains_key(importer) {
                distance.insert(importer, next);
                queue.push_back(importer);
            }
        }
    }
    let reached = distance.into_iter().filter(|(path, _)| is_test(path));
    let mut tests: Vec<SelectedTest> = reached
        .map(|(path, distance)| SelectedTest {
            path: path.to_owned(),
            reason: if distance == 0 { "changed" } else { "imports" },
            distance,
        })
        .collect();
    tests.sort_by(|a, b| (a.distance, &a.path).cmp(&(b.distance, &b.path)));
    let truncated = tests.len() > most;
    tests.truncate(most);
    SelectedTests { tests, truncated }
}
