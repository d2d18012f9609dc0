//! The operation `patch`: one unified diff for one file, placed by the text engine (spec: vite-app.md §3.2).

use holdpoint_change::{FileEffect, Op, OpFault, Step, TextRequest, Tree, text_error};
use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_text::{Preview, RawOp, RawOptions, RejectCode, Verdict};
use serde::Serializer;
use serde_json::{Map, Value, json};

codes! {
    /// the text engine refuses it
    PATCH_REJECTED: Error, "Send a diff that fits the file: {why}" [why];
    /// it speaks of another file
    PATCH_TARGET_MISMATCH: Error, "Name the file of the operation in the diff.";
    /// it speaks of several files
    PATCH_MULTI_FILE: Error, "Send one operation a file.";
    /// a binary diff, or one that renames or copies
    PATCH_UNSUPPORTED: Error, "Use `put_blob` for binary files and `rename_file` to move one.";
    /// there is no such file
    PATCH_FILE_MISSING: Error, "Name a file that is there, or write a diff from `/dev/null` to make it.";
    /// the file that it makes is there
    PATCH_FILE_EXISTS: Error, "Write a diff of the file: it is there already.";
    /// it was placed with doubts
    PATCH_NEEDS_CONFIRMATION: Warning, "Look at the change: the patch did not fit exactly.";
}

/// Members of a finding that the contract has beside the shared ones; they travel among its args.
const BESIDE: [&str; 3] = ["reason", "details", "reasons"];

/// Findings as the wire has them: what a patch was refused for, or is asked about, stands beside the code.
pub fn serialize<S: Serializer>(found: &[Diagnostic], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(found.iter().map(told))
}

/// One finding as the wire has it.
pub fn told(finding: &Diagnostic) -> Value {
    let mut told = json!(finding);
    let is_ours = finding.code == PATCH_REJECTED.name || finding.code == PATCH_NEEDS_CONFIRMATION.name;
    if let Some(members) = told.as_object_mut().filter(|_| is_ours) {
        let mut args = match members.remove("args") {
            Some(Value::Object(args)) => args,
            _ => Map::new(),
        };
        members.extend(BESIDE.iter().filter_map(|name| args.remove(*name).map(|value| ((*name).to_owned(), value))));
        if !args.is_empty() {
            members.insert("args".to_owned(), args.into());
        }
    }
    told
}

/// What a patch did to its file.
pub struct Patched {
    pub effect: FileEffect,
    /// Doubts that a person confirms.
    pub warning: Option<Diagnostic>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Change,
    Creation,
    Deletion,
}

/// Whether a header line says that the diff is none of text, or moves a file.
fn is_unsupported(line: &str) -> bool {
    ["GIT binary patch", "Binary files ", "rename from ", "rename to ", "copy from ", "copy to ", "*** Move to:"]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Lines in front of the first hunk of each file: what a diff says of files.
fn headers(patch: &str) -> impl Iterator<Item = &str> {
    let mut in_hunk = false;
    patch.lines().filter(move |line| {
        in_hunk = match *line {
            line if line.starts_with("@@") => true,
            line if line.starts_with("diff --git ") => false,
            _ => in_hunk,
        };
        !in_hunk
    })
}

fn shape(patch: &str) -> Shape {
    let has = |fits: &dyn Fn(&str) -> bool| headers(patch).any(fits);
    if has(&|line| is_null(line, "--- ") || line.starts_with("new file mode") || line.starts_with("*** Add File:")) {
        return Shape::Creation;
    }
    if has(&|line| {
        is_null(line, "+++ ") || line.starts_with("deleted file mode") || line.starts_with("*** Delete File:")
    }) {
        return Shape::Deletion;
    }
    Shape::Change
}

fn is_null(line: &str, side: &str) -> bool {
    line.strip_prefix(side).is_some_and(|name| name.split('\t').next().unwrap_or(name).trim_end() == "/dev/null")
}

/// A deletion as a change that leaves nothing: the new side is named like the old one.
fn as_change(patch: &str, path: &str) -> String {
    let mut all = String::with_capacity(patch.len());
    let mut in_hunk = false;
    for line in patch.split_inclusive('\n') {
        in_hunk |= line.starts_with("@@");
        if !in_hunk && line.starts_with("deleted file mode") {
            continue;
        }
        if !in_hunk && is_null(line.trim_end_matches(['\r', '\n']), "+++ ") {
            all.push_str("+++ b/");
            all.push_str(path);
            all.push('\n');
        } else {
            all.push_str(line);
        }
    }
    all
}

/// Takes a patch on the tree, or says why not and leaves the tree as it was.
pub fn take(tree: &mut Tree, path: &str, patch: &str) -> Result<Patched, Diagnostic> {
    if headers(patch).any(is_unsupported) {
        return Err(Diagnostic::of(&PATCH_UNSUPPORTED, args! {}));
    }
    let shape = shape(patch);
    let is_there = tree.files.contains_key(path);
    match shape {
        Shape::Creation if is_there => return Err(Diagnostic::of(&PATCH_FILE_EXISTS, args! {})),
        Shape::Creation => {
            tree.files.insert(path.to_owned(), String::new());
        }
        _ if !is_there => return Err(Diagnostic::of(&PATCH_FILE_MISSING, args! {})),
        _ => {}
    }
    let before = tree.files.get(path).cloned();
    let text = if shape == Shape::Deletion { as_change(patch, path) } else { patch.to_owned() };
    let request = TextRequest {
        ops: vec![RawOp::patch(path, text)],
        options: Some(RawOptions { mode: Some("patch-only".to_owned()), ..RawOptions::default() }),
        ..TextRequest::default()
    };
    let taken = tree.take(&Step::new(Op::Text(request), ""));
    let placed = match taken {
        Ok(FileEffect::Text(placed)) => placed,
        Ok(other) => return Ok(Patched { effect: other, warning: None }),
        Err(fault) => {
            if shape == Shape::Creation {
                tree.files.remove(path);
            }
            return Err(refused(fault));
        }
    };
    let warning = (placed.verdict == Verdict::Confirm).then(|| doubts(&placed, path));
    let effect = match shape {
        Shape::Creation => FileEffect::Created,
        Shape::Deletion if tree.files.get(path).is_some_and(String::is_empty) => {
            tree.files.remove(path);
            FileEffect::Deleted
        }
        Shape::Deletion => {
            if let Some(before) = before {
                tree.files.insert(path.to_owned(), before);
            }
            let mut finding = Diagnostic::of(&PATCH_REJECTED, args! { why: RejectCode::NoMatch.hint() });
            put(&mut finding, "reason", json!(RejectCode::NoMatch));
            return Err(finding);
        }
        Shape::Change => FileEffect::Modified,
    };
    Ok(Patched { effect, warning })
}

fn put(finding: &mut Diagnostic, name: &str, value: Value) {
    finding.args.insert(name.to_owned(), value);
}

fn refused(fault: OpFault) -> Diagnostic {
    let rejected = |why: &str| Diagnostic::of(&PATCH_REJECTED, args! { why });
    let placed = match fault {
        OpFault::Text(placed) => placed,
        OpFault::Input(error) => return rejected(&text_error(&error).message),
        _ => return rejected(RejectCode::NoHunks.hint()),
    };
    let Some(first) = placed.error_details.first() else { return rejected(RejectCode::NoHunks.hint()) };
    match first.code {
        RejectCode::MultiFile => return Diagnostic::of(&PATCH_MULTI_FILE, args! {}),
        RejectCode::WrongFile => return Diagnostic::of(&PATCH_TARGET_MISMATCH, args! {}),
        _ => {}
    }
    let mut finding = rejected(first.code.message()).with_hint(first.hint.clone());
    put(&mut finding, "reason", json!(first.code));
    put(&mut finding, "details", json!(placed.error_details));
    finding
}

fn doubts(placed: &Preview, path: &str) -> Diagnostic {
    let mut finding = Diagnostic::of(&PATCH_NEEDS_CONFIRMATION, args! {}).in_file(path);
    put(&mut finding, "reasons", json!(placed.meta.reasons));
    finding
}

#[cfg(test)]
mod tests {
    use holdpoint_bundle::Files;

    use super::*;

    fn tree(text: &str) -> Tree {
        Tree { files: Files::from([("src/a.ts".to_owned(), text.to_owned())]), entry: None }
    }

    #[test]
    fn a_refusal_and_a_doubt_say_why_beside_their_code() {
        let refused = take(&mut tree("a\n"), "src/a.ts", "@@ -1 +1 @@\n-b\n+c\n").err().unwrap();
        let wire = told(&refused);
        assert_eq!((&wire["code"], &wire["reason"]), (&json!("PATCH_REJECTED"), &json!("no_match")));
        assert_eq!(wire["details"][0]["code"], "no_match");
        assert!(wire["args"].get("details").is_none() && wire["hint"].is_string(), "{wire}");
        let doubtful = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n tree\n";
        let done = take(&mut tree("one\ntwo\nthree\nfour\n"), "src/a.ts", doubtful).ok().unwrap();
        let wire = told(&done.warning.unwrap());
        assert_eq!(wire["reasons"], json!(["used_fuzz"]));
    }

    #[test]
    fn the_tree_stays_where_a_patch_is_refused() {
        for (patch, code) in [
            ("--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1 @@\n+a\n", "PATCH_FILE_EXISTS"),
            ("--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "PATCH_REJECTED"),
            ("rename from a\nrename to b\n", "PATCH_UNSUPPORTED"),
        ] {
            let mut tree = tree("a\nb\n");
            let before = tree.clone();
            assert_eq!(take(&mut tree, "src/a.ts", patch).err().unwrap().code, code, "{patch}");
            assert_eq!(tree, before);
        }
    }
}
