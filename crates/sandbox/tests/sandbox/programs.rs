//! Programs as files: `tests/programs/FOLDER/CLASS.js`, each behind a line `//# what it is`.

use std::{fs, path::PathBuf};

/// One program of a file.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The file's name without its ending.
    pub class: String,
    /// What the line before it says.
    pub title: String,
    /// A module.
    pub source: String,
}

/// The programs of a folder, in order of files and lines.
pub fn listed(folder: &str) -> Vec<Listed> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(folder);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the programs are there").map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| of_file(path)).collect()
}

fn of_file(path: &std::path::Path) -> Vec<Listed> {
    let class = path.file_stem().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    let behind_mark = format!("\n{text}");
    let programs = behind_mark.split("\n//# ").skip(1).map(|program| {
        let (title, source) = program.split_once('\n').expect("a program follows its title");
        Listed { class: class.clone(), title: title.to_owned(), source: source.to_owned() }
    });
    programs.collect()
}
