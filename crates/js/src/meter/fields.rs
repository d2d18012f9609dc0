//! Fields of a class whose values run code, as private methods that its constructor calls.
//!
//! An engine may hold the class while it gives an instance its fields: `id = ++Item.count` would break it. Each such
//! field becomes a method in its place, and one more method calls them in order, where the instance begins: in a base
//! class before the constructor's statements, in a derived one behind `super(…)`. A private field is declared first and
//! gets its value then.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, CallExpression, Class, ClassElement, Expression, FormalParameter, FormalParameters, Function,
    MethodDefinition, MethodDefinitionKind, NewTarget, PropertyDefinition, PropertyKey, ReturnStatement,
};
use oxc_ast_visit::{Visit, walk as visiting};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::ScopeFlags;

use crate::meter::walk::{Walk, quoted, skip};

impl<'a> Walk<'_, 'a> {
    /// Moves the fields of a class, if the value of one runs code and all can be moved.
    pub(super) fn class(&mut self, class: &Class<'a>) {
        let fields: Vec<&PropertyDefinition<'a>> = class.body.body.iter().filter_map(field).collect();
        let (constructor, late) = (class.body.body.iter().find_map(constructor), late_constructor(class));
        if !are_moved(class) {
            self.private_names(class, &[]);
            return;
        }
        let counts = self.private_names(class, &fields);
        let moved = fields.into_iter().filter(|field| !(is_private(field) && field.value.is_none()));
        let moved: Vec<u32> = moved.map(|field| field.span.start).collect();
        self.classes.insert(class.span.start, class.heritage.is_some());
        let begin = format!("this.#{}i();", self.prefix);
        match (constructor.and_then(|own| own.value.body.as_ref()), class.heritage.is_some()) {
            (Some(_), true) => {}
            (Some(_), false) if late.is_some() => late.into_iter().for_each(|own| self.late_constructor(own, &begin)),
            (Some(body), false) => self.edits.open(body.span.start as usize + 1, begin),
            (None, true) => {
                let rest = format!("{}a", self.prefix);
                let text = format!("constructor(...{rest}){{super(...{rest});{begin}}}");
                self.edits.open(class.body.span.start as usize + 1, text);
            }
            (None, false) => {
                self.edits.open(class.body.span.start as usize + 1, format!("constructor(){{{begin}}}"));
            }
        }
        let call = |number: usize| {
            let counted = counts.get(&(number + 1)).map(|count| format!("this.#{}n={count};", self.prefix));
            format!("this.#{}f{number}();{}", self.prefix, counted.unwrap_or_default())
        };
        let calls: String = (0..moved.len()).map(call).collect();
        let all = format!("{}#{}i(){{{calls}}}", self.guards(&counts), self.prefix);
        self.edits.open(class.body.span.start as usize + 1, all);
        self.fields.extend(moved.into_iter().enumerate().map(|(number, start)| (start, number)));
    }

    /// A constructor whose parameters run code: it gives the fields, and a method does what it did.
    fn late_constructor(&mut self, own: &MethodDefinition<'a>, begin: &str) {
        let counted = own.value.params.items.iter().take_while(|own| own.initializer.is_none()).count();
        let counted: Vec<String> = (0..counted).map(|number| format!("{}q{number}", self.prefix)).collect();
        let (method, key) = (format!("#{}c", self.prefix), own.key.span());
        let text = format!("constructor({}){{{begin}return this.{method}(...arguments)}}", counted.join(","));
        self.edits.open(own.span.start as usize, text);
        self.edits.replace(key.start as usize, key.end as usize, method);
    }

    /// A field that became a method.
    pub(super) fn moved_field(&mut self, number: usize, field: &PropertyDefinition<'a>) {
        let (prefix, source) = (self.prefix, self.module.source());
        let charge = field.value.as_ref().is_some_and(|value| !value.is_anonymous_function_definition());
        let charge = if charge { format!("{prefix}e(1);") } else { String::new() };
        let key = field.key.span();
        let (start, key_start, key_end) = (field.span.start as usize, key.start as usize, key.end as usize);
        let end = field.span.end as usize - usize::from(source[..field.span.end as usize].ends_with(';'));
        if let PropertyKey::PrivateIdentifier(name) = &field.key {
            let name = &name.name;
            self.edits.open(start, format!("#{name};#{prefix}f{number}(){{{charge}this."));
            self.equals(key_end, format!("={{[\"#{name}\"]:"));
            self.edits.close(end, format!("}}[\"#{name}\"]}}"));
            return;
        }
        self.edits.open(start, format!("#{prefix}f{number}(){{{charge}{prefix}d(this,{{["));
        if let PropertyKey::StaticIdentifier(name) = &field.key {
            self.edits.replace(key_start, key_end, quoted(&name.name));
        }
        if field.value.is_some() {
            self.equals(key_end, "]:".to_owned());
            self.edits.close(end, "})}");
        } else {
            self.edits.close(end, "]:void 0})}");
        }
    }

    /// A text in the place of the `=` behind a place.
    pub(super) fn equals(&mut self, behind: usize, text: String) {
        let at = skip(self.module.source(), behind);
        self.edits.replace(at, at + 1, text);
    }

    /// `return` of a constructor whose class is derived: some engines forget to refuse a value that is no object.
    pub(super) fn made(&mut self, node: NodeId, own: &ReturnStatement<'a>) {
        let Some(value) = &own.argument else { return };
        let mut around = self
            .module
            .ancestors(node)
            .skip_while(|kind| !matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_)));
        let (_, method) = (around.next(), around.next());
        let is_constructor =
            matches!(method, Some(AstKind::MethodDefinition(own)) if own.kind == MethodDefinitionKind::Constructor);
        let class = around.find_map(|kind| match kind {
            AstKind::Class(class) => Some(class),
            _ => None,
        });
        if is_constructor && class.is_some_and(|class| class.heritage.is_some()) {
            self.edits.open(value.span().start as usize, format!("{}g((", self.prefix));
            self.edits.close(value.span().end as usize, "))");
        }
    }

    /// `super(…)` of a class whose fields were moved.
    pub(super) fn super_call(&mut self, node: NodeId, call: &CallExpression<'a>) {
        if !matches!(call.callee, Expression::Super(_)) {
            return;
        }
        let around = self.module.ancestors(node).find_map(|kind| match kind {
            AstKind::Class(class) => Some(class.span.start),
            _ => None,
        });
        if around.is_none_or(|class| self.classes.get(&class) != Some(&true)) {
            return;
        }
        let begin = format!(",this.#{}i(),this", self.prefix);
        let alone = matches!(self.module.kind(self.module.parent(node)), AstKind::ExpressionStatement(_));
        if !alone {
            self.edits.open(call.span.start as usize, "(");
        }
        self.edits.close(call.span.end as usize, if alone { begin } else { begin + ")" });
    }
}

/// Whether the fields of a class become methods: the value of one runs code, and all can be moved.
pub(super) fn are_moved(class: &Class<'_>) -> bool {
    let fields = || class.body.body.iter().filter_map(field);
    fields().filter_map(|field| field.value.as_ref()).any(runs)
        && !fields().any(|field| field.computed)
        && !late_constructor(class).is_some_and(|own| asks_who_is_made(&own.value))
}

/// A constructor whose parameters run code: they have their values before the statements, and fields before them.
pub(super) fn late_constructor<'c, 'a>(class: &'c Class<'a>) -> Option<&'c MethodDefinition<'a>> {
    let constructor = class.body.body.iter().find_map(constructor);
    constructor.filter(|own| class.heritage.is_none() && !are_plain(&own.value.params))
}

fn field<'e, 'a>(element: &'e ClassElement<'a>) -> Option<&'e PropertyDefinition<'a>> {
    match element {
        ClassElement::PropertyDefinition(field) if !field.r#static => Some(field),
        _ => None,
    }
}

fn constructor<'e, 'a>(element: &'e ClassElement<'a>) -> Option<&'e MethodDefinition<'a>> {
    match element {
        ClassElement::MethodDefinition(own) if own.kind == MethodDefinitionKind::Constructor => Some(own),
        _ => None,
    }
}

/// Whether parameters are names, with literals as defaults: nothing runs before the statements.
fn are_plain(parameters: &FormalParameters<'_>) -> bool {
    let is_name = |pattern: &BindingPattern<'_>| pattern.get_binding_identifier().is_some();
    let plain = |own: &FormalParameter<'_>| {
        is_name(&own.pattern) && own.initializer.as_ref().is_none_or(|default| default.is_literal())
    };
    parameters.items.iter().all(plain) && parameters.rest.as_ref().is_none_or(|rest| is_name(&rest.rest.argument))
}

/// Whether a constructor asks for `new.target`, which its method would not have.
fn asks_who_is_made(constructor: &Function<'_>) -> bool {
    let mut found = Target(false);
    found.visit_function(constructor, ScopeFlags::empty());
    found.0
}

struct Target(bool);

impl Visit<'_> for Target {
    fn visit_new_target(&mut self, _: &NewTarget) {
        self.0 = true;
    }
}

fn is_private(field: &PropertyDefinition<'_>) -> bool {
    matches!(field.key, PropertyKey::PrivateIdentifier(_))
}

fn runs(value: &Expression<'_>) -> bool {
    let mut found = Runs(false);
    found.visit_expression(value);
    found.0
}

/// Whether evaluating an expression may run code that is written elsewhere, or change what it does not make.
struct Runs(bool);

impl<'a> Visit<'a> for Runs {
    fn visit_call_expression(&mut self, _: &CallExpression<'a>) {
        self.0 = true;
    }

    fn visit_new_expression(&mut self, _: &oxc_ast::ast::NewExpression<'a>) {
        self.0 = true;
    }

    fn visit_tagged_template_expression(&mut self, _: &oxc_ast::ast::TaggedTemplateExpression<'a>) {
        self.0 = true;
    }

    fn visit_import_expression(&mut self, _: &oxc_ast::ast::ImportExpression<'a>) {
        self.0 = true;
    }

    fn visit_member_expression(&mut self, _: &oxc_ast::ast::MemberExpression<'a>) {
        self.0 = true;
    }

    fn visit_assignment_expression(&mut self, _: &oxc_ast::ast::AssignmentExpression<'a>) {
        self.0 = true;
    }

    fn visit_update_expression(&mut self, _: &oxc_ast::ast::UpdateExpression<'a>) {
        self.0 = true;
    }

    fn visit_unary_expression(&mut self, unary: &oxc_ast::ast::UnaryExpression<'a>) {
        self.0 |= unary.operator == UnaryOperator::Delete;
        visiting::walk_unary_expression(self, unary);
    }

    fn visit_class(&mut self, _: &Class<'a>) {
        self.0 = true;
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &oxc_ast::ast::ArrowFunctionExpression<'a>) {}
}
