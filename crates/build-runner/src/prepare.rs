//! The files of a request in a new folder.
//!
//! Invariant: what is written lies in that folder, in files that were not there before.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use holdpoint_bundle::{PathLimits, case_collisions, normalise};

use crate::limits::{MAX_PATH_BYTES, MAX_PATH_SEGMENTS, MAX_SEGMENT_BYTES};
use crate::tree;
use crate::wire::{BuildRequest, RequestError, blob_name};

/// Places that the runner or its tools fill.
const OWN_FOLDERS: [&str; 2] = ["node_modules", ".git"];
const OUTPUT: &str = "dist";

/// Checks every path of a request (spec: vite-app.md §2): each in its normal form, none in a place of the runner, no two
/// that some file system takes for one, none that is a folder of another.
pub fn check_paths(request: &BuildRequest) -> Result<(), RequestError> {
    let limits = PathLimits { bytes: MAX_PATH_BYTES, segments: MAX_PATH_SEGMENTS };
    let refuse = |path: &str, why: &str| RequestError::invalid(why).with("path", path);
    for blob in &request.blobs {
        if request.files.get(&blob.path).is_some_and(|text| *text != pointer(&blob.hash, blob.bytes)) {
            return Err(refuse(&blob.path, "Send a binary file as its blob, not as text too."));
        }
    }
    let all: BTreeSet<&String> = request.files.keys().chain(request.blobs.iter().map(|blob| &blob.path)).collect();
    for path in &all {
        let normal = normalise(path, limits).map_err(|error| refuse(path, &error.to_string()))?;
        let is_own = |segment: &str| OWN_FOLDERS.iter().any(|own| segment.eq_ignore_ascii_case(own));
        if normal.as_str() != path.as_str() || normal.segments().any(|segment| segment.len() > MAX_SEGMENT_BYTES) {
            return Err(refuse(path, "Write every path in its normal form, with short names."));
        }
        let first = normal.segments().next().unwrap_or_default();
        if normal.segments().any(is_own) || first.eq_ignore_ascii_case(OUTPUT) {
            return Err(refuse(path, "Leave out packages, repositories and output of builds."));
        }
        let folders = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
        if let Some(clash) = folders.into_iter().find(|folder| all.contains(folder)) {
            return Err(refuse(&clash, "A path must not be the folder of another one."));
        }
    }
    match case_collisions(all.into_iter()).first() {
        Some(path) => Err(refuse(path, "Two paths must differ in more than letter case.")),
        None => Ok(()),
    }
}

/// The text that stands for a binary file (spec: vite-app.md §1).
fn pointer(hash: &str, bytes: u64) -> String {
    format!("blob {hash} {bytes}\n")
}

/// All files as the check reads them: a binary one is its pointer.
pub fn with_pointers(request: &BuildRequest) -> BTreeMap<String, String> {
    let pointers = request.blobs.iter().map(|blob| (blob.path.clone(), pointer(&blob.hash, blob.bytes)));
    request.files.clone().into_iter().chain(pointers).collect()
}

/// The folders of a job.
#[derive(Debug, Clone)]
pub struct JobFolder {
    pub root: PathBuf,
    pub project: PathBuf,
}

impl JobFolder {
    /// A new folder in which the project lies, beside an empty home and a place for temporary files.
    ///
    /// Tools look for a `package.json` in the folders above a project, and break off at one that the jail keeps from them:
    /// an empty one ends the search here.
    pub fn create(root: PathBuf, request: &BuildRequest, blobs: &Path) -> io::Result<Self> {
        tree::remove(&root)?;
        let project = root.join("project");
        for folder in [&project, &root.join("home"), &root.join("tmp")] {
            fs::create_dir_all(folder)?;
        }
        write_new(&root.join("package.json"), b"{}\n")?;
        for (path, text) in &request.files {
            if !request.blobs.iter().any(|blob| blob.path == *path) {
                write_new(&project.join(path), text.as_bytes())?;
            }
        }
        for blob in &request.blobs {
            let name = blob_name(&blob.hash).ok_or(io::ErrorKind::InvalidInput)?;
            write_new(&project.join(&blob.path), &fs::read(blobs.join(name))?)?;
        }
        Ok(Self { root, project })
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::BlobFile;

    fn request(paths: &[&str]) -> BuildRequest {
        let files = paths.iter().map(|path| ((*path).to_owned(), "x".to_owned())).collect();
        BuildRequest { files, ..BuildRequest::default() }
    }

    #[test]
    fn a_path_stays_in_its_folder_and_in_its_form() {
        let long = "a/".repeat(MAX_PATH_SEGMENTS) + "x";
        let refused: &[&[&str]] = &[
            &["../x"],
            &["/etc/passwd"],
            &["a/../../x"],
            &["a\\b"],
            &["./a"],
            &["a//b"],
            &["a/"],
            &[""],
            &["C:/x"],
            &["~/x"],
            &["a\u{0}b"],
            &["con"],
            &["a/b."],
            &[" a"],
            &["%2e%2e/x"],
            &["node_modules/vite/x.js"],
            &["src/Node_Modules/x"],
            &[".git/config"],
            &["dist/index.html"],
            &["Dist/x"],
            &["a", "A"],
            &["src", "src/x.ts"],
            &["e\u{301}.ts"],
            &[long.as_str()],
        ];
        for paths in refused {
            assert!(check_paths(&request(paths)).is_err(), "{paths:?}");
        }
        check_paths(&request(&["index.html", "src/a.ts", "src/dist/b.ts", "public/.well-known/x.txt"])).unwrap();
        let segment = "x".repeat(MAX_SEGMENT_BYTES + 1);
        assert!(check_paths(&request(&[&segment])).is_err());
    }

    #[test]
    fn a_blob_is_put_in_place_of_its_pointer() {
        let root = std::env::temp_dir().join(format!("runner-prepare-{}", std::process::id()));
        let blobs = root.join("blobs");
        fs::create_dir_all(&blobs).unwrap();
        let name = "a".repeat(64);
        fs::write(blobs.join(&name), [0, 159, 146]).unwrap();
        let hash = format!("sha256:{name}");
        let mut request = request(&["index.html"]);
        request.files.insert("public/a.png".to_owned(), pointer(&hash, 3));
        request.blobs.push(BlobFile { path: "public/a.png".to_owned(), hash, bytes: 3 });
        check_paths(&request).unwrap();
        let job = JobFolder::create(root.join("job"), &request, &blobs).unwrap();
        assert_eq!(fs::read(job.project.join("public/a.png")).unwrap(), [0, 159, 146]);
        assert_eq!(fs::read(job.root.join("package.json")).unwrap(), b"{}\n", "the search for packages ends here");
        assert!(with_pointers(&request)["public/a.png"].starts_with("blob sha256:aaaa"));
        request.files.insert("public/a.png".to_owned(), "text".to_owned());
        assert!(check_paths(&request).is_err());
        tree::remove(&root).unwrap();
    }
}
