//! Exports as the real git and an archive reader take them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use holdpoint_bundle::bytes_hash;
use proptest::prelude::*;
use zip::ZipArchive;

use super::*;
use crate::dialect::apply::ChangedStatus::{Added, Modified};
use crate::policy::pointer_text;

/// What lies in a folder, by path.
type Disk = BTreeMap<String, Vec<u8>>;

/// A folder of one test, with a repository beside it.
struct Clone {
    folder: PathBuf,
}

impl Clone {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("holdpoint-export-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("tree")).unwrap();
        let clone = Self { folder };
        clone.git(&["init", "--quiet"], b"");
        clone
    }

    fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// What git says, which must be willing.
    fn git(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.tree()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("GIT_DIR", self.folder.join("git")).env("GIT_WORK_TREE", self.tree());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("git is there");
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Puts files in the place of all that is there.
    fn put(&self, disk: &Disk) {
        fs::remove_dir_all(self.tree()).unwrap();
        fs::create_dir(self.tree()).unwrap();
        for (path, bytes) in disk {
            let path = self.tree().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    fn read(&self) -> Disk {
        fn below(root: &Path, folder: &Path, disk: &mut Disk) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    below(root, &path, disk);
                } else {
                    let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                    disk.insert(name, fs::read(&path).unwrap());
                }
            }
        }
        let mut disk = Disk::new();
        below(&self.tree(), &self.tree(), &mut disk);
        disk
    }

    /// The name of what lies there as a tree of git.
    fn written(&self) -> String {
        self.git(&["add", "--all"], b"");
        String::from_utf8(self.git(&["write-tree"], b"")).unwrap().trim().to_owned()
    }
}

impl Drop for Clone {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A file of a generated tree.
#[derive(Debug, Clone)]
enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

const PATHS: [&str; 12] = [
    "a.txt",
    "dir/two words.ts",
    "dir/\"quoted\".ts",
    "dir/Überblick 界.tsx",
    "tab\there.md",
    "back\\slash.css",
    "line\nfeed",
    "dir",
    "dir/deep/\u{7f} and\u{1}.md",
    " blank at both ends ",
    "picture.png",
    "a b/c d.png",
];
const LINES: [&str; 14] = [
    "a\n",
    "a\n",
    "b\n",
    "c\r\n",
    "\n",
    "\r\n",
    "d\r",
    "\\ No newline at end of file\n",
    "--- a/x\n",
    "@@ -1 +1 @@\n",
    "diff --git a/x b/x\n",
    "é \t\n",
    "last",
    "last\r",
];

fn content() -> impl Strategy<Value = Content> {
    let text = prop::collection::vec(prop::sample::select(&LINES[..]), 0..14).prop_map(|lines| lines.concat());
    // A zero makes it no text for git either.
    let bytes = prop::collection::vec(any::<u8>(), 0..400).prop_map(|bytes| [&[0], bytes.as_slice()].concat());
    prop_oneof![4 => text.prop_map(Content::Text), 1 => bytes.prop_map(Content::Bytes)]
}

/// A tree; no path of it is a folder of another.
fn tree() -> impl Strategy<Value = BTreeMap<&'static str, Content>> {
    prop::collection::btree_map(prop::sample::select(&PATHS[..]), content(), 0..8).prop_map(|mut tree| {
        if tree.keys().any(|path| path.starts_with("dir/")) {
            tree.remove("dir");
        }
        tree
    })
}

/// The tree as a project holds it, and as it lies on disk.
fn held(tree: &BTreeMap<&str, Content>, blobs: &mut BlobBytes) -> (Files, Disk) {
    let (mut files, mut disk) = (Files::new(), Disk::new());
    for (path, content) in tree {
        let (text, bytes) = match content {
            Content::Text(text) => (text.clone(), text.clone().into_bytes()),
            Content::Bytes(bytes) => {
                let hash = bytes_hash(bytes);
                blobs.insert(hash.clone(), bytes.clone());
                (pointer_text(&hash, bytes.len() as u64), bytes.clone())
            }
        };
        files.insert((*path).to_owned(), text);
        disk.insert((*path).to_owned(), bytes);
    }
    (files, disk)
}

/// The lines of each file that stand before its hunks, sorted.
fn headers(patch: &str) -> Vec<String> {
    let files = patch.split("\ndiff --git ").map(|file| {
        let lines = file.trim_start_matches("diff --git ").lines();
        lines.take_while(|line| !line.starts_with("@@") && *line != "GIT binary patch").collect::<Vec<_>>().join("\n")
    });
    let mut files: Vec<String> = files.collect();
    files.sort();
    files
}

#[test]
fn git_makes_the_one_tree_of_the_other() {
    let clone = Clone::new("apply");
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(150));
    let trees = (tree(), tree());
    let law = |(from, to): (BTreeMap<&'static str, Content>, BTreeMap<&'static str, Content>)| {
        let mut blobs = BlobBytes::new();
        let ((from, old), (to, new)) = (held(&from, &mut blobs), held(&to, &mut blobs));
        let text = patch(&from, &to, &blobs).unwrap();
        prop_assert_eq!(&text, &patch(&from, &to, &blobs).unwrap());
        prop_assert_eq!(text.is_empty(), from == to);
        if from == to {
            return Ok(());
        }
        clone.put(&old);
        let before = clone.written();
        clone.git(&["apply", "-"], text.as_bytes());
        prop_assert_eq!(clone.read(), new);
        let after = clone.written();
        // What names the files is said as git says it.
        let own = clone.git(&["diff", "--no-renames", "--full-index", "--binary", &before, &after], b"");
        prop_assert_eq!(headers(&text), headers(&String::from_utf8_lossy(&own)));
        // The index alone is changed by it as well, as a commit needs it.
        clone.git(&["read-tree", &before], b"");
        clone.git(&["apply", "--cached", "-"], text.as_bytes());
        let cached = String::from_utf8(clone.git(&["write-tree"], b"")).unwrap();
        prop_assert_eq!(cached.trim(), after);
        Ok(())
    };
    runner.run(&trees, law).unwrap();
}

#[test]
fn a_text_with_a_zero_is_a_text() {
    let clone = Clone::new("zero");
    let files = |text: &str| Files::from([("a.txt".to_owned(), text.to_owned())]);
    clone.put(&Disk::from([("a.txt".to_owned(), b"a\0\nb\n".to_vec())]));
    let text = patch(&files("a\0\nb\n"), &files("a\0\nc\0"), &BlobBytes::new()).unwrap();
    clone.git(&["apply", "-"], text.as_bytes());
    assert_eq!(clone.read()["a.txt"], b"a\0\nc\0");
}

#[test]
fn an_archive_holds_every_file_and_is_the_same_each_time() {
    let mut blobs = BlobBytes::new();
    let tree = BTreeMap::from([
        ("src/main.tsx", Content::Text("a\r\nb".to_owned())),
        ("public/two words.png", Content::Bytes(vec![0, 1, 2, 255])),
        ("empty.txt", Content::Text(String::new())),
    ]);
    let (files, disk) = held(&tree, &mut blobs);
    let bytes = zipped(&files, &blobs).unwrap();
    assert_eq!(bytes, zipped(&files, &blobs).unwrap());
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut read = Disk::new();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        read.insert(entry.name().to_owned(), bytes);
    }
    assert_eq!(read, disk);
}

#[test]
fn a_commit_names_what_is_written_and_what_goes() {
    let mut blobs = BlobBytes::new();
    let text = |text: &str| Content::Text(text.to_owned());
    let from = BTreeMap::from([("a.ts", text("a")), ("gone.ts", text("g")), ("same.ts", text("s"))]);
    let to = BTreeMap::from([("a.ts", text("b\r\n")), ("new.png", Content::Bytes(vec![0, 7])), ("same.ts", text("s"))]);
    let ((from, _), (to, _)) = (held(&from, &mut blobs), held(&to, &mut blobs));
    let side = |revision_id, files| ExportedTree { revision_id, files };
    let made = commit("app_1", Some(side("rev_3", &from)), side("rev_4", &to), "ada");
    assert_eq!((made.branch.as_str(), made.author.as_str()), ("holdpoint/app_1/rev_4", "ada"));
    assert_eq!(made.deleted, ["gone.ts"]);
    let changed = |path: &str, status, content: Option<&str>, blob: Option<String>| CommittedFile {
        path: path.to_owned(),
        mode: "100644".to_owned(),
        status,
        content: content.map(str::to_owned),
        blob,
    };
    let picture = changed("new.png", Added, None, Some(bytes_hash(&[0, 7])));
    assert_eq!(made.changes, [changed("a.ts", Modified, Some("b\r\n"), None), picture]);
    assert!(made.body.contains("Holdpoint-Base: rev_3\nHoldpoint-Revision: rev_4\n"), "{}", made.body);

    let first = commit("app_1", None, side("rev_4", &to), "ada");
    assert_eq!(first.base_files_hash, holdpoint_bundle::content_hash(&Files::new()));
    assert_eq!((first.changes.len(), first.deleted.len()), (3, 0));
    assert!(!first.body.contains("Holdpoint-Base"));
}

#[test]
fn bytes_that_are_not_there_are_said() {
    let files = Files::from([("a.png".to_owned(), pointer_text(&bytes_hash(b"x"), 1))]);
    let none = BlobBytes::new();
    for error in [patch(&Files::new(), &files, &none).unwrap_err(), zipped(&files, &none).unwrap_err()] {
        assert_eq!((error.status, error.code.as_str()), (404, "ASSET_NOT_FOUND"));
    }
    let asked = ExportFormat::Patch.blobs(&files, &files).len() + ExportFormat::Commit.blobs(&files, &files).len();
    assert_eq!((asked, ExportFormat::Zip.blobs(&files, &files).len()), (0, 1));
    assert_eq!(ExportFormat::parse("tar").unwrap_err().code, "INVALID_INPUT");
}
