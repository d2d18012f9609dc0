//! The model that a user brings along, below `/users/me/llm-profile` (spec: ai-sessions.md §8).

use holdpoint_gateway::Code;
use holdpoint_kinds::crew_package::routes::profile::Id;

use crate::answer::Answer;
use crate::routes::{Edge, Incoming};

/// Answers a route of profiles.
#[allow(clippy::unused_async)]
pub async fn answer(_: &Edge, id: Id, _: Incoming) -> Answer {
    match id {
        Id::Show => Err(Code::NotFound.into()),
    }
}
