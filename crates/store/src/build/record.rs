//! A build as it stands.

use crate::blob;
use crate::sql::{Row, Sql, SqlError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildKind {
    Draft,
    /// Of the revision that is published: no newer draft ends it.
    Published,
    /// Of files that a gate looks at before they are a revision.
    Gate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildStatus {
    Queued,
    Running,
    Succeeded,
    Failed,
}

/// A build and what became of its present attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    pub number: i64,
    pub bundle: String,
    /// The revision that is built; `None` for gate builds.
    pub revision: Option<String>,
    pub kind: BuildKind,
    /// Rises with each retry, and from parent to child.
    pub seq: i64,
    /// The hash of everything that goes in.
    pub key: String,
    pub status: BuildStatus,
    /// How often it was claimed since it was queued by somebody.
    pub attempts: u32,
    /// The earliest time at which it may start, ms since 1970.
    pub not_before: i64,
    /// Until when the runner's word counts without a heartbeat, ms since 1970; only while it runs.
    pub lease_until: Option<i64>,
    pub stage: Option<String>,
    /// The end of what the failing stage said.
    pub error: Option<String>,
    pub error_code: Option<String>,
    /// Findings out of tool output, as a JSON list.
    pub diagnostics: Option<String>,
    /// In milliseconds since 1970, UTC.
    pub started: Option<i64>,
    /// In milliseconds since 1970, UTC.
    pub finished: Option<i64>,
    /// Of the last success, which may be of an earlier attempt.
    pub artifact: Option<Artifact>,
}

impl Build {
    /// Whether it waits or runs.
    pub fn is_open(&self) -> bool {
        matches!(self.status, BuildStatus::Queued | BuildStatus::Running)
    }
}

/// What a build left in the artifact store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The key that it was built with.
    pub key: String,
    /// The prefix under which its assets lie.
    pub dist: String,
    /// The dist manifest, a JSON object.
    pub manifest: String,
}

impl BuildKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
            Self::Gate => "gate",
        }
    }
}

impl BuildStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

pub(super) const SELECT: &str =
    "SELECT build.number, build.bundle, revision.id, build.kind, build.seq, build.key, build.status, build.attempts,
 build.not_before, build.lease_until, build.stage, build.error, build.error_code, build.diagnostics, build.started,
 build.finished, build.built_key, build.dist, build.manifest
 FROM build LEFT JOIN revision ON revision.number = build.revision";

pub(super) fn read<S: Sql>(sql: &S, row: &Row) -> Result<Build, SqlError> {
    let other = || SqlError("a build has a word of another schema".to_owned());
    let (kind, status): (String, String) = (row.get(3)?, row.get(6)?);
    let kinds = [BuildKind::Draft, BuildKind::Published, BuildKind::Gate];
    let all = [BuildStatus::Queued, BuildStatus::Running, BuildStatus::Succeeded, BuildStatus::Failed];
    let (built_key, dist, manifest): (Option<String>, Option<String>, Option<String>) =
        (row.get(16)?, row.get(17)?, row.get(18)?);
    let column = |column: Option<String>| column.map(|text| blob::get_column(sql, text)).transpose();
    let artifact = built_key.zip(dist).zip(column(manifest)?);
    Ok(Build {
        number: row.get(0)?,
        bundle: row.get(1)?,
        revision: row.get(2)?,
        kind: kinds.into_iter().find(|one| one.as_str() == kind).ok_or_else(other)?,
        seq: row.get(4)?,
        key: row.get(5)?,
        status: all.into_iter().find(|one| one.as_str() == status).ok_or_else(other)?,
        attempts: row.get(7)?,
        not_before: row.get(8)?,
        lease_until: row.get(9)?,
        stage: row.get(10)?,
        error: row.get(11)?,
        error_code: row.get(12)?,
        diagnostics: column(row.get(13)?)?,
        started: row.get(14)?,
        finished: row.get(15)?,
        artifact: artifact.map(|((key, dist), manifest)| Artifact { key, dist, manifest }),
    })
}
