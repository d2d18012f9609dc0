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

use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::js::Gone;
use crate::kinds;
use crate::objects::read;
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

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        // First of all, before anything is awaited: a client may leave at any time.
        let gone = Gone::listen(request.inner());
        let command: ProjectCommand<kinds::KindCommand> = read(&mut request).await?;
        kinds::perform(&self.state, &self.object, command, gone).await
    }

    async fn alarm(&self) -> Result<Response> {
        if let Err(fault) = self.object.on_alarm().await {
            return Err(worker::Error::RustError(fault.0.message));
        }
        Response::empty()
    }
}
