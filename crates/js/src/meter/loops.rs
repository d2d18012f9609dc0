//! Loops over iterators that are left from the outside: every iterator that is left is closed, the inner one first.
//!
//! Engines keep the iterators of a frame on a stack. A `break` to a label outside of such loops becomes a chain of
//! `break`s, one a loop, so that each closes its own. A generator that is ended by `return()` while it waits inside such
//! a loop closes the loop's iterator in a `finally`.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{BreakStatement, ForOfStatement};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use crate::meter::walk::Walk;
use crate::module::Module;

/// What loops of a module need, by where they begin.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// Loops that a `break` to a label outside leaves → those labels, each with the loops that are left behind them.
    left: BTreeMap<u32, Vec<(String, Vec<u32>)>>,
    /// Where those loops have their labels, if they have any.
    labels: BTreeMap<u32, String>,
    /// `for…of` loops in which a generator waits.
    waits: BTreeSet<u32>,
}

impl Loops {
    pub(super) fn of(module: &Module<'_>) -> Self {
        let mut loops = Self::default();
        for node in module.nodes().iter() {
            match node.kind() {
                AstKind::BreakStatement(own) => {
                    let (label, chain) = leaves(module, node.id(), own);
                    loops.leave(module, &label, &chain);
                }
                AstKind::YieldExpression(waiting) => loops.wait(module, node.id(), waiting.span),
                _ => {}
            }
        }
        loops
    }

    fn leave(&mut self, module: &Module<'_>, label: &str, chain: &[NodeId]) {
        let starts: Vec<u32> = chain.iter().map(|each| module.span(*each).start).collect();
        for (index, each) in chain.iter().enumerate() {
            let exits = self.left.entry(starts[index]).or_default();
            if !exits.iter().any(|(known, _)| known == label) {
                exits.push((label.to_owned(), starts[index + 1..].to_vec()));
            }
            if let AstKind::LabeledStatement(own) = module.kind(module.parent(*each)) {
                self.labels.insert(starts[index], own.label.name.to_string());
            }
        }
    }

    fn wait(&mut self, module: &Module<'_>, node: NodeId, waiting: Span) {
        for kind in module.ancestors(node) {
            match kind {
                AstKind::Function(_) => return,
                AstKind::ForOfStatement(each) if each.right.span().end <= waiting.start => {
                    self.waits.insert(each.span.start);
                }
                _ => {}
            }
        }
    }
}

/// The label of a `break`, and the loops over iterators between the two, from the inside.
fn leaves(module: &Module<'_>, node: NodeId, own: &BreakStatement<'_>) -> (String, Vec<NodeId>) {
    let Some(label) = &own.label else { return (String::new(), Vec::new()) };
    let mut chain = Vec::new();
    let mut at = module.parent(node);
    loop {
        match module.kind(at) {
            AstKind::LabeledStatement(labelled) if labelled.label.name == label.name => break,
            AstKind::ForOfStatement(_) | AstKind::ForInStatement(_) => chain.push(at),
            AstKind::Program(_) => break,
            _ => {}
        }
        at = module.parent(at);
    }
    // What the label stands before closes itself.
    chain.pop_if(|last| labels(module, *last).any(|own| own == module.span(at)));
    (label.name.to_string(), chain)
}

/// The labels before a statement, each with all that it stands before, from the inside.
fn labels(module: &Module<'_>, statement: NodeId) -> impl Iterator<Item = Span> {
    module.ancestors(statement).map_while(|kind| match kind {
        AstKind::LabeledStatement(own) => Some(own.span),
        _ => None,
    })
}

/// A statement with its labels.
fn labelled(module: &Module<'_>, statement: NodeId) -> Span {
    labels(module, statement).last().unwrap_or_else(|| module.span(statement))
}

impl<'a> Walk<'_, 'a> {
    /// A loop over an iterator, with its labels: what keeps which label it is left for.
    pub(super) fn left_loop(&mut self, node: NodeId) {
        let start = self.module.span(node).start;
        let Some(exits) = self.loops.left.get(&start).cloned() else { return };
        let whole = labelled(self.module, node);
        self.edits.open(whole.start as usize, format!("{{let {}b{start}=0;", self.prefix));
        let mut chosen = String::new();
        for (index, (label, further)) in exits.iter().enumerate() {
            let exit = self.exit(label, further);
            chosen.push_str(&format!("if({}b{start}==={}){{{exit}}}", self.prefix, index + 1));
        }
        let end = self.whole(whole.end as usize);
        self.edits.close(end, chosen + "}");
    }

    /// A label of ours for a loop that is left and has none.
    pub(super) fn own_label(&mut self, node: NodeId) {
        let start = self.module.span(node).start;
        if self.loops.left.contains_key(&start) && !self.loops.labels.contains_key(&start) {
            self.edits.open(start as usize, format!("{}l{start}:", self.prefix));
        }
    }

    /// Statements that go to a label out of these loops.
    fn exit(&self, label: &str, loops: &[u32]) -> String {
        let Some(first) = loops.first() else { return format!("break {label};") };
        let exits = self.loops.left.get(first).into_iter().flatten();
        let index = exits.map(|(known, _)| known).position(|known| known == label).unwrap_or_default() + 1;
        let own = self.loops.labels.get(first).cloned().unwrap_or_else(|| format!("{}l{first}", self.prefix));
        format!("{}b{first}={index};break {own};", self.prefix)
    }

    /// A `break` out of loops over iterators.
    pub(super) fn leaving(&mut self, node: NodeId, own: &BreakStatement<'a>) {
        let (label, chain) = leaves(self.module, node, own);
        if chain.is_empty() {
            return;
        }
        let starts: Vec<u32> = chain.iter().map(|each| self.module.span(*each).start).collect();
        let exit = self.exit(&label, &starts);
        self.edits.replace(own.span.start as usize, own.span.end as usize, format!("{{{exit}}}"));
    }

    /// A `for…of` loop in which a generator waits.
    pub(super) fn waiting_loop(&mut self, node: NodeId, each: &ForOfStatement<'a>) {
        let start = each.span.start;
        if !self.loops.waits.contains(&start) {
            return;
        }
        let whole = labelled(self.module, node);
        let (prefix, guard) = (self.prefix, format!("{}w{start}", self.prefix));
        let (sort, wait) = if each.r#await { ("k", "await ") } else { ("i", "") };
        self.edits.open(whole.start as usize, format!("{{let {guard};try{{"));
        self.edits.open(each.right.span().start as usize, format!("{guard}={prefix}{sort}(("));
        self.edits.close(each.right.span().end as usize, "))");
        let end = self.whole(whole.end as usize);
        self.edits.close(end, format!("}}finally{{if({prefix}o({guard})){wait}{prefix}c({guard})}}}}"));
    }

    /// The mark at the beginning of the body of such a loop.
    pub(super) fn waiting_body(&mut self, each: &ForOfStatement<'a>) {
        let start = each.span.start;
        if self.loops.waits.contains(&start) {
            let body = each.body.span().start as usize;
            let inside = matches!(each.body, oxc_ast::ast::Statement::BlockStatement(_));
            self.edits.open(body + usize::from(inside), format!("{}w{start}[\"b\"]=1;", self.prefix));
        }
    }
}
