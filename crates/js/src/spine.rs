//! Long left-nested chains (`a + b + c`, `a.b().c()`) cut into pieces that a recursive visitor can walk.
//!
//! The language sets no limit to them and the parser reads them in a loop, but the tree is as deep as the chain is
//! long. A piece that is cut out moves in front of the rest, as `(piece, [].rest)`: every name, key and argument stays
//! in the tree with its own span; only what flows through the cut is lost.

use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::AstType;
use oxc_ast::ast::{ChainElement, Expression, Program, Statement};
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::GetSpan;

use crate::limits::{MAX_TREE_DEPTH, SPINE_STEP};

/// Cuts every long chain. False when the tree is deeper than [`MAX_TREE_DEPTH`] all the same.
pub(super) fn cut<'a>(program: &mut Program<'a>, allocator: &'a Allocator) -> bool {
    let mut cutter = Cutter { builder: AstBuilder::new(allocator), depth: 0, too_deep: false };
    cutter.visit_program(program);
    !cutter.too_deep
}

struct Cutter<'a> {
    builder: AstBuilder<'a>,
    depth: usize,
    too_deep: bool,
}

impl<'a> VisitMut<'a> for Cutter<'a> {
    fn enter_node(&mut self, _: AstType) {
        self.depth += 1;
    }

    fn leave_node(&mut self, _: AstType) {
        self.depth -= 1;
    }

    fn visit_statement(&mut self, statement: &mut Statement<'a>) {
        if self.depth > MAX_TREE_DEPTH {
            self.too_deep = true;
            return;
        }
        walk_mut::walk_statement(self, statement);
    }

    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        if self.depth > MAX_TREE_DEPTH {
            self.too_deep = true;
            return;
        }
        self.shorten(expression);
        walk_mut::walk_expression(self, expression);
    }
}

impl<'a> Cutter<'a> {
    fn shorten(&self, expression: &mut Expression<'a>) {
        let whole = expression.span();
        let mut pieces: Vec<Expression<'a>> = Vec::new();
        let mut rest = self.split(expression);
        while let Some(mut piece) = rest {
            rest = self.split(&mut piece);
            pieces.push(piece);
        }
        if pieces.is_empty() {
            return;
        }
        let last = expression.take_in(&self.builder);
        let pieces = pieces.into_iter().rev().chain([last]);
        let pieces = ArenaVec::from_iter_in(pieces, &self.builder);
        *expression = Expression::new_sequence_expression(whole, pieces, &self.builder);
    }

    /// Takes out what stands [`SPINE_STEP`] links to the left.
    fn split(&self, expression: &mut Expression<'a>) -> Option<Expression<'a>> {
        let mut slot = expression;
        for _ in 0..SPINE_STEP {
            slot = left(slot)?;
        }
        // A short rest would gain nothing.
        left(slot)?;
        let piece = slot.take_in(&self.builder);
        *slot = Expression::new_array_expression(piece.span(), ArenaVec::new_in(&self.builder), &self.builder);
        Some(piece)
    }
}

fn left<'e, 'a>(expression: &'e mut Expression<'a>) -> Option<&'e mut Expression<'a>> {
    Some(match expression {
        Expression::BinaryExpression(node) => &mut node.left,
        Expression::LogicalExpression(node) => &mut node.left,
        Expression::CallExpression(node) => &mut node.callee,
        Expression::TaggedTemplateExpression(node) => &mut node.tag,
        Expression::StaticMemberExpression(node) => &mut node.object,
        Expression::ComputedMemberExpression(node) => &mut node.object,
        Expression::PrivateFieldExpression(node) => &mut node.object,
        Expression::ChainExpression(node) => match &mut node.expression {
            ChainElement::CallExpression(node) => &mut node.callee,
            ChainElement::StaticMemberExpression(node) => &mut node.object,
            ChainElement::ComputedMemberExpression(node) => &mut node.object,
            ChainElement::PrivateFieldExpression(node) => &mut node.object,
            ChainElement::TSNonNullExpression(_) => return None,
        },
        _ => return None,
    })
}
