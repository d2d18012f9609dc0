//! `CODE_CONSTRUCTOR_ESCAPE`: ways from a value to what made it.
//!
//! Why: the constructor of a function makes code, and prototypes are shared. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::ast::{Expression, PropertyKey, PropertyKind};
use holdpoint_js::tree::{AstKind, GetSpan};
use holdpoint_js::{Findings, Module};

use crate::code::rule::{Context, Rule};

codes! {
    /// a way to constructors and prototypes
    CODE_CONSTRUCTOR_ESCAPE: Error, "Work with the value itself: constructors and prototypes are out of reach.";
}

pub const RULE: Rule = Rule { codes: CODES, check };

/// Members that are never read or written.
pub const NAMES: [&str; 9] = [
    "constructor",
    "prototype",
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "getPrototypeOf",
    "setPrototypeOf",
];

fn check<'m, 'a>(module: &'m Module<'a>, context: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    let computed = |key: &'a Expression<'a>| {
        context.folder.choices(module, key).iter().any(|value| value.constant().is_some_and(|name| refused(&name)))
    };
    let destructured = |key: &'a PropertyKey<'a>, is_computed: bool| match key.as_expression() {
        Some(expression) if is_computed => computed(expression),
        _ => key.static_name().is_some_and(|name| refused(&name)),
    };
    for node in module.nodes().iter() {
        let key = match node.kind() {
            AstKind::StaticMemberExpression(member) if refused(&member.property.name) => member.property.span,
            AstKind::ComputedMemberExpression(member) if computed(&member.expression) => member.expression.span(),
            AstKind::BindingProperty(property) if destructured(&property.key, property.computed) => property.key.span(),
            AstKind::AssignmentTargetPropertyProperty(property) if destructured(&property.name, property.computed) => {
                property.name.span()
            }
            AstKind::AssignmentTargetPropertyIdentifier(property) if refused(&property.binding.name) => {
                property.binding.span
            }
            // `{ __proto__: v }` sets the prototype; any other form makes an own property.
            AstKind::ObjectProperty(property)
                if property.kind == PropertyKind::Init
                    && !(property.computed || property.shorthand || property.method)
                    && property.key.static_name().is_some_and(|name| name == "__proto__") =>
            {
                property.key.span()
            }
            _ => continue,
        };
        findings.at(key, &CODE_CONSTRUCTOR_ESCAPE, args! {});
    }
}

fn refused(name: &str) -> bool {
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn keys() {
        let cases = [
            ("[].constructor", "1:4-1:15 CODE_CONSTRUCTOR_ESCAPE"),
            ("[]['con' + 'structor']", "1:4-1:22 CODE_CONSTRUCTOR_ESCAPE"),
            ("const k = ['proto', 'type'].join(''); [][k]", "1:42-1:43 CODE_CONSTRUCTOR_ESCAPE"),
            ("const { constructor: C } = []", "1:9-1:20 CODE_CONSTRUCTOR_ESCAPE"),
            ("const { ['__proto__']: C } = []", "1:10-1:21 CODE_CONSTRUCTOR_ESCAPE"),
            ("let c; ({ prototype: c } = [])", "1:11-1:20 CODE_CONSTRUCTOR_ESCAPE"),
            ("export const o = { __proto__: null }", "1:20-1:29 CODE_CONSTRUCTOR_ESCAPE"),
            ("for (const k of ['a', 'constructor']) [][k]", "1:42-1:43 CODE_CONSTRUCTOR_ESCAPE"),
            ("export const o = { constructor: 1, ['__proto__']: 2 }", ""),
            ("export class A { constructor() {} }", ""),
            ("export const s = 'constructor'", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
