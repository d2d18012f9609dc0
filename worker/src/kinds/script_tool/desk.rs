//! A tool's object: its store, its running requests, its alarm (spec: script-tool.md §6, §7, §9).
//!
//! Owns everything that is asked and answered without a model. Invariants: a write and its word on the thread are one
//! transaction of the store; the account's list follows the tool, never the other way, and what is stored is listed,
//! also when the account did not answer.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use holdpoint_change::{Base, Change, Confirm};
use holdpoint_check::args;
use holdpoint_gateway::Code;
use holdpoint_kinds::script_tool::protocol::not_larger;
use holdpoint_kinds::script_tool::wire::{Discarded, Script, ScriptStep, Stopped, Thread, ToolRevisionWithFiles};
use holdpoint_store::Workspace;
use holdpoint_store::codes::SCRIPT;
use holdpoint_store::ledger::ToolRow;
use holdpoint_store::session::Sessions;
use holdpoint_store::workspace::{self, Asked, Bundle, By};
use serde_json::{Value, json};
use worker::{Delay, Env, State, Storage};

use super::question::{Ask, Question};
use super::settings::EditorSettings;
use super::{capture, log};
use crate::account::Question as AskAccount;
use crate::answer::{Fault, cause};
use crate::auth::person;
use crate::js::now_ms;
use crate::kinds::script_tool::{self, EDIT_OPS, New, fault};
use crate::objects::{Objects, ask};
use crate::project::lanes::Places;
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// How often a new tool is told to its account before its author hears that the list does not answer.
const LIST_TRIES: u32 = 3;
/// Before the second try; doubled before the third.
const LIST_RETRY_MS: u64 = 100;
/// When the alarm tries again.
const LIST_AGAIN_MS: i64 = 2_000;

/// See the module.
pub struct Desk {
    pub(crate) settings: Rc<Settings>,
    pub(crate) editor: EditorSettings,
    pub(crate) objects: Objects,
    pub(crate) env: Env,
    storage: Storage,
    sql: RefCell<Option<ObjectSql>>,
    workspace: RefCell<Option<Rc<Workspace<ObjectSql>>>>,
    /// Whose request runs.
    pub(crate) places: Places,
    /// When the alarm rings, as far as is known.
    alarm: Cell<Option<i64>>,
}

type Answered = Result<(u16, Value), Fault>;

impl Desk {
    /// The desk of an object.
    pub fn new(state: &State, env: Env) -> Self {
        let settings = Settings::of(&env);
        let editor = EditorSettings::read(&env, &settings);
        Self {
            settings,
            editor,
            objects: Objects::new(env.clone()),
            env,
            storage: state.storage(),
            sql: RefCell::new(Some(ObjectSql::new(state))),
            workspace: RefCell::default(),
            places: Places::default(),
            alarm: Cell::default(),
        }
    }

    /// What this object holds.
    pub fn workspace(&self) -> Result<Rc<Workspace<ObjectSql>>, Fault> {
        if let Some(workspace) = &*self.workspace.borrow() {
            return Ok(workspace.clone());
        }
        let sql = self.sql.borrow_mut().take().ok_or_else(|| Fault::internal("the store could not be opened"))?;
        let workspace = Rc::new(Workspace::open(sql)?);
        *self.workspace.borrow_mut() = Some(workspace.clone());
        Ok(workspace)
    }

    /// What was said about it.
    pub(crate) fn sessions<'w>(&self, workspace: &'w Workspace<ObjectSql>) -> Sessions<'w, ObjectSql> {
        workspace.sessions(self.editor.thread_ttl_ms)
    }

    /// Forgets sessions that are over their time, also when the alarm is late.
    pub(crate) fn expire(&self, question: &Question, now: i64) -> Result<(), Fault> {
        let workspace = self.workspace()?;
        let threads = self.sessions(&workspace).expire(now)?;
        if threads > 0 {
            log::event("thread_expired", question, now, json!({"by": "access", "threads": threads}));
        }
        Ok(())
    }

    /// Answers what needs no model.
    pub async fn answer(&self, question: &Question) -> Answered {
        let workspace = self.workspace()?;
        let now = now_ms();
        let (id, user) = (question.tool_id.as_str(), question.principal.user_id.as_str());
        let by = By { user, now, asked: None };
        let sessions = self.sessions(&workspace);
        let session = sessions.of(id, user);
        self.expire(question, now)?;
        let (status, answer, head) = match &question.ask {
            Ask::Create { title, files } => {
                // First the alarm: should this end halfway, it lists what was stored.
                self.wake(now + LIST_AGAIN_MS).await?;
                let account = &question.caller.account;
                let new = New { id, title, account, files };
                script_tool::create(&workspace, &new, person(&question.principal), &by)?;
                let head = present(&workspace, id)?;
                self.list_new(account, &head).await?;
                (201, json!(head), None)
            }
            Ask::Head => {
                let head = present(&workspace, id)?;
                (200, json!(head), Some(head))
            }
            Ask::Save { base, files } => {
                not_larger(&present(&workspace, id)?.virtual_files, files)?;
                self.step(question, base, &script_tool::Step::Save(files), &by)?
            }
            Ask::Undo { base } => self.step(question, base, &script_tool::Step::Undo, &by)?,
            Ask::Redo { base } => self.step(question, base, &script_tool::Step::Redo, &by)?,
            Ask::Restore { base, to } => self.step(question, base, &script_tool::Step::Restore(to), &by)?,
            Ask::Revisions { cursor, limit } => {
                let page = workspace.revisions(id, cursor.as_deref(), *limit).map_err(fault)?;
                (200, json!(page.map(script_tool::revision)), None)
            }
            Ask::Revision { id: revision } => {
                let (revision, files) = workspace.revision(id, revision).map_err(fault)?;
                let revision = script_tool::revision(revision);
                (200, json!(ToolRevisionWithFiles { revision, virtual_files: files.unwrap_or_default() }), None)
            }
            Ask::Checkpoint { title } => {
                let made = workspace.checkpoint(id, title, &by).map_err(fault)?;
                (201, json!(script_tool::checkpoint(made)), None)
            }
            Ask::Checkpoints { cursor, limit } => {
                let page = workspace.checkpoints(id, cursor.as_deref(), *limit).map_err(fault)?;
                (200, json!(page.map(script_tool::checkpoint)), None)
            }
            Ask::Preview { body } => {
                let answer = script_tool::preview(body)?;
                log::preview(question, now, body, &answer);
                capture::rejected(self, question, body, body["virtual_files"].clone(), &answer).await;
                (200, answer, None)
            }
            Ask::Apply { body } => {
                let stored = present(&workspace, id)?;
                let (answer, head) = self.apply(question, body, &by)?;
                capture::rejected(self, question, body, json!(stored.virtual_files), &answer).await;
                (200, answer, head)
            }
            Ask::Discard => {
                let asked_at = session.asked_at(&question.correlation_id)?;
                let noted = session.discard(now, &asked(question))?;
                if noted {
                    log::decision(question, now, "discarded", asked_at);
                }
                (200, json!(Discarded { discarded: noted }), None)
            }
            Ask::History { limit } => {
                let messages = session.history(now, *limit)?.into_iter().map(script_tool::message).collect();
                let head = present(&workspace, id)?;
                (200, json!(Thread { messages, base_version_id: head.revision_id }), None)
            }
            Ask::Clear => {
                self.places.stop(user).await;
                session.clear()?;
                (204, Value::Null, None)
            }
            Ask::Cancel => (200, json!(Stopped { cancelled: self.places.stop(user).await }), None),
            Ask::Chat { .. } | Ask::EditOps { .. } => return Err(Fault::internal("a model's request came here")),
        };
        if let Some(head) = head.filter(|head| question.listed.as_ref() != Some(&head.revision_id)) {
            self.list(&question.caller.account, &head).await;
        }
        self.set_alarm().await;
        Ok((status, answer))
    }

    /// Does what a person asks for on the revision that they saw; an undo or redo is logged.
    fn step(
        &self,
        question: &Question,
        base: &str,
        step: &script_tool::Step<'_>,
        by: &By<'_>,
    ) -> Result<(u16, Value, Option<Script>), Fault> {
        let workspace = self.workspace()?;
        let done = script_tool::step(&workspace, &question.tool_id, base, step, person(&question.principal), by)?;
        let word = match step {
            script_tool::Step::Undo => Some("undone"),
            script_tool::Step::Redo => Some("applied"),
            _ => None,
        };
        if let Some(word) = word {
            let about = done.revision.about.as_deref().unwrap_or_default();
            log::decision(question, by.now, word, self.sessions(&workspace).asked_for(about)?);
        }
        let head = present(&workspace, &question.tool_id)?;
        Ok((200, json!(ScriptStep::from(head.clone())), Some(head)))
    }

    /// Judges and stores an apply; nothing is awaited between the two.
    fn apply(&self, question: &Question, body: &Value, by: &By<'_>) -> Result<(Value, Option<Script>), Fault> {
        let workspace = self.workspace()?;
        let id = question.tool_id.as_str();
        let asked_at = self.sessions(&workspace).of(id, by.user).asked_at(&question.correlation_id)?;
        let base: Base = workspace.base(id)?;
        let signer = person(&question.principal);
        let judged = script_tool::judge(&workspace, id, body, &base, signer).map_err(|fault| {
            if fault.code != "CONFLICT" {
                return fault;
            }
            log::decision(question, by.now, "stale", asked_at);
            fault.with("revision_id", json!(base.revision))
        })?;
        log::preview(question, by.now, body, &judged.answer);
        let mut answer = judged.answer;
        let Some(approved) = judged.approved else { return Ok((answer, None)) };
        let is_confirmed = approved.staged().confirm != Confirm::None;
        let stood: workspace::Head = workspace.head(id)?.ok_or_else(missing)?;
        let by = By { asked: Some(asked(question)), ..*by };
        workspace.write(&Bundle::from(&stood), &base, Change::Approved(approved), &by).map_err(fault)?;
        log::decision(question, by.now, if is_confirmed { "confirmed" } else { "applied" }, asked_at);
        let head = present(&workspace, id)?;
        answer["revision_id"] = json!(head.revision_id);
        answer["can_undo"] = json!(head.can_undo);
        answer["can_redo"] = json!(head.can_redo);
        answer["base_fingerprints"] = json!(head.base_fingerprints);
        Ok((answer, Some(head)))
    }

    /// Lists a tool that was just made: who has heard of it finds it.
    async fn list_new(&self, account: &str, head: &Script) -> Result<(), Fault> {
        for attempt in 0..LIST_TRIES {
            if attempt > 0 {
                Delay::from(Duration::from_millis(LIST_RETRY_MS << (attempt - 1))).await;
            }
            if self.list(account, head).await {
                return Ok(());
            }
        }
        let message = "The script is stored, but the list does not answer. It will be listed soon: look there before \
                       you make it again.";
        Err(Fault { message: message.to_owned(), ..Code::LedgerUnavailable.into() }
            .with("tool_id", json!(head.tool_id)))
    }

    /// Tells the account what it lists; `false`: nobody heard it. A lost word is said again by the next answer, that of
    /// a new tool by the alarm.
    async fn list(&self, account: &str, head: &Script) -> bool {
        let row = ToolRow {
            tool_id: head.tool_id.clone(),
            owner: head.owner.clone(),
            title: head.title.clone(),
            revision_id: head.revision_id.clone(),
            updated_at: head.updated_at,
        };
        let told = match self.objects.account(account) {
            Ok(account) => ask::<_, bool>(&account, &AskAccount::PutTool { row }).await.map(drop),
            Err(fault) => Err(fault),
        };
        let noted = told.and_then(|()| Ok(self.workspace()?.set_listed(&head.tool_id)?));
        if let Err(fault) = &noted {
            worker::console_error!("{}", json!({"event": "tool_unlisted", "code": fault.code}));
        }
        noted.is_ok()
    }

    /// An alarm rings no later than the first thread or capture is over, and soon while the tool is unlisted.
    pub(crate) async fn set_alarm(&self) {
        let Ok(workspace) = self.workspace() else { return };
        let (Ok(next), Ok(unlisted)) = (self.sessions(&workspace).next_expiry(), workspace.unlisted()) else { return };
        let again = unlisted.first().map(|_| now_ms() + LIST_AGAIN_MS);
        let Some(next) = next.into_iter().chain(capture::next_expiry(self)).chain(again).min() else { return };
        if let Err(error) = self.wake(next).await {
            worker::console_error!("{}", json!({"event": "alarm_failed", "cause": cause(&error)}));
        }
    }

    /// Sets the alarm, unless it rings by then anyway.
    async fn wake(&self, at: i64) -> worker::Result<()> {
        if self.alarm.get().is_some_and(|set| set <= at) {
            return Ok(());
        }
        self.alarm.set(Some(at));
        let wait = at.saturating_sub(now_ms()).max(0);
        self.storage.set_alarm(wait).await.inspect_err(|_| self.alarm.set(None))
    }

    /// Lists what is not listed yet, forgets what is over its time.
    pub async fn ring(&self) -> Result<(), Fault> {
        self.alarm.set(None);
        let workspace = self.workspace()?;
        let expired = self.sessions(&workspace).expire(now_ms())?;
        if expired > 0 {
            worker::console_log!("{}", json!({"event": "thread_expired", "by": "alarm", "threads": expired}));
        }
        capture::expire(self).await;
        for (id, account) in workspace.unlisted()? {
            self.list(&account, &present(&workspace, &id)?).await;
        }
        self.set_alarm().await;
        Ok(())
    }
}

/// The turn of a request that proposed an edit.
fn asked(question: &Question) -> Asked<'_> {
    Asked { protocol: EDIT_OPS, correlation: &question.correlation_id }
}

/// A script as it stands.
fn present(workspace: &Workspace<ObjectSql>, id: &str) -> Result<Script, Fault> {
    script_tool::head(workspace, id)?.ok_or_else(missing)
}

/// The account lists it and its object is empty: its creation was cut off.
fn missing() -> Fault {
    Fault::of(404, &SCRIPT, args! {})
}
