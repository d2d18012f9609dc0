//! A streamed answer put together again: the words, calls and end of its first choice.

use super::chunk::{Chunk, ToolCall};
use super::error::Error;
use super::usage::{Reported, Usage};

/// Calls of one answer; what goes beyond is not put together.
const MAX_TOOLS: usize = 300;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// Content, or why there is none.
    pub text: String,
    pub tools: Vec<Tool>,
    pub finish: Option<String>,
    reported: Option<Reported>,
    /// Ended as the protocol says: by its own word for the end, or with a finish reason.
    pub complete: bool,
    pub error: Option<Error>,
}

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tool {
    pub id: String,
    pub name: String,
    /// JSON text, if the model wrote it well.
    pub arguments: String,
}

impl Reply {
    pub fn take(&mut self, chunk: Chunk) {
        self.complete |= chunk.done;
        if let Some(counters) = &chunk.usage {
            let mut reported = self.reported.unwrap_or_default();
            if reported.take(counters) {
                self.reported = Some(reported);
            }
        }
        if let Some(choice) = chunk.first() {
            choice.message.words().for_each(|text| self.text.push_str(text));
            for call in &choice.message.tool_calls {
                self.tool(call);
            }
            if let Some(finish) = &choice.finish {
                self.finish = Some(finish.clone());
                self.complete = true;
            }
        }
        if chunk.error.is_some() {
            self.error = chunk.error;
        }
    }

    fn tool(&mut self, call: &ToolCall) {
        let index = call.index.and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
        if index >= MAX_TOOLS {
            return;
        }
        if self.tools.len() <= index {
            self.tools.resize_with(index + 1, Tool::default);
        }
        let tool = &mut self.tools[index];
        if let Some(id) = call.id.as_ref().filter(|_| tool.id.is_empty()) {
            tool.id.clone_from(id);
        }
        tool.name.push_str(call.name.as_deref().unwrap_or_default());
        tool.arguments.push_str(call.arguments.as_deref().unwrap_or_default());
    }

    /// What the provider reported, if it did.
    pub fn usage(&self) -> Option<Usage> {
        self.reported.map(|reported| reported.usage)
    }

    /// Whether nothing of an answer came.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.tools.is_empty()
    }
}
