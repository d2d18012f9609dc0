//! Projects that mean harm: what they reach, what they are told, and what they leave.

use holdpoint_build_runner::wire::BuildCode;
use serde_json::{Value, json};

use crate::support::{Place, hostile, processes, runner};

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
 '/proc/version', '/proc/cmdline', '/proc/sys/kernel/core_pattern', cache + '/lock', cache + '.token',
 path.join(cache, 'jobs', job.endsWith('0') ? '1' : '0', 'project/package.json')].forEach(read);
['/', '/proc', '/tmp', '/home', '/root', '/dev', '/sys', '/run', '/var', cache, cache + '/jobs', cache + '/layers',
 cache + '/artifacts', cache + '/npm', path.resolve(cache, '..'), '/proc/1/fd'].forEach(list);
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
attempt('secret', () => JSON.stringify(process.env).includes('a-secret-of-the-runner'));
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
        let runner = runner(place);
        let program = PROBE.replace("RUNNER_PORT", &runner.address.port().to_string());
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
        let built = runner(place).build(&hostile(&program));
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

#[test]
fn no_process_outlives_its_build() {
    for place in Place::all() {
        let runner = runner(place);
        let mark = format!("98765.{}{}", std::process::id(), place as u8);
        let program = r"
const quiet = { stdio: 'ignore' };
cp.spawn('sleep', ['MARK'], { ...quiet, detached: true }).unref();
cp.spawn('sh', ['-c', 'sleep MARK & (sleep MARK & (sleep MARK &)) ; exec sleep MARK'], quiet).unref();
cp.spawn('setsid', ['-f', 'sleep', 'MARK'], quiet).unref();
cp.spawn('nohup', ['sleep', 'MARK'], quiet).unref();
cp.spawn('sh', ['-c', 'trap : TERM INT HUP; while :; do sleep MARK; done'], { stdio: 'inherit' }).unref();
await new Promise(done => setTimeout(done, 300));
process.on('SIGTERM', () => {});
";
        let built = runner.build(&hostile(&program.replace("MARK", &mark)));
        built.must_succeed();
        assert_eq!(processes(&mark), 0, "{place:?}");
        runner.must_be_clean();
    }
}

/// Each with a code, so that nobody waits for a timeout.
fn must_run_out(place: Place, code: BuildCode, programs: &[&str]) {
    let runner = runner(place);
    for program in programs {
        let mut request = hostile(program);
        request["limits"] = json!({ "job_memory_mib": 600, "job_disk_mib": 64, "build_timeout_s": 30 });
        let built = runner.build(&request);
        assert_eq!(built.result.code, Some(code), "{place:?}\n{program}\n{}", built.told());
        runner.must_be_clean();
    }
}

#[test]
fn memory_has_a_bound_wherever_it_is_taken() {
    let programs = [
        "const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({ a: Math.random() })));",
        "const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1));",
        "const all = []; for (;;) { const one = new SharedArrayBuffer(64 << 20); new Uint8Array(one).fill(1); all.push(one); }",
        // Each child stays below the limit of a process; their sum does not.
        "const hog = `const all = Buffer.alloc(200 << 20, 1); setInterval(() => all[0]++, 50)`;
         for (let n = 0; n < 8; n++) cp.spawn(process.execPath, ['-e', hog], { stdio: 'ignore' });
         await new Promise(() => setInterval(() => {}, 1000));",
    ];
    must_run_out(Place::Namespaces, BuildCode::BuildOutOfMemory, &programs);
    must_run_out(*Place::all().last().unwrap(), BuildCode::BuildOutOfMemory, &programs[1..]);
}

#[test]
fn the_disk_has_a_bound_however_it_is_filled() {
    let programs = [
        "const piece = Buffer.alloc(8 << 20, 1); for (let n = 0; ; n++) fs.appendFileSync(job + '/tmp/' + (n >> 2), piece);",
        "const piece = Buffer.alloc(8 << 20, 1); for (;;) fs.appendFileSync(job + '/home/one', piece);",
        // Open files without a name.
        "const piece = Buffer.alloc(8 << 20, 1); for (let n = 0; ; n++) { const name = job + '/tmp/' + n;
         const file = fs.openSync(name, 'w'); fs.unlinkSync(name); for (let m = 0; m < 4; m++) fs.writeSync(file, piece); }",
        "for (let n = 0; ; n++) fs.writeFileSync(job + '/tmp/' + n, '');",
        // Deeper than any path may be long.
        "process.chdir(job + '/tmp'); for (let n = 0; n < 20000; n++) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); }
         for (;;) fs.writeFileSync('x', 'x');",
    ];
    must_run_out(Place::Namespaces, BuildCode::BuildOutputTooLarge, &programs);
    must_run_out(*Place::all().last().unwrap(), BuildCode::BuildOutputTooLarge, &programs[2..]);
}

#[test]
fn a_fork_bomb_ends_and_leaves_nothing() {
    let mark = format!("43210.{}", std::process::id());
    let program = format!(
        "fs.writeFileSync(job + '/tmp/bomb', 'sh \"$0\" & sh \"$0\" & sleep {mark}');
         cp.spawn('sh', [job + '/tmp/bomb'], {{ stdio: 'ignore' }}); await new Promise(() => setInterval(() => {{}}, 1000));"
    );
    for place in Place::all() {
        let mut request = hostile(&program);
        request["limits"] = json!({ "build_timeout_s": 4 });
        let built = runner(place).build(&request);
        let code = built.result.code.unwrap();
        assert!(matches!(code, BuildCode::BuildTimeout | BuildCode::BuildOutOfMemory), "{place:?}: {code:?}");
        assert_eq!(processes(&mark), 0, "{place:?}");
        runner(place).must_be_clean();
    }
}

#[test]
fn a_loop_ends_at_its_time() {
    let mut request = hostile("for (;;);");
    request["limits"] = json!({ "build_timeout_s": 2 });
    let built = runner(Place::Namespaces).build(&request);
    built.must_fail(BuildCode::BuildTimeout);
    assert!(built.result.timings["build"] >= 2_000, "{:?}", built.result.timings);
    let mut request = hostile("process.on('SIGTERM', () => {}); await new Promise(() => setInterval(() => {}, 1000));");
    request["limits"] = json!({ "job_timeout_s": 3 });
    runner(Place::Namespaces).build(&request).must_fail(BuildCode::BuildTimeout);
    runner(Place::Namespaces).must_be_clean();
}

#[test]
fn a_poisoned_package_is_whole_for_the_next_build() {
    let runner = runner(Place::Namespaces);
    // Its own links it may change, and what lies behind them it may not.
    let program = "fs.rmSync('node_modules/react'); fs.mkdirSync('node_modules/react');
        fs.writeFileSync('node_modules/react/index.js', 'poisoned'); fs.writeFileSync('node_modules/evil.js', 'poisoned');";
    runner.build(&hostile(program)).must_succeed();
    let seen = "console.log('TOLD', fs.existsSync('node_modules/evil.js'), fs.lstatSync('node_modules/react').isSymbolicLink());";
    let built = runner.build(&hostile(seen));
    built.must_succeed();
    assert!(built.log().contains("TOLD false true"), "{}", built.log());
}
