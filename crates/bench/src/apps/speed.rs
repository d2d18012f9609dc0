//! How fast projects are checked and changed, natively and as the page's Wasm.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use holdpoint_bundle::Files;
use holdpoint_kind_app::packs;
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::questions::{Input, Question, RUNS, in_node, natively};

const KIND: &str = "vite-app";
const CATALOG: &str = "2026-11";
/// A project as large as one may be with its default limits.
const FILES: usize = 400;
const OPERATIONS: usize = 200;
const BYTES: usize = 2 * 1_024 * 1_024;

/// Runs everything; answers the document.
pub fn run(root: &Path, cache: &Path) -> Result<String, Fault> {
    let inputs = inputs()?;
    eprintln!("· natively");
    let native: Vec<f64> = inputs.iter().map(|input| natively(input, RUNS)).collect();
    eprintln!("· in Node");
    let [hosted, _] = in_node(root, cache, "check-app", [&inputs, &[]])?;
    let mut text = format!(
        "# Speed of the check of apps\n\nWritten by `cargo xtask bench apps-speed`: median milliseconds of time on the \
         processor, on one machine. Natively a method takes and gives JSON values; as Wasm, in Node after 0.7 s of \
         warming up, it is `call` of `wasm-check-app`, JSON text in and out. The large project has {FILES} files with \
         {:.1} MB in all; its list has {OPERATIONS} operations.\n\n\
         | what | natively | at most | as Wasm | at most |\n|---|--:|--:|--:|--:|\n",
        BYTES as f64 / 1e6
    );
    for ((input, native), hosted) in inputs.iter().zip(&native).zip(&hosted) {
        assert_eq!(input.name, hosted.name, "both sides measure the same, in one order");
        let due = |most: Option<u32>| most.map(|most| most.to_string()).unwrap_or_default();
        let (of_native, of_wasm) = (due(input.due.0), due(input.due.1));
        let _ = writeln!(text, "| {} | {native:.1} | {of_native} | {:.1} | {of_wasm} |", input.name, hosted.median);
    }
    Ok(text)
}

/// Where the document stands.
pub fn place(root: &Path) -> PathBuf {
    root.join("docs/bench/apps-speed.md")
}

fn inputs() -> Result<Vec<Input>, Fault> {
    let pack = packs::find("dashboard").ok_or_else(|| Fault::Told("the template is not there".to_owned()))?;
    let large = large(&pack.files);
    let project = |files: &Files, more: Value| {
        let mut input = json!({"kind": KIND, "files": files, "options": {"catalog": CATALOG}});
        if let (Some(input), Value::Object(more)) = (input.as_object_mut(), more) {
            input.extend(more);
        }
        input
    };
    let of = |name: &str, due: (Option<u32>, Option<u32>), method: &'static str, input: Value| Input {
        name: name.to_owned(),
        due,
        questions: vec![Question { method, input }],
    };
    let few = json!({"operations": [
        {"op": "upsert_file", "path": "src/part.tsx", "content": part(1, 400)},
        {"op": "upsert_file", "path": "src/added.css", "content": ".added {\n  color: red;\n}\n"},
    ]});
    Ok(vec![
        of("check of the large project", (Some(300), Some(1_000)), "bundle.check", project(&large, json!({}))),
        of(
            "a list of operations on it",
            (Some(300), Some(1_000)),
            "files.apply",
            project(&large, json!({"operations": operations()})),
        ),
        of("a choice in a template", (None, Some(300)), "files.apply", project(&pack.files, few)),
        of(
            "context for a model",
            (None, None),
            "context.pack",
            project(&large, json!({"text": "make @part7.tsx wide"})),
        ),
    ])
}

/// The template with parts that import one another, up to the size.
fn large(template: &Files) -> Files {
    let mut files = template.clone();
    let parts = FILES - files.len();
    let bytes = (BYTES - files.values().map(String::len).sum::<usize>()) / parts;
    for number in 0..parts {
        files.insert(format!("src/parts/part{number}.tsx"), part(number, bytes));
    }
    files
}

/// A component of about so many bytes.
fn part(number: usize, bytes: usize) -> String {
    let import =
        if number > 1 { format!("import {{ Part{0} }} from './part{0}';\n", number - 1) } else { String::new() };
    let inner = if number > 1 { format!("<Part{} />", number - 1) } else { "<b>the last</b>".to_owned() };
    let mut text = format!("{import}\nexport function Part{number}() {{\n  return <div>{inner}</div>;\n}}\n");
    let mut row = 0;
    while text.len() < bytes {
        row += 1;
        let _ = write!(
            text,
            "\nexport const row{row} = {{ title: 'Row {row} of {number}', width: {}, shown: (value: number) => value > {row} }};\n",
            row * 7
        );
    }
    text
}

fn operations() -> Vec<Value> {
    let written = |number: usize| json!({"op": "upsert_file", "path": format!("src/parts/part{number}.tsx"), "content": part(number, 2_000)});
    let moved = |number: usize| {
        json!({"op": "rename_file", "from_path": format!("src/parts/part{number}.tsx"),
            "to_path": format!("src/parts/moved{number}.tsx")})
    };
    let back = |number: usize| {
        json!({"op": "rename_file", "from_path": format!("src/parts/moved{number}.tsx"),
            "to_path": format!("src/parts/part{number}.tsx")})
    };
    let third = OPERATIONS / 4;
    let renamed = (0..third).flat_map(|number| [moved(number), back(number)]);
    (0..OPERATIONS - 2 * third).map(written).chain(renamed).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // what does not hold ends the test
mod tests {
    use super::*;
    use crate::questions::SHELL;

    #[test]
    fn what_is_measured_is_taken_and_as_large_as_said() {
        for Input { name, questions, .. } in inputs().unwrap() {
            for Question { method, input } in questions {
                let answer = SHELL.call(method, input);
                assert!(answer.get("error").is_none(), "{name}: {answer}");
                if method == "files.apply" {
                    assert_eq!(answer["ok"], true, "{name}: {}", answer["diagnostics"]);
                }
            }
        }
        let large = large(&packs::find("dashboard").unwrap().files);
        assert_eq!((large.len(), operations().len()), (FILES, OPERATIONS));
        assert!(large.values().map(String::len).sum::<usize>() >= BYTES);
    }
}
