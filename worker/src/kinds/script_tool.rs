//! Preview and apply of a script: what a proposal would change, and the gate before it does (spec: script-tool.md §6,
//! DESIGN §3).
//!
//! Invariants: the base of an apply is the stored head; what is stale answers 409 with a fresh preview of the stored
//! texts and changes nothing; no route takes a result text.

use holdpoint_author::editor::{files, within_limits};
use holdpoint_bundle::text_hash;
use holdpoint_change::{Approved, Base, Confirm, Person, Preview, Signature, Why, sign};
use holdpoint_check::ApiError;
use holdpoint_check::read::read;
use holdpoint_kinds::AnyKind;
use holdpoint_kinds::script_tool::ScriptTool;
use holdpoint_store::Files;
use serde_json::{Value, json};

use super::given;
use crate::answer::Fault;

const KIND: &dyn AnyKind = &ScriptTool;
/// The tokens that an apply must name.
const TOKENS: [&str; 4] = ["base_revision_id", "base_hash", "patch_id", "result_hash"];
/// Members of a body that are the engine's.
pub const ENGINE: [&str; 6] = ["ops", "active_file", "selection", "cursor", "options", "accept"];
const UNKNOWN_HUNK: &str = "UNKNOWN_HUNK";

/// What a proposal would change in the texts as sent.
pub fn preview(body: &Value) -> Result<Value, Fault> {
    Ok(looked_at(body, &sent(body)?)?.shown())
}

/// An apply that was judged.
pub struct Judged {
    /// The answer, without the revision.
    pub answer: Value,
    /// What may be written; `None`: the proposal cannot be applied.
    pub approved: Option<Approved>,
}

/// Judges an apply on the stored texts. `known` says whether a revision is one of this script.
pub fn apply(
    body: &Value,
    stored: &Files,
    by: Person,
    known: impl Fn(&str) -> Result<bool, Fault>,
) -> Result<Judged, Fault> {
    let sent = sent(body)?;
    for name in TOKENS {
        if !body[name].is_string() {
            let message = "Name what you saw: revision, base, patch and result.";
            return Err(ApiError::invalid_input(format!("/{name}"), message).into());
        }
    }
    // The shape first: a wrong body is no conflict.
    let signature: Signature = read(body.clone()).map_err(ApiError::from)?;
    let has_moved = |fresh: &Preview| !fresh.staged.moved(|path| sent.get(path).map(|text| text_hash(text))).is_empty();
    let fresh = match looked_at(body, stored) {
        Err(refused) if refused.code == UNKNOWN_HUNK => {
            // Places of another base: the fresh preview shows all of them.
            let mut all = body.clone();
            all["accept"] = Value::Null;
            let fresh = looked_at(&all, stored)?;
            return Err(if has_moved(&fresh) { conflict(Why::Base, &fresh) } else { refused.into() });
        }
        fresh => fresh?,
    };
    if has_moved(&fresh) || !known(body["base_revision_id"].as_str().unwrap_or_default())? {
        return Err(conflict(Why::Base, &fresh));
    }
    let mut answer = fresh.shown();
    match sign(fresh, &signature, by, false) {
        Ok(approved) => {
            answer["applied"] = json!(true);
            Ok(Judged { answer, approved: Some(approved) })
        }
        Err((Why::Invalid, _)) => {
            answer["applied"] = json!(false);
            Ok(Judged { answer, approved: None })
        }
        Err((Why::Confirmation, _)) => {
            let message = "Show the reasons to a person, then send the preview's confirm_token.";
            Err(Fault::new(409, "CONFIRMATION_REQUIRED", message).with("preview", answer))
        }
        Err((why, fresh)) => Err(conflict(why, &fresh)),
    }
}

/// The files that an approval changes, whole.
pub fn changed(approved: &Approved) -> Files {
    let staged = approved.staged();
    let before = staged.base.files.as_ref();
    let is_changed = |(path, text): &(&String, &String)| before.and_then(|files| files.get(*path)) != Some(*text);
    let after = staged.after.iter().flatten().filter(is_changed);
    after.map(|(path, text)| (path.clone(), text.clone())).collect()
}

/// What the revision keeps of an approval.
pub fn kept(approved: &Approved, actor: &str) -> Value {
    let mut kept = approved.staged().facts.0.clone();
    if approved.staged().confirm != Confirm::None {
        kept["confirmed_by"] = json!(actor);
    }
    kept
}

/// A proposal on some texts, with what the check finds in the files after.
fn looked_at(body: &Value, on: &Files) -> Result<Preview, ApiError> {
    KIND.preview(Base { files: Some(on.clone()), ..Base::default() }, body, &given)
}

/// 409 with what the proposal would do now.
fn conflict(why: Why, fresh: &Preview) -> Fault {
    let message = "A file changed since the preview. Look at the fresh preview, then apply again.";
    let reason = why.conflict().map(|reason| reason.name());
    Fault::new(409, "CONFLICT", message).with("reason", json!(reason)).with("preview", fresh.shown())
}

/// The texts of a body, within their limits.
fn sent(body: &Value) -> Result<Files, Fault> {
    if !body["virtual_files"].is_object() {
        return Err(ApiError::invalid_input("/virtual_files", "Send an object: path to text.").into());
    }
    let given = files(body, false)?;
    within_limits(&given)?;
    Ok(given.into_iter().map(|(file, text)| (file.id().to_owned(), text)).collect())
}
