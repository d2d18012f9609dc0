//! Tokens that open the preview of one revision (spec: app-builder.md §7).
//!
//! `v1.` + base64url of a JSON object + `.` + base64url of its HMAC-SHA-256. Invariant: a token is compared in constant
//! time before anything in it is believed.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use holdpoint_check::codes;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

codes! {
    /// no token of a preview was sent
    PREVIEW_TOKEN_REQUIRED: Error, "Send the token of the preview.";
    /// the token was not made here
    PREVIEW_TOKEN_INVALID: Error, "Open the preview from the app once more: its address is not one that was made here.";
    /// the token is over its time
    PREVIEW_TOKEN_EXPIRED: Error, "Open the preview from the app once more: its address has expired.";
    /// the token is of another revision or app
    PREVIEW_TOKEN_MISMATCH: Error, "Open the preview from the app once more: its address is of something else.";
}

/// How long a token opens its revision (`PREVIEW_TOKEN_SECONDS`).
pub const PREVIEW_TOKEN_SECONDS: i64 = 3_600;
const SCOPE: &str = "apps.preview";
const VERSION: &str = "v1";
/// Bytes of a token that is looked at.
const MAX_TOKEN_BYTES: usize = 2_048;

/// The claims of a token, which only its seal vouches for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewClaims {
    pub app_id: String,
    pub revision_id: String,
    pub tenant_id: String,
    /// The user for whom it was made.
    pub sub: String,
    pub scope: String,
    /// When it ends, in seconds since 1970, UTC.
    pub exp: i64,
    /// Makes each token another one, also of the same claims.
    pub jti: String,
    /// The origin of the page that shows it.
    pub console: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("the token was not made here")]
    Invalid,
    #[error("the token is over its time")]
    Expired,
}

impl PreviewClaims {
    /// Of one revision, for one person at one page, from `now_ms` on.
    pub fn new(
        (tenant, app, revision): (&str, &str, &str),
        (sub, console): (&str, &str),
        jti: String,
        now_ms: i64,
    ) -> Self {
        Self {
            app_id: app.to_owned(),
            revision_id: revision.to_owned(),
            tenant_id: tenant.to_owned(),
            sub: sub.to_owned(),
            scope: SCOPE.to_owned(),
            exp: now_ms / 1_000 + PREVIEW_TOKEN_SECONDS,
            jti,
            console: console.to_owned(),
        }
    }

    /// The token that says this.
    pub fn seal(&self, secret: &str) -> String {
        let claims = URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default());
        let head = format!("{VERSION}.{claims}");
        let mac = URL_SAFE_NO_PAD.encode(mac(secret, &head).finalize().into_bytes());
        format!("{head}.{mac}")
    }

    /// What a token says, if it was made with this secret and is not over.
    pub fn open(token: &str, secret: &str, now_ms: i64) -> Result<Self, TokenError> {
        if secret.is_empty() || token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::Invalid);
        }
        let (head, sealed) = token.rsplit_once('.').ok_or(TokenError::Invalid)?;
        let sealed = URL_SAFE_NO_PAD.decode(sealed).map_err(|_| TokenError::Invalid)?;
        mac(secret, head).verify_slice(&sealed).map_err(|_| TokenError::Invalid)?;
        let claims = head.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix('.')).ok_or(TokenError::Invalid)?;
        let claims = URL_SAFE_NO_PAD.decode(claims).map_err(|_| TokenError::Invalid)?;
        let claims: Self = serde_json::from_slice(&claims).map_err(|_| TokenError::Invalid)?;
        if claims.scope != SCOPE {
            return Err(TokenError::Invalid);
        }
        if claims.exp <= now_ms / 1_000 { Err(TokenError::Expired) } else { Ok(claims) }
    }
}

fn mac(secret: &str, text: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("an HMAC takes a key of any length");
    mac.update(text.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_790_000_000_000;

    fn claims() -> PreviewClaims {
        PreviewClaims::new(("acc", "app_1", "rev_2"), ("ada", "http://edge"), "j1".to_owned(), NOW)
    }

    #[test]
    fn a_token_opens_what_it_was_made_for_and_only_in_its_time() {
        let token = claims().seal("secret");
        assert_eq!(PreviewClaims::open(&token, "secret", NOW), Ok(claims()));
        let end = NOW + PREVIEW_TOKEN_SECONDS * 1_000;
        assert_eq!(PreviewClaims::open(&token, "secret", end - 1), Ok(claims()));
        assert_eq!(PreviewClaims::open(&token, "secret", end), Err(TokenError::Expired));
    }

    #[test]
    fn what_was_not_made_here_opens_nothing() {
        let token = claims().seal("secret");
        let other = PreviewClaims { revision_id: "rev_3".to_owned(), ..claims() }.seal("guess");
        let (head, mac) = token.rsplit_once('.').unwrap();
        let swapped = format!("{}.{mac}", other.rsplit_once('.').unwrap().0);
        let scoped = PreviewClaims { scope: "edit".to_owned(), ..claims() }.seal("secret");
        let long = "v1.".to_owned() + &"a".repeat(MAX_TOKEN_BYTES);
        for wrong in [&other, &swapped, &scoped, &long, head, "", ".", "v1..", "v1.e30.", &token.replace("v1", "v2")] {
            assert_eq!(PreviewClaims::open(wrong, "secret", NOW), Err(TokenError::Invalid), "{wrong}");
        }
        let blank = claims().seal("");
        assert_eq!(PreviewClaims::open(&blank, "", NOW), Err(TokenError::Invalid), "no secret opens nothing");
    }
}
