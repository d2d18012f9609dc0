//! Generated files: written here, checked for drift by `ci`.
//!
//! The type declarations of the wire and the reference are exported by tests of the crates that own them, below
//! `target/generated`; no test writes into the tree. `test` compares after it ran them, `generate` copies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Done;
use crate::process::{Fault, linting_cargo, root, run};
use crate::test::selection;
use crate::{licences, sizes};

/// Where tests export to, and where the same files are kept.
const EXPORTED: [(&str, &str); 3] = [
    ("target/generated/types", "www/core/src/generated"),
    ("target/generated/texts", "www/elements/src/text/generated"),
    ("target/generated/reference", "docs/reference"),
];
/// What the names of those tests begin with.
const EXPORTS: &str = "export_";
const NOTICES: &str = "THIRD-PARTY.md";

/// Writes every generated file.
pub fn write() -> Done {
    std::fs::write(root().join(NOTICES), licences::notices()?)?;
    forget_exports()?;
    run(linting_cargo().args(["test", "--quiet"]).args(selection()).args(["--", EXPORTS]))?;
    for (exported, kept) in EXPORTED {
        let (exported, kept) = (files(&root().join(exported))?, root().join(kept));
        std::fs::remove_dir_all(&kept)?;
        for (name, text) in exported {
            let file = kept.join(name);
            std::fs::create_dir_all(file.parent().unwrap_or(&kept))?;
            std::fs::write(file, text)?;
        }
    }
    sizes::renew()
}

/// Takes away what earlier tests exported: a type that is gone must not look as if it were there.
pub fn forget_exports() -> Done {
    for (exported, _) in EXPORTED {
        let folder = root().join(exported);
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// A fault when the notices are not what the lock gives.
pub fn check() -> Done {
    let kept = std::fs::read_to_string(root().join(NOTICES)).unwrap_or_default();
    if licences::notices()? == kept { Ok(()) } else { Err(drifted(NOTICES)) }
}

/// A fault when the tests exported something else than what is kept.
pub fn check_exports() -> Done {
    for (exported, kept) in EXPORTED {
        let (exported, own) = (files(&root().join(exported))?, files(&root().join(kept))?);
        if let Some(name) = differing(&exported, &own) {
            return Err(drifted(&format!("{kept}/{}", name.display())));
        }
    }
    Ok(())
}

/// The first file that only one side has, or that differs.
fn differing<'f>(one: &'f BTreeMap<PathBuf, Vec<u8>>, other: &'f BTreeMap<PathBuf, Vec<u8>>) -> Option<&'f PathBuf> {
    let names = one.keys().chain(other.keys());
    names.filter(|name| one.get(*name) != other.get(*name)).min()
}

/// The files below a folder, by their path inside it.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Fault> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = PathBuf::from(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?.into_iter().map(|(inner, text)| (name.join(inner), text)));
        } else {
            found.insert(name, std::fs::read(entry.path())?);
        }
    }
    Ok(found)
}

fn drifted(path: &str) -> Fault {
    Fault::told(format!("{path} is not what its source gives. Run `cargo xtask generate` and commit the result."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_or_stands_on_one_side_is_named() {
        let tree = |files: &[(&str, &str)]| -> BTreeMap<PathBuf, Vec<u8>> {
            files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect()
        };
        let kept = tree(&[("A.ts", "a"), ("B.ts", "b")]);
        assert_eq!(differing(&kept, &kept), None);
        for other in [tree(&[("A.ts", "a")]), tree(&[("A.ts", "a"), ("B.ts", "c")])] {
            assert_eq!(differing(&other, &kept), Some(&PathBuf::from("B.ts")));
            assert_eq!(differing(&kept, &other), Some(&PathBuf::from("B.ts")));
        }
    }
}
