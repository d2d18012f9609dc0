//! Any bytes as an archive, a change set or a package.

use serde_json::Value;

use super::crew::{Texts, Watch, archive, change_set, package};

/// Any bytes: the first chooses what they are, an archive, the input of a check, or files that are parted by NUL.
pub fn any(bytes: &[u8]) {
    let watch: Watch<'_> = &mut |_, run| drop(run());
    let Some((first, rest)) = bytes.split_first() else { return };
    match first % 3 {
        0 => {
            archive(rest, watch);
        }
        1 => {
            if let Ok(input @ Value::Object(_)) = serde_json::from_slice(rest) {
                change_set(input, watch);
            }
        }
        _ => {
            let texts: Vec<String> =
                rest.split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect();
            let files = texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
            package(&files, &Texts::new(), watch);
        }
    }
}
