//! Findings of one module, collected.

use holdpoint_check::{Diagnostic, Severity};
use oxc_span::Span;

use crate::module::Module;

/// Collects; the same code at the same place is one finding.
pub struct Findings<'m, 'a> {
    module: &'m Module<'a>,
    all: Vec<Diagnostic>,
}

impl<'m, 'a> Findings<'m, 'a> {
    /// Nothing found yet.
    pub fn new(module: &'m Module<'a>) -> Self {
        Self { module, all: Vec::new() }
    }

    /// An error.
    pub fn at(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.add(code, Severity::Error, span, message.into())
    }

    /// A warning.
    pub fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.add(code, Severity::Warning, span, message.into())
    }

    /// In order of place and code.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.all;
        all.sort_by(|a, b| (a.range, &a.code).cmp(&(b.range, &b.code)));
        all.dedup_by(|b, a| a.code == b.code && a.range == b.range);
        all
    }

    fn add(&mut self, code: &'static str, severity: Severity, span: Span, message: String) -> &mut Diagnostic {
        let finding = Diagnostic::new(code, severity, message).in_file(self.module.path).at(self.module.range(span));
        self.all.push(finding);
        self.all.last_mut().expect("a finding was just added")
    }
}
