//! What the `build` script of a `package.json` says, read and never run (spec: vite-app.md §7 `scripts`).

use serde_json::Value;

/// The arguments of each `tsc` that runs before `vite build`; none where the script is not understood.
pub(super) fn type_checks(package: &str) -> Vec<Vec<String>> {
    let package: Option<Value> = serde_json::from_str(package).ok();
    let script = package.as_ref().and_then(|package| package.get("scripts")?.get("build")?.as_str());
    script.and_then(understand).unwrap_or_default()
}

fn understand(script: &str) -> Option<Vec<Vec<String>>> {
    let mut commands: Vec<Vec<&str>> = script.split("&&").map(|part| part.split_whitespace().collect()).collect();
    if commands.pop()? != ["vite", "build"] {
        return None;
    }
    let arguments = |command: Vec<&str>| {
        let is_known = match command.as_slice() {
            ["tsc"] | ["tsc", "-b" | "--build" | "--noEmit"] => true,
            ["tsc", "-p", config] | ["tsc", "-p", config, "--noEmit"] => is_config(config),
            _ => false,
        };
        is_known.then(|| command[1..].iter().map(|&argument| argument.to_owned()).collect())
    };
    commands.into_iter().map(arguments).collect()
}

/// Whether it is a `tsconfig*.json` at the root.
fn is_config(name: &str) -> bool {
    name.starts_with("tsconfig") && name.ends_with(".json") && !name.contains(['/', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_type_checks_in_front_of_the_build_are_understood() {
        let cases = [
            ("vite build", Some(vec![])),
            ("tsc && vite build", Some(vec!["tsc"])),
            ("tsc -b && vite build", Some(vec!["tsc -b"])),
            ("tsc --build&&tsc --noEmit && vite  build", Some(vec!["tsc --build", "tsc --noEmit"])),
            ("tsc -p tsconfig.app.json --noEmit && vite build", Some(vec!["tsc -p tsconfig.app.json --noEmit"])),
            ("tsc -p ../tsconfig.json && vite build", None),
            ("tsc -p tsconfig/../../x.json && vite build", None),
            ("tsc; rm -rf / && vite build", None),
            ("tsc || vite build", None),
            ("tsc && vite build --mode x", None),
            ("vite build && tsc", None),
            ("vue-tsc && vite build", None),
            ("", None),
        ];
        for (script, want) in cases {
            let got = understand(script).map(|all| {
                all.into_iter().map(|one| format!("tsc {}", one.join(" ")).trim().to_owned()).collect::<Vec<_>>()
            });
            assert_eq!(got, want.map(|all| all.into_iter().map(str::to_owned).collect()), "{script}");
        }
        assert_eq!(type_checks(r#"{"scripts": {"build": "tsc -b && vite build"}}"#), [["-b"]]);
        for package in ["", "[]", "{}", r#"{"scripts": {"build": 1}}"#] {
            assert!(type_checks(package).is_empty());
        }
    }
}
