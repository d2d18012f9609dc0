//! `STEP_MOUNT_PREFIX`, `STEP_MOUNT_IN_CODE`: mounts where no tool call reads them (spec: crew-package.md §4 "Mounts").
//!
//! Why: `@pkg/` and `@project/` are resolved in the arguments of tool calls; Python would look for such a folder.

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::body::Fence;
use crate::documents::markdown::Markdown;
use crate::limits::MAX_DIAGNOSTICS;
use crate::policy::MOUNTS;

codes! {
    /// an input or output that begins with a mount
    STEP_MOUNT_PREFIX: Warning, "Leave out `{name}`: mounts belong in the arguments of tool calls." [name];
    /// a mount in a block of Python code
    STEP_MOUNT_IN_CODE: Error, "Leave out `{name}` here: Python does not resolve mounts; tool calls do." [name];
}

/// Info strings of Python code; what follows the word does not count.
const PYTHON: [&str; 3] = ["python", "python3", "py"];

/// The finding for an item of `inputs` or `outputs`, without a place.
pub fn prefix(item: &str) -> Option<Diagnostic> {
    let name = MOUNTS.into_iter().find(|mount| item.starts_with(mount))?;
    Some(Diagnostic::of(&STEP_MOUNT_PREFIX, args! { name }))
}

pub fn in_code(file: &Markdown<'_>) -> Vec<Diagnostic> {
    let Some(body) = &file.body else { return Vec::new() };
    let finding = |fence: &Fence| {
        let code = &body.text[fence.content.clone()];
        let mounts = MOUNTS.into_iter().filter_map(|mount| Some((code.find(mount)?, mount)));
        let (at, name) = mounts.min()?;
        let start = fence.content.start + at;
        let range = file.range((start, start + name.len()));
        Some(Diagnostic::of(&STEP_MOUNT_IN_CODE, args! { name }).at(range))
    };
    body.fences
        .iter()
        .filter(|fence| is_python(&body.text[fence.info.clone()]))
        .filter_map(finding)
        .take(MAX_DIAGNOSTICS)
        .collect()
}

fn is_python(info: &str) -> bool {
    let info = info.trim_start_matches([' ', '\t']);
    let end = info.bytes().take_while(u8::is_ascii_alphanumeric).count();
    PYTHON.iter().any(|name| name.eq_ignore_ascii_case(&info[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::markdown::FileRole;
    use crate::test::found;

    #[test]
    fn python_code_has_no_mounts() {
        let cases = [
            ("```python\nopen('@pkg/assets/a.md')\n```\n", "STEP_MOUNT_IN_CODE 2:7"),
            ("~~~ PY x\n@project/a @pkg/b\n@pkg/c\n~~~\n", "STEP_MOUNT_IN_CODE 2:1"),
            (
                "```python3 {a}\n@pkg/\n```\n```py\r\n\r\n@project/\r\n",
                "STEP_MOUNT_IN_CODE 2:1, STEP_MOUNT_IN_CODE 6:1",
            ),
            ("@pkg/a\n```\n@pkg/a\n```\n```json\n@project/\n```\n", ""),
            ("```pytorch\n@pkg/\n```\n```not python\n@pkg/\n```\n", ""),
            ("```python\n@pkg\n@ project/\n```\n@pkg/", ""),
        ];
        for (text, want) in cases {
            assert_eq!(found(&in_code(&Markdown::read(text, FileRole::Step).unwrap())), want, "{text}");
        }
    }

    #[test]
    fn items_begin_without_mounts() {
        assert!(prefix("@pkg/a").is_some() && prefix("@project/").is_some());
        assert!(prefix("a @pkg/").is_none() && prefix("@pkg").is_none() && prefix("@other/a").is_none());
    }
}
