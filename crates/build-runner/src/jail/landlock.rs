//! What a jailed process may do with files (Landlock, from ABI 3 of Linux 6.2).
//!
//! Everything that the newest known ABI can refuse is refused, as far as the kernel knows it.

use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope, make_bitflags,
};

use super::{JailError, JailSpec};

const NEWEST: ABI = ABI::V10;
/// Files of the system that Node and its libraries read. `/proc/self` as a folder would show sockets and mounts.
const SYSTEM_READ: [&str; 16] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/etc/ld.so.cache",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/dev/urandom",
    "/proc/self/stat",
    "/proc/stat",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/dev/null",
];

/// Whether signals and abstract sockets are held inside by Landlock itself, from ABI 6 on.
pub(super) fn restrict(spec: &JailSpec) -> Result<bool, JailError> {
    let fault = |error: RulesetError| JailError::Landlock(error.to_string());
    let read = AccessFs::from_read(NEWEST);
    let device = make_bitflags!(AccessFs::{ReadFile | WriteFile});
    let never = make_bitflags!(AccessFs::{MakeChar | MakeBlock | MakeSock | IoctlDev | ResolveUnix});
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(fault)?;
    for path in SYSTEM_READ.iter().map(Path::new).chain(spec.read.iter().map(AsRef::as_ref)) {
        rules = allow(rules, path, read)?;
    }
    for path in &spec.write {
        rules = allow(rules, path, AccessFs::from_all(NEWEST) & !never)?;
    }
    rules = allow(rules, Path::new("/dev/null"), device)?;
    let status = rules.restrict_self().map_err(fault)?;
    match status.landlock {
        LandlockStatus::Available { effective_abi, .. } if effective_abi >= ABI::V3 => Ok(effective_abi >= ABI::V6),
        other => Err(JailError::Landlock(format!("it is too old or absent ({other:?})"))),
    }
}

/// One rule; what is not on this machine needs none.
fn allow(rules: RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<RulesetCreated, JailError> {
    let Ok(is_dir) = path.metadata().map(|metadata| metadata.is_dir()) else { return Ok(rules) };
    let access = if is_dir { access } else { access & AccessFs::from_file(NEWEST) };
    let fault = |error: String| JailError::Landlock(format!("{}: {error}", path.display()));
    let opened = PathFd::new(path).map_err(|error| fault(error.to_string()))?;
    rules.add_rule(PathBeneath::new(opened, access)).map_err(|error| fault(error.to_string()))
}
