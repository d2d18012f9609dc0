//! Declared capabilities against what code and contributions need (spec: ifc-extension.md §5, §6.3).
//!
//! Owns who needs what of the declared: what a person may leave out follows from it. Invariant: no finding's fix adds
//! a capability; authority grows by a person's hand only.

use holdpoint_check::{Diagnostic, Range, args, codes};
use holdpoint_sdk::capability::{self, Capability};
use serde_json::Value;

use crate::code::{Analysis, SdkUse};
use crate::manifest::Manifest;
use crate::manifest::check::{declared, without};
use crate::manifest::syntax::capability_fault;
use crate::policy::MANIFEST;
use crate::rules::expected;

codes! {
    /// a need that no declared capability covers
    CAPABILITY_UNDECLARED / CONTRIBUTION: Error, "This contribution needs `{name}`, which is not declared.",
        hint "Declare {name} or leave the call out." [name];
    CAPABILITY_UNDECLARED / CALL: Error, "`{call}` needs `{name}`, which is not declared.",
        hint "Declare {name} or leave the call out." [call, name];
    /// the permission meets no need
    CAPABILITY_UNUSED: Warning, "Remove `{name}`: nothing needs it." [name];
    /// the target is decided at run time
    CAPABILITY_DYNAMIC_TARGET: Warning, "`{call}` reaches a target that is known only when it runs: each call \
        outside the declared ones is refused." [call];
}

/// A call, a contribution or a test that needs something, and what meets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Places among the declared capabilities that parse; one of them is enough.
    pub met_by: Vec<usize>,
    pub path: String,
    pub range: Option<Range>,
    /// Of a member of the manifest.
    pub pointer: Option<String>,
    /// `bim.query.all`, the contribution, or the name of the test.
    pub who: String,
    /// Whether the code asks `ctx.can` for it, and so does without.
    pub asked: bool,
}

/// The declared capabilities and what they are needed for.
pub struct Coverage<'m> {
    manifest: &'m Manifest,
    root: &'m Value,
    declared: Vec<(usize, Capability)>,
    needs: Vec<Needed>,
}

impl<'m> Coverage<'m> {
    /// For a manifest without errors and its JSON.
    pub fn new(manifest: &'m Manifest, root: &'m Value) -> Self {
        Self { manifest, root, declared: declared(root), needs: Vec::new() }
    }

    /// Which declared capabilities cover a need.
    fn covering(&self, need: &Capability) -> Vec<usize> {
        self.places(|own| own.covers(need))
    }

    fn places(&self, fits: impl Fn(&Capability) -> bool) -> Vec<usize> {
        self.declared.iter().enumerate().filter(|(_, (_, own))| fits(own)).map(|(place, _)| place).collect()
    }

    /// Needs of the contributions; findings have a pointer only.
    pub fn contributions(&mut self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        let manifest = self.manifest;
        let contributes = &manifest.contributes;
        for index in 0..contributes.lenses.len() {
            let pointer = format!("/contributes/lenses/{index}");
            self.need("viewer.colorize", &pointer, &mut out);
            self.need("model.read", &pointer, &mut out);
        }
        for (index, exporter) in contributes.exporters.iter().enumerate() {
            let pointer = format!("/contributes/exporters/{index}");
            let text = format!("export.create:{}", exporter.format());
            self.need(&text, &format!("{pointer}/extension"), &mut out);
            self.need("model.read", &pointer, &mut out);
        }
        for index in 0..contributes.ids_validators.len() {
            self.need("model.read", &format!("/contributes/idsValidators/{index}"), &mut out);
        }
        let selection = |events: &[String]| -> Vec<usize> {
            events.iter().enumerate().filter(|(_, event)| *event == "onSelectionChange").map(|(at, _)| at).collect()
        };
        for at in selection(&manifest.activation) {
            self.need("viewer.read", &format!("/activation/{at}"), &mut out);
        }
        for (index, dock) in contributes.dock.iter().enumerate() {
            for at in selection(&dock.refresh_on) {
                self.need("viewer.read", &format!("/contributes/dock/{index}/refreshOn/{at}"), &mut out);
            }
        }
        out
    }

    fn need(&mut self, text: &str, pointer: &str, out: &mut Vec<Diagnostic>) {
        match capability::parse(text) {
            Err(fault) => out.push(capability_fault(&fault, pointer)),
            Ok(need) => {
                let met_by = self.covering(&need);
                if !met_by.is_empty() {
                    self.needs.push(Needed {
                        met_by,
                        path: MANIFEST.to_owned(),
                        range: None,
                        pointer: Some(pointer.to_owned()),
                        who: pointer.trim_start_matches("/contributes/").to_owned(),
                        asked: false,
                    });
                    return;
                }
                let already = |finding: &Diagnostic| {
                    finding.code == "CAPABILITY_UNDECLARED" && finding.pointer.as_deref() == Some(pointer)
                };
                if !out.iter().any(already) {
                    let name = need.canonical();
                    out.push(Diagnostic::of(&CONTRIBUTION, args! { name }).at_pointer(pointer));
                }
            }
        }
    }

    pub fn code(&mut self, needs: &[SdkUse]) -> Vec<Diagnostic> {
        needs.iter().filter_map(|need| self.call(need)).collect()
    }

    fn call(&mut self, need: &SdkUse) -> Option<Diagnostic> {
        let wanted = need.capability.as_ref()?;
        if self.own_command(wanted) {
            return None;
        }
        let met_by = self.covering(wanted);
        if !met_by.is_empty() {
            self.needs.push(called(need, met_by));
            return None;
        }
        let narrower = if need.dynamic { self.places(|own| wanted.covers(own)) } else { Vec::new() };
        // Which of them it reaches is known only when it runs: each one is needed.
        self.needs.extend(narrower.iter().map(|place| called(need, vec![*place])));
        let finding = if narrower.is_empty() {
            Diagnostic::of(&CALL, args! { call: need.call, name: wanted.canonical() })
        } else {
            Diagnostic::of(&CAPABILITY_DYNAMIC_TARGET, args! { call: need.call })
        };
        Some(finding.in_file(need.path.clone()).at(need.range))
    }

    fn own_command(&self, wanted: &Capability) -> bool {
        let Some(target) = wanted.target().filter(|target| target.kind == capability::TargetKind::Command) else {
            return false;
        };
        let own = |id: &String| self.manifest.contributes.commands.iter().any(|command| command.id == *id);
        matches!(target.segments.as_slice(), [capability::Segment::Literal(id)] if own(id))
    }

    /// Declared capabilities that met no need; findings have a pointer only. `complete` says whether all needs of the
    /// code are known.
    pub fn unused(&self, complete: bool) -> Vec<Diagnostic> {
        let met = |place: usize| self.needs.iter().any(|need| need.met_by.contains(&place));
        let declared = self.declared.iter().enumerate();
        let idle = declared.filter(|(place, (_, own))| complete && !met(*place) && !own.implicit());
        idle.map(|(_, (index, own))| {
            Diagnostic::of(&CAPABILITY_UNUSED, args! { name: own.raw() })
                .at_pointer(format!("/capabilities/{index}"))
                .with_fix(vec![without(self.root, *index)])
        })
        .collect()
    }

    /// Needs of the tests. They come last: what only a test expects is not used.
    pub fn tests(&mut self) {
        for (index, test) in self.manifest.tests.iter().enumerate() {
            for (need, operator) in expected::needs(test) {
                let met_by = self.covering(&need);
                if met_by.is_empty() {
                    continue;
                }
                self.needs.push(Needed {
                    met_by,
                    path: MANIFEST.to_owned(),
                    range: None,
                    pointer: Some(format!("/tests/{index}/expect/{operator}")),
                    who: test.name.clone(),
                    asked: false,
                });
            }
        }
    }

    pub fn into_needs(self) -> Vec<Needed> {
        self.needs
    }
}

fn called(need: &SdkUse, met_by: Vec<usize>) -> Needed {
    Needed {
        met_by,
        path: need.path.clone(),
        range: Some(need.range),
        pointer: None,
        who: need.call.clone(),
        asked: need.asked,
    }
}

/// Whether an analysis saw all needs: every file was read and the SDK went nowhere out of sight.
pub fn is_complete(report: &Analysis) -> bool {
    const UNREAD: [&str; 3] = ["CODE_SYNTAX", "CODE_HTML_COMMENT", "CODE_TOO_COMPLEX"];
    !report.escapes && !report.diagnostics.iter().any(|finding| UNREAD.contains(&finding.code.as_ref()))
}
