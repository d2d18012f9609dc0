//! Where the files of a project may lie, what kind of file a path is, and what a pointer to bytes is (spec: vite-app.md
//! §1, §2).

use holdpoint_bundle::{BundlePath, PathError, PathLimits, is_blocked, is_hidden, is_secret, normalise as normal_form};

use crate::limits::{MAX_PATH_BYTES, MAX_PATH_DEPTH, MAX_SEGMENT_BYTES};
use crate::options::Layout;

const LIMITS: PathLimits = PathLimits { bytes: MAX_PATH_BYTES, segments: MAX_PATH_DEPTH };

const FOLDERS: [&str; 6] = ["src", "public", "tests", "e2e", "shared", "docs"];
const ROOT_FILES: [&str; 13] = [
    "index.html",
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "README.md",
    "LICENSE",
    "LICENSE.md",
    "components.json",
    "jsconfig.json",
    ".gitignore",
    ".editorconfig",
    ".env.example",
];
/// What names of root files begin and end with.
const ROOT_PATTERNS: [(&str, &str); 11] = [
    ("vite.config.", ""),
    ("tsconfig", ".json"),
    ("postcss.config.", ""),
    ("tailwind.config.", ""),
    ("vitest.config.", ""),
    ("jest.config.", ""),
    ("playwright.config.", ""),
    ("eslint.config.", ""),
    ("prettier.config.", ""),
    (".eslintrc.", ""),
    (".prettierrc.", ""),
];
/// Root files that need no ending.
const WITHOUT_ENDING: [&str; 4] = ["LICENSE", ".gitignore", ".editorconfig", ".env.example"];
const TEXT_ENDINGS: [&str; 20] = [
    "html",
    "ts",
    "tsx",
    "mts",
    "cts",
    "js",
    "jsx",
    "mjs",
    "cjs",
    "css",
    "json",
    "yaml",
    "yml",
    "lock",
    "md",
    "txt",
    "svg",
    "webmanifest",
    "xml",
    "csv",
];
const BINARY_ENDINGS: [&str; 19] = [
    "ico", "png", "jpg", "jpeg", "gif", "webp", "avif", "woff", "woff2", "ttf", "otf", "mp3", "mp4", "webm", "ogg",
    "wav", "pdf", "wasm", "glb",
];
const CODE_ENDINGS: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];
/// Endings of files that can start a project.
const ENTRY_ENDINGS: [&str; 6] = ["ts", "tsx", "mts", "js", "jsx", "mjs"];
pub const LOCK_FILES: [&str; 3] = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock"];

/// The normal form of a path, or its first fault.
pub fn normalise(raw: &str) -> Result<BundlePath, PathError> {
    let path = normal_form(raw, LIMITS)?;
    if path.segments().any(|segment| segment.len() > MAX_SEGMENT_BYTES) {
        return Err(PathError::TooLong);
    }
    Ok(path)
}

/// What refuses a normal path, if anything does.
pub fn judge(path: &BundlePath, layout: Layout) -> Result<(), PathError> {
    let is_root_file = is_root_file(path.as_str());
    if is_secret(path) {
        return Err(PathError::SecretFile);
    }
    if is_blocked(path) {
        return Err(PathError::BlockedDir);
    }
    if !is_root_file && is_hidden(path) {
        return Err(PathError::Hidden);
    }
    let in_folder = path.as_str().split_once('/').is_some_and(|(first, _)| FOLDERS.contains(&first));
    if layout == Layout::Managed && !in_folder && !is_root_file {
        return Err(PathError::NotAllowed);
    }
    let ending = ending(path.as_str());
    let is_known = TEXT_ENDINGS.contains(&ending.as_str()) || is_binary(path.as_str());
    if !is_known && !WITHOUT_ENDING.contains(&path.as_str()) {
        return Err(PathError::ExtensionNotAllowed);
    }
    Ok(())
}

fn is_root_file(path: &str) -> bool {
    let fits = |(start, end): &(&str, &str)| {
        path.len() >= start.len() + end.len() && path.starts_with(start) && path.ends_with(end)
    };
    is_root(path) && (ROOT_FILES.contains(&path) || ROOT_PATTERNS.iter().any(fits))
}

/// Whether a path names no folder.
pub fn is_root(path: &str) -> bool {
    !path.contains('/')
}

/// What stands behind the last dot of a file's name, in lower case; empty where there is none.
pub fn ending(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default()
}

pub fn is_binary(path: &str) -> bool {
    BINARY_ENDINGS.contains(&ending(path).as_str())
}

pub fn is_code(path: &str) -> bool {
    CODE_ENDINGS.contains(&ending(path).as_str())
}

/// Whether a file of this name can start a project.
pub fn can_start(path: &str) -> bool {
    ENTRY_ENDINGS.contains(&ending(path).as_str())
}

/// Whether imports of the file are resolved as TypeScript does.
pub fn is_typescript(path: &str) -> bool {
    matches!(ending(path).as_str(), "ts" | "tsx" | "mts" | "cts")
}

/// A code file whose name or folder says that it is a test.
pub fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let in_tests = path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(|one| one == "__tests__"));
    is_code(path) && (stem.ends_with(".test") || stem.ends_with(".spec") || in_tests)
}

/// Whether the code of a file runs in Node: configuration and tests.
pub fn is_node_context(path: &str) -> bool {
    (is_root(path) && is_code(path)) || is_test(path) || path.starts_with("tests/") || path.starts_with("e2e/")
}

/// The bytes that a pointer text stands for: `blob sha256:<hex> <bytes>` and a line feed.
pub fn pointer_bytes(text: &str) -> Option<u64> {
    pointer_hash(text).map(|(_, bytes)| bytes)
}

/// The hash, with `sha256:`, and the bytes that a pointer text names.
pub fn pointer_hash(text: &str) -> Option<(&str, u64)> {
    let (name, bytes) = text.strip_prefix("blob ")?.strip_suffix('\n')?.split_once(' ')?;
    let hash = name.strip_prefix("sha256:")?;
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_number = bytes.starts_with(|c: char| ('1'..='9').contains(&c)) && bytes.bytes().all(|c| c.is_ascii_digit());
    let is_pointer = hash.len() == 64 && hash.bytes().all(is_hex) && is_number;
    Some((name, bytes.parse().ok().filter(|_| is_pointer)?))
}

/// The pointer text of bytes with that hash.
pub fn pointer_text(hash: &str, bytes: u64) -> String {
    format!("blob {hash} {bytes}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(raw: &str, layout: Layout) -> &'static str {
        normalise(raw).and_then(|path| judge(&path, layout)).map_or_else(|fault| fault.code().name, |()| "ok")
    }

    #[test]
    fn steps_in_order() {
        let cases = [
            ("src/Überblick.tsx", "ok"),
            ("vite.config.ts", "ok"),
            ("tsconfig.app.json", "ok"),
            (".prettierrc.json", "ok"),
            (".env.example", "ok"),
            ("public/.well-known/a.txt", "ok"),
            ("docs/.env.example", "PATH_SECRET_FILE"),
            ("src/ID_RSA", "PATH_SECRET_FILE"),
            ("src/node_modules/a.ts", "PATH_BLOCKED_DIR"),
            ("src/.a.ts", "PATH_HIDDEN"),
            ("lib/a.ts", "PATH_NOT_ALLOWED"),
            ("Vite.config.ts", "PATH_NOT_ALLOWED"),
            ("src/vite.config.php", "PATH_EXTENSION_NOT_ALLOWED"),
            ("src/Makefile", "PATH_EXTENSION_NOT_ALLOWED"),
        ];
        for (path, want) in cases {
            assert_eq!(judged(path, Layout::Managed), want, "{path}");
        }
        assert_eq!(judged("lib/a.ts", Layout::Open), "ok");
        assert_eq!(judged(&format!("src/{}.ts", "a".repeat(253)), Layout::Managed), "PATH_TOO_LONG");
    }

    #[test]
    fn pointers_have_one_form() {
        let hash = "a".repeat(64);
        assert_eq!(pointer_bytes(&pointer_text(&format!("sha256:{hash}"), 12)), Some(12));
        for wrong in [
            format!("blob sha256:{hash} 012\n"),
            format!("blob sha256:{hash} 12"),
            format!("blob sha256:{} 12\n", "A".repeat(64)),
            format!("blob sha256:{hash} 12\n\n"),
        ] {
            assert_eq!(pointer_bytes(&wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn tests_are_told_by_name_and_folder() {
        for path in ["src/a.test.tsx", "src/a.SPEC.ts", "src/__tests__/deep/a.js"] {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/test.ts", "src/a.test.css", "src/latest.ts", "__tests__.ts"] {
            assert!(!is_test(path), "{path}");
        }
    }
}
