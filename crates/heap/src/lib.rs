//! An allocator that counts, so that an allocation bomb ends with a code instead of taking the machine along.
//!
//! Owns the only `unsafe` code of the workspace. The sandbox's binaries install [`Counting`] as their global
//! allocator; the sandbox reads [`live`] between steps of a call and sets a hard [`limit`] for what happens between
//! two readings. Invariant: the count never influences what is allocated below the limit, and at the limit the process
//! (natively) or the instance (in Wasm) ends, without unwinding, after [`exhausted`] has become true.
//!
//! ```
//! #[global_allocator]
//! static HEAP: holdpoint_heap::Counting = holdpoint_heap::Counting;
//! let before = holdpoint_heap::live();
//! let text = vec![0_u8; 4096];
//! assert!(holdpoint_heap::live() >= before + text.len());
//! ```

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::Relaxed},
};

/// Exit status of a process that passed the limit; no shell, panic or `sysexits` status has this number.
pub const EXIT_EXHAUSTED: i32 = 86;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
static EXHAUSTED: AtomicBool = AtomicBool::new(false);
static STATUS: AtomicI32 = AtomicI32::new(EXIT_EXHAUSTED);

pub struct Counting;

/// Bytes that are allocated now; 0 for ever where [`Counting`] is not installed.
pub fn live() -> usize {
    LIVE.load(Relaxed)
}

/// The largest [`live`] since [`reset_peak`].
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}

/// Begins a new measurement of [`peak`].
pub fn reset_peak() {
    PEAK.store(live(), Relaxed);
}

/// At how many live bytes the process or instance ends. `usize::MAX` is none.
pub fn limit(bytes: usize) {
    LIMIT.store(bytes, Relaxed);
}

/// The status with which a process ends at the limit from now on, in the place of [`EXIT_EXHAUSTED`].
pub fn end_with(status: i32) {
    STATUS.store(status, Relaxed);
}

/// Whether the limit was passed. In Wasm the instance has trapped then; its memory can still be read.
pub fn exhausted() -> bool {
    EXHAUSTED.load(Relaxed)
}

/// Ends the process or instance as a passed limit does.
pub fn exhaust() -> ! {
    EXHAUSTED.store(true, Relaxed);
    // What runs at exit may allocate.
    limit(usize::MAX);
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
    #[cfg(not(target_arch = "wasm32"))]
    exit_elsewhere();
}

/// Ends the process from a thread that owns nothing: a thread that calls `exit` first drops its own thread locals, and
/// for an engine's heap that takes longer than a call may.
#[cfg(not(target_arch = "wasm32"))]
fn exit_elsewhere() -> ! {
    let exit = || std::process::exit(STATUS.load(Relaxed));
    match std::thread::Builder::new().spawn(exit) {
        Ok(_) => loop {
            std::thread::park();
        },
        Err(_) => exit(),
    }
}

fn grow(bytes: usize) {
    let now = LIVE.fetch_add(bytes, Relaxed).saturating_add(bytes);
    if now > PEAK.load(Relaxed) {
        PEAK.store(now, Relaxed);
        if now > LIMIT.load(Relaxed) {
            exhaust();
        }
    }
}

fn shrink(bytes: usize) {
    LIVE.fetch_sub(bytes, Relaxed);
}

// SAFETY: every method hands its arguments to `System` unchanged and answers what it answers; counting neither
// touches the memory nor unwinds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrink(layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            grow(size - layout.size());
        } else {
            shrink(layout.size() - size);
        }
        unsafe { System.realloc(pointer, layout, size) }
    }
}
