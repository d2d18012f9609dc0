//! The configuration as an operator writes it, `GATEWAY_CONFIG` (spec: gateway.md §4).
//!
//! Invariants: a text that is not understood whole is not used at all; a key stands in the environment, the text only
//! names it.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{BYOK, Config, Model, PriceRow, Provider};
use crate::cipher::Secret;
use crate::price::Price;

/// What a secret of the platform is called in a provider's row, in front of its name.
const PLATFORM: &str = "platform:";

/// Why a configuration is not used: the line where it can be told, and what to correct.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("GATEWAY_CONFIG: {0}")]
pub struct ConfigFault(String);

#[derive(Deserialize)]
struct Written {
    providers: Vec<WrittenProvider>,
    models: Vec<Model>,
    prices: Vec<PriceRow>,
}

#[derive(Deserialize)]
struct WrittenProvider {
    #[serde(flatten)]
    provider: Provider,
    /// `platform:NAME`: the variable `UPSTREAM_KEY_NAME`.
    secret: Option<String>,
}

impl Config {
    /// Reads a configuration; `variable` gives the keys that it names.
    pub fn read(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigFault> {
        let Written { providers, models, mut prices } =
            serde_json::from_str(text).map_err(|error| ConfigFault(error.to_string()))?;
        let providers = providers.into_iter().map(|row| row.with_key(&variable)).collect::<Result<Vec<_>, _>>()?;
        for row in prices.iter_mut().filter(|row| row.unpriced) {
            row.row.price = Some(Price::default());
        }
        let config = Self { providers, models, prices };
        config.check()?;
        Ok(config)
    }

    /// Names stand once, and what a row names is there.
    fn check(&self) -> Result<(), ConfigFault> {
        let mut names = BTreeSet::from([BYOK]);
        if let Some(twice) = self.providers.iter().find(|provider| !names.insert(&provider.id)) {
            return Err(ConfigFault(format!("two providers are called `{}`; rename one", twice.id)));
        }
        let mut aliases = BTreeSet::new();
        if let Some(twice) = self.models.iter().find(|model| !aliases.insert(&model.alias)) {
            return Err(ConfigFault(format!("two models have the alias `{}`; rename one", twice.alias)));
        }
        let mut candidates = self.models.iter().flat_map(|model| &model.candidates);
        if let Some(lost) = candidates.find(|candidate| !names.contains(candidate.provider.as_str())) {
            return Err(ConfigFault(format!("a model names provider `{}`, which has no row; add it", lost.provider)));
        }
        if let Some(lost) = self.prices.iter().find(|row| !names.contains(row.provider.as_str())) {
            return Err(ConfigFault(format!("a price names provider `{}`, which has no row; add it", lost.provider)));
        }
        Ok(())
    }
}

impl WrittenProvider {
    fn with_key(self, variable: impl Fn(&str) -> Option<String>) -> Result<Provider, ConfigFault> {
        let Self { mut provider, secret } = self;
        let bare = provider.base_url.trim_end_matches('/').len();
        provider.base_url.truncate(bare);
        if let Some(secret) = secret {
            let id = &provider.id;
            let name = secret.strip_prefix(PLATFORM).ok_or_else(|| {
                ConfigFault(format!("the secret of provider `{id}` must be `platform:NAME`, never a key itself"))
            })?;
            let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
            let name = format!("UPSTREAM_KEY_{}", name.chars().map(letter).collect::<String>());
            let key = variable(&name)
                .ok_or_else(|| ConfigFault(format!("provider `{id}` needs the secret `{name}`; set it")))?;
            provider.key = Some(Secret::new(key.trim().to_owned()));
        }
        Ok(provider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        ];
        for (text, want) in cases {
            let told = read(&text).unwrap_err();
            assert!(told.contains(want), "{told} lacks {want}");
            assert!(!told.contains("sk-2"), "{told}");
        }
    }
}
