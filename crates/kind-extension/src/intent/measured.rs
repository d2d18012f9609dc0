//! How often a request is understood: sentences that were written apart from the rules (authoring.md §2).

use super::*;

const SAMPLES: [(&str, &str); 4] = [
    ("en", include_str!("samples/en.tsv")),
    ("sv", include_str!("samples/sv.tsv")),
    ("de", include_str!("samples/de.tsv")),
    ("zh", include_str!("samples/zh.tsv")),
];

/// Of a hundred requests of a language.
const AT_LEAST_PERCENT: usize = 90;

#[test]
fn requests_are_understood_in_every_language() {
    for (language, samples) in SAMPLES {
        let rows: Vec<(&str, &str)> = samples.lines().filter_map(|line| line.split_once('\t')).collect();
        assert!(rows.len() >= 40, "{language} has {} requests", rows.len());
        let understood = |text: &str| {
            let answer = classify(text, &IntentContext::default());
            (serde_json::to_value(answer.intent).unwrap().as_str().unwrap().to_owned(), answer.signals.join("+"))
        };
        let missed: Vec<String> = rows
            .iter()
            .map(|(want, text)| (want, text, understood(text)))
            .filter(|(want, _, (have, _))| *want != have)
            .map(|(want, text, (have, signals))| format!("{text}: {have} ({signals}), meant {want}"))
            .collect();
        let right = (rows.len() - missed.len()) * 100 / rows.len();
        assert!(right >= AT_LEAST_PERCENT, "{language}: {right} %\n{}", missed.join("\n"));
        let strays =
            missed.iter().filter(|miss| miss.ends_with("meant out-of-scope") || miss.contains(": out-of-scope"));
        assert_eq!(strays.count(), 0, "{language}: what does not belong here is never taken for anything else");
    }
}
