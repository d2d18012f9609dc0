//! Crew packages below `/projects`, `/packages` and `/users` (spec: crew-package.md §7 "HTTP", ai-sessions.md §3).

use holdpoint_kind_crew::routes::CrewRoute;

use super::{imports, profile, projects, sessions, turns};
use crate::answer::Answer;
use crate::routes::{Edge, Incoming};

/// Answers a route of crew packages.
pub async fn answer(edge: &Edge, id: CrewRoute, asked: Incoming) -> Answer {
    match id {
        CrewRoute::Project(id) => projects::answer(edge, id, asked).await,
        CrewRoute::Import(id) => imports::answer(edge, id, asked).await,
        CrewRoute::Session(id) => sessions::answer(edge, id, asked).await,
        CrewRoute::Turn(id) => turns::answer(edge, id, asked).await,
        CrewRoute::Profile(id) => profile::answer(edge, id, asked).await,
    }
}
