//! The script editor at the edge: a tool is a `Project` object, its single writer (spec: script-tool.md §6 to §10).
//!
//! Owns the object's half of `/api/v1/editor`. Every rule is a crate's: turns `holdpoint_author::turn`, rows
//! `holdpoint_store`, texts and checks `crate::kinds`. Invariants: a model never writes but to its
//! own turn; nothing is applied but by a person's request that names what the person saw; logs hold metadata only.

use std::rc::Rc;

use futures_channel::oneshot;
use worker::{Request, Response, State};

use super::desk::Desk;
use super::question::Question;
use super::turns::Turns;
use crate::answer::Fault;
use crate::js::Gone;
use crate::objects::read;
use crate::project::reply::{error_answer, json_answer};
use crate::project::run;

/// Answers a question to a tool's object.
pub async fn answer(state: &State, desk: &Rc<Desk>, mut request: Request) -> worker::Result<Response> {
    // First of all, before anything is awaited: a client may leave at any time.
    let gone = Gone::listen(request.inner());
    let question: Question = read(&mut request).await?;
    let correlation_id = question.correlation_id.clone();
    let site = match Turns::of(desk, question) {
        Ok(site) => site,
        Err(question) => {
            return match desk.answer(&question).await {
                Ok((status, value)) => json_answer(status, &value, &correlation_id),
                Err(fault) => error_answer(&fault, &correlation_id),
            };
        }
    };
    let (give, answer) = oneshot::channel();
    state.wait_until(async move { run::run(&site, gone, give).await });
    match answer.await {
        Ok(response) => Ok(response),
        Err(_) => error_answer(&Fault::internal("a request ended without an answer"), &correlation_id),
    }
}
