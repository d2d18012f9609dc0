//! What this kind answers as methods (spec: vite-app.md §3, §10–§12; app-builder.md §4 "Merge"). Reads inputs and writes outputs; what they mean is
//! said in the other modules.

use holdpoint_bundle::Files;
use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, args, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::check::{self, bounded, bytes_of};
use crate::context::{self, FindingPlace, PackRequest, Room};
use crate::dialect::apply::apply;
use crate::limits::{MAX_DIAGNOSTICS, MAX_FILES, MAX_LINES, MAX_LOCKFILE_BYTES, MAX_MENTIONS};
use crate::options::{DEFAULT_ENTRY, RawOptions};
use crate::project::normalise;
use crate::{ViteApp, mentions, renew, select, slug};
use holdpoint_kind::Kind;

codes! {
    INVALID_INPUT / PATHS_OR_FILES: Error, "Send exactly one of `paths` and `files`.";
}

/// Methods that other kinds have under the same names.
pub const SHARED: Group = &[("files.apply", files_apply), ("context.pack", context_pack)];
/// Methods of this kind alone.
pub const METHODS: Group = &[
    ("mentions.resolve", mentions_resolve),
    ("tests.select", tests_select),
    ("slug.suggest", slug_suggest),
    ("text.merge", text_merge),
];
/// Methods of the edge, the build runner and the command line.
pub const RENEWAL: Group = &[("lock.renew", lock_renew)];

/// Names that are taken, of one call.
const MAX_TAKEN: usize = 10_000;

/// The bytes of all texts in a value.
fn bytes_in(value: &Value) -> usize {
    let (mut bytes, mut open) = (0, vec![value]);
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => bytes += text.len(),
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                bytes += members.keys().map(String::len).sum::<usize>();
                open.extend(members.values());
            }
            _ => {}
        }
    }
    bytes
}

fn kind_is_ours(kind: &str) -> Result<(), ApiError> {
    if kind == ViteApp::ID {
        return Ok(());
    }
    Err(ApiError::at("/kind", &holdpoint_check::error::ALLOWED, args! { allowed: format!("`{}`", ViteApp::ID) }))
}

#[derive(Deserialize)]
struct ApplyInput {
    files: Files,
    #[serde(default)]
    entry_file: Option<String>,
    operations: Vec<Value>,
    #[serde(default)]
    options: RawOptions,
}

fn files_apply(value: Value) -> Result<Value, ApiError> {
    bounded(bytes_in(&value))?;
    let ApplyInput { files, entry_file, operations, options } = input(value)?;
    Ok(json!(apply(&files, entry_file.as_deref(), &operations, &options.resolve()?)?))
}

#[derive(Deserialize)]
struct MentionsInput {
    text: String,
    #[serde(default)]
    paths: Option<Vec<String>>,
    #[serde(default)]
    files: Option<Files>,
    #[serde(default)]
    limit: Option<usize>,
}

fn mentions_resolve(value: Value) -> Result<Value, ApiError> {
    bounded(bytes_in(&value))?;
    let MentionsInput { text, paths, files, limit } = input(value)?;
    let mut paths = match (paths, files) {
        (Some(paths), None) => paths,
        (None, Some(files)) => files.into_keys().collect(),
        _ => return Err(ApiError::at("/paths", &PATHS_OR_FILES, args! {})),
    };
    paths.sort_unstable();
    paths.dedup();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    Ok(json!(mentions::resolve(&text, &paths, limit.unwrap_or(MAX_MENTIONS))))
}

#[derive(Deserialize)]
struct PackInput {
    files: Files,
    #[serde(default)]
    entry_file: Option<String>,
    text: String,
    #[serde(default)]
    recent: Vec<String>,
    #[serde(default)]
    diagnostics: Vec<FindingPlace>,
    #[serde(default)]
    budget_bytes: Option<usize>,
    #[serde(default)]
    max_files: Option<usize>,
    #[serde(default)]
    max_file_bytes: Option<usize>,
    #[serde(default)]
    options: RawOptions,
}

fn context_pack(value: Value) -> Result<Value, ApiError> {
    bounded(bytes_in(&value))?;
    let asked: PackInput = input(value)?;
    if asked.diagnostics.len() > MAX_DIAGNOSTICS + 1 {
        return Err(ApiError::over("MAX_DIAGNOSTICS", MAX_DIAGNOSTICS, asked.diagnostics.len()));
    }
    let options = asked.options.resolve()?;
    let files = normalise(&asked.files).files;
    let entry = asked.entry_file.as_deref().unwrap_or(DEFAULT_ENTRY);
    let checked = check::tree(&files, entry, true, &options);
    let room = Room {
        budget_bytes: asked.budget_bytes.unwrap_or(context::DEFAULT_BUDGET_BYTES),
        files: asked.max_files.unwrap_or(context::DEFAULT_FILES),
        file_bytes: asked.max_file_bytes.unwrap_or(context::DEFAULT_FILE_BYTES),
    };
    let wanted = PackRequest {
        text: &asked.text,
        entry: &checked.entry,
        recent: &asked.recent,
        diagnostics: &asked.diagnostics,
    };
    Ok(json!(context::pack(&files, &checked.graph, &wanted, room)))
}

#[derive(Deserialize)]
struct SelectInput {
    kind: String,
    files: Files,
    changed: Vec<String>,
    #[serde(default)]
    max: Option<usize>,
    #[serde(default)]
    options: RawOptions,
}

fn tests_select(value: Value) -> Result<Value, ApiError> {
    bounded(bytes_in(&value))?;
    let asked: SelectInput = input(value)?;
    kind_is_ours(&asked.kind)?;
    let options = asked.options.resolve()?;
    let files = normalise(&asked.files).files;
    let entry = asked.options.entry_file.as_deref().unwrap_or(DEFAULT_ENTRY);
    let checked = check::tree(&files, entry, true, &options);
    let most = asked.max.unwrap_or(select::DEFAULT_TESTS).min(MAX_FILES);
    Ok(json!(select::select(&files, &checked.graph, &asked.changed, most)))
}

#[derive(Deserialize)]
struct SlugInput {
    name: String,
    #[serde(default)]
    taken: Vec<String>,
}

fn slug_suggest(value: Value) -> Result<Value, ApiError> {
    bounded(bytes_in(&value))?;
    let SlugInput { name, taken } = input(value)?;
    if taken.len() > MAX_TAKEN {
        return Err(ApiError::over("MAX_TAKEN", MAX_TAKEN, taken.len()));
    }
    let slug = slug::suggest(&name, |slug| taken.iter().any(|own| own == slug))?;
    Ok(json!({ "slug": slug }))
}

#[derive(Deserialize)]
struct MergeInput {
    base: String,
    ours: String,
    theirs: String,
}

/// Each text may be as long as the longest file of a project.
fn text_merge(value: Value) -> Result<Value, ApiError> {
    let MergeInput { base, ours, theirs } = input(value)?;
    for text in [&base, &ours, &theirs] {
        if text.len() > MAX_LOCKFILE_BYTES {
            return Err(ApiError::over("MAX_LOCKFILE_BYTES", MAX_LOCKFILE_BYTES, text.len()));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            return Err(ApiError::over("MAX_LINES", MAX_LINES, lines));
        }
    }
    Ok(json!(holdpoint_diff::merge(&base, &ours, &theirs)))
}

#[derive(Deserialize)]
struct RenewInput {
    kind: String,
    files: Files,
    #[serde(default)]
    options: RawOptions,
}

fn lock_renew(value: Value) -> Result<Value, ApiError> {
    bounded(bytes_in(&value))?;
    let RenewInput { kind, files, options } = input(value)?;
    kind_is_ours(&kind)?;
    bounded(bytes_of(&files))?;
    Ok(json!({ "text": renew::renew(&files, &options.resolve()?)? }))
}

#[cfg(feature = "schema")]
pub mod reference;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_merged_within_the_limits() {
        let merge = |base: &str, ours: &str, theirs: &str| {
            text_merge(json!({"base": base, "ours": ours, "theirs": theirs}))
                .map_err(|error| (error.code, error.details))
        };
        let clean = json!({"clean": true, "text": "A\nb\nC\n", "conflicts": []});
        assert_eq!(merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"), Ok(clean));
        let met = merge("a\n", "b\n", "").unwrap();
        let place = |start: usize, count: usize| json!({"start_line": start, "line_count": count});
        assert_eq!(met["conflicts"], json!([{"base": place(1, 1), "ours": place(1, 1), "theirs": place(0, 0)}]));
        assert_eq!((&met["clean"], &met["text"]), (&json!(false), &Value::Null));

        let longest = "x".repeat(MAX_LOCKFILE_BYTES);
        assert!(merge(&longest, "", &longest).is_ok());
        let most = "\n".repeat(MAX_LINES);
        assert!(merge(&most, &most, "").is_ok());
        for (texts, limit) in [
            ([format!("{longest}x"), String::new(), String::new()], "MAX_LOCKFILE_BYTES"),
            ([String::new(), String::new(), format!("{most}\n")], "MAX_LINES"),
        ] {
            let (code, details) = merge(&texts[0], &texts[1], &texts[2]).unwrap_err();
            assert_eq!((code.as_ref(), &details["limit"]), ("INPUT_TOO_LARGE", &json!(limit)));
        }
        let code = text_merge(json!({"base": "", "ours": ""})).unwrap_err().code;
        assert_eq!(code, "INVALID_INPUT");
    }
}
