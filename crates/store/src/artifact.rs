//! Where the objects of builds lie in the artifact store, and which of them are to be deleted (spec: app-builder.md §7
//! "Keys").
//!
//! Owns names and times; the store itself cannot list what it holds. Invariants: a row stands here before the first object
//! of its prefix is stored, and until the last one is deleted; what a build names is never deleted; of a revision no prefix
//! is given out twice.

use std::collections::BTreeSet;

use crate::blob::{read_json, to_json};
use crate::build::{Builds, GATE_MS, Lease};
use crate::sql::{Sql, SqlError, params};

/// Revisions of an app, its newest, that keep what was built of them.
pub const NEWEST: u32 = 20;
/// How long a revision keeps it once it is not published any more, in ms.
pub const PUBLISHED_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// How long any revision keeps it that somebody asked to build again, in ms.
pub const ASKED_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// How long source maps are kept, in ms.
pub const MAPS_MS: i64 = GATE_MS;
/// Objects that are deleted at once.
pub const ROUND: usize = 200;
/// How long nothing is deleted once the store has refused to, in ms.
pub const AGAIN_MS: i64 = 60_000;
/// How long an object may be on its way to the store that nobody waits for any more, in ms.
pub const LATE_MS: i64 = 300_000;
/// How long somebody may still read what no build names any more, in ms.
pub const READ_MS: i64 = 10_000;
/// Prefixes of a project: of more, the oldest that wait for their deletion are given up, because the store refuses it.
pub const MAX_ARTIFACTS: u64 = 10_000;

/// Follows the tables of working copies in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    // `paths` is a JSON list; the first `deleted` of them are gone. `maps_of` is the prefix that source maps belong to.
    // `build` and `lease` are of the attempt that stores the objects, NULL: all of them are there. `due` is when they may be
    // deleted, NULL: they are in use.
    "CREATE TABLE artifact(number INTEGER PRIMARY KEY AUTOINCREMENT, bundle TEXT NOT NULL, prefix TEXT NOT NULL UNIQUE,
       paths TEXT NOT NULL, maps_of TEXT, build INTEGER, lease INTEGER, at INTEGER NOT NULL, due INTEGER,
       deleted INTEGER NOT NULL DEFAULT 0, CHECK((build IS NULL) = (lease IS NULL))) STRICT",
    "CREATE INDEX artifact_due ON artifact(due) WHERE due IS NOT NULL",
    "CREATE INDEX artifact_maps ON artifact(maps_of) WHERE maps_of IS NOT NULL",
    "CREATE INDEX build_dist ON build(dist) WHERE dist IS NOT NULL",
    // Until when a revision keeps what was built of it, whatever else is said of it.
    "ALTER TABLE build ADD COLUMN kept_until INTEGER",
    // The number of the last prefix that was given out to a build; 0: none.
    "ALTER TABLE build ADD COLUMN placed INTEGER NOT NULL DEFAULT 0",
    "UPDATE build SET placed = seq WHERE dist IS NOT NULL",
    "UPDATE build SET kept_until = 2592000000 +
       (SELECT max(done) FROM publish WHERE publish.bundle = build.bundle AND state = 'done')
     WHERE revision IN(SELECT revision FROM publish WHERE state = 'done')",
    // What was built before is known by the manifests of the builds. Two builds of one key have one prefix there.
    "INSERT INTO artifact(bundle, prefix, paths, at)
     SELECT bundle, dist, json_group_array(DISTINCT path), min(built) FROM (
       SELECT build.bundle, build.dist, build.built,
         json_extract(CASE asset.type WHEN 'object' THEN asset.value END, '$.path') AS path
       FROM build, json_each(CASE WHEN json_valid(build.manifest) THEN build.manifest ELSE '{}' END, '$.assets') AS asset
       WHERE build.dist IS NOT NULL)
     WHERE path IS NOT NULL GROUP BY dist",
    "INSERT INTO artifact(bundle, prefix, paths, maps_of, at)
     SELECT bundle, rtrim(dist, '/') || '-maps/', json_group_array(DISTINCT path), dist, min(built) FROM (
       SELECT build.bundle, build.dist, build.built,
         json_extract(CASE asset.type WHEN 'object' THEN asset.value END, '$.path') AS path
       FROM build, json_each(CASE WHEN json_valid(build.manifest) THEN build.manifest ELSE '{}' END, '$.maps') AS asset
       WHERE build.dist IS NOT NULL)
     WHERE path IS NOT NULL GROUP BY dist",
];

/// The objects of a build, before they are stored.
#[derive(Debug, Clone, Copy)]
pub struct NewObjects<'o> {
    /// The folder of the revision or the key, with a slash at its end.
    pub folder: &'o str,
    /// Paths of assets below the prefix.
    pub assets: &'o [&'o str],
    /// Paths of source maps below their own.
    pub maps: &'o [&'o str],
}

/// Objects that are to be deleted: a part of those of one prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedObjects {
    pub artifact: i64,
    pub keys: Vec<String>,
}

/// The artifacts of one project.
pub struct Artifacts<'w, S> {
    sql: &'w S,
}

/// The bundle of a build was deleted.
const DELETED: &str = "NOT EXISTS(SELECT 1 FROM bundle JOIN revision ON revision.number = bundle.head
   WHERE bundle.id = build.bundle AND revision.files IS NOT NULL)";

/// A revision is neither one of the newest nor published, nor about to be.
const OUTLIVED: &str = "build.kind <> 'gate'
   AND build.revision < coalesce((SELECT number FROM revision WHERE revision.bundle = build.bundle
     ORDER BY number DESC LIMIT 1 OFFSET ?), 0)
   AND build.revision IS NOT (SELECT iif(publish.kind = 'unpublish', NULL, publish.revision) FROM publish
     WHERE publish.bundle = build.bundle AND publish.state = 'done' ORDER BY publish.seq DESC LIMIT 1)
   AND NOT EXISTS(SELECT 1 FROM publish WHERE publish.bundle = build.bundle AND publish.state = 'intended'
     AND publish.kind <> 'unpublish' AND publish.revision = build.revision)";

/// A build names the objects.
const NAMED: &str = "EXISTS(SELECT 1 FROM build WHERE build.dist = coalesce(artifact.maps_of, artifact.prefix))";

/// An attempt that has its build stores the objects.
const IN_WORK: &str = "EXISTS(SELECT 1 FROM build WHERE build.number = artifact.build AND build.lease = artifact.lease
   AND build.status = 'running')";

/// Notes that all objects under a prefix are there.
pub(crate) fn completed<S: Sql>(sql: &S, prefix: &str) -> Result<(), SqlError> {
    let update = "UPDATE artifact SET build = NULL, lease = NULL WHERE prefix = ? OR maps_of = ?";
    sql.execute(update, params![prefix, prefix])
}

/// Where the source maps of a build lie: beside what is served.
pub fn maps_beside(prefix: &str) -> String {
    format!("{}-maps/", prefix.trim_end_matches('/'))
}

impl<S: Sql> Builds<'_, S> {
    /// Notes what an attempt is about to store, and answers the prefix of its assets, which is the same however often it is
    /// asked for: the first of a revision or key is `dist/` below its folder. `None`: the attempt has its build no more, and
    /// stores nothing.
    pub fn place(&self, lease: &Lease, objects: &NewObjects<'_>, now: i64) -> Result<Option<String>, SqlError> {
        let sql = self.sql();
        sql.transaction(|| {
            let row = sql.first(
                "SELECT bundle, revision IS NULL, placed FROM build
                 WHERE number = ? AND seq = ? AND lease = ? AND status = 'running'",
                params![lease.build, lease.seq, lease.number],
            )?;
            let Some(row) = row else { return Ok(None) };
            let bundle: String = row.get(0)?;
            let own = "SELECT prefix FROM artifact WHERE build = ? AND lease = ? AND maps_of IS NULL";
            let prefix = match sql.first(own, params![lease.build, lease.number])? {
                Some(own) => own.get(0)?,
                None => new_prefix(sql, lease, objects.folder, (row.get(1)?, row.get(2)?))?,
            };
            let maps = maps_beside(&prefix);
            for (at, maps_of, paths) in [(&prefix, None, objects.assets), (&maps, Some(&prefix), objects.maps)] {
                let known = sql.first("SELECT paths FROM artifact WHERE prefix = ?", params![at])?;
                let mut all: BTreeSet<String> = paths.iter().map(|path| (*path).to_owned()).collect();
                if let Some(known) = known {
                    all.extend(read_json::<Vec<String>>(&known.get::<String>(0)?)?);
                    sql.execute("UPDATE artifact SET paths = ? WHERE prefix = ?", params![to_json(&all), at])?;
                } else if maps_of.is_none() || !all.is_empty() {
                    sql.execute(
                        "INSERT INTO artifact(bundle, prefix, paths, maps_of, build, lease, at) VALUES(?, ?, ?, ?, ?, ?, ?)",
                        params![&bundle, at, to_json(&all), maps_of, lease.build, lease.number, now],
                    )?;
                }
            }
            sql.execute(
                "DELETE FROM artifact WHERE due IS NOT NULL
                   AND number <= (SELECT number FROM artifact ORDER BY number DESC LIMIT 1 OFFSET ?)",
                params![MAX_ARTIFACTS],
            )?;
            Ok(Some(prefix))
        })
    }
}

/// A prefix that no other attempt has or had; `placed` is the number of the last one of its build.
fn new_prefix<S: Sql>(
    sql: &S,
    lease: &Lease,
    folder: &str,
    (is_gate, placed): (bool, i64),
) -> Result<String, SqlError> {
    let first = format!("{folder}dist/");
    let is_first = if is_gate {
        let taken = "SELECT 1 FROM artifact WHERE prefix IN(?, ?)";
        sql.first(taken, params![&first, maps_beside(&first)])?.is_none()
    } else {
        placed == 0
    };
    let number = lease.seq.max(placed + 1);
    sql.execute("UPDATE build SET placed = ? WHERE number = ?", params![number, lease.build])?;
    Ok(match (is_first, is_gate) {
        (true, _) => first,
        (false, false) => format!("{folder}dist-{number}/"),
        // Gate builds of one key have one folder.
        (false, true) => format!("{folder}dist-{}-{number}/", lease.build),
    })
}

impl<'w, S: Sql> Artifacts<'w, S> {
    pub(crate) fn new(sql: &'w S) -> Self {
        Self { sql }
    }

    /// Lets go of what is over its time, and finds the objects that nothing names any more.
    pub fn sweep(&self, now: i64) -> Result<(), SqlError> {
        self.sql.transaction(|| {
            self.sql.execute(
                &format!(
                    "UPDATE build SET dist = NULL, manifest = NULL, built_key = NULL, built = NULL
                     WHERE dist IS NOT NULL AND ({DELETED} OR (coalesce(kept_until, 0) <= ? AND {OUTLIVED}))"
                ),
                params![now, NEWEST - 1],
            )?;
            self.sql.execute(
                &format!(
                    "UPDATE artifact SET due = ? + iif(build IS NULL, ?, ?)
                     WHERE due IS NULL AND NOT {IN_WORK} AND NOT ({NAMED} AND (maps_of IS NULL OR at > ?))"
                ),
                params![now, READ_MS, LATE_MS, now - MAPS_MS],
            )
        })
    }

    /// Some objects that are to be deleted now, at most `limit`, all under one prefix.
    pub fn dropped(&self, limit: usize, now: i64) -> Result<Option<DroppedObjects>, SqlError> {
        let select = "SELECT number, prefix, paths, deleted FROM artifact WHERE due <= ? ORDER BY due, number LIMIT 1";
        let Some(row) = self.sql.first(select, params![now])? else { return Ok(None) };
        let (prefix, paths): (String, String) = (row.get(1)?, row.get(2)?);
        let paths: Vec<String> = read_json(&paths)?;
        let left = paths.iter().skip(row.get::<u64>(3)? as usize).take(limit);
        let keys = left.map(|path| format!("{prefix}{path}")).collect();
        Ok(Some(DroppedObjects { artifact: row.get(0)?, keys }))
    }

    /// The first `count` of some dropped objects are deleted.
    pub fn deleted(&self, dropped: &DroppedObjects, count: usize) -> Result<(), SqlError> {
        self.sql.transaction(|| {
            let update = "UPDATE artifact SET deleted = deleted + ? WHERE number = ?";
            self.sql.execute(update, params![count as u64, dropped.artifact])?;
            let delete = "DELETE FROM artifact WHERE number = ? AND deleted >= json_array_length(paths)";
            self.sql.execute(delete, params![dropped.artifact])
        })
    }

    /// The store has refused to delete some objects: all that wait do so for [`AGAIN_MS`], and these let others go first.
    pub fn put_off(&self, dropped: &DroppedObjects, now: i64) -> Result<(), SqlError> {
        self.sql.execute(
            "UPDATE artifact SET due = ? + iif(number = ?, 2, 1) * ? WHERE due <= ?",
            params![now, dropped.artifact, AGAIN_MS, now],
        )
    }

    /// When the alarm has something to do.
    pub fn next_due(&self) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first(
            &format!(
                "SELECT min(at) FROM (
                   SELECT min(due) AS at FROM artifact WHERE due IS NOT NULL
                   UNION ALL SELECT min(iif({NAMED}, at + ?, 0)) FROM artifact
                     WHERE due IS NULL AND NOT {IN_WORK} AND (maps_of IS NOT NULL OR NOT {NAMED})
                   UNION ALL SELECT min(iif({DELETED}, 0, coalesce(kept_until, 0))) FROM build
                     WHERE dist IS NOT NULL AND ({DELETED} OR ({OUTLIVED})))"
            ),
            params![MAPS_MS, NEWEST - 1],
        )?;
        row.map_or(Ok(None), |row| row.get(0))
    }
}
