//! What is kept and told of the calls of tools of a turn (spec: ai-sessions.md §2 `ai_messages`, §10 `ai.tool.called`).
//!
//! Invariant: a call that was refused leaves the same rows as one that ran; what a model made up as a name or as arguments
//! stands in the transcript only, never in an audit row or a log line.

use holdpoint_check::ApiError;
use holdpoint_engine::tools::ToolRun;
use holdpoint_gateway::wire;
use holdpoint_kind_crew::protocol::transcript::{MAX_CALL_BYTES, arguments, known, name};
use holdpoint_store::session::CalledTool;
use serde_json::{Value, json};

use super::host::{SessionTurn, TRANSCRIPT_MS};
use crate::js::now_ms;
use crate::kinds::crew_package::sessions::Told;

impl SessionTurn {
    /// Keeps a call that ran; it was told when it did.
    pub fn ran(&self, turn: i64, run: &ToolRun, result: &Result<Value, ApiError>) {
        self.keep_call(turn, run.name, &run.arguments, result);
    }

    /// Keeps and tells a call that was refused.
    pub fn refused_call(&self, turn: i64, call: &wire::Tool, error: &ApiError) {
        self.tell_call(now_ms(), known(&call.name), Some(&error.code));
        self.keep_call(turn, &name(&call.name), &arguments(&call.arguments), &Err(error.clone()));
    }

    pub fn tell_call(&self, since: i64, tool: &'static str, code: Option<&str>) {
        let outcome = if code.is_none() { "ok" } else { "failed" };
        let detail = json!({"tool": tool, "ok": code.is_none()});
        self.tell(since, &Told { outcome, code, detail, ..Told::of("ai.tool.called") });
    }

    fn keep_call(&self, turn: i64, name: &str, arguments: &Value, result: &Result<Value, ApiError>) {
        let told = match result {
            Ok(data) => json!({"ok": true, "data": data, "error": null}),
            Err(error) => json!({"ok": false, "data": null, "error": {"code": error.code, "message": error.message}}),
        };
        let (args, mut told) = (arguments.to_string(), told.to_string());
        if told.len() > MAX_CALL_BYTES {
            told = json!({"ok": result.is_ok(), "data": {"truncated": true}, "error": null}).to_string();
        }
        let call = CalledTool { name, args: &args, result: &told, ok: result.is_ok() };
        let noted = self
            .object
            .workspace()
            .and_then(|workspace| Ok(workspace.sessions(TRANSCRIPT_MS).note_tool(now_ms(), turn, &call)?));
        if let Err(fault) = noted {
            worker::console_error!("{}", json!({"event": "tool_not_noted", "cause": fault.code}));
        }
    }
}
