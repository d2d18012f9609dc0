//! Files and folders for their owner alone: what a state folder holds is keys and what people wrote.
//!
//! Invariant: no file is readable to others for a moment: it is made with its rights, not given them afterwards.

use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;

use crate::process::{Fault, command};

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Makes a folder, where there is none; one that is there is left as it is.
pub fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(path)
}

/// Writes a file anew.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    OpenOptions::new().write(true).create_new(true).mode(FILE).open(path)?.write_all(text.as_bytes())
}

/// What a file holds; where it is not there yet, it is made, and `make` says of what.
pub fn kept(path: &Path, make: impl FnOnce() -> Result<String, Fault>) -> Result<String, Fault> {
    if let Ok(written) = std::fs::read_to_string(path) {
        return Ok(written);
    }
    let made = make()?;
    write(path, &made)?;
    Ok(made)
}

/// 32 random bytes as hexadecimal digits.
pub fn random_hex() -> Result<String, Fault> {
    Ok(random()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// 32 random bytes.
pub fn random() -> Result<[u8; 32], Fault> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| Fault::told(format!("No randomness: {error}")))?;
    Ok(bytes)
}

/// Takes the rights of others from a folder and all in it, which an earlier version may have given. Links are not
/// followed, and a file keeps nothing that its owner had not.
pub fn restrict(path: &Path) -> io::Result<()> {
    if close(path)? {
        for entry in std::fs::read_dir(path)? {
            restrict(&entry?.path())?;
        }
    }
    Ok(())
}

/// Takes the rights of others from a file or folder, and leaves what is in it; answers whether it is a folder.
pub fn close(path: &Path) -> io::Result<bool> {
    let kept = std::fs::symlink_metadata(path)?;
    if kept.is_symlink() {
        return Ok(false);
    }
    let mode = kept.permissions().mode() & 0o7777;
    if mode & 0o077 != 0 {
        std::fs::set_permissions(path, Permissions::from_mode(mode & 0o700))?;
    }
    Ok(kept.is_dir())
}

/// A command whose files are for its owner alone. The shell sets that and becomes the program, so it is one process.
pub fn restricted(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut start = command("sh");
    start.args(["-c", "umask 077; exec \"$@\"", "sh"]).arg(program);
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_is_for_its_owner_alone() {
        let root = std::env::temp_dir().join(format!("holdpoint-own-{}", std::process::id()));
        let inner = root.join("state/objects");
        folder(&inner).unwrap();
        assert_eq!((mode(&root), mode(&inner)), (0o700, 0o700));
        let file = root.join("state/tokens.json");
        write(&file, "first").unwrap();
        assert_eq!(mode(&file), 0o600);

        // As an earlier version left it, or somebody else's program.
        std::fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        write(&file, "second").unwrap();
        assert_eq!((mode(&file), std::fs::read_to_string(&file).unwrap().as_str()), (0o600, "second"));
        let secret = root.join("state/secret");
        let first = kept(&secret, random_hex).unwrap();
        assert_eq!((first.len(), mode(&secret)), (64, 0o600));
        assert_eq!(kept(&secret, random_hex).unwrap(), first, "it is made once");
        let script = inner.join("program");
        std::fs::write(&script, "").unwrap();
        std::fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
        std::fs::set_permissions(&inner, Permissions::from_mode(0o755)).unwrap();
        let outside = root.join("outside");
        std::fs::write(&outside, "").unwrap();
        std::fs::set_permissions(&outside, Permissions::from_mode(0o644)).unwrap();
        std::os::unix::fs::symlink(&outside, inner.join("link")).unwrap();
        restrict(&root.join("state")).unwrap();
        assert_eq!((mode(&inner), mode(&script), mode(&outside)), (0o700, 0o700, 0o644));

        let made = inner.join("made");
        let status = restricted("touch").arg(&made).status().unwrap();
        assert!(status.success());
        assert_eq!(mode(&made), 0o600);
        std::fs::remove_dir_all(root).unwrap();
    }
}
