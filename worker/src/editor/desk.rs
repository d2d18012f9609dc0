//! A tool's object: its store, its running requests, its alarm (spec: script-tool.md §6, §7, §9).
//!
//! Owns everything that is asked and answered without a model. Invariants: one running request a user, exact because
//! the object is the only place that knows; a write and its word on the thread are one transaction of the store; the
//! account's list follows the tool, never the other way.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_author::editor::not_larger;
use holdpoint_store::Tool;
use holdpoint_store::ledger::ToolRow;
use holdpoint_store::project::By;
use holdpoint_store::thread::Threads;
use holdpoint_store::tool::{Apply, Head, NewTool};
use serde_json::{Value, json};
use worker::{Env, State, Storage};

use super::question::{Ask, Question};
use super::settings::EditorSettings;
use super::{capture, log, proposal};
use crate::account::Question as AskAccount;
use crate::answer::Fault;
use crate::js::now_ms;
use crate::objects::{Objects, ask};
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// See the module.
pub struct Desk {
    pub(super) settings: Rc<Settings>,
    pub(super) editor: EditorSettings,
    pub(super) objects: Objects,
    pub(super) env: Env,
    storage: Storage,
    sql: RefCell<Option<ObjectSql>>,
    tool: RefCell<Option<Rc<Tool<ObjectSql>>>>,
    running: RefCell<BTreeMap<String, Running>>,
    tokens: Cell<u64>,
    /// When the alarm rings, as far as is known.
    alarm: Cell<Option<i64>>,
}

/// A request that runs.
struct Running {
    token: u64,
    cancel: Option<oneshot::Sender<()>>,
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
            tool: RefCell::default(),
            running: RefCell::default(),
            tokens: Cell::default(),
            alarm: Cell::default(),
        }
    }

    /// The tool's store.
    pub(super) fn tool(&self) -> Result<Rc<Tool<ObjectSql>>, Fault> {
        if let Some(tool) = &*self.tool.borrow() {
            return Ok(tool.clone());
        }
        let sql = self.sql.borrow_mut().take().ok_or_else(|| Fault::internal("the store could not be opened"))?;
        let tool = Rc::new(Tool::open(sql)?);
        *self.tool.borrow_mut() = Some(tool.clone());
        Ok(tool)
    }

    /// The tool's threads.
    pub(super) fn threads<'t>(&self, tool: &'t Tool<ObjectSql>) -> Threads<'t, ObjectSql> {
        tool.threads(self.editor.thread_ttl_ms)
    }

    /// Forgets threads that are over their time, also when the alarm is late.
    pub(super) fn expire(&self, question: &Question, now: i64) -> Result<(), Fault> {
        let tool = self.tool()?;
        let threads = self.threads(&tool).expire(now)?;
        if threads > 0 {
            log::event("thread_expired", question, now, json!({"by": "access", "threads": threads}));
        }
        Ok(())
    }

    /// Takes the one place of a user's running request; `None` while another has it.
    pub(super) fn enter(&self, user: &str) -> Option<(u64, oneshot::Receiver<()>)> {
        let mut running = self.running.borrow_mut();
        if running.contains_key(user) {
            return None;
        }
        let token = self.tokens.get() + 1;
        self.tokens.set(token);
        let (tell, heard) = oneshot::channel();
        running.insert(user.to_owned(), Running { token, cancel: Some(tell) });
        Some((token, heard))
    }

    /// Gives the place back.
    pub(super) fn leave(&self, user: &str, token: u64) {
        let mut running = self.running.borrow_mut();
        if running.get(user).is_some_and(|running| running.token == token) {
            running.remove(user);
        }
    }

    fn stop(&self, user: &str) -> bool {
        let cancel = self.running.borrow_mut().get_mut(user).and_then(|running| running.cancel.take());
        cancel.is_some_and(|cancel| cancel.send(()).is_ok())
    }

    /// Answers what needs no model.
    pub async fn answer(&self, question: &Question) -> Answered {
        let tool = self.tool()?;
        let now = now_ms();
        let actor = question.principal.actor();
        let user = &question.principal.user_id;
        let by = By { actor: &actor, now };
        let threads = self.threads(&tool);
        self.expire(question, now)?;
        let step = |head: Head| {
            json!({
                "revision_id": head.revision_id, "virtual_files": head.virtual_files, "can_undo": head.can_undo,
                "can_redo": head.can_redo, "base_fingerprints": head.base_fingerprints,
            })
        };
        let (status, answer, head) = match &question.ask {
            Ask::Create { title, files } => {
                let new = NewTool {
                    id: question.tool_id.clone(),
                    owner: user.clone(),
                    title: title.clone(),
                    files: files.clone(),
                };
                let head = tool.create(&new, by)?;
                (201, json!(head), Some(head))
            }
            Ask::Head => {
                let head = tool.head()?.ok_or_else(missing)?;
                (200, json!(head), Some(head))
            }
            Ask::Save { base, files } => {
                let present = tool.head()?.ok_or_else(missing)?;
                not_larger(&present.virtual_files, files)?;
                let head = tool.save(base, files, by)?;
                (200, step(head.clone()), Some(head))
            }
            Ask::Undo { base } | Ask::Redo { base } => {
                let back = matches!(question.ask, Ask::Undo { .. });
                let head = if back { tool.undo(base, by)? } else { tool.redo(base, by)? };
                log::decision(question, now, if back { "undone" } else { "applied" }, tool.asked_at(&head)?);
                (200, step(head.clone()), Some(head))
            }
            Ask::Restore { base, to } => {
                let head = tool.restore(base, to, by)?;
                (200, step(head.clone()), Some(head))
            }
            Ask::Revisions { cursor, limit } => (200, json!(tool.revisions(cursor.as_deref(), *limit)?), None),
            Ask::Revision { id } => {
                let (revision, files) = tool.revision(id)?;
                let mut shown = json!(revision);
                shown["virtual_files"] = json!(files);
                (200, shown, None)
            }
            Ask::Checkpoint { title } => (201, json!(tool.checkpoint(title, by)?), None),
            Ask::Checkpoints { cursor, limit } => (200, json!(tool.checkpoints(cursor.as_deref(), *limit)?), None),
            Ask::Preview { body } => {
                let answer = proposal::preview(body)?;
                log::preview(question, now, body, &answer);
                capture::preview(self, question, body, &answer).await;
                (200, answer, None)
            }
            Ask::Apply { body } => {
                let (answer, head) = self.apply(&tool, question, body, by)?;
                (200, answer, head)
            }
            Ask::Discard => {
                let asked_at = threads.asked_at(user, &question.correlation_id)?;
                let noted = threads.discard(now, user, &question.correlation_id)?;
                if noted {
                    log::decision(question, now, "discarded", asked_at);
                }
                (200, json!({"discarded": noted}), None)
            }
            Ask::History { limit } => {
                let messages = threads.history(now, user, *limit)?;
                let head = tool.head()?.ok_or_else(missing)?;
                (200, json!({"messages": messages, "base_version_id": head.revision_id}), None)
            }
            Ask::Clear => {
                self.stop(user);
                threads.clear(user)?;
                (204, Value::Null, None)
            }
            Ask::Cancel => (200, json!({"cancelled": self.stop(user)}), None),
            Ask::Chat { .. } | Ask::EditOps { .. } => return Err(Fault::internal("a model's request came here")),
        };
        if let Some(head) = head.filter(|head| question.listed.as_ref() != Some(&head.revision_id)) {
            self.list(question, &head).await;
        }
        self.set_alarm().await;
        Ok((status, answer))
    }

    /// Judges and stores an apply; nothing is awaited between the two.
    fn apply(
        &self,
        tool: &Tool<ObjectSql>,
        question: &Question,
        body: &Value,
        by: By<'_>,
    ) -> Result<(Value, Option<Head>), Fault> {
        let head = tool.head()?.ok_or_else(missing)?;
        let user = &question.principal.user_id;
        let asked_at = self.threads(tool).asked_at(user, &question.correlation_id)?;
        let known = |revision: &str| tool.knows(revision).map_err(Fault::from);
        let judged = proposal::apply(body, &head.virtual_files, by.actor, known).inspect_err(|fault| {
            if fault.code == "CONFLICT" {
                log::decision(question, by.now, "stale", asked_at);
            }
        })?;
        log::preview(question, by.now, body, &judged.answer);
        let mut answer = judged.answer;
        let Some(files) = judged.files else { return Ok((answer, None)) };
        let mut proposal = judged.proposal;
        proposal["correlation_id"] = json!(question.correlation_id);
        let confirmed = proposal["confirmed_by"].is_string();
        let apply = Apply { files, proposal, user: user.clone(), correlation_id: question.correlation_id.clone() };
        let head = tool.apply(&head.revision_id, &apply, by)?;
        log::decision(question, by.now, if confirmed { "confirmed" } else { "applied" }, asked_at);
        answer["revision_id"] = json!(head.revision_id);
        answer["can_undo"] = json!(head.can_undo);
        answer["can_redo"] = json!(head.can_redo);
        answer["base_fingerprints"] = json!(head.base_fingerprints);
        Ok((answer, Some(head)))
    }

    /// Tells the account what it lists; a lost word is said again by the next answer.
    async fn list(&self, question: &Question, head: &Head) {
        let row = ToolRow {
            tool_id: head.tool_id.clone(),
            owner: head.owner.clone(),
            title: head.title.clone(),
            revision_id: head.revision_id.clone(),
            updated_at: head.updated_at,
        };
        let Ok(account) = self.objects.account(&question.caller.account) else { return };
        if let Err(fault) = ask::<_, bool>(&account, &AskAccount::PutTool { row }).await {
            worker::console_error!("{}", json!({"event": "tool_unlisted", "code": fault.code}));
        }
    }

    /// An alarm rings no later than the first thread or capture is over.
    pub(super) async fn set_alarm(&self) {
        let Ok(tool) = self.tool() else { return };
        let Ok(next) = self.threads(&tool).next_expiry() else { return };
        let Some(next) = next.into_iter().chain(capture::next_expiry(self)).min() else { return };
        if self.alarm.get().is_some_and(|set| set <= next) {
            return;
        }
        self.alarm.set(Some(next));
        let wait = next.saturating_sub(now_ms()).max(0);
        if let Err(error) = self.storage.set_alarm(wait).await {
            self.alarm.set(None);
            worker::console_error!("{}", json!({"event": "alarm_failed", "cause": error.to_string()}));
        }
    }

    /// Forgets what is over its time.
    pub async fn ring(&self) -> Result<(), Fault> {
        self.alarm.set(None);
        let tool = self.tool()?;
        let expired = self.threads(&tool).expire(now_ms())?;
        if expired > 0 {
            worker::console_log!("{}", json!({"event": "thread_expired", "by": "alarm", "threads": expired}));
        }
        capture::expire(self).await;
        self.set_alarm().await;
        Ok(())
    }
}

/// The account lists it and its object is empty: its creation was cut off.
fn missing() -> Fault {
    Fault::not_found("There is no such script. List what there is.")
}
