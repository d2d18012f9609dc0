//! Every refusal of the gateway: one table of codes, one place that turns them into bytes (spec: gateway.md §12).
//!
//! Invariant: status, types and retry advice come from the table alone.

use holdpoint_check::code::{Args, say};
use serde_json::{Map, Value, json};

use crate::wire::{Error, Protocol, sse};

/// A spent budget that resets within this time may be asked again.
const RETRY_BUDGET_MS: u64 = 60_000;

/// The case of a sentence that no table of languages has.
const ONLY_HERE: &str = "ONLY_HERE";

macro_rules! codes {
    ($($status:literal $openai:literal $anthropic:literal $retry:literal: $($code:ident $name:literal)+;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($($code,)+)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$($(Code::$code,)+)*];

            /// As it is written: `SCREAMING_SNAKE_CASE`.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Code::$code => $name,)+)*
                }
            }

            /// Status, type for OpenAI, type for Anthropic, whether to try again.
            fn entry(self) -> (u16, &'static str, &'static str, bool) {
                match self {
                    $($(Code::$code)|+ => ($status, $openai, $anthropic, $retry),)*
                }
            }
        }
    };
}

codes! {
    401 "authentication_error" "authentication_error" false:
        AuthMissingToken "AUTH_MISSING_TOKEN" AuthInvalidToken "AUTH_INVALID_TOKEN" AuthTokenExpired "AUTH_TOKEN_EXPIRED"
        KeyRevoked "KEY_REVOKED" KeyExpired "KEY_EXPIRED" UnknownKey "UNKNOWN_KEY";
    403 "permission_error" "permission_error" false:
        ScopeDenied "SCOPE_DENIED" CallsStopped "CALLS_STOPPED" OriginDenied "ORIGIN_DENIED" ModelNotAllowed "MODEL_NOT_ALLOWED"
        ByokKeyRejected "BYOK_KEY_REJECTED" OtherSigner "OTHER_SIGNER";
    404 "not_found_error" "not_found_error" false: NotFound "NOT_FOUND" ModelNotFound "MODEL_NOT_FOUND";
    405 "invalid_request_error" "invalid_request_error" false: MethodNotAllowed "METHOD_NOT_ALLOWED";
    415 "invalid_request_error" "invalid_request_error" false: UnsupportedMediaType "UNSUPPORTED_MEDIA_TYPE";
    400 "invalid_request_error" "invalid_request_error" false:
        InvalidJson "INVALID_JSON" DuplicateKey "DUPLICATE_KEY" InvalidRequest "INVALID_REQUEST"
        InvalidToolArguments "INVALID_TOOL_ARGUMENTS" MediaNotPriced "MEDIA_NOT_PRICED"
        UnmeteredFeature "UNMETERED_FEATURE" UntranslatableFeature "UNTRANSLATABLE_FEATURE"
        UpstreamBadRequest "UPSTREAM_BAD_REQUEST" ByokUrlBlocked "BYOK_URL_BLOCKED";
    413 "invalid_request_error" "request_too_large" false: RequestTooLarge "REQUEST_TOO_LARGE";
    409 "invalid_request_error" "invalid_request_error" true: IdempotencyInProgress "IDEMPOTENCY_IN_PROGRESS";
    409 "invalid_request_error" "invalid_request_error" false:
        IdempotencyReplayed "IDEMPOTENCY_REPLAYED" RequestIdConflict "REQUEST_ID_CONFLICT" RunNotOpen "RUN_NOT_OPEN";
    // Of our own: the specification names none for a call that was stopped before its first byte.
    499 "invalid_request_error" "invalid_request_error" false: RequestCancelled "REQUEST_CANCELLED";
    402 "insufficient_quota" "billing_error" false:
        BudgetExhausted "BUDGET_EXHAUSTED" RunBudgetExceeded "RUN_BUDGET_EXCEEDED" NoBudget "NO_BUDGET";
    429 "insufficient_quota" "rate_limit_error" false: BudgetExceeded "BUDGET_EXCEEDED";
    429 "rate_limit_error" "rate_limit_error" true:
        BudgetHeld "BUDGET_HELD" RateLimited "RATE_LIMITED" TooManyInFlight "TOO_MANY_IN_FLIGHT"
        UpstreamRateLimited "UPSTREAM_RATE_LIMITED";
    502 "upstream_error" "api_error" false:
        UpstreamAuthFailed "UPSTREAM_AUTH_FAILED" UpstreamRedirect "UPSTREAM_REDIRECT";
    502 "upstream_error" "api_error" true:
        UpstreamUnreachable "UPSTREAM_UNREACHABLE" UpstreamError "UPSTREAM_ERROR"
        UpstreamProtocolError "UPSTREAM_PROTOCOL_ERROR" UpstreamTooLarge "UPSTREAM_TOO_LARGE"
        UpstreamStreamError "UPSTREAM_STREAM_ERROR" UpstreamStreamCut "UPSTREAM_STREAM_CUT";
    504 "upstream_error" "timeout_error" true:
        UpstreamTimeout "UPSTREAM_TIMEOUT" UpstreamStalled "UPSTREAM_STALLED";
    503 "service_unavailable" "overloaded_error" true:
        LedgerUnavailable "LEDGER_UNAVAILABLE" AllProvidersUnavailable "ALL_PROVIDERS_UNAVAILABLE"
        SecretsUnavailable "SECRETS_UNAVAILABLE";
    503 "service_unavailable" "overloaded_error" false:
        ModelNotPriced "MODEL_NOT_PRICED" RemoteFallbackRequired "REMOTE_FALLBACK_REQUIRED";
}

impl Code {
    /// The code of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }

    pub fn status(self) -> u16 {
        self.entry().0
    }

    /// What happened and what to do, for people; used where the place that refuses knows nothing better.
    pub fn message(self) -> &'static str {
        match self {
            Self::AuthMissingToken => "Send a key: `Authorization: Bearer …` or `x-api-key: …`.",
            Self::AuthInvalidToken | Self::UnknownKey => "This key is not known. Check it, or make a new one.",
            Self::AuthTokenExpired | Self::KeyExpired => "This key has expired. Make a new one.",
            Self::KeyRevoked => "This key was revoked. Use another one.",
            Self::ScopeDenied => "This key may not do that. Use a key with the scope named.",
            Self::CallsStopped => {
                "Calls are stopped here. `details.reason` says why; ask whoever administers this account."
            }
            Self::OriginDenied => "Pages of this origin may not call. Add the origin to the allowed ones.",
            Self::ModelNotAllowed => "This key may not use that model. Ask for one of its models.",
            Self::ByokKeyRejected => "The provider refused your key. Correct it in the profile.",
            Self::OtherSigner => {
                "Somebody else decided this than the one whose key was sent. Send it with the key of who decided."
            }
            Self::NotFound => "There is nothing here. Call one of the paths that exist.",
            Self::ModelNotFound => "No model has that name. `GET /v1/models` lists those that exist.",
            Self::MethodNotAllowed => "Use one of the methods that this path knows.",
            Self::UnsupportedMediaType => "Send `content-type: application/json`.",
            Self::InvalidJson => "Send one JSON object.",
            Self::DuplicateKey => "A member stands twice in one object. Send it once.",
            Self::InvalidRequest => "Correct the member that is named.",
            Self::InvalidToolArguments => "Tool arguments must be the text of a JSON object.",
            Self::MediaNotPriced => "This model has no price for such media. Send text, or use another model.",
            Self::UnmeteredFeature => {
                "Leave out the members that are named: what they cost has no bound here. An operator may \
                 let more pass (`passes`)."
            }
            Self::UntranslatableFeature => "The upstream's protocol lacks the features that are named. Leave them out.",
            Self::UpstreamBadRequest => "The provider refused the request. Correct it as it says.",
            Self::ByokUrlBlocked => "This address may not be called. Use a public https address.",
            Self::RequestTooLarge => "The request is too large. Send less.",
            Self::NoBudget => {
                "No budget counts what this key spends. Ask whoever administers this account to set one for the key, \
                 its user or the account."
            }
            Self::IdempotencyInProgress => "The first call with this idempotency key still runs. Wait for it.",
            Self::IdempotencyReplayed => "The call with this idempotency key is done. Use a new key for a new call.",
            Self::RequestIdConflict => "This id was used with other amounts. Use a new id.",
            Self::RunNotOpen => "This run is not open. Open a new one.",
            Self::RequestCancelled => "The call was stopped before an answer came. Send it anew if you still want one.",
            Self::BudgetExhausted => {
                "The budget does not allow this, and waiting does not help. Ask for less, or raise it."
            }
            Self::RunBudgetExceeded => "The run has less left than this call could need. Start a new run.",
            Self::BudgetExceeded => "The budget of this period is spent. Wait until it resets, or raise it.",
            Self::BudgetHeld => "What is left is held by running calls. Try again when they end.",
            Self::RateLimited => "Too many requests. Try again after the time given.",
            Self::TooManyInFlight => "Too many calls are open. Try again when one ends.",
            Self::UpstreamRateLimited => "The provider asks to wait. Try again after the time given.",
            Self::UpstreamAuthFailed => "The provider refused the platform's key. Correct UPSTREAM_KEY.",
            Self::UpstreamRedirect => {
                "The provider answered with a redirect, which is never followed. Correct its address."
            }
            Self::UpstreamUnreachable => "The provider could not be reached. Check its address, then try again.",
            Self::UpstreamError => "The provider failed. Try again.",
            Self::UpstreamProtocolError => "The provider's answer could not be read. Try again.",
            Self::UpstreamTooLarge => "The provider's answer is too large. Ask for less output.",
            Self::UpstreamStreamError => "The provider reported an error in mid-stream. Try again.",
            Self::UpstreamStreamCut => "The provider's stream was cut. What came before is kept; try again.",
            Self::UpstreamTimeout => "The provider did not answer in time. Try again.",
            Self::UpstreamStalled => "The provider stopped sending. What came before is kept; try again.",
            Self::LedgerUnavailable => "The ledger does not answer, so no call was made. Try again.",
            Self::AllProvidersUnavailable => "No provider is available now. Try again after the time given.",
            Self::SecretsUnavailable => "Secrets cannot be stored now. Configure an active key.",
            Self::ModelNotPriced => {
                "This model has no prices, so the call was not made. Write them in `UPSTREAM_PRICE`, or in `prices` \
                 of `GATEWAY_CONFIG`."
            }
            Self::RemoteFallbackRequired => {
                "Only a remote provider is left. Send `holdpoint-allow-remote: 1` to allow it."
            }
        }
    }
}

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}: {message}", code.name())]
pub struct GatewayError {
    pub code: Code,
    pub message: String,
    /// The values in the sentence by name, and which sentence it is where it is not the code's own. Of our own answers:
    /// no error in a provider's shape has them.
    pub args: Map<String, Value>,
    pub details: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ErrorResponse {
    pub status: u16,
    /// Header names in lower case.
    pub headers: Vec<(&'static str, String)>,
    pub body: Value,
}

impl GatewayError {
    /// A refusal with the code's own message.
    pub fn new(code: Code) -> Self {
        Self { code, message: code.message().to_owned(), args: Map::new(), details: Map::new() }
    }

    /// `code` at a JSON Pointer of the request.
    pub fn at(code: Code, pointer: impl Into<String>) -> Self {
        Self::new(code).with(json!({ "pointer": pointer.into() }))
    }

    /// The same refusal with another message, which only English has.
    #[must_use]
    pub fn saying(self, message: impl Into<String>) -> Self {
        let args = Map::from_iter([("case".to_owned(), Value::from(ONLY_HERE))]);
        self.told(message, args)
    }

    /// The same refusal with the sentence of a code.
    #[must_use]
    pub fn says(self, code: &'static holdpoint_check::Code, args: Args<'_>) -> Self {
        let args = code.values(args);
        self.told(say(code.says, &args), args)
    }

    /// The same refusal with another sentence and what it is said from.
    #[must_use]
    pub fn told(self, message: impl Into<String>, args: Map<String, Value>) -> Self {
        Self { message: message.into(), args, ..self }
    }

    /// The same refusal with the members of `details`, an object.
    #[must_use]
    pub fn with(mut self, details: Value) -> Self {
        if let Value::Object(members) = details {
            self.details.extend(members);
        }
        self
    }

    fn retry_after_ms(&self) -> Option<u64> {
        self.details.get("retry_after_ms").and_then(Value::as_u64)
    }

    pub fn should_retry(&self) -> bool {
        match self.code {
            Code::BudgetExceeded => self.retry_after_ms().is_some_and(|wait| wait <= RETRY_BUDGET_MS),
            code => code.entry().3,
        }
    }

    /// The error object of a protocol, as bodies and streams carry it.
    pub fn body(&self, protocol: Protocol, request_id: &str) -> Value {
        let (_, openai, anthropic, _) = self.code.entry();
        let kind = match protocol {
            Protocol::OpenAi => openai,
            Protocol::Anthropic => anthropic,
        };
        let error = Error {
            code: Some(self.code.name().to_owned()),
            kind: Some(kind.to_owned()),
            message: self.message.clone(),
            details: Some(self.details.clone()),
        };
        error.object(protocol, request_id)
    }

    pub fn answer(&self, protocol: Protocol, request_id: &str) -> ErrorResponse {
        let mut headers = vec![
            ("content-type", "application/json".to_owned()),
            ("x-should-retry", self.should_retry().to_string()),
            ("x-request-id", request_id.to_owned()),
            ("request-id", request_id.to_owned()),
        ];
        if let Some(wait) = self.retry_after_ms() {
            headers.push(("retry-after", wait.div_ceil(1_000).to_string()));
            headers.push(("retry-after-ms", wait.to_string()));
        }
        ErrorResponse { status: self.code.status(), headers, body: self.body(protocol, request_id) }
    }

    /// The event that ends a stream. It starts with a blank line, so that a half event cannot merge with it
    /// (spec: gateway.md §7).
    pub fn event(&self, protocol: Protocol, request_id: &str) -> String {
        let name = (protocol == Protocol::Anthropic).then_some("error");
        let event = sse::event(name, &self.body(protocol, request_id).to_string(), "\n");
        format!("\n\n{event}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.name()), Some(*code));
            assert!(code.message().ends_with('.'), "{code:?} says what to do in sentences");
        }
    }

    #[test]
    fn a_stream_ends_with_an_event_of_its_own() {
        let cut = GatewayError::new(Code::UpstreamStreamCut);
        assert!(cut.event(Protocol::OpenAi, "r").starts_with("\n\ndata: {\"error\":"));
        assert!(cut.event(Protocol::Anthropic, "r").starts_with("\n\nevent: error\ndata: {\"type\":\"error\""));
    }
}
