//! One model call: what is sent, and what may be logged of it (spec: script-tool.md §3, §7, §8).
//!
//! Owns the body that goes through the gateway like any client's. Invariant: the facts hold numbers and names, never
//! a word of a prompt, a file or a message.

use holdpoint_kinds::script_tool::profile::{self, Profile};
use holdpoint_kinds::script_tool::prompts::{self, Composed, Feedback, Host, Purpose, Refusal, schema};
use holdpoint_kinds::script_tool::tokens::Message;
use holdpoint_kinds::script_tool::{VirtualFile, context};
use serde::Serialize;
use serde_json::{Value, json};

use super::ask::{ChatAsk, EditAsk};

/// What the deployment says about the model.
#[derive(Debug, Clone)]
pub struct Setting {
    /// By which the gateway knows it.
    pub alias: String,
    /// By which its provider knows it: tokens and family follow from this.
    pub model: String,
    /// Its budgets.
    pub profile: Profile,
    /// What the host adds to the system prompt.
    pub host: Host,
    /// Whether the provider decodes under a JSON Schema.
    pub constrained: bool,
}

/// A call ready to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// In the OpenAI protocol.
    pub body: Value,
    /// Which words were used.
    pub template_id: &'static str,
    /// The mode that holds.
    pub mode: context::Mode,
    /// Files that did not fit.
    pub omitted: Vec<VirtualFile>,
    /// For the log.
    pub facts: Facts,
}

/// Numbers of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Facts {
    pub system_prompt_chars: usize,
    pub instruction_chars: usize,
    pub message_count: usize,
    pub dropped_messages: usize,
    pub prompt_tokens: u64,
    pub files_bytes: usize,
    /// Of the active file: selected, before and behind that, in characters.
    pub selection_chars: usize,
    pub prefix_chars: usize,
    pub suffix_chars: usize,
}

/// The call for a proposal; `previous` is the attempt that failed, where there was one.
pub fn edit_ops(
    setting: &Setting,
    ask: &EditAsk,
    history: &[Message],
    previous: Option<&Feedback>,
) -> Result<Call, Refusal> {
    let composed = prompts::compose(&prompts::Request {
        purpose: Purpose::EditOps,
        model: setting.model.clone(),
        profile: Some(setting.profile),
        mode: ask.forced,
        host: setting.host.clone(),
        message: ask.message.clone(),
        active_file: Some(ask.active_file),
        virtual_files: ask.files.clone(),
        selection: ask.location.selection,
        cursor: ask.location.cursor,
        feedback: previous.cloned(),
        history: history.to_vec(),
    })?;
    let text = ask.files.get(&ask.active_file).map(String::as_str).unwrap_or_default();
    let (prefix, selection, suffix) = around(text, &ask.location);
    let facts = Facts {
        files_bytes: ask.files.values().map(String::len).sum(),
        selection_chars: selection,
        prefix_chars: prefix,
        suffix_chars: suffix,
        ..facts(&composed, &ask.message)
    };
    Ok(call(setting, composed, facts))
}

/// The call of a chat.
pub fn chat(setting: &Setting, ask: &ChatAsk, history: &[Message]) -> Result<Call, Refusal> {
    let composed = prompts::compose(&prompts::Request {
        purpose: Purpose::Chat,
        model: setting.model.clone(),
        profile: Some(setting.profile),
        mode: None,
        host: setting.host.clone(),
        message: ask.message.clone(),
        active_file: ask.active_file,
        virtual_files: ask.files.clone(),
        selection: None,
        cursor: None,
        feedback: None,
        history: history.to_vec(),
    })?;
    let facts = Facts { files_bytes: ask.files.values().map(String::len).sum(), ..facts(&composed, &ask.message) };
    Ok(call(setting, composed, facts))
}

fn facts(composed: &Composed, message: &str) -> Facts {
    let system = composed.messages.first().filter(|message| message.role == "system");
    let tokens = composed.window.tokens;
    Facts {
        system_prompt_chars: system.map_or(0, |message| message.content.chars().count()),
        instruction_chars: message.chars().count(),
        message_count: composed.messages.len(),
        dropped_messages: composed.window.dropped,
        prompt_tokens: tokens.system + tokens.user + tokens.history,
        ..Facts::default()
    }
}

fn call(setting: &Setting, composed: Composed, facts: Facts) -> Call {
    let mut body = json!({"model": setting.alias, "messages": composed.messages, "stream": true});
    if profile::has_fixed_temperature(&setting.model) {
        body["max_completion_tokens"] = json!(setting.profile.max_output);
    } else {
        body["max_tokens"] = json!(setting.profile.max_output);
        body["temperature"] = json!(profile::TEMPERATURE);
    }
    if let Some(response_schema) = composed.response_schema.filter(|_| setting.constrained) {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {"name": schema::NAME, "strict": true, "schema": response_schema},
        });
    }
    Call {
        body,
        template_id: composed.template_id,
        mode: composed.mode,
        omitted: composed.omitted_virtual_file_ids,
        facts,
    }
}

/// Characters before, in and behind the place; without a place all of the text is before it.
fn around(text: &str, location: &context::Location) -> (usize, usize, usize) {
    let units = |at: u32| {
        let mut seen = 0;
        text.chars()
            .take_while(|c| {
                seen += c.len_utf16();
                seen <= at as usize
            })
            .count()
    };
    let all = text.chars().count();
    let (from, to) = match (location.selection, location.cursor) {
        (Some(selection), _) => (units(selection.from), units(selection.to)),
        (None, Some(cursor)) => (units(cursor.pos), units(cursor.pos)),
        (None, None) => (all, all),
    };
    (from, to - from, all - to)
}

#[cfg(test)]
mod tests {
    use holdpoint_kinds::script_tool::context::{Location, Selection};

    use super::*;

    fn setting(model: &str) -> Setting {
        Setting {
            alias: "default".to_owned(),
            model: model.to_owned(),
            profile: Profile::of(model),
            host: Host::default(),
            constrained: true,
        }
    }

    fn ask(text: &str, location: Location) -> EditAsk {
        EditAsk {
            tool_id: "t".to_owned(),
            message: "Rename it.".to_owned(),
            active_file: VirtualFile::Tool,
            files: VirtualFile::ALL.map(|file| (file, text.to_owned())).into(),
            location,
            forced: None,
            feedback: None,
        }
    }

    #[test]
    fn families_name_their_maximum_differently() {
        let nowhere = ask("x = 1\n", Location::default());
        let ordinary = edit_ops(&setting("scripted-1"), &nowhere, &[], None).unwrap().body;
        assert_eq!((&ordinary["max_tokens"], &ordinary["temperature"]), (&json!(4_096), &json!(0.2)));
        assert_eq!(ordinary["response_format"]["json_schema"]["name"], "edit_ops_patch_only");
        let large = edit_ops(&setting("gpt-5-mini"), &nowhere, &[], None).unwrap().body;
        assert_eq!((&large["max_completion_tokens"], large.get("temperature")), (&json!(8_192), None));
        let placed = ask("x = 1\n", Location { selection: Some(Selection { from: 0, to: 1 }), cursor: None });
        assert_eq!(edit_ops(&setting("m"), &placed, &[], None).unwrap().body.get("response_format"), None);
    }

    #[test]
    fn facts_are_true_counts() {
        let location = Location { selection: Some(Selection { from: 3, to: 5 }), cursor: None };
        let facts = edit_ops(&setting("m"), &ask("å😀bcd\n", location), &[], None).unwrap().facts;
        assert_eq!((facts.prefix_chars, facts.selection_chars, facts.suffix_chars), (2, 2, 2));
        assert_eq!((facts.instruction_chars, facts.message_count), (10, 2));
        assert!(facts.system_prompt_chars > 100);
        assert_eq!(facts.files_bytes, 5 * "å😀bcd\n".len());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let large = ask(&"x = 1\n".repeat(4_000), Location::default());
        assert!(matches!(edit_ops(&setting("m"), &large, &[], None), Err(Refusal::OverBudget(_))));
    }
}
