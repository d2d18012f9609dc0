//! What a build prints and what it leaves in dist.

use holdpoint_build_runner::limits::{MAX_LOG_BYTES, MAX_LOG_FRAME_BYTES};
use holdpoint_build_runner::wire::{BuildCode, Frame};
use serde_json::json;

use crate::support::{Place, hostile, project, runner};

#[test]
fn what_is_printed_steers_no_terminal() {
    let program = r"console.log('\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\ \x9b2J\b\r|TOLD');
        process.stderr.write(Buffer.from([0xff, 0x1b, 0x5b, 0x41, 0x0a]));";
    let built = runner(Place::Namespaces).build(&hostile(program));
    built.must_succeed();
    let log = built.log();
    assert!(log.contains("red link \n|TOLD"), "{log:?}");
    assert!(log.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{log:?}");
}

#[test]
fn a_flood_of_output_is_cut_and_slows_nothing_down() {
    let program = "const line = 'x'.repeat(1 << 20) + '\\n';
        for (let n = 0; n < 64; n++) process.stdout.write(line); for (let n = 0; n < 2000; n++) console.error('short');";
    let built = runner(Place::Namespaces).build(&hostile(program));
    built.must_succeed();
    assert!(built.log().len() < MAX_LOG_BYTES + MAX_LOG_FRAME_BYTES, "{}", built.log().len());
    assert!(built.log().contains("the rest of this log is left out"));
    let longest = built.frames.iter().map(|frame| match frame {
        Frame::Log { text, .. } => text.len(),
        _ => 0,
    });
    assert!(longest.max().unwrap() <= MAX_LOG_FRAME_BYTES);
}

#[test]
fn dist_is_taken_only_as_plain_files_within_limits() {
    let runner = runner(Place::Namespaces);
    let cases: &[(&str, BuildCode)] = &[
        ("fs.symlinkSync('/etc/passwd', 'dist/key.txt')", BuildCode::BuildOutputInvalid),
        ("fs.symlinkSync('/etc', 'dist/folder')", BuildCode::BuildOutputInvalid),
        ("fs.symlinkSync('index.html', 'dist/inside.html')", BuildCode::BuildOutputInvalid),
        ("cp.spawnSync('mkfifo', ['dist/pipe'])", BuildCode::BuildOutputInvalid),
        ("fs.writeFileSync('dist/line\\nbreak.js', '')", BuildCode::BuildOutputInvalid),
        ("fs.writeFileSync('dist/back\\\\slash.js', '')", BuildCode::BuildOutputInvalid),
        ("fs.writeFileSync(Buffer.from([0x64, 0x69, 0x73, 0x74, 0x2f, 0xff]), '')", BuildCode::BuildOutputInvalid),
        ("fs.rmSync('dist', { recursive: true }); fs.symlinkSync('/etc', 'dist')", BuildCode::BuildOutputInvalid),
        ("fs.rmSync('dist', { recursive: true }); fs.writeFileSync('dist', 'x')", BuildCode::BuildOutputInvalid),
        ("fs.mkdirSync('dist/' + 'a/'.repeat(40), { recursive: true })", BuildCode::BuildOutputInvalid),
        ("fs.writeFileSync('dist/large.js', Buffer.alloc((10 << 20) + 1, 97))", BuildCode::BuildOutputTooLarge),
        (
            "for (let n = 0; n < 6; n++) fs.writeFileSync(`dist/${n}.js`, Buffer.alloc(9 << 20, 97))",
            BuildCode::BuildOutputTooLarge,
        ),
        ("for (let n = 0; n < 2000; n++) fs.writeFileSync(`dist/${n}.js`, '')", BuildCode::BuildOutputTooLarge),
        ("for (let n = 0; n < 2001; n++) fs.mkdirSync(`dist/${n}`)", BuildCode::BuildOutputTooLarge),
        ("fs.rmSync('dist', { recursive: true })", BuildCode::BuildEmpty),
        ("fs.rmSync('dist/index.html')", BuildCode::BuildEmpty),
        ("fs.renameSync('dist/index.html', 'dist/other.html')", BuildCode::BuildNoEntryHtml),
    ];
    for (program, code) in cases {
        let built = runner.build(&hostile(&format!("plugin.closeBundle = () => {{ {program} }};")));
        assert_eq!(built.result.code, Some(*code), "{program}\n{}", built.told());
        runner.must_be_clean();
        let artifacts: Vec<_> = std::fs::read_dir(runner.cache.join("artifacts")).unwrap().flatten().collect();
        assert!(!artifacts.iter().any(|entry| entry.path().join("dist/key.txt").exists()), "{program}");
    }
}

#[test]
fn a_folder_without_rights_is_cleared_away() {
    for place in Place::all() {
        let program =
            "process.umask(0o777); fs.mkdirSync(job + '/tmp/closed', 0o000); fs.writeFileSync(job + '/home/file', 'x');
            plugin.closeBundle = () => { fs.mkdirSync('dist/closed', 0o000) };";
        let built = runner(place).build(&hostile(program));
        // Who owns it may still not read it, unless root does; either way nothing is left.
        assert!(
            matches!(
                built.result.code,
                None | Some(
                    BuildCode::BuildOutputInvalid | BuildCode::BuildOutputTooLarge | BuildCode::ViteBuildFailed
                )
            ),
            "{place:?} {:?}",
            built.result
        );
        runner(place).must_be_clean();
    }
}

#[test]
fn a_build_without_a_type_check_has_none() {
    let mut request = project(&json!({ "src/App.tsx": "export const App = () => <p>{1 as string}</p>;\n" }));
    let package = request["files"]["package.json"].as_str().unwrap().replace("tsc && vite build", "vite build");
    request["files"]["package.json"] = package.into();
    let built = runner(Place::Namespaces).build(&request);
    built.must_succeed();
    assert!(!built.result.timings.contains_key("typecheck"));
}
