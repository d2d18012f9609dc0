//! From a proposal to its preview (spec: text-engine.md §3 "Several ops on one file", §4, §9).
//!
//! Owns how ops come together on files and how the verdict follows. Invariant: with one failure nothing changes.

use std::collections::BTreeMap;

use crate::base::Budget;
use crate::codes::RejectCode;
use crate::failure;
use crate::file::{PatchedFile, patch_file};
use crate::gate::{Normalised, confirm_token, patch_id};
use crate::hash::hash_records;
use crate::in_turn::blocks_in_turn;
use crate::input::{Action, Files, PreviewInput, TextMode};
use crate::limits::{CLEAN_OFFSET, CONFIRM_OFFSET};
use crate::location::{Located, edited, forbidden, locate, overlaps};
use crate::marks::adds_mark;
use crate::preview::{ENGINE_VERSION, ErrorDetail, Meta, PlacedHunk, Preview, Verdict};
use crate::tags::{Severity, Tag, Tags};

/// Looks at a proposal: nothing is written, nothing is stored.
///
/// ```
/// use holdpoint_text::{PreviewInput, Verdict, preview};
/// let input = PreviewInput::patch("tool.py", "a = 1\nb = 2\n", "@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n").unwrap();
/// let preview = preview(&input);
/// assert_eq!(preview.verdict, Verdict::Clean);
/// assert_eq!(preview.after_virtual_files["tool.py"], "a = 1\nb = 3\n");
/// ```
pub fn preview(input: &PreviewInput) -> Preview {
    let mut proposal = Proposal::default();
    let mut targets: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, op) in input.ops.iter().enumerate() {
        targets.entry(&op.target_file).or_default().push(index);
    }
    let budget = Budget::default();
    for (path, ops) in &targets {
        proposal.target(input, path, ops, &budget);
    }
    proposal.conclude(input, &targets)
}

#[derive(Default)]
struct Proposal {
    errors: Vec<ErrorDetail>,
    tags: Tags,
    hunks: Vec<PlacedHunk>,
    /// Of the targeted files, while there are no errors.
    after: Files,
    normalised: Vec<Normalised>,
}

impl Proposal {
    /// All ops of one file.
    fn target(&mut self, input: &PreviewInput, path: &str, ops: &[usize], budget: &Budget) {
        let Some(text) = input.files.get(path) else {
            self.errors.extend(ops.iter().map(|op| failure::of_op(RejectCode::UnknownFile, *op, path)));
            return;
        };
        let mut allowed = Vec::new();
        for op in ops {
            match forbidden(&input.ops[*op], input.mode == TextMode::PatchOnly) {
                Some(code) => self.errors.push(failure::of_op(code, *op, path)),
                None => allowed.push(*op),
            }
        }
        let patch = |op: &usize| match &input.ops[*op].action {
            Action::Patch(patch) => Some((*op, patch)),
            _ => None,
        };
        let Some(first) = allowed.first() else { return };
        let kind = |op: &usize| patch(op).map(|(_, patch)| patch.is_blocks);
        if let Some(other) = allowed.iter().find(|op| kind(op) != kind(first)) {
            self.errors.push(failure::of_op(RejectCode::MixedOps, *other, path));
            return;
        }
        let patches: Vec<_> = allowed.iter().filter_map(patch).collect();
        match kind(first) {
            None => self.located(input, path, text, &allowed),
            Some(true) => self.patched(path, blocks_in_turn(path, text, &patches, budget)),
            Some(false) => {
                let file = patch_file(path, text, &patches, input.generation_finished, budget);
                self.patched(path, file);
            }
        }
    }

    fn patched(&mut self, path: &str, file: PatchedFile) {
        self.tags.extend(file.tags);
        self.hunks.extend(file.hunks);
        if file.errors.is_empty() {
            self.after.insert(path.to_owned(), file.text);
            self.normalised.push(Normalised { path: path.to_owned(), changes: vec![file.normalised] });
        }
        self.errors.extend(file.errors);
    }

    fn located(&mut self, input: &PreviewInput, path: &str, text: &str, ops: &[usize]) {
        let mut located: Vec<Located> = Vec::new();
        let failures = self.errors.len();
        for op in ops {
            match locate(input, *op, text, &mut self.tags) {
                Ok(change) => located.push(change),
                Err(code) => self.errors.push(failure::of_op(code, *op, path)),
            }
        }
        self.errors.extend(overlaps(&located).into_iter().map(|op| failure::of_op(RejectCode::Overlap, op, path)));
        if self.errors.len() == failures {
            self.after.insert(path.to_owned(), edited(text, &located, &mut self.tags));
            let changes = located.iter().map(Located::normalised).collect();
            self.normalised.push(Normalised { path: path.to_owned(), changes });
        }
    }

    fn conclude(mut self, input: &PreviewInput, targets: &BTreeMap<&str, Vec<usize>>) -> Preview {
        let changed: Vec<String> = self
            .after
            .iter()
            .filter(|(path, text)| input.files[*path] != **text)
            .map(|(path, _)| path.clone())
            .collect();
        if self.errors.is_empty() && changed.is_empty() {
            let unchanged = targets.iter().map(|(path, ops)| failure::of_op(RejectCode::NoChange, ops[0], path));
            self.errors.extend(unchanged);
        }
        if changed.iter().any(|path| adds_mark(&input.files[path], &self.after[path])) {
            self.tags.insert(Tag::MarkInAdded);
        }
        if self.errors.is_empty() && changed.len() < targets.len() {
            self.tags.insert(Tag::DroppedNoChange);
        }
        self.errors.sort_by_key(|detail| (detail.op_index, detail.hunk_index));
        let fuzz = self.hunks.iter().map(|hunk| hunk.fuzz).max().unwrap_or(0);
        let offset = self.hunks.iter().map(|hunk| hunk.offset.unsigned_abs() as usize).max().unwrap_or(0);
        if fuzz > 0 {
            self.tags.insert(Tag::UsedFuzz);
        }
        if offset > CONFIRM_OFFSET {
            self.tags.insert(Tag::LargeOffset);
        }
        self.answer(input, targets, changed, fuzz, offset)
    }

    fn answer(
        self,
        input: &PreviewInput,
        targets: &BTreeMap<&str, Vec<usize>>,
        changed: Vec<String>,
        fuzz: usize,
        offset: usize,
    ) -> Preview {
        let ok = self.errors.is_empty();
        let before = targets.keys().filter_map(|path| Some((*path, input.files.get(*path)?.as_str())));
        let base_hash = hash_records(before);
        let confirm: Vec<Tag> = self.tags.iter().copied().filter(|tag| tag.severity() == Severity::Confirm).collect();
        let reasons = if ok { confirm } else { Vec::new() };
        let verdict = match (ok, reasons.is_empty()) {
            (false, _) => Verdict::Reject,
            (true, true) => Verdict::Clean,
            (true, false) => Verdict::Confirm,
        };
        let mut meta = Meta {
            base_hash,
            patch_id: ok.then(|| patch_id(&self.normalised)),
            result_hash: ok.then(|| hash_records(self.after.iter().map(|(path, text)| (path.as_str(), text.as_str())))),
            confirm_token: None,
            requires_confirmation: verdict == Verdict::Confirm,
            reasons,
            fuzz_level_used: fuzz,
            max_offset: offset,
            normalizations_applied: self.tags.iter().copied().filter(|tag| tag.is_normalization()).collect(),
            applied_cleanly: verdict == Verdict::Clean && offset <= CLEAN_OFFSET,
            hunks: self.hunks,
            engine_version: ENGINE_VERSION.to_owned(),
            mode: input.mode,
        };
        meta.renew_token();
        let mut after = input.files.clone();
        if ok {
            after.extend(self.after);
        }
        Preview {
            ok,
            verdict,
            after_virtual_files: after,
            changed_files: if ok { changed } else { Vec::new() },
            errors: self.errors.iter().map(failure::message).collect(),
            error_details: self.errors,
            meta,
        }
    }
}

impl Meta {
    /// The confirmation token of what this says, where one is asked for.
    pub(crate) fn renew_token(&mut self) {
        self.confirm_token = match (&self.patch_id, &self.result_hash) {
            (Some(patch_id), Some(result_hash)) if self.requires_confirmation => {
                Some(confirm_token(&self.base_hash, patch_id, result_hash, &self.reasons))
            }
            _ => None,
        };
    }
}

#[cfg(test)]
mod tests;
