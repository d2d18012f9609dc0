//! `CODE_FORBIDDEN_GLOBAL`: names of hosts.
//!
//! Why: they are not there in the sandbox, and where they are they reach out of it. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::{Findings, Module};

use crate::code::names::{NameVerdict, unresolved};
use crate::code::rule::{Context, Rule};

codes! {
    /// a global that extensions do not have
    CODE_FORBIDDEN_GLOBAL / MEMBER: Error, "Use `{member}`." [member];
    CODE_FORBIDDEN_GLOBAL / MODULES: Error, "Use `import` and `export`.";
    CODE_FORBIDDEN_GLOBAL / NAME: Error, "Do it with `ctx`: there is no `{name}` in the sandbox." [name];
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, _: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for (_, name, _) in unresolved(module).filter(|(_, _, verdict)| *verdict == NameVerdict::Forbidden) {
        let (span, name) = (name.span, name.name.as_str());
        let member = match name {
            "fetch" => "ctx.fetch",
            "localStorage" | "sessionStorage" | "indexedDB" => "ctx.storage",
            "alert" | "confirm" | "prompt" => "ctx.notify",
            "require" | "module" | "exports" => {
                findings.at(span, &MODULES, args! {});
                continue;
            }
            _ => {
                findings.at(span, &NAME, args! { name });
                continue;
            }
        };
        findings.at(span, &MEMBER, args! { member });
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn read_or_written() {
        let cases = [
            ("window = 1", "1:1-1:7 CODE_FORBIDDEN_GLOBAL"),
            ("const o = { process }", "1:13-1:20 CODE_FORBIDDEN_GLOBAL"),
            ("[self] = [1]", "1:2-1:6 CODE_FORBIDDEN_GLOBAL"),
            ("const o = { window: 1 }; o.window", ""),
            ("typeof window", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
