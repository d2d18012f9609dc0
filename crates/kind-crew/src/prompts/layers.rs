//! The eight layers of the system prompt: their words, and how they are filled (spec: ai-sessions.md §7.4).
//!
//! The words are data, as the specification fixes them. A layer holds a part or not; the parts that it holds come in
//! one order. Invariant: what is put into a placeholder is not looked at again.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use holdpoint_check::code::say;
use holdpoint_check::json::canonical;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::domain::DomainProfile;
use super::request::ComposeRequest;

/// The words, as the specification fixes them.
#[derive(Debug, Deserialize)]
pub struct Words {
    layers: Vec<SourceLayer>,
    /// What a person wants who says nothing.
    pub default_user_prompt: String,
    /// The field of a project of which nothing is known.
    pub fallback_domain: Fallback,
}

#[derive(Debug, Deserialize)]
pub struct Fallback {
    pub industry_domain: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SourceLayer {
    layer_id: String,
    title: String,
    required: bool,
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    lines: Vec<Line>,
    #[serde(default, rename = "org_heading")]
    org_heading: Option<String>,
    #[serde(default, rename = "by_target")]
    by_target: BTreeMap<String, String>,
    #[serde(default, rename = "by_template")]
    by_template: BTreeMap<String, String>,
    #[serde(default, rename = "paths_heading")]
    paths_heading: Option<String>,
    #[serde(default)]
    open: Option<String>,
    #[serde(default)]
    close: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Line {
    when: String,
    text: String,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    serde_json::from_str(include_str!("words/crew-layers.json")).expect("the words that are compiled in are JSON")
});

pub fn words() -> &'static Words {
    &WORDS
}

/// A layer as a host shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptLayer {
    pub layer_id: &'static str,
    pub title: &'static str,
    pub required: bool,
    pub content: String,
}

/// The name of the words for a target and a mode.
pub fn template(request: &ComposeRequest) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    capital(request.target_type.name()) + &capital(request.mode.name())
}

/// The layers of a request, in their order.
pub fn layers(request: &ComposeRequest, profile: &DomainProfile) -> Vec<PromptLayer> {
    let values = values(request, profile);
    let layer = |source: &'static SourceLayer| PromptLayer {
        layer_id: &source.layer_id,
        title: &source.title,
        required: source.required,
        content: parts(source, request, profile, &values).join("\n"),
    };
    words().layers.iter().map(layer).collect()
}

fn parts(
    source: &SourceLayer,
    request: &ComposeRequest,
    profile: &DomainProfile,
    values: &Map<String, Value>,
) -> Vec<String> {
    let mut parts: Vec<String> = source.content.iter().map(|text| say(text, values)).collect();
    let told = source.lines.iter().filter(|line| is_told(&line.when, profile));
    parts.extend(told.map(|line| say(&line.text, values)));
    listed(&mut parts, source.org_heading.as_ref(), &request.rules);
    parts.extend(source.by_target.get(request.target_type.name()).cloned());
    parts.extend(source.by_template.get(&template(request)).cloned());
    listed(&mut parts, source.paths_heading.as_ref(), &request.paths);
    if let (Some(open), Some(close)) = (&source.open, &source.close) {
        parts.extend([open.clone(), request.envelope.digest(), close.clone()]);
    }
    parts
}

fn listed<'i>(parts: &mut Vec<String>, heading: Option<&String>, items: impl IntoIterator<Item = &'i String>) {
    let Some(heading) = heading else { return };
    let mut items = items.into_iter().map(|item| format!("- {item}")).peekable();
    if items.peek().is_some() {
        parts.push(heading.clone());
        parts.extend(items);
    }
}

fn list<'p>(name: &str, profile: &'p DomainProfile) -> &'p [String] {
    match name {
        "target_users" => &profile.target_users,
        "core_pain_points" => &profile.core_pain_points,
        "expected_outcomes" => &profile.expected_outcomes,
        "quality_style" => &profile.quality_style,
        _ => &[],
    }
}

fn is_told(when: &str, profile: &DomainProfile) -> bool {
    when == "always" || !list(when, profile).is_empty()
}

/// What stands in the placeholders.
fn values(request: &ComposeRequest, profile: &DomainProfile) -> Map<String, Value> {
    let mut values: Vec<(&str, String)> = vec![
        ("target_type", request.target_type.name().to_owned()),
        ("mode", request.mode.name().to_owned()),
        ("write_policy", canonical(&json!({"allowApply": false, "requiresValidation": true}))),
        ("tools", request.tools.join(", ")),
        ("industry_domain", profile.industry_domain.clone()),
        ("source", profile.source.name().to_owned()),
        ("confidence", canonical(&json!(profile.confidence))),
    ];
    let lists = ["target_users", "core_pain_points", "expected_outcomes", "quality_style"];
    values.extend(lists.map(|name| (name, list(name, profile).join("; "))));
    values.into_iter().map(|(name, text)| (name.to_owned(), Value::from(text))).collect()
}
