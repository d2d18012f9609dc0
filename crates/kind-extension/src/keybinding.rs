//! Keys of key bindings (spec: ifc-extension.md §2.1).

use holdpoint_check::{Diagnostic, args, codes};

codes! {
    /// no key, or one of the browser's
    INVALID_KEYBINDING / MODIFIER: Error, "`{name}` is no modifier. Use {known}." [name, known];
    INVALID_KEYBINDING / TWICE: Error, "Write `{modifier}` once." [modifier];
    INVALID_KEYBINDING / KEY: Error, "`{name}` is no key. Use A–Z, 0–9, F1–F12, {known}." [name, known];
    INVALID_KEYBINDING / BARE: Error, "Add a modifier besides Shift, for example Mod.";
    INVALID_KEYBINDING / BROWSER: Error, "Choose another key: this one belongs to the browser.";
}

const MODIFIERS: [&str; 5] = ["Mod", "Ctrl", "Alt", "Shift", "Meta"];
const NAMED: [&str; 14] = [
    "Enter",
    "Escape",
    "Space",
    "Tab",
    "Delete",
    "Backspace",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
];
/// Letters that belong to the browser with `Mod`, `Ctrl` or `Meta` alone.
const BROWSER_LETTERS: &str = "CVXZWTNQRL";
/// Function keys that belong to the browser.
const BROWSER_FUNCTION_KEYS: [&str; 3] = ["F5", "F11", "F12"];

/// Why a key is not taken, without a place.
pub fn check(key: &str) -> Result<(), Box<Diagnostic>> {
    let mut parts: Vec<&str> = key.split('+').collect();
    let last = parts.pop().unwrap_or_default();
    for (at, modifier) in parts.iter().enumerate() {
        if !MODIFIERS.contains(modifier) {
            let known = MODIFIERS.join(", ");
            return Err(Diagnostic::of(&MODIFIER, args! { name: modifier, known }).into());
        }
        if parts[..at].contains(modifier) {
            return Err(Diagnostic::of(&TWICE, args! { modifier }).into());
        }
    }
    let function_key = last.strip_prefix('F').is_some_and(|number| {
        !number.starts_with('0') && number.parse::<u8>().is_ok_and(|number| (1..=12).contains(&number))
    });
    let letter = matches!(last.as_bytes(), [b'A'..=b'Z' | b'0'..=b'9']);
    if !(function_key || letter || NAMED.contains(&last)) {
        return Err(Diagnostic::of(&KEY, args! { name: last, known: NAMED.join(", ") }).into());
    }
    if !function_key && parts.iter().all(|modifier| *modifier == "Shift") {
        return Err(Diagnostic::of(&BARE, args! {}).into());
    }
    let browser_letter = letter && BROWSER_LETTERS.contains(last) && matches!(parts[..], ["Mod" | "Ctrl" | "Meta"]);
    if browser_letter || BROWSER_FUNCTION_KEYS.contains(&last) {
        return Err(Diagnostic::of(&BROWSER, args! {}).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn keys() {
        let fine = ["Mod+Shift+F", "Mod+K", "Alt+1", "F2", "Shift+F3", "Mod+Shift+C", "Ctrl+ArrowRight", "Alt+C"];
        for key in fine {
            assert_eq!(check(key), Ok(()), "{key}");
        }
        let refused = [
            "",
            "F",
            "K",
            "Shift+K",
            "Mod+",
            "Mod+k",
            "mod+K",
            "Mod+Mod+K",
            "Mod+C",
            "Ctrl+W",
            "Meta+L",
            "F5",
            "Mod+F11",
            "F13",
            "F0",
            "F01",
            "F+1",
            "K+Mod",
            "Mod + K",
            "Cmd+K",
            "Mod+Ä",
            "Mod+AB",
        ];
        for key in refused {
            assert!(check(key).is_err(), "{key}");
        }
    }
}
