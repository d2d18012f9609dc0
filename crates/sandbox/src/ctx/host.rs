//! `ctx.can`, `ctx.notify`, `ctx.t`, `ctx.onDispose` (spec: ifc-sdk.md §2).

use boa_engine::{JsString, JsValue};
use holdpoint_check::args;
use holdpoint_sdk::capability::{covering, parse};
use serde_json::json;

use crate::{
    call::Disposers,
    error::{CAPABILITY, MESSAGE, MESSAGES, TONE},
    gate::{Answer, Call},
    json,
};

/// It counts the characters of a message.
const MAX_MESSAGE_CHARS: usize = 300;
const MAX_MESSAGES: usize = 5;
/// Tones of a message, the first being the usual one.
const TONES: [&str; 4] = ["info", "warn", "error", "success"];

pub(crate) fn can(call: &mut Call<'_>) -> Answer {
    let Ok(capability) = parse(&call.text(0)) else {
        return Err(call.wrong("capability", &CAPABILITY, args! {}));
    };
    Ok((capability.implicit() || covering(&call.host.grants, &capability).is_some()).into())
}

pub(crate) fn notify(call: &mut Call<'_>) -> Answer {
    let message = call.text(0);
    let tone = match call.arg(1).as_object() {
        None => JsValue::undefined(),
        Some(options) => options.get(JsString::from("tone"), call.context)?,
    };
    let tone = if tone.is_undefined() { TONES[0].to_owned() } else { json::text(&tone).unwrap_or_default() };
    if !TONES.contains(&tone.as_str()) {
        return Err(call.wrong("options", &TONE, args! { member: "{tone}" }));
    }
    if message.chars().count() > MAX_MESSAGE_CHARS {
        return Err(call.limit(&MESSAGE, MAX_MESSAGE_CHARS, MAX_MESSAGE_CHARS));
    }
    if call.host.effects.borrow().notifications.len() >= MAX_MESSAGES {
        return Err(call.limit(&MESSAGES, MAX_MESSAGES, MAX_MESSAGES));
    }
    call.host.effects.borrow_mut().notifications.push(json!({"message": message, "tone": tone}));
    Ok(JsValue::undefined())
}

/// The text of the user's locale, then its language, then `en`, else the key.
pub(crate) fn translate(call: &mut Call<'_>) -> Answer {
    let key = call.text(0);
    let locale = call.host.program.meta.locale.clone();
    let language = locale.split(['-', '_']).next().unwrap_or_default().to_owned();
    let l10n = &call.host.program.l10n;
    let found = [locale.as_str(), language.as_str(), "en"].iter().find_map(|locale| l10n.get(*locale)?.get(&key));
    let Some(text) = found else { return Ok(JsString::from(key.as_str()).into()) };
    let vars = call.arg(1);
    let mut filled = String::new();
    let mut rest = text.as_str();
    while let Some((before, inner)) = rest.split_once('{') {
        let Some((name, after)) = inner.split_once('}') else { break };
        filled.push_str(before);
        if let Some(vars) = vars.as_object() {
            let value = vars.get(JsString::from(name), call.context)?;
            if !value.is_null_or_undefined() {
                filled.push_str(&value.to_string(call.context)?.to_std_string_lossy());
            }
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(JsString::from(filled.as_str()).into())
}

/// Kept until the activation ends. The realm of a single call, such as a test's, takes its callbacks along.
pub(crate) fn on_dispose(call: &mut Call<'_>) -> Answer {
    let callback = call.arg(0).as_object();
    if let (Some(callback), Some(disposers)) = (callback, call.context.get_data::<Disposers>()) {
        disposers.0.borrow_mut().push(callback);
    }
    Ok(JsValue::undefined())
}
