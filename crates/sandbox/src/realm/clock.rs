//! The clock of tests (spec: ifc-sdk.md §6.3): starts at a fixed instant, moves 1 ms a reading, knows no zone but UTC.

use std::cell::Cell;

use boa_engine::context::time::{Clock, JsInstant};

/// 2026-01-01T00:00:00.000Z in milliseconds since the Unix epoch.
pub(crate) const START_MILLIS: i64 = 1_767_225_600_000;

/// Deterministic: the same readings in the same order give the same times.
#[derive(Debug)]
pub(super) struct TestClock {
    next: Cell<i64>,
}

impl Default for TestClock {
    fn default() -> Self {
        Self { next: Cell::new(START_MILLIS) }
    }
}

impl Clock for TestClock {
    /// The engine's own timers read this; extension code cannot.
    fn now(&self) -> JsInstant {
        JsInstant::new(0, 0)
    }

    fn system_time_millis(&self) -> i64 {
        let now = self.next.get();
        self.next.set(now + 1);
        now
    }
}
