//! What the single writer of a ledger remembers of its rows, so that a call reads each of them once.
//!
//! Invariant: it never differs from the database. What is written here is written there in the same transaction, and a
//! transaction that fails is forgotten with all windows that it touched; whoever changes keys or budgets calls
//! [`Memory::configured`].

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use holdpoint_gateway::budget::{Budget, Ms, Window};

use super::keys::KnownKey;
use super::limits::Limits;
use super::webhooks::KeptWebhook;

/// Windows that are remembered; the ones of past minutes fall out together.
const MOST_WINDOWS: usize = 512;
/// Keys and scopes that are remembered.
const MOST_NAMES: usize = 1_024;

/// One window of one budget: its [`window_id`](Budget::window_id) and its start.
pub(super) type Place = (String, Ms);

#[derive(Debug, Default)]
pub(super) struct Memory {
    keys: RefCell<BTreeMap<String, Rc<KnownKey>>>,
    budgets: RefCell<BTreeMap<String, Rc<[Budget]>>>,
    limits: RefCell<Option<Rc<Limits>>>,
    windows: RefCell<BTreeMap<Place, Window>>,
    /// Changed since the transaction began, not written yet.
    changed: RefCell<BTreeMap<Place, Window>>,
    /// Written since the transaction began.
    wrote: Cell<bool>,
    /// Nothing is due before; `None`: not known.
    earliest: Cell<Option<Ms>>,
    /// The closed run that was closed first; `None`: not known.
    first_closed: Cell<Option<Ms>>,
    webhooks: RefCell<Option<Rc<Vec<KeptWebhook>>>>,
    /// When the next delivery is due; `None`: not known.
    next_delivery: Cell<Option<Ms>>,
}

pub(super) const NEVER: Ms = Ms::MAX;

impl Memory {
    /// Keys, budgets, limits or switches changed.
    pub fn configured(&self) {
        self.keys.borrow_mut().clear();
        self.budgets.borrow_mut().clear();
        self.limits.take();
    }

    /// A transaction failed: nothing that it wrote is so.
    pub fn failed(&self) {
        self.changed.borrow_mut().clear();
        if self.wrote.take() {
            self.windows.borrow_mut().clear();
            self.limits.take();
            self.earliest.set(None);
            self.first_closed.set(None);
        }
        self.webhooks.take();
        self.next_delivery.set(None);
    }

    pub fn committed(&self) {
        self.wrote.set(false);
    }

    /// A key as it was read.
    pub fn key(&self, id: &str) -> Option<Rc<KnownKey>> {
        self.keys.borrow().get(id).cloned()
    }

    pub fn keep_key(&self, id: &str, key: Rc<KnownKey>) {
        keep(&mut self.keys.borrow_mut(), id.to_owned(), key, MOST_NAMES);
    }

    /// The budgets of a scope as they were read.
    pub fn budgets(&self, scope: &str) -> Option<Rc<[Budget]>> {
        self.budgets.borrow().get(scope).cloned()
    }

    /// Remembers the budgets of a scope.
    pub fn keep_budgets(&self, scope: &str, budgets: Rc<[Budget]>) {
        keep(&mut self.budgets.borrow_mut(), scope.to_owned(), budgets, MOST_NAMES);
    }

    /// All limits as they were read.
    pub fn limits(&self) -> Option<Rc<Limits>> {
        self.limits.borrow().clone()
    }

    pub fn keep_limits(&self, limits: Rc<Limits>) {
        self.limits.replace(Some(limits));
    }

    /// The next call of a scope is due then.
    pub fn arrives(&self, scope: &str, tat_us: i64) {
        self.wrote.set(true);
        if let Some(limits) = &mut *self.limits.borrow_mut()
            && let Some(limit) = Rc::make_mut(limits).limits.get_mut(scope)
        {
            limit.tat_us = tat_us;
        }
    }

    /// A window as it stands in this transaction.
    pub fn window(&self, place: &Place) -> Option<Window> {
        let changed = self.changed.borrow().get(place).copied();
        changed.or_else(|| self.windows.borrow().get(place).copied())
    }

    /// Remembers a window as it was read.
    pub fn keep_window(&self, place: Place, window: Window) {
        keep(&mut self.windows.borrow_mut(), place, window, MOST_WINDOWS);
    }

    /// Forgets all windows, for some were deleted.
    pub fn forget_windows(&self) {
        self.windows.borrow_mut().clear();
    }

    /// Changes a window; [`Memory::take_changed`] says what is to be written.
    pub fn change_window(&self, place: Place, window: Window) {
        self.changed.borrow_mut().insert(place, window);
    }

    /// What changed and is not written yet; from here on it counts as written.
    pub fn take_changed(&self) -> BTreeMap<Place, Window> {
        let changed = self.changed.take();
        if !changed.is_empty() {
            self.wrote.set(true);
            for (place, window) in &changed {
                self.keep_window(place.clone(), *window);
            }
        }
        changed
    }

    pub fn due_at(&self, at: Ms) {
        self.wrote.set(true);
        if let Some(earliest) = self.earliest.get() {
            self.earliest.set(Some(earliest.min(at)));
        }
    }

    /// Nothing is due before that; `None`: the database knows.
    pub fn earliest(&self) -> Option<Ms> {
        self.earliest.get()
    }

    /// A run was closed then.
    pub fn run_closed(&self, at: Ms) {
        self.wrote.set(true);
        if let Some(first) = self.first_closed.get() {
            self.first_closed.set(Some(first.min(at)));
        }
    }

    /// When the first of the closed runs was closed; `None`: the database knows.
    pub fn first_closed(&self) -> Option<Ms> {
        self.first_closed.get()
    }

    /// The servers that are told; `None`: not read yet.
    pub fn webhooks(&self) -> Option<Rc<Vec<KeptWebhook>>> {
        self.webhooks.borrow().clone()
    }

    pub fn keep_webhooks(&self, webhooks: Option<Rc<Vec<KeptWebhook>>>) {
        self.webhooks.replace(webhooks);
    }

    /// When the next delivery is due; `None`: the database knows.
    pub fn next_delivery(&self) -> Option<Ms> {
        self.next_delivery.get()
    }

    pub fn keep_next_delivery(&self, at: Option<Ms>) {
        self.next_delivery.set(at);
    }

    /// Remembers what the database said of closed runs.
    pub fn keep_first_closed(&self, at: Option<Ms>) {
        self.first_closed.set(at);
    }

    /// Remembers what the database said.
    pub fn keep_earliest(&self, at: Option<Ms>) {
        self.earliest.set(at);
    }
}

fn keep<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V, most: usize) {
    if map.len() >= most && !map.contains_key(&key) {
        map.clear();
    }
    map.insert(key, value);
}
