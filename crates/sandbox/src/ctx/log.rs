//! `ctx.log` and `console` (spec: ifc-sdk.md §6.4).

use boa_engine::{Context, JsString, JsValue, builtins::error::Error};
use holdpoint_sdk::cut::cut;

use crate::{
    gate::{Answer, Call},
    json::{self, NotJson, to_json},
};

pub(crate) fn debug(call: &mut Call<'_>) -> Answer {
    write("debug", call)
}

pub(crate) fn info(call: &mut Call<'_>) -> Answer {
    write("info", call)
}

pub(crate) fn warn(call: &mut Call<'_>) -> Answer {
    write("warn", call)
}

pub(crate) fn error(call: &mut Call<'_>) -> Answer {
    write("error", call)
}

fn write(level: &str, call: &mut Call<'_>) -> Answer {
    let mut words = Vec::with_capacity(call.args.len());
    for value in call.args {
        words.push(word(value, call.context)?);
    }
    call.host.logs.borrow_mut().push(level, &words.join(" "));
    Ok(JsValue::undefined())
}

/// A text as it is, an error as name and message, everything else as JSON that is cut.
pub(crate) fn word(value: &JsValue, context: &mut Context) -> Result<String, boa_engine::JsError> {
    if let Some(text) = json::text(value) {
        return Ok(text);
    }
    if let Some(error) = value.as_object().filter(|object| object.is::<Error>()) {
        let mut member = |name: &str| -> Result<String, boa_engine::JsError> {
            Ok(json::text(&error.get(JsString::from(name), context)?).unwrap_or_default())
        };
        return Ok(format!("{}: {}", member("name")?, member("message")?));
    }
    match to_json(value, context) {
        Ok(None) => Ok("undefined".to_owned()),
        Ok(Some(value)) => Ok(cut(&value).value.to_string()),
        Err(NotJson::Because(why)) => Ok(format!("[{}]", why.trim_start_matches("`$` "))),
        Err(NotJson::Threw(error)) => Err(error),
    }
}
