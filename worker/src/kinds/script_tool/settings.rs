//! What the deployment says about the editor (spec: script-tool.md §8, §10, §12): raw variables in, settings out.
//!
//! Invariant: a variable of a duration lowers it, never raises it.

use holdpoint_gateway::config::DEFAULT_ALIAS;
use holdpoint_kind::protocol::{ModelSetting, Profile};
use holdpoint_kind_script::limits::THREAD_TTL_DAYS;
use holdpoint_kind_script::profile::{self, CHAT_OPS_TIMEOUT_MS, CHAT_TIMEOUT_MS};
use worker::Env;

use crate::settings::Settings;

const DAY_MS: i64 = 86_400_000;
/// Seconds between two comments of a chat stream.
const SSE_PING_MS: u64 = 15_000;

/// The settings of the editor.
pub struct EditorSettings {
    /// Since the last activity of a thread.
    pub thread_ttl_ms: i64,
    /// Of a whole chat call.
    pub chat_timeout_ms: u64,
    /// Of a whole call for a proposal.
    pub ops_timeout_ms: u64,
    /// Between two comments of a chat stream.
    pub ping_ms: u64,
    /// `EDITOR_AI=off`: no model is asked.
    pub off: bool,
    /// The model and its budgets; `None`: no model is configured.
    pub model: Option<ModelSetting>,
    /// Who answers, as threads note it.
    pub provider: String,
}

impl EditorSettings {
    pub fn read(env: &Env, settings: &Settings) -> Self {
        let variable = |name: &str| env.var(name).ok().map(|value| value.to_string()).filter(|text| !text.is_empty());
        let number = |name: &str| variable(name).and_then(|text| text.trim().parse::<u64>().ok());
        let lowered = |name: &str, most: u64| number(name).map_or(most, |value| value.min(most));
        let lowered_ms = |name: &str, most: i64| lowered(name, most.cast_unsigned()).cast_signed();
        let route = settings.config.route(DEFAULT_ALIAS).ok();
        let model = route.map(|route| {
            let default = profile::of(&route.price.model);
            let profile = Profile {
                window: number("EDITOR_WINDOW").unwrap_or(default.window).min(route.price.row.context_window),
                max_output: number("EDITOR_MAX_OUTPUT").unwrap_or(default.max_output).min(route.price.row.max_output),
                margin: number("EDITOR_MARGIN").unwrap_or(default.margin),
                system_cap: number("EDITOR_SYSTEM_CAP").unwrap_or(default.system_cap),
            };
            let addition = |layer, name| variable(name).map(|text| (layer, text));
            let additions = [addition("runner_limits", "EDITOR_RUNNER_LIMITS"), addition("helpers", "EDITOR_HELPERS")];
            ModelSetting {
                alias: DEFAULT_ALIAS.to_owned(),
                name: route.price.model.clone(),
                profile,
                additions: additions.into_iter().flatten().collect(),
                constrained: variable("UPSTREAM_JSON_SCHEMA").as_deref() == Some("1"),
            }
        });
        Self {
            thread_ttl_ms: lowered_ms("THREAD_TTL_MS", i64::from(THREAD_TTL_DAYS) * DAY_MS),
            chat_timeout_ms: lowered("CHAT_TIMEOUT_MS", CHAT_TIMEOUT_MS.into()),
            ops_timeout_ms: lowered("CHAT_OPS_TIMEOUT_MS", CHAT_OPS_TIMEOUT_MS.into()),
            ping_ms: lowered("SSE_PING_MS", SSE_PING_MS).max(1),
            off: variable("EDITOR_AI").as_deref() == Some("off"),
            model,
            provider: route.map(|route| route.provider.id.clone()).unwrap_or_default(),
        }
    }
}
