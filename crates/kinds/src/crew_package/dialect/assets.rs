//! Paths of assets as they are meant (spec: crew-package.md §9.4).

/// A path without blanks around it, with forward slashes and no leading `./`.
pub fn tidy(path: &str) -> String {
    let slashed = path.replace('\\', "/");
    let mut rest = slashed.trim();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter;
    }
    rest.to_owned()
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn tidy_paths_stay() {
        let cases = [
            (" assets\\new\\a.md ", "assets/new/a.md"),
            ("./assets/a.md", "assets/a.md"),
            (".\\./assets/a.md", "assets/a.md"),
            ("assets/./a.md", "assets/./a.md"),
            ("/assets/a b.md", "/assets/a b.md"),
            (" ./ assets", " assets"),
            ("", ""),
        ];
        for (path, want) in cases {
            assert_eq!(tidy(path), want);
        }
    }
}
