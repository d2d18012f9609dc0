//! `files.apply` for this kind: normalised operations on the files of a package (spec: crew-package.md §10.1 "Applying
//! to files").
//!
//! Asks nothing that `changeset.check` asks: what comes here was checked. Invariant: files that no operation is about
//! keep their bytes.

use holdpoint_bundle::Files;
use holdpoint_check::method::input;
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::dialect::compile::Compiler;
use super::dialect::effect;
use super::dialect::envelope::operations;
use super::dialect::finding::SetFinding;
use super::dialect::input::bounded;
use super::dialect::package::Package;
use super::dialect::reader::Reader;
use super::limits::MAX_FILES;
use super::{Options, check};

codes! {
    INVALID_INPUT / NOT_NORMAL: Error, "Send operations as `changeset.check` normalises them. At `{at}`: {cause}" [at, cause];
}

#[derive(Deserialize)]
struct Wanted {
    files: Files,
    operations: Value,
    #[serde(default)]
    options: Options,
}

/// A file that another text stands in.
#[derive(Debug, PartialEq, Serialize)]
struct Altered {
    path: String,
    status: &'static str,
}

#[derive(Serialize)]
struct Applied {
    files: Files,
    /// A package has no entry file.
    entry_file: Option<String>,
    changed: Vec<Altered>,
    diagnostics: Vec<Diagnostic>,
}

pub fn files_apply(value: Value) -> Result<Value, ApiError> {
    let wanted: Wanted = input(value)?;
    bounded(&wanted.operations)?;
    let package = Package::open(&wanted.files)?;
    let mut reader = Reader::default();
    // Step files of one payload are operations of their own, so a normal form may have more than what is sent.
    let sent = operations(&mut reader, Some(&wanted.operations), None, MAX_FILES);
    refuse(&reader.findings)?;
    let compiler = Compiler::run(&package.view, sent, true)?;
    refuse(&compiler.violations)?;
    refuse(&compiler.findings)?;
    let (after, _) = effect::after(&package.view, &compiler.operations, &wanted.options.endings())?;
    let files = package.with(&after);
    let changed = altered(&wanted.files, &files);
    let diagnostics = check(&files, &wanted.options)?.diagnostics;
    Ok(json!(Applied { files, entry_file: None, changed, diagnostics }))
}

/// The first thing that is wrong with operations that should have been checked.
fn refuse(findings: &[SetFinding]) -> Result<(), ApiError> {
    let Some(first) = findings.iter().find(|finding| finding.is_error()) else { return Ok(()) };
    let (at, cause) = (first.path.as_str(), first.message.as_str());
    Err(ApiError::of(&NOT_NORMAL, args! { at, cause }).with("pointer", "/operations").with("path", at))
}

fn altered(before: &Files, after: &Files) -> Vec<Altered> {
    let paths: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let status = |path: &String| match (before.get(path), after.get(path)) {
        (Some(old), Some(new)) => (old != new).then_some("modified"),
        (Some(_), None) => Some("deleted"),
        (None, _) => Some("added"),
    };
    paths.into_iter().filter_map(|path| Some(Altered { path: path.clone(), status: status(path)? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::package::{multi, step};

    /// What the step files of one payload become: an operation for each.
    fn steps(count: usize) -> Value {
        let one = |at: usize| {
            let node = format!("n{at}");
            json!({
                "op": "upsert", "targetType": "step", "target": {"workflowId": 1, "nodeId": node},
                "payload": {"stepMarkdown": step(&node, "step"), "stepPath": format!("workflows/1/steps/{node}.md")},
            })
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn a_normal_form_may_have_more_operations_than_a_set() {
        let apply = |count| files_apply(json!({"files": multi(), "operations": steps(count)}));
        let applied = apply(201).unwrap();
        assert_eq!(applied["changed"].as_array().map(Vec::len), Some(201));
        assert_eq!(applied["changed"][200], json!({"path": "workflows/1/steps/n99.md", "status": "added"}));
        let refused = apply(MAX_FILES + 1).unwrap_err();
        assert_eq!((refused.code.as_str(), &refused.details["path"]), ("INVALID_INPUT", &json!("operations")));
    }
}
