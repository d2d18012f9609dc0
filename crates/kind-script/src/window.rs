//! `history.window`: which messages of a thread the next call may carry (spec: script-tool.md §8).
//!
//! Invariants: the system prompt is never cut; the newest message is never cut; what is kept is a suffix that does not
//! begin with an assistant message.

use holdpoint_check::{ApiError, args, codes};
use serde::Serialize;
use serde_json::{Value, json};

use super::tokens::{self, Message};
use holdpoint_tokens::Counting;

/// What a window is made of.
#[derive(Debug, Clone, Copy)]
pub struct WindowInput<'r> {
    pub method: Counting,
    /// Tokens for system prompt, history and message.
    pub budget: u64,
    /// The system prompt; may be empty.
    pub system: &'r str,
    /// Most tokens of the system prompt.
    pub system_cap: Option<u64>,
    /// Ordered with the oldest first.
    pub messages: &'r [Message],
    /// The newest message, or the payload that stands for it.
    pub user: &'r str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Window {
    /// Indexes of the messages, a suffix.
    pub kept: Vec<usize>,
    /// How many are left out.
    pub dropped: usize,
    /// How the budget is used.
    pub tokens: Use,
}

/// How a budget is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Use {
    pub budget: u64,
    pub system: u64,
    pub user: u64,
    pub history: u64,
    pub free: u64,
}

codes! {
    SYSTEM_OVER_BUDGET: Error,
        "the instructions need {system} tokens of {system_cap}: shorten what the host adds, or raise the cap"
        [system, system_cap];
    MESSAGE_OVER_BUDGET / TOKENS: Error,
        "this needs {needed} tokens of {budget}: shorten the message or the files, or start a new chat"
        [needed, budget];
}

/// Why nothing can be sent. The stored thread stays as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.answer().message)]
pub enum WindowError {
    System { system: u64, system_cap: u64 },
    Message { budget: u64, system: u64, user: u64 },
}

impl WindowError {
    pub fn answer(self) -> ApiError {
        let answer = match self {
            Self::System { system, system_cap } => ApiError::of(&SYSTEM_OVER_BUDGET, args! { system, system_cap }),
            Self::Message { budget, system, user } => ApiError::of(&TOKENS, args! { needed: system + user, budget }),
        };
        answer.with_details(self.details())
    }

    pub fn details(self) -> Value {
        match self {
            Self::System { system, system_cap } => json!({ "system": system, "system_cap": system_cap }),
            Self::Message { budget, system, user } => json!({ "budget": budget, "system": system, "user": user }),
        }
    }
}

/// The window of a call.
pub fn window(request: &WindowInput<'_>) -> Result<Window, WindowError> {
    let (system, user) = fixed(request)?;
    let costs: Vec<u64> = request
        .messages
        .iter()
        .map(|message| tokens::message(request.method, &message.role, &message.content))
        .collect();
    let room = request.budget - system - user;
    let mut history: u64 = costs.iter().sum();
    let mut first = 0;
    while history > room {
        history -= costs[first];
        first += 1;
    }
    while request.messages.get(first).is_some_and(|message| message.role == "assistant") {
        history -= costs[first];
        first += 1;
    }
    Ok(Window {
        kept: (first..costs.len()).collect(),
        dropped: first,
        tokens: Use { budget: request.budget, system, user, history, free: room - history },
    })
}

/// Tokens of what is always sent; their sum is less than the budget.
fn fixed(request: &WindowInput<'_>) -> Result<(u64, u64), WindowError> {
    let system = tokens::message(request.method, "system", request.system);
    if let Some(system_cap) = request.system_cap.filter(|cap| system > *cap) {
        return Err(WindowError::System { system, system_cap });
    }
    let user = tokens::message(request.method, "user", request.user);
    if system + user >= request.budget {
        return Err(WindowError::Message { budget: request.budget, system, user });
    }
    Ok((system, user))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn request<'r>(budget: u64, messages: &'r [Message], user: &'r str) -> WindowInput<'r> {
        WindowInput { method: Counting::Chars4, budget, system: "", system_cap: None, messages, user }
    }

    #[test]
    fn the_newest_message_needs_room_for_one_token_more() {
        assert!(window(&request(6, &[], "abcd")).is_ok());
        let over = window(&request(5, &[], "abcd")).unwrap_err();
        assert_eq!(over, WindowError::Message { budget: 5, system: 0, user: 5 });
        assert!(window(&request(0, &[], "")).is_err());
    }

    proptest! {
        #[test]
        fn kept_is_a_suffix_that_fits(
            budget in 0_u64..400,
            texts in prop::collection::vec((any::<bool>(), 0_usize..200), 0..20),
        ) {
            let messages: Vec<Message> = texts
                .iter()
                .map(|(user, length)| Message::new(if *user { "user" } else { "assistant" }, "x".repeat(*length)))
                .collect();
            let Ok(window) = window(&request(budget, &messages, "hello")) else { return Ok(()) };
            let used = window.tokens.system + window.tokens.user + window.tokens.history;
            prop_assert_eq!(used + window.tokens.free, budget);
            prop_assert_eq!(&window.kept, &(window.dropped..messages.len()).collect::<Vec<_>>());
            prop_assert!(window.kept.first().is_none_or(|first| messages[*first].role == "user"));
        }
    }
}
