//! The codes of those who drive a run or a page (spec: authoring.md §6).
//!
//! Codes of bundles, plans and replies are the kind's, those of a run stand where it gives them.

use holdpoint_check::codes;

codes! {
    /// no answer came from the edge
    OFFLINE: Error, "No answer came. Try again when the network is back.";
    /// an answer that is not JSON or has no error shape
    ODD_ANSWER / UNREAD: Error, "The answer could not be read. Try again.";
    ODD_ANSWER / STATUS: Error, "The server answered {status}." [status];
    /// an install could not be stored
    NOT_STORED: Error, "The bundle could not be stored: {error}. It is still here: sign again." [error];
    /// an install before there was a change
    NOT_READY: Error, "";
    /// the checks could not be fetched
    CHECK_NOT_LOADED: Error, "";
    /// a check broke off; it was started anew
    CHECK_TRAPPED: Error, "";
    /// another tab took a change over: what this one writes of it is let go
    WRITER_REPLACED: Error, "";
    /// the sandbox did not start
    TESTS_NOT_RUN: Error, "The tests could not be run: {error}. Reload the page to run them again." [error];
    MODEL_NOT_FOUND / NOT_SET_UP: Error, "No model is set up.";
    /// an installed extension to which more is granted than its manifest declares: it is switched off
    GRANTS_CHANGED: Error, "Its permissions are not those of its manifest.";
    /// the sandbox ended in a way of its own
    SANDBOX_FAULT / NOT_STARTED: Error, "The sandbox did not start.";
    SANDBOX_FAULT / ODD: Error, "The sandbox answered oddly.";
    SANDBOX_FAULT / LOST: Error, "The sandbox was started anew while the call waited for the network. Run it again.";
}

/// Of a turn: what its tools and gates answer.
pub mod turn {
    holdpoint_check::codes! {
        /// arguments that do not fit the tool
        TOOL_INPUT_INVALID: Error, "";
        /// a call that could not be run
        AI_TOOL_EXECUTION_ERROR: Error, "";
        /// a call of a tool that is not offered
        AI_TOOL_NOT_ALLOWED: Error, "";
        /// a gate that could not be asked: nothing passes it
        GATE_NOT_ASKED: Error, "";
    }
}
