//! Calls by the name of what only a person does (spec: DESIGN §3).
//!
//! Owns which names mean applying or installing. There is no such tool and none can be offered; this is how a model
//! that tries is told so, instead of being told that it misspelled something.

use holdpoint_check::{Diagnostic, args, codes};

codes! {
    /// a call by the name of apply or install
    AI_TOOL_FORBIDDEN / INSTALL: Error,
        "`{name}` is no tool: a person installs, after review. Only send the files." [name];
}

/// What a person does with a signature.
const DEEDS: [&str; 3] = ["apply", "install", "uninstall"];
/// What may stand behind it in a name. Others, such as `apply_patch`, mean an edit, which is an unknown tool here.
const OBJECTS: [&str; 9] =
    ["bundle", "change", "changes", "changeset", "extension", "now", "revision", "set", "version"];

/// The finding for a call by the name of apply or install; `None` for every other name.
pub(super) fn finding(name: &str) -> Option<Diagnostic> {
    let words = words(name);
    let at = words.iter().position(|word| DEEDS.contains(&word.as_str()))?;
    let only_objects = words[at + 1..].iter().all(|word| OBJECTS.contains(&word.as_str()));
    only_objects.then(|| Diagnostic::of(&INSTALL, args! { name }))
}

/// The words of a name in lower case: `builder.change.apply`, `apply_change`, `installExtension`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for character in name.chars() {
        let begins = character.is_ascii_uppercase() && lower;
        lower = character.is_ascii_lowercase();
        if begins || !character.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_ascii_alphanumeric()) {
            word.push(character.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_apply_and_install() {
        for name in [
            "apply",
            "install",
            "Install",
            "uninstall",
            "builder.change.apply",
            "extension.install",
            "apply_change_set",
            "installExtension",
            "APPLY",
        ] {
            assert_eq!(finding(name).map(|finding| finding.code), Some(INSTALL.name.into()), "{name}");
        }
        for name in ["", "write_file", "run_tests", "apply_patch", "reapply", "installer", "application", "应用"] {
            assert_eq!(finding(name), None, "{name}");
        }
    }
}
