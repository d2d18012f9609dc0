//! Names of functions and classes that are defaults of parameters: some engines give them none.

use oxc_ast::ast::FormalParameter;
use oxc_span::GetSpan;

use crate::meter::walk::{Walk, quoted};

impl<'a> Walk<'_, 'a> {
    /// A parameter whose default takes its name.
    pub(super) fn named_default(&mut self, parameter: &FormalParameter<'a>) {
        let Some(name) = parameter.pattern.get_binding_identifier() else { return };
        let Some(default) = parameter.initializer.as_ref().filter(|own| own.is_anonymous_function_definition()) else {
            return;
        };
        let (name, span) = (quoted(&name.name), default.span());
        self.edits.open(span.start as usize, format!("{{[{name}]:"));
        self.edits.close(span.end as usize, format!("}}[{name}]"));
    }
}
