//! One fresh realm a call: ECMAScript built-ins minus everything that has authority (spec: ifc-sdk.md §6.1, §6.5).
//!
//! Owns what the realm does *not* hold. Invariant: no string is ever compiled, whatever path leads to a constructor of
//! functions, because the engine's own hook refuses; deleting names is only the second line.

mod around;
mod attributes;
mod char_codes;
mod clock;
mod collation;
mod dates;
mod digits;
mod hooks;
mod jobs;
mod last_index;
mod legacy;
mod loader;
mod locale;
mod powers;
mod quotients;
mod random;
mod sized;
mod sort;
mod source;
mod written;

use std::rc::Rc;

use boa_engine::{
    Context, JsNativeError, JsResult, JsString, NativeFunction,
    context::ContextBuilder,
    object::FunctionObjectBuilder,
    property::{Attribute, PropertyDescriptor},
};
use holdpoint_sdk::run::Program;

pub(crate) use clock::START_MILLIS;
pub(crate) use hooks::Hooks;
pub(crate) use loader::Loader;

use crate::{
    budget::{MAX_ENGINE_DEPTH, MAX_STACK_VALUES},
    meter,
};

/// Global names that a realm does not have (the engine has no timers, network, storage or workers to begin with).
const REMOVED: &[&str] = &[
    "eval",
    "Function",
    "globalThis",
    "Reflect",
    "Proxy",
    "WebAssembly",
    "SharedArrayBuffer",
    "Atomics",
    "WeakRef",
    "FinalizationRegistry",
    "Intl",
    "Temporal",
    "escape",
    "unescape",
];

/// A context with a fresh realm.
pub(crate) fn fresh(program: &Program, hooks: &Rc<Hooks>) -> JsResult<Context> {
    let loader = Rc::new(Loader::new(program));
    let builder = ContextBuilder::new().host_hooks(hooks.clone()).module_loader(loader);
    let builder = builder.job_executor(Rc::new(jobs::Jobs::default()));
    let builder = if program.seed.is_some() { builder.clock(Rc::new(clock::TestClock::default())) } else { builder };
    let mut context = builder.build()?;
    context.strict(true);
    let limits = context.runtime_limits_mut();
    limits.set_recursion_limit(MAX_ENGINE_DEPTH);
    limits.set_stack_size_limit(MAX_STACK_VALUES);

    let global = context.global_object();
    for name in REMOVED {
        global.delete_property_or_throw(JsString::from(*name), &mut context)?;
    }
    sized::watch(&context);
    sort::replace(&context);
    source::replace(&context);
    digits::replace(&context);
    last_index::replace(&context);
    legacy::install(&context);
    char_codes::replace(&context);
    attributes::replace(&context);
    collation::replace(&context);
    dates::replace(&context);
    locale::replace(&context);
    powers::replace(&mut context)?;
    keep_texts(&context);
    meter::install(&program.metering.prefix, &mut context);
    written::install(&program.metering.prefix, &context);
    if let Some(seed) = &program.seed {
        seed_random(seed, &mut context)?;
    }
    Ok(context)
}

/// The text of a function is that of a native one: its own holds the metering.
fn keep_texts(context: &Context) {
    let text = NativeFunction::from_fn_ptr(|this, _, context| {
        let Some(function) = this.as_callable() else {
            return Err(JsNativeError::typ().with_message("not a function").into());
        };
        let name = function.get(JsString::from("name"), context)?;
        let name = name.as_string().map(|name| name.to_std_string_lossy()).unwrap_or_default();
        Ok(JsString::from(format!("function {name}() {{ [native code] }}")).into())
    });
    let text = FunctionObjectBuilder::new(context.realm(), text).name(JsString::from("toString")).build();
    let property = PropertyDescriptor::builder().value(text).writable(true).enumerable(false).configurable(true);
    context.intrinsics().constructors().function().prototype().insert_property(JsString::from("toString"), property);
}

/// Replaces `Math.random` by the generator of the specification.
fn seed_random(seed: &str, context: &mut Context) -> JsResult<()> {
    context.insert_data(random::Xoshiro::seeded(seed));
    let draw = NativeFunction::from_fn_ptr(|_, _, context| {
        Ok(context.get_data::<random::Xoshiro>().map_or(0.0, random::Xoshiro::next).into())
    });
    let function = FunctionObjectBuilder::new(context.realm(), draw).name(JsString::from("random")).build();
    let math = context.global_object().get(JsString::from("Math"), context)?;
    if let Some(math) = math.as_object() {
        let attribute = Attribute::WRITABLE | Attribute::CONFIGURABLE;
        math.insert_property(
            JsString::from("random"),
            boa_engine::property::PropertyDescriptor::builder()
                .value(function)
                .writable(attribute.writable())
                .enumerable(false)
                .configurable(attribute.configurable()),
        );
    }
    Ok(())
}
