//! What a host does with the result of a lens, an exporter or a validator (spec: ifc-sdk.md §1).
//!
//! Pure: a result becomes effects that a host has anyway, or it is no such result and the call failed.

use holdpoint_check::{Sentence, args};
use serde_json::{Map, Value, json};

use crate::{
    codes::{EXPORTER, LENS, VALIDATOR},
    run::{EntryKind, Failure, Outcome, Saved},
};

/// Turns the result of a lens into colours and that of an exporter into a file; judges that of a validator.
pub fn hosted(mut outcome: Outcome, kind: EntryKind, saved: Option<&Saved>) -> Outcome {
    let Some(value) = &outcome.value else { return outcome };
    let done = match kind {
        EntryKind::Lens => lens(value).map(|colours| outcome.effects.viewer.extend(colours)),
        EntryKind::Exporter => exporter(value, saved).map(|file| outcome.effects.exports.push(file)),
        EntryKind::IdsValidator => validator(value),
        _ => Ok(()),
    };
    if let Err(said) = done {
        outcome.value = None;
        outcome.failure = Some(Failure::from(said));
    }
    outcome
}

/// One `colorize` a colour and label, in order of first appearance.
fn lens(value: &Value) -> Result<Vec<Value>, Sentence> {
    let refused = || Sentence::of(&LENS, args! { shape: "`{ref, color, label?}`" });
    let mut groups: Vec<(String, Option<String>, Vec<Value>)> = Vec::new();
    for item in value.as_array().ok_or_else(refused)? {
        let color = item.get("color").and_then(Value::as_str).ok_or_else(refused)?.to_lowercase();
        let label = item.get("label").and_then(Value::as_str).map(str::to_owned);
        let reference = item.get("ref").filter(|reference| reference.is_object()).ok_or_else(refused)?.clone();
        match groups.iter_mut().find(|group| group.0 == color && group.1 == label) {
            Some(group) => group.2.push(reference),
            None => groups.push((color, label, vec![reference])),
        }
    }
    let entry = |(color, label, refs): (String, Option<String>, Vec<Value>)| json!({"op": "colorize", "count": refs.len(), "color": color, "label": label, "refs": refs});
    Ok(groups.into_iter().map(entry).collect())
}

fn exporter(value: &Value, saved: Option<&Saved>) -> Result<Value, Sentence> {
    let refused = || Sentence::of(&EXPORTER, args! { shape: "`{content, filename?}`" });
    let text = value.get("content").and_then(Value::as_str).ok_or_else(refused)?;
    let (ending, mime_type, name) = match saved {
        Some(saved) => (saved.ending.as_str(), saved.mime_type.as_str(), saved.name.as_str()),
        None => ("txt", "text/plain", "export"),
    };
    let asked = value.get("filename").and_then(Value::as_str).unwrap_or(name);
    let entry = [
        ("filename", json!(file_name(asked, ending))),
        ("format", json!(ending)),
        ("mimeType", json!(mime_type)),
        ("text", json!(text)),
        ("bytes", json!(text.len())),
    ];
    Ok(Value::Object(entry.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>()))
}

/// One segment with the contribution's own ending; what no file name may hold becomes `-`.
fn file_name(asked: &str, ending: &str) -> String {
    /// It counts the characters of the stem.
    const MAX_STEM_CHARS: usize = 100;
    let dotted = format!(".{ending}");
    let stem = if asked.to_lowercase().ends_with(&dotted) { &asked[..asked.len() - dotted.len()] } else { asked };
    let kept =
        |character: char| if character.is_control() || "/\\:*?\"<>|".contains(character) { '-' } else { character };
    let stem: String = stem.chars().take(MAX_STEM_CHARS).map(kept).collect();
    let stem = stem.trim_matches(['.', ' ']);
    format!("{}{dotted}", if stem.is_empty() { "export" } else { stem })
}

fn validator(value: &Value) -> Result<(), Sentence> {
    let fits = |item: &Value| {
        item.get("ref").is_some_and(Value::is_object)
            && item.get("ok").is_some_and(Value::is_boolean)
            && item.get("message").is_none_or(|message| message.is_string() || message.is_null())
    };
    let all = value.as_array().is_some_and(|items| items.iter().all(fits));
    if all { Ok(()) } else { Err(Sentence::of(&VALIDATOR, args! { shape: "`{ref, ok, message?}`" })) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(value: Value) -> Outcome {
        Outcome { value: Some(value), ..Outcome::default() }
    }

    #[test]
    fn a_lens_becomes_one_colour_a_label() {
        let one = |id: u32, color: &str, label: &str| json!({"ref": {"modelId": "m", "expressId": id}, "color": color, "label": label});
        let done = hosted(
            outcome(json!([one(1, "RED", "a"), one(2, "blue", "b"), one(3, "red", "a")])),
            EntryKind::Lens,
            None,
        );
        let have: Vec<Value> =
            done.effects.viewer.iter().map(|entry| json!([entry["color"], entry["label"], entry["count"]])).collect();
        assert_eq!(have, [json!(["red", "a", 2]), json!(["blue", "b", 1])]);
        for wrong in [json!({}), json!([{"ref": {}}]), json!([{"ref": 1, "color": "red"}])] {
            let done = hosted(outcome(wrong.clone()), EntryKind::Lens, None);
            assert_eq!(done.failure.map(|failure| failure.code).as_deref(), Some("RESULT_SHAPE"), "{wrong}");
        }
    }

    #[test]
    fn an_exporter_becomes_a_file_with_its_ending() {
        let saved = Saved { ending: "csv".to_owned(), mime_type: "text/csv".to_owned(), name: "Doors".to_owned() };
        for (value, name) in [
            (json!({"content": "a"}), "Doors.csv"),
            (json!({"content": "a", "filename": "x.CSV"}), "x.csv"),
            (json!({"content": "a", "filename": "../x.txt"}), "-x.txt.csv"),
            (json!({"content": "a", "filename": "…".repeat(300)}), &format!("{}.csv", "…".repeat(100))),
            (json!({"content": "a", "filename": ".."}), "export.csv"),
        ] {
            let done = hosted(outcome(value), EntryKind::Exporter, Some(&saved));
            assert_eq!(
                (&done.effects.exports[0]["filename"], &done.effects.exports[0]["bytes"]),
                (&json!(name), &json!(1))
            );
        }
        assert!(hosted(outcome(json!("text")), EntryKind::Exporter, Some(&saved)).failure.is_some());
    }

    #[test]
    fn a_validator_answers_a_verdict_each() {
        let fine = json!([{"ref": {"modelId": "m", "expressId": 1}, "ok": false, "message": "no name"}]);
        assert_eq!(hosted(outcome(fine.clone()), EntryKind::IdsValidator, None).value, Some(fine));
        assert!(hosted(outcome(json!([{"ref": {}, "ok": 1}])), EntryKind::IdsValidator, None).failure.is_some());
    }
}
