//! Limits of a run (spec: authoring.md §6.1).

pub use crate::planning::{ATTEMPT_INPUT_TOKENS, GENERATE_OUTPUT_TOKENS};
use crate::planning::{RUN_HEADROOM_TOKENS, RunWork};

/// Repairs after the generation: so at most five bundles of a model.
pub const MAX_REPAIR_ATTEMPTS: u32 = 4;
/// Output tokens of one repair, continuations included.
pub const ATTEMPT_OUTPUT_TOKENS: u32 = 6_000;
/// Output tokens of a plan.
pub const PLAN_OUTPUT_TOKENS: u32 = 4_000;
/// From the call to the end of its dry run.
pub const ATTEMPT_WALL_MS: u64 = 90_000;
/// From approval to the end.
pub const TOTAL_WALL_MS: u64 = 360_000;
pub const PLAN_WALL_MS: u64 = 60_000;
/// Invalid plans that are asked for again.
pub const PLAN_RETRIES: u32 = 2;
/// New plans that a person may ask for in words.
pub const MAX_ADJUSTMENTS: u32 = 5;
/// Failures before the first byte that are tried again.
pub const TRANSPORT_RETRIES: u32 = 2;
/// How often the same findings may stand.
pub const MAX_SAME_FINDINGS: usize = 3;

/// Repairs of a script that answers a question.
pub const MAX_SCRIPT_REPAIRS: u32 = 2;
/// Output tokens of one attempt at it, continuations included.
pub const SCRIPT_OUTPUT_TOKENS: u32 = 3_000;
/// What a question holds: all its calls, and what the gateway's quote counts beyond them.
pub const SCRIPT_HOLD_TOKENS: u32 =
    (1 + MAX_SCRIPT_REPAIRS) * (ATTEMPT_INPUT_TOKENS + SCRIPT_OUTPUT_TOKENS) + RUN_HEADROOM_TOKENS / 2;

/// Model calls for one piece of work, at most.
pub const fn attempts(work: RunWork) -> u32 {
    1 + if matches!(work, RunWork::Script) { MAX_SCRIPT_REPAIRS } else { MAX_REPAIR_ATTEMPTS }
}

/// Output tokens of an attempt.
pub const fn output_tokens(work: RunWork, attempt: u32) -> u32 {
    match (work, attempt) {
        (RunWork::Script, _) => SCRIPT_OUTPUT_TOKENS,
        (_, 0) => GENERATE_OUTPUT_TOKENS,
        _ => ATTEMPT_OUTPUT_TOKENS,
    }
}
