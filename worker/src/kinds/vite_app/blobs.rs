//! Uploads of binary files (spec: app-builder.md §3 `blobs`, §4).

use holdpoint_check::{ApiError, args};
use holdpoint_gateway::form::{boundary, parts};
use holdpoint_kind_app::blobs::{BLOBS_LARGE, MAX_APP_BLOB_BYTES, NO_UPLOAD, UploadedBlob};
use holdpoint_kind_app::served::STORAGE_UNAVAILABLE;
use serde_json::json;

use super::builds::blob_key;
use super::{AppDesk, profile};
use crate::answer::{EdgeError, cause};
use crate::artifacts;
use crate::js::now_ms;
use crate::project::reply::as_editor;
use crate::routes::RouteRequest;

impl AppDesk<'_> {
    /// Keeps the file of a form. The same bytes are kept once; sent again, they are stored again.
    pub async fn upload(&self, request: &mut RouteRequest) -> Result<UploadedBlob, EdgeError> {
        let tenant = profile(&self.present()?).tenant_id;
        let body = request.bytes().map_err(|fault| as_editor(&fault))?;
        let kind = request.request().headers().get("content-type")?.unwrap_or_default();
        let no_file = || ApiError::at("", &NO_UPLOAD, args! {}).status(422);
        let form = boundary(&kind).and_then(|boundary| parts(&body, &boundary)).ok_or_else(no_file)?;
        let file = form.iter().find(|part| part.name == "file").ok_or_else(no_file)?;
        let blob = UploadedBlob::of(file.bytes)?;
        let (uploads, hash) = (self.workspace.uploads(), blob.blob.as_str());
        let is_known = uploads.has(self.id(), hash)?;
        if !uploads.note(self.id(), hash, blob.bytes, MAX_APP_BLOB_BYTES, now_ms())? {
            return Err(EdgeError::of(413, &BLOBS_LARGE, args! { limit: MAX_APP_BLOB_BYTES }));
        }
        let put = artifacts::put(&self.object.env, &blob_key(&tenant, self.id(), hash), file.bytes.to_vec()).await;
        if let Err(error) = put {
            worker::console_error!("{}", json!({"event": "artifact_failed", "cause": cause(&error)}));
            if !is_known {
                uploads.take_out(self.id(), hash)?;
            }
            return Err(EdgeError::of(503, &STORAGE_UNAVAILABLE, args! {}));
        }
        Ok(blob)
    }
}
