//! `search_code` (spec: app-builder.md §10). Invariant: time is linear in the text, whatever is searched for.

use holdpoint_check::{ApiError, args, codes};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Scratch;
use crate::glob::Glob;
use crate::policy::{LOCK_FILES, is_binary};

codes! {
    TOOL_INPUT_INVALID / QUERY: Error, "Send a regular expression of the linear-time kind: {why}." [why];
}

const LIMIT: usize = 20;
const PREVIEW_CHARS: usize = 180;
/// Bytes of a compiled expression.
const MAX_REGEX_BYTES: usize = 1 << 20;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SearchArguments {
    query: String,
    mode: Mode,
    path_glob: Option<String>,
    case_sensitive: bool,
    limit: Option<usize>,
    context: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Text,
    Regex,
    Symbol,
}

/// A place that was found; line and column count from 1.
struct Hit<'f> {
    path: &'f str,
    line: usize,
    column: usize,
}

pub(super) fn search(scratch: &Scratch, asked: &SearchArguments) -> Result<Value, ApiError> {
    let glob = asked.path_glob.as_deref().map(Glob::new);
    let is_read = |path: &str| {
        !is_binary(path) && !LOCK_FILES.contains(&path) && glob.as_ref().is_none_or(|glob| glob.matches(path))
    };
    let files: Vec<(&str, &str)> = scratch
        .files()
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .filter(|(path, _)| is_read(path))
        .collect();
    let exact = lines_with(&files, &pattern(asked, &written(asked))?);
    let (hits, matched) =
        if exact.is_empty() && asked.mode == Mode::Text { by_words(&files, asked)? } else { (exact, "exact") };
    let limit = asked.limit.unwrap_or(LIMIT);
    let shown: Vec<Value> = hits.iter().take(limit).map(|hit| told(scratch, hit, asked.context)).collect();
    Ok(json!({ "total": hits.len(), "truncated": hits.len() > limit, "match": matched, "matches": shown }))
}

/// What is searched for, as an expression.
fn written(asked: &SearchArguments) -> String {
    match asked.mode {
        Mode::Text => regex::escape(&asked.query),
        Mode::Regex => asked.query.clone(),
        Mode::Symbol => format!(r"\b{}\b", regex::escape(&asked.query)),
    }
}

fn pattern(asked: &SearchArguments, expression: &str) -> Result<Regex, ApiError> {
    let built =
        RegexBuilder::new(expression).case_insensitive(!asked.case_sensitive).size_limit(MAX_REGEX_BYTES).build();
    built.map_err(|fault| {
        let why = fault.to_string();
        let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        ApiError::of(&QUERY, args! { why })
    })
}

fn lines_with<'f>(files: &[(&'f str, &str)], pattern: &Regex) -> Vec<Hit<'f>> {
    let in_line = |path: &'f str, (at, line): (usize, &str)| {
        let found = pattern.find(line)?;
        let column = line[..found.start()].encode_utf16().count() + 1;
        Some(Hit { path, line: at + 1, column })
    };
    files.iter().flat_map(|(path, text)| text.lines().enumerate().filter_map(|line| in_line(path, line))).collect()
}

/// Text that occurs nowhere: all its words on one line, then in one file.
fn by_words<'f>(files: &[(&'f str, &str)], asked: &SearchArguments) -> Result<(Vec<Hit<'f>>, &'static str), ApiError> {
    let words: Vec<Regex> = asked
        .query
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| pattern(asked, &regex::escape(word)))
        .collect::<Result<_, _>>()?;
    let Some(first) = words.first() else { return Ok((Vec::new(), "exact")) };
    let in_line = |line: &str| words.iter().all(|word| word.is_match(line));
    let mut hits = lines_with(files, first);
    let texts: std::collections::BTreeMap<&str, &str> = files.iter().copied().collect();
    hits.retain(|hit| texts[hit.path].lines().nth(hit.line - 1).is_some_and(in_line));
    if !hits.is_empty() {
        return Ok((hits, "words"));
    }
    let whole: Vec<(&str, &str)> =
        files.iter().copied().filter(|(_, text)| words.iter().all(|word| word.is_match(text))).collect();
    Ok((lines_with(&whole, first), "file"))
}

fn told(scratch: &Scratch, hit: &Hit<'_>, context: usize) -> Value {
    let text = scratch.files().get(hit.path).map(String::as_str).unwrap_or_default();
    let short = |line: &str| line.chars().take(PREVIEW_CHARS).collect::<String>();
    let preview = text.lines().nth(hit.line - 1).map(short).unwrap_or_default();
    let mut told = json!({ "path": hit.path, "line": hit.line, "column": hit.column, "preview": preview });
    if context > 0 {
        let first = hit.line.saturating_sub(context).max(1);
        let lines: Vec<String> = text.lines().skip(first - 1).take(hit.line - first + 1 + context).map(short).collect();
        told["context"] = json!({ "start_line": first, "lines": lines });
    }
    told
}
