// The packed core in a Node script: what its README says, and that threads end what does not end by itself.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { answer, follow, stranger } from "./stranger.ts";

const folder = stranger("core");
follow(folder, "core");
const run = (file: string): unknown =>
  JSON.parse(execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" }));

test("diff, preview, check and a declarative test in a Node script", () => {
  assert.deepEqual(run("main.mjs"), answer(folder));
});

test("a conversation over an edge, as its README says it", () => {
  assert.deepEqual(
    run("session.mjs"),
    JSON.parse(readFileSync(join(folder, "session.json"), "utf8")),
  );
});

test("a script that forgets its threads ends all the same", () => {
  writeFileSync(
    join(folder, "forgets.mjs"),
    `import { createChecks, createSandboxClient } from "@holdpoint/core";
     import { after } from "./bundle.js";
     const { ok } = await createSandboxClient(createChecks("ifc-extension")).test(after);
     console.log(JSON.stringify(ok));`,
  );
  const { status, stdout } = spawnSync(process.execPath, ["forgets.mjs"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
  });
  assert.deepEqual([status, stdout.trim()], [0, "true"]);
});

test("a test whose code does not end fails, and the next one runs", () => {
  writeFileSync(
    join(folder, "endless.mjs"),
    `import { createChecks, createSandboxClient } from "@holdpoint/core";
     import { after } from "./bundle.js";
     const endless = { ...after, "src/counts.js": "export default function () { for (;;) {} }\\n" };
     const sandbox = createSandboxClient(createChecks("ifc-extension"));
     const codes = [];
     for (const files of [endless, after]) {
       const { tests } = await sandbox.test(files);
       codes.push(tests.flatMap((one) => one.diagnostics.map((finding) => finding.code)));
     }
     console.log(JSON.stringify(codes));`,
  );
  // On a machine that is busy the clock is first.
  assert.match(JSON.stringify(run("endless.mjs")), /^\[\["TEST_(FUEL|TIMEOUT)"\],\[\]\]$/);
});

test("a bundle that fails its check says where, and its tests do not run", () => {
  writeFileSync(
    join(folder, "invalid.mjs"),
    `import { createChecks, createSandboxClient } from "@holdpoint/core";
     import { after } from "./bundle.js";
     const code = after["src/counts.js"].replace("return {", "eval('1'); return {");
     const files = { ...after, "src/counts.js": code };
     const checks = createChecks("ifc-extension");
     const { ok, diagnostics } = await checks.check(files);
     const { tests } = await createSandboxClient(checks).test(files);
     console.log(JSON.stringify([ok, diagnostics.map(({ code, path }) => [code, path]), tests]));`,
  );
  assert.deepEqual(run("invalid.mjs"), [false, [["CODE_EVAL", "src/counts.js"]], []]);
});

test("the checks of a kind are asked of their own module, and those of another one are told apart", () => {
  writeFileSync(
    join(folder, "kinds.mjs"),
    `import { createChecks } from "@holdpoint/core";
     import { after } from "./bundle.js";
     const scripts = createChecks("script-tool");
     const codeOf = (answer) => answer.then(() => "none", ({ code }) => code);
     const told = [
       typeof (await scripts.check({ "tool.py": "" })).ok,
       typeof (await createChecks("crew-package").check({})).ok,
       typeof (await createChecks("vite-app").check({})).ok,
       await codeOf(scripts.planCheck({})),
       await codeOf(scripts.prepareTests(after)),
       await codeOf(scripts.call("bundle.check", { kind: "ifc-extension", files: after })),
       await codeOf(createChecks("no-such-kind").check({})),
       await codeOf(createChecks("constructor").check({})),
     ];
     console.log(JSON.stringify(told));`,
  );
  assert.deepEqual(run("kinds.mjs"), [
    "boolean",
    "boolean",
    "boolean",
    "UNKNOWN_METHOD",
    "UNKNOWN_METHOD",
    "INVALID_INPUT",
    "INVALID_INPUT",
    "INVALID_INPUT",
  ]);
});

test("Python is parsed in Node too", () => {
  writeFileSync(
    join(folder, "python.mjs"),
    `import { loadPython } from "@holdpoint/core/python";
     const facts = await loadPython();
     console.log(JSON.stringify([facts("def run(): pass").bindings[0].name, "error" in facts("def")]));`,
  );
  assert.deepEqual(run("python.mjs"), ["run", true]);
});
