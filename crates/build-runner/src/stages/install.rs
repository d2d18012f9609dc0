//! `install`: the layer of the lock, made once, and links into it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use holdpoint_check::Diagnostic;
use tokio::sync::mpsc;

use super::{Job, StageError, Workshop, lock_failure};
use crate::command::{self, CommandEnd, Groups, JailCommand};
use crate::layer::{self, LayerPlan, LockError, PackageLayer};
use crate::machine::npm_cache_argument;
use crate::output::BuildTool;
use crate::prepare::JobFolder;
use crate::tree;
use crate::wire::{BuildCode, BuildStage};

impl Job {
    pub(super) async fn install(&self, folder: &JobFolder, lock: Option<&String>) -> Result<PackageLayer, StageError> {
        let machine = &self.workshop.machine;
        let package = self.request.files.get("package.json").ok_or_else(|| lock_failure(&LockError::Package))?;
        let lock = lock.ok_or_else(|| lock_failure(&LockError::Lock))?;
        let plan = LayerPlan::new(package, lock, &self.workshop.registry, &machine.target())
            .map_err(|error| lock_failure(&error))?;
        let npm_ci = |into| async move {
            let ended = self.command(&npm_ci(&self.workshop, into, &folder.root), self.limits.install).await?;
            if ended.code == 0 {
                return Ok(());
            }
            Err(self.tool_failure(BuildCode::InstallFailed, BuildTool::Npm, &ended, folder))
        };
        let layer = self.workshop.layers.get(&plan, npm_ci).await?;
        let how = if layer.was_kept { "kept from before" } else { "installed" };
        self.log(BuildStage::Install, format!("{} packages, {how}\n", plan.packages)).await;
        self.note_version("vite", layer::version(&layer.path, "vite"));
        let (modules, target) = (layer.modules(), folder.project.join("node_modules"));
        let (root, id) = (folder.root.clone(), machine.slot_id(self.slot));
        let linked = tokio::task::spawn_blocking(move || {
            layer::link(&modules, &target)?;
            tree::give(&root, id)
        });
        linked.await.map_err(std::io::Error::other)??;
        if !layer.was_kept {
            self.shrink().await?;
        }
        Ok(layer)
    }

    /// Keeps layers within their room. What npm itself keeps goes when it is over half of that.
    async fn shrink(&self) -> Result<(), StageError> {
        let (workshop, npm) = (self.workshop.clone(), self.workshop.machine.npm_cache());
        let shrunk = tokio::task::spawn_blocking(move || {
            workshop.layers.shrink()?;
            workshop.layers.shrink_downloads(&npm)
        });
        Ok(shrunk.await.map_err(std::io::Error::other)??)
    }
}

/// `npm ci` in a folder that holds a manifest and a lock. `home` has a place for temporary files.
fn npm_ci(workshop: &Workshop, into: PathBuf, home: &Path) -> JailCommand {
    let machine = &workshop.machine;
    let fixed = ["ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline"];
    let mut arguments: Vec<String> = fixed.map(str::to_owned).into();
    arguments.push(format!("--registry={}", workshop.registry));
    arguments.push(npm_cache_argument(machine));
    JailCommand { stage: BuildStage::Install, jail: machine.npm(arguments), env: machine.npm_env(home), folder: into }
}

/// Makes the layers of packages that many first builds will want, one after the other, while nobody waits. One that
/// cannot be made is made by the build that wants it.
pub async fn prepare_layers(workshop: Arc<Workshop>, wanted: Vec<PackageSet>) {
    for set in wanted {
        let registry = &workshop.registry;
        let Ok(plan) = LayerPlan::new(&set.package, &set.lock, registry, &workshop.machine.target()) else { continue };
        let npm_ci = |into| async {
            let home = workshop.machine.cache.clone();
            let (groups, (frames, _)) = (Groups::default(), mpsc::channel(1));
            let command = npm_ci(&workshop, into, &home);
            let ran = tokio::time::timeout(workshop.limits.install, command::run(&command, &groups, &frames)).await;
            groups.gone().await;
            match ran {
                Ok(Ok(CommandEnd { code: 0, .. })) => Ok(()),
                _ => Err(std::io::Error::other("npm ci failed")),
            }
        };
        if let Err(error) = workshop.layers.get(&plan, npm_ci).await {
            eprintln!("build-runner: packages could not be prepared: {error}");
        }
    }
}

/// The packages of one project: its `package.json` and its lock.
#[derive(Debug, Clone)]
pub struct PackageSet {
    pub package: String,
    pub lock: String,
}

/// A finding about what `package.json` declares.
pub(super) fn finding(text: &str) -> Diagnostic {
    Diagnostic::of(&crate::output::INSTALL_ERROR, holdpoint_check::args! { text }).in_file("package.json")
}
