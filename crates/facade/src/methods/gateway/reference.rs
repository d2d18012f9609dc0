//! The reference of the methods of this folder's file.

use crate::test::{Entry, Member};

const PROTOCOL: Member = ("protocol", "one of `openai`, `anthropic`", "");

const PRICE: &str = "Micros a million tokens: `input`, `output`, and where they differ `cached_input`, `cache_write`, \
                     `cache_write_1h`; `request` micros a call; `tiers`.";

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "sse.parse",
        spec: "gateway.md §7",
        does: "Reads an event stream that comes in chunks of any size.",
        input: &[
            ("chunks", "list", "Text, or `{b64}`."),
            ("limits?", "object", "`event_bytes`: lower than the built-in limit."),
        ],
        output: &[
            ("events", "list", "`{event, data, …}`."),
            ("comments", "number", ""),
            ("retry_ms?", "number", "The last `retry`."),
            ("last_event_id?", "text", "The last `id`."),
            ("tail?", "object", "An event that no blank line ended: `{event, data}`."),
        ],
        example: r#"{"chunks": ["data: a\n", "\ndata: b"]}"#,
        refuses: &[
            (r#"{"chunks": ["data: much"], "limits": {"event_bytes": 4}}"#, "SSE_EVENT_TOO_LARGE"),
            (r#"{"chunks": [{"b64": "?"}]}"#, "INVALID_INPUT"),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "usage.extract",
        spec: "gateway.md §5",
        does: "Reads what a provider says that a call used, from a body or from the events of a stream.",
        input: &[
            PROTOCOL,
            ("body?", "any JSON", "The whole answer."),
            ("events?", "list", "`{event?, data}`."),
            ("estimate?", "object", "`{input_bytes}`: estimate what is missing."),
        ],
        output: &[
            ("source", "`reported`, `partial`, `missing`, `estimated`", ""),
            ("input", "number", "Fresh input tokens."),
            ("cached_input", "number", ""),
            ("cache_write", "number", ""),
            ("cache_write_1h", "number", "Part of `cache_write`."),
            ("output", "number", "Reasoning included."),
            ("reasoning", "number", "Part of `output`."),
            ("total", "number", ""),
            ("finish", "text or null", "Why the model stopped, in the provider's words."),
        ],
        example: r#"{"protocol": "openai", "body": {"choices": [{"finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 3}}}"#,
        refuses: &[(r#"{"protocol": "openai"}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
    Entry {
        method: "price.cost",
        spec: "gateway.md §5",
        does: "Says what a call costs, in micros of the currency. Rounded up once a request.",
        input: &[
            (
                "usage",
                "object",
                "Tokens: `input`, `cached_input`, `cache_write`, `cache_write_1h`, `output`, `reasoning`; 0 each.",
            ),
            ("price", "object", PRICE),
        ],
        output: &[("cost", "number", "Micros."), ("tokens", "number", "")],
        example: r#"{"usage": {"input": 10, "output": 3}, "price": {"input": 150000, "output": 600000}}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "gateway.quote",
        spec: "gateway.md §6",
        does: "Says what a call can use at most, which is what is held before it is made.",
        input: &[
            PROTOCOL,
            ("body?", "any JSON", "The request. Give it, or `body_text`."),
            ("body_text?", "text", "The request as text: read strictly."),
            (
                "model",
                "object",
                "`context_window`, `max_output`, `price`, and where they exist `image_tokens_max`, `document_tokens_max`, \
                 `audio_tokens_max`, `service_tiers`.",
            ),
            ("max_output?", "number", "The most output tokens that the caller may ask for."),
        ],
        output: &[
            ("input_bound", "number", "Input tokens, at most."),
            ("max_output", "number", "Output tokens a choice, at most."),
            ("output_bound", "number", "Output tokens, at most."),
            ("tokens", "number", "Both."),
            ("cost", "number", "Micros, at most."),
            ("price_in", "number", ""),
            ("price_out", "number", ""),
            ("media", "number", "Tokens of images, documents and sound."),
        ],
        example: r#"{"protocol": "openai", "body": {"model": "small", "messages": [{"role": "user", "content": "Count the doors."}], "max_completion_tokens": 300}, "model": {"context_window": 128000, "max_output": 16000, "price": {"input": 150000, "output": 600000}}}"#,
        refuses: &[
            (
                r#"{"protocol": "openai", "body": {"model": "small", "messages": []}, "model": {"context_window": 1000, "max_output": 100, "price": null}}"#,
                "MODEL_NOT_PRICED",
            ),
            (
                r#"{"protocol": "openai", "body_text": "{\"n\":1,\"n\":2}", "model": {"context_window": 1000, "max_output": 100}}"#,
                "DUPLICATE_KEY",
            ),
            (
                r#"{"protocol": "openai", "body_text": "[", "model": {"context_window": 1000, "max_output": 100}}"#,
                "INVALID_JSON",
            ),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "gateway.translate_request",
        spec: "gateway.md §2 \"Fidelity\", §11",
        does: "Makes the few edits that a request takes on its way to an upstream of the same protocol; every other byte \
               stays as it was. To an upstream of the other protocol it translates: what has no words there is dropped \
               and listed where it is a hint, else refused with its place.",
        input: &[
            ("from", "one of `openai`, `anthropic`", ""),
            ("to", "one of `openai`, `anthropic`", ""),
            ("body?", "any JSON", "Give it, or `body_text`."),
            ("body_text?", "text", ""),
            ("upstream_model?", "text", "The upstream's name of the model."),
            ("max_output?", "number", "The most output tokens that are allowed."),
            ("limit_field?", "text", "How the provider calls its maximum; `max_completion_tokens`."),
            ("stream_usage?", "yes or no", "Whether the provider can report usage on streams; yes."),
            ("capabilities?", "list", "What the provider can do: `json_schema`, `effort`."),
            (
                "auto_cache?",
                "one of `prefix`, `conversation`, `off`",
                "Where a cache is marked, to Anthropic; `prefix`.",
            ),
            ("unsupported?", "one of `refuse`, `drop`", "What changes the output and has no words; `refuse`."),
        ],
        output: &[
            ("body?", "any JSON", "As it goes upstream, when `body` came."),
            ("body_text?", "text", "The same, when `body_text` came."),
            ("edits?", "list", "Changed members, between equal protocols."),
            ("dropped", "list", "`{feature, pointer, count}`, by place; empty between equal protocols."),
            ("warnings", "list", "`{code, pointer}`: `SYSTEM_HOISTED`, `EMPTY_MESSAGE_DROPPED`."),
        ],
        example: r#"{"from": "openai", "to": "openai", "upstream_model": "small-2", "body_text": "{\"model\":\"small\", \"messages\":[]}"}"#,
        refuses: &[
            (r#"{"from": "anthropic", "to": "anthropic", "body": {"model": "m", "messages": []}}"#, "INVALID_REQUEST"),
            (r#"{"from": "openai", "to": "anthropic", "body": {"model": "m"}}"#, "INVALID_REQUEST"),
            (
                r#"{"from": "openai", "to": "anthropic", "body": {"model": "m", "n": 2, "messages": [{"role": "user", "content": "a"}]}}"#,
                "UNTRANSLATABLE_FEATURE",
            ),
            (
                r#"{"from": "openai", "to": "anthropic", "body": {"model": "m", "messages": [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{"}}]}]}}"#,
                "INVALID_TOOL_ARGUMENTS",
            ),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "gateway.translate_response",
        spec: "gateway.md §2 \"Fidelity\", §11",
        does: "Gives a response of the same protocol back; of a stream the usage that the caller did not ask for is left \
               out. A response of the other protocol is translated, a stream event by event.",
        input: &[
            ("from", "one of `openai`, `anthropic`", ""),
            ("to", "one of `openai`, `anthropic`", ""),
            ("body?", "any JSON", "Give it, or `events`."),
            ("events?", "list", "`{event?, data}`."),
            ("include_usage?", "yes or no", "Whether the caller asked for usage; no."),
            ("id?", "text", "The answer's id in a translation; the upstream's."),
            ("model?", "text", "The model that a translation names; the upstream's."),
            ("created?", "number", "Seconds since 1970, for a client of the OpenAI protocol; 0."),
        ],
        output: &[
            ("body?", "any JSON", ""),
            ("events?", "list", "`{event?, data}`; translated data is an object or `[DONE]`."),
            ("ended?", "one of `done`, `cut`, `error`, `protocol_error`", "How a translated stream ended."),
        ],
        example: r#"{"from": "openai", "to": "openai", "body": {"id": "1", "choices": []}}"#,
        refuses: &[
            (r#"{"from": "openai", "to": "openai", "body": 1}"#, "UPSTREAM_PROTOCOL_ERROR"),
            (r#"{"from": "openai", "to": "openai"}"#, "INVALID_INPUT"),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "gateway.error",
        spec: "gateway.md §12",
        does: "Gives a refusal of the gateway as HTTP, in the words of a protocol.",
        input: &[
            PROTOCOL,
            ("code", "text", "A code of the gateway."),
            ("request_id", "text", ""),
            ("message?", "text", "Instead of the code's own."),
            ("details?", "object", "`pointer`, `retry_after_ms` and more."),
        ],
        output: &[("status", "number", ""), ("headers", "object", ""), ("body", "object", "")],
        example: r#"{"protocol": "openai", "code": "RATE_LIMITED", "request_id": "req_1", "details": {"retry_after_ms": 1500}}"#,
        refuses: &[(r#"{"protocol": "openai", "code": "NO_SUCH_CODE", "request_id": "r"}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
    Entry {
        method: "budget.simulate",
        spec: "gateway.md §6, §11",
        does: "Plays commands against the budget law: what is admitted, held, settled and refused.",
        input: &[
            ("now?", "number", "Milliseconds; 0."),
            ("keys", "object", "Key → `{user, account}`."),
            ("budgets", "list", "`{id, scope, unit, period, limit}`."),
            ("limits?", "object", "Key → `{max_in_flight?, rate?}`."),
            ("expire_policy?", "one of `bill_progress`, `bill_hold`, `release`", "What an expired hold costs."),
            ("commands", "list", "`{op, at?, …}`: `reserve`, `progress`, `settle`, `release`, `expire`, `open_run`, …"),
        ],
        output: &[
            ("results", "list", "One a command: `{verdict, …}`."),
            (
                "balances",
                "object",
                "Budget → `{limit, spent, held, overrun, remaining, window_start, resets_at}` at the end.",
            ),
            ("windows", "list", "Every window in which anything was admitted."),
            ("ledger", "list", "One row a closed call."),
            ("in_flight", "number", "Calls that are still open."),
            ("invariants", "object", "`{within_limits, ledger_matches}`: yes, whatever the commands."),
        ],
        example: r#"{"keys": {"k": {"user": "u", "account": "a"}}, "budgets": [{"id": "b", "scope": "user:u", "unit": "tokens", "period": "total", "limit": 100}], "commands": [{"op": "reserve", "id": "r", "key": "k", "tokens": 60}]}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "route.simulate",
        spec: "gateway.md §7, §11",
        does: "Plays what happens to providers: which ones a call would try, in which order, and why others are skipped.",
        input: &[
            ("now?", "number", "Milliseconds; 0."),
            ("providers", "list", "`{id, locality?, max_in_flight?}`: `local` or `remote`, and 0 for any number."),
            ("candidates", "list", "Ids; the first is the primary one."),
            ("breaker?", "object", "`{failures?, window_ms?, open_ms?}`; 2, 30,000, 90,000."),
            ("sticky_ms?", "number", "How long a user stays with a fallback; 600,000."),
            ("events", "list", "`{op, at?, …}`: `decide`, `fail`, `ok`, `begin`, `end`."),
        ],
        output: &[(
            "decisions",
            "list",
            "One a `decide`: `{order, reason, probe, skipped}`, or `{code, status, retry_after_ms, skipped}`.",
        )],
        example: r#"{"providers": [{"id": "a"}, {"id": "b"}], "candidates": ["a", "b"], "events": [{"op": "decide", "at": 0}]}"#,
        refuses: &[
            (r#"{"providers": [], "candidates": ["a"], "events": []}"#, "INVALID_INPUT"),
            (
                r#"{"providers": [{"id": "a"}], "candidates": ["a"], "events": [{"op": "decide", "at": 5}, {"op": "decide", "at": 4}]}"#,
                "INVALID_INPUT",
            ),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "url.check",
        spec: "gateway.md §10",
        does: "Says whether an address of a provider may be called.",
        input: &[
            ("url?", "text", "Empty is no address."),
            ("allow_http?", "yes or no", "Also `http`."),
            ("allow_private?", "yes or no", "Also loopback and private ranges."),
            ("allow_origins?", "list of text", "Origins that pass scheme, port and class."),
            ("own_hosts?", "list of text", "Our own names; `*.` in front stands for all below."),
            ("resolved?", "list of text", "What the name resolved to."),
        ],
        output: &[
            ("ok", "yes or no", ""),
            ("normalized?", "text", "When it may."),
            ("host?", "text", "When it may."),
            ("port?", "number", "When it may."),
            ("kind?", "`name`, `ipv4`, `ipv6`", "When it may."),
            ("category?", "text", "How far it reaches."),
            ("code?", "text", "Why it may not: a `URL_` code."),
        ],
        example: r#"{"url": "https://api.example.org/v1/"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "key.mask",
        spec: "gateway.md §9",
        does: "Shows a key so that it can be recognised and not used.",
        input: &[("key?", "text", "")],
        output: &[
            ("masked", "text or null", "At most the first three and last four characters; null without a key."),
            ("vendor", "`holdpoint`, `anthropic`, `openai`, `unknown` or null", "Whose key it looks like."),
        ],
        example: r#"{"key": "sk-abcdefghijklmnop1234"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "redact.text",
        spec: "gateway.md §9",
        does: "Takes secrets out of a text, or out of every text of a value.",
        input: &[("text?", "text", "Give it, or `value`."), ("value?", "any JSON", "")],
        output: &[
            ("text?", "text", ""),
            ("value?", "any JSON", ""),
            ("count", "number", "Secrets that were taken out."),
        ],
        example: r#"{"text": "Authorization: Bearer sk-abcdefghijklmnopqrstuvwxyz123456"}"#,
        refuses: &[(r"{}", "INVALID_INPUT")],
        ..Entry::PLAIN
    },
];
