//! `/gateway/v1`: keys, budgets, runs, usage, the ledger, and what an account is set up with (spec: gateway.md §3, §13).

use holdpoint_check::route::{Body, CURSOR, Errors, PLAIN, Page, Rate, Returns, Route, Shape, Table};
use holdpoint_check::{route::Method, routes};
use holdpoint_gateway::indicator::{Indicator, Shown};

use crate::ledger::{
    AuditRow, ExtensionRow, KeyRow, LedgerItem, LimitAsk, LimitRow, RunView, RunningCalls, SecretRow, SwitchAsk,
    SwitchRow, UsageReport,
};
use crate::wire::{
    BudgetAsk, Cancelled, ConfigShape, CreatedKey, ExtensionAsk, FirstAccount, FirstKeys, GrantAsk, KeyAsk,
    KeyChangeAsk, Quote, QuoteAsk, RotateAsk, RunAsk, SecretAsk, Secrets, Webhooks, WebhooksAsk,
};

pub const TABLE: Table<Id> = Table::new("/gateway/v1", Errors::House, ROUTES);

/// Bodies here name things; they hold none.
const SMALL: Body = Body::Json(64 << 10);
const CONFIG: Body = Body::Json(256 << 10);
const ADMIN: Route = Route { scope: Some("admin"), spec: "gateway.md §13", ..PLAIN };
const USAGE: &[(&str, &str)] = &[
    ("from", "The first day, as `2026-11-01`; that of the month of `to`."),
    ("to", "The last day, which counts too; today."),
    ("group_by", "At most three of `day`, `model`, `key`, `user`, `tag`, with commas between them."),
];
const CALLS: &[(&str, &str)] = &[
    ("from", "The first day on which calls were admitted, as `2026-11-01`; the one of the oldest call."),
    ("to", "The last day, which counts too; that of the latest call."),
    CURSOR[0],
    CURSOR[1],
];
const FIRST: &[(&str, &str)] = &[("user_id", "Whose key it is; `admin`.")];
const DUMP_CURSOR: &[(&str, &str)] = &[("cursor", "`next` of the page before.")];
const RUNS: Route = Route { scope: Some("llm"), spec: "gateway.md §13", ..PLAIN };

routes! {
    FirstAccount => Route {
        method: Method::Post,
        path: "/accounts",
        rate: Rate::Writes,
        does: "Opens the account that `FIRST_ACCOUNT` names and makes its first key. Once, and only for whoever has \
               `FIRST_ACCOUNT_SECRET` as bearer; everybody else is told that nothing is here.",
        spec: "gateway.md §3",
        query: FIRST,
        status: 201,
        answer: Returns::Json(Shape::of::<FirstAccount>()),
        codes: &["NOT_FOUND", "CONFLICT", "SECRETS_UNAVAILABLE"],
        ..PLAIN
    },
    Bootstrap => Route {
        method: Method::Post,
        path: "/bootstrap",
        rate: Rate::Writes,
        does: "Makes the first keys of a fresh state. Only for the launcher that gave the secret to this very \
               process; everybody else is told that nothing is here.",
        spec: "gateway.md §4",
        status: 201,
        answer: Returns::Json(Shape::of::<FirstKeys>()),
        codes: &["NOT_FOUND"],
        ..PLAIN
    },
    Keys => Route {
        path: "/keys",
        does: "Lists keys.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<KeyRow>>()),
        ..ADMIN
    },
    CreateKey => Route {
        method: Method::Post,
        path: "/keys",
        body: SMALL,
        rate: Rate::Writes,
        does: "Makes a key. This answer is the only one that holds it.",
        asks: Some(Shape::of::<KeyAsk>()),
        status: 201,
        answer: Returns::Json(Shape::of::<CreatedKey>()),
        codes: &["SECRETS_UNAVAILABLE"],
        ..ADMIN
    },
    Key => Route {
        path: "/keys/{id}",
        does: "Shows a key.",
        answer: Returns::Json(Shape::of::<KeyRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    ChangeKey => Route {
        method: Method::Patch,
        path: "/keys/{id}",
        body: SMALL,
        rate: Rate::Writes,
        does: "Changes a key's label, models, origins, clamp or end. What is absent stays.",
        asks: Some(Shape::of::<KeyChangeAsk>()),
        answer: Returns::Json(Shape::of::<KeyRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    RotateKey => Route {
        method: Method::Post,
        path: "/keys/{id}/rotate",
        body: SMALL,
        rate: Rate::Writes,
        does: "Gives a key another secret under its id. The one before works until `previous_until`. This answer is \
               the only one that holds the new one.",
        asks: Some(Shape::of::<RotateAsk>()),
        answer: Returns::Json(Shape::of::<CreatedKey>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    Audit => Route {
        path: "/audit",
        does: "Lists what was changed, the latest first: who, what, when.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<AuditRow>>()),
        ..ADMIN
    },
    RevokeKey => Route {
        method: Method::Post,
        path: "/keys/{id}/revoke",
        rate: Rate::Writes,
        does: "Ends a key for good.",
        answer: Returns::Json(Shape::of::<KeyRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    Budgets => Route {
        path: "/budgets",
        does: "Lists budgets with their present windows.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<Shown>>()),
        ..ADMIN
    },
    Budget => Route {
        path: "/budgets/{id}",
        does: "Shows a budget.",
        answer: Returns::Json(Shape::of::<Shown>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    PutBudget => Route {
        method: Method::Put,
        path: "/budgets/{id}",
        body: SMALL,
        rate: Rate::Writes,
        does: "Sets a budget. Below what is used it stops new calls. One of money is refused while no model that it \
               counts has prices.",
        asks: Some(Shape::of::<BudgetAsk>()),
        answer: Returns::Json(Shape::of::<Shown>()),
        codes: &["MODEL_NOT_PRICED"],
        ..ADMIN
    },
    DeleteBudget => Route {
        method: Method::Delete,
        path: "/budgets/{id}",
        rate: Rate::Writes,
        does: "Removes a budget.",
        answer: Returns::Json(Shape::of::<Shown>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    AskExtension => Route {
        method: Method::Post,
        path: "/budgets/{id}/extensions",
        scope: Some("usage"),
        body: SMALL,
        rate: Rate::Writes,
        does: "Asks for more of a budget that counts the caller's own calls, for a time. Nothing changes before an \
               administrator grants it.",
        asks: Some(Shape::of::<ExtensionAsk>()),
        status: 201,
        answer: Returns::Json(Shape::of::<ExtensionRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    GrantExtension => Route {
        method: Method::Post,
        path: "/budgets/{id}/extensions/{extension}/grant",
        body: SMALL,
        rate: Rate::Writes,
        does: "Adds to a budget's limit until a time, at most 31 days ahead. The amount may differ from what was asked.",
        asks: Some(Shape::of::<GrantAsk>()),
        answer: Returns::Json(Shape::of::<ExtensionRow>()),
        codes: &["NOT_FOUND", "CONFLICT"],
        ..ADMIN
    },
    DenyExtension => Route {
        method: Method::Post,
        path: "/budgets/{id}/extensions/{extension}/deny",
        rate: Rate::Writes,
        does: "Says no to a request for more.",
        answer: Returns::Json(Shape::of::<ExtensionRow>()),
        codes: &["NOT_FOUND", "CONFLICT"],
        ..ADMIN
    },
    EndExtension => Route {
        method: Method::Post,
        path: "/budgets/{id}/extensions/{extension}/end",
        rate: Rate::Writes,
        does: "Ends an extension before its time. What was used under it stays used.",
        answer: Returns::Json(Shape::of::<ExtensionRow>()),
        codes: &["NOT_FOUND", "CONFLICT"],
        ..ADMIN
    },
    Extensions => Route {
        path: "/extensions",
        scope: Some("usage"),
        does: "Lists requests for more of a budget, newest first: the caller's own, an administrator's all.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<ExtensionRow>>()),
        ..ADMIN
    },
    Switches => Route {
        path: "/switches",
        does: "Lists the keys, users, providers and accounts whose calls are stopped.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<SwitchRow>>()),
        ..ADMIN
    },
    PutSwitch => Route {
        method: Method::Put,
        path: "/switches/{scope}",
        body: SMALL,
        rate: Rate::Writes,
        does: "Stops the calls of a key, a user, a provider or the account, or lets them go on. From this answer on new calls \
               are refused with `CALLS_STOPPED`, before any budget is asked; what runs goes on and is settled.",
        asks: Some(Shape::of::<SwitchAsk>()),
        answer: Returns::Json(Shape::of::<SwitchRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    Config => Route {
        path: "/config",
        does: "Shows the providers, models and prices of the account's own.",
        answer: Returns::Json(Shape::of::<ConfigShape>()),
        ..ADMIN
    },
    PutConfig => Route {
        method: Method::Put,
        path: "/config",
        body: CONFIG,
        rate: Rate::Writes,
        does: "Takes providers, models and prices in place of those before; checked as one. Names of the platform's are \
               refused. A provider names its key as `account:<name>`; addresses are judged as users' own are.",
        asks: Some(Shape::of::<ConfigShape>()),
        answer: Returns::Json(Shape::of::<ConfigShape>()),
        ..ADMIN
    },
    Secrets => Route {
        path: "/secrets",
        does: "Lists the keys of the account's own providers, masked.",
        answer: Returns::Json(Shape::of::<Secrets>()),
        ..ADMIN
    },
    PutSecret => Route {
        method: Method::Put,
        path: "/secrets/{id}",
        body: SMALL,
        rate: Rate::Writes,
        does: "Keeps a provider's key, sealed. No answer tells it.",
        asks: Some(Shape::of::<SecretAsk>()),
        answer: Returns::Json(Shape::of::<SecretRow>()),
        codes: &["SECRETS_UNAVAILABLE"],
        ..ADMIN
    },
    DeleteSecret => Route {
        method: Method::Delete,
        path: "/secrets/{id}",
        rate: Rate::Writes,
        does: "Forgets a key. A provider that names it is not called any more.",
        answer: Returns::Json(Shape::of::<SecretRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    Webhooks => Route {
        path: "/webhooks",
        does: "Lists the servers that are told of what happens, without their secrets.",
        answer: Returns::Json(Shape::of::<Webhooks>()),
        ..ADMIN
    },
    PutWebhooks => Route {
        method: Method::Put,
        path: "/webhooks",
        body: SMALL,
        rate: Rate::Writes,
        does: "Takes these servers in place of those before. Each event is sent as JSON by POST with \
               `holdpoint-signature: t=SECONDS,v1=HEX`, the HMAC-SHA-256 of `SECONDS.BODY` under the secret that this \
               answer tells of an address that is new.",
        asks: Some(Shape::of::<WebhooksAsk>()),
        answer: Returns::Json(Shape::of::<Webhooks>()),
        codes: &["SECRETS_UNAVAILABLE"],
        ..ADMIN
    },
    Limit => Route {
        path: "/limits/{scope}",
        does: "Shows how many calls of a scope may be open at once and how fast they may come.",
        answer: Returns::Json(Shape::of::<LimitRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    PutLimit => Route {
        method: Method::Put,
        path: "/limits/{scope}",
        body: SMALL,
        rate: Rate::Writes,
        does: "Limits the calls of a scope that are open at once, their rate, or both.",
        asks: Some(Shape::of::<LimitAsk>()),
        answer: Returns::Json(Shape::of::<LimitRow>()),
        ..ADMIN
    },
    DeleteLimit => Route {
        method: Method::Delete,
        path: "/limits/{scope}",
        rate: Rate::Writes,
        does: "Removes the limits of a scope.",
        answer: Returns::Json(Shape::of::<LimitRow>()),
        codes: &["NOT_FOUND"],
        ..ADMIN
    },
    Ledger => Route {
        path: "/ledger",
        does: "Lists what calls used and cost, newest first. No content.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<LedgerItem>>()),
        ..ADMIN
    },
    Usage => Route {
        path: "/usage",
        scope: Some("usage"),
        does: "Sums what was used over days: the caller's own, an administrator's all. With `group_by` each group for \
               itself; the speed is that of the latest calls.",
        query: USAGE,
        answer: Returns::Json(Shape::of::<UsageReport>()),
        ..ADMIN
    },
    Calls => Route {
        path: "/usage/calls",
        scope: Some("usage"),
        does: "Lists what calls used and cost, newest first: the caller's own, an administrator's all. No content. A \
               page may have fewer rows than were asked for and a page behind it.",
        query: CALLS,
        answer: Returns::Json(Shape::of::<Page<LedgerItem>>()),
        ..ADMIN
    },
    Running => Route {
        path: "/usage/running",
        scope: Some("usage"),
        does: "Lists the calls that are open and what they hold, the latest first: the caller's own, an \
               administrator's all.",
        answer: Returns::Json(Shape::of::<RunningCalls>()),
        ..ADMIN
    },
    Dump => Route {
        path: "/dump",
        does: "Gives the ledger as lines of JSON, `{\"table\", \"row\"}`, for `holdpoint ledger verify`. The first page \
               is one moment: budgets, windows, what is open, day sums, and how far the rows go. Its last line, \
               `page`, names the cursor of the next page in `next`; null ends the dump.",
        query: DUMP_CURSOR,
        answer: Returns::Passed("Lines of JSON, `application/x-ndjson`."),
        codes: &["INVALID_REQUEST"],
        ..ADMIN
    },
    Indicator => Route {
        path: "/indicator",
        does: "Shows the tightest budget and what today used.",
        scope: Some("usage"),
        answer: Returns::Json(Shape::of::<Indicator>()),
        ..ADMIN
    },
    Quote => Route {
        method: Method::Post,
        path: "/quote",
        body: SMALL,
        rate: Rate::Writes,
        does: "Says what a planned piece of work costs at least and at most, and whether it fits every budget now.",
        asks: Some(Shape::of::<QuoteAsk>()),
        answer: Returns::Json(Shape::of::<Quote>()),
        codes: &["MODEL_NOT_FOUND", "MODEL_NOT_PRICED"],
        ..RUNS
    },
    OpenRun => Route {
        method: Method::Post,
        path: "/runs",
        body: SMALL,
        rate: Rate::Writes,
        does: "Holds an amount for a run, from which its calls take.",
        asks: Some(Shape::of::<RunAsk>()),
        status: 201,
        answer: Returns::Json(Shape::of::<RunView>()),
        codes: &["CALLS_STOPPED", "BUDGET_EXHAUSTED", "BUDGET_EXCEEDED", "BUDGET_HELD", "RATE_LIMITED"],
        ..RUNS
    },
    Run => Route {
        path: "/runs/{id}",
        does: "Shows a run of this key.",
        answer: Returns::Json(Shape::of::<RunView>()),
        codes: &["NOT_FOUND"],
        ..RUNS
    },
    CloseRun => Route {
        method: Method::Delete,
        path: "/runs/{id}",
        rate: Rate::Writes,
        does: "Closes a run and gives back what is left.",
        answer: Returns::Json(Shape::of::<RunView>()),
        codes: &["NOT_FOUND"],
        ..RUNS
    },
    Cancel => Route {
        method: Method::Post,
        path: "/requests/{id}/cancel",
        rate: Rate::Writes,
        does: "Stops a running call of this key.",
        answer: Returns::Json(Shape::of::<Cancelled>()),
        codes: &["NOT_FOUND"],
        ..RUNS
    },
}
