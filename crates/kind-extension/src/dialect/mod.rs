//! Replies of a model: blocks, edits, tool calls become changed files and a plan (spec: authoring.md §5).
//!
//! Owns what a reply means; the kind's file policy comes in. Invariant: a file is changed as a whole or not at all,
//! and whatever is wrong with a block, the base keeps its text.

mod blocks;
mod edits;
mod gate;

use holdpoint_bundle::{FilePolicy, Files};
use holdpoint_check::order::arrange;
use holdpoint_check::{Code, Diagnostic, args, codes};
use holdpoint_text::with_endings_of;
use serde::Serialize;
use serde_json::Value;

use crate::planning::{ParsedReply, ReplyChange, ReplyOp, ReplyTooLargeError, ToolCall};
use blocks::{Block, End};
use edits::{Edit, EditFault};

pub use gate::CODES as GATE;

codes! {
    /// no block and no tool call
    REPLY_EMPTY: Error, "Answer with blocks: `hp:plan`, or `hp:file path=\"…\"` for each file.";
    /// a block or tool that does not exist
    REPLY_UNKNOWN_BLOCK: Error,
        "`{name}` is unknown. Use hp:plan, hp:file, hp:edit or hp:delete, or their tools." [name];
    /// a block without a path, a tool call without its arguments
    REPLY_BAD_HEADER / PATH: Error, "Name the file in the header: `hp:file path=\"src/x.js\"`.";
    REPLY_BAD_HEADER / WRITE: Error, "`write_file` needs `path` and `text`.";
    REPLY_BAD_HEADER / EDIT: Error, "`edit_file` needs `path`, `search` and `replace`.";
    /// a header that is read, but not written as it should be
    REPLY_LOOSE_HEADER: Warning, "Open a file with `hp:file path=\"{path}\"`." [path];
    /// a block that the next one or the end closes
    REPLY_UNCLOSED_BLOCK: Warning, "Close each block with its own fence line.";
    /// the reply was cut inside a block
    REPLY_TRUNCATED / FILE: Error, "The reply was cut here: send this file again, whole.";
    REPLY_TRUNCATED / REST: Error, "The reply was cut: go on with the files that are missing.";
    /// a file that comes twice; the first one stays
    REPLY_DUPLICATE_FILE: Error, "Send each file once a reply; the first one stays.";
    INVALID_JSON / PLAN: Error, "Write the plan as one JSON object: {error}." [error];
    /// an edit without its three marks
    EDIT_MALFORMED: Error, "Write edits as `<<<<<<< SEARCH`, lines, `=======`, lines, `>>>>>>> REPLACE`.";
    /// lines that do not stand in the file
    EDIT_NOT_FOUND: Error, "These lines do not stand in the file: copy them exactly, or send it whole.";
    /// lines that stand more than once
    EDIT_AMBIGUOUS: Error, "These lines stand more than once: add lines around, or send the file whole.";
    /// an edit of a file that is not there
    EDIT_BASE_MISSING: Error, "There is no such file: write it whole.";
    /// lines that were found only without regard to indentation
    EDIT_WHITESPACE: Warning, "Copy the lines as they stand, with the blanks at their ends.";
}

/// The longest reply, tool calls included, in bytes.
pub const MAX_REPLY_BYTES: usize = 1_048_576;
/// The most blocks and tool calls of a reply.
pub const MAX_BLOCKS: usize = 300;
/// The most findings of a reply.
const MAX_DIAGNOSTICS: usize = 200;
/// The path of a plan's findings.
pub const PLAN_PATH: &str = "plan";

/// A file of a reply of which a part has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartialFile {
    pub path: String,
    /// As many as have come; none of a file that is edited.
    pub lines: Option<usize>,
}

/// The files whose blocks have begun in what has come of a reply, in its order.
pub fn partial_files(so_far: &str) -> Vec<PartialFile> {
    let lines = |block: &Block| (block.name == "hp:file").then_some(block.lines.len());
    let of = |block: Block| Some(PartialFile { lines: lines(&block), path: block.path? });
    let writes = |block: &Block| matches!(block.name.as_str(), "hp:file" | "hp:edit");
    blocks::scan(so_far).blocks.into_iter().filter(writes).filter_map(of).collect()
}

/// Reads a reply: blocks first, then tool calls.
pub fn parse(
    reply: Option<&str>,
    tool_calls: &[ToolCall],
    base: &Files,
    finish_reason: Option<&str>,
    policy: &FilePolicy,
) -> Result<ParsedReply, ReplyTooLargeError> {
    let reply = reply.unwrap_or_default();
    let called: usize = tool_calls.iter().map(|call| call.arguments.to_string().len()).sum();
    if reply.len() + called > MAX_REPLY_BYTES {
        return Err(ReplyTooLargeError { unit: "bytes", limit: MAX_REPLY_BYTES });
    }
    let scan = blocks::scan(reply);
    if scan.blocks.len() + tool_calls.len() > MAX_BLOCKS {
        return Err(ReplyTooLargeError { unit: "blocks", limit: MAX_BLOCKS });
    }
    let mut reader =
        Reader { policy, files: base.clone(), plan: None, changes: Vec::new(), cut: None, findings: Vec::new() };
    for block in scan.blocks {
        reader.block(&block);
    }
    for call in tool_calls {
        reader.call(call);
    }
    Ok(reader.finish(scan.prose, finish_reason))
}

struct Reader<'p> {
    policy: &'p FilePolicy,
    files: Files,
    plan: Option<Value>,
    changes: Vec<ReplyChange>,
    cut: Option<String>,
    findings: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn block(&mut self, block: &Block) {
        let plan = block.name == "hp:plan";
        let place = if plan { Some(PLAN_PATH.to_owned()) } else { block.path.clone() };
        match block.end {
            End::Closed => {}
            End::NextBlock => {
                let finding = Diagnostic::of(&REPLY_UNCLOSED_BLOCK, args! {});
                self.findings.push(at(finding, place.as_deref()));
            }
            End::Cut => {
                self.cut.clone_from(&place);
                let finding = Diagnostic::of(&FILE, args! {});
                self.findings.push(at(finding, place.as_deref()));
                return;
            }
        }
        match block.name.as_str() {
            "hp:plan" => self.plan_text(&block.text()),
            "hp:file" => self.with_path(block.path.as_deref(), |reader, path| reader.write(path, block.text())),
            "hp:edit" => self.with_path(block.path.as_deref(), |reader, path| {
                reader.edit(path, edits::read(&block.lines));
            }),
            "hp:delete" => self.with_path(block.path.as_deref(), Self::delete),
            name if name.starts_with("hp:") => self.unknown(name),
            _ => self.with_path(block.path.as_deref(), |reader, path| {
                let finding = Diagnostic::of(&REPLY_LOOSE_HEADER, args! { path });
                reader.findings.push(finding.in_file(path));
                reader.write(path, block.text());
            }),
        }
    }

    fn call(&mut self, call: &ToolCall) {
        let read;
        let arguments = match &call.arguments {
            Value::String(text) => {
                read = serde_json::from_str(text).unwrap_or(Value::Null);
                &read
            }
            arguments => arguments,
        };
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let path = text("path");
        match call.name.as_str() {
            "submit_plan" if arguments.is_null() => self.plan_text(""),
            "submit_plan" => self.plan(arguments.clone()),
            "write_file" => match text("text") {
                Some(text) => self.with_path(path, |reader, path| reader.write(path, plain(text))),
                None => self.bad_header(&WRITE),
            },
            "edit_file" => match (text("search"), text("replace")) {
                (Some(search), Some(replace)) => self.with_path(path, |reader, path| {
                    reader.edit(path, Edit::new(edit_lines(search), edit_lines(replace)).map(|edit| vec![edit]));
                }),
                _ => self.bad_header(&EDIT),
            },
            "delete_file" => self.with_path(path, Self::delete),
            name => match gate::finding(name) {
                Some(forbidden) => self.findings.push(forbidden),
                None => self.unknown(name),
            },
        }
    }

    /// Runs `then` with the path without a leading `./`, when the policy takes it.
    fn with_path(&mut self, path: Option<&str>, then: impl FnOnce(&mut Self, &str)) {
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return self.bad_header(&PATH);
        };
        let path = path.strip_prefix("./").unwrap_or(path);
        match self.policy.judge(path) {
            Ok(_) => then(self, path),
            Err(fault) => self.findings.push(Diagnostic::of(fault.code(), args! {}).in_file(path)),
        }
    }

    fn bad_header(&mut self, code: &'static Code) {
        self.findings.push(Diagnostic::of(code, args! {}));
    }

    fn unknown(&mut self, name: &str) {
        self.findings.push(Diagnostic::of(&REPLY_UNKNOWN_BLOCK, args! { name }));
    }

    fn plan_text(&mut self, text: &str) {
        match serde_json::from_str(text) {
            Ok(plan) => self.plan(plan),
            Err(error) => {
                let error = error.to_string();
                self.findings.push(Diagnostic::of(&PLAN, args! { error }).in_file(PLAN_PATH));
            }
        }
    }

    fn plan(&mut self, plan: Value) {
        if self.plan.is_some() {
            self.twice(PLAN_PATH);
        } else {
            self.plan = Some(plan);
        }
    }

    fn twice(&mut self, path: &str) {
        let finding = Diagnostic::of(&REPLY_DUPLICATE_FILE, args! {});
        self.findings.push(finding.in_file(path));
    }

    fn write(&mut self, path: &str, text: String) {
        if self.changes.iter().any(|change| change.path == path) {
            return self.twice(path);
        }
        let text = match self.files.get(path) {
            Some(old) => with_endings_of(old, &text).into_owned(),
            None => text,
        };
        let created = self.files.insert(path.to_owned(), text).is_none();
        self.changes.push(ReplyChange { path: path.to_owned(), op: ReplyOp::Write, created });
    }

    fn edit(&mut self, path: &str, edits: Result<Vec<Edit>, EditFault>) {
        // Several edits of a file may come one a block or call; they run on the running text.
        if self.changes.iter().any(|change| change.path == path && change.op != ReplyOp::Edit) {
            return self.twice(path);
        }
        let Some(text) = self.files.get(path) else { return self.base_missing(path) };
        match edits.and_then(|edits| edits::apply(text, &edits)) {
            Ok(edited) => {
                if edited.blanks_ignored {
                    self.findings.push(Diagnostic::of(&EDIT_WHITESPACE, args! {}).in_file(path));
                }
                self.files.insert(path.to_owned(), edited.text);
                self.changes.push(ReplyChange { path: path.to_owned(), op: ReplyOp::Edit, created: false });
            }
            Err(fault) => {
                let code = match fault {
                    EditFault::Malformed => &EDIT_MALFORMED,
                    EditFault::NotFound => &EDIT_NOT_FOUND,
                    EditFault::Ambiguous => &EDIT_AMBIGUOUS,
                };
                self.findings.push(Diagnostic::of(code, args! {}).in_file(path));
            }
        }
    }

    fn delete(&mut self, path: &str) {
        if self.changes.iter().any(|change| change.path == path) {
            return self.twice(path);
        }
        if self.files.remove(path).is_none() {
            return self.base_missing(path);
        }
        self.changes.push(ReplyChange { path: path.to_owned(), op: ReplyOp::Delete, created: false });
    }

    fn base_missing(&mut self, path: &str) {
        let finding = Diagnostic::of(&EDIT_BASE_MISSING, args! {});
        self.findings.push(finding.in_file(path));
    }

    fn finish(mut self, prose: String, finish_reason: Option<&str>) -> ParsedReply {
        let truncated = self.findings.iter().any(|finding| finding.code == "REPLY_TRUNCATED");
        if finish_reason == Some("length") && !truncated {
            self.findings.push(Diagnostic::of(&REST, args! {}));
        }
        let nothing = self.plan.is_none() && self.changes.is_empty();
        if nothing && !self.findings.iter().any(Diagnostic::is_error) {
            self.findings.push(Diagnostic::of(&REPLY_EMPTY, args! {}));
        }
        arrange(&mut self.findings, MAX_DIAGNOSTICS);
        let kind = match (&self.plan, self.changes.is_empty()) {
            (None, true) => "empty",
            (None, false) => "files",
            (Some(_), true) => "plan",
            (Some(_), false) => "plan+files",
        };
        ParsedReply {
            ok: !self.findings.iter().any(Diagnostic::is_error),
            kind: kind.to_owned(),
            plan: self.plan,
            changes: self.changes,
            files: self.files,
            incomplete: self.cut,
            prose,
            diagnostics: self.findings,
        }
    }
}

fn at(finding: Diagnostic, path: Option<&str>) -> Diagnostic {
    match path {
        Some(path) => finding.in_file(path),
        None => finding,
    }
}

/// A tool call's text as a block would give it.
fn plain(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    if text.is_empty() { text } else { format!("{}\n", text.trim_end_matches('\n')) }
}

fn edit_lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let body = text.strip_suffix('\n').unwrap_or(&text);
    if text.is_empty() { Vec::new() } else { body.split('\n').map(str::to_owned).collect() }
}

#[cfg(test)]
mod tests;
