//! Who waits for the next event of a turn whose log is kept (spec: ai-sessions.md §9).
//!
//! Invariant: what is missed here is in the log, so who waits looks there first, and again after each ring.

use std::cell::RefCell;
use std::collections::BTreeMap;

use futures_channel::oneshot;

/// Waiting readers, by the number of the turn.
#[derive(Default)]
pub struct Feeds {
    waiting: RefCell<BTreeMap<i64, Vec<oneshot::Sender<()>>>>,
}

impl Feeds {
    /// Hears the next event of a turn.
    pub fn wait(&self, turn: i64) -> oneshot::Receiver<()> {
        let (tell, heard) = oneshot::channel();
        self.waiting.borrow_mut().entry(turn).or_default().push(tell);
        heard
    }

    /// There is one.
    pub fn ring(&self, turn: i64) {
        for tell in self.waiting.borrow_mut().remove(&turn).unwrap_or_default() {
            let _ = tell.send(());
        }
    }
}
