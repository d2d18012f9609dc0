//! Texts for people as the language's default has them in English: numbers by thousands, dates with the month first.
//!
//! The engine writes numbers and dates for people as it writes them for programs. Other languages and other forms are
//! refused by the check.

use boa_engine::{Context, JsNativeError, JsObject, JsResult, JsString, JsValue, object::builtins::JsFunction};

use super::around;
use crate::host::Host;

const PLACES: usize = 3;
const ZONE: &str = " (Coordinated Universal Time)";

/// Puts the functions of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let constructors = context.intrinsics().constructors();
    let date = constructors.date().prototype();
    let all: [(&JsObject, &str, around::BuiltIn); 9] = [
        (&constructors.number().prototype(), "toLocaleString", number),
        (&constructors.bigint().prototype(), "toLocaleString", big),
        (&constructors.array().prototype(), "toLocaleString", list),
        (&constructors.typed_array().prototype(), "toLocaleString", list),
        (&date, "toLocaleString", |this, _, own, context| dated(this, own, true, true, context)),
        (&date, "toLocaleDateString", |this, _, own, context| dated(this, own, true, false, context)),
        (&date, "toLocaleTimeString", |this, _, own, context| dated(this, own, false, true, context)),
        (&date, "toString", zoned),
        (&date, "toTimeString", zoned),
    ];
    for (holder, name, function) in all {
        around::replace(holder, name, function, context);
    }
}

/// The engine's text of a number says whether this is one.
fn number(this: &JsValue, _: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    own.call(this, &[], context)?;
    Ok(JsString::from(grouped(this.to_number(context)?)).into())
}

fn big(this: &JsValue, _: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let digits = own.call(this, &[], context)?.to_string(context)?.to_std_string_lossy();
    let (sign, digits) = digits.strip_prefix('-').map_or(("", &*digits), |digits| ("-", digits));
    Ok(JsString::from(format!("{sign}{}", thousands(digits))).into())
}

/// A number to three places, the shortest text of it rounded away from zero.
fn grouped(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_infinite() {
        return format!("{sign}∞");
    }
    let shortest = number.abs().to_string();
    let (whole, rest) = shortest.split_once('.').unwrap_or((&shortest, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(rest.bytes().take(PLACES)).collect();
    let kept = digits.len() - whole.len();
    if rest.as_bytes().get(PLACES).is_some_and(|next| *next >= b'5') {
        let place = digits.iter().rposition(|digit| *digit < b'9');
        digits[place.map_or(0, |place| place + 1)..].fill(b'0');
        match place {
            Some(place) => digits[place] += 1,
            None => digits.insert(0, b'1'),
        }
    }
    let text = String::from_utf8(digits).unwrap_or_default();
    let (whole, rest) = text.split_at(text.len() - kept);
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{rest}", thousands(whole))
}

fn thousands(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn list(this: &JsValue, args: &[JsValue], _: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let object = this.to_object(context)?;
    let length = object.get(JsString::from("length"), context)?.to_length(context)?;
    let mut texts = Vec::new();
    for index in 0..length {
        let host = Host::of(context);
        host.meter.look(1)?;
        host.room()?;
        let item = object.get(index, context)?;
        if item.is_null_or_undefined() {
            texts.push(String::new());
            continue;
        }
        let method = item.to_object(context)?.get(JsString::from("toLocaleString"), context)?;
        let method = method.as_callable().ok_or_else(|| JsNativeError::typ().with_message("not a function"))?;
        texts.push(method.call(&item, args, context)?.to_string(context)?.to_std_string_lossy());
    }
    Ok(JsString::from(texts.join(",")).into())
}

/// `month/day/year, hour:minute:second AM`, or a part of that.
fn dated(this: &JsValue, own: &JsFunction, date: bool, time: bool, context: &mut Context) -> JsResult<JsValue> {
    let shown = own.call(this, &[], context)?;
    let mut part = |name: &str| -> JsResult<f64> {
        let prototype = context.intrinsics().constructors().date().prototype();
        around::method(&prototype, name)
            .map_or(Ok(f64::NAN), |method| method.call(this, &[], context)?.to_number(context))
    };
    let year = part("getUTCFullYear")?;
    if year.is_nan() {
        return Ok(shown);
    }
    let day = format!(
        "{}/{}/{}",
        part("getUTCMonth")? + 1.0,
        part("getUTCDate")?,
        if year < 1.0 { 1.0 - year } else { year }
    );
    let hour = part("getUTCHours")?;
    let half = if hour < 12.0 { "AM" } else { "PM" };
    let hour = if hour % 12.0 == 0.0 { 12.0 } else { hour % 12.0 };
    let clock = format!("{hour}:{:02}:{:02} {half}", part("getUTCMinutes")?, part("getUTCSeconds")?);
    let text = match (date, time) {
        (true, true) => format!("{day}, {clock}"),
        (true, false) => day,
        _ => clock,
    };
    Ok(JsString::from(text).into())
}

/// The engine's text with the name of the zone.
fn zoned(this: &JsValue, _: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let shown = own.call(this, &[], context)?.to_string(context)?.to_std_string_lossy();
    let zone = if shown.contains("GMT") { ZONE } else { "" };
    Ok(JsString::from(format!("{shown}{zone}")).into())
}
