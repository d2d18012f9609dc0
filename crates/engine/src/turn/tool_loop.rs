//! An answer that calls tools: they run in order, their results go back, the model goes on (spec: ai-sessions.md §6.1).
//!
//! Invariants: every call of an answer gets one result before the model is asked again; one that was not run is kept
//! like one that was, where the log of the turn is.

use holdpoint_check::ApiError;
use holdpoint_gateway::wire;
use holdpoint_kind::protocol::{Access, Cause, Said, ToolUse};
use serde_json::Value;

use super::{Awaits, Effect, Turn};
use crate::tools::{self, ToolRun};

impl Turn {
    pub(super) fn called(&mut self, mut calls: Vec<wire::Tool>) -> Vec<Effect> {
        tools::name_apart(&mut calls, &mut self.ids);
        wire::tools::called(&mut self.call.body, self.words.text(), &calls);
        self.queue = calls.into_iter().enumerate().collect();
        self.next_tool()
    }

    /// Runs the next call that may run, or goes on with the model.
    fn next_tool(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while let Some((place, call)) = self.queue.pop_front() {
            if self.used.len() >= self.protocol.bounds().all_tool_calls {
                effects.extend(self.fail(&Cause::Limit("tool_calls"), None));
                return effects;
            }
            match tools::judge(self.protocol, &call, place) {
                Ok(run) => {
                    effects.extend(self.opened());
                    effects.extend(self.say(&self.said(&run.id, run.name, Some(&run), None)));
                    effects.push(Effect::Tool(Box::new(run.clone())));
                    self.awaits = Awaits::Tool(run);
                    return effects;
                }
                Err(refused) => {
                    if self.continues() {
                        effects.push(Effect::NotRun { call: call.clone(), error: refused.clone() });
                    }
                    effects.extend(self.gave(&call.id, &call.name, None, &Err(refused)));
                }
            }
        }
        effects.extend(if self.protocol.loops() { self.ask() } else { self.fail(&Cause::Limit("repairs"), None) });
        effects
    }

    pub(super) fn tool_done(&mut self, result: Result<Value, ApiError>) -> Vec<Effect> {
        let Awaits::Tool(run) = std::mem::replace(&mut self.awaits, Awaits::Words) else { return Vec::new() };
        let mut effects = self.gave(&run.id, run.name, Some(&run), &result);
        let rest = match result {
            Ok(data) if run.access == Access::End => {
                let reply = self.request.concluded(run.name, &data);
                self.conclude(reply)
            }
            Err(error) if run.access == Access::End => {
                let findings = self.request.refused(run.name, &error);
                let stop = if findings.is_empty() { None } else { self.end_refused(findings) };
                match stop {
                    Some(cause) => self.fail(&cause, None),
                    None => self.next_tool(),
                }
            }
            _ => self.next_tool(),
        };
        effects.extend(rest);
        effects
    }

    /// Puts a result behind its call.
    fn gave(&mut self, id: &str, name: &str, run: Option<&ToolRun>, result: &Result<Value, ApiError>) -> Vec<Effect> {
        let most = self.protocol.bounds().result_chars;
        let text = tools::envelope(result, &self.request.meta(name, result.as_ref().ok()), most);
        wire::tools::gave(&mut self.call.body, id, name, &text);
        let mut effects = self.opened();
        effects.extend(self.say(&self.said(id, name, run, Some(result.as_ref()))));
        self.used.push(ToolUse { name: name.to_owned(), code: result.as_ref().err().map(|error| error.code.clone()) });
        effects
    }

    /// What is told of a call; without a run, its arguments could not be read.
    fn said<'s>(
        &self,
        call: &'s str,
        name: &'s str,
        run: Option<&'s ToolRun>,
        over: Option<Result<&'s Value, &'s ApiError>>,
    ) -> Said<'s> {
        let arguments = run.map_or(&Value::Null, |run| &run.arguments);
        Said::Tool { name, call, arguments, repaired: run.is_some_and(|run| run.repaired), iteration: self.calls, over }
    }
}
