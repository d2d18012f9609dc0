//! Addresses in stylesheets (spec: vite-app.md §6).
//!
//! Why: Vite moves everything that looks like `@import …;` to the top of the built stylesheet, so a text that names the
//! network there is loaded from it, wherever it stood.

use holdpoint_check::{Diagnostic, LineIndex, args};
use holdpoint_markup::css::{self, Reference};

use super::Links;
use super::code::{ASSET_NETWORK, ASSET_UNRESOLVED, SYNTAX_ERROR};
use super::package::PackageFile;
use crate::resolve::{
    IMPORT_ABSOLUTE, IMPORT_ESCAPES_ROOT, IMPORT_NETWORK, IMPORT_SCHEME_FORBIDDEN, Importer, Resolved, Resolver,
    cleaned, folder, is_network, join, scheme, without_query,
};

/// A stylesheet, or what stands in a `style` of a page.
pub struct Sheet<'s> {
    pub text: &'s str,
    /// Where it begins in its file.
    pub offset: usize,
    /// Positions of the whole file.
    pub lines: &'s LineIndex<'s>,
    /// Whether names are resolved: not in files that are served as they are.
    pub resolves: bool,
}

pub fn check(sheet: &Sheet<'_>, importer: Importer<'_>, resolver: &Resolver<'_>, links: &mut Links) -> Vec<Diagnostic> {
    let at = |start: usize, end: usize, finding: Diagnostic| {
        finding.in_file(importer.path).at(sheet.lines.range(sheet.offset + start, sheet.offset + end))
    };
    let references = match css::read(sheet.text) {
        Ok(references) => references,
        Err(fault) => {
            let finding = Diagnostic::of(&SYNTAX_ERROR, args! { what: fault.kind.to_string() });
            return vec![at(fault.offset, fault.offset, finding)];
        }
    };
    let mut found = Vec::new();
    let mut from_network = Vec::new();
    for one in &references {
        let span = one.span();
        let fault = match one {
            Reference::Import { address, .. } => {
                let fault = import(address, sheet.resolves, importer, resolver, links);
                from_network.extend(fault.iter().any(|one| one.code == IMPORT_NETWORK.name).then_some(span.start));
                fault
            }
            Reference::Url { address, .. } if sheet.resolves => asset(address, importer, resolver, links),
            Reference::Url { .. } | Reference::Hoisted { .. } => None,
        };
        found.extend(fault.map(|finding| at(span.start, span.end, finding)));
    }
    for one in &references {
        let Reference::Hoisted { text, address, span } = one else { continue };
        // References come in order, so what is told already is found by its place.
        let next = from_network.get(from_network.partition_point(|start| *start < span.start));
        let is_told = next.is_some_and(|start| *start < span.end);
        let is_network = address.as_ref().is_some_and(|own| is_network(&cleaned(own, true)));
        if !is_told && (is_network || names_network(text)) {
            found.push(at(span.start, span.end, Diagnostic::of(&IMPORT_NETWORK, args! {})));
        }
    }
    found
}

/// Whether the bundler reads what is in the rules of styles: Vite 5 leaves that to a browser.
pub fn is_strict(declared: Option<&PackageFile>) -> bool {
    declared.is_none_or(|own| own.version("vite").is_none_or(|version| !version.starts_with("5.")))
}

/// What a bundler breaks off at in a stylesheet whose blocks and texts are closed.
pub fn fault(sheet: &Sheet<'_>, path: &str) -> Option<Diagnostic> {
    css::read(sheet.text).ok()?;
    let fault = css::fault(sheet.text)?;
    let at = sheet.offset + fault.offset;
    let finding = Diagnostic::of(&SYNTAX_ERROR, args! { what: fault.kind.to_string() }).in_file(path);
    Some(finding.at(sheet.lines.range(at, at)))
}

/// Whether an address of the network stands anywhere in a text.
fn names_network(text: &str) -> bool {
    let clean = cleaned(text, true);
    let begins = |at: usize| !clean[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    let schemes = ["http:", "https:", "ws:", "wss:", "ftp:"];
    let has_scheme = schemes.iter().any(|scheme| clean.match_indices(scheme).any(|(at, _)| begins(at)));
    let opens = |at: usize| clean[..at].trim_end().ends_with(['"', '\'', '(']);
    has_scheme || clean.match_indices("//").any(|(at, _)| opens(at))
}

fn import(
    address: &str,
    resolves: bool,
    importer: Importer<'_>,
    resolver: &Resolver<'_>,
    links: &mut Links,
) -> Option<Diagnostic> {
    let clean = cleaned(address, true);
    if is_network(&clean) {
        return Some(Diagnostic::of(&IMPORT_NETWORK, args! {}));
    }
    if clean.starts_with('/') {
        return Some(Diagnostic::of(&IMPORT_ABSOLUTE, args! {}));
    }
    if scheme(&clean).is_some() {
        return Some(Diagnostic::of(&IMPORT_SCHEME_FORBIDDEN, args! {}));
    }
    if !resolves {
        return None;
    }
    let plain = without_query(address.trim());
    let found = if plain.starts_with("./") || plain.starts_with("../") {
        match join(folder(importer.path), plain) {
            Some(path) if resolver.project.has(&format!("{path}.css")) => Resolved::File(format!("{path}.css")),
            Some(path) => resolver.file(&path, false, false),
            None => Resolved::fault(Diagnostic::of(&IMPORT_ESCAPES_ROOT, args! {})),
        }
    } else if let Some(found) = resolver.alias(plain, false) {
        found
    } else {
        match join(folder(importer.path), plain).filter(|path| !plain.is_empty() && resolver.project.has(path)) {
            Some(path) => Resolved::File(path),
            None => resolver.bare(plain, importer),
        }
    };
    links.note(found)
}

/// An address for an image, a font or the like.
pub fn asset(address: &str, importer: Importer<'_>, resolver: &Resolver<'_>, links: &mut Links) -> Option<Diagnostic> {
    let clean = cleaned(address, true);
    if is_network(&clean) {
        return Some(Diagnostic::of(&ASSET_NETWORK, args! {}));
    }
    let plain = address.trim().split(['?', '#']).next().unwrap_or_default();
    if plain.is_empty() || scheme(&clean).is_some() {
        return None;
    }
    let paths = match plain.strip_prefix('/') {
        Some(rest) => [join("public", rest), join("", rest)],
        None => [join(folder(importer.path), plain), None],
    };
    let decoded = paths.iter().flatten().find(|path| resolver.project.has(path));
    if let Some(path) = decoded {
        links.note(Resolved::File(path.clone()));
        return None;
    }
    if resolver.alias(plain, false).is_some_and(|found| links.note(found).is_none()) {
        return None;
    }
    Some(Diagnostic::of(&ASSET_UNRESOLVED, args! {}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_name_the_network() {
        for text in ["@import \"https://a\";", "@import '//a'", "@import url( \\\\a )", "@import X-HTTP:a"] {
            assert!(names_network(text), "{text}");
        }
        for text in ["@import './a.css' /* x */;", "@import 'a' layer(news:b)"] {
            assert!(!names_network(text), "{text}");
        }
    }
}
