//! The `Project` object: bundles of any kind, the single writer and the authority over what is stored of them (DESIGN §3,
//! ENGINE §5, §8).
//!
//! Owns the store, the sessions, the slots of running turns, the alarm, and what the account hears of it. What a command
//! means is its kind's (`crate::kinds`). Invariants: nothing is stored but through the gate of `holdpoint_change`; a
//! model never writes but to its own turn; logs hold metadata only.

pub mod capture;
mod command;
mod listing;
pub mod log;
mod object;
pub mod once;
pub mod reply;
pub mod slots;
pub mod turn;

use std::rc::Rc;

use js_sys::Promise;
use js_sys::futures::future_to_promise;
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::answer::EdgeError;
use crate::js::Gone;
use crate::kinds;
use crate::objects::told;
use crate::routes::forward::Arrived;
pub use command::ProjectCommand;
pub use object::{LIST_AGAIN_MS, Object};

#[durable_object(alarm)]
pub struct Project {
    state: State,
    object: Rc<Object>,
}

impl DurableObject for Project {
    fn new(state: State, env: Env) -> Self {
        let object = Rc::new(Object::new(&state, env));
        Self { state, object }
    }

    async fn fetch(&self, request: Request) -> Result<Response> {
        // First of all, before anything is awaited: a client may leave at any time.
        let gone = Gone::listen(request.inner());
        let Arrived { id, head, request, voice } = match Arrived::read(request, &self.object.settings).await {
            Ok(arrived) => arrived,
            Err(fault) => return fault.response(),
        };
        let status = request.route().status;
        match kinds::handle(&self.state, &self.object, id, head, request, gone).await {
            Ok(ObjectReply::Json(value)) => voice.give(status, value),
            Ok(ObjectReply::Response(response)) => Ok(response),
            Err(fault) => voice.refuse(&fault),
        }
    }

    async fn alarm(&self) -> Result<Response> {
        if let Err(fault) = self.object.on_alarm().await {
            return Err(worker::Error::RustError(fault.0.message));
        }
        Response::empty()
    }
}

#[wasm_bindgen]
impl Project {
    /// Answers a [`kinds::ProjectTask`] of another object, text in and out.
    #[wasm_bindgen(js_name = ask)]
    pub fn ask(&self, command: &str) -> Promise {
        let (object, task) = (self.object.clone(), serde_json::from_str(command).map_err(EdgeError::from));
        future_to_promise(async move {
            let answer = match task {
                Ok(task) => kinds::perform(&object, task).await,
                Err(fault) => Err(fault),
            };
            Ok(told(answer).into())
        })
    }
}

/// What a kind answers to a request of its project.
pub enum ObjectReply {
    /// With the status of its row.
    Json(Value),
    /// A stream, a file, or an answer with headers of its own.
    Response(Response),
}
