//! The kind `notes`: plain texts, one rule, one dialect. What a new kind has to write, and nothing more.
//!
//! Files are `*.txt`; a line over 80 characters is an error; an edit is lines of `REPLACE n: text`. An edit that empties
//! a line asks for a confirmation.

use holdpoint_bundle::{FilePolicy, Files, PathLimits, content_hash, text_hash};
use holdpoint_change::{Base, Confirm, Staged, Tokens, Unit};
use holdpoint_check::{ApiError, Diagnostic, LineIndex, Report, args, codes};
use holdpoint_kind::{CheckError, Codes, Input, Kind, NoOptions, Stage};
use holdpoint_text::hash_records;
use serde::{Deserialize, Serialize};
use serde_json::json;

const MAX_LINE_CHARS: usize = 80;

codes! {
    /// a file that is no text at the root
    NOTE_PATH: Error, "Name it `*.txt`, at the root.";
    /// a line over 80 characters
    NOTE_LINE_LONG: Error, "Break the line after {most} characters." [most];
}

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Notes;

/// What its check counts.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    lines: usize,
}

/// An edit of one file: lines of `REPLACE n: text`, counted from 1.
#[derive(Debug, Deserialize)]
pub struct Edit {
    path: String,
    edit: String,
}

impl Kind for Notes {
    const ID: &'static str = "notes";
    const BLOCKS: bool = true;
    type Options = NoOptions;
    type More = Counted;

    fn policy(&self) -> FilePolicy {
        FilePolicy { limits: PathLimits { bytes: 64, segments: 1 }, root_files: &[], places: &[] }
    }

    fn codes(&self) -> Codes {
        &[CODES]
    }

    fn check(&self, files: &Files, _: Input<'_, NoOptions>) -> Result<Report<Counted>, CheckError> {
        let mut found = Vec::new();
        for (path, text) in files {
            if path.contains('/') || !path.ends_with(".txt") {
                found.push(Diagnostic::of(&NOTE_PATH, args! {}).in_file(path.as_str()));
            }
            let (index, mut start) = (LineIndex::new(text), 0);
            for line in text.split_inclusive('\n') {
                if line.trim_end().chars().count() > MAX_LINE_CHARS {
                    let finding =
                        Diagnostic::of(&NOTE_LINE_LONG, args! { most: MAX_LINE_CHARS }).in_file(path.as_str());
                    found.push(finding.at(index.range(start, start + line.trim_end().len())));
                }
                start += line.len();
            }
        }
        Ok(Report::new(found, Counted { lines: files.values().map(|text| text.lines().count()).sum() }))
    }
}

impl Stage for Notes {
    type Request = Edit;

    fn stage(&self, base: Base, wire: &Edit) -> Result<Staged, ApiError> {
        let before = base.files.clone().unwrap_or_default();
        let text = before.get(&wire.path).map(String::as_str).unwrap_or_default();
        let mut lines: Vec<&str> = text.lines().collect();
        let (mut fits, mut reasons) = (true, Vec::new());
        for (index, edit) in wire.edit.lines().enumerate() {
            let read = edit.strip_prefix("REPLACE ").and_then(|rest| rest.split_once(": "));
            let Some((number, line)) = read.and_then(|(number, line)| Some((number.parse::<usize>().ok()?, line)))
            else {
                return Err(ApiError::invalid_input(
                    "/edit",
                    format!("Write `REPLACE n: text` in line {}.", index + 1),
                ));
            };
            match number.checked_sub(1).and_then(|place| lines.get_mut(place)) {
                Some(old) => *old = line,
                None => fits = false,
            }
            if line.is_empty() {
                reasons.push("line_emptied".to_owned());
            }
        }
        let mut after = before.clone();
        after.insert(wire.path.clone(), lines.join("\n") + "\n");
        let (from, to) = (content_hash(&before), content_hash(&after));
        let patch = hash_records([("base_hash", from.as_str()), ("result_hash", to.as_str())]);
        let confirm = hash_records([("confirm", patch.as_str()), ("reasons", &reasons.join("\n"))]);
        let hash = |files: &Files| files.get(&wire.path).map(|text| text_hash(text));
        Ok(Staged {
            units: vec![Unit { key: wire.path.clone(), before: hash(&before), after: hash(&after) }],
            tokens: Tokens { base: Some(from), patch: Some(patch), result: Some(to) },
            confirm: if reasons.is_empty() { Confirm::None } else { Confirm::Derived(confirm.clone()) },
            shown: json!({ "confirm_token": confirm, "reasons": reasons }),
            reasons,
            after: fits.then_some(after),
            base,
            ..Staged::default()
        })
    }
}
