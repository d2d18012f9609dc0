//! The members of a chat completion that the OpenAI client documents (openai-node 6, `chat/completions`), and those that
//! compatible servers send back and are sent again.

use super::Shape::{Free, Kinds as Of, Labels, List, Nothing, Object, Plain, Plains, Tier, Ttl, Word, Words};
use super::{Kind, Kinds, Listed, Payload, Shape};

pub(super) static REQUEST: Listed = &[
    ("model", Plain),
    ("messages", List(&Object(MESSAGE))),
    ("max_tokens", Plain),
    ("max_completion_tokens", Plain),
    ("n", Plain),
    ("stream", Plain),
    ("stream_options", Object(&[("include_usage", Plain), ("include_obfuscation", Plain)])),
    ("temperature", Plain),
    ("top_p", Plain),
    ("stop", Plains),
    ("seed", Plain),
    ("frequency_penalty", Plain),
    ("presence_penalty", Plain),
    ("logit_bias", Labels),
    ("logprobs", Plain),
    ("top_logprobs", Plain),
    ("tools", List(&Of(&TOOLS))),
    ("tool_choice", Of(&CHOICES)),
    ("parallel_tool_calls", Plain),
    ("functions", List(&Object(&[("name", Plain), ("description", Plain), ("parameters", Free)]))),
    ("function_call", Object(&[("name", Plain)])),
    ("response_format", Object(&[("type", Plain), ("json_schema", Object(JSON_SCHEMA))])),
    ("reasoning_effort", Plain),
    ("verbosity", Plain),
    ("prediction", Object(&[("type", Plain), ("content", List(&Of(&TEXTS)))])),
    ("modalities", Words(&["text"])),
    ("audio", Nothing),
    ("web_search_options", Nothing),
    ("service_tier", Tier(&["auto", "default"])),
    ("user", Plain),
    ("safety_identifier", Plain),
    ("store", Plain),
    ("metadata", Labels),
    ("prompt_cache_key", Plain),
    ("prompt_cache_retention", Word(&["in_memory", "in-memory", "24h"])),
    ("prompt_cache_options", Object(&[("mode", Plain), ("ttl", Word(&["30m"]))])),
];

const JSON_SCHEMA: Listed = &[("name", Plain), ("description", Plain), ("schema", Free), ("strict", Plain)];

/// Of every role: a server ignores or refuses what another one has.
const MESSAGE: Listed = &[
    ("role", Plain),
    ("content", List(&Of(&PARTS))),
    ("name", Plain),
    ("refusal", Plain),
    // The words of an answer that was spoken have the price of speech.
    ("audio", Nothing),
    ("annotations", List(&Object(&[("type", Plain), ("url_citation", Object(CITATION))]))),
    ("reasoning_content", Plain),
    ("tool_calls", List(&Of(&CALLS))),
    ("tool_call_id", Plain),
    ("function_call", Object(&[("name", Plain), ("arguments", Plain)])),
];

const CITATION: Listed = &[("start_index", Plain), ("end_index", Plain), ("title", Plain), ("url", Plain)];

const FUNCTION: Listed = &[("name", Plain), ("description", Plain), ("parameters", Free), ("strict", Plain)];
const NAMED: Shape = Object(&[("name", Plain)]);
const BREAKPOINT: Shape = Object(&[("mode", Plain)]);
/// Of servers that hand requests on to Anthropic's protocol.
const CACHE: Shape = Object(&[("type", Plain), ("ttl", Ttl)]);

static PARTS: Kinds = Kinds {
    untyped: None,
    content: true,
    listed: &[
        ("text", Kind::plain(TEXT)),
        ("refusal", Kind::plain(&[("type", Plain), ("refusal", Plain)])),
        ("image_url", Kind::media(Payload::ImageUrl, IMAGE)),
        ("input_audio", Kind::media(Payload::Audio, AUDIO)),
        ("file", Kind::media(Payload::File, FILE)),
    ],
};

static TEXTS: Kinds = Kinds { untyped: None, content: true, listed: &[("text", Kind::plain(TEXT))] };

const TEXT: Listed =
    &[("type", Plain), ("text", Plain), ("prompt_cache_breakpoint", BREAKPOINT), ("cache_control", CACHE)];
const IMAGE: Listed = &[
    ("type", Plain),
    ("image_url", Object(&[("url", Plain), ("detail", Plain)])),
    ("prompt_cache_breakpoint", BREAKPOINT),
    ("cache_control", CACHE),
];
const AUDIO: Listed = &[
    ("type", Plain),
    ("input_audio", Object(&[("data", Plain), ("format", Plain)])),
    ("prompt_cache_breakpoint", BREAKPOINT),
    ("cache_control", CACHE),
];
const FILE: Listed = &[
    ("type", Plain),
    ("file", Object(&[("file_data", Plain), ("file_id", Plain), ("filename", Plain)])),
    ("prompt_cache_breakpoint", BREAKPOINT),
    ("cache_control", CACHE),
];

/// Both run at the client; a tool of another type runs at the provider, for money of its own.
static TOOLS: Kinds = Kinds {
    untyped: Some("function"),
    content: false,
    listed: &[
        ("function", Kind::plain(&[("type", Plain), ("function", Object(FUNCTION)), ("cache_control", CACHE)])),
        ("custom", Kind::plain(&[("type", Plain), ("custom", Object(CUSTOM)), ("cache_control", CACHE)])),
    ],
};

const CUSTOM: Listed = &[
    ("name", Plain),
    ("description", Plain),
    ("format", Object(&[("type", Plain), ("grammar", Object(&[("syntax", Plain), ("definition", Plain)]))])),
];

static CALLS: Kinds = Kinds {
    untyped: Some("function"),
    content: false,
    listed: &[
        (
            "function",
            Kind::plain(&[
                ("index", Plain),
                ("id", Plain),
                ("type", Plain),
                ("function", Object(&[("name", Plain), ("arguments", Plain)])),
            ]),
        ),
        (
            "custom",
            Kind::plain(&[
                ("index", Plain),
                ("id", Plain),
                ("type", Plain),
                ("custom", Object(&[("name", Plain), ("input", Plain)])),
            ]),
        ),
    ],
};

static CHOICES: Kinds = Kinds {
    untyped: None,
    content: false,
    listed: &[
        ("function", CHOSEN_FUNCTION),
        ("custom", CHOSEN_CUSTOM),
        (
            "allowed_tools",
            Kind::plain(&[
                ("type", Plain),
                ("allowed_tools", Object(&[("mode", Plain), ("tools", List(&Of(&CHOSEN)))])),
            ]),
        ),
    ],
};

static CHOSEN: Kinds =
    Kinds { untyped: None, content: false, listed: &[("function", CHOSEN_FUNCTION), ("custom", CHOSEN_CUSTOM)] };

const CHOSEN_FUNCTION: Kind = Kind::plain(&[("type", Plain), ("function", NAMED)]);
const CHOSEN_CUSTOM: Kind = Kind::plain(&[("type", Plain), ("custom", NAMED)]);
