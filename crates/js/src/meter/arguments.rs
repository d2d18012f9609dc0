//! `arguments` of private methods of a class inside the value of a field.
//!
//! Some parsers take them for those of the field, which has none.

use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{Class, MethodDefinition, MethodDefinitionKind, PropertyKey};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use crate::meter::fields::{are_moved, late_constructor};
use crate::module::Module;

/// Every `arguments` that cannot be read where the module runs.
pub fn arguments_in_fields(module: &Module<'_>) -> Vec<Span> {
    let mut fields = Fields { module, moved: HashMap::new() };
    let asking = module.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::IdentifierReference(name) if name.name == "arguments" => Some((node.id(), name.span)),
        _ => None,
    });
    asking.filter(|(node, span)| fields.are_around(*node, *span)).map(|(_, span)| span).collect()
}

struct Fields<'m, 'a> {
    module: &'m Module<'a>,
    /// Where classes begin, and whether their fields become methods.
    moved: HashMap<u32, bool>,
}

impl<'a> Fields<'_, 'a> {
    /// Whether a parser that looks into the value of a field finds this place: it looks into no function but private
    /// methods, which fields, static blocks and some constructors become too.
    fn are_around(&mut self, node: NodeId, span: Span) -> bool {
        let mut ancestors = self.module.ancestors(node);
        while let Some(kind) = ancestors.next() {
            match kind {
                AstKind::Function(_) => match (ancestors.next(), ancestors.clone().find_map(class)) {
                    (Some(AstKind::MethodDefinition(method)), Some(class)) if self.is_private(method, class) => {}
                    _ => return false,
                },
                AstKind::PropertyDefinition(field)
                    if field.value.as_ref().is_some_and(|value| value.span().contains_inclusive(span)) =>
                {
                    let moved =
                        !field.r#static && ancestors.clone().find_map(class).is_some_and(|class| self.are_moved(class));
                    if !moved {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn is_private(&mut self, method: &MethodDefinition<'a>, class: &Class<'a>) -> bool {
        matches!(method.key, PropertyKey::PrivateIdentifier(_))
            || method.kind == MethodDefinitionKind::Constructor
                && late_constructor(class).is_some()
                && self.are_moved(class)
    }

    fn are_moved(&mut self, class: &Class<'a>) -> bool {
        *self.moved.entry(class.span.start).or_insert_with(|| are_moved(class))
    }
}

fn class(kind: AstKind<'_>) -> Option<&Class<'_>> {
    match kind {
        AstKind::Class(class) => Some(class),
        _ => None,
    }
}
