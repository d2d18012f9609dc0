//! What it says is what it does: the names in a model's summary beside the objects that its change changes.
//!
//! A sentence claims an object when it has a verb of change and names it as whole words. What objects are, and what they are
//! called, the caller says. Verbs are data (`words.json`). Invariants: what is found is a warning and stops nothing; any
//! text has an answer; the work is bounded.

mod sentences;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::{Diagnostic, args, codes};

use sentences::{Name, Sentence, sentences};

codes! {
    /// a summary that says of an object that it changes, and it does not
    SUMMARY_CLAIMS_UNCHANGED: Warning, "Look at `{name}`: the summary says that it changes, and it does not." [name];
    /// an object that changes, and the summary does not say so
    SUMMARY_OMITS_CHANGE: Warning, "Look at `{object}`: it changes, and the summary does not say so." [object];
}

/// Characters of a summary that are looked at.
const MAX_CHARS: usize = 4_000;
/// Names that are looked for.
pub const MAX_NAMES: usize = 6_000;
/// Warnings of each kind.
const MAX_WARNINGS: usize = 20;
/// Names with fewer characters count in backticks only.
const LEAST_CHARS: usize = 3;
/// The same of a name in a script whose words are that short.
const LEAST_IDEOGRAPHS: usize = 2;

/// What an object may be called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimName {
    /// As it stands in the bundle.
    pub text: String,
    /// The key of what is called so.
    pub object: String,
}

/// An object that a change is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedObject {
    /// Its key.
    pub object: String,
    /// Its file.
    pub file: String,
    /// Whether a summary has to name it.
    pub needs_word: bool,
}

/// What a summary says and a change does not do, and the other way round. `language` is that of the reader; where the
/// summary has no verb of it, the verbs of all languages count.
pub fn claims(summary: &str, names: &[ClaimName], changed: &[ChangedObject], language: &str) -> Vec<Diagnostic> {
    let text: String = summary.chars().take(MAX_CHARS).collect();
    let sentences = sentences(&text, language);
    // One name may be that of several objects: it is true of any of them.
    let mut objects: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in names.iter().take(MAX_NAMES) {
        objects.entry(&name.text).or_default().push(&name.object);
    }
    let mut by_length: Vec<Name<'_>> = objects.keys().map(|name| Name::of(name)).collect();
    by_length.sort_by_key(|name| std::cmp::Reverse(name.letters.len()));
    let is_changed = |object: &str| changed.iter().any(|it| it.object == object);
    let nobody_says = sentences.iter().all(|sentence| !sentence.has_verb);
    let (mut claimed, mut told) = (BTreeSet::new(), BTreeSet::<&str>::new());
    for sentence in &sentences {
        for name in named(sentence, &by_length) {
            if sentence.has_verb || nobody_says {
                told.extend(&objects[name]);
            }
            if sentence.has_verb && !sentence.is_hedged {
                claimed.insert(name);
            }
        }
    }
    let unchanged = claimed.into_iter().filter(|name| !objects[name].iter().any(|object| is_changed(object)));
    let unchanged = unchanged.map(|name| Diagnostic::of(&SUMMARY_CLAIMS_UNCHANGED, args! { name }));
    let mut seen = BTreeSet::new();
    let is_omitted = |it: &&ChangedObject| it.needs_word && !told.contains(&it.object.as_str());
    let omitted = changed.iter().filter(is_omitted).filter(|it| seen.insert(it.object.as_str()));
    let omitted = omitted.map(|it| {
        let finding = Diagnostic::of(&SUMMARY_OMITS_CHANGE, args! { object: it.object });
        finding.in_file(&it.file)
    });
    unchanged.take(MAX_WARNINGS).chain(omitted.take(MAX_WARNINGS)).collect()
}

/// The names in a sentence, the longest first; what is a part of a longer name does not count.
fn named<'n>(sentence: &Sentence, names: &[Name<'n>]) -> Vec<&'n str> {
    let mut taken = vec![false; sentence.letters.len()];
    let mut found = Vec::new();
    for name in names.iter().filter(|name| sentence.holds(name)) {
        let length = name.letters.len();
        let least = if name.is_ideographic() { LEAST_IDEOGRAPHS } else { LEAST_CHARS };
        let mut from = 0;
        let mut is_there = false;
        while let Some(at) = sentence.find(name, from) {
            let place = at..at + length;
            from = at + 1;
            let is_free = !taken[place.clone()].iter().any(|taken| *taken);
            let counts = length >= least || sentence.is_quoted(&place);
            if is_free && counts && sentence.is_whole(&place) {
                taken[place].fill(true);
                is_there = true;
            }
        }
        if is_there {
            found.push(name.text);
        }
    }
    found
}
