//! What a specifier means: the network, a file, a package, an alias (spec: vite-app.md §5.1, §5.2).

use holdpoint_check::{Diagnostic, Fix, args, codes, json};

use crate::alias::{Alias, AliasTarget};
use crate::options::{Options, Policy};
use crate::policy::{ending, is_node_context};
use crate::project::ProjectTree;
use crate::rules::package::PackageFile;

codes! {
    /// an address of the network where code or a style is loaded
    IMPORT_NETWORK: Error, "Take it from a package of the catalogue or put a copy into the project: nothing is loaded from the network.";
    /// a path from the root of a disk, a drive or a `file:` address
    IMPORT_ABSOLUTE: Error, "Write a path that is relative to this file.";
    /// another scheme than those of the network
    IMPORT_SCHEME_FORBIDDEN: Error, "Import a file of the project or a package.";
    /// a module of Node where it cannot be used
    IMPORT_NODE_BUILTIN: Error, "Leave `{name}` out: the code runs in a browser, and configuration and tests may use `assert`, `path` and `url`." [name];
    /// no package of the catalogue
    IMPORT_NOT_IN_CATALOG: Error, "Use a package of catalogue {version}: `{name}` is none." [name, version];
    /// a package that `package.json` does not name
    IMPORT_UNDECLARED: Error, "Declare `{name}` in `package.json`." [name];
    /// an alias that the configuration does not have
    IMPORT_ALIAS_UNMAPPED: Error, "Write a relative path, or declare the alias in `resolve.alias` of the Vite configuration.";
    /// a path above the root of the project
    IMPORT_ESCAPES_ROOT: Error, "Stay inside the project: the path leaves its root.";
    /// no file is where the specifier leads
    IMPORT_UNRESOLVED: Error, "Correct the path: there is no such file.";
    /// a file of that name in other letter case
    IMPORT_CASE_MISMATCH: Error, "Write the name in the letter case of the file.", hint "{real}" [real];
}

const NETWORK: [&str; 5] = ["http:", "https:", "ws:", "wss:", "ftp:"];
/// Public modules of Node 20, by their first segment.
const BUILTINS: [&str; 42] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];
/// Those that configuration and tests may use.
const NODE_ALLOWED: [&str; 3] = ["assert", "path", "url"];
/// Tried behind a path without ending, in this order.
const GUESSED: [&str; 7] = [".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json"];

/// What a specifier leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolved {
    /// A file of the project.
    File(String),
    /// A package that may be used.
    Package(String),
    /// Accepted without a look: only a run would know.
    Unknown,
    Fault(Box<Diagnostic>),
}

impl Resolved {
    pub fn fault(finding: Diagnostic) -> Self {
        Self::Fault(Box::new(finding))
    }
}

/// The file that names a specifier, and how.
#[derive(Debug, Clone, Copy)]
pub struct Importer<'a> {
    pub path: &'a str,
    /// Whether a name is tried as TypeScript does.
    pub typescript: bool,
    /// Whether only types are taken from it.
    pub type_only: bool,
    /// A leading `/` is the root of the project: code inside of a page.
    pub from_root: bool,
}

/// What specifiers are resolved in.
pub struct Resolver<'a> {
    pub project: &'a ProjectTree<'a>,
    pub options: &'a Options<'a>,
    pub declared: Option<&'a PackageFile>,
    pub aliases: Vec<Alias>,
    /// Everything that looks like an alias is accepted: the configuration cannot be read.
    pub any_alias: bool,
}

/// What a browser makes of an address before it looks at its scheme.
pub fn cleaned(raw: &str, in_markup: bool) -> String {
    let outer = raw.trim_matches(|c: char| c <= ' ');
    let kept = outer.chars().filter(|c| !matches!(c, '\t' | '\r' | '\n'));
    kept.map(|c| if in_markup && c == '\\' { '/' } else { c.to_ascii_lowercase() }).collect()
}

pub fn is_network(cleaned: &str) -> bool {
    cleaned.starts_with("//") || NETWORK.iter().any(|scheme| cleaned.starts_with(scheme))
}

/// The scheme of an address, without its colon.
pub fn scheme(cleaned: &str) -> Option<&str> {
    let (scheme, _) = cleaned.split_once(':')?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    (scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(is_part)).then_some(scheme)
}

/// What stands before the query of an address.
pub fn without_query(specifier: &str) -> &str {
    specifier.split('?').next().unwrap_or(specifier)
}

/// The folder of a path; empty for the root.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A relative path from a folder; `None` above the root. Empty: the root itself.
pub fn join(folder: &str, relative: &str) -> Option<String> {
    let mut segments: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in relative.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

/// Whether a path names a folder by the way it is written.
fn names_folder(specifier: &str) -> bool {
    specifier.is_empty()
        || specifier.ends_with('/')
        || specifier.rsplit('/').next().is_some_and(|last| last == "." || last == "..")
}

impl Resolver<'_> {
    /// What a specifier of code means.
    pub fn code(&self, specifier: &str, importer: Importer<'_>) -> Resolved {
        let clean = cleaned(specifier, false);
        if is_network(&clean) {
            return Resolved::fault(Diagnostic::of(&IMPORT_NETWORK, args! {}));
        }
        match scheme(&clean) {
            Some("node") => return builtin(&clean["node:".len()..], importer),
            Some(drive) if drive.len() == 1 || drive == "file" => {
                return Resolved::fault(Diagnostic::of(&IMPORT_ABSOLUTE, args! {}));
            }
            Some(_) => return Resolved::fault(Diagnostic::of(&IMPORT_SCHEME_FORBIDDEN, args! {})),
            None => {}
        }
        if clean.starts_with('\\') {
            return Resolved::fault(Diagnostic::of(&IMPORT_ABSOLUTE, args! {}));
        }
        let plain = without_query(specifier);
        if let Some(found) = self.alias(plain, importer.typescript) {
            return found;
        }
        if let Some(rest) = plain.strip_prefix('/') {
            return if importer.from_root {
                self.file(&join("", rest).unwrap_or_default(), names_folder(plain), importer.typescript)
            } else {
                Resolved::fault(Diagnostic::of(&IMPORT_ABSOLUTE, args! {}))
            };
        }
        if plain.is_empty() {
            return Resolved::fault(Diagnostic::of(&IMPORT_UNRESOLVED, args! {}));
        }
        if matches!(plain, "." | "..") || plain.starts_with("./") || plain.starts_with("../") {
            return match join(folder(importer.path), plain) {
                Some(path) => self.file(&path, names_folder(plain), importer.typescript),
                None => Resolved::fault(Diagnostic::of(&IMPORT_ESCAPES_ROOT, args! {})),
            };
        }
        if plain.starts_with('.') {
            return Resolved::fault(Diagnostic::of(&IMPORT_UNRESOLVED, args! {}));
        }
        self.bare(plain, importer)
    }

    /// A specifier that is neither a path nor an address: an alias that nobody mapped, or a package.
    pub fn bare(&self, plain: &str, importer: Importer<'_>) -> Resolved {
        if plain.starts_with("@/") || plain.starts_with('~') || plain.starts_with('#') {
            return Resolved::fault(Diagnostic::of(&IMPORT_ALIAS_UNMAPPED, args! {}));
        }
        self.package(plain, importer)
    }

    /// Where an alias of the configuration leads; `None` where none fits.
    pub fn alias(&self, plain: &str, typescript: bool) -> Option<Resolved> {
        for alias in &self.aliases {
            let Some(targets) = alias.leads(plain) else { continue };
            let mut last = None;
            for target in targets {
                match target {
                    AliasTarget::Unknown => return Some(Resolved::Unknown),
                    AliasTarget::Path(None) => {
                        last = Some(Resolved::fault(Diagnostic::of(&IMPORT_UNRESOLVED, args! {})));
                    }
                    AliasTarget::Path(Some(path)) => {
                        match self.file(&path, names_folder(plain) || path.is_empty(), typescript) {
                            found @ Resolved::File(_) => return Some(found),
                            fault => last = Some(fault),
                        }
                    }
                }
            }
            if alias.falls_through {
                continue;
            }
            return last;
        }
        let looks_like_one = plain.starts_with("@/") || plain.starts_with('~') || plain.starts_with('#');
        (self.any_alias && looks_like_one).then_some(Resolved::Unknown)
    }

    /// A path as the bundler resolves it; `is_folder`: only an index can be meant.
    pub fn file(&self, path: &str, is_folder: bool, typescript: bool) -> Resolved {
        let candidates = candidates(path, is_folder, typescript);
        if let Some(found) = candidates.iter().find(|one| self.project.has(one)) {
            return Resolved::File(found.clone());
        }
        match candidates.iter().find_map(|one| self.project.in_other_case(one)) {
            Some(real) => Resolved::fault(Diagnostic::of(&IMPORT_CASE_MISMATCH, args! { real })),
            None => Resolved::fault(Diagnostic::of(&IMPORT_UNRESOLVED, args! {})),
        }
    }

    /// Exactly this file, which may be there in other letter case.
    pub fn exact(&self, path: &str) -> Resolved {
        if self.project.has(path) {
            return Resolved::File(path.to_owned());
        }
        match self.project.in_other_case(path) {
            Some(real) => Resolved::fault(Diagnostic::of(&IMPORT_CASE_MISMATCH, args! { real })),
            None => Resolved::fault(Diagnostic::of(&IMPORT_UNRESOLVED, args! {})),
        }
    }

    fn package(&self, plain: &str, importer: Importer<'_>) -> Resolved {
        let name = package_name(plain);
        let first = plain.split('/').next().unwrap_or(plain);
        let declared = |name: &str| self.declared.is_some_and(|own| own.has(name));
        if BUILTINS.contains(&first) && !declared(first) {
            return builtin(plain, importer);
        }
        let types = match name.strip_prefix('@').and_then(|scoped| scoped.split_once('/')) {
            Some((scope, own)) => format!("@types/{scope}__{own}"),
            None => format!("@types/{name}"),
        };
        if importer.type_only && declared(&types) {
            return Resolved::Package(name.to_owned());
        }
        let pin = self.options.catalog.packages.get(name);
        if self.options.policy == Policy::Curated && pin.is_none() {
            let version = &self.options.catalog.version;
            return Resolved::fault(Diagnostic::of(&IMPORT_NOT_IN_CATALOG, args! { name, version }));
        }
        if self.declared.is_some() && !declared(name) {
            let mut finding = Diagnostic::of(&IMPORT_UNDECLARED, args! { name });
            if let Some(pin) = pin.filter(|_| self.options.policy == Policy::Curated) {
                let fix = Fix::value(json::join("/dependencies", name), pin.as_str()).in_file("package.json");
                finding = finding.with_fix(vec![fix]);
            }
            return Resolved::fault(finding);
        }
        Resolved::Package(name.to_owned())
    }
}

/// A module of Node: a few of them in configuration and tests.
fn builtin(name: &str, importer: Importer<'_>) -> Resolved {
    let first = name.split('/').next().unwrap_or(name);
    if is_node_context(importer.path) && NODE_ALLOWED.contains(&first) {
        return Resolved::Unknown;
    }
    Resolved::fault(Diagnostic::of(&IMPORT_NODE_BUILTIN, args! { name }))
}

/// The name of the package of a specifier: its first segment, two with a scope.
pub fn package_name(specifier: &str) -> &str {
    let slashes = usize::from(specifier.starts_with('@'));
    specifier.match_indices('/').nth(slashes).map_or(specifier, |(at, _)| &specifier[..at])
}

fn candidates(path: &str, is_folder: bool, typescript: bool) -> Vec<String> {
    let mut all = Vec::new();
    let swaps: &[(&str, &[&str])] =
        &[(".js", &[".ts", ".tsx"]), (".jsx", &[".tsx"]), (".mjs", &[".mts"]), (".cjs", &[".cts"])];
    if !is_folder {
        all.push(path.to_owned());
        if typescript {
            for (from, to) in swaps {
                if let Some(stem) = path.strip_suffix(from).filter(|_| format!(".{}", ending(path)) == *from) {
                    all.extend(to.iter().map(|ending| format!("{stem}{ending}")));
                }
            }
        }
        all.extend(GUESSED.iter().map(|ending| format!("{path}{ending}")));
    }
    let index = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
    all.extend(GUESSED.iter().map(|ending| format!("{index}{ending}")));
    if typescript {
        if !is_folder {
            all.extend([format!("{path}.d.ts"), format!("{path}.d.mts")]);
            all.extend(path.strip_suffix(".js").map(|stem| format!("{stem}.d.ts")));
        }
        all.push(format!("{index}.d.ts"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_packages() {
        for (specifier, name) in [("a", "a"), ("a/b/c", "a"), ("@a/b/c", "@a/b"), ("@a", "@a"), ("@a/b", "@a/b")] {
            assert_eq!(package_name(specifier), name);
        }
    }

    #[test]
    fn addresses_are_cleaned_as_a_browser_does() {
        for network in [" HTTPS://a", "\u{1}//a", "ht\ntps://a", "wss:a"] {
            assert!(is_network(&cleaned(network, false)), "{network:?}");
        }
        assert!(is_network(&cleaned("\\\\a", true)));
        assert!(!is_network(&cleaned("./https:", false)));
        assert_eq!(scheme("a/b:c"), None);
        assert_eq!(scheme("virtual:pages"), Some("virtual"));
    }

    #[test]
    fn paths_stay_inside() {
        assert_eq!(join("src/a", "../b/./c"), Some("src/b/c".to_owned()));
        assert_eq!(join("src", "../.."), None);
        assert_eq!(join("", "."), Some(String::new()));
    }
}
