//! A tool's object: its store, its running requests, its alarm (spec: script-tool.md §6, §7, §9).
//!
//! Owns everything that is asked and answered without a model. Invariants: a write and its word on the thread are one
//! transaction of the store; the account's list follows the tool, never the other way, and what is stored is listed,
//! also when the account did not answer.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use holdpoint_author::editor::not_larger;
use holdpoint_gateway::Code;
use holdpoint_store::Tool;
use holdpoint_store::ledger::ToolRow;
use holdpoint_store::project::By;
use holdpoint_store::thread::{Discarded, Stopped, Thread, Threads};
use holdpoint_store::tool::{Apply, Head, NewTool, Step};
use serde_json::{Value, json};
use worker::{Delay, Env, State, Storage};

use super::places::Places;
use super::question::{Ask, Question};
use super::settings::EditorSettings;
use super::{capture, log};
use crate::account::Question as AskAccount;
use crate::answer::{Fault, cause};
use crate::auth::person;
use crate::js::now_ms;
use crate::kinds::script_tool;
use crate::objects::{Objects, ask};
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
    pub(super) settings: Rc<Settings>,
    pub(super) editor: EditorSettings,
    pub(super) objects: Objects,
    pub(super) env: Env,
    storage: Storage,
    sql: RefCell<Option<ObjectSql>>,
    tool: RefCell<Option<Rc<Tool<ObjectSql>>>>,
    /// Whose request runs.
    pub(super) places: Places,
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
            tool: RefCell::default(),
            places: Places::default(),
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

    /// Answers what needs no model.
    pub async fn answer(&self, question: &Question) -> Answered {
        let tool = self.tool()?;
        let now = now_ms();
        let actor = question.principal.actor();
        let user = &question.principal.user_id;
        let by = By { actor: &actor, now };
        let threads = self.threads(&tool);
        self.expire(question, now)?;
        let step = |head: Head| json!(Step::from(head));
        let (status, answer, head) = match &question.ask {
            Ask::Create { title, files } => {
                // First the alarm: should this end halfway, it lists what was stored.
                self.wake(now + LIST_AGAIN_MS).await?;
                let new = NewTool {
                    id: question.tool_id.clone(),
                    account: question.caller.account.clone(),
                    owner: user.clone(),
                    title: title.clone(),
                    files: files.clone(),
                };
                let head = tool.create(&new, by)?;
                self.list_new(&new.account, &head).await?;
                (201, json!(head), None)
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
            Ask::Revision { id } => (200, json!(tool.revision(id)?), None),
            Ask::Checkpoint { title } => (201, json!(tool.checkpoint(title, by)?), None),
            Ask::Checkpoints { cursor, limit } => (200, json!(tool.checkpoints(cursor.as_deref(), *limit)?), None),
            Ask::Preview { body } => {
                let answer = script_tool::preview(body)?;
                log::preview(question, now, body, &answer);
                capture::rejected(self, question, body, body["virtual_files"].clone(), &answer).await;
                (200, answer, None)
            }
            Ask::Apply { body } => {
                let stored = tool.head()?.ok_or_else(missing)?;
                let (answer, head) = self.apply(&tool, question, body, &stored, by)?;
                capture::rejected(self, question, body, json!(stored.virtual_files), &answer).await;
                (200, answer, head)
            }
            Ask::Discard => {
                let asked_at = threads.asked_at(user, &question.correlation_id)?;
                let noted = threads.discard(now, user, &question.correlation_id)?;
                if noted {
                    log::decision(question, now, "discarded", asked_at);
                }
                (200, json!(Discarded { discarded: noted }), None)
            }
            Ask::History { limit } => {
                let messages = threads.history(now, user, *limit)?;
                let head = tool.head()?.ok_or_else(missing)?;
                (200, json!(Thread { messages, base_version_id: head.revision_id }), None)
            }
            Ask::Clear => {
                self.places.stop(user).await;
                threads.clear(user)?;
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

    /// Judges and stores an apply; nothing is awaited between the two.
    fn apply(
        &self,
        tool: &Tool<ObjectSql>,
        question: &Question,
        body: &Value,
        head: &Head,
        by: By<'_>,
    ) -> Result<(Value, Option<Head>), Fault> {
        let user = &question.principal.user_id;
        let asked_at = self.threads(tool).asked_at(user, &question.correlation_id)?;
        let known = |revision: &str| tool.knows(revision).map_err(Fault::from);
        let signer = person(&question.principal);
        let judged = script_tool::apply(body, &head.virtual_files, signer, known).map_err(|fault| {
            if fault.code != "CONFLICT" {
                return fault;
            }
            log::decision(question, by.now, "stale", asked_at);
            fault.with("revision_id", json!(head.revision_id))
        })?;
        log::preview(question, by.now, body, &judged.answer);
        let mut answer = judged.answer;
        let Some(approved) = judged.approved else { return Ok((answer, None)) };
        let files = script_tool::changed(&approved);
        let mut proposal = script_tool::kept(&approved, by.actor);
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

    /// Lists a tool that was just made: who has heard of it finds it.
    async fn list_new(&self, account: &str, head: &Head) -> Result<(), Fault> {
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
    async fn list(&self, account: &str, head: &Head) -> bool {
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
        let noted = told.and_then(|()| Ok(self.tool()?.set_listed()?));
        if let Err(fault) = &noted {
            worker::console_error!("{}", json!({"event": "tool_unlisted", "code": fault.code}));
        }
        noted.is_ok()
    }

    /// An alarm rings no later than the first thread or capture is over, and soon while the tool is unlisted.
    pub(super) async fn set_alarm(&self) {
        let Ok(tool) = self.tool() else { return };
        let (Ok(next), Ok(unlisted)) = (self.threads(&tool).next_expiry(), tool.unlisted()) else { return };
        let again = unlisted.map(|_| now_ms() + LIST_AGAIN_MS);
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
        let tool = self.tool()?;
        let expired = self.threads(&tool).expire(now_ms())?;
        if expired > 0 {
            worker::console_log!("{}", json!({"event": "thread_expired", "by": "alarm", "threads": expired}));
        }
        capture::expire(self).await;
        if let (Some(account), Some(head)) = (tool.unlisted()?, tool.head()?) {
            self.list(&account, &head).await;
        }
        self.set_alarm().await;
        Ok(())
    }
}

/// The account lists it and its object is empty: its creation was cut off.
fn missing() -> Fault {
    Fault::not_found("There is no such script. List what there is.")
}
