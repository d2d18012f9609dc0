//! A plan in words, for the chat and for people who read no JSON.

use holdpoint_sdk::capability::parse;
use serde_json::Value;

use super::{items, member};

/// The plan as plain text; what is missing or of the wrong type is left out.
pub fn text(plan: &Value) -> String {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(["summary", "rationale"].iter().filter_map(|name| Some(member(plan, name)?.trim().to_owned())));
    let mut list = |title: &str, rows: Vec<String>| {
        if !rows.is_empty() {
            lines.push(format!("\n{title}"));
            lines.extend(rows.into_iter().map(|row| format!("- {row}")));
        }
    };
    let rows = |name: &str, row: fn(&Value) -> Option<String>| -> Vec<String> {
        items(plan, name).filter_map(|(_, item)| row(item)).collect()
    };
    list("It adds", rows("contributions", contribution));
    list(
        "It may",
        rows("capabilities", |item| {
            let text = item.as_str()?;
            Some(parse(text).map_or_else(|_| text.to_owned(), |capability| capability.said().message))
        }),
    );
    list("It starts on", rows("triggers", |item| item.as_str().map(str::to_owned)));
    list(
        "It shows",
        rows("widgets", |item| Some(format!("{}: {}", member(item, "path")?, member(item, "description")?))),
    );
    list(
        "Its tests",
        rows("tests", |item| {
            let summary = member(item, "assertionSummary").unwrap_or_default();
            Some(format!("{} on {}: {summary}", member(item, "name")?, member(item, "fixture")?))
        }),
    );
    if let Some(notes) = member(plan, "notes").filter(|notes| !notes.trim().is_empty()) {
        lines.push(format!("\nNotes: {}", notes.trim()));
    }
    lines.join("\n")
}

fn contribution(item: &Value) -> Option<String> {
    let (kind, label) = (member(item, "kind")?, member(item, "label")?);
    let noun = match kind {
        "command" => "a command",
        "toolbar" => "a toolbar button",
        "dock" => "a panel",
        "contextMenu" => "a context menu entry",
        "keybinding" => "a shortcut",
        "lens" => "a lens",
        "exporter" => "an exporter",
        "idsValidator" => "a validator",
        "statusBar" => "a status bar item",
        other => other,
    };
    let place = ["slot", "key", "format"].iter().find_map(|name| member(item, name));
    Some(place.map_or_else(|| format!("{label}, {noun}"), |place| format!("{label}, {noun} ({place})")))
}
