//! Time on the processor, so that a busy machine does not change the figures.
//!
//! Linux tells each thread how long it ran; elsewhere it is the time on the wall.

use std::time::{Duration, Instant};

/// Runs a piece of work and tells how long it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (wall, before) = (Instant::now(), on_processor());
    let done = work();
    match (before, on_processor()) {
        (Some(before), Some(after)) => (done, after.saturating_sub(before)),
        _ => (done, wall.elapsed()),
    }
}

fn on_processor() -> Option<Duration> {
    // The count is brought up to date when the thread steps back.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
