//! What a model may call in a session, and what the readers answer (spec: ai-sessions.md §6).
//!
//! Owns the nine tools, their arguments and the six that look; what stages, checks and discards writes rows and is the
//! host's. Everything is read from the effective view. Invariants: a tool is bound to its session and looks nothing up
//! for another; texts of the package are data that are told, never followed.

mod context;
mod refs;
mod schemas;
mod sight;
mod texts;

use holdpoint_check::{ApiError, args, codes};
use serde_json::Value;

use super::dialect::references::{ASSET_NOT_FOUND, NO_SUCH_AGENT, WORKFLOW_NOT_FOUND};
use super::dialect::steps::STEP_NOT_FOUND;
use super::prompts::tools::{READ, WRITE};
pub use context::{envelope, snapshot};
use holdpoint_kind::protocol::{Access, Tool};
pub use sight::{Names, Sight};

codes! {
    /// a call of a tool that cannot be run as it was made
    AI_TOOL_EXECUTION_ERROR / OTHER_SESSION: Error, "Leave `{name}` out: a tool works in its own session only." [name];
    AI_TOOL_EXECUTION_ERROR / NO_PLACE: Error, "Name the step by `nodeId` or by `stepPath`.";
    AI_TOOL_EXECUTION_ERROR / NO_LOCATOR: Error, "Send {wanted} in the locator." [wanted];
    AI_TOOL_EXECUTION_ERROR / NO_TOOL: Error, "Call another tool: `{name}` does not look." [name];
}

/// The tools, in the order in which prompts list them.
pub const TOOLS: &[Tool] = &[
    tool(READ[0], "The context of this session, as it is now.", schemas::SESSION, Access::Read),
    tool(READ[1], "A workflow: document, graph, index of its steps.", schemas::WORKFLOW, Access::Read),
    tool(READ[2], "A step by its node or its path: file, frontmatter, node.", schemas::STEP, Access::Read),
    tool(READ[3], "An agent and the steps that it works in.", schemas::AGENT, Access::Read),
    tool(READ[4], "An asset, at most 16,000 characters at once.", schemas::ASSET, Access::Read),
    tool(READ[5], "What names an object, and what it names.", schemas::REFS, Access::Read),
    tool(WRITE[0], "Stages a change set. Nothing is applied: a person does that.", schemas::STAGE, Access::Stage),
    tool(WRITE[1], "Checks the staged change set.", schemas::CHANGE_SET, Access::Stage),
    tool(WRITE[2], "Discards the staged change set.", schemas::CHANGE_SET, Access::Stage),
];

const fn tool(name: &'static str, about: &'static str, schema: &'static str, access: Access) -> Tool {
    Tool { name, about, schema, access }
}

/// The one tool that a person alone has.
pub const APPLY: &str = "builder.change.apply";

/// Refuses a call that names another session or project. Nothing is looked up for it.
pub fn bound(names: &Names, arguments: &Value) -> Result<(), ApiError> {
    for (name, own) in [("sessionId", &names.session), ("projectId", &names.project)] {
        if arguments.get(name).is_some_and(|given| given.as_str() != Some(own)) {
            return Err(ApiError::of(&OTHER_SESSION, args! { name }).status(500));
        }
    }
    Ok(())
}

/// Runs a tool that looks. Its arguments keep the schema of the tool.
pub fn look(sight: &Sight<'_>, name: &str, arguments: &Value) -> Result<Value, ApiError> {
    bound(sight.names, arguments)?;
    let place = READ.iter().position(|tool| *tool == name);
    match place {
        Some(0) => envelope(sight),
        Some(1) => texts::workflow(sight, number(arguments)),
        Some(2) => texts::step(sight, number(arguments), arguments),
        Some(3) => texts::agent(sight, text(arguments, "agentId")),
        Some(4) => texts::asset(sight, arguments),
        Some(5) => refs::find(sight, &arguments["locator"]),
        _ => Err(ApiError::of(&NO_TOOL, args! { name }).status(500)),
    }
}

fn number(arguments: &Value) -> u64 {
    arguments["workflowId"].as_u64().unwrap_or_default()
}

fn text<'v>(arguments: &'v Value, name: &str) -> &'v str {
    arguments[name].as_str().unwrap_or_default()
}

fn no_workflow(id: impl Into<Value>) -> ApiError {
    ApiError::of(&WORKFLOW_NOT_FOUND, args! { id: id.into() }).status(404)
}

fn no_step(node: &str) -> ApiError {
    ApiError::of(&STEP_NOT_FOUND, args! { node }).status(404)
}

fn no_agent(id: &str) -> ApiError {
    ApiError::of(&NO_SUCH_AGENT, args! { id }).status(404)
}

fn no_asset(file: &str) -> ApiError {
    ApiError::of(&ASSET_NOT_FOUND, args! { file }).status(404)
}

#[cfg(test)]
mod tests;
