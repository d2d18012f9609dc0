//! Files that a person names with `@` (spec: vite-app.md §10).
//!
//! Invariant: never a silent guess: one file fits, or the candidates are said.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::limits::{MAX_FOLDER_FILES, MAX_MENTIONS};

/// One `@…` of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mention {
    /// With `@`, quotes and lines.
    pub raw: String,
    /// Offset of the `@`, in UTF-16 code units.
    pub start: usize,
    pub end: usize,
    pub status: MentionStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Files below the folder that is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<String>>,
    /// How the file was found.
    #[serde(skip_serializing_if = "Option::is_none", rename = "match")]
    pub matched: Option<MentionMatch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<MentionLines>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MentionStatus {
    Resolved,
    Folder,
    Ambiguous,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MentionMatch {
    Exact,
    /// The whole path in other letter case.
    Case,
    Basename,
    /// The name before its first dot.
    Stem,
    /// The end of the path.
    Suffix,
}

/// Lines of a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MentionLines {
    pub start: usize,
    pub end: usize,
}

/// What a text names with `@`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mentions {
    pub mentions: Vec<Mention>,
    /// Files of all of them, in order, each once.
    pub paths: Vec<String>,
    /// There were more than are answered.
    pub truncated: bool,
}

/// Finds what a text names among paths in byte order; at most `limit` mentions.
pub fn resolve(text: &str, paths: &[&str], limit: usize) -> Mentions {
    let mut found = Mentions::default();
    let mut seen = BTreeSet::new();
    let chars: Vec<char> = text.chars().collect();
    let units: Vec<usize> = std::iter::once(0)
        .chain(chars.iter().scan(0, |sum, c| {
            *sum += c.len_utf16();
            Some(*sum)
        }))
        .collect();
    let mut at = 0;
    while at < chars.len() {
        let Some(one) = written(&chars, at) else {
            at += 1;
            continue;
        };
        if found.mentions.len() == limit.min(MAX_MENTIONS) {
            found.truncated = true;
            break;
        }
        let mut mention = Mention {
            raw: chars[at..one.end].iter().collect(),
            start: units[at],
            end: units[one.end],
            status: MentionStatus::Unknown,
            path: None,
            paths: None,
            candidates: None,
            matched: None,
            lines: None,
        };
        which(&one.name, paths, &mut mention);
        if mention.status == MentionStatus::Resolved {
            mention.lines = one.lines;
        }
        let named = mention.path.iter().chain(mention.paths.iter().flatten());
        found.paths.extend(named.filter(|path| seen.insert((*path).clone())).cloned());
        at = one.end;
        found.mentions.push(mention);
    }
    found
}

/// A mention as it stands in a text.
struct Written {
    name: String,
    end: usize,
    lines: Option<MentionLines>,
}

fn written(chars: &[char], at: usize) -> Option<Written> {
    if chars[at] != '@' {
        return None;
    }
    let before = at.checked_sub(1).map(|before| chars[before]);
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | '+')) {
        return None;
    }
    let quote = chars.get(at + 1).copied().filter(|c| matches!(c, '"' | '\'' | '`'));
    let (name, mut end, cut) = if let Some(quote) = quote {
        let length = chars[at + 2..].iter().position(|c| *c == quote || matches!(c, '\n' | '\r'))?;
        let close = at + 2 + length;
        (chars[close] == quote && length > 0).then_some(())?;
        (chars[at + 2..close].iter().collect::<String>(), close + 1, false)
    } else {
        let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '_' | '/' | '\\' | '-');
        let run = chars[at + 1..].iter().take_while(|c| is_part(c)).count();
        let is_last = |c: &char| !matches!(c, '.' | '-');
        let kept = chars[at + 1..at + 1 + run].iter().rposition(is_last).map_or(0, |last| last + 1);
        (chars[at + 1..at + 1 + kept].iter().collect(), at + 1 + kept, kept < run)
    };
    if !name.chars().any(char::is_alphanumeric) {
        return None;
    }
    let mut lines = None;
    if !cut && let Some((found, length)) = suffix(&chars[end..]) {
        lines = Some(found);
        end += length;
    }
    Some(Written { name, end, lines })
}

/// `:n`, `:n-m`, `#Ln`, `#Ln-m`, `#Ln-Lm`, with its length.
fn suffix(chars: &[char]) -> Option<(MentionLines, usize)> {
    let mut at = match chars {
        [':', ..] => 1,
        ['#', 'L', ..] => 2,
        _ => return None,
    };
    let number = |at: usize| {
        let digits = chars[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let text: String = chars[at..at + digits].iter().collect();
        text.parse::<usize>().ok().map(|number| (number, at + digits))
    };
    let (first, behind) = number(at)?;
    let is_hash = at == 2;
    at = behind;
    let mut last = first;
    if chars.get(at) == Some(&'-') {
        let from = if is_hash && chars.get(at + 1) == Some(&'L') { at + 2 } else { at + 1 };
        if let Some((number, behind)) = number(from) {
            last = number;
            at = behind;
        }
    }
    (first > 0 && last > 0).then(|| (MentionLines { start: first.min(last), end: first.max(last) }, at))
}

fn which(name: &str, paths: &[&str], mention: &mut Mention) {
    let slashed = name.replace('\\', "/");
    let segments: Vec<&str> = slashed.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let path = segments.join("/");
    let is_folder = slashed.ends_with('/');
    if segments.contains(&"..") || segments.is_empty() {
        return suggest(segments.last().copied().unwrap_or_default(), paths, mention);
    }
    if !is_folder && paths.contains(&path.as_str()) {
        return take(&[path.as_str()], MentionMatch::Exact, mention);
    }
    let below = format!("{path}/");
    let mut inside: Vec<String> =
        paths.iter().filter(|one| one.starts_with(&below)).map(|one| (*one).to_owned()).collect();
    if !inside.is_empty() {
        inside.sort_unstable();
        inside.truncate(MAX_FOLDER_FILES);
        mention.status = MentionStatus::Folder;
        mention.paths = Some(inside);
        return;
    }
    if is_folder {
        return suggest(segments.last().copied().unwrap_or_default(), paths, mention);
    }
    let lower = path.to_lowercase();
    let base = |one: &str| one.rsplit('/').next().unwrap_or(one).to_owned();
    let stem = |one: &str| base(one).split('.').next().unwrap_or_default().to_owned();
    let ends = |one: &str, end: &str| one == end || one.ends_with(&format!("/{end}"));
    let has_slash = path.contains('/');
    let all = |fits: &dyn Fn(&str) -> bool| -> Vec<&str> { paths.iter().copied().filter(|one| fits(one)).collect() };
    let steps: Vec<(MentionMatch, Vec<&str>)> = if has_slash {
        vec![
            (MentionMatch::Case, all(&|one| one.to_lowercase() == lower)),
            (MentionMatch::Suffix, all(&|one| ends(one, &path))),
            (MentionMatch::Suffix, all(&|one| ends(&one.to_lowercase(), &lower))),
        ]
    } else {
        let mut steps = vec![
            (MentionMatch::Case, all(&|one| one.to_lowercase() == lower)),
            (MentionMatch::Basename, all(&|one| base(one) == path)),
            (MentionMatch::Basename, all(&|one| base(one).to_lowercase() == lower)),
        ];
        if !path.contains('.') {
            steps.push((MentionMatch::Stem, all(&|one| stem(one) == path)));
            steps.push((MentionMatch::Stem, all(&|one| stem(one).to_lowercase() == lower)));
        }
        steps
    };
    match steps.into_iter().find(|(_, found)| !found.is_empty()) {
        Some((matched, found)) => take(&found, matched, mention),
        None => suggest(segments.last().copied().unwrap_or_default(), paths, mention),
    }
}

fn take(found: &[&str], matched: MentionMatch, mention: &mut Mention) {
    if let [only] = found {
        mention.status = MentionStatus::Resolved;
        mention.path = Some((*only).to_owned());
        mention.matched = Some(matched);
    } else {
        mention.status = MentionStatus::Ambiguous;
        mention.candidates = Some(found.iter().map(|one| (*one).to_owned()).collect());
    }
}

fn suggest(last: &str, paths: &[&str], mention: &mut Mention) {
    let lower = last.to_lowercase();
    let same = |one: &&&str| one.rsplit('/').next().is_some_and(|base| base.to_lowercase() == lower);
    mention.candidates = Some(paths.iter().filter(same).map(|one| (*one).to_owned()).collect());
}
