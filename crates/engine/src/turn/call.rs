//! A call of the model: the body that goes through the gateway like any client's.

use holdpoint_gateway::wire::{Draft, Most, tools};
use holdpoint_kind::protocol::{ModelSetting, OnDisconnect, Prompt, Protocol};
use serde_json::Value;

/// A call ready to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub body: Value,
    /// For the log: numbers and names.
    pub facts: Value,
}

impl Call {
    pub(super) fn new(protocol: &dyn Protocol, model: &ModelSetting, prompt: &Prompt) -> Self {
        let most = prompt.max_output;
        let draft = Draft {
            model: &model.alias,
            messages: prompt.messages.iter().map(|said| (said.role.as_str(), said.content.as_str())).collect(),
            most: if prompt.temperature.is_some() { Most::Tokens(most) } else { Most::CompletionTokens(most) },
            temperature: prompt.temperature,
            schema: prompt.schema.clone().filter(|_| model.constrained),
            include_usage: protocol.on_disconnect() == OnDisconnect::Continue,
        };
        let mut body = draft.body();
        for tool in protocol.tools().iter().filter(|_| protocol.loops()) {
            let schema: Value = serde_json::from_str(tool.schema).expect("the schema of a tool is JSON");
            tools::offer(&mut body, tool.name, tool.about, &schema);
        }
        Self { body, facts: prompt.facts.clone() }
    }

    /// Which prompt it was, for the ledger.
    pub fn template(&self) -> Option<&str> {
        self.facts.get("template_id")?.as_str()
    }
}
