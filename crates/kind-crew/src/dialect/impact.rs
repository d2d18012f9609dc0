//! What a change set touches, by its own word and in fact (spec: crew-package.md §9.4 "Impact").

use std::collections::BTreeSet;

use serde::Serialize;

use super::assets::tidy;
use super::compile::{Compiled, Work};
use super::envelope::Declared;
use super::input::TargetType;

/// Operations from which on a set is a lot at once.
const HIGH_CHURN: usize = 5;

/// As the normal form has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    pub objects: Vec<String>,
    pub counts: Counts,
    pub risk_flags: Vec<String>,
    pub requires_confirmation: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub workflow: usize,
    pub step: usize,
    pub agent: usize,
    pub asset: usize,
}

impl Impact {
    pub fn of(declared: &Declared, operations: &[Compiled]) -> Self {
        let operated = operations.iter().map(|operation| operation.target.object());
        let objects = operated.chain(declared.objects.iter().flatten().map(|object| tidy_object(object)));
        let mut counts = Counts::default();
        for operation in operations {
            *match operation.target.kind() {
                TargetType::Workflow => &mut counts.workflow,
                TargetType::Step => &mut counts.step,
                TargetType::Agent => &mut counts.agent,
                TargetType::Asset => &mut counts.asset,
            } += 1;
        }
        let kinds = [counts.workflow, counts.step, counts.agent, counts.asset];
        let derived = [
            ("cross-object", kinds.iter().filter(|count| **count > 0).count() > 1),
            ("high-churn", operations.len() >= HIGH_CHURN),
            ("delete", operations.iter().any(|operation| matches!(operation.work, Work::Delete))),
        ];
        let derived: Vec<String> =
            derived.iter().filter(|(_, holds)| *holds).map(|(name, _)| (*name).to_owned()).collect();
        let asked = declared.requires_confirmation.unwrap_or(true);
        let flags: BTreeSet<String> = declared.flags.iter().cloned().chain(derived.iter().cloned()).collect();
        Self {
            objects: arranged(objects),
            counts,
            risk_flags: flags.into_iter().collect(),
            requires_confirmation: asked || !derived.is_empty(),
        }
    }
}

/// An object of an impact with the path of an asset as it is meant.
pub fn tidy_object(object: &str) -> String {
    object.strip_prefix("asset:").map_or_else(|| object.to_owned(), |path| format!("asset:{}", tidy(path)))
}

/// Objects once each: by type, workflows by number, others by bytes.
pub fn arranged(objects: impl IntoIterator<Item = String>) -> Vec<String> {
    let key = |object: &str| {
        let (kind, id) = object.split_once(':').unwrap_or((object, ""));
        let kind = TargetType::parse(kind);
        // Numbers without leading zeros: the longer one is larger.
        let length = if kind == Some(TargetType::Workflow) { id.len() } else { 0 };
        (kind, length, id.to_owned())
    };
    let mut objects: Vec<String> = objects.into_iter().collect();
    objects.sort_by_cached_key(|object| key(object));
    objects.dedup();
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_stand_by_type_and_number() {
        let objects = ["asset:b", "step:a", "workflow:10", "agent:z", "workflow:9", "asset:a", "step:B", "step:a"];
        let want = ["workflow:9", "workflow:10", "step:B", "step:a", "agent:z", "asset:a", "asset:b"];
        assert_eq!(arranged(objects.map(str::to_owned)), want);
        assert_eq!(tidy_object("asset: ./a\\b "), "asset:a/b");
    }
}
