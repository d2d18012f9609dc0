//! Trees of files that a job left: walked and removed without following a link, however deep and wide they are.
//!
//! Nothing here is recursive: a job can nest folders deeper than any stack and longer than any path may be.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Removes a folder and all in it. Every folder in it is first moved into a new one beside the root, so that no path gets
/// long, and gets a mode of its own, because a job may have made it without any right.
pub fn remove(root: &Path) -> io::Result<()> {
    match fs::symlink_metadata(root) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return fs::remove_file(root),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    let mut beside = root.as_os_str().to_owned();
    beside.push(".removed");
    let beside = PathBuf::from(beside);
    fs::create_dir_all(&beside)?;
    let mut moved: usize = 0;
    let mut waiting = Vec::new();
    let mut take = |folder: &Path, waiting: &mut Vec<PathBuf>| {
        // The folder's own mode decides whether it may be moved and listed.
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        while fs::symlink_metadata(beside.join(moved.to_string())).is_ok() {
            moved += 1;
        }
        let target = beside.join(moved.to_string());
        fs::rename(folder, &target)?;
        waiting.push(target);
        io::Result::Ok(())
    };
    take(root, &mut waiting)?;
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                take(&entry.path(), &mut waiting)?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        fs::remove_dir(&folder)?;
    }
    fs::remove_dir(&beside)
}

/// What a folder and all in it take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreeSize {
    /// Bytes on the disk, a link counting as its own name.
    pub bytes: u64,
    pub entries: usize,
    /// It has more entries or deeper folders than were asked for, or one that cannot be listed: the rest is not counted.
    pub is_cut: bool,
}

/// Sums a folder that may change meanwhile: what is gone or closed is not counted.
pub fn measure(root: &Path, max_entries: usize, max_depth: usize) -> TreeSize {
    let mut size = TreeSize::default();
    let mut waiting = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                size.is_cut |= !is_gone(&error);
                continue;
            }
        };
        for entry in entries.flatten() {
            size.entries += 1;
            if size.entries > max_entries {
                size.is_cut = true;
                return size;
            }
            let metadata = match fs::symlink_metadata(entry.path()) {
                Ok(metadata) => metadata,
                Err(error) => {
                    size.is_cut |= !is_gone(&error);
                    continue;
                }
            };
            size.bytes += metadata.blocks() * 512;
            if !metadata.is_dir() {
                continue;
            }
            if depth == max_depth {
                size.is_cut = true;
                continue;
            }
            waiting.push((entry.path(), depth + 1));
        }
    }
    size
}

/// Whether something was removed or replaced meanwhile, in contrast to what cannot be looked at.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Takes the right to write from a folder and all in it. The tree is the runner's own.
pub fn make_read_only(root: &Path) -> io::Result<()> {
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let metadata = fs::symlink_metadata(entry.path())?;
            if metadata.is_dir() {
                waiting.push(entry.path());
            } else if metadata.is_file() {
                let mode = metadata.permissions().mode();
                fs::set_permissions(entry.path(), Permissions::from_mode((mode & 0o111) | 0o444))?;
            }
        }
        fs::set_permissions(&folder, Permissions::from_mode(0o555))?;
    }
    Ok(())
}

/// Gives a folder and all in it to a slot's uid and gid, without following a link; nothing where slots have none. The
/// folder itself is closed to all others.
pub fn give(root: &Path, id: Option<u32>) -> io::Result<()> {
    fs::set_permissions(root, Permissions::from_mode(0o700))?;
    let Some(id) = id else { return Ok(()) };
    std::os::unix::fs::lchown(root, Some(id), Some(id))?;
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            std::os::unix::fs::lchown(entry.path(), Some(id), Some(id))?;
            if entry.file_type()?.is_dir() {
                waiting.push(entry.path());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("runner-tree-{}-{name}", std::process::id()));
        let _ = remove(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_tree_deeper_than_a_path_is_measured_and_removed() {
        let root = folder("deep");
        let mut top = root.join("a");
        fs::create_dir(&top).unwrap();
        // Each round hangs what is there below a new folder, so that no call names a long path.
        for _ in 0..3_000 {
            let above = root.join("b");
            fs::create_dir(&above).unwrap();
            fs::rename(&top, above.join("a-folder-with-a-name")).unwrap();
            fs::rename(&above, &top).unwrap();
            top = root.join("a");
        }
        assert!(measure(&root, 100_000, 64).is_cut);
        assert!(measure(&root, 100_000, usize::MAX).is_cut, "longer than a path may be");
        remove(&root).unwrap();
        assert!(!root.exists());
    }

    #[test]
    fn links_are_removed_and_never_followed() {
        let (root, other) = (folder("links"), folder("other"));
        fs::write(other.join("kept"), "x").unwrap();
        std::os::unix::fs::symlink(&other, root.join("link")).unwrap();
        fs::create_dir(root.join("closed")).unwrap();
        fs::write(root.join("closed/file"), "x").unwrap();
        fs::set_permissions(root.join("closed"), Permissions::from_mode(0o000)).unwrap();
        let (size, is_root) = (measure(&root, 100, 64), nix::unistd::geteuid().is_root());
        assert_eq!((size.entries, size.is_cut), if is_root { (3, false) } else { (2, true) });
        remove(&root).unwrap();
        assert!(!root.exists() && other.join("kept").exists());
        remove(&other).unwrap();
        remove(&other).unwrap();
    }

    #[test]
    fn a_tree_that_nobody_may_write_is_removed() {
        let root = folder("read-only");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/tool"), "x").unwrap();
        fs::set_permissions(root.join("a/b/tool"), Permissions::from_mode(0o755)).unwrap();
        make_read_only(&root).unwrap();
        assert_eq!(fs::metadata(root.join("a/b/tool")).unwrap().mode() & 0o777, 0o555);
        assert_eq!(fs::metadata(root.join("a/b")).unwrap().mode() & 0o777, 0o555);
        remove(&root).unwrap();
        assert!(!root.exists());
    }

    #[test]
    fn a_wide_tree_is_cut() {
        let root = folder("wide");
        for number in 0..20 {
            fs::write(root.join(number.to_string()), "x").unwrap();
        }
        let size = measure(&root, 10, 4);
        assert!(size.is_cut && size.entries == 11);
        assert!(!measure(&root, 20, 4).is_cut);
        remove(&root).unwrap();
    }
}
