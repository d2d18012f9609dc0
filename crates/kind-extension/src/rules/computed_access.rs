//! `CODE_COMPUTED_ACCESS`: members of built-ins under a key that is not constant.
//!
//! Why: with such a key every other rule on members could be passed by. The SDK's own members are followed by
//! `code::sdk::trace`, which reports the same code. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::ast::BindingPattern;
use holdpoint_js::tree::{AstKind, GetSpan};
use holdpoint_js::{Findings, Module};

use crate::code::names::is_builtin;
use crate::code::rule::{Context, Rule};

codes! {
    /// a key known only at run time on a built-in or the SDK
    CODE_COMPUTED_ACCESS / BUILT_IN: Error, "Name the member: a built-in takes only constant keys.";
    CODE_COMPUTED_ACCESS / SDK: Error, "Name the member: the key must be constant.";
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, context: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::ComputedMemberExpression(member)
                if is_builtin(module, &member.object)
                    && context.folder.constants(module, &member.expression).is_none() =>
            {
                findings.at(member.expression.span(), &BUILT_IN, args! {});
            }
            AstKind::VariableDeclarator(declarator) => {
                let (BindingPattern::ObjectPattern(pattern), Some(init)) = (&declarator.id, &declarator.init) else {
                    continue;
                };
                for property in pattern.properties.iter().filter(|property| property.computed) {
                    let Some(key) = property.key.as_expression() else { continue };
                    if is_builtin(module, init) && context.folder.constants(module, key).is_none() {
                        findings.at(key.span(), &BUILT_IN, args! {});
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn own_data_may_be_indexed() {
        let cases = [
            ("export const f = (k) => Math[k]", "1:30-1:31 CODE_COMPUTED_ACCESS"),
            ("const O = Object; export const f = (k) => O[k]", "1:45-1:46 CODE_COMPUTED_ACCESS"),
            ("export const f = (k) => { const { [k]: m } = JSON; return m }", "1:36-1:37 CODE_COMPUTED_ACCESS"),
            ("export const f = (ctx, k) => ctx.bim.query[k]", "1:44-1:45 CODE_COMPUTED_ACCESS"),
            ("export const f = (k) => ({ a: 1 })[k] + [1][k] + 'abc'[k]", ""),
            ("for (const k of ['min', 'max']) Math[k](1)", ""),
            ("Math['m' + 'in'](1)", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
