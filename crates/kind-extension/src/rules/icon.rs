//! `ICON_UNSAFE`: an icon that could act (spec: ifc-extension.md §7).
//!
//! Why: the icon is the one file of a bundle that a browser may render.

use std::sync::LazyLock;

use holdpoint_check::{Diagnostic, LineIndex, args, codes};
use regex::Regex;

use crate::policy::ICON;

codes! {
    /// an icon that could act
    ICON_UNSAFE: Error, "Draw the icon with shapes only: no script, no events, no link outside the file.";
}

static ACTIVE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r#"(?i)<script|<foreignObject|<!DOCTYPE|<!ENTITY|[\s"'/]on[a-z]+\s*=|javascript:"#,
        r#"|\bhref\s*=\s*(?:"[^#"]|'[^#']|""|''|[^\s"'#])"#,
    );
    Regex::new(pattern).expect("the pattern is constant")
});

/// One finding at the first active place.
pub fn check(text: &str, findings: &mut Vec<Diagnostic>) {
    if let Some(found) = ACTIVE.find(text) {
        let range = LineIndex::new(text).range(found.start(), found.end());
        findings.push(Diagnostic::of(&ICON_UNSAFE, args! {}).in_file(ICON).at(range));
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn active_and_still() {
        let cases = [
            ("<svg><path d='M0 0'/></svg>", false),
            ("<svg><use href='#a'/><use xlink:href=\"#b\"/></svg>", false),
            ("<svg><text>on = off</text><g opacity='1' font='a'/></svg>", false),
            ("<svg><SCRIPT/></svg>", true),
            ("<svg><foreignobject/></svg>", true),
            ("<!DOCTYPE svg><svg/>", true),
            ("<svg onload = 'x()'/>", true),
            ("<svg/onload='x()'/>", true),
            ("<svg><a href='https://example.org'/></svg>", true),
            ("<svg><a href=''/></svg>", true),
            ("<svg><a xlink:href = data:x /></svg>", true),
            ("<svg><style>a{b:url(javascript:x)}</style></svg>", true),
        ];
        for (text, active) in cases {
            let mut findings = Vec::new();
            check(text, &mut findings);
            assert_eq!(!findings.is_empty(), active, "{text}");
        }
    }
}
