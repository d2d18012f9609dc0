//! What the page is told of the types of graphs and agents. Both travel as JSON of their files, in the order and with
//! the members that those have; these are the members whose types are seen to.

use serde_json::Value;
use ts_rs::TS;

/// A graph: nodes with an id, edges with two ends.
#[derive(TS)]
#[ts(optional_fields, rename_all = "camelCase")]
pub struct ShownGraph {
    #[ts(type = "string")]
    pub schema_version: Value,
    pub entry_node_id: String,
    pub nodes: Vec<ShownNode>,
    pub edges: Vec<ShownEdge>,
    /// Positions by node, and what else somebody keeps.
    #[ts(optional, type = "Record<string, unknown>")]
    pub metadata: Option<Value>,
}

/// A node. A text or list that is none is left out; a type that is none of the five is a step.
#[derive(TS)]
#[ts(optional_fields, rename_all = "camelCase")]
pub struct ShownNode {
    pub id: String,
    #[ts(type = r#""step" | "decision" | "merge" | "end" | "subworkflow""#)]
    pub r#type: Value,
    /// Empty where the node names none.
    pub file: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub agent_id: Option<String>,
    pub inputs: Option<Vec<String>>,
    pub outputs: Option<Vec<String>>,
}

#[derive(TS)]
#[ts(optional_fields, rename_all = "camelCase")]
pub struct ShownEdge {
    pub id: Option<String>,
    pub from: String,
    pub to: String,
    /// Empty where the edge has none.
    pub label: String,
    pub is_default: Option<bool>,
    pub condition_text: Option<String>,
    #[ts(optional, type = "Record<string, unknown>")]
    pub condition_expr: Option<Value>,
}

/// An agent; texts that are none are empty.
#[derive(TS)]
#[ts(optional_fields)]
pub struct ShownAgent {
    pub id: String,
    pub metadata: ShownAgentMetadata,
    pub persona: ShownAgentPersona,
    pub tools: Option<ShownAgentTools>,
}

/// How an agent is called.
#[derive(TS)]
pub struct ShownAgentMetadata {
    pub name: String,
    pub title: String,
    pub icon: String,
}

#[derive(TS)]
pub struct ShownAgentPersona {
    pub role: String,
    pub identity: String,
    pub communication_style: String,
    #[ts(type = "string | Array<string>")]
    pub principles: Value,
}

/// What an agent may use.
#[derive(TS)]
#[ts(optional_fields)]
pub struct ShownAgentTools {
    pub fs: Option<ShownAgentFiles>,
    pub mcp: Option<ShownAgentServers>,
}

#[derive(TS)]
#[ts(optional_fields, rename_all = "camelCase")]
pub struct ShownAgentFiles {
    pub enabled: Option<bool>,
    pub max_read_bytes: Option<u32>,
    pub max_write_bytes: Option<u32>,
}

#[derive(TS)]
#[ts(optional_fields, rename_all = "camelCase")]
pub struct ShownAgentServers {
    pub enabled: Option<bool>,
    pub allowed_servers: Option<Vec<String>>,
}
