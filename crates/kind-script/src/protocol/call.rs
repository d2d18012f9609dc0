//! One model call of a script's two protocols: what is sent, and what may be logged of it (spec: script-tool.md §3, §7,
//! §8).
//!
//! Invariant: the facts hold numbers and names, never a word of a prompt, a file or a message.

use holdpoint_check::{ApiError, Sentence, args, codes};
use holdpoint_tokens::Message;
use serde::Serialize;
use serde_json::json;

use super::ask::{ChatAsk, EditAsk};
use crate::context::{Location, Mode};
use crate::profile;
use crate::prompts::{self, Composed, Feedback, Host, PromptError, Purpose, VirtualFiles, schema};
use crate::window::WindowError;
use holdpoint_kind::protocol::{ModelSetting, NoPrompt, Prompt};

codes! {
    /// files that did not fit into a prompt: a notice before the first words
    FILES_LEFT_OUT / LEFT_OUT: Info, "Some files did not fit and were left out.";
    INVALID_INPUT / OPEN_FILE: Error, "Send the file that is open.";
    MESSAGE_OVER_BUDGET / LONG: Error, "This is longer than the model can read. Shorten it, or start a new chat.";
}

/// What is known of a request before its call is composed, so also of one that does not fit: the words that are used,
/// and true counts (spec §10 "Eval").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Measures {
    pub template_id: &'static str,
    pub system_prompt_chars: usize,
    pub instruction_chars: usize,
    /// Of the active file: selected, before and behind that, in characters.
    pub selection_chars: usize,
    pub prefix_chars: usize,
    pub suffix_chars: usize,
}

#[derive(Debug, Serialize)]
struct Facts {
    #[serde(flatten)]
    measures: Measures,
    message_count: usize,
    dropped_messages: usize,
    prompt_tokens: u64,
    files_bytes: usize,
}

impl Measures {
    /// Of a request for a proposal.
    pub fn edit(model: &ModelSetting, ask: &EditAsk) -> Self {
        let text = ask.files.get(&ask.active_file);
        Self::of(model, Purpose::EditOps, ask.mode(), &ask.message, text, &ask.location)
    }

    /// Of a chat. It names no place.
    pub fn chat(model: &ModelSetting, ask: &ChatAsk) -> Self {
        let text = ask.active_file.and_then(|file| ask.files.get(&file));
        let nowhere = Location::default();
        Self::of(model, Purpose::Chat, nowhere.mode(None), &ask.message, text, &nowhere)
    }

    fn of(
        model: &ModelSetting,
        purpose: Purpose,
        mode: Mode,
        message: &str,
        text: Option<&String>,
        location: &Location,
    ) -> Self {
        let (prefix_chars, selection_chars, suffix_chars) = around(text.map_or("", String::as_str), location);
        Self {
            template_id: prompts::template_id(purpose, mode),
            system_prompt_chars: prompts::joined(&prompts::layers(purpose, mode, &host(model))).chars().count(),
            instruction_chars: message.chars().count(),
            selection_chars,
            prefix_chars,
            suffix_chars,
        }
    }

    /// By the names of the eval headers.
    pub fn named(self) -> Vec<(&'static str, String)> {
        vec![
            ("template-id", self.template_id.to_owned()),
            ("system-prompt-chars", self.system_prompt_chars.to_string()),
            ("instruction-chars", self.instruction_chars.to_string()),
            ("selection-chars", self.selection_chars.to_string()),
            ("prefix-chars", self.prefix_chars.to_string()),
            ("suffix-chars", self.suffix_chars.to_string()),
        ]
    }
}

/// The prompt for a proposal; `previous` is the attempt that failed, where there was one.
pub(super) fn edit_ops(
    model: &ModelSetting,
    ask: &EditAsk,
    history: &[Message],
    previous: Option<&Feedback>,
) -> Result<Prompt, NoPrompt> {
    let composed = prompts::compose(&prompts::Request {
        purpose: Purpose::EditOps,
        model: model.name.clone(),
        profile: Some(model.profile),
        mode: ask.forced,
        host: host(model),
        message: ask.message.clone(),
        active_file: Some(ask.active_file),
        virtual_files: ask.files.clone(),
        selection: ask.location.selection,
        cursor: ask.location.cursor,
        feedback: previous.cloned(),
        history: history.to_vec(),
    });
    composed.map(|composed| prompt(model, composed, Measures::edit(model, ask), &ask.files)).map_err(no_prompt)
}

/// The prompt of a chat.
pub(super) fn chat(model: &ModelSetting, ask: &ChatAsk, history: &[Message]) -> Result<Prompt, NoPrompt> {
    let composed = prompts::compose(&prompts::Request {
        purpose: Purpose::Chat,
        model: model.name.clone(),
        profile: Some(model.profile),
        mode: None,
        host: host(model),
        message: ask.message.clone(),
        active_file: ask.active_file,
        virtual_files: ask.files.clone(),
        selection: None,
        cursor: None,
        feedback: None,
        history: history.to_vec(),
    });
    composed.map(|composed| prompt(model, composed, Measures::chat(model, ask), &ask.files)).map_err(no_prompt)
}

fn host(model: &ModelSetting) -> Host {
    let addition = |layer: &str| model.additions.get(layer).cloned();
    Host { runner_limits: addition("runner_limits"), helpers: addition("helpers") }
}

fn prompt(model: &ModelSetting, composed: Composed, measures: Measures, files: &VirtualFiles) -> Prompt {
    let tokens = composed.window.tokens;
    let facts = Facts {
        measures,
        message_count: composed.messages.len(),
        dropped_messages: composed.window.dropped,
        prompt_tokens: tokens.system + tokens.user + tokens.history,
        files_bytes: files.values().map(String::len).sum(),
    };
    let is_cut = !composed.omitted_virtual_file_ids.is_empty();
    Prompt {
        messages: composed.messages,
        max_output: model.profile.max_output,
        temperature: (!profile::has_fixed_temperature(&model.name)).then_some(profile::TEMPERATURE),
        schema: composed.response_schema.map(|schema| (schema::NAME, schema)),
        notice: is_cut.then(|| Sentence::of(&LEFT_OUT, args! {})),
        facts: json!(facts),
    }
}

fn no_prompt(refusal: PromptError) -> NoPrompt {
    match refusal {
        PromptError::Missing { pointer } => NoPrompt::Refused(ApiError::at(pointer, &OPEN_FILE, args! {})),
        PromptError::OverBudget(over @ WindowError::System { .. }) => NoPrompt::Off(over.answer()),
        PromptError::OverBudget(over @ WindowError::Message { .. }) => {
            NoPrompt::Refused(ApiError::of(&LONG, args! {}).with_details(over.details()))
        }
    }
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
    use super::*;
    use crate::VirtualFile;
    use crate::context::Selection;

    fn model(name: &str) -> ModelSetting {
        ModelSetting {
            alias: "default".to_owned(),
            name: name.to_owned(),
            profile: profile::of(name),
            additions: [("helpers", "There is `doors()`.".to_owned())].into(),
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
            allows_remote: false,
        }
    }

    #[test]
    fn families_name_their_maximum_differently() {
        let nowhere = ask("x = 1\n", Location::default());
        let ordinary = edit_ops(&model("scripted-1"), &nowhere, &[], None).unwrap();
        assert_eq!((ordinary.max_output, ordinary.temperature), (4_096, Some(0.2)));
        assert_eq!(ordinary.schema.unwrap().0, "edit_ops_patch_only");
        let large = edit_ops(&model("gpt-5-mini"), &nowhere, &[], None).unwrap();
        assert_eq!((large.max_output, large.temperature), (8_192, None));
        let placed = ask("x = 1\n", Location { selection: Some(Selection { from: 0, to: 1 }), cursor: None });
        assert_eq!(edit_ops(&model("m"), &placed, &[], None).unwrap().schema, None);
    }

    #[test]
    fn facts_are_true_counts() {
        let location = Location { selection: Some(Selection { from: 3, to: 5 }), cursor: None };
        let Prompt { facts, messages, .. } = edit_ops(&model("m"), &ask("å😀bcd\n", location), &[], None).unwrap();
        for name in ["prefix_chars", "selection_chars", "suffix_chars", "message_count"] {
            assert_eq!(facts[name], 2, "{name}");
        }
        assert_eq!(facts["instruction_chars"], 10);
        assert!(messages[0].content.contains("There is `doors()`."), "what the host adds is told");
        assert_eq!(facts["system_prompt_chars"], messages[0].content.chars().count());
        assert_eq!(facts["files_bytes"], 5 * "å😀bcd\n".len());
        let about =
            ChatAsk { message: "Why?".to_owned(), active_file: None, files: VirtualFiles::new(), allows_remote: false };
        let Prompt { facts, messages, .. } = chat(&model("m"), &about, &[]).unwrap();
        assert_eq!(facts["system_prompt_chars"], messages[0].content.chars().count());
        assert_eq!((&facts["template_id"], &facts["instruction_chars"]), (&json!("script-tool/chat/1"), &json!(4)));
        assert_eq!(Measures::chat(&model("m"), &about).named()[0], ("template-id", "script-tool/chat/1".to_owned()));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let large = ask(&"x = 1\n".repeat(4_000), Location::default());
        let Err(NoPrompt::Refused(error)) = edit_ops(&model("m"), &large, &[], None) else { panic!("it fits") };
        assert_eq!((error.code.as_str(), error.status), ("MESSAGE_OVER_BUDGET", 422));
        let measures = Measures::edit(&model("m"), &large);
        assert_eq!((measures.instruction_chars, measures.prefix_chars), (10, 24_000), "it is measured all the same");
        let mut capped = model("m");
        capped.profile.system_cap = 1;
        let Err(NoPrompt::Off(error)) = edit_ops(&capped, &large, &[], None) else { panic!("it is on") };
        assert_eq!((error.code.as_str(), &error.details["system_cap"]), ("SYSTEM_OVER_BUDGET", &json!(1)));
    }
}
