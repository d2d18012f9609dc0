//! What a project of a crew package is asked: what each part of it can be asked stands in its own file.

use serde::{Deserialize, Serialize};

use super::projects::ProjectAsk;
use super::sessions::SessionAsk;
use super::turns::TurnAsk;
use crate::project::once::Once;

/// What is asked, and whether it is asked once only.
#[derive(Debug, Serialize, Deserialize)]
pub struct CrewAsk {
    /// Of a request with `Idempotency-Key`.
    pub once: Option<Once>,
    pub command: CrewCommand,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum CrewCommand {
    Project(ProjectAsk),
    Session(SessionAsk),
    Turn(TurnAsk),
}
