//! The new specifier of an import whose file was moved (spec: vite-app.md §3.1).

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, Fix, LineIndex};

use crate::options::Options;
use crate::policy::{ending, is_typescript};
use crate::project::ProjectTree;
use crate::resolve::{IMPORT_UNRESOLVED, Resolved, Resolver, folder, join};

/// Gives unresolved specifiers that pointed to a moved file the one that points to it now. `moved`: where files were, by
/// where they are.
pub fn of_renames(
    found: &mut [Diagnostic],
    before: &Files,
    after: &Files,
    moved: &BTreeMap<String, String>,
    options: &Options<'_>,
) {
    if moved.is_empty() {
        return;
    }
    let (project, _) = ProjectTree::new(before, options, &mut Vec::new());
    let resolver = Resolver { project: &project, options, declared: None, aliases: Vec::new(), any_alias: false };
    for one in found.iter_mut().filter(|one| one.code == IMPORT_UNRESOLVED.name) {
        let (Some(path), Some(range)) = (&one.path, one.range) else { continue };
        // The file may have moved too: then its imports are those that it had where it was.
        if moved.contains_key(path) || !before.contains_key(path) {
            continue;
        }
        let Some(text) = after.get(path) else { continue };
        let lines = LineIndex::new(text);
        let Some(specifier) = text.get(lines.offset(range.start)..lines.offset(range.end)) else { continue };
        let is_page = ending(path) == "html";
        let typescript = is_typescript(path) || is_page;
        let old = match specifier.strip_prefix('/') {
            Some(rest) if is_page => join("", rest),
            _ if specifier.starts_with('.') => join(folder(path), specifier),
            _ if is_page => join(folder(path), specifier),
            _ => None,
        };
        let Some(old) = old else { continue };
        let Resolved::File(old) = resolver.file(&old, specifier.ends_with('/'), typescript) else { continue };
        let now = moved.iter().find(|(_, was)| **was == old).map(|(now, _)| now);
        if let Some(now) = now.filter(|now| after.contains_key(*now)) {
            one.fix = Some(vec![Fix::text(range, written_like(specifier, &old, now, path))]);
        }
    }
}

/// The specifier of a path in the style of another one: its ending only if that was written.
fn written_like(specifier: &str, old: &str, now: &str, importer: &str) -> String {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let has_ending = name(specifier) == name(old);
    let target = if has_ending {
        now.to_owned()
    } else {
        let stem = now.strip_suffix(&format!(".{}", ending(now))).unwrap_or(now);
        stem.strip_suffix("/index").unwrap_or(stem).to_owned()
    };
    if specifier.starts_with('/') {
        return format!("/{target}");
    }
    let from: Vec<&str> = folder(importer).split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = target.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count().min(to.len() - 1);
    let up = from.len() - shared;
    let lead = if up == 0 { "./".to_owned() } else { "../".repeat(up) };
    format!("{lead}{}", to[shared..].join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_stays() {
        let cases = [
            ("./App", "src/App.tsx", "src/Root.tsx", "src/main.tsx", "./Root"),
            ("./App.tsx", "src/App.tsx", "src/ui/Root.tsx", "src/main.tsx", "./ui/Root.tsx"),
            ("../a", "src/a.ts", "shared/a.ts", "src/ui/b.ts", "../../shared/a"),
            ("./ui", "src/ui/index.ts", "src/parts/index.ts", "src/main.tsx", "./parts"),
            ("/src/main.tsx", "src/main.tsx", "src/start.tsx", "index.html", "/src/start.tsx"),
        ];
        for (specifier, old, now, importer, want) in cases {
            assert_eq!(written_like(specifier, old, now, importer), want, "{specifier}");
        }
    }
}
