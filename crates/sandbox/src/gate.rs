//! The gate: what happens before each SDK call (spec: ifc-sdk.md §4).
//!
//! Owns the order — arguments, capability from the actual arguments, whether it is built — and builds the function
//! objects, so that no implementation is reachable around it.

use std::{rc::Rc, sync::LazyLock};

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction,
    object::{
        FunctionObjectBuilder, IntegrityLevel,
        builtins::{JsFunction, JsPromise},
    },
};
use holdpoint_check::{Args, Code, Sentence, args};
use holdpoint_sdk::{
    capability::{Capability, covering},
    members::{CtxKind, Method, sdk},
    need::{Need, Source},
};
use serde_json::json;

use crate::{
    arguments,
    built::{self, Implementation},
    error::{CAPABILITY_DENIED, REACH, SdkError},
    host::Host,
    json,
    meter::OF_CALL,
};

/// A function of the SDK with its dotted path.
pub(crate) struct Member {
    pub(crate) path: String,
    pub(crate) method: &'static Method,
    implementation: Option<Implementation>,
}

/// One call that passed the gate.
pub(crate) struct Call<'a> {
    pub(crate) path: &'static str,
    pub(crate) args: &'a [JsValue],
    pub(crate) host: &'a Host,
    pub(crate) depth: usize,
    pub(crate) context: &'a mut Context,
}

impl Call<'_> {
    /// An argument, `undefined` when it was left out.
    pub(crate) fn arg(&self, index: usize) -> JsValue {
        self.args.get(index).cloned().unwrap_or_default()
    }

    /// A text argument that was checked.
    pub(crate) fn text(&self, index: usize) -> String {
        json::text(&self.arg(index)).unwrap_or_default()
    }

    pub(crate) fn wrong(&self, argument: &str, expected: &'static Code, values: Args<'_>) -> Refusal {
        SdkError::argument(self.path, argument, &Sentence::of(expected, values)).into()
    }

    /// `SDK_LIMIT`; `shown` is the limit in the unit of its sentence.
    pub(crate) fn limit(&self, code: &'static Code, shown: usize, limit: usize) -> Refusal {
        SdkError::limit(self.path, code, shown, limit).into()
    }
}

/// Why a call did nothing.
pub(crate) enum Refusal {
    Sdk(Box<SdkError>),
    /// Something that extension code threw while its arguments were read.
    Js(boa_engine::JsError),
}

impl From<SdkError> for Refusal {
    fn from(error: SdkError) -> Self {
        Self::Sdk(Box::new(error))
    }
}

impl From<boa_engine::JsError> for Refusal {
    fn from(error: boa_engine::JsError) -> Self {
        Self::Js(error)
    }
}

pub(crate) type Answer = Result<JsValue, Refusal>;

static MEMBERS: LazyLock<Vec<Member>> = LazyLock::new(|| {
    let mut members = Vec::new();
    let mut add = |path: String, method: &'static Method| {
        let implementation = built::implementation(&path);
        members.push(Member { path, method, implementation });
    };
    for member in &sdk().ctx {
        match &member.kind {
            CtxKind::Method(method) => add(format!("ctx.{}", member.name), method),
            CtxKind::Group(methods) => {
                for method in methods {
                    add(format!("ctx.{}.{}", member.name, method.name), method);
                }
            }
            CtxKind::Bim | CtxKind::Fields(_) => {}
        }
    }
    for namespace in &sdk().namespaces {
        for method in &namespace.methods {
            add(format!("bim.{}.{}", namespace.name, method.name), method);
        }
    }
    members
});

/// The frozen function behind a dotted path of the data.
pub(crate) fn function(path: &str, depth: usize, context: &mut Context) -> JsResult<Option<JsFunction>> {
    let Some(member) = MEMBERS.iter().find(|member| member.path == path) else { return Ok(None) };
    let native = NativeFunction::from_copy_closure(move |_, args, context| enter(member, depth, args, context));
    let function = FunctionObjectBuilder::new(context.realm(), native)
        .name(JsString::from(member.method.name.as_str()))
        .length(member.method.required())
        .build();
    function.set_integrity_level(IntegrityLevel::Frozen, context)?;
    Ok(Some(function))
}

fn enter(member: &'static Member, depth: usize, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let host = Host::of(context);
    host.meter.spend(OF_CALL)?;
    let answer = pass(member, depth, args, &host, context);
    host.room()?;
    let error = match answer {
        Ok(value) => {
            host.meter.spend(answered(&value, context)?)?;
            return Ok(value);
        }
        Err(Refusal::Js(error)) => error,
        Err(Refusal::Sdk(error)) => error.into_js(context),
    };
    if !member.method.returns.starts_with("Promise") {
        return Err(error);
    }
    let reason = error.into_opaque(context)?;
    Ok(JsPromise::reject(boa_engine::JsError::from_opaque(reason), context)?.into())
}

/// Entities or rows of an answer.
fn answered(value: &JsValue, context: &mut Context) -> JsResult<u64> {
    match value.as_object() {
        Some(object) if object.is_array() => json::length(&object, context),
        _ => Ok(0),
    }
}

fn pass(member: &'static Member, depth: usize, args: &[JsValue], host: &Rc<Host>, context: &mut Context) -> Answer {
    let call = member.path.as_str();
    arguments::check(call, member.method, args, context)??;
    allow(member, args, host)?;
    let Some(implementation) = member.implementation else { return Err(SdkError::unavailable(call).into()) };
    implementation(&mut Call { path: call, args, host, depth, context })
}

/// Refuses a call that no grant covers with these arguments.
fn allow(member: &'static Member, args: &[JsValue], host: &Host) -> Result<(), SdkError> {
    let argument = |index: usize| args.get(index).and_then(json::text);
    let need = &member.method.need;
    if let Need::Fixed(needed) = need {
        return require(&member.path, needed, host);
    }
    if let Need::Targeted { source: Source::Command(index), .. } = need
        && argument(*index).is_some_and(|id| host.program.commands.contains_key(&id))
    {
        return Ok(());
    }
    let needed = need.resolve(argument).map_err(|fault| SdkError {
        said: Sentence::of(&REACH, args! { call: member.path, fault: fault.finding.sentence() }),
        details: json!({"call": member.path, "capability": fault.finding.code, "hint": fault.finding.hint}),
    })?;
    let Some(needed) = needed else { return Ok(()) };
    require(&member.path, &needed, host)
}

/// Refuses when no grant covers the capability.
pub(crate) fn require(call: &str, needed: &Capability, host: &Host) -> Result<(), SdkError> {
    if covering(&host.grants, needed).is_some() {
        return Ok(());
    }
    let granted: Vec<&str> = host.grants.iter().map(Capability::canonical).collect();
    let needed = needed.canonical();
    Err(SdkError {
        said: Sentence::of(&CAPABILITY_DENIED, args! { call, needed }),
        details: json!({"call": call, "required": needed, "granted": granted}),
    })
}
