//! `list_files` and `read_file` (spec: app-builder.md §10).

use holdpoint_bundle::text_hash;
use holdpoint_check::{ApiError, args, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Scratch;
use crate::glob::Glob;
use crate::mentions;
use crate::policy::{LOCK_FILES, is_binary, is_code, is_test, pointer_bytes};

codes! {
    /// a tool asks for a file that is not there
    FILE_NOT_FOUND / NO_SUCH_FILE: Error, "Read a file that is there: `{path}` is none." [path];
    FILE_NOT_FOUND / FILE_IS_BINARY: Error, "Read another file: `{path}` holds no text." [path];
}

const LIST_LIMIT: usize = 200;
const READ_BYTES: usize = 12_288;
/// Files that are named in place of one that is not there.
const MAX_CANDIDATES: usize = 8;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ListArguments {
    prefix: Option<String>,
    glob: Option<String>,
    limit: Option<usize>,
    offset: usize,
}

pub(super) fn list(scratch: &Scratch, asked: &ListArguments) -> Value {
    let glob = asked.glob.as_deref().map(Glob::new);
    let prefix = asked.prefix.as_deref().unwrap_or_default();
    let fits = |path: &str| path.starts_with(prefix) && glob.as_ref().is_none_or(|glob| glob.matches(path));
    let all: Vec<_> = scratch.files().iter().filter(|(path, _)| fits(path)).collect();
    let limit = asked.limit.unwrap_or(LIST_LIMIT);
    let row = |(path, text): &(&String, &String)| {
        let bytes = pointer_bytes(text).filter(|_| is_binary(path)).unwrap_or(text.len() as u64);
        json!({ "path": path, "bytes": bytes, "hash": text_hash(text), "kind": kind(path), "test": is_test(path) })
    };
    let files: Vec<Value> = all.iter().skip(asked.offset).take(limit).map(row).collect();
    json!({ "total": all.len(), "truncated": asked.offset + files.len() < all.len(), "files": files })
}

/// What a file is, in one word.
fn kind(path: &str) -> &'static str {
    if is_binary(path) {
        "binary"
    } else if LOCK_FILES.contains(&path) {
        "lock"
    } else if is_code(path) {
        "code"
    } else {
        "text"
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ReadArguments {
    path: String,
    start_line: Option<usize>,
    end_line: Option<usize>,
    max_bytes: Option<usize>,
}

pub(super) fn read(scratch: &Scratch, asked: &ReadArguments) -> Result<Value, ApiError> {
    let (path, text) = find(scratch, &asked.path)?;
    if is_binary(path) {
        return Err(ApiError::of(&FILE_IS_BINARY, args! { path }).status(404));
    }
    let total = text.lines().count();
    let first = asked.start_line.unwrap_or(1).max(1);
    let last = asked.end_line.unwrap_or(total).clamp(first.min(total), total);
    let most = asked.max_bytes.unwrap_or(READ_BYTES);
    let mut shown = String::new();
    let mut end = first.saturating_sub(1);
    for line in text.split_inclusive('\n').skip(first - 1).take((last + 1).saturating_sub(first)) {
        if shown.len() + line.len() > most {
            if shown.is_empty() {
                shown.push_str(&line[..line.floor_char_boundary(most)]);
                end += 1;
            }
            break;
        }
        shown.push_str(line);
        end += 1;
    }
    let whole: usize =
        text.split_inclusive('\n').skip(first - 1).take((last + 1).saturating_sub(first)).map(str::len).sum();
    Ok(json!({
        "path": path, "hash": text_hash(text), "total_lines": total, "start_line": first, "end_line": end,
        "truncated": shown.len() < whole, "text": shown,
    }))
}

/// A file by its path, or by what is meant by it where only one can be.
fn find<'s>(scratch: &'s Scratch, wanted: &str) -> Result<(&'s str, &'s str), ApiError> {
    let files = scratch.files();
    let tidy = wanted.trim().trim_start_matches("./").trim_start_matches('/').replace('\\', "/");
    if let Some((path, text)) = files.get_key_value(&tidy) {
        return Ok((path, text));
    }
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    let found = mentions::resolve(&format!("@\"{tidy}\""), &paths, 1).mentions.pop();
    let candidates = found.map(|one| one.path.into_iter().chain(one.candidates.unwrap_or_default()).collect());
    let mut candidates: Vec<String> = candidates.unwrap_or_default();
    candidates.truncate(MAX_CANDIDATES);
    Err(ApiError::of(&NO_SUCH_FILE, args! { path: wanted }).status(404).with("candidates", candidates))
}
