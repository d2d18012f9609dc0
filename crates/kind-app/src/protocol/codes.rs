//! How a run ends that brings nothing (spec: app-builder.md §16).

use holdpoint_check::codes;

codes! {
    /// the model could not be asked
    MODEL_UNAVAILABLE: Error, "Try again: the model could not be asked.";
    /// the model gave nothing that can be used
    MODEL_OUTPUT_INVALID: Error, "Ask again, or for less at once: the model gave no answer that can be used.";
    /// a run that used up one of its bounds
    RUN_LIMIT_REACHED: Error, "Ask for less at once: the run used up its bound of {limit}." [limit];
    /// a run in which the same findings came back
    LOOP_REPEATED_DIAGNOSTIC: Error, "Say more exactly what you want: the model repeats what does not work.";
    /// a run of which nothing was heard for too long
    RUN_STALLED: Error, "Try again: nothing was heard of the run.";
    /// a run that a restart broke off
    RUN_INTERRUPTED: Error, "Send the request again: the run was broken off.";
    /// somebody ended the run early
    RUN_CANCELLED: Error, "Stopped. What was staged is kept as a proposal.";
    /// a second run of an app
    RUN_ACTIVE: Error, "Wait until the run ends, or stop it.";
    /// a run that failed by a fault of ours
    BUILDER_INTERNAL_ERROR: Error, "Send the request again: something failed here, and nothing was changed.";
    /// the events of a run that ended long ago
    EVENTS_EXPIRED: Error, "Read the conversation: the events of this run are gone, its outcome is there.";
}
