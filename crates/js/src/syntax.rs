//! What is no strict ES module of edition 2024: the parser's own errors, and constructs that it reads beyond that.

use oxc_ast::AstKind;
use oxc_ast::ast::VariableDeclarationKind;
use oxc_semantic::AstNodes;
use oxc_span::{GetSpan, Span};

#[derive(Debug)]
pub(super) struct SyntaxError {
    pub(super) span: Span,
    pub(super) message: String,
}

pub(super) fn errors(diagnostics: &oxc_diagnostics::Diagnostics) -> Vec<SyntaxError> {
    diagnostics
        .iter()
        .map(|error| {
            let label = error.labels.first();
            let start = label.map_or(0, oxc_span::LabeledSpan::offset);
            let length = label.map_or(0, oxc_span::LabeledSpan::len);
            SyntaxError {
                span: Span::new(start, start + length),
                message: error.message.trim_end_matches('.').to_owned(),
            }
        })
        .collect()
}

/// Newer syntax: decorators, `accessor`, `using`, import attributes and phases.
pub(super) fn beyond_edition(nodes: &AstNodes) -> Vec<SyntaxError> {
    let found = nodes.iter().filter_map(|node| {
        let what = match node.kind() {
            AstKind::Decorator(_) => "decorators",
            AstKind::AccessorProperty(_) => "`accessor` fields",
            AstKind::WithClause(_) => "import attributes",
            AstKind::VariableDeclaration(declaration)
                if matches!(declaration.kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing) =>
            {
                "`using` declarations"
            }
            AstKind::ImportDeclaration(import) if import.phase.is_some() => "import phases",
            AstKind::ImportExpression(import) if import.phase.is_some() || import.options.is_some() => {
                "import phases and attributes"
            }
            _ => return None,
        };
        Some(SyntaxError { span: node.kind().span(), message: format!("{what} are not part of edition 2024") })
    });
    found.collect()
}
