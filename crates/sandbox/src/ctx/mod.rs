//! `ctx`: built from the data, frozen as a whole (spec: ifc-sdk.md §2).

pub(crate) mod commands;
pub(crate) mod fetch;
pub(crate) mod host;
pub(crate) mod log;
pub(crate) mod storage;
pub(crate) mod ui;

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, object::IntegrityLevel, property::PropertyDescriptor,
};
use holdpoint_sdk::{
    members::{CtxKind, sdk},
    run::Meta,
};

use crate::gate;

/// `ctx` for a call; `depth` counts nested `ctx.commands.invoke`.
pub(crate) fn build(meta: &Meta, depth: usize, context: &mut Context) -> JsResult<JsObject> {
    let mut members = Vec::new();
    for member in &sdk().ctx {
        let value: JsValue = match &member.kind {
            CtxKind::Bim => bim(depth, context)?.into(),
            CtxKind::Method(_) => callable(&format!("ctx.{}", member.name), depth, context)?,
            CtxKind::Group(methods) => {
                let names = methods.iter().map(|method| method.name.as_str());
                group(&format!("ctx.{}", member.name), names, depth, context)?.into()
            }
            CtxKind::Fields(_) => fields(meta, context)?.into(),
        };
        members.push((member.name.as_str(), value));
    }
    frozen(members, context)
}

/// `console`: the same as `ctx.log`.
pub(crate) fn console(context: &mut Context) -> JsResult<JsObject> {
    let mut members = Vec::new();
    for (name, level) in [("debug", "debug"), ("log", "info"), ("info", "info"), ("warn", "warn"), ("error", "error")] {
        members.push((name, callable(&format!("ctx.log.{level}"), 0, context)?));
    }
    frozen(members, context)
}

fn bim(depth: usize, context: &mut Context) -> JsResult<JsObject> {
    let mut members = Vec::new();
    for namespace in &sdk().namespaces {
        let object = group(&format!("bim.{}", namespace.name), namespace.method_names(), depth, context)?;
        members.push((namespace.name.as_str(), object.into()));
    }
    frozen(members, context)
}

fn group<'n>(
    path: &str,
    names: impl IntoIterator<Item = &'n str>,
    depth: usize,
    context: &mut Context,
) -> JsResult<JsObject> {
    let mut members = Vec::new();
    for name in names {
        members.push((name, callable(&format!("{path}.{name}"), depth, context)?));
    }
    frozen(members, context)
}

fn callable(path: &str, depth: usize, context: &mut Context) -> JsResult<JsValue> {
    Ok(gate::function(path, depth, context)?.map_or_else(JsValue::undefined, Into::into))
}

fn fields(meta: &Meta, context: &mut Context) -> JsResult<JsObject> {
    let texts = [
        ("extensionId", &meta.extension_id),
        ("version", &meta.version),
        ("sdkVersion", &meta.sdk_version),
        ("locale", &meta.locale),
    ];
    frozen(texts.map(|(name, text)| (name, JsString::from(text.as_str()).into())), context)
}

fn frozen<'n>(members: impl IntoIterator<Item = (&'n str, JsValue)>, context: &mut Context) -> JsResult<JsObject> {
    let object = JsObject::with_object_proto(context.intrinsics());
    for (name, value) in members {
        let property = PropertyDescriptor::builder().value(value).writable(false).enumerable(true).configurable(false);
        object.insert_property(JsString::from(name), property);
    }
    object.set_integrity_level(IntegrityLevel::Frozen, context)?;
    Ok(object)
}
