//! `CODE_UNSUPPORTED`: what the sandbox's engine would get wrong in silence and the metering cannot put right.
//!
//! Why: a refusal says what to write instead; a wrong value says nothing. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::ast::{Argument, AssignmentTarget, CallExpression, Expression, SimpleAssignmentTarget};
use holdpoint_js::tree::{AstKind, GetSpan, NodeId, Span, SymbolId};
use holdpoint_js::{Findings, Module, WaitsBeside, beside_returns};

use crate::code::rule::{Context, Rule};

codes! {
    /// what the sandbox cannot run as the language says
    CODE_UNSUPPORTED / RETURN: Error, "Return behind the `finally`: inside it, a `return` from a `try` with its own `finally` takes the place of the one that waits.";
    CODE_UNSUPPORTED / CAUGHT: Error, "Put this `try` into a function of its own that is called here, or return behind the `finally`: where an error is caught while a `return` waits, the value that waits is lost.";
    CODE_UNSUPPORTED / LOCALE: Error, "Write the text out, as with `toFixed` and `toISOString`, or compare with `<`: the sandbox knows `{name}` in English without options only." [name];
    CODE_UNSUPPORTED / SUPER: Error, "Change a member of `super` in a statement of its own: the value that it had is lost.";
    CODE_UNSUPPORTED / REST: Error, "Take the rest of an object into a variable, and assign that.";
    CODE_UNSUPPORTED / CASE: Error, "Declare `{name}` before the `switch`: one case declares it, another one uses it." [name];
    CODE_UNSUPPORTED / EARLY: Error, "Declare `{name}` before it gets a value." [name];
}

pub const RULE: Rule = Rule { codes: CODES, check };

fn check<'m, 'a>(module: &'m Module<'a>, _: &'m Context<'_, 'a>, findings: &mut Findings<'m, 'a>) {
    let leaving = leaving(module);
    let waiting = leaving.iter().filter(|(node, _)| {
        matches!(module.kind(*node), AstKind::ReturnStatement(_)) && waits_twice(module, *node, &leaving)
    });
    let waiting: Vec<Span> = waiting.map(|(_, span)| *span).collect();
    for span in &waiting {
        findings.at(*span, &RETURN, args! {});
    }
    for WaitsBeside { span, is_apart } in beside_returns(module) {
        if !is_apart && !waiting.iter().any(|own| span.contains_inclusive(*own)) {
            findings.at(Span::new(span.start, span.start + "try".len() as u32), &CAUGHT, args! {});
        }
    }
    for node in module.nodes().iter() {
        let is_alone = || matches!(module.kind(module.parent(node.id())), AstKind::ExpressionStatement(_));
        match node.kind() {
            AstKind::CallExpression(call) => in_a_language(call, findings),
            AstKind::UpdateExpression(update) if !update.prefix && is_above(&update.argument) && !is_alone() => {
                findings.at(update.span, &SUPER, args! {});
            }
            _ => {}
        }
        let AstKind::ObjectAssignmentTarget(pattern) = node.kind() else { continue };
        let rest = pattern
            .rest
            .as_ref()
            .filter(|rest| !matches!(rest.target, AssignmentTarget::AssignmentTargetIdentifier(_)));
        if let Some(rest) = rest {
            findings.at(rest.span, &REST, args! {});
        }
    }
    for symbol in module.scoping().symbol_ids() {
        declared_later(module, symbol, findings);
    }
}

/// Whether a target is a member of `super`.
fn is_above(target: &SimpleAssignmentTarget<'_>) -> bool {
    target.as_member_expression().is_some_and(|own| matches!(own.object(), Expression::Super(_)))
}

/// Texts for people that are asked for in a language, or with options.
fn in_a_language<'m, 'a>(call: &'m CallExpression<'a>, findings: &mut Findings<'m, 'a>) {
    let Expression::StaticMemberExpression(callee) = &call.callee else { return };
    let name = callee.property.name.as_str();
    let first = match name {
        "localeCompare" => 1,
        "toLocaleString" | "toLocaleDateString" | "toLocaleTimeString" | "toLocaleUpperCase" | "toLocaleLowerCase" => 0,
        _ => return,
    };
    let is_default = |given: &Argument<'_>| match given {
        Argument::StringLiteral(language) => matches!(language.value.as_str(), "en" | "en-US"),
        Argument::Identifier(name) => name.name == "undefined",
        _ => false,
    };
    if let Some(asked) = call.arguments.iter().skip(first).find(|given| !is_default(given)) {
        findings.at(asked.span(), &LOCALE, args! { name });
    }
}

/// Uses of a `let`, a `const` or a parameter before it is there, where the engine does not throw as the language does.
fn declared_later<'m, 'a>(module: &'m Module<'a>, symbol: SymbolId, findings: &mut Findings<'m, 'a>) {
    let declaration = module.scoping().symbol_declaration(symbol);
    let around = module.parent(declaration);
    let own_loop = match (module.kind(declaration), module.kind(around)) {
        (AstKind::FormalParameter(_), _) => false,
        (_, AstKind::VariableDeclaration(own)) if !own.kind.is_var() => {
            matches!(module.kind(module.parent(around)), AstKind::ForStatement(_))
        }
        _ => return,
    };
    let name = module.scoping().symbol_name(symbol);
    let case = switch_case(module, around);
    for reference in module.scoping().get_resolved_references(symbol) {
        let (node, span) = (reference.node_id(), module.span(reference.node_id()));
        let other_case = case.is_some_and(|(switch, case)| {
            module.ancestors(node).any(|kind| matches!(kind, AstKind::SwitchStatement(own) if own.span == switch))
                && !(case.start <= span.start && span.end <= case.end)
        });
        let written = reference.is_write() && !reference.is_read();
        let early = (written || own_loop) && span.start < module.span(declaration).end;
        if other_case {
            findings.at(span, &CASE, args! { name });
        } else if early && function(module, node) == function(module, declaration) {
            findings.at(span, &EARLY, args! { name });
        }
    }
}

/// The `switch` and the case in which a declaration stands itself, in no block.
fn switch_case(module: &Module, declaration: NodeId) -> Option<(Span, Span)> {
    let case = module.parent(declaration);
    let AstKind::SwitchCase(own) = module.kind(case) else { return None };
    Some((module.span(module.parent(case)), own.span))
}

/// The function around a node.
fn function(module: &Module, node: NodeId) -> Option<Span> {
    module.ancestors(node).find_map(|kind| match kind {
        AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => Some(kind.span()),
        _ => None,
    })
}

/// Every `return`, and every `yield`, where a generator may be ended.
fn leaving(module: &Module) -> Vec<(NodeId, Span)> {
    let found = module.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::ReturnStatement(own) => Some((node.id(), own.span)),
        AstKind::YieldExpression(own) => Some((node.id(), own.span)),
        _ => None,
    });
    found.collect()
}

/// Whether a `return` waits for a `finally` inside another `finally`, for which a `return` waits too.
fn waits_twice(module: &Module, node: NodeId, leaving: &[(NodeId, Span)]) -> bool {
    let (mut inner, mut waits) = (module.span(node), false);
    for kind in module.ancestors(node) {
        match kind {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => return false,
            AstKind::TryStatement(own) => match &own.finalizer {
                Some(last) if last.span == inner => {
                    let before = Span::new(own.span.start, last.span.start);
                    let inside = |span: &Span| before.start <= span.start && span.end <= before.end;
                    if waits && leaving.iter().any(|(_, span)| inside(span)) {
                        return true;
                    }
                }
                Some(_) => waits = true,
                None => {}
            },
            _ => {}
        }
        inner = kind.span();
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::code::test::findings;

    #[test]
    fn names_before_they_are_there() {
        let cases = [
            (
                "export const f = (k) => { switch (k) { case 0: let a = 1; return a; default: return a } }",
                "1:85-1:86 CODE_UNSUPPORTED",
            ),
            (
                "export const f = (k) => { switch (k) { case 0: { let a = 1; return a } default: let b = 2; return b } }",
                "",
            ),
            ("export const f = () => { a = 1; let a = 2; return a }", "1:26-1:27 CODE_UNSUPPORTED"),
            ("export const f = () => { const g = () => { a = 1 }; let a = 2; g(); return a }", ""),
            ("export const f = () => { a = 1; var a; return a }", ""),
            ("export const f = (a = (b = 1), b = 2) => [a, b]", "1:24-1:25 CODE_UNSUPPORTED"),
            ("export const f = (a, b = (a = 2)) => [a, b]", ""),
            ("export const f = () => { for (let i = i; ; ) return i }", "1:39-1:40 CODE_UNSUPPORTED"),
            ("export const f = () => { for (let i = 1, n = i; i < n; i++) return i }", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }

    #[test]
    fn rests_of_objects_are_names() {
        let cases = [
            ("export const f = (o, p) => { ({ a: p.a, ...p.rest } = o) }", "1:41-1:50 CODE_UNSUPPORTED"),
            ("export const f = (o, p) => { let rest; ({ a: p.a, ...rest } = o); [p.a, ...p.all] = [rest] }", ""),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }

    #[test]
    fn members_of_super_that_are_updated() {
        let cases = [
            ("super.a++; return ++super.b", ""),
            ("return super.a--", "1:46-1:55 CODE_UNSUPPORTED"),
            ("return [super['a']++]", "1:47-1:59 CODE_UNSUPPORTED"),
        ];
        for (body, want) in cases {
            assert_eq!(findings(&format!("export class A extends Object {{ m() {{ {body} }} }}")), want, "{body}");
        }
    }

    #[test]
    fn texts_in_a_language() {
        let cases = [
            ("a.toLocaleString() + a?.toLocaleDateString('en-US') + a.localeCompare('b', 'en')", ""),
            ("a.toLocaleString(undefined)", ""),
            ("a.toLocaleString('sv-SE')", "1:42-1:49 CODE_UNSUPPORTED"),
            ("a?.toLocaleString('en', { style: 'unit' })", "1:49-1:66 CODE_UNSUPPORTED"),
            ("a.localeCompare(a, ...a)", "1:44-1:48 CODE_UNSUPPORTED"),
        ];
        for (value, want) in cases {
            assert_eq!(findings(&format!("export const f = (a) => {value}")), want, "{value}");
        }
    }

    #[test]
    fn errors_that_are_caught_while_a_return_waits() {
        let refused = "1:63-1:66 CODE_UNSUPPORTED";
        let cases = [
            ("try { return 1 } finally { try { g() } catch { return 2 } }", refused),
            ("try { return 1 } finally { try { g() } catch { var a = 1 } }", refused),
            ("try { return 1 } finally { try { await g() } catch { g() } }", refused),
            ("for (;;) try { return 1 } finally { try { g() } catch { continue } }", "1:72-1:75 CODE_UNSUPPORTED"),
            ("try { return 1 } finally { try { g() } catch { for (;;) break } }", ""),
            ("try { return 1 } finally { try { await g() } finally { g() } }", ""),
            ("try { g() } finally { try { await g() } catch { g() } }", ""),
            ("try { return 1 } finally { (async () => { try { await g() } catch { g() } })() }", ""),
            ("try { (() => { return 1 })() } finally { try { await g() } catch { g() } }", ""),
        ];
        for (body, want) in cases {
            let code = format!("export async function f() {{        {body} }}\nfunction g() {{}}");
            assert_eq!(findings(&code), want, "{body}");
        }
    }

    #[test]
    fn returns_that_wait_inside_a_finally() {
        let cases = [
            (
                "export function f() { try { return 1 } finally { l: try { return 2 } finally { break l } } }",
                "1:59-1:67 CODE_UNSUPPORTED",
            ),
            (
                "export function f() { try { g() } finally { try { return 2 } finally { h() } } }\nfunction g() {}\nfunction h() {}",
                "",
            ),
            (
                "export function f() { try { return 1 } finally { try { g() } finally { return 2 } } }\nfunction g() {}",
                "",
            ),
            (
                "export function f() { try { return 1 } finally { (() => { try { return 2 } finally { g() } })() } }\nfunction g() {}",
                "",
            ),
        ];
        for (code, want) in cases {
            assert_eq!(findings(code), want, "{code}");
        }
    }
}
