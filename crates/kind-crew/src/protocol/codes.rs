//! How a turn ends that has no result, and what is refused before one begins (spec: ai-sessions.md §3, §6.1, §12).

use holdpoint_check::codes;

codes! {
    AI_BAD_RESPONSE / NO_USE: Error, "Ask again, or ask for less at once: the model gave no answer that can be used.";
    /// a model that used all its calls without an end
    AI_TOOL_LOOP_LIMIT_EXCEEDED: Error,
        "Ask for less at once: the model used all its calls and came to no end.";
    /// somebody ended the turn early
    AI_TURN_STOPPED: Error, "Stopped. What was staged stays: go on from there, or discard it.";
    /// a turn that a restart broke off
    AI_TURN_INTERRUPTED: Error, "Send the message again: the turn was broken off. What was staged stays.";
    /// a turn that ended so long ago that its events are gone
    AI_TURN_EXPIRED: Error, "Read the session: the events of this turn are gone, its result is there.";
    /// a turn that is not there
    AI_TURN_NOT_FOUND: Error, "Read the session: it has no turn of this id.";
    /// a second message while one is answered
    AI_TURN_IN_PROGRESS: Error, "Wait until the turn ends, or stop it.";
    /// what an editor has open is something else
    AI_TARGET_CONTEXT_MISMATCH: Error,
        "Send the context of what the session is about, `{target}`, or none: `{field}` names something else."
        [target, field];
    /// a target without a text
    AI_TARGET_CONTEXT_REQUIRED: Error,
        "Send the text of `{target}` with the message: it is not stored yet." [target];
    AI_TOOL_FORBIDDEN / APPLIES: Warning, "Only a person applies: `{tool}` was not run." [tool];
    /// a call of a tool that there is not
    AI_TOOL_NOT_ALLOWED: Warning, "There is no tool `{tool}`: nothing was run." [tool];
    AI_TOOL_EXECUTION_ERROR / BROKE: Error, "Send the message again: something failed here, and nothing was applied.";
    INVALID_INPUT / NO_CONTENT: Error, "Write what you want.";
    INVALID_INPUT / CONTENT_LONG: Error, "Write at most {limit} characters." [limit];
    INVALID_INPUT / CLIENT_ID: Error, "Send a text of 1 to {limit} characters, or leave it out." [limit];
    INVALID_INPUT / EXCLUDED: Error, "Send a list of keys of objects, as `asset:assets/a.md`.";
    INVALID_INPUT / CONTEXT_OBJECT: Error, "Send an object, or leave it out.";
}
