//! The configuration as an operator writes it, `GATEWAY_CONFIG` (spec: gateway.md §4).
//!
//! Invariants: a text that is not understood whole is not used at all; a key stands in the environment, the text only
//! names it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{BYOK, Config, Model, PriceRow, Provider};
use crate::cipher::Secret;
use crate::price::Price;
use crate::quote::ModelRow;
use crate::wire::members::decided;

/// How long a provider may be waited for: one second to half an hour.
const TIMEOUTS_MS: RangeInclusive<u64> = 1_000..=1_800_000;
/// What a secret of the platform is called in a provider's row, in front of its name.
const PLATFORM: &str = "platform:";

/// Why a configuration is not used: the line where it can be told, and what to correct.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(super) String);

#[derive(Deserialize)]
struct Written {
    providers: Vec<WrittenProvider>,
    models: Vec<Model>,
    prices: Vec<WrittenRow>,
}

/// A row of prices; its price is read by [`read_price`].
#[derive(Deserialize)]
struct WrittenRow {
    #[serde(default)]
    price: Value,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct WrittenProvider {
    #[serde(flatten)]
    provider: Provider,
    secret: Option<String>,
}

impl Config {
    /// Reads a configuration; `variable` gives the keys that it names.
    pub fn read(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        Self::understand(text, |provider, secret| platform_key(provider, secret, &variable).map(Some))
            .map_err(|ConfigError(fault)| ConfigError(format!("GATEWAY_CONFIG: {fault}")))
    }

    /// Reads a text; `key` gives the keys of providers by what their rows call them.
    pub(super) fn understand(
        text: &str,
        mut key: impl FnMut(&str, &str) -> Result<Option<Secret>, ConfigError>,
    ) -> Result<Self, ConfigError> {
        let Written { providers, models, prices } =
            serde_json::from_str(text).map_err(|error| ConfigError(error.to_string()))?;
        let providers = providers.into_iter().map(|row| row.with_key(&mut key)).collect::<Result<Vec<_>, _>>()?;
        let prices = prices.into_iter().map(WrittenRow::understand).collect::<Result<Vec<_>, _>>()?;
        let config = Self { providers, models, prices };
        config.check()?;
        config.check_passes()?;
        Ok(config)
    }

    /// A provider lets pass what the gateway does not know, never another spelling of what it reads.
    pub(super) fn check_passes(&self) -> Result<(), ConfigError> {
        let passes = self.providers.iter().flat_map(|own| own.passes.iter().map(move |pass| (own, pass)));
        for (Provider { id, kind, .. }, pass) in passes {
            if let Some(known) = decided(*kind, pass) {
                return Err(ConfigError(format!(
                    "provider `{id}` cannot pass `{pass}`: the gateway reads `{known}` there; leave it out"
                )));
            }
        }
        Ok(())
    }

    /// Names stand once, and what a row names is there.
    fn check(&self) -> Result<(), ConfigError> {
        let mut names = BTreeSet::from([BYOK]);
        if let Some(twice) = self.providers.iter().find(|provider| !names.insert(&provider.id)) {
            return Err(ConfigError(format!("two providers are called `{}`; rename one", twice.id)));
        }
        let mut aliases = BTreeSet::new();
        if let Some(twice) = self.models.iter().find(|model| !aliases.insert(&model.alias)) {
            return Err(ConfigError(format!("two models have the alias `{}`; rename one", twice.alias)));
        }
        let mut candidates = self.models.iter().flat_map(|model| &model.candidates);
        if let Some(lost) = candidates.find(|candidate| !names.contains(candidate.provider.as_str())) {
            return Err(ConfigError(format!("a model names provider `{}`, which has no row; add it", lost.provider)));
        }
        for Provider { id, timeouts, .. } in &self.providers {
            let times = [timeouts.connect_ms, timeouts.first_byte_ms, timeouts.idle_ms, timeouts.total_ms];
            if times.into_iter().flatten().any(|ms| !TIMEOUTS_MS.contains(&ms)) {
                let (least, most) = (TIMEOUTS_MS.start(), TIMEOUTS_MS.end());
                return Err(ConfigError(format!(
                    "the timeouts of provider `{id}` must lie from {least} to {most} milliseconds; correct them"
                )));
            }
        }
        if let Some(lost) = self.prices.iter().find(|row| !names.contains(row.provider.as_str())) {
            return Err(ConfigError(format!("a price names provider `{}`, which has no row; add it", lost.provider)));
        }
        Ok(())
    }
}

impl WrittenRow {
    fn understand(self) -> Result<PriceRow, ConfigError> {
        let Self { price, rest } = self;
        let row: PriceRow = serde_json::from_value(Value::Object(rest))
            .map_err(|error| ConfigError(format!("a price row: {error}")))?;
        let told = |ConfigError(fault)| ConfigError(format!("the price of `{}`: {fault}", row.model));
        let price = match price {
            _ if row.unpriced => Some(Price::default()),
            Value::Null => None,
            price => Some(read_price(price).map_err(told)?),
        };
        Ok(PriceRow { row: ModelRow { price, ..row.row }, ..row })
    }
}

/// The price of the one upstream that variables describe.
pub(super) fn price(text: &str) -> Result<Price, ConfigError> {
    let told = |fault: String| ConfigError(format!("UPSTREAM_PRICE: {fault}"));
    let value = serde_json::from_str(text).map_err(|error| told(error.to_string()))?;
    read_price(value).map_err(|ConfigError(fault)| told(fault))
}

/// A price as somebody wrote it. What is misspelled would cost nothing, so input and output must be named, and no other
/// member than those of a price.
fn read_price(value: Value) -> Result<Price, ConfigError> {
    const RATES: &[&str] = &["input", "cached_input", "cache_write", "cache_write_1h", "output"];
    let strange = |value: &Value, more: &[&str]| {
        let mut names = value.as_object().into_iter().flat_map(Map::keys);
        names.find(|name| !RATES.contains(&name.as_str()) && !more.contains(&name.as_str())).cloned()
    };
    let mut tiers = value["tiers"].as_array().into_iter().flatten();
    let strange = strange(&value, &["request", "tiers"])
        .or_else(|| tiers.find_map(|tier| strange(tier, &["above_input_tokens"])));
    if let Some(name) = strange {
        return Err(ConfigError(format!("`{name}` is no member of a price; correct its name")));
    }
    if let Some(name) = ["input", "output"].into_iter().find(|name| value[*name].is_null()) {
        return Err(ConfigError(format!("write `{name}`, in micros per million tokens")));
    }
    serde_json::from_value(value).map_err(|error| ConfigError(error.to_string()))
}

/// The key of a provider that stands in the environment.
fn platform_key(
    provider: &str,
    secret: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Secret, ConfigError> {
    let name = secret.strip_prefix(PLATFORM).ok_or_else(|| {
        ConfigError(format!("the secret of provider `{provider}` must be `platform:NAME`, never a key itself"))
    })?;
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    let name = format!("UPSTREAM_KEY_{}", name.chars().map(letter).collect::<String>());
    let key = variable(&name)
        .ok_or_else(|| ConfigError(format!("provider `{provider}` needs the secret `{name}`; set it")))?;
    Ok(Secret::new(key.trim().to_owned()))
}

impl WrittenProvider {
    fn with_key(
        self,
        mut key: impl FnMut(&str, &str) -> Result<Option<Secret>, ConfigError>,
    ) -> Result<Provider, ConfigError> {
        let Self { mut provider, secret } = self;
        let bare = provider.base_url.trim_end_matches('/').len();
        provider.base_url.truncate(bare);
        if let Some(secret) = secret {
            provider.key = key(&provider.id, &secret)?;
        }
        Ok(provider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Payer;
    use crate::wire::Protocol;

    const TEXT: &str = r#"{
        "providers": [{"id": "main", "kind": "anthropic", "base_url": "https://llm.example.com/", "secret": "platform:main-1",
            "locality": "remote", "disconnect": "cancel_estimate", "capabilities": ["effort"], "betas": ["b-1"]}],
        "models": [{"alias": "default", "display": "Standard", "candidates": [{"provider": "main", "model": "m-large"}]}],
        "prices": [{"provider": "main", "model": "m-large", "version": 3, "from": "2026-11-01", "context_window": 200000,
            "max_output": 64000, "price": {"input": 3000000, "output": 15000000}}]
    }"#;

    fn read(text: &str) -> Result<Config, String> {
        let key = |name: &str| (name == "UPSTREAM_KEY_MAIN_1").then(|| "sk-1".to_owned());
        Config::read(text, key).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_row_says_where_how_and_with_which_key() {
        let config = read(TEXT).unwrap();
        let route = config.route("default").unwrap();
        assert_eq!(route.provider.url(), "https://llm.example.com/v1/messages");
        assert_eq!(route.provider.count_url().unwrap(), "https://llm.example.com/v1/messages/count_tokens");
        assert_eq!((route.provider.kind, route.provider.can("stream_usage")), (Protocol::Anthropic, false));
        assert_eq!(route.provider.key.as_ref().map(Secret::expose), Some("sk-1"));
        assert_eq!((route.price.version, route.price.row.max_output), (3, 64_000));
        assert!(!format!("{config:?}").contains("sk-1"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let cases = [
            (TEXT.replace("\"models\"", "\"modles\""), "missing field `models`"),
            (TEXT.replace("\"anthropic\"", "\"antropic\""), "line 3"),
            (TEXT.replace("platform:main-1", "sk-2"), "never a key itself"),
            (TEXT.replace("main-1", "main-2"), "needs the secret `UPSTREAM_KEY_MAIN_2`"),
            (
                TEXT.replace(
                    "{\"provider\": \"main\", \"model\": \"m-large\"}",
                    "{\"provider\": \"x\", \"model\": \"y\"}",
                ),
                "provider `x`",
            ),
            (TEXT.replace("\"id\": \"main\"", "\"id\": \"byok\""), "two providers are called `byok`"),
            (TEXT.replace("\"output\": 15000000", "\"ouput\": 15000000"), "`ouput` is no member of a price"),
            (TEXT.replace(", \"output\": 15000000", ""), "write `output`"),
            (TEXT.replace("15000000", "1.5"), "1.5"),
            (TEXT.replace("15000000", "-1"), "-1"),
            (
                TEXT.replace("15000000", "15000000, \"tiers\": [{\"above_input_tokens\": 1, \"Input\": 2}]"),
                "`Input` is no member",
            ),
            (TEXT.replace("\"betas\": [", "\"passes\": [\"Max-Tokens\"], \"betas\": ["), "reads `max_tokens`"),
            (TEXT.replace("\"betas\": [", "\"passes\": [\"messages.Content\"], \"betas\": ["), "reads `content`"),
        ];
        for (text, want) in cases {
            let told = read(&text).unwrap_err();
            assert!(told.contains(want), "{told} lacks {want}");
            assert!(!told.contains("sk-2"), "{told}");
        }
    }

    #[test]
    fn a_row_without_a_price_has_none() {
        let none = read(&TEXT.replace(", \"price\": {\"input\": 3000000, \"output\": 15000000}", "")).unwrap();
        assert!(none.prices.iter().all(|row| row.row.price.is_none() && !row.has_price()));
        let unpriced = read(&TEXT.replace("\"version\": 3", "\"version\": 3, \"unpriced\": true")).unwrap();
        assert!(unpriced.prices.iter().all(|row| row.row.price == Some(Price::default()) && !row.has_price()));
        let passing = read(&TEXT.replace("\"betas\": [", "\"passes\": [\"min_p\"], \"betas\": [")).unwrap();
        assert_eq!(passing.providers[0].passes, ["min_p"]);
    }

    #[test]
    fn one_upstream_has_its_price_in_a_variable() {
        let with = |price: &'static str, passes: &'static str| {
            Config::from_env(move |name| match name {
                "UPSTREAM_MODEL" => Some("m".to_owned()),
                "UPSTREAM_PRICE" => Some(price.to_owned()),
                "UPSTREAM_PASSES" => Some(passes.to_owned()),
                _ => None,
            })
            .map_err(|fault| fault.to_string())
        };
        let config = with(r#"{"input": 5, "output": 7, "request": 1}"#, " top_k, messages.prefix ,").unwrap();
        let route = config.route("default").unwrap();
        assert!(route.price.has_price());
        let price = route.price.row.price.clone().unwrap();
        assert_eq!((price.input, price.output, price.request), (5, 7, 1));
        assert_eq!(route.provider.passes, ["top_k", "messages.prefix"]);
        for payer in [Payer::Platform, Payer::Byok] {
            assert_eq!(config.has_prices(payer, |_| true), payer == Payer::Platform);
            assert!(!config.has_prices(payer, |_| false));
        }
        assert!(!with("", "").unwrap().route("default").unwrap().price.has_price());
        for (price, passes, want) in [
            ("3", "", "write `input`"),
            ("{", "", "UPSTREAM_PRICE"),
            (r#"{"input": 5}"#, "", "write `output`"),
            (r#"{"input": 5, "output": 7, "Request": 1}"#, "", "`Request` is no member of a price"),
            ("", "N", "reads `n`"),
            ("", "stream_options.includeUsage", "reads `include_usage`"),
        ] {
            let told = with(price, passes).unwrap_err();
            assert!(told.contains(want), "{told} lacks {want}");
        }
    }
}
