//! `ctx.commands.invoke`: one's own commands (spec: ifc-sdk.md §2). Depth is that of the running code, so that an outer
//! `ctx` does not lessen it.

use boa_engine::{Context, JsError, JsResult, JsValue, NativeFunction, object::FunctionObjectBuilder};
use holdpoint_check::{Sentence, args};

use crate::{
    budget::MAX_INVOKE_DEPTH,
    entry,
    error::{COMMAND, DEPTH, NOT_JSON, SdkError},
    gate::{Answer, Call},
    json::{NotJson, from_json, to_json},
};

pub(crate) fn invoke(call: &mut Call<'_>) -> Answer {
    let id = call.text(0);
    let Some(command) = call.host.program.commands.get(&id).cloned() else {
        return Err(SdkError::not_found(call.path, &Sentence::of(&COMMAND, args! { id })).into());
    };
    let depth = call.depth.max(call.host.depth.get()) + 1;
    if depth > MAX_INVOKE_DEPTH {
        return Err(call.limit(&DEPTH, MAX_INVOKE_DEPTH, MAX_INVOKE_DEPTH));
    }
    let args = match to_json(&call.arg(1), call.context) {
        Ok(None) => JsValue::undefined(),
        Ok(Some(args)) => from_json(&args, call.context)?,
        Err(NotJson::Because(why)) => return Err(call.wrong("args", &NOT_JSON, args! { why })),
        Err(NotJson::Threw(error)) => return Err(error.into()),
    };
    let promise = entry::start(&command, args, depth, call.context)?;
    let copy = NativeFunction::from_fn_ptr(|_, args, context| copied(args.first(), context));
    let copy = FunctionObjectBuilder::new(call.context.realm(), copy).build();
    let promise = entry::after(&promise, copy, call.context)?;
    Ok(promise.into())
}

/// The answer of a command is copied, as every result is.
fn copied(value: Option<&JsValue>, context: &mut Context) -> JsResult<JsValue> {
    let value = value.cloned().unwrap_or_default();
    match to_json(&value, context) {
        Ok(value) => from_json(&value.unwrap_or_default(), context),
        Err(NotJson::Threw(error)) => Err(error),
        Err(NotJson::Because(why)) => {
            let expected = Sentence::of(&NOT_JSON, args! { why });
            let error = SdkError::argument("ctx.commands.invoke", "the command's result", &expected);
            Err::<JsValue, JsError>(error.into_js(context))
        }
    }
}
