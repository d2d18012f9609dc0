//! Assets of a change set: their paths as they are meant, and what they may hold (spec: crew-package.md §9.3, §9.4).

use holdpoint_check::{Diagnostic, args};

use super::compile::{Compiled, Work};
use super::finding::{Phase, SetFinding};
use super::operation::Object;
use super::path::Path;
use super::view::View;
use super::world::World;
use crate::policy::Endings;
use crate::rules::assets::{ASSET_ENCODING_INVALID, bytes, content, is_binary, path_fault, sums};

/// A path without blanks around it, with forward slashes and no leading `./`.
pub fn tidy(path: &str) -> String {
    let slashed = path.replace('\\', "/");
    let mut rest = slashed.trim();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter;
    }
    rest.to_owned()
}

/// What is wrong with the path of an asset; then its operation has no effect. What is there may always go.
pub fn fault(operation: &Compiled, before: &View, endings: &Endings<'_>) -> Option<Diagnostic> {
    let Object::Asset(path) = &operation.target else { return None };
    match &operation.work {
        Work::Delete if before.assets.contains_key(path) => None,
        // Of what is not there nothing is known but its path, which may have had any ending.
        Work::Delete => path_fault(path, crate::policy::BINARY, endings),
        Work::Asset(text) => path_fault(path, &text.text, endings),
        _ => None,
    }
}

pub fn check(operation: &Compiled, world: &World<'_>, findings: &mut Vec<SetFinding>) {
    let mut find = |at: Path, found: Diagnostic| findings.push(SetFinding::new(Phase::Security, at, found));
    let Object::Asset(path) = &operation.target else { return };
    if let Some(found) = fault(operation, world.before, &world.endings) {
        find(operation.target_at().key("path"), found.in_file(path));
        return;
    }
    let Work::Asset(text) = &operation.work else { return };
    let found = if is_binary(&text.text) && !world.is_inverse {
        let hint = "Allowed: text that does not begin with base64:";
        Some(Diagnostic::of(&ASSET_ENCODING_INVALID, args! {}).with_hint(hint))
    } else {
        content(path, &text.text, &world.limits)
    };
    if let Some(found) = found {
        find(text.at.clone(), found.in_file(path));
    }
}

/// All assets after the set, when it writes one.
pub fn totals(world: &World<'_>, findings: &mut Vec<SetFinding>) {
    if !world.operations.iter().any(|operation| matches!(operation.work, Work::Asset(_))) {
        return;
    }
    let assets = &world.after.assets;
    let sum = assets.values().map(|text| bytes(text)).sum();
    for found in sums(assets.len(), sum, &world.limits) {
        findings.push(SetFinding::new(Phase::Security, Path::of("operations"), found));
    }
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn tidy_paths_stay() {
        let cases = [
            (" assets\\new\\a.md ", "assets/new/a.md"),
            ("./assets/a.md", "assets/a.md"),
            (".\\./assets/a.md", "assets/a.md"),
            ("assets/./a.md", "assets/./a.md"),
            ("/assets/a b.md", "/assets/a b.md"),
            (" ./ assets", " assets"),
            ("", ""),
        ];
        for (path, want) in cases {
            assert_eq!(tidy(path), want);
        }
    }
}
