//! Projects that mean harm, a row each, at every level of isolation, as root and as an ordinary user: how each ends, that
//! nothing of it is left, and that the next job finds its place as the first one did.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use holdpoint_build_runner::limits::{MAX_LOG_BYTES, MAX_LOG_FRAME_BYTES};
use holdpoint_build_runner::wire::{BuildCode, Frame};
use serde_json::{Value, json};

use crate::support::{Built, KEY, Place, Runner, hostile, processes, runner};

/// What one project tries to do.
struct Harm {
    tries: &'static str,
    /// Its configuration; `MARK` is a number that its processes are known by.
    program: &'static str,
    /// Limits that it gets, lower than others; a machine that is busy still has to start it within them.
    limits: &'static [(&'static str, u64)],
    ends: Ends,
    /// What its log says, beside anything.
    says: &'static str,
}

#[derive(Debug)]
enum Ends {
    /// It got nowhere, and what it builds is built.
    Built,
    With(BuildCode),
    /// By whatever of these comes first.
    WithOneOf(&'static [BuildCode]),
    /// Whether its owner can read what it left differs; nothing is left either way.
    Somehow,
}

/// A row that ends as it is told to, with the limits of everybody.
const fn harm(tries: &'static str, ends: Ends, program: &'static str) -> Harm {
    Harm { tries, program, limits: &[], ends, says: "" }
}

/// One that runs into a limit, which is low so that nobody waits for it.
const fn bounded(tries: &'static str, code: BuildCode, program: &'static str) -> Harm {
    const LOW: &[(&str, u64)] = &[("job_memory_mib", 600), ("job_disk_mib", 64), ("build_timeout_s", 30)];
    Harm { tries, program, limits: LOW, ends: Ends::With(code), says: "" }
}

/// One that writes into dist, when that is there.
macro_rules! dist {
    ($tries:literal, $code:ident, $program:literal) => {
        harm(
            concat!("dist: ", $tries),
            Ends::With(BuildCode::$code),
            concat!("plugin.closeBundle = () => { ", $program, " };"),
        )
    };
}

const HARMS: &[Harm] = &[
    Harm {
        says: "red link \n|SAID",
        ..harm(
            "steers the terminal",
            Ends::Built,
            r"console.log('\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\ \x9b2J\b\r|SAID');
              process.stderr.write(Buffer.from([0xff, 0x1b, 0x5b, 0x41, 0x0a]));",
        )
    },
    Harm {
        says: "the rest of this log is left out",
        ..harm(
            "fills the log",
            Ends::Built,
            "const line = 'x'.repeat(1 << 20) + '\\n';
             for (let n = 0; n < 64; n++) process.stdout.write(line);
             for (let n = 0; n < 2000; n++) console.error('short');",
        )
    },
    harm(
        "leaves processes behind: detached, forked twice, in other sessions, deaf to signals",
        Ends::Built,
        r"const quiet = { stdio: 'ignore' };
          cp.spawn('sleep', ['MARK'], { ...quiet, detached: true }).unref();
          cp.spawn('sh', ['-c', 'sleep MARK & (sleep MARK & (sleep MARK &)) ; exec sleep MARK'], quiet).unref();
          cp.spawn('setsid', ['-f', 'sleep', 'MARK'], quiet).unref();
          cp.spawn('nohup', ['sleep', 'MARK'], quiet).unref();
          cp.spawn('sh', ['-c', 'trap : TERM INT HUP; while :; do sleep MARK; done'], { stdio: 'inherit' }).unref();
          await new Promise(done => setTimeout(done, 300));
          process.on('SIGTERM', () => {});",
    ),
    Harm {
        limits: &[("build_timeout_s", 8)],
        ..harm(
            "forks without end",
            Ends::WithOneOf(&[BuildCode::BuildTimeout, BuildCode::BuildOutOfMemory]),
            r#"fs.writeFileSync(job + '/tmp/bomb', 'sh "$0" & sh "$0" & sleep MARK');
               cp.spawn('sh', [job + '/tmp/bomb'], { stdio: 'ignore' });
               await new Promise(() => setInterval(() => {}, 1000));"#,
        )
    },
    Harm {
        limits: &[("build_timeout_s", 8)],
        ..harm("loops", Ends::With(BuildCode::BuildTimeout), "for (;;);")
    },
    Harm {
        limits: &[("job_timeout_s", 8)],
        ..harm(
            "waits, and hears no signal",
            Ends::With(BuildCode::BuildTimeout),
            "process.on('SIGTERM', () => {}); await new Promise(() => setInterval(() => {}, 1000));",
        )
    },
    bounded(
        "fills its heap",
        BuildCode::BuildOutOfMemory,
        "const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({ a: Math.random() })));",
    ),
    bounded(
        "fills buffers",
        BuildCode::BuildOutOfMemory,
        "const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1));",
    ),
    bounded(
        "fills shared memory",
        BuildCode::BuildOutOfMemory,
        "const all = [];
         for (;;) { const one = new SharedArrayBuffer(64 << 20); new Uint8Array(one).fill(1); all.push(one); }",
    ),
    bounded(
        "fills the memory of children, each below the limit of a process",
        BuildCode::BuildOutOfMemory,
        "const hog = `const all = Buffer.alloc(200 << 20, 1); setInterval(() => all[0]++, 50)`;
         for (let n = 0; n < 8; n++) cp.spawn(process.execPath, ['-e', hog], { stdio: 'ignore' });
         await new Promise(() => setInterval(() => {}, 1000));",
    ),
    bounded(
        "fills the disk with files",
        BuildCode::BuildOutputTooLarge,
        "const piece = Buffer.alloc(8 << 20, 1); for (let n = 0; ; n++) fs.appendFileSync(job + '/tmp/' + (n >> 2), piece);",
    ),
    bounded(
        "fills the disk with one file",
        BuildCode::BuildOutputTooLarge,
        "const piece = Buffer.alloc(8 << 20, 1); for (;;) fs.appendFileSync(job + '/home/one', piece);",
    ),
    bounded(
        "fills the disk with open files that have no name",
        BuildCode::BuildOutputTooLarge,
        "const piece = Buffer.alloc(8 << 20, 1);
         for (let n = 0; ; n++) { const name = job + '/tmp/' + n; const file = fs.openSync(name, 'w');
           fs.unlinkSync(name); for (let m = 0; m < 4; m++) fs.writeSync(file, piece); }",
    ),
    bounded(
        "makes empty files without end",
        BuildCode::BuildOutputTooLarge,
        "for (let n = 0; ; n++) fs.writeFileSync(job + '/tmp/' + n, '');",
    ),
    bounded(
        "makes folders deeper than any path may be long",
        BuildCode::BuildOutputTooLarge,
        "process.chdir(job + '/tmp');
         for (let n = 0; n < 20000; n++) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); }
         for (;;) fs.writeFileSync('x', 'x');",
    ),
    dist!("a link to a file", BuildOutputInvalid, "fs.symlinkSync('/etc/passwd', 'dist/key.txt')"),
    dist!("a link to a folder", BuildOutputInvalid, "fs.symlinkSync('/etc', 'dist/folder')"),
    dist!("a link that stays inside", BuildOutputInvalid, "fs.symlinkSync('index.html', 'dist/inside.html')"),
    dist!("a pipe", BuildOutputInvalid, "cp.spawnSync('mkfifo', ['dist/pipe'])"),
    dist!("a name with a line break", BuildOutputInvalid, "fs.writeFileSync('dist/line\\nbreak.js', '')"),
    dist!("a name with a backslash", BuildOutputInvalid, "fs.writeFileSync('dist/back\\\\slash.js', '')"),
    dist!(
        "a name that is no text",
        BuildOutputInvalid,
        "fs.writeFileSync(Buffer.from([0x64, 0x69, 0x73, 0x74, 0x2f, 0xff]), '')"
    ),
    dist!("a link itself", BuildOutputInvalid, "fs.rmSync('dist', { recursive: true }); fs.symlinkSync('/etc', 'dist')"),
    dist!("a file itself", BuildOutputInvalid, "fs.rmSync('dist', { recursive: true }); fs.writeFileSync('dist', 'x')"),
    dist!("deep folders", BuildOutputInvalid, "fs.mkdirSync('dist/' + 'a/'.repeat(40), { recursive: true })"),
    dist!(
        "a huge file",
        BuildOutputTooLarge,
        "fs.writeFileSync('dist/large.js', Buffer.alloc((10 << 20) + 1, 97))"
    ),
    dist!(
        "large files",
        BuildOutputTooLarge,
        "for (let n = 0; n < 6; n++) fs.writeFileSync(`dist/${n}.js`, Buffer.alloc(9 << 20, 97))"
    ),
    dist!(
        "countless files",
        BuildOutputTooLarge,
        "for (let n = 0; n < 2000; n++) fs.writeFileSync(`dist/${n}.js`, '')"
    ),
    dist!("countless folders", BuildOutputTooLarge, "for (let n = 0; n < 2001; n++) fs.mkdirSync(`dist/${n}`)"),
    dist!("nothing", BuildEmpty, "fs.rmSync('dist', { recursive: true })"),
    dist!("no file", BuildEmpty, "fs.rmSync('dist/index.html')"),
    dist!("no page", BuildNoEntryHtml, "fs.renameSync('dist/index.html', 'dist/other.html')"),
    harm(
        "closes its folders to everybody",
        Ends::Somehow,
        "process.umask(0o777); fs.mkdirSync(job + '/tmp/closed', 0o000); fs.writeFileSync(job + '/home/file', 'x');
         plugin.closeBundle = () => { fs.mkdirSync('dist/closed', 0o000) };",
    ),
    harm(
        "poisons the packages that it sees",
        Ends::Built,
        "fs.rmSync('node_modules/react'); fs.mkdirSync('node_modules/react');
         fs.writeFileSync('node_modules/react/index.js', 'poisoned'); fs.writeFileSync('node_modules/evil.js', 'poisoned');",
    ),
    harm(
        "poisons the layer, and what the runner keeps",
        Ends::Built,
        "const cache = path.resolve('../../..'), modules = path.dirname(fs.realpathSync('node_modules/vite'));
         for (const file of [modules + '/react/index.js', modules + '/evil.js', path.join(modules, '../.used'),
           cache + '/npm/evil', cache + '/blobs/evil', cache + '/layers/evil', cache + '/artifacts/evil', cache + '/evil'])
           try { fs.appendFileSync(file, 'poisoned'); console.log('WROTE ' + file) } catch {}",
    ),
    harm(
        "leaves links that lead out, for whoever clears its folder",
        Ends::Built,
        "const cache = path.resolve('../../..');
         for (const [name, target] of Object.entries({ layers: cache + '/layers', up: '../../..', root: '/' })) {
           fs.symlinkSync(target, job + '/home/' + name); fs.symlinkSync(target, job + '/tmp/' + name); }
         fs.renameSync(job + '/tmp', job + '/away'); fs.symlinkSync(cache, job + '/tmp');",
    ),
];

/// Says what a job finds before it does anything: its folders, its packages, what is kept of those.
const FINDS: &str = "{
  const modules = path.dirname(fs.realpathSync('node_modules/vite'));
  const links = folder => fs.readdirSync(folder, { withFileTypes: true }).map(one => one.name + ' ' + one.isSymbolicLink());
  const text = name => fs.readFileSync(path.join(modules, name), 'utf8').length;
  console.log('FINDS ' + JSON.stringify([fs.readdirSync(job), fs.readdirSync(job + '/home'), fs.readdirSync(job + '/tmp'),
    links('node_modules'), fs.readdirSync(modules), text('react/index.js'), text('vite/package.json')]));
}
";

/// What a job that starts now finds. One that ran out of its time may not have come to say so: on a busy machine a fork
/// bomb leaves nobody room to be heard. The next row says it then.
fn finds(built: &Built) -> Option<String> {
    let log = built.log();
    let found = log.lines().find_map(|line| line.strip_prefix("FINDS "));
    let may_be_unheard = built.result.code == Some(BuildCode::BuildTimeout);
    assert!(found.is_some() || may_be_unheard, "{}", built.told());
    found.map(str::to_owned)
}

fn request(program: &str, limits: &[(&str, u64)]) -> Value {
    let mut request = hostile(&format!("{FINDS}{program}"));
    request["limits"] = limits.iter().map(|(name, limit)| ((*name).to_owned(), json!(limit))).collect();
    request
}

fn must_end(built: &Built, harm: &Harm, who: &str) {
    let code = built.result.code;
    let is_right = match &harm.ends {
        Ends::Built => code.is_none(),
        Ends::With(wanted) => code == Some(*wanted),
        Ends::WithOneOf(wanted) => code.is_some_and(|code| wanted.contains(&code)),
        Ends::Somehow => true,
    };
    assert!(is_right, "{who}: {:?}\n{}", harm.ends, built.told());
    assert_eq!(built.result.dist_manifest.is_some(), code.is_none(), "{who}");
    let log = built.log();
    assert!(log.contains(harm.says), "{who}\n{}", built.told());
    assert!(!log.contains("WROTE") && !log.contains(KEY), "{who}\n{}", built.told());
    assert!(log.chars().all(|letter| matches!(letter, '\n' | '\t') || !letter.is_control()), "{who}: {log:?}");
    assert!(log.len() < MAX_LOG_BYTES + MAX_LOG_FRAME_BYTES, "{who}: {}", log.len());
    let is_short = |frame: &Frame| !matches!(frame, Frame::Log { text, .. } if text.len() > MAX_LOG_FRAME_BYTES);
    assert!(built.frames.iter().all(is_short), "{who}");
}

/// What jobs left where the runner keeps layers, downloads and what was built.
fn left_in(runner: &Runner) -> Vec<PathBuf> {
    let folders = ["", "layers", "npm", "blobs", "artifacts"].map(|folder| runner.cache.join(folder));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap().flatten());
    let is_left = |path: &PathBuf| path.ends_with("evil") || path.join("dist/key.txt").exists();
    entries.map(|entry| entry.path()).filter(is_left).collect()
}

/// One place after the other: a fork bomb of one takes the processes that its user may have, also from another's jobs.
static ONE_PLACE: Mutex<()> = Mutex::new(());

fn all_at(place: Place) {
    if !Place::all().contains(&place) {
        return; // `Place::all` says so.
    }
    let _alone = ONE_PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let runner = runner(place);
    let first = runner.build(&request("", &[]));
    first.must_succeed();
    let found = finds(&first);
    for (number, harm) in HARMS.iter().enumerate() {
        let who = format!("{place:?}: {}", harm.tries);
        let mark = format!("7{number:03}.{}{}", std::process::id(), place as u8);
        let built = runner.build(&request(&harm.program.replace("MARK", &mark), harm.limits));
        must_end(&built, harm, &who);
        assert_eq!(finds(&built).or_else(|| found.clone()), found, "{who}: what was there before it");
        assert_eq!(processes(&mark), 0, "{who}");
        runner.must_be_clean();
        assert_eq!(left_in(&runner), [""; 0].map(PathBuf::from), "{who}");
    }
    let last = runner.build(&request("", &[]));
    last.must_succeed();
    assert_eq!(finds(&last), found, "{place:?}: what was there before it");
}

#[test]
fn in_namespaces() {
    all_at(Place::Namespaces);
}

#[test]
fn behind_landlock() {
    all_at(Place::Landlock);
}

#[test]
fn in_namespaces_of_an_ordinary_user() {
    all_at(Place::UserNamespaces);
}

#[test]
fn behind_landlock_as_an_ordinary_user() {
    all_at(Place::UserLandlock);
}
