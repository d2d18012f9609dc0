//! `CODE_UNKNOWN_NAME`: names that nothing declares.
//!
//! Why: names are refused unless they are known. Spec: ifc-extension.md §6.2.

use std::collections::BTreeMap;

use holdpoint_check::{Fix, args, codes};
use holdpoint_js::tree::ast::BindingPattern;
use holdpoint_js::tree::{AstKind, NodeId, Span};
use holdpoint_js::{Findings, Module};
use holdpoint_sdk::near;

use crate::code::names::{NameVerdict, allowed, unresolved};
use crate::code::rule::{Context, Rule};

codes! {
    /// a name that nothing declares
    CODE_UNKNOWN_NAME / BIM: Error, "Write `{name}.bim`." [name];
    CODE_UNKNOWN_NAME / NAME: Error, "Declare `{name}`, import it, or take it from `ctx`." [name];
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, context: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    let entered = parameters(module, context);
    let mut hints: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for (node, name, _) in unresolved(module).filter(|(_, _, verdict)| *verdict == NameVerdict::Unknown) {
        let parameter = (name.name == "bim").then(|| entry_parameter(module, &entered, node)).flatten();
        let (code, said) = match &parameter {
            Some(parameter) => (&BIM, parameter.as_str()),
            None => (&NAME, name.name.as_str()),
        };
        let range = module.range(name.span);
        let finding = findings.at(name.span, code, args! { name: said });
        let hint = || near::misspelled(&name.name, allowed()).map(|near| format!("Nearest: {near}."));
        finding.hint.clone_from(hints.entry(name.name.as_str()).or_insert_with(hint));
        finding.fix = parameter.map(|parameter| {
            let shorthand = matches!(module.kind(module.parent(node)),
                AstKind::ObjectProperty(property) if property.shorthand);
            vec![Fix::text(range, if shorthand { format!("bim: {parameter}.bim") } else { format!("{parameter}.bim") })]
        });
    }
}

/// Where the parameters of the module's entry functions stand, and the name of the first.
fn parameters(module: &Module, context: &Context) -> BTreeMap<Span, String> {
    let entries = context.entries.iter().filter_map(|entry| {
        let (function, callable) = context.world.entry(&entry.path, entry.role.function_name())?;
        let parameters = callable.params();
        match &parameters.items.first()?.pattern {
            BindingPattern::BindingIdentifier(name) if function.module == module.path => {
                Some((parameters.span, name.name.to_string()))
            }
            _ => None,
        }
    });
    entries.collect()
}

/// The first parameter of the entry function that the node stands in.
fn entry_parameter(module: &Module, entered: &BTreeMap<Span, String>, node: NodeId) -> Option<String> {
    module.ancestors(node).find_map(|kind| match kind {
        AstKind::Function(function) => entered.get(&function.params.span).cloned(),
        AstKind::ArrowFunctionExpression(arrow) => entered.get(&arrow.params.span).cloned(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::code::test::{findings, report};
    use holdpoint_check::{Fix, Position, Range};

    #[test]
    fn names() {
        let cases = [
            ("structuredClone(1)", "1:1-1:16 CODE_UNKNOWN_NAME"),
            ("total = 1", "1:1-1:6 CODE_UNKNOWN_NAME"),
            ("export const f = () => arguments", "1:24-1:33 CODE_UNKNOWN_NAME"),
            ("export function f() { return () => arguments[0] }", ""),
            ("label: for (;;) break label", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }

    #[test]
    fn a_bare_bim_has_a_fix() {
        let report = report("export default (c) => bim.query.all()");
        let at = |column| Position { line: 1, column };
        let want = vec![Fix::text(Range { start: at(23), end: at(26) }, "c.bim")];
        assert_eq!(report.diagnostics[0].fix, Some(want));
    }
}
