//! `CODE_IMPORT`: modules come from the bundle.
//!
//! Why: what is not in the bundle was not checked, and the sandbox loads nothing. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::AstKind;
use holdpoint_js::{Findings, Module};
use holdpoint_sdk::near;

use crate::code::rule::{Context, Rule};

codes! {
    /// an import from outside the bundle
    CODE_IMPORT / FILE: Error, "Import a `.js` file of the bundle by its relative path, ending included.";
    CODE_IMPORT / META: Error, "Leave out `import.meta`: a bundle has no place of its own.";
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, context: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for specifier in module.specifiers() {
        if context.world.resolve(module.path, &specifier.value).is_none() {
            let file = specifier.value.rsplit('/').next().unwrap_or_default();
            let finding = findings.at(specifier.span, &FILE, args! {});
            finding.hint = Some(near::hint(file, &context.world.paths));
        }
    }
    for node in module.nodes().iter() {
        if let AstKind::ImportMeta(meta) = node.kind() {
            findings.at(meta.span, &META, args! {});
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn specifiers() {
        let cases = [
            ("import _ from \"lodash\"; _", "1:15-1:23 CODE_IMPORT"),
            ("import \"./missing.js\"", "1:8-1:22 CODE_IMPORT"),
            ("export * from \"./lib\"", "1:15-1:22 CODE_IMPORT"),
            ("export { a } from \"../../lib.js\"", "1:19-1:33 CODE_IMPORT"),
            ("import.meta.url", "1:1-1:12 CODE_IMPORT"),
            ("import \"./lib.js\"; import \"../src/lib.js\"", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
