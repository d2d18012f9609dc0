//! What a page loads (spec: vite-app.md §6 "HTML files").

use std::borrow::Cow;

use holdpoint_check::{Diagnostic, LineIndex, Range, args, codes};
use holdpoint_js::Dialect;
use holdpoint_markup::html::{self, Element};

use super::code::{self, ASSET_NETWORK, SYNTAX_ERROR};
use super::{Links, css};
use crate::code::read;
use crate::resolve::{IMPORT_NETWORK, Importer, Resolved, Resolver, cleaned, folder, is_network, join, scheme};

codes! {
    /// there is no `index.html` at the root
    INDEX_HTML_MISSING: Error, "Add `index.html` at the root, with a module script of the entry.";
    /// `index.html` does not load the entry
    ENTRY_NOT_LINKED: Error, "Load the entry in `index.html`: `<script type=\"module\" src=\"/{entry}\"></script>`." [entry];
    /// a page has an import map
    HTML_IMPORTMAP_FORBIDDEN: Error, "Leave the import map out: the bundler resolves imports.";
    /// an address of a file that leads to a folder
    ASSET_IS_FOLDER: Error, "Write the whole address, or name a file: the bundler cannot read a folder.";
    /// a page has an element `base`
    HTML_BASE_FORBIDDEN: Error, "Leave `base` out: it would change every address of the page.";
}

pub const PATH: &str = "index.html";

/// What a page was found to load.
#[derive(Debug, Default)]
pub struct Page {
    pub findings: Vec<Diagnostic>,
    /// Files that module scripts name.
    pub scripts: Vec<String>,
    /// Whether a script names no file.
    pub has_unresolved: bool,
}

pub fn check(importer: Importer<'_>, text: &str, resolver: &Resolver<'_>, links: &mut Links) -> Page {
    let lines = LineIndex::new(text);
    let mut rule =
        Rule { importer, lines: &lines, resolver, links, page: Page::default(), resolves: importer.path == PATH };
    match html::read(text) {
        Ok(elements) => elements.iter().for_each(|element| rule.element(element)),
        Err(fault) => {
            let finding = Diagnostic::of(&SYNTAX_ERROR, args! { what: fault.kind.to_string() });
            rule.at(lines.range(fault.offset, fault.offset), finding);
        }
    }
    rule.page
}

struct Rule<'r> {
    importer: Importer<'r>,
    lines: &'r LineIndex<'r>,
    resolver: &'r Resolver<'r>,
    links: &'r mut Links,
    page: Page,
    /// Only the root page is built: of others what they would load from elsewhere is looked at.
    resolves: bool,
}

/// What a script of that type is.
fn script_type(element: &Element<'_>) -> &'static str {
    // Vite bundles exactly `module`; in other letter case a browser would load the source.
    if element.value("type") == Some("module") {
        return "module";
    }
    let given = element.value("type").map(|value| value.trim().to_ascii_lowercase());
    match given.as_deref() {
        Some("importmap") => "importmap",
        None
        | Some(
            ""
            | "text/javascript"
            | "application/javascript"
            | "text/ecmascript"
            | "application/ecmascript"
            | "application/x-javascript"
            | "application/x-ecmascript"
            | "text/javascript1.0"
            | "text/javascript1.1"
            | "text/javascript1.2"
            | "text/javascript1.3"
            | "text/javascript1.4"
            | "text/javascript1.5"
            | "text/jscript"
            | "text/livescript"
            | "text/x-ecmascript"
            | "text/x-javascript",
        ) => "script",
        Some(_) => "data",
    }
}

impl Rule<'_> {
    fn at(&mut self, range: Range, finding: Diagnostic) {
        self.page.findings.push(finding.in_file(self.importer.path).at(range));
    }

    fn span(&self, span: &std::ops::Range<usize>) -> Range {
        self.lines.range(span.start, span.end)
    }

    fn element(&mut self, element: &Element<'_>) {
        self.folders(element);
        match element.name.as_str() {
            "base" => self.at(self.span(&element.span), Diagnostic::of(&HTML_BASE_FORBIDDEN, args! {})),
            "script" => self.script(element),
            "link" => self.link(element),
            "style" => self.style(element),
            "img" | "source" | "video" | "audio" | "track" => {
                self.asset(element, "src");
                if element.name == "video" {
                    self.asset(element, "poster");
                }
            }
            _ => {}
        }
    }

    /// The bundler reads every file that an element names, whatever for.
    fn folders(&mut self, element: &Element<'_>) {
        let names: &[&str] = match element.name.as_str() {
            "link" => &["href"],
            "img" | "source" | "audio" | "track" | "embed" | "input" => &["src"],
            "video" => &["src", "poster"],
            "object" => &["data"],
            _ => return,
        };
        if !self.resolves {
            return;
        }
        for given in names.iter().filter_map(|name| element.attribute(name)) {
            let clean = cleaned(&given.value, false);
            let plain = given.value.split(['?', '#']).next().unwrap_or_default();
            if plain.is_empty() || is_network(&clean) || scheme(&clean).is_some() {
                continue;
            }
            let files = &self.resolver.project.files;
            let is_folder = join("", plain).is_some_and(|path| {
                let below = format!("{path}/");
                let holds = files.range(below.clone()..).next().is_some_and(|(file, _)| file.starts_with(&below));
                path.is_empty() || (holds && !self.resolver.project.has(&format!("public/{path}")))
            });
            if is_folder {
                self.at(self.span(&given.span), Diagnostic::of(&ASSET_IS_FOLDER, args! {}));
            }
        }
    }

    fn script(&mut self, element: &Element<'_>) {
        let kind = script_type(element);
        match kind {
            "importmap" => self.at(self.span(&element.span), Diagnostic::of(&HTML_IMPORTMAP_FORBIDDEN, args! {})),
            "data" => {}
            _ => match element.attribute("src") {
                Some(_) => self.loaded(element, "src", kind == "module"),
                None if kind == "module" => self.inline(element),
                None => {}
            },
        }
    }

    /// A script or style that an attribute names.
    fn loaded(&mut self, element: &Element<'_>, attribute: &str, is_module: bool) {
        let Some(given) = element.attribute(attribute) else { return };
        let range = self.span(&given.span);
        let clean = cleaned(&given.value, true);
        if is_network(&clean) {
            return self.at(range, Diagnostic::of(&IMPORT_NETWORK, args! {}));
        }
        if !self.resolves {
            return;
        }
        let is_script = element.name == "script";
        match self.links.note(self.file(&given.value, is_module)) {
            Some(fault) => {
                self.page.has_unresolved |= is_script && is_module;
                self.at(range, fault);
            }
            None if is_script && is_module => {
                if let Resolved::File(path) = self.file(&given.value, true) {
                    self.page.scripts.push(path);
                }
            }
            None => {}
        }
    }

    /// A file that a page names: its own place, `public/`, and for modules what a bundler tries.
    fn file(&self, address: &str, is_module: bool) -> Resolved {
        let unresolved = || Resolved::fault(Diagnostic::of(&crate::resolve::IMPORT_UNRESOLVED, args! {}));
        if scheme(&cleaned(address, true)).is_some() {
            return unresolved();
        }
        let plain = address.split(['?', '#']).next().unwrap_or_default();
        let plain = plain.replace('\\', "/");
        let path = match plain.strip_prefix('/') {
            Some(rest) => join("", rest),
            None => join(folder(self.importer.path), &plain),
        };
        let Some(path) = path.filter(|path| !path.is_empty()) else { return unresolved() };
        let served = format!("public/{path}");
        if !self.resolver.project.has(&path) && self.resolver.project.has(&served) {
            return Resolved::File(served);
        }
        if is_module { self.resolver.file(&path, plain.ends_with('/'), true) } else { self.resolver.exact(&path) }
    }

    fn inline(&mut self, element: &Element<'_>) {
        let Some(content) = &element.content else { return };
        let importer = Importer { from_root: true, typescript: true, ..self.importer };
        let offset = content.span.start;
        // In a drawing the text is not the page's own, so its places are not either.
        let is_own = matches!(content.text, Cow::Owned(_));
        let mut own = Links::default();
        let mut found = match read(&content.text, Dialect::MODULE) {
            Ok(file) => code::check(&file.uses, importer, self.resolver, &mut own),
            Err(fault) => {
                vec![
                    Diagnostic::of(&SYNTAX_ERROR, args! { what: fault.what })
                        .in_file(self.importer.path)
                        .at(fault.range),
                ]
            }
        };
        if !self.resolves {
            found.retain(|one| one.code == IMPORT_NETWORK.name);
            own = Links::default();
        }
        self.page.has_unresolved |= found.iter().any(|one| one.code == crate::resolve::IMPORT_UNRESOLVED.name);
        let inner = LineIndex::new(&content.text);
        for mut one in found {
            one.range = one.range.map(|range| {
                let (start, end) = (inner.offset(range.start), inner.offset(range.end));
                if is_own { self.span(&element.span) } else { self.lines.range(offset + start, offset + end) }
            });
            self.page.findings.push(one);
        }
        self.page.scripts.extend(own.local.iter().cloned());
        self.links.local.extend(own.local);
        self.links.packages.extend(own.packages);
    }

    fn link(&mut self, element: &Element<'_>) {
        let rel = element.value("rel").unwrap_or_default().to_ascii_lowercase();
        let has = |name: &str| rel.split_ascii_whitespace().any(|word| word == name);
        if has("stylesheet") || has("modulepreload") {
            self.loaded(element, "href", has("modulepreload"));
        } else if ["icon", "apple-touch-icon", "manifest", "preload", "prefetch", "mask-icon"]
            .iter()
            .any(|name| has(name))
        {
            self.asset(element, "href");
        }
    }

    fn asset(&mut self, element: &Element<'_>, attribute: &str) {
        let Some(given) = element.attribute(attribute) else { return };
        let range = self.span(&given.span);
        let fault = if self.resolves {
            css::asset(&given.value, self.importer, self.resolver, self.links)
        } else {
            is_network(&cleaned(&given.value, true)).then(|| Diagnostic::of(&ASSET_NETWORK, args! {}))
        };
        if let Some(fault) = fault {
            self.at(range, fault);
        }
    }

    fn style(&mut self, element: &Element<'_>) {
        let Some(content) = &element.content else { return };
        let sheet =
            css::Sheet { text: &content.text, offset: content.span.start, lines: self.lines, resolves: self.resolves };
        let mut found = css::check(&sheet, self.importer, self.resolver, self.links);
        if self.resolves && css::is_strict(self.resolver.declared) {
            found.extend(css::fault(&sheet, self.importer.path));
        }
        if matches!(content.text, Cow::Owned(_)) {
            for one in &mut found {
                one.range = Some(self.span(&element.span));
            }
        }
        self.page.findings.extend(found);
    }
}

/// Of a project whose root page was read.
pub fn entry(entry: &str, page: &Page) -> Option<Diagnostic> {
    let is_linked = page.scripts.iter().any(|path| path == entry);
    (!is_linked && !page.has_unresolved).then(|| Diagnostic::of(&ENTRY_NOT_LINKED, args! { entry }).in_file(PATH))
}
