//! `CODE_GLOBAL_WRITE`: built-ins and their members stay as they are.
//!
//! Why: every extension and test starts from the same built-ins; they are frozen. Writes to members of `ctx` are found
//! by `code::sdk::trace`, which reports the same code. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::{AstKind, GetSpan, Reference};
use holdpoint_js::{Findings, Module};

use crate::code::names::{NameVerdict, is_builtin, unresolved};
use crate::code::rule::{Context, Rule};

codes! {
    /// a write to a built-in or ctx
    CODE_GLOBAL_WRITE / BUILT_IN: Error, "Keep your own values in variables: built-ins are frozen.";
    CODE_GLOBAL_WRITE / CTX: Error, "Keep your own values in variables: `ctx` is frozen.";
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, _: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for (_, name, verdict) in unresolved(module) {
        let reference = name.reference_id.get().map(|id| module.scoping().get_reference(id));
        if verdict == NameVerdict::Allowed && reference.is_some_and(Reference::is_write) {
            findings.at(name.span, &BUILT_IN, args! {});
        }
    }
    for node in module.nodes().iter() {
        let object = match node.kind() {
            AstKind::StaticMemberExpression(member) => &member.object,
            AstKind::ComputedMemberExpression(member) => &member.object,
            _ => continue,
        };
        if module.is_written(node.id()) && is_builtin(module, object) {
            findings.at(node.kind().span(), &BUILT_IN, args! {});
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn targets() {
        let cases = [
            ("Math.random = () => 4", "1:1-1:12 CODE_GLOBAL_WRITE"),
            ("Array = 1", "1:1-1:6 CODE_GLOBAL_WRITE"),
            ("delete JSON.parse", "1:8-1:18 CODE_GLOBAL_WRITE"),
            ("Math.n++", "1:1-1:7 CODE_GLOBAL_WRITE"),
            ("[Math.x] = [1]", "1:2-1:8 CODE_GLOBAL_WRITE"),
            ("({ a: Math.x = 2 } = {})", "1:7-1:13 CODE_GLOBAL_WRITE"),
            ("for (Math.x of []);", "1:6-1:12 CODE_GLOBAL_WRITE"),
            ("const M = Math; M.x = 1", "1:17-1:20 CODE_GLOBAL_WRITE"),
            ("export default (ctx) => { ctx.state = 1 }", "1:27-1:36 CODE_GLOBAL_WRITE"),
            ("export default (ctx) => { delete ctx.log.info }", "1:34-1:46 CODE_GLOBAL_WRITE"),
            ("const o = {}; o.x = Math.x", ""),
            ("const Math = {}; Math.x = 1", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
