//! What a build left in `dist`: looked at, hashed, and source maps put aside (spec: app-builder.md §7).
//!
//! Every process of the build is gone by then, so nothing changes under the walk. Names are judged before a file is
//! opened, and what is neither file nor folder is never opened.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use holdpoint_bundle::{PathLimits, normalise};
use holdpoint_text::hex;
use sha2::{Digest as _, Sha256};

use crate::limits::{
    MAX_ASSET_BYTES, MAX_DIST_BYTES, MAX_DIST_FILES, MAX_MAPS_BYTES, MAX_PATH_BYTES, MAX_PATH_SEGMENTS,
};
use crate::wire::{Asset, BuildCode};

pub const ENTRY_HTML: &str = "index.html";

/// Why dist is no artifact.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error("the build wrote no file")]
    Empty,
    #[error("`{ENTRY_HTML}` is missing at the root of dist")]
    NoEntry,
    #[error("dist has more than {0}")]
    TooLarge(String),
    #[error("`{0}` in dist is no plain file with a plain path")]
    Invalid(String),
    #[error("dist cannot be read: {0}")]
    Read(#[from] std::io::Error),
}

impl ManifestError {
    pub fn code(&self) -> BuildCode {
        match self {
            Self::Empty => BuildCode::BuildEmpty,
            Self::NoEntry => BuildCode::BuildNoEntryHtml,
            Self::TooLarge(_) => BuildCode::BuildOutputTooLarge,
            Self::Invalid(_) | Self::Read(_) => BuildCode::BuildOutputInvalid,
        }
    }
}

/// The files of a build, sorted by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct DistFiles {
    pub assets: Vec<Asset>,
    pub maps: Vec<Asset>,
}

impl DistFiles {
    pub fn total_bytes(&self) -> u64 {
        self.assets.iter().map(|asset| asset.size).sum()
    }
}

/// Reads `dist` and moves its source maps to `maps`, below the same paths.
pub fn collect(dist: &Path, maps: &Path) -> Result<DistFiles, ManifestError> {
    let sizes = walk(dist)?;
    let is_map = |path: &str| path.strip_suffix(".map").is_some_and(|of| sizes.contains_key(of));
    let (map_paths, asset_paths): (Vec<_>, Vec<_>) = sizes.iter().partition(|(path, _)| is_map(path));
    if asset_paths.is_empty() {
        return Err(ManifestError::Empty);
    }
    if asset_paths.len() > MAX_DIST_FILES {
        return Err(ManifestError::TooLarge(format!("{MAX_DIST_FILES} files")));
    }
    if let Some((path, _)) = asset_paths.iter().find(|(_, size)| **size > MAX_ASSET_BYTES) {
        return Err(ManifestError::TooLarge(format!("{MAX_ASSET_BYTES} bytes in `{path}`")));
    }
    if asset_paths.iter().map(|(_, size)| **size).sum::<u64>() > MAX_DIST_BYTES {
        return Err(ManifestError::TooLarge(format!("{MAX_DIST_BYTES} bytes")));
    }
    if !sizes.contains_key(ENTRY_HTML) {
        return Err(ManifestError::NoEntry);
    }
    let mut files = DistFiles::default();
    for (path, _) in asset_paths {
        files.assets.push(asset(dist, path)?);
    }
    let mut map_bytes = 0;
    for (path, size) in map_paths {
        map_bytes += size;
        if map_bytes > MAX_MAPS_BYTES {
            fs::remove_file(dist.join(path))?;
            continue;
        }
        let target = maps.join(path);
        fs::create_dir_all(target.parent().unwrap_or(maps))?;
        fs::rename(dist.join(path), target)?;
        files.maps.push(asset(maps, path)?);
    }
    Ok(files)
}

/// Every file by its path, with its size.
fn walk(dist: &Path) -> Result<BTreeMap<String, u64>, ManifestError> {
    let invalid = |path: &Path| ManifestError::Invalid(path.strip_prefix(dist).unwrap_or(path).display().to_string());
    match fs::symlink_metadata(dist) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(ManifestError::Invalid("dist".to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(ManifestError::Empty),
        Err(error) => return Err(error.into()),
    }
    let mut sizes = BTreeMap::new();
    let mut folders = 0;
    let mut waiting: Vec<PathBuf> = vec![dist.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let metadata = fs::symlink_metadata(&path)?;
            let name = plain_path(dist, &path).ok_or_else(|| invalid(&path))?;
            if metadata.is_dir() {
                folders += 1;
                waiting.push(path);
            } else if metadata.is_file() {
                sizes.insert(name, metadata.len());
            } else {
                return Err(invalid(&path));
            }
            // Each asset may have a map.
            if sizes.len() > 2 * MAX_DIST_FILES || folders > MAX_DIST_FILES {
                return Err(ManifestError::TooLarge(format!("{MAX_DIST_FILES} files")));
            }
        }
    }
    Ok(sizes)
}

/// The path below a folder, if it is one that needs no repair (spec: vite-app.md §2, `normalise`).
fn plain_path(root: &Path, path: &Path) -> Option<String> {
    let raw = path.strip_prefix(root).ok()?.to_str()?;
    let limits = PathLimits { bytes: MAX_PATH_BYTES, segments: MAX_PATH_SEGMENTS };
    normalise(raw, limits).ok().filter(|normal| normal.as_str() == raw).map(|_| raw.to_owned())
}

fn asset(root: &Path, path: &str) -> Result<Asset, ManifestError> {
    let mut file = fs::File::open(root.join(path))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    let mut size = 0;
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        size += count as u64;
        hash.update(&buffer[..count]);
    }
    let sha256 = format!("sha256:{}", hex(&hash.finalize()));
    Ok(Asset { path: path.to_owned(), size, sha256, content_type: content_type(path).to_owned() })
}

/// The type of a file by its ending; what is not known is bytes.
pub fn content_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let known = TYPES.iter().find(|(known, _)| *known == ending);
    known.map_or("application/octet-stream", |(_, content_type)| content_type)
}

const TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("gif", "image/gif"),
    ("glb", "model/gltf-binary"),
    ("htm", "text/html; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("md", "text/markdown; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("ogg", "audio/ogg"),
    ("otf", "font/otf"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("ttf", "font/ttf"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webmanifest", "application/manifest+json"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
];

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("runner-manifest-{}-{name}", std::process::id()));
            let _ = crate::tree::remove(&path);
            fs::create_dir_all(path.join("dist")).unwrap();
            Self(path)
        }

        fn put(&self, path: &str, text: &str) {
            let target = self.0.join("dist").join(path);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, text).unwrap();
        }

        fn collect(&self) -> Result<DistFiles, ManifestError> {
            collect(&self.0.join("dist"), &self.0.join("maps"))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            crate::tree::remove(&self.0).unwrap();
        }
    }

    #[test]
    fn files_are_sorted_and_maps_are_put_aside() {
        let folder = Folder::new("maps");
        for path in ["index.html", "assets/b.js", "assets/b.js.map", "assets/a.css", "data/alone.map"] {
            folder.put(path, path);
        }
        let files = folder.collect().unwrap();
        let paths = |files: &[Asset]| files.iter().map(|file| file.path.clone()).collect::<Vec<_>>();
        assert_eq!(paths(&files.assets), ["assets/a.css", "assets/b.js", "data/alone.map", "index.html"]);
        assert_eq!(paths(&files.maps), ["assets/b.js.map"]);
        assert_eq!(files.total_bytes(), 12 + 11 + 14 + 10);
        assert_eq!(files.assets[0].sha256, holdpoint_bundle::bytes_hash(b"assets/a.css"));
        assert!(folder.0.join("maps/assets/b.js.map").exists() && !folder.0.join("dist/assets/b.js.map").exists());
    }

    #[test]
    fn limits_are_allowed_and_one_more_is_not() {
        let folder = Folder::new("limits");
        folder.put("index.html", "");
        for number in 1..MAX_DIST_FILES {
            folder.put(&format!("{number}.txt"), "");
        }
        assert_eq!(folder.collect().unwrap().assets.len(), MAX_DIST_FILES);
        folder.put("more.txt", "");
        assert_eq!(folder.collect().unwrap_err().code(), BuildCode::BuildOutputTooLarge);
        let folder = Folder::new("bytes");
        folder.put("index.html", "");
        let large = fs::File::create(folder.0.join("dist/large.bin")).unwrap();
        large.set_len(MAX_ASSET_BYTES).unwrap();
        folder.collect().unwrap();
        large.set_len(MAX_ASSET_BYTES + 1).unwrap();
        assert_eq!(folder.collect().unwrap_err().code(), BuildCode::BuildOutputTooLarge);
    }

    #[test]
    fn what_is_no_artifact_has_its_code() {
        let folder = Folder::new("codes");
        assert_eq!(folder.collect().unwrap_err().code(), BuildCode::BuildEmpty);
        folder.put("other.html", "");
        assert_eq!(folder.collect().unwrap_err().code(), BuildCode::BuildNoEntryHtml);
        std::os::unix::fs::symlink("other.html", folder.0.join("dist/index.html")).unwrap();
        assert_eq!(folder.collect().unwrap_err().code(), BuildCode::BuildOutputInvalid);
        fs::remove_dir_all(folder.0.join("dist")).unwrap();
        assert_eq!(folder.collect().unwrap_err().code(), BuildCode::BuildEmpty);
    }

    #[test]
    fn types_follow_from_endings() {
        let cases = [
            ("index.html", "text/html; charset=utf-8"),
            ("a/b.MJS", "text/javascript; charset=utf-8"),
            ("x.woff2", "font/woff2"),
            ("a.b/c", "application/octet-stream"),
            ("html", "application/octet-stream"),
            ("", "application/octet-stream"),
        ];
        for (path, want) in cases {
            assert_eq!(content_type(path), want, "{path}");
        }
        assert!(TYPES.is_sorted());
    }
}
