//! The model that a user brings along, below `/users/me/llm-profile` (spec: ai-sessions.md §8).
//!
//! The profile is the account's; this file reads what was sent, seals a key before anything is asked of another object,
//! and lets a relay make the test's one call. Invariants: a key goes from the body to its sealed form or to that one
//! call, and nowhere else; what a test finds is an answer, never an error.

use holdpoint_check::ApiError;
use holdpoint_check::code::Sentence;
use holdpoint_engine::turn::refusal;
use holdpoint_gateway::cipher::Secret;
use holdpoint_gateway::key::{fnv1a32, request_id};
use holdpoint_gateway::profile::{
    KeyChange, ModelProfile, Own, ProfileChange, ProfileProvider, ProfileView, Trial, origin, own, read, read_over,
    told,
};
use holdpoint_kind_crew::routes::profile::Id;
use holdpoint_kind_crew::wire::profile::Tested;
use js_sys::Uint8Array;
use serde_json::{Value, json};
use worker::{Method, Request, RequestInit};

use crate::account::Caller;
use crate::account::profile::{ProfileAsk, Shown, ground, profile};
use crate::answer::{Answer, EdgeError};
use crate::envelope;
use crate::js::{now_ms, random};
use crate::objects::header_text;
use crate::relay::{ORDER_HEADER, Order, RELAY_CALL, TestCall, Via};
use crate::routes::{Edge, RouteRequest};

/// What marks calls of tests in the ledger.
const TAG: &str = "llm-profile-test";

/// Answers a route of profiles.
pub async fn answer(edge: &Edge, id: Id, mut asked: RouteRequest) -> Answer {
    let caller = asked.caller()?;
    let language = envelope::language(asked.request())?;
    let data = match id {
        Id::Show => json!(seen(profile::<Shown>(&edge.objects, &caller, ProfileAsk::Show).await?.view, language)),
        Id::Save => {
            let body = asked.json()?;
            let saved = save(edge, &caller, &body).await?;
            worker::console_log!("{}", json!({"event": "llm_profile.saved", "request_id": asked.id()}));
            json!(seen(saved, language))
        }
        Id::Test => {
            // An object without members is no profile.
            let body = asked.json()?;
            let body = body.as_object().is_some_and(|members| !members.is_empty()).then_some(&body);
            json!(test(edge, &caller, body, language).await?)
        }
    };
    Ok(envelope::given(200, data, language, asked.id())?)
}

/// A profile in its reader's language.
fn seen(mut view: ProfileView, language: Option<&'static str>) -> ProfileView {
    let shown = &mut view.effective_availability;
    let said = ApiError { args: shown.args.clone(), ..ApiError::new(shown.code.clone(), shown.message.clone()) };
    shown.message = envelope::said(said, language).message;
    view
}

async fn save(edge: &Edge, caller: &Caller, body: &Value) -> Result<ProfileView, EdgeError> {
    let addresses = edge.settings.addresses(&caller.host);
    let before = profile::<Shown>(&edge.objects, caller, ProfileAsk::Show).await?.profile;
    let wanted = read_over(body, &addresses, before.base_url.as_deref())?;
    // Before a key is sealed: what the organisation blocks is blocked with and without keys at hand.
    ground(&edge.settings, &addresses, None).allows(wanted.provider)?;
    let sealed = wanted.sealed(edge.settings.secrets.as_ref(), random()?, &before.place(&caller.account))?;
    Ok(profile::<Shown>(&edge.objects, caller, ProfileAsk::Put(sealed)).await?.view)
}

/// One test: of the saved profile, or of one that is sent.
async fn test(
    edge: &Edge,
    caller: &Caller,
    body: Option<&Value>,
    language: Option<&'static str>,
) -> Result<Tested, EdgeError> {
    let kept = profile::<Shown>(&edge.objects, caller, ProfileAsk::Test).await?.profile;
    let since = now_ms();
    let trial = match tried(edge, caller, &kept, body) {
        Ok((own, key)) => match call(edge, caller, &kept, &own, key).await? {
            None => Trial::good(),
            Some(error) => Trial::failed(&error, Some(&own)),
        },
        // No key at hand that opens: that is a fault of ours, and no finding.
        Err(error) if error.status >= 500 => return Err(error.into()),
        Err(error) => Trial::failed(&error, None),
    };
    let latency_ms = now_ms().saturating_sub(since).max(0).cast_unsigned();
    if body.is_none() {
        let asked = ProfileAsk::Tested { saved_at: kept.updated_at, ok: trial.ok };
        profile::<bool>(&edge.objects, caller, asked).await?;
    }
    worker::console_log!(
        "{}",
        json!({"event": "llm_profile.tested", "ok": trial.ok, "code": trial.told.code, "latency_ms": latency_ms})
    );
    let say = |sentence: Sentence| {
        let Sentence { code, message, args } = sentence;
        envelope::said(ApiError { args, ..ApiError::new(code, message) }, language).message
    };
    Ok(Tested {
        ok: trial.ok,
        code: trial.told.code.clone().into_owned(),
        message: say(trial.told),
        hints: trial.hints.into_iter().map(say).collect(),
        latency_ms,
        said: trial.said,
    })
}

/// The model that a test asks, and a key that is not stored. Why there is none is what the test finds.
fn tried(
    edge: &Edge,
    caller: &Caller,
    kept: &ModelProfile,
    body: Option<&Value>,
) -> Result<(Own, Option<Secret>), ApiError> {
    let addresses = edge.settings.addresses(&caller.host);
    let ground = ground(&edge.settings, &addresses, None);
    let Some(body) = body else { return Ok((own(kept, &ground)?, None)) };
    let ProfileChange { provider, base_url, model, key, timeout_seconds, context_window } = read(body, &addresses)?;
    let is_theirs =
        |base_url: &str| kept.key.as_ref().is_some_and(|key| origin(base_url).as_ref() == Some(&key.origin));
    let stored = key == KeyChange::Keep && base_url.as_deref().is_some_and(is_theirs);
    let sent = ModelProfile {
        provider,
        base_url,
        model,
        key: kept.key.clone().filter(|_| stored && provider == ProfileProvider::OpenaiCompatible),
        timeout_seconds,
        context_window,
        ..kept.clone()
    };
    let key = match key {
        KeyChange::Set(key) => Some(key),
        KeyChange::Keep | KeyChange::Clear => None,
    };
    Ok((own(&sent, &ground)?, key))
}

/// The one call of a test. `None`: the model answered.
async fn call(
    edge: &Edge,
    caller: &Caller,
    kept: &ModelProfile,
    own: &Own,
    key: Option<Secret>,
) -> Result<Option<ApiError>, EdgeError> {
    let id = request_id(now_ms(), &random()?);
    let relay = edge.objects.relay(&caller.account, fnv1a32(&id) % (edge.limits().relay_shards.max(1) as u32))?;
    let test = TestCall { own: own.clone(), key, id: kept.id.clone(), user_id: kept.user_id.clone() };
    let order = Order { tag: Some(TAG.to_owned()), via: Via::Test(test), ..Order::ours(id, caller.clone()) };
    let body = json!({
        "model": own.model, "messages": [{"role": "user", "content": "Say: ok"}], "max_tokens": 1,
    });
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(Uint8Array::from(body.to_string().as_bytes()).into()));
    init.headers.set(ORDER_HEADER, &header_text(&order)?)?;
    let mut response = relay.fetch_with_request(Request::new_with_init(RELAY_CALL, &init)?).await?;
    let status = response.status_code();
    let bytes = response.bytes().await?;
    if status == 200 {
        return Ok(None);
    }
    let refused = refusal(status, &bytes);
    match told(&refused.code, &refused.details) {
        Some(error) if error.code == "LLM_PROFILE_ENCRYPTION_ERROR" => Err(error.into()),
        Some(error) => Ok(Some(error)),
        None => Err(refused.into()),
    }
}
