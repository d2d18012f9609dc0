//! `CODE_DYNAMIC_IMPORT`: `import()` only of a bundle's module, by a literal.
//!
//! Why: a specifier that is made at run time names code that nobody checked. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::AstKind;
use holdpoint_js::tree::ast::Expression;
use holdpoint_js::{Findings, Module};

use crate::code::rule::{Context, Rule};

codes! {
    /// import() of what is not known
    CODE_DYNAMIC_IMPORT: Error, "Write the relative path of a `.js` file of the bundle as a literal.";
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, context: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for node in module.nodes().iter() {
        let AstKind::ImportExpression(import) = node.kind() else { continue };
        let known = matches!(&import.source, Expression::StringLiteral(specifier)
            if context.world.resolve(module.path, &specifier.value).is_some());
        if !known {
            findings.at(import.span, &CODE_DYNAMIC_IMPORT, args! {});
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn literals_only() {
        let cases = [
            ("export const f = (u) => import(u)", "1:25-1:34 CODE_DYNAMIC_IMPORT"),
            ("import('https://cdn.example.org/x.js')", "1:1-1:39 CODE_DYNAMIC_IMPORT"),
            ("import('./' + 'lib.js')", "1:1-1:24 CODE_DYNAMIC_IMPORT"),
            ("import('./lib.js')", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
