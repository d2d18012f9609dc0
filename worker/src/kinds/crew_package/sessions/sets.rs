//! Staging, validating, discarding and taking back (spec: ai-sessions.md §4, crew-package.md §10).

use holdpoint_change::Tokens;
use holdpoint_check::{ApiError, args};
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::proposals::{
    self, CLOSED, Issued, Judgement, NOT_APPLIED, NOTHING_STAGED, Record, SeenPreview, Staging, Undo, WorkingFile,
    findings, impact, judge, shown, stored,
};
use holdpoint_kind_crew::sessions::codes::NEEDS_SET;
use holdpoint_kind_crew::sessions::opening::text;
use holdpoint_kind_crew::sessions::rollout::Wants;
use holdpoint_kind_crew::wire::sessions::{PreviewShown, SetDiscarded, SetStaged, SetValidated};
use holdpoint_store::change_set::{ChangeSet, JudgedSet, NewSet, SetStatus};
use holdpoint_store::session::OwnSession;
use holdpoint_text::hex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::command::Sent;
use super::show::verdict;
use super::told::Told;
use super::work::{Work, active, builder, in_mode, json_of, record, rows};
use crate::answer::EdgeError;
use crate::js::random;

/// A set that was judged, and what is stored of it.
pub struct SetVerdict {
    pub judged: Judgement,
    pub set: ChangeSet,
    pub status: SetStatus,
    /// What a person is shown, where the set holds.
    pub preview: Value,
}

impl Work<'_> {
    pub fn stage_sent(&self, sent: &Sent) -> Result<Value, EdgeError> {
        self.head()?;
        self.may(Wants::Work)?;
        let session = self.named(sent)?;
        active(&session)?;
        let change_set = sent.value()?.get("changeSet").unwrap_or(&Value::Null);
        Ok(json!(told_staged(&self.stage(&session, change_set)?)))
    }

    /// Stages a set on what its session has.
    pub fn stage(&self, session: &OwnSession, change_set: &Value) -> Result<(ChangeSet, Staging), EdgeError> {
        self.stage_on(session, &self.staged(session)?, change_set)
    }

    /// What a session has: its working files, and the set that they come from.
    pub fn staged(&self, session: &OwnSession) -> Result<(Vec<WorkingFile>, Option<Record>), EdgeError> {
        let past = self.workspace.change_sets().latest(&session.id)?;
        Ok((self.working(session)?, past.as_ref().map(record).transpose()?))
    }

    /// Stages a set on what its session had before; what it has now is gone.
    pub fn stage_on(
        &self,
        session: &OwnSession,
        (working, past): &(Vec<WorkingFile>, Option<Record>),
        change_set: &Value,
    ) -> Result<(ChangeSet, Staging), EdgeError> {
        let (head, own) = (self.head()?, builder(session)?);
        let change_set = in_mode(session, change_set.clone());
        let staging = proposals::stage(&head, working, past.as_ref(), &own, &change_set)?;
        let set = self.store(session, &staging, Told::of("ai.change.staged"))?;
        Ok((set, staging))
    }

    fn store(&self, session: &OwnSession, staging: &Staging, told: Told<'_>) -> Result<ChangeSet, EdgeError> {
        let told = Told { objects: json!(staging.operated), ..told };
        let new = NewSet {
            session: &session.id,
            bundle: self.project,
            user: self.user,
            content: &serde_json::to_string(&staging.record)?,
            working: &rows(&staging.record.objects)?,
        };
        let set = self.workspace.change_sets().stage(&new, self.now, &[self.event(Some(session), &told)])?;
        self.log(Some(session), &Told { set: Some((set.number, set.version)), ..told });
        Ok(set)
    }

    /// `…/change/validate`: a stored set, or a text.
    pub fn validate_sent(&self, sent: &Sent) -> Result<Value, EdgeError> {
        self.head()?;
        self.may(Wants::Work)?;
        let session = self.named(sent)?;
        active(&session)?;
        let body = sent.value()?;
        let id = text(body, "changeSetId")?;
        if let (None, Some(change_set)) = (id, body.get("changeSet").filter(|set| !set.is_null())) {
            return self.verdict_of(&session, change_set);
        }
        let SetVerdict { judged, set, status, preview } = self.validate(&session, id)?;
        if judged.valid() {
            self.note_shown(&session.id, set.number, &judged.issued)?;
        }
        let verdict = &judged.checked.verdict;
        Ok(json!(SetValidated {
            valid: verdict.valid,
            schema_failed: verdict.schema_failed,
            change_set_id: Some(IdOf::ChangeSet.outside(set.number)),
            session_id: session.id.clone(),
            status: Some(status.as_str()),
            errors: findings(&verdict.errors),
            warnings: findings(&verdict.warnings),
            meta: proposals::meta(&verdict.meta),
            normalized_change_set: judged.record.change_set.clone(),
            preview,
        }))
    }

    fn verdict_of(&self, session: &OwnSession, change_set: &Value) -> Result<Value, EdgeError> {
        let (head, own) = (self.head()?, builder(session)?);
        let change_set = in_mode(session, change_set.clone());
        let verdict = proposals::verdict(&head, &self.working(session)?, &own, &change_set)?;
        Ok(json!(SetValidated {
            valid: verdict.valid,
            schema_failed: verdict.schema_failed,
            change_set_id: None,
            session_id: session.id.clone(),
            status: None,
            errors: findings(&verdict.errors),
            warnings: findings(&verdict.warnings),
            meta: proposals::meta(&verdict.meta),
            normalized_change_set: json!(verdict.normalized),
            preview: Value::Null,
        }))
    }

    /// Judges a set of a session, by default the open one, and stores the verdict.
    pub fn validate(&self, session: &OwnSession, id: Option<&str>) -> Result<SetVerdict, EdgeError> {
        let set = self.open_set(session, id)?;
        let past = record(&set)?;
        let judged = judge(&*self.head()?, &builder(session)?, &past, None)?;
        let status = self.keep(session, &set, (&past, &judged))?;
        let preview = if judged.valid() { self.issue(&set, &judged.issued)? } else { Value::Null };
        Ok(SetVerdict { judged, set, status, preview })
    }

    /// Stores a verdict and tells it.
    pub fn keep(
        &self,
        session: &OwnSession,
        set: &ChangeSet,
        (past, judged): (&Record, &Judgement),
    ) -> Result<SetStatus, EdgeError> {
        let verdict = &judged.checked.verdict;
        let codes: Vec<&str> = verdict.errors.iter().map(|found| found.code.as_ref()).collect();
        let first = codes.first().copied();
        let kind = if judged.valid() { "ai.validation.passed" } else { "ai.validation.failed" };
        let told = Told {
            outcome: if judged.valid() { "ok" } else { "failed" },
            code: first,
            set: Some((set.number, set.version)),
            detail: json!({ "codes": codes }),
            ..Told::of(kind)
        };
        let (content, files) = (serde_json::to_string(&judged.record)?, rows(&judged.record.objects)?);
        let again = (judged.record != *past).then_some((content.as_str(), files.as_slice()));
        let validation = judged.validation().to_string();
        let stored = JudgedSet { valid: judged.valid(), validation: &validation, again };
        let kept = self.workspace.change_sets().judge(set, &stored, self.now, &[self.event(Some(session), &told)])?;
        self.log(Some(session), &told);
        kept.ok_or_else(|| closed(set))
    }

    /// The preview of a validated set for an answer that its user reads.
    pub fn show_set(&self, set: &ChangeSet, issued: &Issued) -> Result<Value, EdgeError> {
        self.note_shown(&set.session, set.number, issued)?;
        self.issue(set, issued)
    }

    /// Notes that its user was shown a set: what an apply without hashes signs.
    pub fn note_shown(&self, session: &str, number: i64, issued: &Issued) -> Result<(), EdgeError> {
        let patch = issued.patch(&IdOf::ChangeSet.outside(number));
        let shown = ShownTokens { base: issued.base_hash.clone(), patch, result: issued.result_hash.clone() };
        Ok(self.workspace.change_sets().note_shown(session, number, &serde_json::to_string(&shown)?, self.now)?)
    }

    /// The same of hashes that somebody was given, while they are those of the newest validation.
    pub fn note_given(&self, session: &str, number: i64, seen: &SeenPreview) -> Result<(), EdgeError> {
        let set = self.workspace.change_sets().get(session, number)?;
        match set.as_ref().and_then(issued) {
            Some(issued) if issued.base_hash == seen.base_hash && issued.result_hash == seen.result_hash => {
                self.note_shown(session, number, &issued)
            }
            _ => Ok(()),
        }
    }

    /// The preview of a validated set, with a token where something must be confirmed.
    pub fn issue(&self, set: &ChangeSet, issued: &Issued) -> Result<Value, EdgeError> {
        let id = IdOf::ChangeSet.outside(set.number);
        if issued.confirm.is_empty() {
            return Ok(issued.preview(&id, None));
        }
        let token = self.token(&tokens(&id, issued))?;
        Ok(issued.preview(&id, Some(&token)))
    }

    fn token(&self, change: &Tokens) -> Result<String, EdgeError> {
        let token = hex(&random::<32>()?);
        self.workspace.issue((self.project, change), self.user, &token, self.now)?;
        Ok(token)
    }

    /// An answer that was kept, with a fresh token where it was given with one.
    pub fn with_token(&self, mut answer: Value) -> Result<Value, EdgeError> {
        let KeptAnswer { session_id, preview } = KeptAnswer::deserialize(&answer).unwrap_or_default();
        let Some(preview) = preview.filter(|preview| !preview.confirm.is_empty()) else { return Ok(answer) };
        let number = IdOf::ChangeSet.number(&preview.change_set_id).unwrap_or_default();
        let set = self.workspace.change_sets().get(&session_id, number)?;
        if let (Some(issued), Some(place)) =
            (set.as_ref().and_then(issued), answer.pointer_mut("/preview/confirmToken"))
        {
            *place = self.token(&tokens(&preview.change_set_id, &issued))?.into();
        }
        Ok(answer)
    }

    pub fn discard_sent(&self, sent: &Sent) -> Result<Value, EdgeError> {
        let session = self.named(sent)?;
        self.discard(&session, text(sent.value()?, "changeSetId")?)?;
        Ok(json!(SetDiscarded { discarded: true }))
    }

    /// Rejects a set, by default the open one.
    pub fn discard(&self, session: &OwnSession, id: Option<&str>) -> Result<ChangeSet, EdgeError> {
        let set = self.open_set(session, id)?;
        let told = Told { set: Some((set.number, set.version)), ..Told::of("ai.change.discarded") };
        let done = self.workspace.change_sets().discard(&set, self.now, &self.event(Some(session), &told))?;
        if !done {
            return Err(closed(&set));
        }
        self.log(Some(session), &told);
        Ok(set)
    }

    pub fn revert_sent(&self, sent: &Sent) -> Result<Value, EdgeError> {
        let head = self.head()?;
        self.may(Wants::Work)?;
        let session = self.named(sent)?;
        active(&session)?;
        let id = text(sent.value()?, "changeSetId")?;
        let set = self.set(&session, id.ok_or_else(|| ApiError::at("/changeSetId", &NEEDS_SET, args! {}))?)?;
        let undo: Undo = match (set.status, &set.inverse) {
            (SetStatus::Applied, Some(inverse)) => serde_json::from_str(inverse)?,
            (SetStatus::Staged | SetStatus::Validated, _) => {
                return Err(EdgeError::of(409, &NOT_APPLIED, args! {}));
            }
            _ => return Err(closed(&set)),
        };
        let staging = proposals::revert(&head, &builder(&session)?, &undo)?;
        let told = Told { set: Some((set.number, set.version)), ..Told::of("ai.change.reverted") };
        let new = self.store(&session, &staging, Told::of("ai.change.staged"))?;
        self.tell(Some(&session), &told)?;
        Ok(json!(told_staged(&(new, staging))))
    }

    pub fn preview(&self, id: &str, set: Option<&str>) -> Result<Value, EdgeError> {
        let session = self.session(id)?;
        let latest = self.workspace.change_sets().latest(id)?;
        let set = match set {
            Some(set) => Some(self.set(&session, set)?),
            None => latest.clone(),
        };
        let newest = latest.as_ref().map(|latest| latest.number);
        let set = set.filter(|set| Some(set.number) == newest).ok_or_else(nothing)?;
        let (validation, issued) = verdict(&set);
        // What did not hold stays to be seen while its working files are there.
        let is_seen = set.status.is_open() || (validation["valid"] == false && !self.working(&session)?.is_empty());
        if !is_seen {
            return Err(nothing());
        }
        let judged = judge(&*self.head()?, &builder(&session)?, &record(&set)?, None)?;
        Ok(json!(PreviewShown {
            preview: issued.map(|issued| self.show_set(&set, &issued)).transpose()?.unwrap_or_default(),
            changed: json!(shown(&judged)),
            validation,
            impact: impact(&judged),
        }))
    }

    /// A set of a session that is open, by default the only one.
    fn open_set(&self, session: &OwnSession, id: Option<&str>) -> Result<ChangeSet, EdgeError> {
        let Some(id) = id else {
            let latest = self.workspace.change_sets().latest(&session.id)?;
            return latest.filter(|set| set.status.is_open()).ok_or_else(nothing);
        };
        let set = self.set(session, id)?;
        if set.status.is_open() { Ok(set) } else { Err(closed(&set)) }
    }
}

/// What is read of an answer that was kept: whether its preview had a token.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct KeptAnswer {
    session_id: String,
    preview: Option<KeptPreview>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptPreview {
    change_set_id: String,
    confirm: Vec<String>,
}

/// What somebody was shown of a set, as it is noted with it.
#[derive(Serialize, Deserialize)]
pub struct ShownTokens {
    pub base: String,
    pub patch: String,
    pub result: String,
}

/// What the newest validation of a set would have a person sign; `None`: it does not hold.
pub fn issued(set: &ChangeSet) -> Option<Issued> {
    stored(&json_of(set.validation.as_ref()?))
}

/// What a person signs of a set.
pub fn tokens(id: &str, issued: &Issued) -> Tokens {
    Tokens {
        base: Some(issued.base_hash.clone()),
        patch: Some(issued.patch(id)),
        result: Some(issued.result_hash.clone()),
    }
}

/// An answer as it is kept: the token of a confirmation is with whom it was given to, and nowhere else.
pub fn without_token(mut answer: Value) -> Value {
    if let Some(token) = answer.pointer_mut("/preview/confirmToken") {
        token.take();
    }
    answer
}

/// As the route and the tool say it.
pub fn told_staged((set, staging): &(ChangeSet, Staging)) -> SetStaged {
    SetStaged {
        change_set_id: IdOf::ChangeSet.outside(set.number),
        status: "staged",
        suggestion_version: set.version,
        warnings: findings(&staging.warnings),
    }
}

pub fn closed(set: &ChangeSet) -> EdgeError {
    EdgeError::of(409, &CLOSED, args! { status: set.status.as_str() })
}

pub fn nothing() -> EdgeError {
    EdgeError::of(409, &NOTHING_STAGED, args! {})
}
