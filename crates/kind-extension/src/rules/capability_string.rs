//! `CODE_CAPABILITY_STRING`: capabilities are written, not made.
//!
//! Why: a capability that is put together at run time cannot be shown to anybody before. Spec: ifc-extension.md §6.3.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::ast::{BinaryOperator, CallExpression, Expression};
use holdpoint_js::tree::{AstKind, GetSpan, NodeId};
use holdpoint_js::{Findings, Module, Piece, Value};
use holdpoint_sdk::capability::catalogue;

use crate::code::rule::{Context, Rule};

codes! {
    /// a capability built at run time
    CODE_CAPABILITY_STRING / WHOLE: Error, "Write the whole capability as a constant text.";
    CODE_CAPABILITY_STRING / CONSTANT: Error, "Write the capability as a constant text.";
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, context: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    for node in module.nodes().iter() {
        if !builds(module, node.id()) || is_part(module, node.id()) {
            continue;
        }
        let choices = match node.kind() {
            AstKind::BinaryExpression(binary) => context.folder.binary_choices(module, binary),
            AstKind::TemplateLiteral(template) => context.folder.template_choices(module, template),
            AstKind::CallExpression(call) => context.folder.call_choices(module, call),
            _ => continue,
        };
        if choices.iter().any(is_made_capability) {
            findings.at(node.kind().span(), &WHOLE, args! {});
        }
    }
}

fn is_made_capability(value: &Value) -> bool {
    let Value::Text(pieces) = value else { return false };
    let [Piece::Text(beginning), _, ..] = pieces.as_slice() else { return false };
    catalogue()
        .iter()
        .filter(|entry| entry.target.is_some())
        .any(|entry| beginning.strip_prefix(entry.name.as_str()).is_some_and(|rest| rest.starts_with(':')))
}

/// Whether a node builds a text.
fn builds(module: &Module, node: NodeId) -> bool {
    match module.kind(node) {
        AstKind::BinaryExpression(binary) => binary.operator == BinaryOperator::Addition,
        AstKind::TemplateLiteral(_) => {
            !matches!(module.kind(module.parent(node)), AstKind::TaggedTemplateExpression(_))
        }
        AstKind::CallExpression(call) => is_joining(call),
        _ => false,
    }
}

fn is_joining(call: &CallExpression) -> bool {
    matches!(&call.callee, Expression::StaticMemberExpression(callee)
        if matches!(callee.property.name.as_str(), "join" | "concat"))
}

/// Whether it is only a part of a larger text.
fn is_part(module: &Module, node: NodeId) -> bool {
    let parent = module.parent(node);
    match module.kind(parent) {
        AstKind::StaticMemberExpression(_) | AstKind::ArrayExpression(_) | AstKind::ChainExpression(_) => {
            let outer = module.parent(parent);
            builds(module, outer)
                || matches!(module.kind(parent), AstKind::ArrayExpression(_)) && is_part(module, parent)
        }
        _ => builds(module, parent),
    }
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn texts() {
        let cases = [
            ("export const f = (h) => `network.fetch:${h}`", "1:25-1:45 CODE_CAPABILITY_STRING"),
            ("export const f = (h) => 'network.' + 'fetch:' + h + '.org'", "1:25-1:59 CODE_CAPABILITY_STRING"),
            ("export const f = (h) => ['command.invoke', h].join(':')", "1:25-1:56 CODE_CAPABILITY_STRING"),
            ("export const f = (h) => 'export.create:'.concat(h)", "1:25-1:51 CODE_CAPABILITY_STRING"),
            ("const P = 'model.mutate:'; export const f = (h) => P + h", "1:52-1:57 CODE_CAPABILITY_STRING"),
            ("export default (ctx, a) => ctx.can(a)", "1:36-1:37 CODE_CAPABILITY_STRING"),
            ("export default (ctx) => ctx.can('model.write')", "1:33-1:46 UNKNOWN_CAPABILITY"),
            ("export const f = (h) => 'Export: ' + h", ""),
            ("export const f = (h) => `model.${h}`", ""),
            ("export const f = () => 'export.create:' + 'csv'", ""),
            ("export const f = (h) => 'model.read:' + h", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
