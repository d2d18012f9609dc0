//! `AGENT_NOT_FOUND`: an agent that nobody is (spec: crew-package.md §5, §6).

use holdpoint_check::{Diagnostic, args, codes};

use super::Scope;
use crate::crew_package::hints;

codes! {
    /// an agent that a node or a step names, and that the package does not have
    AGENT_NOT_FOUND: Error, "Add the agent `{name}`, or name another one." [name];
}

/// The finding for an agent's name, where the agents are known.
pub fn check(agent: Option<&str>, scope: &Scope<'_>, pointer: impl Into<String>) -> Option<Diagnostic> {
    let (name, agents) = (agent?, scope.agents?);
    (!agents.contains(name)).then(|| {
        let first = hints::first(agents.iter().copied());
        Diagnostic::of(&AGENT_NOT_FOUND, args! { name }).at_pointer(pointer).with_hint(hints::allowed(&first))
    })
}
