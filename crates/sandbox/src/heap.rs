//! Keeps a call inside its heap (spec: ifc-sdk.md §6.2 "Heap").
//!
//! The engine has no limit of its own. This looks at the counting allocator whenever the sandbox gets control (SDK
//! calls, promise jobs, buffers): over the limit it collects once, and still over it ends the process or Worker, which
//! nothing in the realm can catch. The allocator's own, higher limit stops what allocates without giving control.

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
        Watch { base: self.base, budget: self.budget }
    }
}

/// A view on the heap of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    base: usize,
    budget: Budget,
}

impl Watch {
    /// Ends the process or Worker when what is live after a collection is over the limit.
    pub(crate) fn check(&self) {
        if self.live() > self.budget.heap_bytes {
            force_collect();
            if self.live() > self.budget.heap_bytes {
                holdpoint_heap::exhaust();
            }
        }
    }

    /// The largest size of a single buffer.
    pub(crate) fn buffer_bytes(&self) -> u64 {
        self.budget.heap_bytes as u64
    }

    fn live(&self) -> usize {
        holdpoint_heap::live().saturating_sub(self.base)
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
