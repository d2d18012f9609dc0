//! What a model may call in a session (spec: ai-sessions.md §6). None of them applies.

pub const READ: [&str; 6] = [
    "builder.context.get",
    "builder.workflow.read",
    "builder.step.read",
    "builder.agent.read",
    "builder.asset.read",
    "builder.refs.find",
];
/// Those that change what is proposed.
pub const WRITE: [&str; 3] = ["builder.change.stage", "builder.change.validate", "builder.change.discard"];
