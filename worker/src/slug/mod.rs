//! The `Slug` object: one a public name of an app, by which it is called (spec: app-builder.md §8).
//!
//! Owns the alarm that drops a claim nobody confirmed; every rule is `holdpoint_store`'s. Invariant: whoever asks for a
//! published app asks this object alone, so what it says of a name is what is served.

mod command;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use holdpoint_store::slug::SlugStore;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;
use worker::{DurableObject, Env, Request, Response, Result, State, Storage, durable_object};

use crate::answer::{EdgeError, cause};
use crate::js::now_ms;
use crate::objects::told;
use crate::sql::ObjectSql;

pub use command::SlugCommand;

#[durable_object(alarm)]
pub struct Slug {
    state: State,
    store: RefCell<Option<Rc<SlugStore<ObjectSql>>>>,
    /// When the alarm rings, as far as is known.
    alarm: Rc<Cell<Option<i64>>>,
}

impl DurableObject for Slug {
    fn new(state: State, _: Env) -> Self {
        Self { state, store: RefCell::default(), alarm: Rc::default() }
    }

    /// Nobody comes by request: see [`Slug::ask`].
    async fn fetch(&self, _: Request) -> Result<Response> {
        Response::error("", 404)
    }

    async fn alarm(&self) -> Result<Response> {
        self.alarm.set(None);
        let refused = |error: EdgeError| worker::Error::from(error.code.clone());
        let store = self.store().map_err(refused)?;
        store.forget(now_ms()).map_err(|error| worker::Error::from(error.code()))?;
        if let Some(next) = self.next_alarm(&store) {
            ring(self.state.storage(), self.alarm.clone(), next).await?;
        }
        Response::empty()
    }
}

#[wasm_bindgen]
impl Slug {
    /// Answers a [`SlugCommand`], text in and out.
    #[wasm_bindgen(js_name = ask)]
    pub fn ask(&self, command: &str) -> String {
        let store = match self.store() {
            Ok(store) => store,
            Err(error) => return told::<Value>(Err(error)),
        };
        let command = serde_json::from_str::<SlugCommand>(command).map_err(EdgeError::from);
        let answer = command.and_then(|command| command.answer(&store, now_ms()));
        if let Some(next) = self.next_alarm(&store) {
            let (storage, alarm) = (self.state.storage(), self.alarm.clone());
            self.state.wait_until(async move {
                // The next command sets it; a claim gives way in its time without it.
                if let Err(error) = ring(storage, alarm, next).await {
                    worker::console_error!("{}", json!({"event": "slug.alarm", "cause": cause(&error)}));
                }
            });
        }
        told(answer)
    }
}

async fn ring(storage: Storage, alarm: Rc<Cell<Option<i64>>>, next: i64) -> Result<()> {
    storage.set_alarm(next.saturating_sub(now_ms()).max(0)).await?;
    alarm.set(Some(next));
    Ok(())
}

impl Slug {
    fn store(&self) -> std::result::Result<Rc<SlugStore<ObjectSql>>, EdgeError> {
        if let Some(store) = &*self.store.borrow() {
            return Ok(store.clone());
        }
        // An alarm is not always told the name, and needs none: it makes no row.
        let name = self.state.id().name();
        let store = Rc::new(SlugStore::open(ObjectSql::new(&self.state), name.as_deref().unwrap_or_default())?);
        if name.is_some() {
            *self.store.borrow_mut() = Some(store.clone());
        }
        Ok(store)
    }

    /// When the alarm must ring for a claim that is not confirmed; `None` where it rings at that time anyway.
    fn next_alarm(&self, store: &SlugStore<ObjectSql>) -> Option<i64> {
        let next = store.next_forgetting().ok()??;
        (self.alarm.get() != Some(next)).then_some(next)
    }
}
