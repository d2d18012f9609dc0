//! Names that an expression or a pattern binds.
//!
//! Invariant: what is bound inside a lambda, a function or a class is no name of the module.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_parameters};
use ruff_python_ast::{Expr, Identifier, Pattern};
use ruff_text_size::TextRange;

/// Takes each bound name with its place.
pub type Take<'t> = dyn FnMut(&str, TextRange) + 't;

/// Names of an assignment's left side, of `for … in` and of `with … as`.
pub fn of_target(target: &Expr, take: &mut Take<'_>) {
    match target {
        Expr::Name(name) => take(name.id.as_str(), name.range),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|part| of_target(part, take)),
        Expr::List(list) => list.elts.iter().for_each(|part| of_target(part, take)),
        Expr::Starred(starred) => of_target(&starred.value, take),
        other => of_value(other, take),
    }
}

/// Names of `:=` in a value; those in a comprehension belong to the module too.
pub fn of_value(value: &Expr, take: &mut Take<'_>) {
    Named { take }.visit_expr(value);
}

/// Names that a pattern captures.
pub fn of_pattern(pattern: &Pattern, take: &mut Take<'_>) {
    match pattern {
        Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => {}
        Pattern::MatchSequence(sequence) => sequence.patterns.iter().for_each(|part| of_pattern(part, take)),
        Pattern::MatchOr(or) => or.patterns.iter().for_each(|part| of_pattern(part, take)),
        Pattern::MatchMapping(mapping) => {
            mapping.patterns.iter().for_each(|part| of_pattern(part, take));
            capture(mapping.rest.as_ref(), take);
        }
        Pattern::MatchClass(class) => {
            class.arguments.patterns.iter().for_each(|part| of_pattern(part, take));
            class.arguments.keywords.iter().for_each(|keyword| of_pattern(&keyword.pattern, take));
        }
        Pattern::MatchStar(star) => capture(star.name.as_ref(), take),
        Pattern::MatchAs(bound) => {
            if let Some(inner) = &bound.pattern {
                of_pattern(inner, take);
            }
            capture(bound.name.as_ref(), take);
        }
    }
}

fn capture(name: Option<&Identifier>, take: &mut Take<'_>) {
    if let Some(name) = name {
        take(name.as_str(), name.range);
    }
}

pub struct Named<'t, 'f> {
    pub take: &'t mut Take<'f>,
}

impl<'a> Visitor<'a> for Named<'_, '_> {
    fn visit_expr(&mut self, value: &'a Expr) {
        match value {
            Expr::Named(named) => {
                if let Expr::Name(name) = &*named.target {
                    (self.take)(name.id.as_str(), name.range);
                }
                self.visit_expr(&named.value);
            }
            // Its defaults belong to the module, its body does not.
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    walk_parameters(self, parameters);
                }
            }
            other => walk_expr(self, other),
        }
    }
}
