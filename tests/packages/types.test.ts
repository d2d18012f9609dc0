// The types of the packages, in a stranger's project: both ways of finding modules, nothing skipped.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { link, ROOT, stranger } from "./stranger.ts";

const folder = stranger("core", "elements");

const NODE = `
import { type Checks, CoreError, createChecks, createSandboxClient, loadCore } from "@holdpoint/core";
import { local } from "@holdpoint/core/editor";
import { loadPython } from "@holdpoint/core/python";
import type { BundleDiff, Diagnostic, Files } from "@holdpoint/core/types";

const before: Files = { "a.txt": "one\\n" };
const core = await loadCore();
const diff: BundleDiff = core.diff(before, { "a.txt": "two\\n" });
const verdict: "clean" | "confirm" | "reject" = core.preview({ files: before, ops: [] }).verdict;
const checks: Checks = createChecks("ifc-extension");
const findings: Diagnostic[] = (await checks.check(before)).diagnostics;
const names: string[] = (await createSandboxClient(checks).test(before)).tests.map((test) => test.name);
const facts = await loadPython();
export const all = [diff.files[0]?.path, verdict, findings, names, facts("x = 1"), local, CoreError];
// @ts-expect-error: two texts are no bundles
core.diff("one", "two");
`;

const PAGE = `
import { createModelClient, openStore, startRun } from "@holdpoint/core/page";
import "@holdpoint/elements";
import "@holdpoint/elements/diff";
import { setLanguage } from "@holdpoint/elements";

setLanguage("sv");
const element = document.createElement("hp-diff");
element.files = [];
element.choosing = "none";
// @ts-expect-error: no such choice
element.choosing = "perhaps";
export const all = [createModelClient(), openStore(), startRun];
`;

/** Type-checks one file of the stranger's. */
function compiled(file: string, code: string, options: Record<string, unknown>): string {
  writeFileSync(join(folder, file), code);
  const config = `tsconfig.${file}.json`;
  const compilerOptions = {
    target: "ES2022",
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    ...options,
  };
  writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", config], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout;
}

const ways = {
  bundler: { module: "ESNext", moduleResolution: "bundler" },
  nodenext: { module: "NodeNext", moduleResolution: "nodenext" },
};

for (const [name, way] of Object.entries(ways)) {
  test(`a script is type-checked under ${name}`, () => {
    link(folder, "@types/node");
    const lib = ["ES2023"];
    assert.equal(compiled("script.ts", NODE, { ...way, lib, types: ["node"] }), "");
  });

  test(`a page is type-checked under ${name}`, () => {
    const lib = ["ES2023", "DOM", "DOM.Iterable"];
    assert.equal(compiled("page.ts", PAGE, { ...way, lib }), "");
  });
}
