//! The engine's own routes: models (spec: gateway.md §2); keys, budgets, the ledger and runs (spec: gateway.md §13).
//!
//! Data only; their bodies and answers are rows of the ledger and `wire`. A kind's routes stand in its folder.

pub mod gateway;

/// `/v1`: the protocols of OpenAI and Anthropic.
pub mod models {
    use holdpoint_check::route::{Body, Errors, Home, PLAIN, Rate, Returns, Route, Shape, Table};
    use holdpoint_check::{route::Method, routes};

    use crate::wire::{ListedModel, Models};

    pub const TABLE: Table<Id> = Table::new("/v1", Errors::Protocol, ROUTES);

    const MODELS: Route = Route { scope: Some("llm"), spec: "gateway.md §2", ..PLAIN };

    /// Refusals of a model call, before and after it was sent.
    const CALL: &[&str] = &[
        "MODEL_NOT_FOUND",
        "MODEL_NOT_ALLOWED",
        "MODEL_NOT_PRICED",
        "MEDIA_NOT_PRICED",
        "UNMETERED_FEATURE",
        "CALLS_STOPPED",
        "RUN_NOT_OPEN",
        "REQUEST_ID_CONFLICT",
        "IDEMPOTENCY_IN_PROGRESS",
        "IDEMPOTENCY_REPLAYED",
        "UNTRANSLATABLE_FEATURE",
        "INVALID_TOOL_ARGUMENTS",
        "NO_BUDGET",
        "BUDGET_EXHAUSTED",
        "RUN_BUDGET_EXCEEDED",
        "BUDGET_EXCEEDED",
        "BUDGET_HELD",
        "RATE_LIMITED",
        "TOO_MANY_IN_FLIGHT",
        "UPSTREAM_BAD_REQUEST",
        "UPSTREAM_RATE_LIMITED",
        "UPSTREAM_AUTH_FAILED",
        "UPSTREAM_REDIRECT",
        "UPSTREAM_UNREACHABLE",
        "UPSTREAM_ERROR",
        "UPSTREAM_PROTOCOL_ERROR",
        "UPSTREAM_TOO_LARGE",
        "UPSTREAM_STREAM_ERROR",
        "UPSTREAM_STREAM_CUT",
        "UPSTREAM_TIMEOUT",
        "UPSTREAM_STALLED",
        "SECRETS_UNAVAILABLE",
        "LEDGER_UNAVAILABLE",
        "ALL_PROVIDERS_UNAVAILABLE",
        "REMOTE_FALLBACK_REQUIRED",
    ];

    routes! {
        Chat => Route {
            method: Method::Post,
            path: "/chat/completions",
            does: "Calls a model over the OpenAI protocol. The request is passed on with few edits, the answer \
                   byte for byte. With `stream: true` the answer is an event stream; its last event may be an error of \
                   the same shape.",
            home: Home::Relay,
            body: Body::Call,
            rate: Rate::Calls,
            answer: Returns::Passed("The provider's answer, byte for byte; with `stream: true` its events."),
            codes: CALL,
            ..MODELS
        },
        Messages => Route {
            method: Method::Post,
            path: "/messages",
            does: "Calls a model over the Anthropic protocol. The request is passed on with few edits, the answer \
                   byte for byte. With `stream: true` the answer is an event stream; its last event may be an error. \
                   Errors have the shape of that protocol; `error.details.error_code` is the code.",
            home: Home::Relay,
            body: Body::Call,
            rate: Rate::Calls,
            answer: Returns::Passed("The provider's answer, byte for byte; with `stream: true` its events."),
            codes: CALL,
            ..MODELS
        },
        CountTokens => Route {
            method: Method::Post,
            path: "/messages/count_tokens",
            does: "Counts the tokens that a message would take as input, without calling a model: the provider's count \
                   where it has one, else an estimate, marked with `holdpoint-estimated: 1`. Nothing is charged.",
            home: Home::Relay,
            body: Body::Call,
            rate: Rate::Calls,
            answer: Returns::Passed("`{\"input_tokens\": N}`."),
            codes: CALL,
            ..MODELS
        },
        Models => Route {
            path: "/models",
            does: "Lists the models that this key may use; with the header `anthropic-version` in the shape of that protocol.",
            answer: Returns::Json(Shape::of::<Models>()),
            ..MODELS
        },
        Model => Route {
            path: "/models/{id*}",
            does: "Shows one model.",
            answer: Returns::Json(Shape::of::<ListedModel>()),
            codes: &["MODEL_NOT_FOUND"],
            ..MODELS
        },
    }
}

/// At the root: what watches a deployment.
pub mod operator {
    use holdpoint_check::route::{Errors, PLAIN, Returns, Route, Shape, Table};
    use holdpoint_check::routes;

    use crate::wire::DeploymentHealth;

    pub const TABLE: Table<Id> = Table::new("", Errors::House, ROUTES);

    const OPERATOR: Route = Route { spec: "gateway.md §13", ..PLAIN };

    routes! {
        Health => Route {
            path: "/healthz",
            does: "Says whether the deployment's settings can be used; 503 where one cannot.",
            answer: Returns::Json(Shape::of::<DeploymentHealth>()),
            ..OPERATOR
        },
        Metrics => Route {
            path: "/metrics",
            scope: Some("metrics"),
            does: "Counts the calls of the caller's account in the text format of Prometheus. Counters begin anew with the \
                   account's object.",
            answer: Returns::Passed("Text, `text/plain; version=0.0.4`."),
            ..OPERATOR
        },
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use holdpoint_check::route::{Body, Found, Table};

    fn leads_to_its_rows<I: Copy + Debug + PartialEq>(table: Table<I>) {
        for (id, route) in table.rows {
            let path: Vec<&str> =
                route.path.split('/').map(|word| if word.starts_with('{') { "x" } else { word }).collect();
            let found = table.find(route.method.name(), &format!("{}{}", table.root, path.join("/")));
            assert!(matches!(found, Found::Row(other, ..) if other == *id), "{id:?}: {found:?}");
            assert!(route.scope.is_some() || route.body == Body::None, "{id:?} reads a body of nobody");
        }
    }

    #[test]
    fn every_row_is_found_by_its_own_path() {
        leads_to_its_rows(super::models::TABLE);
        leads_to_its_rows(super::gateway::TABLE);
    }

    #[test]
    fn a_model_may_have_slashes_in_its_name() {
        let Found::Row(_, _, places) = super::models::TABLE.find("GET", "/v1/models/org/name%20x") else { panic!() };
        assert_eq!(places.get("id"), "org/name x");
    }
}
