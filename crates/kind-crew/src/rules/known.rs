//! `AGENT_NOT_FOUND`: an agent that nobody is (spec: crew-package.md §5, §6).

use holdpoint_check::{Diagnostic, args, codes};

use super::Scope;
use crate::hints;
use crate::limits::MAX_LOOKED_THROUGH;

codes! {
    /// an agent that a node or a step names, and that the package does not have
    AGENT_NOT_FOUND: Error, "Add the agent `{name}`, or name another one." [name];
}

/// The finding for an agent's name, where the agents are known.
pub fn check(agent: Option<&str>, scope: &Scope<'_>, pointer: impl Into<String>) -> Option<Diagnostic> {
    let (name, agents) = (agent?, scope.agents?);
    (!agents.contains(name)).then(|| {
        let finding = Diagnostic::of(&AGENT_NOT_FOUND, args! { name }).at_pointer(pointer);
        if agents.len() > MAX_LOOKED_THROUGH {
            return finding;
        }
        finding.with_hint(hints::allowed(&hints::first(agents.iter().copied())))
    })
}
