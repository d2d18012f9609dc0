//! What routes of sessions refuse (spec: ai-sessions.md §12).

use holdpoint_check::codes;

codes! {
    /// no session of this user has that id
    AI_SESSION_NOT_FOUND: Error, "There is no such session. List your sessions.";
    /// the session was cancelled, or its workflow is gone
    AI_SESSION_NOT_ACTIVE: Error, "Open a new session: this one is {status}." [status];
    /// a target that is no workflow, step, agent or asset
    AI_TARGET_NOT_SUPPORTED: Error, "Choose a workflow, a step, an agent or an asset: `{type}` is none of them." [type];
    INVALID_INPUT / NEEDS_WORKFLOW: Error, "Name the workflow by its number, 1 or more.";
    INVALID_INPUT / NEEDS_TARGET: Error, "Name the target by its id.";
    INVALID_INPUT / OWN_NUMBER: Error, "Write the number of the workflow, `{id}`, or leave it out." [id];
    INVALID_INPUT / NEEDS_SESSION: Error, "Name the session.";
    INVALID_INPUT / NEEDS_SET: Error, "Name the change set.";
    INVALID_INPUT / NEEDS_TEXT: Error, "Write a text.";
    INVALID_INPUT / WHERE_IT_ENDED: Error, "Give back `nextCursor` of the page before.";
    INVALID_INPUT / PAGE_LIMIT: Error, "Write a number from 1 to {most}." [most];
    /// this user is not among those who may use the assistant yet
    AI_ROLLOUT_CANARY_BLOCKED: Error, "The assistant is not open to you yet. Edit by hand meanwhile.";
    /// the assistant may look and not change
    AI_WORKBENCH_READ_ONLY: Error, "The assistant only looks at the moment. Read and discard work; edit by hand meanwhile.";
    /// no change may be applied now
    AI_APPLY_DISABLED: Error, "Applying is switched off at the moment. The proposal stays; try again later.";
}
