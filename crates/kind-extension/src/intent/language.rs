//! The rules of one language, as data over normalised text: `words/*.json`, one file a language, all of one shape.
//!
//! Owns how a file becomes patterns, which language a text is in, and what makes a found artefact one: no part of the
//! model (`panel heights`), no verb (`and export it`). Invariant: patterns are linear-time, and a text is searched a
//! bounded number of times.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex, RegexSet};
use serde::Deserialize;

use super::NAMED;

/// One file, as it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// Pieces of patterns: `{name}` in a pattern stands for the piece.
    define: BTreeMap<String, String>,
    /// Words by which the language is known.
    known_by: String,
    /// Words of the field that hold a word of `out_of_scope`.
    harmless: String,
    out_of_scope: Vec<String>,
    once: Vec<String>,
    /// Negations that are none: "don't forget to".
    not_negated: Vec<String>,
    /// A negation and what it takes with it.
    negated: Vec<String>,
    /// Verbs that change an extension that is named.
    changes_named: Vec<String>,
    /// Where a name (`NAME`) is what the verb is about.
    named_as_target: Vec<String>,
    /// A change of something that exists: group `artefact`, and `gap` where words stand before it.
    changes: Vec<String>,
    /// What stands in no `gap`: behind it another phrase begins.
    gap_refused: String,
    promote: Vec<String>,
    creates: Vec<String>,
    persist: Vec<String>,
    /// A negation that is about a tool.
    unwanted: Vec<String>,
    /// The same at the plan: about the tool as a whole.
    whole_tool: Vec<String>,
    cancel: Vec<String>,
    /// Attributes: behind an artefact they make it a part of the model.
    model_parts: Vec<String>,
    /// Things of a model that are called like an artefact, up to its last letter.
    model_things: String,
    /// Artefacts that are verbs too, and the words behind which they are.
    verbs_too: Vec<String>,
    before_verbs: Vec<String>,
    /// What is answered at once: a question, or a wish to be told.
    questions: Vec<String>,
    /// Wishes that are put as a question, and want something done.
    deeds: Vec<String>,
    /// Questions and answers where two readings are near; `{name}` is that of an extension.
    asks: Asks,
}

/// What a person is asked, in his language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asks {
    /// An installed extension may do it already.
    pub again: String,
    pub which: String,
    /// The answer that an extension is to be changed.
    pub change: String,
    /// The answer that a new one is wanted.
    pub create: String,
    /// Words that are neither a question nor a wish for a tool.
    pub once_or_tool: String,
    pub once: String,
    pub tool: String,
}

/// The rules of a language.
pub struct Language {
    known_by: Regex,
    harmless: Regex,
    out_of_scope: RegexSet,
    once: RegexSet,
    not_negated: Regex,
    negated: Regex,
    changes_named: RegexSet,
    named_as_target: RegexSet,
    changes: Vec<Regex>,
    gap_refused: Regex,
    promote: RegexSet,
    creates: Vec<Regex>,
    persist: RegexSet,
    unwanted: RegexSet,
    whole_tool: RegexSet,
    cancel: RegexSet,
    model_parts: Vec<String>,
    model_things: Regex,
    verbs_too: Vec<String>,
    before_verbs: Vec<String>,
    questions: RegexSet,
    deeds: RegexSet,
    /// What a person is asked.
    pub asks: Asks,
    /// Its name in English, for a model.
    pub name: &'static str,
}

/// The language of the prompts.
pub const ENGLISH: &str = "English";
/// All languages; where nothing tells them apart, the first.
static LANGUAGES: [LazyLock<Language>; 4] = [
    LazyLock::new(|| Language::read(ENGLISH, include_str!("words/en.json"))),
    LazyLock::new(|| Language::read("Swedish", include_str!("words/sv.json"))),
    LazyLock::new(|| Language::read("German", include_str!("words/de.json"))),
    LazyLock::new(|| Language::read("Chinese", include_str!("words/zh.json"))),
];
/// Those of scripts that have their own; wide ones are narrow by now.
const QUESTION_MARKS: [char; 4] = ['?', '؟', '՞', '፧'];
/// Finds of one pattern that are looked at before it counts as not fitting.
const MAX_FINDS: usize = 64;

pub fn all() -> impl Iterator<Item = &'static Language> {
    LANGUAGES.iter().map(|language| &**language)
}

/// The languages that a text may be in: those of which it has most words; all where it has none of any.
pub fn of(text: &str) -> Vec<&'static Language> {
    let known = |language: &Language| language.known_by.find_iter(text).count();
    let most = all().map(known).max().unwrap_or_default();
    all().filter(|language| known(language) == most).collect()
}

/// The language of a text for a model; none where it is not clear.
pub fn name_of(text: &str) -> Option<&'static str> {
    match of(text).as_slice() {
        [one] => Some(one.name),
        _ => None,
    }
}

impl Language {
    fn read(name: &'static str, json: &str) -> Self {
        let words: Words = serde_json::from_str(json).expect("a file of words has the one shape");
        let whole = |text: &str| -> String {
            // A piece may hold pieces that stand before it in the file of words.
            let once = |text: String| {
                words.define.iter().fold(text, |it, (name, piece)| it.replace(&format!("{{{name}}}"), piece))
            };
            once(once(text.to_owned())).replace("NAME", NAMED)
        };
        let one = |text: &str| Regex::new(&whole(text)).expect("a constant pattern is valid");
        let any = |texts: &[String]| one(&texts.iter().map(|text| format!("(?:{text})")).collect::<Vec<_>>().join("|"));
        let set = |texts: &[String]| {
            RegexSet::new(texts.iter().map(|text| whole(text))).expect("constant patterns are valid")
        };
        let each = |texts: &[String]| texts.iter().map(|text| one(text)).collect();
        Self {
            known_by: one(&words.known_by),
            harmless: one(&words.harmless),
            out_of_scope: set(&words.out_of_scope),
            once: set(&words.once),
            not_negated: any(&words.not_negated),
            negated: any(&words.negated),
            changes_named: set(&words.changes_named),
            named_as_target: set(&words.named_as_target),
            changes: each(&words.changes),
            gap_refused: one(&words.gap_refused),
            promote: set(&words.promote),
            creates: each(&words.creates),
            persist: set(&words.persist),
            unwanted: set(&words.unwanted),
            whole_tool: set(&words.whole_tool),
            cancel: set(&words.cancel),
            model_things: one(&words.model_things),
            model_parts: words.model_parts,
            verbs_too: words.verbs_too,
            before_verbs: words.before_verbs,
            questions: set(&words.questions),
            deeds: set(&words.deeds),
            asks: words.asks,
            name,
        }
    }

    /// Rule 2: nothing that belongs here.
    pub fn is_out_of_scope(&self, text: &str) -> bool {
        self.out_of_scope.is_match(&self.harmless.replace_all(text, "building"))
    }

    /// Rule 3: to run once.
    pub fn is_once(&self, text: &str) -> bool {
        self.once.is_match(text)
    }

    /// A wish to be told something, and not to have something done.
    pub fn is_question(&self, text: &str) -> bool {
        !self.deeds.is_match(text) && (text.contains(QUESTION_MARKS) || self.questions.is_match(text))
    }

    /// The text without its negated clauses, and those clauses.
    pub fn without_negations(&self, text: &str) -> (String, String) {
        let text = self.not_negated.replace_all(text, "");
        let negated: Vec<&str> = self.negated.find_iter(&text).map(|found| found.as_str()).collect();
        (self.negated.replace_all(&text, "").into_owned(), negated.join(" . "))
    }

    /// Rule 4: a verb of change, or one that adds or removes.
    pub fn changes_named(&self, text: &str) -> bool {
        self.changes_named.is_match(text)
    }

    /// Whether [`NAMED`] in the text is what is changed.
    pub fn names_its_target(&self, text: &str) -> bool {
        self.named_as_target.is_match(text)
    }

    /// Rule 5: a change of something that exists.
    pub fn changes(&self, text: &str) -> bool {
        self.finds(&self.changes, text)
    }

    /// Rule 6: a script or an answer is to be kept.
    pub fn promotes(&self, text: &str) -> bool {
        self.promote.is_match(text)
    }

    pub fn creates(&self, text: &str) -> bool {
        self.finds(&self.creates, text)
    }

    /// Rule 8: something that happens again and again.
    pub fn persists(&self, text: &str) -> bool {
        self.persist.is_match(text)
    }

    /// Rule 9: whether negated clauses are about a tool.
    pub fn negates_tool(&self, negated: &str) -> bool {
        self.creates(negated) || self.unwanted.is_match(negated) || self.promotes(negated) || self.persists(negated)
    }

    /// At the plan: whether they are about the tool as a whole.
    pub fn is_whole_tool(&self, negated: &str) -> bool {
        self.whole_tool.is_match(negated)
    }

    pub fn cancels(&self, text: &str) -> bool {
        self.cancel.is_match(text)
    }

    /// Whether a pattern fits at an artefact that is one. One that is none is covered, and what stands behind it counts.
    fn finds(&self, patterns: &[Regex], text: &str) -> bool {
        patterns.iter().any(|pattern| {
            let mut text = text.to_owned();
            for _ in 0..MAX_FINDS {
                let covered = match pattern.captures(&text) {
                    None => return false,
                    Some(found) if self.is_artefact(&text, &found) => return true,
                    Some(found) => found.name("artefact").map_or(0..0, |it| it.range()),
                };
                if covered.is_empty() {
                    return false;
                }
                let blank = "_".repeat(covered.len());
                text.replace_range(covered, &blank);
            }
            false
        })
    }

    fn is_artefact(&self, text: &str, found: &Captures<'_>) -> bool {
        let Some(artefact) = found.name("artefact") else { return true };
        if found.name("gap").is_some_and(|gap| self.gap_refused.is_match(gap.as_str())) {
            return false;
        }
        let (before, rest) = (&text[..artefact.start()], &text[artefact.end()..]);
        let next = rest.trim_start_matches([' ', '-', '的']);
        let word: String = next.chars().take_while(|c| c.is_alphanumeric()).collect();
        let is_part = |part: &String| word == *part || is_han(part) && word.starts_with(part.as_str());
        if rest.len() > next.len() && self.model_parts.iter().any(is_part)
            || is_han(artefact.as_str()) && self.model_parts.iter().any(is_part)
            || self.model_things.is_match(&text[..artefact.end()])
        {
            return false;
        }
        if !self.verbs_too.iter().any(|verb| artefact.as_str().trim_end_matches('s') == verb.trim_end_matches('s')) {
            return true;
        }
        let last = before.trim_end().rsplit([' ', ',', '.', ';', '!', '?']).next().unwrap_or("");
        let is_verb = before.ends_with(' ') && self.before_verbs.iter().any(|word| word == last);
        !is_verb && (!is_han(artefact.as_str()) || !is_han(&word))
    }
}

/// Whether a text begins with a Han character: no blanks tell its words apart.
pub fn is_han(text: &str) -> bool {
    text.chars().next().is_some_and(|c| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}'))
}
