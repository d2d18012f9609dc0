//! `CODE_FORBIDDEN_GLOBAL`: names of hosts.
//!
//! Why: they are not there in the sandbox, and where they are they reach out of it. Spec: ifc-extension.md §6.2.

use holdpoint_js::{Findings, Module};

use crate::ifc_extension::code::names::{Verdict, unresolved};
use crate::ifc_extension::code::rule::{Context, Rule};

pub const RULE: Rule = Rule { code: "CODE_FORBIDDEN_GLOBAL", check };

fn check<'m, 'a>(module: &'m Module<'a>, _: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for (_, name, _) in unresolved(module).filter(|(_, _, verdict)| *verdict == Verdict::Forbidden) {
        let message = match name.name.as_str() {
            "fetch" => "Use `ctx.fetch`.".to_owned(),
            "localStorage" | "sessionStorage" | "indexedDB" => "Use `ctx.storage`.".to_owned(),
            "alert" | "confirm" | "prompt" => "Use `ctx.notify`.".to_owned(),
            "require" | "module" | "exports" => "Use `import` and `export`.".to_owned(),
            other => format!("Do it with `ctx`: there is no `{other}` in the sandbox."),
        };
        findings.at(RULE.code, name.span, message);
    }
}

#[cfg(test)]
mod tests {
    use crate::ifc_extension::code::test::findings;

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
