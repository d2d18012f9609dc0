//! What each use of the SDK needs, and the findings of §6.3.

use holdpoint_check::{Fix, args, codes};
use holdpoint_js::tree::ast::{Argument, CallExpression, Expression};
use holdpoint_js::tree::{GetSpan, Span};
use holdpoint_js::{Findings, Folder, Module, Piece, Value};
use holdpoint_sdk::capability::{Capability, is_host, parse};
use holdpoint_sdk::members::Method;
use holdpoint_sdk::near;
use holdpoint_sdk::need::{Need as Rule, Source, url_host};

use super::trace::{Fact, What};
use super::{Holder, Part};
use crate::code::report::SdkUse;
use crate::rules::{capability_string, computed_access, global_write};

codes! {
    /// a member that ctx does not have
    CODE_CTX_FIELD: Error, "`{holder}` has no `{name}`: use one of its members." [holder, name];
    /// a namespace or method that bim does not have
    CODE_SDK_METHOD: Error, "`{holder}` has no `{name}`: use one of its members." [holder, name];
    /// a call has too few arguments
    CODE_SDK_ARGUMENTS: Error, "Give {n} arguments: {names}." [n, names];
    /// a URL that is not constant
    CODE_FETCH_URL: Error,
        "Build the URL only from constants and counters, as `https://HOST/…`, and send content in the body.";
    /// the SDK goes where the check cannot follow
    CODE_SDK_ESCAPES: Warning, "Pass it only to functions of the bundle: here the analysis cannot follow it.";
}

/// Combinations of argument values that are told apart.
const MAX_TARGETS: usize = 256;

/// What the facts of one module come to.
pub struct Uses<'f, 'm, 'w, 'a> {
    pub module: &'m Module<'a>,
    pub folder: &'m Folder<'w, 'a>,
    pub findings: &'f mut Findings<'m, 'a>,
    pub needs: Vec<SdkUse>,
    /// What the module asks `ctx.can` for.
    pub asked: Vec<Capability>,
    pub unknown: Vec<String>,
    pub escapes: bool,
}

/// An argument: what it may be, or `None` where it is not known.
type Texts = Vec<Option<String>>;

impl<'a> Uses<'_, '_, '_, 'a> {
    pub fn take(&mut self, fact: &Fact<'a>) {
        match &fact.what {
            What::Unknown(part, name, shorthand) => self.unknown_member(*part, name, fact.span, *shorthand),
            What::DynamicKey => {
                self.findings.at(fact.span, &computed_access::SDK, args! {});
            }
            What::Write => {
                self.findings.at(fact.span, &global_write::CTX, args! {});
            }
            What::Escape => {
                self.escapes = true;
                self.findings.at(fact.span, &CODE_SDK_ESCAPES, args! {});
            }
            What::Call(part, call) => self.called(*part, call),
            What::Reference(part) => {
                if let Part::Method(_, method) = part {
                    let unknown = |_: usize| vec![None];
                    self.need(*part, method, fact.span, unknown, None);
                }
            }
        }
    }

    fn unknown_member(&mut self, part: Part, name: &str, span: Span, shorthand: bool) {
        let holder = part.text();
        self.unknown.push(format!("{holder}.{name}"));
        let code = if part.is_context() { &CODE_CTX_FIELD } else { &CODE_SDK_METHOD };
        let names = part.names();
        let finding = self.findings.at(span, code, args! { holder, name });
        finding.hint = Some(near::hint(name, &names));
        if let Some(meant) = near::misspelled(name, &names) {
            let quoted = self.module.text(span).starts_with(['"', '\'']);
            // A destructured shorthand also binds: the code around goes on with the name that it wrote.
            let text = match (quoted, shorthand) {
                (true, _) => format!("\"{meant}\""),
                (false, true) => format!("{meant}: {name}"),
                (false, false) => meant.to_owned(),
            };
            if self.module.text(span).trim_matches(['"', '\'']) == name {
                finding.fix = Some(vec![Fix::text(self.module.range(span), text)]);
            }
        }
    }

    fn called(&mut self, part: Part, call: &'a CallExpression<'a>) {
        let Part::Method(holder, method) = part else { return };
        let spread = call.arguments.iter().position(Argument::is_spread);
        if spread.is_none() && call.arguments.len() < method.required() {
            let (n, names) = (method.required(), method.signature());
            self.findings.at(call.span, &CODE_SDK_ARGUMENTS, args! { n, names });
            if matches!(method.need, Rule::Targeted { .. }) {
                return;
            }
        }
        let argument = |index: usize| {
            let known = spread.is_none_or(|spread| index < spread);
            call.arguments.get(index).filter(|_| known).and_then(Argument::as_expression)
        };
        if matches!(holder, Holder::Ctx) && method.name == "can" {
            if let Some(first) = argument(0) {
                self.can(first);
            }
            return;
        }
        if let Rule::Targeted { source: Source::Host(index), .. } = &method.need {
            match argument(*index) {
                Some(url) => self.fetch(part, method, call, url),
                None => self.fetch_url(call.span),
            }
            return;
        }
        let ending = matches!(&method.need, Rule::Targeted { source: Source::Ending(_), .. });
        let (module, folder) = (self.module, self.folder);
        let texts = |index: usize| argument(index).map_or(vec![None], |value| texts(folder, module, value, ending));
        let at = method.need.arguments().first().and_then(|index| argument(*index)).map(GetSpan::span);
        self.need(part, method, call.span, texts, at);
    }

    /// Notes the needs of one use: one for each combination of what its deciding arguments may be.
    fn need(&mut self, part: Part, method: &Method, span: Span, texts: impl Fn(usize) -> Texts, at: Option<Span>) {
        let indexes = method.need.arguments();
        let mut combinations: Vec<Vec<Option<String>>> = vec![Vec::new()];
        for index in &indexes {
            let choices = texts(*index);
            let choices = if choices.len() * combinations.len() > MAX_TARGETS { vec![None] } else { choices };
            combinations = combinations
                .iter()
                .flat_map(|known| {
                    choices.iter().map(|choice| [known.as_slice(), std::slice::from_ref(choice)].concat())
                })
                .collect();
        }
        for values in combinations {
            let value = |index: usize| values[indexes.iter().position(|own| *own == index)?].clone();
            match method.need.resolve(value) {
                Ok(capability) => self.push(part, span, capability, values.iter().any(Option::is_none)),
                Err(fault) => {
                    self.findings.put(at.unwrap_or(span), *fault.finding);
                }
            }
        }
    }

    fn push(&mut self, part: Part, span: Span, capability: Option<Capability>, dynamic: bool) {
        let need = SdkUse {
            path: self.module.path.to_owned(),
            range: self.module.range(span),
            call: part.text(),
            capability,
            dynamic,
            asked: false,
        };
        if !self.needs.contains(&need) {
            self.needs.push(need);
        }
    }

    /// `ctx.can(x)` takes a constant that is a capability.
    fn can(&mut self, argument: &'a Expression<'a>) {
        let Some(texts) = self.folder.constants(self.module, argument) else {
            self.findings.at(argument.span(), &capability_string::CONSTANT, args! {});
            return;
        };
        for text in &texts {
            match parse(text) {
                Ok(capability) => self.asked.push(capability),
                Err(fault) => {
                    self.findings.put(argument.span(), *fault.finding);
                }
            }
        }
    }

    /// The needs, once all facts are taken: a question may stand behind the call that it is for.
    pub fn finish(&mut self) -> Vec<SdkUse> {
        let mut needs = std::mem::take(&mut self.needs);
        for need in &mut needs {
            let covers = |wanted| self.asked.iter().any(|asked| asked.covers(wanted));
            need.asked = need.capability.as_ref().is_some_and(covers);
        }
        needs
    }

    fn fetch(&mut self, part: Part, method: &Method, call: &CallExpression, url: &'a Expression<'a>) {
        for value in self.folder.choices(self.module, url) {
            let pieces = value.pieces();
            let first = match pieces.first() {
                Some(Piece::Text(text)) => text.clone(),
                _ => String::new(),
            };
            if pieces.contains(&Piece::Unknown) || !is_public_url(&first, pieces.len() > 1) {
                self.fetch_url(url.span());
            }
            // Also where the URL is refused: its host is what the declared capability is for.
            if is_public_url(&first, pieces.len() > 1)
                && let Ok(capability) = method.need.resolve(|_| Some(first.clone()))
            {
                self.push(part, call.span, capability, false);
            }
        }
    }

    fn fetch_url(&mut self, span: Span) {
        self.findings.at(span, &CODE_FETCH_URL, args! {});
    }
}

/// `https://HOST`, then `/`, `?`, `#`, or the end where nothing follows.
fn is_public_url(text: &str, goes_on: bool) -> bool {
    let host = url_host(text);
    let ends = text.len() == "https://".len() + host.len();
    text.starts_with("https://") && is_host(&host.to_ascii_lowercase()) && !(ends && goes_on)
}

/// What an argument may be. For a file name the last constant piece is enough when it holds the ending.
fn texts<'a>(folder: &Folder<'_, 'a>, module: &Module<'a>, value: &'a Expression<'a>, ending: bool) -> Texts {
    let mut texts: Texts = folder
        .choices(module, value)
        .iter()
        .map(|choice| match (choice.constant(), choice) {
            (Some(text), _) => Some(text),
            (None, Value::Text(pieces)) if ending => match pieces.last() {
                Some(Piece::Text(text)) if text.contains('.') => Some(text.clone()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    texts.sort();
    texts.dedup();
    texts
}
