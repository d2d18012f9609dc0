//! Keeps a call inside its heap (spec: ifc-sdk.md §6.2 "Heap").
//!
//! The engine has no limit of its own. This looks at the counting allocator whenever the sandbox gets control (charges,
//! SDK calls, promise jobs, built-ins that take a size): over the limit it collects once, and still over it the call
//! fails. The allocator's own, higher limit ends the process or Worker for what allocates without giving control.

use std::cell::Cell;

use boa_engine::gc::force_collect;

use crate::budget::Budget;

/// The limit of one call. While it lives, the allocator's limit is armed.
#[derive(Debug)]
pub(crate) struct Heap {
    base: usize,
    budget: Budget,
}

impl Heap {
    /// Begins a measurement: what is live now is the loaded model.
    pub(crate) fn begin(budget: Budget) -> Self {
        Self::above(holdpoint_heap::live(), budget)
    }

    /// Begins a measurement above `base`: what a realm that lives on holds already is its own.
    pub(crate) fn above(base: usize, budget: Budget) -> Self {
        holdpoint_heap::reset_peak();
        holdpoint_heap::limit(base.saturating_add(budget.heap_maximum));
        Self { base, budget }
    }

    /// The same measurement for another part of the call.
    pub(crate) fn watch(&self) -> Watch {
        Watch { base: Cell::new(self.base), budget: self.budget, due: Cell::new(self.budget.heap_bytes) }
    }
}

/// Garbage may grow by this part of the limit before the next collection.
const SLACK: usize = 4;

/// A view on the heap of a call.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    base: Cell<usize>,
    budget: Budget,
    /// Live bytes at which the next collection is due.
    due: Cell<usize>,
}

impl Watch {
    /// Whether what is live is within the limit, after a collection where it was not.
    pub(crate) fn fits(&self) -> bool {
        if self.live() <= self.due.get() {
            return true;
        }
        force_collect();
        let live = self.live();
        self.due.set(self.budget.heap_bytes.max(live + self.budget.heap_bytes / SLACK));
        live <= self.budget.heap_bytes
    }

    /// Whether so many bytes more would be within the limit.
    pub(crate) fn fits_more(&self, bytes: u64) -> bool {
        bytes <= self.buffer_bytes() && self.fits()
    }

    /// Goes on in another measurement: what is live beside the realm is not what it was.
    pub(crate) fn go_on(&self, heap: &Heap) {
        self.base.set(heap.base);
    }

    /// The limits of the call.
    pub(crate) fn budget(&self) -> Budget {
        self.budget
    }

    /// The largest size of a single buffer.
    pub(crate) fn buffer_bytes(&self) -> u64 {
        self.budget.heap_bytes as u64
    }

    fn live(&self) -> usize {
        holdpoint_heap::live().saturating_sub(self.base.get())
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        holdpoint_heap::limit(usize::MAX);
    }
}

/// Bytes above `base` at the highest point since the last [`Heap::begin`].
pub(crate) fn peak_above(base: usize) -> u64 {
    holdpoint_heap::peak().saturating_sub(base) as u64
}
