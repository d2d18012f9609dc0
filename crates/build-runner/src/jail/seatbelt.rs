//! The jail of macOS: `/usr/bin/sandbox-exec` with a profile of the same rules.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::JailSpec;

/// What Node reads of the system.
const SYSTEM_READ: [&str; 7] =
    ["/usr", "/bin", "/System", "/Library/Apple", "/private/var/db/dyld", "/dev/urandom", "/dev/random"];

/// The sandboxed command, still without its arguments.
pub(super) fn command(spec: &JailSpec) -> Command {
    let mut command = Command::new("/usr/bin/sandbox-exec");
    command.arg("-p").arg(profile(spec)).arg(&spec.program);
    command
}

/// Nothing but what is listed: no network, no signals and no information on processes outside, no services.
fn profile(spec: &JailSpec) -> String {
    let mut text = String::from(
        "(version 1)\n(deny default)\n(allow process-fork)\n(allow sysctl-read)\n(allow file-read-metadata)\n\
         (allow signal (target same-sandbox))\n(allow process-info* (target same-sandbox))\n\
         (allow file-read* file-write* (literal \"/dev/null\"))\n(allow file-read* (literal \"/\"))\n",
    );
    for path in SYSTEM_READ.iter().map(Path::new).chain(spec.read.iter().map(AsRef::as_ref)) {
        let _ = writeln!(text, "(allow file-read* file-map-executable process-exec (subpath {}))", quoted(path));
    }
    for path in &spec.write {
        let path = quoted(path);
        let _ = writeln!(text, "(allow file-read* file-map-executable process-exec file-write* (subpath {path}))");
        let _ = writeln!(text, "(deny file-write-mode file-write-owner file-write-flags (subpath {path}))");
    }
    text
}

fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jail::{Level, ProcessLimits};

    #[test]
    fn a_path_cannot_end_its_place_in_the_profile() {
        let spec = JailSpec {
            level: Level::Seatbelt,
            identity: None,
            read: vec!["/opt/node/bin".into()],
            write: vec!["/cache/a\")(allow network*)(\\".into()],
            limits: ProcessLimits { memory_bytes: 1, file_bytes: 1, processes: 1 },
            program: "/opt/node/bin/node".into(),
            arguments: Vec::new(),
        };
        let text = profile(&spec);
        assert!(text.starts_with("(version 1)\n(deny default)\n"));
        assert!(text.contains(r#"file-write* (subpath "/cache/a\")(allow network*)(\\"))"#), "{text}");
        assert!(text.contains(r#"(allow file-read* file-map-executable process-exec (subpath "/opt/node/bin"))"#));
        let lines_of_network: Vec<_> = text.lines().filter(|line| line.starts_with("(allow network")).collect();
        assert!(lines_of_network.is_empty() && !text.contains("(allow mach"));
        let words: Vec<_> = command(&spec).get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        assert_eq!((words[0].as_str(), words[2].as_str()), ("-p", "/opt/node/bin/node"));
    }
}
