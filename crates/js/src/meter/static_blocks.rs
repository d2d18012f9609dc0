//! Static blocks of classes with functions that ask for their `arguments`, as methods that the class calls.
//!
//! Some parsers take the `arguments` of a function inside such a block for those of the block, which has none.

use oxc_ast::AstKind;
use oxc_ast::ast::StaticBlock;

use crate::meter::walk::{Walk, skip};
use crate::module::Module;

/// Where static blocks begin that have functions which ask for their `arguments`.
pub(super) fn with_arguments(module: &Module<'_>) -> impl Iterator<Item = u32> {
    let asking = module
        .nodes()
        .iter()
        .filter(|node| matches!(node.kind(), AstKind::IdentifierReference(name) if name.name == "arguments"));
    let blocks = asking.flat_map(|node| module.ancestors(node.id()));
    blocks.filter_map(|kind| match kind {
        AstKind::StaticBlock(block) => Some(block.span.start),
        _ => None,
    })
}

impl<'a> Walk<'_, 'a> {
    pub(super) fn static_block(&mut self, block: &StaticBlock<'a>) {
        let start = block.span.start;
        if self.asking.contains(&start) {
            let method = format!("#{}u{start}", self.prefix);
            let brace = skip(self.module.source(), start as usize + "static".len());
            self.edits.replace(brace, brace + 1, format!(" {method}(){{"));
            self.edits.close(block.span.end as usize, format!("static{{this.{method}()}}"));
        }
    }
}
