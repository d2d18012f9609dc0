//! `typecheck` beside `build`, then `manifest`.

use std::path::Path;

use holdpoint_check::{Diagnostic, args};

use super::{Job, Product, StageError, ToolRun, script};
use crate::layer::{self, PackageLayer};
use crate::manifest::{self, DistFiles, ENTRY_HTML};
use crate::output::{BUILD_ERROR, BuildTool};
use crate::prepare::JobFolder;
use crate::time;
use crate::wire::{BuildCode, BuildStage, DistManifest};

impl Job {
    pub(super) async fn build(&self, folder: &JobFolder, layer: &PackageLayer) -> Result<Product, StageError> {
        let package = self.request.files.get("package.json").map_or("", String::as_str);
        let checks = script::type_checks(package);
        let typecheck = async {
            if checks.is_empty() || !self.request.has_step(BuildStage::Typecheck) {
                return Ok(());
            }
            self.stage(BuildStage::Typecheck, self.type_check(folder, layer, checks)).await
        };
        let build = async {
            if !self.request.has_step(BuildStage::Build) {
                return Ok(());
            }
            self.stage(BuildStage::Build, self.vite_build(folder, layer)).await
        };
        match tokio::join!(typecheck, build) {
            (Ok(()), Ok(())) => {}
            (Err(error), Ok(())) | (Ok(()), Err(error)) => return Err(error),
            (Err(first), Err(second)) => return Err(both(first, second)),
        }
        if !self.request.has_step(BuildStage::Build) || !self.request.has_step(BuildStage::Manifest) {
            return Ok(Product::default());
        }
        self.stage(BuildStage::Manifest, self.collect(folder)).await
    }

    async fn type_check(
        &self,
        folder: &JobFolder,
        layer: &PackageLayer,
        checks: Vec<Vec<String>>,
    ) -> Result<(), StageError> {
        let file = layer::tool(&layer.path, "typescript", "tsc").ok_or_else(|| missing("typescript"))?;
        self.note_version("typescript", layer::version(&layer.path, "typescript"));
        for arguments in checks {
            let (file, limit) = (file.clone(), self.limits.build);
            let mode = "production";
            let run = ToolRun { stage: BuildStage::Typecheck, folder, layer, file, arguments, mode, limit };
            let ended = self.tool(run).await?;
            if ended.code != 0 {
                return Err(self.tool_failure(BuildCode::TypecheckFailed, BuildTool::Tsc, &ended, folder));
            }
        }
        Ok(())
    }

    async fn vite_build(&self, folder: &JobFolder, layer: &PackageLayer) -> Result<(), StageError> {
        let file = layer::tool(&layer.path, "vite", "vite").ok_or_else(|| missing("vite"))?;
        let fixed = ["build", "--base", "./", "--outDir", "dist", "--sourcemap", "hidden"];
        let run = ToolRun {
            stage: BuildStage::Build,
            folder,
            layer,
            file,
            arguments: fixed.map(str::to_owned).into(),
            mode: "production",
            limit: self.limits.build,
        };
        let ended = self.tool(run).await?;
        if ended.code == 0 {
            return Ok(());
        }
        Err(self.tool_failure(BuildCode::ViteBuildFailed, BuildTool::Vite, &ended, folder))
    }

    /// Takes dist out of the folder of the job and looks at it.
    async fn collect(&self, folder: &JobFolder) -> Result<Product, StageError> {
        if !self.groups.gone().await {
            return Err(StageError::Machine(std::io::Error::other("a killed group is still there")));
        }
        let (made, artifact) = (folder.project.join("dist"), self.artifact());
        let collected = tokio::task::spawn_blocking(move || take(&made, &artifact));
        let files = match collected.await.map_err(std::io::Error::other)? {
            Ok(files) => files,
            Err(error) => {
                let finding = Diagnostic::of(&BUILD_ERROR, args! { text: error.to_string() });
                return Err(StageError::project(error.code(), vec![finding]));
            }
        };
        let versions = self.tool_versions();
        let manifest = DistManifest {
            entry_html: ENTRY_HTML.to_owned(),
            total_bytes: files.total_bytes(),
            generated_at: time::now(),
            uploaded_assets: files.assets.len(),
            source_entry_file: self.request.entry_file.clone(),
            build_tool_versions: versions,
            assets: files.assets,
            maps: files.maps,
        };
        Ok(Product { manifest: Some(manifest), ..Product::default() })
    }
}

fn take(made: &Path, artifact: &Path) -> Result<DistFiles, manifest::ManifestError> {
    crate::tree::remove(artifact)?;
    std::fs::create_dir_all(artifact.join("maps"))?;
    match std::fs::rename(made, artifact.join("dist")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    manifest::collect(&artifact.join("dist"), &artifact.join("maps"))
}

/// A tool that the project does not declare.
fn missing(package: &str) -> StageError {
    let text = format!("the project needs the package `{package}` to be built");
    StageError::project(BuildCode::InstallFailed, vec![super::install::finding(&text)])
}

/// Two failures that were found beside each other: all findings, and the code of the first.
fn both(first: StageError, second: StageError) -> StageError {
    match (first, second) {
        (StageError::Machine(error), _) | (_, StageError::Machine(error)) => StageError::Machine(error),
        (
            StageError::Project { code, mut diagnostics, product },
            StageError::Project { code: other, diagnostics: more, .. },
        ) => {
            diagnostics.extend(more);
            // What ran out says more than what broke off because of it.
            let ran_out =
                |code: &Option<BuildCode>| matches!(code, Some(BuildCode::BuildTimeout | BuildCode::BuildOutOfMemory));
            let code = if ran_out(&other) && !ran_out(&code) { other } else { code };
            StageError::Project { code, diagnostics, product }
        }
    }
}
