//! `bim.create`: new files by handle (spec: ifc-sdk.md §3 "`create`").

use std::{cell::RefCell, collections::BTreeMap};

use boa_engine::JsValue;
use holdpoint_check::{Sentence, args};
use holdpoint_model::{Created, Creation};
use serde_json::{Value, json};

use crate::{
    bim::{mutate::json_of, refusals::of_refused},
    error::{HANDLE, HANDLES, SdkError},
    gate::{Answer, Call, Refusal},
    json,
    realm::START_MILLIS,
};

/// Handles that are open at once.
const MAX_HANDLES: usize = 20;

/// The files that a call is writing.
#[derive(Debug, Default)]
pub(crate) struct Creations {
    open: RefCell<BTreeMap<u32, Creation>>,
    last: std::cell::Cell<u32>,
}

impl Creations {
    /// Ends a handle; `None` for one that is not open.
    pub(crate) fn finish(&self, handle: f64) -> Option<Created> {
        Some(self.open.borrow_mut().remove(&number(handle)?)?.finish())
    }
}

/// When a file is written, in seconds since 1970: the host's clock, which tests have none of.
fn created(call: &Call<'_>) -> i64 {
    let millis = match call.host.program.seed {
        Some(_) => START_MILLIS,
        None => call.context.clock().system_time_millis(),
    };
    millis.div_euclid(1000)
}

fn number(handle: f64) -> Option<u32> {
    (handle.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&handle)).then_some(handle as u32)
}

pub(crate) fn project(call: &mut Call<'_>) -> Answer {
    let params = json_of(call, 0)?;
    let creations = &call.host.creations;
    if creations.open.borrow().len() >= MAX_HANDLES {
        return Err(call.limit(&HANDLES, MAX_HANDLES, MAX_HANDLES));
    }
    let handle = creations.last.get() + 1;
    let key = format!("{}/{handle}/{params}", call.host.program.meta.extension_id);
    let created = created(call);
    let creation = Creation::project(&params, &key, created).map_err(|refused| of_refused(call, refused))?;
    creations.last.set(handle);
    creations.open.borrow_mut().insert(handle, creation);
    Ok(handle.into())
}

pub(crate) fn to_ifc(call: &mut Call<'_>) -> Answer {
    let handle = call.arg(0).as_number().unwrap_or_default();
    let created = call.host.creations.finish(handle).ok_or_else(|| no_handle(call, handle))?;
    Ok(json::from_json(&json!(created), call.context)?)
}

/// Every other method: its own name says what.
pub(crate) fn write(call: &mut Call<'_>) -> Answer {
    let handle = call.arg(0).as_number().unwrap_or_default();
    let mut given: Vec<Value> = Vec::new();
    for index in 1..call.args.len() {
        given.push(json_of(call, index)?);
    }
    let method = call.path.rsplit('.').next().unwrap_or_default();
    let answer = {
        let mut open = call.host.creations.open.borrow_mut();
        let creation = number(handle).and_then(|handle| open.get_mut(&handle));
        creation.map(|creation| creation.call(method, &given))
    };
    let answer = answer.ok_or_else(|| no_handle(call, handle))?.map_err(|refused| of_refused(call, refused))?;
    if answer.is_null() {
        return Ok(JsValue::undefined());
    }
    Ok(json::from_json(&answer, call.context)?)
}

fn no_handle(call: &Call<'_>, handle: f64) -> Refusal {
    let id = handle.to_string();
    SdkError::not_found(call.path, &Sentence::of(&HANDLE, args! { id })).into()
}
