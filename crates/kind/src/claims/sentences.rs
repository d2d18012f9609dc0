//! Sentences of a summary: where they end, whether they tell of a change, and how a name is found in them.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;

/// Verbs of change of a language, and the words that take a claim back.
#[derive(Debug, Deserialize)]
struct Words {
    verbs: Vec<String>,
    hedges: Vec<String>,
}

static WORDS: LazyLock<BTreeMap<String, Words>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("words.json")).expect("the words that are compiled in are JSON")
});

/// A name that is looked for. One of several words counts in any case, one word as it is written.
#[derive(Debug)]
pub struct Name<'n> {
    /// As it stands in the bundle.
    pub text: &'n str,
    pub letters: Vec<char>,
    sought: String,
    any_case: bool,
}

impl<'n> Name<'n> {
    pub fn of(text: &'n str) -> Self {
        let any_case = text.contains(' ');
        let letters: Vec<char> = text.chars().map(|letter| if any_case { lower(letter) } else { letter }).collect();
        Self { text, sought: letters.iter().collect(), letters, any_case }
    }

    /// Whether it is written without any letter of a script that puts blanks between words.
    pub fn is_ideographic(&self) -> bool {
        self.letters.iter().all(|letter| is_ideograph(*letter))
    }
}

fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

#[derive(Debug)]
pub struct Sentence {
    pub letters: Vec<char>,
    /// The same in lower case, one for one.
    lower: Vec<char>,
    /// Both as texts: most names do not stand in them at all.
    texts: (String, String),
    /// It tells of a change.
    pub has_verb: bool,
    /// It denies, asks or supposes.
    pub is_hedged: bool,
}

impl Sentence {
    fn of(text: &str) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let lower: Vec<char> = letters.iter().copied().map(lower).collect();
        let texts = (text.to_owned(), lower.iter().collect());
        Self { letters, lower, texts, has_verb: false, is_hedged: text.trim_end().ends_with(['?', '？']) }
    }

    /// Whether a name stands anywhere.
    pub fn holds(&self, name: &Name<'_>) -> bool {
        let text = if name.any_case { &self.texts.1 } else { &self.texts.0 };
        text.contains(&name.sought)
    }

    /// Where a name stands from a place on.
    pub fn find(&self, name: &Name<'_>, from: usize) -> Option<usize> {
        let text = if name.any_case { &self.lower } else { &self.letters };
        let sought = &name.letters;
        let last = text.len().checked_sub(sought.len()).filter(|last| !sought.is_empty() && from <= *last)?;
        (from..=last).find(|at| text[*at] == sought[0] && text[*at..*at + sought.len()] == sought[..])
    }

    /// Whether a place stands between backticks, and nothing else with it.
    pub fn is_quoted(&self, place: &Range<usize>) -> bool {
        let before = place.start.checked_sub(1).map(|at| self.letters[at]);
        before == Some('`') && self.letters.get(place.end) == Some(&'`')
    }

    /// Whether a place is not inside a longer word. A point or hyphen joins two words only where both are there.
    pub fn is_whole(&self, place: &Range<usize>) -> bool {
        let joins = |inner: Option<char>, near: Option<char>, far: Option<char>| match (inner, near) {
            (Some(inner), Some(near)) if is_word(inner) && is_word(near) => true,
            (Some(_), Some(near)) if "-.:/_@".contains(near) => far.is_some_and(is_word),
            _ => false,
        };
        let at = |place: Option<usize>| place.and_then(|at| self.letters.get(at)).copied();
        let (first, last) = (at(Some(place.start)), at(Some(place.end - 1)));
        let before = joins(first, at(place.start.checked_sub(1)), at(place.start.checked_sub(2)));
        let after = joins(last, at(Some(place.end)), at(Some(place.end + 1)));
        !before && !after
    }

    fn has(&self, words: &[String]) -> bool {
        let text = &self.texts.1;
        let plain: HashSet<&str> = text.split(|letter: char| !is_word(letter) && letter != '\'').collect();
        words
            .iter()
            .any(|word| if is_spaced(word) { plain.contains(word.as_str()) } else { text.contains(word.as_str()) })
    }
}

/// A letter or digit of a script that puts blanks between words.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() && !is_ideograph(letter)
}

/// Whether a word is of such a script.
fn is_spaced(word: &str) -> bool {
    !word.chars().any(is_ideograph)
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The sentences of a text, judged by the words of a language; by those of all where it has no verb of that one.
pub fn sentences(text: &str, language: &str) -> Vec<Sentence> {
    let of_language = WORDS.get(language).map(|words| vec![words]).unwrap_or_default();
    let judged = judged(text, &of_language);
    if judged.iter().any(|sentence| sentence.has_verb) {
        judged
    } else {
        self::judged(text, &WORDS.values().collect::<Vec<_>>())
    }
}

fn judged(text: &str, words: &[&Words]) -> Vec<Sentence> {
    let mut all = Vec::new();
    for line in text.lines() {
        // A line that ends with a colon says of the list below it what it says itself.
        let is_item = is_item(line);
        let heads: Option<(bool, bool)> = all
            .last()
            .and_then(|(sentence, heads): &(Sentence, bool)| heads.then_some((sentence.has_verb, sentence.is_hedged)));
        for part in parts(line) {
            let mut sentence = Sentence::of(part);
            sentence.has_verb = words.iter().any(|words| sentence.has(&words.verbs));
            sentence.is_hedged |= words.iter().any(|words| sentence.has(&words.hedges));
            if let (true, Some((has_verb, is_hedged))) = (is_item, heads) {
                sentence.has_verb |= has_verb;
                sentence.is_hedged |= is_hedged;
            }
            let goes_on = part.trim_end().ends_with([':', '：']) || is_item && heads.is_some();
            all.push((sentence, goes_on));
        }
    }
    all.into_iter().map(|(sentence, _)| sentence).collect()
}

/// Whether a line is an item of a list.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    line.starts_with(['-', '*', '•', '·']) || number.len() < line.len() && number.starts_with(['.', ')'])
}

/// The sentences of a line; a full stop ends one where a blank follows.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    let mut quoted = false;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        quoted ^= letter == '`';
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends && !quoted {
            parts.push(&line[begin..at + letter.len_utf8()]);
            begin = at + letter.len_utf8();
        }
    }
    parts.push(&line[begin..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}
