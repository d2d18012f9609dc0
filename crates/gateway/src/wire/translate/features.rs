//! What the other protocol has no word for: named with its place, then dropped or refused.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::refusal::{Code, GatewayError};

/// Features that are told of at most; a body may have a hundred thousand.
const MAX_TOLD: usize = 100;

/// What happens to a feature that changes the output and cannot be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unsupported {
    #[default]
    Refuse,
    /// It is left out, and listed.
    Drop,
}

/// What is lost with a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Cost or quality: always dropped.
    Hint,
    /// Part of the output: as [`Unsupported`] says.
    Soft,
    /// The meaning of the request: always refused.
    Hard,
}

struct Feature {
    name: Cow<'static, str>,
    pointer: String,
    weight: Weight,
}

/// A feature that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dropped {
    pub feature: String,
    /// Where it stood first in the request.
    pub pointer: String,
    pub count: usize,
}

/// Something that was said in another way than it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// It is `SYSTEM_HOISTED` or `EMPTY_MESSAGE_DROPPED`.
    pub code: &'static str,
    pub pointer: String,
}

/// What was found on the way through a request.
#[derive(Default)]
pub(super) struct Features {
    found: Vec<Feature>,
    pub warnings: Vec<Warning>,
    /// Nobody but the system says anything.
    pub silent: bool,
}

impl Features {
    pub fn hint(&mut self, name: impl Into<Cow<'static, str>>, pointer: impl Into<String>) {
        self.add(name.into(), pointer.into(), Weight::Hint);
    }

    pub fn soft(&mut self, name: impl Into<Cow<'static, str>>, pointer: impl Into<String>) {
        self.add(name.into(), pointer.into(), Weight::Soft);
    }

    pub fn hard(&mut self, name: impl Into<Cow<'static, str>>, pointer: impl Into<String>) {
        self.add(name.into(), pointer.into(), Weight::Hard);
    }

    fn add(&mut self, name: Cow<'static, str>, pointer: String, weight: Weight) {
        self.found.push(Feature { name, pointer, weight });
    }

    pub fn warn(&mut self, code: &'static str, pointer: impl Into<String>) {
        self.warnings.push(Warning { code, pointer: pointer.into() });
    }

    /// The features that were left out, by place. Errors: `UNTRANSLATABLE_FEATURE` with all that are refused.
    pub fn dropped(mut self, unsupported: Unsupported) -> Result<(Vec<Dropped>, Vec<Warning>), GatewayError> {
        let refused = |feature: &&Feature| match feature.weight {
            Weight::Hint => false,
            Weight::Soft => unsupported == Unsupported::Refuse,
            Weight::Hard => true,
        };
        let mut refusing: Vec<&Feature> = self.found.iter().filter(refused).collect();
        if !refusing.is_empty() {
            refusing.sort_by(|a, b| a.pointer.cmp(&b.pointer));
            let told = |feature: &&Feature| json!({ "feature": feature.name, "pointer": feature.pointer });
            let features: Vec<_> = refusing.iter().take(MAX_TOLD).map(told).collect();
            return Err(GatewayError::new(Code::UntranslatableFeature).with(json!({ "features": features })));
        }
        let mut dropped: Vec<Dropped> = Vec::new();
        for Feature { name, pointer, .. } in self.found.drain(..) {
            match dropped.iter_mut().find(|known| known.feature == name) {
                Some(known) => known.count += 1,
                None => dropped.push(Dropped { feature: name.into_owned(), pointer, count: 1 }),
            }
        }
        dropped.sort_by(|a, b| a.pointer.cmp(&b.pointer));
        Ok((dropped, self.warnings))
    }
}
