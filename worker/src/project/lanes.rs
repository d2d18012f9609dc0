//! One running request a user (spec: script-tool.md §9 "Guard", "Cancellation").
//!
//! Invariants: a place is exact because the tool's object is the only one that knows it; who stops a request hears when
//! its turn is closed, so nothing is written behind a stop, and what comes next finds the place free.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::future::select;
use worker::Delay;

/// How long a stop waits for what it stopped.
const STOP: Duration = Duration::from_secs(5);

/// The places of a tool, by user.
#[derive(Default)]
pub struct Places {
    taken: RefCell<BTreeMap<String, Place>>,
    tokens: Cell<u64>,
}

/// A place that is taken.
struct Place {
    token: u64,
    cancel: Option<oneshot::Sender<()>>,
    /// Who waits for its end; they hear it when this is dropped.
    waiting: Vec<oneshot::Sender<()>>,
}

impl Places {
    /// Takes the one place of a user; `None` while another request has it. The receiver hears when it is stopped.
    pub fn enter(&self, user: &str) -> Option<(u64, oneshot::Receiver<()>)> {
        let mut taken = self.taken.borrow_mut();
        if taken.contains_key(user) {
            return None;
        }
        let token = self.tokens.get() + 1;
        self.tokens.set(token);
        let (tell, heard) = oneshot::channel();
        taken.insert(user.to_owned(), Place { token, cancel: Some(tell), waiting: Vec::new() });
        Some((token, heard))
    }

    /// Gives the place back, unless another request has it by now.
    pub fn leave(&self, user: &str, token: u64) {
        let mut taken = self.taken.borrow_mut();
        if taken.get(user).is_some_and(|place| place.token == token) {
            taken.remove(user);
        }
    }

    /// Stops a user's running request and waits until its turn is closed. `false`: nothing ran, or it was stopped before.
    pub async fn stop(&self, user: &str) -> bool {
        let (tell, ended) = oneshot::channel();
        let stopped = {
            let mut taken = self.taken.borrow_mut();
            let Some(place) = taken.get_mut(user) else { return false };
            place.waiting.push(tell);
            place.cancel.take().is_some_and(|cancel| cancel.send(()).is_ok())
        };
        select(ended, Delay::from(STOP)).await;
        stopped
    }
}
