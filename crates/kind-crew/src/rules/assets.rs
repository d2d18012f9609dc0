//! `ASSET_*`: files under `assets/` (spec: crew-package.md §2, §6).
//!
//! Why: an asset is read at run time by whoever works, so it is small, named plainly, and text unless it says otherwise.

use holdpoint_check::json;
use holdpoint_check::{Diagnostic, args, codes};

use crate::limits::{MAX_ASSET_BYTES, MAX_ASSETS, MAX_ASSETS_BYTES};
use crate::policy::{BINARY, Endings, is_asset_path};

codes! {
    /// a path under `assets/` that is none of an asset
    ASSET_PATH_INVALID: Error, "Rename the asset: a path has letters A to Z, digits and `. _ / -` only.";
    /// a text asset with another ending
    ASSET_EXT_UNSUPPORTED: Error, "Give the asset an ending that is taken.";
    /// a binary asset that is no base64
    ASSET_ENCODING_INVALID: Error, "Encode the asset as standard base64 with padding.";
    /// the asset is over MAX_ASSET_BYTES
    ASSET_TOO_LARGE: Error, "Keep the asset within {limit} bytes; it has {n}." [limit, n];
    /// all assets together are over MAX_ASSETS_BYTES
    ASSET_TOTAL_EXCEEDED: Error, "Keep all assets within {limit} bytes; there are {n}." [limit, n];
    /// there are more than MAX_ASSETS
    ASSET_COUNT_EXCEEDED: Error, "Keep at most {limit} assets; there are {n}." [limit, n];
    /// a text asset named `.json` that is no JSON
    ASSET_CONTENT_INVALID: Warning, "Write strict JSON, or give the asset another ending.";
}

/// Arrays and objects open at once in an asset that is looked at as JSON; a deeper one is for nobody to read.
const MAX_ASSET_DEPTH: usize = 128;

/// Limits as a host may lower them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssetLimits {
    pub asset_bytes: usize,
    pub assets_bytes: usize,
    pub asset_count: usize,
}

impl AssetLimits {
    /// What a host says, where it is lower than ours.
    pub fn lowered(asset_bytes: Option<usize>, assets_bytes: Option<usize>, asset_count: Option<usize>) -> Self {
        Self {
            asset_bytes: asset_bytes.unwrap_or(MAX_ASSET_BYTES).min(MAX_ASSET_BYTES),
            assets_bytes: assets_bytes.unwrap_or(MAX_ASSETS_BYTES).min(MAX_ASSETS_BYTES),
            asset_count: asset_count.unwrap_or(MAX_ASSETS).min(MAX_ASSETS),
        }
    }
}

/// Findings of one asset: at most one error, the first in the order of the codes.
pub fn check(path: &str, text: &str, endings: &Endings<'_>, limits: &AssetLimits) -> Vec<Diagnostic> {
    path_fault(path, text, endings).into_iter().chain(content(path, text, limits)).collect()
}

/// What is wrong with its path. A binary asset may have any ending.
pub fn path_fault(path: &str, text: &str, endings: &Endings<'_>) -> Option<Diagnostic> {
    if !is_asset_path(path) {
        return Some(Diagnostic::of(&ASSET_PATH_INVALID, args! {}).with_hint("Allowed: A-Z a-z 0-9 . _ / -"));
    }
    let takes = is_binary(text) || endings.allow(path);
    let finding = || Diagnostic::of(&ASSET_EXT_UNSUPPORTED, args! {});
    (!takes).then(|| finding().with_hint(crate::hints::allowed(&endings.listed())))
}

/// What is wrong with its text.
pub fn content(path: &str, text: &str, limits: &AssetLimits) -> Option<Diagnostic> {
    let limit = limits.asset_bytes;
    let Some(n) = size(text) else {
        return Some(Diagnostic::of(&ASSET_ENCODING_INVALID, args! {}).with_hint("Allowed: base64: and RFC 4648."));
    };
    if n > limit {
        return Some(Diagnostic::of(&ASSET_TOO_LARGE, args! { limit, n }));
    }
    if is_binary(text) || !path.to_ascii_lowercase().ends_with(".json") {
        return None;
    }
    let finding = |range| Diagnostic::of(&ASSET_CONTENT_INVALID, args! {}).at(range).with_hint("Allowed: RFC 8259.");
    match json::read(text, MAX_ASSET_DEPTH) {
        Err(fault) => fault.range.map(finding),
        Ok(document) => document.duplicates.first().and_then(|fault| fault.range).map(finding),
    }
}

pub fn sums(count: usize, bytes: usize, limits: &AssetLimits) -> Vec<Diagnostic> {
    let over = |code, limit: usize, n: usize| (n > limit).then(|| Diagnostic::of(code, args! { limit, n }));
    let total = over(&ASSET_TOTAL_EXCEEDED, limits.assets_bytes, bytes);
    total.into_iter().chain(over(&ASSET_COUNT_EXCEEDED, limits.asset_count, count)).collect()
}

/// Whether a text says that it stands for bytes.
pub fn is_binary(text: &str) -> bool {
    text.starts_with(BINARY)
}

/// Bytes of an asset; nothing when it is no base64.
pub fn size(text: &str) -> Option<usize> {
    let Some(encoded) = text.strip_prefix(BINARY) else { return Some(text.len()) };
    let digits = encoded.trim_end_matches('=');
    let padding = encoded.len() - digits.len();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let fits = encoded.len().is_multiple_of(4) && padding <= 2 && digits.bytes().all(plain);
    fits.then(|| bytes(text))
}

/// Bytes that an asset counts for in a sum: of a binary one those that it stands for, also where it is no base64.
pub fn bytes(text: &str) -> usize {
    // Four digits stand for three bytes.
    text.strip_prefix(BINARY).map_or(text.len(), |encoded| encoded.trim_end_matches('=').len() * 3 / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::found;

    fn limits() -> AssetLimits {
        AssetLimits::lowered(None, None, None)
    }

    #[test]
    fn sizes_are_those_of_the_bytes() {
        let cases = [
            ("", Some(0)),
            ("åäö", Some(6)),
            ("base64:", Some(0)),
            ("base64:AA==", Some(1)),
            ("base64:AAA=", Some(2)),
            ("base64:AAECAwQ=", Some(5)),
            ("base64:abc", None),
            ("base64:A===", None),
            ("base64:====", None),
            ("base64:AA==AA==", None),
            ("base64:AA-_", None),
            ("base64:AAAA\n", None),
            ("base64: AAAA", None),
            (" base64:abc", Some(11)),
        ];
        for (text, want) in cases {
            assert_eq!(size(text), want, "{text:?}");
            assert_eq!(bytes(text), want.unwrap_or_else(|| bytes(text)), "{text:?}");
        }
        let refused = [("base64:abc", 2), ("base64:AA=A", 3), ("base64:AA-_", 3), ("base64:====", 0)];
        assert_eq!(refused.map(|(text, _)| bytes(text)), refused.map(|(_, bytes)| bytes));
    }

    #[test]
    fn an_asset_is_named_and_sized() {
        let one = |path: &str, text: &str| found(&check(path, text, &Endings::default(), &limits()));
        let cases = [
            ("assets/a.md", "x", ""),
            ("assets/a b.md", "x", "ASSET_PATH_INVALID"),
            ("assets/å.png", "x", "ASSET_PATH_INVALID"),
            ("assets/a.png", "x", "ASSET_EXT_UNSUPPORTED"),
            ("assets/.md", "x", "ASSET_EXT_UNSUPPORTED"),
            ("assets/a.png", "base64:AAAA", ""),
            ("assets/a.png", "base64:AAA", "ASSET_ENCODING_INVALID"),
            ("assets/a.json", "{} ", ""),
            ("assets/a.json", "\u{feff}[]", ""),
            ("assets/a.JSON", "{", "ASSET_CONTENT_INVALID 1:2"),
            ("assets/a.json", "", "ASSET_CONTENT_INVALID 1:1"),
            ("assets/a.json", "{\"a\":1,\"a\":2}", "ASSET_CONTENT_INVALID 1:8"),
            ("assets/a.json", "base64:AAAA", ""),
        ];
        for (path, text, want) in cases {
            assert_eq!(one(path, text), want, "{path} {text}");
        }
        assert_eq!(one("assets/a.md", &"x".repeat(262_144)), "");
        assert_eq!(one("assets/a.md", &"x".repeat(262_145)), "ASSET_TOO_LARGE");
        assert_eq!(one("assets/a.bin", &format!("base64:{}", "AAAA".repeat(87_381))), "", "262,143 bytes");
        assert_eq!(one("assets/a.bin", &format!("base64:{}", "AAAA".repeat(87_382))), "ASSET_TOO_LARGE");
    }

    #[test]
    fn sums_and_lower_limits() {
        assert_eq!(found(&sums(200, 2_097_152, &limits())), "");
        assert_eq!(found(&sums(201, 2_097_153, &limits())), "ASSET_TOTAL_EXCEEDED, ASSET_COUNT_EXCEEDED");
        let lower = AssetLimits::lowered(Some(9), Some(usize::MAX), Some(0));
        assert_eq!(lower, AssetLimits { asset_bytes: 9, assets_bytes: 2_097_152, asset_count: 0 });
    }
}
