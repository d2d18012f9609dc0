//! An edit of a project: its operations on the stored base, as the gate compares it (spec: vite-app.md §3).

use holdpoint_bundle::Files;
use holdpoint_change::{Base, Confirm, Facts, Staged, Tokens, Unit};
use holdpoint_check::{ApiError, Diagnostic};
use holdpoint_text::hash_records;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accept::{Choices, pick};
use crate::dialect::apply::{EditedProject, apply};
use crate::options::{DEFAULT_ENTRY, Policy, RawCatalog, RawOptions};
use crate::requests::{AppSettings, whole};
use crate::weakened::weaker;

/// What a revision keeps that only this kind knows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppRevision {
    pub entry_file: String,
    /// The catalogue of the app.
    pub catalog_version: String,
    /// The template that its files began with.
    #[serde(default)]
    pub template_key: String,
    #[serde(default)]
    pub files_hash: String,
    #[serde(default)]
    pub file_count: usize,
    /// Where it comes from, where its cause does not say it: `file_revert` or `scaffold`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// What an app keeps beside its revisions: facts of the bundle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AppProfile {
    /// The account; part of the names of its artifacts.
    pub tenant_id: String,
    pub name: String,
    pub slug: String,
    pub archived: bool,
    pub settings: AppSettings,
}

/// An edit, as a route or a stored change set has it.
#[derive(Debug, Clone, Deserialize)]
pub struct AppRequest {
    pub operations: Vec<Value>,
    #[serde(default)]
    pub entry_file: Option<String>,
    /// What of it is taken; all of it where absent.
    #[serde(default)]
    pub accept: Option<Choices>,
    #[serde(default)]
    pub rules: AppRules,
    /// What its revision keeps as its origin.
    #[serde(default)]
    pub origin: Option<String>,
}

/// What an app and its deployment say of packages, beside the catalogue of a revision.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct AppRules {
    pub policy: Policy,
    /// The origin from which locked packages may come.
    pub registry: Option<String>,
}

/// Stages operations on the files of `base`. A list that is refused is the error of the request.
pub fn stage(base: Base, request: &AppRequest) -> Result<Staged, ApiError> {
    let known: Option<AppRevision> = serde_json::from_value(base.facts.0.clone()).ok();
    let options = options(known.as_ref(), &request.rules);
    let before = base.files.clone().unwrap_or_default();
    let entry = request.entry_file.clone().or_else(|| known.as_ref().map(|own| own.entry_file.clone()));
    let entry = entry.unwrap_or_else(|| DEFAULT_ENTRY.to_owned());
    let mut outcome = apply(&before, Some(&entry), &request.operations, &options.resolve()?)?;
    if let Some(choices) = &request.accept {
        outcome = picked(&before, &entry, &outcome, choices, &options)?;
    }
    let facts = AppRevision {
        entry_file: outcome.entry_file.clone(),
        catalog_version: options.resolve()?.catalog.version.clone(),
        template_key: known.as_ref().map(|own| own.template_key.clone()).unwrap_or_default(),
        files_hash: outcome.result_hash.clone(),
        file_count: outcome.files.len(),
        origin: request.origin.clone(),
    };
    let weakened = weaker(&before, &outcome.files);
    let confirm_token = confirm_token(&outcome, &weakened);
    let unit = Unit {
        key: Unit::WHOLE.to_owned(),
        before: base.files.is_some().then(|| outcome.base_hash.clone()),
        after: Some(outcome.result_hash.clone()),
    };
    Ok(Staged {
        tokens: Tokens {
            base: Some(outcome.base_hash.clone()),
            patch: Some(outcome.patch_id.clone()),
            result: Some(outcome.result_hash.clone()),
        },
        confirm: confirm_token.clone().map_or(Confirm::None, Confirm::Derived),
        reasons: reasons(&outcome, &weakened),
        shown: json!({
            "base_hash": outcome.base_hash, "patch_id": outcome.patch_id, "result_hash": outcome.result_hash,
            "confirm_token": confirm_token, "entry_file": outcome.entry_file, "changed": outcome.changed,
        }),
        after: Some(outcome.files),
        facts: Facts(json!(facts)),
        units: vec![unit],
        base,
        ..Staged::default()
    })
}

/// What a choice leaves of a change. The entry moves only where its file is taken.
fn picked(
    before: &Files,
    entry: &str,
    whole_change: &EditedProject,
    choices: &Choices,
    options: &RawOptions,
) -> Result<EditedProject, ApiError> {
    let files = pick(before, &whole_change.files, choices)?;
    let mut operations = whole(before, &files);
    if whole_change.entry_file != entry && files.contains_key(&whole_change.entry_file) {
        operations.push(json!({"op": "set_entry_file", "entry_file": whole_change.entry_file}));
    }
    apply(before, Some(entry), &operations, &options.resolve()?)
}

/// The options with which the projects of an app are checked, wherever that is done.
pub fn options(known: Option<&AppRevision>, rules: &AppRules) -> RawOptions {
    let AppRules { policy, registry } = rules.clone();
    let version = known.map(|own| own.catalog_version.clone());
    RawOptions { policy, catalog: version.map(RawCatalog::Version), registry, ..RawOptions::default() }
}

/// What a person confirms: doubts about the operations, tests that check less, lost behaviours.
fn confirm_token(outcome: &EditedProject, weakened: &[Diagnostic]) -> Option<String> {
    if weakened.is_empty() {
        return outcome.confirm_token.clone();
    }
    let paths: Vec<&str> = weakened.iter().filter_map(|one| one.path.as_deref()).collect();
    Some(hash_records([
        ("confirm", outcome.confirm_token.as_deref().unwrap_or_default()),
        ("base_hash", outcome.base_hash.as_str()),
        ("result_hash", outcome.result_hash.as_str()),
        ("weaker", paths.join("\n").as_str()),
    ]))
}

fn reasons(outcome: &EditedProject, weakened: &[Diagnostic]) -> Vec<String> {
    let asks = outcome.confirm_token.is_some();
    let warnings = outcome.diagnostics.iter().filter(|one| asks && !one.is_error()).chain(weakened);
    warnings.map(|one| one.code.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accept::FileChoice;
    use crate::packs;

    fn base() -> Base {
        let pack = packs::find("blank-react").unwrap();
        let facts = AppRevision {
            entry_file: pack.manifest.entry_file.clone(),
            catalog_version: pack.manifest.catalog_version.clone(),
            ..AppRevision::default()
        };
        Base { files: Some(pack.files.clone()), facts: Facts(json!(facts)), ..Base::default() }
    }

    fn request(accept: Option<Choices>) -> AppRequest {
        let operations = vec![
            json!({"op": "upsert_file", "path": "src/new.ts", "content": "export {};\n"}),
            json!({"op": "rename_file", "from_path": "src/main.tsx", "to_path": "src/start.tsx"}),
            json!({"op": "upsert_file", "path": "index.html",
                "content": packs::find("blank-react").unwrap().files["index.html"].replace("main.tsx", "start.tsx")}),
        ];
        AppRequest { operations, entry_file: None, accept, rules: AppRules::default(), origin: None }
    }

    #[test]
    fn a_choice_is_another_change_with_tokens_of_its_own() {
        let whole = stage(base(), &request(None)).unwrap();
        let left = Choices::from([("src/new.ts".to_owned(), FileChoice::Whole(false))]);
        let picked = stage(base(), &request(Some(left))).unwrap();
        assert_eq!(picked.tokens.base, whole.tokens.base);
        assert!(picked.tokens.patch != whole.tokens.patch && picked.tokens.result != whole.tokens.result);
        let files = picked.after.unwrap();
        assert!(!files.contains_key("src/new.ts") && files.contains_key("src/start.tsx"));
        assert_eq!(picked.shown["entry_file"], "src/start.tsx", "the entry moves with its file");
        let all = stage(base(), &request(Some(Choices::new()))).unwrap();
        assert_eq!(all.tokens.result, whole.tokens.result);
    }

    #[test]
    fn the_gate_judges_packages_by_the_rules_of_the_app() {
        use holdpoint_kind::Stage as _;
        let mut package: Value = serde_json::from_str(&base().files.unwrap()["package.json"]).unwrap();
        package["dependencies"]["left-pad"] = "1.3.0".into();
        let write = json!({"op": "upsert_file", "path": "package.json", "content": package.to_string()});
        let codes = |policy| {
            let rules = AppRules { policy, ..AppRules::default() };
            let request =
                AppRequest { operations: vec![write.clone()], entry_file: None, accept: None, rules, origin: None };
            let staged = stage(base(), &request).unwrap();
            let preview = crate::ViteApp.preview(staged, &request, &|_, _| None).unwrap();
            let errors = preview.report.diagnostics.into_iter().filter(holdpoint_check::Diagnostic::is_error);
            errors.map(|one| one.code.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(codes(Policy::Curated), ["DEPENDENCY_NOT_IN_CATALOG"]);
        assert_eq!(codes(Policy::RegistryPinned), ["LOCKFILE_MISSING"]);
    }

    #[test]
    fn a_test_that_checks_less_is_confirmed_and_left_out_without_a_word() {
        let test = "src/App.test.tsx";
        let text = &base().files.unwrap()[test];
        let write = json!({"op": "upsert_file", "path": test, "content": text.replace("expect(", "void (")});
        let asked = |accept| AppRequest { operations: vec![write.clone()], accept, ..request(None) };
        let staged = stage(base(), &asked(None)).unwrap();
        assert!(matches!(staged.confirm, Confirm::Derived(_)));
        assert_eq!(staged.reasons, ["TEST_WEAKENED"]);
        let left = Choices::from([(test.to_owned(), FileChoice::Whole(false))]);
        assert!(matches!(stage(base(), &asked(Some(left))).unwrap().confirm, Confirm::None));
    }

    #[test]
    fn a_lost_behaviour_is_confirmed() {
        let path = "src/behaviours/title.test.tsx";
        let mut base = base();
        let text = "import { expect, test } from 'vitest';\ntest('It has a title.', () => expect(1).toBe(1));\n";
        base.files.as_mut().unwrap().insert(path.to_owned(), text.to_owned());
        let staged = |operation| {
            let request = AppRequest { operations: vec![operation], ..request(None) };
            stage(base.clone(), &request).unwrap()
        };
        let lost = staged(json!({"op": "delete_file", "path": path}));
        assert!(matches!(lost.confirm, Confirm::Derived(_)));
        assert_eq!(lost.reasons, ["BEHAVIOUR_LOST"]);
        let renamed = json!({"op": "rename_file", "from_path": path, "to_path": "src/behaviours/heading.test.tsx"});
        assert!(matches!(staged(renamed).confirm, Confirm::None), "its words and its test are the same");
    }

    #[test]
    fn an_entry_whose_file_is_left_stays() {
        let left =
            ["src/start.tsx", "src/main.tsx", "index.html"].map(|path| (path.to_owned(), FileChoice::Whole(false)));
        let picked = stage(base(), &request(Some(left.into()))).unwrap();
        assert_eq!(picked.shown["entry_file"], "src/main.tsx");
    }
}
