//! `CODE_THIS`: `this` only where it is an object of the source.
//!
//! Why: in a module and in a plain function it is nothing, so the code is wrong. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::{AstKind, GetSpan, NodeId};
use holdpoint_js::{Findings, Module};

use crate::code::rule::{Context, Rule};

codes! {
    /// this outside classes and methods
    CODE_THIS: Error, "Use `this` only in classes and methods: pass the value as a parameter.";
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, _: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for node in module.nodes().iter() {
        if let AstKind::ThisExpression(this) = node.kind()
            && !is_bound(module, node.id())
        {
            findings.at(this.span, &CODE_THIS, args! {});
        }
    }
}

fn is_bound(module: &Module, this: NodeId) -> bool {
    let mut inner = this;
    loop {
        let node = module.parent(inner);
        match module.kind(node) {
            AstKind::Program(_) => return false,
            AstKind::Function(_) => {
                return matches!(
                    module.kind(module.parent(node)),
                    AstKind::MethodDefinition(_) | AstKind::PropertyDefinition(_) | AstKind::ObjectProperty(_)
                );
            }
            AstKind::StaticBlock(_) => return true,
            AstKind::PropertyDefinition(field)
                if field.value.as_ref().is_some_and(|value| {
                    let (outer, own) = (value.span(), module.span(inner));
                    outer == own
                }) =>
            {
                return true;
            }
            _ => {}
        }
        inner = node;
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn methods_and_arrows_in_them() {
        let cases = [
            ("export const g = this", "1:18-1:22 CODE_THIS"),
            ("export const g = () => this", "1:24-1:28 CODE_THIS"),
            ("export function f() { return this }", "1:30-1:34 CODE_THIS"),
            ("export const o = { f() { return this }, g: function () { return () => this } }", ""),
            ("export class A { n = this; m = () => this; static { this.k = 1 } get x() { return this } }", ""),
            ("export class A { m() { return function () { return this } } }", "1:52-1:56 CODE_THIS"),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
