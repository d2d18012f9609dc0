//! The pieces of the parser's tree that rules name. They stand here so that one crate decides which parser it is.

pub use oxc_ast::AstKind;
pub use oxc_ast::ast;
pub use oxc_ast_visit::{Visit, walk};
pub use oxc_semantic::{NodeId, SymbolId};
pub use oxc_span::{GetSpan, Span};
pub use oxc_syntax::operator;
pub use oxc_syntax::reference::Reference;
