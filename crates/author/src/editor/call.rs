//! One model call: what is sent, and what may be logged of it (spec: script-tool.md §3, §7, §8).
//!
//! Owns the body that goes through the gateway like any client's. Invariant: the facts hold numbers and names, never
//! a word of a prompt, a file or a message.

use holdpoint_gateway::wire::{Draft, Most};
use holdpoint_kinds::script_tool::VirtualFile;
use holdpoint_kinds::script_tool::context::{Location, Mode};
use holdpoint_kinds::script_tool::profile::{self, Profile};
use holdpoint_kinds::script_tool::prompts::{self, Composed, Feedback, Host, Purpose, Refusal, VirtualFiles, schema};
use holdpoint_kinds::script_tool::tokens::Message;
use serde::Serialize;
use serde_json::Value;

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
    /// Files that did not fit.
    pub omitted: Vec<VirtualFile>,
    /// For the log.
    pub facts: Facts,
}

/// What is known of a request before its call is composed, so also of one that does not fit: the words that are used,
/// and true counts (spec §10 "Eval").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Measures {
    pub template_id: &'static str,
    pub system_prompt_chars: usize,
    pub instruction_chars: usize,
    /// Of the active file: selected, before and behind that, in characters.
    pub selection_chars: usize,
    pub prefix_chars: usize,
    pub suffix_chars: usize,
}

/// Numbers of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Facts {
    #[serde(flatten)]
    pub measures: Measures,
    pub message_count: usize,
    pub dropped_messages: usize,
    pub prompt_tokens: u64,
    pub files_bytes: usize,
}

/// Measures a request for a proposal.
pub fn measure_edit_ops(setting: &Setting, ask: &EditAsk) -> Measures {
    let text = ask.files.get(&ask.active_file);
    measure(setting, Purpose::EditOps, ask.mode(), &ask.message, text, &ask.location)
}

/// Measures a chat. It names no place.
pub fn measure_chat(setting: &Setting, ask: &ChatAsk) -> Measures {
    let text = ask.active_file.and_then(|file| ask.files.get(&file));
    let nowhere = Location::default();
    measure(setting, Purpose::Chat, nowhere.mode(None), &ask.message, text, &nowhere)
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
    Ok(call(setting, composed, measure_edit_ops(setting, ask), &ask.files))
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
    Ok(call(setting, composed, measure_chat(setting, ask), &ask.files))
}

fn measure(
    setting: &Setting,
    purpose: Purpose,
    mode: Mode,
    message: &str,
    text: Option<&String>,
    location: &Location,
) -> Measures {
    let (prefix_chars, selection_chars, suffix_chars) = around(text.map_or("", String::as_str), location);
    Measures {
        template_id: prompts::template_id(purpose, mode),
        system_prompt_chars: prompts::joined(&prompts::layers(purpose, mode, &setting.host)).chars().count(),
        instruction_chars: message.chars().count(),
        selection_chars,
        prefix_chars,
        suffix_chars,
    }
}

fn call(setting: &Setting, composed: Composed, measures: Measures, files: &VirtualFiles) -> Call {
    let most = setting.profile.max_output;
    let fixed = profile::has_fixed_temperature(&setting.model);
    let draft = Draft {
        model: &setting.alias,
        messages: composed.messages.iter().map(|message| (message.role.as_str(), message.content.as_str())).collect(),
        most: if fixed { Most::CompletionTokens(most) } else { Most::Tokens(most) },
        temperature: (!fixed).then_some(profile::TEMPERATURE),
        schema: composed.response_schema.filter(|_| setting.constrained).map(|schema| (schema::NAME, schema)),
        include_usage: false,
    };
    let body = draft.body();
    let tokens = composed.window.tokens;
    let facts = Facts {
        measures,
        message_count: composed.messages.len(),
        dropped_messages: composed.window.dropped,
        prompt_tokens: tokens.system + tokens.user + tokens.history,
        files_bytes: files.values().map(String::len).sum(),
    };
    Call { body, omitted: composed.omitted_virtual_file_ids, facts }
}

/// Characters before, in and behind the place; without a place all of the text is before it.
fn around(text: &str, location: &Location) -> (usize, usize, usize) {
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
    use holdpoint_kinds::script_tool::context::Selection;
    use serde_json::json;

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
        let Call { facts, body, .. } = edit_ops(&setting("m"), &ask("å😀bcd\n", location), &[], None).unwrap();
        let measures = facts.measures;
        assert_eq!((measures.prefix_chars, measures.selection_chars, measures.suffix_chars), (2, 2, 2));
        assert_eq!((measures.instruction_chars, facts.message_count), (10, 2));
        let system = body["messages"][0]["content"].as_str().unwrap();
        assert_eq!(measures.system_prompt_chars, system.chars().count());
        assert_eq!(facts.files_bytes, 5 * "å😀bcd\n".len());
        let about = ChatAsk { message: "Why?".to_owned(), active_file: None, files: VirtualFiles::new() };
        let Call { facts, body, .. } = chat(&setting("m"), &about, &[]).unwrap();
        let system = body["messages"][0]["content"].as_str().unwrap();
        assert_eq!(facts.measures.system_prompt_chars, system.chars().count());
        assert_eq!((facts.measures.template_id, facts.measures.instruction_chars), ("script-tool/chat/1", 4));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let large = ask(&"x = 1\n".repeat(4_000), Location::default());
        assert!(matches!(edit_ops(&setting("m"), &large, &[], None), Err(Refusal::OverBudget(_))));
        let measures = measure_edit_ops(&setting("m"), &large);
        assert_eq!((measures.instruction_chars, measures.prefix_chars), (10, 24_000), "it is measured all the same");
    }
}
