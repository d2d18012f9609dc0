//! `for…in` inside another loop over an iterator, as a loop over its keys.
//!
//! Engines leave the keys of a `for…in` behind where its body throws, and the loop around goes on with these in the
//! place of its own. A generator of the module gives the keys: what it leaves behind ends with it.

use oxc_ast::AstKind;
use oxc_ast::ast::ForInStatement;
use oxc_semantic::NodeId;
use oxc_span::GetSpan;

use crate::meter::walk::Walk;

impl<'a> Walk<'_, 'a> {
    /// A `for…in`, which becomes a `for…of` where a loop over an iterator is around it.
    pub(super) fn keys_loop(&mut self, node: NodeId, each: &ForInStatement<'a>) {
        let inside = self.module.ancestors(node).take_while(|kind| {
            !matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::StaticBlock(_))
        });
        let mut loops = inside.filter(|kind| matches!(kind, AstKind::ForInStatement(_) | AstKind::ForOfStatement(_)));
        if loops.next().is_none() {
            return;
        }
        let sign = self.behind(each.left.span().end);
        let right = each.right.span();
        self.edits.replace(sign, sign + 2, "of ");
        self.edits.open(right.start as usize, format!("{}n((", self.prefix));
        self.edits.close(right.end as usize, "))");
        self.gives_keys = true;
    }

    /// The generator of keys, behind a module whose loops ask for it.
    pub(super) fn keys_generator(&mut self) {
        if self.gives_keys {
            let prefix = self.prefix;
            let text = format!("\nfunction*{prefix}n({prefix}v){{for(const {prefix}k in {prefix}v)yield {prefix}k}}");
            self.edits.append(&text);
        }
    }
}
