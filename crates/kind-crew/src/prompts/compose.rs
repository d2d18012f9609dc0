//! A prompt of eight layers and the conversation behind them (spec: ai-sessions.md §7.4).
//!
//! Invariants: same input in any order of members, same bytes; the person's words stand last and unchanged.

use holdpoint_bundle::text_hash;
use holdpoint_check::json::canonical;
use holdpoint_tokens::{Counting, Message};
use serde::Serialize;
use serde_json::json;

use super::domain::DomainProfile;
use super::layers::{PromptLayer, layers, template};
use super::request::ComposeRequest;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Composed {
    /// Which words were used for the mode.
    pub template: String,
    /// The system prompt in parts.
    pub layers: Vec<PromptLayer>,
    pub messages: Vec<Message>,
    /// The field that the model is told of.
    pub domain_profile: DomainProfile,
    /// `sha256:` of the messages' RFC 8785 JSON.
    pub signature: String,
    /// What the messages cost, as far as is known before a provider says so.
    pub tokens: u64,
}

pub fn compose(request: ComposeRequest, domain_profile: DomainProfile) -> Composed {
    let template = template(&request);
    let layers = layers(&request, &domain_profile);
    let headed = layers.iter().map(|layer| format!("[{} {}]\n{}", layer.layer_id, layer.title, layer.content));
    let earlier = request.summary.iter().map(|summary| format!("[Earlier conversation]\n{summary}"));
    let system: Vec<String> = headed.chain(earlier).collect();
    let system = if request.merge_system { vec![system.join("\n\n")] } else { system };
    let mut messages: Vec<Message> = system.into_iter().map(|text| Message::new("system", text)).collect();
    messages.extend(request.history);
    messages.push(Message::new("user", request.user_prompt));
    let tokens = Counting::ScriptAware.messages(messages.iter().map(|message| message.content.as_str())).tokens;
    let signature = text_hash(&canonical(&json!(messages)));
    Composed { template, layers, messages, domain_profile, signature, tokens }
}
