//! What a request means: run once, author, fork, or nothing that belongs here (spec: authoring.md §2).
//!
//! Owns the order of the rules; their words stand in `words.rs`, in English. Invariant: the first rule that fits
//! decides, and words never approve anything.
//!
//! ```
//! use holdpoint_kinds::ifc_extension::intent::classify;
//! use holdpoint_kinds::planning::{Intent, IntentContext};
//! let answer = classify("add a panel that lists doors", &IntentContext::default());
//! assert_eq!(answer.intent, Intent::Extension);
//! ```

mod words;

use unicode_normalization::UnicodeNormalization;

use crate::planning::{AskStage, Classification, Intent, IntentContext, Mode, PlanAction};

/// What the words ask for. Texts over [`crate::planning::MAX_TEXT_CHARS`] are the caller's to refuse (`INPUT_TOO_LARGE`).
pub fn classify(text: &str, context: &IntentContext) -> Classification {
    let text = normalise(text);
    match context.stage {
        AskStage::Chat => in_chat(&text, context),
        AskStage::Plan => at_plan(&text, context),
    }
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
    if words::ONCE.is_match(text) {
        return answer(Intent::OneShot, None, 0.95, &["run-once"]);
    }
    let (kept, negated) = without_negations(text);
    let named = named(&kept, context);
    if !named.is_empty() && words::CHANGES.is_match(&kept) {
        return fork(0.9, &["fork", "named"], &named, context);
    }
    if words::changes_artefact(&kept) || words::changes_part(&kept) || words::FORK_WORD.is_match(&kept) {
        return fork(0.85, &["fork"], &named, context);
    }
    if words::PROMOTE.is_match(&kept) {
        let mode = if context.has_script { Mode::A } else { Mode::B };
        return answer(Intent::Extension, Some(mode), 0.9, &["promote"]);
    }
    if words::creates(&kept) {
        return answer(Intent::Extension, Some(Mode::B), 0.85, &["create"]);
    }
    if words::PERSIST.is_match(&kept) {
        return answer(Intent::Extension, Some(Mode::B), 0.75, &["persist"]);
    }
    if negates_tool(&negated) {
        return answer(Intent::OneShot, None, 0.8, &["negated"]);
    }
    answer(Intent::OneShot, None, 0.6, &["default"])
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
    if words::ONCE.is_match(text) {
        return acted(Intent::OneShot, None, 0.95, "run-once", PlanAction::Reroute);
    }
    if words::CANCEL.is_match(text) {
        return acted(planned, mode, 0.95, "cancel", PlanAction::Cancel);
    }
    let (_, negated) = without_negations(text);
    if negates_tool(&negated) && words::WHOLE_TOOL.is_match(&negated) {
        return acted(Intent::OneShot, None, 0.8, "negated", PlanAction::Reroute);
    }
    acted(planned, mode, 0.8, "adjust", PlanAction::Adjust)
}

fn is_out_of_scope(text: &str) -> bool {
    words::OUT_OF_SCOPE.is_match(&words::BUILDING_WEATHER.replace_all(text, "building"))
}

/// The text without its negated clauses, and those clauses.
fn without_negations(text: &str) -> (String, String) {
    let text = words::NOT_FORGET.replace_all(text, "");
    let negated: Vec<&str> = words::NEGATED.find_iter(&text).map(|found| found.as_str()).collect();
    (words::NEGATED.replace_all(&text, "").into_owned(), negated.join(" . "))
}

fn negates_tool(negated: &str) -> bool {
    words::creates(negated)
        || words::WANTED.is_match(negated)
        || words::PROMOTE.is_match(negated)
        || words::PERSIST.is_match(negated)
}

/// Ids of the installed extensions whose name or id stands in the text as whole words.
fn named(text: &str, context: &IntentContext) -> Vec<String> {
    let stands = |name: &str| {
        let name = normalise(name);
        !name.is_empty()
            && text.match_indices(&name).any(|(start, found)| {
                let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
                edge(text[..start].chars().next_back()) && edge(text[start + found.len()..].chars().next())
            })
    };
    context.extensions.iter().filter(|it| stands(&it.name) || stands(&it.id)).map(|it| it.id.clone()).collect()
}

fn fork(confidence: f64, signals: &[&str], named: &[String], context: &IntentContext) -> Classification {
    let target = match (named, context.extensions.as_slice()) {
        ([one], _) => Some(one.clone()),
        (_, [only]) => Some(only.id.clone()),
        _ => None,
    };
    Classification { target, ..answer(Intent::Fork, Some(Mode::C), confidence, signals) }
}

fn answer(intent: Intent, mode: Option<Mode>, confidence: f64, signals: &[&str]) -> Classification {
    let signals = signals.iter().map(|&signal| signal.to_owned()).collect();
    Classification { intent, mode, confidence, signals, target: None, action: None }
}

#[cfg(test)]
mod tests;
