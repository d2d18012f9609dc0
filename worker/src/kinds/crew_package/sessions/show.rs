//! What is shown of sessions (spec: ai-sessions.md §3).

use holdpoint_check::error::ALLOWED;
use holdpoint_check::{ApiError, args};
use holdpoint_kind_crew::dialect::input::TargetType;
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::prompts::turn::composed;
use holdpoint_kind_crew::prompts::turn::domain;
use holdpoint_kind_crew::proposals::{Issued, effective, stored};
use holdpoint_kind_crew::protocol::transcript::title;
use holdpoint_kind_crew::sessions::codes::{AI_TARGET_NOT_SUPPORTED, NEEDS_WORKFLOW};
use holdpoint_kind_crew::tools::{Names, Sight};
use holdpoint_kind_crew::wire::Listed;
use holdpoint_kind_crew::wire::sessions::{
    ActiveTurn, ContextShown, MessageItem, SessionCancelled, SessionDeleted, SessionItem, SessionListed, SessionShown,
    Suggestion,
};
use holdpoint_store::change_set::{ChangeSet, SetStatus};
use holdpoint_store::session::{OwnSession, Spoken, Standing, Which};
use serde_json::{Value, json};

use super::command::{PageAsked, WhichAsked};
use super::told::Told;
use super::work::{Work, builder, json_of, limit, page_fault, record};
use crate::answer::EdgeError;
use crate::envelope;
use crate::kinds::crew_package::turns::past;

impl Work<'_> {
    /// Sessions of one person, newest first.
    pub fn list(&self, which: &WhichAsked, page: &PageAsked) -> Result<Value, EdgeError> {
        self.end_lost()?;
        if let Some(other) = which.target_type.as_ref().filter(|kind| TargetType::parse(kind).is_none()) {
            return Err(EdgeError::of(400, &AI_TARGET_NOT_SUPPORTED, args! { type: other }));
        }
        let part = which.workflow_id.as_ref().map(|text| {
            let number = text.parse::<i64>().ok().filter(|number| *number > 0);
            number.ok_or_else(|| ApiError::at("/workflowId", &NEEDS_WORKFLOW, args! {}))
        });
        let standing = which.status.as_ref().map(|word| {
            let allowed = "`active`, `cancelled`, `failed`";
            Standing::parse(word).ok_or_else(|| ApiError::at("/status", &ALLOWED, args! { allowed }))
        });
        let which = Which {
            kind: which.target_type.as_deref(),
            name: which.target_id.as_deref(),
            part: part.transpose()?,
            standing: standing.transpose()?,
        };
        let limit = limit(page)?;
        let found = self.sessions().list((self.project, self.user), &which, page.cursor.as_deref(), limit, self.now);
        let found = found.map_err(|refused| page_fault(refused, "cursor"))?;
        Ok(json!(Listed { items: found.items.iter().map(listed).collect(), next_cursor: found.next_cursor }))
    }

    /// One session with what was said and proposed in it.
    pub fn show(
        &self,
        id: &str,
        all: bool,
        page: &PageAsked,
        language: Option<&'static str>,
    ) -> Result<Value, EdgeError> {
        let session = self.session(id)?;
        let limit = limit(page)?;
        let said = self.sessions().messages(id, all, page.cursor.as_deref(), limit);
        let said = said.map_err(|refused| page_fault(refused, "before"))?;
        let latest = self.workspace.change_sets().latest(id)?;
        let (validation, issued) = latest.as_ref().map_or((Value::Null, None), verdict);
        let preview = match latest.as_ref().zip(issued) {
            Some((set, issued)) => {
                self.note_shown(id, set.number, &issued)?;
                issued.preview(&IdOf::ChangeSet.outside(set.number), None)
            }
            None => Value::Null,
        };
        let running = self.sessions().running(id)?;
        Ok(json!(SessionShown {
            session: listed(&session),
            latest_suggestion: latest.as_ref().map(suggestion).transpose()?,
            validation,
            preview,
            active_turn: running.map(|(turn, _)| ActiveTurn { turn_id: IdOf::Turn.outside(turn) }),
            messages: Listed {
                items: said.items.iter().map(|spoken| message(spoken, language)).collect(),
                next_cursor: said.next_cursor,
            },
        }))
    }

    /// What the next turn would send.
    pub fn context(&self, id: &str, window: Option<u64>) -> Result<Value, EdgeError> {
        let session = self.session(id)?;
        let (head, own) = (self.head()?, builder(&session)?);
        let view = effective(&head, &self.working(&session)?)?;
        let packed = self.packed(id, &own, &head, &view, window)?;
        let domain = domain(&view, &head.facts)?;
        let names = Names { session: id.to_owned(), project: self.project.to_owned(), user: self.user.to_owned() };
        let target_id = json!(own.target_id);
        let sight = Sight {
            names: &names,
            session: &own,
            target_id: &target_id,
            view: &view,
            facts: &head.facts,
            domain: &domain,
        };
        let composed = composed(&sight, &packed, past(&self.sessions(), id)?, "");
        Ok(json!(ContextShown {
            context_envelope: json!(packed.trimmed.envelope),
            trim_report: json!(packed.trimmed.trim_report),
            referenced_asset_paths: packed.referenced_asset_paths.iter().cloned().collect(),
            prompt_signature: composed.signature,
            tokens: json!(composed.tokens),
        }))
    }

    /// Ends a session; again: nothing more.
    pub async fn cancel(&self, id: &str) -> Result<Value, EdgeError> {
        let session = self.session(id)?;
        // First the session: no turn begins in it while the one that runs is stopped.
        let rejected_count = self.sessions().cancel(id, self.now)?;
        self.object.slots.stop(id).await;
        if session.standing == Standing::Active {
            self.tell(Some(&session), &Told::of("ai.session.cancelled"))?;
        }
        Ok(json!(SessionCancelled { cancelled: true, session_id: id.to_owned(), rejected_count }))
    }

    /// Deletes a session with its transcript.
    pub async fn delete(&self, id: &str) -> Result<Value, EdgeError> {
        let session = self.session(id)?;
        self.sessions().cancel(id, self.now)?;
        self.object.slots.stop(id).await;
        self.forget(&session)?;
        Ok(json!(SessionDeleted { deleted: true }))
    }

    /// Deletes a session in which nothing runs.
    pub fn forget(&self, session: &OwnSession) -> Result<(), EdgeError> {
        self.sessions().forget(&session.id, self.now)?;
        self.tell(Some(session), &Told { code: Some("DELETED"), ..Told::of("ai.session.cancelled") })
    }
}

/// What the newest validation of a set said, and what it showed; of a set that was applied there is nothing to look at.
pub fn verdict(set: &ChangeSet) -> (Value, Option<Issued>) {
    let Some(text) = set.validation.as_ref().filter(|_| set.status != SetStatus::Applied) else {
        return (Value::Null, None);
    };
    let mut validation = json_of(text);
    let issued = stored(&validation).filter(|_| set.status == SetStatus::Validated);
    if let Some(members) = validation.as_object_mut() {
        members.shift_remove("issued");
    }
    (validation, issued)
}

/// The newest set as a session shows it.
pub fn suggestion(set: &ChangeSet) -> Result<Suggestion, EdgeError> {
    Ok(Suggestion {
        version: set.version,
        change_set_id: IdOf::ChangeSet.outside(set.number),
        status: set.status.as_str().to_owned(),
        change_set: record(set)?.change_set,
    })
}

/// What a session is about.
pub fn item(session: &OwnSession) -> SessionItem {
    let (kind, target) = session.target.split_once(':').unwrap_or_default();
    SessionItem {
        session_id: session.id.clone(),
        project_id: session.bundle.clone(),
        workflow_id: session.part.and_then(|part| u64::try_from(part).ok()),
        target_type: kind.to_owned(),
        target_id: target.to_owned(),
        mode: session.mode.clone(),
        status: session.standing.as_str().to_owned(),
        created_at: session.created,
        updated_at: session.updated,
    }
}

/// The same with what it came to so far.
fn listed(session: &OwnSession) -> SessionListed {
    SessionListed {
        session: item(session),
        title: session.opening.as_deref().map(title),
        suggestion_status: session.latest.map(|status| status.as_str().to_owned()),
    }
}

fn message(said: &Spoken, language: Option<&'static str>) -> MessageItem {
    let value = |text: &Option<String>| text.as_ref().map(|text| json_of(text));
    let is_answered = !matches!(said.status.as_str(), "failed" | "cancelled");
    let kept = |name: &str| said.record.as_ref().map(|record| json_of(record)[name].take());
    let result = kept("result").filter(|_| is_answered && said.role == "assistant");
    let error = kept("error").filter(|_| !is_answered && said.role == "user");
    let error: Option<ApiError> = error.and_then(|error| serde_json::from_value(error).ok());
    MessageItem {
        id: IdOf::Message.outside(said.number),
        turn_id: IdOf::Turn.outside(said.turn),
        role: said.role.clone(),
        content: said.content.clone(),
        tool_name: said.name.clone(),
        tool_args: value(&said.args),
        tool_result: value(&said.result),
        status: if is_answered { "ok" } else { "failed" },
        client_message_id: said.client_id.clone(),
        change_set_id: said.change_set.map(|number| IdOf::ChangeSet.outside(number)),
        created_at: said.at,
        result: result.and_then(|result| serde_json::from_value(result).ok()),
        error: error.map(|error| json!(envelope::said(error, language))),
    }
}
