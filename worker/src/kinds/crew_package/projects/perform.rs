//! What is asked of a project, in its object: looking, edits by hand, ways back (spec: crew-package.md §7 "HTTP").
//!
//! Invariants: every write is a person's, through the gate, on the revision that was just read; with an
//! `Idempotency-Key` the answer is stored before anything is awaited, so with what it answers for.

use holdpoint_change::{Base, Change, Facts as Stored, Hand, HandCause};
use holdpoint_check::args;
use holdpoint_kind::Kind;
use holdpoint_kind_crew::dialect::assets::tidy;
use holdpoint_kind_crew::facts::{self, PackageFacts};
use holdpoint_kind_crew::hand::{self, Edited, agents, assets, workflows};
use holdpoint_kind_crew::protocol::PROTOCOLS;
use holdpoint_kind_crew::routes::codes::{
    NO_STEP, PACKAGE_CHANGED, PAGE_CURSOR, PROJECT_NOT_FOUND, PROJECT_UNLISTED, REVISION_NOT_FOUND,
};
use holdpoint_kind_crew::search::search;
use holdpoint_kind_crew::wire::Listed;
use holdpoint_kind_crew::wire::projects::{AssetChanged, Deleted, Stepped};
use holdpoint_kind_crew::{CrewPackage, Options};
use holdpoint_store::ledger::Principal;
use holdpoint_store::workspace::{Bundle, By, Way, WriteError};
use holdpoint_store::{Files, Workspace};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::PackageCommand;
use super::command::{Edit, ProjectContent, ProjectStep};
use super::conflict::{part, stands};
use super::shown::{Standing, bundle, facts as facts_of, number, revision};
use crate::account::Caller;
use crate::answer::EdgeError;
use crate::auth::person;
use crate::js::now_ms;
use crate::project::once::Once;
use crate::project::{LIST_AGAIN_MS, Object, ProjectCommand};
use crate::sql::ObjectSql;

type Answered = Result<Value, EdgeError>;

/// A copy, as the project that it is made of tells the project that it becomes.
#[derive(Serialize, Deserialize)]
pub struct MakeTask {
    pub caller: Caller,
    pub principal: Principal,
    pub id: String,
    pub once: Option<Once>,
    pub content: ProjectContent,
}

pub async fn make(object: &Object, task: MakeTask) -> Answered {
    let MakeTask { caller, principal, id: bundle, once, content } = task;
    let (correlation_id, route) = (String::new(), String::new());
    let asked =
        ProjectCommand { caller, principal, correlation_id, route, bundle, listed: None, eval: false, command: () };
    perform(object, &asked, once.as_ref(), PackageCommand::Create { content, is_import: false }).await
}

/// All that a copy needs, as it stands on the revision that the person saw.
pub fn content(object: &Object, asked: &ProjectCommand<()>, seen: Option<u64>) -> Result<ProjectContent, EdgeError> {
    let workspace = object.workspace()?;
    let standing = Desk { workspace: &workspace, asked, now: now_ms() }.standing()?;
    stands(&workspace, &standing, None, seen)?;
    let Standing { files, facts, .. } = standing;
    Ok(ProjectContent { files, facts })
}

pub async fn perform(
    object: &Object,
    asked: &ProjectCommand<()>,
    once: Option<&Once>,
    command: PackageCommand,
) -> Answered {
    let workspace = object.workspace()?;
    let id = asked.bundle.as_str();
    let desk = Desk { workspace: &workspace, asked, now: now_ms() };
    if matches!(command, PackageCommand::Create { .. } | PackageCommand::Delete { .. }) {
        // First the alarm: should this end halfway, it lists or strikes out what was stored.
        object.set_alarm_by(desk.now + LIST_AGAIN_MS).await?;
    }
    let is_new = matches!(command, PackageCommand::Create { .. });
    let is_gone = matches!(command, PackageCommand::Delete { .. });
    // From here to the stored answer nothing is awaited.
    let user = desk.by().user;
    let answer = match Once::answered(once, &workspace, user, desk.now)? {
        Some(answer) => answer,
        None => Once::keep(once, &workspace, user, desk.now, desk.answer(command)?)?,
    };
    if is_gone {
        // Nobody hears the end of what still runs.
        for (session, _) in workspace.sessions(0).pending(PROTOCOLS[0].id())? {
            object.slots.stop(&session).await;
        }
    }
    let unlisted = || workspace.unlisted().map(|unlisted| unlisted.iter().any(|(bundle, _)| bundle == id));
    let heard = if unlisted()? { object.list_new(&asked.caller.account, id).await } else { true };
    if is_new && !heard {
        return Err(EdgeError::of(503, &PROJECT_UNLISTED, args! {}).with("projectId", id));
    }
    let head = workspace.head(id)?.filter(|head| head.fingerprints.is_some()).map(|head| head.revision.id);
    if !is_new && head.is_some() && head != asked.listed {
        object.list(&asked.caller.account, id).await;
    }
    object.set_alarm().await;
    Ok(answer)
}

/// A request at its project.
struct Desk<'d> {
    workspace: &'d Workspace<ObjectSql>,
    asked: &'d ProjectCommand<()>,
    now: i64,
}

impl Desk<'_> {
    fn id(&self) -> &str {
        &self.asked.bundle
    }

    fn by(&self) -> By<'_> {
        By { user: &self.asked.principal.user_id, now: self.now, asked: None }
    }

    fn standing(&self) -> Result<Standing, EdgeError> {
        let mut standing = Standing::of(self.workspace, self.id())?;
        // A session that makes a workflow has its number already.
        let reserved = self.workspace.sessions(0).highest_part(self.id())?.and_then(|part| u64::try_from(part).ok());
        let next = reserved.map_or(0, |part| part.saturating_add(1));
        standing.facts.next_workflow_id = standing.facts.next_workflow_id.max(next);
        Ok(standing)
    }

    fn answer(&self, command: PackageCommand) -> Answered {
        Ok(match command {
            PackageCommand::Create { content, is_import } => self.create(content, is_import)?,
            PackageCommand::Show => json!(self.standing()?.project()?),
            PackageCommand::Bundle { revision: None } => json!(self.standing()?.bundle()?),
            PackageCommand::Bundle { revision: Some(number) } => self.bundle_at(number)?,
            PackageCommand::Revisions { cursor, limit } => self.revisions(cursor, limit)?,
            PackageCommand::Search { query } => json!(search(&self.standing()?.files, &query)),
            PackageCommand::Workflows => json!(self.standing()?.workflows()),
            PackageCommand::Workflow { id } => json!(self.standing()?.workflow(id, Vec::new())?),
            PackageCommand::Agents => json!(self.standing()?.agents()?),
            PackageCommand::Assets { path, with_content } => {
                json!(self.standing()?.assets(path.as_deref(), with_content)?)
            }
            PackageCommand::Edit { edit, seen } => self.edit(&edit, seen)?,
            PackageCommand::Delete { seen } => self.delete(seen)?,
            PackageCommand::Step { step, seen } => self.step(step, seen)?,
        })
    }

    fn create(&self, content: ProjectContent, is_import: bool) -> Answered {
        let ProjectContent { files, facts } = content;
        let account = Some(self.asked.caller.account.as_str());
        let user = self.by().user;
        let bundle = Bundle { id: self.id(), kind: CrewPackage::ID, title: &facts.name, owner: user, account };
        let cause = if is_import { HandCause::Import } else { HandCause::Create };
        let hand = Hand { files, facts: stored(&facts), cause, by: person(&self.asked.principal) };
        self.workspace.write(&bundle, &Base::default(), Change::Hand(hand), &self.by()).map_err(fault)?;
        Ok(json!(self.standing()?.project()?))
    }

    fn bundle_at(&self, number: u64) -> Answered {
        self.standing()?;
        let missing = || EdgeError::of(404, &REVISION_NOT_FOUND, args! {});
        let (revision, files) = match self.workspace.revision(self.id(), &format!("rev_{number}")) {
            Err(WriteError::NotFound) => return Err(missing()),
            found => found.map_err(fault)?,
        };
        let files = files.ok_or_else(missing)?;
        Ok(json!(bundle(self.id().to_owned(), number, files, &facts_of(&revision.facts.0))?))
    }

    fn revisions(&self, cursor: Option<u64>, limit: u32) -> Answered {
        self.standing()?;
        let cursor = cursor.map(|number| format!("rev_{number}"));
        let page = self.workspace.revisions(self.id(), cursor.as_deref(), limit).map_err(fault)?;
        let page = page.map(revision);
        let next_cursor = page.next_cursor.map(|cursor| number(&cursor).to_string());
        Ok(json!(Listed { items: page.items, next_cursor }))
    }

    /// Does an edit on what stands, and shows what it left.
    fn edit(&self, edit: &Edit, seen: Option<u64>) -> Answered {
        let standing = self.standing()?;
        stands(self.workspace, &standing, part(edit), seen)?;
        let edited = edited(&standing.files, &standing.facts, edit).map_err(EdgeError::from)?;
        let Edited { files, facts, workflow, warnings } = edited;
        self.write(&standing, files, &facts)?;
        let after = self.standing()?;
        let changed = |path: &str| AssetChanged {
            asset: after.asset(&tidy(path)),
            revision: after.facts.assets_revision,
            warnings: warnings.clone(),
            project_revision: after.revision(),
        };
        Ok(match edit {
            Edit::Rename { .. } => json!(after.project()?),
            Edit::CreateWorkflow { .. } | Edit::DuplicateWorkflow { .. } => {
                json!(after.workflow(workflow.unwrap_or_default(), warnings)?)
            }
            Edit::PutWorkflow { id, .. } => json!(after.workflow(*id, warnings)?),
            Edit::DeleteWorkflow { .. } => json!(Deleted { deleted: true, warnings }),
            Edit::PutAgents { .. } => json!(after.agents()?),
            Edit::CreateAsset { path, .. } | Edit::PutAsset { path, .. } | Edit::DeleteAsset { path } => {
                json!(changed(path))
            }
        })
    }

    fn write(&self, standing: &Standing, files: Files, facts: &PackageFacts) -> Result<(), EdgeError> {
        let bundle = Bundle { title: &facts.name, ..Bundle::from(&standing.head) };
        let hand = Hand { files, facts: stored(facts), cause: HandCause::Save, by: person(&self.asked.principal) };
        let written = self.workspace.write(&bundle, &on(standing), Change::Hand(hand), &self.by());
        written.map(drop).map_err(fault)
    }

    fn delete(&self, seen: Option<u64>) -> Answered {
        let standing = self.standing()?;
        stands(self.workspace, &standing, None, seen)?;
        let account = Some(self.asked.caller.account.as_str());
        let bundle = Bundle { account, ..Bundle::from(&standing.head) };
        let removed = Change::Removed(person(&self.asked.principal));
        self.workspace.write(&bundle, &on(&standing), removed, &self.by()).map_err(fault)?;
        self.workspace.sessions(0).fail_without(self.id(), None, self.now)?;
        Ok(json!(Deleted { deleted: true, warnings: Vec::new() }))
    }

    /// Goes elsewhere in the history. Counters go on: what comes back is new to whoever saw what stood.
    fn step(&self, step: ProjectStep, seen: Option<u64>) -> Answered {
        let standing = self.standing()?;
        stands(self.workspace, &standing, None, seen)?;
        let nothing = |action: &'static str| EdgeError::of(409, &NO_STEP, args! { action });
        let way = match step {
            ProjectStep::Undo if !standing.can_undo() => return Err(nothing("undo")),
            ProjectStep::Undo => Way::Back,
            ProjectStep::Redo => Way::Forth,
            ProjectStep::Restore { revision } => Way::Revision(format!("rev_{revision}")),
        };
        let restored = match self.workspace.step(self.id(), &way) {
            Err(WriteError::NotFound) => return Err(EdgeError::of(404, &REVISION_NOT_FOUND, args! {})),
            Err(WriteError::NothingTo(action)) => return Err(nothing(action)),
            restored => restored.map_err(fault)?,
        };
        let files = self.workspace.restored_files(&restored)?;
        let files = files.ok_or_else(|| EdgeError::of(404, &REVISION_NOT_FOUND, args! {}))?;
        let known = PackageFacts { name: facts_of(&restored.facts().0).name, ..standing.facts.clone() };
        let facts = facts::after(&standing.files, &files, &known);
        let bundle = Bundle { title: &facts.name, ..Bundle::from(&standing.head) };
        let change = Change::Restored(restored.with_facts(stored(&facts)));
        let head = self.workspace.write(&bundle, &on(&standing), change, &self.by()).map_err(fault)?;
        let changed = head.revision.changed.into_keys().collect();
        Ok(json!(Stepped { project: self.standing()?.project()?, changed }))
    }
}

fn edited(files: &Files, facts: &PackageFacts, edit: &Edit) -> Result<Edited, holdpoint_check::ApiError> {
    let options = Options::default();
    match edit {
        Edit::Rename { name } => hand::rename(files, facts, name),
        Edit::CreateWorkflow { name } => workflows::create(files, facts, name),
        Edit::DuplicateWorkflow { id, name } => workflows::duplicate(files, facts, *id, name),
        Edit::PutWorkflow { id, body } => workflows::change(files, facts, *id, body),
        Edit::DeleteWorkflow { id } => workflows::delete(files, facts, *id),
        Edit::PutAgents { agents: list } => agents::replace(files, facts, list),
        Edit::CreateAsset { path, content } => assets::create(files, facts, path, content, &options),
        Edit::PutAsset { path, content } => assets::replace(files, facts, path, content, &options),
        Edit::DeleteAsset { path } => assets::delete(files, facts, path, &options),
    }
}

/// The revision that a change is made on.
fn on(standing: &Standing) -> Base {
    Base { revision: Some(standing.head.revision.id.clone()), ..Base::default() }
}

fn stored(facts: &PackageFacts) -> Stored {
    Stored(json!(facts))
}

/// A refusal in the words of these routes.
pub fn fault(refused: WriteError) -> EdgeError {
    match refused {
        WriteError::NotFound => EdgeError::of(404, &PROJECT_NOT_FOUND, args! {}),
        WriteError::Cursor => holdpoint_check::ApiError::at("/cursor", &PAGE_CURSOR, args! {}).into(),
        WriteError::Stale { current } => {
            EdgeError::of(409, &PACKAGE_CHANGED, args! {}).with("revision", json!(current.revision))
        }
        WriteError::NothingTo(action) => EdgeError::of(409, &NO_STEP, args! { action }),
        WriteError::Sql(error) => error.into(),
        _ => EdgeError::internal("a refusal of another kind"),
    }
}
