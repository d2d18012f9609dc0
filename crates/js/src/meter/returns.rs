//! A `try` inside a `finally` for which a `return` waits.
//!
//! Engines keep the value of that `return`, or with which a generator is ended, on a stack, on which a call that throws
//! leaves something behind: what a `catch` goes on from would be returned in its place. Inside a function of its own such a `try` leaves nothing.

use oxc_ast::AstKind;
use oxc_ast::ast::{LabelIdentifier, TryStatement};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use crate::meter::walk::Walk;
use crate::module::Module;

/// A `try` beside which a `return` waits.
#[derive(Debug, Clone, Copy)]
pub struct WaitsBeside {
    pub span: Span,
    /// Whether it means the same inside a function of its own.
    pub is_apart: bool,
}

/// Every `try` that goes on from errors while a `return` waits for the `finally` around it.
pub fn beside_returns(module: &Module<'_>) -> Vec<WaitsBeside> {
    let leaving = Leaving::of(module);
    let found = module.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::TryStatement(own) => beside(module, &leaving, node.id(), own),
        _ => None,
    });
    found.collect()
}

fn beside(module: &Module<'_>, leaving: &Leaving<'_>, node: NodeId, own: &TryStatement<'_>) -> Option<WaitsBeside> {
    let mut inner = own.span;
    let around = module.ancestors(node).take_while(|kind| !is_function(*kind)).find_map(|kind| match kind {
        AstKind::TryStatement(around) => Some(around),
        kind => {
            inner = kind.span();
            None
        }
    })?;
    let last = around.finalizer.as_ref().filter(|last| last.span == inner)?;
    let home = function(module, node);
    let before = Span::new(around.span.start, last.span.start);
    // A generator may be ended where it waits.
    let returns = leaving
        .inside(before, home)
        .any(|(_, kind)| matches!(kind, AstKind::ReturnStatement(_) | AstKind::YieldExpression(_)));
    let ends = |last: Span| {
        let mut jumps = leaving.inside(last, home);
        jumps.any(|(_, kind)| matches!(kind, AstKind::BreakStatement(_) | AstKind::ContinueStatement(_)))
    };
    let goes_on = own.handler.is_some() || own.finalizer.as_ref().is_some_and(|last| ends(last.span));
    let is_apart = || leaving.inside(own.span, home).all(|(node, kind)| stays(module, node, kind, own.span));
    (returns && goes_on).then(|| WaitsBeside { span: own.span, is_apart: is_apart() })
}

/// What may leave a statement for the function around it, in source order.
struct Leaving<'a>(Vec<(NodeId, AstKind<'a>, Option<Span>)>);

impl<'a> Leaving<'a> {
    fn of(module: &Module<'a>) -> Self {
        let leaves = |kind: AstKind<'a>| match kind {
            AstKind::ReturnStatement(_)
            | AstKind::YieldExpression(_)
            | AstKind::AwaitExpression(_)
            | AstKind::BreakStatement(_)
            | AstKind::ContinueStatement(_) => true,
            AstKind::ForOfStatement(each) => each.r#await,
            AstKind::VariableDeclaration(declared) => declared.kind.is_var(),
            _ => false,
        };
        let found = module.nodes().iter().filter(|node| leaves(node.kind()));
        let mut all: Vec<_> = found.map(|node| (node.id(), node.kind(), function(module, node.id()))).collect();
        all.sort_by_key(|(_, kind, _)| kind.span().start);
        Self(all)
    }

    /// What lies inside a part of a function.
    fn inside(&self, part: Span, home: Option<Span>) -> impl Iterator<Item = (NodeId, AstKind<'a>)> {
        let first = self.0.partition_point(|(_, kind, _)| kind.span().start < part.start);
        let inside = self.0[first..].iter().take_while(move |(_, kind, _)| kind.span().start < part.end);
        inside.filter(move |(_, _, own)| *own == home).map(|(node, kind, _)| (*node, *kind))
    }
}

/// Whether what may leave a statement stays inside it.
fn stays(module: &Module<'_>, node: NodeId, kind: AstKind<'_>, statement: Span) -> bool {
    let target = match kind {
        AstKind::BreakStatement(jump) => target(module, node, jump.label.as_ref(), true),
        AstKind::ContinueStatement(jump) => target(module, node, jump.label.as_ref(), false),
        _ => None,
    };
    target.is_some_and(|target| statement.contains_inclusive(target))
}

/// The statement that a jump ends or begins anew.
fn target(module: &Module<'_>, node: NodeId, label: Option<&LabelIdentifier<'_>>, ends: bool) -> Option<Span> {
    let target = module.ancestors(node).find(|kind| match (label, kind) {
        (Some(label), AstKind::LabeledStatement(own)) => own.label.name == label.name,
        (Some(_), _) => false,
        (None, AstKind::SwitchStatement(_)) => ends,
        (None, kind) => kind.is_iteration_statement(),
    });
    target.map(|kind| kind.span())
}

fn is_function(kind: AstKind<'_>) -> bool {
    matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_))
}

/// The function around a node.
fn function(module: &Module<'_>, node: NodeId) -> Option<Span> {
    module.ancestors(node).find(|kind| is_function(*kind)).map(|kind| kind.span())
}

impl Walk<'_, '_> {
    /// A `try` beside which a `return` waits, as a function of its own.
    pub(super) fn set_apart(&mut self, own: &TryStatement<'_>) {
        if self.apart.contains(&own.span.start) {
            self.edits.open(own.span.start as usize, "{(()=>{");
            self.edits.close(own.span.end as usize, "})()}");
        }
    }
}
