//! `CODE_UNSUPPORTED`: what the sandbox's engine would get wrong in silence and the metering cannot put right.
//!
//! Why: a refusal says what to write instead; a wrong value says nothing. Spec: ifc-extension.md §6.2.

use holdpoint_check::{args, codes};
use holdpoint_js::tree::ast::{
    Argument, AssignmentTarget, AssignmentTargetMaybeDefault, CallExpression, Expression, PropertyKey,
    SimpleAssignmentTarget,
};
use holdpoint_js::tree::{AstKind, GetSpan, NodeId, Span, SymbolId};
use holdpoint_js::{Findings, Module, WaitsBeside, arguments_in_fields, beside_returns, unread_in_member_names};

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
    CODE_UNSUPPORTED / ARGUMENTS: Error, "Take what this method is given as parameters, as in `(...given)`: inside the value of a field the sandbox does not know the `arguments` of private methods.";
    CODE_UNSUPPORTED / MEMBER: Error, "Make this name of a member before the class, as in `const name = …`, and write `[name]`: the sandbox gets what stands here wrong.";
    CODE_UNSUPPORTED / WAITS: Error, "Wait in a statement of its own before, and write the variable as this default: beside a computed key the sandbox does not read `await` and `yield`.";
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
    for span in arguments_in_fields(module) {
        findings.at(span, &ARGUMENTS, args! {});
    }
    for span in unread_in_member_names(module) {
        findings.at(span, &MEMBER, args! {});
    }
    for node in module.nodes().iter() {
        let is_alone = || matches!(module.kind(module.parent(node.id())), AstKind::ExpressionStatement(_));
        match node.kind() {
            AstKind::CallExpression(call) => in_a_language(call, findings),
            AstKind::AwaitExpression(_) | AstKind::YieldExpression(_) if is_in_default(module, node.id()) => {
                findings.at(node.kind().span(), &WAITS, args! {});
            }
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

/// Whether a node is in the default of a name that an assignment takes from a computed key or from a number.
fn is_in_default(module: &Module, node: NodeId) -> bool {
    let span = module.span(node);
    let inside = module
        .ancestors(node)
        .take_while(|kind| !matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_)));
    let mut targets = inside.filter_map(|kind| match kind {
        AstKind::AssignmentTargetPropertyProperty(own) => Some(own),
        _ => None,
    });
    targets.any(|own| {
        let AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) = &own.binding else { return false };
        let is_index = match &own.name {
            PropertyKey::NumericLiteral(_) | PropertyKey::BigIntLiteral(_) => true,
            PropertyKey::StringLiteral(text) => text.value.bytes().all(|byte| byte.is_ascii_digit()),
            _ => own.computed,
        };
        is_index
            && matches!(target.binding, AssignmentTarget::AssignmentTargetIdentifier(_))
            && target.init.span().contains_inclusive(span)
    })
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
    fn arguments_inside_values_of_fields() {
        let found = "CODE_UNSUPPORTED";
        let cases = [
            ("static f = class { #m() { return arguments } m() { this.#m() } }", found),
            (
                "static #f = class { get #g() { return () => arguments } g() { return this.#g } }; f() { return A.#f }",
                found,
            ),
            ("['f'] = class { #m() { return arguments } m() { this.#m() } }", found),
            ("static f = class { g = class { #m() { return arguments } m() { this.#m() } } }", found),
            ("static f = class { static { (class { #m() { return arguments } m() { this.#m() } }) } }", found),
            ("static f = class { g = String(1); constructor({ a }) { this.a = [a, arguments] } }", found),
            ("static f = class { m() { return arguments } get g() { return arguments } }", ""),
            ("static f = class { g = String(1); constructor(a) { this.a = [a, arguments] } }", ""),
            ("static f = class { g = 1; constructor({ a }) { this.a = [a, arguments] } }", ""),
            ("static f = class { #m(...given) { return given } m() { this.#m() } }", ""),
            ("static f = function () { return class { #m() { return arguments } m() { this.#m() } } }", ""),
            ("static f = { m() { return arguments }, arguments: 1 }; g = () => function () { return arguments }", ""),
            ("f = class { #m() { return arguments } m() { this.#m() } }", ""),
            ("static { (class { #m() { return arguments } m() { this.#m() } }) }", ""),
            ("#m() { return arguments } m() { return class { [arguments[0]] = this.#m() } }", ""),
        ];
        for (members, want) in cases {
            let have = findings(&format!("export class A {{ {members} }}"));
            assert_eq!(have.split(' ').next_back(), Some(want), "{members}: {have}");
        }
    }

    #[test]
    fn computed_names_of_methods() {
        let cases = [
            ("[(() => 'a')()]() {}", "1:43-1:52 CODE_UNSUPPORTED"),
            ("static get [(function () { return 'a' })()]() { return 1 }", "1:54-1:80 CODE_UNSUPPORTED"),
            ("async *[{ a() { return 'a' } }.a()]() {}", "1:52-1:69 CODE_UNSUPPORTED"),
            ("[class { static a = 'a' }.a]() {}", "1:42-1:66 CODE_UNSUPPORTED"),
            ("[arguments[0]]() {}", "1:42-1:51 CODE_UNSUPPORTED"),
            ("[B.name]() {}", "1:42-1:43 CODE_UNSUPPORTED"),
            ("static [B.name] = 1", "1:49-1:50 CODE_UNSUPPORTED"),
            ("[f(k)]() {} get [`${k}`]() { return 1 } *[Symbol.iterator]() {} [B2.k] = 1", ""),
            ("[(() => 'a')()] = 1; static [arguments[0]] = 2; m() { return class { [B.name]() {} } }", ""),
            ("m() { return class { [this.a]() {} [String(new.target)]() {} } }", ""),
            ("m() { return [() => arguments, { [(() => 'a')()]() {} }] }", ""),
        ];
        for (members, want) in cases {
            let code = format!("export function f(k) {{ return class B {{ {members} }} }}\nconst B2 = {{ k: 1 }};");
            assert_eq!(findings(&code), want, "{members}");
        }
        let code = "export class A { m() { return () => class { [this.a]() {} } } }";
        assert_eq!(findings(code), "1:46-1:50 CODE_UNSUPPORTED");
    }

    #[test]
    fn defaults_that_wait() {
        let cases = [
            ("({ [k]: a = await 1 } = k)", "1:50-1:57 CODE_UNSUPPORTED"),
            ("for ({ 0: a = 1 + await 1 } of k) ;", "1:56-1:63 CODE_UNSUPPORTED"),
            ("[{ '0': a = await 1 }] = k", "1:50-1:57 CODE_UNSUPPORTED"),
            ("({ [await k]: a = 1, x: a = await 1, a = await 2, 'y': a = await 3 } = k)", ""),
            ("({ [k]: k.a = await 1, [k]: [a] = await 2, 0: a = async () => await 3 } = k)", ""),
            ("const { [k]: b = await 1, 0: c = await 2 } = k; a = [b, c]", ""),
        ];
        for (statement, want) in cases {
            let code = format!("export async function f(k, a) {{      {statement}; return a }}");
            assert_eq!(findings(&code), want, "{statement}");
        }
        let code = "export function* f(k, a) { ({ [k]: a = yield 1 } = k); return a }";
        assert_eq!(findings(code), "1:40-1:47 CODE_UNSUPPORTED");
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
