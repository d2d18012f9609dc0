//! What a tool sees: the effective view of one session (spec: ai-sessions.md §4, §6).

use serde_json::Value;

use crate::dialect::input::{BuilderSession, TargetType};
use crate::dialect::view::View;
use crate::facts::PackageFacts;
use crate::prompts::domain::DomainProfile;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    pub session: String,
    pub project: String,
    pub user: String,
}

#[derive(Debug, Clone, Copy)]
pub struct Sight<'s> {
    pub names: &'s Names,
    /// What the session is about.
    pub session: &'s BuilderSession,
    /// Its target, as the session was made with it.
    pub target_id: &'s Value,
    /// What is stored, with what the session staged.
    pub view: &'s View,
    pub facts: &'s PackageFacts,
    /// The field that the project works in.
    pub domain: &'s DomainProfile,
}

impl Sight<'_> {
    /// How often a workflow has changed; 0 where it is not stored yet.
    pub fn workflow_revision(&self, id: u64) -> u64 {
        self.facts.workflow(id).map_or(0, |workflow| workflow.revision)
    }

    /// The counter that the session's target moves.
    pub fn revision(&self) -> u64 {
        match self.session.target_type {
            TargetType::Workflow | TargetType::Step => {
                self.session.workflow_id.map_or(0, |id| self.workflow_revision(id))
            }
            TargetType::Agent => self.facts.agents_revision,
            TargetType::Asset => self.facts.assets_revision,
        }
    }
}
