//! Findings for people: message, source, caret, hint.

use std::collections::BTreeMap;
use std::io::IsTerminal;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use holdpoint_check::{Diagnostic, LineIndex, Severity};

use crate::terminal::visible;

/// Renders findings about files; colours only where a terminal shows them.
pub struct FindingsReport<'f> {
    files: &'f BTreeMap<String, String>,
    renderer: Renderer,
}

impl<'f> FindingsReport<'f> {
    pub fn new(files: &'f BTreeMap<String, String>) -> Self {
        let renderer = if std::io::stdout().is_terminal() { Renderer::styled() } else { Renderer::plain() };
        Self { files, renderer }
    }

    pub fn finding(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
        };
        let title = visible(&diagnostic.message);
        let mut group = Group::with_title(level.primary_title(title).id(diagnostic.code.as_ref()));
        let source = diagnostic.path.as_ref().and_then(|path| Some((path, self.files.get(path)?)));
        if let (Some((path, text)), Some(range)) = (source, diagnostic.range) {
            let index = LineIndex::new(text);
            let span = index.offset(range.start)..index.offset(range.end);
            group =
                group.element(Snippet::source(text).path(visible(path)).annotation(AnnotationKind::Primary.span(span)));
        } else {
            let place: Vec<&str> =
                [&diagnostic.path, &diagnostic.pointer].into_iter().flatten().map(String::as_str).collect();
            if !place.is_empty() {
                group = group.element(Level::NOTE.message(visible(&format!("at {}", place.join(" "))).into_owned()));
            }
        }
        if let Some(hint) = &diagnostic.hint {
            group = group.element(Level::HELP.message(visible(hint)));
        }
        // The renderer writes out what a terminal obeys in sources, but for the controls of C1.
        self.renderer.render(&[group]).replace(|character| ('\u{80}'..='\u{9f}').contains(&character), "\u{fffd}")
    }
}
