//! Room on the stack for the parser and all that walks its tree.
//!
//! The limit of depth bounds how often they recurse, not who calls them: a caller may stand on a small stack, or deep
//! in its own work. Natively the analysis therefore runs on a thread of its own; a thread reads and writes nothing, so
//! the crate stays pure. In WebAssembly there are no threads: there the limit alone must do, see [`MAX_CODE_DEPTH`].
//!
//! [`MAX_CODE_DEPTH`]: crate::MAX_CODE_DEPTH

/// Stack of the analysis, in bytes; pages that are never touched cost nothing.
#[cfg(not(target_family = "wasm"))]
const STACK_BYTES: usize = 64 << 20;

/// Stack that one level of the parser may take, in bytes; a build without optimisation takes most of it.
#[cfg(not(target_family = "wasm"))]
const LEVEL_BYTES: usize = 32 << 10;

/// Does the work where there is room for it.
pub(super) fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    with_room_for(0, work)
}

/// Does the work where there is room for so many levels.
#[cfg(not(target_family = "wasm"))]
pub(super) fn with_room_for<T: Send>(levels: usize, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut done) = (Some(work), None);
    let bytes = STACK_BYTES.max(levels.saturating_mul(LEVEL_BYTES));
    std::thread::scope(|scope| {
        let analysis = std::thread::Builder::new().name("analysis".to_owned()).stack_size(bytes);
        let running = analysis.spawn_scoped(scope, || done = work.take().map(|work| work()));
        if let Some(Err(panic)) = running.ok().map(std::thread::ScopedJoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    });
    // Where no thread can be started, the limit leaves room enough on a stack of usual size.
    done.or_else(|| work.map(|work| work())).expect("the work is done on the thread, or here")
}

#[cfg(target_family = "wasm")]
pub(super) fn with_room_for<T>(_: usize, work: impl FnOnce() -> T) -> T {
    work()
}
