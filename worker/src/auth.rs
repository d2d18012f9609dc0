//! Who asks, and from where: credentials and origins (spec: gateway.md §3).
//!
//! Invariants: what is wrong by its form ends here and touches no object; what a key may do is the account's to say, and
//! what it said a moment ago is enough to read a body and for nothing else.

use std::cell::RefCell;

use holdpoint_change::Person;
use holdpoint_check::args;
use holdpoint_gateway::Code;
use holdpoint_gateway::key::{ProxyKey, account_id, constant_time_equal, principal_name};
use holdpoint_gateway::recent::Recent;
use holdpoint_store::codes::TWO_KEYS;
use holdpoint_store::ledger::{Credential, Principal};
use worker::{Headers, Request, Response, Url};

use crate::account::{AccountCommand, Caller};
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::objects::{Objects, ask};
use crate::settings::Settings;

/// How long an account's yes lets a key send bodies before it is asked again.
const READING_MS: i64 = 2_000;
/// How many of them are kept.
const MOST_READERS: usize = 256;
/// How long an account's no stands, and how many are kept.
const REFUSED_MS: i64 = 60_000;
const MOST_REFUSED: usize = 1_024;

thread_local! {
    static REFUSED: RefCell<Recent<Caller, ()>> = const { RefCell::new(Recent::new(REFUSED_MS, MOST_REFUSED)) };
    static READERS: RefCell<Recent<Caller, Principal>> = const { RefCell::new(Recent::new(READING_MS, MOST_READERS)) };
}

/// Names the person who decided what a request asks for.
const SIGNER_HEADER: &str = "holdpoint-signer";
const DEV_TOKEN: &str = "dev";
/// A token of an identity provider has three parts; a key has no dot.
const TOKEN_DOTS: usize = 2;
const ALLOWED_HEADERS: &str = "authorization, content-type, x-api-key, anthropic-version, anthropic-beta, \
 anthropic-dangerous-direct-browser-access, idempotency-key, if-match, last-event-id, x-correlation-id, x-request-id";
/// Families of header names that a preflight may ask for.
const ALLOWED_PREFIXES: &[&str] = &["holdpoint-", "x-stainless-", "x-skriptoteket-"];
/// A caller whose account said yes a moment ago: its body is read. Whatever it leads to asks the account again.
pub struct Reader {
    caller: Caller,
    principal: Principal,
}

impl Reader {
    /// Asks the account, unless it was asked just now.
    pub async fn known(objects: &Objects, caller: Caller) -> Result<Self, EdgeError> {
        let known = READERS.with_borrow_mut(|readers| readers.find(now_ms(), |kept| is_same(kept, &caller)).cloned());
        if let Some(principal) = known {
            return Ok(Self { caller, principal });
        }
        if REFUSED.with_borrow_mut(|refused| refused.find(now_ms(), |kept| is_same(kept, &caller)).is_some()) {
            return Err(Code::AuthInvalidToken.into());
        }
        let account = objects.account(&caller.account)?;
        let found: Principal = match ask(&account, &AccountCommand::Know { caller: caller.clone() }).await {
            Ok(found) => found,
            Err(fault) => {
                if fault.code == Code::AuthInvalidToken.name() {
                    REFUSED.with_borrow_mut(|refused| refused.keep(now_ms(), caller, ()));
                }
                return Err(fault);
            }
        };
        READERS.with_borrow_mut(|readers| readers.keep(now_ms(), caller.clone(), found.clone()));
        Ok(Self { caller, principal: found })
    }

    /// What pages call the person: the value of `holdpoint-principal`.
    pub fn name(&self) -> String {
        principal_name(&self.caller.account, &self.principal.user_id)
    }

    /// Refuses what the key may not do, and a decision that another person made (spec: gateway.md §3 "Principal").
    pub fn check(&self, request: &Request, scope: &str, name: &str) -> Result<(), EdgeError> {
        self.principal.require(scope)?;
        match request.headers().get(SIGNER_HEADER)? {
            Some(signer) if signer != name => Err(Code::OtherSigner.into()),
            _ => Ok(()),
        }
    }

    /// Who it is, as far as the Worker can say.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}

/// Whether an account said yes to a caller just now: refusals of others at the same address are not theirs.
pub fn is_recent(caller: &Caller) -> bool {
    READERS.with_borrow_mut(|readers| readers.find(now_ms(), |kept| is_same(kept, caller)).is_some())
}

/// Who the caller is, if its account says that it may do that.
pub async fn principal(objects: &Objects, caller: &Caller, scope: &str) -> Result<Principal, EdgeError> {
    let account = objects.account(&caller.account)?;
    ask(&account, &AccountCommand::Verify { caller: caller.clone(), scope: scope.to_owned() }).await
}

/// Whom the account found, for the request at hand. Here and nowhere else somebody becomes a person who may decide.
pub fn person(principal: &Principal) -> Person {
    Person::authenticated(principal.user_id.clone())
}

fn is_same(left: &Caller, right: &Caller) -> bool {
    let credential = match (&left.credential, &right.credential) {
        (Credential::Dev, Credential::Dev) => true,
        (Credential::Token(holder), Credential::Token(other)) => holder == other,
        (Credential::Key { id, secret_hash }, Credential::Key { id: other, secret_hash: hash }) => {
            id == other && constant_time_equal(secret_hash, hash)
        }
        _ => false,
    };
    credential && left.account == right.account && left.origin == right.origin && left.host == right.host
}

/// The caller of a request, from its headers.
pub fn caller(request: &Request, settings: &Settings) -> Result<Caller, EdgeError> {
    let headers = request.headers();
    let bearer = headers.get("authorization")?;
    let bearer = match bearer.as_deref().map(str::trim) {
        None => None,
        Some(text) => match text.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Some(token.trim().to_owned()),
            _ => return Err(Code::AuthInvalidToken.into()),
        },
    };
    let token = match (bearer, headers.get("x-api-key")?.map(|key| key.trim().to_owned())) {
        (None, None) => return Err(Code::AuthMissingToken.into()),
        (Some(bearer), Some(key)) if bearer != key => {
            return Err(EdgeError::of(401, &TWO_KEYS, args! {}));
        }
        (Some(token), _) | (None, Some(token)) => token,
    };
    let origin = headers.get("origin")?;
    let host = request.url()?.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    if token.is_empty() {
        return Err(Code::AuthMissingToken.into());
    }
    if token == DEV_TOKEN && settings.dev && !settings.production && is_loopback(&request.url()?) {
        return Ok(Caller { account: settings.dev_account(), credential: Credential::Dev, origin, host });
    }
    if let Some(rules) = settings.tokens.as_ref().filter(|_| token.matches('.').count() == TOKEN_DOTS) {
        let claims = rules.claims(&token, now_ms())?;
        let account = account_id(&settings.issuer, &claims.account_key());
        return Ok(Caller { account, credential: Credential::Token(claims.into()), origin, host });
    }
    let key = ProxyKey::parse(&token).filter(|key| settings.may_be_ours(key));
    let key = key.ok_or_else(|| EdgeError::from(Code::AuthInvalidToken))?;
    let credential = Credential::Key { id: key.id.clone(), secret_hash: key.hash().to_vec() };
    Ok(Caller { account: key.account, credential, origin, host })
}

/// Refuses pages that may not call.
pub fn check_origin(request: &Request, settings: &Settings) -> Result<(), EdgeError> {
    let Some(origin) = request.headers().get("origin")? else { return Ok(()) };
    let own = request.url()?.origin().ascii_serialization();
    let loopback = || Url::parse(&origin).is_ok_and(|url| is_loopback(&url));
    if origin == own || settings.allowed_origins.contains(&origin) || (settings.dev && loopback()) {
        return Ok(());
    }
    Err(Code::OriginDenied.into())
}

/// The answer to a preflight.
pub fn preflight(request: &Request) -> Result<Response, worker::Error> {
    let headers = Headers::new();
    let asked = request.headers().get("access-control-request-headers")?.unwrap_or_default();
    let mut allowed = ALLOWED_HEADERS.to_owned();
    for name in asked.split(',').map(|name| name.trim().to_ascii_lowercase()) {
        let known = ALLOWED_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        if known && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            allowed = format!("{allowed}, {name}");
        }
    }
    headers.set("access-control-allow-headers", &allowed)?;
    headers.set("access-control-allow-methods", "GET, POST, PUT, PATCH, DELETE")?;
    headers.set("access-control-max-age", "600")?;
    Ok(Response::builder().with_status(204).with_headers(headers).empty())
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}
