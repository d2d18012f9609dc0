//! What a project holds: its store, its running turns, its alarm (spec: script-tool.md §7, §9).
//!
//! Invariant: an alarm that fails to be set never fails an answer that was given.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use holdpoint_store::Workspace;
use holdpoint_store::session::Sessions;
use serde_json::json;
use worker::{Env, State, Storage};

use super::slots::Slots;
use super::turn::{self, Waiting};
use super::{ProjectCommand, capture, log};
use crate::answer::{EdgeError, cause};
use crate::js::now_ms;
use crate::kinds::{self, KindWork, TurnSettings};
use crate::objects::Objects;
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// When the alarm tries again to list what nobody heard of.
pub const LIST_AGAIN_MS: i64 = 2_000;

pub struct Object {
    pub settings: Rc<Settings>,
    /// What the deployment says about turns.
    pub editor: TurnSettings,
    /// What the kinds hold in memory.
    pub work: KindWork,
    pub objects: Objects,
    pub env: Env,
    storage: Storage,
    sql: RefCell<Option<ObjectSql>>,
    workspace: RefCell<Option<Rc<Workspace<ObjectSql>>>>,
    pub slots: Rc<Slots>,
    /// Who reads the logs of turns.
    pub waiting: Waiting,
    /// When the alarm rings, as far as is known.
    alarm: Cell<Option<i64>>,
}

impl Object {
    pub fn new(state: &State, env: Env) -> Self {
        let settings = Settings::of(&env);
        let editor = TurnSettings::read(&env, &settings);
        let work = KindWork::new(&env, &settings);
        Self {
            settings,
            editor,
            work,
            objects: Objects::new(env.clone()),
            env,
            storage: state.storage(),
            sql: RefCell::new(Some(ObjectSql::new(state))),
            workspace: RefCell::default(),
            slots: Rc::default(),
            waiting: Waiting::default(),
            alarm: Cell::default(),
        }
    }

    pub fn workspace(&self) -> Result<Rc<Workspace<ObjectSql>>, EdgeError> {
        if let Some(workspace) = &*self.workspace.borrow() {
            return Ok(workspace.clone());
        }
        let sql = self.sql.borrow_mut().take().ok_or_else(|| EdgeError::internal("the store could not be opened"))?;
        let workspace = Rc::new(Workspace::open(sql)?);
        *self.workspace.borrow_mut() = Some(workspace.clone());
        Ok(workspace)
    }

    /// What was said about them.
    pub fn sessions<'w>(&self, workspace: &'w Workspace<ObjectSql>) -> Sessions<'w, ObjectSql> {
        workspace.sessions(self.editor.thread_ttl_ms)
    }

    /// Forgets sessions that are over their time, also when the alarm is late.
    pub fn expire<C>(&self, command: &ProjectCommand<C>, now: i64) -> Result<(), EdgeError> {
        let workspace = self.workspace()?;
        let threads = self.sessions(&workspace).expire(now)?;
        if threads > 0 {
            log::event("thread_expired", command, now, json!({"by": "access", "threads": threads}));
        }
        Ok(())
    }

    /// An alarm rings no later than the first session, log or capture is over, and soon while something is unlisted or a
    /// turn runs that outlives its client.
    pub async fn set_alarm(&self) {
        let Ok(workspace) = self.workspace() else { return };
        let (Ok(next), Ok(unlisted)) = (self.sessions(&workspace).next_expiry(), workspace.unlisted()) else { return };
        let again = unlisted.first().map(|_| now_ms() + LIST_AGAIN_MS);
        let kinds = kinds::next_alarm(self).unwrap_or_default();
        let others = [capture::next_expiry(self), turn::next_look(self).unwrap_or_default(), again, kinds];
        let Some(next) = next.into_iter().chain(others.into_iter().flatten()).min() else { return };
        if let Err(error) = self.set_alarm_by(next).await {
            worker::console_error!("{}", json!({"event": "alarm_failed", "cause": cause(&error)}));
        }
    }

    /// Sets the alarm, unless it rings by then anyway.
    pub async fn set_alarm_by(&self, at: i64) -> worker::Result<()> {
        if self.alarm.get().is_some_and(|set| set <= at) {
            return Ok(());
        }
        self.alarm.set(Some(at));
        let wait = at.saturating_sub(now_ms()).max(0);
        self.storage.set_alarm(wait).await.inspect_err(|_| self.alarm.set(None))
    }

    /// Lists what is not listed yet, forgets what is over its time.
    pub(super) async fn on_alarm(&self) -> Result<(), EdgeError> {
        self.alarm.set(None);
        let workspace = self.workspace()?;
        let expired = self.sessions(&workspace).expire(now_ms())?;
        if expired > 0 {
            worker::console_log!("{}", json!({"event": "thread_expired", "by": "alarm", "threads": expired}));
        }
        self.sessions(&workspace).forget_events(now_ms())?;
        let interrupted = turn::interrupt(self)?;
        if interrupted > 0 {
            worker::console_log!("{}", json!({"event": "turn_interrupted", "by": "alarm", "turns": interrupted}));
        }
        capture::expire(self).await;
        self.list_unlisted().await?;
        // Last, for it may take its time.
        kinds::on_alarm(self).await?;
        self.set_alarm().await;
        Ok(())
    }
}
