//! Providers, models and prices of an account's own, beside the platform's (spec: gateway.md §4, §13 `/config`).
//!
//! Invariants: what the platform has keeps its name; a key stands among the account's secrets, the text only names it.

use std::collections::BTreeMap;

use super::{Config, ConfigError, PriceRow, Provider};
use crate::refusal::GatewayError;

/// What a secret of the account is called in a provider's row, in front of its name.
const ACCOUNT: &str = "account:";
/// Rows of each of the three lists.
const MOST_ROWS: usize = 128;

/// What an account configured, and which of its secrets each provider names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnConfig {
    pub config: Config,
    /// The secrets that providers name, by provider.
    secrets: BTreeMap<String, String>,
}

/// Where a call of an own alias may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRoute {
    pub provider: Provider,
    pub price: PriceRow,
    pub secret: Option<String>,
}

impl OwnConfig {
    /// Reads a configuration. Errors: it is not understood whole, or has a name of the platform's.
    pub fn read(text: &str, platform: &Config) -> Result<Self, ConfigError> {
        let own = Self::kept(text)?;
        let Config { providers, models, prices } = &own.config;
        if [providers.len(), models.len(), prices.len()].into_iter().any(|rows| rows > MOST_ROWS) {
            return Err(ConfigError(format!("each list has at most {MOST_ROWS} rows; leave some out")));
        }
        if let Some(taken) = providers.iter().find(|provider| platform.knows(&provider.id)) {
            return Err(ConfigError(format!("the platform has a provider `{}`; rename yours", taken.id)));
        }
        if let Some(taken) = models.iter().find(|model| platform.models.iter().any(|its| its.alias == model.alias)) {
            return Err(ConfigError(format!("the platform has a model `{}`; rename yours", taken.alias)));
        }
        Ok(own)
    }

    /// The same of a text that was read before. What the platform has named since goes before it.
    pub fn kept(text: &str) -> Result<Self, ConfigError> {
        let mut secrets = BTreeMap::new();
        let config = Config::understand(text, |provider, secret| {
            let name = secret.strip_prefix(ACCOUNT).filter(|name| !name.is_empty()).ok_or_else(|| {
                ConfigError(format!("the secret of provider `{provider}` must be `account:NAME`, never a key itself"))
            })?;
            secrets.insert(provider.to_owned(), name.to_owned());
            Ok(None)
        })?;
        Ok(Self { config, secrets })
    }

    /// The routes of an alias that have prices, in order. Errors: as [`Config::routes`].
    pub fn routes(&self, alias: &str) -> Result<Vec<OwnRoute>, GatewayError> {
        let routes = self.config.routes(alias)?;
        let own = |route: super::Route<'_>| OwnRoute {
            provider: route.provider.clone(),
            price: route.price.clone(),
            secret: self.secrets.get(&route.provider.id).cloned(),
        };
        Ok(routes.into_iter().map(own).collect())
    }

    /// The secrets that it names and that are none of these, by name.
    pub fn lacking<'s>(&'s self, there: &[String]) -> Option<&'s str> {
        self.secrets.values().find(|name| !there.contains(name)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Code;

    const TEXT: &str = r#"{"providers": [{"id": "ours", "kind": "openai", "base_url": "https://llm.example.com/v1/", "secret": "account:main"}],
        "models": [{"alias": "house", "display": "House", "candidates": [{"provider": "ours", "model": "m"}]}],
        "prices": [{"provider": "ours", "model": "m", "version": 1, "context_window": 9000, "max_output": 900,
            "price": {"input": 3, "output": 15}}]}"#;

    #[test]
    fn an_own_model_has_its_provider_price_and_secret() {
        let own = OwnConfig::read(TEXT, &Config::from_env(|_| None).unwrap()).unwrap();
        let route = own.routes("house").unwrap().remove(0);
        assert_eq!(route.provider.url(), "https://llm.example.com/v1/chat/completions");
        assert_eq!((route.secret.as_deref(), route.provider.key), (Some("main"), None));
        assert!(route.price.has_price());
        assert_eq!(own.routes("default").unwrap_err().code, Code::ModelNotFound);
        assert_eq!((own.lacking(&[]), own.lacking(&["main".to_owned()])), (Some("main"), None));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let platform = Config::from_env(|_| None).unwrap();
        for (from, to, want) in [
            ("\"ours\"", "\"scripted\"", "the platform has a provider"),
            ("\"ours\"", "\"byok\"", "two providers are called"),
            ("\"house\"", "\"default\"", "the platform has a model"),
            ("account:main", "platform:main", "must be `account:NAME`"),
            ("account:main", "sk-123", "must be `account:NAME`"),
            ("account:main", "account:", "must be `account:NAME`"),
            ("\"input\": 3", "\"inputs\": 3", "no member of a price"),
            ("\"prices\"", "\"price_list\"", "missing field"),
        ] {
            let told = OwnConfig::read(&TEXT.replace(from, to), &platform).unwrap_err().to_string();
            assert!(told.contains(want) && !told.contains("sk-123"), "{told} lacks {want}");
        }
    }
}
