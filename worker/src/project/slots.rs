//! One turn at a time in each slot: a user, or a session (spec: script-tool.md §9 "Guard", "Cancellation").
//!
//! Invariants: a slot is exact because the project is the only one that knows it; who stops a turn hears when it is
//! closed, so nothing is written behind a stop, and what comes next finds the slot free.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::future::{Either, select};
use worker::Delay;

/// How long a stop waits for what it stopped.
const STOP: Duration = Duration::from_secs(5);

/// The slots of a project, by name.
#[derive(Default)]
pub struct Slots {
    taken: RefCell<BTreeMap<String, Slot>>,
    tokens: Cell<u64>,
}

struct Slot {
    /// Of the request that has it.
    token: u64,
    cancel: Option<oneshot::Sender<()>>,
    /// Who waits for its end; they hear it when this is dropped.
    waiting: Vec<oneshot::Sender<()>>,
}

impl Slots {
    /// Takes a slot; `None` while another request has it. The receiver hears when its turn is stopped.
    pub fn enter(self: &Rc<Self>, name: &str) -> Option<(TakenSlot, oneshot::Receiver<()>)> {
        let mut taken = self.taken.borrow_mut();
        if taken.contains_key(name) {
            return None;
        }
        let token = self.tokens.get() + 1;
        self.tokens.set(token);
        let (tell, heard) = oneshot::channel();
        taken.insert(name.to_owned(), Slot { token, cancel: Some(tell), waiting: Vec::new() });
        drop(taken);
        Some((TakenSlot(StopTurn { slots: self.clone(), name: name.to_owned(), token }), heard))
    }

    pub fn is_taken(&self, name: &str) -> bool {
        self.taken.borrow().contains_key(name)
    }

    /// Stops what runs in a slot and waits until its turn is closed. `false`: nothing ran, or it was stopped before.
    pub async fn stop(&self, name: &str) -> bool {
        let (tell, ended) = oneshot::channel();
        let stopped = {
            let mut taken = self.taken.borrow_mut();
            let Some(slot) = taken.get_mut(name) else { return false };
            slot.waiting.push(tell);
            slot.cancel.take().is_some_and(|cancel| cancel.send(()).is_ok())
        };
        select(ended, Delay::from(STOP)).await;
        stopped
    }

    /// Waits until a slot is free, and stops nothing. `false`: it was not for as long as a stop waits.
    pub async fn wait(&self, name: &str) -> bool {
        let (tell, ended) = oneshot::channel::<()>();
        match self.taken.borrow_mut().get_mut(name) {
            None => return true,
            Some(slot) => slot.waiting.push(tell),
        }
        matches!(select(ended, Delay::from(STOP)).await, Either::Left(_))
    }
}

/// A slot that one request has for itself until it leaves, or until this is dropped.
pub struct TakenSlot(StopTurn);

impl TakenSlot {
    pub fn leave(&self) {
        let StopTurn { slots, name, token } = &self.0;
        let mut taken = slots.taken.borrow_mut();
        if taken.get(name).is_some_and(|slot| slot.token == *token) {
            taken.remove(name);
        }
    }

    pub fn stop(&self) -> StopTurn {
        self.0.clone()
    }
}

impl Drop for TakenSlot {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Stops the turn of one request, and no later one.
#[derive(Clone)]
pub struct StopTurn {
    slots: Rc<Slots>,
    name: String,
    token: u64,
}

impl StopTurn {
    pub fn now(&self) {
        let mut taken = self.slots.taken.borrow_mut();
        let slot = taken.get_mut(&self.name).filter(|slot| slot.token == self.token);
        if let Some(cancel) = slot.and_then(|slot| slot.cancel.take()) {
            let _ = cancel.send(());
        }
    }
}
