//! Which calls of the kernel a jailed process may make (seccomp).
//!
//! Landlock rules over no socket files before ABI 9, no modes, owners and times, no limits and priorities of other
//! processes. A filter has one action, so each answer is a filter of its own. Numbers are those of the machine that the
//! program was built for; calls by the numbers of another one end the process.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

use super::JailError;

/// The last call that is known; later ones have equal numbers on all machines.
const LAST_KNOWN: i64 = 450;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

pub(super) fn restrict(signals_are_scoped: bool) -> Result<(), JailError> {
    let refused = refused(signals_are_scoped)?;
    let without_effect: Rules = WITHOUT_EFFECT.iter().map(|number| (*number, Vec::new())).collect();
    // Its flags lie in memory, where no filter sees them; the C library goes back to `clone`.
    let known: Rules =
        (0..=LAST_KNOWN).filter(|number| *number != libc::SYS_clone3).map(|it| (it, Vec::new())).collect();
    let errno = |number: i32| SeccompAction::Errno(number as u32);
    install(known, errno(libc::ENOSYS), SeccompAction::Allow)?;
    install(without_effect, SeccompAction::Allow, errno(0))?;
    install(refused, SeccompAction::Allow, errno(libc::EPERM))
}

fn install(rules: Rules, otherwise: SeccompAction, matched: SeccompAction) -> Result<(), JailError> {
    let fault = |error: seccompiler::BackendError| JailError::Seccomp(error.to_string());
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(fault)?;
    let filter = SeccompFilter::new(rules, otherwise, matched, machine).map_err(fault)?;
    let program = BpfProgram::try_from(filter).map_err(fault)?;
    apply_filter(&program).map_err(|error| JailError::Seccomp(error.to_string()))
}

/// The calls that answer `EPERM`.
fn refused(signals_are_scoped: bool) -> Result<Rules, JailError> {
    let mut rules: Rules = REFUSED.iter().chain(REFUSED_HERE).map(|number| (*number, Vec::new())).collect();
    let other = |value| when(0, SeccompCmpOp::Ne, value);
    rules.insert(libc::SYS_prlimit64, vec![other(0)?]);
    rules.insert(libc::SYS_sched_setaffinity, vec![other(0)?]);
    let has = |argument, bit: i32| when(argument, SeccompCmpOp::MaskedEq(bit as u64), bit as u64);
    // A datagram pair reaches socket files; the kind is the last four bits of the second argument, a stream is 1.
    let odd = when(1, SeccompCmpOp::MaskedEq(1), 0)?;
    let pair = vec![other(libc::AF_UNIX as u64)?, odd, has(1, 2)?, has(1, 4)?, has(1, 8)?];
    rules.insert(libc::SYS_socketpair, pair);
    let namespaces = NAMESPACES.iter().map(|flag| has(0, *flag)).collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_clone, namespaces);
    if !signals_are_scoped {
        rules.extend(SIGNALS.iter().map(|number| (*number, Vec::new())));
        // The runtime of Go interrupts its own threads by this signal.
        rules.insert(libc::SYS_tgkill, vec![when(2, SeccompCmpOp::Ne, libc::SIGURG as u64)?]);
    }
    Ok(rules)
}

/// A rule on one argument. The arguments asked about are all numbers of 32 bits.
fn when(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, JailError> {
    let fault = |error: seccompiler::BackendError| JailError::Seccomp(error.to_string());
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).map_err(fault)?;
    SeccompRule::new(vec![condition]).map_err(fault)
}

const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// What Landlock holds inside from ABI 6 on.
const SIGNALS: [i64; 5] = [
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
];

const REFUSED: &[i64] = &[
    // The network, and sockets of other programs.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // Namespaces, groups and roots.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_mount_setattr,
    // A second way to make calls.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Other processes: their memory, descriptors, priorities and places.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Memory that belongs to no process.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmdt,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_semtimedop,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // What watches or steers the kernel.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
    // Keys, and attributes that stay on files.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // What only root may do.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_settimeofday,
    libc::SYS_adjtimex,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_acct,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[i64] = &[libc::SYS_inotify_init, libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[i64] = &[];

/// Modes, owners and times: the copying of Vite's asks for them, and nothing needs them.
#[cfg(target_arch = "x86_64")]
const WITHOUT_EFFECT: &[i64] = &[
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_chown,
    libc::SYS_fchown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_utimensat,
];
#[cfg(not(target_arch = "x86_64"))]
const WITHOUT_EFFECT: &[i64] =
    &[libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat];
