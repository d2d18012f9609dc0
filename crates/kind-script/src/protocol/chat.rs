//! A question in words: its reply is its answer (spec: script-tool.md §6 "Chat stream").

use holdpoint_tokens::Message;
use serde_json::Value;

use super::ask::ChatAsk;
use super::call::{self, Measures};
use holdpoint_kind::protocol::{Content, Feedback, ModelSetting, NoPrompt, Prompt, Reading, TurnRequest};

impl TurnRequest for ChatAsk {
    fn allows_remote(&self) -> bool {
        self.allows_remote
    }

    fn message(&self) -> &str {
        &self.message
    }

    fn measures(&self, model: &ModelSetting) -> Vec<(&'static str, String)> {
        Measures::chat(model, self).named()
    }

    fn compose(&self, model: &ModelSetting, history: &[Message]) -> Result<Prompt, NoPrompt> {
        call::chat(model, self, history)
    }

    fn read(&self, reply: &str, _: Option<&str>) -> Reading {
        Reading::Said(Content { words: reply.to_owned(), ..Content::default() })
    }

    fn feedback(&self, _: &ModelSetting, _: &[Message], _: &[Value]) -> Option<Feedback> {
        None
    }
}
