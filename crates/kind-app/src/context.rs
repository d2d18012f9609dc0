//! The files that a model is shown, within a budget (spec: vite-app.md §11). The same input gives the same bytes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use serde::{Deserialize, Serialize};

use crate::limits::MAX_MENTIONS;
use crate::mentions::{self, Mention};
use crate::policy::{LOCK_FILES, is_binary, is_root};
use crate::rules::Graph;

pub const DEFAULT_BUDGET_BYTES: usize = 98_304;
pub const DEFAULT_FILES: usize = 24;
pub const MAX_FILES: usize = 64;
pub const DEFAULT_FILE_BYTES: usize = 24_576;
/// A window smaller than this, or than its file, says too little.
const MIN_WINDOW_BYTES: usize = 512;
/// Lines that a window begins in front of what it is about.
const LINES_BEFORE: usize = 20;
const MIN_WORD_CHARS: usize = 4;
const MAX_WORDS: usize = 8;
const IN_PATH: usize = 3;
const IN_TEXT: usize = 1;
const STOP_WORDS: [&str; 32] = [
    "about", "after", "also", "before", "change", "could", "from", "have", "into", "just", "make", "more", "please",
    "should", "some", "than", "that", "them", "then", "there", "these", "they", "this", "update", "want", "what",
    "when", "where", "which", "with", "would", "your",
];

/// Why a file is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Reason {
    Diagnostic,
    Mention,
    Entry,
    Config,
    Import,
    Importer,
    Recent,
    Match,
    Fill,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreeFile {
    pub path: String,
    pub bytes: usize,
}

/// A file, or whole lines of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackedFile {
    pub path: String,
    pub reason: Reason,
    /// Of the text that is shown.
    pub bytes: usize,
    /// The first one is line 1.
    pub start_line: usize,
    pub end_line: usize,
    pub truncated: bool,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OmittedFile {
    pub path: String,
    pub reason: Reason,
}

/// What a model is shown of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackedContext {
    /// Every file of the project.
    pub tree: Vec<TreeFile>,
    pub files: Vec<PackedFile>,
    /// Files that were left out for want of room.
    pub omitted: Vec<OmittedFile>,
    pub used_bytes: usize,
    pub mentions: Vec<Mention>,
}

/// How much room there is.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub budget_bytes: usize,
    pub files: usize,
    pub file_bytes: usize,
}

/// A finding, as a request names one.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct FindingPlace {
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub range: Option<holdpoint_check::Range>,
}

impl From<&Diagnostic> for FindingPlace {
    fn from(finding: &Diagnostic) -> Self {
        Self { path: finding.path.clone(), range: finding.range }
    }
}

/// What files are chosen for.
pub struct PackRequest<'w> {
    pub text: &'w str,
    pub entry: &'w str,
    /// Files that were changed lately, the newest first.
    pub recent: &'w [String],
    pub diagnostics: &'w [FindingPlace],
}

/// Chooses files by reason and cuts them to the room that is left.
pub fn pack(files: &Files, graph: &Graph, wanted: &PackRequest<'_>, room: Room) -> PackedContext {
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    let found = mentions::resolve(wanted.text, &paths, MAX_MENTIONS);
    let mut order = Candidates { files, all: Vec::new(), seen: BTreeSet::new() };
    order.choose(graph, wanted, &found);
    let first_lines = first_lines(wanted.diagnostics, &found.mentions);
    let mut packed = PackedContext {
        tree: files.iter().map(|(path, text)| TreeFile { path: path.clone(), bytes: text.len() }).collect(),
        files: Vec::new(),
        omitted: Vec::new(),
        used_bytes: 0,
        mentions: found.mentions,
    };
    for (path, reason) in order.all {
        let text = &files[&path];
        let left = room.budget_bytes.saturating_sub(packed.used_bytes);
        let file = (packed.files.len() < room.files.min(MAX_FILES))
            .then(|| cut(&path, reason, text, left, room.file_bytes, first_lines.get(&path).copied()))
            .flatten();
        match file {
            Some(file) => {
                packed.used_bytes += file.bytes;
                packed.files.push(file);
            }
            None if reason != Reason::Fill => packed.omitted.push(OmittedFile { path, reason }),
            None => {}
        }
    }
    packed
}

/// The whole file, or a window of it where its reason is worth one.
fn cut(path: &str, reason: Reason, text: &str, left: usize, most: usize, first: Option<usize>) -> Option<PackedFile> {
    let lines = text.split_inclusive('\n');
    let whole = |shown: String, start_line: usize, end_line: usize| PackedFile {
        path: path.to_owned(),
        reason,
        bytes: shown.len(),
        start_line,
        end_line,
        truncated: shown.len() < text.len(),
        text: shown,
    };
    if text.len() <= most && text.len() <= left {
        return Some(whole(text.to_owned(), 1, lines.count().max(1)));
    }
    let cap = most.min(left);
    if matches!(reason, Reason::Match | Reason::Fill) || cap < MIN_WINDOW_BYTES.min(text.len()) {
        return None;
    }
    let start = first.map_or(1, |line| line.saturating_sub(LINES_BEFORE).max(1));
    let (mut shown, mut count) = (String::new(), 0);
    for line in lines.skip(start - 1) {
        if shown.len() + line.len() > cap {
            break;
        }
        shown.push_str(line);
        count += 1;
    }
    (count > 0).then(|| whole(shown, start, start + count - 1))
}

/// The first line that a finding or a mention names in each file.
fn first_lines(diagnostics: &[FindingPlace], mentions: &[Mention]) -> BTreeMap<String, usize> {
    let found = diagnostics.iter().filter_map(|one| Some((one.path.clone()?, one.range?.start.line as usize)));
    let named = mentions.iter().filter_map(|one| Some((one.path.clone()?, one.lines?.start)));
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for (path, line) in found.chain(named) {
        first.entry(path).and_modify(|own| *own = line.min(*own)).or_insert(line);
    }
    first
}

struct Candidates<'f> {
    files: &'f Files,
    all: Vec<(String, Reason)>,
    seen: BTreeSet<String>,
}

impl Candidates<'_> {
    fn add(&mut self, path: &str, reason: Reason) {
        let is_shown = self.files.contains_key(path) && !LOCK_FILES.contains(&path) && !is_binary(path);
        if is_shown && self.seen.insert(path.to_owned()) {
            self.all.push((path.to_owned(), reason));
        }
    }

    fn choose(&mut self, graph: &Graph, wanted: &PackRequest<'_>, found: &mentions::Mentions) {
        let mut about: Vec<String> = Vec::new();
        for path in wanted.diagnostics.iter().filter_map(|one| one.path.clone()) {
            self.add(&path, Reason::Diagnostic);
            about.push(path);
        }
        for path in &found.paths {
            self.add(path, Reason::Mention);
            about.push(path.clone());
        }
        self.add(wanted.entry, Reason::Entry);
        self.add("package.json", Reason::Config);
        for path in &about {
            for other in graph.get(path).into_iter().flat_map(|links| &links.local) {
                self.add(other, Reason::Import);
            }
        }
        for path in &about {
            for (importer, _) in graph.iter().filter(|(_, links)| links.local.contains(path)) {
                self.add(importer, Reason::Importer);
            }
        }
        for path in wanted.recent {
            self.add(path, Reason::Recent);
        }
        for path in matches(self.files, wanted.text, &found.mentions) {
            self.add(&path, Reason::Match);
        }
        let mut queue = VecDeque::from([wanted.entry.to_owned()]);
        let mut reached = BTreeSet::from([wanted.entry.to_owned()]);
        while let Some(path) = queue.pop_front() {
            for other in graph.get(&path).into_iter().flat_map(|links| &links.local) {
                self.add(other, Reason::Import);
                if reached.insert(other.clone()) {
                    queue.push_back(other.clone());
                }
            }
        }
        self.add("index.html", Reason::Config);
        let paths: Vec<&String> = self.files.keys().collect();
        for path in paths.iter().filter(|path| is_configuration(path)) {
            self.add(path, Reason::Config);
        }
        for path in paths {
            self.add(path, Reason::Fill);
        }
    }
}

fn is_configuration(path: &str) -> bool {
    is_root(path)
        && (["vite.config.", "tailwind.config.", "postcss.config."].iter().any(|start| path.starts_with(start))
            || (path.starts_with("tsconfig") && path.ends_with(".json")))
}

/// Files that have words of the text, the best first.
fn matches(files: &Files, text: &str, mentions: &[Mention]) -> Vec<String> {
    let words = words(text, mentions);
    let mut scored: Vec<(usize, &String)> = files
        .iter()
        .map(|(path, text)| {
            let (path_text, body) = (path.to_lowercase(), text.to_lowercase());
            let score = |word: &String| {
                IN_PATH * usize::from(path_text.contains(word.as_str()))
                    + IN_TEXT * usize::from(body.contains(word.as_str()))
            };
            (words.iter().map(score).sum(), path)
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, path)| path.clone()).collect()
}

fn words(text: &str, mentions: &[Mention]) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for c in text.chars() {
        let inside = mentions.iter().any(|one| one.start <= at && at < one.end);
        plain.push(if inside { ' ' } else { c });
        at += c.len_utf16();
    }
    let plain = plain.to_lowercase();
    let mut all: Vec<String> = Vec::new();
    for word in plain.split(|c: char| !c.is_alphanumeric()) {
        let is_word = word.chars().count() >= MIN_WORD_CHARS && !STOP_WORDS.contains(&word);
        if is_word && all.len() < MAX_WORDS && all.iter().all(|own| own != word) {
            all.push(word.to_owned());
        }
    }
    all
}
