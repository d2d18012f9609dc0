//! Projects that mean harm: what they reach, what they are told, and what they leave.

use serde_json::{Value, json};

use crate::stop::{begin, endless};
use crate::support::{KEY, Place, Runner, hostile, pids, runner, wait};

/// Tries everything once and prints a map from attempt to outcome: `open`, or the code of the refusal.
const PROBE: &str = r"
import net from 'node:net'; import dgram from 'node:dgram'; import os from 'node:os'; import dns from 'node:dns';
const told = {};
const attempt = (name, work) => {
  try { const got = work(); told[name] = got === undefined ? 'open' : got }
  catch (error) { told[name] = error.code ?? error.message }
};
const read = file => attempt('read ' + file, () => { fs.readFileSync(file) });
const list = folder => attempt('list ' + folder, () => { fs.readdirSync(folder) });
const write = file => attempt('write ' + file, () => { fs.appendFileSync(file, 'x') });
const cache = path.resolve('../../..'), modules = path.dirname(fs.realpathSync('node_modules/vite'));
['/etc/passwd', '/etc/shadow', '/etc/hostname', '/etc/resolv.conf', '/proc/self/environ', '/proc/self/status',
 '/proc/self/mountinfo', '/proc/self/net/unix', '/proc/self/maps', '/proc/1/environ', '/proc/1/cmdline', '/proc/net/tcp',
 '/proc/version', '/proc/cmdline', '/proc/sys/kernel/core_pattern', cache + '/lock', cache + '.token', cache + '.home/.npmrc', cache + '.home/.ssh/id_ed25519',
 path.join(cache, 'jobs', job.endsWith('0') ? '1' : '0', 'project/package.json')].forEach(read);
['/', '/proc', '/tmp', '/home', '/root', '/dev', '/sys', '/run', '/var', cache, cache + '/jobs', cache + '/layers',
 cache + '/artifacts', cache + '/npm', path.resolve(cache, '..'), '/proc/1/fd',
 cache + '.home'].forEach(list);
[modules + '/x', modules + '/vite/package.json', path.join(modules, '../.used'), cache + '/npm/x', cache + '/blobs/x',
 cache + '/jobs/x', cache + '/x', '/tmp/x', '/dev/shm/x', '/var/tmp/x', '/usr/x', '/proc/self/oom_score_adj'].forEach(write);
attempt('remove from layer', () => fs.rmSync(modules + '/react/package.json'));
attempt('move from layer', () => fs.renameSync(modules + '/react', job + '/tmp/react'));
attempt('link from layer', () => fs.linkSync(modules + '/react/package.json', job + '/tmp/linked'));
attempt('link a key', () => fs.linkSync('/etc/passwd', job + '/tmp/key'));
fs.symlinkSync('/etc/passwd', job + '/tmp/key');
read(job + '/tmp/key');
attempt('mode', () => { fs.writeFileSync(job + '/tmp/own', 'x'); fs.chmodSync(job + '/tmp/own', 0o4777);
  return fs.statSync(job + '/tmp/own').mode & 0o6002 });
attempt('mode of layer', () => { fs.chmodSync(modules + '/vite/package.json', 0o666);
  return fs.statSync(modules + '/vite/package.json').mode & 0o222 });
attempt('netlink', () => { os.networkInterfaces() });
attempt('priority of all', () => os.setPriority(0, 5));
attempt('secret', () => JSON.stringify(process.env).includes('RUNNER_KEY'));
attempt('names', () => Object.keys(process.env).sort().join(' '));
const run = (name, command, ...rest) => attempt(name, () => cp.spawnSync(command, rest).status);
run('device', 'mknod', job + '/tmp/null', 'c', '1', '3');
run('namespace', 'unshare', '-U', 'true');
run('session', 'setsid', 'true');
run('nice', 'renice', '5', '-p', String(process.pid));
const event = (name, socket, ...opens) => new Promise(done => {
  const end = outcome => { told[name] ??= outcome; done() };
  socket.on('error', error => end(error.code)); opens.forEach(open => socket.on(open, () => end('open')));
  setTimeout(() => end('silent'), 3000).unref();
});
await event('tcp', net.connect(RUNNER_PORT, '127.0.0.1'), 'connect');
await event('tcp6', net.connect(RUNNER_PORT, '::1'), 'connect');
await event('listen', net.createServer().listen(0), 'listening');
await event('abstract', net.createServer().listen('\0hostile'), 'listening');
await event('socket file', net.createServer().listen(job + '/tmp/socket'), 'listening');
await event('own bus', net.connect('/run/dbus/system_bus_socket'), 'connect');
const udp = dgram.createSocket('udp4'); const heard = event('udp', udp, 'listening'); udp.bind(0); await heard;
told.dns = await new Promise(done => dns.lookup('localhost.example', error => done(error?.code ?? 'open')));
told.fetch = await fetch('http://127.0.0.1:RUNNER_PORT/healthz').then(() => 'open', error => error.cause?.code);
console.log('TOLD ' + JSON.stringify(told));
";

#[test]
fn nothing_outside_is_read_written_or_reached() {
    for place in Place::all() {
        let runner = runner(*place);
        let program = PROBE.replace("RUNNER_PORT", &runner.address.port().to_string()).replace("RUNNER_KEY", KEY);
        let built = runner.build(&hostile(&program));
        built.must_succeed();
        let log = built.log();
        let told = log.lines().find_map(|line| line.strip_prefix("TOLD ")).unwrap_or_else(|| panic!("{log}"));
        let told: Value = serde_json::from_str(told).unwrap();
        let values = json!({
            "mode": 0, "mode of layer": 0, "secret": false, "names": "CI HOME LANG NODE_ENV PATH TMPDIR",
            "netlink": "ERR_SYSTEM_ERROR", "priority of all": "ERR_SYSTEM_ERROR", "device": 1, "namespace": 1, "session": 1, "nice": 1, "dns": "EAI_AGAIN",
        });
        for (name, outcome) in told.as_object().unwrap() {
            let is_refused = match values.get(name) {
                Some(value) => outcome == value,
                None => matches!(outcome.as_str(), Some("EACCES" | "EPERM" | "ENOENT" | "EXDEV" | "EROFS")),
            };
            assert!(is_refused, "{place:?}: {name}: {outcome}");
        }
        assert!(told.as_object().unwrap().len() > 60, "{told}");
        let expected =
            if matches!(place, Place::Namespaces | Place::UserNamespaces) { "namespaces" } else { "landlock" };
        assert_eq!(runner.isolation, expected, "{place:?}");
        runner.must_be_clean();
    }
}

/// Numbers of calls by `python3`, where it is there: what no program of Node can make.
#[test]
fn calls_that_lead_out_are_refused() {
    const CALLS: &str = r"
import ctypes, json
library = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    return [library.syscall(number, *arguments), ctypes.get_errno()]
print('TOLD ' + json.dumps({
    'io_uring_setup': call(425, 1, 0), 'clone3': call(435, 0, 0), 'cachestat': call(451, 0, 0, 0, 0),
    'setxattrat': call(463, 0, 0, 0, 0, 0, 0), 'x32 getpid': call(0x40000000 + 39), 'memfd_create': call(319, b'x', 0),
    'shmget': call(29, 0, 4096, 0o1600), 'ptrace': call(101, 16, 1), 'bpf': call(321, 0, 0, 0),
    'perf_event_open': call(298, 0), 'unshare': call(272, 0x10000000), 'clone newuser': call(56, 0x10000000 | 17, 0, 0, 0, 0),
    'socket': call(41, 1, 1, 0), 'netlink': call(41, 16, 3, 0), 'pair datagram': call(53, 1, 2, 0, 0),
    'pair inet': call(53, 2, 1, 0, 0), 'prlimit other': call(302, 1, 7, 0, 0), 'setns': call(308, 0, 0),
    'keyctl': call(250, 0, 0), 'mount': call(165, 0, 0, 0, 0, 0), 'pidfd_open': call(434, 1, 0),
    'userfaultfd': call(323, 0), 'setsid': call(112), 'setpgid': call(109, 0, 0), 'open_by_handle_at': call(304, 0, 0, 0),
    'fchmod': call(91, 1, 0o777), 'sched_setaffinity other': call(203, 1, 8, 0)}))
";
    if cfg!(not(target_arch = "x86_64")) || std::process::Command::new("python3").arg("--version").output().is_err() {
        return; // The numbers are those of one machine, and the program that makes them has to be there.
    }
    for place in Place::all() {
        let program = format!(
            "console.log(cp.spawnSync('python3', ['-c', {}]).stdout.toString());",
            serde_json::to_string(CALLS).unwrap()
        );
        let built = runner(*place).build(&hostile(&program));
        built.must_succeed();
        let log = built.log();
        let told = log.lines().find_map(|line| line.strip_prefix("TOLD ")).unwrap_or_else(|| panic!("{log}"));
        let told: Value = serde_json::from_str(told).unwrap();
        for (name, outcome) in told.as_object().unwrap() {
            let wanted = match name.as_str() {
                "clone3" | "cachestat" | "setxattrat" | "x32 getpid" => json!([-1, nix::libc::ENOSYS]),
                "fchmod" => json!([0, 0]),
                _ => json!([-1, nix::libc::EPERM]),
            };
            assert_eq!(*outcome, wanted, "{place:?}: {name}");
        }
    }
}

/// Tries to read, change and signal the job of the other slot, which runs meanwhile; prints what of it came to anything.
const NEIGHBOUR: &str = r"
const jobs = path.resolve('../..'), reached = [];
const attempt = (name, work) => { try { work(); reached.push(name) } catch {} };
for (const slot of ['0', '1'].filter(slot => slot !== path.basename(job))) {
  const other = path.join(jobs, slot);
  for (const folder of ['', 'project', 'home', 'tmp']) {
    attempt('list ' + folder, () => fs.readdirSync(path.join(other, folder)));
    attempt('write ' + folder, () => fs.writeFileSync(path.join(other, folder, 'x'), 'x'));
  }
  for (const file of ['project/package.json', 'project/vite.config.mjs'])
    attempt('read ' + file, () => fs.readFileSync(path.join(other, file)));
  attempt('move', () => fs.renameSync(path.join(other, 'home'), path.join(job, 'theirs')));
  attempt('link', () => fs.linkSync(path.join(other, 'project/package.json'), path.join(job, 'theirs')));
}
for (const pid of [NUMBERS].filter(pid => pid !== process.pid)) {
  attempt('signal ' + pid, () => process.kill(pid, 'SIGKILL'));
  for (const file of ['environ', 'cmdline', 'maps', 'fd/0', 'root/etc/hostname'])
    attempt('read ' + pid + ' ' + file, () => fs.readFileSync(`/proc/${pid}/${file}`));
}
console.log('REACHED ' + JSON.stringify(reached));
";

/// What a project reaches of another one that is built at the same time.
fn reached(runner: &Runner, mark: &str) -> String {
    wait(async {
        let _other = begin(runner, &endless(mark)).await;
        let numbers = pids(mark);
        let all: Vec<String> = numbers.iter().chain(&[1]).map(u32::to_string).collect();
        let program = NEIGHBOUR.replace("NUMBERS", &all.join(", "));
        let built = std::thread::scope(|scope| scope.spawn(|| runner.build(&hostile(&program))).join().unwrap());
        built.must_succeed();
        assert!(!numbers.is_empty() && pids(mark) == numbers, "it still runs");
        let log = built.log();
        let told = log.lines().find_map(|line| line.strip_prefix("REACHED "));
        told.unwrap_or_else(|| panic!("{log}")).to_owned()
    })
}

#[test]
fn another_job_is_neither_read_nor_changed_nor_signalled() {
    for place in Place::all() {
        let runner = runner(*place);
        let reached = reached(&runner, &format!("55505.{}{}", std::process::id(), *place as u8));
        assert_eq!(reached, "[]", "{place:?}");
        runner.must_be_clean();
    }
}
