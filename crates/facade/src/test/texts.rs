//! The sentences of codes in every language: as many as there are declared, with the same values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use holdpoint_check::Code;
use holdpoint_check::code::{Arg, placeholders, say};
use holdpoint_sdk::capability::{PERMISSION, catalogue};
use serde_json::Value;

use super::codes::{declared, elsewhere, names};
use super::root;

/// The languages beside English, and what each says of a sentence's key.
fn languages() -> Vec<(String, BTreeMap<String, String>)> {
    let folder = root().join("crates/facade/texts");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let read = |path: std::path::PathBuf| {
        let texts = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        (path.file_stem().unwrap().to_string_lossy().into_owned(), texts)
    };
    files.into_iter().map(read).collect()
}

/// What is said under which key: the sentence of a code and, where it has one, its hint.
fn english() -> BTreeMap<String, &'static str> {
    let both = |code: &'static Code| [(code.key(), code.says), (format!("{}#hint", code.key()), code.hint)];
    let permissions = catalogue().iter().map(|entry| (format!("{PERMISSION}.{}", entry.name), entry.sentence.as_str()));
    let plain = holdpoint_gateway::Code::ALL.iter().map(|code| (code.name().to_owned(), code.message()));
    let mut all: BTreeMap<String, &'static str> = BTreeMap::new();
    for (key, says) in
        declared().into_iter().flat_map(both).chain(plain).chain(permissions).filter(|(_, says)| !says.is_empty())
    {
        let before = all.insert(key.clone(), says);
        assert!(before.is_none_or(|other| other == says), "{key} says two things");
    }
    all
}

#[test]
fn a_sentence_names_each_of_its_values_and_no_other() {
    for code in declared() {
        let named: BTreeSet<&str> = placeholders(code.says).chain(placeholders(code.hint)).collect();
        let args: BTreeSet<&str> = code.args.iter().copied().collect();
        assert_eq!(named, args, "{}", code.key());
        let values: Vec<(&str, &dyn Arg)> = code.args.iter().map(|name| (*name, &"x" as &dyn Arg)).collect();
        let values = code.values(&values);
        for said in [say(code.says, &values), say(code.hint, &values)] {
            assert_eq!(placeholders(&said).next(), None, "{}: {said}", code.key());
        }
    }
}

/// Languages of the crew pages alone; of everything else they say what they like, and English stands in.
const FOR_CREW: &[&str] = &["zh"];

/// The keys that crew pages and crew routes can say.
fn of_crew() -> BTreeSet<String> {
    let elsewhere: BTreeSet<String> = elsewhere().into_iter().map(Code::key).collect();
    let permission = format!("{PERMISSION}.");
    let sentence = |key: &str| key.trim_end_matches("#hint").to_owned();
    let mut keys: BTreeSet<String> = english().into_keys().collect();
    keys.retain(|key| !key.starts_with(&permission) && !elsewhere.contains(&sentence(key)));
    keys
}

#[test]
fn every_language_says_every_sentence_with_its_values() {
    let (english, of_crew) = (english(), of_crew());
    for (language, texts) in languages() {
        let is_for_crew = FOR_CREW.contains(&language.as_str());
        let said_here = |key: &String| !is_for_crew || of_crew.contains(key);
        let missing: Vec<_> = english.iter().filter(|(key, _)| said_here(key) && !texts.contains_key(*key)).collect();
        let stale: Vec<&String> = texts.keys().filter(|key| !english.contains_key(*key)).collect();
        assert!(missing.is_empty() && stale.is_empty(), "{language}: missing {missing:#?}, stale {stale:#?}");
        for (key, said) in &texts {
            let named = |says: &'static str| placeholders(says).collect::<BTreeSet<&str>>();
            assert_eq!(placeholders(said).collect::<BTreeSet<_>>(), named(english[key]), "{language}: {key}");
        }
    }
}

#[test]
fn every_declared_code_stands_in_the_reference() {
    let known = names();
    let missing: BTreeSet<&str> =
        declared().iter().map(|code| code.name).filter(|name| !known.contains(*name)).collect();
    assert_eq!(missing, BTreeSet::new());
}

/// The table of each language that pages are built with.
#[test]
fn export_texts() {
    for (language, texts) in languages() {
        let mut table = String::from(
            "// The sentences of codes, from crates/facade/texts; written by `cargo xtask generate`.\n\
             export const sentences: Readonly<Record<string, string>> = {\n",
        );
        for (key, said) in &texts {
            let _ = writeln!(table, "  {}: {},", Value::from(key.as_str()), Value::from(said.as_str()));
        }
        table.push_str("};\n");
        let folder = root().join("target/generated/texts");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{language}.ts")), table).unwrap();
    }
}
