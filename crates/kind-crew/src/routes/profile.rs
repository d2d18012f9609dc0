//! The routes of the model that a user brings along (spec: ai-sessions.md §8).

use holdpoint_check::route::{Body, Errors, Home, Method, Rate, Returns, Route, Shape, Table};
use holdpoint_check::routes;
use holdpoint_gateway::profile::ProfileView;

use super::{BODY, MAX_BODY, READ};
use crate::wire::profile::{ProfileBody, Tested};

pub const TABLE: Table<Id> = Table::new("/users", Errors::Envelope, ROUTES);

/// What a profile is refused with, and more.
macro_rules! refusals {
    ($($more:literal),*) => {
        &[
            "LLM_PROFILE_ENCRYPTION_ERROR",
            $($more),*
        ]
    };
}

const PROFILE: Route = Route {
    path: "/me/llm-profile",
    spec: "ai-sessions.md §8",
    answer: Returns::Json(Shape::of::<ProfileView>()),
    home: Home::Account,
    ..READ
};

routes! {
    Show => Route {
        does: "Shows the model that one's crew sessions ask, and what a call would use now. Never the key.",
        ..PROFILE
    },
    Save => Route {
        method: Method::Put,
        does: "Saves which model answers: one's own, the platform's (`system`) or none (`disabled`). `apiKey` left out \
               keeps the key, null or nothing clears it. Another server needs its own key.",
        body: BODY,
        rate: Rate::Writes,
        asks: Some(Shape::of::<ProfileBody>()),
        codes: refusals![
            "LLM_PROFILE_INVALID_PROVIDER",
            "LLM_PROFILE_MISSING_BASE_URL",
            "LLM_PROFILE_INVALID_BASE_URL",
            "LLM_PROFILE_MISSING_MODEL",
            "LLM_PROFILE_INVALID_API_KEY",
            "LLM_PROFILE_API_KEY_REQUIRED",
            "LLM_PROFILE_INVALID_TIMEOUT",
            "LLM_PROFILE_INVALID_CONTEXT_WINDOW",
            "LLM_PROFILE_ORG_POLICY_BLOCKED"
        ],
        ..PROFILE
    },
    Test => Route {
        method: Method::Post,
        path: "/me/llm-profile/test",
        does: "Asks the model for one token. Without a body the saved profile, with one that one; nothing of it is stored. \
               What fails is said with status 200. Needs the scope `llm` too.",
        body: Body::Maybe(MAX_BODY),
        rate: Rate::Calls,
        asks: Some(Shape::of::<ProfileBody>()),
        answer: Returns::Json(Shape::of::<Tested>()),
        codes: refusals![
            "RATE_LIMITED",
            "CALLS_STOPPED",
            "NO_BUDGET",
            "BUDGET_EXHAUSTED",
            "BUDGET_EXCEEDED",
            "BUDGET_HELD",
            "MODEL_NOT_PRICED",
            "TOO_MANY_IN_FLIGHT",
            "LEDGER_UNAVAILABLE"
        ],
        ..PROFILE
    },
}
