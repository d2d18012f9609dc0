//! One running request a lane: a user, or a session (spec: script-tool.md §9 "Guard", "Cancellation").
//!
//! Invariants: a lane is exact because the project is the only one that knows it; who stops a request hears when
//! its turn is closed, so nothing is written behind a stop, and what comes next finds the lane free.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use worker::Delay;

/// How long a stop waits for what it stopped.
const STOP: Duration = Duration::from_secs(5);

/// The lanes of a project, by user.
#[derive(Default)]
pub struct Lanes {
    taken: RefCell<BTreeMap<String, Lane>>,
    tokens: Cell<u64>,
}

/// A lane that is taken.
struct Lane {
    token: u64,
    cancel: Option<oneshot::Sender<()>>,
    /// Who waits for its end; they hear it when this is dropped.
    waiting: Vec<oneshot::Sender<()>>,
}

impl Lanes {
    /// Takes the one lane of a user; `None` while another request has it. The receiver hears when it is stopped.
    pub fn enter(&self, user: &str) -> Option<(u64, oneshot::Receiver<()>)> {
        let mut taken = self.taken.borrow_mut();
        if taken.contains_key(user) {
            return None;
        }
        let token = self.tokens.get() + 1;
        self.tokens.set(token);
        let (tell, heard) = oneshot::channel();
        taken.insert(user.to_owned(), Lane { token, cancel: Some(tell), waiting: Vec::new() });
        Some((token, heard))
    }

    /// Whether a request has a lane.
    pub fn is_taken(&self, lane: &str) -> bool {
        self.taken.borrow().contains_key(lane)
    }

    /// Gives the lane back, unless another request has it by now.
    pub fn leave(&self, user: &str, token: u64) {
        let mut taken = self.taken.borrow_mut();
        if taken.get(user).is_some_and(|lane| lane.token == token) {
            taken.remove(user);
        }
    }

    /// Stops a user's running request and waits until its turn is closed. `false`: nothing ran, or it was stopped before.
    pub async fn stop(&self, user: &str) -> bool {
        let (tell, ended) = oneshot::channel();
        let stopped = {
            let mut taken = self.taken.borrow_mut();
            let Some(lane) = taken.get_mut(user) else { return false };
            lane.waiting.push(tell);
            lane.cancel.take().is_some_and(|cancel| cancel.send(()).is_ok())
        };
        select(ended, Delay::from(STOP)).await;
        stopped
    }

    /// Waits until a lane is free, and stops nothing. `false`: it was not for as long as a stop waits.
    pub async fn wait(&self, lane: &str) -> bool {
        let (tell, ended) = oneshot::channel::<()>();
        match self.taken.borrow_mut().get_mut(lane) {
            None => return true,
            Some(lane) => lane.waiting.push(tell),
        }
        matches!(select(ended, Delay::from(STOP)).await, Either::Left(_))
    }
}
