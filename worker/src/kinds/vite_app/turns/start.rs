//! The beginning of a run: whose draft it is, where it begins, which model is asked (spec: app-builder.md §9).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, args};
use holdpoint_gateway::profile::Resolved;
use holdpoint_kind::protocol::{ModelSetting, has_fixed_temperature};
use holdpoint_kind_app::dialect::apply::apply;
use holdpoint_kind_app::packs;
use holdpoint_kind_app::prompts::{AppSetting, PastTurn, difference};
use holdpoint_kind_app::proposals::{NO_RUN, RunRecord};
use holdpoint_kind_app::protocol::ask::OTHER_MODEL;
use holdpoint_kind_app::protocol::codes::MODEL_UNAVAILABLE;
use holdpoint_kind_app::protocol::{AppTurn, ChatBody, ExplainBody, RunStart, of};
use holdpoint_kind_app::stage::{AppProfile, AppRevision, options};
use holdpoint_kind_app::tools::{ProjectFiles, Scratch};
use holdpoint_store::session::{NewSession, Role};
use holdpoint_store::workspace::Head;
use holdpoint_text::hex;
use worker::State;

use super::answer::BegunRun;
use super::held::HeldRun;
use super::host::AppRun;
use super::{TAG, lane};
use crate::account::profile::{model_setting, resolved};
use crate::answer::EdgeError;
use crate::js::random;
use crate::kinds::vite_app::shown::facts;
use crate::kinds::vite_app::{AppDesk, fault, profile};
use crate::project::once::Once;
use crate::project::turn::{Driver, Job, Unbegun};
use crate::project::{Object, ProjectCommand};
use crate::relay::Consent;

/// Tokens of an answer, where the window has room for more.
const MAX_OUTPUT: u64 = holdpoint_kind_app::protocol::MODEL_CALL_OUTPUT_TOKENS;
/// Bytes of an id of a request or a thread: 32 hexadecimal digits.
const ID_BYTES: usize = 16;
/// Revisions whose changes count as lately.
const RECENT: u32 = 5;

/// Passes what must hold before the first byte, and starts the run, or finds the one that the same request began.
pub async fn start(
    state: &State,
    object: &Rc<Object>,
    head: ProjectCommand<()>,
    body: ChatBody,
    once: Option<Once>,
) -> Result<BegunRun, EdgeError> {
    let user = head.principal.user_id.clone();
    let _alone = Once::alone(once.as_ref(), object, &user).await?;
    let model = {
        let desk = AppDesk::of(object, &head)?;
        if let Some(begun) = desk.answered(once.as_ref())? {
            return Ok(begun);
        }
        let app = desk.present()?;
        desk.on(&app, body.base_revision_id.as_ref())?;
        if object.slots.is_taken(&lane(desk.id())) {
            return Err(desk.busy());
        }
        if !object.work.settings.models {
            return Err(EdgeError::of(503, &MODEL_UNAVAILABLE, args! {}));
        }
        model(object, &head).await?
    };
    if body.model.as_ref().is_some_and(|named| *named != model.alias && *named != model.name) {
        return Err(ApiError::at("/model", &OTHER_MODEL, args! { model: model.alias.as_str() }).into());
    }
    let held = match body.max_cost_micros {
        Some(most) => Some(HeldRun::open(&object.objects, &head.caller, most).await?),
        None => None,
    };
    let desk = AppDesk::of(object, &head)?;
    // Nobody else may begin from here on: nothing is awaited until the run has its slot.
    let Some((taken, _)) = object.slots.enter(&lane(desk.id())) else { return Err(desk.busy()) };
    let app = desk.present()?;
    let base = desk.on(&app, body.base_revision_id.as_ref())?;
    let (own, known) = (profile(&app), facts(&app.revision));
    let draft = ProjectFiles { files: base.files.unwrap_or_default(), entry: known.entry_file.clone() };
    let begins = desk.begins(&body, &own, &known)?;
    let options = options(Some(&known), &desk.rules(&own));
    let thread = desk.thread(body.thread_id.as_deref())?;
    let past = desk.past(&thread)?;
    let about = body.explain.as_ref().map(|explain| desk.about(explain)).transpose()?;
    let turn = AppTurn {
        scratch: Rc::new(RefCell::new(Scratch::new(draft, begins, options))),
        app: setting(&own, &known),
        past,
        recent: desk.recent()?,
        about,
        loops: object.work.settings.loops,
        fixed_temperature: has_fixed_temperature(&model.name),
        body,
    };
    let request_id = hex(&random::<ID_BYTES>()?);
    let run = run(object, &head, (thread.clone(), request_id.clone()), &turn, &app, model, once);
    let run = AppRun { lane: RefCell::new(Some(taken)), own, known, held, ..run };
    drop(desk);
    let begun = Driver::new(Rc::new(run), Box::new(turn))?.run(state).await;
    begun.unwrap_or_else(|_| Err(Unbegun::lost()))?;
    AppDesk::of(object, &head)?.run(&request_id)
}

/// The caller's own model, else the one that the deployment has for apps.
async fn model(object: &Object, head: &ProjectCommand<()>) -> Result<ModelSetting, EdgeError> {
    let resolved = match (resolved(&object.objects, &head.caller).await?, &object.work.settings.model) {
        (Resolved::System(_), Some(alias)) => {
            let named = object.settings.platform_model(alias, &head.principal);
            Resolved::System(named.ok_or_else(|| EdgeError::of(503, &MODEL_UNAVAILABLE, args! {}))?)
        }
        (resolved, _) => resolved,
    };
    Ok(model_setting(resolved, MAX_OUTPUT))
}

fn run(
    object: &Rc<Object>,
    head: &ProjectCommand<()>,
    (thread, request_id): (String, String),
    turn: &AppTurn,
    app: &Head,
    model: ModelSetting,
    once: Option<Once>,
) -> AppRun {
    let job = Job {
        protocol: of(turn.body.mode(), turn.loops),
        bundle: head.bundle.clone(),
        user: head.principal.user_id.clone(),
        caller: head.caller.clone(),
        correlation: request_id,
        tag: TAG,
        consent: Consent::None,
    };
    AppRun {
        object: object.clone(),
        head: head.clone(),
        job,
        thread,
        once,
        model,
        scratch: turn.scratch.clone(),
        base_revision: app.revision.id.clone(),
        own: AppProfile::default(),
        known: AppRevision::default(),
        lane: RefCell::new(None),
        held: None,
        begun: Cell::new(false),
    }
}

/// What a model is told of an app.
fn setting(own: &AppProfile, known: &AppRevision) -> AppSetting {
    let style = packs::find(&known.template_key).map(|pack| pack.manifest.style_tokens.clone());
    AppSetting {
        name: own.name.clone(),
        template_key: known.template_key.clone(),
        style_tokens: style.unwrap_or_default(),
        env: own.settings.env.keys().cloned().collect(),
        connect_origins: own.settings.connect_origins.clone(),
    }
}

impl AppDesk<'_> {
    /// The run that was begun under a key.
    fn answered(&self, once: Option<&Once>) -> Result<Option<BegunRun>, EdgeError> {
        let turn = Once::answered(once, &self.workspace, self.user(), self.now)?.and_then(|answer| answer.as_i64());
        let Some(turn) = turn else { return Ok(None) };
        let request = self.sessions().correlation(turn)?.ok_or_else(|| EdgeError::of(404, &NO_RUN, args! {}))?;
        self.run(&request).map(Some)
    }

    /// Where a run begins; `None`: at the draft.
    fn begins(
        &self,
        body: &ChatBody,
        own: &AppProfile,
        known: &AppRevision,
    ) -> Result<Option<ProjectFiles>, EdgeError> {
        match body.start() {
            RunStart::Draft => Ok(None),
            RunStart::WorkingCopy => {
                // Without one, nothing differs from the draft.
                Ok(self.working_copy()?.map(|copy| {
                    let entry = copy.entry_file.unwrap_or_else(|| known.entry_file.clone());
                    ProjectFiles { files: copy.files, entry }
                }))
            }
            RunStart::Proposal(id) => {
                let (_, stored) = self.stored_proposal(id)?;
                let (_, files) = self.workspace.revision(self.id(), &stored.base_revision_id).map_err(fault)?;
                let options = options(Some(known), &self.rules(own));
                let entry = Some(stored.proposal.entry_file.as_str());
                let files = files.unwrap_or_default();
                let edited = apply(&files, entry, &stored.proposal.operations, &options.resolve()?)?;
                Ok(Some(ProjectFiles { files: edited.files, entry: edited.entry_file }))
            }
        }
    }

    /// The thread that is named, or a new one.
    pub fn thread(&self, named: Option<&str>) -> Result<String, EdgeError> {
        let sessions = self.sessions();
        let id = match named {
            Some(id) if sessions.own(self.id(), self.user(), id, self.now)?.is_some() => return Ok(id.to_owned()),
            Some(id) if sessions.by_id(id)?.is_some() => return Err(EdgeError::of(404, &NO_RUN, args! {})),
            Some(id) => id.to_owned(),
            None => hex(&random::<ID_BYTES>()?),
        };
        let target = format!("app:{}", self.id());
        let new = NewSession {
            id: &id,
            bundle: self.id(),
            user: self.user(),
            target: &target,
            part: None,
            waits: false,
            mode: "chat",
            facts: "{}",
        };
        sessions.open(&new, self.now)?;
        Ok(id)
    }

    /// What was said in a thread, oldest first.
    fn past(&self, thread: &str) -> Result<Vec<PastTurn>, EdgeError> {
        let mut all: Vec<PastTurn> = Vec::new();
        for said in self.sessions().past(thread)? {
            if said.role != Role::Assistant {
                all.push(PastTurn { prompt: said.content, ..PastTurn::default() });
                continue;
            }
            let Some(turn) = all.last_mut() else { continue };
            let record = said.record.as_deref().and_then(|text| serde_json::from_str::<RunRecord>(text).ok());
            let RunRecord { outcome, changed, .. } = record.unwrap_or_default();
            (turn.summary, turn.changed) = (said.content, changed);
            let became = said.change_set.map(|(_, status)| format!(", {status}")).unwrap_or_default();
            turn.outcome = format!("{}{became}", outcome.unwrap_or_default());
        }
        Ok(all)
    }

    /// Files of the newest revisions, the newest first.
    fn recent(&self) -> Result<Vec<String>, EdgeError> {
        let page = self.workspace.revisions(self.id(), None, RECENT).map_err(fault)?;
        let mut paths = Vec::new();
        for version in self.versions(page.items)? {
            for one in version.changed {
                if !paths.contains(&one.path) {
                    paths.push(one.path);
                }
            }
        }
        Ok(paths)
    }

    /// The difference that is asked about, as a model reads it.
    fn about(&self, explain: &ExplainBody) -> Result<String, EdgeError> {
        let [before, after] = [&explain.from, &explain.to].map(|id| self.files_of(id));
        Ok(difference(&before?, &after?, explain)?)
    }

    /// The files of a revision, or of a proposal.
    fn files_of(&self, id: &str) -> Result<Files, EdgeError> {
        if !id.starts_with("cs_") {
            return Ok(self.workspace.revision(self.id(), id).map_err(fault)?.1.unwrap_or_default());
        }
        let app = self.present()?;
        let body = ChatBody { from: Some(id.to_owned()), ..ChatBody::default() };
        let begins = self.begins(&body, &profile(&app), &facts(&app.revision))?;
        Ok(begins.unwrap_or_default().files)
    }
}
