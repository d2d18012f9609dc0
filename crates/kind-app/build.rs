//! Embeds the template packs of `fixtures/apps` (spec: vite-app.md §9): a table of every file, by pack.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const PACKS: &str = "../../fixtures/apps";
const MANIFEST: &str = "template.manifest.json";
const SKIPPED: [&str; 6] = ["node_modules", "dist", "build", "coverage", "__pycache__", "package-lock.json"];
/// Hidden files that a project may have at its root.
const HIDDEN: [&str; 3] = [".gitignore", ".editorconfig", ".env.example"];

fn main() -> io::Result<()> {
    let root = Path::new(&env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(PACKS);
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = "&[\n".to_owned();
    let packs = below(&root)?;
    assert!(!packs.is_empty(), "{} holds no pack", root.display());
    for pack in packs.iter().filter(|path| path.is_dir()) {
        let key = name(pack);
        let manifest = pack.join(MANIFEST);
        assert!(manifest.is_file(), "{} has no {MANIFEST}", pack.display());
        let _ = writeln!(table, "({key:?}, include_str!({:?}), &[", manifest.to_string_lossy());
        for file in files(pack)? {
            let path = file.strip_prefix(pack).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            let _ = writeln!(table, "({path:?}, include_str!({:?})),", file.to_string_lossy());
        }
        table.push_str("]),\n");
    }
    table.push(']');
    fs::write(Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("packs.rs"), table)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    all.sort();
    Ok(all)
}

/// Files of a project that are part of its pack.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in below(folder)? {
        let name = name(&path);
        let is_hidden = name.starts_with('.')
            && !HIDDEN.contains(&name.as_str())
            && !name.starts_with(".eslintrc.")
            && !name.starts_with(".prettierrc.");
        if is_hidden || name == MANIFEST || name.ends_with(".tsbuildinfo") || SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}
