// What is tried on a model changes nothing for what is installed, and starts from what installed extensions see.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ROOT, stranger } from "./stranger.ts";

const folder = stranger("core");
copyFileSync(join(ROOT, "fixtures/ifc/house-small.ifc"), join(folder, "house.ifc"));
writeFileSync(
  join(folder, "extensions.mjs"),
  `import { readFileSync } from "node:fs";
   import { createChecks, createSandboxClient } from "@holdpoint/core";

   /** Renames all doors, and says how many had that name before. */
   const renames = (name) => ({
     "manifest.json": JSON.stringify({
       manifestVersion: 1, id: "tests.renames", name: "Renames", version: "1.0.0", description: "Renames doors.",
       engines: { ifcLiteSdk: "^1.0.0" }, capabilities: ["model.read", "model.mutate:Attribute.Name"],
       activation: ["onCommand:doors.rename"],
       entry: { commands: { "doors.rename": "src/rename.js" } },
       contributes: { commands: [{ id: "doors.rename", title: "Rename doors" }] },
       tests: [{ name: "renames", command: "doors.rename", fixture: "house-small", expect: { equals: 0 } }],
     }),
     "src/rename.js": \`export default function (ctx) {
       const doors = ctx.bim.query.byType("IfcDoor");
       const named = doors.filter((door) => door.name === "\${name}").length;
       for (const door of doors) ctx.bim.mutate.setAttribute(door, "Name", "\${name}");
       return named;
     }\`,
   });
   const model = {
     id: "32c5b5b24ad244a2", opening: 1, name: "house.ifc", on: true, active: true,
     file: new Blob([readFileSync("house.ifc")]),
   };
   const sandbox = createSandboxClient(createChecks("ifc-extension"));
   const running = (key, name, trial) => ({
     key, trial, files: renames(name), granted: ["model.read", "model.mutate:Attribute.Name"], locale: "en",
     selection: () => [], storage: () => ({}), keep: () => {}, models: () => [model],
   });
   /** As \`renames\`, and does not end. */
   export const endless = () => ({
     ...running("endless", "A", true),
     files: {
       ...renames("A"),
       "src/rename.js": "export default function () { for (;;) {} }",
     },
   });
   export const installed = (name) => running("installed " + name, name, false);
   export const trial = (name) => running("trial " + name, name, true);
   export const run = async (extension) => {
     const { outcome } = await sandbox.call(extension, { command: { id: "doors.rename" } });
     return outcome.failure ?? outcome.value;
   };
   export const end = (extension) => sandbox.end(extension);
   export const done = (said) => { console.log(JSON.stringify(said)); sandbox.dispose(); };
  `,
);

function ran(name: string, script: string): unknown {
  const file = `${name}.mjs`;
  const uses = 'import { done, end, endless, installed, run, trial } from "./extensions.mjs";\n';
  writeFileSync(join(folder, file), uses + script);
  const options = { cwd: folder, encoding: "utf8", timeout: 120_000 } as const;
  return JSON.parse(execFileSync(process.execPath, [file], options));
}

test("edits of a trial stay in it, and end with it", () => {
  const answers = ran(
    "stays",
    `const one = trial("A");
     const said = [await run(one), await run(one)];
     said.push(await run(installed("A")));
     await end(one);
     said.push(await run(trial("B")), await run(installed("B")));
     done(said);`,
  );
  assert.deepEqual(answers, [0, 7, 0, 0, 0]);
});

test("a trial begins with what installed extensions changed", () => {
  const answers = ran(
    "begins",
    `const said = [await run(installed("A")), await run(trial("A"))];
     done(said);`,
  );
  assert.deepEqual(answers, [0, 7]);
});

test("two trials at once do not see each other", () => {
  const answers = ran(
    "two",
    `const [one, two] = [trial("A"), trial("B")];
     const said = [await run(one), await run(two), await run(one), await run(two)];
     await end(one);
     said.push(await run(two));
     done(said);`,
  );
  assert.deepEqual(answers, [0, 0, 7, 7, 7]);
});

test("a trial that was ended begins anew", () => {
  const answers = ran(
    "anew",
    `const one = trial("A");
     const said = [await run(one), await run(one)];
     await end(one);
     said.push(await run(one));
     done(said);`,
  );
  assert.deepEqual(answers, [0, 7, 0]);
});

test("the end of a trial ends what it still does, and nothing waits for that", () => {
  const [code, named, ms] = ran(
    "ends",
    `const stuck = endless();
     const answer = run(stuck);
     await run(installed("A"));
     const began = performance.now();
     await end(stuck);
     const named = await run(trial("A"));
     const ms = performance.now() - began;
     done([(await answer).code, named, ms]);`,
  ) as [string, number, number];
  assert.deepEqual([code, named], ["SANDBOX_FAULT", 7]);
  assert.ok(ms < 4_000, `${ms} ms: less than such a call may take`);
});

test("an installed extension that changes one value for ever changes one value", () => {
  const answers = ran(
    "folds",
    `for (let at = 0; at < 40; at += 1) await run(installed(at % 2 ? "A" : "B"));
     done([await run(trial("A")), await run(installed("B"))]);`,
  );
  assert.deepEqual(answers, [7, 0]);
});
