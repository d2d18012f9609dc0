//! `CODE_EVAL`: code that makes code.
//!
//! Why: what is made at run time was never checked. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::{Findings, Module};

use crate::code::names::{NameVerdict, unresolved};
use crate::code::rule::{Context, Rule};

codes! {
    /// it is code that makes code
    CODE_EVAL: Error, "Write the code itself instead of giving text to `{name}`." [name];
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, _: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for (_, name, _) in unresolved(module).filter(|(_, _, verdict)| *verdict == NameVerdict::Evaluating) {
        findings.at(name.span, &CODE_EVAL, args! { name: name.name.as_str() });
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn reaches_aliases_and_spares_lookalikes() {
        let cases = [
            ("const run = eval; run('1')", "1:13-1:17 CODE_EVAL"),
            ("class A extends Function {}", "1:17-1:25 CODE_EVAL"),
            ("export const g = (f = eval) => f", "1:23-1:27 CODE_EVAL"),
            ("const evaluate = 1; evaluate", ""),
            ("export function f(Function) { return Function }", ""),
            ("typeof eval", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
