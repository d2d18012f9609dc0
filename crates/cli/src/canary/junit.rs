//! The report of a canary as JUnit XML, which build servers read: a test case an extension.

use std::fmt::Write as _;

use super::{CanaryVerdict, said};

pub fn report(sdk: &str, verdicts: &[CanaryVerdict]) -> String {
    let broken = verdicts.iter().filter(|verdict| verdict.is_broken()).count();
    let mut cases = String::new();
    for verdict in verdicts {
        case(&mut cases, verdict);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{all}\" failures=\"{broken}\">\n  \
         <testsuite name=\"SDK {sdk}\" tests=\"{all}\" failures=\"{broken}\" errors=\"0\">\n{cases}  </testsuite>\n\
         </testsuites>\n",
        all = verdicts.len(),
        sdk = escaped(sdk),
    )
}

fn case(out: &mut String, verdict: &CanaryVerdict) {
    let id = escaped(verdict.id.as_deref().unwrap_or(&verdict.dir));
    let outcome = verdict.outcome.as_deref().unwrap_or_default();
    let findings: Vec<String> = verdict.diagnostics.iter().filter(|found| found.is_error()).map(line).collect();
    let text = escaped(&findings.join("\n"));
    // Writing to a text does not fail.
    let _ = if verdict.is_broken() {
        let first = escaped(findings.first().map_or(said(outcome), String::as_str));
        writeln!(
            out,
            "    <testcase classname=\"canary\" name=\"{id}\">\n      <failure type=\"{outcome}\" \
             message=\"{first}\">{text}</failure>\n    </testcase>"
        )
    } else {
        writeln!(
            out,
            "    <testcase classname=\"canary\" name=\"{id}\">\n      <system-out>{}</system-out>\n    </testcase>",
            said(outcome)
        )
    };
}

fn line(found: &holdpoint_check::Diagnostic) -> String {
    let place = [&found.path, &found.pointer].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    format!("{} {}: {}", found.code, place, found.message)
}

/// Text of XML 1.0: what it cannot hold is the replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other if other.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_leaves_its_place_in_the_document() {
        assert_eq!(
            escaped("a<b & \"c\">\u{1b}[2J\u{0}\u{ffff}\n梁"),
            "a&lt;b &amp; &quot;c&quot;&gt;\u{fffd}[2J\u{fffd}\u{fffd}\n梁"
        );
    }
}
