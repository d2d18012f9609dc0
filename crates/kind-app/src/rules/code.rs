//! Imports of code, and addresses that it loads (spec: vite-app.md §5).
//!
//! Why: what a project names is what it was checked with, so nothing comes from the network, from Node, or from a name
//! that only a run would know.

use holdpoint_check::{Diagnostic, Range, args, codes};

use super::Links;
use crate::code::{Load, Specifier, Use};
use crate::glob::Glob;
use crate::policy::{ending, is_node_context};
use crate::resolve::{
    IMPORT_ESCAPES_ROOT, IMPORT_NETWORK, Importer, Resolved, Resolver, cleaned, folder, is_network, join, scheme,
    without_query,
};

codes! {
    /// the text does not parse
    SYNTAX_ERROR: Error, "Correct the text: {what}." [what];
    /// a specifier that only a run would know
    IMPORT_NOT_STATIC: Error, "Write the specifier as one text: what is loaded must be known before it runs.";
    /// a pattern that begins with no folder of the project
    IMPORT_GLOB_INVALID: Error, "Begin the pattern with `./`, `../`, `/` or an alias, outside of `node_modules`.";
    /// no file matches the patterns
    IMPORT_GLOB_EMPTY: Warning, "Correct the pattern: no file of the project matches it.";
    /// `require` in code of the browser
    REQUIRE_IN_MODULE: Error, "Write `import`: the code runs in a browser, which has no `require`.";
    /// an address of the network for an image, a font or the like
    ASSET_NETWORK: Warning, "Put a copy into the project: the address is loaded from the network.";
    /// no such file for an image, a font or the like
    ASSET_UNRESOLVED: Warning, "Correct the address: there is no such file.";
}

/// Judges what one file names.
pub fn check(uses: &[Use], importer: Importer<'_>, resolver: &Resolver<'_>, links: &mut Links) -> Vec<Diagnostic> {
    let mut rule = Rule { patterns_left: MAX_PATTERNS, importer, resolver, links, found: Vec::new() };
    for one in uses {
        rule.judge(one);
    }
    rule.found
}

/// Patterns of one file that are looked for; what is over it matches nothing.
const MAX_PATTERNS: usize = 256;

struct Rule<'r> {
    /// Patterns that may still be looked for.
    patterns_left: usize,
    importer: Importer<'r>,
    resolver: &'r Resolver<'r>,
    links: &'r mut Links,
    found: Vec<Diagnostic>,
}

impl Rule<'_> {
    fn at(&mut self, range: Range, finding: Diagnostic) {
        self.found.push(finding.in_file(self.importer.path).at(range));
    }

    fn is_browser(&self) -> bool {
        !is_node_context(self.importer.path)
    }

    fn judge(&mut self, one: &Use) {
        match &one.load {
            Load::Import { type_only } => self.specifier(&one.named, *type_only),
            Load::Dynamic => self.dynamic(&one.named),
            Load::Require { callee } => {
                let is_script = matches!(ending(self.importer.path).as_str(), "cjs" | "cts");
                if self.is_browser() && !is_script {
                    self.at(*callee, Diagnostic::of(&REQUIRE_IN_MODULE, args! {}));
                }
                self.specifier(&one.named, false);
            }
            Load::Glob => self.glob(&one.named),
            Load::Address { runs } => {
                if let Specifier::Text { text, range } = &one.named
                    && (*runs || self.is_browser())
                {
                    self.address(text, *range, *runs);
                }
            }
            Load::Script => self.script(&one.named),
        }
    }

    fn specifier(&mut self, named: &Specifier, type_only: bool) {
        match named {
            Specifier::Text { text, range } => {
                let found = self.resolver.code(text, Importer { type_only, ..self.importer });
                if let Some(fault) = self.links.note(found) {
                    self.at(*range, fault);
                }
            }
            Specifier::Template { texts, range } => self.unknown(texts.first().map(String::as_str), *range),
            Specifier::Other { leading, range } => self.unknown(leading.as_deref(), *range),
            Specifier::List(_) | Specifier::Nothing => {}
        }
    }

    fn unknown(&mut self, leading: Option<&str>, range: Range) {
        let network = leading.is_some_and(|text| is_network(&cleaned(text, false)));
        let code = if network { &IMPORT_NETWORK } else { &IMPORT_NOT_STATIC };
        self.at(range, Diagnostic::of(code, args! {}));
    }

    fn dynamic(&mut self, named: &Specifier) {
        let Specifier::Template { texts, range } = named else { return self.specifier(named, false) };
        let lead = texts.first().map_or("", String::as_str);
        if is_network(&cleaned(lead, false)) {
            return self.at(*range, Diagnostic::of(&IMPORT_NETWORK, args! {}));
        }
        let escaped: Vec<String> = texts.iter().map(|text| literal(text)).collect();
        match self.root_pattern(lead, &escaped.join("*")) {
            Some(Ok(pattern)) => {
                if !self.take_matches(&Glob::new(&pattern)) {
                    self.at(*range, Diagnostic::of(&IMPORT_GLOB_EMPTY, args! {}));
                }
            }
            Some(Err(fault)) => self.at(*range, fault),
            None => self.at(*range, Diagnostic::of(&IMPORT_NOT_STATIC, args! {})),
        }
    }

    /// A pattern from the root, of one that begins with `./`, `../` or an alias; an alias that nobody can read matches
    /// everything.
    fn root_pattern(&self, lead: &str, pattern: &str) -> Option<Result<String, Diagnostic>> {
        if lead.starts_with("./") || lead.starts_with("../") {
            let escapes = || Diagnostic::of(&IMPORT_ESCAPES_ROOT, args! {});
            return Some(join(folder(self.importer.path), pattern).ok_or_else(escapes));
        }
        for alias in &self.resolver.aliases {
            if alias.leads(lead).is_none() {
                continue;
            }
            let target = alias.leads(pattern)?.into_iter().next()?;
            return Some(match target {
                crate::alias::AliasTarget::Path(Some(path)) => Ok(path),
                crate::alias::AliasTarget::Path(None) => Err(Diagnostic::of(&IMPORT_ESCAPES_ROOT, args! {})),
                crate::alias::AliasTarget::Unknown => Ok("**".to_owned()),
            });
        }
        let looks_like_one = lead.starts_with("@/") || lead.starts_with('~') || lead.starts_with('#');
        (self.resolver.any_alias && looks_like_one).then(|| Ok("**".to_owned()))
    }

    /// Notes every file that a pattern matches but the importer; whether there was one.
    fn take_matches(&mut self, glob: &Glob) -> bool {
        let Some(left) = self.patterns_left.checked_sub(1) else { return false };
        self.patterns_left = left;
        let mut any = false;
        for path in self.resolver.project.files.keys() {
            if path != self.importer.path && glob.matches(path) {
                any = true;
                self.links.local.insert(path.clone());
            }
        }
        any
    }

    fn glob(&mut self, named: &Specifier) {
        let patterns = match named {
            Specifier::List(patterns) => patterns,
            Specifier::Other { range, .. } | Specifier::Template { range, .. } | Specifier::Text { range, .. } => {
                return self.at(*range, Diagnostic::of(&IMPORT_NOT_STATIC, args! {}));
            }
            Specifier::Nothing => return,
        };
        let (mut faulty, mut any) = (false, false);
        for (pattern, range) in patterns.iter().filter(|(pattern, _)| !pattern.starts_with('!')) {
            match self.rooted(pattern) {
                Ok(rooted) => any |= self.take_matches(&Glob::new(&rooted)),
                Err(fault) => {
                    faulty = true;
                    self.at(*range, fault);
                }
            }
        }
        let first = patterns.iter().find(|(pattern, _)| !pattern.starts_with('!'));
        if let Some((_, range)) = first.filter(|_| !faulty && !any) {
            self.at(*range, Diagnostic::of(&IMPORT_GLOB_EMPTY, args! {}));
        }
    }

    /// The pattern of a glob, from the root.
    fn rooted(&self, pattern: &str) -> Result<String, Diagnostic> {
        let invalid = || Diagnostic::of(&IMPORT_GLOB_INVALID, args! {});
        if is_network(&cleaned(pattern, false)) {
            return Err(Diagnostic::of(&IMPORT_NETWORK, args! {}));
        }
        if pattern.split('/').any(|segment| segment == "node_modules") {
            return Err(invalid());
        }
        if let Some(rest) = pattern.strip_prefix('/') {
            return join("", rest).ok_or_else(|| Diagnostic::of(&IMPORT_ESCAPES_ROOT, args! {}));
        }
        self.root_pattern(pattern, pattern).unwrap_or_else(|| Err(invalid()))
    }

    fn address(&mut self, text: &str, range: Range, runs: bool) {
        let clean = cleaned(text, false);
        if is_network(&clean) {
            if runs {
                self.at(range, Diagnostic::of(&IMPORT_NETWORK, args! {}));
            }
            return;
        }
        if scheme(&clean).is_some() {
            return;
        }
        let plain = without_query(text).split('#').next().unwrap_or_default();
        let path = match plain.strip_prefix('/') {
            Some(rest) => join("public", rest),
            None => join(folder(self.importer.path), plain),
        };
        let is_there = |path: &String| self.resolver.project.has(path);
        // What runs is found as an import is.
        let guessed = path.as_ref().filter(|path| runs && !is_there(path));
        let guessed = guessed.map(|path| self.resolver.file(path, false, self.importer.typescript));
        match path.filter(is_there) {
            Some(path) => {
                self.links.note(Resolved::File(path));
            }
            None if matches!(guessed, Some(Resolved::File(_))) => {
                guessed.and_then(|found| self.links.note(found));
            }
            None if runs => self.at(range, Diagnostic::of(&crate::resolve::IMPORT_UNRESOLVED, args! {})),
            None => self.at(range, Diagnostic::of(&ASSET_UNRESOLVED, args! {})),
        }
    }

    fn script(&mut self, named: &Specifier) {
        let (text, range) = match named {
            Specifier::Text { text, range } | Specifier::Other { leading: Some(text), range } => (text.as_str(), range),
            Specifier::Template { texts, range } => (texts.first().map_or("", String::as_str), range),
            _ => return,
        };
        if is_network(&cleaned(text, false)) {
            self.at(*range, Diagnostic::of(&IMPORT_NETWORK, args! {}));
        }
    }
}

/// A text in which a pattern sees no wildcard.
fn literal(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            all.push('\\');
        }
        all.push(c);
    }
    all
}
