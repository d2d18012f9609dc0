//! Where a kind's files may lie (spec: ifc-extension.md §1; the steps are those of vite-app.md §2).
//!
//! A kind brings a [`FilePolicy`] as data; the steps are the same for all. Invariant: the first step that refuses a
//! path is the only one reported for it.

use std::collections::BTreeSet;

use crate::{BundlePath, PathError, PathLimits, normalise};

/// A folder and the endings that it takes, dot included.
#[derive(Debug, Clone, Copy)]
pub struct AllowedFolder {
    /// First segment of the path.
    pub folder: &'static str,
    /// Allowed endings; letter case counts.
    pub endings: &'static [&'static str],
}

/// What a kind allows. Paths are judged as given: nothing is repaired.
#[derive(Debug, Clone, Copy)]
pub struct FilePolicy {
    /// How long a path may be.
    pub limits: PathLimits,
    /// Files allowed at the root, by exact name.
    pub root_files: &'static [&'static str],
    pub places: &'static [AllowedFolder],
}

impl FilePolicy {
    /// The path, or the first step that refuses it.
    pub fn judge(&self, raw: &str) -> Result<BundlePath, PathError> {
        let path = normalise(raw, self.limits)?;
        if path.as_str() != raw {
            return Err(PathError::NotNormal);
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'/');
        if !path.as_str().bytes().all(plain) {
            return Err(PathError::ForbiddenChar);
        }
        if is_secret(&path) {
            return Err(PathError::SecretFile);
        }
        if is_blocked(&path) {
            return Err(PathError::BlockedDir);
        }
        let root_file = self.root_files.contains(&path.as_str());
        if !root_file && is_hidden(&path) {
            return Err(PathError::Hidden);
        }
        let Some((folder, _)) = path.as_str().split_once('/') else {
            return if root_file { Ok(path) } else { Err(PathError::NotAllowed) };
        };
        let place = self.places.iter().find(|place| place.folder == folder).ok_or(PathError::NotAllowed)?;
        if place.endings.iter().any(|ending| path.as_str().ends_with(ending)) {
            Ok(path)
        } else {
            Err(PathError::ExtensionNotAllowed)
        }
    }
}

/// Paths that equal an earlier one in lower case, in byte order.
pub fn case_collisions<'f>(paths: impl Iterator<Item = &'f String>) -> Vec<&'f str> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    paths.filter(|path| !seen.insert(path.to_lowercase())).map(String::as_str).collect()
}

/// Whether a file's name says that it holds keys, tokens or an environment.
pub fn is_secret(path: &BundlePath) -> bool {
    const ENDINGS: [&str; 4] = [".pem", ".key", ".p12", ".pfx"];
    const NAMES: [&str; 7] = [".env", ".npmrc", ".netrc", ".yarnrc", ".yarnrc.yml", "id_rsa", "id_ed25519"];
    let name = path.file_name().to_lowercase();
    if path.as_str() == ".env.example" {
        return false;
    }
    NAMES.contains(&name.as_str()) || name.starts_with(".env.") || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether a path lies among dependencies, build output or repository data.
pub fn is_blocked(path: &BundlePath) -> bool {
    const ANYWHERE: [&str; 2] = ["node_modules", ".git"];
    const FIRST: [&str; 16] = [
        ".next",
        ".vite",
        ".turbo",
        ".cache",
        ".parcel-cache",
        ".npm",
        ".pnpm-store",
        ".yarn",
        ".github",
        ".gitlab",
        ".husky",
        ".vscode",
        "dist",
        "build",
        "coverage",
        "__pycache__",
    ];
    let first = path.as_str().split_once('/').map(|(first, _)| first);
    path.segments().any(|segment| ANYWHERE.contains(&segment)) || first.is_some_and(|first| FIRST.contains(&first))
}

/// Whether a segment begins with a dot, outside of what servers must find there.
pub fn is_hidden(path: &BundlePath) -> bool {
    !path.as_str().starts_with("public/.well-known/") && path.segments().any(|segment| segment.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: FilePolicy = FilePolicy {
        limits: PathLimits { bytes: 200, segments: 8 },
        root_files: &["manifest.json"],
        places: &[AllowedFolder { folder: "src", endings: &[".js"] }],
    };

    #[test]
    fn steps_in_order() {
        let cases = [
            ("manifest.json", "ok"),
            ("src/lib/a.js", "ok"),
            ("./src/a.js", "PATH_NOT_NORMAL"),
            ("src/a b.js", "PATH_FORBIDDEN_CHAR"),
            ("src/ä.js", "PATH_FORBIDDEN_CHAR"),
            (".ENV", "PATH_SECRET_FILE"),
            ("src/.env.local", "PATH_SECRET_FILE"),
            ("src/server.PEM", "PATH_SECRET_FILE"),
            (".env.example", "PATH_HIDDEN"),
            ("src/node_modules/a.js", "PATH_BLOCKED_DIR"),
            ("dist/a.js", "PATH_BLOCKED_DIR"),
            ("dist", "PATH_NOT_ALLOWED"),
            ("src/dist/a.js", "ok"),
            (".github/a.js", "PATH_BLOCKED_DIR"),
            ("src/.a.js", "PATH_HIDDEN"),
            ("lib/a.js", "PATH_NOT_ALLOWED"),
            ("a.js", "PATH_NOT_ALLOWED"),
            ("src", "PATH_NOT_ALLOWED"),
            ("src/a.mjs", "PATH_EXTENSION_NOT_ALLOWED"),
            ("src/a.JS", "PATH_EXTENSION_NOT_ALLOWED"),
        ];
        for (raw, want) in cases {
            assert_eq!(POLICY.judge(raw).map_or_else(|fault| fault.code().name, |_| "ok"), want, "{raw}");
        }
    }

    #[test]
    fn collisions_after_the_first() {
        let paths = ["SRC/a.js", "src/A.js", "src/a.js", "src/b.js"].map(str::to_owned);
        assert_eq!(case_collisions(paths.iter()), ["src/A.js", "src/a.js"]);
    }
}
