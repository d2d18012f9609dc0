//! What the edge's own routes say: sentences beside those of the gateway's table and of the methods
//! (spec: facade.md "Shapes", authoring.md §9.1, script-tool.md §6). Status and meaning stand in `gateway::codes`.

use holdpoint_check::codes;

codes! {
    INTERNAL: Error, "Something failed here. Nothing was changed. Try again.";
    SCOPE_DENIED / SCOPE: Error, "This needs a key with the scope `{scope}`." [scope];
    INVALID_REQUEST / BODY: Error, "Correct the body: {error}." [error];
    INVALID_REQUEST / NO_OBJECT: Error, "Send one JSON object.";
    INVALID_REQUEST / CHOICE: Error, "Write one of {allowed}." [allowed];
    INVALID_REQUEST / WHOLE: Error, "Write a whole number, 0 or more.";
    INVALID_REQUEST / BETWEEN: Error, "Write a number from {least} to {most}." [least, most];
    INVALID_REQUEST / TEXTS: Error, "Write a list of texts without spaces.";
    INVALID_REQUEST / TIME: Error, "Write milliseconds since 1970.";
    INVALID_REQUEST / DAY: Error, "Write a day as 2026-11-30.";
    INVALID_REQUEST / DAYS: Error, "Ask for 1 to {most} days, the first one in `from`." [most];
    INVALID_REQUEST / GROUPS: Error, "Name at most {most} groups, each once." [most];
    INVALID_REQUEST / TOKENS: Error, "Say how many tokens the run may use.";
    INVALID_REQUEST / LABEL: Error, "Name the key in 1 to {most} characters." [most];
    INVALID_REQUEST / NAME: Error, "Write 1 to {most} letters, digits, `.`, `_`, `:`, `@` or `-`." [most];
    INVALID_REQUEST / PRINTABLE: Error, "Write the key with 1 to {most} printable characters without blanks." [most];
    INVALID_REQUEST / KEYS_FULL: Error, "An account has at most {most} keys. Revoke one." [most];
    INVALID_REQUEST / SAME_BUDGET: Error, "Budget `{other}` counts the same already. Change that one." [other];
    INVALID_REQUEST / BUDGET_KEEPS: Error,
        "A budget keeps its scope, unit, period and payer. Delete it and make another.";
    INVALID_REQUEST / BUDGETS_FULL: Error, "A scope has at most {most} budgets. Delete one." [most];
    INVALID_REQUEST / CONFIGURED: Error, "Correct the configuration: {fault}." [fault];
    INVALID_REQUEST / NO_SECRET: Error, "There is no secret `{name}`. Put it first." [name];
    INVALID_REQUEST / SECRETS_FULL: Error, "An account has at most {most} secrets. Delete one." [most];
    INVALID_REQUEST / WEBHOOKS_FULL: Error, "An account has at most {most} webhooks. Leave some out." [most];
    INVALID_REQUEST / ADDRESS_BLOCKED: Error, "This address may not be called. Give a public one with https and no query.";
    INVALID_REQUEST / REASON: Error, "Say why in 1 to {most} characters." [most];
    INVALID_REQUEST / ASKED_ENOUGH: Error, "{most} requests of yours wait for an answer. Wait until one has it." [most];
    INVALID_REQUEST / GRANTED_ENOUGH: Error, "A budget has at most {most} extensions at a time. End one." [most];
    INVALID_REQUEST / HEADER: Error, "Write {header} with 1 to {most} letters, digits, `.`, `_`, `:` or `-`." [header, most];
    INVALID_REQUEST / SEEN_BASE: Error, "Name the content hash that you saw, or null for none.";
    INVALID_REQUEST / SEEN_REVIEW: Error, "Name what you saw: the review's patch and result.";
    INVALID_REQUEST / SEEN_REVISION: Error, "Name the newest revision that you saw, or null for none.";
    INVALID_REQUEST / GRANTS: Error, "Grant only what the manifest declares, written as there.";
    INVALID_INPUT / CURSOR: Error, "Give back the `next_cursor` of the page before.";
    AUTH_INVALID_TOKEN / TWO_KEYS: Error, "Two different keys were sent. Send one.";
    MODEL_NOT_PRICED / NO_PRICES: Error,
        "No model that this budget counts has prices, so it would hold nothing. Write them in `UPSTREAM_PRICE`, or in \
         `prices` of `GATEWAY_CONFIG`, then set it.";
    NOT_FOUND / NO_PAGES: Error, "This deployment has no page. Call the API.";
    NOT_FOUND / PAGE: Error, "There is no such page. Open `/`.";
    NOT_FOUND / KEY: Error, "There is no key of that id. List what there is.";
    NOT_FOUND / BUDGET: Error, "There is no budget of that id. List what there is.";
    NOT_FOUND / SECRET: Error, "There is no secret of that name. List what there is.";
    NOT_FOUND / LIMIT: Error, "This scope has no limits of its own. Set some with PUT.";
    NOT_FOUND / NO_ASK: Error, "Nobody asked for that extension of this budget. List what was asked for.";
    NOT_FOUND / NO_PROVIDER: Error, "There is no provider of that id.";
    NOT_FOUND / RUN: Error, "This key has no run of that id.";
    NOT_FOUND / REQUEST: Error, "No request of that id is open.";
    NOT_FOUND / EXTENSION: Error, "There is no such extension or revision. List what is installed.";
    NOT_FOUND / SCRIPT: Error, "There is no such script. List what there is.";
    NOT_FOUND / VERSION: Error, "There is no such revision or checkpoint. List what there is.";
    FORBIDDEN / MEASURING: Error, "Measurements are for administrators, outside production.";
    FORBIDDEN / OWNER: Error, "This script belongs to somebody else.";
    IDEMPOTENCY_CONFLICT: Error, "This key was used for another request. Use a key once.";
    INVALID_INPUT / IDEMPOTENCY_KEY: Error, "Send a key of 1 to {limit} printable ASCII characters." [limit];
    CONFLICT / EXTENSION_CHANGED: Error, "The extension changed since you looked. Look again, then repeat.";
    CONFLICT / SCRIPT_CHANGED: Error, "The script changed since you looked. Look again, then repeat.";
    CONFLICT / DECIDED: Error, "This was decided already: it is {state}. Look at it, then ask anew." [state];
    CONFLICT / OPENED: Error, "This account was opened already. Use a key of it.";
    CONFLICT / NOTHING: Error, "There is nothing to {action}." [action];
    CONFLICT / REVIEWED: Error, "This is not what was reviewed. Read the fresh review, then sign again.";
    CONFLICT / PREVIEWED: Error, "A file changed since the preview. Look at the fresh preview, then apply again.";
    CONFIRMATION_REQUIRED / REVIEW: Error, "Read the reasons, then send the review's confirm_token.";
    CONFIRMATION_REQUIRED / TYPED: Error,
        "Read the reasons, send the review's confirm_token, and type the extension's id.";
    CONFIRMATION_REQUIRED / PREVIEW: Error, "Show the reasons to a person, then send the preview's confirm_token.";
    CAPABILITY_REQUIRED / GRANT: Error, "Grant what the diagnostics name. Nothing was stored.";
    BUNDLE_INVALID / FOUND: Error,
        "The bundle does not hold. Mend what the diagnostics name; nothing was stored.";
    UNDO_BLOCKED: Error, "These files changed since. Restore a version instead, or edit by hand.";
    FEATURE_OFF / ASSISTANT: Error, "The assistant is switched off here. Editing by hand works.";
    LEDGER_UNAVAILABLE / UNLISTED: Error,
        "The script is stored, but the list does not answer. It will be listed soon: look there before you make it again.";
    DEV_IN_PRODUCTION: Error, "HOLDPOINT_DEV is set in production. Remove it.";
    REQUEST_IN_FLIGHT: Error, "A request for this script is still running. Wait for it, or stop it.";
}
