//! What a request means: run once, author, fork, or nothing that belongs here (spec: authoring.md §2).
//!
//! Owns the order of the rules; their words are data, a file a language (`words/*.json`). A text is read in the language
//! that it is in; that it does not belong here, or is to run once, is understood in each. Invariant: the first rule that
//! fits decides, and words never approve anything.
//!
//! ```
//! use holdpoint_kind_extension::intent::classify;
//! use holdpoint_kind_extension::planning::{Intent, IntentContext};
//! for text in ["add a panel that lists doors", "lägg till en panel som listar dörrar", "添加一个面板"] {
//!     assert_eq!(classify(text, &IntentContext::default()).intent, Intent::Extension);
//! }
//! ```

mod language;
#[cfg(test)]
mod measured;

use unicode_normalization::UnicodeNormalization;

use crate::planning::{
    AskStage, Classification, InstalledName, Intent, IntentContext, IntentReading, Mode, NearReadings, PlanAction,
};
pub use language::ENGLISH;
use language::{Asks, Language, is_han};

/// What stands for the name of an extension in patterns.
const NAMED: &str = "\u{e000}";
/// Readings that a person is asked to choose between, the new one beside them.
const MAX_READINGS: usize = 5;

/// What the words ask for. Texts over [`crate::planning::MAX_TEXT_CHARS`] are the caller's to refuse (`INPUT_TOO_LARGE`).
pub fn classify(text: &str, context: &IntentContext) -> Classification {
    let text = normalise(text);
    match context.stage {
        AskStage::Chat => in_chat(&text, context),
        AskStage::Plan => at_plan(&text, context),
    }
}

/// The English name of the language of a request; none where it is not clear.
pub fn language_of(text: &str) -> Option<&'static str> {
    language::name_of(&normalise(text))
}

/// NFKC, lower case, straight quotes, single spaces.
fn normalise(text: &str) -> String {
    let text: String = text
        .nfkc()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '`' | '\u{b4}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => '"',
            c => c,
        })
        .collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn in_chat(text: &str, context: &IntentContext) -> Classification {
    if text.is_empty() {
        return answer(Intent::OneShot, None, 0.5, &["empty"]);
    }
    if is_out_of_scope(text) {
        return answer(Intent::OutOfScope, None, 0.95, &["out-of-scope"]);
    }
    if is_once(text) {
        return answer(Intent::OneShot, None, 0.95, &["run-once"]);
    }
    let languages = language::of(text);
    let read = languages.iter().find_map(|language| in_language(language, text, context));
    read.unwrap_or_else(|| {
        let is_question = languages.iter().any(|language| language.is_question(text));
        let near = languages.first().filter(|_| !is_question).map(|language| once_or_tool(language));
        Classification { near, ..answer(Intent::OneShot, None, 0.6, &["default"]) }
    })
}

/// What is asked where words are neither a question nor a wish for a tool.
fn once_or_tool(language: &Language) -> NearReadings {
    let Asks { once_or_tool, once, tool, .. } = language.asks.clone();
    let reading = |says, intent, mode| IntentReading { says, intent, mode, target: None };
    let readings = vec![reading(once, Intent::OneShot, None), reading(tool, Intent::Extension, Some(Mode::B))];
    NearReadings { question: once_or_tool, readings }
}

/// Rules 4 to 9; none where none fits.
fn in_language(language: &Language, text: &str, context: &IntentContext) -> Option<Classification> {
    let (kept, negated) = language.without_negations(text);
    let creates = language.creates(&kept);
    let named: Vec<&InstalledName> = context.extensions.iter().filter(|it| stands(&kept, it)).collect();
    // "A panel that follows the selection" names no extension, also where one is called Selection.
    let is_target = |it: &&InstalledName| !creates || language.names_its_target(&marked(&kept, it));
    let targets: Vec<&InstalledName> = named.iter().copied().filter(is_target).collect();
    if !targets.is_empty() && language.changes_named(&kept) {
        return Some(fork(0.9, &["fork", "named"], &targets, (language, context)));
    }
    if language.changes(&kept) {
        return Some(fork(0.85, &["fork"], &targets, (language, context)));
    }
    if language.promotes(&kept) {
        let mode = if context.has_script { Mode::A } else { Mode::B };
        return Some(answer(Intent::Extension, Some(mode), 0.9, &["promote"]));
    }
    if creates {
        let near = again(&kept, language, context);
        return Some(Classification { near, ..answer(Intent::Extension, Some(Mode::B), 0.85, &["create"]) });
    }
    if language.persists(&kept) {
        return Some(answer(Intent::Extension, Some(Mode::B), 0.75, &["persist"]));
    }
    language.negates_tool(&negated).then(|| answer(Intent::OneShot, None, 0.8, &["negated"]))
}

fn at_plan(text: &str, context: &IntentContext) -> Classification {
    let planned = context.plan_intent.unwrap_or(Intent::Extension);
    let mode = match planned {
        Intent::Extension => Some(Mode::B),
        Intent::Fork => Some(Mode::C),
        Intent::OneShot | Intent::OutOfScope => None,
    };
    let acted = |intent, mode, confidence, signal, action| Classification {
        action: Some(action),
        ..answer(intent, mode, confidence, &[signal])
    };
    if is_out_of_scope(text) {
        return acted(Intent::OutOfScope, None, 0.95, "out-of-scope", PlanAction::Cancel);
    }
    if is_once(text) {
        return acted(Intent::OneShot, None, 0.95, "run-once", PlanAction::Reroute);
    }
    if language::all().any(|language| language.cancels(text)) {
        return acted(planned, mode, 0.95, "cancel", PlanAction::Cancel);
    }
    let is_unwanted = |language: &&Language| {
        let (_, negated) = language.without_negations(text);
        language.negates_tool(&negated) && language.is_whole_tool(&negated)
    };
    if language::of(text).iter().any(is_unwanted) {
        return acted(Intent::OneShot, None, 0.8, "negated", PlanAction::Reroute);
    }
    acted(planned, mode, 0.8, "adjust", PlanAction::Adjust)
}

fn is_out_of_scope(text: &str) -> bool {
    language::all().any(|language| language.is_out_of_scope(text))
}

fn is_once(text: &str) -> bool {
    language::all().any(|language| language.is_once(text))
}

/// Where a name stands in the text as whole words, in bytes.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_edge = |inside: Option<char>, outside: Option<char>| {
        let han = |c: char| is_han(c.encode_utf8(&mut [0; 4]));
        outside.is_none_or(|c| !c.is_alphanumeric() || han(c)) || inside.is_some_and(han)
    };
    let found = text.match_indices(name).filter(|_| !name.is_empty());
    found.map(|(start, _)| start).filter(move |start| {
        is_edge(name.chars().next(), text[..*start].chars().next_back())
            && is_edge(name.chars().next_back(), text[start + name.len()..].chars().next())
    })
}

/// Whether an extension's name or id stands in the text.
fn stands(text: &str, extension: &InstalledName) -> bool {
    [&extension.name, &extension.id].into_iter().any(|name| places(text, &normalise(name)).next().is_some())
}

/// The text with [`NAMED`] where the extension is named.
fn marked(text: &str, extension: &InstalledName) -> String {
    let mut marked = text.to_owned();
    for name in [&extension.id, &extension.name] {
        let name = normalise(name);
        let found: Vec<usize> = places(&marked, &name).collect();
        for start in found.into_iter().rev() {
            marked.replace_range(start..start + name.len(), NAMED);
        }
    }
    marked
}

fn fork(
    confidence: f64,
    signals: &[&str],
    named: &[&InstalledName],
    (language, context): (&Language, &IntentContext),
) -> Classification {
    let target = match (named, context.extensions.as_slice()) {
        ([one], _) => Some(one.id.clone()),
        (_, [only]) => Some(only.id.clone()),
        _ => None,
    };
    let could_be: Vec<&InstalledName> =
        if named.is_empty() { context.extensions.iter().collect() } else { named.to_vec() };
    let near = (target.is_none() && !could_be.is_empty()).then(|| near(&language.asks.which, &could_be, language));
    Classification { target, near, ..answer(Intent::Fork, Some(Mode::C), confidence, signals) }
}

/// The installed extensions that may be asked for again: every word of their name stands in the text.
fn again(text: &str, language: &Language, context: &IntentContext) -> Option<NearReadings> {
    let is_same = |it: &&InstalledName| {
        let name = normalise(&it.name);
        let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
        words.peek().is_some() && words.all(|word| places(text, word).next().is_some())
    };
    let same: Vec<&InstalledName> = context.extensions.iter().filter(is_same).collect();
    let first = same.first()?;
    Some(near(&language.asks.again.replace("{name}", &first.name), &same, language))
}

fn near(question: &str, could_be: &[&InstalledName], language: &Language) -> NearReadings {
    let change = |it: &&InstalledName| IntentReading {
        says: language.asks.change.replace("{name}", &it.name),
        intent: Intent::Fork,
        mode: Some(Mode::C),
        target: Some(it.id.clone()),
    };
    let create = IntentReading {
        says: language.asks.create.clone(),
        intent: Intent::Extension,
        mode: Some(Mode::B),
        target: None,
    };
    let readings = could_be.iter().take(MAX_READINGS).map(change).chain([create]).collect();
    NearReadings { question: question.to_owned(), readings }
}

fn answer(intent: Intent, mode: Option<Mode>, confidence: f64, signals: &[&str]) -> Classification {
    let signals = signals.iter().map(|&signal| signal.to_owned()).collect();
    Classification { intent, mode, confidence, signals, target: None, near: None, action: None }
}

#[cfg(test)]
mod tests;
