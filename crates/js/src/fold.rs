//! What an expression is known to be without running it (ifc-extension.md §6.2 "constant").
//!
//! Known are literals, templates, `+`, `[…].join(…)`, `.concat(…)`, variables that are bound once to a constant,
//! choices between constants, variables of a `for…of` over a constant list, and counters.
//! Invariant: bounded work on every input (choices, length, hops and steps have limits); what is over a limit is
//! unknown, never wrong.

mod text;
mod variable;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use oxc_ast::ast::{
    BinaryExpression, BinaryOperator, CallExpression, ChainElement, Expression, TemplateLiteral, UnaryOperator,
};
use oxc_semantic::SymbolId;

pub use text::{Piece, Value};

use crate::limits::{MAX_CHOICES, MAX_FOLD_HOPS, MAX_FOLD_STEPS};
use crate::module::Module;
use crate::world::World;

/// Every value that an expression may have; one of them may be unknown.
pub type Choices = Vec<Value>;

/// Folds the expressions of a bundle.
pub struct Folder<'w, 'a> {
    world: &'w World<'a>,
    known: RefCell<HashMap<(&'a str, SymbolId), Rc<Choices>>>,
    steps: Cell<usize>,
}

impl<'w, 'a> Folder<'w, 'a> {
    pub fn new(world: &'w World<'a>) -> Self {
        Self { world, known: RefCell::default(), steps: Cell::new(0) }
    }

    /// The texts that an expression may have, when all of them are known.
    pub fn constants(&self, module: &Module<'a>, expression: &'a Expression<'a>) -> Option<Vec<String>> {
        let mut texts: Vec<String> =
            self.choices(module, expression).iter().map(Value::constant).collect::<Option<_>>()?;
        texts.sort();
        texts.dedup();
        Some(texts)
    }

    /// Every value that an expression may have.
    pub fn choices(&self, module: &Module<'a>, expression: &'a Expression<'a>) -> Choices {
        self.fold(module, expression, MAX_FOLD_HOPS)
    }

    /// The values of a sum.
    pub fn binary_choices(&self, module: &Module<'a>, binary: &'a BinaryExpression<'a>) -> Choices {
        self.binary(module, binary, MAX_FOLD_HOPS)
    }

    /// The values of a template.
    pub fn template_choices(&self, module: &Module<'a>, template: &'a TemplateLiteral<'a>) -> Choices {
        self.template(module, template, MAX_FOLD_HOPS)
    }

    /// The values of a call.
    pub fn call_choices(&self, module: &Module<'a>, call: &'a CallExpression<'a>) -> Choices {
        self.call(module, call, MAX_FOLD_HOPS)
    }

    fn fold(&self, module: &Module<'a>, expression: &'a Expression<'a>, hops: usize) -> Choices {
        if self.steps.get() > MAX_FOLD_STEPS {
            return vec![Value::Unknown];
        }
        let fold = |expression| self.fold(module, expression, hops);
        let choices = match expression {
            Expression::StringLiteral(literal) => vec![Value::text(literal.value.as_str())],
            Expression::NumericLiteral(literal) => vec![Value::Number(literal.value)],
            Expression::BooleanLiteral(literal) => vec![Value::Word(if literal.value { "true" } else { "false" })],
            Expression::NullLiteral(_) => vec![Value::Word("null")],
            Expression::TemplateLiteral(template) => self.template(module, template, hops),
            Expression::BinaryExpression(binary) => self.binary(module, binary, hops),
            Expression::UnaryExpression(unary) => match unary.operator {
                UnaryOperator::UnaryNegation => fold(&unary.argument).into_iter().map(Value::negated).collect(),
                _ => vec![Value::Unknown],
            },
            Expression::ConditionalExpression(conditional) => {
                let mut choices = fold(&conditional.consequent);
                choices.extend(fold(&conditional.alternate));
                choices
            }
            Expression::LogicalExpression(logical) => {
                let mut choices = fold(&logical.left);
                choices.extend(fold(&logical.right));
                choices
            }
            Expression::SequenceExpression(sequence) => {
                sequence.expressions.last().map_or_else(|| vec![Value::Unknown], fold)
            }
            Expression::AwaitExpression(await_) => fold(&await_.argument),
            Expression::ArrayExpression(array) => {
                let items: Option<Vec<Choices>> =
                    array.elements.iter().map(|element| Some(fold(element.as_expression()?))).collect();
                vec![items.map_or(Value::Unknown, Value::List)]
            }
            Expression::CallExpression(call) => self.call(module, call, hops),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.call(module, call, hops),
                _ => vec![Value::Unknown],
            },
            Expression::Identifier(name) => match module.symbol(name) {
                Some(symbol) => self.variable(module, symbol, hops),
                None if name.name == "undefined" => vec![Value::Word("undefined")],
                None => vec![Value::Unknown],
            },
            _ => vec![Value::Unknown],
        };
        self.steps.set(self.steps.get() + 1 + choices.iter().map(Value::steps).sum::<usize>());
        if choices.len() > MAX_CHOICES { vec![Value::Unknown] } else { choices }
    }

    fn template(&self, module: &Module<'a>, template: &'a TemplateLiteral<'a>, hops: usize) -> Choices {
        let mut built = vec![Value::text("")];
        for (index, quasi) in template.quasis.iter().enumerate() {
            let text = quasi.value.cooked.as_ref().map_or(Value::Unknown, |cooked| Value::text(cooked.as_str()));
            built = combine(&built, &[text], Value::concat);
            if let Some(expression) = template.expressions.get(index) {
                built = combine(&built, &self.fold(module, expression, hops), Value::concat);
            }
        }
        built
    }

    fn binary(&self, module: &Module<'a>, binary: &'a BinaryExpression<'a>, hops: usize) -> Choices {
        let combined: fn(&Value, &Value) -> Value = match binary.operator {
            BinaryOperator::Addition => Value::add,
            BinaryOperator::Subtraction => |a, b| a.arithmetic(b, |a, b| a - b),
            BinaryOperator::Multiplication => |a, b| a.arithmetic(b, |a, b| a * b),
            BinaryOperator::Division => |a, b| a.arithmetic(b, |a, b| a / b),
            BinaryOperator::Remainder => |a, b| a.arithmetic(b, |a, b| a % b),
            _ => return vec![Value::Unknown],
        };
        combine(&self.fold(module, &binary.left, hops), &self.fold(module, &binary.right, hops), combined)
    }

    fn call(&self, module: &Module<'a>, call: &'a CallExpression<'a>, hops: usize) -> Choices {
        let unknown = vec![Value::Unknown];
        let Expression::StaticMemberExpression(callee) = &call.callee else { return unknown };
        let arguments: Option<Vec<Choices>> =
            call.arguments.iter().map(|argument| Some(self.fold(module, argument.as_expression()?, hops))).collect();
        let Some(arguments) = arguments else { return unknown };
        let of = |object: &Value| -> Choices {
            match (callee.property.name.as_str(), object) {
                ("join", Value::List(items)) => {
                    let comma = vec![Value::text(",")];
                    let separator = arguments.first().unwrap_or(&comma);
                    let mut built = vec![Value::text("")];
                    for (index, item) in items.iter().enumerate() {
                        if index > 0 {
                            built = combine(&built, separator, Value::concat);
                        }
                        built = combine(&built, item, Value::concat);
                    }
                    built
                }
                ("concat", Value::Text(_)) => arguments
                    .iter()
                    .fold(vec![object.clone()], |built, argument| combine(&built, argument, Value::concat)),
                ("concat", Value::List(items)) => {
                    let mut items = items.clone();
                    for argument in &arguments {
                        match argument.as_slice() {
                            [Value::List(more)] => items.extend(more.iter().cloned()),
                            _ => items.push(argument.clone()),
                        }
                    }
                    vec![if items.len() > MAX_CHOICES { Value::Unknown } else { Value::List(items) }]
                }
                _ => vec![Value::Unknown],
            }
        };
        if !matches!(callee.property.name.as_str(), "join" | "concat") {
            return unknown;
        }
        self.fold(module, &callee.object, hops).iter().flat_map(of).collect()
    }
}

/// Every pair of a left and a right choice.
fn combine(left: &[Value], right: &[Value], with: impl Fn(&Value, &Value) -> Value) -> Choices {
    if left.len() * right.len() > MAX_CHOICES {
        return vec![Value::Unknown];
    }
    left.iter().flat_map(|left| right.iter().map(move |right| (left, right))).map(|(l, r)| with(l, r)).collect()
}
