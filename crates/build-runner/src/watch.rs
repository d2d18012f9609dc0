//! What a job uses, summed over its processes and its folder.
//!
//! The kernel limits each process; the sum is kept here. No process can leave its group, so the groups are the job.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use nix::unistd::Pid;

use crate::command::Groups;
use crate::limits::{JobLimits, MAX_JOB_DEPTH, MAX_JOB_ENTRIES, MAX_PROCESSES, WATCH_EVERY};
use crate::tree;

/// Which bound a job went over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    Memory,
    Processes,
    Disk,
}

/// What groups of processes use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupUsage {
    pub processes: u64,
    /// Bytes that belong to them alone or to memory they share without a file.
    pub memory_bytes: u64,
    /// Bytes that one of them has taken for data, in use or not: what a process is limited in.
    pub mapped_bytes: u64,
    /// Bytes of files that are open and have no name any more.
    pub nameless_bytes: u64,
}

/// The most that was seen of a job.
#[derive(Debug, Default)]
pub struct PeakUsage {
    memory: AtomicU64,
    mapped: AtomicU64,
}

impl PeakUsage {
    fn note(&self, used: &GroupUsage) {
        self.memory.fetch_max(used.memory_bytes, Ordering::Relaxed);
        self.mapped.fetch_max(used.mapped_bytes, Ordering::Relaxed);
    }

    /// Whether a process that crashed may have done so for want of memory: what it took was near the limit, or what all
    /// used was on the way there when it was last looked at.
    pub fn was_short(&self, limit: u64) -> bool {
        self.memory.load(Ordering::Relaxed) > limit / 2 || self.mapped.load(Ordering::Relaxed) > limit / 4 * 3
    }
}

/// Ends when the job goes over a bound. Notes the most that was seen of it.
pub async fn excess(folder: &Path, groups: &Groups, limits: JobLimits, peak: &PeakUsage) -> Excess {
    let mut ticks = tokio::time::interval(WATCH_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let (folder, groups) = (folder.to_owned(), groups.running());
        if groups.is_empty() {
            continue;
        }
        let sums = tokio::task::spawn_blocking(move || {
            (usage(&groups), tree::measure(&folder, MAX_JOB_ENTRIES, MAX_JOB_DEPTH))
        });
        let Ok((used, disk)) = sums.await else { continue };
        peak.note(&used);
        if used.memory_bytes > limits.memory_bytes {
            return Excess::Memory;
        }
        if used.processes > MAX_PROCESSES {
            return Excess::Processes;
        }
        if disk.is_cut || disk.bytes + used.nameless_bytes > limits.disk_bytes {
            return Excess::Disk;
        }
    }
}

/// What the processes of these groups use, read from `/proc`. What ends meanwhile is not counted.
#[cfg(target_os = "linux")]
pub fn usage(groups: &[Pid]) -> GroupUsage {
    let mut used = GroupUsage::default();
    let Ok(entries) = std::fs::read_dir("/proc") else { return used };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
            continue;
        }
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        if !group_of(&stat).is_some_and(|group| groups.contains(&group)) {
            continue;
        }
        used.processes += 1;
        let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        used.memory_bytes += bytes(&status, &["RssAnon:", "RssShmem:", "VmSwap:"]);
        used.mapped_bytes = used.mapped_bytes.max(bytes(&status, &["VmData:"]));
        used.nameless_bytes += nameless(&entry.path());
    }
    used
}

/// The group in a line of `/proc/PID/stat`: the third field behind the name, which may hold blanks and brackets.
#[cfg(target_os = "linux")]
fn group_of(stat: &str) -> Option<Pid> {
    let (_, fields) = stat.rsplit_once(')')?;
    Some(Pid::from_raw(fields.split_whitespace().nth(2)?.parse().ok()?))
}

/// The sum of members of `/proc/PID/status`.
#[cfg(target_os = "linux")]
fn bytes(status: &str, members: &[&str]) -> u64 {
    let kib = |line: &str| {
        let rest = members.iter().find_map(|name| line.strip_prefix(name))?;
        rest.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()
    };
    status.lines().filter_map(kib).sum::<u64>() * 1_024
}

#[cfg(target_os = "linux")]
fn nameless(process: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(entries) = std::fs::read_dir(process.join("fd")) else { return 0 };
    let bytes = |path: std::path::PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        (metadata.is_file() && metadata.nlink() == 0).then(|| metadata.blocks() * 512)
    };
    entries.flatten().filter_map(|entry| bytes(entry.path())).sum()
}

/// The same by `ps`, where there is no `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn usage(groups: &[Pid]) -> GroupUsage {
    let mut used = GroupUsage::default();
    let Ok(listed) = std::process::Command::new("/bin/ps").args(["-axo", "pgid=,rss="]).output() else { return used };
    for line in String::from_utf8_lossy(&listed.stdout).lines() {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(group)), Some(Ok(kib))) = (numbers.next(), numbers.next()) else { continue };
        if groups.iter().any(|own| own.as_raw() as u64 == group) {
            used.processes += 1;
            used.memory_bytes += kib * 1_024;
        }
    }
    used
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_group_stands_behind_any_name() {
        let of = |stat: &str| group_of(stat).map(Pid::as_raw);
        assert_eq!(of("12 (node) S 11 10 10 0 -1"), Some(10));
        assert_eq!(of("12 (a) 1 2) (b) R 11 -9 10"), Some(-9));
        assert_eq!(of("12 (node"), None);
        assert_eq!(of("12 (node) S"), None);
    }

    #[test]
    fn members_are_added_up() {
        let status =
            "Name:\tnode\nVmRSS:\t  900 kB\nRssAnon:\t  100 kB\nRssFile:\t 700 kB\nRssShmem:\t 20 kB\nVmSwap:\t 3 kB\n";
        assert_eq!(bytes(status, &["RssAnon:", "RssShmem:", "VmSwap:"]), 123 * 1_024);
        assert_eq!(bytes("", &["RssAnon:"]), 0);
    }

    #[test]
    fn a_crash_near_the_limit_is_for_want_of_memory() {
        let peak = |memory_bytes, mapped_bytes| {
            let peak = PeakUsage::default();
            peak.note(&GroupUsage { memory_bytes, mapped_bytes, ..GroupUsage::default() });
            peak.note(&GroupUsage::default());
            peak.was_short(1_000)
        };
        assert_eq!([peak(501, 0), peak(0, 751), peak(500, 750)], [true, true, false]);
    }

    #[test]
    fn this_process_is_in_its_group() {
        let used = usage(&[nix::unistd::getpgrp()]);
        assert!(used.processes >= 1 && used.memory_bytes > 0 && used.mapped_bytes > 0, "{used:?}");
        assert_eq!(usage(&[]), GroupUsage::default());
    }
}
