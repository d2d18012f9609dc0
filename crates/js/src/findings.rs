//! Findings of one module, collected.

use holdpoint_check::{Args, Code, Diagnostic};
use oxc_span::Span;

use crate::module::Module;

/// Collects; the same code at the same place is one finding.
pub struct Findings<'m, 'a> {
    module: &'m Module<'a>,
    all: Vec<Diagnostic>,
}

impl<'m, 'a> Findings<'m, 'a> {
    pub fn new(module: &'m Module<'a>) -> Self {
        Self { module, all: Vec::new() }
    }

    /// Says the sentence of a code at a place.
    pub fn at(&mut self, span: Span, code: &'static Code, args: Args<'_>) -> &mut Diagnostic {
        self.put(span, Diagnostic::of(code, args))
    }

    /// Takes a finding of somebody who does not know places.
    pub fn put(&mut self, span: Span, finding: Diagnostic) -> &mut Diagnostic {
        self.all.push(finding.in_file(self.module.path).at(self.module.range(span)));
        self.all.last_mut().expect("a finding was just added")
    }

    /// In order of place and code.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut all = self.all;
        all.sort_by(|a, b| (a.range, &a.code).cmp(&(b.range, &b.code)));
        all.dedup_by(|b, a| a.code == b.code && a.range == b.range);
        all
    }
}
