//! Prompts: what the model is told, in which order, and what of it fits (spec: script-tool.md §3, §8).
//!
//! Owns the composition for both purposes. Invariants: deterministic; the system prompt and the message are never cut;
//! files are whole; a prompt that does not fit is refused, never shortened in secret.

mod payload;
pub mod schema;
mod system;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use payload::{Feedback, VirtualFiles, previous_attempt};
pub use system::{Host, Layer, joined, layers, template_id};

use super::context::{Cursor, Location, Mode, Selection};
use super::policy::VirtualFile;
use super::profile::{self, Profile};
use super::tokens::{self, Message};
use super::window::{self, Window, WindowError};

/// What a prompt is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    EditOps,
    Chat,
}

/// What a prompt is made of.
#[derive(Debug, Clone, Deserialize)]
pub struct Request {
    pub purpose: Purpose,
    pub model: String,
    /// Budgets, when they are not the model's defaults.
    #[serde(default)]
    pub profile: Option<Profile>,
    #[serde(default)]
    pub mode: Option<Mode>,
    /// What the host adds to the system prompt.
    #[serde(default)]
    pub host: Host,
    pub message: String,
    /// The file that the person works in.
    #[serde(default)]
    pub active_file: Option<VirtualFile>,
    /// All five for an edit; what the page sent, or nothing, for a chat.
    #[serde(default)]
    pub virtual_files: VirtualFiles,
    /// Present when the person selected text.
    #[serde(default)]
    pub selection: Option<Selection>,
    /// Present when the person named a place.
    #[serde(default)]
    pub cursor: Option<Cursor>,
    #[serde(default)]
    pub feedback: Option<Feedback>,
    /// Messages of complete turns, oldest first.
    #[serde(default)]
    pub history: Vec<Message>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Composed {
    pub template_id: &'static str,
    /// The mode that holds, in the prompt as in the parser.
    pub mode: Mode,
    /// The system prompt in parts.
    pub layers: Vec<Layer>,
    /// What is sent: the system prompt, the kept history, the message.
    pub messages: Vec<Message>,
    /// For providers that decode under a schema.
    pub response_schema: Option<Value>,
    /// Files that did not fit; always empty for an edit.
    pub omitted_virtual_file_ids: Vec<VirtualFile>,
    /// What of the history is sent, and how the budget is used.
    pub window: Window,
}

/// Why there is no prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// A file or the active file is missing; the pointer is that of the request.
    #[error("give {pointer}")]
    Missing { pointer: String },
    #[error(transparent)]
    OverBudget(#[from] WindowError),
}

/// Composes a prompt within the budget of the model.
pub fn compose(request: &Request) -> Result<Composed, PromptError> {
    let location = Location { selection: request.selection, cursor: request.cursor };
    let mode = location.mode(request.mode);
    let layers = layers(request.purpose, mode, &request.host);
    let system = joined(&layers);
    let profile = request.profile.unwrap_or_else(|| profile::of(&request.model));
    let fit = |user: &str| {
        window::window(&window::WindowInput {
            method: tokens::method(&request.model),
            budget: profile.prompt_budget(),
            system: &system,
            system_cap: Some(profile.system_cap),
            messages: &request.history,
            user,
        })
    };
    let (user, omitted_virtual_file_ids, window) = match request.purpose {
        Purpose::EditOps => {
            let user = edit_payload(request, &location)?;
            let window = fit(&user)?;
            (user, Vec::new(), window)
        }
        Purpose::Chat => chat_payload(request, fit)?,
    };
    let kept = window.kept.iter().map(|index| request.history[*index].clone());
    let first = (!system.is_empty()).then(|| Message::new("system", system.clone()));
    let messages = first.into_iter().chain(kept).chain([Message::new("user", user)]).collect();
    let patch_only = request.purpose == Purpose::EditOps && mode == Mode::PatchOnly;
    Ok(Composed {
        template_id: template_id(request.purpose, mode),
        mode,
        layers,
        messages,
        response_schema: patch_only.then(schema::edit_ops_patch_only),
        omitted_virtual_file_ids,
        window,
    })
}

fn edit_payload(request: &Request, location: &Location) -> Result<String, PromptError> {
    let missing = |pointer: String| PromptError::Missing { pointer };
    let active_file = request.active_file.ok_or_else(|| missing("/active_file".to_owned()))?;
    if let Some(file) = VirtualFile::ALL.into_iter().find(|file| !request.virtual_files.contains_key(file)) {
        return Err(missing(format!("/virtual_files/{file}")));
    }
    let (files, feedback) = (&request.virtual_files, request.feedback.as_ref());
    Ok(payload::edit_ops(&request.message, active_file, files, location, feedback))
}

/// The message of a chat with as many files as fit, the active one before the others.
fn chat_payload(
    request: &Request,
    fit: impl Fn(&str) -> Result<Window, WindowError>,
) -> Result<(String, Vec<VirtualFile>, Window), PromptError> {
    let files = &request.virtual_files;
    if files.is_empty() {
        let window = fit(&request.message)?;
        return Ok((request.message.clone(), Vec::new(), window));
    }
    let active_file = request.active_file.filter(|file| files.contains_key(file));
    let active_file = active_file.ok_or_else(|| PromptError::Missing { pointer: "/active_file".to_owned() })?;
    let mut kept = files.len();
    loop {
        let (user, omitted) = payload::chat(&request.message, active_file, files, kept);
        match fit(&user) {
            Ok(window) => return Ok((user, omitted, window)),
            Err(WindowError::Message { .. }) if kept > 1 => kept -= 1,
            Err(over) => return Err(over.into()),
        }
    }
}

#[cfg(test)]
mod tests;
