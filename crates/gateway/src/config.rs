//! Providers, models, prices: data, not code (spec: gateway.md §4).
//!
//! Invariant: an alias without a price row answers a refusal, so nothing unpriced is ever forwarded.

mod own;
mod read;

pub use own::{OwnConfig, OwnRoute};
pub use read::ConfigError;

use serde::{Deserialize, Serialize};

use crate::budget::Payer;
use crate::cipher::Secret;
use crate::price::Price;
use crate::quote::ModelRow;
use crate::refusal::{Code, GatewayError};
use crate::route::Locality;
use crate::wire::Protocol;
use crate::wire::translate::AutoCache;

/// Where the scripted model server listens.
const SCRIPTED_URL: &str = "http://127.0.0.1:8799/v1";
const SCRIPTED_MODEL: &str = "scripted-1";
const CONTEXT_WINDOW: u64 = 200_000;
const MAX_OUTPUT: u64 = 16_384;
/// The alias that pages ask for.
pub const DEFAULT_ALIAS: &str = "default";
/// The account of a fresh state, and its budget.
pub const DEV_ACCOUNT: &str = "dev";
/// Id of the fresh state's budget: `account:dev`, tokens, day.
pub const DEV_BUDGET: &str = "dev-day";
pub const DEV_BUDGET_TOKENS: u64 = 5_000_000;

/// A server that answers model calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provider {
    pub id: String,
    pub kind: Protocol,
    /// The address without a trailing slash.
    pub base_url: String,
    /// How it calls the maximum of the output.
    #[serde(default)]
    pub limit_field: Option<String>,
    /// What it can do beyond the common: [`STREAM_USAGE`], [`JSON_SCHEMA`], [`EFFORT`].
    #[serde(default = "common")]
    pub capabilities: Vec<String>,
    /// Values of `anthropic-beta` that are passed on.
    #[serde(default)]
    pub betas: Vec<String>,
    /// Members of requests that it is sent although the gateway does not know what they cost: by name, `top_k`, or by
    /// place, `messages.prefix`.
    #[serde(default)]
    pub passes: Vec<String>,
    /// Where translated requests are marked for its cache.
    #[serde(default)]
    pub auto_cache: AutoCache,
    /// What a vanished client means for a call of it; `None`: what the deployment says.
    #[serde(default)]
    pub disconnect: Option<Disconnect>,
    #[serde(default)]
    pub locality: Locality,
    /// Calls at once; 0: any number.
    #[serde(default)]
    pub max_in_flight: u64,
    #[serde(default)]
    pub timeouts: Timeouts,
    /// Its key; never serialised, never shown.
    #[serde(skip)]
    pub key: Option<Secret>,
}

/// How long a provider is waited for, where that is not what [`Limits`](crate::Limits) say. In milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// To a connection; workerd does not tell when there is one.
    pub connect_ms: Option<u64>,
    /// To the first byte of a stream.
    pub first_byte_ms: Option<u64>,
    /// Between two bytes of an answer.
    pub idle_ms: Option<u64>,
    /// For a whole call, whatever came of it.
    pub total_ms: Option<u64>,
}

/// The capability of reporting usage on streams when asked.
pub const STREAM_USAGE: &str = "stream_usage";
/// The capability of decoding under a schema.
pub const JSON_SCHEMA: &str = "json_schema";
/// The capability of being told how hard to think.
pub const EFFORT: &str = "effort";

fn common() -> Vec<String> {
    vec![STREAM_USAGE.to_owned()]
}

/// What happens upstream when a client leaves (spec: gateway.md §7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disconnect {
    Drain,
    CancelEstimate,
    CancelFree,
}

impl Disconnect {
    /// As stored in the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drain => "drain",
            Self::CancelEstimate => "cancel_estimate",
            Self::CancelFree => "cancel_free",
        }
    }
}

impl Provider {
    /// Whether it can do that.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }

    /// Where the tokens of a message are counted: a route of Anthropic's protocol only.
    pub fn count_url(&self) -> Option<String> {
        (self.kind == Protocol::Anthropic).then(|| format!("{}/count_tokens", self.url()))
    }

    pub fn url(&self) -> String {
        match self.kind {
            Protocol::OpenAi => format!("{}/chat/completions", self.base_url),
            Protocol::Anthropic => format!("{}/v1/messages", self.base_url),
        }
    }
}

/// A model of a provider with its prices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceRow {
    pub provider: String,
    /// Its name of the model.
    pub model: String,
    /// Rows are versioned, never edited.
    pub version: u64,
    /// Nobody set prices: tokens are metered and shown, money is not.
    #[serde(default)]
    pub unpriced: bool,
    #[serde(flatten)]
    pub row: ModelRow,
}

impl PriceRow {
    pub fn has_price(&self) -> bool {
        !self.unpriced && self.row.price.is_some()
    }
}

/// What clients ask for by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    pub alias: String,
    pub display: String,
    /// Provider and model; the first is the primary one.
    pub candidates: Vec<Candidate>,
}

/// One provider and one upstream model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    pub provider: String,
    pub model: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Config {
    pub providers: Vec<Provider>,
    pub models: Vec<Model>,
    pub prices: Vec<PriceRow>,
}

/// The provider of calls with a user's own key, as ledger rows and price rows name it.
pub const BYOK: &str = "byok";

/// Where a call goes and what it costs.
#[derive(Debug, Clone, Copy)]
pub struct Route<'c> {
    pub model: &'c Model,
    pub provider: &'c Provider,
    /// The upstream model and its prices.
    pub price: &'c PriceRow,
}

impl Config {
    /// The configuration of an environment: `UPSTREAM_BASE_URL`, `UPSTREAM_MODEL`, `UPSTREAM_KEY`,
    /// `UPSTREAM_CONTEXT_WINDOW` replace the scripted model by a real OpenAI-compatible one; `UPSTREAM_PRICE` is its
    /// price as a row of prices has it, and `UPSTREAM_PASSES` its list `passes`, parted by commas. `UPSTREAM_LOCAL=1`: it
    /// is a local server, such as Ollama, LM Studio or llama.cpp: it costs nothing unless it has a price, it calls its
    /// maximum `max_tokens`, and it stops when its client leaves.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let set = |name: &str| variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let base_url = set("UPSTREAM_BASE_URL").unwrap_or_else(|| SCRIPTED_URL.to_owned());
        let model = set("UPSTREAM_MODEL").unwrap_or_else(|| SCRIPTED_MODEL.to_owned());
        let scripted = model == SCRIPTED_MODEL;
        let id = if scripted { "scripted" } else { "upstream" }.to_owned();
        let context_window =
            set("UPSTREAM_CONTEXT_WINDOW").and_then(|text| text.parse().ok()).unwrap_or(CONTEXT_WINDOW);
        let display = if scripted { "Scripted model".to_owned() } else { model.clone() };
        let local = set("UPSTREAM_LOCAL").as_deref() == Some("1");
        let price = set("UPSTREAM_PRICE").map(|text| read::price(&text)).transpose()?;
        let unpriced = price.is_none() && !local;
        let row = ModelRow {
            context_window,
            max_output: MAX_OUTPUT,
            price: Some(price.unwrap_or_default()),
            ..ModelRow::default()
        };
        let passes = set("UPSTREAM_PASSES").unwrap_or_default();
        let passes = passes.split(',').map(str::trim).filter(|pass| !pass.is_empty()).map(str::to_owned).collect();
        let config = Self {
            providers: vec![Provider {
                id: id.clone(),
                kind: Protocol::OpenAi,
                base_url: base_url.trim_end_matches('/').to_owned(),
                // The one that every compatible server knows.
                limit_field: local.then(|| "max_tokens".to_owned()),
                capabilities: common(),
                betas: Vec::new(),
                passes,
                auto_cache: AutoCache::default(),
                disconnect: local.then_some(Disconnect::CancelFree),
                locality: if local { Locality::Local } else { Locality::Remote },
                max_in_flight: 0,
                timeouts: Timeouts::default(),
                key: set("UPSTREAM_KEY").map(Secret::new),
            }],
            models: vec![Model {
                alias: DEFAULT_ALIAS.to_owned(),
                display,
                candidates: vec![Candidate { provider: id.clone(), model: model.clone() }],
            }],
            prices: vec![PriceRow { provider: id, model, version: 1, unpriced, row }],
        };
        config.check_passes()?;
        Ok(config)
    }

    /// Whether a cost budget of a payer counts anything: a call of one of these aliases, or of a user's own model, that
    /// has prices.
    pub fn has_prices(&self, payer: Payer, may_call: impl Fn(&str) -> bool) -> bool {
        match payer {
            Payer::Platform => self.models.iter().any(|model| {
                may_call(&model.alias) && self.route(&model.alias).is_ok_and(|route| route.price.has_price())
            }),
            Payer::Byok => self.prices.iter().any(|row| row.provider == BYOK && row.has_price()),
        }
    }

    /// A user's own server, and what the operator knows of the prices of its model.
    pub fn own(&self, base_url: &str, model: &str, context_window: Option<u64>) -> (Provider, PriceRow) {
        let provider = Provider {
            id: BYOK.to_owned(),
            kind: Protocol::OpenAi,
            base_url: base_url.to_owned(),
            // The one that every compatible server knows.
            limit_field: Some("max_tokens".to_owned()),
            capabilities: common(),
            betas: Vec::new(),
            passes: Vec::new(),
            auto_cache: AutoCache::default(),
            disconnect: None,
            locality: Locality::Remote,
            max_in_flight: 0,
            timeouts: Timeouts::default(),
            key: None,
        };
        let priced = self.prices.iter().filter(|row| row.provider == BYOK && row.model == model && !row.unpriced);
        let mut price = priced.max_by_key(|row| row.version).cloned().unwrap_or_else(|| PriceRow {
            provider: BYOK.to_owned(),
            model: model.to_owned(),
            version: 1,
            unpriced: true,
            row: ModelRow { price: Some(Price::default()), ..ModelRow::default() },
        });
        if let Some(window) = context_window {
            price.row.context_window = window;
        }
        (provider, price)
    }

    /// Whether calls can go to that provider: one of the platform's, or a user's own ([`BYOK`]).
    pub fn knows(&self, provider: &str) -> bool {
        provider == BYOK || self.providers.iter().any(|own| own.id == provider)
    }

    /// The first route of an alias. Errors: `MODEL_NOT_FOUND`, `MODEL_NOT_PRICED`.
    pub fn route(&self, alias: &str) -> Result<Route<'_>, GatewayError> {
        Ok(self.routes(alias)?.swap_remove(0))
    }

    /// The routes of an alias that have prices, in order; at least one. Errors: as [`Config::route`].
    pub fn routes(&self, alias: &str) -> Result<Vec<Route<'_>>, GatewayError> {
        let model = self.models.iter().find(|model| model.alias == alias);
        let model = model.ok_or_else(|| GatewayError::at(Code::ModelNotFound, "/model"))?;
        let found = model.candidates.iter().filter_map(|candidate| {
            let provider = self.providers.iter().find(|provider| provider.id == candidate.provider)?;
            let of = |row: &&PriceRow| row.provider == candidate.provider && row.model == candidate.model;
            let price = self.prices.iter().filter(of).max_by_key(|row| row.version)?;
            Some(Route { model, provider, price })
        });
        let found: Vec<_> = found.collect();
        if found.is_empty() { Err(GatewayError::new(Code::ModelNotPriced)) } else { Ok(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_and_variables() {
        let scripted = Config::from_env(|_| None).unwrap();
        let route = scripted.route("default").unwrap();
        assert_eq!(route.provider.url(), "http://127.0.0.1:8799/v1/chat/completions");
        assert_eq!((route.price.model.as_str(), route.price.unpriced), ("scripted-1", true));
        assert_eq!(scripted.route("other").unwrap_err().code, Code::ModelNotFound);

        let real = Config::from_env(|name| {
            let values = [
                ("UPSTREAM_BASE_URL", "https://llm.example.com/v1/"),
                ("UPSTREAM_MODEL", "m"),
                ("UPSTREAM_KEY", "sk-1"),
            ];
            values.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
        .unwrap();
        let route = real.route("default").unwrap();
        assert_eq!(
            (route.provider.url().as_str(), route.model.display.as_str()),
            ("https://llm.example.com/v1/chat/completions", "m")
        );
        assert!(!serde_json::to_string(&real).unwrap().contains("sk-1"));
        assert!(!format!("{real:?}").contains("sk-1"));
    }

    #[test]
    fn a_local_server_needs_no_key_and_costs_nothing_unless_it_has_a_price() {
        let read = |price: &'static str| {
            Config::from_env(move |name| {
                let values = [
                    ("UPSTREAM_BASE_URL", "http://127.0.0.1:11434/v1"),
                    ("UPSTREAM_MODEL", "small"),
                    ("UPSTREAM_LOCAL", "1"),
                    ("UPSTREAM_PRICE", price),
                ];
                values.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
            .unwrap()
        };
        let (free, priced) = (read(""), read(r#"{"input": 3, "output": 5}"#));
        let route = free.route("default").unwrap();
        let Provider { locality, limit_field, disconnect, key, .. } = route.provider;
        assert_eq!((*locality, limit_field.as_deref()), (Locality::Local, Some("max_tokens")));
        assert_eq!((*disconnect, key), (Some(Disconnect::CancelFree), &None));
        let price = |config: &Config| config.route("default").unwrap().price.clone();
        assert_eq!((price(&free).has_price(), price(&free).row.price), (true, Some(Price::default())));
        assert_eq!(price(&priced).row.price.map(|price| price.output), Some(5));
    }

    #[test]
    fn a_users_own_model_costs_what_the_operator_knows() {
        let mut config = Config::from_env(|_| None).unwrap();
        let (provider, price) = config.own("https://llm.example.com/v1", "m", None);
        assert_eq!(provider.url(), "https://llm.example.com/v1/chat/completions");
        assert_eq!((price.unpriced, price.row.context_window, price.model.as_str()), (true, u64::MAX, "m"));
        let row =
            ModelRow { context_window: 9, price: Some(Price { input: 5, ..Price::default() }), ..ModelRow::default() };
        let priced = |version| PriceRow { version, unpriced: false, row: row.clone(), ..price.clone() };
        config.prices.extend([priced(3), priced(2)]);
        let (_, known) = config.own("https://llm.example.com/v1", "m", None);
        assert_eq!((known.unpriced, known.version, known.row.context_window), (false, 3, 9));
        let (_, other) = config.own("https://llm.example.com/v1", "n", Some(16_000));
        assert_eq!((other.unpriced, other.row.context_window), (true, 16_000));
    }
}
