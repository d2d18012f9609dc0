//! `exec` of patterns with `u` or `v` whose `lastIndex` stands inside a pair of surrogates: a match begins with the whole
//! character (ECMAScript §22.2.7.2), where the engine begins with its second half.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue,
    object::builtins::{JsFunction, JsRegExp},
    property::PropertyKey,
};

use super::around;

/// Puts the function of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let prototype = context.intrinsics().constructors().regexp().prototype();
    around::replace(&prototype, "exec", exec, context);
}

fn exec(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let pattern = this.as_object().filter(begins_later);
    let Some(pattern) = pattern.and_then(|pattern| JsRegExp::from_object(pattern).ok()) else {
        return own.call(this, args, context);
    };
    let text = args.first().cloned().unwrap_or_default().to_string(context)?;
    let flags = pattern.flags(context)?;
    let place = pattern.get(JsString::from("lastIndex"), context)?.to_length(context)? as usize;
    let walks = flags.contains(['g', 'y']) && flags.contains(['u', 'v']);
    if walks && is_inside(&text, place) {
        pattern.set(JsString::from("lastIndex"), place as f64 - 1.0, true, context)?;
    }
    own.call(this, &[text.into()], context)
}

/// Whether a pattern's `lastIndex` is not the plain 0.
fn begins_later(pattern: &JsObject) -> bool {
    let place = pattern.borrow().properties().get(&PropertyKey::from(JsString::from("lastIndex")));
    place.is_some_and(|place| place.value().and_then(JsValue::as_number) != Some(0.0))
}

/// Whether a place is between the two halves of a character.
fn is_inside(text: &JsString, place: usize) -> bool {
    let unit = |at: usize| text.iter().nth(at);
    let before = place.checked_sub(1).and_then(unit);
    before.is_some_and(|unit| (0xD800..0xDC00).contains(&unit))
        && unit(place).is_some_and(|unit| (0xDC00..0xE000).contains(&unit))
}
