//! What may be shown of a key: never more than its first three and last four characters (spec: gateway.md §11).

use serde::Serialize;

/// From this length on, characters are shown.
const SHOWN_FROM: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Masked {
    /// `None` when there is no key.
    pub masked: Option<String>,
    /// Whose key it looks like.
    pub vendor: Option<&'static str>,
}

pub fn mask(key: Option<&str>) -> Masked {
    let Some(key) = key.map(str::trim).filter(|key| !key.is_empty()) else {
        return Masked { masked: None, vendor: None };
    };
    let chars: Vec<char> = key.chars().collect();
    let masked = if chars.len() < SHOWN_FROM {
        "***".to_owned()
    } else {
        let (first, last) = (&chars[..3], &chars[chars.len() - 4..]);
        format!("{}***{}", first.iter().collect::<String>(), last.iter().collect::<String>())
    };
    let vendors = [("hp_", "holdpoint"), ("sk-ant-", "anthropic"), ("sk-", "openai")];
    let vendor = vendors.iter().find(|(lead, _)| key.starts_with(lead)).map_or("unknown", |(_, vendor)| vendor);
    Masked { masked: Some(masked), vendor: Some(vendor) }
}
