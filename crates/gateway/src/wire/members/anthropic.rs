//! The members of a message request that Anthropic's client documents (anthropic-sdk-typescript, `messages`), with those
//! of its betas that cost nothing of their own.

use super::Shape::{Free, Kinds as Of, List, Nothing, Object, Plain, Plains, Tier, Ttl, Word};
use super::{Kind, Kinds, Listed, Payload, Shape};

pub(super) static REQUEST: Listed = &[
    ("model", Plain),
    ("messages", List(&Object(&[("role", Plain), ("content", List(&BLOCKS))]))),
    ("max_tokens", Plain),
    ("system", List(&Of(&TEXTS))),
    ("stream", Plain),
    ("temperature", Plain),
    ("top_p", Plain),
    ("top_k", Plain),
    ("stop_sequences", Plains),
    ("tools", List(&Of(&TOOLS))),
    ("tool_choice", Object(&[("type", Plain), ("name", Plain), ("disable_parallel_tool_use", Plain)])),
    ("thinking", Object(&[("type", Plain), ("budget_tokens", Plain), ("display", Plain)])),
    ("metadata", Object(&[("user_id", Plain)])),
    ("output_config", Object(OUTPUT_CONFIG)),
    ("output_format", FORMAT),
    ("cache_control", CACHE),
    ("service_tier", Tier(&["auto", "standard_only"])),
    // Other regions and speeds multiply every price.
    ("inference_geo", Word(&["global"])),
    ("speed", Word(&["standard"])),
    ("mcp_servers", Nothing),
    ("container", Nothing),
    ("context_management", Object(&[("edits", List(&Of(&EDITS)))])),
];

const OUTPUT_CONFIG: Listed = &[
    ("effort", Plain),
    ("format", FORMAT),
    ("task_budget", Object(&[("type", Plain), ("total", Plain), ("remaining", Plain)])),
];
const FORMAT: Shape = Object(&[("type", Plain), ("schema", Free)]);
const CACHE: Shape = Object(&[("type", Plain), ("ttl", Ttl)]);
const ENABLED: Shape = Object(&[("enabled", Plain)]);
/// A static, because blocks hold blocks.
static BLOCKS: Shape = Of(&CONTENT);

static TEXTS: Kinds = Kinds { untyped: None, content: true, listed: &[("text", Kind::plain(TEXT))] };

static CONTENT: Kinds = Kinds {
    untyped: None,
    content: true,
    listed: &[
        ("text", Kind::plain(TEXT)),
        (
            "image",
            Kind::media(
                Payload::Image,
                &[
                    ("type", Plain),
                    ("source", Of(&IMAGES)),
                    ("transformations", Object(&[("oversized_image", Plain)])),
                    ("cache_control", CACHE),
                ],
            ),
        ),
        (
            "document",
            Kind::media(
                Payload::Document,
                &[
                    ("type", Plain),
                    ("source", Of(&DOCUMENTS)),
                    ("title", Plain),
                    ("context", Plain),
                    ("citations", ENABLED),
                    ("cache_control", CACHE),
                ],
            ),
        ),
        (
            "search_result",
            Kind::plain(&[
                ("type", Plain),
                ("source", Plain),
                ("title", Plain),
                ("content", List(&Of(&TEXTS))),
                ("citations", ENABLED),
                ("cache_control", CACHE),
            ]),
        ),
        ("thinking", Kind::plain(&[("type", Plain), ("thinking", Plain), ("signature", Plain)])),
        ("redacted_thinking", Kind::plain(&[("type", Plain), ("data", Plain)])),
        (
            "tool_use",
            Kind::plain(&[
                ("type", Plain),
                ("id", Plain),
                ("name", Plain),
                ("input", Free),
                ("caller", Object(&[("type", Word(&["direct"]))])),
                ("toolset_name", Plain),
                ("cache_control", CACHE),
            ]),
        ),
        (
            "tool_result",
            Kind::plain(&[
                ("type", Plain),
                ("tool_use_id", Plain),
                ("content", List(&BLOCKS)),
                ("is_error", Plain),
                ("toolset_name", Plain),
                ("cache_control", CACHE),
            ]),
        ),
    ],
};

const TEXT: Listed =
    &[("type", Plain), ("text", Plain), ("cache_control", CACHE), ("citations", List(&Object(CITATION)))];

/// Of every kind of citation, as answers have them and are sent again.
const CITATION: Listed = &[
    ("type", Plain),
    ("cited_text", Plain),
    ("document_index", Plain),
    ("document_title", Plain),
    ("file_id", Plain),
    ("start_char_index", Plain),
    ("end_char_index", Plain),
    ("start_page_number", Plain),
    ("end_page_number", Plain),
    ("start_block_index", Plain),
    ("end_block_index", Plain),
    ("search_result_index", Plain),
    ("source", Plain),
    ("title", Plain),
];

static IMAGES: Kinds = Kinds {
    untyped: None,
    content: false,
    listed: &[("base64", Kind::plain(BASE64)), ("url", Kind::plain(URL)), ("file", Kind::plain(FILE))],
};

static DOCUMENTS: Kinds = Kinds {
    untyped: None,
    content: false,
    listed: &[
        ("base64", Kind::plain(BASE64)),
        ("url", Kind::plain(URL)),
        ("file", Kind::plain(FILE)),
        ("text", Kind::plain(BASE64)),
        ("content", Kind::plain(&[("type", Plain), ("content", List(&BLOCKS))])),
    ],
};

const BASE64: Listed = &[("type", Plain), ("media_type", Plain), ("data", Plain)];
const URL: Listed = &[("type", Plain), ("url", Plain)];
const FILE: Listed = &[("type", Plain), ("file_id", Plain)];

/// It runs at the client; a tool of another type adds tokens of its own or runs at the provider.
static TOOLS: Kinds = Kinds {
    untyped: Some("custom"),
    content: false,
    listed: &[(
        "custom",
        Kind::plain(&[
            ("type", Plain),
            ("name", Plain),
            ("description", Plain),
            ("input_schema", Free),
            ("input_examples", Free),
            ("strict", Plain),
            ("defer_loading", Plain),
            ("allowed_callers", Plains),
            ("eager_input_streaming", Plain),
            ("cache_control", CACHE),
        ]),
    )],
};

/// What these take away is not paid for; one that sums up asks the model once more.
static EDITS: Kinds = Kinds {
    untyped: None,
    content: false,
    listed: &[
        (
            "clear_tool_uses_20250919",
            Kind::plain(&[
                ("type", Plain),
                ("trigger", AMOUNT),
                ("keep", AMOUNT),
                ("clear_at_least", AMOUNT),
                ("clear_tool_inputs", Plains),
                ("exclude_tools", Plains),
            ]),
        ),
        ("clear_thinking_20251015", Kind::plain(&[("type", Plain), ("keep", AMOUNT)])),
    ],
};

const AMOUNT: Shape = Object(&[("type", Plain), ("value", Plain)]);
