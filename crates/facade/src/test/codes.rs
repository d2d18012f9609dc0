//! Every stable code of the product, from the tables beside the code that gives them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use holdpoint_check::Code;
use holdpoint_kind::Codes;
use serde_json::json;

/// Codes of one table.
pub struct Group {
    title: &'static str,
    note: &'static str,
    /// What the second column says; empty where there is none.
    kind: &'static str,
    /// What the column behind it says.
    says: &'static str,
    pub rows: Vec<Row>,
}

impl Group {
    const PLAIN: Self = Self { title: "", note: "", kind: "", says: "when", rows: Vec::new() };
}

/// Code, the second column, when, what to do.
pub type Row = (String, String, String, String);

type Plain = &'static [(&'static str, &'static str, &'static str)];
type OverHttp = &'static [(&'static str, u16, &'static str, &'static str)];

fn plain(table: Plain) -> Vec<Row> {
    table.iter().map(|(code, when, what)| row(code, "", when, what)).collect()
}

/// Codes with their severity, when they are found, and every sentence that they say. A code that stands elsewhere too
/// has its row where its first sentence says when.
fn said(tables: &[Codes]) -> Vec<Row> {
    let all = tables.concat().concat();
    let sentences = |name: &str| -> Vec<&str> {
        all.iter().filter(|it| it.name == name && !it.says.is_empty()).map(|it| it.says).collect()
    };
    let severity = |code: &Code| json!(code.severity).as_str().unwrap_or_default().to_owned();
    let rows = all.iter().filter(|code| !code.when.is_empty());
    rows.map(|it| row(it.name, &severity(it), it.when.trim(), &sentences(it.name).join("<br>"))).collect()
}

/// As [`said`], of those that are no findings.
fn plain_said(tables: &[Codes]) -> Vec<Row> {
    said(tables).into_iter().map(|(code, _, when, what)| (code, String::new(), when, what)).collect()
}

fn over_http(table: OverHttp) -> Vec<Row> {
    table.iter().map(|(code, status, when, what)| row(code, &status.to_string(), when, what)).collect()
}

fn row(code: &str, kind: &str, when: &str, what: &str) -> Row {
    (code.to_owned(), kind.to_owned(), when.to_owned(), what.to_owned())
}

/// Every table.
pub fn groups() -> Vec<Group> {
    use holdpoint_check::error;
    use holdpoint_engine::codes as author;
    use holdpoint_gateway::codes as gateway;
    use holdpoint_kind_app::codes as vite_app;
    use holdpoint_kind_crew::codes as crew_package;
    use holdpoint_kind_crew::prompts;
    use holdpoint_kind_extension::codes as ifc_extension;
    use holdpoint_kind_script::codes as script_tool;
    use holdpoint_sdk::codes as sdk;

    let refusals = holdpoint_gateway::Code::ALL.iter();
    let refusals = refusals.map(|code| row(code.name(), &code.status().to_string(), code.message(), ""));
    let prefixed = plain_said(&[&[sdk::CODES]]).into_iter().map(|(code, _, when, what)| {
        let test = if sdk::PREFIXED.contains(&code.as_str()) { format!("`TEST_{code}`") } else { String::new() };
        (code, test, when, what)
    });
    let tags = holdpoint_text::Tag::ALL.iter().map(|tag| {
        let weight = format!("{:?}", tag.severity()).to_lowercase();
        row(&tag.name(), "", &weight, "")
    });
    vec![
        Group {
            title: "Error answers of methods",
            note: "`{\"error\": {\"code\", \"message\", \"details\"?}}` of `holdpoint call`, of `call` in the page and of \
                   `POST`s that run a method. Methods of the gateway answer with the gateway's codes too.",
            rows: [
                plain_said(&[&[error::CODES, crate::codes::CODES, holdpoint_kind_extension::methods::testing::CODES]]),
                plain(crate::codes::ELSEWHERE),
            ]
            .concat(),
            ..Group::PLAIN
        },
        Group {
            title: "Findings of `bundle.check`, kind `ifc-extension`",
            note: "Only errors stop a bundle. The message of a finding says what to do at its place.",
            kind: "severity",
            rows: said(&[ifc_extension::CODES]),
            ..Group::PLAIN
        },
        Group {
            title: "Findings of `bundle.check`, kind `script-tool`",
            note: "Only errors stop a bundle.",
            kind: "severity",
            rows: said(&[script_tool::CODES]),
            ..Group::PLAIN
        },
        Group {
            title: "Findings of `bundle.check`, kind `crew-package`",
            note: "Only errors stop a bundle. `PKG_SCHEMA_ERROR` and `PKG_INVALID_JSON` say the sentence of what is wrong.",
            kind: "severity",
            rows: said(&[crew_package::CODES]),
            ..Group::PLAIN
        },
        Group {
            title: "Findings of `bundle.check`, kind `vite-app`",
            note: "Only errors stop a bundle.",
            kind: "severity",
            rows: said(&[vite_app::CODES]),
            ..Group::PLAIN
        },
        Group {
            title: "Operations, kind `vite-app`",
            note: "Findings of `files.apply` beside those of the check, and refusals of the methods of this kind.",
            kind: "severity",
            rows: said(&[vite_app::ASKED]),
            ..Group::PLAIN
        },
        Group {
            title: "Routes of apps",
            note: "What `/admin/apps`, `/public/apps` and the origin of built apps refuse.",
            rows: plain_said(&[vite_app::ROUTES]),
            ..Group::PLAIN
        },
        Group {
            title: "Runs of the app builder",
            note: "What runs and proposals refuse, what their tools answer, and how a run ends that brings nothing.",
            rows: plain_said(&[vite_app::RUNS]),
            ..Group::PLAIN
        },
        Group {
            title: "Answers of the build runner",
            note: "`{\"error\": {\"code\", \"message\", \"details\"?}}`.",
            kind: "status",
            rows: over_http(holdpoint_build_runner::codes::ANSWERS),
            ..Group::PLAIN
        },
        Group {
            title: "Builds that fail",
            note: "`code` of a result of the build runner; its `diagnostics` name files and places.",
            rows: [
                plain(holdpoint_build_runner::codes::FAILURES),
                plain_said(&[&[holdpoint_build_runner::output::CODES]]),
            ]
            .concat(),
            ..Group::PLAIN
        },
        Group {
            title: "Prompts, kind `crew-package`",
            note: "Refusals of `context.pack` and `prompt.compose`; `details` name the member, the target or the numbers.",
            rows: plain_said(&[prompts::CODES]),
            ..Group::PLAIN
        },
        Group {
            title: "Findings of `changeset.check`",
            note: "Beside those of the documents, which keep their codes. Only errors make a change set invalid.",
            kind: "severity",
            rows: said(&[crew_package::CHANGE_SET]),
            ..Group::PLAIN
        },
        Group {
            title: "Findings of `crew.paths`",
            note: "Warnings about ways through a workflow, beside those of the check.",
            kind: "severity",
            rows: said(&[crew_package::PATHS]),
            ..Group::PLAIN
        },
        Group {
            title: "Crew packages by hand",
            note: "What routes of projects refuse, and what an edit chose for its person. `VALIDATION_ERROR` lists the \
                   findings in `details.diagnostics`.",
            rows: plain_said(&[crew_package::HAND]),
            ..Group::PLAIN
        },
        Group {
            title: "Summaries of a model",
            note: "Warnings of a turn or a proposal: what its words say beside what it changes. They stop nothing.",
            rows: plain_said(&[&[holdpoint_kind::claims::CODES]]),
            ..Group::PLAIN
        },
        Group {
            title: "Packages as ZIP files",
            note: "Refusals of import and export, and what an import says of what it changed. A refused package lists its \
                   findings in `details.diagnostics`.",
            rows: plain_said(&[crew_package::ARCHIVE]),
            ..Group::PLAIN
        },
        Group {
            title: "Bundles as one file",
            note: "Findings of `archive.open` and `archive.verify`, beside the path codes; of those who pack, errors.",
            kind: "severity",
            rows: said(&[ifc_extension::ARCHIVE]),
            ..Group::PLAIN
        },
        Group {
            title: "Replies",
            note: "Findings of `reply.parse`.",
            kind: "severity",
            rows: said(&[ifc_extension::REPLY]),
            ..Group::PLAIN
        },
        Group {
            title: "Plans",
            note: "Findings of `plan.check` and of a bundle against its plan, beside the bundle's own codes.",
            kind: "severity",
            rows: said(&[ifc_extension::PLAN]),
            ..Group::PLAIN
        },
        Group {
            title: "Runs",
            note: "Findings and notices of a run.",
            kind: "severity",
            rows: said(&[holdpoint_kind_extension::run::CODES, ifc_extension::RUN]),
            ..Group::PLAIN
        },
        Group {
            title: "Reject codes of the text engine",
            note: "`error_details[].code` of `text.preview` and `text.apply`: why an op or a hunk cannot be applied.",
            says: "message",
            rows: rejects(),
            ..Group::PLAIN
        },
        Group {
            title: "Tags of the text engine",
            note: "What was tolerated or repaired: `meta.normalizations_applied` and `meta.reasons`. A tag that weighs \
                   `confirm` makes the verdict `confirm`.",
            says: "weighs",
            rows: tags.collect(),
            ..Group::PLAIN
        },
        Group {
            title: "Running extension code",
            note: "How a call ends, and why a test fails. A dry run spells those of the second column with `TEST_`.",
            kind: "in a dry run",
            rows: prefixed.collect(),
            ..Group::PLAIN
        },
        Group {
            title: "Errors of the SDK",
            note: "`code` of an `SdkError`, which extension code can catch.",
            rows: plain_said(&[&[holdpoint_sandbox::CODES]]),
            ..Group::PLAIN
        },
        Group {
            title: "Models",
            note: "What opening a model, an IDS or a BCF file finds, and why an element does not do what is asked for.",
            rows: plain_said(&[holdpoint_model::codes::ALL]),
            ..Group::PLAIN
        },
        Group {
            title: "Facts",
            note: "Sentences beside a fact, which only other languages are said from: the fact itself carries `args`, not \
                   the code.",
            rows: plain_said(&[ifc_extension::FACTS]),
            ..Group::PLAIN
        },
        Group {
            title: "Answers for a script",
            note: "Errors of `editops.parse`, and what the first words of a chat may be told with.",
            rows: plain_said(&[script_tool::ASKED]),
            ..Group::PLAIN
        },
        Group {
            title: "Refusals of the gateway",
            note: "Over HTTP, in the shape of the protocol that was asked in (`gateway.error`).",
            kind: "status",
            says: "message",
            rows: refusals.collect(),
        },
        Group {
            title: "Other refusals of the edge",
            note: "`{\"error\": …}` below `/api/v1/extensions` and `/gateway/`, beside the gateway's; `DEV_IN_PRODUCTION` of \
                   every path.",
            kind: "status",
            rows: over_http(gateway::EDGE),
            ..Group::PLAIN
        },
        Group {
            title: "The script editor",
            note: "`{\"error\": …, \"correlation_id\"}` below `/api/v1/editor`, beside the gateway's. Those with status 200 \
                   stand in the answer of `POST /edit-ops` or in the last event of a chat.",
            kind: "status",
            rows: over_http(gateway::EDITOR),
            ..Group::PLAIN
        },
        Group {
            title: "Crew packages over HTTP",
            note: "`{\"data\": null, \"error\": …}` below `/projects`, `/packages` and `/users`, beside the gateway's. \
                   Budget and rate refusals keep the gateway's status.",
            kind: "status",
            rows: over_http(gateway::ENVELOPE),
            ..Group::PLAIN
        },
        Group {
            title: "Turns",
            note: "What the tools and gates of a turn answer.",
            rows: plain_said(&[&[author::turn::CODES]]),
            ..Group::PLAIN
        },
        Group {
            title: "A user's own model",
            note: "Below `/users/me/llm-profile`, in its test, and of turns that call a model (ai-sessions.md §8, §12).",
            rows: plain_said(&[&[holdpoint_gateway::profile::codes::CODES]]),
            ..Group::PLAIN
        },
        Group { title: "Addresses", note: "Answers of `url.check`.", rows: plain(gateway::URL), ..Group::PLAIN },
        Group {
            title: "Warnings of translation",
            note: "What a request says in another way once it is in the other protocol.",
            rows: plain(gateway::TRANSLATION),
            ..Group::PLAIN
        },
        Group {
            title: "In the page",
            note: "Told by those who drive a run or a page, and by nothing else.",
            rows: plain_said(&[&[author::CODES]]),
            ..Group::PLAIN
        },
        Group {
            title: "Exit codes of `holdpoint`",
            rows: exits().into_iter().map(|(code, when)| row(&code, "", &when, "")).collect(),
            ..Group::PLAIN
        },
    ]
}

/// The reject codes of the text engine, from their table: the type is only written, never listed.
fn rejects() -> Vec<Row> {
    let source = std::fs::read_to_string(super::root().join("crates/text/src/codes.rs")).unwrap();
    let table = source.split_once("\ncodes! {").unwrap().1;
    let line = regex::Regex::new(r#"(?m)^    (\w+): "([^"]*)",\s*"([^"]*)";$"#).unwrap();
    let rows: Vec<Row> =
        line.captures_iter(table).map(|found| row(&snake(&found[1]), "", &found[2], &found[3])).collect();
    assert_eq!(rows.len(), table.matches("\";\n").count(), "every row of the table is read");
    rows
}

/// `NoHunks` is written `no_hunks`.
fn snake(name: &str) -> String {
    let mut written = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !written.is_empty() {
            written.push('_');
        }
        written.push(letter.to_ascii_lowercase());
    }
    written
}

/// The exit codes, from the help of the command line, which is a program and no library.
fn exits() -> Vec<(String, String)> {
    let source = std::fs::read_to_string(super::root().join("crates/cli/src/args.rs")).unwrap();
    let line = source.lines().find_map(|line| line.strip_prefix("/// Exit codes: ")).unwrap();
    let rows = line.trim_end_matches('.').split(", ").filter_map(|row| row.split_once(' '));
    rows.map(|(code, meaning)| (code.to_owned(), meaning.to_owned())).collect()
}

/// Every declared sentence of the product.
pub fn declared() -> Vec<&'static Code> {
    use holdpoint_check::error;
    use holdpoint_engine as author;
    use holdpoint_kind_crew as crew_package;
    use holdpoint_kind_extension as ifc_extension;
    use holdpoint_kind_script as script_tool;

    let rules = holdpoint_kinds::CHECKS.iter().flat_map(|entry| entry.kind.codes()).copied();
    let methods = [crate::codes::CODES, ifc_extension::methods::testing::CODES];
    let edge = [author::codes::CODES, holdpoint_store::codes::CODES, holdpoint_change::CODES, error::CODES];
    let profile = [holdpoint_gateway::profile::codes::CODES];
    let sandbox = [holdpoint_sdk::codes::CODES, holdpoint_sandbox::CODES];
    let more = [
        ifc_extension::codes::REPLY,
        ifc_extension::codes::PLAN,
        ifc_extension::codes::RUN,
        ifc_extension::codes::FACTS,
        ifc_extension::codes::ARCHIVE,
        ifc_extension::codes::ASKED,
        script_tool::codes::ASKED,
        holdpoint_kind_app::codes::ASKED,
        holdpoint_kind_app::codes::ROUTES,
        holdpoint_kind_app::codes::RUNS,
        &[holdpoint_build_runner::output::CODES],
        crew_package::codes::ASKED,
        crew_package::codes::CHANGE_SET,
        crew_package::codes::HAND,
        crew_package::codes::SESSIONS,
        crew_package::codes::ARCHIVE,
        &[holdpoint_kind::claims::CODES],
        crew_package::codes::PATHS,
        crew_package::prompts::CODES,
        crew_package::protocol::CODES,
        ifc_extension::run::CODES,
        &methods,
        &edge,
        &profile,
        &sandbox,
        holdpoint_model::codes::ALL,
    ];
    let mut all: Vec<&'static Code> = rules.chain(more.concat()).flatten().copied().collect();
    let mut seen = BTreeSet::new();
    all.retain(|code| seen.insert(std::ptr::from_ref::<Code>(code)));
    all
}

/// Sentences that neither crew pages nor crew routes can say: those of the other kinds, of running code and of models.
/// What the kinds share is not among them: paths, JSON and the keywords of schemas.
pub fn elsewhere() -> Vec<&'static Code> {
    use holdpoint_kind_crew as crew_package;
    use holdpoint_kind_extension as ifc_extension;
    use holdpoint_kind_script as script_tool;

    let lists = [
        ifc_extension::codes::CODES,
        ifc_extension::codes::REPLY,
        ifc_extension::codes::PLAN,
        ifc_extension::codes::RUN,
        ifc_extension::codes::FACTS,
        ifc_extension::codes::ARCHIVE,
        ifc_extension::codes::ASKED,
        script_tool::codes::CODES,
        script_tool::codes::ASKED,
        holdpoint_kind_app::codes::CODES,
        holdpoint_kind_app::codes::ASKED,
        holdpoint_kind_app::codes::ROUTES,
        holdpoint_kind_app::codes::RUNS,
        &[holdpoint_build_runner::output::CODES],
        holdpoint_kind_extension::run::CODES,
        &[holdpoint_sdk::codes::CODES, holdpoint_sandbox::CODES],
        holdpoint_model::codes::ALL,
    ];
    let shared = [holdpoint_bundle::CODES, holdpoint_schema::CODES, holdpoint_check::json::faults::CODES].concat();
    let crew = [crew_package::codes::CODES.concat(), shared].concat();
    let mut all = lists.concat().concat();
    all.retain(|code| !crew.iter().any(|own| std::ptr::eq(*own, *code)));
    all
}

/// The names of all codes.
pub fn names() -> BTreeSet<String> {
    let rows = groups().into_iter().flat_map(|group| group.rows);
    rows.map(|(code, ..)| code).filter(|code| code.starts_with(|c: char| c.is_ascii_uppercase())).collect()
}

#[test]
fn export_codes() {
    let mut text = String::from(
        "# Codes\n\nEvery code that the product gives, from its tables. Codes are stable; messages are for people and may \
         change. A code may stand in two tables: its meaning is the same.\n\nWritten by `cargo xtask generate`; tests \
         hold that no source gives a code that is missing here, and that tests name each of them but for a list with reasons.\n",
    );
    for group in groups() {
        let _ = write!(text, "\n## {}\n\n", group.title);
        if !group.note.is_empty() {
            let _ = write!(text, "{}\n\n", group.note);
        }
        let told = group.rows.iter().any(|row| !row.3.is_empty());
        let columns: Vec<&str> = [
            Some("code"),
            (!group.kind.is_empty()).then_some(group.kind),
            Some(group.says),
            told.then_some("what to do"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let _ = writeln!(text, "| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
        for (code, kind, when, what) in &group.rows {
            let mut cells = vec![format!("`{code}`")];
            cells.extend((!group.kind.is_empty()).then(|| kind.clone()));
            cells.push(when.replace('|', "\\|"));
            cells.extend(told.then(|| what.replace('|', "\\|")));
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    super::export("codes.md", &text);
}

#[test]
fn a_code_stands_once_in_a_table() {
    for group in groups() {
        let mut seen = BTreeSet::new();
        assert!(!group.rows.is_empty(), "{} is empty", group.title);
        for (code, _, when, _) in &group.rows {
            assert!(seen.insert(code.clone()), "{} has {code} twice", group.title);
            assert!(!when.is_empty(), "{code} says nothing");
        }
    }
}
