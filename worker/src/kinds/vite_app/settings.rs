//! What the deployment says about apps (spec: app-builder.md §15): raw variables in, settings out.

use std::cell::OnceCell;
use std::rc::Rc;
use std::time::Duration;

use holdpoint_kind_app::protocol::RUN_STALL_SECONDS;
use worker::{Env, Url};

use crate::settings::Settings;

/// Seconds without a frame after which a runner is lost: it says something every 10 s.
const RUNNER_SILENCE_SECONDS: u32 = 35;

/// Where a build runner answers.
pub struct Runner {
    pub url: String,
    pub token: String,
    /// Without a word for so long it is lost.
    pub silence: Duration,
}

/// The settings of the app builder.
#[expect(clippy::struct_excessive_bools, reason = "one a switch of the specification")]
pub struct AppSettings {
    /// `None`: nothing can be built.
    pub runner: Option<Runner>,
    /// What previews are signed with; `None`: there are none.
    pub secret: Option<String>,
    /// The origin of what was built, with `{app}` where each app has its own.
    pub preview_origin: Option<OriginPattern>,
    /// The same of published apps, with `{slug}`.
    pub published_origin: Option<OriginPattern>,
    /// What paths of published apps begin with.
    pub published_prefix: String,
    /// From where packages come; `None`: the runner's own.
    pub registry: Option<String>,
    /// Off: saves are not built.
    pub builds: bool,
    /// Off: a save is gated by the check alone.
    pub gates: bool,
    /// Off: a run tests nothing.
    pub tests: bool,
    /// The alias of the platform's model that writes apps; `None`: its default one.
    pub model: Option<String>,
    /// Off: a model says its whole change in one answer.
    pub loops: bool,
    /// Off: no model is asked.
    pub models: bool,
    /// Milliseconds for which a run's model may say nothing.
    pub stall_ms: u64,
    /// Origins of the edge and its hosts: they may show previews in frames, and pages of apps may ask them.
    pub consoles: Vec<String>,
}

thread_local! {
    static SETTINGS: OnceCell<Rc<AppSettings>> = const { OnceCell::new() };
}

/// An origin with one label that names an app, or none.
pub struct OriginPattern {
    before: String,
    after: Option<String>,
}

impl OriginPattern {
    fn read(text: &str) -> Self {
        let text = text.trim_end_matches('/');
        let place = ["{app}", "{slug}"].iter().find_map(|place| text.split_once(place));
        match place {
            Some((before, after)) => Self { before: before.to_owned(), after: Some(after.to_owned()) },
            None => Self { before: text.to_owned(), after: None },
        }
    }

    /// The origin of one app.
    pub fn of(&self, label: &str) -> String {
        match &self.after {
            Some(after) => format!("{}{label}{after}", self.before),
            None => self.before.clone(),
        }
    }

    /// Whether an address has this origin, whichever app it is of.
    pub fn has(&self, url: &Url) -> bool {
        let origin = url.origin().ascii_serialization();
        let Some(after) = &self.after else { return origin == self.before };
        let label = origin.strip_prefix(&self.before).and_then(|rest| rest.strip_suffix(after.as_str()));
        label.is_some_and(|label| !label.is_empty() && !label.contains(['.', ':', '/']))
    }
}

impl AppSettings {
    /// Those of this deployment, read once an isolate.
    pub fn of(env: &Env, settings: &Settings) -> Rc<Self> {
        SETTINGS.with(|cell| cell.get_or_init(|| Rc::new(Self::read(env, settings))).clone())
    }

    fn read(env: &Env, settings: &Settings) -> Self {
        let variable = |name: &str| env.var(name).ok().map(|value| value.to_string()).filter(|text| !text.is_empty());
        let on = |name: &str| variable(name).as_deref() != Some("0");
        let seconds = |name: &str, most: u32| {
            let said = variable(name).and_then(|text| text.trim().parse::<u32>().ok());
            u64::from(said.filter(|seconds| (1..=most).contains(seconds)).unwrap_or(most))
        };
        let silence = Duration::from_secs(seconds("RUNNER_SILENCE_SECONDS", RUNNER_SILENCE_SECONDS));
        let preview = variable("PREVIEW_ORIGIN");
        let published =
            variable("APPS_CDN_BASE_URL").or_else(|| preview.as_ref().map(|text| text.replace("{app}", "{slug}")));
        let mut consoles = settings.allowed_origins.clone();
        consoles.extend(settings.own_hosts().iter().map(|host| format!("https://{host}")));
        if settings.dev {
            let loopback = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
            consoles.extend(loopback.map(str::to_owned));
        }
        Self {
            runner: variable("RUNNER_URL").zip(variable("RUNNER_TOKEN")).map(|(url, token)| Runner {
                url: url.trim_end_matches('/').to_owned(),
                token,
                silence,
            }),
            secret: variable("PREVIEW_SECRET"),
            preview_origin: preview.as_deref().map(OriginPattern::read),
            published_origin: published.as_deref().map(OriginPattern::read),
            published_prefix: prefix(variable("APPS_CDN_PUBLIC_PREFIX").as_deref()),
            registry: variable("REGISTRY_ORIGIN"),
            builds: on("APPS_BUILDER_BUILD_AUTOMATION_ENABLED"),
            gates: on("APPS_BUILDER_WORKER_BUILD_GATE_ENABLED"),
            model: variable("BUILDER_MODEL_NAME"),
            loops: on("BUILDER_AGENTIC_LOOP_ENABLED"),
            models: on("BUILDER_MODEL_PATCH_GENERATION_ENABLED"),
            tests: on("APPS_BUILDER_TARGETED_TESTS_ENABLED"),
            stall_ms: seconds("RUN_STALL_SECONDS", RUN_STALL_SECONDS) * 1_000,
            consoles,
        }
    }
}

/// A path without a slash at its end.
fn prefix(said: Option<&str>) -> String {
    const DEFAULT: &str = "/apps";
    let said = said.unwrap_or(DEFAULT).trim_matches('/');
    if said.is_empty() { String::new() } else { format!("/{said}") }
}
