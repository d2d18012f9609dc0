//! What one call may use (spec: ifc-sdk.md §6.2).
//!
//! Owns the figures. Which line stops what: steps and calls in depth are counted by the metering of the code; memory by
//! the counting allocator, at each charge against [`Budget::heap_bytes`] after a collection, and everywhere against
//! [`Budget::heap_maximum`]; time by the host, which ends the process or Worker.

use holdpoint_sdk::run::Profile;

/// `MAX_CALL_DEPTH`: frames of extension code.
pub const MAX_CALL_DEPTH: usize = 400;
/// Frames at which the engine itself stops: each of extension code with a call of the engine's own between.
pub const MAX_ENGINE_DEPTH: usize = 2 * MAX_CALL_DEPTH + 64;
/// Values on the stack of the engine, 8 bytes each. The engine leaves some behind with every throw that a frame
/// catches until that frame ends; those that live are bounded by the frames, and all of them count as heap.
pub const MAX_STACK_VALUES: usize = 8 * 1_048_576;
pub const MAX_LOG_ENTRIES: usize = 200;
pub const MAX_LOG_CHARS: usize = 2_000;
/// UTF-8 bytes of all entries of a call.
pub const MAX_LOG_BYTES: usize = 64 * 1024;
/// UTF-8 bytes of a result.
pub const MAX_RESULT_BYTES: usize = 4 * 1024 * 1024;
/// Levels of a result or argument.
pub const MAX_RESULT_DEPTH: usize = 100;
pub const MAX_INVOKE_DEPTH: usize = 8;
/// Native stack of the thread that runs the engine: enough for [`MAX_CALL_DEPTH`] calls through built-ins.
pub const NATIVE_STACK_BYTES: usize = 256 * 1024 * 1024;

/// Live bytes may pass `HEAP_BYTES` by this factor between two steps that the sandbox sees, as garbage.
const HEADROOM: usize = 4;

/// The limits of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub fuel: u64,
    /// `HEAP_BYTES`: live bytes above the loaded model, after a collection.
    pub heap_bytes: usize,
    /// Bytes above the loaded model at which the process or Worker ends at once.
    pub heap_maximum: usize,
    /// `WALL_MS` a call, enforced by the host.
    pub wall_ms: u64,
}

impl Budget {
    /// The limits that hold for a call.
    pub const fn of(profile: Profile) -> Self {
        match profile {
            Profile::Production => Self::new(6_000_000, 67_108_864, 5_000),
            Profile::DryRun => Self::new(3_000_000, 16_777_216, 2_500),
        }
    }

    const fn new(fuel: u64, heap_bytes: usize, wall_ms: u64) -> Self {
        Self { fuel, heap_bytes, heap_maximum: heap_bytes * HEADROOM, wall_ms }
    }
}
