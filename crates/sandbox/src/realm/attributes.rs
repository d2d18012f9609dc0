//! Attributes of members that `Object.defineProperty` changes: they outlive the members beside them.
//!
//! The engine forgets a change where another member is deleted later, because it remembers it as one of the member that
//! was added last. A member that was an accessor in between is remembered as added with what it has now.

use boa_engine::{
    Context, JsObject, JsResult, JsValue,
    object::builtins::JsFunction,
    property::{PropertyDescriptor, PropertyKey},
};

use super::around;

/// Puts the functions of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let constructor = context.intrinsics().constructors().object().constructor();
    around::replace(&constructor, "defineProperty", define_property, context);
    around::replace(&constructor, "defineProperties", define_properties, context);
}

fn define_property(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let (Some(object), [first, key, rest @ ..]) = (target(args), args) else { return own.call(this, args, context) };
    let key = key.to_property_key(context)?;
    let before = Members::of(&object, vec![key.clone()]);
    let given: Vec<JsValue> = [first.clone(), key.into()].into_iter().chain(rest.iter().cloned()).collect();
    let defined = own.call(this, &given, context);
    before.keep(&object);
    defined
}

fn define_properties(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let given = args.get(1).and_then(JsValue::as_object);
    let (Some(object), Some(given)) = (target(args), given) else { return own.call(this, args, context) };
    let before = Members::of(&object, given.own_property_keys(context)?);
    let defined = own.call(this, args, context);
    before.keep(&object);
    defined
}

/// The object whose members are defined, if it keeps them as every plain object does.
fn target(args: &[JsValue]) -> Option<JsObject> {
    args.first().and_then(JsValue::as_object).filter(JsObject::is_ordinary)
}

struct Members(Vec<(PropertyKey, PropertyDescriptor)>);

impl Members {
    /// Those of the keys that an object has; numbers as keys are remembered otherwise.
    fn of(object: &JsObject, keys: Vec<PropertyKey>) -> Self {
        let named = keys.into_iter().filter(|key| !matches!(key, PropertyKey::Index(_)));
        Self(named.filter_map(|key| own(object, &key).map(|member| (key, member))).collect())
    }

    /// Adds those anew in their places that have other attributes now.
    fn keep(self, object: &JsObject) {
        let changed = self.0.into_iter().filter_map(|(key, before)| {
            let now = own(object, &key)?;
            (before.is_accessor_descriptor() == now.is_accessor_descriptor() && attributes(&before) != attributes(&now))
                .then_some((key, now))
        });
        for (key, now) in changed.collect::<Vec<_>>() {
            let between = PropertyDescriptor::builder().enumerable(true).configurable(true);
            let between = if now.is_accessor_descriptor() {
                between.value(JsValue::undefined()).writable(true)
            } else {
                between.get(JsValue::undefined()).set(JsValue::undefined())
            };
            object.insert_property(key.clone(), between);
            object.insert_property(key, now);
        }
    }
}

fn own(object: &JsObject, key: &PropertyKey) -> Option<PropertyDescriptor> {
    object.borrow().properties().get(key)
}

fn attributes(member: &PropertyDescriptor) -> [Option<bool>; 5] {
    let (get, set) = (member.get().is_some(), member.set().is_some());
    [member.enumerable(), member.configurable(), member.writable(), Some(get), Some(set)]
}
