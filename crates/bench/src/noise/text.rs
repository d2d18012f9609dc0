//! What happens to headers and to the text of the patch as a whole.

use crate::draft::{Draft, Header};
use crate::random::Random;

/// Lines by which a number is wrong, at most.
const MAX_SHIFT: usize = 30;
/// Lines by which a count is wrong, at most.
const MAX_COUNT_SHIFT: usize = 4;

pub fn numbers(draft: &mut Draft, random: &mut Random) -> bool {
    let common = random.once_in(2).then(|| random.shift(MAX_SHIFT));
    let mut changed = false;
    for hunk in &mut draft.hunks {
        let by = common.unwrap_or_else(|| random.shift(MAX_SHIFT));
        if let Header::Ranges { old, new, .. } = &mut hunk.header {
            let was = old.0;
            old.0 = old.0.saturating_add_signed(by).max(1);
            new.0 = new.0.saturating_add_signed(by).max(1);
            changed |= was != old.0;
        }
    }
    changed
}

pub fn counts(draft: &mut Draft, random: &mut Random) -> bool {
    for hunk in &mut draft.hunks {
        if let Header::Ranges { old, new, .. } = &mut hunk.header {
            for side in [old, new] {
                let was = side.1;
                while side.1 == was {
                    side.1 = was.saturating_add_signed(random.shift(MAX_COUNT_SHIFT)).max(1);
                }
            }
        }
    }
    true
}

pub fn bare(draft: &mut Draft, random: &mut Random) -> bool {
    let form = random.below(3);
    for hunk in &mut draft.hunks {
        let section = match &hunk.header {
            Header::Ranges { section, .. } => section.clone(),
            Header::Words(_) => String::new(),
        };
        hunk.header = Header::Words(match form {
            0 => "@@ ... @@".to_owned(),
            1 if !section.is_empty() => format!("@@ {section}"),
            _ => "@@".to_owned(),
        });
    }
    true
}

/// No hunk has a number, and nothing else says where it belongs.
pub fn unnumbered(draft: &mut Draft) {
    for hunk in &mut draft.hunks {
        hunk.header = Header::Words("@@".to_owned());
    }
}

pub fn headers(draft: &mut Draft) -> bool {
    draft.headed = false;
    true
}

pub fn fences(draft: &mut Draft, random: &mut Random) -> bool {
    const BEFORE: &[&str] = &[
        "Here is the change you asked for:\n\n```diff\n",
        "I've updated the file as follows.\n\n- the check comes first\n- the message names the value\n\n```diff\n",
        "```\n",
        "Sure! This patch should do it:\n\n~~~diff\n",
    ];
    const BEHIND: &[&str] =
        &["```\n", "```\n\nLet me know if you would like anything else changed.\n", "```\n\nThat's all.\n"];
    let (Some(before), Some(behind)) = (random.pick(BEFORE), random.pick(BEHIND)) else { return false };
    let behind = if before.contains("~~~") { behind.replace("```", "~~~") } else { (*behind).to_owned() };
    draft.around = Some(((*before).to_owned(), behind));
    true
}

pub fn crlf(draft: &mut Draft) -> bool {
    let content = draft.hunks.iter().flat_map(|hunk| &hunk.body);
    if content.clone().any(|line| line.text.contains('\r')) || draft.base.iter().any(|line| line.contains("\r\n")) {
        return false;
    }
    draft.crlf = true;
    true
}
