//! `test`: the project's own tests, by Vitest in the jail.

use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use super::{Job, Product, StageError, ToolRun};
use crate::layer::{self, PackageLayer};
use crate::output::{BuildTool, is_out_of_memory, read_tests};
use crate::prepare::JobFolder;
use crate::wire::{BuildCode, BuildStage};

/// Bytes of a report that is read.
const MAX_REPORT_BYTES: u64 = 16 << 20;

impl Job {
    pub(super) async fn test(&self, folder: &JobFolder, layer: &PackageLayer) -> Result<Product, StageError> {
        let missing = || StageError::project(BuildCode::InstallFailed, vec![super::install::finding(NO_VITEST)]);
        let file = layer::tool(&layer.path, "vitest", "vitest").ok_or_else(missing)?;
        self.note_version("vitest", layer::version(&layer.path, "vitest"));
        let report = folder.root.join("tmp/tests.json");
        let fixed = ["run", "--pool=threads", "--reporter=json", "--passWithNoTests"];
        let mut arguments: Vec<String> = fixed.map(str::to_owned).into();
        arguments.push(format!("--outputFile={}", report.display()));
        arguments.extend(self.request.test_paths.iter().map(|path| format!("./{path}")));
        let limit = self.request.timeout_s.map_or(self.limits.test, |s| self.limits.test.min(Duration::from_secs(s)));
        let run = ToolRun { stage: BuildStage::Test, folder, layer, file, arguments, mode: "test", limit };
        let ended = self.tool(run).await?;
        self.groups.gone().await;
        let told = read_plain(&report).and_then(|text| read_tests(&text, &folder.project));
        let Some(told) = told.filter(|_| !is_out_of_memory(&ended.text)) else {
            return Err(self.tool_failure(BuildCode::ViteBuildFailed, BuildTool::Vite, &ended, folder));
        };
        let product = Product { tests: Some(told.tests), ..Product::default() };
        if ended.code == 0 && told.diagnostics.is_empty() {
            return Ok(product);
        }
        Err(StageError::Project { code: None, diagnostics: told.diagnostics, product: Box::new(product) })
    }
}

const NO_VITEST: &str = "the project needs the package `vitest` to be tested";

/// The bytes of a file that a job wrote, if it is a plain one; nothing is followed or waited for.
fn read_plain(path: &Path) -> Option<Vec<u8>> {
    let flags = nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_REPORT_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
